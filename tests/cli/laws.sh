#!/bin/bash
# Every program that there is in tests/corpus, through all that a program goes through: what is valid formats to the
# same program with the same comments, formatting that changes nothing, and so on (tests/tools/fuzz_input.c has the
# laws).
# cost: 4
. tests/cli/tap.inc
B=${B:-build}
# laws TEXT REPLAY-WORD...: from standard input
laws() {
    local text=$1
    shift
    "$B/tests/replay" "$@" >"$work/out" 2>&1
    if [ $? = 0 ]; then ok "$text: $(sed -n 's/^ok 1 - //p' "$work/out")"; else not_ok "$text";
        note "$(head -n 20 "$work/out")"; fi
}
for pack in tests/corpus/*.xz; do
    case $pack in *.tar.xz | */fuzz.xz) continue ;; esac
    laws "$pack" --verdicts < <(xz -dc "$pack")
done
mkdir "$work/stages"
tar -xJf tests/corpus/stages.tar.xz -C "$work/stages"
laws "NVIDIA's compiler" < <("$B/tests/replay" --pack $(find "$work/stages" -path '*/asm/*' -type f | sort))
laws "files" < <("$B/tests/replay" --pack tests/corpus/asm/* tests/cli/check/*.asm tests/cli/stats/*.asm)
done_testing
