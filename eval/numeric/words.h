/* Words as floats and back, and the few operations on single floats that every kernel needs.
 *
 * Everything here is one lane of a loop that the compiler vectorises: no branches, no calls, no tables. */
#ifndef GP5_EVAL_NUMERIC_WORDS_H
#define GP5_EVAL_NUMERIC_WORDS_H

#include "eval/numeric/choices.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SIGN32 0x80000000u
#define EXP32 0x7f800000u
#define ONE32 0x3f800000u
#define SIGN64 0x8000000000000000ull
#define EXP64 0x7ff0000000000000ull
#define ONE64 0x3ff0000000000000ull

static inline float num_float(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static inline uint32_t num_word(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

static inline double num_double(uint64_t word)
{
    double f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static inline uint64_t num_word64(double f)
{
    uint64_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

/* mask is all ones or all zeros. */
static inline uint32_t num_select(uint32_t mask, uint32_t a, uint32_t b)
{
    return (a & mask) | (b & ~mask);
}

static inline uint64_t num_select64(uint64_t mask, uint64_t a, uint64_t b)
{
    return (a & mask) | (b & ~mask);
}

/* The word of a result: every NaN is the same one. */
static inline uint32_t num_result(float f)
{
    return f != f ? NUM_NAN32 : num_word(f);
}

/* A denormal becomes a zero of its sign. */
static inline uint32_t num_flush(uint32_t word)
{
    return word & EXP32 ? word : word & SIGN32;
}

static inline uint32_t num_is_nan(uint32_t word)
{
    return (word & ~SIGN32) > EXP32 ? ~0u : 0;
}

/* Others flush what is below the smallest normal number once it is rounded, AArch64 what is below it before that: a
 * result that is rounded up to this number it loses. The same 2^64 times larger shows which those are. */
#if defined(__aarch64__)
#define NUM_LARGER(x) ((x) * 0x1p64f)
static inline float num_settle(float flushed, float larger)
{
    uint32_t least = (num_word(larger) & ~SIGN32) == 0x20800000u ? ~0u : 0;     /* 2^-62 */
    return num_float(num_word(flushed) | (least & 0x00800000u));
}
#else
#define NUM_LARGER(x) (x)
static inline float num_settle(float result, float same)
{
    (void)same;
    return result;
}
#endif

static inline float num_mul(float a, float b)
{
    return num_settle(a * b, NUM_LARGER(a) * b);
}

static inline float num_div(float a, float b)
{
    return num_settle(a / b, NUM_LARGER(a) / b);
}

/* a * b + c rounded once. Without the instruction: the product is exact in a double, and the sum is
 * rounded to odd, so that the second rounding sees whether anything was lost. */
static inline float num_fma(float a, float b, float c)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return num_settle(__builtin_fmaf(a, b, c), __builtin_fmaf(NUM_LARGER(a), b, NUM_LARGER(c)));
#else
    double p = (double)a * (double)b, z = (double)c;
    double s = p + z;
    double t = s - p;
    double lost = (p - (s - t)) + (z - t);
    /* Shifts and sums of 64-bit words only: SSE2 compares none. */
    uint64_t bits = num_word64(s), rest = num_word64(lost);
    uint64_t twice = rest << 1;
    uint64_t inexact = (twice | (0 - twice)) >> 63, finite = ~((bits & EXP64) + 0x0010000000000000ull) >> 63;
    uint64_t adjust = inexact & finite & ~bits;             /* 1: s is even, and not exact */
    uint64_t nearer = (bits ^ rest) >> 63;                  /* 1: the exact sum is nearer to zero than s */
    return (float)num_double(bits + adjust - ((adjust & nearer) << 1));
#endif
}

static inline double num_fma64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

static inline uint32_t num_multiply(uint32_t a, uint32_t b)
{
    return num_result(num_mul(num_float(a), num_float(b)));
}

/* ---- to integral values -------------------------------------------------------------------------------- */

/* All values from 2^23 on are integral already; NaN and infinity go the same way. */
#define NUM_ROUND(name, adjust)                                                                              \
    static inline float name(float x)                                                                        \
    {                                                                                                        \
        uint32_t w = num_word(x), small = (w & ~SIGN32) < 0x4b000000 ? ~0u : 0;                              \
        float y = num_float(w & small);                                                                      \
        float t = (float)(int32_t)y;                                                                         \
        uint32_t r = num_word(adjust);                                                                       \
        return num_float(num_select(small, r | (w & SIGN32), w));                                            \
    }

static inline float num_if_below(float t, float y)
{
    return num_float(num_word(1.0f) & (t < y ? ~0u : 0));
}

NUM_ROUND(num_trunc, t)
NUM_ROUND(num_floor, t - num_if_below(y, t))
NUM_ROUND(num_ceil, t + num_if_below(t, y))

static inline float num_rint(float x)
{
    uint32_t w = num_word(x), small = (w & ~SIGN32) < 0x4b000000 ? ~0u : 0;
    float y = num_float(w & small & ~SIGN32);
    float t = (y + 8388608.0f) - 8388608.0f;
    return num_float(num_select(small, num_word(t) | (w & SIGN32), w));
}

#endif
