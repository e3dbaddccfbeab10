/* Where a place goes on, and what is read later there (reach.c). */
#include "tests/slow/plan.h"

#include <string.h>

bool slow_is_label(const struct slow_reach *r, uint32_t place)
{
    return place >= r->plan->count || slow_begins_part(r->p, r->plan, place);
}

/* The instruction behind the label that a place's part begins with. */
static uint32_t part_of(const struct slow_reach *r, uint32_t place)
{
    uint32_t label = r->plan->place[place].insn;
    while (label && !r->p->label[label])
        label--;
    return label;
}

static void join_callers(const struct slow_reach *r, uint32_t place, uint64_t *set)
{
    if (place >= r->entry && place < r->main_end)
        return;
    for (uint32_t i = 0; i < r->words; i++)
        set[i] |= r->callers[(size_t)part_of(r, place) * r->words + i];
}

/* Where place `to` begins, when place `from` goes there; a label that is run into returns. */
static void join(const struct slow_reach *r, uint32_t from, uint32_t to, uint64_t *set)
{
    if (slow_is_label(r, to)) {
        join_callers(r, from, set);
        return;
    }
    for (uint32_t i = 0; i < r->words; i++)
        set[i] |= r->live[(size_t)to * r->words + i];
}

static void join_called(const struct slow_reach *r, const struct insn *insn, uint64_t *set)
{
    uint32_t n = (uint32_t)r->p->text->insns.count;
    for (uint32_t i = 0; i < n; i++)
        if (r->p->label[i] && r->plan->first[i] != NO_INDEX && slow_calls(r->p, insn, i))
            for (uint32_t w = 0; w < r->words; w++)
                set[w] |= r->live[(size_t)r->plan->first[i] * r->words + w];
}

static bool is_called(const struct slow_reach *r, const struct insn *call)
{
    for (uint32_t i = 0; i < r->p->text->insns.count; i++)
        if (r->p->label[i] && r->plan->first[i] != NO_INDEX && slow_calls(r->p, call, i))
            return true;
    return false;
}

bool slow_has_first_round(const struct slow_program *p, const struct slow_place *rep, const struct insn *insn)
{
    const struct operand *o = program_operand(p->text, insn->src);
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    struct slow_known count;
    if (insn->op != OP_REP || rep->straight || rep->phased)
        return false;
    if (!insn->nsrc)
        return true;
    if (o->kind != OPND_CONSTANT)
        return false;
    return slow_known_operand(&nothing, o, 0, DT_S32, &count) && (int32_t)(uint32_t)count.bits > 0;
}

void slow_live_behind(const struct slow_reach *r, uint32_t place, uint64_t *set)
{
    const struct slow_place *s = &r->plan->place[place], *rep = s->loop == NO_INDEX ? NULL : &r->plan->place[s->loop];
    const struct insn *insn = program_insn(r->p->text, s->insn);
    bool always = !condition_restricts(&insn->condition);
    memset(set, 0, r->words * sizeof *set);
    if (s->straight && insn->op != OP_BRK) {
        join(r, place, place + 1, set);
        return;
    }
    switch (insn->op) {
    case OP_IF:
        join(r, place, place + 1, set);
        join(r, place, s->to, set);
        return;
    case OP_ELSE: join(r, place, s->to, set); return;
    case OP_REP: case OP_ENDREP: {
        const struct slow_place *head = insn->op == OP_REP ? s : rep;
        for (unsigned n = 0; head->phased && n < SLOW_PHASES; n++)
            join(r, place, head->phase[n], set);
        if (insn->op == OP_REP && !head->phased)
            join(r, place, place + 1, set);
        if (insn->op == OP_ENDREP && s->again != NO_INDEX)
            join(r, place, s->again, set);
        if (insn->op == OP_REP ? !slow_has_first_round(r->p, s, insn) : !head->straight || s->again == NO_INDEX)
            join(r, place, head->to, set);
        return;
    }
    case OP_BRK:
        if (!always || s->straight)
            join(r, place, place + 1, set);
        if (!s->straight)
            join(r, place, s->to, set);
        return;
    case OP_CONT:
        join(r, place, place + 1, set);
        join(r, place, s->to, set);
        if (rep && insn->partner == s->insn + 1)        /* at the bottom: who does not go on leaves the loop */
            join(r, place, rep->to, set);
        return;
    case OP_CAL: case OP_CALI:
        join_called(r, insn, set);
        if (insn->op == OP_CALI || !always || (r->nests && !(place >= r->entry && place < r->main_end)) || !is_called(r, insn))     /* else what is wanted behind it is wanted where the subroutine returns */
            join(r, place, place + 1, set);
        return;
    case OP_RET:
        if (!always)
            join(r, place, place + 1, set);
        join_callers(r, place, set);
        return;
    default: join(r, place, place + 1, set);
    }
}

void slow_live_returned(const struct slow_reach *r, uint32_t call, uint64_t *set)
{
    memset(set, 0, r->words * sizeof *set);
    join(r, call, call + 1, set);
}

unsigned slow_successors(const struct slow_program *p, const struct slow_plan *plan, uint32_t place, uint32_t to[8])
{
    const struct slow_place *s = &plan->place[place], *rep = s->loop == NO_INDEX ? NULL : &plan->place[s->loop];
    const struct insn *insn = program_insn(p->text, plan->place[place].insn);
    bool falls = true;
    unsigned n = 0;
    switch (s->straight && !(insn->op == OP_BRK && s->outcome == TEST_PASSES) ? OP_COUNT : insn->op) {
    case OP_IF: to[n++] = s->to; break;
    case OP_ELSE: to[n++] = s->to, falls = false; break;
    case OP_REP: case OP_ENDREP: {
        const struct slow_place *head = insn->op == OP_REP ? s : rep;
        for (unsigned k = 0; head->phased && k < SLOW_PHASES; k++)
            to[n++] = head->phase[k];
        if (insn->op == OP_ENDREP && s->again != NO_INDEX)
            to[n++] = s->again;
        if (insn->op == OP_ENDREP ? !head->straight || s->again == NO_INDEX : insn->nsrc || head->phased)
            to[n++] = head->to;
        falls = insn->op == OP_REP && !head->phased;
        break;
    }
    case OP_BRK: to[n++] = s->to, falls = condition_restricts(&insn->condition) && !s->straight; break;
    case OP_CONT:
        to[n++] = s->to;
        if (rep && insn->partner == s->insn + 1)        /* at the bottom: who does not go on leaves the loop */
            to[n++] = rep->to;
        falls = condition_restricts(&insn->condition);
        break;
    case OP_RET: falls = condition_restricts(&insn->condition); break;
    default: break;
    }
    if (falls)
        to[n++] = place + 1;
    return n;
}
