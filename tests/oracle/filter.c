/* Sums of texels and of comparisons: docs/numbers.md, "Textures". */
#include "tests/oracle/sample.h"

#include "tests/oracle/scalar_soft.h"

#define ONE 0x3f800000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u

/* A texel's number in a normalised format as the filter sees it: 16 bits, of SNORM its own. */
static int32_t code_of(const struct oracle_sampled *s, const struct oracle_tap *p, unsigned c)
{
    const struct gp5_format_info *f = gp5_format_info(s->texture->format);
    const uint8_t *texel;
    uint64_t at = 0;
    if (p->border) {
        unsigned bits;
        int32_t code = (int32_t)oracle_border_bits(s->texture, c, &bits);
        if (f->kind == GP5_KIND_SNORM)
            return code >> (bits - 1) ? code - (1 << bits) : code;
        return bits == 8 ? code * 257 : code;
    }
    if (!oracle_find_texel(s->texture, p, &at))
        return 0;
    texel = s->texture->data + at;
    if (f->kind == GP5_KIND_PACKED_UNORM) {
        uint32_t word = (uint32_t)oracle_get(texel, DT_U32) >> 10 * c;
        return (int32_t)(c == 3 ? (word & 3) * 0x5555 : (word & 1023) << 6 | (word & 1023) >> 4);
    }
    if (f->kind == GP5_KIND_SNORM)
        return (int32_t)(uint32_t)oracle_get(texel + c * f->bits / 8, f->bits == 8 ? DT_S8 : DT_S16);
    return f->bits == 8 ? (int32_t)texel[c] * 257 : (int32_t)oracle_get(texel + c * 2, DT_U16);
}

uint32_t oracle_normalised_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, unsigned c)
{
    const struct gp5_format_info *info = gp5_format_info(s->texture->format);
    int64_t sum = 0, n, most = info->kind == GP5_KIND_SNORM ? 32767 : 65535;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++)
            if (f->tap[q][i].weight)
                sum += f->tap[q][i].weight * (int64_t)code_of(s, &f->tap[q][i], c);
    n = oracle_floor_divided(sum + 128, 256);
    if (info->kind == GP5_KIND_SNORM && info->bits == 8)
        n = sum + oracle_floor_divided(sum + 16 * oracle_floor_divided(sum, 4096) + 64, 128);
    return oracle_quotient(n < -most ? -most : n, most);
}

struct plane_sum {
    int64_t sum;
    int exponent;
};

/* Texels cut so many bits below the greatest exponent among those of the plane. */
static struct plane_sum sum_plane(const struct oracle_sampled *s, const struct oracle_tap four[4], unsigned c,
                                  int below, int least)
{
    struct plane_sum r = {0, least};
    struct oracle_value word[4][4];
    for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++)
        if (four[i].weight) {
            oracle_fetch_texel(s, &four[i], word[i]);
            int e = (int)(word[i][c].bits >> 23 & 255) - 127;
            r.exponent = e > r.exponent ? e : r.exponent;
        }
    r.exponent -= below;
    for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++)
        if (four[i].weight) {
            uint32_t w = (uint32_t)word[i][c].bits;
            int e = (int)(w >> 23 & 255) - 150 - r.exponent;
            int64_t m = w & INFINITE ? (w & 0x7fffff) | 0x800000 : 0;
            m = e >= 0 ? m << e : e < -24 ? 0 : m >> -e;
            r.sum += (w >> 31 ? -m : m) * four[i].weight;
        }
    r.exponent -= 8;
    return r;
}

/* To so many bits, ties away from zero; singles that would be denormal are zero. */
static uint32_t rounded_sum(oracle_wide sum, int exponent, int bits, int least)
{
    uint32_t sign = sum < 0 ? SIGN : 0, word;
    unsigned __int128 m = (unsigned __int128)(sum < 0 ? -sum : sum), unit;
    int top = 0, lost;
    while (m >> top > 1)
        top++;
    top += exponent;
    if (top < least && bits == 24)
        return sign;
    lost = (top < least ? least : top) - bits + 1 - exponent;
    if (lost > 0) {
        unit = (unsigned __int128)1 << lost;
        m = (m + unit / 2) / unit;
        exponent += lost;
    }
    word = (uint32_t)soft_pack((struct soft){.exp = exponent, .sig = m}, 32, SOFT_NEAREST, false, 0);
    return sign | (word & 0x7fffffff);
}

uint32_t oracle_float_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, unsigned c)
{
    bool single = gp5_format_info(s->texture->format)->bits == 32, nan = false, plus = false, minus = false,
         negative = true;
    int below = single ? 27 : 14, least = single ? -126 : -14, top = -1000;
    struct plane_sum plane[ORACLE_PLANES];
    oracle_wide sum = 0;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++) {
            struct oracle_value word[4];
            if (!f->tap[q][i].counts)
                continue;
            oracle_fetch_texel(s, &f->tap[q][i], word);
            nan |= (word[c].bits & 0x7fffffff) > INFINITE;
            plus |= word[c].bits == INFINITE;
            minus |= word[c].bits == (INFINITE | SIGN);
            negative &= (bool)(word[c].bits >> 31);
        }
    if (nan || (plus && minus))
        return single ? 0x7fffffff : 0x7fffe000;
    if (plus || minus)
        return plus ? INFINITE : INFINITE | SIGN;
    for (unsigned q = 0; q < f->n; q++) {
        plane[q] = sum_plane(s, f->tap[q], c, below, least);
        top = plane[q].exponent > top ? plane[q].exponent : top;
    }
    for (unsigned q = 0; q < f->n; q++) {           /* exact, but for what lies 64 bits below */
        int up = plane[q].exponent - top + 64;
        sum += up >= 0    ? (oracle_wide)plane[q].sum * ((oracle_wide)1 << up)
               : up > -64 ? (oracle_wide)(plane[q].sum >> -up)
                          : 0;
    }
    return sum ? rounded_sum(sum, top - 64, single ? 24 : 11, least) : negative ? SIGN : 0;
}

void oracle_comparison_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, struct oracle_value r[4])
{
    int32_t sum = 0;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++)
            if (f->tap[q][i].weight)
                sum += oracle_compared(s, &f->tap[q][i]) ? f->tap[q][i].weight : 0;
    r[0].bits = oracle_quotient(sum, 256);
    for (unsigned c = 1; c < 4; c++)        /* what the format does not have is as it always is */
        r[c].bits = c < 3 ? 0 : oracle_whole_numbers(s->texture) ? 1 : ONE;
    if (s->texture->format == GP5_FORMAT_DEPTH32F)
        r[1].bits = r[2].bits = r[0].bits;
}
