/* Four texels a lane of a plane of a level, or of two, and what a filter makes of them: as
 * eval/texture/{wrap,footprint, filter}.c do it, for what struct texel_plane can say. Every lane has some result,
 * whatever its coordinates are. */
#include "eval/kernels/rows.h"
#include "eval/numeric/words.h"

#include <string.h>

#define ONE 0x3f800000u
#define EACH_LANE INDEPENDENT_LANES for (unsigned l = 0; l < WARP_LANES; l++)

enum { FAR = 256, BITS = 21 };      /* sizes; of a coordinate's fraction */

struct along { int32_t first[WARP_LANES], second[WARP_LANES], part[WARP_LANES]; };

static inline int32_t floor_of(float x)
{
    int32_t n = (int32_t)x;

    return (float)n > x ? n - 1 : n;
}

/* A coordinate in units of 2^-21: within one repetition, or so far outside that only the edge counts. NaN is 0. */
static inline int32_t repeated(uint32_t word)
{
    float x;

    x = num_float(word & ((word & 0x7fffffff) < 0x4b800000 ? ALL_LANES : 0));   /* from 2^24 on they are even */
    x -= (float)(int32_t)(x * 0.5f) * 2;
    return floor_of(x * (1 << BITS)) & ((1 << BITS) - 1);
}

static inline int32_t clamped(uint32_t word)
{
    float x;

    x = num_float(word & ((word & 0x7fffffff) <= 0x7f800000 ? ALL_LANES : 0));
    x = x > FAR ? FAR : x;
    x = x < -FAR ? -FAR : x;
    return floor_of(x * (1 << BITS));
}

/* Numbers are split for the product with the size: 2^-9 texels remain of it. */
static void find_place(const struct texel_plane *p, unsigned k, const uint32_t *plane, struct along *o)
{
    int32_t size = (int32_t)p->size[k], last = size - 1, n[WARP_LANES];
    int32_t offset = p->repeat[k] && p->offset[k] ? (p->offset[k] % size + size) % size : p->offset[k];

    if (p->repeat[k])
        EACH_LANE n[l] = repeated(plane[l]);
    else
        EACH_LANE n[l] = clamped(plane[l]);
    EACH_LANE {
        int32_t u = (n[l] >> 12) * size + ((n[l] & 4095) * size >> 12) + offset * 512;
        int32_t fine = ((u + 1) >> 1) - 128;
        o->first[l] = p->linear ? fine >> 8 : u >> 9;
        o->part[l] = p->linear ? fine & 255 : 0;
    }
    if (p->repeat[k])
        EACH_LANE {
            int32_t i = o->first[l];        /* -1 to 2 * size - 1 */
            i += i < 0 ? size : 0;
            i -= i > last ? size : 0;
            o->first[l] = i;
            o->second[l] = i == last ? 0 : i + 1;
        }
    else
        EACH_LANE {
            int32_t i = o->first[l], at = i < 0 ? 0 : i > last ? last : i;
            o->part[l] = (i < 0 || i >= last) ? 0 : o->part[l];
            o->first[l] = at;
            o->second[l] = at < last ? at + 1 : last;
        }
}

static inline uint32_t load(const uint8_t *p, unsigned bytes)
{
    uint32_t word = p[0];

    if (bytes > 1)
        word |= (uint32_t)p[1] << 8;
    return bytes > 2 ? word | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24 : word;
}

/* Two texels of each lane's row, which mostly stand side by side. */
static void load_texels(const struct texel_plane *p, const struct along *x, const int32_t *y, uint32_t *word,
                        uint32_t *next)
{
    uint32_t at[WARP_LANES], second[WARP_LANES], apart = 0;

    EACH_LANE at[l] = (uint32_t)y[l] * p->size[0] + (uint32_t)x->first[l];
    EACH_LANE second[l] = (uint32_t)y[l] * p->size[0] + (uint32_t)x->second[l];
    EACH_LANE apart |= second[l] - at[l] - 1;
    if (p->bytes == 4 && !apart)
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t both;
            memcpy(&both, p->data + 4 * (size_t)at[l], sizeof both);
            word[l] = (uint32_t)both;
            next[l] = (uint32_t)(both >> 32);
        }
    for (unsigned l = 0; p->bytes == 4 && apart && l < WARP_LANES; l++) {
        word[l] = load(p->data + 4 * (size_t)at[l], 4);
        next[l] = load(p->data + 4 * (size_t)second[l], 4);
    }
    for (unsigned l = 0; p->bytes != 4 && l < WARP_LANES; l++) {
        word[l] = load(p->data + p->bytes * (size_t)at[l], p->bytes);
        next[l] = load(p->data + p->bytes * (size_t)second[l], p->bytes);
    }
}

/* Words of 32 bits, which nobody filters. */
static void copy_words(const struct texel_plane *p, const int32_t *x, const int32_t *y, uint32_t (*word)[WARP_LANES])
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned c = 0; c < p->components; c++)
            word[c][l] = load(p->data + ((size_t)y[l] * p->size[0] + (size_t)x[l]) * p->bytes + 4 * c, 4);
}

/* n / 65535, rounded once; with fused operations by way of what is left of it. */
static inline float of_65535(uint32_t n)
{
    float whole = 65535.0f, x = (float)(int32_t)n;
#if defined(__FMA__)
    float inverse = 1 / whole, q = x * inverse;

    return __builtin_fmaf(__builtin_fmaf(-q, whole, x), inverse, q);
#else
    return x / whole;
#endif
}

/* The sums of texels times weights, which are `share` of 256 together; `more`: to those that are there. */
static inline void add_level(const struct texel_plane *p, const struct along *x, const struct along *y,
                             const uint32_t *share, bool more, uint32_t (*sum)[WARP_LANES])
{
    _Alignas(64) uint32_t texel[4][WARP_LANES], weight[4][WARP_LANES];

    load_texels(p, x, y->first, texel[0], texel[1]);
    load_texels(p, x, y->second, texel[2], texel[3]);
    EACH_LANE {
        uint32_t right = (share[l] * (uint32_t)x->part[l] + 128) >> 8, left = share[l] - right,
                 up = (uint32_t)y->part[l];
        uint32_t high = (right * up + 128) >> 8, low = (left * (256 - up) + 128) >> 8;
        weight[0][l] = low;
        weight[1][l] = right - high;
        weight[2][l] = left - low;
        weight[3][l] = high;
    }
    for (unsigned c = 0; c < p->components; c++)
        EACH_LANE {
            uint32_t of_four = more ? sum[c][l] : 0;
            for (unsigned k = 0; k < 4; k++)
                of_four += (texel[k][l] >> 8 * c & 255) * weight[k][l];
            sum[c][l] = of_four;
        }
}

void LEVEL_NAME(eval_texels)(uint32_t (*word)[WARP_LANES], const struct texel_plane p[2], const uint32_t *share,
                             const uint32_t *s, const uint32_t *t)
{
    _Alignas(64) struct along x, y;
    _Alignas(64) uint32_t sum[4][WARP_LANES], rest[WARP_LANES];

    for (unsigned c = p->components; c < 4; c++)
        EACH_LANE word[c][l] = c < 3 ? 0 : ONE;
    find_place(p, 0, s, &x);
    find_place(p, 1, t, &y);
    if (p->words) {
        copy_words(p, x.first, y.first, word);
        return;
    }
    EACH_LANE rest[l] = share ? 256 - share[l] : 256;
    add_level(p, &x, &y, rest, false, sum);
    if (share) {
        find_place(p + 1, 0, s, &x);
        find_place(p + 1, 1, t, &y);
        add_level(p + 1, &x, &y, share, true, sum);
    }
    for (unsigned c = 0; c < p->components; c++)
        EACH_LANE word[c][l] = num_word(of_65535((sum[c][l] * 257 + 128) >> 8));
}
