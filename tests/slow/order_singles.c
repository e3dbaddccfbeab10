/* Singles that become doubles where an operation needs them (order.c). What copies hold is one value, which becomes a double once. */
#include "tests/slow/order.h"

enum { MOST_ELEMENTS = 256 };    /* of an array that are followed */

void slow_order_begin_place(struct finder *f, uint32_t place, bool part, bool ends)
{
    unsigned op = f->plan->place[place].straight ? OP_COUNT : slow_order_insn(f, place)->op;
    bool branches = op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
    if (part)
        f->sides = 0;
    f->epoch += part || (ends && !branches);
    if ((op == OP_ELSE || op == OP_ENDIF) && f->sides)
        f->closed[f->side[--f->sides]] = 1;
    if (op == OP_IF || op == OP_ELSE)
        f->side[f->sides++] = place + 1;
}

uint32_t slow_order_place_elements(struct finder *f, uint32_t symbol)
{
    const struct symbol *s = program_symbol(f->p->text, symbol);
    bool follows = s->kind == SYM_TEMP && s->array && s->size == SIZE_DEFAULT && s->array_size <= MOST_ELEMENTS;
    f->element[symbol] = follows ? f->nsingles : NO_INDEX;
    return follows ? 4 * s->array_size : 0;
}

static bool has_number(const struct binding *b)
{
    bool parameter = b->kind == BIND_PROGRAM_LOCAL || b->kind == BIND_PROGRAM_ENV;
    return parameter && b->nindices == 1 && !b->not_constant[0] && !b->relative && b->last[0] < MOST_ELEMENTS;
}

uint32_t slow_order_place_parameters(const struct gp5_program *text)
{
    for (uint32_t i = 0; i < text->bindings.count; i++)
        if (has_number(program_binding(text, i)))
            return 2 * 4 * MOST_ELEMENTS;
    return 0;
}

bool slow_order_is_parameter(const struct finder *f, const struct operand *o)
{
    if (o->kind == OPND_BINDING)
        return has_number(program_binding(f->p->text, o->ref));
    return o->kind == OPND_SYMBOL && program_symbol(f->p->text, o->ref)->kind == SYM_PARAM;
}

/* The place of the parameter that a binding, or the element `at` of a PARAM, is; or NO_INDEX. */
static uint32_t parameter_of(const struct finder *f, unsigned kind, uint32_t ref, uint64_t at, unsigned c)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(f->p->text, ref) : NULL;
    uint32_t first = s ? s->binding : ref, many = s ? s->nbindings : 1;
    for (uint32_t i = first; i < first + many; i++) {
        const struct binding *b = program_binding(f->p->text, i);
        uint64_t here = b->nindices && b->range[0] ? b->last[0] - b->first[0] + 1u : 1;
        if (at >= here) {
            at -= here;
            continue;
        }
        return has_number(b) ? f->parameters + 4 * (2 * (b->first[0] + (uint32_t)at) + (b->kind == BIND_PROGRAM_ENV)) + c : NO_INDEX;
    }
    return NO_INDEX;
}

/* The place of a variable among the singles, or of an element or a parameter with a number. */
static uint32_t single_of(const struct finder *f, unsigned kind, uint32_t ref, unsigned nindices, uint32_t index, unsigned c)
{
    const struct index *x = nindices == 1 ? program_index(f->p->text, index) : NULL;
    if (kind == OPND_BINDING)
        return nindices ? NO_INDEX : parameter_of(f, kind, ref, 0, c);
    if (kind == OPND_SYMBOL && program_symbol(f->p->text, ref)->kind == SYM_PARAM && program_symbol(f->p->text, ref)->array == (nindices == 1))
        return x && (x->mode != INDEX_CONSTANT || x->offset < 0) ? NO_INDEX : parameter_of(f, kind, ref, x ? (uint64_t)x->offset : 0, c);
    if (kind == OPND_SYMBOL && x && x->mode == INDEX_CONSTANT && f->element[ref] != NO_INDEX && x->offset >= 0 &&
        (uint64_t)x->offset < program_symbol(f->p->text, ref)->array_size)
        return f->element[ref] + 4 * (uint32_t)x->offset + c;
    return slow_variable(f->p, kind, ref, nindices != 0, c);
}

static bool is_known(const struct finder *f, uint32_t v)
{
    const struct single *s = &f->single[v];
    return v >= f->parameters || (s->value != NO_INDEX && s->epoch == f->epoch && !f->closed[s->side]);
}

uint32_t slow_order_single(const struct finder *f, const struct operand *o, unsigned from)
{
    uint32_t v = single_of(f, o->kind, o->ref, o->nindices, o->index, from);
    return v != NO_INDEX && v < f->parameters && is_known(f, v) ? f->single[v].value : v;
}

/* Elements of which it is not known what was copied to them are read component by component. */
static bool reads_element(const struct finder *f, uint32_t place, const struct insn *insn)
{
    bool any = false;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        if (o->kind != OPND_SYMBOL || !(o->ref >= f->p->declared || program_symbol(f->p->text, o->ref)->array))
            continue;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t v = single_of(f, o->kind, o->ref, o->nindices, o->index, o->swizzle >> 2 * c & 3);
            any |= f->needed[place] >> c & 1 && (v == NO_INDEX || !is_known(f, v));
        }
    }
    return any;
}

/* Whether a value is a double already at a place. */
static bool is_widened(const struct finder *f, uint32_t place, uint32_t value)
{
    return f->widened[value].part == f->part[place] + 1 || slow_order_in_earlier_copy(f, place, &f->widened[value]);
}

void slow_order_widen(struct finder *f, uint32_t place, const struct insn *insn)
{
    const struct slow_place *here = &f->plan->place[place];
    for (unsigned k = 0; !reads_element(f, place, insn) && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        unsigned known = here->narrow[k] | (k < 2 ? here->zero[k] | here->narrow_zero[k] : 0);
        if (o->kind == OPND_CONSTANT || program_is_long(f->p->text, o->kind, o->ref))
            continue;
        for (unsigned from = 0; from < 4; from++) {
            bool reads = false;
            for (unsigned c = 0; c < 4; c++)
                reads |= (f->needed[place] & ~known) >> c & 1 && (o->swizzle >> 2 * c & 3) == from;
            uint32_t value = reads ? slow_order_single(f, o, from) : NO_INDEX;
            if (value == NO_INDEX)
                continue;
            if (!is_widened(f, place, value))
                f->widened[value] = (struct widened){.at = SPAN * place + 4 * k + from, .part = f->part[place] + 1};
            f->widened[single_of(f, o->kind, o->ref, o->nindices, o->index, from)] = f->widened[value];
        }
    }
}

int64_t slow_order_widened(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c)
{
    const struct operand *o = program_operand(f->p->text, insn->src + k);
    unsigned from = o->swizzle >> 2 * c & 3;
    uint32_t value = slow_order_single(f, o, from);
    if (reads_element(f, place, insn))
        return (int64_t)SPAN * place + 4 * c + k;
    if (value == NO_INDEX || !is_widened(f, place, value))
        return (int64_t)SPAN * place + 4 * k + from;
    return f->widened[value].at;
}

int64_t slow_order_when_widened(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c)
{
    const struct operand *o = program_operand(f->p->text, insn->src + k);
    uint32_t value = reads_element(f, place, insn) ? NO_INDEX : slow_order_single(f, o, o->swizzle >> 2 * c & 3);
    return value != NO_INDEX && is_widened(f, place, value) ? f->widened[value].at : 0;
}

/* Whether an operand is a register of 32 bits, without a sign. */
static bool is_plain(const struct finder *f, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && !operand_has_sign(o) && program_symbol(f->p->text, o->ref)->size == SIZE_DEFAULT;
}

/* The single that component c of a result is, made a double: by MOV, CVT, a product with 1.0, MIN and MAX of the same, and of doubles with a sign. -1: none. */
static int made_of_single(const struct finder *f, uint32_t place, const struct insn *insn, unsigned c)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct operand *o = program_operand(f->p->text, insn->src);
    int from = -1;
    if (!slow_is_float(insn->type) || slow_bytes(insn->type) < 4 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) ||
        !program_is_long(f->p->text, insn->dst.kind, insn->dst.ref))
        return -1;
    switch (insn->op) {
    case OP_MOV: from = 0; break;
    case OP_ABS: from = insn->type == DT_F64 ? 0 : -1; break;
    case OP_CVT: from = insn->type == DT_F64 && insn->type2 == DT_F32 ? 0 : -1; break;
    case OP_MIN: case OP_MAX: from = slow_order_copied(here, insn, c); break;
    case OP_MUL:
        for (int k = 0; k < 2; k++)
            from = (here->one[k] & ~here->minus[k]) >> c & 1 ? 1 - k : from;
        break;
    default: break;
    }
    if (from < 0 || o[from].kind != OPND_SYMBOL || program_symbol(f->p->text, o[from].ref)->kind != SYM_TEMP || program_symbol(f->p->text, o[from].ref)->size != SIZE_DEFAULT)
        return -1;
    return insn->type == DT_F64 || is_plain(f, o + from) ? from : -1;
}

void slow_order_widen_alone(struct finder *f, uint32_t place, const struct insn *insn)
{
    for (unsigned c = 0; c < 4; c++) {
        int k = (f->needed[place] & insn->dst.mask) >> c & 1 ? made_of_single(f, place, insn, c) : -1;
        const struct operand *o = program_operand(f->p->text, insn->src) + (k < 0 ? 0 : k);
        uint32_t value = k < 0 ? NO_INDEX : slow_order_single(f, o, o->swizzle >> 2 * c & 3);
        f->when[4 * place + c] = 0;
        if (value == NO_INDEX)
            continue;
        if (!is_widened(f, place, value))
            f->widened[value] = (struct widened){.at = SPAN * place + c, .part = f->part[place] + 1};
        f->when[4 * place + c] = f->widened[value].at;
    }
}

/* The operand that component c of a result holds the bits of, or -1. */
static int same_bits(const struct finder *f, uint32_t place, const struct insn *insn, unsigned c)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct operand *o = program_operand(f->p->text, insn->src);
    int from = insn->op == OP_MOV ? 0 : -1;
    if (slow_bytes(insn->type) != 4 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC))
        return -1;
    if (condition_restricts(&insn->dst.condition) && !(here->passes >> c & 1))
        return -1;
    for (int k = 0; insn->op == OP_MUL && insn->type == DT_F32 && k < 2; k++)
        if ((here->one[k] & ~here->minus[k]) >> c & 1)
            from = 1 - k;
    return from >= 0 && is_plain(f, o + from) ? from : -1;
}

void slow_order_write_singles(struct finder *f, uint32_t place, const struct insn *insn)
{
    uint32_t value[4];
    bool single = insn->dst.kind == OPND_SYMBOL && program_symbol(f->p->text, insn->dst.ref)->size == SIZE_DEFAULT;
    for (unsigned c = 0; c < 4; c++) {
        int from = single && insn->dst.mask >> c & 1 ? same_bits(f, place, insn, c) : -1;
        const struct operand *o = program_operand(f->p->text, insn->src) + (from < 0 ? 0 : from);
        value[c] = from < 0 ? NO_INDEX : slow_order_single(f, o, o->swizzle >> 2 * c & 3);
        value[c] = value[c] == NO_INDEX ? f->nsingles + 4 * place + c : value[c];
    }
    for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
        uint32_t ref = insn->dst.ref, v = insn->dst.mask >> c & 1 ? single_of(f, OPND_SYMBOL, ref, insn->dst.nindices, insn->dst.index, c) : NO_INDEX;
        for (uint32_t e = 0; v == NO_INDEX && insn->dst.mask >> c & 1 && f->element[ref] != NO_INDEX && e < program_symbol(f->p->text, ref)->array_size; e++)
            f->single[f->element[ref] + 4 * e + c].value = NO_INDEX;
        if (v == NO_INDEX)
            continue;
        f->widened[v].part = 0;
        f->single[v] = (struct single){.value = value[c], .side = f->sides ? f->side[f->sides - 1] : 0, .epoch = f->epoch};
    }
}
