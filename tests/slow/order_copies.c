/* Loops that are copies of their bodies, and programs in which loads stay what they are where ways meet (order.c). */
#include "tests/slow/order.h"

#include <stdlib.h>

/* ---- whether a program keeps its loads ---------------------------------------------------------------------------------------- */

static void come_to(const struct finder *f, uint8_t *comes, uint32_t *list, uint32_t *n, uint32_t place, bool call)
{
    if (place >= f->plan->count || comes[place] || (!call && slow_begins_part(f->p, f->plan, place)))
        return;
    comes[place] = 1;
    list[(*n)++] = place;
}

/* The places that anybody comes to. */
static uint8_t *find_visited(const struct finder *f)
{
    uint8_t *comes = calloc(f->plan->count + 1, 1);
    uint32_t *list = malloc((f->plan->count + 1) * sizeof *list), n = 0, to[8];
    if (comes && list)
        come_to(f, comes, list, &n, f->plan->first[f->p->entry], true);
    for (uint32_t i = 0; comes && list && i < n; i++) {
        const struct insn *insn = slow_order_insn(f, list[i]);
        unsigned ways = slow_successors(f->p, f->plan, list[i], to);
        for (unsigned k = 0; k < ways; k++)
            come_to(f, comes, list, &n, to[k], false);
        for (uint32_t label = 0; (insn->op == OP_CAL || insn->op == OP_CALI) && label < f->p->text->insns.count; label++)
            if (f->p->label[label] && slow_calls(f->p, insn, label))
                come_to(f, comes, list, &n, f->plan->first[label], true);
    }
    if (!list) {
        free(comes);
        comes = NULL;
    }
    free(list);
    return comes;
}

static bool by_register(const struct finder *f, uint32_t rep)
{
    const struct insn *insn = slow_order_insn(f, rep);
    return insn->nsrc && program_operand(f->p->text, insn->src)->kind != OPND_CONSTANT;
}

/* A jump or a branch that is still there, memory that is read or changed. */
static bool is_more_than_arithmetic(const struct finder *f, uint32_t place)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct insn *insn = slow_order_insn(f, place);
    unsigned useful = f->reach.useful[place];
    bool jumps = insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET;
    if (insn->op == OP_IF)
        return !here->straight;
    if (jumps)
        return !slow_order_jumps_over_nothing(f, place) && !here->straight && here->outcome == TEST_LOOKED_AT && condition_restricts(&insn->condition) && insn->condition.rule != CC_FL;
    if (insn->op == OP_LDB || insn->op == OP_LOAD)
        return useful;
    return useful & SLOW_ACTS && !op_flows(insn->op) && insn->op != OP_BAR && insn->op != OP_MEMBAR && insn->op != OP_STS;
}

/* Whether copies of a body stand there, two or more, or one of a loop that a register counts. */
static bool has_copies(const struct finder *f, uint32_t rep)
{
    uint32_t ends = 0;
    if (slow_order_insn(f, rep)->op != OP_REP || !f->plan->place[rep].straight || !slow_order_insn(f, rep)->nsrc)
        return false;
    for (uint32_t i = rep + 1; i < f->plan->place[rep].to; i++)
        ends += slow_order_insn(f, i)->op == OP_ENDREP && f->plan->place[i].loop == rep;
    return ends > 1 || by_register(f, rep);
}

bool slow_order_find_keeps(struct finder *f)
{
    uint8_t *comes = find_visited(f);
    for (uint32_t i = 0; comes && i < f->plan->count; i++) {
        if (!comes[i])
            continue;
        f->keeps_loads |= slow_order_divides(slow_order_insn(f, i)) && f->reach.useful[i];
        for (uint32_t k = i + 1; has_copies(f, i) && k < f->plan->place[i].to; k++)
            f->keeps_loads |= is_more_than_arithmetic(f, k);
    }
    free(comes);
    return comes;
}

/* ---- what a round brings to the next one -------------------------------------------------------------------------------------------- */

static bool takes(const struct finder *f, uint32_t place, uint32_t v)
{
    const struct insn *insn = slow_order_insn(f, place);
    for (unsigned k = 0; f->reach.useful[place] && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        unsigned taken = slow_reads(f->p, insn, k, f->reach.useful[place]);
        for (unsigned c = 0; c < 4; c++)
            if (taken >> c & 1 && slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v)
                return true;
    }
    return false;
}

/* Whether a variable is read, or kept by a test, before it is written for certain. */
static bool is_taken_first(const struct finder *f, uint32_t from, uint32_t to, uint32_t v)
{
    uint32_t inside = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        const struct slow_place *here = &f->plan->place[i];
        bool open = !here->straight && !here->phased;
        if (takes(f, i, v))
            return true;
        inside += open && (insn->op == OP_IF || insn->op == OP_REP);
        inside -= inside && open && (insn->op == OP_ENDIF || (insn->op == OP_ENDREP && !f->plan->place[here->loop].phased && !f->plan->place[here->loop].straight));
        for (unsigned c = 0; c < 4; c++) {
            if (slow_order_target(f, insn, c) != v)
                continue;
            if (condition_restricts(&insn->dst.condition) && !(insn->flags & INSN_SSAT)) {
                if (f->reach.useful[i])
                    return true;
            } else if (!inside) {
                return false;
            }
        }
    }
    return false;
}

/* Where the copy of a body begins that ends at a place. */
static uint32_t begin_of_copy(const struct finder *f, uint32_t rep, uint32_t end)
{
    uint32_t i = end - 1;
    while (i > rep && !(slow_order_insn(f, i)->op == OP_ENDREP && f->plan->place[i].loop == rep))
        i--;
    return i + 1;
}

/* Whether the copies that end in front of a place leave all as it was before the loop. */
static bool is_first_change(const struct finder *f, uint32_t rep, uint32_t begin)
{
    for (uint32_t v = 8; begin > rep + 1 && v < f->nvars; v++) {
        struct held before = f->held[(size_t)rep * f->nvars + v], now = f->held[(size_t)begin * f->nvars + v];
        if (before.first != NO_INDEX && now.first != NO_INDEX && slow_order_differ(&before, &now))
            return false;
    }
    return true;
}

void slow_order_note_carried(struct finder *f, uint32_t end)
{
    uint32_t rep = f->plan->place[end].loop, begin;
    if (rep == NO_INDEX || !f->plan->place[rep].straight || !slow_order_insn(f, rep)->nsrc)
        return;
    begin = begin_of_copy(f, rep, end);
    if ((begin == rep + 1 && end + 1 == f->plan->place[rep].to && !by_register(f, rep)) || !is_first_change(f, rep, begin))
        return;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held before = f->held[(size_t)rep * f->nvars + v], now = f->now[v];
        if (before.first != NO_INDEX && now.first != NO_INDEX && slow_order_differ(&before, &now) && is_taken_first(f, begin, end, v))
            slow_order_note_both(f, &before, &now);
    }
}

/* ---- CONTs over nothing ---------------------------------------------------------------------------------------------------------------- */

/* Whether what stands at a place is still there. */
static bool remains(const struct finder *f, uint32_t place)
{
    const struct slow_place *here = &f->plan->place[place];
    switch (slow_order_insn(f, place)->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: return false;
    case OP_REP: return !here->straight;
    case OP_ENDREP: return here->loop == NO_INDEX || !f->plan->place[here->loop].straight || f->plan->place[here->loop].phased;
    case OP_BRK: case OP_CONT: case OP_RET: case OP_CAL: case OP_CALI: return !here->straight;
    default: return f->reach.useful[place];
    }
}

bool slow_order_jumps_over_nothing(const struct finder *f, uint32_t place)
{
    uint32_t rep = f->plan->place[place].loop, end = f->plan->place[place].to;
    if (slow_order_insn(f, place)->op != OP_CONT || rep == NO_INDEX || !(f->plan->place[rep].straight || f->plan->place[rep].phased) || end == NO_INDEX || end == place + 1)
        return false;
    while (--end > place)
        if (remains(f, end))
            return false;
    return true;
}

bool slow_order_in_earlier_copy(const struct finder *f, uint32_t place, const struct widened *w)
{
    uint32_t rep = f->plan->place[place].loop;
    if (rep == NO_INDEX || !f->plan->place[rep].straight || f->plan->place[rep].phased || slow_order_insn(f, place)->op == OP_REP)
        return false;
    return w->part > f->part[rep] && w->at < SPAN * begin_of_copy(f, rep, place);
}
