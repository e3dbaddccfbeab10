/* What contract.c, value.c and uses.c share: which products are rounded together with sums. */
#ifndef GP5_EVAL_CONTRACT_H
#define GP5_EVAL_CONTRACT_H

#include "asm/arena.h"
#include "model/analysis/liveness.h"
#include "model/tables.h"
#include "model/expand/expand.h"

/* What a variable holds. */
struct value {
    uint32_t product;           /* the MUL's instruction, or NO_INDEX */
    uint8_t component;
    bool negate;
    bool word;                  /* the word of a SHORT variable stands in one that is none, or the other way round:
                                 * not the product as a float */
    /* The register that a negating MOV read, while it still holds the same: variable, how often it had
     * been written, and 4 * symbol + component. */
    uint32_t source, version, origin;
};

static const struct value no_value = {.product = NO_INDEX, .source = NO_INDEX};

/* How many sums would take a product in, by component. */
struct readers {
    uint8_t sums[4];
};

/* What an instruction is to the contraction, whatever variables hold: found once, asked in every pass over the program.
 */
struct role {
    uint8_t written;            /* components that the result is written to for all that is known: a test that fails for
                                 * certain keeps others back */
    uint8_t restricted;         /* those that may be kept back, for all that is known of its test */
    uint8_t products;           /* those that are products */
    uint8_t sums;               /* those with a step that sums up (model_sum_steps) */
    int8_t copied[4];           /* of each the operand that it copies, or -1; but for its sign: */
    uint8_t turned;             /* those that it negates */
    uint8_t precision, sum_precision;   /* enum insn_precision: as a product, as a sum */
};

/* What a variable got, and in which turn: blocks are told apart by numbers that no other pass has, so that nothing need
 * be forgotten one by one. */
struct held_value {
    struct value value;
    uint32_t turn;              /* 0: nothing yet */
};

bool model_contract(struct model *m);

struct contractor {
    struct model *d;
    struct arena arena;         /* what follows, but the output */
    struct contraction *out;
    const struct liveness *live;
    struct held_value *values;  /* of each variable: model_value_of says what is left of it in the block at hand */
    uint32_t *held, nheld;      /* the variables that got a value in the block at hand, each once */
    uint32_t turn, flow_turn, first_turn;   /* block beginnings so far: up to the one at hand, where flow began last,
                                             * where this pass began */
    uint32_t *written;          /* of each symbol: behind the last instruction so far that writes it */
    uint8_t *refused;           /* components of each product that something else reads */
    uint8_t *stays;             /* components of each unpacked number that something else reads as it is */
    bool both;                  /* both terms of some sum are products */
    struct role *roles;         /* of each instruction */
    struct readers *readers;    /* of each product: the sums that read it */
    uint32_t *versions;         /* how often each variable was written so far */
};

#define SIGN_FLIPPED 0x80000000u    /* in origin: this is the negation */

/* ---- value.c: what instructions are and what variables hold ---------------------------------------------------------
 */

/* Whether what an operand reads is negated on its way, as it is held or by the operand: nothing is that goes through an
 * absolute value. */
bool model_operand_turns(const struct operand *o, struct value v);
/* What component k of a copy holds. */
struct value model_copy_of(const struct contractor *c, const struct operand *o, unsigned k, bool negate);
struct value model_held(const struct contractor *c, const struct operand *o, unsigned component);
/* A use that keeps a product. */
void model_refuse_product(struct contractor *c, struct value v);
/* What reads one that is no sum: such a use, unless the product is an unpacked number. */
void model_read_product(struct contractor *c, struct value v);
/* Whether it is what UP2US or UP4UB makes in a SHORT variable: every sum of singles takes it in, whoever else reads it.
 */
bool model_is_unpacked_number(const struct contractor *c, uint32_t product);
/* What a term of a step of an instruction holds. */
struct value model_term_value(const struct contractor *c, uint32_t i, const struct term *t);
/* Whether a sum may take in what its term holds. */
bool model_takes(const struct contractor *c, uint32_t sum, const struct term *t, struct value *v);
/* The results of an instruction, into the values. */
void model_hold_result(struct contractor *c, uint32_t i, uint8_t useful);
void model_begin_held(struct contractor *c, uint32_t block);
/* False without memory. */
bool model_contractor_new(struct contractor *c);

/* ---- uses.c ------------------------------------------------------------------------------------------------- */

/* The components of each product that something other than a sum reads. */
bool model_find_refused(struct contractor *c);

/* value.c */
struct value model_value_of(const struct contractor *c, uint32_t var);

#endif
