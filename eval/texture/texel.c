/* Texels in memory and as values (texel.h). All of it is arithmetic in integers, the same whatever the floating-point
 * environment is. */
#include "eval/texture/texel.h"

#include "eval/numeric/half_memory.h"

#include <string.h>

#define ONE 0x3f800000u
#define INFINITE 0x7f800000u

bool eval_texel_level(const struct gp5_texture *texture, uint32_t level, struct texel_level *out)
{
    const struct gp5_format_info *info = gp5_format_info(texture->format);
    uint64_t start = gp5_texture_bytes(texture, level);

    memset(out, 0, sizeof *out);
    if (!info || level >= texture->levels)
        return false;
    gp5_texture_level(texture, level, out->size);
    out->start = start;
    out->data = texture->data + start;
    out->format = texture->format;
    out->bytes = info->bytes;
    return true;
}

/* ---- reading -------------------------------------------------------------------------------------------------------
 */

/* n / most as the nearest float, n <= most < 2^16: 40 bits of the quotient say on which side of the middle it is, and
 * it never is the middle. */
static uint32_t quotient(uint32_t n, uint32_t most)
{
    uint64_t q = ((uint64_t)n << 40) / most;
    unsigned top;

    if (!n)
        return 0;
    top = 63u - (unsigned)__builtin_clzll(q);       /* q / 2^40 is 1.something * 2^(top - 40); top >= 24 */
    q = (q + (UINT64_C(1) << (top - 24))) >> (top - 23);
    /* A carry out of the fraction goes where it belongs: into the exponent. */
    return (uint32_t)(((uint64_t)(top + 86) << 23) + q);
}

static int32_t extend(uint32_t word, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << (bits - 1);

    return (int32_t)((word ^ sign) - sign);
}

static uint32_t read_snorm(uint32_t code, unsigned bits)
{
    int32_t n = extend(code, bits), most = (1 << (bits - 1)) - 1;

    if (n < -most)
        n = -most;
    return n < 0 ? 0x80000000u | quotient((uint32_t)-n, (uint32_t)most) : quotient((uint32_t)n, (uint32_t)most);
}

/* A half, or a smaller float in its place; a NaN keeps its bits. */
uint32_t eval_texel_widen(uint32_t half)
{
    return (half & 0x7fff) > 0x7c00 ? (half & 0x8000) << 16 | INFINITE | (half & 0x3ff) << 13
                                    : eval_half_to_float((uint16_t)half);
}

static uint32_t read_component(uint32_t code, unsigned bits, unsigned kind)
{
    switch (kind) {
    case GP5_KIND_UNORM: return quotient(code, (UINT32_C(1) << bits) - 1);
    case GP5_KIND_SNORM: return read_snorm(code, bits);
    case GP5_KIND_FLOAT: return bits == 16 ? eval_texel_widen(code) : code;
    case GP5_KIND_SINT: return (uint32_t)extend(code, bits);
    default: return code;
    }
}

/* The fields of packed formats: floats of 11 and 10 bits are halves without a sign and without their last bits. */
static void read_packed(uint32_t texel, unsigned kind, uint32_t word[4])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t field = i < 3 ? texel >> (10 * i) & 0x3ff : texel >> 30;
        word[i] = kind == GP5_KIND_PACKED_UNORM ? quotient(field, i < 3 ? 1023 : 3) : field;
    }
    if (kind != GP5_KIND_PACKED_FLOAT)
        return;
    word[0] = eval_texel_widen((texel & 0x7ff) << 4);
    word[1] = eval_texel_widen((texel >> 11 & 0x7ff) << 4);
    word[2] = eval_texel_widen(texel >> 22 << 5);
    word[3] = ONE;
}

void eval_texel_read(const uint8_t *texel, unsigned format, uint32_t word[4])
{
    const struct gp5_format_info *info = gp5_format_info(format);

    memset(word, 0, 4 * sizeof *word);
    if (!info)
        return;
    if (!info->bits) {
        read_packed(eval_texel_bits(texel, 32), info->kind, word);
        return;
    }
    word[3] = eval_format_is_float(format) ? ONE : 1;
    for (unsigned i = 0; i < info->components; i++)
        word[i] = read_component(eval_texel_bits(texel + i * info->bits / 8, info->bits), info->bits, info->kind);
}

/* ---- writing -------------------------------------------------------------------------------------------------------
 */

static bool is_nan(uint32_t word)
{
    return (word & 0x7fffffff) > INFINITE;
}

/* A float of 0 to 1 as a number of so many bits: cut off to four bits more, scaled, and rounded to the nearest, ties
 * down. Beyond is 0 and the largest, NaN is 0. Measured (tests/recordings/images.txt). */
uint32_t eval_texel_scale(uint32_t word, unsigned bits)
{
    uint32_t exponent = word >> 23 & 0xff, most = (UINT32_C(1) << bits) - 1;
    uint64_t fixed;

    if (is_nan(word) || word >> 31 || exponent < 127 - 20)
        return 0;
    if (word >= ONE)
        return most;
    fixed = (uint64_t)((word & 0x7fffff) | 0x800000) >> (146 - exponent - bits);
    return (uint32_t)((fixed * most + (UINT64_C(1) << (bits + 3)) - 1) >> (bits + 4));
}

static uint32_t write_snorm(uint32_t word, unsigned bits)
{
    uint32_t n = eval_texel_scale(word & 0x7fffffff, bits - 1);

    return word >> 31 ? 0u - n : n;
}

/* An integer kept within what the format holds. */
static uint32_t write_integer(uint32_t word, unsigned bits, bool from_signed, bool to_signed)
{
    uint32_t most;

    if (bits == 32)
        return word;
    most = (UINT32_C(1) << (bits - to_signed)) - 1;
    if (from_signed && (int32_t)word < 0) {
        int32_t least = to_signed ? -(int32_t)most - 1 : 0;
        return (int32_t)word < least ? (uint32_t)least : word;
    }
    return word > most ? most : word;
}

/* A float of five bits of exponent: cut off, so that finite numbers stay finite; a NaN keeps its first bits, or becomes
 * one with the last bit set. Without a sign: of what is negative only NaNs are not 0. */
static uint32_t write_float(uint32_t word, unsigned fraction)
{
    uint32_t cut = 23 - fraction, magnitude = word & 0x7fffffff, exponent = magnitude >> 23;
    uint32_t infinite = UINT32_C(31) << fraction, payload = (magnitude & 0x7fffff) >> cut;

    if (is_nan(word))
        return infinite | (payload ? payload : 1);
    if (magnitude == INFINITE)
        return infinite;
    if (magnitude >= 0x47800000)        /* 65536 */
        return infinite - 1;
    if (exponent >= 113)
        return (magnitude - (UINT32_C(112) << 23)) >> cut;
    return exponent < 113 - fraction ? 0 : ((magnitude & 0x7fffff) | 0x800000) >> (cut + 113 - exponent);
}

uint32_t eval_texel_half(uint32_t word)
{
    return (word >> 16 & 0x8000) | write_float(word, 10);
}

static uint32_t write_small(uint32_t word, unsigned fraction)
{
    return word >> 31 && !is_nan(word) ? 0 : write_float(word, fraction);
}

static uint32_t write_component(uint32_t word, unsigned bits, unsigned kind, bool sign)
{
    switch (kind) {
    case GP5_KIND_UNORM: return eval_texel_scale(word, bits);
    case GP5_KIND_SNORM: return write_snorm(word, bits);
    case GP5_KIND_FLOAT: return bits == 16 ? eval_texel_half(word) : word;
    case GP5_KIND_SINT: return write_integer(word, bits, sign, true);
    default: return write_integer(word, bits, sign, false);
    }
}

/* Two bits, made of ten (measured). */
static uint32_t scale_alpha(uint32_t word)
{
    return (eval_texel_scale(word, 10) + 128) / 320;
}

static uint32_t write_packed(unsigned kind, bool sign, const uint32_t word[4])
{
    uint32_t texel = 0;

    if (kind == GP5_KIND_PACKED_FLOAT)
        return write_small(word[0], 6) | write_small(word[1], 6) << 11 | write_small(word[2], 5) << 22;
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = i < 3 ? 10 : 2;
        texel |= (kind == GP5_KIND_PACKED_UNORM ? i < 3 ? eval_texel_scale(word[i], 10) : scale_alpha(word[i])
                                                : write_integer(word[i], bits, sign, false)) << (10 * i);
    }
    return texel;
}

static void write_bits(uint8_t *p, unsigned bits, uint32_t word)
{
    for (unsigned i = 0; i < bits / 8; i++)
        p[i] = (uint8_t)(word >> (8 * i));
}

void eval_texel_write(uint8_t *texel, unsigned format, bool sign, const uint32_t word[4])
{
    const struct gp5_format_info *info = gp5_format_info(format);

    if (!info)
        return;
    if (!info->bits) {
        write_bits(texel, 32, write_packed(info->kind, sign, word));
        return;
    }
    for (unsigned i = 0; i < info->components; i++)
        write_bits(texel + i * info->bits / 8, info->bits, write_component(word[i], info->bits, info->kind, sign));
}
