/* Votes of floats on what logic makes of comparisons of integers (votes.c). */
#ifndef GP5_EVAL_VOTES_H
#define GP5_EVAL_VOTES_H

#include "eval/decode.h"

static inline bool eval_votes_floats(const struct insn *insn)
{
    return insn->type == DT_F32 && op_votes(insn->op);
}

/* Components of the vote at hand whose operand counts where it is not 0, though it may be no number. */
uint8_t eval_vote_truths(struct decoder *d, const struct insn *insn);

#endif
