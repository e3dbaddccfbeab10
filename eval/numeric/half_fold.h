/* Half arithmetic on constants as the driver's compiler does it: operands are rounded to half, each step is exact and
 * rounded to half, and a denormal half that comes of it is a zero of its sign. Values are doubles that a half can hold;
 * none of these steps needs more than a double has, so each is rounded once. */
#ifndef GP5_NUMERIC_HALF_FOLD_H
#define GP5_NUMERIC_HALF_FOLD_H

#include "eval/numeric/half_memory.h"
#include "eval/numeric/libm_fold.h"

#include <math.h>
#include <string.h>

static inline double half_of_word(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static inline uint32_t half_to_word(double value)
{
    float f = (float)value;
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return exact_is_nan(word) ? EXACT_NAN : word;
}

static inline double half_operand(uint64_t word)
{
    return half_of_word(eval_half_to_float(eval_float_to_half((uint32_t)word)));
}

/* To the nearest half, ties to even; below the least normal one 0, but in SHORT variables. */
static inline double half_round(double x, bool keeps_denormals)
{
    double step;
    int exponent;

    if (!isfinite(x) || x == 0)
        return x;
    frexp(x, &exponent);
    step = ldexp(1, exponent < -13 ? -24 : exponent - 11);
    x = nearbyint(x / step) * step;
    return fabs(x) < 0x1p-14 && !keeps_denormals ? copysign(0, x) : fabs(x) > 65504 ? copysign(INFINITY, x) : x;
}

static inline double half_rounded(double x)
{
    return half_round(x, false);
}

static inline double half_product(double a, double b)
{
    return half_rounded(a * b);
}

static inline double half_sum(double a, double b)
{
    return half_rounded(a + b);
}

static inline double half_fused(double a, double b, double c)
{
    return half_rounded(a * b + c);
}

static inline double half_reciprocal(double x)
{
    return half_rounded(1 / x);
}

static inline double half_root(double x)
{
    return x < 0 ? NAN : half_rounded(1 / sqrt(x));
}

static inline double half_logarithm(double x)
{
    return x < 0 ? NAN : half_rounded(log2(x));
}

/* The same on singles that are rounded first; EXACT_NAN where the compiler leaves them to run time. */
uint32_t eval_half_product(uint32_t a, uint32_t b);
uint32_t eval_half_fused(uint32_t a, uint32_t b, uint32_t c);
uint32_t eval_half_sum(uint32_t a, uint32_t b);
uint32_t eval_half_function(enum exact_function f, uint32_t a);

#endif
