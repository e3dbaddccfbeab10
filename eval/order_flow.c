/* Branches, loops and calls: which values go where (order.c). */
#include "eval/block_ends.h"
#include "eval/forward.h"
#include "eval/loop_sizes.h"
#include "eval/order.h"

#include <string.h>

/* ---- branches -------------------------------------------------------------------------------------------------------------- */

/* Whether nothing between two instructions but an IF (TR) makes a block end: such a side of an IF is computed without a jump. */
static bool is_straight(const struct walk *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        bool goes_on = insn->op == OP_ELSE || insn->op == OP_ENDIF || (insn->op == OP_IF && !condition_restricts(&insn->condition));
        if (!goes_on && (op_flows(insn->op) || eval_ends_block(insn)))
            return false;
    }
    return true;
}

/* The other side, which is computed too, gives the variable another value. */
static void note_other(void *user, uint32_t slot, void *value, const void *other)
{
    struct origin before = eval_order_unpack(value), first = eval_order_unpack(other);

    (void)user;
    (void)slot;
    before.other_side |= first.own != before.own && !first.several;
    eval_order_pack(&before, value);
}

static void second_side(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct surrounding *f = eval_order_top(w);
    bool straight;

    if (!f || f->loop)
        return;
    w->closed[f->side] = 1;
    f->side = i + 1;
    straight = is_straight(w, f->begin + 1, i) && is_straight(w, i + 1, insn->partner) && eval_order_is_short(w, f->begin + 1, i);
    if (!w->dead)
        eval_order_come(w, &f->behind, &w->now, i);
    shared_map_set(&w->now, &f->before);
    if (straight && !w->dead)
        shared_map_meet(&w->now, &f->behind.of, true, note_other, NULL);
    w->failed |= w->now.failed;
    w->dead = f->dead;
    f->dead = true;             /* nobody goes by it */
}

static void close_branch(struct walk *w, uint32_t i)
{
    struct surrounding *f = eval_order_top(w);

    if (!f || f->loop)
        return;
    w->closed[f->side] = 1;
    w->meeting = MEETINGS * i + AT;
    eval_order_come(w, &f->behind, eval_order_here(w), i);
    eval_order_come(w, &f->behind, f->dead ? NULL : &f->before, i);
    eval_order_go_on(w, &f->behind);
    eval_order_close(w);
}

/* ---- loops ----------------------------------------------------------------------------------------------------------------- */

struct heading {
    struct walk *w;
    const struct shared_map *before;
    uint32_t rep;
};

static void meet_value(void *user, uint32_t slot, void *value)
{
    const struct heading *h = user;
    struct walk *w = h->w;
    struct changing_round *changes = w->changes[h->rep];
    struct origin before = eval_order_get(h->before, slot), end = eval_order_unpack(value);
    bool others = eval_order_alone(&before, &end) == MANY;

    if (before.own == NO_INDEX || end.own == NO_INDEX || eval_order_is_same(&before, &end))
        return;
    w->learnt |= !shared_bits_has(&changes->slots, slot) || (others && !shared_bits_has(&changes->others, slot));
    if (others)
        shared_bits_add(&changes->others, slot);
    shared_bits_add(&changes->slots, slot);
    shared_bits_add(&changes->fours, slot / 4);
    w->failed |= changes->slots.failed || changes->fours.failed || changes->others.failed;
    if (!eval_order_wanted(w, h->rep + 1, slot))
        return;
    if (before.own == end.own) {
        if (others)
            eval_order_web(w, &before);
        return;
    }
    if (before.own < w->replaces[end.own]) {
        w->replaces[end.own] = before.own;
        w->learnt = true;
    }
    eval_order_web_both(w, &before, &end);
    eval_order_note_again(w, &before);
    eval_order_note_again(w, &end);
}

/* Another round begins with what stands here: other values than at first, which the next walk takes in. */
static void meet_head(struct walk *w, uint32_t rep)
{
    const struct surrounding *f = eval_order_top(w);

    w->meeting = MEETINGS * rep + AT;
    w->at_head = true;
    if (!w->dead && w->changes[rep])
        shared_map_each_apart(&w->now, &f->before, meet_value, &(struct heading){w, &f->before, rep});
    w->at_head = false;
}

static void change_value(void *user, uint32_t slot, void *value)
{
    const struct heading *h = user;
    struct origin o = eval_order_unpack(value);

    if (!shared_bits_has(&h->w->changes[h->rep]->slots, slot) || o.own == NO_INDEX)
        return;
    eval_order_make_several(h->w, &o, slot);
    if (shared_bits_has(&h->w->changes[h->rep]->others, slot))
        o.alone = MANY;
    eval_order_pack(&o, value);
}

static void learn_changes(struct walk *w, uint32_t rep)
{
    if (!w->changes[rep]) {
        w->changes[rep] = gp5_malloc(sizeof *w->changes[rep]);
        w->failed |= !w->changes[rep];
        if (!w->failed)
            *w->changes[rep] = (struct changing_round){shared_bits_none(w->live->nvars), shared_bits_none(w->live->nvars / 4 + 1),
                                                           shared_bits_none(w->live->nvars)};
    }
}

/* Whether what stands here are the rounds in front of a loop whose count is known: the rest that it does not divide by its copies. */
static bool in_rest(const struct walk *w, const struct surrounding *f)
{
    const struct folded *folded = eval_folded_at(w->d, f->begin);

    return eval_form(w->d, f->begin) == FORM_PHASED && !f->phases && folded && folded->word[PHASES] & 1;
}

/* Its first round begins. */
static void open_loop(struct walk *w, uint32_t rep)
{
    w->meeting = MEETINGS * rep + AT;
    if (!w->failed)
        shared_map_each_of(&w->now, &w->changes[rep]->fours, change_value, &(struct heading){w, NULL, rep});
    w->failed |= w->now.failed;
}

/* Where CONT goes to. The phases of a loop are one. */
static uint32_t next_round(const struct surrounding *f, uint8_t form)
{
    return MEETINGS * f->begin + (form == FORM_PHASE ? AT : NEXT_ROUND);
}

/* Whether a BRK that is known to be taken, which ends no block, stands before the end of a round. */
static bool is_left_before(const struct walk *w, uint32_t end)
{
    uint32_t i = end;

    while (i > 0 && eval_form(w->d, i - 1) == FORM_KNOWN && (program_insn(w->d->p, i - 1)->op == OP_ENDIF || program_insn(w->d->p, i - 1)->op == OP_ELSE))
        i--;
    return i > 0 && eval_form(w->d, i - 1) == FORM_KNOWN && program_insn(w->d->p, i - 1)->op == OP_BRK && eval_outcome(w->d, i - 1) == OUTCOME_PASSES;
}

/* Whether the only copy of a loop's body ends: a CONT in it is an IF around what stands behind that. */
static bool ends_only_copy(const struct walk *w, const struct surrounding *f, uint8_t form)
{
    return form == FORM_LAST && eval_form(w->d, f->begin) == FORM_OPEN && !f->copies;
}

/* Whether several copies of a loop's body stand in its place: loads do not meet behind them. */
static bool has_several_copies(const struct walk *w, uint32_t rep)
{
    return eval_form(w->d, rep) == FORM_OPEN && eval_form(w->d, program_insn(w->d->p, rep)->partner) == FORM_NEXT;
}

/* A way behind a loop; from phases values meet as they do in front of one. */
static void come_behind(struct walk *w, struct surrounding *f, const struct shared_map *from, uint32_t insn, bool phase)
{
    w->at_head = phase;
    eval_order_come(w, &f->behind, from, insn);
    w->at_head = false;
}

/* The end of a copy of the body. */
static void end_round(struct walk *w, uint32_t i, uint8_t form)
{
    struct surrounding *f = eval_order_top(w);
    const struct insn *rep;
    bool counted, last, as_if, left = form == FORM_PLAIN && is_left_before(w, i);

    if (!f || !f->loop)
        return;
    rep = program_insn(w->d->p, f->begin);
    as_if = f->next.any && eval_form(w->d, f->begin) != FORM_OPEN && eval_cont_as_if(w->d->x->program, eval_in_text(w->d, f->begin)) != NO_INDEX;
    w->meeting = as_if ? MEETINGS * i + NEXT_ROUND : next_round(f, form);
    counted = rep->nsrc != 0 || form == FORM_PHASE;
    last = form == FORM_PHASE ? rep->partner == i : form != FORM_NEXT;
    if (f->next.any) {
        eval_order_come(w, &f->next, eval_order_here(w), as_if ? i : ends_only_copy(w, f, form) ? i + 1 : NO_INDEX);
        eval_order_go_on(w, &f->next);
    }
    if (((form == FORM_PLAIN && !left) || form == FORM_PHASE || (form == FORM_NEXT && eval_form(w->d, f->begin) == FORM_PHASED)) && !in_rest(w, f))
        meet_head(w, f->begin);
    if (eval_form(w->d, f->begin) == FORM_OPEN && (form == FORM_NEXT || f->copies || eval_order_is_counted_by_register(w, f)))
        eval_order_carry(w, f, i);
    if (form == FORM_LAST && eval_form(w->d, f->begin) == FORM_OPEN && ((f->copies && rep->nsrc) || eval_order_is_counted_by_register(w, f)) && !f->dead)
        eval_order_look_at_copies(w, f, i);
    w->meeting = MEETINGS * (form == FORM_PHASE ? f->begin : rep->partner) + AT;
    if (form == FORM_LAST || form == FORM_PHASE || (form == FORM_PLAIN && (counted || left)))
        come_behind(w, f, eval_order_here(w), has_several_copies(w, f->begin) ? NO_INDEX : i + 1, form == FORM_PHASE);
    if (!last && form == FORM_PHASE) {
        if (in_rest(w, f) && !w->dead) {
            shared_map_set(&f->before, &w->now);
            w->failed |= f->before.failed;
            open_loop(w, f->begin);
        }
        f->phase = i;
        f->phases++;
        if (w->dead)
            shared_map_set(&w->now, &f->before);
        w->dead = f->dead;      /* else a later phase begins with what this one leaves */
    }
    f->copies = true;
    f->copy = i + 1;
    if (!last)
        return;
    if ((form == FORM_PLAIN || form == FORM_PHASE) && counted && !f->dead)
        come_behind(w, f, &f->before, rep->partner + 1, form == FORM_PHASE);
    eval_order_go_on(w, &f->behind);
    eval_order_close(w);
}

static void leave(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct surrounding *f = eval_order_loop(w);
    const struct insn *rep = f ? program_insn(w->d->p, f->begin) : NULL;
    bool at_bottom = insn->op == OP_CONT && insn->partner == i + 1 && condition_restricts(&insn->condition);     /* who does not take it leaves */

    if (f)
        w->meeting = MEETINGS * rep->partner + AT;
    if (f && (insn->op == OP_BRK || at_bottom))
        eval_order_come(w, &f->behind, eval_order_here(w), has_several_copies(w, f->begin) ? NO_INDEX : rep->partner + 1);
    if (f)
        w->meeting = next_round(f, FORM_PLAIN);
    if (f && insn->op == OP_CONT)
        eval_order_come(w, &f->next, eval_order_here(w), NO_INDEX);       /* no loads meet there */
    w->dead |= !condition_restricts(&insn->condition);
}

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

struct calling {
    struct walk *w;
    uint32_t call;
    bool tested;
};

static void put_called(void *user, uint32_t slot, void *value)
{
    const struct calling *c = user;
    uint32_t at = 4 * c->call + slot % 4, does = eval_order_in_subs(c->w, slot);
    struct origin now = eval_order_get(&c->w->now, slot);
    struct origin there = {.at = at, .own = at, .alone = MANY, .met = NO_INDEX, .slot = NO_INDEX, .part = c->w->part, .from = FROM_RESULT, .called = true, .changed = does & CALLED_CHANGES};

    (void)value;
    if ((c->tested || does & CALLED_LATE) && eval_order_wanted(c->w, c->call + 1, slot))
        eval_order_web(c->w, &now);
    eval_order_put(c->w, slot, &there);
}

/* What the called subroutines write comes from the call, also where that depends on a test: then what stood there meets it. */
static void call(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct shared_bits *written = eval_written_by_call(w->live, i);

    if (written && i + 1 < w->d->p->insns.count)
        shared_map_each_of(&w->in_sub, written, put_called, &(struct calling){w, i, condition_restricts(&insn->condition)});
}

/* Behind a label the values are those of its calls. Whether it is several that a variable has there, the first one says, and whether
 * others bring another first value. */
static void come_from(struct walk *w, uint32_t i, uint32_t target)
{
    struct origins *there;

    if (target >= w->d->p->insns.count)
        return;
    there = &w->entered[target];
    if (!there->any) {
        w->learnt = true;
        w->caller[target] = i;
    }
    w->meeting = MEETINGS * target + BEHIND_CALLS;
    if (w->caller[target] != i) {
        eval_order_come_again(w, there, &w->last[target], target);
        return;
    }
    eval_order_drop(there);             /* what came in the walk before */
    shared_map_free(&w->last[target]);
    eval_order_come(w, there, &w->now, target);
}

/* CALI goes to any label with a number. */
static void come_indirectly(struct walk *w, uint32_t from)
{
    for (uint32_t i = 0; i < w->d->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(w->d->p, i);
        if (symbol_is_numbered(s))
            come_from(w, from, s->instruction);
    }
}

static void enter(struct walk *w, uint32_t label)
{
    while (w->around.count)
        eval_order_close(w);
    w->dead = !w->entered[label].any;
    shared_map_set(&w->now, &w->entered[label].of);
    w->part = label + 1;
    w->in_main = label == w->live->entry;
}

/* Where straight-line code ends. */
static bool is_flow(uint16_t op, uint8_t form, const struct surrounding *f)
{
    bool jumped_to = f && f->loop && (f->next.any || f->behind.any);

    switch (op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI:
        return form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE ||
               ((form == FORM_LAST || form == FORM_NEXT) && jumped_to && (form == FORM_LAST || f->next.any));
    default: return false;
    }
}

static void flow(struct walk *w, uint32_t i, const struct insn *insn, uint8_t form)
{
    bool plain = form == FORM_PLAIN;

    switch (insn->op) {
    case OP_IF:
        if (plain)
            eval_order_open(w, i, false);
        return;
    case OP_ELSE:
        if (plain)
            second_side(w, i, insn);
        return;
    case OP_ENDIF:
        if (plain)
            close_branch(w, i);
        return;
    case OP_REP:
        eval_order_open(w, i, true);
        if (!w->failed && (plain || form == FORM_PHASED)) {
            learn_changes(w, i);
            if (!in_rest(w, eval_order_top(w)))
                open_loop(w, i);
        }
        if (!w->failed)
            eval_order_size_phases(w, eval_order_top(w));
        return;
    case OP_ENDREP: end_round(w, i, form); return;
    case OP_BRK: case OP_CONT: case OP_RET:
        if (plain && insn->op == OP_RET)
            w->dead |= !condition_restricts(&insn->condition);
        else if (plain)
            leave(w, i, insn);
        return;
    case OP_CAL: case OP_CALI:
        if (w->dead)
            return;
        if (insn->op == OP_CAL)
            come_from(w, i, insn->partner);
        else
            come_indirectly(w, i);
        call(w, i, insn);
        return;
    default: eval_order_step(w, i, insn);
    }
}

void eval_order_walk(struct walk *w)
{
    uint32_t n = (uint32_t)w->d->p->insns.count;

    shared_map_free(&w->now);
    w->part = w->live->entry + 1;
    w->in_main = true;
    memset(w->widened, 0, (w->nsingles + 4 * ((size_t)n + 1)) * sizeof *w->widened);
    memset(w->singles, 0xff, w->nsingles * sizeof *w->singles);
    memset(w->closed, 0, n + 2);
    w->epoch = 0;
    memset(w->reads_of, 0, 4 * (size_t)n * sizeof *w->reads_of);
    w->stretch = 1;
    w->block = 0;
    w->last_load = NO_INDEX;
    w->learnt = false;
    w->dead = w->live->entry != 0;
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        uint8_t form = eval_form(w->d, i);
        if (w->live->label[i] || is_flow(insn->op, form, eval_order_top(w))) {
            w->stretch++;
            w->block++;
            w->epoch += w->live->label[i] || (insn->op != OP_IF && insn->op != OP_ELSE && insn->op != OP_ENDIF);
            w->last_load = NO_INDEX;
        }
        if (i == w->live->entry && i) {
            enter(w, i);
            w->dead = false;
        } else if (w->live->label[i]) {
            enter(w, i);
        }
        w->stretch_of[i] = w->stretch;
        w->block_of[i] = w->block;
        if (form == FORM_PLAIN && eval_order_jumps_over_nothing(w, i))
            continue;
        if (form == FORM_PLAIN && (insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET)) {
            w->block++;
            w->last_load = NO_INDEX;
        }
        w->block_of[i] = w->block;
        flow(w, i, insn, form);
    }
    while (w->around.count)
        eval_order_close(w);
    if (w->halves && memcmp(w->reads_of, w->reads_before, 4 * (size_t)n * sizeof *w->reads_of)) {
        memcpy(w->reads_before, w->reads_of, 4 * (size_t)n * sizeof *w->reads_of);
        w->learnt = true;
    }
}
