/* Texels of textures, and what a border is there. */
#include "tests/oracle/sample.h"

#include "tests/oracle/scalar_soft.h"

#include <math.h>
#include <string.h>

#define ONE 0x3f800000u
#define SIGN 0x80000000u

bool oracle_whole_numbers(const struct gp5_texture *t)
{
    unsigned kind = gp5_format_info(t->format)->kind;
    return kind == GP5_KIND_UINT || kind == GP5_KIND_SINT || kind == GP5_KIND_PACKED_UINT;
}

bool oracle_mixes(const struct gp5_texture *t)
{
    const struct gp5_sampler *y = &t->sampler;
    return y->mag_filter == GP5_FILTER_LINEAR ||
           (y->min_filter != GP5_FILTER_NEAREST && y->min_filter != GP5_FILTER_NEAREST_MIPMAP_NEAREST);
}

bool oracle_has_levels(const struct gp5_texture *t)
{
    return t->sampler.min_filter != GP5_FILTER_NEAREST && t->sampler.min_filter != GP5_FILTER_LINEAR;
}

static uint32_t half_of(uint32_t n)
{
    return n > 1 ? n / 2 : n;
}

void oracle_level_size(const struct gp5_texture *t, uint32_t level, uint32_t size[3])
{
    memcpy(size, t->size, 3 * sizeof *size);
    for (; level; level--) {
        size[0] = half_of(size[0]);
        size[1] = half_of(size[1]);
        if (t->kind == GP5_TEXTURE_3D)
            size[2] = half_of(size[2]);
    }
}

static unsigned oracle_texel_bytes(const struct gp5_format_info *f)
{
    return f->bits ? f->components * f->bits / 8u : 4;
}

bool oracle_is_normalised(const struct gp5_format_info *f)
{
    return f->kind == GP5_KIND_UNORM || f->kind == GP5_KIND_SNORM || f->kind == GP5_KIND_PACKED_UNORM;
}

/* Where a texel begins; false where there is none. */
bool oracle_find_texel(const struct gp5_texture *t, const struct oracle_tap *p, uint64_t *at)
{
    unsigned bytes = oracle_texel_bytes(gp5_format_info(t->format));
    uint32_t size[3];
    *at = 0;
    if (p->level >= t->levels)
        return false;
    for (uint32_t level = 0; level < p->level; level++) {
        oracle_level_size(t, level, size);
        *at += (uint64_t)size[0] * size[1] * size[2] * bytes;
    }
    oracle_level_size(t, p->level, size);
    for (unsigned k = 0; k < 3; k++)
        if (p->at[k] < 0 || p->at[k] >= size[k])
            return false;
    *at += (((uint64_t)p->at[2] * size[1] + (uint64_t)p->at[1]) * size[0] + (uint64_t)p->at[0]) * bytes;
    return true;
}

/* As an image store would write it; of packed numbers 16 bits, small floats as halves, the low bits of integers. */
uint32_t oracle_border_bits(const struct gp5_texture *t, unsigned c, unsigned *bits)
{
    const struct gp5_format_info *f = gp5_format_info(t->format);
    uint32_t word = t->sampler.border[c];
    *bits = f->bits ? f->bits : 16;
    if (!oracle_whole_numbers(t))
        word = oracle_code_of(f, word, *bits, false);
    return *bits < 32 ? word & ((1u << *bits) - 1) : word;
}

uint32_t oracle_quotient(int64_t n, int64_t by)
{
    return n ? (uint32_t)soft_pack(soft_div(soft_from_int(n), soft_from_int(by)), 32, SOFT_NEAREST, false, 0) : 0;
}

static uint32_t border_word(const struct gp5_texture *t, unsigned c)
{
    const struct gp5_format_info *f = gp5_format_info(t->format);
    unsigned bits;
    uint32_t code = oracle_border_bits(t, c, &bits);
    if (f->kind == GP5_KIND_PACKED_UNORM && c < 3)      /* of these the first ten */
        return oracle_number_of(f, code >> 6, 10);
    return oracle_number_of(f, code, bits);
}

void oracle_fetch_texel(const struct oracle_sampled *s, const struct oracle_tap *p, struct oracle_value r[4])
{
    const struct gp5_texture *t = s->texture;
    const struct gp5_format_info *f = gp5_format_info(t->format);
    uint32_t word[4] = {0};
    uint64_t at = 0;
    bool undef = false;
    if (p->border) {
        for (unsigned c = 0; c < f->components; c++)
            word[c] = border_word(t, c);
    } else if (oracle_find_texel(t, p, &at)) {
        oracle_texel(f, t->data + at, word);
        for (uint64_t w = at / 4; s->undef && w <= (at + oracle_texel_bytes(f) - 1) / 4; w++)
            undef |= s->undef[w];
    }
    for (unsigned c = 0; c < 4; c++)
        r[c] = (struct oracle_value){.bits = c < f->components         ? word[c]
                                             : c < 3                   ? 0
                                             : oracle_whole_numbers(t) ? 1
                                                                       : ONE,
                                     .undef = undef};
    if (t->format == GP5_FORMAT_DEPTH32F)
        r[1] = r[2] = r[0];
}

/* Sixteen bits are a depth of 0 to 1, whatever numbers the format has, and the reference has as many. */
static enum soft_order order_of_sixteen(const struct oracle_sampled *s, const struct oracle_tap *p)
{
    unsigned bits = 16;
    uint64_t at = 0;
    uint32_t reference = oracle_code_of(gp5_format_info(GP5_FORMAT_R16), s->reference, bits, false);
    uint32_t depth = p->border ? oracle_border_bits(s->texture, 0, &bits)
                     : oracle_find_texel(s->texture, p, &at) ? (uint32_t)oracle_get(s->texture->data + at, DT_U16) : 0;
    return reference < depth ? SOFT_LESS : reference > depth ? SOFT_GREATER : SOFT_EQUAL;
}

uint32_t oracle_compared(const struct oracle_sampled *s, const struct oracle_tap *p)
{
    enum soft_order order;
    struct oracle_value word[4];
    oracle_fetch_texel(s, p, word);
    if (gp5_format_info(s->texture->format)->bits == 16)
        order = order_of_sixteen(s, p);
    else
        order =
            soft_compare(soft_unpack(s->reference, 32, s->flush), soft_unpack((uint32_t)word[0].bits, 32, s->flush));
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
