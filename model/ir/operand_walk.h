/* What instructions name: variables, and registers in indices (operand_walk.c). */
#ifndef GP5_EVAL_NAMES_H
#define GP5_EVAL_NAMES_H

#include "asm/program.h"

struct named {
    uint8_t kind;               /* OPND_SYMBOL: `ref` is one; else nothing that is a variable */
    uint32_t ref;
    bool indexed;               /* an element of it */
    uint8_t component;          /* of a register in an index */
};

/* Who is told of each. */
struct naming {
    void (*take)(void *user, const struct named *named);
    void *user;
};

/* The registers of the n indices that begin at `first`. */
void model_each_index(const struct gp5_program *p, uint32_t first, unsigned n, const struct naming *to);
/* Those of the result's indices, the operands, and those of their indices. */
void model_each_read(const struct gp5_program *p, const struct insn *insn, const struct naming *to);

#endif
