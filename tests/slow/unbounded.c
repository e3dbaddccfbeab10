/* Arrays that registers index: who reads them, and by numbers that nobody has bounded: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

static bool reads_array(const struct leaving *x, uint32_t place, uint32_t array)
{
    const struct insn *insn = slow_leaving_at(x, place);
    for (unsigned k = 0; k < insn->nsrc && x->reach.useful[place]; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        if ((o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && o->ref == array)
            return true;
    }
    return false;
}

static bool sets(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    return r->kind == OPND_SYMBOL && r->ref == symbol && r->mask >> c & 1;
}

/* Nothing sets a register that indexes. */
static bool is_never_set(const struct leaving *x, const struct index *index)
{
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (sets(x, i, index->reg, index->component))
            return false;
    return index->mode == INDEX_RELATIVE && index->register_kind == OPND_SYMBOL && !index->element.used;
}

bool slow_array_is_reached(const struct leaving *x, uint32_t array)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct result *r = &slow_leaving_at(x, i)->dst;
        if (!x->runs[i])
            continue;
        if (reads_array(x, i, array))
            return true;
        for (unsigned n = 0; n < r->nindices && r->kind == OPND_SYMBOL && r->ref == array; n++) {
            const struct index *index = program_index(x->p->text, r->index + n);
            if (index->mode != INDEX_CONSTANT && !is_never_set(x, index))
                return true;
        }
    }
    return false;
}

/* A subroutine has left something there, and no number of the text. */
static bool comes_of_call(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    bool left = false;
    while (!left && !slow_leaving_begins(x, place) && place--) {
        left = slow_comes_from_call(x, place, symbol, c);
        if (!left && sets(x, place, symbol, c))
            return false;
    }
    for (uint32_t i = 0; left && i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        bool number = insn->op == OP_MOV && program_operand(x->p->text, insn->src)->kind == OPND_CONSTANT && !condition_restricts(&insn->dst.condition);
        if (x->runs[i] && !slow_leaving_main(x, i) && sets(x, i, symbol, c) && !number)
            return true;
    }
    return false;
}

static bool is_unbounded(const struct leaving *x, uint32_t place, uint32_t array, uint32_t index, unsigned nindices)
{
    const struct symbol *s = program_symbol(x->p->text, array);
    const struct index *by = nindices == 1 ? program_index(x->p->text, index) : NULL;
    bool written = false, read = false;
    if (!by || s->kind != SYM_TEMP || !s->array || by->mode != INDEX_RELATIVE || by->register_kind != OPND_SYMBOL || by->element.used || by->offset ||
        !comes_of_call(x, place, by->reg, by->component))
        return false;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct result *r = &slow_leaving_at(x, i)->dst;
        written |= x->runs[i] && r->kind == OPND_SYMBOL && r->ref == array;
        read |= x->runs[i] && reads_array(x, i, array);
    }
    return written && read;
}

bool slow_names_unbounded(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    bool any = insn->dst.kind == OPND_SYMBOL && is_unbounded(x, place, insn->dst.ref, insn->dst.index, insn->dst.nindices);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        any |= o->kind == OPND_SYMBOL && is_unbounded(x, place, o->ref, o->index, o->nindices);
    }
    return any && slow_leaving_main(x, place);
}
