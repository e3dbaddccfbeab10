/* From a place and a level to texels, weights and sums: docs/textures.md. */
#include "tests/slow/sampling.h"

#include "tests/scalar_soft.h"

#include <math.h>
#include <string.h>

#define ONE 0x3f800000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u

bool slow_whole_numbers(const struct gp5_texture *t)
{
    unsigned kind = gp5_format_info(t->format)->kind;
    return kind == GP5_KIND_UINT || kind == GP5_KIND_SINT || kind == GP5_KIND_PACKED_UINT;
}

bool slow_mixes(const struct gp5_texture *t)
{
    const struct gp5_sampler *y = &t->sampler;
    return y->mag_filter == GP5_FILTER_LINEAR || (y->min_filter != GP5_FILTER_NEAREST && y->min_filter != GP5_FILTER_NEAREST_MIPMAP_NEAREST);
}

bool slow_has_levels(const struct gp5_texture *t)
{
    return t->sampler.min_filter != GP5_FILTER_NEAREST && t->sampler.min_filter != GP5_FILTER_LINEAR;
}

static uint32_t half_of(uint32_t n)
{
    return n > 1 ? n / 2 : n;
}

void slow_level_size(const struct gp5_texture *t, uint32_t level, uint32_t size[3])
{
    memcpy(size, t->size, 3 * sizeof *size);
    for (; level; level--) {
        size[0] = half_of(size[0]);
        size[1] = half_of(size[1]);
        if (t->kind == GP5_TEXTURE_3D)
            size[2] = half_of(size[2]);
    }
}

slow_wide slow_scaled(uint32_t f, int bits, bool down)
{
    int e = (int)(f >> 23 & 255) - 150 + bits;
    slow_wide m = (f & 0x7fffff) | 0x800000;
    if ((f & 0x7fffffff) > 0x7f800000 || (f >> 23 & 255) == 0)     /* a denormal */
        return 0;
    if (e > 60)
        e = 60;
    if (f >> 31)
        m = -m;
    if (e >= 0)
        return m * ((slow_wide)1 << e);
    if (e < -40)
        return m < 0 && down ? -1 : 0;
    slow_wide unit = (slow_wide)1 << -e, q = m / unit;
    return down && q * unit > m ? q - 1 : q;
}

static int64_t floor_divided(int64_t n, int64_t by)
{
    int64_t q = n / by;
    return q * by > n ? q - 1 : q;
}

static int64_t remainder_of(int64_t n, int64_t of)
{
    return n - floor_divided(n, of) * of;
}

/* ---- coordinates ------------------------------------------------------------------------------------------------------------ */

/* In units of 1/2^*bits of a texel, cut before it is multiplied. */
static int64_t in_texels(const struct slow_sampled *s, bool seamless, unsigned k, uint32_t size, unsigned *bits)
{
    unsigned wrap = s->texture->sampler.wrap[k];
    bool repeats = !seamless && (wrap == GP5_WRAP_REPEAT || wrap == GP5_WRAP_MIRRORED_REPEAT), rect = s->texture->kind == GP5_TEXTURE_RECT;
    double x = s->at[k], most = rect ? 1 << 20 : 1024;
    *bits = rect ? 24 : size > 8192 ? 22 : 21;
    if (isnan(x) || (repeats && isinf(x)))
        x = 0;
    x = repeats ? fmod(x, 2) : x > most ? most : x < -most ? -most : x;     /* farther out is outside all the same */
    return (int64_t)floor(ldexp(x, (int)*bits)) * (rect ? 1 : size);
}

/* The texel for number i; false for the border. */
static bool wrapped(int64_t i, uint32_t size, unsigned wrap, int64_t *texel)
{
    *texel = i;
    switch (wrap) {
    case GP5_WRAP_REPEAT: *texel = remainder_of(i, size); break;
    case GP5_WRAP_MIRRORED_REPEAT:
        *texel = remainder_of(i, 2 * (int64_t)size);
        *texel = *texel < size ? *texel : 2 * (int64_t)size - 1 - *texel;
        break;
    case GP5_WRAP_CLAMP_TO_BORDER: return i >= 0 && i < size;
    case GP5_WRAP_MIRROR_CLAMP_TO_EDGE:
        *texel = i < 0 ? -1 - i : i;
        *texel = *texel < size ? *texel : size - 1;
        break;
    default: *texel = i < 0 ? 0 : i < size ? i : size - 1;
    }
    return true;
}

/* Whether texel i and the next one are the same because the wrap mode stops at an edge. */
static bool stops(int64_t i, uint32_t size, unsigned wrap)
{
    bool high = i >= (int64_t)size - 1, low = i < 0;
    if (wrap == GP5_WRAP_MIRROR_CLAMP_TO_EDGE)
        low = i + 1 <= -(int64_t)size;
    return (wrap == GP5_WRAP_CLAMP_TO_EDGE || wrap == GP5_WRAP_MIRROR_CLAMP_TO_EDGE) && (high || low);
}

struct position {
    uint32_t level, size[3];
    unsigned n;
    int64_t first[3];           /* texels before they are wrapped */
    int32_t part[3];            /* of 256, of the ones behind */
    bool seamless;
};

static void find_position(const struct slow_sampled *s, uint32_t level, bool linear, struct position *p)
{
    const struct gp5_texture *t = s->texture;
    memset(p, 0, sizeof *p);
    p->level = level;
    p->n = s->n;
    p->seamless = t->sampler.seamless && (t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE);
    slow_level_size(t, level, p->size);
    for (unsigned k = 0; k < p->n; k++) {
        unsigned bits;
        int64_t u = in_texels(s, p->seamless, k, p->size[k], &bits), unit = INT64_C(1) << bits;
        u += s->offset[k] * unit;
        p->first[k] = floor_divided(u, unit);
        if (p->seamless && !linear && !s->offset[k] && p->first[k] == p->size[k])
            p->first[k]--;      /* on the edge itself */
        if (!linear)
            continue;
        u = floor_divided(u + unit / 512, unit / 256) - 128;        /* ties up */
        p->first[k] = floor_divided(u, 256);
        p->part[k] = (int32_t)remainder_of(u, 256);
        if (!p->seamless && stops(p->first[k], p->size[k], t->sampler.wrap[k]))
            p->part[k] = 0;
    }
}

static struct slow_spot spot_at(const struct slow_sampled *s, const struct position *p, unsigned x, unsigned y, unsigned z)
{
    struct slow_spot spot = {.level = p->level, .at = {0, 0, s->layer}};
    const unsigned behind[3] = {x, y, z};
    if (p->seamless) {
        uint32_t face = s->layer % 6;
        for (unsigned k = 0; k < 2; k++)
            spot.at[k] = p->first[k] + behind[k];
        spot.border = !slow_beyond_edge(&face, spot.at, p->size[0]);
        spot.at[2] = s->layer / 6 * 6 + face;
        return spot;
    }
    for (unsigned k = 0; k < p->n; k++)
        spot.border |= !wrapped(p->first[k] + behind[k], p->size[k], s->texture->sampler.wrap[k], &spot.at[k]);
    return spot;
}

void slow_four_texels(const struct slow_sampled *s, struct slow_spot four[4])
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct slow_spot corner = {0};
    struct position p;
    find_position(s, 0, true, &p);
    for (unsigned k = 0; k < 4; k++)
        four[k] = spot_at(s, &p, order[k][0], order[k][1], 0);
    for (unsigned k = 0; p.seamless && k < 4; k++)
        if (four[k].border) {           /* where three faces meet: the one across */
            corner = four[(k + 2) % 4];
            four[k] = corner;
        }
}

/* ---- texels --------------------------------------------------------------------------------------------------------------------- */

static unsigned texel_bytes(const struct gp5_format_info *f)
{
    return f->bits ? f->components * f->bits / 8u : 4;
}

static bool is_normalised(const struct gp5_format_info *f)
{
    return f->kind == GP5_KIND_UNORM || f->kind == GP5_KIND_SNORM || f->kind == GP5_KIND_PACKED_UNORM;
}

static bool is_half(const struct gp5_format_info *f)
{
    return f->kind == GP5_KIND_PACKED_FLOAT || (f->kind == GP5_KIND_FLOAT && f->bits == 16);
}

/* Where a texel begins; false where there is none. */
static bool find_bytes(const struct gp5_texture *t, const struct slow_spot *p, uint64_t *at)
{
    unsigned bytes = texel_bytes(gp5_format_info(t->format));
    uint32_t size[3];
    *at = 0;
    if (p->level >= t->levels)
        return false;
    for (uint32_t level = 0; level < p->level; level++) {
        slow_level_size(t, level, size);
        *at += (uint64_t)size[0] * size[1] * size[2] * bytes;
    }
    slow_level_size(t, p->level, size);
    for (unsigned k = 0; k < 3; k++)
        if (p->at[k] < 0 || p->at[k] >= size[k])
            return false;
    *at += (((uint64_t)p->at[2] * size[1] + (uint64_t)p->at[1]) * size[0] + (uint64_t)p->at[0]) * bytes;
    return true;
}

/* A border's component of normalised numbers up to `most`: clamped and rounded, ties up. */
static int32_t border_code(uint32_t word, int32_t most, bool with_sign)
{
    double f = slow_float(word), least = with_sign ? -1 : 0;
    if (isnan(f))
        return 0;
    f = f > 1 ? 1 : f < least ? least : f;
    return (int32_t)floor(f * most + 0.5);
}

static uint32_t quotient(int64_t n, int64_t by)
{
    return n ? (uint32_t)soft_pack(soft_div(soft_from_int(n), soft_from_int(by)), 32, SOFT_NEAREST, false, 0) : 0;
}

/* Towards zero, and what is out of a half's range stays. */
static uint32_t cut_to_half(uint32_t word)
{
    int e = (int)(word >> 23 & 255) - 127, lost = e < -14 ? 13 + (-14 - e) : 13;
    return lost > 23 ? word & SIGN : word >> lost << lost;
}

/* The border has the texture's precision. */
static uint32_t border_word(const struct gp5_format_info *f, uint32_t word, unsigned c)
{
    bool with_sign = f->kind == GP5_KIND_SNORM;
    unsigned bits = f->bits ? f->bits : f->kind == GP5_KIND_PACKED_UNORM && c < 3 ? 10 : 16;
    if (is_normalised(f)) {
        int32_t most = (1 << (bits - with_sign)) - 1;
        return quotient(border_code(word, most, with_sign), most);
    }
    if (is_half(f))
        return cut_to_half(word);
    if (f->kind == GP5_KIND_FLOAT || bits == 32)
        return word;
    word &= (1u << bits) - 1;
    return f->kind == GP5_KIND_SINT && word >> (bits - 1) ? word | ~((1u << bits) - 1) : word;
}

void slow_fetch_texel(const struct slow_sampled *s, const struct slow_spot *p, struct slow_value r[4])
{
    const struct gp5_texture *t = s->texture;
    const struct gp5_format_info *f = gp5_format_info(t->format);
    uint32_t word[4] = {0};
    uint64_t at = 0;
    bool open = false;
    if (p->border) {
        for (unsigned c = 0; c < f->components; c++)
            word[c] = border_word(f, t->sampler.border[c], c);
    } else if (find_bytes(t, p, &at)) {
        slow_texel(f, t->data + at, word);
        for (uint64_t w = at / 4; s->open && w <= (at + texel_bytes(f) - 1) / 4; w++)
            open |= s->open[w];
    }
    for (unsigned c = 0; c < 4; c++)
        r[c] = (struct slow_value){.bits = c < f->components ? word[c] : c < 3 ? 0 : slow_whole_numbers(t) ? 1 : ONE, .open = open};
    if (t->format == GP5_FORMAT_DEPTH32F)
        r[1] = r[2] = r[0];
}

/* Sixteen bits are a depth of 0 to 1, whatever numbers the format has, and the reference is held between these. */
uint32_t slow_compared(const struct slow_sampled *s, const struct slow_spot *p)
{
    bool sixteen = gp5_format_info(s->texture->format)->bits == 16;
    struct soft reference = soft_unpack(s->reference, 32, s->flush), zero = soft_from_int(0), one = soft_from_int(1);
    struct slow_value word[4];
    uint32_t depth;
    uint64_t at = 0;
    slow_fetch_texel(s, p, word);
    depth = (uint32_t)word[0].bits;
    if (sixteen) {
        depth = p->border ? quotient(border_code(s->texture->sampler.border[0], 65535, false), 65535)
                : find_bytes(s->texture, p, &at) ? quotient((int64_t)slow_get(s->texture->data + at, DT_U16), 65535) : 0;
        reference = soft_compare(reference, zero) == SOFT_LESS ? zero : soft_compare(reference, one) == SOFT_GREATER ? one : reference;
    }
    enum soft_order order = soft_compare(reference, soft_unpack(depth, 32, s->flush));
    bool less = order == SOFT_LESS, equal = order == SOFT_EQUAL, greater = order == SOFT_GREATER, passes;
    switch (s->texture->sampler.compare) {
    case GP5_COMPARE_NEVER: passes = false; break;
    case GP5_COMPARE_LESS: passes = less; break;
    case GP5_COMPARE_EQUAL: passes = equal; break;
    case GP5_COMPARE_LEQUAL: passes = less || equal; break;
    case GP5_COMPARE_GREATER: passes = greater; break;
    case GP5_COMPARE_NOTEQUAL: passes = !equal; break;
    case GP5_COMPARE_GEQUAL: passes = greater || equal; break;
    default: passes = true;
    }
    return passes ? ONE : 0;
}

/* ---- weights ------------------------------------------------------------------------------------------------------------------------ */

enum { PLANES = 4, OF_A_PLANE = 4 };

struct footprint {
    struct slow_spot spot[PLANES][OF_A_PLANE];      /* without a weight: not there */
    unsigned n;
};

/* w * f / 256, to the nearest, ties up. */
static int32_t part_of(int32_t w, int32_t f)
{
    return (int32_t)floor_divided(w * (int64_t)f + 128, 256);
}

/* Where three faces of a seamless cube meet three texels share what the fourth would have had; the rest is the texel's on the face. */
static void share_corners(struct slow_spot four[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t weight = four[i].weight, share = part_of(weight, 85);
        if (!four[i].border)
            continue;
        for (unsigned k = 0; k < 4; k++)
            four[k].weight += k == i ? 0 : k == (i ^ 3) ? weight - 2 * share : share;
        four[i].weight = 0;
        return;
    }
}

static void add_plane(struct footprint *f, const struct slow_sampled *s, const struct position *p, unsigned z, int32_t weight)
{
    int32_t right = part_of(weight, p->part[0]), left = weight - right;
    int32_t right_high = p->n > 1 ? part_of(right, p->part[1]) : 0, left_low = p->n > 1 ? part_of(left, 256 - p->part[1]) : left;
    const int32_t weights[4] = {left_low, right - right_high, left - left_low, right_high};
    if (!weight)
        return;
    for (unsigned i = 0; i < 4; i++) {
        f->spot[f->n][i] = spot_at(s, p, i & 1, i >> 1, z);
        f->spot[f->n][i].weight = weights[i];
    }
    if (p->seamless)
        share_corners(f->spot[f->n]);
    f->n++;
}

static void add_level(struct footprint *f, const struct slow_sampled *s, uint32_t level, int32_t weight, bool linear)
{
    struct position p;
    find_position(s, level, linear, &p);
    int32_t near = p.n > 2 ? part_of(weight, 256 - p.part[2]) : weight;
    add_plane(f, s, &p, 0, near);
    add_plane(f, s, &p, 1, weight - near);
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------------------- */

/* A texel's number in a normalised format as the filter sees it: 16 bits, of SNORM its own. */
static int32_t code_of(const struct slow_sampled *s, const struct slow_spot *p, unsigned c)
{
    const struct gp5_format_info *f = gp5_format_info(s->texture->format);
    const uint8_t *texel;
    uint64_t at = 0;
    if (p->border && f->kind == GP5_KIND_UNORM && f->bits == 8)
        return border_code(s->texture->sampler.border[c], 255, false) * 257;
    if (p->border)
        return border_code(s->texture->sampler.border[c], f->kind == GP5_KIND_SNORM ? (1 << (f->bits - 1)) - 1 : 65535, f->kind == GP5_KIND_SNORM);
    if (!find_bytes(s->texture, p, &at))
        return 0;
    texel = s->texture->data + at;
    if (f->kind == GP5_KIND_PACKED_UNORM) {
        uint32_t word = (uint32_t)slow_get(texel, DT_U32) >> 10 * c;
        return (int32_t)(c == 3 ? (word & 3) * 0x5555 : (word & 1023) << 6 | (word & 1023) >> 4);
    }
    if (f->kind == GP5_KIND_SNORM)
        return (int32_t)(uint32_t)slow_get(texel + c * f->bits / 8, f->bits == 8 ? DT_S8 : DT_S16);
    return f->bits == 8 ? (int32_t)texel[c] * 257 : (int32_t)slow_get(texel + c * 2, DT_U16);
}

static uint32_t normalised_sum(const struct slow_sampled *s, const struct footprint *f, unsigned c)
{
    const struct gp5_format_info *info = gp5_format_info(s->texture->format);
    int64_t sum = 0, n, most = info->kind == GP5_KIND_SNORM ? 32767 : 65535;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < OF_A_PLANE; i++)
            if (f->spot[q][i].weight)
                sum += f->spot[q][i].weight * (int64_t)code_of(s, &f->spot[q][i], c);
    n = floor_divided(sum + 128, 256);
    if (info->kind == GP5_KIND_SNORM && info->bits == 8)
        n = sum + floor_divided(sum + 16 * floor_divided(sum, 4096) + 64, 128);
    return quotient(n < -most ? -most : n, most);
}

struct plane_sum {
    int64_t sum;
    int exponent;
};

/* Texels cut so many bits below the greatest exponent among those of the plane. */
static struct plane_sum sum_plane(const struct slow_sampled *s, const struct slow_spot four[4], unsigned c, int below, int least)
{
    struct plane_sum r = {0, least};
    struct slow_value word[4][4];
    for (unsigned i = 0; i < OF_A_PLANE; i++)
        if (four[i].weight) {
            slow_fetch_texel(s, &four[i], word[i]);
            int e = (int)(word[i][c].bits >> 23 & 255) - 127;
            r.exponent = e > r.exponent ? e : r.exponent;
        }
    r.exponent -= below;
    for (unsigned i = 0; i < OF_A_PLANE; i++)
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
static uint32_t rounded_sum(slow_wide sum, int exponent, int bits, int least)
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

static uint32_t float_sum(const struct slow_sampled *s, const struct footprint *f, unsigned c)
{
    bool single = gp5_format_info(s->texture->format)->bits == 32, nan = false, plus = false, minus = false, negative = true;
    int below = single ? 27 : 14, least = single ? -126 : -14, top = -1000;
    struct plane_sum plane[PLANES];
    slow_wide sum = 0;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < OF_A_PLANE; i++) {
            struct slow_value word[4];
            if (!f->spot[q][i].weight)
                continue;
            slow_fetch_texel(s, &f->spot[q][i], word);
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
        plane[q] = sum_plane(s, f->spot[q], c, below, least);
        top = plane[q].exponent > top ? plane[q].exponent : top;
    }
    for (unsigned q = 0; q < f->n; q++) {           /* exact, but for what lies 64 bits below */
        int up = plane[q].exponent - top + 64;
        sum += up >= 0 ? (slow_wide)plane[q].sum * ((slow_wide)1 << up) : up > -64 ? (slow_wide)(plane[q].sum >> -up) : 0;
    }
    return sum ? rounded_sum(sum, top - 64, single ? 24 : 11, least) : negative ? SIGN : 0;
}

static void comparison_sum(const struct slow_sampled *s, const struct footprint *f, struct slow_value r[4])
{
    int32_t sum = 0;
    for (unsigned q = 0; q < f->n; q++)
        for (unsigned i = 0; i < OF_A_PLANE; i++)
            if (f->spot[q][i].weight)
                sum += slow_compared(s, &f->spot[q][i]) ? f->spot[q][i].weight : 0;
    r[0].bits = quotient(sum, 256);
    for (unsigned c = 1; c < 4; c++)        /* what the format does not have is as it always is */
        r[c].bits = c < 3 ? 0 : slow_whole_numbers(s->texture) ? 1 : ONE;
    if (s->texture->format == GP5_FORMAT_DEPTH32F)
        r[1].bits = r[2].bits = r[0].bits;
}

/* ---- levels ------------------------------------------------------------------------------------------------------------------------- */

void slow_sample_at(const struct slow_sampled *s, int64_t lod, struct slow_value r[4])
{
    const struct gp5_texture *t = s->texture;
    const struct gp5_format_info *info = gp5_format_info(t->format);
    unsigned filter = lod > 0 ? t->sampler.min_filter : t->sampler.mag_filter;
    bool linear = filter == GP5_FILTER_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_NEAREST || filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR;
    bool between = filter == GP5_FILTER_NEAREST_MIPMAP_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR, open = false;
    int64_t last = (int64_t)(t->levels - 1) * SLOW_LEVEL, level = 0, part = 0;
    struct footprint f = {.n = 0};
    lod = lod > last ? last : lod;
    if (lod > 0 && slow_has_levels(t)) {
        level = between ? lod / SLOW_LEVEL : (lod + SLOW_LEVEL / 2) / SLOW_LEVEL;
        part = between ? lod % SLOW_LEVEL : 0;
    }
    if (slow_whole_numbers(t)) {        /* integers are not mixed */
        linear = false;
        part = 0;
    }
    add_level(&f, s, (uint32_t)level, (int32_t)(SLOW_LEVEL - part), linear);
    if (part)
        add_level(&f, s, (uint32_t)level + 1, (int32_t)part, linear);
    slow_fetch_texel(s, &f.spot[0][0], r);
    for (unsigned q = 0; q < f.n; q++)
        for (unsigned i = 0; i < OF_A_PLANE; i++) {
            struct slow_value word[4];
            slow_fetch_texel(s, &f.spot[q][i], word);
            open |= f.spot[q][i].weight && word[0].open;
        }
    if (s->compares)
        comparison_sum(s, &f, r);
    else if (slow_mixes(t) && !slow_whole_numbers(t))
        for (unsigned c = 0; c < info->components; c++)
            r[c].bits = is_normalised(info) ? normalised_sum(s, &f, c) : float_sum(s, &f, c);
    if (!s->compares && t->format == GP5_FORMAT_DEPTH32F)
        r[1].bits = r[2].bits = r[0].bits;
    for (unsigned c = 0; c < 4; c++)
        r[c].open = open;
}
