/* The machine's work on whole planes: blending under lanes, collecting a bit a lane, merging origins. */
#include "eval/kernels/rows.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Aligned to one vector of any level. */
#define ALIGNED(p) ((uint32_t *)__builtin_assume_aligned((p), 64))
#define ALIGNED_CONST(p) ((const uint32_t *)__builtin_assume_aligned((p), 64))

/* The top bits of 32 words as one word. */
static uint32_t collect(const uint32_t *words)
{
    const uint32_t *w = ALIGNED_CONST(words);
#if defined(__AVX512DQ__)
    uint32_t low = _mm512_movepi32_mask(_mm512_load_si512(w));
    uint32_t high = _mm512_movepi32_mask(_mm512_load_si512(w + 16));
    return low | high << 16;
#elif defined(__AVX__)
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i += 8)
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_load_si256((const __m256i *)(w + i)))) << i;
    return bits;
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i += 4)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_load_si128((const __m128i *)(w + i)))) << i;
    return bits;
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        bits |= w[i] >> 31 << i;
    return bits;
#endif
}

static void blend(uint32_t *dst, const uint32_t *src, uint32_t lanes)
{
    uint32_t *d = ALIGNED(dst);
    const uint32_t *s = ALIGNED_CONST(src);

    INDEPENDENT_LANES
    for (unsigned i = 0; i < WARP_LANES; i++) {
        uint32_t keep = (lanes >> i & 1) - 1;
        d[i] = (d[i] & keep) | (s[i] & ~keep);
    }
}

static void copy(uint32_t *dst, const uint32_t *src)
{
    memmove(ALIGNED(dst), ALIGNED_CONST(src), WARP_LANES * sizeof *dst);
}

static void fill(uint32_t *dst, uint32_t word)
{
    uint32_t *d = ALIGNED(dst);
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = word;
}

static uint32_t nonzero(const uint32_t *plane, const uint32_t *high)
{
    const uint32_t *p = ALIGNED_CONST(plane);
    _Alignas(64) uint32_t found[WARP_LANES];

    if (high) {
        const uint32_t *h = ALIGNED_CONST(high);
        for (unsigned i = 0; i < WARP_LANES; i++)
            found[i] = (p[i] | h[i]) != 0 ? ALL_LANES : 0;
    } else {
        for (unsigned i = 0; i < WARP_LANES; i++)
            found[i] = p[i] != 0 ? ALL_LANES : 0;
    }
    return collect(found);
}

static uint32_t nonzero_float(const uint32_t *plane, const uint32_t *high, bool flush)
{
    const uint32_t *p = ALIGNED_CONST(plane);
    _Alignas(64) uint32_t found[WARP_LANES];

    if (high) {
        const uint32_t *h = ALIGNED_CONST(high);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            uint64_t magnitude = ((uint64_t)(h[i] & 0x7fffffff) << 32) | p[i];
            found[i] = magnitude != 0 && magnitude <= 0x7ff0000000000000u ? ALL_LANES : 0;
        }
    } else {
        uint32_t least = flush ? 0x00800000 : 1;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            uint32_t magnitude = p[i] & 0x7fffffff;
            found[i] = magnitude - least <= 0x7f800000 - least ? ALL_LANES : 0;
        }
    }
    return collect(found);
}

static uint32_t nan_lanes(const uint32_t *plane, const uint32_t *high)
{
    const uint32_t *p = ALIGNED_CONST(plane);
    _Alignas(64) uint32_t found[WARP_LANES];

    if (high) {
        const uint32_t *h = ALIGNED_CONST(high);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            uint64_t magnitude = ((uint64_t)(h[i] & 0x7fffffff) << 32) | p[i];
            found[i] = magnitude > 0x7ff0000000000000u ? ALL_LANES : 0;
        }
    } else {
        for (unsigned i = 0; i < WARP_LANES; i++)
            found[i] = (p[i] & 0x7fffffff) > 0x7f800000 ? ALL_LANES : 0;
    }
    return collect(found);
}

static uint32_t first_nonzero(uint32_t *dst, const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    static _Alignas(64) const uint32_t zero[WARP_LANES];
    uint32_t *d = ALIGNED(dst);
    const uint32_t *x = ALIGNED_CONST(a ? a : zero), *y = ALIGNED_CONST(b ? b : zero), *z = ALIGNED_CONST(c ? c : zero);
    uint32_t any = 0;

    INDEPENDENT_LANES
    for (unsigned i = 0; i < WARP_LANES; i++) {
        uint32_t later = y[i] | (z[i] & (y[i] ? 0 : ALL_LANES));
        uint32_t word = x[i] | (later & (x[i] ? 0 : ALL_LANES));
        d[i] = word;
        any |= word;
    }
    return any;
}

/* Half of the work is the same for both rows of a quad. */
static void between_one(uint32_t *to, const double from[2], const double on[2], const double u[WARP_LANES / 2],
                        const double v[2][WARP_LANES / 2])
{
#if defined(__AVX__)
    __m256d a = _mm256_set1_pd(from[0]), b = _mm256_set1_pd(on[0]), c = _mm256_set1_pd(from[1]),
            d = _mm256_set1_pd(on[1]);

    for (unsigned i = 0; i < WARP_LANES / 2; i += 4) {
        __m256d at = _mm256_loadu_pd(u + i), low = _mm256_add_pd(a, _mm256_mul_pd(b, at)),
                more = _mm256_sub_pd(_mm256_add_pd(c, _mm256_mul_pd(d, at)), low);
        __m128 row[2];
        for (unsigned r = 0; r < 2; r++)
            row[r] = _mm256_cvtpd_ps(_mm256_add_pd(low, _mm256_mul_pd(more, _mm256_loadu_pd(v[r] + i))));
        _mm256_storeu_ps((float *)(void *)(to + 2 * i),
                         _mm256_set_m128(_mm_shuffle_ps(row[0], row[1], 0xee), _mm_movelh_ps(row[0], row[1])));
    }
#else
    for (unsigned i = 0; i < WARP_LANES / 2; i++) {
        double low = from[0] + on[0] * u[i], high = from[1] + on[1] * u[i];
        for (unsigned r = 0; r < 2; r++) {
            float value = (float)(low + (high - low) * v[r][i]);
            memcpy(to + 2 * (i & ~1u) + 2 * r + i % 2, &value, sizeof value);
        }
    }
#endif
}

static void between(uint32_t *const to[4], const float corner[4][4], const double u[WARP_LANES / 2],
                    const double v[2][WARP_LANES / 2])
{
    double from[4][2], on[4][2];

    for (unsigned c = 0; c < 4; c++)
        for (unsigned side = 0; side < 2; side++) {
            from[c][side] = corner[2 * side][c];
            on[c][side] = (double)corner[2 * side + 1][c] - from[c][side];
        }
    for (unsigned c = 0; c < 4; c++)
        if (to[c])
            between_one(to[c], from[c], on[c], u, v);
}

/* Four rows of four words as columns. */
struct block {
#if defined(__SSE2__)
    __m128i row[4];
#else
    uint32_t row[4][4];
#endif
};

static inline struct block transpose(const uint32_t *const row[4])
{
    struct block to;
#if defined(__SSE2__)
    __m128i a = _mm_loadu_si128((const __m128i *)row[0]), b = _mm_loadu_si128((const __m128i *)row[1]),
            c = _mm_loadu_si128((const __m128i *)row[2]), d = _mm_loadu_si128((const __m128i *)row[3]);
    __m128i low = _mm_unpacklo_epi32(a, b), high = _mm_unpackhi_epi32(a, b);
    to.row[0] = _mm_unpacklo_epi64(low, _mm_unpacklo_epi32(c, d));
    to.row[1] = _mm_unpackhi_epi64(low, _mm_unpacklo_epi32(c, d));
    to.row[2] = _mm_unpacklo_epi64(high, _mm_unpackhi_epi32(c, d));
    to.row[3] = _mm_unpackhi_epi64(high, _mm_unpackhi_epi32(c, d));
#else
    for (unsigned i = 0; i < 16; i++)
        to.row[i / 4][i % 4] = row[i % 4][i / 4];
#endif
    return to;
}

/* Where the next warp's vectors are if elements follow one another: reading ahead made vertices a fifth faster. */
static const void *ahead(const uint32_t *array, uint32_t element)
{
    return (const void *)((uintptr_t)array + (element + (size_t)WARP_LANES) * 4 * sizeof *array);
}

static void gather(uint32_t *const to[4], const uint32_t *from, const uint32_t element[WARP_LANES])
{
    for (unsigned l = 0; l < WARP_LANES; l += 4) {
        __builtin_prefetch(ahead(from, element[l]));
        struct block b = transpose((const uint32_t *const[]){
            from + (size_t)element[l] * 4, from + (size_t)element[l + 1] * 4, from + (size_t)element[l + 2] * 4,
            from + (size_t)element[l + 3] * 4});
        for (unsigned i = 0; i < 4; i++)
            memcpy(to[i] + l, &b.row[i], sizeof b.row[i]);
    }
}

static void scatter(uint32_t *to, const uint32_t *const from[4], const uint32_t element[WARP_LANES], uint32_t lanes)
{
    for (unsigned l = 0; l < WARP_LANES; l += 4) {
        __builtin_prefetch(ahead(to, element[l]), 1);
        struct block b = transpose((const uint32_t *const[]){from[0] + l, from[1] + l, from[2] + l, from[3] + l});
        for (unsigned i = 0; i < 4; i++)
            if (lanes >> (l + i) & 1)
                memcpy(to + (size_t)element[l + i] * 4, &b.row[i], sizeof b.row[i]);
    }
}

const struct eval_planes LEVEL_NAME(eval_planes) = {
    .blend = blend,
    .copy = copy,
    .fill = fill,
    .nonzero = nonzero,
    .nonzero_float = nonzero_float,
    .sign = collect,
    .nan = nan_lanes,
    .first_nonzero = first_nonzero,
    .between = between,
    .gather = gather,
    .scatter = scatter,
    .rho = LEVEL_NAME(eval_rho),
    .texels = LEVEL_NAME(eval_texels),
};
