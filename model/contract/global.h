/* Products over flow: what global.c, global_loop.c and global_reach.c share. */
#ifndef GP5_EVAL_CONTRACT_FLOW_H
#define GP5_EVAL_CONTRACT_FLOW_H

#include "model/contract/contract.h"

struct far_value {
    uint32_t block, var;
    struct value value;
};

struct far_change {
    uint32_t var;
    struct value old;
};

/* Where a jump may go. */
enum { TOLD_END, TOLD_BEGIN, TOLD };

/* An IF or a loop that is open; from, sides, left: where its parts of the lists begin. */
struct far_scope {
    uint32_t begin, end, jumps;
    size_t from, sides, left;
    size_t jumped;              /* of a loop that is unrolled: where its parts of `jumps` begin */
    size_t told[TOLD];          /* of a loop: up to where in `log` what is held was told behind its end, and at its
                                 * beginning */
    bool is_loop, is_open, counts, has_else, turned;
    bool breaks;                /* something goes behind all copies of the body */
    bool within;                /* one of its jumps stands in an IF */
};

struct far_flow {
    struct vec notes, lost;     /* struct far_value: what is held where a block begins; and what is not held there,
                                 * though a way brings it */
    struct vec changes, sides, left;    /* struct far_change: so far; at the ends of first sides; where loops are
                                         * left */
    struct vec jumps;           /* size_t: where in `changes` those stand that go to the end of a copy */
    struct vec scopes;
    struct vec values;          /* struct value */
    uint32_t *kept;             /* of each variable: which of them it holds over flow, and 1; or 0 */
    struct vec log;             /* uint32_t: variables as they came to hold one */
    uint32_t *seen, stamp;
    size_t at;                  /* in the notes */
    bool follows, failed;       /* notes are made; there are none, since flow is of a kind that is not followed */
};

/* ---- global_reach.c: what variables hold -------------------------------------------------------------------- */

/* False without memory. */
bool eval_far_begin(struct contractor *c);
bool eval_far_same(struct value a, struct value b);
struct value eval_far_held(const struct contractor *c, uint32_t var);
uint32_t eval_block_behind(const struct contractor *c, uint32_t i);
/* Where block `block` begins, the variable holds `v`. */
void eval_far_note(struct contractor *c, uint32_t block, uint32_t var, struct value v);
/* The same, that it did not hold. */
void eval_far_change(struct contractor *c, uint32_t block, uint32_t var, struct value to);
/* There a product does not get to for certain: a reader is a use of it. */
void eval_far_lose(struct contractor *c, uint32_t block, uint32_t var, struct value v);
/* One of the changes is lost at `block`. There it is not held if `now`, nor what was there before the first change of
 * its variable since the stamp went up; `every`: nor before any. */
void eval_far_lose_change(struct contractor *c, size_t at, uint32_t block, bool now, bool every);
/* The same of all changes from one on. */
void eval_far_lose_changes(struct contractor *c, size_t from, uint32_t block, bool now);
/* The same of what variables have come to hold since `told`, and hold. */
void eval_far_lose_held(struct contractor *c, size_t *told, uint32_t block);
/* Whatever an instruction writes is not held where `block` begins. */
void eval_far_forget(struct contractor *c, uint32_t block, uint32_t i);
static inline struct far_change *eval_far_change_at(const struct contractor *c, size_t at)
{
    return vec_at(&c->flow->changes, at);
}

/* ---- global_loop.c ------------------------------------------------------------------------------------------ */

void eval_far_begin_loop(struct contractor *c, uint32_t i);
void eval_far_end_loop(struct contractor *c, uint32_t i, const struct far_scope *s);
/* Behind a copy of the body, where none of its jumps comes to. */
void eval_far_forget_jumps(struct contractor *c, struct far_scope *s);
void eval_far_jump(struct contractor *c, uint32_t i);
/* The compiler begins a loop with what stands before its first way out, which it then has twice; not where that is the
 * loop's end. */
void eval_far_turn_over(struct contractor *c, uint32_t i, struct far_scope *loop);

#endif
