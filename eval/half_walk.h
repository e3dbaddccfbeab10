/* What half_reach.c holds of who wrote what, and half_joins.c looks at. */
#ifndef GP5_EVAL_HALF_WALK_H
#define GP5_EVAL_HALF_WALK_H

#include "eval/half_reach.h"
#include "eval/shared_map.h"

struct reach {
    struct decoder *d;
    const struct liveness *l;
    struct half_reach *out;
    struct shared_map held;     /* of each variable: who wrote it, and one more; 0: nobody has yet */
    uint32_t *born;             /* and where its value came to be: there, or where ways met */
    enum reach_kind kind;
    uint32_t loop;              /* of products what was written before this one is not seen, in a loop that ends at `loop_end` */
    uint32_t loop_end;
    uint32_t block;             /* the block at hand begins here */
    uint32_t part;              /* and the subroutine */
    uint8_t *passes;            /* of each instruction: subroutines see that it is a copy */
    uint8_t *of_call;           /* and components of which no other block does: a call wrote what they copy */
    uint8_t *brought;           /* of each variable: a call may have written it last */
    struct shared_map *entry;   /* of each instruction with a label: what is held there, of all that its callers hold; of the end of a copy of a loop's
                                 * body: what jumps bring there */
    uint8_t *elsewhere;         /* of each variable: subroutines write it */
    uint8_t *is_entered;        /* of each such: something calls it, or jumps there */
    uint8_t *unknown;           /* and something that comes later, or that nobody knows */
    uint32_t call;              /* what is called, where that is known: what is written there is forgotten */
    uint32_t at;                /* where ways meet, or NO_INDEX: in front of a subroutine */
    struct vec ifs;
    bool failed;                /* no memory */
};

#define HELD_UNKNOWN NO_INDEX               /* of what is held: somebody wrote it */
#define HELD_OR_NOTHING 0x80000000u         /* or one way wrote it, and the other one never did */

/* Who wrote what a map holds: of what callers hold, copies that subroutines see. */
static inline uint32_t half_writer(const struct reach *r, const uint32_t *held)
{
    uint32_t by = held && *held != HELD_UNKNOWN ? (*held & ~HELD_OR_NOTHING) - 1 : NO_INDEX;

    return by < r->part && !r->passes[by] ? NO_INDEX : by;
}

/* half_joins.c: notes that what a variable holds meets another write, where somebody reads what comes of that; the same of what a call may write, and
 * may not. */
void eval_note_half_meeting(struct reach *r, const uint32_t *held, uint32_t var, uint32_t at);
void eval_note_half_call(struct reach *r, const uint32_t *held, uint32_t var);
/* Where an IF ends one way to which never wrote a variable: who wrote it on the other way, in `both`. */
bool eval_is_one_writer(struct reach *r, const uint32_t *a, const uint32_t *b, uint32_t var, uint32_t *both);
/* Variables that subroutines write. */
void eval_find_written_elsewhere(struct reach *r);
/* A copy that meets other writes is a half in other blocks, as are those that subroutines, or blocks behind a call, do not see. */
void eval_cut_halves(struct reach *r);

#endif
