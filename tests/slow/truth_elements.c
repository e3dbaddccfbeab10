/* Comparisons of floats in subroutines into elements of arrays that computed indices reach, where a number names the element: docs/numbers.md,
 * "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

static bool is_candidate(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct result *r = &insn->dst;
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(x->p->text, r->ref) : NULL;
    if (slow_leaving_main(x, place) || !op_compares(insn->op) || (insn->type != DT_F32 && insn->type != DT_F64) ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF))
        return false;
    return to && to->kind == SYM_TEMP && to->array && to->size == SIZE_DEFAULT && r->nindices == 1 && program_index(x->p->text, r->index)->mode == INDEX_CONSTANT;
}

bool slow_compares_into_elements(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->plan->count; i++)
        any |= is_candidate(x, i);
    return any;
}

/* A vote or a choice of what an array takes a copy of: whether that counts here is not known. */
bool slow_is_stored(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src), *from;
    bool any = false;
    if ((!op_votes(insn->op) && insn->op != OP_CMP) || o->kind != OPND_SYMBOL)
        return false;
    for (uint32_t i = 0; i < x->p->text->insns.count; i++) {
        insn = program_insn(x->p->text, i);
        if (insn->op != OP_MOV || insn->dst.kind != OPND_SYMBOL || !program_symbol(x->p->text, insn->dst.ref)->array)
            continue;
        from = program_operand(x->p->text, insn->src);
        any |= from->kind == OPND_SYMBOL && from->ref == o->ref;
    }
    return any;
}

static bool is_index(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->p->text->indices.count; i++) {
        const struct index *index = program_index(x->p->text, i);
        any |= index->mode == INDEX_RELATIVE && index->register_kind == OPND_SYMBOL && index->reg == x->symbol;
    }
    return any;
}

static bool is_read_behind(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = x->place + 1; !slow_leaving_begins(x, i); i++)
        for (unsigned k = 0; k < slow_leaving_at(x, i)->nsrc; k++)
            any |= slow_reads_component(x, i, k, x->symbol, x->c) != 0;
    return any;
}

static bool reads_array(const struct leaving *x, const struct insn *insn)
{
    bool any = false;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        any |= operand_named_kind(o) == OPND_SYMBOL && o->ref == insn->dst.ref;
    }
    return any;
}

void slow_hold_elements(struct leaving *x)
{
    x->in_array = true;
    for (uint32_t i = 0; i < x->plan->count && !x->failed; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        unsigned held = insn->dst.mask & ~(x->plan->place[i].computed | slow_truth_tested(x, i));
        if (!is_candidate(x, i) || slow_in_loop(x, x->plan->place[i].insn))
            continue;
        if (insn->cc_update)
            held &= ~(x->reach.flags[i] & slow_sign_is_asked(x, i));
        x->place = i;
        x->symbol = insn->dst.ref;
        x->element = (uint32_t)program_index(x->p->text, insn->dst.index)->offset;
        for (x->c = 0; x->c < 4; x->c++)
            if (held >> x->c & 1 && (is_index(x) || is_read_behind(x) || !slow_leaves_alone(x)))
                held &= ~(1u << x->c);
        if (held == insn->dst.mask || !reads_array(x, insn))
            x->plan->place[i].leaves |= (uint8_t)held;
    }
    x->in_array = false;
}
