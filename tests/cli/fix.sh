#!/bin/sh
# gp5 check --fix: which hints are followed, what is written, and what is left alone.
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}
cat >"$work/a.fp" <<'E'
!!ARBfp1.0   // the header
TEMP col, cola, unused;
PARAM k = program.env[0];  /* old style */
// whole line
TEX col, fragment.texcoord[0], texture[0], SHADOW2D;
DDX col, col;
/* of two
   lines */
ADDD col, col, k;
MUL_SAT result.colr, col, k;
MOV colb, col;
MOV result.color, kk;
E
printf 'END' >>"$work/a.fp"
cat >"$work/fixed.fp" <<'E'
!!ARBfp1.0
OPTION NV_fragment_program;
OPTION ARB_fragment_program_shadow;   # the header
TEMP col, cola, unused;
PARAM k = program.env[0];  # old style */
# whole line
TEX col, fragment.texcoord[0], texture[0], SHADOW2D;
DDX col, col;
/* of two
   lines */
ADDD col, col, k;
MUL_SAT result.color, col, k;
MOV colb, col;
MOV result.color, kk;
E
printf 'END' >>"$work/fixed.fp"
cp "$work/a.fp" "$work/b.fp"
(cd "$work" && "$GP5" check --fix a.fp) >"$work/diff" 2>"$work/err"
equals "what is left is judged: status" 1 $?
check "the file is as it was" cmp "$work/a.fp" "$work/b.fp"
check "its lines are those of the text that was fixed" \
    grep -q '^a.fp:9:1: error: there is no word with such a byte$' "$work/err"
# (that statement goes up to its semicolon, behind ADDD)
check "what two words could have been is not guessed" \
    grep -q '^a.fp:13:5: error: the destination colb is not declared$' "$work/err"
check "--fix -i" sh -c '"$1" check --fix -i "$2" >"$3" 2>&1; test $? = 1' - "$GP5" "$work/b.fp" "$work/out"
check "rewrites the file" diff -u "$work/fixed.fp" "$work/b.fp"
if command -v patch >/dev/null 2>&1; then
    check "the difference is one that patch reads" sh -c 'cd "$1" && patch -s a.fp <diff && cmp a.fp fixed.fp' - "$work"
else
    skip "the difference is one that patch reads" "no patch"
fi
printf "!!NVcp5.0\nGROUP_SIZE 32;\nSTORAGE b[] = { program.storage[0] };\nTEMP R;\nLDB.U32 R.x, b[0];\nEND\n" \
    >"$work/c.cp"
"$GP5" check --fix -i "$work/c.cp" >"$work/out" 2>&1
equals "a missing option: status" 0 $?
equals "stands behind the header, once" "OPTION NV_shader_storage_buffer;" "$(grep OPTION "$work/c.cp")"
equals "the second line" "OPTION NV_shader_storage_buffer;" "$(sed -n 2p "$work/c.cp")"
equals "a valid program has no difference" "0" "$("$GP5" check --fix "$work/c.cp" 2>/dev/null; echo $?)"
printf '!!ARBfp1.0\nDDX result.color, fragment.color;\nEND\n' >"$work/d.fp"
equals "Mesa has no such option, and gets none" "" "$("$GP5" check --fix --target=mesa "$work/d.fp" 2>/dev/null)"
printf '!!ARBfp1.0\nMOVE result.color, fragment.color;\nEND\n' >"$work/e.fp"
chmod 640 "$work/e.fp"
"$GP5" check --fix -i "$work/e.fp" "$work/c.cp" >"$work/out" 2>&1
equals "several files" 0 $?
equals "an opcode, and the mode that the file had" "MOV result.color, fragment.color; 640" \
    "$(sed -n 2p "$work/e.fp") $(stat -c %a "$work/e.fp")"
for wrong in "-i $work/e.fp" "--fix --json $work/e.fp" "--fix --extract $work/e.fp" "--fix -i -"; do
    "$GP5" check $wrong </dev/null >"$work/out" 2>&1
    equals "check ${wrong%% /*}: status" 2 $?
done
# Whatever is broken, a round that does not help is not taken, and it ends.
"$GP5" fuzz --syntax --seed=5 --count=200 --broken=100 --out="$work/broken"
worse=0
for file in "$work"/broken/*; do
    "$GP5" check "$file" >/dev/null 2>&1
    before=$?
    cp "$file" "$work/one"
    timeout 10 "$GP5" check --fix -i "$work/one" >/dev/null 2>&1
    after=$?
    [ $after -le $before ] || worse=$((worse + 1))
done
equals "of 200 broken programs none is worse" 0 $worse

# A statement that begins a line ends the one before it; so nothing else is said of what follows.
printf '!!ARBfp1.0\n// a\nTEMP a\nPARAM k = program.env[0]   # k\nMOV a, k; // b\nMOV result.color, a\nEND\n' \
    >"$work/lines.fp"
equals "errors of lines without semicolons" 5 "$(cd "$work" && "$GP5" check lines.fp 2>&1 | grep -c error:)"
(cd "$work" && "$GP5" check --fix -i lines.fp) >/dev/null 2>&1
printf '!!ARBfp1.0\n# a\nTEMP a;\nPARAM k = program.env[0];   # k\nMOV a, k; # b\nMOV result.color, a;\nEND\n' \
    >"$work/good.fp"
check "semicolons that lines lack" cmp "$work/lines.fp" "$work/good.fp"

# A comment of C behind a statement without its semicolon, on the next line or on its own: both are mended; within a
# statement the comment is.
printf '!!ARBfp1.0\nTEMP a\n// one\n// two\nMOV a, // b\n 1; \nMOV result.color, a // c\nEND\n' >"$work/comments.fp"
printf '!!ARBfp1.0\nTEMP a;\n# one\n# two\nMOV a, # b\n 1; \nMOV result.color, a; # c\nEND\n' >"$work/good.fp"
"$GP5" check --fix -i "$work/comments.fp" >/dev/null 2>&1
equals "comments and missing semicolons: status" 0 $?
check "are both mended" cmp "$work/comments.fp" "$work/good.fp"
printf '!!ARBfp1.0\nTEMP a // b\n, c;\nEND\n' >"$work/list.fp"
"$GP5" check --fix -i "$work/list.fp" >/dev/null 2>&1
equals "no semicolon is put into a list that goes on" "TEMP a # b" "$(sed -n 2p "$work/list.fp")"

done_testing
