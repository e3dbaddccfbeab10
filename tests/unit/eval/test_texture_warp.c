/* Textures a warp at a time (eval/texture/warp.c, eval/kernels/texels.c) beside a lane at a time: the same bits for
 * each format, filter, wrap mode, size, offset and level that it takes, by each set of kernels, with denormals kept and
 * flushed, for coordinates of all magnitudes, edges of texels, infinities and NaNs. cost: 1 */
#include "tests/unit/eval/evaluate.h"
#include "eval/numeric/fenv.h"
#include "eval/texture/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COORDINATES = 12, RESULT = 12, PLANES = 16, ROUNDS = 20000, MOST_BYTES = 1 << 20 };

/* As much of a launch as an access to a texture looks at. */
struct setting {
    struct gp5_texture texture;
    struct gp5_launch launch;
    struct gp5_executable x;
    struct run run;
    struct worker worker;
    struct warp w;
    struct texture_view view;
    struct texture_call call;
    uint32_t unit;
    uint64_t random;
    _Alignas(64) uint32_t planes[PLANES * WARP_LANES];
};

static uint32_t below(struct setting *s, uint32_t n)
{
    return evaluate_random(&s->random) % n;
}

/* Bits by chance; small numbers; edges and middles of texels and of their 256ths, and what is next to them. */
static uint32_t coordinate(struct setting *s)
{
    static const uint32_t odd[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x4b7fffff, 0x4b800000,
        0xcb7fffff, 0xcb800000, 0x4b800001, 0x43800000, 0xc3800000, 0x43800001, 0x3f800000, 0x3f7fffff, 0xbf800000,
        0x3f000000, 0xbf000000, 0x40000000, 0xc0000000, 0x44800000, 0xc4800000, 0x4f000000, 0xcf000000};
    uint32_t size = s->texture.size[below(s, 2)];
    double x;

    switch (below(s, 5)) {
    case 0: return evaluate_random(&s->random);
    case 1: return odd[below(s, sizeof odd / sizeof *odd)];
    case 2: return num_word((float)((int32_t)evaluate_random(&s->random) / 0x1p30));
    case 3: x = ((double)below(s, 6 * 512 * size) - 3 * 512 * size) / (512.0 * size); break;
    default: x = ((double)below(s, 12 * size) - 6 * size) / (2.0 * size);
    }
    return num_word((float)x) + below(s, 3) - 1;
}

static const uint8_t formats[] = {GP5_FORMAT_R8, GP5_FORMAT_RG8, GP5_FORMAT_RGBA8, GP5_FORMAT_R32F, GP5_FORMAT_RG32F,
                                  GP5_FORMAT_RGBA32F};

static void choose_texture(struct setting *s)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 16, 31, 100, 255, 256, 1000};
    struct gp5_texture *t = &s->texture;
    uint8_t *data = t->data;
    bool words;
    uint32_t largest;

    *t = (struct gp5_texture){.kind = GP5_TEXTURE_2D, .format = formats[below(s, sizeof formats)],
                              .size = {sizes[below(s, 11)], sizes[below(s, 11)], 1}, .levels = 1, .data = data};
    if (!below(s, 16)) {
        t->size[below(s, 2)] = 8191 + below(s, 2);
        t->size[t->size[0] > 8000] = 1 + below(s, 4);
    }
    words = gp5_format_info(t->format)->bits == 32;
    largest = t->size[0] > t->size[1] ? t->size[0] : t->size[1];
    while (below(s, 2) && largest >> t->levels)
        t->levels++;
    while ((t->bytes = (size_t)gp5_texture_bytes(t, t->levels)) > MOST_BYTES)
        t->size[0] = (t->size[0] + 1) / 2, t->levels = 1;
    t->sampler = (struct gp5_sampler){
        .min_filter = words ? (below(s, 2) ? GP5_FILTER_NEAREST_MIPMAP_NEAREST : GP5_FILTER_NEAREST)
                            : (uint8_t)below(s, GP5_FILTER_LINEAR_MIPMAP_NEAREST + 1),
        .mag_filter = words ? GP5_FILTER_NEAREST : (uint8_t)below(s, 2),
        .wrap = {(uint8_t)below(s, 2), (uint8_t)below(s, 2)},
        .min_lod = -1000, .max_lod = below(s, 2) ? 1000 : 2.25f, .bias = below(s, 2) ? 0 : 0.75f};
}

static void choose_call(struct setting *s)
{
    static const uint16_t ops[] = {OP_TEX, OP_TXB, OP_TXL, OP_TXD};
    struct texture_call *c = &s->call;

    *c = (struct texture_call){.op = ops[below(s, 4)], .kind = GP5_TEXTURE_2D, .quads = below(s, 2), .level = 3,
                               .type = DT_F32, .n = 4, .comp = {0, 1, 2, 3}, .nvectors = 3, .nunits = 1,
                               .unit_index = NO_PLANE, .handle = NO_PLANE};
    for (unsigned i = 0; i < 12; i++)
        c->vector[i / 4][i % 4] = i;
    for (unsigned i = 0; i < 4; i++)            /* at times where a coordinate stands */
        c->dst[i] = RESULT + i;
    if (!below(s, 4))
        c->dst[2] = below(s, 2);
    for (unsigned i = 0; i < 2 && below(s, 2); i++)
        c->offset[i] = (int8_t)(below(s, 4) ? below(s, 16) - 8 : below(s, 256) - 128);
}

static void choose_operands(struct setting *s)
{
    for (unsigned i = 0; i < PLANES * WARP_LANES; i++)
        s->planes[i] = i / WARP_LANES < 2 ? coordinate(s) : evaluate_random(&s->random);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (below(s, 2))                        /* a level that there is */
            s->planes[3 * WARP_LANES + lane] = num_word((float)below(s, 2048) / 256);
        for (unsigned i = 4; i < COORDINATES; i++)
            s->planes[i * WARP_LANES + lane] = num_word((float)below(s, 4096) / (float)(1 << below(s, 20)));
    }
    s->w.active = below(s, 2) ? ALL_LANES : evaluate_random(&s->random) | 1u << below(s, 32);
}

/* What eval_texture does without the other way. */
static void lane_by_lane(const struct setting *s, uint32_t *planes)
{
    memcpy(planes, s->planes, sizeof s->planes);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct texture_result r;
        if (!(s->w.active >> lane & 1))
            continue;
        eval_texture_lane(&s->w, &s->call, lane, &r);
        for (unsigned i = 0; i < s->call.n; i++)
            PLANE(planes, s->call.dst[i])[lane] = r.word[s->call.comp[i]];
    }
}

static void compare_once(struct setting *s)
{
    static uint32_t want[PLANES * WARP_LANES];

    lane_by_lane(s, want);
    const struct texture_view *v = eval_texture_plain(&s->w, &s->call);
    assert_non_null(v);
    eval_texture_warp(&s->w, &s->call, v);
    for (unsigned i = 0; i < PLANES * WARP_LANES; i++)
        if (s->planes[i] != want[i])
            fail_msg("%s %ux%u, filters %u %u, wrap %u %u, operation %u, plane %u, lane %u: %08x, not %08x",
                     gp5_format_info(s->texture.format)->name, s->texture.size[0], s->texture.size[1],
                     s->texture.sampler.min_filter, s->texture.sampler.mag_filter, s->texture.sampler.wrap[0],
                     s->texture.sampler.wrap[1], s->call.op, i / WARP_LANES, i % WARP_LANES, s->planes[i], want[i]);
}

static void compare(const struct eval_planes *planes)
{
    struct setting *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    uint8_t saved[8];

    assert_non_null(s);
    memset(s, 0, sizeof *s);
    s->random = 7;
    s->texture.data = (uint8_t *)evaluate_words(MOST_BYTES / 4);
    assert_non_null(s->texture.data);
    for (size_t i = 0; i < MOST_BYTES; i++)
        s->texture.data[i] = (uint8_t)evaluate_random(&s->random);
    s->launch = (struct gp5_launch){.textures = &s->texture, .ntextures = 1};
    s->x.units = &s->unit;
    s->x.planes = planes;
    s->run.launch = &s->launch;
    s->run.sampled = &s->view;
    s->worker.run = &s->run;
    s->w.x = &s->x;
    s->w.worker = &s->worker;
    s->w.base = s->planes;
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (i % 4 == 0) {
            choose_texture(s);
            eval_texture_look(&s->view, &s->texture);
        }
        choose_call(s);
        choose_operands(s);
        eval_float_enter(saved, i & 1 ? FLOAT_FLUSH : FLOAT_KEEP);
        compare_once(s);
        eval_float_leave(saved);
    }
    free(s->texture.data);
    free(s);
}

static void test_base(void **state)
{
    (void)state;
    compare(&eval_planes_base);
}

static void test_avx2(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (eval_best_level() >= EVAL_LEVEL_V3)
        compare(&eval_planes_v3);
#endif
}

static void test_avx512(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (eval_best_level() >= EVAL_LEVEL_V4)
        compare(&eval_planes_v4);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base), cmocka_unit_test(test_avx2),
                                       cmocka_unit_test(test_avx512)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
