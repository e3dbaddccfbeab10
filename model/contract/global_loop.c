/* Products over flow: loops (global.c). */
#include "model/state.h"
#include "model/contract/global.h"

static void forget_loop(struct contractor *c, uint32_t rep, uint32_t end, uint32_t block)
{
    for (uint32_t i = rep + 1; i < end; i++)
        eval_far_forget(c, block, i);
}

/* The loop around a jump that ends at `end`. */
static struct far_scope *loop_around(const struct contractor *c, uint32_t end)
{
    for (size_t k = c->flow->scopes.count; k-- > 0;) {
        struct far_scope *s = vec_at(&c->flow->scopes, k);
        if (s->is_loop && (s->end == end || s->is_open))
            return s;
    }
    return NULL;
}

/* The IF that stands in a loop around what is at hand, or the end of what has changed. */
static size_t since(const struct contractor *c, const struct far_scope *loop)
{
    const struct far_scope *all = c->flow->scopes.data;
    size_t next = (size_t)(loop - all) + 1;

    return next < c->flow->scopes.count ? all[next].from : c->flow->changes.count;
}

/* A jump to the end of a copy of an unrolled loop's body, or behind all of them. */
static void note_jump(struct contractor *c, struct far_scope *loop)
{
    size_t at = since(c, loop);

    if (!loop->jumps) {
        loop->jumped = c->flow->jumps.count;
        loop->within = false;
    }
    if (model_push(c->d, &c->flow->jumps, &at) == NO_INDEX) {
        c->flow->failed = true;
        return;
    }
    loop->jumps++;
    loop->within |= at != c->flow->changes.count;
}

/* There nothing is held that has changed since a jump, nor what a jump brings: what stood there before the first change
 * behind it, or, of jumps in an IF, before any. */
static void lose_jumped(struct contractor *c, const struct far_scope *s, uint32_t block)
{
    const size_t *jumps = c->flow->jumps.data;
    size_t next = s->jumped;

    c->flow->stamp++;
    for (size_t k = jumps[next], end = c->flow->changes.count; k < end; k++) {
        for (; next < c->flow->jumps.count && jumps[next] <= k; next++)
            c->flow->stamp++;
        eval_far_lose_change(c, k, block, true, s->within);
    }
}

void eval_far_forget_jumps(struct contractor *c, struct far_scope *s)
{
    if (s->is_open && s->jumps)
        c->flow->jumps.count = s->jumped;
    s->jumps = 0;
}

void eval_far_turn_over(struct contractor *c, uint32_t i, struct far_scope *loop)
{
    const struct insn *insn = program_insn(c->d->p, i);
    bool is_if = insn->op == OP_IF;

    if (loop->turned || loop->is_open || loop->counts || i + (is_if ? 3 : 1) == loop->end ||
        (i > loop->begin + 1 && c->live->block[i - 1] != c->live->block[loop->begin + 1]))
        return;
    loop->turned = true;
    eval_far_lose_changes(c, loop->from, eval_block_behind(c, loop->end), false);
    if (is_if)
        eval_far_lose_changes(c, loop->from, eval_block_behind(c, insn->partner), false);
    eval_far_lose_changes(c, loop->from, eval_block_behind(c, i), true);
}

/* What is held at the only way out of a loop. */
static void keep_left(struct contractor *c, const struct far_scope *loop)
{
    uint32_t stamp = ++c->flow->stamp;

    for (size_t k = loop->from; k < c->flow->changes.count; k++) {
        uint32_t var = eval_far_change_at(c, k)->var;
        struct far_change left = {.var = var, .old = eval_far_held(c, var)};
        if (c->flow->seen[var] != stamp && model_push(c->d, &c->flow->left, &left) == NO_INDEX)
            c->flow->failed = true;
        c->flow->seen[var] = stamp;
    }
}

static void lose_left(struct contractor *c, const struct far_scope *loop, uint32_t block)
{
    for (size_t k = loop->left; k < c->flow->left.count; k++) {
        const struct far_change *left = vec_at(&c->flow->left, k);
        eval_far_lose(c, block, left->var, left->old);
    }
    c->flow->left.count = loop->left;
}

void eval_far_jump(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    struct far_scope *loop = loop_around(c, insn->partner);

    if (!loop) {
        c->flow->failed = true;
        return;
    }
    if (loop->is_open) {
        note_jump(c, loop);
        loop->breaks |= insn->op == OP_BRK;
        return;
    }
    if (insn->op == OP_BRK)
        eval_far_turn_over(c, i, loop);
    if (insn->op == OP_BRK && !loop->jumps && !loop->counts) {
        keep_left(c, loop);
    } else {
        lose_left(c, loop, eval_block_behind(c, loop->end));
        eval_far_lose_held(c, &loop->told[TOLD_END], eval_block_behind(c, loop->end));
        if (insn->op == OP_CONT)
            eval_far_lose_held(c, &loop->told[TOLD_BEGIN], c->live->block[loop->begin + 1]);
    }
    loop->jumps += insn->op == OP_CONT ? 2 : 1;
}

void eval_far_begin_loop(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    uint8_t form = model_form(c->d, i);
    struct far_scope s = {.begin = i,
                          .end = insn->partner,
                          .is_loop = true,
                          .is_open = form == FORM_OPEN,
                          .counts = insn->nsrc != 0,
                          .from = c->flow->changes.count,
                          .left = c->flow->left.count,
                          .told = {c->flow->log.count, c->flow->log.count}};

    if (!s.is_open)
        forget_loop(c, i, insn->partner, eval_block_behind(c, i));
    if (model_push(c->d, &c->flow->scopes, &s) == NO_INDEX)
        c->flow->failed = true;
}

void eval_far_end_loop(struct contractor *c, uint32_t i, const struct far_scope *s)
{
    uint32_t block = eval_block_behind(c, i);

    if (s->is_open) {
        if (s->jumps)
            lose_jumped(c, s, block);
        return;
    }
    eval_far_lose_changes(c, s->from, c->live->block[s->begin + 1], false);
    if (s->counts || s->jumps != 1) {
        lose_left(c, s, block);
        eval_far_lose_changes(c, s->from, block, true);
        return;
    }
    for (size_t k = s->from, end = c->flow->changes.count; k < end; k++)
        if (!eval_far_same(eval_far_held(c, eval_far_change_at(c, k)->var), no_value))
            eval_far_change(c, block, eval_far_change_at(c, k)->var, no_value);
    for (size_t k = s->left; k < c->flow->left.count; k++) {
        struct far_change left = *(struct far_change *)vec_at(&c->flow->left, k);
        if (!eval_far_same(left.old, no_value))
            eval_far_change(c, block, left.var, left.old);
    }
    c->flow->left.count = s->left;
}
