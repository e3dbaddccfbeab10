/* Comparisons of floats in subroutines into elements of arrays that computed indices reach, where a number names the element, or a register that holds
 * one number there: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>

static bool is_candidate(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct result *r = &insn->dst;
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(x->p->text, r->ref) : NULL;
    if (slow_leaving_main(x, place) || !op_compares(insn->op) || (insn->type != DT_F32 && insn->type != DT_F64) ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF))
        return false;
    return to && to->kind == SYM_TEMP && to->array && to->size == SIZE_DEFAULT && r->nindices == 1;
}

bool slow_compares_into_elements(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->plan->count; i++)
        any |= is_candidate(x, i);
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

/* By its subroutine: behind the place at hand; anywhere if that has a register for an index. */
static bool is_read_there(const struct leaving *x)
{
    bool by_register = program_index(x->p->text, slow_leaving_at(x, x->place)->dst.index)->mode != INDEX_CONSTANT;
    for (uint32_t i = by_register ? x->part[x->place] : x->place + 1; i < x->plan->count && x->part[i] == x->part[x->place]; i++) {
        unsigned kept = slow_leaving_at(x, i)->dst.kind == OPND_NONE ? 0 : x->plan->place[i].fails;
        for (unsigned k = 0; k < slow_leaving_at(x, i)->nsrc; k++)
            if (slow_reads_component(x, i, k, x->symbol, x->c) & ~kept)
                return true;
    }
    return false;
}

/* ---- registers that hold one number ----------------------------------------------------------------------------------------- */

/* The only write that comes to whoever reads an index at a place, if it is MOV of a literal. */
static bool gives_number(const struct leaving *x, const struct slow_truth_read *r, uint64_t *number)
{
    uint32_t w = r ? slow_truth_write(x, r) : NO_INDEX;
    struct slow_knowledge nothing = {.p = x->p, .at = NO_INDEX};
    struct slow_known v;
    const struct insn *insn = w == NO_INDEX ? NULL : slow_leaving_at(x, w / 4);
    const struct operand *o = insn && insn->op == OP_MOV ? program_operand(x->p->text, insn->src) : NULL;
    if (!o || o->kind != OPND_CONSTANT || o->flags & OPND_SIGNS || !slow_is_word_type(insn->type) || insn->flags & INSN_SAT ||
        !slow_known_operand(&nothing, o, w % 4, insn->type, &v))
        return false;
    *number = v.bits & UINT32_MAX;
    return true;
}

static const struct slow_truth_read *reads_index(const struct leaving *x, uint32_t place, uint32_t v)
{
    for (uint32_t i = 0; i < x->nreads; i++)
        if (x->reads[i].place == place && x->reads[i].operand == 4 && x->reads[i].variable == v)
            return &x->reads[i];
    return NULL;
}

static bool index_is(const struct leaving *x, uint32_t place, const struct index *index, uint64_t *number)
{
    uint32_t v = slow_variable(x->p, index->register_kind, index->reg, index->element.used, index->component);
    const struct slow_truth_read *r = v == NO_INDEX ? NULL : reads_index(x, place, v);
    bool any = false;
    if (!r || r->from != FROM_ELSEWHERE)
        return gives_number(x, r, number);
    for (uint32_t i = x->part[place]; i < x->plan->count && x->part[i] == x->part[place]; i++) {
        const struct result *to = &slow_leaving_at(x, i)->dst;
        if (to->kind == OPND_SYMBOL && to->ref == index->reg && to->mask >> index->component & 1)
            return false;
    }
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        uint64_t here;
        if (insn->op == OP_CALI)
            return false;
        if (insn->op != OP_CAL || insn->partner == NO_INDEX || x->plan->first[insn->partner] != x->part[place] || !x->runs[i])
            continue;
        if (!slow_leaving_main(x, i) || !gives_number(x, reads_index(x, i, v), &here) || (any && here != *number))
            return false;
        *number = here;
        any = true;
    }
    return any;
}

/* Whether CVT to 8 or 16 bits goes to an array; by a register (`by_register`). */
static bool has_narrow_writes(const struct leaving *x, uint32_t array, bool by_register)
{
    bool any = false;
    for (uint32_t i = 0; i < x->p->text->insns.count; i++) {
        const struct insn *insn = program_insn(x->p->text, i);
        any |= insn->op == OP_CVT && type_table[insn->type].bytes < 4 && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == array &&
               (!by_register || program_index(x->p->text, insn->dst.index)->mode != INDEX_CONSTANT);
    }
    return any;
}

/* The element that a comparison goes to. */
static bool find_element(struct leaving *x, uint32_t place)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    const struct index *index = program_index(x->p->text, r->index);
    uint64_t number = 0;
    if (has_narrow_writes(x, r->ref, index->mode == INDEX_CONSTANT))
        return false;
    if (index->mode != INDEX_CONSTANT && (index->mode != INDEX_RELATIVE || !index_is(x, place, index, &number)))
        return false;
    x->element = (uint32_t)number + (uint32_t)index->offset;
    return x->element < program_symbol(x->p->text, r->ref)->array_size;
}

/* Who reads the registers that name elements, and what they hold there. */
static void follow_indices(struct leaving *x)
{
    bool any = false;
    x->followed = calloc(x->p->text->symbols.count + 1, sizeof *x->followed);
    x->failed |= !x->followed;
    for (uint32_t i = 0; i < x->plan->count && x->followed; i++) {
        const struct index *index = is_candidate(x, i) ? program_index(x->p->text, slow_leaving_at(x, i)->dst.index) : NULL;
        if (index && index->mode == INDEX_RELATIVE && index->register_kind == OPND_SYMBOL)
            any = x->followed[index->reg] = true;
    }
    x->nreads = x->nwrites = 0;
    if (any)
        slow_find_truth_reads(x);
    free(x->followed);
    x->followed = NULL;
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
    follow_indices(x);
    x->in_array = true;
    for (uint32_t i = 0; i < x->plan->count && !x->failed; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        unsigned held = insn->dst.mask & ~(x->plan->place[i].computed | slow_truth_tested(x, i));
        if (!is_candidate(x, i) || slow_in_loop(x, x->plan->place[i].insn) || !find_element(x, i))
            continue;
        if (insn->cc_update)
            held &= ~(x->reach.flags[i] & slow_sign_is_asked(x, i));
        x->place = i;
        x->symbol = insn->dst.ref;
        for (x->c = 0; x->c < 4; x->c++)
            if (held >> x->c & 1 && (is_index(x) || is_read_there(x) || !slow_leaves_alone(x)))
                held &= ~(1u << x->c);
        if (held == insn->dst.mask || !reads_array(x, insn))
            x->plan->place[i].leaves |= (uint8_t)held;
    }
    x->in_array = false;
}
