/* A program in the words that the decoder knows. In the dialects of ARB and before LONG is the size that every variable
 * has: 32 bits. A LOOP is a REP whose index stands in A0 (loop_index.c). */
#include "eval/decode/normal_form.h"

#include <string.h>

static bool copy(struct arena *a, struct vec *v)
{
    void *data = arena_alloc(a, (v->count + 1) * v->element);

    if (data && v->count)
        memcpy(data, v->data, v->count * v->element);
    v->data = data;
    v->capacity = v->count;
    return data != NULL;
}

static bool has_long(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (program_symbol(p, i)->size == SIZE_LONG)
            return true;
    return false;
}

static bool has_loop(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (program_insn(p, i)->op == OP_LOOP)
            return true;
    return false;
}

const struct gp5_program *eval_normal_form(struct arena *a, const struct gp5_program *from)
{
    bool sizes = !profile_table[from->profile].typed && has_long(from), loops = has_loop(from);
    struct gp5_program *p;

    if (!sizes && !loops)
        return from;
    p = arena_alloc(a, sizeof *p);
    if (!p)
        return NULL;
    *p = *from;
    if (!copy(a, &p->symbols) || !copy(a, &p->insns))
        return NULL;
    for (uint32_t i = 0; sizes && i < p->symbols.count; i++)
        if (program_symbol(p, i)->size == SIZE_LONG)
            program_symbol(p, i)->size = SIZE_DEFAULT;
    for (uint32_t i = 0; loops && i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        bool begins = insn->op == OP_LOOP;
        if (!begins && insn->op != OP_ENDLOOP)
            continue;
        insn->op = begins ? OP_REP : OP_ENDREP;
        insn->type = begins ? DT_F32 : insn->type;
        insn->flags |= INSN_INDEXED;
    }
    return p;
}
