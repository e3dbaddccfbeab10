/* Votes of floats on what logic makes of comparisons of integers (votes.c). */
#ifndef GP5_EVAL_VOTES_H
#define GP5_EVAL_VOTES_H

#include "eval/decode.h"

static inline bool eval_votes_floats(const struct insn *insn)
{
    return insn->type == DT_F32 && op_votes(insn->op);
}

/* The operand that may be what a comparison of integers says, read as a float with a sign for component c of the result; -1: none. */
int eval_signed_truth(const struct gp5_program *p, const struct insn *insn, unsigned c);
/* Components of the instruction at hand that are made of such, where nobody else reads it or a LONG variable takes what becomes of it. */
uint8_t eval_whole_truths(struct decoder *d, const struct insn *insn);
/* What comes out of one at component c: of false 0. */
uint64_t eval_whole_outcome(const struct decoder *d, const struct insn *insn, unsigned c);

/* Components of the vote at hand whose operand counts where it is not 0, though it may be no number. */
uint8_t eval_vote_truths(struct decoder *d, const struct insn *insn);

#endif
