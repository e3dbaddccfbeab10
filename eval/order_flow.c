/* Branches, loops and calls: which values go where (order.c). */
#include "eval/block_ends.h"
#include "eval/forward.h"
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

static void second_side(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct surrounding *f = eval_order_top(w);
    bool straight;

    if (!f || f->loop)
        return;
    straight = is_straight(w, f->begin + 1, i) && is_straight(w, i + 1, insn->partner);
    if (!w->dead)
        f->behind = eval_order_copy(w, w->now);
    for (uint32_t v = 0; !w->failed && v < w->nslots; v++) {
        struct origin first = w->now[v];
        w->now[v] = f->before[v];
        w->now[v].other_side |= straight && !w->dead && first.own != f->before[v].own && !first.several;
    }
    w->dead = f->dead;
    f->dead = true;             /* nobody goes by it */
}

static void close_branch(struct walk *w, uint32_t i)
{
    struct surrounding *f = eval_order_top(w);

    if (!f || f->loop)
        return;
    w->meeting = MEETINGS * i + AT;
    eval_order_come(w, &f->behind, eval_order_here(w), i);
    eval_order_come(w, &f->behind, f->dead ? NULL : f->before, i);
    eval_order_go_on(w, &f->behind);
    eval_order_close(w);
}

/* ---- loops ----------------------------------------------------------------------------------------------------------------- */

static struct surrounding *innermost_loop(const struct walk *w)
{
    for (size_t i = w->around.count; i--;) {
        struct surrounding *f = vec_at(&w->around, i);
        if (f->loop)
            return f;
    }
    return NULL;
}

/* Another round begins with what stands here: other values than at first, which the next walk takes in. */
static void meet_head(struct walk *w, uint32_t rep)
{
    const struct surrounding *f = eval_order_top(w);
    uint8_t *changes = w->changes[rep];

    w->meeting = MEETINGS * rep + AT;
    for (uint32_t s = 0; !w->dead && changes && s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++) {
            const struct origin *before = &f->before[w->slot[s] + c], *end = &w->now[w->slot[s] + c];
            if (before->own == NO_INDEX || end->own == NO_INDEX || eval_order_is_same(before, end))
                continue;
            w->learnt |= !changes[w->slot[s] + c];
            changes[w->slot[s] + c] = 1;
            if (!eval_order_wanted(w, rep + 1, s, c))
                continue;
            if (before->own == end->own) {
                eval_order_web(w, before);
                continue;
            }
            eval_order_web_both(w, before, end);
            eval_order_note_again(w, before);
            eval_order_note_again(w, end);
        }
}

static void open_loop(struct walk *w, uint32_t rep)
{
    if (!w->changes[rep]) {
        w->changes[rep] = gp5_malloc(w->nslots + 1);
        w->failed |= !w->changes[rep];
        if (!w->failed)
            memset(w->changes[rep], 0, w->nslots);
    }
    w->meeting = MEETINGS * rep + AT;
    for (uint32_t i = 0; !w->failed && i < w->nslots; i++)
        if (w->changes[rep][i] && w->now[i].own != NO_INDEX)
            eval_order_make_several(w, &w->now[i], i);
}

/* Where CONT goes to. The phases of a loop are one. */
static uint32_t next_round(const struct surrounding *f, uint8_t form)
{
    return MEETINGS * f->begin + (form == FORM_PHASE ? AT : NEXT_ROUND);
}

/* The end of a copy of the body. */
static void end_round(struct walk *w, uint32_t i, uint8_t form)
{
    struct surrounding *f = eval_order_top(w);
    const struct insn *rep;
    bool counted, last;

    if (!f || !f->loop)
        return;
    rep = program_insn(w->d->p, f->begin);
    w->meeting = next_round(f, form);
    counted = rep->nsrc != 0 || form == FORM_PHASE;
    last = form == FORM_PHASE ? rep->partner == i : form != FORM_NEXT;
    if (f->next) {
        eval_order_come(w, &f->next, eval_order_here(w), NO_INDEX);
        eval_order_go_on(w, &f->next);
    }
    if (form == FORM_PLAIN || form == FORM_PHASE)
        meet_head(w, f->begin);
    w->meeting = MEETINGS * (form == FORM_PHASE ? f->begin : rep->partner) + AT;
    if (form == FORM_LAST || form == FORM_PHASE || (form == FORM_PLAIN && counted))
        eval_order_come(w, &f->behind, eval_order_here(w), form == FORM_LAST ? NO_INDEX : rep->partner + 1);
    if (!last && form == FORM_PHASE) {
        if (w->dead)
            memcpy(w->now, f->before, w->nslots * sizeof *w->now);
        w->dead = f->dead;      /* else a later phase begins with what this one leaves */
    }
    if (!last)
        return;
    if ((form == FORM_PLAIN || form == FORM_PHASE) && counted && !f->dead)
        eval_order_come(w, &f->behind, f->before, rep->partner + 1);
    eval_order_go_on(w, &f->behind);
    eval_order_close(w);
}

static void leave(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct surrounding *f = innermost_loop(w);
    const struct insn *rep = f ? program_insn(w->d->p, f->begin) : NULL;
    bool at_bottom = insn->op == OP_CONT && insn->partner == i + 1;

    if (f)
        w->meeting = MEETINGS * rep->partner + AT;
    if (f && (insn->op == OP_BRK || at_bottom))         /* no loads meet behind copies of a body */
        eval_order_come(w, &f->behind, eval_order_here(w), eval_form(w->d, f->begin) == FORM_OPEN ? NO_INDEX : rep->partner + 1);
    if (f)
        w->meeting = next_round(f, FORM_PLAIN);
    if (f && insn->op == OP_CONT)
        eval_order_come(w, &f->next, eval_order_here(w), NO_INDEX);       /* no loads meet there */
    w->dead |= !condition_restricts(&insn->condition);
}

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

/* What the called subroutines write comes from the call, also where that depends on a test: then what stood there meets it. */
static void call(struct walk *w, uint32_t i, const struct insn *insn)
{
    for (uint32_t s = 0; i + 1 < w->d->p->insns.count && s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++) {
            struct origin *now = &w->now[w->slot[s] + c], there = {.at = 4 * i + c, .own = 4 * i + c, .met = NO_INDEX, .slot = NO_INDEX, .from = FROM_RESULT, .called = true};
            if (!w->in_sub[w->slot[s] + c] || !eval_called_writes(w->live, i, eval_variable(w->live, OPND_SYMBOL, s, false, c)))
                continue;
            if (condition_restricts(&insn->condition) && eval_order_wanted(w, i + 1, s, c))
                eval_order_web(w, now);
            *now = there;
        }
}

/* Behind a label the values are those of its calls. Whether it is several that a variable has there, the first one says, and whether
 * others bring another first value. */
static void come_from(struct walk *w, uint32_t i, uint32_t target)
{
    struct origin *there = target < w->d->p->insns.count ? w->entered[target] : NULL;
    uint8_t *several = w->several;

    if (target >= w->d->p->insns.count)
        return;
    if (!there) {
        w->learnt = true;
        w->caller[target] = i;
    }
    for (uint32_t v = 0; w->caller[target] != i && v < w->nslots; v++) {
        several[v] = w->now[v].several;
        w->now[v].several = false;
    }
    w->meeting = MEETINGS * target + BEHIND_CALLS;
    if (there && w->caller[target] == i) {      /* what came in the walk before */
        gp5_free(there);
        w->entered[target] = NULL;
    }
    eval_order_come(w, &w->entered[target], w->now, target);
    for (uint32_t v = 0; w->caller[target] != i && v < w->nslots; v++)
        w->now[v].several = several[v];
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
    w->dead = w->entered[label] == NULL;
    for (uint32_t i = 0; w->dead && i < w->nslots; i++)
        w->now[i] = eval_order_unknown;
    if (!w->dead)
        memcpy(w->now, w->entered[label], w->nslots * sizeof *w->now);
    for (uint32_t i = 0; label != w->live->entry && i < w->nslots; i++)
        w->now[i].outer = true;
}

/* Where straight-line code ends. */
static bool is_flow(uint16_t op, uint8_t form, const struct surrounding *f)
{
    bool jumped_to = f && f->loop && (f->next || f->behind);

    switch (op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI:
        return form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE ||
               ((form == FORM_LAST || form == FORM_NEXT) && jumped_to && (form == FORM_LAST || f->next));
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
        if (!w->failed && (plain || form == FORM_PHASED))
            open_loop(w, i);
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

    for (uint32_t i = 0; i < w->nslots; i++)
        w->now[i] = eval_order_unknown;
    memset(w->widened, 0, w->live->nvars * sizeof *w->widened);
    w->stretch = 1;
    w->learnt = false;
    w->dead = w->live->entry != 0;
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        uint8_t form = eval_form(w->d, i);
        w->stretch += w->live->label[i] || is_flow(insn->op, form, eval_order_top(w));
        if (i == w->live->entry && i) {
            enter(w, i);
            w->dead = false;
        } else if (w->live->label[i]) {
            enter(w, i);
        }
        w->stretch_of[i] = w->stretch;
        flow(w, i, insn, form);
    }
    while (w->around.count)
        eval_order_close(w);
}
