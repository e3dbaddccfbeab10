/* What the files share that find where lanes go on apart (apart.c). */
#ifndef GP5_SLOW_APART_H
#define GP5_SLOW_APART_H

#include "tests/slow/plan.h"

struct apart {
    const struct slow_program *p;
    struct slow_plan *plan;
};

static inline const struct insn *slow_apart_insn(const struct apart *f, uint32_t i)
{
    return program_insn(f->p->text, f->plan->place[i].insn);
}

/* ---- apart.c -------------------------------------------------------------------------------------------------------------------------- */

/* BRK or CONT that some lane may take; whether no other round comes behind it. */
bool slow_apart_jumps(const struct apart *f, uint32_t i);
bool slow_leaves_loop(const struct apart *f, uint32_t i);
/* Only of the lane's own registers. */
bool slow_is_arithmetic(const struct insn *insn);
/* More than that, votes that only set flags and IFs around it. */
bool slow_makes_more(const struct apart *f, uint32_t i);
uint32_t slow_end_of_if(const struct apart *f, uint32_t i);
/* Whether the flags that an instruction looks at come from a vote. */
bool slow_looks_at_vote(const struct apart *f, uint32_t i);
/* A REP of a loop that runs and has no count. */
bool slow_is_endless(const struct apart *f, uint32_t rep);

/* ---- apart_rounds.c: the sides of IFs with a CONT --------------------------------------------------------------------------------------- */

/* A round of a loop: from behind place `from` up to the end of that copy. */
void slow_apart_round(struct apart *f, uint32_t from, uint32_t loop);
/* Whether a CONT stands in an ELSE side of an IF or of those in it. */
bool slow_goes_again_otherwise(const struct apart *f, uint32_t i, uint32_t loop);
/* The IF around another one, or `none`. */
uint32_t slow_if_around(const struct apart *f, uint32_t i, uint32_t none);
/* Whether a jump or an IF asks how a number compares with what a lane has. */
bool slow_asks_for_number(const struct apart *f, uint32_t i);
/* Whether the CONTs of a loop in an IF are to the compiler one with more conditions, if there is nothing else in it. */
bool slow_conts_fold(const struct apart *f, uint32_t i, uint32_t loop);

/* ---- apart_loops.c ------------------------------------------------------------------------------------------------------------------- */

/* A loop that ends where the next round of the one around it begins. */
void slow_apart_loop(struct apart *f, uint32_t rep);
/* CONTs that end loops of their own. */
void slow_find_inner(struct apart *f, uint32_t rep);

/* ---- apart_even.c --------------------------------------------------------------------------------------------------------------------- */

/* CONT that votes decide. */
bool slow_votes_round(const struct apart *f, uint32_t i);
/* Whether no lane leaves a loop by a test of its own, and no vote decides over an IF with a CONT; with CONTs in IFs that votes decide only where nobody
 * comes to it `among` others, and no IF that has one has other jumps or has one in an IF in it. `apart`: it has such CONTs, and what ends it counts
 * elsewhere: who goes round apart counts by himself, and leaves it so. */
bool slow_is_left_together(const struct apart *f, uint32_t rep, uint32_t end, bool among, bool *apart);

/* ---- apart_among.c -------------------------------------------------------------------------------------------------------------------- */

/* Whether each lane decides a jump, or the IF that it stands in alone, by itself. */
bool slow_asks_by_lane(const struct apart *f, uint32_t i);
/* Whether lanes may come to a place while others of their warp are elsewhere. */
bool slow_comes_among(struct apart *f, uint32_t i);

/* ---- apart_returns.c ----------------------------------------------------------------------------------------------------------------- */

/* Loops that begin with a RET; calls behind which lanes that came back by RETs that votes decide do not meet. */
void slow_apart_returns(struct apart *f);
void slow_apart_calls(struct apart *f);

#endif
