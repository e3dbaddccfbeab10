/* The rule of the shuffles, by itself. */
#ifndef GP5_EVAL_SUBGROUP_H
#define GP5_EVAL_SUBGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* The lane whose value lane `lane` gets from SHFUP, SHFDOWN, SHFIDX or SHFXOR (enum gp5_op); its own one when the source is out
 * of range. */
int eval_shuffle_source(unsigned op, unsigned lane, uint32_t index, uint32_t mask, bool *in_range);

#endif
