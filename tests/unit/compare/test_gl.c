/* The GL worker on the driver of this machine, whichever it is: what goes in and comes out, exactly. Skips
 * where no context opens. An argument names the kind of context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/compare/gl_driver.h"

/* A copy of what a test looks at. */
struct got {
    size_t seen;
    enum driver_status status;
    uint32_t gl_error;
    int64_t position;
    int native;
    char message[512], detail[256];
    uint32_t color[2][1024];
    uint8_t coverage[256];
    uint32_t depth[256], storage[64];
    size_t colors, storage_size;
    bool cut;                   /* there was more than this holds */
};

static void copy_within(struct got *g, void *to, size_t room, const void *from, size_t size)
{
    g->cut |= size > room;
    if (size)
        memcpy(to, from, size < room ? size : room);
}

static bool keep(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct got *g = user;
    (void)index;
    (void)c;
    size_t seen = g->seen + 1;
    memset(g, 0, sizeof *g);
    g->seen = seen;
    g->status = r->status;
    g->gl_error = r->gl_error;
    g->position = r->position;
    g->native = r->native;
    snprintf(g->message, sizeof g->message, "%s", r->message);
    snprintf(g->detail, sizeof g->detail, "%s", r->detail);
    g->colors = r->color_count;
    for (size_t i = 0; i < r->color_count && i < 2; i++)
        copy_within(g, g->color[i], sizeof g->color[i], r->colors[i].data, r->colors[i].size);
    copy_within(g, g->coverage, sizeof g->coverage, r->coverage, r->coverage_size);
    copy_within(g, g->depth, sizeof g->depth, r->depth, r->depth_size);
    if (r->storage_count)
        copy_within(g, g->storage, sizeof g->storage, r->storage[0].data, g->storage_size = r->storage[0].size);
    return true;
}

static void run(struct driver *d, const struct driver_case *c, struct got *g)
{
    memset(g, 0, sizeof *g);
    assert_true(driver_run(d, c, 1, keep, g));
    assert_int_equal(g->seen, 1);
}

static void run_well(struct driver *d, const struct driver_case *c, struct got *g)
{
    run(d, c, g);
    if (g->status != DRIVER_RAN)
        fail_msg("%s: %s%s", driver_status_name(g->status), g->message, g->detail);
    assert_false(g->cut);
}

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static struct driver_case fragment(const char *program, uint32_t width, uint32_t height)
{
    return (struct driver_case){ .stage = DRIVER_FRAGMENT,
                                 .program = program,
                                 .program_size = strlen(program),
                                 .raster = { .width = width, .height = height, .color_outputs = 1 } };
}

/* Texture coordinates that are the pixel's own window position. */
static const float position_8x4[4][4] = { { 0, 0, 0, 1 }, { 8, 0, 0, 1 }, { 0, 4, 0, 1 }, { 8, 4, 0, 1 } };
static const struct driver_attribute position_attribute = { .kind = DRIVER_TEXCOORD, .values = position_8x4,
                                                            .size = sizeof position_8x4 };

static void test_quad(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c =
        fragment("!!ARBfp1.0\nMAD result.color, fragment.texcoord[0], {2, 4, 1, 0.5}, {1, -1, 0.25, 3};\n"
                 "END\n",
                 8, 4);
    c.raster.attributes = &position_attribute;
    c.raster.attribute_count = 1;
    run_well(d, &c, &g);
    assert_int_equal(g.position, -1);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 8; x++) {
            const uint32_t *pixel = &g.color[0][(y * 8 + x) * 4];
            assert_int_equal(pixel[0], bits(((float)x + 0.5f) * 2 + 1));
            assert_int_equal(pixel[1], bits(((float)y + 0.5f) * 4 - 1));
            assert_int_equal(pixel[2], bits(0.25f));
            assert_int_equal(pixel[3], bits(3.5f));
            assert_int_equal(g.coverage[y * 8 + x], 1);
        }
}

static void test_window_position(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c = fragment("!!ARBfp1.0\nMOV result.color, fragment.position;\nEND\n", 8, 4);
    c.raster.depth_bits = bits(0.25f);
    c.raster.bring_depth = true;
    run_well(d, &c, &g);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(g.color[0][i * 4], bits((float)(i % 8) + 0.5f));
        assert_int_equal(g.color[0][i * 4 + 1], bits((float)(i / 8) + 0.5f));
        assert_int_equal(g.color[0][i * 4 + 3], bits(1));
        assert_int_equal(g.depth[i], bits(0.25f));
    }
}

static void test_points(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    static float values[5][16][4];
    static const enum driver_attribute_kind kinds[5] = { DRIVER_TEXCOORD, DRIVER_TEXCOORD, DRIVER_COLOR,
                                                         DRIVER_COLOR, DRIVER_FOGCOORD };
    static const uint32_t indices[5] = { 0, 7, 0, 1, 0 };
    static const char *const names[5] = { "texcoord[0]", "texcoord[7]", "color.primary", "color.secondary",
                                          "fogcoord" };
    struct driver_attribute a[5];
    for (size_t k = 0; k < 5; k++) {
        for (size_t i = 0; i < 64; i++)
            values[k][i / 4][i % 4] = (float)(i * i) * 1.37f - 1000 + (float)k * 0.001f;
        a[k] = (struct driver_attribute){ kinds[k], indices[k], values[k], sizeof values[k] };
    }
    for (size_t k = 0; k < 5; k++) {
        char program[128];
        snprintf(program, sizeof program, "!!ARBfp1.0\nMOV result.color, fragment.%s;\nEND\n", names[k]);
        struct driver_case c = fragment(program, 4, 4);
        c.raster.primitive = DRIVER_POINTS;
        c.raster.attributes = a;
        c.raster.attribute_count = 5;
        run_well(d, &c, &g);
        for (size_t i = 0; i < 64; i++)
            if ((kinds[k] != DRIVER_FOGCOORD || i % 4 == 0) && g.color[0][i] != bits(values[k][i / 4][i % 4]))
                fail_msg("fragment.%s of pixel %zu: %08x and not %08x", names[k], i / 4, g.color[0][i],
                         bits(values[k][i / 4][i % 4]));
        for (size_t i = 0; i < 16; i++)
            assert_int_equal(g.coverage[i], 1);
    }
}

/* A discarded pixel is told by its coverage and keeps the clear pattern; what the program wrote there is
 * gone. */
static void test_kil(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c =
        fragment("!!ARBfp1.0\nTEMP t;\nADD t, fragment.texcoord[0], {-2.5, 0, 0, 0};\nKIL t.x;\n"
                 "MOV result.color, t.x;\nEND\n",
                 8, 4);
    c.raster.attributes = &position_attribute;
    c.raster.attribute_count = 1;
    for (uint32_t k = 0; k < 4; k++)
        c.raster.clear_bits[k] = bits((float)k + 77);
    run_well(d, &c, &g);
    for (uint32_t i = 0; i < 32; i++) {
        bool killed = i % 8 < 2;
        assert_int_equal(g.coverage[i], !killed);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(g.color[0][i * 4 + k], bits(killed ? (float)k + 77 : (float)(i % 8) - 2));
    }
}

static void test_outputs(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c =
        fragment("!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color[0], {1, 2, 3, 4};\n"
                 "MOV result.color[1], {-5, 6e20, 7e-10, 1000};\nMOV result.depth.z, 0.75;\nEND\n",
                 3, 2);
    c.raster.color_outputs = 2;
    c.raster.bring_depth = true;
    run_well(d, &c, &g);
    assert_int_equal(g.colors, 2);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(g.color[0][i * 4 + 3], bits(4));
        assert_int_equal(g.color[1][i * 4], bits(-5));
        assert_int_equal(g.color[1][i * 4 + 1], bits(6e20f));
        assert_int_equal(g.depth[i], bits(0.75f));
    }
}

/* Parameters arrive bit for bit, and are zero again for the next case with the same program. */
static void test_parameters(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c =
        fragment("!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color[0], program.env[3];\n"
                 "MOV result.color[1], program.local[5];\nEND\n",
                 1, 1);
    static const struct driver_parameter env = { 3, { 0x7fc12345, 0x80000000, 0xff800000, 0x3f800001 } };
    static const struct driver_parameter local = { 5, { 0x12345678, 0x7f7fffff, 0xc2280000, 0x00800000 } };
    c.raster.color_outputs = 2;
    c.env = &env;
    c.env_count = 1;
    c.local = &local;
    c.local_count = 1;
    run_well(d, &c, &g);
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(g.color[0][k], env.bits[k]);
        assert_int_equal(g.color[1][k], local.bits[k]);
    }
    c.env_count = c.local_count = 0;
    run_well(d, &c, &g);
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(g.color[0][k], 0);
        assert_int_equal(g.color[1][k], 0);
    }
}

/* The byte offset of the error; Mesa counts otherwise: the end of the offending word, each line end twice,
 * and the header as one byte. */
static int64_t position_of(struct driver *d, int64_t offset, int64_t length, int64_t lines)
{
    bool mesa = strstr(driver_describe(d)->version, "Mesa") != NULL;
    return mesa ? offset + length + lines - 9 : offset;
}

static void test_rejected(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c = fragment("!!ARBfp1.0\nTEMP a;\nMOX a, 1;\nEND\n", 1, 1);
    run(d, &c, &g);
    assert_int_equal(g.status, DRIVER_REJECTED);
    assert_int_equal(g.gl_error, 0x502);
    assert_int_equal(g.position, position_of(d, 19, 3, 2));
    assert_non_null(strstr(g.message, "line 3"));
    c.load_only = true;
    run(d, &c, &g);
    assert_int_equal(g.status, DRIVER_REJECTED);
    assert_int_equal(g.position, position_of(d, 19, 3, 2));
}

static void test_gl_error(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c = fragment("!!ARBfp1.0\nMOV result.color, {1, 1, 1, 1};\nEND\n", 1, 1);
    static const struct driver_parameter env = { 1000000, { 0 } };
    c.env = &env;
    c.env_count = 1;
    run(d, &c, &g);
    assert_int_equal(g.status, DRIVER_GL_ERROR);
    assert_int_equal(g.gl_error, 0x501);
    assert_string_equal(g.detail, "setting parameters");
    c.env_count = 0;
    run_well(d, &c, &g);
    assert_int_equal(g.color[0][0], bits(1));
}

static void test_unsupported(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_case c = fragment("!!ARBfp1.0\nMOV result.color, {1, 1, 1, 1};\nEND\n", 32768, 1);
    run(d, &c, &g);             /* some drivers have rows as long */
    if (g.status != DRIVER_RAN)
        assert_int_equal(g.status, DRIVER_UNSUPPORTED);
    c = fragment("!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n", 1, 1);
    c.stage = DRIVER_VERTEX;
    run(d, &c, &g);
    assert_int_equal(g.status, DRIVER_UNSUPPORTED);
    c.load_only = true;
    run(d, &c, &g);
    assert_int_equal(g.status, DRIVER_RAN);
}

static void test_compute(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    static const char program[] =
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\n"
        "STORAGE dst[] = { program.storage[2] };\nCBUFFER src[] = { program.buffer[1] };\nTEMP a, b, r;\n"
        "MUL.U a.x, invocation.globalid, {4, 0, 0, 0};\nLDC.U32 b.x, src[0];\n"
        "MAD.U r.x, invocation.globalid, program.env[1], b;\nADD.U r.x, r, program.local[2].w;\n"
        "STB.U32 r, dst[a.x];\nEND\n";
    static const uint32_t constant[4] = { 1000, 0, 0, 0 };
    struct driver_buffer storage = { .binding = 2, .size = 64, .bring_back = true };
    struct driver_buffer buffer = { .binding = 1, .data = constant, .size = sizeof constant };
    struct driver_parameter env = { 1, { 3, 0, 0, 0 } }, local = { 2, { 0, 0, 0, 0x10000 } };
    struct driver_case c = { .stage = DRIVER_COMPUTE,
                             .program = program,
                             .program_size = strlen(program),
                             .groups = { 2, 1, 1 },
                             .storage = &storage,
                             .storage_count = 1,
                             .constants = &buffer,
                             .constant_count = 1,
                             .env = &env,
                             .env_count = 1,
                             .local = &local,
                             .local_count = 1 };
    if (!driver_has_extension(driver_describe(d), "GL_NV_compute_program5")) {
        run(d, &c, &g);
        assert_int_equal(g.status, DRIVER_UNSUPPORTED);
        skip();
    }
    run_well(d, &c, &g);
    assert_int_equal(g.storage_size, 64);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(g.storage[i], 3 * i + 1000 + 0x10000);
}

/* Generic attributes and storage in a fragment program of NVIDIA's own profiles. */
static void test_generic(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    static float values[4][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 }, { 13, 14, 15, 16 } };
    struct driver_attribute a = { DRIVER_GENERIC, 3, values, sizeof values };
    struct driver_buffer storage = { .binding = 1, .size = 16, .bring_back = true };
    struct driver_case c = fragment("!!NVfp5.0\nOPTION NV_shader_storage_buffer;\n"
                                    "STORAGE dst[] = { program.storage[1] };\nTEMP a;\n"
                                    "FLR.F a.x, fragment.position;\nCVT.U32.F32 a.x, a;\n"
                                    "MUL.U a.x, a, {4, 0, 0, 0};\n"
                                    "STB.F32 fragment.attrib[3], dst[a.x];\n"
                                    "MOV.F result.color, fragment.attrib[3];\nEND\n", 4, 1);
    c.raster.primitive = DRIVER_POINTS;
    c.raster.attributes = &a;
    c.raster.attribute_count = 1;
    c.storage = &storage;
    c.storage_count = 1;
    if (!driver_has_extension(driver_describe(d), "GL_NV_gpu_program5"))
        skip();
    run_well(d, &c, &g);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(g.storage[i], bits(values[i][0]));
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(g.color[0][i * 4 + k], bits(values[i][k]));
    }
}

static bool count(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    size_t *good = user;
    bool broken = strstr(c->program, "FOO") != NULL;
    *good +=
        r->status == (broken ? DRIVER_REJECTED : DRIVER_RAN) && (!broken || r->position > 11) && index < 5000;
    return true;
}

/* A compute shader between programs, one that does not compile, and a module that is none. */
static void test_shaders(void **state)
{
    static const uint32_t words[8] = { 7, 1, 2, 3, 0xffffffff };
    static const uint32_t module[8] = { 0x07230203, 0x00010300, 0, 8, 0, 0xffffffff };
    static const char text[] =
        "#version 430\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 2) buffer B { uint b[]; };\n"
        "void main() { b[gl_GlobalInvocationID.x] += gl_LocalInvocationID.x; }\n";
    struct driver *d = gl_driver(state);
    const struct driver_buffer buffer = { .binding = 2, .data = words, .size = sizeof words, .bring_back = true };
    struct driver_case shader = { .stage = DRIVER_COMPUTE, .language = DRIVER_GLSL, .program = text,
                                  .program_size = sizeof text - 1, .groups = { 1, 1, 1 }, .storage = &buffer,
                                  .storage_count = 1 };
    struct driver_case plain = fragment("!!ARBfp1.0\nMOV result.color, 0.5;\nEND\n", 2, 2);
    struct got g;
    if (!driver_has_extension(driver_describe(d), "GL_ARB_compute_shader"))
        skip();
    for (int round = 0; round < 2; round++) {
        run_well(d, &shader, &g);
        assert_int_equal(g.storage_size, sizeof words);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(g.storage[i], words[i] + i);
        run_well(d, &plain, &g);
        assert_int_equal(g.color[0][0], bits(0.5f));
    }
    shader.program_size -= 4;
    run(d, &shader, &g);
    assert_int_equal(g.status, DRIVER_REJECTED);
    assert_true(*g.message);
    shader.stage = DRIVER_VERTEX;
    run(d, &shader, &g);
    assert_int_equal(g.status, DRIVER_REJECTED);
    assert_true(*g.message);
    shader.stage = DRIVER_COMPUTE;
    shader.language = DRIVER_SPIRV;
    shader.program = (const char *)module;
    shader.program_size = 19;
    run(d, &shader, &g);
    assert_int_equal(g.status, DRIVER_UNSUPPORTED);
    shader.program_size = sizeof module;
    run(d, &shader, &g);
    assert_true(g.status == DRIVER_REJECTED || g.status == DRIVER_UNSUPPORTED || g.status == DRIVER_CRASHED);
    run_well(d, &plain, &g);
}

static void test_thousands(void **state)
{
    struct driver *d = gl_driver(state);
    enum { COUNT = 5000 };
    char (*text)[96] = calloc(COUNT, sizeof *text);
    struct driver_case *cases = calloc(COUNT, sizeof *cases);
    struct timespec t0, t1;
    size_t good = 0;
    assert_true(text && cases);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(text[i], sizeof text[i],
                 "!!ARBfp1.0\nMUL result.color, fragment.texcoord[0], %zu.5;\n%sEND\n", i,
                 i % 7 ? "" : "FOO;\n");
        cases[i] = fragment(text[i], 1, 1);
        cases[i].load_only = true;
    }
    clock_gettime(CLOCK_MONOTONIC, &t0);
    assert_true(driver_run(d, cases, COUNT, count, &good));
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("# %d programs loaded in %.2f s\n", COUNT,
           (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec));
    assert_int_equal(good, COUNT);
    free(text);
    free(cases);
}

static const char *wanted_context;

static int open_driver(void **state)
{
    return gl_driver_open(state, wanted_context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quad),        cmocka_unit_test(test_window_position),
        cmocka_unit_test(test_points),      cmocka_unit_test(test_kil),
        cmocka_unit_test(test_outputs),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_rejected),    cmocka_unit_test(test_gl_error),
        cmocka_unit_test(test_unsupported), cmocka_unit_test(test_compute),
        cmocka_unit_test(test_generic),     cmocka_unit_test(test_thousands),
        cmocka_unit_test(test_shaders)
    };
    wanted_context = argc > 1 ? argv[1] : "auto";
    return cmocka_run_group_tests(tests, open_driver, gl_driver_close);
}
