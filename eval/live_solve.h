/* What is wanted where, block by block (live_solve.c). */
#ifndef GP5_EVAL_LIVE_SOLVE_H
#define GP5_EVAL_LIVE_SOLVE_H

#include "eval/liveness.h"

/* The set before an instruction from the set behind it; what of its result is used. */
uint8_t eval_live_before(struct liveness *l, uint32_t i, struct shared_bits *set);
/* What is wanted where, with these blocks. False without memory. */
bool eval_solve_liveness(struct decoder *d, struct liveness *l);
void eval_live_free_sets(struct liveness *l);

#endif
