#!/bin/bash
# gp5 stats, to the letter: tests/cli/stats/NAME.asm against NAME.txt, whose numbers were counted by hand.
#     tests/cli/stats.sh --rebase      writes the .txt files anew; count again what changed before it is committed
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}
if [ "${1:-}" = --rebase ]; then
    for program in tests/cli/stats/*.asm; do "$GP5" stats --opcodes "$program" >"${program%.asm}.txt"; done
    exit 0
fi
for program in tests/cli/stats/*.asm; do
    name=$(basename "$program" .asm)
    "$GP5" stats --opcodes "$program" >"$work/$name.txt"
    check "$name" diff -u "tests/cli/stats/$name.txt" "$work/$name.txt"
done

# ---- the specification's own examples of texture indirections (ARB_fragment_program, issue 24), in our words
# ---------------
indirections() {
    printf '!!ARBfp1.0\nTEMP a, b;\n%s\nEND\n' "$1" | "$GP5" stats --json - 2>/dev/null |
        sed 's/.*"indirections":\([0-9]*\).*/\1/'
}
equals "no texture: one" 1 "$(indirections 'MOV result.color, fragment.color;')"
equals "a coordinate that was computed: two" 2 \
    "$(indirections 'MUL a, fragment.texcoord[0], fragment.texcoord[1]; TEX result.color, a, texture[0], 2D;')"
equals "two textures at once: one" 1 \
    "$(indirections 'TEX a, fragment.texcoord[0], texture[0], 2D; TEX b, fragment.texcoord[1], texture[1], 2D;'\
' ADD result.color, a, b;')"
equals "a texture into what arithmetic used: two" 2 \
    "$(indirections \
        'MUL a, fragment.color, fragment.color; TEX a, fragment.texcoord[0], texture[0], 2D; MOV result.color, a;')"
equals "a texture twice into one register: one" 1 \
    "$(indirections 'TEX a, fragment.texcoord[0], texture[0], 2D; TEX a, fragment.texcoord[1], texture[1], 2D;'\
' MOV result.color, a;')"

# ---- several files, two side by side ---------------------------------------------------------------------------------
one=tests/cli/stats/live.asm two=tests/cli/stats/compute.asm
equals "several files: a row each, heads and the total" 4 "$("$GP5" stats $one $two | wc -l)"
equals "the total is the sum" "$("$GP5" stats --json $one $two | sed 's/.*"total":\([0-9]*\).*/\1/' | paste -sd+ |
    bc)" \
    "$("$GP5" stats $one $two | tail -n 1 | awk '{print $1}')"
"$GP5" stats --diff $one $two >"$work/diff"
equals "--diff: before, after, change" "12 28 +16" "$(awk '/ instructions$/ && NF > 3 {print $1, $2, $3}' "$work/diff")"
"$GP5" stats --diff $one $one >"$work/same"
check "--diff of the same: no change" sh -c "! grep -q '[+-][0-9]' '$work/same'"
status() { "$@" >/dev/null 2>&1; echo $?; }
equals "a valid file" 0 "$(status "$GP5" stats $one)"
equals "an invalid file" 1 "$(status "$GP5" stats tests/cli/check/names.asm)"
equals "an invalid file beside a valid one" 1 "$(status "$GP5" stats $one tests/cli/check/names.asm)"
equals "a missing file is worse" 2 "$(status "$GP5" stats $one tests/cli/check/names.asm "$work/nowhere")"
equals "no file" 2 "$(status "$GP5" stats)"
equals "--diff of one" 2 "$(status "$GP5" stats --diff $one)"
equals "--diff with an invalid one" 1 "$(status "$GP5" stats --diff $one tests/cli/check/names.asm)"
equals "standard input" 12 "$("$GP5" stats --json - <$one | sed 's/.*"total":\([0-9]*\).*/\1/')"
equals "JSON: an object a line, also of an invalid file" 2 "$("$GP5" stats --json $one tests/cli/check/names.asm \
    2>/dev/null | wc -l)"
if command -v python3 >/dev/null; then
    "$GP5" stats --json --opcodes $one $two tests/corpus/asm/*.cp >"$work/json"
    check "JSON: classes and opcodes add up to the total" python3 - "$work/json" <<'PYTHON'
import json, sys
for line in open(sys.argv[1]):
    o = json.loads(line)
    if not o["valid"]:
        continue
    classes = dict(o["instructions"])
    total = classes.pop("total")
    assert total == sum(classes.values()) == sum(o["opcodes"].values()), line
    assert o["memory"]["loads"] + o["memory"]["stores"] + o["memory"]["atomics"] >= classes["memory"], line
PYTHON
    "$GP5" stats --json --diff $one $two >"$work/json"
    check "JSON: the change is the difference" python3 - "$work/json" <<'PYTHON'
import json, sys
o = json.load(open(sys.argv[1]))
for group, metrics in o["change"].items():
    for name, change in metrics.items():
        assert change == o["after"][group][name] - o["before"][group][name], (group, name)
PYTHON
else
    skip "JSON" "no python3"
fi
done_testing
