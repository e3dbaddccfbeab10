/* How the operands of pairs are found: pairs.c, which finds pairs, and pair_decode.c, which computes them. */
#ifndef GP5_EVAL_PAIRS_H
#define GP5_EVAL_PAIRS_H

#include "eval/forward.h"
#include "eval/sources.h"

/* What component c of a DIV divides: 1 or -1, where the compiler knows that it is 1.0 or -1.0, or 0. */
int eval_pair_dividend(const struct decoder *d, uint32_t i, unsigned c);
/* The operand that an instruction takes the reciprocal, or the reciprocal of the root, of. */
const struct operand *eval_pair_inverted(const struct decoder *d, const struct insn *insn);
/* The operand of a MIN or a MAX beside the literal `word` (of 32 or the upper half of 64 bits) in all components, or -1. */
int eval_pair_beside(const struct decoder *d, const struct insn *insn, uint32_t word);
/* That word of 1.0, in the type of a MIN. */
uint32_t eval_pair_one(const struct insn *insn);

#endif
