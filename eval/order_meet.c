/* Where ways meet: the values of a variable that is read behind it (order.c). */
#include "eval/order.h"

#include <string.h>

const struct origin eval_order_unknown = {.at = NO_INDEX, .own = NO_INDEX, .alone = MANY, .met = NO_INDEX, .slot = NO_INDEX, .from = FROM_RESULT};

struct packed {
    uint32_t at, own, met, slot;        /* 1 more, of NO_INDEX 0 */
    uint32_t part;
    uint32_t alone;                     /* of MANY 0 */
    uint8_t from, flags;                /* 0: FROM_RESULT */
};

enum { SEVERAL = 1, COPIED = 2, OTHER_SIDE = 4, CALLED = 8, TURNED = 16, CHANGED = 32 };

size_t eval_order_packed_size(void)
{
    return sizeof(struct packed);
}

struct origin eval_order_unpack(const void *packed)
{
    struct packed p;

    if (!packed)
        return eval_order_unknown;
    memcpy(&p, packed, sizeof p);
    return (struct origin){.at = p.at - 1u, .own = p.own - 1u, .met = p.met - 1u, .slot = p.slot - 1u, .part = p.part, .alone = p.alone + MANY, .from = p.from ^ FROM_RESULT,
                           .several = p.flags & SEVERAL, .copied = p.flags & COPIED, .other_side = p.flags & OTHER_SIDE, .called = p.flags & CALLED, .turned = p.flags & TURNED, .changed = p.flags & CHANGED};
}

void eval_order_pack(const struct origin *o, void *packed)
{
    struct packed p;

    memset(&p, 0, sizeof p);
    if (o->own != NO_INDEX) {
        p.at = o->at + 1u;
        p.own = o->own + 1u;
        p.met = o->met + 1u;
        p.slot = o->slot + 1u;
        p.part = o->part;
        p.alone = o->alone - MANY;
        p.from = o->from ^ FROM_RESULT;
        p.flags = (uint8_t)((o->several ? SEVERAL : 0) | (o->copied ? COPIED : 0) | (o->other_side ? OTHER_SIDE : 0) | (o->called ? CALLED : 0) | (o->turned ? TURNED : 0) | (o->changed ? CHANGED : 0));
    }
    memcpy(packed, &p, sizeof p);
}

struct origin eval_order_get(const struct shared_map *m, uint32_t slot)
{
    return eval_order_unpack(shared_map_at(m, slot));
}

void eval_order_put(struct walk *w, uint32_t slot, const struct origin *o)
{
    struct packed p;

    eval_order_pack(o, &p);
    shared_map_put(&w->now, slot, &p);
    w->failed |= w->now.failed;
}

uint32_t eval_order_slot(const struct walk *w, uint8_t kind, uint32_t ref, bool indexed, unsigned c)
{
    return kind != OPND_SYMBOL || indexed || w->slot[ref] == NO_INDEX ? NO_INDEX : w->slot[ref] + c;
}

void eval_order_web(struct walk *w, const struct origin *o)
{
    uint8_t bit = (uint8_t)(1u << o->own % 4);

    if (o->own == NO_INDEX)
        return;
    w->learnt |= !(w->webbed[o->own / 4] & bit) || (w->at_head && !(w->brought[o->own / 4] & bit));
    w->webbed[o->own / 4] |= bit;
    w->brought[o->own / 4] |= w->at_head ? bit : 0;
}

/* A value meets another one, that is one register. A load is none yet where it meets another load, nor a copy of one as integers; integers of 64 bits are
 * none wherever they meet anything. */
static void note_whole(struct walk *w, const struct origin *o, const struct origin *other)
{
    uint8_t bit = (uint8_t)(1u << o->own % 4);
    bool loads = o->from == FROM_LOADED && other->own != NO_INDEX && other->from == FROM_LOADED && !other->several && !other->copied &&
                 !type_table[program_insn(w->d->p, other->own / 4)->type].is_float;

    if (o->own == NO_INDEX || other->own == NO_INDEX || loads || o->alone == NO_INDEX)
        return;
    w->learnt |= !(w->met_whole[o->own / 4] & bit);
    w->met_whole[o->own / 4] |= bit;
}

void eval_order_web_both(struct walk *w, const struct origin *a, const struct origin *b)
{
    uint32_t alone = eval_order_alone(a, b);

    if (alone == NO_INDEX)
        return;
    if (alone != MANY) {
        w->learnt |= !(w->halved[alone / 4] >> alone % 4 & 1);
        w->halved[alone / 4] |= (uint8_t)(1u << alone % 4);
        w->halves = true;
        return;
    }
    note_whole(w, a, b);
    note_whole(w, b, a);
    eval_order_web(w, a);
    eval_order_web(w, b);
}

bool eval_order_wanted(const struct walk *w, uint32_t insn, uint32_t slot)
{
    return insn < w->d->p->insns.count && shared_bits_has(&w->live->live_in[w->live->block[insn]], slot);
}

/* What meets at a place, of variable `slot`, meets others again. */
static void mark(struct walk *w, uint32_t meeting, uint32_t slot)
{
    w->learnt |= !shared_bits_has(&w->again[meeting], slot);
    shared_bits_add(&w->again[meeting], slot);
    w->failed |= w->again[meeting].failed;
}

void eval_order_note_again(struct walk *w, const struct origin *o)
{
    if (o->several && o->met != w->meeting)
        mark(w, o->met, o->slot);
}

bool eval_order_is_again(const struct walk *w, const struct origin *o)
{
    return o->met != NO_INDEX && shared_bits_has(&w->again[o->met], o->slot);
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

/* One value, as it was made and copied. */
static bool is_copy_of(const struct origin *a, const struct origin *b)
{
    return a->at == b->at && !a->several && !b->several && !a->copied && !b->copied && a->turned == b->turned;
}

/* What is alone of two from there on: integers of 64 bits, where one of them is and the other is no load. Not seen in loops. */
static uint32_t alone_behind(const struct walk *w, const struct origin *a, const struct origin *b)
{
    uint32_t alone = eval_order_alone(a, b);

    return alone == MANY && (a->alone == NO_INDEX || b->alone == NO_INDEX) && !eval_order_loop(w) ? NO_INDEX : alone;
}

/* The IF or REP whose ways meet, or NO_INDEX. */
static uint32_t beginning(const struct walk *w)
{
    uint32_t at = w->meeting / MEETINGS;
    const struct insn *insn = program_insn(w->d->p, at);

    if (insn->op == OP_ENDIF || insn->op == OP_ENDREP)
        return insn->partner;
    return insn->op == OP_REP ? at : NO_INDEX;
}

/* Whether what a call has left meets what stood there before, and not what is made on the other side of an IF. */
static bool is_called(const struct walk *w, const struct origin *a, const struct origin *b)
{
    const struct origin *other = a->called ? b : a;

    return a->called == b->called ? a->called : other->own / 4 < beginning(w);
}

/* Two values of one variable, `slot`, if anybody reads it from there on. */
void eval_order_meet(struct walk *w, struct origin *a, const struct origin *b, uint32_t slot, bool is_wanted)
{
    uint32_t alone = alone_behind(w, a, b);
    bool outer, called = is_called(w, a, b), b_first = a->own == NO_INDEX || (b->own != NO_INDEX && b->own < a->own);

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
        a->alone = alone;
        a->called = called;
        a->several = true;
        a->met = w->meeting;
        a->slot = slot;
        return;
    }
    if (is_copy_of(a, b)) {
        *a = b_first ? *b : *a;
        return;
    }
    if (is_wanted) {
        eval_order_note_again(w, a);
        eval_order_note_again(w, b);
        eval_order_web_both(w, a, b);
    }
    outer = a->part != w->part && b->part != w->part;
    if (b_first)
        *a = *b;
    a->part = outer ? a->part : w->part;
    a->called = called;
    a->alone = alone;
    eval_order_make_several(w, a, slot);
}

struct joining {
    struct walk *w;
    struct origins *there;
    uint32_t insn;
};

static void join(void *user, uint32_t slot, void *value, const void *other)
{
    const struct joining *j = user;
    struct origin a = eval_order_unpack(value), b = eval_order_unpack(other);

    eval_order_meet(j->w, &a, &b, slot, eval_order_wanted(j->w, j->insn, slot));
    eval_order_pack(&a, value);
}

void eval_order_come(struct walk *w, struct origins *there, const struct shared_map *from, uint32_t insn)
{
    if (!from)
        return;
    if (there->any)
        shared_map_meet(&there->of, from, false, join, &(struct joining){w, there, insn});
    else
        shared_map_set(&there->of, from);
    there->any = true;
    w->failed |= there->of.failed;
}

static void join_call(void *user, uint32_t slot, void *value, const void *now)
{
    const struct joining *j = user;
    struct origin before, a, b = eval_order_unpack(now);
    struct packed p;

    if (!memcmp(value, now, sizeof p))
        return;
    memcpy(value, now, sizeof p);
    before = a = eval_order_get(&j->there->of, slot);
    b.several = false;
    eval_order_meet(j->w, &a, &b, slot, eval_order_wanted(j->w, j->insn, slot) && eval_order_part_reads(j->w, j->insn, slot));
    if (before.several && before.own == b.own)      /* this call brings nothing else */
        a = before;
    eval_order_pack(&a, &p);
    shared_map_put(&j->there->of, slot, &p);
}

void eval_order_come_again(struct walk *w, struct origins *there, struct shared_map *last, uint32_t label)
{
    shared_map_meet(last, &w->now, false, join_call, &(struct joining){w, there, label});
    w->failed |= last->failed || there->of.failed;
}

void eval_order_drop(struct origins *o)
{
    shared_map_free(&o->of);
    o->any = false;
}

const struct shared_map *eval_order_here(const struct walk *w)
{
    return w->dead ? NULL : &w->now;
}

/* Goes on with what came to a place, which is taken. */
void eval_order_go_on(struct walk *w, struct origins *from)
{
    w->dead = !from->any;
    if (w->dead)
        return;
    shared_map_set(&w->now, &from->of);
    eval_order_drop(from);
}

struct surrounding *eval_order_top(const struct walk *w)
{
    return w->around.count ? vec_at(&w->around, w->around.count - 1) : NULL;
}

struct surrounding *eval_order_loop(const struct walk *w)
{
    for (size_t i = w->around.count; i--;) {
        struct surrounding *f = vec_at(&w->around, i);
        if (f->loop)
            return f;
    }
    return NULL;
}

void eval_order_open(struct walk *w, uint32_t i, bool loop)
{
    const struct surrounding *around = eval_order_top(w);
    uint32_t side = !loop ? i + 1 : around ? around->side : 0;
    struct origins nobody = {.of = shared_map_none(w->live->nvars, eval_order_packed_size())};
    size_t at = vec_grow(&w->around);

    if (at == SIZE_MAX) {
        w->failed = true;
        return;
    }
    *(struct surrounding *)vec_at(&w->around, at) = (struct surrounding){
        .begin = i, .loop = loop, .dead = w->dead, .side = side, .phase = i, .copy = i + 1, .stretch = w->stretch, .before = shared_map_copy(&w->now), .behind = nobody, .next = nobody};
}

void eval_order_close(struct walk *w)
{
    struct surrounding *f = eval_order_top(w);

    shared_map_free(&f->before);
    eval_order_drop(&f->behind);
    eval_order_drop(&f->next);
    w->around.count--;
}
