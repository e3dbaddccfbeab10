/* Where blocks of a program end for the driver's compiler, besides flow: what it knows of flags, and which products
 * sums take in, goes from block to block otherwise than within one (docs/numbers.md, "Condition codes";
 * docs/semantics.md; tests/recordings/patterns/blocks.txt). */
#ifndef GP5_EVAL_BLOCK_ENDS_H
#define GP5_EVAL_BLOCK_ENDS_H

#include "asm/program.h"

/* What of a program decides whether a write under a test is a jump. */
struct block_ends {
    uint8_t *indexed;           /* of each symbol: a computed index names its elements somewhere in the text, in what
                                 * runs or not */
    uint8_t *read;              /* of each symbol: an operand or an index names it somewhere in the text */
    uint32_t symbols;           /* of the program */
    bool carries[2];            /* of each condition code: something sets it that may carry or overflow */
};

/* False without memory. */
bool eval_block_ends_new(struct block_ends *e, const struct gp5_program *p);
void eval_block_ends_free(struct block_ends *e);

/* Whether the driver takes the flags of a float before the clamp of .SAT where they are all that it gives. */
static inline bool eval_clamps_behind_flags(const struct insn *insn)
{
    return insn->flags & INSN_SAT && (insn->type == DT_F32 || insn->type == DT_F16) && insn->op != OP_CMP &&
           shape_table[op_table[insn->op].shape].result != RC_SCALAR;
}

/* Whether an instruction sets flags and its result is nothing else: nobody in the text reads the variable. */
bool eval_sets_flags_alone(const struct gp5_program *p, const struct insn *insn, const struct block_ends *e);
/* Whether it is a call to the driver. Whether a block ends before an instruction. */
bool eval_calls_itself(const struct insn *insn);
bool eval_ends_block(const struct insn *insn);
/* Whether one ends behind the test of its result. */
bool eval_jumps_over(const struct insn *insn, const struct block_ends *e);

#endif
