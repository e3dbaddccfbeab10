/* What the parts share that make a plan (plan.c). */
#ifndef GP5_TESTS_SLOW_MAKER_H
#define GP5_TESTS_SLOW_MAKER_H

#include "tests/slow/plan.h"

/* What is known where several ways come together. */
struct meeting {
    bool any;
    struct slow_knowledge known;
};

/* A label and what follows it, up to the next one. */
struct part {
    uint32_t from, to;
    bool busy;
    struct meeting entry, exit;     /* at all calls; at any of its ends */
};

struct maker {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_knowledge known;
    const uint8_t *useful;      /* of each instruction of the program as it is written */
    const uint32_t *costs;      /* of each of them the operations of those before it, and behind the last one of all */
    struct part *parts;
    uint32_t nparts;
    struct part *inside;        /* the one at hand, or NULL */
    bool called;                /* the text at hand is a subroutine's */
    struct meeting *breaks, *rounds;    /* of the innermost loop: behind it, and where another round begins */
    uint32_t loop;
    unsigned branches, loop_branches;   /* IFs around whose outcome is not known; of these, around the innermost loop */
    bool rows;                  /* something may go on behind a BRK of the innermost loop that is taken: it has a CONT, or rounds */
    uint32_t bottom;            /* the last instruction of a loop that runs once, where a CONT is nothing; NO_INDEX */
    uint32_t never;             /* a BRK that no copy takes, or an IF: the loop around it counts for itself; NO_INDEX */
    bool stays;                 /* the IF passes in each */
    bool dry;                   /* only to see what is known */
    bool dead;                  /* behind a label that nothing reaches */
    bool changed;
};

/* ---- plan.c -------------------------------------------------------------------------------------------------------------------- */

const struct insn *slow_in_text(const struct maker *m, uint32_t i);
/* One more place, or NO_INDEX where nothing is written down. */
uint32_t slow_emit(struct maker *m, uint32_t insn);
/* NULL for NO_INDEX. */
struct slow_place *slow_place_at(struct maker *m, uint32_t i);
/* Instructions one after the other; false: nothing goes on behind them. */
bool slow_walk(struct maker *m, uint32_t from, uint32_t to);

/* ---- plan_calls.c: what is known where ways come together, and behind calls ---------------------------------------------------- */

/* True: less is known there now. */
bool slow_come_together(struct maker *m, struct meeting *where);
/* Into a subroutine and out of one; which registers are copies of others is not known there. `said`: what comparisons said is. */
bool slow_meet_call(struct maker *m, struct meeting *where, bool said);
void slow_set_known(struct maker *m, const struct slow_knowledge *to);
/* Behind a call of one of several: what is known whichever it was. */
void slow_look_at_call(struct maker *m, const struct insn *insn);

/* ---- costs.c ------------------------------------------------------------------------------------------------------------------- */

/* struct maker's; NULL without memory. `flags`: of each instruction the components whose condition code is asked for. */
uint32_t *slow_costs(const struct slow_program *p, const uint8_t *useful, const uint8_t *flags);

/* ---- plan_loops.c -------------------------------------------------------------------------------------------------------------- */

/* False: nobody comes out of it. */
bool slow_loop(struct maker *m, uint32_t rep);

#endif
