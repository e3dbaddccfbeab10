#include "eval/numeric/libm_fold.h"

#include "eval/numeric/words.h"

#include <math.h>

static uint32_t result(float f, bool keep)
{
    uint32_t w = num_word(f);

    return exact_is_nan(w) ? EXACT_NAN : keep ? w : exact_flush(w);
}

uint32_t exact_product(uint32_t a, uint32_t b, bool keep)
{
    return result((float)((double)num_float(a) * num_float(b)), keep);
}

/* Of numbers with opposite signs a sum that lies half way between two floats, and begins at the same place as the
 * larger of them, goes towards zero: so the compiler rounds. (A double holds all of the sum where it could lie half
 * way.) */
uint32_t exact_sum(uint32_t a, uint32_t b, bool keep)
{
    double x = num_float(a), y = num_float(b), sum = x + y;
    float rounded = (float)sum;
    int exponent, larger;

    if ((a ^ b) >> 31 && isfinite(sum) && sum != 0 && fabs((double)rounded) > fabs(sum)) {
        frexp(sum, &exponent);
        frexp(fabs(x) > fabs(y) ? x : y, &larger);
        if (exponent == larger && fabs((double)rounded) - fabs(sum) == ldexp(1, exponent - 25))
            rounded = nextafterf(rounded, 0);
    }
    return result(rounded, keep);
}

uint32_t exact_fused(uint32_t a, uint32_t b, uint32_t c)
{
    return result(fmaf(num_float(exact_flush(a)), num_float(exact_flush(b)), num_float(exact_flush(c))), false);
}

uint32_t exact_function(enum exact_function f, uint32_t word)
{
    double x = num_float(exact_flush(word)), y = x;

    switch (f) {
    case EXACT_RCP: y = 1 / x; break;
    case EXACT_RSQ: y = 1 / sqrt(x); break;
    case EXACT_EX2: y = exp2(x); break;
    case EXACT_LG2: y = x < 0 ? NAN : log2(x); break;
    case EXACT_SIN: y = sin(x); break;
    case EXACT_COS: y = cos(x); break;
    }
    return result((float)y, false);
}
