/* The walk through a program that takes it apart: what specialize.c, sccp.c, sccp_call.c and unroll.c share. */
#ifndef GP5_EVAL_UNROLL_WALK_H
#define GP5_EVAL_UNROLL_WALK_H

#include "model/analysis/liveness.h"
#include "model/const/meet.h"
#include "model/const/specialize.h"

struct list {
    uint32_t *at, n;
};

/* A label and what stands behind it, up to the next one. */
struct part {
    uint32_t from, to;
    struct meet_point entry, exit; /* at all calls; at any of its ends */
    bool busy;
    uint32_t seen;              /* in this look through what a call writes (struct unroller, `looks`) */
    struct list written, read;  /* components of struct known that its instructions write and read, each once; NULL:
                                 * not found yet */
    struct list calls;          /* its CAL and CALI; all three in one block of memory */
};

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
    struct part *parts;         /* the last one first */
    uint32_t nparts, looks;
    struct vec *called;         /* numbers of parts that are looked at together */
    unsigned depth;             /* calls around */
    uint32_t *first_of, *of_type;       /* of each subroutine type: the parts that are of it, first to last */
    struct part *inside;        /* the part at hand, or NULL */
    bool behind;                /* the instructions at hand are a subroutine's, as they stand in the text */
    struct meet_point *breaks, *rounds;    /* of the innermost loop: behind it, and where another round begins */
    uint32_t placed;            /* instructions so far, with those that a dry walk would add */
    unsigned loops;             /* around the place at hand */
    uint32_t idle;              /* what stands last in a loop that runs once: nothing if it is a CONT; or NO_INDEX */
    uint32_t bottom;            /* what stands last in a copy of a body that another one follows: who does not take
                                 * it, if it is a CONT, leaves; or NO_INDEX */
    bool dry;                   /* nothing is added: only to see what is known */
    bool dead;                  /* behind a label that nothing calls */
    bool learnt;                /* less is known of calls than before */
    bool changed, failed;
};

/* ---- sccp.c ------------------------------------------------------------------------------------------------- */

/* The number of the part that begins there, or nparts. sccp_call.c */
uint32_t eval_part_at(const struct unroller *u, uint32_t from);
/* Another copy of an instruction behind what there is; where it stands. */
uint32_t eval_place_copy(struct unroller *u, uint32_t i, uint8_t form);
/* What is known goes along to where ways meet (NULL: nowhere). */
void eval_walk_meet(struct unroller *u, struct meet_point *m, bool *changed);
void eval_walk_join(struct unroller *u, struct meet_point *m);
/* The instructions from here to there; false when no lane comes to the end. Nothing is left out in front of a label. */
bool eval_walk(struct unroller *u, uint32_t from, uint32_t to);

/* ---- sccp_call.c -------------------------------------------------------------------------------------------- */

/* Every label begins a part. */
bool eval_find_parts(struct unroller *u);
void eval_parts_free(struct unroller *u);
/* The main program again and again, until nothing new is learnt of what is known at calls and behind them. */
void eval_walk_calls(struct unroller *u);
void eval_walk_call(struct unroller *u, const struct insn *call);
/* What instructions from here to there write, themselves and in calls, is not known. */
void eval_walk_forget(struct unroller *u, uint32_t from, uint32_t to);

/* ---- unroll.c ----------------------------------------------------------------------------------------------- */

/* False when nobody comes out of the loop. */
bool eval_walk_rep(struct unroller *u, uint32_t rep);

#endif
