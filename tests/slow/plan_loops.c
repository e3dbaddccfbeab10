/* Loops: copies of their bodies, phases, or as they are (plan.c). */
#include "tests/slow/maker.h"

#include <string.h>

enum { MOST_PLACES = 1 << 16 };     /* beyond it loops stay loops */

/* Jumps of a loop's body, places from `first` on: CONT goes to the end of its copy, BRK behind the loop. */
static void patch(struct maker *m, uint32_t first, uint32_t rep, unsigned op, uint32_t to)
{
    for (uint32_t i = first; !m->dry && i < m->plan->count; i++) {
        struct slow_place *s = slow_place_at(m, i);
        if (s->loop == rep && slow_in_text(m, s->insn)->op == op && s->to == NO_INDEX)
            s->to = to;
    }
}

static bool has_cont(const struct maker *m, uint32_t rep)
{
    for (uint32_t i = rep + 1; i < slow_body_end(m->p->text, rep); i++)
        if (slow_in_text(m, i)->op == OP_CONT && slow_in_text(m, i)->partner == slow_in_text(m, rep)->partner && !slow_ends_body(&m->known, slow_in_text(m, i), i) && i != m->bottom)
            return true;
    return false;
}

/* One copy of the body, its end included; returns the end's place. Behind it is known what all know who come there. */
static uint32_t copy(struct maker *m, uint32_t rep, uint32_t at_rep, bool *goes_on)
{
    struct meeting again = {0}, *rounds = m->rounds;
    uint32_t first = m->plan->count, end;
    m->rounds = &again;
    if (slow_walk(m, rep + 1, slow_in_text(m, rep)->partner))
        slow_come_together(m, &again);
    m->rounds = rounds;
    *goes_on = again.any;
    if (again.any && !m->plan->failed)
        slow_set_known(m, &again.known);
    slow_knowledge_free(&again.known);
    end = slow_emit(m, slow_in_text(m, rep)->partner);
    patch(m, first, at_rep, OP_CONT, end);
    return end;
}

/* The same of a copy that another one may follow. */
static uint32_t copy_in_row(struct maker *m, uint32_t rep, uint32_t at_rep, bool *goes_on)
{
    uint32_t first = m->plan->count, end = copy(m, rep, at_rep, goes_on);
    bool jumped_to = false;
    for (uint32_t i = first; end != NO_INDEX && i < end; i++)
        jumped_to |= slow_in_text(m, slow_place_at(m, i)->insn)->op == OP_CONT && slow_place_at(m, i)->to == end;
    if (end != NO_INDEX)
        slow_place_at(m, end)->straight = !jumped_to;
    return end;
}

/* The copies of a body, of which `end` ends the last one, are straight-line code, but where something jumps there. */
static void straighten(struct maker *m, uint32_t at_rep, uint32_t end)
{
    bool by_jump = false;
    slow_place_at(m, at_rep)->straight = true;
    for (uint32_t i = at_rep; i < m->plan->count; i++) {
        const struct slow_place *s = slow_place_at(m, i);
        unsigned op = slow_in_text(m, s->insn)->op;
        by_jump |= s->loop == at_rep && ((op == OP_BRK && !s->straight) || (op == OP_CONT && s->to == end));
    }
    slow_place_at(m, end)->straight = !by_jump;
}

/* Behind copies: where the last one ends, and any of them is left. */
static void unroll(struct maker *m, uint32_t rep, uint32_t at_rep, uint32_t count)
{
    uint32_t end = NO_INDEX, bottom = m->bottom;
    bool goes_on = true;
    m->bottom = count == 1 && slow_in_text(m, rep)->nsrc ? slow_in_text(m, rep)->partner - 1 : NO_INDEX;
    m->rows = has_cont(m, rep);
    for (uint32_t i = 0; i < count && goes_on && !m->plan->failed; i++) {
        if (end != NO_INDEX)
            slow_place_at(m, end)->again = end + 1;
        end = copy_in_row(m, rep, at_rep, &goes_on);
    }
    m->bottom = bottom;
    if (count == 0)
        end = slow_emit(m, slow_in_text(m, rep)->partner);
    if (goes_on)
        slow_come_together(m, m->breaks);
    if (m->dry || m->plan->failed)
        return;
    straighten(m, at_rep, end);
}

/* What is known where any round begins, from what is known before the first one: what no round changes. */
static void settle(struct maker *m, uint32_t rep)
{
    struct meeting head = {0}, *breaks = m->breaks;
    uint32_t at_loop = m->loop;
    bool dry = m->dry, changed = true;
    struct slow_knowledge before = m->known;
    m->dry = true;
    slow_come_together(m, &head);
    while (changed && !m->plan->failed) {
        struct meeting left = {0};
        bool goes_on;
        m->breaks = &left;
        slow_set_known(m, &head.known);
        copy(m, rep, NO_INDEX, &goes_on);
        changed = goes_on && slow_come_together(m, &head);
        slow_knowledge_free(&left.known);
    }
    m->dry = dry;
    m->breaks = breaks;
    m->loop = at_loop;
    m->known.sums = before.sums;
    memcpy(m->known.spent, before.spent, sizeof before.spent);
    if (!m->plan->failed)
        slow_set_known(m, &head.known);
    slow_knowledge_free(&head.known);
}

/* A loop that stays one. */
static void as_loop(struct maker *m, uint32_t rep, uint32_t at_rep)
{
    uint32_t first = m->plan->count, end;
    bool goes_on, endless = slow_in_text(m, rep)->nsrc == 0;
    if (!endless)
        slow_come_together(m, m->breaks);     /* no round at all */
    settle(m, rep);
    end = copy(m, rep, at_rep, &goes_on);
    if (goes_on && !endless)
        slow_come_together(m, m->breaks);
    if (end != NO_INDEX && (goes_on || !endless))
        slow_place_at(m, end)->again = first;
}

static void in_phases(struct maker *m, uint32_t rep, uint32_t at_rep, const struct slow_phases *phases)
{
    struct slow_knowledge head = {0};
    bool goes_on;
    m->rows = true;
    m->never = phases->counts ? phases->counter.test : NO_INDEX;
    m->stays = phases->counter.when_passed;
    if (!phases->once)
        slow_come_together(m, m->breaks);     /* no round at all */
    for (unsigned n = 0; n < SLOW_PHASES && !m->plan->failed; n++) {
        if (n == phases->once) {
            settle(m, rep);
            if (!slow_knowledge_copy(&head, &m->known))
                m->plan->failed = true;
        }
        if (n >= phases->once && !m->plan->failed)
            slow_set_known(m, &head);
        if (!m->dry)
            slow_place_at(m, at_rep)->phase[n] = m->plan->count;
        for (uint32_t i = 0; phases->rounds[n] != UINT32_MAX && i < phases->rounds[n] && !m->plan->failed; i++) {
            uint32_t end = copy_in_row(m, rep, at_rep, &goes_on);
            if (end != NO_INDEX && i + 1 < phases->rounds[n])
                slow_place_at(m, end)->again = end + 1;
            else if (end != NO_INDEX)
                slow_place_at(m, end)->straight = false;
            slow_come_together(m, m->breaks);
        }
    }
    if (!m->dry && !m->plan->failed) {
        slow_place_at(m, at_rep)->phased = true;
        slow_place_at(m, at_rep)->phases = *phases;
    }
    slow_knowledge_free(&head);
    m->never = NO_INDEX;
}

/* False: nobody comes out of it. */
bool slow_loop(struct maker *m, uint32_t rep)
{
    struct meeting breaks = {0}, *outer_breaks = m->breaks, *outer_rounds = m->rounds;
    uint32_t around = m->loop, at_rep = slow_emit(m, rep), count, first = m->plan->count;
    unsigned branches = m->loop_branches;
    bool room = m->plan->count <= MOST_PLACES, out, phased = false, rows = m->rows;
    struct slow_phases phases;
    if (m->plan->failed)
        return true;
    m->rows = has_cont(m, rep);
    m->loop_branches = m->branches;
    m->loop = at_rep;
    m->breaks = &breaks;
    m->rounds = NULL;
    if (m->p->nvidia && room && slow_copies(&m->known, m->costs, rep, &count))
        unroll(m, rep, at_rep, count);
    else if (m->p->nvidia && room && (phased = slow_has_phases(&m->known, m->costs, rep, &phases)))
        in_phases(m, rep, at_rep, &phases);
    else
        as_loop(m, rep, at_rep);
    patch(m, first, at_rep, OP_BRK, m->plan->count);
    if (at_rep != NO_INDEX && !m->plan->failed)
        slow_place_at(m, at_rep)->to = m->plan->count;
    out = breaks.any;
    if (out && !m->plan->failed)
        slow_set_known(m, &breaks.known);
    slow_knowledge_free(&breaks.known);
    m->breaks = outer_breaks;
    m->rounds = outer_rounds;
    m->loop = around;
    m->loop_branches = branches;
    m->rows = rows;
    if (phased && phases.counts && out && !m->plan->failed)     /* the comparison that ends it */
        slow_walk(m, rep + 1, phases.counter.test);
    return out;
}
