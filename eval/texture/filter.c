/* Texels to words. Normalised formats are filtered as integers of 16 bits (SNORM: of their own), halves and floats
 * aligned to the greatest exponent of the texels that hardware adds up at once. */
#include "eval/numeric/words.h"
#include "eval/texture/sample.h"

#include <math.h>
#include <string.h>

#define ONE 0x3f800000u
#define INFINITE 0x7f800000u
#define SIGN 0x80000000u

static const struct gp5_format_info *info_of(const struct sample *s)
{
    return gp5_format_info(s->view->texture->format);
}

/* ---- one texel ---------------------------------------------------------------------------------------------- */

/* Components that a format does not have; a depth stands in three. */
static void fill(const struct sample *s, uint32_t word[4])
{
    const struct gp5_format_info *info = info_of(s);

    for (unsigned i = info->components; i < 4; i++)
        word[i] = i < 3 ? 0 : eval_format_is_float(s->view->texture->format) ? ONE : 1;
    if (s->view->texture->format == GP5_FORMAT_DEPTH32F)
        word[1] = word[2] = word[0];
}

/* A border's component in a normalised format as an image store would round it, to a number of so many bits, the sign's
 * among them. */
static int32_t border_code(uint32_t word, unsigned bits, bool sign)
{
    int32_t n = (int32_t)eval_texel_scale(sign ? word & ~SIGN : word, bits - sign);

    return sign && word & SIGN ? -n : n;
}

/* Component c of a texel of a normalised format as the filter sees it. */
static int32_t texel_code(const uint8_t *texel, const struct gp5_format_info *info, unsigned c)
{
    uint32_t code;

    if (info->kind == GP5_KIND_PACKED_UNORM) {
        code = eval_texel_bits(texel, 32) >> 10 * c & 0x3ff;
        return (int32_t)(c < 3 ? code << 6 | code >> 4 : code * 0x5555);
    }
    code = eval_texel_bits(texel + c * info->bits / 8, info->bits);
    if (info->kind == GP5_KIND_SNORM)
        return info->bits == 8 ? (int8_t)code : (int16_t)code;
    return (int32_t)(info->bits == 8 ? code * 257 : code);
}

static int32_t tap_code(const struct sample *s, const struct texel_level *l, const struct tap *tap, unsigned c)
{
    const struct gp5_format_info *info = info_of(s);
    const uint32_t *border = s->view->texture->sampler.border;

    if (!tap->border)
        return texel_code(l->data + eval_texel_offset(l, tap->at[0], tap->at[1], tap->at[2]), info, c);
    if (info->kind == GP5_KIND_UNORM && info->bits == 8)
        return border_code(border[c], 8, false) * 257;
    return border_code(border[c], info->bits ? info->bits : 16, info->kind == GP5_KIND_SNORM);
}

static bool is_normalized(unsigned kind)
{
    return kind == GP5_KIND_UNORM || kind == GP5_KIND_SNORM || kind == GP5_KIND_PACKED_UNORM;
}

/* A border's component of a normalised format where nothing is filtered: n over the greatest n of the component. */
static uint32_t border_number(const struct gp5_format_info *info, uint32_t word, unsigned c)
{
    bool sign = info->kind == GP5_KIND_SNORM;
    unsigned bits = info->bits ? info->bits : 16;

    if (!info->bits && c < 3)   /* the first ten of sixteen */
        return num_word((float)((border_code(word, bits, false) >> 6) / 1023.0));
    return num_word((float)(border_code(word, bits, sign) / (double)((1 << (bits - sign)) - 1)));
}

static uint32_t cut_integer(uint32_t word, unsigned bits, bool sign)
{
    uint32_t top = UINT32_C(1) << (bits - 1);

    word &= top | (top - 1);
    return sign ? (word ^ top) - top : word;
}

/* A border stands in the texture's own precision, but R11F_G11F_B10F's in halves. */
static void fetch_border(const struct sample *s, uint32_t word[4])
{
    const struct gp5_format_info *info = info_of(s);

    memcpy(word, s->view->texture->sampler.border, 4 * sizeof *word);
    for (unsigned c = 0; c < info->components; c++) {
        if (is_normalized(info->kind))
            word[c] = border_number(info, word[c], c);
        else if ((info->bits == 16 && info->kind == GP5_KIND_FLOAT) || info->kind == GP5_KIND_PACKED_FLOAT)
            word[c] = eval_texel_widen(eval_texel_half(word[c]));
        else if (info->kind != GP5_KIND_FLOAT)
            word[c] = cut_integer(word[c], info->bits ? info->bits : 16, info->kind == GP5_KIND_SINT);
    }
}

void eval_fetch_tap(const struct sample *s, const struct texel_level *level, const struct tap *tap, uint32_t word[4])
{
    const uint8_t *texel = level->data + eval_texel_offset(level, tap->at[0], tap->at[1], tap->at[2]);

    if (tap->border) {
        fetch_border(s, word);
    } else {
        eval_texel_read(texel, level->format, word);
    }
    fill(s, word);
}

/* The texel's bits in a format of one component of 16: the border's are those that an image store would write. */
static uint32_t sixteen_bits(const struct sample *s, const struct texel_level *level, const struct tap *tap)
{
    const uint32_t *border = s->view->texture->sampler.border;
    uint8_t stored[2];

    if (!tap->border)
        return eval_texel_bits(level->data + eval_texel_offset(level, tap->at[0], tap->at[1], tap->at[2]), 16);
    if (!eval_format_is_float(level->format))
        return border[0] & 0xffff;
    eval_texel_write(stored, level->format, false, border);
    return eval_texel_bits(stored, 16);
}

/* Sixteen bits stand for a depth of 0 to 1, whatever numbers the format has, and so does the reference then. */
static uint32_t compare_depth(const struct sample *s, const struct texel_level *level, const struct tap *tap)
{
    uint32_t word[4];
    float r = s->reference, d;
    bool passes;

    if (info_of(s)->bits == 16) {
        r = (float)eval_texel_scale(num_word(r), 16);
        d = (float)sixteen_bits(s, level, tap);
    } else {
        eval_fetch_tap(s, level, tap, word);
        d = num_float(word[0]);
    }
    switch (s->view->texture->sampler.compare) {
    case GP5_COMPARE_NEVER: passes = false; break;
    case GP5_COMPARE_LESS: passes = r < d; break;
    case GP5_COMPARE_EQUAL: passes = r == d; break;
    case GP5_COMPARE_LEQUAL: passes = r <= d; break;
    case GP5_COMPARE_GREATER: passes = r > d; break;
    case GP5_COMPARE_NOTEQUAL: passes = r != d; break;
    case GP5_COMPARE_GEQUAL: passes = r >= d; break;
    default: passes = true; break;
    }
    return passes ? ONE : 0;
}

/* ---- normalised formats ------------------------------------------------------------------------------------- */

/* A sum of numbers times weights of 256 as a float. Eight bits of SNORM go to fifteen on the way. */
static uint32_t normalized_sum(const struct gp5_format_info *info, int32_t sum)
{
    int32_t most = info->kind == GP5_KIND_SNORM ? 32767 : 65535, n = (sum + 128) >> 8;

    if (info->kind == GP5_KIND_SNORM && info->bits == 8)
        n = sum + ((sum + (sum >> 12) * 16 + 64) >> 7);
    return num_word((float)((n < -most ? -most : n) / (double)most));
}

/* ---- floats ------------------------------------------------------------------------------------------------- */

/* The precision of a filter: bits of a result, and how far below the greatest exponent texels still count. */
struct precision { int bits, below, least; };

/* The sum of a quad: `sum` times 2^`exponent`. */
struct partial { int64_t sum; int exponent; };

struct specials { bool nan, plus, minus, all_negative; };

static int exponent_of(uint32_t word, const struct precision *p)
{
    int e = (int)(word >> 23 & 255) - 127;

    return e < p->least ? p->least : e;
}

/* The magnitude in units of 2^unit, cut. Denormals count as zero. */
static int64_t magnitude(uint32_t word, int unit)
{
    int64_t m = (word & 0x7fffff) | 0x800000;
    int shift = (int)(word >> 23 & 255) - 150 - unit;

    if (!(word & INFINITE) || shift < -24)
        return 0;
    return shift < 0 ? m >> -shift : m << shift;
}

/* These count where the weight is rounded to nothing too. */
static void note(struct specials *k, uint32_t word)
{
    if ((word & 0x7fffffff) > INFINITE)
        k->nan = true;
    else if ((word & 0x7fffffff) == INFINITE)
        *(word >> 31 ? &k->minus : &k->plus) = true;
    k->all_negative &= word >> 31;
}

static struct partial sum_quad(const struct sample *s, const struct quad *q, unsigned c, const struct precision *p,
                               struct specials *k)
{
    uint32_t word[4][4];
    int most = p->least, unit;
    int64_t sum = 0;

    for (unsigned i = 0; i < q->n; i++) {
        eval_fetch_tap(s, q->level, &q->tap[i], word[i]);
        note(k, word[i][c]);
        if (q->tap[i].weight && exponent_of(word[i][c], p) > most)
            most = exponent_of(word[i][c], p);
    }
    unit = most - p->below;
    for (unsigned i = 0; i < q->n; i++) {
        /* What has no weight may be greater by any number of bits. */
        int64_t m = q->tap[i].weight ? magnitude(word[i][c], unit) * q->tap[i].weight : 0;
        sum += word[i][c] >> 31 ? -m : m;
    }
    return (struct partial){sum, unit - 8};
}

/* All quads, exactly, but for what lies 64 bits below the greatest: two's complement, the sign in the top bit. */
static struct partial sum_partials(const struct partial *part, unsigned n, __int128 *sum)
{
    int top = part[0].exponent, low;

    for (unsigned i = 1; i < n; i++)
        if (part[i].exponent > top)
            top = part[i].exponent;
    low = top - 64;
    *sum = 0;
    for (unsigned i = 0; i < n; i++) {
        int shift = part[i].exponent - low;
        *sum += shift >= 0 ? (__int128)part[i].sum * ((__int128)1 << shift) : shift > -64 ? part[i].sum >> -shift : 0;
    }
    return (struct partial){0, low};
}

/* A sum as a float of so many bits, ties away from zero; denormal floats become zero. */
static uint32_t round_sum(__int128 sum, int exponent, const struct precision *p)
{
    unsigned __int128 m = (unsigned __int128)(sum < 0 ? -sum : sum);
    uint32_t sign = sum < 0 ? SIGN : 0;
    int top = 0, shift;
    double value;

    if (!m)
        return 0;
    while (m >> top >> 1)
        top++;
    top += exponent;                            /* the sum's exponent */
    if (top < p->least && p->bits == 24)
        return sign;
    shift = (top < p->least ? p->least : top) - p->bits + 1 - exponent;
    if (shift > 0)
        m = (m >> (shift - 1)) + 1;
    m = shift > 0 ? m >> 1 : m << -shift;
    value = ldexp((double)(uint64_t)m, shift + exponent);
    return sign | (value > 0x1.fffffep127 ? INFINITE : num_word((float)value));
}

static uint32_t filter_floats(const struct sample *s, const struct footprint *f, unsigned c)
{
    static const struct precision single = {24, 27, -126}, half = {11, 14, -14};
    const struct precision *p = info_of(s)->bits == 32 ? &single : &half;
    struct specials k = {.all_negative = true};
    struct partial part[MAX_QUADS], unit;
    __int128 sum;

    for (unsigned i = 0; i < f->n; i++)
        part[i] = sum_quad(s, &f->quad[i], c, p, &k);
    if (k.nan || (k.plus && k.minus))
        return p == &single ? 0x7fffffff : 0x7fffe000;
    if (k.plus || k.minus)
        return k.plus ? INFINITE : INFINITE | SIGN;
    unit = sum_partials(part, f->n, &sum);
    return sum ? round_sum(sum, unit.exponent, p) : k.all_negative ? SIGN : 0;
}

/* ---- what a filter gives ------------------------------------------------------------------------------------ */

static uint32_t filter_normalized(const struct sample *s, const struct footprint *f, unsigned c)
{
    int32_t sum = 0;

    for (unsigned i = 0; i < f->n; i++)
        for (unsigned k = 0; k < f->quad[i].n; k++)
            sum += f->quad[i].tap[k].weight * tap_code(s, f->quad[i].level, &f->quad[i].tap[k], c);
    return normalized_sum(info_of(s), sum);
}

/* Integers, at the corner of a cube that a gather looks at: to the nearest, ties up, but of 32 bits cut towards minus
 * infinity. */
static uint32_t filter_integers(const struct sample *s, const struct quad *q, unsigned c)
{
    int64_t sum = info_of(s)->bits == 32 ? 0 : ONE_LEVEL / 2;
    uint32_t word[4];

    for (unsigned i = 0; i < q->n; i++) {
        eval_fetch_tap(s, q->level, &q->tap[i], word);
        sum += q->tap[i].weight * (info_of(s)->kind == GP5_KIND_SINT ? (int64_t)(int32_t)word[c] : (int64_t)word[c]);
    }
    return (uint32_t)(sum >> 8);
}

/* How much of the texels passes the comparison. */
static uint32_t filter_comparison(const struct sample *s, const struct footprint *f)
{
    int32_t sum = 0;

    for (unsigned i = 0; i < f->n; i++)
        for (unsigned k = 0; k < f->quad[i].n; k++)
            sum += compare_depth(s, f->quad[i].level, &f->quad[i].tap[k]) ? f->quad[i].tap[k].weight : 0;
    return num_word((float)sum / 256);
}

void eval_filter(const struct sample *s, const struct footprint *f, uint32_t word[4])
{
    const struct gp5_format_info *info = info_of(s);

    if (s->compares) {
        word[0] = filter_comparison(s, f);
        fill(s, word);
        word[3] = s->view->texture->sampler.intensity ? word[0] : word[3];
        return;
    }
    if (!f->filtered || !eval_format_is_float(s->view->texture->format)) {
        eval_fetch_tap(s, f->quad[0].level, &f->quad[0].tap[0], word);
        for (unsigned c = 0; f->quad[0].n > 1 && c < info->components; c++)
            word[c] = filter_integers(s, &f->quad[0], c);
        return;
    }
    for (unsigned c = 0; c < info->components; c++)
        word[c] = is_normalized(info->kind) ? filter_normalized(s, f, c) : filter_floats(s, f, c);
    fill(s, word);
}

/* Whether there are coordinates or levels for which it does. */
bool eval_mixes_texels(const struct gp5_sampler *s)
{
    return s->mag_filter == GP5_FILTER_LINEAR || s->min_filter == GP5_FILTER_LINEAR ||
           s->min_filter >= GP5_FILTER_LINEAR_MIPMAP_NEAREST;
}

void eval_sample(const struct sample *s, lod_t lod, struct footprint *f, uint32_t word[4])
{
    const struct gp5_texture *t = s->view->texture;
    uint32_t level, fraction;
    bool linear;

    eval_lod_levels(t, lod, &level, &fraction, &linear);
    if (!eval_format_is_float(t->format)) {     /* integers are not mixed */
        linear = false;
        fraction = 0;
    }
    f->n = 0;
    f->filtered = eval_mixes_texels(&t->sampler);
    eval_footprint_add(f, s, level, 256 - fraction, linear);
    if (fraction)
        eval_footprint_add(f, s, level + 1, fraction, linear);
    eval_filter(s, f, word);
}
