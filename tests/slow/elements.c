/* Arrays that only numbers index, as the driver's compiler has them: a variable an element. */
#include "tests/slow/internal.h"

#include <stdlib.h>
#include <string.h>

enum { AT_MOST = 256 };     /* elements of all such arrays; later ones stay arrays */

struct taking_apart {
    struct gp5_program *p;
    uint32_t *first;        /* of each symbol as the text has them: the symbol of its element 0, or NO_INDEX */
};

static bool by_numbers(const struct gp5_program *p, uint32_t symbol)
{
    const struct insn *insn = p->insns.data;
    const struct operand *o = p->operands.data;
    for (size_t i = 0; i < p->insns.count; i++)
        for (unsigned k = 0; k < insn[i].dst.nindices && insn[i].dst.kind == OPND_SYMBOL && insn[i].dst.ref == symbol; k++)
            if (program_index(p, insn[i].dst.index + k)->mode == INDEX_RELATIVE)
                return false;
    for (size_t i = 0; i < p->operands.count; i++)
        for (unsigned k = 0; k < o[i].nindices && (o[i].kind == OPND_EXTENDED ? o[i].base_kind : o[i].kind) == OPND_SYMBOL && o[i].ref == symbol; k++)
            if (program_index(p, o[i].index + k)->mode == INDEX_RELATIVE)
                return false;
    return true;
}

static bool duplicate(struct vec *v, size_t more)
{
    void *data = calloc(v->count + more + 1, v->element);
    if (data && v->count)
        memcpy(data, v->data, v->count * v->element);
    v->data = data;
    v->capacity = v->count + more;
    return data;
}

static void rename_one(const struct taking_apart *t, unsigned kind, uint32_t *symbol, uint32_t index, uint8_t *nindices)
{
    const struct index *x = *nindices == 1 ? program_index(t->p, index) : NULL;
    if (kind != OPND_SYMBOL || !x || x->mode != INDEX_CONSTANT || t->first[*symbol] == NO_INDEX || x->offset < 0 ||
        (uint32_t)x->offset >= program_symbol(t->p, *symbol)->array_size)
        return;
    *symbol = t->first[*symbol] + (uint32_t)x->offset;
    *nindices = 0;
}

static void rename_all(const struct taking_apart *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        struct result *r = &program_insn(t->p, i)->dst;
        rename_one(t, r->kind, &r->ref, r->index, &r->nindices);
    }
    for (uint32_t i = 0; i < t->p->operands.count; i++) {
        struct operand *o = program_operand(t->p, i);
        unsigned kind = o->kind == OPND_EXTENDED ? o->base_kind : o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;
        rename_one(t, kind, &o->ref, o->index, &o->nindices);
    }
    for (uint32_t i = 0; i < t->p->indices.count; i++) {
        struct index *x = program_index(t->p, i);
        if (x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL && x->element.used && t->first[x->reg] != NO_INDEX &&
            x->element.value < program_symbol(t->p, x->reg)->array_size) {
            x->reg = t->first[x->reg] + x->element.value;
            x->element.used = false;
        }
    }
}

bool slow_take_apart(const struct gp5_program *from, struct gp5_program *to)
{
    size_t n = from->symbols.count, more = 0;
    struct taking_apart t = {.p = to, .first = malloc((n + 1) * sizeof *t.first)};
    bool ok = t.first;
    *to = *from;
    for (uint32_t i = 0; ok && i < n; i++) {
        const struct symbol *s = program_symbol(from, i);
        bool apart = s->kind == SYM_TEMP && s->array && s->array_size <= AT_MOST - more && by_numbers(from, i);
        t.first[i] = apart ? (uint32_t)(n + more) : NO_INDEX;
        more += apart ? s->array_size : 0;
    }
    ok &= duplicate(&to->symbols, more);
    ok &= duplicate(&to->insns, 0);
    ok &= duplicate(&to->operands, 0);
    ok &= duplicate(&to->indices, 0);
    for (uint32_t i = 0; ok && i < n; i++)
        for (uint32_t e = 0; t.first[i] != NO_INDEX && e < program_symbol(from, i)->array_size; e++) {
            struct symbol *s = (struct symbol *)to->symbols.data + to->symbols.count++;
            *s = *program_symbol(from, i);
            s->array = false;
            s->array_size = 0;
        }
    if (ok)
        rename_all(&t);
    free(t.first);
    return ok;
}

void slow_put_together(struct gp5_program *p)
{
    free(p->symbols.data);
    free(p->insns.data);
    free(p->operands.data);
    free(p->indices.data);
}
