/* Which results are ever looked at (liveness.c). */
#ifndef GP5_EVAL_LIVENESS_H
#define GP5_EVAL_LIVENESS_H

#include "asm/arena.h"
#include "model/tables.h"
#include "model/ir/pset.h"

/* Variables are the components of temporaries that are no arrays, and of the condition codes. A result
 * counts as used only when an instruction that is itself of use reads it. */
struct liveness {
    const struct gp5_program *p;
    struct arena arena;         /* arrays but those of sets */
    uint32_t *first_var;        /* of each symbol, or NO_INDEX */
    uint32_t nvars;
    const struct model *d;
    bool nvidia;                /* semantics */
    uint32_t *block;            /* of each instruction */
    uint8_t *label;             /* whether one stands before it that is run into */
    uint32_t entry, main_end;   /* of the main program */
    bool goes_on;               /* who runs into a label may go on: no part is a subroutine, any may return */
    uint32_t *start;            /* first instruction of each block, and the end */
    uint32_t nblocks;
    uint8_t *behind_call;       /* of each block: whether a CAL stands before it */
    bool deep;                  /* calls in subroutines may be too deep to be made: one leads back to itself, or goes
                                 * by a number, or there are many */
    struct shared_bits *live_in;        /* of each block: variables that are wanted where it begins */
    uint32_t nsets;
    struct shared_bits returned;        /* and behind any call */
    uint32_t *region;           /* of each instruction: how many labels stand before it */
    struct shared_bits *callers;        /* of each region: variables that are wanted behind its calls */
    uint32_t nregions;
    bool failed;
    /* Components of each instruction's result that are used, LIVE_EFFECT for what acts otherwise. */
    uint8_t *useful;
    uint8_t *flags;             /* and of the condition code that it sets, those that a test looks at */
};

enum { LIVE_EFFECT = 16 };

/* The components of operand k, before its swizzle, that what is useful of an instruction reads: of what is stored as it
 * is wide, one of what atomic operations take, two to compare and swap. */
uint8_t model_operand_reads(const struct insn *insn, unsigned k, uint8_t useful);

/* Of the decoder's program as it is: made by the first who asks, kept until the program is another one. NULL after a
 * failure. */
struct liveness *model_liveness(struct model *d);
void model_liveness_forget(struct model *d);

uint8_t model_written(const struct liveness *l, const struct insn *insn);
/* Whether a block begins where flow comes from elsewhere or begins anew, and not behind memory or its like. */
bool model_flow_begins(const struct liveness *l, uint32_t block);
/* cfg_succ.c. Where a block goes on: told of each block, and of returns from an instruction to behind the calls of its
 * part. */
struct successors {
    void (*block)(void *user, uint32_t block);
    void (*callers)(void *user, uint32_t from);
    void *user;
};
void cfg_successors(const struct liveness *l, uint32_t block, const struct successors *ways);
/* The block behind a CAL that is made for certain, or NO_INDEX: what is wanted there is wanted where the subroutine
 * returns, unless that writes it. */
uint32_t model_behind_sure_call(const struct liveness *l, uint32_t block);
/* The variables that are wanted behind a block: the caller frees them, and looks at `failed`. */
struct shared_bits model_live_out(const struct liveness *l, uint32_t block);
/* The variable of a component, NO_INDEX for what is not followed. */
uint32_t model_variable(const struct liveness *l, uint8_t kind, uint32_t symbol, bool indexed, unsigned component);
/* That of component c of an operand, after the swizzle; and of a result. */
uint32_t model_operand_variable(const struct liveness *l, const struct operand *o, unsigned c);
uint32_t model_result_variable(const struct liveness *l, const struct result *r, unsigned c);

/* The variable of a component of a condition code. */
static inline uint32_t model_cc_variable(unsigned cc, unsigned component)
{
    return cc * 4 + component;
}

#endif
