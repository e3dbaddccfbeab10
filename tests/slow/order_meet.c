/* Where ways meet that bring doubles: which results stand for each other there, and loads that others meet (order.c). */
#include "tests/slow/order.h"

/* Whether a place is the end of a round of a loop that runs, where an IF ends that a CONT is. */
static bool ends_skip(const struct finder *f, uint32_t to)
{
    uint32_t rep = to < f->plan->count && slow_order_insn(f, to)->op == OP_ENDREP ? f->plan->place[to].loop : NO_INDEX;
    return rep != NO_INDEX && !f->plan->place[rep].straight && slow_skipping_cont(f->p->text, f->plan->place[rep].insn) != NO_INDEX;
}

static uint32_t meeting_of(const struct finder *f, uint32_t to, uint32_t left)
{
    uint32_t n = f->plan->count, loop = left;
    if (left != NO_INDEX)
        return f->plan->place[left].phased ? left : MEET_BEHIND * n + left;
    loop = to < n && slow_order_insn(f, to)->op == OP_ENDREP ? f->plan->place[to].loop : NO_INDEX;
    if (loop != NO_INDEX && !ends_skip(f, to))
        return f->plan->place[loop].phased ? loop : MEET_AT_END * n + loop;
    return MEET_ELSEWHERE * n + to;
}

/* Several values that met elsewhere meet others. */
static void note_again(struct finder *f, struct held h, uint32_t meeting)
{
    bool *again = h.several && h.met != meeting ? &f->again[(size_t)h.met * f->nvars + h.var] : NULL;
    if (again && !*again)
        *again = f->changed = true;
}

/* Integers of 64 bits are pairs of registers, and what they alone meet stays as it was loaded. */
bool slow_order_is_pair(const struct finder *f, const struct insn *insn)
{
    static const uint16_t op[] = {OP_ABS, OP_ADD, OP_AND, OP_CMP, OP_DIV, OP_MAD, OP_MAX, OP_MIN, OP_MOD, OP_MUL, OP_NOT, OP_OR, OP_SAD, OP_SHL, OP_SHR, OP_SUB, OP_XOR};
    if (insn->type != DT_U64 && insn->type != DT_S64)
        return false;
    for (size_t k = 0; k < sizeof op / sizeof op[0]; k++)
        if (insn->op == op[k])
            return true;
    return insn->op == OP_MOV && slow_order_is_signed(insn, program_operand(f->p->text, insn->src));
}

bool slow_order_adds_zero(const struct finder *f, const struct insn *insn, unsigned c)
{
    bool copies = false;
    for (unsigned k = 0; k < 2 && insn->op == OP_ADD; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        copies |= o->kind == OPND_CONSTANT && slow_literal(f->p, o, o->swizzle >> 2 * c & 3, insn->type) == 0;
    }
    return copies;
}

/* A register of 32 bits with a minus, which is a pair whoever reads it. */
bool slow_order_negates(const struct finder *f, const struct insn *insn, unsigned c)
{
    const struct operand *a = program_operand(f->p->text, insn->src), *minus = insn->op == OP_SUB ? a + 1 : a;
    bool negates = insn->op == OP_MOV ? operand_negates(a) : insn->op == OP_SUB && a->kind == OPND_CONSTANT && slow_literal(f->p, a, a->swizzle >> 2 * c & 3, insn->type) == 0;
    if (!negates || !slow_order_is_pair(f, insn) || minus->kind != OPND_SYMBOL)
        return false;
    return program_symbol(f->p->text, minus->ref)->kind == SYM_TEMP && program_symbol(f->p->text, minus->ref)->size != SIZE_LONG;
}

/* What is alone of a result, and of two that meet. */
uint32_t slow_order_alone(const struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct made *m = &f->made[4 * place + c];
    if (slow_order_is_pair(f, insn) && !slow_order_adds_zero(f, insn, c))
        return NO_INDEX;
    if (!slow_is_float(insn->type) && slow_order_chooses(f, place, c))
        return NO_INDEX;
    return m->source == LOADED && m->at == 4 * place + c ? m->at : MANY;
}

static uint32_t together(const struct held *a, const struct held *b)
{
    if (a->alone == NO_INDEX)
        return b->alone;
    return b->alone == NO_INDEX || b->alone == a->alone ? a->alone : MANY;
}

void slow_order_note_meeting(struct finder *f, uint32_t result)
{
    f->changed |= !f->made[result].meets;
    f->made[result].meets = true;
    f->changed |= f->at_head && !f->brought[result];
    f->brought[result] |= f->at_head;
}

/* A result meets another one, which is one register; of loads, and copies of them that are no float's, none is yet. Not so a pair, whatever it meets. */
static void note_whole(struct finder *f, const struct held *to, const struct held *other)
{
    const struct made *m = &f->made[other->first];
    bool is_load = m->source == LOADED && !m->several && !other->several && !slow_is_float(slow_order_insn(f, other->first / 4)->type);
    struct made *result = &f->made[to->first];
    if ((result->source == LOADED && is_load) || to->alone == NO_INDEX)
        return;
    f->changed |= !result->meets_whole;
    result->meets_whole = true;
}

void slow_order_note_both(struct finder *f, const struct held *a, const struct held *b)
{
    uint32_t alone = together(a, b);
    if (alone == NO_INDEX)
        return;
    if (alone != MANY) {
        f->changed |= !f->made[alone].paired;
        f->made[alone].paired = true;
        return;
    }
    note_whole(f, a, b);
    note_whole(f, b, a);
    slow_order_note_meeting(f, a->first);
    slow_order_note_meeting(f, b->first);
}

bool slow_order_differ(const struct held *a, const struct held *b)
{
    return a->first != b->first || a->several != b->several || (a->several && a->met != b->met);
}

/* One result, as it was made and copied. */
static bool is_copy_of(const struct finder *f, const struct held *a, const struct held *b)
{
    const struct made *m = &f->made[a->first], *n = &f->made[b->first];
    return a->first != b->first && m->at == n->at && !(a->several || b->several || m->several || n->several) && m->turned == n->turned;
}

/* Whether a meeting is one of a loop, or stands in one. */
static bool is_in_loop(const struct finder *f, uint32_t meeting)
{
    uint32_t place = meeting % f->plan->count;
    return meeting / f->plan->count != MEET_ELSEWHERE || f->plan->place[place].loop != NO_INDEX;
}

/* The place of the IF or REP whose ways meet, or NO_INDEX. */
static uint32_t opening(const struct finder *f, uint32_t meeting)
{
    uint32_t place = meeting % f->plan->count, begin = slow_order_insn(f, place)->partner;
    if (meeting / f->plan->count != MEET_ELSEWHERE || slow_order_insn(f, place)->op == OP_REP)
        return place;
    if (slow_order_insn(f, place)->op != OP_ENDIF)
        return slow_order_insn(f, place)->op == OP_ENDREP ? f->plan->place[place].loop : NO_INDEX;
    while (place && f->plan->place[place].insn != begin)
        place--;
    return place;
}

/* What is left by a call meets what was there before; what the other side of an IF makes was not. */
static bool is_of_call(const struct finder *f, const struct held *a, const struct held *b, uint32_t meeting)
{
    const struct held *other = a->called ? b : a;
    return a->called && b->called ? true : (a->called || b->called) && other->first / 4 < opening(f, meeting);
}

void slow_order_meet(struct finder *f, struct held *to, struct held from, uint32_t v, uint32_t meeting, bool is_read)
{
    uint32_t alone;
    bool called;
    if (from.first == NO_INDEX)
        return;
    if (to->first == NO_INDEX) {
        *to = from;
        return;
    }
    if (!slow_order_differ(to, &from))
        return;
    if (is_copy_of(f, to, &from)) {
        *to = to->first < from.first ? *to : from;
        return;
    }
    called = is_of_call(f, to, &from, meeting);
    alone = together(to, &from);
    if (alone == MANY && (to->alone == NO_INDEX || from.alone == NO_INDEX) && !is_in_loop(f, meeting))
        alone = NO_INDEX;       /* a pair from here on */
    if (is_read) {
        note_again(f, *to, meeting);
        note_again(f, from, meeting);
    }
    if (to->first != from.first) {
        if (is_read)
            slow_order_note_both(f, to, &from);
        to->first = to->first < from.first ? to->first : from.first;
        to->outer &= from.outer;
    }
    to->called = called;
    to->alone = alone;
    to->several = true;
    to->met = meeting;
    to->var = v;
}

bool slow_order_is_read(const struct finder *f, uint32_t place, uint32_t v)
{
    return place < f->plan->count && slow_in_set(f->reach.live + (size_t)place * f->reach.words, v);
}

void slow_order_meet_head(struct finder *f, uint32_t end)
{
    uint32_t rep = f->plan->place[end].loop, behind = slow_order_behind_rest(f, rep), from = behind == NO_INDEX ? rep : behind - 1;
    if (slow_order_in_rest(f, rep, end))
        return;
    f->at_head = true;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held before = f->held[(size_t)from * f->nvars + v], now = f->now[v];
        uint8_t *differs = &f->differs[(size_t)rep * f->nvars + v], how = together(&before, &now) == MANY ? 2 : 1;
        if (before.first == NO_INDEX || now.first == NO_INDEX || !slow_order_differ(&before, &now))
            continue;
        f->changed |= *differs < how;
        *differs = *differs < how ? how : *differs;
        if (!slow_order_is_read(f, rep + 1, v))
            continue;
        if (before.first == now.first) {
            if (how == 2)
                slow_order_note_meeting(f, before.first);
            continue;
        }
        if (!f->made[now.first].instead || before.first + 1 < f->made[now.first].instead) {
            f->made[now.first].instead = before.first + 1;
            f->changed = true;
        }
        slow_order_note_both(f, &before, &now);
        note_again(f, before, rep);
        note_again(f, now, rep);
    }
    f->at_head = false;
}

/* Whether the end of a loop's body is that of its only copy: a CONT to it is an IF around what stands behind that. */
static bool ends_only_copy(const struct finder *f, uint32_t end)
{
    uint32_t rep = f->plan->place[end].loop;
    if (rep == NO_INDEX || !f->plan->place[rep].straight || end + 1 != f->plan->place[rep].to)
        return false;
    for (uint32_t i = rep + 1; i < end; i++)
        if (f->plan->place[i].loop == rep && slow_order_insn(f, i)->op == OP_ENDREP)
            return false;
    return true;
}

/* Whether a loop has been made several copies of its body. */
static bool has_copies(const struct finder *f, uint32_t rep)
{
    return f->plan->place[rep].straight && (f->plan->place[rep].to == rep + 1 || !ends_only_copy(f, f->plan->place[rep].to - 1));
}

/* A label that is run into returns. No loads meet where CONT goes to in loops of several rounds, nor behind a loop whose body has been copied as often as it runs. */
void slow_order_go_to(struct finder *f, uint32_t to, uint32_t left)
{
    struct held *there = left != NO_INDEX ? f->behind + (size_t)left * f->nvars : f->held + (size_t)to * f->nvars;
    uint32_t meeting = meeting_of(f, to, left);
    bool quiet = left != NO_INDEX ? has_copies(f, left) : to < f->plan->count && slow_order_insn(f, to)->op == OP_ENDREP && !ends_only_copy(f, to) && !ends_skip(f, to);
    if (left == NO_INDEX && (to >= f->plan->count || slow_begins_part(f->p, f->plan, to)))
        return;
    for (uint32_t v = 8; v < f->nvars; v++)
        slow_order_meet(f, &there[v], f->now[v], v, meeting, !quiet && slow_order_is_read(f, to, v));
}
