/* What operands and results name: variables, elements of arrays, bindings. */
#include "translate/translate.h"

static struct tr_base refused(void)
{
    return (struct tr_base){.text = "vec4(0.0)", .count = 4, .missing = true};
}

const char *tr_index(struct tr *t, const struct index *index, uint32_t first)
{
    int64_t offset = (int64_t)index->offset + first;
    char letter[2] = {"xyzw"[index->component & 3], 0};
    struct operand reg = {
        .kind = index->register_kind, .ref = index->reg, .swizzle = 0xe4, .span = index->register_span};
    struct tr_base base = tr_operand_base(t, &reg);
    const char *text = base.count == 1 ? base.text : tr_text(t, "%s.%s", base.text, letter);

    text = tr_cast(t, text, base.type, T_INT, 1);
    if (offset)
        return tr_text(t, "%s %c %llu", text, offset < 0 ? '-' : '+', 
                       (unsigned long long)(offset < 0 ? -offset : offset));
    return text;
}

static const struct index *only_index(const struct tr *t, uint32_t index, unsigned nindices)
{
    return nindices ? program_index(t->p, index + nindices - 1) : NULL;
}

/* `at` between two bounds. GLSL 1.20 has clamp() of floats alone: the index is converted to one and back. */
static const char *clamped(struct tr *t, const char *at, uint32_t first, uint32_t last)
{
    if (t->features & HAS_INTEGERS)
        return tr_text(t, "clamp(%s, %u, %u)", at, first, last);
    return tr_text(t, "int(clamp(float(%s), %u.0, %u.0))", at, first, last);
}

/* An element of an array of parameters by a computed index: never one beyond its ends. */
static struct tr_base of_array(struct tr *t, uint32_t symbol, const struct index *index)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    const struct tr_symbol *ts = &t->symbols[symbol];
    bool inside = ts->array == ARRAY_ENV || ts->array == ARRAY_LOCAL || ts->array == ARRAY_STATE;
    const char *at = tr_index(t, index, inside ? ts->first : 0);
    uint32_t last = s->elements ? s->elements - 1 : 0;

    switch ((enum tr_array)ts->array) {
    case ARRAY_ENV: case ARRAY_LOCAL: case ARRAY_STATE:
        return (struct tr_base){.text = tr_text(t, "%s%s[%s]", t->prefix,
                                                ts->array == ARRAY_ENV     ? "env"
                                                : ts->array == ARRAY_LOCAL ? "local"
                                                                           : "state",
                                                clamped(t, at, ts->first, ts->first + last)),
                                .count = 4};
    case ARRAY_CONSTANT: case ARRAY_FILLED:
        return (struct tr_base){.text = tr_text(t, "%s[%s]", ts->name, clamped(t, at, 0, last)), .count = 4};
    case ARRAY_NONE:
        break;
    }
    tr_refuse(t, s->span, "%s is no array that a computed index may reach", s->name);
    return refused();
}

static struct tr_base of_parameter(struct tr *t, const struct operand *o, const struct symbol *s)
{
    const struct index *index = only_index(t, o->index, o->nindices);
    const struct tr_symbol *ts = &t->symbols[o->ref];
    uint32_t at;

    if (index && index->mode == INDEX_RELATIVE)
        return of_array(t, o->ref, index);
    if (ts->name && !s->array)
        return (struct tr_base){.text = ts->name, .type = ts->type, .count = 4};
    const struct binding *b = tr_element(t, s, index && s->array ? (uint32_t)index->offset : 0, &at);
    if (b)
        return tr_parameter(t, b, at);
    tr_refuse(t, o->span, "an element that %s has not", s->name);
    return refused();
}

static struct tr_base of_variable(struct tr *t, uint32_t symbol, const struct index *index)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    const struct tr_symbol *ts = &t->symbols[symbol];
    struct tr_base base = {.text = ts->name, .type = ts->type, .count = 4};

    if (s->array && index) {
        if (index->mode == INDEX_RELATIVE)
            base.text = tr_text(t, "%s[%s]", ts->name, clamped(t, tr_index(t, index, 0), 0, s->array_size - 1));
        else
            base.text = tr_text(t, "%s[%d]", ts->name, index->offset);
    } else if (s->array) {
        base.text = tr_text(t, "%s[0]", ts->name);
    }
    return base;
}

static struct tr_base of_binding(struct tr *t, const struct binding *b, struct span where)
{
    switch ((enum binding_class)binding_table[b->kind].class) {
    case BC_ATTRIB: return b->relative ? tr_chosen_port(t, b, false, where) : tr_input(t, b, 0, where);
    case BC_PARAM: return tr_parameter(t, b, 0);
    case BC_RESULT: return tr_output(t, b, 0, where);
    default: break;
    }
    tr_refuse(t, where, "%s is nothing that %s has", binding_table[b->kind].words, t->target->name);
    return refused();
}

struct tr_base tr_operand_base(struct tr *t, const struct operand *o)
{
    uint8_t kind = operand_named_kind(o);

    if (kind == OPND_BINDING)
        return of_binding(t, program_binding(t->p, o->ref), o->span);
    if (kind == OPND_SYMBOL) {
        const struct symbol *s = program_symbol(t->p, o->ref);
        const struct index *index = only_index(t, o->index, o->nindices);
        switch ((enum symbol_kind)s->kind) {
        case SYM_TEMP: case SYM_ADDRESS: return of_variable(t, o->ref, index);
        case SYM_PARAM: return of_parameter(t, o, s);
        case SYM_ATTRIB: return tr_port_element(t, o->ref, o->index, o->nindices, false, o->span);
        case SYM_OUTPUT: return tr_port_element(t, o->ref, o->index, o->nindices, true, o->span);
        case SYM_BUFFER: case SYM_BUFFER4: return tr_buffer_operand(t, o, s);
        default: break;
        }
        tr_refuse(t, o->span, "%s is nothing that %s has", s->name, t->target->name);
        return refused();
    }
    tr_refuse(t, o->span, "an operand that %s has not", t->target->name);
    return refused();
}

struct tr_base tr_result_base(struct tr *t, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    struct span place = program_result_span(t->p, insn);

    if (r->kind == OPND_BINDING) {
        const struct binding *b = program_binding(t->p, r->ref);
        return b->relative ? tr_chosen_port(t, b, true, place) : tr_output(t, b, 0, place);
    }
    if (r->kind == OPND_SYMBOL) {
        const struct symbol *s = program_symbol(t->p, r->ref);
        const struct index *index = only_index(t, r->index, r->nindices);
        if (s->kind == SYM_TEMP || s->kind == SYM_ADDRESS)
            return of_variable(t, r->ref, index);
        if (s->kind == SYM_OUTPUT)
            return tr_port_element(t, r->ref, r->index, r->nindices, true, place);
    }
    if (r->written)
        tr_refuse(t, place, "a result that %s has not", t->target->name);
    else
        tr_refuse(t, t->where, "%s, which %s cannot say", op_table[t->insn->op].name, t->target->name);
    return refused();
}
