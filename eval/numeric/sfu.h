/* The approximated functions of single floats, bit for bit as NVIDIA's special function unit computes them.
 *
 * Each is a table of quadratic polynomials, one for each of the segments that the leading bits of the
 * reduced operand name: c0 + c1 * x + c2 * x^2 over the remaining bits x, where the square is a truncated
 * one. docs/numbers.md ("Approximated functions") explains the arithmetic and how the tables (sfu_tables.c) were
 * found. Denormal operands and results are flushed. No branches and no calls, so that a loop over lanes becomes one of
 * gathers; doubles only hold integers below 2^53, exact in every rounding mode. */
#ifndef GP5_EVAL_NUMERIC_SFU_H
#define GP5_EVAL_NUMERIC_SFU_H

#include "eval/numeric/half.h"
#include "eval/numeric/words.h"

struct sfu_row {
    int32_t c0, c1, c2;
};

extern const struct sfu_row eval_sfu_rcp_rows[128], eval_sfu_rsq_rows[128], eval_sfu_ex2_rows[64],
    eval_sfu_sin_rows[64], eval_sfu_lg2_rows[64], eval_sfu_sqrt_rows[128];

/* Of each table: the weight of the unit of c0 in the polynomial, and what is added before the last bits are
 * cut off. */
#define SFU_RCP_SCALE (1 << 13)
#define SFU_RCP_BIAS 0x7e7
#define SFU_RSQ_SCALE (1 << 14)
#define SFU_RSQ_BIAS 0x3fff
#define SFU_SQRT_SCALE (1 << 14)
#define SFU_SQRT_BIAS 0x3fff
#define SFU_EX2_SCALE (1 << 13)
#define SFU_EX2_BIAS 0x17e2
#define SFU_SIN_SCALE (1 << 11)
#define SFU_SIN_BIAS 0
#define SFU_LG2_SCALE (1 << 12)
#define SFU_LG2_BIAS 0x345

/* A loop that is written out in any case: else the one over lanes around it is not vectorised. */
#if defined(__clang__)
#define SFU_UNROLL _Pragma("unroll")
#else
#define SFU_UNROLL _Pragma("GCC unroll 7")
#endif

/* x * x / 2^19 for 17 bits x, as a multiplier that leaves out the columns below 2^18: of the products of
 * two bits of x, only those whose weights multiply to 2^18 or more are added up. With x = high * 2^9 + low,
 * every product within high is in, none within low is, and of the mixed ones (each there twice) bit i of
 * high meets the bits of low from 9 - i on. */
static inline uint32_t sfu_square(uint32_t x)
{
    uint32_t high = x >> 9, low = x & 511, mixed = 0;
    SFU_UNROLL
    for (uint32_t i = 1; i < 8; i++)
        mixed += (low >> (9 - i)) & (0u - (high >> i & 1));
    return (high * high >> 1) + mixed;
}

static inline int64_t sfu_polynomial(const struct sfu_row *row, int32_t x, int32_t square, int32_t scale,
                                     int32_t bias)
{
    return (int64_t)row->c0 * scale + (int64_t)row->c1 * x + (int64_t)row->c2 * square + bias;
}

/* value / 2^point as a single, cut off after 24 bits; 0 <= value < 2^52. */
static inline uint32_t sfu_cut(int64_t value, uint32_t point)
{
    double exact = num_double((uint64_t)value | 0x4330000000000000ull) - 0x1p52;
    uint32_t word = (uint32_t)(num_word64(exact) >> 29) - ((896 + point) << 23);
    return word & (value ? ~0u : 0);
}

static inline uint32_t sfu_mask(int condition)
{
    return condition ? ~0u : 0;
}

/* A result whose exponent may have left the range of normal numbers: below it is a zero. */
static inline uint32_t sfu_flush_below(uint32_t word)
{
    return word & sfu_mask((int32_t)word >= 0x800000);
}

/* 1 / w */
static inline uint32_t eval_sfu_rcp(uint32_t w)
{
    uint32_t sign = w & SIGN32, e = w >> 23 & 255, m = w & 0x7fffff, x = m & 0xffff;
    const struct sfu_row *row = &eval_sfu_rcp_rows[m >> 16];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)sfu_square(x << 1), SFU_RCP_SCALE, SFU_RCP_BIAS);
    uint32_t r = sfu_flush_below((252 - e) * 0x800000 + (uint32_t)(p >> 15));
    r = num_select(sfu_mask(e == 0), EXP32, r);
    r = num_select(sfu_mask(e == 255), 0, r) | sign;
    return num_select(num_is_nan(w), NUM_NAN32, r);
}

/* 1 / sqrt(w). A power of four has its own way: the polynomial would stop just below the power of two. */
static inline uint32_t eval_sfu_rsq(uint32_t w)
{
    uint32_t sign = w & SIGN32, e = w >> 23 & 255;
    uint32_t m = (w & 0x7fffff) | (~e & 1) << 23, x = m & 0x1ffff;
    const struct sfu_row *row = &eval_sfu_rsq_rows[m >> 17];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)(sfu_square(x) << 2), SFU_RSQ_SCALE, SFU_RSQ_BIAS);
    uint32_t f = num_select(sfu_mask(m == 0), 0x1000000, (uint32_t)(p >> 16));
    uint32_t r = (189 - ((e + 1) >> 1)) * 0x800000 + f;
    r = num_select(sfu_mask(e == 255), 0, r);
    r = num_select(num_is_nan(w) | sfu_mask(sign != 0), NUM_NAN32, r);
    r = num_select(sfu_mask(e == 0), sign | EXP32, r);
    return r;
}

/* sqrt(w), which no instruction asks for by itself: model/simplify/pair.c. */
static inline uint32_t eval_sfu_sqrt(uint32_t w)
{
    uint32_t sign = w & SIGN32, e = w >> 23 & 255;
    uint32_t m = (w & 0x7fffff) | (~e & 1) << 23, x = m & 0x1ffff;
    const struct sfu_row *row = &eval_sfu_sqrt_rows[m >> 17];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)sfu_square(x), SFU_SQRT_SCALE, SFU_SQRT_BIAS);
    uint32_t f = num_select(sfu_mask(m == 0), 0x800000, (uint32_t)(p >> 17));
    uint32_t r = (((e + 1) >> 1) + 62) * 0x800000 + f;
    r = num_select(sfu_mask(e == 255), EXP32, r);
    r = num_select(num_is_nan(w) | sfu_mask(sign != 0), NUM_NAN32, r);
    return num_select(sfu_mask(e == 0), sign, r);
}

/* 2^w. The operand becomes a fixed-point number of 7.23 bits; a negative one is complemented, not negated,
 * unless it is an integer. */
static inline uint32_t eval_sfu_ex2(uint32_t w)
{
    uint32_t e = w >> 23 & 255, full = (w & 0x7fffff) | 0x800000;
    uint32_t left = (e - 127) & sfu_mask(e >= 127) & 7, right = (127 - e) & sfu_mask(e < 127);
    uint32_t fixed = full << left >> (right > 31 ? 31 : right);
    uint32_t negative = sfu_mask((w & SIGN32) != 0);
    fixed = (fixed ^ negative) - (negative & sfu_mask((fixed & 0x7fffff) == 0));
    uint32_t m = fixed & 0x7fffff, x = m & 0x1ffff;
    const struct sfu_row *row = &eval_sfu_ex2_rows[m >> 17];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)sfu_square(x), SFU_EX2_SCALE, SFU_EX2_BIAS);
    uint32_t r = sfu_flush_below((fixed & 0xff800000) + 126 * 0x800000u + (uint32_t)(p >> 15));
    r = num_select(sfu_mask(e >= 127 + 7), EXP32 & ~negative, r);
    return num_select(num_is_nan(w), NUM_NAN32, r);
}

/* The sine of the angle y * 2^shift, `quarters` quarter turns on, as a fixed-point number of 2.23 bits of a
 * quarter turn. The odd quarters run backwards, by complement. */
static inline uint32_t sfu_sin(uint32_t y, int32_t shift, uint32_t sign, uint32_t quarters)
{
    uint32_t left = (uint32_t)(shift > 0 ? shift : 0), right = (uint32_t)(shift < 0 ? -shift : 0);
    uint32_t fixed = y << (left > 25 ? 25 : left) >> (right > 31 ? 31 : right);
    fixed = (fixed & sfu_mask(left < 25)) + quarters * 0x800000;
    uint32_t backwards = 0u - (fixed >> 23 & 1);
    uint32_t m = (fixed ^ backwards) & 0x7fffff, x = m & 0x1ffff;
    const struct sfu_row *row = &eval_sfu_sin_rows[m >> 17];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)sfu_square(x), SFU_SIN_SCALE, SFU_SIN_BIAS);
    return sfu_cut(p, 37) | (sign ^ (fixed << 7 & SIGN32));
}

/* Of w radians: first a product with 1 / (2 pi), cut off to 24 bits. */
static inline uint32_t sfu_sin_radians(uint32_t w, uint32_t sign, uint32_t quarters)
{
    uint32_t e = w >> 23 & 255;
    uint64_t product = (uint64_t)((w & 0x7fffff) | 0x800000) * 0xa2f983;
    uint32_t carry = (uint32_t)(product >> 47), y = (uint32_t)(product >> (23 + carry));
    uint32_t r = sfu_sin(y, (int32_t)(e + carry) - 128, sign, quarters);
    return num_select(sfu_mask(e == 255), NUM_NAN32, r);
}

static inline uint32_t eval_sfu_sin(uint32_t w)
{
    return sfu_sin_radians(w, w & SIGN32, 0);
}

static inline uint32_t eval_sfu_cos(uint32_t w)
{
    return sfu_sin_radians(w, 0, 1);
}

/* log2(w): the exponent joined with the polynomial, made a magnitude by complement. 1 has its own way. */
static inline uint32_t eval_sfu_lg2(uint32_t w)
{
    uint32_t e = w >> 23 & 255, m = w & 0x7fffff, x = m & 0x1ffff;
    const struct sfu_row *row = &eval_sfu_lg2_rows[m >> 17];
    int64_t p = sfu_polynomial(row, (int32_t)x, (int32_t)(sfu_square(x) << 1), SFU_LG2_SCALE, SFU_LG2_BIAS);
    int64_t joined = (int64_t)((int32_t)e - 127) * (1ll << 36) + (p >> 2);
    uint32_t sign = (uint32_t)((uint64_t)joined >> 32) & SIGN32;
    int64_t magnitude = joined ^ -(int64_t)(sign >> 31);
    uint32_t r = (sfu_cut(magnitude, 36) | sign) & sfu_mask(w != ONE32);
    r = num_select(sfu_mask(e == 255), EXP32, r);
    r = num_select(num_is_nan(w) | sfu_mask((w & SIGN32) != 0), NUM_NAN32, r);
    return num_select(sfu_mask(e == 0), SIGN32 | EXP32, r);
}

/* ---- half precision: of the operand as a half, cut off to a half (held as a single) -------------------- */

/* The half next to zero; denormals stay, but too large is infinite. */
static inline uint32_t sfu_cut_half(uint32_t w)
{
    uint32_t m = w & ~SIGN32, e = m >> 23;
    uint32_t lost = e > 112 ? 13 : e < 103 ? 31 : 126 - e;
    uint32_t r = num_select(sfu_mask(e < 103), 0, m & (~0u << lost));
    r = num_select(sfu_mask(e > 142), EXP32, r) | (w & SIGN32);
    return num_select(num_is_nan(w), NUM_NAN32, r);
}

static inline uint32_t sfu_round_half(uint32_t w)
{
    return num_from_half(num_to_half(w));
}

static inline uint32_t eval_sfu_rcp_half(uint32_t w)
{
    return sfu_cut_half(eval_sfu_rcp(sfu_round_half(w)));
}

static inline uint32_t eval_sfu_rsq_half(uint32_t w)
{
    return sfu_cut_half(eval_sfu_rsq(sfu_round_half(w)));
}

static inline uint32_t eval_sfu_sqrt_half(uint32_t w)
{
    return sfu_cut_half(eval_sfu_sqrt(sfu_round_half(w)));
}

static inline uint32_t eval_sfu_ex2_half(uint32_t w)
{
    return sfu_cut_half(eval_sfu_ex2(sfu_round_half(w)));
}

static inline uint32_t eval_sfu_lg2_half(uint32_t w)
{
    return sfu_cut_half(eval_sfu_lg2(sfu_round_half(w)));
}

/* Here the product with 1 / (2 pi), 0x1.46p-3 as a half, is one of halves and rounded; a single holds it. */
static inline uint32_t sfu_turns_half(uint32_t w)
{
    return sfu_round_half(num_word(num_float(sfu_round_half(w)) * 0x1.46p-3f));
}

static inline uint32_t sfu_sin_half(uint32_t turns, uint32_t sign, uint32_t quarters)
{
    uint32_t e = turns >> 23 & 255;
    uint32_t r = sfu_cut_half(sfu_sin((turns & 0x7fffff) | 0x800000, (int32_t)e - 125, sign, quarters));
    return num_select(sfu_mask(e == 255), NUM_NAN32, r);
}

static inline uint32_t eval_sfu_sin_half(uint32_t w)
{
    uint32_t turns = sfu_turns_half(w);
    return sfu_sin_half(turns, turns & SIGN32, 0);
}

static inline uint32_t eval_sfu_cos_half(uint32_t w)
{
    return sfu_sin_half(sfu_turns_half(w), 0, 1);
}

#endif
