/* Comparisons of floats in subroutines into elements of arrays that computed indices reach: a number names the element, or a register whose number is
 * known there, as the text sets it. Such an element is held as the number 1 where that comparison alone comes to whoever reads it in the whole program,
 * by its number or by an index that may name it, and nothing behind it in its subroutine reads it, nor before it where a register names it
 * (docs/numbers.md, "Comparisons in subroutines"; el_* and em_* of tests/truths.txt). */
#include "eval/known.h"
#include "eval/truths.h"

#include <string.h>

bool eval_may_be_element(const struct truth_search *s, uint8_t kind, uint32_t ref, uint32_t index, unsigned nindices)
{
    const struct index *x;

    if (kind != OPND_SYMBOL || ref != s->array || nindices != 1)
        return false;
    x = program_index(s->p, index);
    return x->mode != INDEX_CONSTANT || (uint32_t)x->offset == s->element;
}

/* An element that one number or register names, of an array that is no number of variables (elements.c). */
static bool is_element(const struct gp5_program *p, const struct result *r)
{
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(p, r->ref) : NULL;

    return to && to->kind == SYM_TEMP && to->array && to->size == SIZE_DEFAULT && r->nindices == 1;
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

/* The number that MOV of a literal puts into a component. */
static bool number_of(const struct truth_search *s, uint32_t write, uint32_t *number)
{
    const struct insn *insn = program_insn(s->p, write / 4);
    const struct operand *o = insn->nsrc ? program_operand(s->p, insn->src) : NULL;
    struct known none = {.p = s->p};
    uint64_t word;

    if (insn->op != OP_MOV || type_table[insn->type].bytes != 4 || type_table[insn->type].is_float || insn->flags & INSN_SAT || o->kind != OPND_CONSTANT ||
        o->flags & OPND_SIGNS || !eval_known_operand(&none, o, write % 4, insn->type, &word))
        return false;
    *number = (uint32_t)word;
    return true;
}

/* What an instruction reads of a variable as an index, or by calling somebody who does. */
static const struct truth_read *index_read(const struct truth_search *s, uint32_t at, uint32_t variable)
{
    for (uint32_t k = s->last_read[at]; k;) {
        const struct truth_read *r = vec_at(&s->reads, k - 1);
        if (r->operand == 4 && r->variable == variable)
            return r;
        k = r->before;
    }
    return NULL;
}

/* The number of an index where an instruction of a subroutine reads it: the subroutine sets it, or the main program before every call, and the
 * subroutine does not. */
static bool index_number(const struct truth_search *s, uint32_t at, const struct index *x, uint32_t *number)
{
    uint32_t variable = eval_variable(s->l, x->register_kind, x->reg, x->element.used, x->component);
    const struct truth_read *r = variable == NO_INDEX ? NULL : index_read(s, at, variable);
    bool called = false, is;

    for (uint32_t i = s->part[at]; r && r->from == TRUTH_ELSEWHERE && i < s->p->insns.count && s->part[i] == s->part[at]; i++) {
        const struct result *to = &program_insn(s->p, i)->dst;
        if (to->kind == OPND_SYMBOL && to->ref == x->reg && to->mask >> x->component & 1)
            return false;
    }
    if (!r || r->from != TRUTH_ELSEWHERE)
        return r && eval_only_write(s, r) != NO_INDEX && number_of(s, eval_only_write(s, r), number);
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint32_t here = 0;
        if (insn->op == OP_CALI)
            return false;
        if (insn->op != OP_CAL || insn->partner != s->part[at] || !(eval_in_main(s, i) || s->called[s->part[i]]))
            continue;
        r = eval_in_main(s, i) ? index_read(s, i, variable) : NULL;
        is = r && eval_only_write(s, r) != NO_INDEX && number_of(s, eval_only_write(s, r), &here);
        if (!is || (called && here != *number))
            return false;
        *number = here;
        called = true;
    }
    return called;
}

/* An array that conversions to 8 or 16 bits write (`named`: where registers name the elements). */
static bool takes_words(const struct truth_search *s, uint32_t array, bool named)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->op == OP_CVT && type_table[insn->type].bytes < 4 && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == array &&
            !(named && program_index(s->p, insn->dst.index)->mode == INDEX_CONSTANT))
            return true;
    }
    return false;
}

/* The element that a comparison writes. */
static bool element_of(const struct truth_search *s, uint32_t at, uint32_t *element)
{
    const struct result *r = &program_insn(s->p, at)->dst;
    const struct index *x = program_index(s->p, r->index);
    uint32_t number = 0;

    if (takes_words(s, r->ref, x->mode == INDEX_CONSTANT) || (x->mode != INDEX_CONSTANT && (x->mode != INDEX_RELATIVE || !index_number(s, at, x, &number))))
        return false;
    *element = number + (uint32_t)x->offset;
    return *element < program_symbol(s->p, r->ref)->array_size;
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

/* In its subroutine, behind it; anywhere there where a register names it. */
static bool is_read_there(const struct truth_search *s)
{
    bool named = program_index(s->p, program_insn(s->p, s->at)->dst.index)->mode != INDEX_CONSTANT;

    for (uint32_t i = named ? s->part[s->at] : s->at + 1; i < s->p->insns.count && s->part[i] == s->part[s->at]; i++) {
        const struct folded *folded = eval_folded_at(s->d, i);
        for (unsigned k = 0; k < program_insn(s->p, i)->nsrc; k++)
            if (eval_element_components(s, i, k) & ~(unsigned)(folded && program_insn(s->p, i)->dst.kind != OPND_NONE ? folded->fails : 0))
                return true;
    }
    return false;
}

/* Where registers name elements, what these hold is followed. */
static bool follow_indices(struct truth_search *s)
{
    bool any = false;

    s->followed = gp5_malloc((s->p->symbols.count + (size_t)1) * sizeof *s->followed);
    if (!s->followed)
        return false;
    memset(s->followed, 0, (s->p->symbols.count + (size_t)1) * sizeof *s->followed);
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct index *x = compares_into_element(s, i) ? program_index(s->p, program_insn(s->p, i)->dst.index) : NULL;
        if (x && x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL)
            any = s->followed[x->reg] = true;
    }
    s->reads.count = s->writes.count = 0;
    memset(s->last_read, 0, s->p->insns.count * sizeof *s->last_read);
    any = !any || eval_truth_reads(s);
    gp5_free(s->followed);
    s->followed = NULL;
    return any;
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
    s->failed |= !follow_indices(s);
    s->variable = NO_INDEX;
    for (s->at = 0; s->at < s->p->insns.count && !s->failed; s->at++) {
        const struct insn *insn = program_insn(s->p, s->at);
        uint8_t held = compares_into_element(s, s->at) && !s->looped[s->at] ? candidates(s, s->at) : 0;
        if (!held || !element_of(s, s->at, &s->element))
            continue;
        s->array = insn->dst.ref;
        for (s->component = 0; s->component < 4; s->component++)
            if (held >> s->component & 1 && (indexes(s) || is_read_there(s) || !eval_leaves_alone(s)))
                held &= (uint8_t)~(1u << s->component);
        if (held == insn->dst.mask || !reads_array(s, insn))
            s->d->truths->held[s->at] |= held;
    }
    s->array = NO_INDEX;
}
