/* Elements that a register names of which the compiler does not know that it is one of the array: it looks, by a predicate (predicates.c). What AND, BFE
 * and their like have bounded it knows, in subroutines too, but not what a called subroutine has left. */
#include "eval/truths.h"

static bool is_number(const struct truth_search *s, const struct insn *insn)
{
    return insn->op == OP_MOV && program_operand(s->p, insn->src)->kind == OPND_CONSTANT && !condition_restricts(&insn->dst.condition);
}

/* Whether the register that an instruction of the main program indexes by is what a call has left there, and no number. */
static bool is_left_by_call(const struct truth_search *s, uint32_t at, uint32_t symbol, unsigned c)
{
    uint32_t i = at;

    while (i > s->l->entry) {
        const struct result *r = &program_insn(s->p, --i)->dst;
        if (eval_call_leaves(s, i, symbol, c))
            break;
        if (i == s->l->entry || (r->kind == OPND_SYMBOL && r->ref == symbol && r->mask >> c & 1))
            return false;
    }
    for (uint32_t k = s->named_of[symbol]; k < s->named_of[symbol + 1]; k++) {
        const struct insn *insn = program_insn(s->p, s->named[k]);
        bool writes = insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.mask >> c & 1;
        if (writes && !eval_in_main(s, s->named[k]) && s->called[s->part[s->named[k]]] && !is_number(s, insn))
            return true;
    }
    return false;
}

/* Whether somebody writes elements of an array, and somebody reads them, in what runs. */
static bool is_in_use(const struct truth_search *s, uint32_t array)
{
    bool written = false, read = false;

    for (uint32_t k = s->named_of[array]; k < s->named_of[array + 1]; k++) {
        uint32_t i = s->named[k];
        const struct insn *insn = program_insn(s->p, i);
        if (!eval_in_main(s, i) && !s->called[s->part[i]])
            continue;
        written |= insn->dst.kind == OPND_SYMBOL && insn->dst.ref == array;
        for (unsigned n = 0; n < insn->nsrc && s->l->useful[i]; n++) {
            const struct operand *o = program_operand(s->p, insn->src + n);
            read |= (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && o->ref == array;
        }
    }
    return written && read;
}

static bool is_unbounded(const struct truth_search *s, uint32_t at, uint32_t array, uint32_t index, unsigned nindices)
{
    const struct symbol *symbol = program_symbol(s->p, array);
    const struct index *x = nindices == 1 ? program_index(s->p, index) : NULL;

    return x && symbol->kind == SYM_TEMP && symbol->array && x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL && !x->element.used && !x->offset &&
           is_left_by_call(s, at, x->reg, x->component) && is_in_use(s, array);
}

bool eval_names_unbounded(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = insn->dst.kind == OPND_SYMBOL && is_unbounded(s, at, insn->dst.ref, insn->dst.index, insn->dst.nindices);

    for (unsigned k = 0; k < insn->nsrc && !any; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        any = o->kind == OPND_SYMBOL && is_unbounded(s, at, o->ref, o->index, o->nindices);
    }
    return any;
}
