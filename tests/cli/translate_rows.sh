#!/bin/bash
# gp5 translate, construct by construct: compute programs of one instruction or a few (translate_rows.txt) give the same
# words on llvmpipe, translated, as on the evaluator; what older languages say of whole pixels; names and prefixes.
# cost: 6
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
gp5=$B/gp5
for language in glsl450compat glsl450; do
    "$B/tests/translate_rows" --to=$language tests/cli/translate_rows.txt >"$work/said"
    status=$?
    if [ "$status" = 77 ]; then
        skip "instructions, $language" "$(cat "$work/said")"
        continue
    fi
    note "$(tail -n 1 "$work/said")"
    equals "instructions, $language: the same words" 0 "$status"
    [ "$status" = 0 ] || note "$(head -n 20 "$work/said" | cut -c1-200)"
    check "many of them" awk '/ programs, / { exit !($1 > 130 && $5 > 300000) }' "$work/said"
done

# ---- words of older versions
printf '!!ARBfp1.0\nOPTION ARB_fragment_coord_pixel_center_integer;\nMOV result.color, fragment.position;\nEND\n' \
    >"$work/whole.fp"
printf '!!ARBfp1.0\nOPTION ARB_fragment_coord_origin_upper_left;\nMOV result.color, fragment.position;\nEND\n' \
    >"$work/upper.fp"
cat >"$work/odd.fp" <<'P'
!!FP1.0
DECLARE half;
DECLARE gl_x;
DECLARE gp5_env = { 1, 2, 3, 4 };
DEFINE $a$ = { 2, 2, 2, 2 };
DEFINE __b = { 1, 2, 3, 4 };
DEFINE main = { 1, 1, 1, 1 };
MULR R0, f[COL0], half;
MULR R0, R0, gl_x;
MULR R0, R0, gp5_env;
MULR R0, R0, $a$;
ADDR R0, R0, __b;
MULR o[COLR], R0, main;
END
P
cat >"$work/prefix.fp" <<'P'
!!ARBfp1.0
TEMP u_x;
TEX u_x, program.env[3], texture[1], 2D;
MUL result.color, u_x, program.local[0];
END
P
exits() { wanted=$1 text=$2; shift 2; "$@" >"$work/out" 2>"$work/err"; equals "$text" "$wanted" $?; }
wrote() { check "$1" grep -qF -- "$2" "$work/out"; }
takes() {
    command -v glslangValidator >/dev/null || { skip "$1" "glslangValidator is not installed"; return; }
    cp "$work/out" "$work/text.frag"
    check "$1" glslangValidator "$work/text.frag"
}
for language in glsl120 es300 glsl450; do
    exits 0 "whole pixels, $language" "$gp5" translate --to=$language "$work/whole.fp"
    takes "glslang takes them, $language"
done
exits 0 "whole pixels" "$gp5" translate --to=glsl120 "$work/whole.fp"
wrote "are half a pixel less where there is no layout" "(gl_FragCoord - vec4(0.5, 0.5, 0.0, 0.0))"
exits 1 "rows from above are none of GLSL 1.20" "$gp5" translate --to=glsl120 "$work/upper.fp"
check "and it is told" grep -q "an option about the origin" "$work/err"
for language in glsl120 glsl450 glsl450compat es300; do
    exits 0 "names that GLSL has not, $language" "$gp5" translate --to=$language "$work/odd.fp"
    takes "glslang takes what they become, $language"
done
exits 0 "a prefix of one's own" "$gp5" translate --to=glsl120 --prefix=u_ "$work/prefix.fp"
wrote "for parameters" "uniform vec4 u_env[4];"
wrote "and samplers" "uniform sampler2D u_texture1;"
wrote "which no name of the program's is" "gp5_n_u_x = texture2D(u_texture1"
exits 1 "one that GLSL reserves" "$gp5" translate --to=glsl120 --prefix=gl_ "$work/prefix.fp"
check "is refused" grep -q "names with such a prefix" "$work/err"

# ---- images
cat >"$work/image.vp" <<'P'
!!NVvp5.0
TEMP a, c;
TRUNC.S c, vertex.attrib[1];
LOADIM.F32X4 a, c, image[3], 2D;
LOADIM.U32 a.x, c, image[4], 3D;
ATOMIM.ADD.S32 a.y, 1, c, image[5], BUFFER;
STOREIM.F image[3], a, c, 2D;
IMQ c, image[3], 2D;
STOREIM.U image[6], a, c, CUBE;
MOV result.position, a;
END
P
sed -i '1a OPTION ARB_shader_image_size;' "$work/image.vp"
exits 0 "images" "$gp5" translate --to=glsl450 "$work/image.vp"
wrote "have the format of the instruction" "layout(binding = 3, rgba32f) uniform image2D gp5_image3;"
wrote "also of its size" "layout(binding = 4, r32ui) uniform uimage3D gp5_image4;"
wrote "one that is written alone has none" "layout(binding = 6) writeonly uniform uimageCube gp5_image6;"
exits 0 "or what the application binds" "$gp5" translate --to=glsl450 '--image-format=image[3]=rgba8' "$work/image.vp"
wrote "where it says so" "layout(binding = 3, rgba8) uniform image2D gp5_image3;"
if command -v glslangValidator >/dev/null; then
    cp "$work/out" "$work/text.vert"
    check "glslang takes them" glslangValidator -G -o "$work/module" "$work/text.vert"
fi
exits 1 "not of other numbers" "$gp5" translate --to=glsl450 '--image-format=image[4]=rgba8' "$work/image.vp"
check "which is told at the instruction" grep -q "image.vp:6:1: error: not translated: the format 'rgba8'" "$work/err"
exits 2 "a format of nothing" "$gp5" translate --to=glsl450 --image-format=rgba8 "$work/image.vp"
done_testing
