/* Products over flow: where one factor comes from the program's text, a parameter or a constant buffer, the driver's
 * compiler takes the product into sums of other blocks too (docs/semantics.md, "Contraction of MUL and ADD"). A
 * variable holds such a product, or such a factor, for as long as no other way brings something else; what is held
 * where a block begins otherwise than behind the one before it is noted down once, for all who go through the blocks.
 */
#include "model/state.h"
#include "model/contract/global.h"

static struct far_scope *innermost(const struct contractor *c)
{
    return c->flow->scopes.count ? vec_at(&c->flow->scopes, c->flow->scopes.count - 1) : NULL;
}

/* ---- IF ----------------------------------------------------------------------------------------------------- */

static void end_first_side(struct contractor *c, uint32_t i, struct far_scope *s)
{
    size_t end = c->flow->changes.count;
    uint32_t block = eval_block_behind(c, i), stamp = ++c->flow->stamp;

    s->sides = c->flow->sides.count;
    for (size_t k = end; k-- > s->from;) {
        const struct far_change *old = eval_far_change_at(c, k);
        struct far_change side = {.var = old->var, .old = eval_far_held(c, old->var)};
        if (c->flow->seen[old->var] != stamp && model_push(c->d, &c->flow->sides, &side) == NO_INDEX)
            c->flow->failed = true;
        c->flow->seen[old->var] = stamp;
    }
    for (size_t k = end; k-- > s->from;)
        eval_far_note(c, block, eval_far_change_at(c, k)->var, eval_far_change_at(c, k)->old);
    c->flow->changes.count = s->from;
    s->end = program_insn(c->d->p, i)->partner;
    s->has_else = true;
}

static void meet(struct contractor *c, uint32_t block, uint32_t var, struct value a, struct value b)
{
    if (eval_far_same(a, b))
        return;
    eval_far_lose(c, block, var, a);
    eval_far_lose(c, block, var, b);
    eval_far_change(c, block, var, no_value);
}

static void end_if(struct contractor *c, uint32_t i, struct far_scope *s)
{
    uint32_t block = eval_block_behind(c, i), stamp = ++c->flow->stamp;
    size_t end = c->flow->changes.count;

    for (size_t k = s->sides; s->has_else && k < c->flow->sides.count; k++) {
        struct far_change side = *(struct far_change *)vec_at(&c->flow->sides, k);
        c->flow->seen[side.var] = stamp;
        meet(c, block, side.var, side.old, eval_far_held(c, side.var));
    }
    for (size_t k = s->from; k < end; k++) {
        struct far_change old = *eval_far_change_at(c, k);
        if (c->flow->seen[old.var] == stamp)
            continue;
        c->flow->seen[old.var] = stamp;
        meet(c, block, old.var, old.old, eval_far_held(c, old.var));
    }
    if (s->has_else)
        c->flow->sides.count = s->sides;
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static void close_scope(struct contractor *c, uint32_t i, bool parts)
{
    struct far_scope *s = innermost(c);
    uint8_t form = model_form(c->d, i);

    if (form == FORM_NEXT) {
        if (s && s->is_open && s->jumps && parts)       /* else nobody jumps there */
            eval_far_end_loop(c, i, s);
        if (s && s->is_open && !s->breaks)     /* who takes a CONT goes to the end of this copy, no further */
            eval_far_forget_jumps(c, s);
        return;
    }
    if (!s || (s->end != i && !(form == FORM_LAST && s->is_open))) {
        c->flow->failed |= parts;
        return;
    }
    c->flow->failed |= !parts && !(s->is_open && !s->jumps);
    if (s->is_loop) {
        eval_far_end_loop(c, i, s);
        eval_far_forget_jumps(c, s);
    } else if (program_insn(c->d->p, i)->op == OP_ELSE) {
        end_first_side(c, i, s);
        return;
    } else {
        end_if(c, i, s);
    }
    c->flow->scopes.count--;
}

static bool is_way_out(const struct insn *insn)
{
    return insn->op == OP_BRK || insn->op == OP_RET;
}

static void open_if(struct contractor *c, uint32_t i)
{
    struct far_scope *loop = innermost(c);
    struct far_scope s = {.begin = i, .end = program_insn(c->d->p, i)->partner, .from = c->flow->changes.count};

    if (loop && loop->is_loop && is_way_out(program_insn(c->d->p, i + 1)))
        eval_far_turn_over(c, i, loop);
    s.from = c->flow->changes.count;
    if (model_push(c->d, &c->flow->scopes, &s) == NO_INDEX)
        c->flow->failed = true;
}

static void go_on(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    uint8_t form = model_form(c->d, i);
    struct far_scope *s = innermost(c);
    bool last = i + 1 >= c->d->p->insns.count;
    bool parts = last ? s && (s->end == i || form == FORM_NEXT) : c->live->block[i + 1] != c->live->block[i];

    if (insn->op == OP_RET && form == FORM_PLAIN && parts && s && s->is_loop && condition_restricts(&insn->condition))
        eval_far_turn_over(c, i, s);
    if (form == FORM_KNOWN)
        return;
    switch (insn->op) {
    case OP_IF:
        if (parts)
            open_if(c, i);
        break;
    case OP_REP:
        if (parts || form == FORM_OPEN)
            eval_far_begin_loop(c, i);
        break;
    case OP_ELSE: case OP_ENDIF: case OP_ENDREP:
        close_scope(c, i, parts);
        break;
    case OP_BRK: case OP_CONT:
        if (parts)
            eval_far_jump(c, i);
        break;
    default: break;
    }
}

/* Whether there are products that may go over flow. Over calls none does. */
static bool has_far_products(const struct contractor *c)
{
    bool any = false;

    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        switch (program_insn(c->d->p, i)->op) {
        case OP_MUL: case OP_DIV: case OP_DST: case OP_UP2US: case OP_UP4UB: any = true; break;
        case OP_CAL: case OP_CALI: return false;
        default: break;
        }
    return any;
}

bool eval_follow_far(struct contractor *c)
{
    struct far_flow *f;

    if (!eval_far_begin(c))
        return false;
    f = c->flow;
    f->follows = has_pass(c->d, PASS_contract_global) && has_far_products(c);
    f->failed = !f->follows;
    for (uint32_t block = 0; f->follows && block < c->live->nblocks; block++) {
        eval_begin_held(c, block);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            eval_hold_result(c, i, c->live->useful[i]);
            go_on(c, i);
        }
    }
    f->follows = false;
    return !c->d->failed;
}
