/* What half_reach.c tells of who wrote what, and half_joins.c of copies that meet other writes. */
#ifndef GP5_TESTS_SLOW_HALF_REACH_H
#define GP5_TESTS_SLOW_HALF_REACH_H

#include "tests/slow/plan.h"

/* Who wrote a variable: a place plus 1; 0: nobody yet. */
#define SLOW_ANYBODY UINT32_MAX             /* nobody knows */
#define SLOW_OR_NOBODY 0x80000000u          /* added to that: or nobody, on another way */

/* Of an IF, or a REP, that is open. */
struct open_flow {
    uint32_t begin;
    bool loop;
    uint32_t *before, *first;   /* who wrote each variable before the IF, at the end of its first side */
};

struct teller {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    uint32_t n;                 /* variables */
    uint32_t *by;               /* who wrote each */
    uint32_t *born;             /* and the place where its value came to be, or ways met, plus 1 */
    enum slow_told told;
    uint32_t around, loop;      /* of these: nor, in the loop that `around` - 1 begins, what is older than that */
    uint32_t block;             /* place plus 1: the block at hand begins behind it */
    uint8_t *meets;             /* of each place: components that meet other writes, where somebody reads what comes of that */
    bool *called;               /* of each variable: a subroutine writes it */
    bool *of_block;             /* of each place: its operands were written in its block */
    uint8_t *returned;          /* of each place: components made of what a call left, or of a copy of that */
    bool *left;                 /* of each variable: a call left it, and nothing has written it since */
    uint32_t **entry;           /* of each place that a subroutine begins with; of the end of a copy of a body, what jumps bring */
    bool *closed;               /* of each such: nothing is known of what calls bring */
    struct open_flow *open;
    uint32_t depth, room;
    bool failed;
};

/* The place that is known to have written it, plus 1, or 0. */
static inline uint32_t slow_told_by(uint32_t by)
{
    return by == SLOW_ANYBODY ? 0 : by & ~SLOW_OR_NOBODY;
}

static inline bool slow_in_main(const struct teller *t, uint32_t place)
{
    return place >= t->reach.entry && place < t->reach.main_end;
}

/* half_joins.c: what a variable holds meets something else at a place. */
void slow_note_meeting(struct teller *t, uint32_t by, uint32_t var, uint32_t place);
/* The same of what a call may write, and may not. */
void slow_note_call(struct teller *t, uint32_t call, uint32_t var);
/* Who reads a copy in another block than it was made in, and gets the half: nobody tells then who wrote it. */
bool slow_cut_copies(struct teller *t);
/* Variables that subroutines write. */
void slow_find_called(struct teller *t);
bool slow_place_writes(const struct teller *t, uint32_t place, uint32_t var);

#endif
