/* What choices.c, choice_flow.c and choice_steps.c share: choices between words of copies with a sign. */
#ifndef GP5_EVAL_CHOICES_H
#define GP5_EVAL_CHOICES_H

#include "eval/liveness.h"
#include "eval/shared_map.h"

/* An IF around the instruction at hand. */
struct side {
    size_t from;                /* where what is written in it begins */
    uint32_t at;                /* the IF */
};

/* What a variable held before it was written. */
struct earlier {
    uint32_t var, held;
};

/* What a variable holds: component of a copy with a sign, 4 * instruction + component, or NO_INDEX. */
struct chooser {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *held;             /* of each variable */
    struct shared_map holds;    /* of each: 1 where that is a copy */
    struct shared_map copied;   /* of each: the first of those that hold a copy of it, and 1 */
    uint32_t *next, *previous;  /* of those: the one behind it, and before it, or NO_INDEX */
    uint32_t *version;          /* of each variable: how often it was written so far; what calls add for all of them */
    uint32_t called;
    struct vec found;           /* uint32_t: variables that were looked for */
    uint32_t call, begin;       /* for which they are: a call, or an IF */
    uint32_t (*source)[4];      /* of each copy: the version of what it copies */
    uint8_t *far;               /* of each: components of it whose operand is of another block than the copy */
    uint32_t jump;              /* the last BRK or CONT of a loop that runs, in that loop; or 0 */
    uint32_t block, *born;      /* the block at hand; of each variable: that in which its number was made, over copies */
    uint8_t *sided;             /* of each variable: the sides of an IF that write it, for a while */
    uint32_t *calls;            /* of each label, by the instruction behind it */
    bool indirect;              /* CALI calls somewhere */
    struct vec written, sides;  /* struct earlier: what was written in the IFs around; struct side: these */
    uint16_t *jumped;           /* of each instruction: OP_CONT where lanes jump there to the next round of a loop, else OP_BRK where they do out of it */
    bool failed;
};

/* The variable that an operand's component is, or NO_INDEX. */
static inline uint32_t eval_copy_source(const struct chooser *c, const struct operand *o, unsigned component)
{
    return eval_variable(c->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * component & 3);
}

/* And the copy that it holds, or NO_INDEX. */
static inline uint32_t eval_copy_held(const struct chooser *c, const struct operand *o, unsigned component)
{
    uint32_t var = eval_copy_source(c, o, component);

    return var == NO_INDEX ? NO_INDEX : c->held[var];
}

static inline uint32_t eval_copy_version(const struct chooser *c, uint32_t var)
{
    return c->version[var] + c->called;
}

/* choices.c. The operand, signs and all, that a component of an instruction copies with a sign, where copies are followed, whatever its test says;
 * and where no test may keep it back. */
bool eval_copies_with_sign(const struct decoder *d, uint32_t insn, unsigned component, struct operand *o);
/* Whether operand k is a constant at a place that only registers say, which is loaded before the instruction puts a sign on it by arithmetic. */
bool eval_loads_first(const struct decoder *d, uint32_t i, uint32_t k);
bool eval_signed_copy(const struct decoder *d, uint32_t insn, unsigned component, struct operand *o);

/* chooser.c. False without memory; to be freed in either case. */
bool eval_chooser_new(struct chooser *c);
void eval_chooser_free(struct chooser *c);

/* choice_flow.c. The variable is written: a copy, or NO_INDEX. */
void eval_hold_copy(struct chooser *c, uint32_t var, uint32_t copy);
/* Where the innermost IF around the instruction at hand begins whose sides are followed, or 0. */
uint32_t eval_choice_side(const struct chooser *c);
/* Behind an instruction. */
void eval_follow_choices(struct chooser *c, uint32_t insn, unsigned op);

#endif
