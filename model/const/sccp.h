/* The walk through a program that takes it apart: what specialize.c, sccp.c, sccp_call.c and unroll.c share. */
#ifndef GP5_EVAL_UNROLL_WALK_H
#define GP5_EVAL_UNROLL_WALK_H

#include "model/analysis/liveness.h"
#include "model/const/meet.h"
#include "model/const/specialize.h"

struct unroller {
    struct model *d;
    const struct gp5_program *from;
    struct unrolled *to;
    uint32_t *map;              /* the first copy of each instruction */
    uint8_t *labels;            /* instructions that a label stands before */
    uint32_t entry;
    const struct liveness *live;    /* of the program as it was written */
    uint32_t *costs;            /* trip_count.h */
    struct known known;
    unsigned branches;          /* IFs around whose outcome is not known */
    unsigned loop_branches;     /* of those, the ones around the innermost loop */
    bool conts;                 /* something may go on behind a BRK of the innermost loop that is taken: it has a
                                 * CONT, or rounds */
    struct meet_point *breaks, *rounds;    /* of the innermost loop: behind it, and where another round begins */
    uint32_t placed;            /* instructions so far, with those that a dry walk would add */
    unsigned loops;             /* around the place at hand */
    uint32_t idle;              /* what stands last in a loop that runs once: nothing if it is a CONT; or NO_INDEX */
    uint32_t bottom;            /* what stands last in a copy of a body that another one follows: who does not take
                                 * it, if it is a CONT, leaves; or NO_INDEX */
    bool dry;                   /* nothing is added: only to see what is known */
    bool changed, failed;
};

/* ---- sccp.c ------------------------------------------------------------------------------------------------- */

/* Another copy of an instruction behind what there is; where it stands. */
uint32_t model_place_copy(struct unroller *u, uint32_t i, uint8_t form);
/* What is known goes along to where ways meet (NULL: nowhere). */
void model_walk_meet(struct unroller *u, struct meet_point *m, bool *changed);
void model_walk_join(struct unroller *u, struct meet_point *m);
/* The instructions from here to there; false when no lane comes to the end. Nothing is left out in front of a label. */
bool model_walk(struct unroller *u, uint32_t from, uint32_t to);

/* What instructions from here to there write is not known. */
void model_walk_forget(struct unroller *u, uint32_t from, uint32_t to);

/* ---- unroll.c ----------------------------------------------------------------------------------------------- */

/* False when nobody comes out of the loop. */
bool model_walk_rep(struct unroller *u, uint32_t rep);

#endif
