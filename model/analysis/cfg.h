/* The blocks of a program, as liveness.c goes over them. */
#ifndef GP5_EVAL_LIVE_BLOCKS_H
#define GP5_EVAL_LIVE_BLOCKS_H

#include "model/analysis/liveness.h"

/* Fills block, start, nblocks, label, entry, main_end and behind_call. `leader` has a byte an instruction and one more,
 * to work in; `useful` is NULL as long as it is not known what is of use. */
void model_find_blocks(struct liveness *l, uint8_t *leader, const uint8_t *useful);
/* A REP whose count is written and above zero, or that has none: its first round comes for certain. */
bool model_runs_once(const struct gp5_program *p, const struct insn *insn);
/* Whether something that ends a block is of no use: then it ends none. */
bool model_has_dead_end(const struct liveness *l);

#endif
