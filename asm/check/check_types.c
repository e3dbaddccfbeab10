/* The types that variables are declared with (INT, UINT, FLOAT) and those that an instruction works on. A variable
 * without a type goes with all of them. */
#include "asm/check/check_internal.h"

enum number { ANY, FLOATING, SIGNED, UNSIGNED };

static enum number number_of(unsigned type)
{
    if (type == DT_NONE)
        return ANY;
    return type_table[type].is_float ? FLOATING : type_table[type].is_signed ? SIGNED : UNSIGNED;
}

/* Of the result (place 0) or an operand (from 1 on; the textures and images counted). */
static enum number number_at(const struct insn *insn, unsigned place)
{
    switch (op_number(insn->op, place)) {
    case 'F': return FLOATING;
    case 'S': return SIGNED;
    case 'U': return UNSIGNED;
    case '2': return number_of(insn->type2);
    case '*': return ANY;
    default: return number_of(insn->type);
    }
}

static void check_variable(struct checker *c, const struct insn *insn, enum number wanted, uint32_t symbol,
                           struct span span)
{
    static const char *const words[] = {[FLOATING] = "floating-point numbers", [SIGNED] = "signed integers",
                                        [UNSIGNED] = "unsigned integers"};
    static const char *const keywords[] = {[TYPE_INT] = "INT", [TYPE_UINT] = "UINT", [TYPE_FLOAT] = "FLOAT"};
    static const uint8_t numbers[] = {[TYPE_INT] = SIGNED, [TYPE_UINT] = UNSIGNED, [TYPE_FLOAT] = FLOATING};
    const struct symbol *s = program_symbol(c->program, symbol);
    if (insn->flags & INSN_NTC || s->type == TYPE_NONE || wanted == ANY || numbers[s->type] == wanted ||
        (wanted == UNSIGNED && s->type == TYPE_INT))
        return;
    diag_hint(check_error(c, FOR_ALL, span, "%s is declared with %s, and %s are asked for here", s->name,
                          keywords[s->type], words[wanted]),
              "give the instruction the variable's type, or declare %s without one", s->name);
}

/* Where the number `wanted` of {1, 2.0} stands. */
struct span check_number_span(const struct checker *c, struct span span, unsigned wanted)
{
    const char *text = c->program->text;
    uint32_t at = span.offset, end = span_end(span);
    if (at < end && text[at] == '{')
        at++;
    for (unsigned i = 0; i < wanted && at < end; at++)
        i += text[at] == ',';
    at = check_next_token(c, at);
    while (at < end && (text[at] == '-' || text[at] == '+'))
        at = check_next_token(c, at + 1);
    uint32_t stop = at;
    while (stop < end && text[stop] != ',' && text[stop] != '}' && text[stop] != ' ')
        stop++;
    return (struct span){at, stop > at ? stop - at : 0};
}

static void check_constant(struct checker *c, enum number wanted, const struct operand *o)
{
    if (wanted != SIGNED && wanted != UNSIGNED)
        return;
    const struct constant *constant = program_constant(c->program, o->ref);
    for (unsigned i = 0; i < constant->count; i++)
        if (!(constant->is_integer >> i & 1)) {
            struct span span = check_number_span(c, program_constant_span(c->program, o), i);
            diag_hint(check_error(c, FOR_NVIDIA | FOR_SPEC, span,
                                  "%.*s is no integer, and the instruction works on integers", check_length(span),
                                  check_text(c, span)),
                      "write it without point and exponent");
            return;
        }
}

void check_result_type(struct checker *c, const struct insn *insn)
{
    if (c->typed && insn->dst.kind == OPND_SYMBOL)
        check_variable(c, insn, number_at(insn, 0), insn->dst.ref, check_result_span(c, insn));
}

void check_operand_type(struct checker *c, const struct insn *insn, const struct operand *o)
{
    if (!c->typed || o->flags & OPND_OFFSET)
        return;
    const struct operand *first = program_operand(c->program, insn->src);
    unsigned i = o >= first && o < first + insn->nsrc ? (unsigned)(o - first) : 0;
    enum number wanted = number_at(insn, i + 1);
    if (insn->op == OP_REP && insn->nmodifiers && o->kind == OPND_CONSTANT)     /* REP 4.5 counts, REP.S 4.5 does not */
        wanted = number_of(insn->type);
    if (o->kind == OPND_SYMBOL)
        check_variable(c, insn, wanted, o->ref, program_base(c->program, o));
    else if (o->kind == OPND_CONSTANT)
        check_constant(c, wanted, o);
    if (o->kind == OPND_CONSTANT && (wanted == SIGNED || wanted == UNSIGNED) && type_table[insn->type].bytes <= 4)
        check_number_text(c, program_constant(c->program, o->ref), program_constant_span(c->program, o),
                          wanted == UNSIGNED);
}
