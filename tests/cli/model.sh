#!/bin/sh
# --model: the table of passes and its switches; what is off is said to be off, changes what it is for, and leaves a
# machine that works.
# cost: 4
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}

head='!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_gpu_program_fp64;
GROUP_SIZE 32;
STORAGE out[] = { program.storage[0] };
TEMP a, b, c, i;
LONG TEMP D, E;
MUL.U i.x, invocation.localid.x, 16;
I2F.U a, invocation.localid.x;
'
# program NAME < instructions: $work/NAME.asm
program() { { printf '%s' "$head"; cat; echo 'STB.F32X4 b, out[i.x];'; echo END; } >"$work/$1.asm"; }
run() { "$GP5" run --storage=0=zero:512 "$@"; }

"$GP5" run --model=list >"$work/list"
check "the table is printed" test $? = 0
"$GP5" compare --model=list >"$work/list2"
"$GP5" fuzz --eval --model=list >"$work/list3"
"$GP5" debug --model=list >"$work/list4"
check "and is the same for compare" cmp "$work/list" "$work/list2"
check "for fuzz" cmp "$work/list" "$work/list3"
check "and debug" cmp "$work/list" "$work/list4"
cut -d' ' -f1 "$work/list" >"$work/names"
equals "a line a row of the table" "$(grep -c '^PASS(' model/passes.def)" "$(wc -l <"$work/names")"
check "what a pass needs is said" grep -q '^expand .*off without: contract$' "$work/list"
# Every row names a heading of a document.
sed -n 's/.*"\([a-z]*\.md\)#\([a-z0-9-]*\)".*/\1 \2/p' model/passes.def | sort -u >"$work/anchors"
equals "a document a row" "$(grep -c '^PASS(' model/passes.def)" "$(grep -c '"[a-z]*\.md#' model/passes.def)"
while read -r file anchor; do
    sed -n 's/^##* //p' "docs/$file" | tr 'A-Z' 'a-z' | tr -d '(),.:*`' | tr ' ' '-' >"$work/headings"
    check "docs/$file has #$anchor" grep -qx -e "$anchor" "$work/headings"
done <"$work/anchors"

# ---- wrong words -----------------------------------------------------------------------------------------------------

program plain <<'END'
MOV.F b, a;
END
# refused WORD HINT
refused() {
    run --model="$1" "$work/plain.asm" >"$work/out" 2>"$work/err"
    equals "--model=$1 is wrong usage" 2 $?
    check "and says what is meant" grep -qF -e "$2" "$work/err"
}
refused nocontrac "is it nocontract?"
refused contract "passes are switched off: nocontract"
refused nonsense "--model=list names all"
refused nocontract, "--model=list names all"
refused "" "--model=list names all"
"$GP5" compare --model=nocontrac "$work/plain.asm" >"$work/out" 2>"$work/err"
equals "compare refuses it too" 2 $?
"$GP5" fuzz --eval --model=nocontrac >"$work/out" 2>"$work/err"
equals "and fuzz" 2 $?

# ---- what a switch does ----------------------------------------------------------------------------------------------

# changes PASS NAME: switching it off changes what the program writes, and is said
changes() {
    run "$work/$2.asm" | grep -v 'not modelled' >"$work/on"
    run --model="no$1" "$work/$2.asm" >"$work/off" 2>"$work/err"
    check "no$1 runs" test $? = 0
    check "no$1 is said" grep -q "^not modelled: .*\b$1\b" "$work/off"
    if grep -v '^not modelled' "$work/off" | cmp -s "$work/on" -; then not_ok "no$1 changes what it is for";
        else ok "no$1 changes what it is for"; fi
}
program contract <<'END'
MUL.F c, a, 1.1;
ADD.F b, c, 0.3;
END
changes contract contract
program fold <<'END'
MOV.F c, {1.7, 1.0, 1.0, 1.0};
SIN.F b, c.x;
END
changes fold fold
changes constants fold
program pairs <<'END'
RSQ.F c.x, a.x;
RCP.F b, c.x;
END
changes pairs pairs
program known_tests <<'END'
MOV.U.CC c, {0x80000000, 1, 1, 1};
IF LT.x;
MOV.F b, 1.0;
ELSE;
MOV.F b, 2.0;
ENDIF;
END
changes known_tests known_tests
program mod_sign <<'END'
SUB.S a, invocation.localid.x, 0x7ffffff0;
ADD.S c, invocation.localid.x, -7;
MOD.S b, |a|, c.x;
END
changes mod_sign mod_sign

run --model=nocontract "$work/plain.asm" >"$work/out"
check "a pass that cannot matter is not named" sh -c '! grep -q "not modelled" "$1"' - "$work/out"
run "$work/contract.asm" >"$work/out"
check "nor is one that is on" sh -c '! grep -q "not modelled:.*\bcontract\b" "$1"' - "$work/out"
run --semantics=spec --model=none "$work/contract.asm" >"$work/out"
check "the text's own semantics have none" sh -c '! grep -q "not modelled" "$1"' - "$work/out"
run --model=noconstants "$work/fold.asm" >"$work/out"
check "what needs a pass is off with it" grep -q '^not modelled: .*\bfold\b' "$work/out"
run --json --model=nocontract "$work/contract.asm" >"$work/out"
check "JSON names it" grep -qE '"not_modelled":\[[^]]*"contract"' "$work/out"
run --json "$work/plain.asm" >"$work/out"
check "JSON has the member always" grep -q '"not_modelled":\[' "$work/out"

# ---- whole programs --------------------------------------------------------------------------------------------------

# Each pass off by itself, and all of them: every program runs, and few come out otherwise than the driver's.
section() {
    xz -dc tests/recordings/whole.txt.xz |
        awk '/^run --wider --seed=/ && !/halves/ { k++ } k == 1 { if (/^run /) n++; if (n == 1) print }'
}
section >"$work/section"
options=$(sed -n 's/^run //p' "$work/section" | sed 's/--count=[0-9]*/--count=60/')
grep '^[0-9]' "$work/section" >"$work/recorded"
check "there is a section" test "$(wc -l <"$work/recorded")" -ge 450
for name in none $(sed 's/^/no/' "$work/names"); do
    # shellcheck disable=SC2086
    "$GP5" fuzz --eval --plain $options --replay="$work/recorded" --model="$name" >"$work/out" 2>"$work/err"
    same=$(sed -n 's/^60 programs, \([0-9]*\) the same.* 0 not evaluated$/\1/p' "$work/err")
    check "$name: 60 programs run, ${same:-0} the driver's" test "${same:-0}" -ge 50
done
done_testing
