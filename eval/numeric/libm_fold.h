/* Arithmetic on constants as the driver's compiler does it (docs/numbers.md, "What the compiler computes"). Words of
 * singles; to be called with rounding to nearest and denormals kept (fenv.c). */
#ifndef GP5_EVAL_EXACT_H
#define GP5_EVAL_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#define EXACT_NAN 0x7fffffffu

static inline bool exact_is_nan(uint32_t w)
{
    return (w & 0x7fffffffu) > 0x7f800000u;
}

/* A denormal as a zero of its sign. */
static inline uint32_t exact_flush(uint32_t w)
{
    return w & 0x7f800000u ? w : w & 0x80000000u;
}

/* Operands are not flushed; results are, unless `keep` (.PREC). */
uint32_t exact_product(uint32_t a, uint32_t b, bool keep);
uint32_t exact_sum(uint32_t a, uint32_t b, bool keep);
/* As the instruction at run time: one rounding, operands and result flushed. */
uint32_t exact_fused(uint32_t a, uint32_t b, uint32_t c);

enum exact_function { EXACT_RCP, EXACT_RSQ, EXACT_EX2, EXACT_LG2, EXACT_SIN, EXACT_COS };
/* The function of a double, rounded to single; operand and result flushed. */
uint32_t exact_function(enum exact_function f, uint32_t x);

#endif
