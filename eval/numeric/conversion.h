/* A kernel for any conversion, compiled once for all processors: what is here does not vectorise. */
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

/* What `how` of a lane_op is for these kernels. */
uint16_t eval_conversion(const struct conversion *c);

void eval_convert(uint32_t *base, const struct lane_op *op);
/* With the operand's signs: FLR CEIL ROUND TRUNC with an integer result. */
void eval_convert_signs(uint32_t *base, const struct lane_op *op);

#endif
