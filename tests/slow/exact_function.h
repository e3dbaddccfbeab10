/* Functions of one operand, rounded once to its precision. */
#ifndef GP5_TESTS_SLOW_EXACT_FUNCTION_H
#define GP5_TESTS_SLOW_EXACT_FUNCTION_H

#include "asm/isa.h"

#include <mpfr.h>

/* RCP, RSQ, EX2, LG2, SIN or COS of x, in its place. */
static inline void slow_round_function(unsigned op, mpfr_t x)
{
    int zero = mpfr_zero_p(x), minus = mpfr_signbit(x);
    switch (op) {
    case OP_RCP: mpfr_ui_div(x, 1, x, MPFR_RNDN); break;
    case OP_RSQ:
        mpfr_rec_sqrt(x, x, MPFR_RNDN);
        if (zero)               /* to MPFR of either sign */
            mpfr_setsign(x, x, minus, MPFR_RNDN);
        break;
    case OP_EX2: mpfr_exp2(x, x, MPFR_RNDN); break;
    case OP_LG2: mpfr_log2(x, x, MPFR_RNDN); break;
    case OP_SIN: mpfr_sin(x, x, MPFR_RNDN); break;
    default: mpfr_cos(x, x, MPFR_RNDN);
    }
}

#endif
