#!/bin/sh
# gp5 run on one stage: files in, files out, and what is told of what is wrong. Words are little-endian; od writes them.
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}

# floats FILE NUMBER...: as raw singles, four an element. Only numbers that are written here in hex: 0 1 2 3 4 5 0.5
floats() {
    file=$1
    shift
    for n; do
        case $n in
        0) printf '\000\000\000\000' ;; 1) printf '\000\000\200\077' ;; 2) printf '\000\000\000\100' ;; 3) printf \
            '\000\000\100\100' ;;
        4) printf '\000\000\200\100' ;; 5) printf '\000\000\240\100' ;; 0.5) printf '\000\000\000\077' ;;
        esac
    done >"$file"
}
shown() { od -An -v -tf4 -w16 "$1" | tr -s ' ' | sed 's/^ //'; }

cat >"$work/v.vp" <<'P'
!!ARBvp1.0
PARAM m[4] = { state.matrix.mvp };
DP4 result.position.x, m[0], vertex.position;
DP4 result.position.y, m[1], vertex.position;
MOV result.position.zw, vertex.position;
MUL result.texcoord[1], vertex.texcoord[1], program.env[0].x;
END
P
floats "$work/position" 1 2 3 1 4 5 0 1
floats "$work/texcoord" 1 1 1 1 2 2 2 2
echo '{"modelview": [1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,0,1]}' >"$work/state.json"
"$GP5" run --count=2 --input=vertex.position="$work/position" --input='vertex.texcoord[1]'="$work/texcoord" \
    --env=0=0.5,0,0,0 \
    --state="$work/state.json" --output=result.position="$work/p" --output='result.texcoord[1]'="$work/t" "$work/v.vp" \
        >"$work/out"
equals "a vertex program runs" 0 $?
equals "positions are those of the state" "2 4 3 1
5 7 0 1" "$(shown "$work/p")"
equals "and texture coordinates those of the parameter" "0.5 0.5 0.5 0.5
1 1 1 1" "$(shown "$work/t")"
"$GP5" run --count=2 --instances=2 --input=vertex.position="$work/position" --output=result.position=- "$work/v.vp" \
    >"$work/p"
equals "instances repeat the inputs, in order, and standard output has nothing else" "1 2 3 1
4 5 0 1
1 2 3 1
4 5 0 1" "$(shown "$work/p")"
"$GP5" run --count=2 --input=vertex.position="$work/position" "$work/v.vp" >"$work/out"
check "without --output every result that the program names is shown" grep -q '^    result.texcoord\[1\]$' "$work/out"

cat >"$work/f.fp" <<'P'
!!ARBfp1.0
TEMP t;
SUB t, fragment.texcoord[0], 2;
KIL t.x;
MOV result.color, fragment.texcoord[0];
END
P
floats "$work/texcoord" 1 0 0 1 2 0 0 1 3 0 0 1 4 0 0 1
"$GP5" run --size=2,2 --input='fragment.texcoord[0]'="$work/texcoord" --output=result.color="$work/c" \
    --output=coverage="$work/covered" "$work/f.fp" >"$work/out"
equals "a fragment program runs on a grid" "0 0 0 0
2 0 0 1
3 0 0 1
4 0 0 1" "$(shown "$work/c")"
equals "coverage is a byte a fragment" " 00 01 01 01" "$(od -An -v -tx1 "$work/covered")"

cat >"$work/g.gp" <<'P'
!!NVgp4.0
PRIMITIVE_IN LINES;
PRIMITIVE_OUT LINE_STRIP;
VERTICES_OUT 3;
MOV result.position, vertex[0].position; EMIT;
MOV result.position, vertex[1].position; EMIT;
MOV result.position, vertex[0].position; EMIT;
END
P
"$GP5" run --count=1 --input=vertex.position="$work/position" --output=result.position="$work/p" "$work/g.gp" \
    >"$work/out"
equals "a geometry program's strips are taken apart" "1 2 3 1
4 5 0 1
4 5 0 1
1 2 3 1" "$(shown "$work/p")"

cat >"$work/t.tep" <<'P'
!!NVtep5.0
TESS_MODE ISOLINES;
TESS_SPACING EQUAL;
MOV result.position, vertex.tesscoord;
ADD result.position.z, vertex.tesscoord.x, primitive.tessouter[1].x;
END
P
floats "$work/outer" 4 0 0 0
"$GP5" run --count=1 --input='result.patch.tessouter[1]'="$work/outer" --output=result.position="$work/p" \
    --output=vertex.tesscoord="$work/at" \
    "$work/t.tep" >"$work/out"
equals "the points of a patch come by v and u" "0 0 4 0
0.25 0 4.25 0
0.5 0 4.5 0
0.75 0 4.75 0
1 0 5 0" "$(shown "$work/p")"
equals "and can be asked for" 5 "$(shown "$work/at" | wc -l)"

# Programs in the shape that wined3d writes: loops that count in an address register, a stack of such, condition codes.
# The numbers were worked out by hand.
floats "$work/a0" 1 2 3 1
floats "$work/a1" 0.5 0 0 0
floats "$work/a2" 1 0 0 0
"$GP5" run --count=1 --strict --input='vertex.attrib[0]'="$work/a0" --input='vertex.attrib[1]'="$work/a1" \
    --input='vertex.attrib[2]'="$work/a2" --local=0=2,0,1,-1 --local=1=1,-1,0.5,0.25 \
    --env=0=1,0,0,0 --env=1=0,1,0,0 --env=2=0,0,1,0 --env=4=0,0,0,1 --env=8=1,1,1,1 --env=9=2,2,2,2 \
    --env=10=3,0,0,-1 --env=70=0.25,0.25,0.25,0.25 --env=71=2,2,2,2 --output=result.position="$work/p" \
    --output='result.texcoord[0]'="$work/t" tests/cli/check/wine_vs_nv3.asm >"$work/out"
equals "a vertex program of wined3d: its position" "1.5 -1.75 5 1" "$(shown "$work/p")"
equals "and what its loops made" "16 1.75 1.75 1.25" "$(shown "$work/t")"
floats "$work/zeros" 0 0 0 0
floats "$work/ones" 1 1 1 1
floats "$work/twos" 2 2 2 2
floats "$work/x" 2 0 0 1
for side in 1 2 3 4 5 6; do cat "$work/x"; done >"$work/cube"
"$GP5" run --size=1,1 --input='fragment.texcoord[0]'="$work/zeros" --input='fragment.texcoord[2]'="$work/ones" \
    --input='fragment.texcoord[3]'="$work/twos" --input='fragment.texcoord[4]'="$work/zeros" \
    --input='fragment.texcoord[7]'="$work/zeros" --texture=0=RECT,RGBA32F,1x1="$work/zeros" \
    --texture=1=CUBE,RGBA32F,1x1="$work/cube" --texture=2=2D,RGBA32F,1x1="$work/ones" --local=0=2,0,0,0 \
    --local=1=0,1,1,0 --env=0=1,4,2,0 --env=30=1,1,1,1 --output='result.color[0]'="$work/c" \
    --output='result.color[1]'="$work/place" --output=result.depth="$work/d" tests/cli/check/wine_ps_fp2.asm \
    >"$work/out" 2>&1
equals "a fragment program of wined3d: its colour" "5.91 3.84 1.61 1.00" \
    "$(shown "$work/c" | awk '{ printf "%.2f %.2f %.2f %.2f", $1, $2, $3, $4 }')"
equals "and its place" "0 0 0 0" "$(shown "$work/place")"

# Bad input: an error with the reason, and nothing written.
rm -f "$work/none"
wrong() {
    what=$1 status=$2 said=$3
    shift 3
    "$GP5" run "$@" --output=result.position="$work/none" "$work/v.vp" >"$work/out" 2>"$work/err"
    equals "$what: status" "$status" $?
    check "$what: $said" grep -qF -- "$said" "$work/err"
    check "$what: nothing is written" test ! -e "$work/none"
}
wrong "a file of the wrong size" 2 "2 elements of vertex.position; 3 are needed" --count=3 \
    --input=vertex.position="$work/position"
printf 'abc' >"$work/odd"
wrong "an odd file" 2 "3 bytes; an element of vertex.position has 16" --count=1 --input=vertex.position="$work/odd"
: >"$work/empty"
wrong "an empty file" 2 "0 bytes" --count=1 --input=vertex.position="$work/empty"
wrong "no vertices" 2 "a count is from 1 to 2147483647" --count=0
wrong "2^31 vertices" 2 "a count is from 1 to 2147483647" --count=2147483648
wrong "no count" 2 "--count=N says how many" --input=vertex.position="$work/position"
wrong "a name that no program has" 2 "has no input vertex.place" --count=2 --input=vertex.place="$work/position"
wrong "an input twice" 2 "this binding is given twice" --count=2 --input=vertex.position="$work/position" \
    --input=vertex.position="$work/position"
wrong "an input twice, by another spelling" 2 "is given twice" --count=2 --input=vertex.texcoord="$work/position" \
    --input='vertex.texcoord[0]'="$work/position"
wrong "an input that is a result" 2 "has no input result.position" --count=2 --input=result.position="$work/position"
wrong "a file that is not there" 2 "No such file" --count=2 --input=vertex.position="$work/nowhere"
wrong "no instances" 2 "instances are from 1 to 2147483647" --count=1 --instances=0
wrong "2^31 instances" 2 "instances are from 1 to 2147483647" --count=1 --instances=2147483648
wrong "more vertices in all than there may be" 2 "there would be up to 4611686014132420609 elements" \
    --count=2147483647 --instances=2147483647
wrong "coverage of vertices" 2 "coverage is what a fragment program has" --count=2 --output=coverage="$work/none2"
wrong "points of vertices" 2 "vertex.tesscoord is what a tessellation evaluation program has" --count=2 \
    --output=vertex.tesscoord="$work/none2"
wrong "a stream of vertices" 2 "a vertex stream is @0 to @3" --count=2 --output=result.color@4="$work/none2"
echo '{"modelview": [1]}' >"$work/bad.json"
wrong "a short matrix" 2 "modelview: expected 16 numbers" --count=1 --state="$work/bad.json"
echo '{"modlview": []}' >"$work/bad.json"
wrong "a key that there is not" 2 "modlview: expected a key that there is" --count=1 --state="$work/bad.json"
echo '{' >"$work/bad.json"
wrong "no JSON" 2 "line 2" --count=1 --state="$work/bad.json"

# The same of the other stages: PROGRAM instead of the vertex program.
wrong_stage() {
    what=$1 said=$2 program=$3
    shift 3
    "$GP5" run "$@" "$program" >"$work/out" 2>"$work/err"
    equals "$what: status" 2 $?
    check "$what: $said" grep -qF -- "$said" "$work/err"
    check "$what: nothing is written" test ! -e "$work/none"
}
floats "$work/five" 1 0 0 1 2 0 0 1 3 0 0 1 4 0 0 1 5 0 0 1
printf '\000\000\000\000\000\000\000\000\007\000\000\000\000\000\000\000\000\000\000\000' >"$work/patch"
head -c 8 "$work/five" >"$work/odd8"
head -c 96 /dev/zero >"$work/six"
printf '!!NVtcp5.0\nVERTICES_OUT 2;\nMOV result.position, vertex[0].position;\nEND\n' >"$work/t.tcp"
printf '!!NVtep5.0\nTESS_MODE TRIANGLES;\nTESS_SPACING EQUAL;\nMOV result.position, vertex[0].position;\nEND\n' \
    >"$work/e.tep"
printf '!!NVvp5.0\nOPTION NV_gpu_program_fp64;\nLONG ATTRIB a = vertex.attrib[1];\n%s' \
    'CVT.F32.F64 result.position, a;
END
' >"$work/l.vp"
printf '!!NVvp5.0\nTEMP r;\nMOV r, vertex.position;\nEND\n' >"$work/nothing.vp"
printf '!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nEMIT;\nEND\n' >"$work/nothing.gp"
printf '!!NVfp5.0\nTEMP r;\nDDX r, fragment.position;\nEND\n' >"$work/nothing.fp"
wrong_stage "a primitive without all of its vertices" "5 elements of vertex.position; 4 are needed" "$work/g.gp" \
    --count=2 --input=vertex.position="$work/five" --output=result.position="$work/none"
wrong_stage "a patch without all of its vertices" "5 elements of vertex.position; 6 are needed" "$work/t.tcp" \
    --count=2 --input=vertex.position="$work/five" --output=result.position="$work/none"
wrong_stage "a patch of no vertices" "a patch has 1 to 32 vertices" "$work/t.tcp" --count=2 --patch-vertices=0 \
    --output=result.position="$work/none"
wrong_stage "a patch of 33" "a patch has 1 to 32 vertices" "$work/t.tcp" --count=2 --patch-vertices=33 \
    --output=result.position="$work/none"
wrong_stage "points without their patches" "by patch, a word each" "$work/e.tep" --count=1 \
    --input=vertex.tesscoord="$work/five" --output=result.position="$work/none"
wrong_stage "patches for fewer points" "5 points of vertex.tesscoord, 2 of patch" "$work/e.tep" --count=1 \
    --input=vertex.tesscoord="$work/five" --input=patch="$work/odd8" --output=result.position="$work/none"
wrong_stage "a point of a patch that there is not" "point 2 is of patch 7; there are 1 patches" "$work/e.tep" \
    --count=1 --input=vertex.tesscoord="$work/five" --input=patch="$work/patch" --output=result.position="$work/none"
wrong_stage "levels for fewer patches" "1 elements of result.patch.tessouter[1]; 2 are needed" "$work/e.tep" --count=2 \
    --input='result.patch.tessouter[1]'="$work/outer" --output=result.position="$work/none"
wrong_stage "fragments by number" "fragments are counted by --size" "$work/f.fp" --count=2 \
    --output=result.color="$work/none"
wrong_stage "a grid of nothing" "expected WIDTH,HEIGHT" "$work/f.fp" --size=0,4 --output=result.color="$work/none"
wrong_stage "too few fragments" "4 elements of fragment.texcoord[0]; 9 are needed" "$work/f.fp" --size=3,3 \
    --input='fragment.texcoord[0]'="$work/texcoord" --output=result.color="$work/none"
wrong_stage "words of 32 bits for 64" "3 elements of vertex.attrib[1]; 5 are needed" "$work/l.vp" --count=5 \
    --input='vertex.attrib[1]'="$work/six" --output=result.position="$work/none"
for program in nothing.vp nothing.gp; do
    wrong_stage "a program that writes nothing ($program)" "the program writes nothing" "$work/$program" --count=2 \
        --output=result.position="$work/none"
done
wrong_stage "a program that writes nothing (nothing.fp)" "the program writes nothing" "$work/nothing.fp" --size=2,2 \
    --output=result.color="$work/none"
done_testing
