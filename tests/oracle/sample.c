/* From a place and a level to texels and weights: docs/numbers.md, "Textures". */
#include "tests/oracle/sample.h"

#include <math.h>
#include <string.h>

oracle_wide oracle_scaled(uint32_t f, int bits, bool down)
{
    int e = (int)(f >> 23 & 255) - 150 + bits;
    oracle_wide m = (f & 0x7fffff) | 0x800000;
    if ((f & 0x7fffffff) > 0x7f800000 || (f >> 23 & 255) == 0)     /* a denormal */
        return 0;
    if (e > 60)
        e = 60;
    if (f >> 31)
        m = -m;
    if (e >= 0)
        return m * ((oracle_wide)1 << e);
    if (e < -40)
        return m < 0 && down ? -1 : 0;
    oracle_wide unit = (oracle_wide)1 << -e, q = m / unit;
    return down && q * unit > m ? q - 1 : q;
}

int64_t oracle_floor_divided(int64_t n, int64_t by)
{
    int64_t q = n / by;
    return q * by > n ? q - 1 : q;
}

static int64_t remainder_of(int64_t n, int64_t of)
{
    return n - oracle_floor_divided(n, of) * of;
}

/* ---- coordinates ------------------------------------------------------------------------------------------------ */

/* In units of 1/2^*bits of a texel, cut before it is multiplied. */
static int64_t in_texels(const struct oracle_sampled *s, bool seamless, unsigned k, uint32_t size, unsigned *bits)
{
    unsigned wrap = s->texture->sampler.wrap[k];
    bool repeats = !seamless && (wrap == GP5_WRAP_REPEAT || wrap == GP5_WRAP_MIRRORED_REPEAT),
         rect = s->texture->kind == GP5_TEXTURE_RECT;
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

static bool is_seamless(const struct gp5_texture *t)
{
    return t->sampler.seamless && (t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE);
}

static void find_position(const struct oracle_sampled *s, uint32_t level, bool linear, struct position *p)
{
    const struct gp5_texture *t = s->texture;
    memset(p, 0, sizeof *p);
    p->level = level;
    p->n = s->n;
    p->seamless = is_seamless(t);
    oracle_level_size(t, level, p->size);
    for (unsigned k = 0; k < p->n; k++) {
        unsigned bits;
        int64_t u = in_texels(s, p->seamless, k, p->size[k], &bits), unit = INT64_C(1) << bits;
        u += s->offset[k] * unit;
        p->first[k] = oracle_floor_divided(u, unit);
        if (p->seamless && !linear && !s->offset[k] && p->first[k] == p->size[k])
            p->first[k]--;      /* on the edge itself */
        if (!linear)
            continue;
        u = oracle_floor_divided(u + unit / 512, unit / 256) - 128;        /* ties up */
        p->first[k] = oracle_floor_divided(u, 256);
        p->part[k] = (int32_t)remainder_of(u, 256);
        if (!p->seamless && stops(p->first[k], p->size[k], t->sampler.wrap[k]))
            p->part[k] = 0;
    }
}

static struct oracle_tap spot_at(const struct oracle_sampled *s, const struct position *p, unsigned x, unsigned y,
                                  unsigned z)
{
    struct oracle_tap tap = {.level = p->level, .at = {0, 0, s->layer}};
    const unsigned behind[3] = {x, y, z};
    if (p->seamless) {
        uint32_t face = s->layer % 6;
        for (unsigned k = 0; k < 2; k++)
            tap.at[k] = p->first[k] + behind[k];
        tap.border = !oracle_beyond_edge(&face, tap.at, p->size[0]);
        tap.at[2] = s->layer / 6 * 6 + face;
        return tap;
    }
    for (unsigned k = 0; k < p->n; k++)
        tap.border |= !wrapped(p->first[k] + behind[k], p->size[k], s->texture->sampler.wrap[k], &tap.at[k]);
    return tap;
}

void oracle_four_texels(const struct oracle_sampled *s, struct oracle_tap four[4])
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct position p;
    find_position(s, 0, true, &p);
    for (unsigned k = 0; k < 4; k++)
        four[k] = spot_at(s, &p, order[k][0], order[k][1], 0);
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */
/* w * f / 256, to the nearest, ties up. */
static int32_t part_of(int32_t w, int32_t f)
{
    return (int32_t)oracle_floor_divided(w * (int64_t)f + 128, 256);
}

/* Where three faces of a seamless cube meet three texels share what the fourth would have had; the rest is the texel's
 * on the face. */
static void share_corners(struct oracle_tap four[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t weight = four[i].weight, share = part_of(weight, 85);
        if (!four[i].border)
            continue;
        for (unsigned k = 0; k < 4; k++)
            four[k].weight += k == i ? 0 : k == (i ^ 3) ? weight - 2 * share : share;
        four[i].weight = 0;
        four[i].counts = false;
        return;
    }
}

static void add_plane(struct oracle_footprint *f, const struct oracle_sampled *s, const struct position *p, unsigned z,
                      int32_t weight)
{
    int32_t right = part_of(weight, p->part[0]), left = weight - right;
    int32_t right_high = p->n > 1 ? part_of(right, p->part[1]) : 0,
            left_low = p->n > 1 ? part_of(left, 256 - p->part[1]) : left;
    const int32_t weights[4] = {left_low, right - right_high, left - left_low, right_high};
    if (z && !p->part[2])
        return;
    for (unsigned i = 0; i < 4; i++) {
        f->tap[f->n][i] = spot_at(s, p, i & 1, i >> 1, z);
        f->tap[f->n][i].weight = weights[i];
        f->tap[f->n][i].counts = !((i & 1 && !p->part[0]) || (i & 2 && !p->part[1]));
    }
    if (p->seamless)
        share_corners(f->tap[f->n]);
    f->n++;
}

static void add_level(struct oracle_footprint *f, const struct oracle_sampled *s, uint32_t level, int32_t weight,
                      bool linear)
{
    struct position p;
    find_position(s, level, linear, &p);
    int32_t near = p.n > 2 ? part_of(weight, 256 - p.part[2]) : weight;
    add_plane(f, s, &p, 0, near);
    add_plane(f, s, &p, 1, weight - near);
}

/* ---- levels ----------------------------------------------------------------------------------------------------- */

/* What is read of them: a sum where the sampler makes sums, else the only texel. */
static void sum_texels(const struct oracle_sampled *s, const struct oracle_footprint *f, bool sums,
                       struct oracle_value r[4])
{
    const struct gp5_format_info *info = gp5_format_info(s->texture->format);
    oracle_fetch_texel(s, &f->tap[0][0], r);
    if (s->compares)
        oracle_comparison_sum(s, f, r);
    else if (sums && !oracle_whole_numbers(s->texture))
        for (unsigned c = 0; c < info->components; c++)
            r[c].bits = oracle_is_normalised(info) ? oracle_normalised_sum(s, f, c) : oracle_float_sum(s, f, c);
    if (!s->compares && s->texture->format == GP5_FORMAT_DEPTH32F)
        r[1].bits = r[2].bits = r[0].bits;
}

/* TXG makes a sum of each texel, with nearest filters too; at a cube's corner of the other three. */
void oracle_gathered(const struct oracle_sampled *s, const struct oracle_tap four[4], unsigned k,
                     struct oracle_value r[4])
{
    struct oracle_footprint f = {.n = 1};
    struct oracle_tap *put = f.tap[0];
    const struct gp5_format_info *info = gp5_format_info(s->texture->format);
    bool corner = four[k].border && is_seamless(s->texture);
    for (unsigned i = corner ? 2 : 0; i < (corner ? 5u : 1u); i++) {
        put[i ? i - 2 : 0] = four[(k + (i == 4 ? 1 : i)) % 4];
        put[i ? i - 2 : 0].weight = !corner ? 256 : i == 2 ? 86 : 85;
        put[i ? i - 2 : 0].counts = true;
    }
    sum_texels(s, &f, true, r);
    if (!corner || !oracle_whole_numbers(s->texture) || s->compares)
        return;
    for (unsigned c = 0; c < info->components; c++) {
        int64_t sum = info->bits == 32 ? 0 : 128;
        for (unsigned i = 0; i < 3; i++) {
            struct oracle_value word[4];
            oracle_fetch_texel(s, &put[i], word);
            sum += put[i].weight *
                   (info->kind == GP5_KIND_SINT ? (int64_t)(int32_t)(uint32_t)word[c].bits : (int64_t)word[c].bits);
        }
        r[c].bits = (uint32_t)oracle_floor_divided(sum, 256);
    }
}

void oracle_sample_at(const struct oracle_sampled *s, int64_t lod, struct oracle_value r[4])
{
    const struct gp5_texture *t = s->texture;
    unsigned filter = lod > 0 ? t->sampler.min_filter : t->sampler.mag_filter;
    bool linear = filter == GP5_FILTER_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_NEAREST ||
                  filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR;
    /* whole numbers are not mixed, nor are levels of them */
    bool whole = oracle_whole_numbers(t), undef = false;
    bool between = !whole && (filter == GP5_FILTER_NEAREST_MIPMAP_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR);
    int64_t last = (int64_t)(t->levels - 1) * ORACLE_LEVEL, level = 0, part = 0;
    struct oracle_footprint f = {.n = 0};
    lod = lod > last ? last : lod;
    if (lod > 0 && oracle_has_levels(t)) {
        level = between ? lod / ORACLE_LEVEL : (lod + ORACLE_LEVEL / 2) / ORACLE_LEVEL;
        part = between ? lod % ORACLE_LEVEL : 0;
    }
    add_level(&f, s, (uint32_t)level, (int32_t)(ORACLE_LEVEL - part), linear && !whole);
    if (part)
        add_level(&f, s, (uint32_t)level + 1, (int32_t)part, linear);
    for (unsigned q = 0; q < f.n; q++)
        for (unsigned i = 0; i < ORACLE_OF_A_PLANE; i++) {
            struct oracle_value word[4];
            oracle_fetch_texel(s, &f.tap[q][i], word);
            undef |= f.tap[q][i].counts && word[0].undef;
        }
    sum_texels(s, &f, oracle_mixes(t), r);
    for (unsigned c = 0; c < 4; c++)
        r[c].undef = undef;
}
