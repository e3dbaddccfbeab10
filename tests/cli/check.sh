#!/bin/bash
# What gp5 check says, to the letter: tests/cli/check/NAME.asm against NAME.txt, for each target that says something of
# its own.
#     tests/cli/check.sh --rebase      writes the .txt files anew; read the difference before it is committed
# cost: 7
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc

# Everything about one program: diagnostics and status by target, where the target changes something, what --extract
# finds where it is advised, and the JSON.
describe() {
    local before= now target status
    for target in nvidia spec mesa; do
        now=$("$GP5" check --target=$target "$1" 2>&1)
        status=$?
        if [ $target = nvidia ] || [ "$now" != "$before" ]; then
            printf '== %s: exit %d\n' $target $status
            [ -z "$now" ] || printf '%s\n' "$now"
        fi
        before=$now
    done
    if printf '%s' "$now" | grep -q 'gp5 check --extract'; then
        printf '== extract\n'
        "$GP5" check --extract --json "$1"
    fi
    printf '== json\n'
    "$GP5" check --json "$1" | head -c 400
    echo
}

if [ "${1:-}" = --rebase ]; then
    for program in tests/cli/check/*.asm; do describe "$program" >"${program%.asm}.txt"; done
    exit 0
fi

for program in tests/cli/check/*.asm; do
    name=$(basename "$program" .asm)
    describe "$program" >"$work/$name.txt"
    check "$name" diff -u "tests/cli/check/$name.txt" "$work/$name.txt"
done

# ---- the command: files, statuses, JSON ------------------------------------------------------------------------------
status() { "$@" >/dev/null 2>&1; echo $?; }
equals "a valid file" 0 "$(status "$GP5" check tests/cli/check/valid.asm)"
equals "a valid file says nothing" "" "$("$GP5" check tests/cli/check/valid.asm 2>&1)"
equals "an invalid file" 1 "$(status "$GP5" check tests/cli/check/names.asm)"
equals "a missing file" 2 "$(status "$GP5" check tests/cli/check/nowhere)"
equals "a folder" 2 "$(status "$GP5" check tests/cli/check)"
equals "an invalid and a missing file" 2 "$(status "$GP5" check tests/cli/check/names.asm tests/cli/check/nowhere)"
equals "a valid and an invalid file" 1 "$(status "$GP5" check tests/cli/check/valid.asm tests/cli/check/names.asm)"
equals "no file" 2 "$(status "$GP5" check)"
equals "a target that nobody has" 2 "$(status "$GP5" check --target=intel tests/cli/check/valid.asm)"
equals "NV_internal is no specification's" 1 "$(status "$GP5" check --target=spec tests/cli/check/valid.asm)"
equals "standard input" 0 "$("$GP5" check - <tests/cli/check/valid.asm; echo $?)"
equals "nothing on standard output" "" "$("$GP5" check tests/cli/check/names.asm 2>/dev/null)"
for program in tests/cli/check/*.asm; do
    for target in nvidia spec mesa; do
        "$GP5" check --target=$target "$program" 2>&1 | awk -v at="$program, $target" '
            sub(/^[^ ]*: error: /, "") { said[n++] = $0 }
            sub(/^[^ ]*: note: /, "") { for (i in said) if (index($0, said[i])) print at ": " $0 }'
    done
done >"$work/twice"
equals "no note says what an error beside it says" "" "$(cat "$work/twice")"
"$GP5" check --json tests/cli/check/*.asm >"$work/json"
equals "JSON: a line a file" "$(ls tests/cli/check/*.asm | wc -l)" "$(wc -l <"$work/json")"
if command -v python3 >/dev/null; then
    check "JSON: position, line and column agree" python3 - "$work/json" <<'PYTHON'
import json, sys
for text in open(sys.argv[1]):
    answer = json.loads(text)
    data = open(answer["file"], "rb").read()
    assert answer["valid"] == (answer["position"] < 0), answer["file"]
    if answer["valid"]:
        assert not any(d["severity"] == "error" for d in answer["diagnostics"])
        continue
    before = data[:answer["position"]].replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    assert answer["line"] == before.count(b"\n") + 1, answer
    assert answer["column"] == len(before) - (before.rfind(b"\n") + 1) + 1, answer
    assert answer["message"] and answer["diagnostics"], answer
PYTHON
else
    skip "JSON: position, line and column agree" "no python3"
fi

# ---- gp5 fmt ---------------------------------------------------------------------------------------------------------
printf '!!ARBfp1.0\nTEMP a;MOV a,a; END' >"$work/loose"
printf '!!ARBfp1.0\nTEMP a;\nMOV a, a;\nEND\n' >"$work/neat"
equals "fmt writes the canonical text" "$(cat "$work/neat")" "$("$GP5" fmt "$work/loose")"
equals "fmt reads standard input" "$(cat "$work/neat")" "$("$GP5" fmt - <"$work/loose")"
equals "fmt --check of a loose file" 1 "$(status "$GP5" fmt --check "$work/loose")"
equals "fmt --check names it" "$work/loose" "$("$GP5" fmt --check "$work/neat" "$work/loose")"
equals "fmt --check of a neat file" 0 "$(status "$GP5" fmt --check "$work/neat")"
equals "fmt of an invalid file" 1 "$(status "$GP5" fmt tests/cli/check/names.asm)"
equals "fmt of a missing file" 2 "$(status "$GP5" fmt "$work/nowhere")"
equals "fmt -i of standard input" 2 "$(status "$GP5" fmt -i - <"$work/loose")"
chmod 640 "$work/loose"
ln -s loose "$work/link"
check "fmt -i through a link" "$GP5" fmt -i "$work/link"
check "fmt -i rewrote the file" cmp "$work/neat" "$work/loose"
equals "fmt -i kept the mode" 640 "$(stat -c %a "$work/loose")"
check "fmt -i kept the link" test -L "$work/link"
equals "fmt -i left nothing behind" 3 "$(ls "$work" | grep -c -e loose -e neat -e link)"
before=$(stat -c %Y%i "$work/loose")
"$GP5" fmt -i "$work/loose"
equals "fmt -i leaves a neat file alone" "$before" "$(stat -c %Y%i "$work/loose")"
mkfifo "$work/pipe"
printf '!!ARBfp1.0\nTEMP a;MOV a,a; END' >"$work/pipe" &
equals "fmt -i of a pipe" 2 "$(status timeout 60 "$GP5" fmt -i "$work/pipe")"
check "fmt -i kept the pipe" test -p "$work/pipe"

# ---- large files -----------------------------------------------------------------------------------------------------
head -c 100000000 /dev/zero | tr '\0' 'x' >"$work/garbage"
equals "100 MB without a header" 1 "$(status timeout 3000 "$GP5" check "$work/garbage")"
{ printf '!!ARBfp1.0\n'; head -c 20000000 /dev/zero | tr '\0' ';'; } >"$work/garbage"
equals "20 MB of semicolons" 1 "$(status timeout 3000 "$GP5" check "$work/garbage")"
{ printf '!!ARBfp1.0\n'; seq 9000000 | gzip -1 | head -c 20000000; } >"$work/garbage"
equals "20 MB of noise" 1 "$(status timeout 3000 "$GP5" check "$work/garbage")"
{ printf '!!NVcp5.0\nGROUP_SIZE 1;\nTEMP a;\nMOV a, a'; head -c 20000000 /dev/zero | tr '\0' '.'; } >"$work/garbage"
equals "20 MB of dots" 1 "$(status timeout 3000 "$GP5" check "$work/garbage")"
done_testing
