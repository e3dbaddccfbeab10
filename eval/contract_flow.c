/* Products over flow: where one factor comes from the program's text, a parameter or a constant buffer, the driver's compiler takes the product into sums
 * of other blocks too (docs/semantics.md, "Contraction of MUL and ADD"). A variable holds such a product, or such a factor, for as long as no
 * other way brings something else; what is held where a block begins otherwise than behind the one before it is noted down once, for all who go through the blocks. */
#include "eval/contract.h"

#include <string.h>

#include "eval/forward.h"
#include "eval/state.h"

static const struct value nothing = {.product = NO_INDEX, .source = NO_INDEX};

/* ---- what products are made of -------------------------------------------------------------------------------------------------- */

static bool is_given(uint16_t kind)
{
    return kind == BIND_CONSTANT || kind == BIND_PROGRAM_ENV || kind == BIND_PROGRAM_LOCAL || eval_is_state(kind);
}

bool eval_is_given(const struct contractor *c, const struct operand *o, unsigned component)
{
    uint32_t var;

    if (o->kind == OPND_CONSTANT)
        return true;
    if (o->kind == OPND_BINDING)
        return is_given(program_binding(c->d->p, o->ref)->kind);
    if (o->kind != OPND_SYMBOL)
        return false;
    switch (program_symbol(c->d->p, o->ref)->kind) {
    case SYM_PARAM: case SYM_BUFFER: case SYM_BUFFER4: return true;
    case SYM_TEMP: break;
    default: return false;
    }
    var = eval_variable(c->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * component & 3);
    return var != NO_INDEX && eval_value_of(c, var).given;
}

bool eval_is_far(const struct contractor *c, uint32_t i, unsigned comp)
{
    const struct insn *insn = program_insn(c->d->p, i);
    const struct folded *folded = eval_folded_at(c->d, i);

    if (insn->type == DT_F64 || (insn->cc_update && condition_restricts(&insn->dst.condition)))
        return false;
    switch (insn->op) {
    case OP_UP2US: case OP_UP4UB: return true;
    case OP_DIV: return folded && folded->part >> comp & 1;
    case OP_MUL: case OP_DST:
        return eval_is_given(c, program_operand(c->d->p, insn->src), comp) || eval_is_given(c, program_operand(c->d->p, insn->src + 1), comp);
    default: return false;
    }
}

/* ---- notes ------------------------------------------------------------------------------------------------------------------------ */

static bool same(struct value a, struct value b)
{
    return a.product == b.product && a.given == b.given &&
           (a.product == NO_INDEX || (a.component == b.component && a.negate == b.negate && a.word == b.word));
}

static struct value far_of(struct value v)
{
    v.source = NO_INDEX;
    return v.far || v.given ? v : nothing;
}

static uint32_t block_behind(const struct contractor *c, uint32_t i)
{
    return i + 1 < c->d->p->insns.count ? c->live->block[i + 1] : NO_INDEX;
}

void eval_list_kept(struct contractor *c, uint32_t var, struct value v)
{
    struct far_flow *f = c->flow;
    bool keeps = v.far || v.given;

    if (keeps == (f->place[var] != NO_INDEX))
        return;
    if (keeps) {
        f->place[var] = f->nkept;
        f->kept[f->nkept++] = var;
        return;
    }
    f->kept[f->place[var]] = f->kept[--f->nkept];
    f->place[f->kept[f->place[var]]] = f->place[var];
    f->place[var] = NO_INDEX;
}

/* Where block `block` begins, the variable holds `v`. */
static void note(struct contractor *c, uint32_t block, uint32_t var, struct value v)
{
    struct far_value f = {.block = block, .var = var, .value = far_of(v)};

    eval_hold_value(c, var, f.value);
    if (eval_push(c->d, &c->flow->notes, &f) == NO_INDEX)
        c->flow->failed = true;
}

/* There a product does not get to for certain: a reader is a use of it. NO_INDEX is behind the calls of the part at hand, where only what came to it goes. */
static void lose(struct contractor *c, uint32_t block, uint32_t var, struct value v)
{
    const struct far_came *came = &c->flow->came[var];
    struct far_value f = {.block = block, .part = c->flow->region, .var = var, .value = v};

    if (!v.far || (block == NO_INDEX && came->part == c->flow->part && same(came->value, far_of(v))))
        return;
    if (eval_push(c->d, &c->flow->lost, &f) == NO_INDEX)
        c->flow->failed = true;
}

void eval_far_changes(struct contractor *c, uint32_t var, struct value to)
{
    struct far_change change = {.var = var, .old = far_of(eval_value_of(c, var))};

    if (!c->flow || !c->flow->follows || (same(change.old, far_of(to)) && same(far_of(to), nothing)))
        return;
    if (eval_push(c->d, &c->flow->changes, &change) == NO_INDEX)
        c->flow->failed = true;
}

static struct far_change *change_at(const struct contractor *c, size_t at)
{
    return vec_at(&c->flow->changes, at);
}

static struct far_scope *innermost(const struct contractor *c)
{
    return c->flow->scopes.count ? vec_at(&c->flow->scopes, c->flow->scopes.count - 1) : NULL;
}

static void change(struct contractor *c, uint32_t block, uint32_t var, struct value to)
{
    eval_far_changes(c, var, to);
    note(c, block, var, to);
}

/* ---- IF --------------------------------------------------------------------------------------------------------------------------- */

static void end_first_side(struct contractor *c, uint32_t i, struct far_scope *s)
{
    size_t end = c->flow->changes.count;
    uint32_t block = block_behind(c, i), stamp = ++c->flow->stamp;

    s->sides = c->flow->sides.count;
    for (size_t k = end; k-- > s->from;) {
        const struct far_change *old = change_at(c, k);
        struct far_change side = {.var = old->var, .old = far_of(eval_value_of(c, old->var))};
        if (c->flow->seen[old->var] != stamp && eval_push(c->d, &c->flow->sides, &side) == NO_INDEX)
            c->flow->failed = true;
        c->flow->seen[old->var] = stamp;
    }
    for (size_t k = end; k-- > s->from;)
        note(c, block, change_at(c, k)->var, change_at(c, k)->old);
    c->flow->changes.count = s->from;
    s->end = program_insn(c->d->p, i)->partner;
    s->has_else = true;
}

static void meet(struct contractor *c, uint32_t block, uint32_t var, struct value a, struct value b)
{
    if (same(a, b))
        return;
    lose(c, block, var, a);
    lose(c, block, var, b);
    change(c, block, var, nothing);
}

static void end_if(struct contractor *c, uint32_t i, struct far_scope *s)
{
    uint32_t block = block_behind(c, i), stamp = ++c->flow->stamp;
    size_t end = c->flow->changes.count;

    for (size_t k = s->sides; s->has_else && k < c->flow->sides.count; k++) {
        struct far_change side = *(struct far_change *)vec_at(&c->flow->sides, k);
        c->flow->seen[side.var] = stamp;
        meet(c, block, side.var, side.old, far_of(eval_value_of(c, side.var)));
    }
    for (size_t k = s->from; k < end; k++) {
        struct far_change old = *change_at(c, k);
        if (c->flow->seen[old.var] == stamp)
            continue;
        c->flow->seen[old.var] = stamp;
        meet(c, block, old.var, old.old, far_of(eval_value_of(c, old.var)));
    }
    if (s->has_else)
        c->flow->sides.count = s->sides;
}

/* ---- loops ------------------------------------------------------------------------------------------------------------------------ */

/* Whatever an instruction writes, or one that it calls, is not held where `block` begins. */
static void forget_written(struct contractor *c, uint32_t block, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);

    for (unsigned k = 0; insn->dst.kind == OPND_SYMBOL && k < 4; k++) {
        uint32_t var = insn->dst.mask >> k & 1 ? eval_variable(c->live, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, k) : NO_INDEX;
        if (var == NO_INDEX || !(eval_value_of(c, var).far || eval_value_of(c, var).given))
            continue;
        lose(c, block, var, eval_value_of(c, var));
        change(c, block, var, nothing);
    }
    for (uint32_t k = insn->op == OP_CAL ? c->flow->nkept : 0; k-- > 0;) {
        uint32_t var = c->flow->kept[k];
        if (!(eval_value_of(c, var).far || eval_value_of(c, var).given) || !eval_called_writes(c->live, i, var))
            continue;
        lose(c, block, var, eval_value_of(c, var));
        change(c, block, var, nothing);
    }
}

static void forget_loop(struct contractor *c, uint32_t rep, uint32_t end, uint32_t block)
{
    for (uint32_t i = rep + 1; i < end; i++)
        forget_written(c, block, i);
}

/* What has changed is lost at `block`. There it is not held if `now`, nor what was there before; `every`: nor what was there in between. */
static void lose_changes(struct contractor *c, size_t from, uint32_t block, bool now, bool every)
{
    uint32_t stamp = ++c->flow->stamp;

    for (size_t k = from, end = c->flow->changes.count; k < end; k++) {
        struct far_change old = *change_at(c, k);
        bool first = c->flow->seen[old.var] != stamp;
        c->flow->seen[old.var] = stamp;
        if (first)
            lose(c, block, old.var, eval_value_of(c, old.var));
        if (now && (first || every))
            lose(c, block, old.var, old.old);
        if (now && !same(far_of(eval_value_of(c, old.var)), nothing))
            change(c, block, old.var, nothing);
    }
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

/* The compiler begins a loop with what stands before its first way out, which it then has twice; not where that is the loop's end. */
static void turn_over(struct contractor *c, uint32_t i, struct far_scope *loop)
{
    const struct insn *insn = program_insn(c->d->p, i);
    bool is_if = insn->op == OP_IF;

    if (loop->turned || loop->is_open || loop->counts || i + (is_if ? 3 : 1) == loop->end ||
        (i > loop->begin + 1 && c->live->block[i - 1] != c->live->block[loop->begin + 1]))
        return;
    loop->turned = true;
    lose_changes(c, loop->from, block_behind(c, loop->end), false, false);
    if (is_if)
        lose_changes(c, loop->from, block_behind(c, insn->partner), false, false);
    lose_changes(c, loop->from, block_behind(c, i), true, false);
}

/* What is held at the only way out of a loop. */
static void keep_left(struct contractor *c, const struct far_scope *loop)
{
    uint32_t stamp = ++c->flow->stamp;

    for (size_t k = loop->from; k < c->flow->changes.count; k++) {
        uint32_t var = change_at(c, k)->var;
        struct far_change left = {.var = var, .old = far_of(eval_value_of(c, var))};
        if (c->flow->seen[var] != stamp && eval_push(c->d, &c->flow->left, &left) == NO_INDEX)
            c->flow->failed = true;
        c->flow->seen[var] = stamp;
    }
}

static void lose_left(struct contractor *c, const struct far_scope *loop, uint32_t block)
{
    for (size_t k = loop->left; k < c->flow->left.count; k++) {
        const struct far_change *left = vec_at(&c->flow->left, k);
        lose(c, block, left->var, left->old);
    }
    c->flow->left.count = loop->left;
}

static void jump(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    struct far_scope *loop = loop_around(c, insn->partner);

    if (!loop) {
        c->flow->failed = true;
        return;
    }
    if (loop->is_open) {
        size_t from = since(c, loop);
        loop->jumped = !loop->jumps++ || from < loop->jumped ? from : loop->jumped;
        return;
    }
    if (insn->op == OP_BRK)
        turn_over(c, i, loop);
    if (insn->op == OP_BRK && !loop->jumps && !loop->counts) {
        keep_left(c, loop);
    } else {
        lose_left(c, loop, block_behind(c, loop->end));
        lose_changes(c, loop->from, block_behind(c, loop->end), false, false);
        if (insn->op == OP_CONT)
            lose_changes(c, loop->from, c->live->block[loop->begin + 1], false, false);
    }
    loop->jumps += insn->op == OP_CONT ? 2 : 1;
}

static void begin_loop(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    uint8_t form = eval_form(c->d, i);
    struct far_scope s = {.begin = i, .end = insn->partner, .is_loop = true, .is_open = form == FORM_OPEN, .counts = insn->nsrc != 0 || form == FORM_PHASED,
                          .from = c->flow->changes.count, .left = c->flow->left.count};

    if (!s.is_open)
        forget_loop(c, i, insn->partner, block_behind(c, i));
    if (eval_push(c->d, &c->flow->scopes, &s) == NO_INDEX)
        c->flow->failed = true;
}

static void end_loop(struct contractor *c, uint32_t i, const struct far_scope *s)
{
    uint32_t block = block_behind(c, i);

    if (s->is_open) {
        if (s->jumps)
            lose_changes(c, s->jumped, block, true, true);
        return;
    }
    lose_changes(c, s->from, c->live->block[s->begin + 1], false, false);
    if (s->counts || s->jumps != 1) {
        lose_left(c, s, block);
        lose_changes(c, s->from, block, true, false);
        return;
    }
    for (size_t k = s->from, end = c->flow->changes.count; k < end; k++)
        if (!same(far_of(eval_value_of(c, change_at(c, k)->var)), nothing))
            change(c, block, change_at(c, k)->var, nothing);
    for (size_t k = s->left; k < c->flow->left.count; k++) {
        struct far_change left = *(struct far_change *)vec_at(&c->flow->left, k);
        if (!same(left.old, nothing))
            change(c, block, left.var, left.old);
    }
    c->flow->left.count = s->left;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------------------ */

static bool is_wanted(const struct contractor *c, uint32_t block, uint32_t var)
{
    return shared_bits_has(&c->live->live_in[block], var);
}

static void call(struct contractor *c, uint32_t i)
{
    uint32_t partner = program_insn(c->d->p, i)->partner, to;

    if (partner >= c->d->p->insns.count) {
        c->flow->failed = true;
        return;
    }
    to = c->live->block[partner];
    for (uint32_t k = c->flow->nkept; k-- > 0;) {
        uint32_t var = c->flow->kept[k];
        struct far_value f = {.block = c->flow->entered[partner], .var = var, .value = far_of(eval_value_of(c, var))};
        if (same(f.value, nothing) || !is_wanted(c, to, var))
            continue;
        if (partner <= i)
            lose(c, to, var, f.value);
        else if ((c->flow->entered[partner] = eval_push(c->d, &c->flow->brought, &f)) == NO_INDEX)
            c->flow->failed = true;
    }
    c->flow->calls[partner] = partner > i ? c->flow->calls[partner] + 1 : UINT32_MAX / 2;
    forget_written(c, block_behind(c, i), i);
}

/* What all calls bring. */
static void enter(struct contractor *c, uint32_t i)
{
    uint32_t block = c->live->block[i];

    for (uint32_t k = c->flow->nkept; k-- > 0;)
        if (!same(far_of(eval_value_of(c, c->flow->kept[k])), nothing)) {
            lose(c, NO_INDEX, c->flow->kept[k], eval_value_of(c, c->flow->kept[k]));
            note(c, block, c->flow->kept[k], nothing);
        }
    for (uint32_t at = c->flow->entered[i]; at != NO_INDEX;) {
        const struct far_value *f = vec_at(&c->flow->brought, at);
        struct far_came *came = &c->flow->came[f->var];
        if (came->part != i)
            *came = (struct far_came){.part = i, .value = f->value};
        came->n += same(came->value, f->value);
        at = f->block;
    }
    for (uint32_t at = c->flow->entered[i]; at != NO_INDEX;) {
        struct far_value f = *(struct far_value *)vec_at(&c->flow->brought, at);
        struct far_came *came = &c->flow->came[f.var];
        at = f.block;
        if (came->n < c->flow->calls[i]) {
            lose(c, block, f.var, f.value);
        } else if (same(far_of(eval_value_of(c, f.var)), nothing)) {
            eval_hold_value(c, f.var, f.value);
            note(c, block, f.var, f.value);
        }
    }
    c->flow->changes.count = c->flow->sides.count = c->flow->left.count = c->flow->scopes.count = 0;
    c->flow->part = i;
}

static void leave(struct contractor *c)
{
    for (uint32_t k = c->flow->nkept; k-- > 0;)
        lose(c, NO_INDEX, c->flow->kept[k], eval_value_of(c, c->flow->kept[k]));
}

/* ---- the program ------------------------------------------------------------------------------------------------------------------ */

/* The end of a part of a loop whose count the run tells: any of them may come next, or what is behind. */
static void end_phase(struct contractor *c, uint32_t i, const struct far_scope *s)
{
    for (uint32_t k = s->begin; k < s->end; k++)
        if (k == s->begin || eval_form(c->d, k) == FORM_PHASE)
            lose_changes(c, s->from, c->live->block[k + 1], false, false);
    lose_changes(c, s->from, block_behind(c, s->end), false, false);
    lose_changes(c, s->from, block_behind(c, i), true, false);
}

static void close_scope(struct contractor *c, uint32_t i, bool parts)
{
    struct far_scope *s = innermost(c);
    uint8_t form = eval_form(c->d, i);

    if (form == FORM_NEXT) {
        if (s && s->is_open && s->jumps)
            end_loop(c, i, s);
        c->flow->failed |= s && s->is_open && s->jumps && !parts;
        return;
    }
    if (s && s->is_loop && form == FORM_PHASE && i != s->end) {
        end_phase(c, i, s);
        return;
    }
    if (!s || s->end != i) {
        c->flow->failed |= parts;
        return;
    }
    c->flow->failed |= !parts && !(s->is_open && !s->jumps);
    if (s->is_loop) {
        if (form == FORM_PHASE)
            end_phase(c, i, s);
        end_loop(c, i, s);
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
        turn_over(c, i, loop);
    s.from = c->flow->changes.count;
    if (eval_push(c->d, &c->flow->scopes, &s) == NO_INDEX)
        c->flow->failed = true;
}

static void go_on(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    uint8_t form = eval_form(c->d, i);
    struct far_scope *s = innermost(c);
    bool last = i + 1 >= c->d->p->insns.count;
    bool parts = last ? s && (s->end == i || form == FORM_NEXT) : c->live->block[i + 1] != c->live->block[i];

    if (insn->op == OP_RET && form == FORM_PLAIN) {
        leave(c);
        if (parts && s && s->is_loop && condition_restricts(&insn->condition))
            turn_over(c, i, s);
    }
    if (form == FORM_KNOWN)
        return;
    switch (insn->op) {
    case OP_IF:
        if (parts)
            open_if(c, i);
        break;
    case OP_REP:
        if (parts || form == FORM_OPEN)
            begin_loop(c, i);
        break;
    case OP_ELSE: case OP_ENDIF: case OP_ENDREP:
        close_scope(c, i, parts);
        break;
    case OP_BRK: case OP_CONT:
        if (parts)
            jump(c, i);
        break;
    case OP_CAL:
        if (parts)
            call(c, i);
        break;
    case OP_CALI:
        c->flow->failed = true;
        break;
    default: break;
    }
}

static bool has_far_products(const struct contractor *c)
{
    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        switch (program_insn(c->d->p, i)->op) {
        case OP_MUL: case OP_DIV: case OP_DST: case OP_UP2US: case OP_UP4UB: return true;
        default: break;
        }
    return false;
}

bool eval_follow_far(struct contractor *c)
{
    size_t n = c->d->p->insns.count + 1u, nvars = c->live->nvars + 1u;
    struct far_flow *f = gp5_malloc(sizeof *f);

    c->flow = f;
    if (!f)
        return eval_out_of_memory(c->d);
    *f = (struct far_flow){.part = NO_INDEX};
    vec_init(&f->notes, sizeof(struct far_value));
    vec_init(&f->lost, sizeof(struct far_value));
    vec_init(&f->brought, sizeof(struct far_value));
    vec_init(&f->changes, sizeof(struct far_change));
    vec_init(&f->sides, sizeof(struct far_change));
    vec_init(&f->left, sizeof(struct far_change));
    vec_init(&f->scopes, sizeof(struct far_scope));
    f->entered = gp5_malloc(n * sizeof *f->entered);
    f->calls = gp5_malloc(n * sizeof *f->calls);
    f->seen = gp5_malloc(nvars * sizeof *f->seen);
    f->came = gp5_malloc(nvars * sizeof *f->came);
    f->kept = gp5_malloc(nvars * sizeof *f->kept);
    f->place = gp5_malloc(nvars * sizeof *f->place);
    if (!f->entered || !f->calls || !f->seen || !f->came || !f->kept || !f->place)
        return eval_out_of_memory(c->d);
    memset(f->entered, 0xff, n * sizeof *f->entered);
    memset(f->calls, 0, n * sizeof *f->calls);
    memset(f->seen, 0, nvars * sizeof *f->seen);
    memset(f->came, 0xff, nvars * sizeof *f->came);
    memset(f->place, 0xff, nvars * sizeof *f->place);
    f->follows = has_far_products(c);
    for (uint32_t block = 0; f->follows && block < c->live->nblocks; block++) {
        eval_begin_held(c, block);
        if (c->live->label[c->live->start[block]])
            enter(c, c->live->start[block]);
        f->region = c->live->region[c->live->start[block]];
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            eval_hold_result(c, i, c->live->useful[i]);
            go_on(c, i);
        }
    }
    if (f->follows)
        leave(c);
    f->follows = false;
    return !c->d->failed;
}

void eval_far_free(struct far_flow *f)
{
    if (!f)
        return;
    vec_free(&f->notes);
    vec_free(&f->lost);
    vec_free(&f->brought);
    vec_free(&f->changes);
    vec_free(&f->sides);
    vec_free(&f->left);
    vec_free(&f->scopes);
    gp5_free(f->entered);
    gp5_free(f->calls);
    gp5_free(f->seen);
    gp5_free(f->came);
    gp5_free(f->kept);
    gp5_free(f->place);
    gp5_free(f);
}

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

void eval_refuse_lost(struct contractor *c)
{
    for (size_t k = 0; !c->flow->failed && k < c->flow->lost.count; k++) {
        const struct far_value *f = vec_at(&c->flow->lost, k);
        if (f->block != NO_INDEX ? is_wanted(c, f->block, f->var) : shared_bits_has(&c->live->callers[f->part], f->var))
            eval_refuse_product(c, f->value);
    }
}
