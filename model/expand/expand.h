/* What a component of a float result is made of, step by step, where one of the steps is a sum that a product may go into. */
#ifndef GP5_EVAL_TERMS_H
#define GP5_EVAL_TERMS_H

#include "eval/decode/decode.h"

/* A number that a step works with. TERM_BACK: a component of an operand that this instruction has written before. */
enum term_kind { TERM_OPERAND, TERM_STEP, TERM_WORD, TERM_BACK };

struct term {
    uint8_t kind;
    uint8_t operand, component; /* after the swizzle */
    uint8_t step;               /* the result of an earlier one */
    bool negate;                /* beside the operand's own signs */
    uint32_t word;
};

/* A product, a product and an addend with one rounding, a sum of the first and the third number, or the reciprocal of the first. A factor of 1.0 or
 * -1.0 is none: what looks like a product and an addend is a sum then; and so it is where both factors are known. */
enum sum_step_kind { STEP_OF_PRODUCT, STEP_OF_BOTH, STEP_OF_SUM, STEP_OF_INVERSE };

struct sum_step {
    enum sum_step_kind kind;
    struct term term[3];
    uint8_t slot;               /* in the contraction's sums; steps of the same slot are the same. Those of SUM_SLOTS and more are no sums */
    bool shared;                /* a product that something other than sums reads: it goes into none */
};

enum { MAX_SUM_STEPS = 12 };

/* The steps of component c, the last of which is the result; 0: there is no sum among them. */
unsigned eval_sum_steps(const struct decoder *d, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS]);
/* Those of any component that has steps. */
unsigned eval_all_steps(const struct decoder *d, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS]);
/* Whether the compiler knows two factors that meet in the instruction, of singles: it is not what its kernel does. */
bool eval_knows_steps(const struct decoder *d, uint32_t insn);
/* Whether a reciprocal is one that products are scaled by, 1/4 or 1/8: with 2.0 it is one factor. */
static inline bool eval_is_scale(uint32_t word)
{
    return word == 0x3e800000 || word == 0x3e000000;
}
/* How precise an instruction computes; PREC_NONE when its result has not the size of its variable. */
enum precision { PREC_NONE, PREC_HALF, PREC_SINGLE, PREC_DOUBLE };
enum precision eval_precision(const struct decoder *d, const struct insn *insn);
/* Of what sums up: singles that go into a LONG variable are widened behind the rounding. */
enum precision eval_sum_precision(const struct decoder *d, const struct insn *insn);

#endif
