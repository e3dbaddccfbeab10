/* What the driver's compiler knows of numbers that it does not know: that they are not below zero, or that they are
 * sums, and what it makes of tests of them (tests/tools/opsweep_flags.c has what it was seen to). It knows signs of
 * absolute values, squares, powers, dot products of a vector with itself, and of sums and the like of these; not of
 * products of two such numbers, nor of functions. */
#include "model/analysis/range_internal.h"
#include "model/tables.h"

#define SIGN 0x80000000u

static uint8_t sign_of(uint32_t word)
{
    uint32_t magnitude = word & ~SIGN;

    if (magnitude > 0x7f800000)
        return 0;
    if (magnitude < 0x00800000)
        return RANGE_NOT_BELOW | RANGE_NOT_ABOVE;
    return word & SIGN ? RANGE_NOT_ABOVE | RANGE_BELOW : RANGE_NOT_BELOW | RANGE_ABOVE;
}

struct value_range range_negated(struct value_range t)
{
    unsigned up = t.sign & (RANGE_NOT_BELOW | RANGE_ABOVE), down = t.sign & (RANGE_NOT_ABOVE | RANGE_BELOW);
    unsigned whole = t.sign & RANGE_MINUS_WHOLE ? RANGE_WHOLE : t.sign & RANGE_MINUS_LONG ? RANGE_LONG : 0;

    t.sign = (uint16_t)(up << 2 | down >> 2 | whole);
    t.sum ^= t.sum ? SUM_NEGATED : 0;
    return t;
}

/* What of a register's traits holds for an operand of this type. */
static uint16_t ranges_of_type(uint8_t type)
{
    return type == DT_F32 ? (uint8_t) ~(RANGE_WHOLE | RANGE_LONG)
           : eval_is_word(type) ? RANGE_WHOLE | RANGE_MINUS_WHOLE | RANGE_MINUS_S | RANGE_MINUS_U
           : type == DT_S64 ? RANGE_LONG | RANGE_MINUS_LONG
                            : 0;
}

struct value_range range_of_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type)
{
    const struct known_value *v = eval_known_held(k, o, c);
    struct value_range t = {0};
    uint64_t word;

    if (!model_has(k->passes, PASS_ranges))
        return (struct value_range){.truth = v && v->range.truth && !operand_has_sign(o) && eval_is_word(type)};
    if (type == DT_F32 && eval_known_operand(k, o, c, type, &word))
        return (struct value_range){.sign = sign_of((uint32_t)word)};
    if (v && (program_symbol(k->p, o->ref)->size == SIZE_LONG) == (type_table[type].bytes == 8)) {
        t.sign = v->range.sign & ranges_of_type(type);
        t.sum = type == DT_F32 ? v->range.sum : 0;
        t.truth = v->range.truth;
    }
    if (eval_is_bare(k, o, c, type))
        return t;
    if (o->flags & OPND_ABSOLUTE)
        t = (struct value_range){.sign = type == DT_F32   ? RANGE_NOT_BELOW
                                   : type == DT_S32 ? RANGE_WHOLE
                                   : type == DT_S64 ? RANGE_LONG
                                                    : t.sign,
                           .truth = t.truth && eval_is_word(type)};
    else if (o->flags & OPND_NEGATE_INNER)
        t = range_negated(t);
    return o->flags & OPND_NEGATE ? range_negated(t) : t;
}

/* ---- results ------------------------------------------------------------------------------------------------ */

static struct value_range range_of_any_result(const struct known *k, const struct insn *insn, uint32_t at, unsigned c)
{
    struct insn unclamped = *insn;
    struct range_reader r = {k, &unclamped, c};
    bool moves = insn->op == OP_MOV || insn->op == OP_ABS;
    uint8_t type = insn->type == DT_F16 && moves ? DT_F32 : insn->type;

    if (eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends)) {
        unclamped.flags &= ~(uint32_t)INSN_SAT;
        at = NO_INDEX;
    }
    insn = &unclamped;
    if (!insn->nsrc || insn->nsrc > 3 ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED) ||
        (insn->flags & (INSN_HALF | INSN_PREC) && !moves && !(op_compares(insn->op) && !type_table[type].is_float)) ||
        type != eval_result_type(insn))
        return (struct value_range){0};
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (eval_reader_operand(&r, n)->kind == OPND_EXTENDED)
            return (struct value_range){0};
    if (op_compares(insn->op) && !type_table[type].is_float)
        return (struct value_range){.truth = true};
    if (type == DT_S64)
        return (struct value_range){.sign = eval_sign_of_long(&r)};
    if (eval_is_word(type) && insn->op == OP_MOV) {      /* the words of a float stay what they were */
        const struct known_value *held = eval_known_held(k, eval_reader_operand(&r, 0), c);
        return held && !operand_has_sign(eval_reader_operand(&r, 0)) ? held->range : range_of_integer(&r);
    }
    if (eval_is_word(type))
        return range_of_integer(&r);
    if (type != DT_F32)
        return (struct value_range){0};
    if (insn->op == OP_MOV)
        return eval_reader_source(&r, 0);
    if (insn->op == OP_ABS)
        return (struct value_range){.sign = RANGE_NOT_BELOW};
    return range_of_float(&r, at);
}

static bool is_parameter(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = eval_known_held(k, o, c);

    if (operand_has_sign(o) || (o->kind != OPND_SYMBOL && o->kind != OPND_BINDING))
        return false;
    return v ? v->range.sign & RANGE_PARAMETER : !eval_is_register(k->p, o);
}

/* MOV, and products of floats with 1.0. */
static bool copies_parameter(const struct known *k, const struct insn *insn, unsigned c)
{
    bool flip = false;

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return false;
    if (insn->op == OP_MOV)
        return is_parameter(k, program_operand(k->p, insn->src), c);
    for (unsigned n = 0; insn->op == OP_MUL && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && n < 2; n++)
        if (eval_is_one(k->p, program_operand(k->p, insn->src + n), c, &flip) && !flip)
            return is_parameter(k, program_operand(k->p, insn->src + 1 - n), c);
    return false;
}

static bool is_element(const struct known *k, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && o->nindices && program_symbol(k->p, o->ref)->kind == SYM_TEMP &&
           o->ref < k->ends->symbols && k->ends->indexed[o->ref];
}

bool eval_compares_elements(const struct known *k, const struct insn *insn)
{
    bool both = op_compares(insn->op);

    for (unsigned n = 0; both && n < 2; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        both = is_element(k, o) || (o->kind == OPND_SYMBOL && o->ref >= k->ends->symbols); /* or what a number names */
    }
    return both;
}

/* Whether a component comes through an element of an array that the text indexes by a register: a number, a copy, what
 * comparisons ask. */
static bool is_reached(const struct known *k, const struct insn *insn, unsigned c)
{
    bool reached = insn->flags & EVAL_INSN_REACHED, compares = op_compares(insn->op);

    for (unsigned n = 0; n < insn->nsrc && !reached; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        const struct known_value *v = eval_known_held(k, o, c);
        bool follows = v && (v->known || compares || insn->op == OP_MOV);
        reached = (follows && v->range.reached) || (compares && is_element(k, o));
    }
    return reached;
}

struct value_range range_of_result(const struct known *k, const struct insn *insn, uint32_t at, unsigned c)
{
    struct value_range t = range_of_any_result(k, insn, at, c);

    if (!model_has(k->passes, PASS_ranges))
        t.sign = 0;
    if (!model_has(k->passes, PASS_sum_compare))
        t.sum = 0;

    t.sign = (uint16_t)((t.sign & ~(RANGE_PARAMETER | RANGE_ONE | RANGE_MINUS_ONE)) |
                        (copies_parameter(k, insn, c) ? RANGE_PARAMETER : 0));
    t.reached = is_reached(k, insn, c);
    return t;
}

bool eval_is_widened_one(const struct known *k, const struct operand *o, unsigned c, bool *minus)
{
    const struct known_value *v = eval_known_held(k, o, c);

    if (!v || program_symbol(k->p, o->ref)->size != SIZE_LONG)
        return false;
    if (v->known && !v->loose && v->word << 1 == 0x7fe0000000000000u)
        *minus = v->word >> 63;
    else if (v->range.sign & (RANGE_ONE | RANGE_MINUS_ONE))
        *minus = v->range.sign & RANGE_MINUS_ONE;
    else
        return false;
    *minus = ((*minus ^ ((o->flags & OPND_NEGATE_INNER) != 0)) && !(o->flags & OPND_ABSOLUTE)) ^
             ((o->flags & OPND_NEGATE) != 0);
    return true;
}

bool eval_negates_parameter(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    const struct known_value *v = eval_known_held(k, o, c);

    return insn->op == OP_CMP && insn->type == DT_U32 && o->flags & OPND_NEGATE && !(o->flags & OPND_ABSOLUTE) && v &&
           v->range.sign & RANGE_PARAMETER;
}

bool eval_is_negative(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    const struct known_value *v = eval_known_held(k, o, c);

    return v && eval_is_word(insn->type) && !(o->flags & OPND_ABSOLUTE) &&
           v->range.sign & (insn->type == DT_S32 ? RANGE_MINUS_S : RANGE_MINUS_U);
}
