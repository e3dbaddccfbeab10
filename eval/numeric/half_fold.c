/* Steps of half arithmetic on constants. */
#include "eval/numeric/half_fold.h"

uint32_t eval_half_product(uint32_t a, uint32_t b)
{
    return half_to_word(half_product(half_operand(a), half_operand(b)));
}

uint32_t eval_half_fused(uint32_t a, uint32_t b, uint32_t c)
{
    return half_to_word(half_fused(half_operand(a), half_operand(b), half_operand(c)));
}

uint32_t eval_half_sum(uint32_t a, uint32_t b)
{
    return half_to_word(half_sum(half_operand(a), half_operand(b)));
}

uint32_t eval_half_function(enum exact_function f, uint32_t a)
{
    switch (f) {
    case EXACT_RCP: return half_to_word(half_reciprocal(half_operand(a)));
    case EXACT_RSQ: return half_to_word(half_root(half_operand(a)));
    case EXACT_LG2: return half_to_word(half_logarithm(half_operand(a)));
    default: return EXACT_NAN;
    }
}
