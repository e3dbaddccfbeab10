/* Kernels for any conversion, compiled once for all processors: what is here does not vectorise. */
#ifndef GP5_EVAL_NUMERIC_CONVERSION_H
#define GP5_EVAL_NUMERIC_CONVERSION_H

#include "eval/kernels/kernel.h"

enum { CLAMP_NONE, CLAMP_SAT, CLAMP_SSAT, CLAMP_COUNT };
enum { CONVERSION_MODES = 5 };      /* as written: none, ROUND, CEIL, FLR, TRUNC */

struct conversion {
    uint8_t dst, src;               /* enum data_type, below DT_COUNT */
    uint8_t mode, clamp;
    bool spec;
};

/* NULL where a type is none. */
kernel_fn eval_conversion(const struct conversion *c);

/* FLR CEIL ROUND TRUNC to 32 bits from F32, to 64 bits from F64, clamped, with the operand's signs. */
kernel_fn eval_conversion_signs(const struct conversion *c);

#endif
