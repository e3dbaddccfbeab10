/* Where CAL and CALI go, and back. */
#include "tests/slow/flow.h"

#include <string.h>

/* ARB_shader_subroutine: the label whose number the parameter has; with nothing chosen the last one of the type. */
static bool chosen_label(const struct slow_group *g, const struct symbol *variable, uint64_t element, uint32_t *label)
{
    const struct gp5_program *p = g->program->text;
    const struct slow_launch *launch = g->launch;
    const char *type = program_symbol(p, variable->instruction)->name;
    uint32_t parameter = NO_INDEX;
    bool found = false;
    for (uint32_t i = 0; i < variable->nbindings && parameter == NO_INDEX; i++) {
        const struct binding *b = program_binding(p, variable->binding + i);
        uint64_t n = b->range[0] ? b->last[0] - b->first[0] + 1u : 1;
        if (element < n)
            parameter = b->first[0] + (uint32_t)element;
        else
            element -= n;
    }
    for (uint32_t i = 0; i < p->symbols.count && parameter != NO_INDEX; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind != SYM_SUBROUTINE_TYPE || strcmp(s->name, type))
            continue;
        for (uint32_t k = 0; k < s->nbindings; k++) {
            const struct symbol *l = program_symbol(p, program_operand(p, s->binding + k)->ref);
            if (launch->nsubroutines && (parameter >= launch->nsubroutines || l->number != launch->subroutines[parameter]))
                continue;
            *label = l->instruction;
            found = true;
        }
    }
    return found;
}

/* Where an instruction calls to; NO_INDEX: nowhere. */
static bool callee(struct slow_lane *l, const struct insn *insn, uint32_t *to)
{
    const struct gp5_program *p = l->group->program->text;
    const struct operand *o = program_operand(p, insn->src);
    const struct symbol *s = insn->op == OP_CALI && o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    int64_t element = 0;
    bool open = false;
    *to = l->here->to;
    if (insn->op == OP_CAL)
        return *to != NO_INDEX;
    *to = NO_INDEX;
    if (!s || (o->nindices && !slow_index(l, program_index(p, o->index), &element, &open)))
        return false;
    slow_use(l, open || !l->group->launch->nsubroutines);
    if (element < 0 || element >= (int64_t)(s->array ? s->array_size : 1)) {
        slow_use(l, true);
        return true;
    }
    if (!chosen_label(l->group, s, (uint64_t)element, to))
        return false;
    *to = *to < p->insns.count ? l->group->program->plan->first[*to] : l->group->program->plan->count;
    return true;
}

bool slow_call(struct slow_lane *l, const struct insn *insn)
{
    uint32_t to;
    struct slow_block b = {.pc = l->pc};
    if (l->calls == SLOW_CALLS) {       /* undefined: the call does not happen */
        slow_use(l, true);
        l->pc++;
        return true;
    }
    if (!callee(l, insn, &to))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this call", insn);
    if (to == NO_INDEX) {
        l->pc++;
        return true;
    }
    l->calls++;
    l->called = true;
    l->pc = to;
    return slow_push(l, insn, b);
}

/* Whether lanes part behind the call is known when all are back. */
static bool wait_for_others(struct slow_lane *l, struct slow_party *party, uint32_t way, uint64_t at)
{
    l->state = LANE_MEETS;
    l->back = true;
    l->took = way && way != SLOW_ALONE;
    l->if_apart = party->before = l->depth ? l->blocks[l->depth - 1].party : l->party;
    party->around = way == SLOW_ALONE ? at : party->around;
    return !way || slow_new_party(l->group, party, &l->if_apart);
}

bool slow_all_back(struct slow_lane *lanes[SLOW_WARP])
{
    bool apart = false;
    for (unsigned i = 0; i < SLOW_WARP; i++)
        apart |= lanes[i] && lanes[i]->took;
    for (unsigned i = 0; i < SLOW_WARP; i++) {
        struct slow_lane *l = lanes[i];
        if (!l)
            continue;
        if (apart)
            *(l->depth ? &l->blocks[l->depth - 1].party : &l->party) = l->if_apart;
        l->back = l->took = false;
        l->state = LANE_RUNS;
    }
    return true;
}

bool slow_back(struct slow_lane *l, uint32_t way)
{
    uint64_t at = slow_where(l, l->pc);
    struct slow_party party = {.warp = l->warp, .brk = way};
    uint64_t *with, before;
    while (l->depth && l->blocks[l->depth - 1].loop)
        l->depth--;
    if (!l->depth) {
        l->state = LANE_ENDED;
        return true;
    }
    party.around = slow_where(l, 0);
    slow_leave_shorts(l);
    before = l->blocks[--l->depth].party;
    party.rep = l->blocks[l->depth].pc;
    l->calls--;
    l->called = false;
    l->pc = party.rep + 1;
    if (slow_place_at(l, party.rep)->once)
        return wait_for_others(l, &party, way, at);
    if (!slow_place_at(l, party.rep)->returns || !(way || before))
        return true;
    with = l->depth ? &l->blocks[l->depth - 1].party : &l->party;
    party.before = *with;
    return slow_new_party(l->group, &party, with);
}
