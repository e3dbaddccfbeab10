/* Comparisons of floats in subroutines into elements of arrays that computed indices reach: a number names the element. Such an element is held as the
 * number 1 where that comparison alone comes to whoever reads it in the whole program, by its number or by an index that may name it, and nothing behind
 * it in its subroutine reads it (docs/numbers.md, "Comparisons in subroutines"; el_* of tests/truths.txt). */
#include "eval/truths.h"

bool eval_may_be_element(const struct truth_search *s, uint8_t kind, uint32_t ref, uint32_t index, unsigned nindices)
{
    const struct index *x;

    if (kind != OPND_SYMBOL || ref != s->array || nindices != 1)
        return false;
    x = program_index(s->p, index);
    return x->mode != INDEX_CONSTANT || (uint32_t)x->offset == s->element;
}

/* An element that a number names, of an array that is no number of variables (elements.c). */
static bool is_element(const struct gp5_program *p, const struct result *r)
{
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(p, r->ref) : NULL;

    return to && to->kind == SYM_TEMP && to->array && to->size == SIZE_DEFAULT && r->nindices == 1 && program_index(p, r->index)->mode == INDEX_CONSTANT;
}

static bool compares_into_element(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);

    return !eval_in_main(s, at) && op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && is_element(s->p, &insn->dst) &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

bool eval_compares_into_elements(const struct truth_search *s)
{
    bool any = false;

    for (uint32_t i = 0; i < s->p->insns.count && !any; i++)
        any = compares_into_element(s, i);
    return any;
}

bool eval_stores_elements(const struct truth_search *s, uint32_t at)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, at)->src);

    if (o->kind != OPND_SYMBOL)
        return false;
    for (uint32_t k = s->named_of[o->ref]; k < s->named_of[o->ref + 1]; k++) {
        const struct insn *insn = program_insn(s->p, s->named[k]);
        const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(s->p, insn->dst.ref) : NULL;
        if (to && to->array && insn->op == OP_MOV && program_operand(s->p, insn->src)->kind == OPND_SYMBOL && program_operand(s->p, insn->src)->ref == o->ref)
            return true;
    }
    return false;
}

static bool indexes(const struct truth_search *s)
{
    bool any = false;

    for (uint32_t i = 0; i < s->p->indices.count && !any; i++) {
        const struct index *x = program_index(s->p, i);
        any = x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL && x->reg == s->array;
    }
    return any;
}

/* In its subroutine, behind it. */
static bool is_read_behind(const struct truth_search *s)
{
    for (uint32_t i = s->at + 1; i < s->p->insns.count && !s->l->label[i]; i++)
        for (unsigned k = 0; k < program_insn(s->p, i)->nsrc; k++)
            if (eval_element_components(s, i, k))
                return true;
    return false;
}

/* Of a comparison, components that are held, by what a test, its flags and its other components say. */
static uint8_t candidates(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    uint8_t flags = insn->cc_update ? s->l->flags[at] & eval_sign_is_asked(s, at) : 0;

    return (uint8_t)(insn->dst.mask & ~(eval_folded(s->d, at) | eval_truth_tested(s, at) | flags));
}

/* An operand that the components written first would change for the others. */
static bool reads_array(const struct truth_search *s, const struct insn *insn)
{
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        any |= operand_named_kind(program_operand(s->p, insn->src + k)) == OPND_SYMBOL && program_operand(s->p, insn->src + k)->ref == insn->dst.ref;
    return any;
}

void eval_hold_elements(struct truth_search *s)
{
    s->variable = NO_INDEX;
    for (s->at = 0; s->at < s->p->insns.count && !s->failed; s->at++) {
        const struct insn *insn = program_insn(s->p, s->at);
        uint8_t held = compares_into_element(s, s->at) && !s->looped[s->at] ? candidates(s, s->at) : 0;
        if (!held)
            continue;
        s->array = insn->dst.ref;
        s->element = (uint32_t)program_index(s->p, insn->dst.index)->offset;
        for (s->component = 0; s->component < 4; s->component++)
            if (held >> s->component & 1 && (indexes(s) || is_read_behind(s) || !eval_leaves_alone(s)))
                held &= (uint8_t)~(1u << s->component);
        if (held == insn->dst.mask || !reads_array(s, insn))
            s->d->truths->held[s->at] |= held;
    }
    s->array = NO_INDEX;
}
