/* Where CAL and CALI go, and back. */
#include "tests/oracle/flow.h"

#include <string.h>

/* ARB_shader_subroutine: the label whose number the parameter has; with nothing chosen the last one of the type. */
static bool chosen_label(const struct oracle_group *g, const struct symbol *variable, uint64_t element, uint32_t *label)
{
    const struct gp5_program *p = g->program->text;
    const struct oracle_launch *launch = g->launch;
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
            if (launch->nsubroutines &&
                (parameter >= launch->nsubroutines || l->number != launch->subroutines[parameter]))
                continue;
            *label = l->instruction;
            found = true;
        }
    }
    return found;
}

/* Where an instruction calls to; NO_INDEX: nowhere. */
static bool callee(struct oracle_lane *l, const struct insn *insn, uint32_t *to)
{
    const struct gp5_program *p = l->group->program->text;
    const struct operand *o = program_operand(p, insn->src);
    const struct symbol *s = insn->op == OP_CALI && o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    int64_t element = 0;
    bool undef = false;
    *to = insn->dst.partner;
    if (insn->op == OP_CAL)
        return *to != NO_INDEX;
    *to = NO_INDEX;
    if (!s || (o->nindices && !oracle_index(l, program_index(p, o->index), &element, &undef)))
        return false;
    oracle_note_use(l, undef || !l->group->launch->nsubroutines);
    if (element < 0 || element >= (int64_t)(s->array ? s->array_size : 1)) {
        oracle_note_use(l, true);
        return true;
    }
    if (!chosen_label(l->group, s, (uint64_t)element, to))
        return false;
    return true;
}

bool oracle_call(struct oracle_lane *l, const struct insn *insn)
{
    uint32_t to;
    struct oracle_block b = {.pc = l->pc};
    if (l->calls == ORACLE_CALLS) {       /* undefined: the call does not happen */
        oracle_note_use(l, true);
        l->pc++;
        return true;
    }
    if (!callee(l, insn, &to))
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this call", insn);
    if (to == NO_INDEX) {
        l->pc++;
        return true;
    }
    l->calls++;
    l->called = true;
    l->pc = to;
    return oracle_push(l, insn, b);
}

void oracle_return(struct oracle_lane *l)
{
    while (l->depth && l->blocks[l->depth - 1].loop)
        l->depth--;
    if (!l->depth) {
        l->state = LANE_ENDED;
        return;
    }
    l->calls--;
    l->called = false;
    l->pc = l->blocks[--l->depth].pc + 1;
}
