/* Where the lanes of a warp go on apart (reconverge.c). */
#ifndef GP5_EVAL_PARTING_H
#define GP5_EVAL_PARTING_H

#include "eval/decode/decode.h"
#include "model/analysis/label.h"

/* IF (and its ELSE and ENDIF): the sides meet when the pass of the loop ends. LOOP: those that leave the loop at the end of its body go on apart.
 * RETURN: those that leave this loop go on apart until they return. BRK: out of such a loop; BRK_TOO: together with those of the one before.
 * BAR: IF whose smaller side runs first. CALL: those that take different RETs of PARTING_RET go on apart behind this CAL; CALL_ONCE: if some take one that
 * stands in a block, RET_ALONE: those who take this one at once by themselves. PREDICATED: IF with nothing but arithmetic.
 * OUT, OUT_ELSE: IF whose THEN or ELSE side stands behind the loop that it leaves. */
enum parting_mark {
    PARTING_NONE, PARTING_IF, PARTING_LOOP, PARTING_RETURN, PARTING_BRK, PARTING_BRK_TOO, PARTING_BAR, PARTING_CALL, PARTING_CALL_ONCE, PARTING_RET,
    PARTING_RET_ALONE, PARTING_PREDICATED, PARTING_OUT, PARTING_OUT_ELSE
};

/* Of the program as it was unrolled. */
bool eval_find_parting(struct decoder *d);

/* Whether a counted loop has a side that always leaves it, in which lanes vote and do not shuffle: copies of such a side are one
 * again to the driver's compiler, so that it is as if the loop were not unrolled. */
bool eval_merges_exits(const struct gp5_program *p, uint32_t rep);
/* BRK or CONT that some lane may take. */
bool eval_is_loop_jump(const struct decoder *d, uint32_t i);
/* Whether an instruction is arithmetic on the lane's own registers. */
bool eval_is_own_arithmetic(unsigned op);
/* Behind a block that begins at i: a loop with all its copies, or an instruction. */
uint32_t eval_behind_loop(const struct decoder *d, uint32_t i);
bool eval_ends_endless_loop(const struct decoder *d, uint32_t end);
/* Whether an instruction is a vote for a test: to the compiler no more than arithmetic. */
bool eval_is_voted_test(const struct insn *insn);
/* Whether the flags that an instruction looks at come from a vote. */
bool eval_asks_a_vote(const struct decoder *d, uint32_t i);
/* return.c: `labels` and `entry` as eval_labels gives them. */
bool eval_find_returns(struct decoder *d, const uint8_t *labels, uint32_t entry);

/* continue_loop.c. REP: how many inner loops its body begins with, that CONTs end. (reconverge.c) PARTING_IF: a number of those, 1 and more, that have
 * one way around them, or 0; with NESTED_ON, where another one follows. */
#define NESTED_ON 0x80000000u
/* This CONT is of one; one ends behind this CONT or ENDIF. Those of AWAY, from here to AWAY_END, end none: who takes them goes on apart. */
enum { NESTED_CONT = 1, NESTED_END = 2, NESTED_AWAY = 4, NESTED_AWAY_END = 8 };
/* REP, beside the number: nobody waits at the end of its body. */
#define NESTED_LOOSE 0x40000000u

static inline uint32_t eval_nested(const struct decoder *d, uint32_t insn)
{
    return d->nested ? d->nested[insn] : 0;
}

static inline uint8_t eval_parting(const struct decoder *d, uint32_t insn)
{
    return d->parting ? d->parting[insn] : PARTING_NONE;
}

#endif
