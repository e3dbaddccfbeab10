/* How the operands of pairs are found: pairs.c, which finds pairs, and pair_decode.c, which computes them. */
#ifndef GP5_EVAL_PAIRS_H
#define GP5_EVAL_PAIRS_H

#include "eval/forward.h"
#include "eval/sources.h"

/* What component c of a DIV divides: 1 or -1, where the compiler knows that it is 1.0 or -1.0, or 0. */
int eval_pair_dividend(const struct decoder *d, uint32_t i, unsigned c);
/* The operand that an instruction takes the reciprocal, or the reciprocal of the root, of. */
const struct operand *eval_pair_inverted(const struct decoder *d, const struct insn *insn);
/* The operand that the second instruction of a pair may take from component c of this one, or NULL. */
const struct operand *eval_pair_source(const struct decoder *d, uint32_t i, unsigned c);
/* The operand of component c of a MIN that is known to be beside 1.0, of a MAX beside 0, or -1. */
int eval_pair_beside(const struct decoder *d, uint32_t i, unsigned c);

/* Whether the compiler takes an integer division for the dividend, by what it knows to be 0. */
bool eval_divides_by_known(const struct decoder *d, uint32_t i);
/* Whether there is such a one behind a PK2US. */
bool eval_divides_packed(const struct decoder *d);
/* pair_meets.c: of each instruction, components that meet other values where ways come together; and those of the operand above, by component of
 * the result (of what takes a reciprocal, or the reciprocal of a root: x). */
struct pair_meets {
    uint8_t *result, *source;   /* one allocation */
};
/* What PK2US left so that it meets others is no known 0 to divisions in other blocks, as of then. */
bool eval_find_pair_meets(struct decoder *d, const struct liveness *live, struct pair_meets *out);

#endif
