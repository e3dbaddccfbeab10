/* Registers of 32 bits that become doubles where an operation needs them, through copies (order.c). */
#include "eval/order.h"

enum { MAX_PARAMETERS = 256 };

static bool is_numbered(const struct binding *b)
{
    return (b->kind == BIND_PROGRAM_LOCAL || b->kind == BIND_PROGRAM_ENV) && b->nindices == 1 && !b->relative && !b->not_constant[0] && b->last[0] < MAX_PARAMETERS;
}

uint32_t eval_order_count_parameters(const struct gp5_program *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        if (is_numbered(b) && b->last[0] >= n)
            n = b->last[0] + 1;
    }
    return n;
}

/* The place of a parameter among singles, or NO_INDEX. */
static uint32_t parameter_of(const struct walk *w, uint8_t kind, uint32_t ref, unsigned nindices, const struct index *x, unsigned c)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(w->d->p, ref) : NULL;
    const struct binding *b = NULL;
    uint32_t at = 0;

    if (kind == OPND_BINDING && !nindices)
        b = program_binding(w->d->p, ref);
    else if (s && s->kind == SYM_PARAM && s->array == (nindices == 1) && (!x || (x->mode == INDEX_CONSTANT && x->offset >= 0)))
        b = eval_element_binding(w->d->p, s, x ? (uint64_t)x->offset : 0, &at);
    if (!b || !is_numbered(b) || 8 * ((uint64_t)b->first[0] + at) >= w->nsingles - w->parameters)
        return NO_INDEX;
    return w->parameters + 8 * (b->first[0] + at) + (b->kind == BIND_PROGRAM_ENV ? 4 : 0) + c;
}

bool eval_order_is_parameter(const struct walk *w, const struct operand *o)
{
    return o->kind == OPND_SYMBOL ? program_symbol(w->d->p, o->ref)->kind == SYM_PARAM : o->kind == OPND_BINDING && is_numbered(program_binding(w->d->p, o->ref));
}

/* The place of a variable, a parameter, or an element that the text names, among singles; or NO_INDEX. */
static uint32_t single_of(const struct walk *w, uint8_t kind, uint32_t ref, unsigned nindices, uint32_t index, unsigned c)
{
    const struct index *x = nindices == 1 ? program_index(w->d->p, index) : NULL;

    if (kind == OPND_BINDING || (kind == OPND_SYMBOL && program_symbol(w->d->p, ref)->kind == SYM_PARAM))
        return parameter_of(w, kind, ref, nindices, x, c);
    if (kind != OPND_SYMBOL || !x || w->elements[ref] == NO_INDEX || x->mode != INDEX_CONSTANT || x->offset < 0 || (uint64_t)x->offset >= program_symbol(w->d->p, ref)->array_size)
        return eval_variable(w->live, kind, ref, nindices != 0, c);
    return w->elements[ref] + 4 * (uint32_t)x->offset + c;
}

static bool is_known(const struct walk *w, uint32_t single)
{
    const struct single *s = &w->singles[single];

    return single >= w->parameters || (s->value != NO_INDEX && s->epoch == w->epoch && !w->closed[s->side]);
}

uint32_t eval_order_single(const struct walk *w, const struct operand *o, unsigned from)
{
    uint32_t single = single_of(w, o->kind, o->ref, o->nindices, o->index, from);

    return single != NO_INDEX && single < w->parameters && is_known(w, single) ? w->singles[single].value : single;
}

/* The driver's compiler reads elements of which it does not know what was copied to them component by component, and converts what stands beside them as often. */
static bool has_element(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        bool element = o->kind == OPND_SYMBOL && (program_symbol(w->d->p, o->ref)->array || eval_element_of(&w->d->elements, o->ref));
        for (unsigned c = 0; element && c < 4; c++) {
            uint32_t single = single_of(w, o->kind, o->ref, o->nindices, o->index, o->swizzle >> 2 * c & 3);
            if (w->needed[i] >> c & 1 && (single == NO_INDEX || !is_known(w, single)))
                return true;
        }
    }
    return false;
}

static bool is_wide(const struct walk *w, const struct operand *o)
{
    return program_is_long(w->d->p, o->kind, o->ref);
}

/* When a value last became a double. */
static int64_t widened_at(const struct walk *w, uint32_t value)
{
    return (int64_t)(w->widened[value] & (((uint64_t)1 << 40) - 1));
}

/* Whether a value is a double already: since this stretch of code, or since an earlier copy of the body of the loop around, which had all of them in front of it. */
static bool is_widened(const struct walk *w, uint32_t value)
{
    const struct surrounding *f = eval_order_loop(w);
    uint64_t stretch = w->widened[value] >> 40;

    return stretch == w->stretch ||
           (f && eval_form(w->d, f->begin) == FORM_OPEN && stretch >= f->stretch && widened_at(w, value) < eval_order_time(f->copy, false, 0));
}

static void widen(struct walk *w, uint32_t value, int64_t time)
{
    if (!is_widened(w, value))
        w->widened[value] = (uint64_t)w->stretch << 40 | (uint64_t)time;
}

void eval_order_widen(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(w->d, i);

    for (unsigned k = 0; !has_element(w, i) && k < insn->nsrc && k < 3; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        uint8_t known = folded ? folded->narrow[k] | (k < 2 ? folded->nothing[k] | folded->narrow_zero[k] : 0) : 0, reads = 0;
        for (unsigned c = 0; o->kind != OPND_CONSTANT && !is_wide(w, o) && c < 4; c++)
            reads |= (uint8_t)(((w->needed[i] & ~known) >> c & 1) << (o->swizzle >> 2 * c & 3));
        for (unsigned from = 0; from < 4; from++) {
            uint32_t value = reads >> from & 1 ? eval_order_single(w, o, from) : NO_INDEX;
            if (value == NO_INDEX)
                continue;
            widen(w, value, eval_order_time(i, false, 4 * k + from));
            w->widened[single_of(w, o->kind, o->ref, o->nindices, o->index, from)] = w->widened[value];     /* where it is known no longer what that is a copy of */
        }
    }
}

int64_t eval_order_widened(const struct walk *w, uint32_t i, const struct operand *o, unsigned k, unsigned c)
{
    unsigned from = o->swizzle >> 2 * c & 3;
    uint32_t value = eval_order_single(w, o, from);

    if (has_element(w, i))
        return eval_order_time(i, false, 4 * c + k);
    return value == NO_INDEX || !is_widened(w, value) ? eval_order_time(i, false, 4 * k + from) : widened_at(w, value);
}

int64_t eval_order_when_widened(const struct walk *w, uint32_t i, const struct operand *o, unsigned from)
{
    uint32_t value = has_element(w, i) ? NO_INDEX : eval_order_single(w, o, from);

    return value != NO_INDEX && is_widened(w, value) ? widened_at(w, value) : 0;
}

/* The register of 32 bits that component c of a result is, as a double, but for a sign on that; -1: none. */
static int only_widened(const struct walk *w, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    int k = insn->op == OP_MOV || (insn->op == OP_ABS && insn->type == DT_F64) || (insn->op == OP_CVT && insn->type == DT_F64 && insn->type2 == DT_F32) ? 0 : -1;
    const struct operand *o = program_operand(w->d->p, insn->src);

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) || !(insn->type == DT_F32 || insn->type == DT_F64) || !program_is_long(w->d->p, insn->dst.kind, insn->dst.ref))
        return -1;
    if (insn->op == OP_MIN || insn->op == OP_MAX)
        k = eval_order_taken(folded, insn, c);
    for (int one = 0; folded && insn->op == OP_MUL && one < 2; one++)
        if ((folded->ones[one] & ~folded->minus[one]) >> c & 1)
            k = 1 - one;
    if (k < 0 || (insn->type == DT_F32 && operand_has_sign(o + k)) || o[k].kind != OPND_SYMBOL || program_symbol(w->d->p, o[k].ref)->kind != SYM_TEMP ||
        program_symbol(w->d->p, o[k].ref)->size != SIZE_DEFAULT)
        return -1;
    return k;
}

void eval_order_note_widened(struct walk *w, uint32_t i, const struct insn *insn)
{
    for (unsigned c = 0; c < 4; c++) {
        int k = only_widened(w, i, insn, c);
        const struct operand *o = program_operand(w->d->p, insn->src) + (k < 0 ? 0 : k);
        uint32_t value = k < 0 ? NO_INDEX : eval_order_single(w, o, o->swizzle >> 2 * c & 3);
        w->made_at[4 * i + c] = 0;
        if (value == NO_INDEX || !((w->needed[i] & insn->dst.mask) >> c & 1))
            continue;
        widen(w, value, eval_order_time(i, false, c));
        w->made_at[4 * i + c] = widened_at(w, value);
    }
}

/* The operand that component c of a result is a copy of, word by word, or -1. */
static int copied(const struct walk *w, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    const struct operand *o = program_operand(w->d->p, insn->src);
    int from = -1;

    if (type_table[insn->type].bytes != 4 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) ||
        (condition_restricts(&insn->dst.condition) && !(folded && folded->passes >> c & 1)))
        return -1;
    if (insn->op == OP_MOV)
        from = 0;
    for (int k = 0; folded && insn->op == OP_MUL && insn->type == DT_F32 && k < 2; k++)
        if (folded->ones[k] >> c & 1 && !(folded->minus[k] >> c & 1))
            from = 1 - k;
    if (from < 0 || operand_has_sign(o + from) || is_wide(w, o + from) || o[from].kind != OPND_SYMBOL ||
        program_symbol(w->d->p, o[from].ref)->size != SIZE_DEFAULT)
        return -1;
    return from;
}

/* A register names the element that is written. */
static void forget_elements(struct walk *w, uint32_t ref, unsigned c)
{
    for (uint32_t e = 0; w->elements[ref] != NO_INDEX && e < program_symbol(w->d->p, ref)->array_size; e++)
        w->singles[w->elements[ref] + 4 * e + c].value = NO_INDEX;
}

void eval_order_write_singles(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct surrounding *f = eval_order_top(w);
    bool single = r->kind == OPND_SYMBOL && program_symbol(w->d->p, r->ref)->size == SIZE_DEFAULT;
    uint32_t value[4];

    for (unsigned c = 0; r->kind == OPND_SYMBOL && c < 4; c++) {
        int from = single && r->mask >> c & 1 ? copied(w, i, insn, c) : -1;
        const struct operand *o = program_operand(w->d->p, insn->src) + (from < 0 ? 0 : from);
        value[c] = from < 0 ? NO_INDEX : eval_order_single(w, o, o->swizzle >> 2 * c & 3);
        if (value[c] == NO_INDEX)
            value[c] = w->nsingles + 4 * i + c;
    }
    for (unsigned c = 0; r->kind == OPND_SYMBOL && c < 4; c++) {
        uint32_t var = r->mask >> c & 1 ? single_of(w, r->kind, r->ref, r->nindices, r->index, c) : NO_INDEX;
        if (r->mask >> c & 1 && var == NO_INDEX)
            forget_elements(w, r->ref, c);
        if (var == NO_INDEX)
            continue;
        w->widened[var] = 0;
        w->singles[var] = (struct single){.value = value[c], .side = f ? f->side : 0, .epoch = w->epoch};
    }
}
