/* What the parts share that join instructions (joined.c). */
#ifndef GP5_TESTS_SLOW_JOINED_H
#define GP5_TESTS_SLOW_JOINED_H

#include "tests/slow/plan.h"

/* What a variable holds: component `c` of the product that a place computes; the negation of a register as it was. */
struct held {
    uint32_t product;           /* place, or NO_INDEX */
    uint8_t c;
    bool word;                  /* an integer's MOV took it into a SHORT variable or out of one: no float there */
    bool turned;                /* it came out of a SHORT variable with the other sign */
    bool negative, negated;     /* negated: of `source`, when that had been written `version` times */
    uint32_t source, version;
    bool copied;                /* by MOV: nobody in another block sees the product in it */
    bool far;                   /* a factor of the product is given: it goes into sums of other blocks */
    uint32_t given;             /* who gives it, 4 * place + component + 1: a number, or what a parameter or a constant buffer holds; or 0 */
    uint32_t words;             /* a copy with a sign: the place and component of that, plus 1; or 0 */
};

/* How many sums read each component of a product; and whether the side of one of them is asked for. */
struct readers {
    uint8_t sums[4], compared;
    uint8_t bare;               /* and components whose magnitude something else reads */
    uint8_t gone;               /* of a half product that is a single: components that a sum has taken, or passed by */
};

struct slow_far;

struct joiner {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    struct held *held;
    struct slow_far *far;       /* far.c; or NULL */
    uint8_t *made_far;          /* of each place: components of its product that have a given factor */
    uint32_t *in_block;         /* of each place: the block that it is in */
    bool *unseen;               /* of each variable: somebody reads it, and nobody knows who wrote it (far_halves.c) */
    struct { uint32_t v; struct held held; } lent[8];   /* what variables held that are products of other blocks to the sum at hand */
    unsigned nlent;
    uint32_t *version;
    uint8_t *stays;             /* of each place: components of its product that must be there */
    uint8_t *asked;             /* of each place: components of its sum whose side is asked for */
    struct readers *readers;    /* of each place: sums that would take its product in */
    uint64_t *set;
    uint32_t *begins;           /* of copies with signs: what variables held where each IF around begins, one after the other; then what its sides changed */
    uint32_t *ifs, depth;       /* these IFs */
    uint32_t jump;              /* the last BRK or CONT of a loop that runs, in that loop; or 0 */
    uint32_t part, *born;       /* the block at hand as copies with signs see it; of each variable: that in which its number was made, over copies */
    uint8_t *apart;             /* of each place: components that are copies of what another block made */
    uint32_t *copied;           /* of each component of each place that is a copy with a sign: how often what it copies had been written */
    bool failed;
};

enum precision { NONE, HALF, SINGLE, DOUBLE };

/* ---- held.c: what variables hold ----------------------------------------------------------------------------------------------- */

extern const struct held slow_nothing;

const struct insn *slow_insn_at(const struct joiner *j, uint32_t place);
/* The variable that an instruction writes, as one of known place, or NULL. */
const struct symbol *slow_target(const struct slow_program *p, const struct insn *insn);
enum precision slow_precision_of(const struct slow_program *p, const struct insn *insn);
/* Whether an operand is taken with the other sign. */
bool slow_negates(const struct operand *o);
/* The operand that component c is a copy of, but for its sign; -1: none. */
int slow_copied(const struct joiner *j, uint32_t at, unsigned c, bool *negative);
bool slow_is_product(const struct joiner *j, uint32_t at, unsigned c);
enum precision slow_sum_precision(const struct joiner *j, uint32_t place);
uint32_t slow_operand_variable(const struct joiner *j, const struct operand *o, unsigned c);
struct held slow_held_by(const struct joiner *j, const struct operand *o, unsigned c);
/* A product must be there. */
void slow_keep(struct joiner *j, struct held h);
/* A half product in a register of 32 bits, where it is a single; whether a sum of singles finds one there. */
bool slow_is_widened(const struct joiner *j, struct held h);
/* What UP2US or UP4UB makes in a SHORT variable. */
bool slow_is_unpacked_number(const struct joiner *j, struct held h);
bool slow_finds_widened(const struct joiner *j, uint32_t place, struct held h);
/* Whether a sum may take in what one of its numbers holds; whether it adds a product to itself. */
bool slow_may_take(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held *h);
/* Whether it is taken with the other sign; whether a product of halves goes into a sum of singles. */
bool slow_turns(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held h);
bool slow_is_mixed(const struct joiner *j, uint32_t place, struct held h);
bool slow_same_product(const struct joiner *j, uint32_t place, const struct slow_rounding *r);
struct held slow_copy_of(const struct joiner *j, const struct operand *o, unsigned c, bool negative);
/* A variable of 32 bits is written. */
bool slow_is_single(const struct joiner *j, const struct insn *insn);
/* One that stands in later blocks. */
void slow_keep_behind(struct joiner *j, struct held h);
/* Products that something else than such a sum, or a copy, reads stay. */
void slow_look_at_reads(struct joiner *j, uint32_t place);
void slow_look_at_writes(struct joiner *j, uint32_t place);

/* ---- choices.c: choices between words, by place --------------------------------------------------------------------------------- */

/* The negation of a negation, whichever of MOV, MUL, DIV, DST, MIN, MAX and CMP made them. */
void slow_find_undone(struct joiner *j, uint32_t place);
/* Copies under a test of what the variable is a copy of already. */
void slow_find_same(struct joiner *j, uint32_t place);
void slow_find_choices(struct joiner *j, uint32_t place);
/* Copies with signs go over IF and through loops that are unrolled: behind a place. */
void slow_follow_words(struct joiner *j, uint32_t place);

/* ---- far.c: products over flow; false: no memory ------------------------------------------------------------------------------- */

bool slow_find_far(struct joiner *j);
void slow_far_free(struct joiner *j);
/* What is held where a block begins, beside what is. */
void slow_begin_far(struct joiner *j, uint32_t place, struct held *held);
bool slow_is_far(const struct joiner *j, uint32_t place, unsigned c);
/* Who gives component c, where `fresh` is what it copies from operand `from`, or nothing. */
uint32_t slow_given(const struct joiner *j, uint32_t place, unsigned c, const struct held *fresh, int from, bool negative);

/* ---- far_halves.c: products of halves in sums of singles of other blocks; false: no memory -------------------------------------- */

bool slow_find_far_halves(struct joiner *j);
/* What a variable holds is such a product, whose readers in other blocks are looked at. */
bool slow_is_open_half(const struct joiner *j, uint32_t v);
/* A place that is no such sum reads them. */
void slow_read_far_halves(struct joiner *j, uint32_t place);
/* While a sum is looked at its variables hold them. */
void slow_hold_far_halves(struct joiner *j, uint32_t place);
void slow_give_back_far_halves(struct joiner *j);

/* ---- pairs.c: false: no memory ------------------------------------------------------------------------------------------------- */

bool slow_find_pairs(struct joiner *j);

/* The operand that a later one may take from this place, or NULL. */
const struct operand *slow_pair_source(const struct joiner *j, uint32_t place, unsigned c);

/* An integer division that is its dividend, by what is known to be 0. */
bool slow_divides_by_known(const struct joiner *j, uint32_t place);

/* pair_meets.c: of each place, components of its result that meet other values, and of the operand above. False: no memory; both are to be freed. */
struct slow_meets {
    uint8_t *result, *source;
};
bool slow_find_meets(const struct joiner *j, struct slow_meets *out);
/* The operand that component c of a variable of 32 bits is a copy of to these, signs put on, or -1. */
int slow_own_copy(const struct joiner *j, uint32_t place, unsigned c);
/* own_copies.c: whether a call may write a variable, or one beside it in its register; `depth` calls deep. */
bool slow_call_writes(const struct slow_program *p, const struct insn *call, uint32_t v, unsigned depth);

/* pairs.c: NO_INDEX for the variables that a subroutine writes which is called. */
void slow_forget_called(const struct joiner *j, const struct insn *call, uint32_t *state, unsigned depth);

#endif
