/* Textures on the driver of this machine, whichever it is: texels come back as they went, and an ARB fragment program
 * samples them as the sampler says. Skips where no context opens. An argument names the kind of context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/script/data.h"
#include "compare/driver/protocol.h"
#include "compare/driver/texture_words.h"
#include "tests/unit/compare/gl_driver.h"

struct got {
    enum driver_status status;
    char detail[256];
    float color[64];
    uint8_t texels[4096], storage[2048];
    size_t texels_size;
};

static bool keep(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct got *g = user;
    (void)index;
    (void)c;
    memset(g, 0, sizeof *g);
    g->status = r->status;
    snprintf(g->detail, sizeof g->detail, "%s%s", r->message, r->detail);
    if (r->color_count && r->colors[0].size <= sizeof g->color)
        memcpy(g->color, r->colors[0].data, r->colors[0].size);
    if (r->storage_count && r->storage[0].size <= sizeof g->storage)
        memcpy(g->storage, r->storage[0].data, r->storage[0].size);
    if (r->texture_count && r->textures[0].size <= sizeof g->texels)
        memcpy(g->texels, r->textures[0].data, g->texels_size = r->textures[0].size);
    return true;
}

static struct gp5_texture texture(unsigned kind, unsigned format, uint32_t w, uint32_t h, uint32_t d, uint32_t levels)
{
    struct gp5_texture t;
    texture_begin(&t, kind);
    t.format = (uint8_t)format;
    t.size[0] = w;
    t.size[1] = h;
    t.size[2] = d;
    t.levels = levels;
    texture_measure(&t);
    assert_true(t.bytes);
    return t;
}

static struct driver_case fragment(const char *program, const struct driver_texture *textures, size_t count)
{
    return (struct driver_case){ .stage = DRIVER_FRAGMENT,
                                 .program = program,
                                 .program_size = strlen(program),
                                 .textures = textures,
                                 .texture_count = count,
                                 .raster = { .width = 1, .height = 1, .color_outputs = 1 } };
}

/* ---- there and back ------------------------------------------------------------------------------------ */

/* Texels whose bits no driver may change: halves and floats that are no NaN, depths from 0 to 1. */
static void fill(const struct gp5_texture *t, uint8_t *data)
{
    const struct gp5_format_info *info = gp5_format_info(t->format);
    bool halves = info->kind == GP5_KIND_FLOAT && info->bits == 16,
         floats = info->kind == GP5_KIND_FLOAT && info->bits == 32;
    for (size_t i = 0; i < t->bytes; i++)
        data[i] = (uint8_t)data_random(t->format, i);
    for (size_t i = 0; halves && i < t->bytes; i += 2)
        data[i + 1] &= 0x3f;
    for (size_t i = 0; floats && i < t->bytes; i += 4) {
        float v = (float)i / 4096;
        memcpy(data + i, &v, 4);
    }
    /* unsigned floats of 11 and 10 bits: clear the top bit of each exponent */
    for (size_t i = 0; t->format == GP5_FORMAT_R11F_G11F_B10F && i < t->bytes; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, 4);
        word &= ~(1u << 10 | 1u << 21 | 1u << 31);
        memcpy(data + i, &word, 4);
    }
    /* the lowest signed value means -1 twice: some drivers give back the other */
    for (size_t i = 0; info->kind == GP5_KIND_SNORM && i < t->bytes; i++)
        data[i] = (uint8_t)(data[i] & 0x7f);
}

static void test_there_and_back(void **state)
{
    static const uint32_t sizes[GP5_TEXTURE_2DMS][4] = {
        { 8, 1, 1, 4 }, { 4, 5, 1, 3 }, { 4, 3, 5, 2 }, { 4, 4, 6, 3 }, { 5, 3, 1, 1 }, { 4, 1, 5, 3 },
        { 2, 5, 3, 2 }, { 2, 2, 12, 2 }, { 9, 1, 1, 1 }
    };
    struct driver *d = gl_driver(state);
    size_t same = 0, without = 0;
    for (unsigned kind = 0; kind < GP5_TEXTURE_2DMS; kind++)
        for (unsigned format = 1; format < GP5_FORMAT_COUNT; format++) {
            const uint32_t *s = sizes[kind];
            static uint8_t data[4096];
            struct got g;
            struct driver_texture t = { .texture = texture(kind, format, s[0], s[1], s[2], s[3]), .bring_back = true };
            fill(&t.texture, data);
            t.texture.data = data;
            t.texture.unit = 3;
            struct driver_case c = fragment("!!ARBfp1.0\nMOV result.color, {1, 2, 3, 4};\nEND\n", &t, 1);
            assert_true(driver_run(d, &c, 1, keep, &g));
            if (g.status == DRIVER_GL_ERROR || g.status == DRIVER_UNSUPPORTED) {
                without++;
                continue;
            }
            if (g.status != DRIVER_RAN || g.texels_size != t.texture.bytes || memcmp(g.texels, data, t.texture.bytes))
                fail_msg("%s %s: %s %s", texture_word(TEXTURE_KIND, kind), texture_word(TEXTURE_FORMAT, format),
                         driver_status_name(g.status), g.detail);
            assert_true(g.color[3] == 4);
            same++;
        }
    printf("# %zu kinds and formats came back as they went, %zu are not there\n", same, without);
    assert_true(same > 200);
}

/* ---- sampled ------------------------------------------------------------------------------------------- */

static const struct {
    const char *what, *target;
    unsigned kind, format;
    uint32_t size[4];
    struct gp5_sampler sampler;
    float at[4], red;           /* texel n, from 0, is the number n; of a depth texture n / 16 */
} samples[] = {
#define WRAPPED(w) .wrap = { w, w, w }, .min_lod = -1000, .max_lod = 1000
#define EDGE WRAPPED(GP5_WRAP_CLAMP_TO_EDGE)
#define LINEAR .min_filter = GP5_FILTER_LINEAR, .mag_filter = GP5_FILTER_LINEAR
    { "1D", "1D", GP5_TEXTURE_1D, GP5_FORMAT_R32F, { 8, 1, 1, 1 }, { EDGE }, { 0.45f, 0, 0, 1 }, 3 },
    { "2D", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 1 }, { EDGE }, { 0.3f, 0.6f, 0, 1 }, 9 },
    { "repeated", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 1 }, { WRAPPED(GP5_WRAP_REPEAT) },
     { 1.3f, -0.4f, 0, 1 }, 9 },
    { "mirrored", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 1 }, { WRAPPED(GP5_WRAP_MIRRORED_REPEAT) },
     { 1.7f, 0.1f, 0, 1 }, 1 },
    { "border", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 1 },
      { WRAPPED(GP5_WRAP_CLAMP_TO_BORDER), .border = { 0x42280000 } }, { 1.2f, 0.1f, 0, 1 }, 42 },
    { "linear", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 1 }, { EDGE, LINEAR }, { 0.25f, 0.5f, 0, 1 }, 6.5f },
    { "a level", "2D", GP5_TEXTURE_2D, GP5_FORMAT_R32F, { 4, 4, 1, 3 },
      { .wrap = { 1, 1, 1 }, .min_filter = GP5_FILTER_NEAREST_MIPMAP_NEAREST, .min_lod = 1, .max_lod = 1000 },
      { 0.9f, 0.9f, 0, 1 }, 19 },
    { "3D", "3D", GP5_TEXTURE_3D, GP5_FORMAT_R32F, { 2, 2, 4, 1 }, { EDGE }, { 0.9f, 0.1f, 0.6f, 1 }, 9 },
    { "RECT", "RECT", GP5_TEXTURE_RECT, GP5_FORMAT_R32F, { 5, 3, 1, 1 }, { EDGE }, { 3.5f, 1.5f, 0, 1 }, 8 },
    { "a cube's -y", "CUBE", GP5_TEXTURE_CUBE, GP5_FORMAT_R32F, { 2, 2, 6, 1 }, { EDGE }, { 0.5f, -1, 0.5f, 1 }, 13 },
    { "seams", "CUBE", GP5_TEXTURE_CUBE, GP5_FORMAT_R32F, { 1, 1, 6, 1 }, { EDGE, LINEAR }, { 1, 0.98f, 0, 1 }, 0 },
    { "over the seam", "CUBE", GP5_TEXTURE_CUBE, GP5_FORMAT_R32F, { 1, 1, 6, 1 }, { EDGE, LINEAR, .seamless = true },
     { 1, 0, 0, 1 }, 0 },
    { "passed", "SHADOW2D", GP5_TEXTURE_2D, GP5_FORMAT_DEPTH32F, { 4, 4, 1, 1 },
     { EDGE, .compare = GP5_COMPARE_LEQUAL }, { 0.3f, 0.6f, 0.5f, 1 }, 1 },
    { "not passed", "SHADOW2D", GP5_TEXTURE_2D, GP5_FORMAT_DEPTH32F, { 4, 4, 1, 1 },
     { EDGE, .compare = GP5_COMPARE_GREATER }, { 0.3f, 0.6f, 0.5f, 1 }, 0 },
};

static void test_sampled(void **state)
{
    struct driver *d = gl_driver(state);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const uint32_t *s = samples[i].size;
        char program[256];
        float texels[256], corners[4][4];
        struct got g;
        struct driver_texture t = { .texture = texture(samples[i].kind, samples[i].format, s[0], s[1], s[2], s[3]) };
        for (size_t k = 0; k < t.texture.bytes / 4; k++)
            texels[k] = samples[i].format == GP5_FORMAT_DEPTH32F ? (float)k / 16 : (float)k;
        for (size_t k = 0; k < 4; k++)
            memcpy(corners[k], samples[i].at, sizeof corners[k]);
        t.texture.data = (uint8_t *)texels;
        t.texture.unit = (uint32_t)(i % 8);
        t.texture.sampler = samples[i].sampler;
        snprintf(program, sizeof program,
                 "!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;\n"
                 "TEX result.color, fragment.texcoord[0], texture[%u], %s;\nEND\n",
                 t.texture.unit, samples[i].target);
        struct driver_attribute a = { .kind = DRIVER_TEXCOORD, .values = corners, .size = sizeof corners };
        struct driver_case c = fragment(program, &t, 1);
        c.raster.attributes = &a;
        c.raster.attribute_count = 1;
        assert_true(driver_run(d, &c, 1, keep, &g));
        if (g.status != DRIVER_RAN)
            fail_msg("%s: %s %s", samples[i].what, driver_status_name(g.status), g.detail);
        if (g.color[0] != samples[i].red)
            fail_msg("%s: %g and not %g", samples[i].what, (double)g.color[0], (double)samples[i].red);
    }
}

/* ---- several samples ------------------------------------------------------------------------------------ */

/* A texture of integers whose samples are all different: a shader brings each of them back. */
static void fetch_samples(struct driver *d, unsigned kind, uint32_t layers, uint32_t samples)
{
    enum { W = 3, H = 2 };
    static uint32_t data[256], back[256];
    bool array = kind == GP5_TEXTURE_ARRAY2DMS;
    char program[1024];
    struct got g;
    struct driver_texture textures[3] = {{ .texture = texture(GP5_TEXTURE_2D, GP5_FORMAT_R32UI, 1, 1, 1, 1) }};
    uint32_t one = 1, other[32] = { 0 }, n = W * H * layers * samples;
    textures[0].texture.data = (uint8_t *)&one;
    textures[2].texture = texture(kind, GP5_FORMAT_R32UI, 1, 1, 1, 1);     /* in another unit */
    textures[2].texture.samples = samples;
    texture_measure(&textures[2].texture);
    textures[2].texture.unit = 2;
    textures[2].texture.data = (uint8_t *)other;
    textures[1].texture = texture(kind, GP5_FORMAT_RG32UI, W, H, layers, 1);
    textures[1].texture.samples = samples;
    texture_measure(&textures[1].texture);
    assert_int_equal(textures[1].texture.bytes, n * 8);
    for (uint32_t i = 0; i < 2 * n; i++)
        data[i] = i * 2654435761u;
    textures[1].texture.data = (uint8_t *)data;
    textures[1].texture.unit = 1;
    snprintf(program, sizeof program,
             "#version 430\nlayout(local_size_x = %u) in;\nlayout(std430, binding = 0) buffer O { uvec2 o[]; };\n"
             "layout(binding = 0) uniform usampler2D beside;\nlayout(binding = 1) uniform usampler2DMS%s t;\n"
             "void main() { int i = int(gl_LocalInvocationIndex), z = i / %d;\n"
             "    o[i] = texelFetch(t, %s, z %% %u).xy * texelFetch(beside, ivec2(0), 0).x; }\n",
             n, array ? "Array" : "", W * H, array ? "ivec3(i % 3, i / 3 % 2, z / SAMPLES)" : "ivec2(i % 3, i / 3 % 2)",
             samples);
    char *word = strstr(program, "SAMPLES");
    if (word)
        memset(word, ' ', 7), *word = (char)('0' + samples);
    struct driver_buffer storage = { .binding = 0, .size = n * 8, .bring_back = true };
    struct driver_case c = {.stage = DRIVER_COMPUTE,
                            .language = DRIVER_GLSL,
                            .program = program,
                            .program_size = strlen(program),
                            .groups = {1, 1, 1},
                            .storage = &storage,
                            .storage_count = 1,
                            .textures = textures,
                            .texture_count = 3};
    assert_true(driver_run(d, &c, 1, keep, &g));
    if (g.status == DRIVER_UNSUPPORTED) {
        printf("# %s\n", g.detail);
        return;
    }
    if (g.status != DRIVER_RAN)
        fail_msg("%s: %s", driver_status_name(g.status), g.detail);
    memcpy(back, g.storage, n * 8);
    assert_memory_equal(back, data, n * 8);
}

static void test_samples(void **state)
{
    struct driver *d = gl_driver(state);
    for (uint32_t samples = 2; samples <= 4; samples *= 2) {
        fetch_samples(d, GP5_TEXTURE_2DMS, 1, samples);
        fetch_samples(d, GP5_TEXTURE_ARRAY2DMS, 2, samples);
    }
}

/* What no texture of samples may be is refused before a driver sees it. */
static void test_samples_refused(void **state)
{
    struct driver *d = gl_driver(state);
    struct got g;
    struct driver_texture t = {.texture = texture(GP5_TEXTURE_2DMS, GP5_FORMAT_R32UI, 2, 2, 1, 1), .bring_back = true};
    struct driver_case c = fragment("!!ARBfp1.0\nMOV result.color, {1, 2, 3, 4};\nEND\n", &t, 1);
    t.texture.samples = 2;
    texture_measure(&t.texture);
    assert_null(driver_case_check(&c));
    assert_true(driver_run(d, &c, 1, keep, &g));
    assert_int_equal(g.status, DRIVER_UNSUPPORTED);
    t.bring_back = false;
    assert_null(driver_case_check(&c));
    t.texture.samples = 33;
    assert_string_equal(driver_case_check(&c), "a multisample texture has 1 to 32 samples");
    t.texture = texture(GP5_TEXTURE_2D, GP5_FORMAT_R32UI, 2, 2, 1, 1);
    t.texture.samples = 2;
    assert_string_equal(driver_case_check(&c), "this kind of texture has no samples");
    t.texture = texture(GP5_TEXTURE_2DMS, GP5_FORMAT_DEPTH32F, 2, 2, 1, 1);
    assert_true(driver_run(d, &c, 1, keep, &g));
    assert_int_equal(g.status, DRIVER_UNSUPPORTED);
}

/* Nothing of a case is left for the next one. */
static void test_gone(void **state)
{
    struct driver *d = gl_driver(state);
    static const float texel[4] = { 5, 6, 7, 8 };
    struct got g;
    struct driver_texture t = { .texture = texture(GP5_TEXTURE_2D, GP5_FORMAT_RGBA32F, 1, 1, 1, 1) };
    t.texture.data = (uint8_t *)texel;
    struct driver_case c = fragment("!!ARBfp1.0\nTEX result.color, {0, 0, 0, 0}, texture[0], 2D;\nEND\n", &t, 1);
    assert_true(driver_run(d, &c, 1, keep, &g));
    assert_int_equal(g.status, DRIVER_RAN);
    assert_true(g.color[2] == 7);
    c.texture_count = 0;
    assert_true(driver_run(d, &c, 1, keep, &g));
    assert_int_equal(g.status, DRIVER_RAN);
    assert_true(g.color[2] == 0);
}

static const char *wanted_context;

static int open_driver(void **state)
{
    return gl_driver_open(state, wanted_context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_sampled), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_samples_refused), cmocka_unit_test(test_gone)
    };
    wanted_context = argc > 1 ? argv[1] : "auto";
    return cmocka_run_group_tests(tests, open_driver, gl_driver_close);
}
