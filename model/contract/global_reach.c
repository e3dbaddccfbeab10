/* Products over flow: what variables hold, where that was noted down, and where it is lost (global.c). */
#include "model/state.h"
#include "model/contract/global.h"

#include <string.h>

bool eval_far_same(struct value a, struct value b)
{
    return a.product == b.product && a.given == b.given &&
           (a.product == NO_INDEX || (a.component == b.component && a.negate == b.negate && a.word == b.word));
}

static struct value far_of(struct value v)
{
    v.source = NO_INDEX;
    return v.far || v.given ? v : no_value;
}

struct value eval_far_held(const struct contractor *c, uint32_t var)
{
    return far_of(eval_value_of(c, var));
}

uint32_t eval_block_behind(const struct contractor *c, uint32_t i)
{
    return i + 1 < c->d->p->insns.count ? c->live->block[i + 1] : NO_INDEX;
}

static bool is_wanted(const struct contractor *c, uint32_t block, uint32_t var)
{
    return shared_bits_has(&c->live->live_in[block], var);
}

/* ---- what is held at hand ----------------------------------------------------------------------------------- */

static struct value far_at(const struct far_flow *f, uint32_t which)
{
    return *(const struct value *)vec_at(&f->values, which - 1u);
}

/* The number of a value: that which the variable holds already if it is no other. */
static uint32_t number(struct contractor *c, uint32_t held, struct value v)
{
    struct value old = held ? far_at(c->flow, held) : no_value;
    uint32_t at;

    if (held && eval_far_same(old, v) && old.far == v.far && old.turned == v.turned)
        return held;
    at = model_push(c->d, &c->flow->values, &v);
    return at == NO_INDEX ? 0 : at + 1;
}

void eval_list_kept(struct contractor *c, uint32_t var, struct value v)
{
    struct far_flow *f = c->flow;
    uint32_t held = f->kept[var], to = 0;

    if (v.far || v.given) {
        to = number(c, held, far_of(v));
        f->failed |= !to || model_push(c->d, &f->log, &var) == NO_INDEX;
    }
    f->kept[var] = to;
}

/* ---- notes -------------------------------------------------------------------------------------------------- */

void eval_far_note(struct contractor *c, uint32_t block, uint32_t var, struct value v)
{
    struct far_value f = {.block = block, .var = var, .value = far_of(v)};

    eval_hold_value(c, var, f.value);
    if (model_push(c->d, &c->flow->notes, &f) == NO_INDEX)
        c->flow->failed = true;
}

void eval_far_lose(struct contractor *c, uint32_t block, uint32_t var, struct value v)
{
    struct far_value f = {.block = block, .var = var, .value = v};

    if (v.far && block != NO_INDEX && model_push(c->d, &c->flow->lost, &f) == NO_INDEX)
        c->flow->failed = true;
}

void eval_far_changes(struct contractor *c, uint32_t var, struct value to)
{
    struct far_change change = {.var = var};

    if (!c->flow || !c->flow->follows)
        return;
    change.old = eval_far_held(c, var);
    if (eval_far_same(change.old, far_of(to)) && eval_far_same(far_of(to), no_value))
        return;
    if (model_push(c->d, &c->flow->changes, &change) == NO_INDEX)
        c->flow->failed = true;
}

void eval_far_change(struct contractor *c, uint32_t block, uint32_t var, struct value to)
{
    eval_far_changes(c, var, to);
    eval_far_note(c, block, var, to);
}

/* ---- what is lost ------------------------------------------------------------------------------------------- */

static void forget(struct contractor *c, uint32_t block, uint32_t var)
{
    struct value v = eval_value_of(c, var);

    if (!v.far && !v.given)
        return;
    eval_far_lose(c, block, var, v);
    eval_far_change(c, block, var, no_value);
}

void eval_far_forget(struct contractor *c, uint32_t block, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);

    for (unsigned k = 0; insn->dst.kind == OPND_SYMBOL && k < 4; k++) {
        uint32_t var = insn->dst.mask >> k & 1 ? eval_result_variable(c->live, &insn->dst, k) : NO_INDEX;
        if (var != NO_INDEX)
            forget(c, block, var);
    }
}

void eval_far_lose_change(struct contractor *c, size_t at, uint32_t block, bool now, bool every)
{
    struct far_change old = *eval_far_change_at(c, at);
    bool first = c->flow->seen[old.var] != c->flow->stamp;

    c->flow->seen[old.var] = c->flow->stamp;
    if (first)
        eval_far_lose(c, block, old.var, eval_value_of(c, old.var));
    if (now && (first || every))
        eval_far_lose(c, block, old.var, old.old);
    if (now && !eval_far_same(eval_far_held(c, old.var), no_value))
        eval_far_change(c, block, old.var, no_value);
}

void eval_far_lose_changes(struct contractor *c, size_t from, uint32_t block, bool now)
{
    c->flow->stamp++;
    for (size_t k = from, end = c->flow->changes.count; k < end; k++)
        eval_far_lose_change(c, k, block, now, false);
}

void eval_far_lose_held(struct contractor *c, size_t *told, uint32_t block)
{
    for (; *told < c->flow->log.count; ++*told) {
        uint32_t var = *(const uint32_t *)vec_at(&c->flow->log, *told);
        eval_far_lose(c, block, var, eval_value_of(c, var));
    }
}

void eval_refuse_lost(struct contractor *c)
{
    for (size_t k = 0; !c->flow->failed && k < c->flow->lost.count; k++) {
        const struct far_value *f = vec_at(&c->flow->lost, k);
        if (is_wanted(c, f->block, f->var))
            eval_refuse_product(c, f->value);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------------- */

void eval_take_notes(struct contractor *c, uint32_t block)
{
    struct far_flow *f = c->flow;

    if (!f || f->follows || f->failed)
        return;
    if (block == 0)
        f->at = 0;
    for (; f->at < f->notes.count; f->at++) {
        const struct far_value *note = vec_at(&f->notes, f->at);
        if (note->block != block)
            break;
        eval_hold_value(c, note->var, note->value);
    }
}

bool eval_far_begin(struct contractor *c)
{
    size_t nvars = c->live->nvars + 1u;
    struct far_flow *f = gp5_malloc(sizeof *f);

    c->flow = f;
    if (!f)
        return model_out_of_memory(c->d);
    memset(f, 0, sizeof *f);
    vec_init(&f->notes, sizeof(struct far_value));
    vec_init(&f->lost, sizeof(struct far_value));
    vec_init(&f->changes, sizeof(struct far_change));
    vec_init(&f->sides, sizeof(struct far_change));
    vec_init(&f->jumps, sizeof(size_t));
    vec_init(&f->left, sizeof(struct far_change));
    vec_init(&f->scopes, sizeof(struct far_scope));
    vec_init(&f->values, sizeof(struct value));
    vec_init(&f->log, sizeof(uint32_t));
    f->seen = gp5_malloc(nvars * sizeof *f->seen);
    f->kept = gp5_malloc(nvars * sizeof *f->kept);
    if (!f->seen || !f->kept)
        return model_out_of_memory(c->d);
    memset(f->seen, 0, nvars * sizeof *f->seen);
    memset(f->kept, 0, nvars * sizeof *f->kept);
    return true;
}

void eval_far_free(struct far_flow *f)
{
    if (!f)
        return;
    gp5_free(f->kept);
    vec_free(&f->notes);
    vec_free(&f->lost);
    vec_free(&f->changes);
    vec_free(&f->sides);
    vec_free(&f->jumps);
    vec_free(&f->left);
    vec_free(&f->scopes);
    vec_free(&f->values);
    vec_free(&f->log);
    gp5_free(f->seen);
    gp5_free(f);
}
