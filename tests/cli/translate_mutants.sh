#!/bin/bash
# gp5 translate on programs by chance, grown and broken: every translation compiles where there is a compiler, every
# refusal has a place (tests/tools/translate_mutants.c says what must hold). 3,000 programs; LONG=1: 100,000.
# cost: 8
. tests/cli/tap.inc
B=${B:-build}
each=3000 rounds=$(short_or_long 1 34)
broken=0 odd=0 compiled=0
: >"$work/laws"
: >"$work/said"
for ((i = 0; i < rounds; i++)); do
    rm -rf "$work/out"
    mkdir "$work/out"
    "$B/tests/translate_mutants" --seed=7 --first=$((i * each)) --count=$each "--out=$work/out" >"$work/round"
    status=$?
    [ "$status" = 0 ] || broken=$((broken + 1))
    [ "$status" = 0 ] || [ "$status" = 1 ] || odd=$((odd + 1))
    cat "$work/round" >>"$work/laws"
    command -v glslangValidator >/dev/null || continue
    (cd "$work/out" && find . -type f | sort | xargs glslangValidator) >"$work/words" 2>&1
    compiled=$((compiled + $(find "$work/out" -type f | wc -l)))
    grep -B1 '^ERROR' "$work/words" | head -n 20 >>"$work/said"
done
note "$(awk '/ laws broken$/ { n += $1; good += $3; made += $5; no += $7 }
    END { print n " programs, " good " valid, " made " translations, " no " refused" }' "$work/laws")"
[ "$broken" = 0 ] || note "$(head -n 20 "$work/laws" | cut -c1-300)"
equals "no round ends in a crash" 0 "$odd"
equals "no program breaks a law" 0 "$broken"
check "the programs are many, and half of them valid" awk '
    / laws broken$/ { programs += $1; good += $3; translated += $5 }
    END { exit !(programs >= 3000 && good * 2 > programs && translated > good) }' "$work/laws"
if command -v glslangValidator >/dev/null; then
    check "there are shaders of core contexts and of ES" test "$compiled" -gt $((each / 2))
    check "glslang takes all of them" test ! -s "$work/said"
    [ ! -s "$work/said" ] || note "$(head -n 20 "$work/said")"
else
    skip "what glslang says" "glslangValidator is not installed"
fi
done_testing
