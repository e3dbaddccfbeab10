/* The text as the driver has it, before anything is executed: where labels stand, which arrays are SHORT, which
 * components are written. */
#include "tests/oracle/internal.h"

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
        if (s->kind == SYM_LABEL && s->defined && s->instruction == insn &&
            (found == NO_INDEX || s->span.offset > program_symbol(p, found)->span.offset))
            found = i;
    }
    return found;
}

/* Labels at one place: the driver lets all but the last begin a subroutine without a statement, as one at the end of
 * the program is. */
static void move_labels(const struct gp5_program *from, struct gp5_program *to)
{
    uint32_t end = (uint32_t)from->insns.count;
    for (uint32_t i = 0; i < to->symbols.count; i++) {
        struct symbol *s = program_symbol(to, i);
        if (s->kind == SYM_LABEL && s->defined && last_before(from, s->instruction) != i)
            s->instruction = end;
    }
    for (uint32_t i = 0; i < end; i++) {
        struct insn *insn = program_insn(to, i);
        const struct operand *o = insn->op == OP_CAL && insn->nsrc ? program_operand(to, insn->src) : NULL;
        if (o && o->kind == OPND_LABEL && insn->dst.partner != NO_INDEX)
            insn->dst.partner = program_symbol(to, o->ref)->instruction;
    }
}

/* docs/semantics.md, "SHORT variables": of an array SHORT says nothing. */
static void widen_short_arrays(struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_TEMP && s->array && s->size == SIZE_SHORT)
            s->size = SIZE_DEFAULT;
    }
}

/* docs/semantics.md, "Shuffles" and "Ballots, votes and match": under FL nothing is written; a ballot into y alone asks
 * x. */
static void change_exchange(struct gp5_program *p, struct insn *insn)
{
    struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;
    if ((op_shuffles(insn->op) || insn->op == OP_MATCH) && insn->dst.condition.rule == CC_FL)
        insn->dst.mask = 0;
    if (insn->op == OP_TGBALLOT && insn->dst.mask == 2)
        o->swizzle = (uint8_t)((o->swizzle & 3) * 0x55);
}

bool oracle_change_text(const struct gp5_program *from, struct gp5_program *to)
{
    *to = *from;
    to->symbols.data = same_again(&from->symbols);
    to->insns.data = same_again(&from->insns);
    to->operands.data = same_again(&from->operands);
    if (!to->symbols.data || !to->insns.data || !to->operands.data)
        return false;
    move_labels(from, to);
    widen_short_arrays(to);
    for (uint32_t i = 0; i < to->insns.count; i++)
        change_exchange(to, program_insn(to, i));
    return true;
}

void oracle_forget_text(struct gp5_program *p)
{
    free(p->symbols.data);
    free(p->insns.data);
    free(p->operands.data);
}
