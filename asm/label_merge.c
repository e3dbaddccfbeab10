/* A label with another one at the same place: to the driver the first is an empty subroutine (docs/semantics.md). It is
 * one that stands behind the last instruction, so all that name it find it there. */
#include "asm/label.h"

#include <string.h>

static bool is_label(const struct symbol *s)
{
    return s->kind == SYM_LABEL && s->defined;
}

/* The last label at each place, and whether a place has several. */
static uint32_t *find_last(const struct gp5_program *p, bool *several)
{
    uint32_t places = (uint32_t)p->insns.count + 1, *last = gp5_malloc(places * sizeof *last);

    *several = false;
    if (!last)
        return NULL;
    memset(last, 0xff, places * sizeof *last);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (!is_label(s) || s->instruction >= places)
            continue;
        *several |= last[s->instruction] != NO_INDEX;
        if (last[s->instruction] == NO_INDEX || s->span.offset > program_symbol(p, last[s->instruction])->span.offset)
            last[s->instruction] = i;
    }
    return last;
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
    uint32_t end = (uint32_t)from->insns.count, *last;
    bool several;

    if (eval_has_branches(from))
        return from;
    last = find_last(from, &several);
    if (!last || !several) {
        gp5_free(last);
        return last ? from : NULL;
    }
    p = arena_alloc(a, sizeof *p);
    if (p) {
        *p = *from;
        p = copy(a, &p->symbols) && copy(a, &p->insns) ? p : NULL;
    }
    for (uint32_t i = 0; p && i < from->symbols.count; i++) {
        const struct symbol *s = program_symbol(from, i);
        if (is_label(s) && s->instruction <= end && last[s->instruction] != i)
            program_symbol(p, i)->instruction = end;
    }
    for (uint32_t i = 0; p && i < end; i++) {
        struct insn *insn = program_insn(p, i);
        if (insn->op == OP_CAL && insn->nsrc == 1 && program_operand(p, insn->src)->kind == OPND_LABEL &&
            insn->dst.partner < end)
            insn->dst.partner = program_symbol(p, program_operand(p, insn->src)->ref)->instruction;
    }
    gp5_free(last);
    return p;
}
