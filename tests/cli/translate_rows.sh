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

# ---- computed indices, other lanes, helpers
says_glsl() {   # says_glsl LANGUAGE TEXT WORDS <PROGRAM
    cat >"$work/says.txt"
    exits 0 "$2, $1" "$gp5" translate --to="$1" "$work/says.txt"
    wrote "says so" "$3"
}
says_glsl glsl120 "coordinates that a loop counts" "(A0.x + 1) == 0 ? gl_TexCoord[0] : (A0.x + 1) == 1" <<'P'
!!ARBfp1.0
OPTION NV_fragment_program2;
LOOP program.local[0]; MOV result.color, fragment.texcoord[A0.x+1]; ENDLOOP;
END
P
says_glsl glsl450 "attributes that a register chooses" "(A0.x) == 14 ? gp5_in_attrib14 : gp5_in_attrib15" <<'P'
!!ARBvp1.0
OPTION NV_vertex_program3;
ADDRESS A0;
ARL A0.x, vertex.position.x;
MOV result.position, vertex.attrib[A0.x];
END
P
says_glsl glsl120 "results that one chooses" "else if ((A0.x) == 7) gl_TexCoord[7] = gp5_v;" <<'P'
!!ARBvp1.0
OPTION NV_vertex_program3;
ADDRESS A0;
ARL A0.x, vertex.position.x;
MOV result.texcoord[A0.x], vertex.color;
END
P
says_glsl glsl120 "a helper that writes nothing" "if (gp5_demoted) discard;" <<'P'
!!ARBfp1.0
OPTION NV_internal;
DEMOTE fragment.texcoord[0];
MOV result.color, 1;
END
P
says_glsl glsl450 "a texture beyond the units" "layout(binding = 0) uniform sampler2D gp5_texture191;" <<'P'
!!ARBfp1.0
OPTION NV_internal;
TEX result.color, fragment.texcoord[0], texture[191], 2D;
END
P
cat >"$work/quad.fp" <<'P'
!!ARBfp1.0
OPTION NV_shader_thread_group;
QSWZX result.color, fragment.texcoord[0], 0;
END
P
exits 0 "a neighbour of the quad" "$gp5" translate --to=glsl450 "$work/quad.fp"
takes "glslang takes it"
exits 1 "not in GLSL 1.20" "$gp5" translate --to=glsl120 "$work/quad.fp"
check "which is told" grep -q "QSWZX, which glsl120 has not" "$work/err"

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
# ---- stages
refuses() {     # refuses TEXT LINE WORDS <PROGRAM
    cat >"$work/stage.txt"
    for language in glsl450 glsl450compat; do
        "$gp5" translate --to=$language "$work/stage.txt" >"$work/out" 2>"$work/err"
        equals "$1, $language" 1 $?
        check "at its place" grep -q "stage.txt:$2:1: error: not translated: $3" "$work/err"
    done
}
cat >"$work/turns.tcp" <<'P'
!!NVtcp5.0
VERTICES_OUT 3;
TEMP a;
MOV result.attrib[0], vertex[0].attrib[0];
MOV result.attrib[1], 0;
MOV a, vertex.out[1].attrib[0];
MOV result.attrib[1], a;
MOV result.attrib[0], a;
MOV result.patch.tessouter[0].x, vertex.out[2].attrib[0].x;
END
P
exits 0 "threads of a patch" "$gp5" translate --to=glsl450 "$work/turns.tcp"
equals "meet where one reads what another writes, and the other way round" "3 6 8" \
    "$(sed -n '/^void main/,$p' "$work/out" | grep -v '^[{}]' | awk '/barrier/ { printf "%s%d", s, NR - 1; s = " " }')"
refuses "a block that writes and reads" 6 "another thread's result, read and written in one block" <<'P'
!!NVtcp5.0
VERTICES_OUT 3;
TEMP a;
MOV.S.CC a, primitive.invocation;
IF NE.x; MOV result.attrib[0], a;
MOV a, vertex.out[1].attrib[0];
ENDIF;
MOV result.attrib[0], a;
END
P
refuses "BAR in a block" 6 "BAR in a block" <<'P'
!!NVtcp5.0
OPTION NV_internal;
VERTICES_OUT 3;
TEMP a;
MOV.S.CC a, primitive.invocation; IF NE.x;
BAR;
ENDIF;
MOV result.attrib[0], a;
END
P
refuses "streams behind a test" 6 "streams in a program with flow" <<'P'
!!NVgp5.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT POINTS; VERTICES_OUT 3;
TEMP a;
MOV.S.CC a, primitive.id;
IF NE.x; MOV result.attrib[0], a;
EMITS 1;
ENDIF;
END
P
refuses "a stream of triangles" 4 "a stream of something else than points" <<'P'
!!NVgp5.0
PRIMITIVE_IN POINTS; PRIMITIVE_OUT TRIANGLE_STRIP; VERTICES_OUT 3;
MOV result.attrib[0], 1;
EMITS 1;
END
P
refuses "a handle that comes from elsewhere" 4 "LOAD\|memory by its address" <<'P'
!!NVvp5.0
LONG TEMP d;
TEMP a;
LOAD.U32 a.x, d.x;
MOV result.position, a;
END
P
refuses "a subroutine that may choose itself" 7 "a subroutine that may lead to a call of itself" <<'P'
!!NVvp5.0
SUBROUTINETYPE T { f };
SUBROUTINE T v = program.subroutine[0];
CALI v;
RET;
f SUBROUTINENUM(0):
CALI v;
RET;
END
P
for stage in gp tcp tep cp; do
    printf '!!NV%s5.0\nEND\n' "$stage" >"$work/older.txt"
    exits 1 "no $stage program in OpenGL ES 3.00" "$gp5" translate --to=es300 "$work/older.txt"
done
exits 2 "a format of nothing" "$gp5" translate --to=glsl450 --image-format=rgba8 "$work/image.vp"
done_testing
