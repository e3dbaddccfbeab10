/* Where ways meet: the values of a variable that is read behind it (order.c). */
#include "eval/order.h"

#include <string.h>

const struct origin eval_order_unknown = {.at = NO_INDEX, .own = NO_INDEX, .met = NO_INDEX, .slot = NO_INDEX, .from = FROM_RESULT};

uint32_t eval_order_slot(const struct walk *w, uint8_t kind, uint32_t ref, bool indexed, unsigned c)
{
    return kind != OPND_SYMBOL || indexed || w->slot[ref] == NO_INDEX ? NO_INDEX : w->slot[ref] + c;
}

void eval_order_web(struct walk *w, const struct origin *o)
{
    uint8_t bit = (uint8_t)(1u << o->own % 4);

    if (o->own == NO_INDEX)
        return;
    w->learnt |= !(w->webbed[o->own / 4] & bit);
    w->webbed[o->own / 4] |= bit;
}

/* What a subroutine leaves makes no loads meet where an IF or a loop ends. */
static bool is_call(const struct walk *w, const struct origin *o)
{
    uint16_t op = program_insn(w->d->p, o->own / 4)->op;

    return op == OP_CAL || op == OP_CALI;
}

void eval_order_web_both(struct walk *w, const struct origin *a, const struct origin *b)
{
    if (is_call(w, a) || is_call(w, b))
        return;
    eval_order_web(w, a);
    eval_order_web(w, b);
}

bool eval_order_wanted(const struct walk *w, uint32_t insn, uint32_t symbol, unsigned c)
{
    if (insn >= w->d->p->insns.count)
        return false;
    uint32_t var = eval_variable(w->live, OPND_SYMBOL, symbol, false, c);

    return var != NO_INDEX && shared_bits_has(&w->live->live_in[w->live->block[insn]], var);
}

/* What meets at a place, of variable `slot`, meets others again. */
static void mark(struct walk *w, uint32_t meeting, uint32_t slot)
{
    uint8_t **again = &w->again[meeting];

    if (!*again) {
        *again = gp5_malloc(w->nslots + 1u);
        w->failed |= !*again;
        if (!*again)
            return;
        memset(*again, 0, w->nslots);
    }
    w->learnt |= !(*again)[slot];
    (*again)[slot] = 1;
}

void eval_order_note_again(struct walk *w, const struct origin *o)
{
    if (o->several && o->met != w->meeting)
        mark(w, o->met, o->slot);
}

bool eval_order_is_again(const struct walk *w, const struct origin *o)
{
    return o->met != NO_INDEX && w->again[o->met] && w->again[o->met][o->slot];
}

/* Copies of others do not stand in their place. */
void eval_order_make_several(struct walk *w, struct origin *o, uint32_t slot)
{
    if (o->own != o->at || o->copied)
        o->from = FROM_RESULT;
    o->several = true;
    o->other_side = false;
    o->copied = false;
    o->met = w->meeting;
    o->slot = slot;
}

/* A value, or several that met in the same place. */
bool eval_order_is_same(const struct origin *a, const struct origin *b)
{
    return a->own == b->own && a->several == b->several && (!a->several || a->met == b->met);
}

/* Two values of one variable, `slot`, if anybody reads it from there on. */
void eval_order_meet(struct walk *w, struct origin *a, const struct origin *b, uint32_t slot, bool is_wanted)
{
    bool outer, called = a->called || b->called, b_first = a->own == NO_INDEX || (b->own != NO_INDEX && b->own < a->own);

    if (b->own == NO_INDEX)
        return;
    if (a->own == NO_INDEX) {
        *a = *b;
        return;
    }
    if (a->own == b->own) {
        bool same = eval_order_is_same(a, b);
        a->other_side &= b->other_side;
        if (same)
            return;
        if (is_wanted) {
            eval_order_note_again(w, a);
            eval_order_note_again(w, b);
        }
        a->called |= b->called;
        a->several = true;
        a->met = w->meeting;
        a->slot = slot;
        return;
    }
    if (is_wanted) {
        eval_order_note_again(w, a);
        eval_order_note_again(w, b);
        eval_order_web_both(w, a, b);
    }
    outer = a->outer && b->outer;
    if (b_first)
        *a = *b;
    a->outer = outer;
    a->called = called;
    eval_order_make_several(w, a, slot);
}

static void meet_all(struct walk *w, const struct origin *other, uint32_t insn)
{
    for (uint32_t s = 0; s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++)
            eval_order_meet(w, &w->now[w->slot[s] + c], &other[w->slot[s] + c], w->slot[s] + c, eval_order_wanted(w, insn, s, c));
}

struct origin *eval_order_copy(struct walk *w, const struct origin *from)
{
    struct origin *copy = gp5_malloc((w->nslots + 1u) * sizeof *copy);

    w->failed |= copy == NULL;
    if (copy)
        memcpy(copy, from, w->nslots * sizeof *copy);
    return copy;
}

/* One more way to a place before instruction `insn`; `from` NULL: nobody comes. */
void eval_order_come(struct walk *w, struct origin **there, const struct origin *from, uint32_t insn)
{
    struct origin *now = w->now;

    if (!from)
        return;
    if (!*there) {
        *there = eval_order_copy(w, from);
        return;
    }
    w->now = *there;
    meet_all(w, from, insn);
    w->now = now;
}

const struct origin *eval_order_here(const struct walk *w)
{
    return w->dead ? NULL : w->now;
}

/* Goes on with what came to a place, which is taken. */
void eval_order_go_on(struct walk *w, struct origin **from)
{
    w->dead = *from == NULL;
    if (w->dead)
        return;
    gp5_free(w->now);
    w->now = *from;
    *from = NULL;
}

struct surrounding *eval_order_top(const struct walk *w)
{
    return w->around.count ? vec_at(&w->around, w->around.count - 1) : NULL;
}

void eval_order_open(struct walk *w, uint32_t i, bool loop)
{
    size_t at = vec_grow(&w->around);

    if (at == SIZE_MAX) {
        w->failed = true;
        return;
    }
    *(struct surrounding *)vec_at(&w->around, at) = (struct surrounding){
        .begin = i, .loop = loop, .dead = w->dead, .before = eval_order_copy(w, w->now)};
}

void eval_order_close(struct walk *w)
{
    struct surrounding *f = eval_order_top(w);

    gp5_free(f->before);
    gp5_free(f->behind);
    gp5_free(f->next);
    w->around.count--;
}
