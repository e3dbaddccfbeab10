/* Where the lanes of a warp go on apart (reconverge.c). */
#ifndef GP5_EVAL_PARTING_H
#define GP5_EVAL_PARTING_H

#include "model/tables.h"
#include "asm/label.h"

/* Of the program as it was unrolled. */
bool reconverge_find(struct model *d);

/* Whether a counted loop has a side that always leaves it, in which lanes vote and do not shuffle: copies of such a
 * side are one again to the driver's compiler, so that it is as if the loop were not unrolled. */
bool model_merges_exits(const struct gp5_program *p, uint32_t rep);
/* BRK or CONT that some lane may take. */
bool model_is_loop_jump(const struct model *d, uint32_t i);
/* Whether an instruction is arithmetic on the lane's own registers. */
bool model_is_own_arithmetic(unsigned op);
/* Behind a block that begins at i: a loop with all its copies, or an instruction. */
uint32_t model_behind_loop(const struct model *d, uint32_t i);
bool model_ends_endless_loop(const struct model *d, uint32_t end);
/* Whether an instruction is a vote for a test: to the compiler no more than arithmetic. */
bool model_is_voted_test(const struct insn *insn);
/* Whether the flags that an instruction looks at come from a vote. */
bool model_asks_a_vote(const struct model *d, uint32_t i);
/* return.c: `labels` and `entry` as eval_labels gives them. */
bool model_find_returns(struct model *d, const uint8_t *labels, uint32_t entry);

#endif
