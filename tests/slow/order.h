/* How the results are followed that show which of two doubles comes first (order.c), and what order they are put into (order_ranks.c). */
#ifndef GP5_SLOW_ORDER_H
#define GP5_SLOW_ORDER_H

#include "tests/slow/plan.h"

/* In the order in which they come first. */
enum source { OTHER_SIDE, KNOWN, BUFFER, PAIR, FIRST_LOADED, LOADED, RESULT };

#define MANY (NO_INDEX - 1)

/* What a variable may hold: the first of the results that get here, and whether there are others. A result is 4 times its place and
 * the component. */
struct held {
    uint32_t first;             /* NO_INDEX: none */
    bool several;
    bool outer;                 /* in a subroutine: callers made it */
    bool called;                /* a call's result is among them */
    uint32_t alone;             /* the load that pairs of 32 bits alone meet; NO_INDEX: such pairs alone; MANY: others too */
    uint32_t met, var;          /* of several: where they met (order.c, "where ways meet"), and in which variable */
};

/* A result: through copies, where it was made and of what. */
struct made {
    uint32_t at;
    uint8_t source;
    bool several;               /* a copy of what has several values */
    bool called;
    uint32_t met, var;          /* which */
    bool outer;                 /* a copy of what a subroutine's callers made */
    bool paired;                /* pairs alone may stand there */
    unsigned reads;             /* of a load: how often it is read as one register */
    bool meets;                 /* another one may stand in its variable's place where both are read */
};

/* Where a single was made a double, as long as no block ends: order_ranks.c. */
struct widened {
    uint32_t at;                /* NO_INDEX: not yet */
};

struct finder {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    uint32_t nvars;
    struct held *held;          /* of each place, before it */
    struct held *now;
    struct held *back[2];       /* of each place, what goes back to it: in the round before, and in this one */
    struct held *behind;        /* of each REP, what leaves its loop */
    uint8_t *differs;           /* of each REP: variables that another round brings others for: pairs alone, or 2 */
    bool *again;                /* of each meeting: variables whose several values meet others elsewhere */
    bool changed;
    uint32_t *part;             /* of each place: so many stretches of straight-line code end before it */
    struct made *made;
    struct widened *widened;
    uint8_t *called;            /* of each variable: a subroutine writes it */
    uint32_t *caller;           /* of each instruction that a label stands before: the place of the first call */
    bool *several;
    uint32_t first[4];          /* of each component: the first result of a load that anybody reads, or NO_INDEX */
};

/* ---- order.c ---------------------------------------------------------------------------------------------------------------------- */

static inline const struct insn *slow_order_insn(const struct finder *f, uint32_t place)
{
    return program_insn(f->p->text, f->plan->place[place].insn);
}

/* Whether several values, that met in a variable, meet others elsewhere. */
static inline bool slow_order_is_again(const struct finder *f, uint32_t met, uint32_t var)
{
    return f->again[(size_t)met * f->nvars + var];
}

/* Whether the result is computed in halves; whether it is a copy of its operand, but for a sign. */
bool slow_order_is_pair(const struct finder *f, const struct insn *insn);
bool slow_order_is_copy(const struct slow_program *p, const struct insn *insn);
/* What an operand's component may hold; `first` NO_INDEX for what is no LONG temporary. */
struct held slow_order_held(const struct finder *f, const struct operand *o, unsigned c);

/* ---- order_ranks.c ---------------------------------------------------------------------------------------------------------------- */

bool slow_is_ordered(const struct insn *insn);
/* The first loads that anybody reads. */
void slow_order_first_loads(struct finder *f);
/* Counts who reads loads as one register, of what `now` holds. */
void slow_order_count(struct finder *f, uint32_t place);
/* The order of an instruction's operands, of what `now` holds. */
void slow_order_operands(struct finder *f, uint32_t place, const struct insn *insn);

#endif
