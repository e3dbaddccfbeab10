/* What a component of a float result is made of, step by step, where one of the steps is a sum that a product may go
 * into. */
#ifndef GP5_EVAL_TERMS_H
#define GP5_EVAL_TERMS_H

#include "model/tables.h"

/* The steps of component c, the last of which is the result; 0: there is no sum among them. */
unsigned model_sum_steps(const struct model *d, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS]);
/* Those of any component that has steps. */
unsigned eval_all_steps(const struct model *d, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS]);

#endif
