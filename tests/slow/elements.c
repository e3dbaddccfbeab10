/* Arrays that only numbers index, or registers that are numbers (addresses.c), as the driver's compiler has them: a variable an element. Components that
 * an instruction leaves as they are, it does not write. */
#include "tests/slow/internal.h"

#include <stdlib.h>
#include <string.h>

enum { AT_MOST = 256 };     /* elements of all such arrays; later ones stay arrays */

struct taking_apart {
    struct gp5_program *p;
    struct slow_addresses where;
    uint32_t *first;        /* of each symbol as the text has them: the symbol of its element 0, or NO_INDEX */
};

static unsigned kind_of(const struct operand *o)
{
    return o->kind == OPND_EXTENDED ? o->base_kind : o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;
}

/* Whether an index of the instruction (NO_INDEX: of none) is a number or known to be one; what never runs names nothing. */
static bool is_number(const struct taking_apart *t, const struct index *x, uint32_t insn, uint32_t size)
{
    uint32_t element;
    return x->mode != INDEX_RELATIVE || (insn != NO_INDEX && (!t->where.runs[insn] || slow_address(&t->where, x, insn, size, &element)));
}

static uint32_t reader_of(const struct gp5_program *p, uint32_t operand)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (operand - program_insn(p, i)->src < program_insn(p, i)->nsrc)
            return i;
    return NO_INDEX;
}

/* `text`: only numbers as they are written count. */
static bool by_numbers(const struct taking_apart *t, const struct gp5_program *p, uint32_t symbol, bool text)
{
    uint32_t size = program_symbol(p, symbol)->array_size;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct result *r = &program_insn(p, i)->dst;
        for (unsigned k = 0; k < r->nindices && r->kind == OPND_SYMBOL && r->ref == symbol; k++)
            if (!is_number(t, program_index(p, r->index + k), text ? NO_INDEX : i, size))
                return false;
    }
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const struct operand *o = program_operand(p, i);
        for (unsigned k = 0; k < o->nindices && kind_of(o) == OPND_SYMBOL && o->ref == symbol; k++)
            if (!is_number(t, program_index(p, o->index + k), text || program_index(p, o->index + k)->mode != INDEX_RELATIVE ? NO_INDEX : reader_of(p, i), size))
                return false;
    }
    return true;
}

/* CVT to 8 or 16 bits leaves the others of an element of an array that is indexed: such arrays stay. */
static bool keeps_bits(const struct gp5_program *p, uint32_t symbol)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->op == OP_CVT && type_table[insn->type].bytes < 4 && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol)
            return true;
    }
    return false;
}

static bool comes_apart(const struct taking_apart *t, const struct gp5_program *p, uint32_t symbol)
{
    return by_numbers(t, p, symbol, true) || (!keeps_bits(p, symbol) && by_numbers(t, p, symbol, false));
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

static void rename_one(const struct taking_apart *t, unsigned kind, uint32_t *symbol, uint32_t index, uint8_t *nindices, uint32_t insn)
{
    const struct index *x = *nindices == 1 ? program_index(t->p, index) : NULL;
    uint32_t element = x ? (uint32_t)x->offset : 0, size;
    if (kind != OPND_SYMBOL || !x || t->first[*symbol] == NO_INDEX)
        return;
    size = program_symbol(t->p, *symbol)->array_size;
    if (x->mode == INDEX_CONSTANT ? x->offset < 0 || element >= size
                                  : insn == NO_INDEX || !t->where.runs[insn] || !slow_address(&t->where, x, insn, size, &element))
        return;
    *symbol = t->first[*symbol] + element;
    *nindices = 0;
}

static void rename_all(const struct taking_apart *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        struct insn *insn = program_insn(t->p, i);
        rename_one(t, insn->dst.kind, &insn->dst.ref, insn->dst.index, &insn->dst.nindices, i);
        for (uint32_t k = insn->src; k < insn->src + insn->nsrc; k++) {
            struct operand *o = program_operand(t->p, k);
            rename_one(t, kind_of(o), &o->ref, o->index, &o->nindices, i);
        }
    }
    for (uint32_t k = 0; k < t->p->operands.count; k++) {
        struct operand *o = program_operand(t->p, k);
        rename_one(t, kind_of(o), &o->ref, o->index, &o->nindices, NO_INDEX);
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

static void keep_untouched(struct gp5_program *p, const bool *by_address)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        bool variable = insn->dst.kind == OPND_SYMBOL, wide = variable && program_symbol(p, insn->dst.ref)->size == SIZE_LONG;
        bool others = op_shuffles(insn->op) || insn->op == OP_MATCH;
        if (others && insn->dst.condition.rule == CC_FL)        /* what FL keeps back is the whole result */
            insn->dst.mask = 0;
        else if (!wide && !(variable && others && by_address[insn->dst.ref]))
            insn->dst.mask &= (uint8_t)~(op_shuffles(insn->op) ? 12 : slow_leaves(insn->op));
        if (insn->op == OP_TGBALLOT && insn->dst.mask == 2) {       /* it asks x */
            struct operand *o = program_operand(p, insn->src);
            o->swizzle = (uint8_t)((o->swizzle & 3) * 0x55);
        }
    }
}

bool slow_take_apart(const struct gp5_program *from, struct gp5_program *to, bool **by_address)
{
    size_t n = from->symbols.count, more = 0;
    struct taking_apart t = {.p = to, .first = malloc((n + 1) * sizeof *t.first)};
    bool ok = slow_addresses_find(&t.where, from) && t.first;
    *to = *from;
    *by_address = NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        const struct symbol *s = program_symbol(from, i);
        bool apart = s->kind == SYM_TEMP && s->array && s->array_size <= AT_MOST - more && comes_apart(&t, from, i);
        t.first[i] = apart ? (uint32_t)(n + more) : NO_INDEX;
        more += apart ? s->array_size : 0;
    }
    ok &= duplicate(&to->symbols, more);
    ok &= duplicate(&to->insns, 0);
    ok &= duplicate(&to->operands, 0);
    ok &= duplicate(&to->indices, 0);
    *by_address = ok ? calloc(n + more + 1, sizeof **by_address) : NULL;
    ok &= *by_address != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        struct symbol *array = (struct symbol *)to->symbols.data + i;
        if (array->kind == SYM_TEMP && array->array && array->size == SIZE_SHORT)
            array->size = SIZE_DEFAULT;     /* of arrays it says nothing */
        (*by_address)[i] = array->kind == SYM_TEMP && array->array && !by_numbers(&t, from, i, true);
        for (uint32_t e = 0; t.first[i] != NO_INDEX && e < array->array_size; e++) {
            struct symbol *s = (struct symbol *)to->symbols.data + to->symbols.count++;
            *s = *array;
            s->array = false;
            s->array_size = 0;
            (*by_address)[t.first[i] + e] = (*by_address)[i];
        }
    }
    if (ok) {
        rename_all(&t);
        keep_untouched(to, *by_address);
    }
    slow_addresses_forget(&t.where);
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
