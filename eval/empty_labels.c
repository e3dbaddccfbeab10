/* A label with another one at the same place: to the driver the first is an empty subroutine (docs/semantics.md). It is one that stands behind the last
 * instruction, so all that name it find it there. */
#include "eval/labels.h"

#include <string.h>

static bool is_label(const struct symbol *s)
{
    return s->kind == SYM_LABEL && s->defined;
}

/* Whether a label stands at the place of a symbol that the text defines later. */
static bool is_empty(const struct gp5_program *p, const struct symbol *s)
{
    for (uint32_t i = 0; is_label(s) && i < p->symbols.count; i++) {
        const struct symbol *other = program_symbol(p, i);
        if (is_label(other) && other->instruction == s->instruction && other->span.offset > s->span.offset)
            return true;
    }
    return false;
}

static bool has_empty(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (is_empty(p, program_symbol(p, i)))
            return true;
    return false;
}

static bool copy(struct arena *a, struct vec *v)
{
    void *data = arena_alloc(a, (v->count + 1) * v->element);

    if (data && v->count)
        memcpy(data, v->data, v->count * v->element);
    v->data = data;
    v->capacity = v->count;
    return data != NULL;
}

const struct gp5_program *eval_empty_labels(struct arena *a, const struct gp5_program *from)
{
    struct gp5_program *p;
    uint32_t end = (uint32_t)from->insns.count;

    if (!has_empty(from))
        return from;
    p = arena_alloc(a, sizeof *p);
    if (!p)
        return NULL;
    *p = *from;
    if (!copy(a, &p->symbols) || !copy(a, &p->insns))
        return NULL;
    for (uint32_t i = 0; i < from->symbols.count; i++)
        if (is_empty(from, program_symbol(from, i)))
            program_symbol(p, i)->instruction = end;
    for (uint32_t i = 0; i < end; i++) {
        struct insn *insn = program_insn(p, i);
        if (insn->op == OP_CAL && insn->nsrc == 1 && program_operand(p, insn->src)->kind == OPND_LABEL && insn->partner < end)
            insn->partner = program_symbol(p, program_operand(p, insn->src)->ref)->instruction;
    }
    return p;
}
