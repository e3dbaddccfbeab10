/* One value from any type to any other, in any rounding mode: slow, exact, and independent of the
 * floating-point mode.
 * A value is a sign, a magnitude and an exponent (magnitude * 2^exponent), or infinite, or not a number. */
#ifndef GP5_EVAL_NUMERIC_CONVERT_H
#define GP5_EVAL_NUMERIC_CONVERT_H

#include "asm/isa.h"
#include "eval/numeric/words.h"

enum num_mode { NUM_NEAREST, NUM_UP, NUM_DOWN, NUM_ZERO };
enum num_class { NUM_FINITE, NUM_INFINITE, NUM_NOT };

struct num_value {
    uint8_t class;              /* enum num_class */
    bool negative;
    int32_t exponent;
    uint64_t magnitude;         /* NUM_NOT: the significand, its top bit leftmost */
};

/* A binary format: significand bits without the leading one, exponent bits. */
struct num_format {
    int precision, width;
};

static inline struct num_format num_format_of(unsigned type)
{
    return type == DT_F16 ? (struct num_format){10, 16} : type == DT_F32 ? (struct num_format){23, 32}
                                                                         : (struct num_format){52, 64};
}

static inline unsigned num_bits_of(unsigned type)
{
    switch (type) {
    case DT_S8: case DT_U8: return 8;
    case DT_F16: case DT_S16: case DT_U16: return 16;
    case DT_F64: case DT_S64: case DT_U64: return 64;
    default: return 32;
    }
}

static inline bool num_is_float(unsigned type)
{
    return type == DT_F16 || type == DT_F32 || type == DT_F64;
}

static inline bool num_is_signed(unsigned type)
{
    return type == DT_S8 || type == DT_S16 || type == DT_S32 || type == DT_S64;
}

static inline uint64_t num_low_mask(unsigned bits)
{
    return bits < 64 ? (1ull << bits) - 1 : ~0ull;
}

/* ---- in ------------------------------------------------------------------------------------------------ */

static inline struct num_value num_from_float(uint64_t word, unsigned type, bool flush)
{
    struct num_format f = num_format_of(type);
    int exponents = f.width - 1 - f.precision, bias = (1 << (exponents - 1)) - 1;
    uint64_t fraction = word & num_low_mask((unsigned)f.precision);
    int e = (int)(word >> f.precision & num_low_mask((unsigned)exponents));
    struct num_value v = {.class = NUM_FINITE, .negative = word >> (f.width - 1) & 1, .magnitude = fraction};

    if (e == (1 << exponents) - 1) {
        v.class = fraction ? NUM_NOT : NUM_INFINITE;
        v.magnitude = fraction << (64 - f.precision);
    } else if (e == 0) {
        v.magnitude = flush ? 0 : fraction;
        v.exponent = 1 - bias - f.precision;
    } else {
        v.magnitude |= 1ull << f.precision;
        v.exponent = e - bias - f.precision;
    }
    return v;
}

static inline struct num_value num_from_int(uint64_t word, unsigned type)
{
    unsigned bits = num_bits_of(type);
    struct num_value v = {.class = NUM_FINITE, .magnitude = word & num_low_mask(bits)};
    if (num_is_signed(type) && v.magnitude >> (bits - 1)) {
        v.negative = true;
        v.magnitude = (0 - v.magnitude) & num_low_mask(bits);
    }
    return v;
}

/* ---- out ----------------------------------------------------------------------------------------------- */

/* Does a magnitude that was cut off grow by one? `half`: the first bit lost, `rest`: any other. */
static inline bool num_rounds_up(enum num_mode mode, bool negative, bool odd, bool half, bool rest)
{
    switch (mode) {
    case NUM_NEAREST: return half && (rest || odd);
    case NUM_UP: return !negative && (half || rest);
    case NUM_DOWN: return negative && (half || rest);
    default: return false;
    }
}

/* magnitude >> shift, rounded; shift > 0, and more than 64 leaves nothing but the rounding. */
static inline uint64_t num_shift_rounded(uint64_t magnitude, int shift, enum num_mode mode, bool negative)
{
    uint64_t kept = shift < 64 ? magnitude >> shift : 0;
    bool half = shift <= 64 && (magnitude >> (shift - 1) & 1);
    bool rest = shift > 64 ? magnitude != 0 : (magnitude & num_low_mask((unsigned)shift - 1)) != 0;
    return kept + num_rounds_up(mode, negative, kept & 1, half, rest);
}

static inline uint64_t num_to_float(struct num_value v, unsigned type, enum num_mode mode)
{
    struct num_format f = num_format_of(type);
    int exponents = f.width - 1 - f.precision, bias = (1 << (exponents - 1)) - 1;
    uint64_t sign = (uint64_t)v.negative << (f.width - 1),
        infinity = num_low_mask((unsigned)exponents) << f.precision;

    if (v.class == NUM_NOT)
        return sign | infinity | 1ull << (f.precision - 1) | v.magnitude >> (64 - f.precision);
    if (v.class == NUM_INFINITE)
        return sign | infinity;
    if (v.magnitude == 0)
        return sign;
    /* the value is in [2^top, 2^(top + 1)) */
    int top = 63 - __builtin_clzll(v.magnitude) + v.exponent;
    int least = 1 - bias - f.precision, unit = top - f.precision > least ? top - f.precision : least;
    int shift = unit - v.exponent;
    uint64_t m = shift > 0 ? num_shift_rounded(v.magnitude, shift, mode, v.negative) : v.magnitude << -shift;
    /* The leading one adds to the exponent field: denormals need no case of their own, nor does a carry. */
    uint64_t word = ((uint64_t)(unit - least) << f.precision) + m;
    if (word >= infinity)
        word = num_rounds_up(mode, v.negative, false, true, true) ? infinity : infinity - 1;
    return sign | word;
}

/* The integer nearest by `mode`, clamped to the type; NaN gives `nan`. Two's complement in 64 bits. */
static inline uint64_t num_to_int_clamped(struct num_value v, unsigned type, enum num_mode mode, uint64_t nan)
{
    unsigned bits = num_bits_of(type);
    uint64_t most = num_low_mask(num_is_signed(type) ? bits - 1 : bits), least = num_is_signed(type)
        ? most + 1 : 0;
    uint64_t limit = v.negative ? least : most, m = v.magnitude;

    if (v.class == NUM_NOT)
        return nan;
    if (v.class == NUM_INFINITE)
        m = limit;
    else if (v.exponent < 0)
        m = num_shift_rounded(m, -v.exponent, mode, v.negative);
    else if (m != 0)
        m = v.exponent > 63 || m > ~0ull >> v.exponent ? ~0ull : m << v.exponent;
    m = m > limit ? limit : m;
    return v.negative ? 0 - m : m;
}

/* The same with the bits above the type's dropped. Out of 64 bits there is nothing to drop to. */
static inline uint64_t num_to_int_wrapped(struct num_value v, unsigned type, enum num_mode mode)
{
    uint64_t m = v.magnitude;
    if (v.class != NUM_FINITE)
        return 0;
    if (v.exponent < 0)
        m = num_shift_rounded(m, -v.exponent, mode, v.negative);
    else
        m = v.exponent > 63 ? 0 : m << v.exponent;
    m = (v.negative ? 0 - m : m) & num_low_mask(num_bits_of(type));
    uint64_t sign = 1ull << (num_bits_of(type) - 1);
    return num_is_signed(type) ? (m ^ sign) - sign : m;
}

/* Into [0, 1], or into [-1, 1]; NaN goes to the lower bound. */
static inline struct num_value num_saturate(struct num_value v, bool is_signed)
{
    struct num_value one = {.class = NUM_FINITE, .negative = v.negative, .magnitude = 1},
        zero = {.class = NUM_FINITE};
    if (v.class == NUM_NOT) {
        one.negative = true;
        return is_signed ? one : zero;
    }
    if (v.negative && !is_signed)
        return zero;
    bool above = v.class == NUM_INFINITE ||
                 (v.magnitude != 0 && 63 - __builtin_clzll(v.magnitude) + v.exponent >= 0);
    return above ? one : v;
}

#endif
