/* Components of texels in memory: their bits, the numbers that these are, and codes of numbers. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"

bool oracle_has_floats(const struct gp5_format_info *f)
{
    return f->kind != GP5_KIND_UINT && f->kind != GP5_KIND_SINT && f->kind != GP5_KIND_PACKED_UINT;
}

/* Where component c of a format stands in its texel, in bits. */
bool oracle_texel_field(const struct gp5_format_info *f, unsigned c, unsigned *at, unsigned *bits)
{
    static const uint8_t tens[4] = {10, 10, 10, 2}, elevens[3] = {11, 11, 10};
    const uint8_t *sizes = f->kind == GP5_KIND_PACKED_FLOAT ? elevens : tens;
    *at = 0;
    if (c >= f->components)
        return false;
    for (unsigned k = 0; k <= c; k++) {
        *at += k ? *bits : 0;
        *bits = f->bits ? f->bits : sizes[k];
    }
    return true;
}

uint32_t oracle_bits_at(const uint8_t *texel, unsigned at, unsigned n)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < n; k++)
        v |= (uint32_t)(texel[(at + k) / 8] >> (at + k) % 8 & 1) << k;
    return v;
}

void oracle_set_bits(uint8_t *texel, unsigned at, unsigned n, uint32_t v)
{
    for (unsigned k = 0; k < n; k++) {
        texel[(at + k) / 8] &= (uint8_t)~(1u << (at + k) % 8);
        texel[(at + k) / 8] |= (uint8_t)((v >> k & 1) << (at + k) % 8);
    }
}

static int64_t with_sign(uint32_t v, unsigned bits)
{
    return v >> (bits - 1) ? (int64_t)v - ((int64_t)1 << bits) : (int64_t)v;
}

/* n / most, rounded once. */
static uint32_t ratio(int64_t n, int64_t most)
{
    if (n < -most)
        n = -most;
    return n ? (uint32_t)soft_pack(soft_div(soft_from_int(n), soft_from_int(most)), 32, SOFT_NEAREST, false, 0) : 0;
}

/* A half, or a float of fewer bits moved to where they are a half's; NaNs keep their bits. */
static uint32_t widened(uint32_t half)
{
    if ((half >> 10 & 31) == 31 && half & 1023)
        return (half >> 15) << 31 | 255u << 23 | (half & 1023) << 13;
    return (uint32_t)soft_pack(soft_unpack(half, 16, false), 32, SOFT_NEAREST, false, 0);
}

uint32_t oracle_number_of(const struct gp5_format_info *f, uint32_t v, unsigned bits)
{
    switch (f->kind) {
    case GP5_KIND_UNORM: case GP5_KIND_PACKED_UNORM: return ratio(v, ((int64_t)1 << bits) - 1);
    case GP5_KIND_SNORM: return ratio(with_sign(v, bits), ((int64_t)1 << (bits - 1)) - 1);
    case GP5_KIND_FLOAT:
    case GP5_KIND_PACKED_FLOAT:
        return bits == 32 ? v : bits == 16 ? widened(v) : widened(v << (15 - bits));
    case GP5_KIND_SINT: return (uint32_t)with_sign(v, bits);
    default: return v;
    }
}

void oracle_texel(const struct gp5_format_info *f, const uint8_t *texel, uint32_t word[4])
{
    for (unsigned c = 0; c < 4; c++) {
        unsigned at, bits;
        word[c] = oracle_texel_field(f, c, &at, &bits) ? oracle_number_of(f, oracle_bits_at(texel, at, bits), bits) : 0;
    }
}

/* |x| of 0 to 1: its first bits + 4 bits behind the point, times the largest, to the nearest integer, a half downwards.
 */
static int64_t normalised(uint32_t word, unsigned bits)
{
    struct soft x = soft_unpack(word & 0x7fffffff, 32, false);
    int64_t most = ((int64_t)1 << bits) - 1, unit = (int64_t)16 << bits, cut;
    if (x.kind == SOFT_NAN)
        return 0;
    if (x.kind == SOFT_INFINITY || soft_compare(x, soft_from_int(1)) != SOFT_LESS)
        return most;
    cut = (int64_t)soft_to_int(soft_integral(soft_mul(x, soft_from_int(unit)), SOFT_ZERO), 0, unit, 0);
    return (2 * cut * most - unit + 2 * unit - 1) / (2 * unit);     /* upwards, of cut * most / unit - 1/2 */
}

/* Cut off to a half, of which smaller ones take the first bits. */
static uint32_t narrowed(uint32_t word, unsigned bits)
{
    unsigned lost = bits == 16 ? 0 : 15 - bits;
    uint32_t half;
    if ((word & 0x7fffffff) > 0x7f800000) {
        half = 31u << 10 | (word & 0x7fffff) >> 13;
        half = half >> lost;
        half |= (half & (1023u >> lost)) == 0;
        return bits == 16 ? half | (word >> 31) << 15 : half;
    }
    if (bits != 16 && word >> 31)
        return 0;
    return (uint32_t)soft_pack(soft_unpack(word, 32, false), 16, SOFT_ZERO, false, 0) >> lost;
}

static uint32_t within(uint32_t word, bool from_signed, bool to_signed, unsigned bits)
{
    int64_t v = from_signed ? (int32_t)word : (int64_t)word, least = to_signed ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t most = ((int64_t)1 << (to_signed ? bits - 1 : bits)) - 1;
    if (bits == 32)
        return word;
    return (uint32_t)(v < least ? least : v > most ? most : v);
}

uint32_t oracle_code_of(const struct gp5_format_info *f, uint32_t word, unsigned bits, bool is_signed)
{
    switch (f->kind) {
    case GP5_KIND_PACKED_UNORM:
        if (bits == 2)          /* made of ten bits */
            return word >> 31 ? 0 : (uint32_t)((normalised(word, 10) + 128) / 320);
        return word >> 31 ? 0 : (uint32_t)normalised(word, bits);
    case GP5_KIND_UNORM: return word >> 31 ? 0 : (uint32_t)normalised(word, bits);
    case GP5_KIND_SNORM: return (uint32_t)(word >> 31 ? -normalised(word, bits - 1) : normalised(word, bits - 1));
    case GP5_KIND_FLOAT: case GP5_KIND_PACKED_FLOAT: return bits == 32 ? word : narrowed(word, bits);
    default: return within(word, is_signed, f->kind == GP5_KIND_SINT, bits);
    }
}

/* ---- which texel ------------------------------------------------------------------------------------------------ */

/* An access: the texel, or why there is none. */
