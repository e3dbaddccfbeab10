#!/bin/bash
# Direct3D 9 shaders that MojoShader assembles: its assembly for OpenGL, translated, gives on llvmpipe the bits of its
# own GLSL, or does once what has a name is mended (tests/tools/d3d9_pairs.c; docs/drivers.md has the table); and the
# words of the evaluator. The shaders are by chance and the templates of tests/programs. LONG=1: 400 by chance and all
# of the templates.
# cost: 20
. tests/cli/tap.inc
B=${B:-build}

if ! echo '#include <mojoshader/mojoshader.h>' | "${CC:-cc}" -E -xc - >/dev/null 2>&1; then
    skip "Direct3D 9 shaders" "libmojoshader-dev is not installed"
    done_testing
fi
if ! "$B/gp5" info 2>/dev/null | grep -q llvmpipe; then
    skip "Direct3D 9 shaders" "there is no llvmpipe here"
    done_testing
fi
check "the program that writes MojoShader's texts is built" \
    "${CC:-cc}" -O1 -o "$work/mojoshader" tests/programs/mojoshader.c -lmojoshader

# Every N-th case of a list.
every() { awk -v every="$1" '/^@case/ { shown = n++ % every == 0 } shown'; }

"$B/tests/d3d9_shaders" --seed=1 "--count=$(short_or_long 40 400)" >"$work/shaders"
for templates in tests/programs/vs/*.vs tests/programs/d3d/*.ps; do
    awk -f tests/programs/expand.awk "$templates" | every "$(short_or_long 8 1)" >>"$work/shaders"
done
for profile in glsl nv2 nv3 nv4 arb1; do
    "$work/mojoshader" $profile <"$work/shaders" >"$work/$profile" 2>"$work/refused"
done

# pairs PROFILE PAIRS VERTICES: so many at least
pairs() {
    "$B/tests/d3d9_pairs" "$work/glsl" "$work/$1" >"$work/out" 2>&1
    equals "$1, translated, and MojoShader's GLSL: nothing differs without a name" 0 $?
    note "$(tail -n 30 "$work/out" | cut -c1-300)"
    # pairs, of vertices
    check "$1: there are $2, $3 of them of vertices" awk -v least="$2" -v vertices="$3" '
        / pairs / { sub(/\(/, "", $3); found = $1 + 0 >= least && $3 + 0 >= vertices } END { exit !found }' "$work/out"
}
pairs nv2 $(short_or_long "50 20" "600 250")
pairs nv3 $(short_or_long "50 20" "600 250")
pairs nv4 $(short_or_long "50 20" "600 250")
pairs arb1 $(short_or_long "35 8" "450 120")

# The evaluator's NRM is rounded once, a translation's in each of its steps: as three instructions they are alike.
# Results that MojoShader names by Direct3D's numbers are no names of OpenGL.
for profile in nv2 nv3 nv4; do
    awk '/^@case/ { shown = $2 !~ /^chance/ } shown' "$work/$profile" |
        sed -E -e 's/^(!!NV.p4\.0|OPTION NV.*;)$/&\nTEMP nrm;/' \
        -e 's/^NRM ([^,]*), (.*);$/DP3 nrm.w, \2, \2;\nRSQ nrm.w, nrm.w;\nMUL \1, \2, nrm.w;/' \
        -e 's/result\.fogcoord1/result.fogcoord/; s/result\.pointsize2/result.pointsize/' >"$work/evaluated"
    "$B/tests/translate_proof" --rounds=1 "$work/evaluated" >"$work/out" 2>&1
    equals "$profile, translated, and the evaluator" 0 $?
    note "$(tail -n 1 "$work/out")"
    check "$profile: nine in ten are judged" awk 'END { exit !($1 > 20 && $3 * 10 > $1 * 9) }' "$work/out"
done
done_testing
