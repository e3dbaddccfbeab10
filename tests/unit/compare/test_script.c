/* Test scripts: what is read, what is skipped, what is wrong and where; what generators make; and that the
 * documentation names every section and command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/diag.h"
#include "compare/script/script.h"
#include "compare/world/test.h"
#include "tests/unit/failing_memory.h"

/* ---- verdicts on lines of [test] ----------------------------------------------------------------------- */

/* A line, and "" or the message; for a message the column where it points. */
static const struct {
    const char *line;
    enum script_status status;
    unsigned column;
    const char *message;
} lines[] = {
    { "", SCRIPT_OK, 0, "" },
    { "   # nothing but a comment", SCRIPT_OK, 0, "" },
    { "compute 1 2 3", SCRIPT_OK, 0, "" },
    { "\tcompute (1, 2, 3);  # as sscanf would take it", SCRIPT_OK, 0, "" },
    { "compute 1 1", SCRIPT_ERROR, 12, "a number is missing here" },
    { "compute 1 1 65536", SCRIPT_ERROR, 13, "expected a whole number from 0 to 65535" },
    { "compute 1 1 1 1", SCRIPT_ERROR, 15, "nothing more is expected here" },
    { "compute group size 1 1 1 1 1 1", SCRIPT_OK, 0, "" },
    { "compute group size 1 1 1 0 1 1", SCRIPT_ERROR, 26, "expected a whole number from 1 to 2147483647" },
    { "computer 1 1 1", SCRIPT_ERROR, 1, "no such command; did you mean 'compute'?" },
    { "Compute 1 1 1", SCRIPT_ERROR, 1, "no such command; did you mean 'compute'?" },
    { "relative", SCRIPT_ERROR, 1, "no such command" },

    { "ssbo 0 64", SCRIPT_OK, 0, "" },
    { "ssbo 0 subdata float 4 0.5", SCRIPT_OK, 0, "" },
    { "ssbo 0 subdata quad 4 0.5", SCRIPT_ERROR, 16, "expected a type: u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 hex" },
    { "ssbo 0 -1", SCRIPT_ERROR, 8, "expected a whole number from 0 to 268435456" },
    { "probe ssbo uint 0 4 == 0xff", SCRIPT_OK, 0, "" },
    { "probe ssbo float 0 4 >= -1.5", SCRIPT_OK, 0, "" },
    { "probe ssbo uint 0 4 ~ 1", SCRIPT_ERROR, 21, "expected a comparison such as ==" },
    { "probe ssbo uint 0 4 == 1 2", SCRIPT_ERROR, 26, "nothing more is expected here" },

    { "storage 0 zero 64", SCRIPT_OK, 0, "" },
    { "storage 4096 zero 64", SCRIPT_ERROR, 9, "expected a whole number from 0 to 4095" },
    { "storage 0", SCRIPT_ERROR, 10, "expected zero, file, ramp, random, nasty or a type with values" },
    { "storage 0 zeros 4", SCRIPT_ERROR, 11, "expected zero, file, ramp, random, nasty or a type with values" },
    { "storage 0 zero 999999999999", SCRIPT_ERROR, 16, "expected a whole number from 0 to 268435456" },
    { "storage 0 u32 1 2 4294967296", SCRIPT_ERROR, 19, "no number of this type" },
    { "storage 0 u32 1 two", SCRIPT_ERROR, 17, "no number of this type" },
    { "storage 0 f32 1 0x3f800000 nan -inf 0x1.8p3", SCRIPT_OK, 0, "" },
    { "storage 0 ramp u32", SCRIPT_ERROR, 19, "a number is missing here" },
    { "storage 0 ramp u99 4", SCRIPT_ERROR, 16, "expected a type: u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 hex" },
    { "storage 0 ramp u32 4 1 2 3", SCRIPT_ERROR, 26, "nothing more is expected here" },
    { "storage 0 random u32 4", SCRIPT_ERROR, 23, "a number is missing here" },
    { "storage 0 random u32 4 1 5", SCRIPT_ERROR, 27, "a range needs LOW and HIGH" },
    { "storage 0 random u32 4 1 5 4", SCRIPT_ERROR, 28, "HIGH is below LOW" },
    { "storage 0 random s32 4 1 -5 4", SCRIPT_OK, 0, "" },
    { "storage 0 random u64 999999999 1", SCRIPT_ERROR, 22, "expected a whole number from 0 to 268435456" },
    { "storage 0 random u64 200000000 1", SCRIPT_ERROR, 22, "more than 256 MiB in one buffer" },
    { "storage 0 file /nonexistent", SCRIPT_ERROR, 16, "No such file or directory" },
    { "storage 0 file /", SCRIPT_ERROR, 16, "is a directory" },
    { "storage 0 append u32 1", SCRIPT_OK, 0, "" },
    { "cbuffer 1 f32 1 2 3 4", SCRIPT_OK, 0, "" },

    { "parameter env_fp 0 (1.0, 2.0, 3.0, 4.0)", SCRIPT_OK, 0, "" },
    { "parameter local_cp 7 (0x00000001, 0, 0, 0)", SCRIPT_OK, 0, "" },
    { "parameter env_xp 0 (1.0, 2.0, 3.0, 4.0)", SCRIPT_ERROR, 11,
      "expected env_fp, local_fp, env_vp, local_vp, or those of another stage: cp gp tcp tep" },
    { "parameter env_fp 0 (1.0, 2.0, 3.0)", SCRIPT_ERROR, 35, "a number is missing here" },

    { "layout storage 1 u32 2 predicate value", SCRIPT_OK, 0, "" },
    { "layout storage 1 u32 0", SCRIPT_ERROR, 22, "expected a whole number from 1 to 65536" },
    { "layout storage 1 u32 1 a b", SCRIPT_ERROR, 26, "nothing more is expected here" },
    { "layout color f32 4", SCRIPT_ERROR, 8, "expected storage" },
    { "compare storage 1 f32 ulp 2 near 1e-6 denormals any nan any", SCRIPT_OK, 0, "" },
    { "compare storage 1 f32 ulp two", SCRIPT_ERROR, 23, "'ulp' needs a whole number" },
    { "compare color f32 absolute 0.01", SCRIPT_OK, 0, "" },
    { "compare color u32 exact", SCRIPT_ERROR, 15, "colours are f32" },
    { "compare storage 1 none it depends on the weather", SCRIPT_OK, 0, "" },
    { "compare storage 1 none", SCRIPT_ERROR, 23, "say here why it is not compared" },
    { "record full", SCRIPT_OK, 0, "" },
    { "record digest 4096", SCRIPT_OK, 0, "" },
    { "record digest 4097", SCRIPT_ERROR, 15, "a block is a multiple of 4 bytes" },
    { "record digest", SCRIPT_ERROR, 14, "a number is missing here" },
    { "record all", SCRIPT_ERROR, 8, "expected full or digest" },

    { "probe storage 1 0 u32 1 2 3", SCRIPT_OK, 0, "" },
    { "probe storage 1 all f32 0.5", SCRIPT_OK, 0, "" },
    { "probe storage 1 0 u32", SCRIPT_ERROR, 22, "a value is missing here" },
    { "probe undefined storage 0 4 1", SCRIPT_OK, 0, "" },
    { "probe undefined storage 0 3 1", SCRIPT_ERROR, 27, "an undefined word stands at a multiple of 4 bytes" },
    { "probe rgba 1 1 0 0 0 1", SCRIPT_OK, 0, "" },
    { "probe all rgb 1 0 0", SCRIPT_OK, 0, "" },
    { "probe all rgba 1 0 0", SCRIPT_ERROR, 21, "a number is missing here" },
    { "relative probe rgba (0.25, 0.5) (0.2, 0.2, 0.2, 1.0);", SCRIPT_OK, 0, "" },
    { "relative probe rect rgb (0.0, 0.0, 0.5, 0.5) (0.0, 1.0, 0.0)", SCRIPT_OK, 0, "" },
    { "relative probe rect rgba int (0, 0, 1, 1) (0, 1, 0, 1)", SCRIPT_SKIP, 1, "this command is not supported yet" },
    { "probe depth 1 1 0.5", SCRIPT_OK, 0, "" },
    { "probe depth 1 1", SCRIPT_ERROR, 16, "a number is missing here" },
    { "probe covered 249 0", SCRIPT_OK, 0, "" },
    { "probe discarded 250 0", SCRIPT_ERROR, 17, "expected a whole number from 0 to 249" },
    { "draw rect -1 -1 2 2", SCRIPT_OK, 0, "" },
    { "draw rect tex 0 0 1 1 0 0 1 1", SCRIPT_OK, 0, "" },
    { "draw rect patch -1 -1 2 2", SCRIPT_OK, 0, "" },
    { "draw arrays GL_TRIANGLES 0 3", SCRIPT_OK, 0, "" },
    { "draw arrays GL_BOXES 0 3", SCRIPT_ERROR, 13, "expected GL_TRIANGLES or another primitive" },
    { "draw circle 0 0 1", SCRIPT_ERROR, 1, "no such command" },
    { "uniform vec4 c 1 0 0 1", SCRIPT_SKIP, 1, "this command is not supported yet" },
    { "texture rgbw 0 (16, 16)", SCRIPT_OK, 0, "" },
    { "texture rgbw 0 (16, 16) GL_RGBA16F", SCRIPT_OK, 0, "" },
    { "texture rgbw 0 (16, 16) GL_R32I", SCRIPT_SKIP, 1, "this format is not supported for piglit's textures" },
    { "texture rgbw 3D 0", SCRIPT_SKIP, 1, "this command is not supported yet" },
    { "texture cells 0", SCRIPT_SKIP, 1, "this kind of piglit's textures is not supported yet" },
    { "texture checkerboard 1 0 (8, 4) (1, 0, 0, 1) (0, 0, 1, 1)", SCRIPT_OK, 0, "" },
    { "texture checkerboard 1 1 (8, 4) (1, 0, 0, 1) (0, 0, 1, 1)", SCRIPT_SKIP, 24, "a checkerboard is level 0 here" },
    { "texture storage 2 2DArray GL_R32UI (3 8 8 5)", SCRIPT_OK, 0, "" },
    { "texture storage 2 2DArray GL_R32UI (5 8 8 5)", SCRIPT_ERROR, 39,
     "a texture has levels down to one texel, and at least one" },
    { "texture 191 1D R8 4 levels 3 u8 1 2 3 4 5 6 7", SCRIPT_OK, 0, "" },
    { "texture 191 2D R8 4 8 levels all ramp u8 43", SCRIPT_OK, 0, "" },
    { "texture 191 2D R8 4 8 levels all ramp u8 42", SCRIPT_ERROR, 34,
     "the data is not as large as the levels of the texture" },
    { "texture 191 2D R8 4 8 levels", SCRIPT_ERROR, 29, "a number is missing here" },
    { "texture 0 1D R8 4 levels 3 u8 1 2 3 4 5 6", SCRIPT_ERROR, 28,
     "the data is not as large as the levels of the texture" },
    { "texture 192 1D R8 4", SCRIPT_ERROR, 9, "expected a whole number from 0 to 191" },
    { "texture 0 4D R8 4", SCRIPT_ERROR, 11,
     "expected 1D 2D 3D CUBE RECT ARRAY1D ARRAY2D ARRAYCUBE BUFFER 2DMS or ARRAY2DMS" },
    { "texture 0 2D RGB8 4 4", SCRIPT_ERROR, 14, "expected a format such as RGBA8 or R32UI" },
    { "texture 0 2D RGBA8", SCRIPT_ERROR, 19, "expected a size: width, height, depth or layers" },
    { "texture 0 CUBE RGBA8 8 levels 4", SCRIPT_OK, 0, "" },
    { "texture 0 CUBE RGBA8 8 4 6", SCRIPT_ERROR, 22, "a texture's size is not one of its kind" },
    { "texture 0 ARRAY1D RGBA8 8 3", SCRIPT_OK, 0, "" },
    { "texture 0 2D RGBA32F 16384 16384", SCRIPT_ERROR, 22, "more than 256 MiB in one texture" },
    { "sampler 0 min linear_mipmap_linear", SCRIPT_OK, 0, "" },
    { "sampler 0 mag linear_mipmap_linear", SCRIPT_ERROR, 15, "no such word for a sampler" },
    { "sampler 0 wrap repeat clamp_to_edge clamp_to_border", SCRIPT_OK, 0, "" },
    { "sampler 0 wrap repeat clamp_to_edge", SCRIPT_ERROR, 36, "a word is missing here" },
    { "sampler 0 border 1 0x00000001 -0.5 1", SCRIPT_OK, 0, "" },
    { "sampler 0 border 1 2 3", SCRIPT_ERROR, 23, "a number is missing here" },
    { "sampler 0 seamless maybe", SCRIPT_ERROR, 20, "expected on or off" },
    { "sampler 0 colour red", SCRIPT_ERROR, 11,
     "expected min, mag, wrap, compare, depth_mode, border, min_lod, max_lod, bias or seamless" },
    { "texparameter 2D wrap_s clamp_to_edge", SCRIPT_OK, 0, "" },
    { "texparameter Cube lod_bias 0.5", SCRIPT_OK, 0, "" },
    { "texparameter 2D swizzle_r red", SCRIPT_SKIP, 1, "this parameter of textures is not supported" },
    { "image 0 2 R32UI level 1 layer 3", SCRIPT_OK, 0, "" },
    { "image 0 2 R32UI face 3", SCRIPT_ERROR, 17, "expected level or layer" },
    { "image texture 0 GL_RGBA8", SCRIPT_OK, 0, "" },
    { "pointer cbuffer 1 8 storage 2", SCRIPT_OK, 0, "" },
    { "pointer env 1 8 image 2", SCRIPT_OK, 0, "" },
    { "pointer texture 1 8 storage 2", SCRIPT_ERROR, 9, "expected cbuffer, storage, env or local" },
    { "pointer local 1 8 buffer 2", SCRIPT_ERROR, 19, "expected storage, texture or image" },
    { "subroutine 5 0 7", SCRIPT_OK, 0, "" },
    { "subroutine", SCRIPT_ERROR, 11, "a number is missing here" },
    { "counter 2 u32 1 2 3", SCRIPT_OK, 0, "" },
    { "atomic counters 4", SCRIPT_OK, 0, "" },
    { "atomic counter buffer 3 4", SCRIPT_OK, 0, "" },
    { "atomic counter 3 1 0xffffffff", SCRIPT_OK, 0, "" },
    { "probe atomic counter 3 == 7", SCRIPT_OK, 0, "" },
    { "probe atomic counter 3 is 7", SCRIPT_ERROR, 24, "expected a comparison such as ==" },
    { "probe atomic counter buffer 3 8 >= 7", SCRIPT_OK, 0, "" },
    { "probe texture 0 all u8 1 2", SCRIPT_OK, 0, "" },
    { "probe undefined texture 0 4 1", SCRIPT_OK, 0, "" },
    { "compare texture 3 f32 ulp 2", SCRIPT_OK, 0, "" },
    { "texcoord 0 (1.0, 0.0, 0.0, 1.0)", SCRIPT_OK, 0, "" },
    { "texcoord 8 (1.0, 0.0, 0.0, 1.0)", SCRIPT_ERROR, 10, "expected a whole number from 0 to 7" },
    { "interpolate fogcoord 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4", SCRIPT_OK, 0, "" },
    { "interpolate normal 1 2 3 4", SCRIPT_ERROR, 13, "expected texcoord, color or fogcoord" },
    { "ortho", SCRIPT_OK, 0, "" },
    { "ortho 0 1 0 1", SCRIPT_OK, 0, "" },
    { "clear color 0 0 0 0", SCRIPT_OK, 0, "" },
    { "clear colour 0 0 0 0", SCRIPT_ERROR, 7, "nothing more is expected here" },
    { "tolerance 0.1 0.1 0.1 0.1", SCRIPT_OK, 0, "" },
    { "relative prob rgba (0, 0) (1, 1, 1, 1)", SCRIPT_ERROR, 1,
      "no such command; did you mean 'relative probe rgba'?" },
    { "draw array GL_POINTS 0 1", SCRIPT_ERROR, 1, "no such command; did you mean 'draw arrays'?" },
    { "paint it black", SCRIPT_ERROR, 1, "no such command" },
};

#define HEAD "[compute program]\n!!NVcp5.0\nGROUP_SIZE 1;\nEND\n"

static void expect(const char *text, enum script_status status, unsigned line, unsigned column, const char *message)
{
    struct script s;
    script_parse(&s, "t.shader_test", text, strlen(text));
    if (s.status != status)
        fail_msg("%s\nstatus %d, not %d (%s)", text, s.status, status, s.message ? s.message : "no message");
    if (status != SCRIPT_OK) {
        struct place place = diag_locate(s.text, s.size, s.offset);
        if (strcmp(s.message, message) || place.line != line || place.column != column)
            fail_msg("%s\n%u:%u: %s", text, place.line, place.column, s.message);
    }
    script_free(&s);
}

static const struct {
    const char *line;
    enum script_status status;
    unsigned column;
    const char *message;
} framebuffers[] = {
    { "fb ms GL_RGBA8 8 8 4", SCRIPT_OK, 0, "" },
    { "fb draw ms RGBA16F 8 8 16", SCRIPT_OK, 0, "" },
    { "fb ms GL_RGBA8 8 8 0", SCRIPT_OK, 0, "" },
    { "fb ms GL_RGBA8 8 8 3", SCRIPT_ERROR, 20, "expected 1, 2, 4, 8 or 16 samples, or 0 for no multisampling" },
    { "fb ms GL_RGBA8 8 0 4", SCRIPT_ERROR, 18, "expected a whole number from 1 to 16384" },
    { "fb ms GL_RGBA8I 8 8 4", SCRIPT_SKIP, 7, "framebuffers of this format are not supported" },
    { "fb ms GL_RGB5 8 8 4", SCRIPT_ERROR, 7, "expected a format such as RGBA8 or R32UI" },
    { "fb", SCRIPT_ERROR, 3, "expected winsys, ms, tex 2d, tex slice or tex layered, and 'draw' or 'read' before it" },
    { "fb read tex 3d 0", SCRIPT_ERROR, 13,
      "expected winsys, ms, tex 2d, tex slice or tex layered, and 'draw' or 'read' before it" },
    { "fb tex 2d", SCRIPT_ERROR, 10, "expected the unit of a texture" },
    { "fb tex 2d 0 -1 2", SCRIPT_OK, 0, "" },
    { "fb tex 2d 0 1 2 3 4 5 6 7 8", SCRIPT_ERROR, 27, "nothing more is expected here" },
    { "fb tex slice Cube 0 0 5", SCRIPT_OK, 0, "" },
    { "fb tex slice Cuboid 0 0 5", SCRIPT_ERROR, 14, "expected a kind of texture such as 2DArray" },
    { "fb tex layered 0 1", SCRIPT_ERROR, 18, "nothing more is expected here" },
    { "fb winsys", SCRIPT_OK, 0, "" },
    { "blit color linear", SCRIPT_OK, 0, "" },
    { "blit color", SCRIPT_ERROR, 11, "expected linear or nearest" },
    { "blit colour linear", SCRIPT_ERROR, 6, "expected color, depth or stencil" },
    { "blit depth nearest", SCRIPT_SKIP, 6, "only colours are copied" },
    { "viewport indexed 15 -1.5 0 4 4", SCRIPT_OK, 0, "" },
    { "viewport indexed 16 0 0 4 4", SCRIPT_ERROR, 18, "expected a whole number from 0 to 15" },
    { "viewport indexed 0 0 0 -4 4", SCRIPT_ERROR, 24, "expected a size from 0 to 32768" },
    { "viewport indexed 0 0 nan 4 4", SCRIPT_ERROR, 22, "expected a place from -32768 to 32768" },
    { "depth range 1 0", SCRIPT_OK, 0, "" },
    { "depth range 0 nan", SCRIPT_ERROR, 15, "expected a depth" },
    { "read sample mean", SCRIPT_OK, 0, "" },
    { "read sample 16", SCRIPT_ERROR, 13, "expected a whole number from 0 to 15" },
    { "read layer", SCRIPT_ERROR, 11, "a number is missing here" },
    { "texture junk 2DArray 0 (4, 4, 2)", SCRIPT_OK, 0, "" },
    { "texture junk 2D 0 (4, 4, 2)", SCRIPT_ERROR, 14, "expected 2DArray" },
};

static void test_framebuffers(void **state)
{
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof framebuffers / sizeof *framebuffers; i++) {
        snprintf(text, sizeof text, "[fragment program]\n!!ARBfp1.0\nEND\n[test]\nclear\n%s\nclear\n",
                 framebuffers[i].line);
        expect(text, framebuffers[i].status, 6, framebuffers[i].column, framebuffers[i].message);
    }
}

static void test_lines(void **state)
{
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, HEAD "[test]\ncompute 1 1 1\n%s\ncompute 1 1 1\n", lines[i].line);
        expect(text, lines[i].status, 7, lines[i].column, lines[i].message);
    }
}

/* ---- sections ------------------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    enum script_status status;
    unsigned line, column;
    const char *message;
} scripts[] = {
    { "", SCRIPT_ERROR, 1, 1, "no section such as [compute program] or [test] in this file" },
    { "!!ARBfp1.0\nEND\n", SCRIPT_ERROR, 1, 1, "a program and no test script: gp5 run evaluates it, "
      "docs/drivers.md says what a script is" },
    { "words\n\n# words\n" HEAD "[test]\ncompute 1 1 1", SCRIPT_OK, 0, 0, "" },
    { HEAD, SCRIPT_ERROR, 5, 1, "no [test] section, or an empty one" },
    { "[test]\ncompute 1 1 1\n", SCRIPT_ERROR, 3, 1, "no [compute program], [fragment program] or [vertex program]" },
    { "[compute program]\n\n\n[test]\ncompute 1 1 1\n", SCRIPT_ERROR, 4, 1, "this section holds no program" },
    { "[compute programme]\n", SCRIPT_ERROR, 1, 1, "no such section; did you mean '[compute program]'?" },
    { "[test\n", SCRIPT_ERROR, 1, 1, "no such section" },
    { "[fragment shader]\nvoid main() {}\n", SCRIPT_SKIP, 1, 1, "this section is not supported yet" },
    { "[require]\n[geometry layout]\n", SCRIPT_SKIP, 2, 1, "this section is not supported yet" },
    { HEAD HEAD "[test]\ncompute 1 1 1\n", SCRIPT_ERROR, 6, 1,
     "a script has one program, or one list of program files" },
    { "[compute program files]\n/nonexistent\n", SCRIPT_ERROR, 2, 1, "No such file or directory" },
    { "[compute program files]\na b\n", SCRIPT_ERROR, 2, 3, "one file name a line" },
    { "[require]\nGL >= 3.0\nGL_ARB_x\n!GL_ARB_y\nARB_z # as piglit lets pass\ndepthbuffer\nSIZE 8 9\n" HEAD
      "[test]\ncompute 1 1 1\n", SCRIPT_OK, 0, 0, "" },
    { "[require]\nGL >= 3\n", SCRIPT_ERROR, 2, 7, "expected a version such as 2.1" },
    { "[require]\nGL 3.0\n", SCRIPT_ERROR, 2, 4, "expected a comparison such as >=" },
    { "[require]\nGLSL >= 1.30\n", SCRIPT_SKIP, 2, 1, "this requirement is not supported" },
    { "[require]\nGL_MAX_VERTEX_ATTRIBS >= 16\n", SCRIPT_SKIP, 2, 1, "this requirement is not supported" },
    { "[require]\nSIZE 0 1\n", SCRIPT_ERROR, 2, 6, "expected a size from 1 to 4096" },
    { "[require]\nSIZE 1\n", SCRIPT_ERROR, 2, 7, "expected a size from 1 to 4096" },
    { "[require]\nnonsense\n", SCRIPT_ERROR, 2, 1, "no such requirement" },
    { "[require]\nGL_ARB_x GL_ARB_y\n", SCRIPT_ERROR, 2, 10, "nothing more is expected here" },
    { "[vertex program]\n!!ARBvp1.0\nEND\n[vertex program]\n!!ARBvp1.0\nEND\n", SCRIPT_ERROR, 5, 1,
      "a second program of this stage" },
    { "[vertex data]\n0/float/4 colour\n", SCRIPT_ERROR, 2, 11,
      "expected NAME/TYPE/COUNT, such as 0/float/4 or vertex.color/float/4" },
    { "[vertex data]\n0/float/5\n", SCRIPT_ERROR, 2, 1, "a column has 1 to 4 numbers" },
    { "[vertex data]\n0/word/4\n", SCRIPT_ERROR, 2, 1, "expected a type: float, int or uint" },
    { "[vertex data]\n0/float/4 0/float/1\n", SCRIPT_ERROR, 2, 11, "this input is given twice" },
    { "[vertex data]\npiglit_vertex/vec3/vec3\n", SCRIPT_ERROR, 2, 1, "expected a type: float, int or uint" },
    { "[vertex data]\npiglit_vertex/float/3\n", SCRIPT_SKIP, 2, 1,
      "no input of a vertex program: a number or vertex.NAME is" },
    { "[vertex data]\nvertex.color/float/2\n1 2\n1\n", SCRIPT_ERROR, 4, 2, "a number is missing here" },
    { "[vertex data]\n0/float/2\n1 2 3\n", SCRIPT_ERROR, 3, 5, "more numbers than there are columns" },
    { "[vertex data]\n0/int/1\n1.5\n", SCRIPT_ERROR, 3, 1, "no number of this column's type" },
};

static void test_sections(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        expect(scripts[i].text, scripts[i].status, scripts[i].line, scripts[i].column, scripts[i].message);
}

static void test_program(void **state)
{
    static const char text[] = "comment\n[compute program]\r\n\n  \n!!NVcp5.0\nEND\n\n\n[test]\ncompute 1 1 1\n";
    struct script s;
    (void)state;
    script_parse(&s, "folder/name.shader_test", text, sizeof text - 1);
    assert_int_equal(s.status, SCRIPT_OK);
    assert_string_equal(s.name, "name");
    assert_string_equal(s.folder, "folder/");
    assert_int_equal(s.programs.count, 1);
    const struct script_program *p = vec_at(&s.programs, 0);
    assert_int_equal(p->size, 14);              /* its header is its first byte, its last line ends */
    assert_memory_equal(p->text, "!!NVcp5.0\nEND\n", 14);
    assert_int_equal(p->line, 4);
    assert_int_equal(p->stage, DRIVER_COMPUTE);
    script_free(&s);
}

static void test_passthrough(void **state)
{
    static const char text[] =
        "[vertex program]\n!!ARBvp1.0\n# what piglit's tests have\nOPTION ARB_position_invariant;\n"
        "MOV\tresult.texcoord[0], program.env[3];\nMOV result.texcoord[1],program.local[4];\n"
        "MOV result.texcoord[2], vertex.attrib[0];\nMOV result.texcoord[3], {1, -2.5};\nMOV result.texcoord[4], 2;\n"
        "MOV result.texcoord, vertex.texcoord[5];\nMOV result.color, vertex.color;\nEND\n"
        "[fragment program]\n!!ARBfp1.0\nEND\n[test]\nclear\n";
    struct script s;
    (void)state;
    script_parse(&s, "t", text, sizeof text - 1);
    assert_int_equal(s.status, SCRIPT_OK);
    assert_true(s.vertex.transforms);
    assert_int_equal(s.vertex.texcoord[0].source, PASS_TEXCOORD);   /* the last one written counts */
    assert_int_equal(s.vertex.texcoord[0].index, 5);
    assert_int_equal(s.vertex.texcoord[1].source, PASS_LOCAL);
    assert_int_equal(s.vertex.texcoord[1].index, 4);
    assert_int_equal(s.vertex.texcoord[2].source, PASS_POSITION);
    assert_int_equal(s.vertex.texcoord[3].source, PASS_CONSTANT);
    assert_true(s.vertex.texcoord[3].constant[1] == -2.5f && s.vertex.texcoord[3].constant[2] == 0 &&
                s.vertex.texcoord[3].constant[3] == 1);
    assert_true(s.vertex.texcoord[4].constant[3] == 2);
    assert_int_equal(s.vertex.texcoord[7].source, PASS_NONE);
    assert_int_equal(s.vertex.color[0].source, PASS_COLOR);
    assert_int_equal(s.vertex.color[1].source, PASS_NONE);
    script_free(&s);
}

/* Every prefix of a script, and every script with a byte gone wrong, is read to an end. */
static void test_damage(void **state)
{
    static const char text[] =
        "x\n[require]\nGL >= 2.1\nSIZE 4 4\n[vertex program]\n!!ARBvp1.0\nMOV result.texcoord[0], {1,2,3,4};\nEND\n"
        "[fragment program]\n!!ARBfp1.0\nEND\n[test]\nstorage 0 random f32 4 1 -1 1\nprobe rgba 0 0 1 1 1 1 # c\n"
        "compare storage 0 f32 ulp 1 nan any\nparameter env_fp 0 (1,2,3,4)\n";
    char copy[sizeof text];
    (void)state;
    for (size_t i = 0; i < sizeof text; i++) {
        struct script s;
        script_parse(&s, "t", text, i);
        script_free(&s);
        for (int c = 0; c < 256; c += 5) {
            memcpy(copy, text, sizeof copy);
            copy[i] = (char)c;
            script_parse(&s, "t", copy, sizeof text - 1);
            assert_true(s.status == SCRIPT_OK || s.message);
            assert_true(s.offset <= s.size);
            script_free(&s);
        }
    }
}

/* A whole test, with memory for fewer and fewer things: it ends, and it does not pass. */
static void test_no_memory(void **state)
{
    static const char text[] =
        HEAD "[test]\nstorage 0 random u32 64 1\nstorage 1 zero 4096\nparameter env_cp 0 (1,2,3,4)\n"
             "layout storage 0 u32 1\ncompute 1 1 1\nprobe storage 1 all u32 0\n";
    struct source none = { .kind = SOURCE_NONE };
    struct test_options options = { .source = &none, .run = { .track_undefined = true, .jobs = 1 } };
    bool done = false;
    (void)state;
    for (long n = 0; !done; n++) {
        struct script s;
        allowed = n;
        refused = false;
        script_parse(&s, "t.shader_test", text, sizeof text - 1);
        if (s.status == SCRIPT_OK) {
            struct test_result r;
            test_run(&s, vec_at(&s.programs, 0), &options, &r);
            done = !refused;
            if (!done && r.status == TEST_PASSED)
                fail_msg("passed with %ld allocations", n);
            if (done)
                assert_int_equal(r.status, TEST_PASSED);
            test_result_free(&r);
        } else {
            assert_int_equal(s.status, SCRIPT_UNREADABLE);
        }
        allowed = -1;
        script_free(&s);
        assert_true(n < 100000);
    }
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static const struct { const char *words; const char *bytes; } contents[] = {
    { "zero 3", "000000" },
    { "u32 1 0x12345678 -1", "0100000078563412ffffffff" },
    { "hex 1f 0x1f", NULL },                    /* hex is u32: the digits need their 0x */
    { "s16 -2 1", "feff0100" },
    { "f16 1 -2", "003c00c0" },
    { "f32 1 0x80000000", "0000803f00000080" },
    { "f64 1", "000000000000f03f" },
    { "u64 1", "0100000000000000" },
    { "ramp u8 4", "00010203" },
    { "ramp u8 4 250 3", "fafd0003" },          /* around the end */
    { "ramp s32 2 -1 -1", "fffffffffeffffff" },
    { "ramp f32 3 1 0.5", "0000803f0000c03f00000040" },
    { "ramp f16 2", "0000003c" },
    { "random u8 4 0", "e26e06f8" },
               /* the top bytes of SplitMix64's 0xe220.. 0x6e78.. 0x06c4.. 0xf88b.. */
    { "random u32 2 0", "39a820e2" "6a9e786e" },
       /* its upper halves, 0xe220a839 and 0x6e789e6a with the low byte first */
    { "random u16 3 0 5 5", "050005000500" },
    { "random f32 2 0 1 1", "0000803f0000803f" },
    { "nasty u8 3 1", "000102" },               /* the table comes first, in order */
    { "nasty f32 3 9", "000000000000008001000000" },
};

static void test_contents(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        char copy[100], *words[16], got[100] = "";
        size_t count = 0, wrong = 0;
        struct arena arena;
        struct data data;
        arena_init(&arena);
        strcpy(copy, contents[i].words);
        for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
            words[count++] = word;
        const char *error = data_parse(&arena, "", words, count, &data, &wrong);
        assert_int_equal(error != NULL, contents[i].bytes == NULL);
        for (size_t j = 0; !error && j < data.size; j++)
            snprintf(got + 2 * j, 3, "%02x", data.bytes ? data.bytes[j] : 0);
        if (!error && strcmp(got, contents[i].bytes))
            fail_msg("%s: %s", contents[i].words, got);
        arena_free(&arena);
    }
}

/* Random numbers keep to their range, and reach both of its ends. */
static void test_range(void **state)
{
    char *words[] = { "random", "s32", "1000", "7", "-3", "2" };
    size_t wrong;
    struct arena arena;
    struct data data;
    int seen[6] = { 0 };
    (void)state;
    arena_init(&arena);
    assert_null(data_parse(&arena, "", words, 6, &data, &wrong));
    for (size_t i = 0; i < 1000; i++) {
        int32_t v = (int32_t)number_load(NUMBER_S32, data.bytes + 4 * i);
        assert_in_range(v + 3, 0, 5);
        seen[v + 3]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[i], 100, 250);
    arena_free(&arena);
}

/* ---- documentation ------------------------------------------------------------------------------------- */

static void test_documented(void **state)
{
    const char *error = NULL, *name;
    size_t size;
    enum command_class class;
    char quoted[100];
    char *text = data_read_file("docs/drivers.md", 1 << 20, &size, &error);
    (void)state;
    if (!text)
        fail_msg("docs/drivers.md: %s", error);
    for (size_t i = 0; (name = script_command_name(i, &class)) != NULL; i++) {
        snprintf(quoted, sizeof quoted, "`%s", name);
        if (!strstr(text, quoted))
            fail_msg("docs/drivers.md does not name the command %s", name);
    }
    for (size_t i = 0; (name = script_section_name(i, &class)) != NULL; i++) {
        snprintf(quoted, sizeof quoted, "`%s`", name);
        if (!strstr(text, quoted))
            fail_msg("docs/drivers.md does not name the section %s", name);
    }
    gp5_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines), cmocka_unit_test(test_framebuffers), cmocka_unit_test(test_sections),
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_passthrough), cmocka_unit_test(test_damage), cmocka_unit_test(test_contents),
        cmocka_unit_test(test_range), cmocka_unit_test(test_no_memory), cmocka_unit_test(test_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
