/* What lanes of a quad compute together, in fragment programs and in compute programs whose lanes form quads: DDX and
 * DDY, levels of detail, LOD, LODCLAMP. And images of several samples. */
#include "compare/driver/texture_words.h"
#include "tests/unit/eval/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LEVELS = 4 };            /* of a texture of 8 x 8: every texel of level n is n */

static void texture_of_levels(struct gp5_texture *t, uint8_t *bytes)
{
    float *texel = (float *)(void *)bytes;

    texture_begin(t, GP5_TEXTURE_2D);
    t->format = GP5_FORMAT_R32F;
    t->size[0] = t->size[1] = 8;
    t->levels = LEVELS;
    t->sampler.min_filter = GP5_FILTER_NEAREST_MIPMAP_LINEAR;
    texture_measure(t);
    t->data = bytes;
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < 64u >> 2 * level; i++)
            *texel++ = (float)level;
}

/* One statement that makes `r` of texcoord[0], which goes over `texels` a pixel; what comes out at pixel (0, 0). */
static void sample(const char *statement, float texels, float bias, float min_lod, uint8_t filter, float out[4],
                   const char *why[4])
{
    static uint8_t bytes[1024] __attribute__((aligned(16)));
    static char reasons[4][64];
    struct gp5_texture t;
    struct stage_test r;
    float at[16][4];
    char text[512];

    snprintf(text, sizeof text, "!!NVfp5.0\nOPTION EXT_sparse_texture2;\nTEMP r, a, b;\nMOV a, fragment.texcoord[0];\n"
             "MOV b, fragment.texcoord[1];\n%s;\nMOV result.color, r;\nEND\n", statement);
    texture_of_levels(&t, bytes);
    t.sampler.bias = bias;
    t.sampler.min_lod = min_lod;
    t.sampler.min_filter = filter ? filter : t.sampler.min_filter;
    open_run(&r, text, GP5_SEMANTICS_NVIDIA);
    for (unsigned i = 0; i < 16; i++) {
        float place[4] = {(float)(i % 4) * texels / 8, (float)(i / 4) * texels / 8, 0, 0.5f};
        memcpy(at[i], place, sizeof place);
    }
    input(&r, "fragment.texcoord[0]", at[0], 16);
    for (unsigned i = 0; i < 16; i++)
        memcpy(at[i], (const float[4]){2, 3, 1, 0}, sizeof at[i]);
    input(&r, "fragment.texcoord[1]", at[0], 16);
    result(&r, "result.color");
    r.launch.width = r.launch.height = 4;
    r.launch.textures = &t;
    r.launch.ntextures = 1;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned c = 0; c < 4; c++) {
        out[c] = number(r.result[0][c]);
        snprintf(reasons[c], sizeof reasons[c], "%s", reason(&r, 0, c));
        why[c] = reasons[c];
    }
    close_run(&r);
}

/* ---- levels of detail -------------------------------------------------------------------------------------- */

static void test_levels(void **state)
{
    static const struct {
        const char *statement;
        float texels, bias, min_lod;
        uint8_t filter;
        float x, y;             /* y: of LOD */
    } rows[] = {
        {"TEX r, a, texture[0], 2D", 2, 0, -1000, 0, 1, 0},
        {"TEX r, a, texture[0], 2D", 4, 0.5f, -1000, 0, 2.5f, 0},
        {"TXB r, a, texture[0], 2D", 2, 0, -1000, 0, 1.5f, 0},
        {"TEX.LODCLAMP r, a, b, texture[0], 2D", 1, 0, -1000, 0, 2, 0},        /* at least 2 */
        {"TEX.LODCLAMP r, a, b, texture[0], 2D", 8, 0, -1000, 0, 3, 0},
        {"TXB.LODCLAMP r, a, b, texture[0], 2D", 4, 0, -1000, 0, 2.5f, 0},     /* the bias stands in w */
        {"TXB.LODCLAMP r, a, b, texture[0], 2D", 1, 0, -1000, 0, 2, 0},
        {"LOD r, a, texture[0], 2D", 2, 0, -1000, 0, 1, 1},
        {"LOD r, a, texture[0], 2D", 0.25f, 0, -1000, 0, 0, -2},
        {"LOD r, a, texture[0], 2D", 2, 0.5f, 2, 0, 2, 1.5f},                   /* y is before all bounds */
        {"LOD r, a, texture[0], 2D", 64, 0, -1000, 0, 3, 6},
        {"LOD r, a, texture[0], 2D", 2, 0.5f, -1000, GP5_FILTER_LINEAR_MIPMAP_NEAREST, 1, 1.5f},
        {"LOD r, a, texture[0], 2D", 2, 0.75f, -1000, GP5_FILTER_LINEAR_MIPMAP_NEAREST, 2, 1.75f},
        {"LOD r, a, texture[0], 2D", 4, 0, -1000, GP5_FILTER_LINEAR, 0, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool query = rows[i].statement[0] == 'L';
        const char *why[4];
        float out[4];
        sample(rows[i].statement, rows[i].texels, rows[i].bias, rows[i].min_lod, rows[i].filter, out, why);
        if (out[0] != rows[i].x || (query && out[1] != rows[i].y))
            print_error("%s, %g texels: %g, %g\n", rows[i].statement, rows[i].texels, out[0], out[1]);
        assert_true(out[0] == rows[i].x && (!query || out[1] == rows[i].y));
        assert_string_equal(why[0], "");
        assert_string_equal(why[1], "");
        assert_string_equal(why[2], query ? "LOD leaves its component z open" : "");
    }
}

/* The clamp of other targets (EXT_sparse_texture2, Table X.17): behind a reference, and behind a level. */
static void test_places_of_clamps(void **state)
{
    static const char *const forms[] = {"TEX.LODCLAMP r, a, b, texture[0], SHADOWCUBE",
                                        "TEX.LODCLAMP r, a, b, texture[0], ARRAYCUBE",
                                        "TXB.LODCLAMP r, a, b, texture[0], ARRAYCUBE",
                                        "TEX.LODCLAMP r, a, b, texture[0], SHADOWARRAYCUBE"};
    uint64_t used[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {        /* which components of b decide: those whose origin is told */
        used[i] = 0;
        for (unsigned c = 0; c < 4; c++) {
            struct stage_test r;
            char text[512];
            snprintf(text, sizeof text, "!!NVfp5.0\nOPTION EXT_sparse_texture2;\nTEMP r, a, b;\n"
                     "MOV a, {1, 0, 0, 0};\nMOV b%s, {0, 0, 0, 0};\n%s;\nMOV result.color, r;\nEND\n",
                     (const char *[]){".yzw", ".xzw", ".xyw", ".xyz"}[c], forms[i]);
            open_run(&r, text, GP5_SEMANTICS_NVIDIA);
            result(&r, "result.color");
            r.launch.width = r.launch.height = 2;
            assert_int_equal(execute(&r), GP5_RUN_OK);
            used[i] |= (uint64_t)(r.undefined[0][0] != 0) << c;
            close_run(&r);
        }
    }
    assert_int_equal(used[0], 2);
    assert_int_equal(used[1], 2);
    assert_int_equal(used[2], 3);
    assert_int_equal(used[3], 3);
}

/* ---- compute programs ------------------------------------------------------------------------------------- */

static void run_groups(const char *text, uint32_t *out, size_t words, struct gp5_texture *t, const char *expected)
{
    struct stage_test r;
    struct gp5_buffer storage = {0, (uint8_t *)out, words * 4, NULL};

    open_run(&r, text, GP5_SEMANTICS_NVIDIA);
    r.launch.groups[0] = r.launch.groups[1] = r.launch.groups[2] = 1;
    r.launch.storage = &storage;
    r.launch.nstorage = 1;
    r.launch.textures = t;
    r.launch.ntextures = t != NULL;
    assert_int_equal(execute(&r), expected ? GP5_RUN_BAD_LAUNCH : GP5_RUN_OK);
    if (expected)
        assert_string_equal(r.report.message, expected);
    else
        assert_int_equal(r.report.undefined_words, 0);
    close_run(&r);
}

#define GROUP(option, size, body)                                                                                   \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION ARB_derivative_control;\n"                     \
    "OPTION " option ";\nGROUP_SIZE " size ";\n"                                                                   \
    "STORAGE s[] = { program.storage[0] };\nTEMP r, p, n;\nMOV.U n, invocation.localindex.x;\nMUL.U n.y, n.x, 16;\n" \
    "I2F.U p, invocation.localid;\n" body "STB.F32X4 r, s[n.y];\nEND\n"

/* Quads of 2 x 2 invocations, and of four in a row: what differs between their lanes. */
static void test_compute_derivatives(void **state)
{
    static uint32_t out[4 * 48] __attribute__((aligned(16)));

    (void)state;
    run_groups(GROUP("NV_derivative_group_quads", "6 4 2",
                     "MAD p.z, p.y, 10.0, p.x;\nDDX r.x, p.x;\nDDY r.y, p.y;\nDDX r.z, p.z;\nDDY r.w, p.z;\n"),
               out, 4 * 48, NULL, NULL);
    for (unsigned i = 0; i < 48; i++)
        assert_true(number(out[4 * i]) == 1 && number(out[4 * i + 1]) == 1 && number(out[4 * i + 2]) == 1 &&
                    number(out[4 * i + 3]) == 10);
    run_groups(GROUP("NV_derivative_group_linear", "6 4 2",
                     "I2F.U p, n.x;\nDDX r.x, p.x;\nDDY r.y, p.x;\nMUL p, p, p;\nDDX.COARSE r.z, p.x;\n"
                     "DDY.COARSE r.w, p.x;\n"),
               out, 4 * 48, NULL, NULL);
    for (unsigned i = 0; i < 48; i++) {
        float first = (float)(i & ~3u);
        assert_true(number(out[4 * i]) == 1 && number(out[4 * i + 1]) == 2);
        assert_true(number(out[4 * i + 2]) == 2 * first + 1 && number(out[4 * i + 3]) == 4 * first + 4);
    }
}

static void test_compute_levels(void **state)
{
    static uint8_t bytes[1024] __attribute__((aligned(16)));
    static uint32_t out[4 * 16] __attribute__((aligned(16)));
    struct gp5_texture t;

    (void)state;
    texture_of_levels(&t, bytes);
    run_groups(GROUP("NV_derivative_group_quads", "4 4", "MUL p, p, 0.5;\nTEX r, p, texture[0], 2D;\nMOV p.w, -0.5;\n"
                     "TXB p, p, texture[0], 2D;\nMOV r.y, p.x;\n"),
               out, 4 * 16, &t, NULL);
    for (unsigned i = 0; i < 16; i++)       /* four texels an invocation */
        assert_true(number(out[4 * i]) == 2 && number(out[4 * i + 1]) == 1.5f);
}

/* Every invocation is of a quad. */
static void test_sizes_of_groups(void **state)
{
    static uint32_t out[4 * 64] __attribute__((aligned(16)));

    (void)state;
    run_groups(GROUP("NV_derivative_group_quads", "3 2", "DDX r, p;\n"), out, 4 * 64, NULL,
               "a work group of 3 x 2 x 1 with OPTION NV_derivative_group_quads: x and y are even");
    run_groups(GROUP("NV_derivative_group_linear", "3 2", "DDX r, p;\n"), out, 4 * 64, NULL,
               "a work group of 3 x 2 x 1 with OPTION NV_derivative_group_linear: it has a multiple of 4 invocations");
}

/* ---- images of several samples ----------------------------------------------------------------------------- */

static void test_samples(void **state)
{
    static uint8_t bytes[2 * 3 * 2 * 4 * 4] __attribute__((aligned(16)));
    static const char text[] =
        "!!NVfp5.0\nOPTION NV_texture_multisample;\nOPTION ARB_shader_texture_image_samples;\n"
        "OPTION ARB_shader_image_size;\nOPTION EXT_shader_image_load_formatted;\nTEMP r, at, v;\n"
        "MOV.U at, {1, 2, 1, 3};\nMOV.U v, 77;\nSTOREIM.U32 image[0], v, at, ARRAY2DMS;\n"
        "ATOMIM.ADD.U32 r.x, v, at, image[0], ARRAY2DMS;\n"
        "LOADIM.U32 v, at, image[0], ARRAY2DMS;\n"
        "MOV.U r.y, v.x;\nIMQS v, image[0], ARRAY2DMS;\nMOV.U r.z, v.x;\nIMQ v, image[0], ARRAY2DMS;\n"
        "MOV.U r.w, v.z;\nMOV.U at.w, 4;\n"
        "LOADIM.U32 v, at, image[0], ARRAY2DMS;\nMOV.U result.color, r;\nMOV.U result.color[1], v;\nEND\n";
    struct gp5_image image = {.unit = 0, .texture = 3, .format = GP5_FORMAT_R32UI, .layered = true};
    struct gp5_texture t;
    struct stage_test r;
    char with[1024];

    (void)state;
    texture_begin(&t, GP5_TEXTURE_ARRAY2DMS);
    t.unit = 3;
    t.format = GP5_FORMAT_R32UI;
    t.size[0] = 2;
    t.size[1] = 3;
    t.size[2] = 2;
    t.samples = 4;
    texture_measure(&t);
    assert_int_equal(t.bytes, sizeof bytes);
    t.data = bytes;
    snprintf(with, sizeof with, "!!NVfp5.0\nOPTION ARB_draw_buffers;\n%s", text + 10);
    open_run(&r, with, GP5_SEMANTICS_NVIDIA);
    result(&r, "result.color[0]");
    result(&r, "result.color[1]");
    r.launch.width = r.launch.height = 1;
    r.launch.textures = &t;
    r.launch.images = &image;
    r.launch.ntextures = r.launch.nimages = 1;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_int_equal(r.result[0][0], 77);
    assert_int_equal(r.result[0][1], 154);
    assert_int_equal(r.result[0][2], 4);
    assert_int_equal(r.result[0][3], 2);
    assert_string_equal(reason(&r, 0, 1), "");
    assert_string_equal(reason(&r, 1, 0), "LOADIM: the texel has no such sample");
    /* layer 1, sample 3: the last of eight slices of 3 rows of 2 texels; its last row's second texel */
    assert_int_equal(((uint32_t *)(void *)bytes)[7 * 6 + 2 * 2 + 1], 154);
    close_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_places_of_clamps),
        cmocka_unit_test(test_compute_derivatives), cmocka_unit_test(test_compute_levels),
        cmocka_unit_test(test_sizes_of_groups), cmocka_unit_test(test_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
