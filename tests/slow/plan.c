/* Places, one after the other: loops taken apart, tests that are known, what a subroutine is called with. */
#include "tests/slow/maker.h"

#include <stdlib.h>
#include <string.h>

const struct insn *slow_in_text(const struct maker *m, uint32_t i)
{
    return program_insn(m->p->text, i);
}

uint32_t slow_emit(struct maker *m, uint32_t insn)
{
    struct slow_plan *plan = m->plan;
    if (m->dry)
        return NO_INDEX;
    if (plan->count == plan->room) {
        uint32_t room = plan->room ? plan->room * 2 : 64;
        struct slow_place *more = realloc(plan->place, room * sizeof *more);
        if (!more) {
            plan->failed = true;
            return NO_INDEX;
        }
        plan->place = more;
        plan->room = room;
    }
    plan->place[plan->count] = (struct slow_place){.insn = insn, .to = NO_INDEX, .again = NO_INDEX, .loop = m->loop};
    slow_note_uses(&m->known, slow_in_text(m, insn), &plan->place[plan->count]);
    if (plan->first[insn] == NO_INDEX)
        plan->first[insn] = plan->count;
    return plan->count++;
}

struct slow_place *slow_place_at(struct maker *m, uint32_t i)
{
    return i == NO_INDEX ? NULL : &m->plan->place[i];
}

static struct part *part_at(struct maker *m, uint32_t insn)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        if (m->parts[i].from == insn)
            return &m->parts[i];
    return NULL;
}

/* ---- branches ------------------------------------------------------------------------------------------------------------------- */

static bool does_nothing(const struct maker *m, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!m->useful || m->useful[i])
            return false;
    return true;
}

static bool branch(struct maker *m, uint32_t i, uint32_t *last)
{
    uint32_t other = slow_in_text(m, i)->partner, end = slow_in_text(m, other)->op == OP_ELSE ? slow_in_text(m, other)->partner : other;
    uint32_t head = slow_emit(m, i), middle = NO_INDEX, tail;
    struct slow_knowledge before, after;
    bool passes = false, known = m->p->nvidia && slow_known_branch(&m->known, slow_in_text(m, i), &passes);
    if (i == m->never) {
        known = true;
        passes = m->stays;
    }
    if (m->p->nvidia)
        slow_note_flow(&m->known, slow_in_text(m, i), known ? NULL : slow_place_at(m, head));
    slow_begin_block(&m->known);
    bool straight = known || (does_nothing(m, i + 1, other) && (other == end || does_nothing(m, other + 1, end))), first = true, second = true;
    *last = end;
    if (!slow_knowledge_copy(&before, &m->known))
        m->plan->failed = true;
    if (m->plan->failed)
        return true;
    m->branches += !known;
    if (!known || passes)
        first = slow_walk(m, i + 1, other);
    after = m->known;
    m->known = before;
    if (other != end)
        middle = slow_emit(m, other);
    if (other != end && (!known || !passes))
        second = slow_walk(m, other + 1, end);
    tail = slow_emit(m, end);
    m->branches -= !known;
    if (known ? passes : first && !second) {        /* nobody comes from the other side */
        before = m->known;
        m->known = after;
        after = before;
    } else if (!known && first && second) {
        slow_know_both(&m->known, &after);
    }
    slow_knowledge_free(&after);
    if (!m->dry && !m->plan->failed) {
        uint32_t parts[] = {head, middle, tail};
        slow_place_at(m, head)->to = middle != NO_INDEX ? middle + 1 : tail;
        slow_place_at(m, head)->outcome = !known ? TEST_LOOKED_AT : passes ? TEST_PASSES : TEST_FAILS;
        if (middle != NO_INDEX)
            slow_place_at(m, middle)->to = tail;
        for (unsigned k = 0; k < 3; k++)
            if (parts[k] != NO_INDEX)
                slow_place_at(m, parts[k])->straight = straight;
    }
    return known ? (passes ? first : second) : first || second;
}

/* False: nothing goes on behind it. */
static bool jump(struct maker *m, uint32_t i)
{
    const struct insn *insn = slow_in_text(m, i);
    bool passes = false, known = m->p->nvidia && slow_known_branch(&m->known, insn, &passes);
    bool straight = known && insn->op == OP_BRK && m->branches == m->loop_branches && !m->rows;
    struct slow_place *s = slow_place_at(m, slow_emit(m, i));
    if (m->p->nvidia)
        slow_note_flow(&m->known, insn, s);
    struct meeting *to = insn->op == OP_RET ? (m->inside ? &m->inside->exit : NULL) : insn->op == OP_BRK ? m->breaks : m->rounds;
    bool fresh = to && !(known && !passes) && (insn->op == OP_RET ? slow_meet_call(m, to, false) : slow_come_together(m, to));
    m->changed |= fresh && insn->op == OP_RET;
    if (insn->op == OP_CONT && m->breaks && m->p->nvidia && insn->partner == i + 1 && insn->condition.rule != CC_FL)
        slow_come_together(m, m->breaks);     /* who does not go on there leaves */
    if (s && known) {
        s->straight = straight;
        s->outcome = passes ? TEST_PASSES : TEST_FAILS;
    }
    return !(known && passes);
}

/* A BRK that is not taken. */
static void stays(struct slow_place *s)
{
    if (!s)
        return;
    s->straight = true;
    s->outcome = TEST_FAILS;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------ */

bool slow_walk(struct maker *m, uint32_t from, uint32_t to)
{
    bool goes_on = true;
    slow_begin_block(&m->known);
    for (uint32_t i = from; i < to && !m->plan->failed; i++) {
        const struct insn *insn = slow_in_text(m, i);
        struct part *s = m->p->nvidia && !m->dry ? part_at(m, i) : NULL;
        if (s) {
            goes_on = true;
            m->called = i != m->p->entry;
            m->dead = m->called && !s->entry.any;
            if (s->entry.any)
                slow_set_known(m, &s->entry.known);
            else
                slow_know_nothing(&m->known);
        }
        if (!goes_on && m->p->nvidia)
            continue;
        switch (insn->op) {
        case OP_IF: goes_on = branch(m, i, &i); break;
        case OP_REP:
            goes_on = slow_loop(m, i);
            i = insn->partner;
            break;
        case OP_BRK: case OP_CONT: case OP_RET:
            if (m->p->nvidia && (slow_ends_body(&m->known, insn, i) || (insn->op == OP_CONT && i == m->bottom))) {
                i = insn->partner - 1;      /* and nothing behind it */
                break;
            }
            if (i == m->never)
                stays(slow_place_at(m, slow_emit(m, i)));
            else
                goes_on = jump(m, i);
            break;
        case OP_CAL: case OP_CALI: {
            bool passes = false, known = m->p->nvidia && slow_known_branch(&m->known, insn, &passes);
            struct slow_place *here = slow_place_at(m, slow_emit(m, i));
            if (here && known && passes)
                here->outcome = TEST_PASSES;
            if (m->p->nvidia) {
                slow_note_flow(&m->known, insn, here);
                slow_look_at_call(m, insn);
            }
            break;
        }
        default: {
            uint32_t where = slow_emit(m, i);
            struct slow_place *here = slow_place_at(m, where);
            m->known.at = where;
            if (m->p->nvidia && !m->plan->failed)
                slow_follow(&m->known, insn, here);
        }
        }
        if (op_flows(insn->op) && slow_ends_block(insn))
            slow_begin_block(&m->known);
    }
    return goes_on;
}

/* Every label begins a part; of the main program nothing is known before. */
static bool find_parts(struct maker *m)
{
    const struct gp5_program *p = m->p->text;
    uint32_t n = (uint32_t)p->insns.count;
    m->parts = calloc(p->symbols.count + 1, sizeof *m->parts);
    if (!m->parts)
        return false;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        struct part *part = &m->parts[m->nparts];
        if (s->kind != SYM_LABEL || !s->defined || part_at(m, s->instruction))
            continue;
        *part = (struct part){.from = s->instruction, .to = n};
        m->nparts++;
    }
    for (uint32_t i = 0; i < m->nparts; i++)
        for (uint32_t k = 0; k < m->nparts; k++)
            if (m->parts[k].from > m->parts[i].from && m->parts[k].from < m->parts[i].to)
                m->parts[i].to = m->parts[k].from;
    return true;
}

static uint32_t end_of_main(const struct maker *m)
{
    uint32_t to = (uint32_t)m->p->text->insns.count;
    for (uint32_t k = 0; k < m->nparts; k++)
        if (m->parts[k].from > m->p->entry && m->parts[k].from < to)
            to = m->parts[k].from;
    return to;
}

static void make(struct maker *m)
{
    uint32_t n = (uint32_t)m->p->text->insns.count;
    m->loop = NO_INDEX;
    do {        /* what calls know comes to less and less */
        m->changed = false;
        m->dry = true;
        slow_know_nothing(&m->known);
        slow_walk(m, m->p->entry, end_of_main(m));
    } while (m->changed && m->p->nvidia && !m->plan->failed);
    m->dry = false;
    slow_know_nothing(&m->known);
    slow_walk(m, 0, n);
    for (uint32_t i = 0; i < m->plan->count && !m->plan->failed; i++) {
        struct slow_place *s = &m->plan->place[i];
        const struct insn *insn = slow_in_text(m, s->insn);
        if (insn->op == OP_CAL && insn->partner != NO_INDEX)
            s->to = insn->partner < n ? m->plan->first[insn->partner] : m->plan->count;
    }
}

static bool make_plan(struct slow_plan *plan, const struct slow_program *p, const uint8_t *useful, const uint32_t *costs)
{
    struct maker m = {.p = p, .plan = plan, .useful = useful, .costs = costs, .bottom = NO_INDEX, .never = NO_INDEX};
    size_t n = p->text->insns.count;
    *plan = (struct slow_plan){.first = malloc((n + 1) * sizeof *plan->first)};
    plan->failed = !plan->first;
    if (!plan->failed) {
        memset(plan->first, 0xff, (n + 1) * sizeof *plan->first);
        plan->failed = !slow_knowledge_new(&m.known, p) || !find_parts(&m);
    }
    if (!plan->failed)
        make(&m);
    for (uint32_t i = 0; m.parts && i <= m.nparts; i++) {
        slow_knowledge_free(&m.parts[i].entry.known);
        slow_knowledge_free(&m.parts[i].exit.known);
    }
    free(m.parts);
    slow_knowledge_free(&m.known);
    return !plan->failed;
}

/* Of each instruction as it stands, whether anybody needs it; and what it costs. */
static uint8_t *needed(const struct slow_program *p, uint32_t **costs)
{
    struct slow_program as_written = *p;
    struct slow_plan plan;
    struct slow_reach reach = {0};
    uint8_t *useful = calloc(p->text->insns.count + 1, 1), *flags = calloc(p->text->insns.count + 1, 1);
    bool ok;
    as_written.nvidia = false;      /* no place more or less */
    ok = useful && flags && make_plan(&plan, &as_written, NULL, NULL);
    ok = ok && slow_reach_new(&reach, p, &plan);
    for (uint32_t i = 0; ok && i < plan.count; i++) {
        useful[plan.place[i].insn] = reach.useful[i];
        flags[plan.place[i].insn] = reach.flags[i];
    }
    *costs = ok ? slow_costs(p, useful, flags) : NULL;
    ok = ok && *costs;
    free(flags);
    slow_reach_free(&reach);
    slow_plan_free(&plan);
    if (!ok) {
        free(useful);
        return NULL;
    }
    return useful;
}

bool slow_plan_make(struct slow_plan *plan, const struct slow_program *p)
{
    uint8_t *useful = NULL;
    uint32_t *costs = NULL;
    bool ok;
    *plan = (struct slow_plan){0};
    if (p->nvidia && !(useful = needed(p, &costs)))
        return false;
    ok = make_plan(plan, p, useful, costs) && (!p->nvidia || (slow_find_own_copies(plan, p) && slow_join(plan, p) && slow_find_order(plan, p) && slow_find_leaving(plan, p) && slow_find_clamped_sums(plan, p) &&
                                                             slow_find_votes(plan, p) && slow_find_uppers(plan, p) && slow_find_half_reach(plan, p, TOLD_COPIES) && slow_find_half_reach(plan, p, TOLD_LOADS) && slow_find_views(plan, p)));
    if (ok && p->nvidia)
        slow_find_apart(plan, p);
    free(costs);
    free(useful);
    return ok;
}

void slow_plan_free(struct slow_plan *plan)
{
    free(plan->place);
    free(plan->first);
    free(plan->alone);
    *plan = (struct slow_plan){0};
}
