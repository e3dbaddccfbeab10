/* Labels at one place: the driver lets all but the last begin a subroutine without a statement, as one at the end of the program is. */
#include "tests/slow/internal.h"

#include <stdlib.h>
#include <string.h>

static void *same_again(const struct vec *v)
{
    void *data = calloc(v->count + 1, v->element);
    if (data && v->count)
        memcpy(data, v->data, v->count * v->element);
    return data;
}

/* The label that the text has last before an instruction. */
static uint32_t last_before(const struct gp5_program *p, uint32_t insn)
{
    uint32_t found = NO_INDEX;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction == insn && (found == NO_INDEX || s->span.offset > program_symbol(p, found)->span.offset))
            found = i;
    }
    return found;
}

bool slow_move_labels(const struct gp5_program *from, struct gp5_program *to)
{
    uint32_t end = (uint32_t)from->insns.count;
    *to = *from;
    to->symbols.data = same_again(&from->symbols);
    to->insns.data = same_again(&from->insns);
    if (!to->symbols.data || !to->insns.data)
        return false;
    for (uint32_t i = 0; i < to->symbols.count; i++) {
        struct symbol *s = program_symbol(to, i);
        if (s->kind == SYM_LABEL && s->defined && last_before(from, s->instruction) != i)
            s->instruction = end;
    }
    for (uint32_t i = 0; i < end; i++) {
        struct insn *insn = program_insn(to, i);
        const struct operand *o = insn->op == OP_CAL && insn->nsrc ? program_operand(to, insn->src) : NULL;
        if (o && o->kind == OPND_LABEL && insn->partner != NO_INDEX)
            insn->partner = program_symbol(to, o->ref)->instruction;
    }
    return true;
}

void slow_forget_labels(struct gp5_program *p)
{
    free(p->symbols.data);
    free(p->insns.data);
}
