#!/bin/bash
# Texts that are strange, large or deep: what is said of them, and that nothing falls over. Each command has 4 GB
# (and twenty minutes, by which only what hangs is told).
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}
[ "${SAN:-0}" = 1 ] || ulimit -v 4000000
gp5() { timeout 1200 "$GP5" "$@"; }
answers() { # STATUS TEXT COMMAND FILE
    local expected=$1 text=$2 got
    shift 2
    gp5 "$@" >"$work/out" 2>&1
    got=$?
    if [ $got = "$expected" ]; then ok "$text"; else not_ok "$text"; note "$* gave $got";
        note "$(head -c 600 "$work/out")"; fi
}
says() { if grep -q -e "$2" "$work/out"; then ok "$1"; else not_ok "$1"; note "$(head -c 600 "$work/out")"; fi; }
first() { gp5 check --json "$1" | sed 's/.*"position":\([-0-9]*\),"line":\([0-9]*\),"column":\([0-9]*\).*/\1:\2:\3/'; }

# ---- ends of lines, bytes that are none of the language --------------------------------------------------------------
plain='!!ARBfp1.0\nTEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND\n'
printf "$plain" >"$work/lf"
sed 's/$/\r/' "$work/lf" >"$work/crlf"
tr '\n' '\r' <"$work/lf" >"$work/cr"
head -c -1 "$work/lf" >"$work/none"
for file in lf crlf cr none; do answers 0 "line ends: $file" check "$work/$file"; done
for file in crlf cr none; do
    equals "line ends: $file is formatted as lf is" "$(gp5 fmt "$work/lf" | cksum)" "$(gp5 fmt "$work/$file" | cksum)"
done
for file in lf crlf cr; do
    sed 's/result.color/result.colour/' "$work/$file" >"$work/bad"
    equals "line ends: an error in line 4 of $file" 4 "$(first "$work/bad" | cut -d: -f2)"
done
printf '!!ARBfp1.0\nTEMP a;\nMOV a, b\0;\nEND\n' >"$work/nul"
answers 1 "a NUL between" check "$work/nul"
printf '!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n\0' >"$work/nul"
answers 1 "a NUL behind END" check "$work/nul"
printf '!!ARBfp1.0\n# a comment\0 with one\nMOV result.color, fragment.color;\nEND\n' >"$work/nul"
gp5 check "$work/nul" >"$work/out" 2>&1
check "a NUL in a comment: an answer" test $? -le 1
printf '\357\273\277'"$plain" >"$work/bom"
answers 1 "a byte order mark" check "$work/bom"
says "a byte order mark is called one" "byte order mark"
printf '!!ARBfp1.0\nTEMP \303\244;\n\377\376\200\nEND\n' >"$work/bytes"
answers 1 "letters beyond ASCII" check "$work/bytes"
check "and nothing of them comes out" sh -c "! LC_ALL=C grep -q '[^ -~]' '$work/out'"
for bytes in '' '!' '!!' '!!ARBfp1.' '!!ARBfp1.0' '!!NVcp5.0\n#' '!!NVcp5.0\nGROUP_SIZE' '\n' '\0' '!!ARBfp1.0\nEND;' \
    '!!ARBfp1.0 END END'; do
    printf "$bytes" >"$work/short"
    answers 1 "a text that is hardly one: $bytes" check "$work/short"
    check "its error stands in it" test "$(first "$work/short" | cut -d: -f1)" -le "$(stat -c %s "$work/short")"
done

# ---- flow that leads nowhere, values that meet -----------------------------------------------------------------------
head='!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };\nTEMP a, b;\n'
printf "$head"'CONT;\nEND\n' >"$work/cont"
answers 0 "CONT outside of loops is the driver's" check "$work/cont"
answers 77 "CONT outside of loops is not evaluated" run --storage=0=zero:16 "$work/cont"
# Logic into a LONG variable of what a comparison and a load leave together (a whole program, seed 358 number 431).
printf "$head"'LONG TEMP d;\nLDB.U32X4 a, s[0];\nSGE.S.CC b, a, 1;\nIF NE.y;\nSEQ.F a, a, a.yzwx;\nENDIF;\nCAL sub;\n'\
'XOR.U d, -a, a.wxxw;\nSTB.U64X4 d, s[0];\nRET;\nsub:\nRET;\nEND\n' >"$work/meet"
answers 0 "logic of a comparison that meets a load" run --storage=0=zero:64 "$work/meet"

# ---- numbers at their limits -----------------------------------------------------------------------------------------
number() { # TEXT STATEMENT WORDS
    printf "$head$2\nEND\n" >"$work/number"
    answers 1 "$1" check "$work/number"
    says "$1: why" "$3"
}
number "an array of 5000 elements" "TEMP m[5000];" "4096 elements"
number "an array of 2^32 - 1 elements" "TEMP m[4294967295];" "too large\|element"
# The driver keeps the lower half of a number, and takes m[0] for a variable that is no array: the specifications do
# neither.
printf '!!NVcp5.0\nGROUP_SIZE 1;\nTEMP m[0];\nTEMP n[4294967296];\nEND\n' >"$work/none"
answers 1 "arrays of none" check --target=spec "$work/none"
answers 0 "arrays of none, for the driver" check "$work/none"
number "an array of 10^30 elements" "TEMP m[1000000000000000000000000000000];" "too large\|elements"
number "a parameter beyond the last" "PARAM p = program.local[4294967295];" "program.local\|too large"
number "a range backwards" "PARAM p[2] = { program.local[9..3] };" "range\|bound to 0"
number "a range of 2^31" "PARAM p[] = { program.env[0..2147483647] };" "program.env\|too large"
number "an offset of 2^31" "LDB.U32 a.x, s[b.x + 2147483648];" "number\|large"
number "five numbers in a constant" "MOV a, {1, 2, 3, 4, 5};" "four components"
number "an exponent of nothing" "MOV a, 1e;" "number"
number "a swizzle of five letters" "MOV a, b.xyzwx;" "swizzle"
printf "$head"'MOV a, {1e39, 1e-300, 0x1ffffffff, 99999999999999999999999999};\nMOV a.x, %s;\nSTB.U32X4 a, s[0];\n'\
'END\n' \
    "$(head -c 5000 /dev/zero | tr '\0' 9)" >"$work/number"
gp5 check "$work/number" >"$work/out" 2>&1
check "numbers that no type holds: an answer" test $? -le 1

# ---- long, wide and deep ---------------------------------------------------------------------------------------------
repeat() { yes "$1" | head -n "$2"; }
{ printf "$head"; repeat 'IF NE.x;' 200000; repeat 'ENDIF;' 200000; printf 'STB.U32 a.x, s[0];\nEND\n'; } >"$work/deep"
gp5 check "$work/deep" >"$work/out" 2>&1
check "200,000 blocks in each other: an answer" test $? -le 1
gp5 fmt "$work/deep" >"$work/deep.fmt" 2>&1
check "they can be formatted" test $? -le 1
gp5 stats "$work/deep" >"$work/out" 2>&1
says "and counted" "200000  deepest nesting"
answers 77 "and are too deep to be run" run --storage=0=zero:16 "$work/deep"
says "which is said" "blocks nested more than"
{ printf "$head"; repeat 'REP 1;' 100000; printf 'BRK;\n'; repeat 'ENDREP;' 100000;
    printf 'STB.U32 a.x, s[0];\nEND\n'; } >"$work/deep"
gp5 check "$work/deep" >"$work/out" 2>&1
check "100,000 loops in each other: an answer" test $? -le 1
{ printf "$head"; repeat 'IF NE.x;' 100000; } >"$work/open"
answers 1 "100,000 blocks left open" check "$work/open"
long=$(head -c 100000 /dev/zero | tr '\0' n)
printf "$head"'TEMP %s;\nMOV %s, 1;\nMOV a, %s;\nSTB.U32X4 a, s[0];\nEND\n' "$long" "$long" "$long" >"$work/long"
answers 0 "a name of 100,000 letters" check "$work/long"
gp5 fmt "$work/long" >"$work/long.fmt"
answers 0 "and formatted" check "$work/long.fmt"
printf "$head"'MOV a, %sn;\nEND\n' "$long" >"$work/long"
answers 1 "a name of 100,001 letters that nobody declared" check "$work/long"
check "is not shown whole" test "$(stat -c %s "$work/out")" -lt 1000
{ printf "$head"'TEMP m0'; seq -f ', m%.0f' 1 200000 | tr -d '\n'; printf ';\nSTB.U32 a.x, s[0];\nEND\n';
    } >"$work/wide"
answers 0 "200,000 names in one statement" check "$work/wide"
{ printf "$head"'ADD a'; repeat ', b' 200000; printf ';\nEND\n'; } >"$work/wide"
answers 1 "200,000 operands" check "$work/wide"
{ printf "$head"'MOV a, b'; repeat '[0]' 200000; printf ';\nEND\n'; } >"$work/wide"
answers 1 "200,000 indices" check "$work/wide"
{ printf "$head"'MOV'; repeat '.F' 200000; printf ' a, b;\nEND\n'; } >"$work/wide"
answers 1 "200,000 modifiers" check "$work/wide"
{ printf "$head"'MOV a, '; repeat '-' 200000; printf 'b;\nEND\n'; } >"$work/wide"
answers 1 "200,000 signs" check "$work/wide"
{ printf '!!ARBfp1.0\nPARAM p[] = { '; repeat '{1, 2, 3, 4},' 100000; printf '0 };\nMOV result.color, p[0];\nEND\n';
    } >"$work/wide"
gp5 check "$work/wide" >"$work/out" 2>&1
check "100,000 constants: an answer" test $? -le 1
{ printf "$head"; seq -f 'CAL f%.0f (NE.x);' 1 50000; seq -f 'f%.0f: RET;' 1 50000; printf 'END\n'; } >"$work/labels"
gp5 check "$work/labels" >"$work/out" 2>&1
check "50,000 subroutines: an answer" test $? -le 1

# ---- names that are nothing for a terminal, and files that cannot be written -----------------------------------------
name=$work/$(printf 'a\033[31m\001b')
printf '!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.color, q;\nEND\n' >"$name.bad"
sed 's/^MOV result.color.*//' "$name.bad" >"$name.vp"
for command in "check" "check --target=mesa" "check --fix" "stats" "run" "run --count=2" "lower" "reduce --check" \
    "translate --to=glsl120" "compare --driver=none" "check $work/nowhere"; do
    for file in "$name.bad" "$name.vp" "$name.missing"; do gp5 $command "$file" 2>&1 </dev/null; done
done >"$work/out"
equals "no control byte of a file's name is shown" 0 "$(tr -d '\n\t' <"$work/out" | tr -dc '\001-\037' | wc -c)"
check "but its letters are" grep -q 'a?\[31m?b' "$work/out"
answers 2 "a result's file that cannot be written" run --count=2 --output=result.position="$work/no/where" "$name.vp"
check "is told before the run" test ! -s "$work/out" -o "$(grep -c vertices "$work/out")" = 0
answers 2 "a picture's, likewise" run --count=2 --png="$work/no/where" "$name.vp"
gp5 run --count=2 --output=result.position="$work/kept" "$work/nowhere" 2>/dev/null
check "nothing is left of one that could have been written" test ! -e "$work/kept"
done_testing
