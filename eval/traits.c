/* What the driver's compiler knows of numbers that it does not know: that they are not below zero, or that they are sums, and what
 * it makes of tests of them (tests/opsweep_flags.c has what it was seen to). It knows signs of absolute values, squares, powers,
 * dot products of a vector with itself, and of sums and the like of these; not of products of two such numbers, nor of functions. */
#include "eval/traits.h"
#include "eval/decode.h"
#include "eval/sources.h"

#define SIGN 0x80000000u
#define ONE 0x3f800000u

static uint32_t sum_of(uint32_t at, unsigned c)
{
    return (at + 1) << 3 | c;
}

static uint8_t sign_of(uint32_t word)
{
    uint32_t magnitude = word & ~SIGN;

    if (magnitude > 0x7f800000)
        return 0;
    if (magnitude < 0x00800000)
        return TRAIT_NOT_BELOW | TRAIT_NOT_ABOVE;
    return word & SIGN ? TRAIT_NOT_ABOVE | TRAIT_BELOW : TRAIT_NOT_BELOW | TRAIT_ABOVE;
}

static struct trait negated(struct trait t)
{
    unsigned up = t.sign & (TRAIT_NOT_BELOW | TRAIT_ABOVE), down = t.sign & (TRAIT_NOT_ABOVE | TRAIT_BELOW);
    unsigned whole = t.sign & TRAIT_MINUS_WHOLE ? TRAIT_WHOLE : t.sign & TRAIT_MINUS_LONG ? TRAIT_LONG : 0;

    t.sign = (uint16_t)(up << 2 | down >> 2 | whole);
    t.sum ^= t.sum ? SUM_NEGATED : 0;
    return t;
}

static bool is_word(uint8_t type)
{
    return type == DT_S32 || type == DT_U32;
}

/* What of a register's traits holds for an operand of this type. */
static uint16_t traits_of_type(uint8_t type)
{
    return type == DT_F32 ? (uint8_t) ~(TRAIT_WHOLE | TRAIT_LONG)
           : is_word(type) ? TRAIT_WHOLE | TRAIT_MINUS_WHOLE | TRAIT_MINUS_S | TRAIT_MINUS_U
           : type == DT_S64 ? TRAIT_LONG | TRAIT_MINUS_LONG
                            : 0;
}

struct trait eval_trait_of_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type)
{
    const struct known_value *v = eval_known_held(k, o, c);
    struct trait t = {0};
    uint64_t word;

    if (type == DT_F32 && eval_known_operand(k, o, c, type, &word))
        return (struct trait){.sign = sign_of((uint32_t)word)};
    if (v && (program_symbol(k->p, o->ref)->size == SIZE_LONG) == (type_table[type].bytes == 8)) {
        t.sign = v->trait.sign & traits_of_type(type);
        t.sum = type == DT_F32 ? v->trait.sum : 0;
        t.truth = v->trait.truth;
    }
    if (o->flags & OPND_ABSOLUTE)
        t = (struct trait){.sign = type == DT_F32   ? TRAIT_NOT_BELOW
                                   : type == DT_S32 ? TRAIT_WHOLE
                                   : type == DT_S64 ? TRAIT_LONG
                                                    : t.sign,
                           .truth = t.truth && is_word(type)};
    else if (o->flags & OPND_NEGATE_INNER)
        t = negated(t);
    return o->flags & OPND_NEGATE ? negated(t) : t;
}

/* ---- floats ------------------------------------------------------------------------------------------------------------- */

/* Whether a component of an operand is written as 1.0 or, with `flip`, -1.0. */
static bool is_one(const struct gp5_program *p, const struct operand *o, unsigned c, bool *flip)
{
    uint64_t word;

    if (o->kind != OPND_CONSTANT)
        return false;
    word = eval_constant_word(program_constant(p, o->ref), o->swizzle >> 2 * c & 3, DT_F32);
    if (o->flags & OPND_ABSOLUTE)
        word &= ~(uint64_t)SIGN;
    if (!(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER))
        word ^= SIGN;
    *flip = word & SIGN;
    return (word & ~(uint64_t)SIGN) == ONE;
}

bool eval_terms(const struct gp5_program *p, const struct insn *insn, unsigned c, struct operand terms[2])
{
    const struct operand *o = program_operand(p, insn->src);
    bool flip = false;

    if (insn->type != DT_F32 || insn->flags & (INSN_PREC | INSN_HALF | INSN_SAT | INSN_SSAT))
        return false;
    if (insn->op == OP_ADD || insn->op == OP_SUB) {
        terms[0] = o[0];
        terms[1] = o[1];
        if (insn->op == OP_SUB)
            terms[1].flags ^= OPND_NEGATE;
        return true;
    }
    if (insn->op != OP_MAD)
        return false;
    for (unsigned n = 0; n < 2; n++)
        if (is_one(p, &o[n], c, &flip)) {
            terms[0] = o[1 - n];
            terms[0].flags ^= flip ? OPND_NEGATE : 0;
            terms[1] = o[2];
            return true;
        }
    return false;
}

static uint8_t sign_of_sum(unsigned a, unsigned b)
{
    unsigned both = a & b & (TRAIT_NOT_BELOW | TRAIT_NOT_ABOVE), sign = both;

    if (both & TRAIT_NOT_BELOW)
        sign |= (a | b) & TRAIT_ABOVE;
    if (both & TRAIT_NOT_ABOVE)
        sign |= (a | b) & TRAIT_BELOW;
    return (uint8_t)sign;
}

struct reader {
    const struct known *k;
    const struct insn *insn;
    unsigned component;
};

static const struct operand *operand(const struct reader *r, unsigned n)
{
    return program_operand(r->k->p, r->insn->src + n);
}

/* The component of operand n that the result's component is made of, where it is made of one. */
static unsigned reads(const struct reader *r, unsigned n)
{
    uint8_t mask = eval_component_reads(r->insn->op, n, r->component);

    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

static struct trait source(const struct reader *r, unsigned n)
{
    return eval_trait_of_operand(r->k, operand(r, n), reads(r, n), DT_F32);
}

static bool same(const struct reader *r, unsigned c)
{
    return eval_known_same(r->k, operand(r, 0), operand(r, 1), c, c);
}

static bool squares(const struct reader *r, unsigned n)
{
    bool all = true;

    for (unsigned c = 0; c < n; c++)
        all &= same(r, c);
    return all;
}

static uint8_t either_way(const struct reader *r, unsigned a, unsigned b)
{
    return a & b & TRAIT_NOT_BELOW && !(r->insn->flags & INSN_PREC) ? TRAIT_NOT_BELOW : 0;
}

static uint8_t sign_of_product(const struct reader *r)
{
    return eval_known_same(r->k, operand(r, 0), operand(r, 1), reads(r, 0), reads(r, 1)) ? TRAIT_NOT_BELOW : 0;
}

/* Whether a factor is 1.0 or -1.0: a literal, or a parameter that is a constant of the program. */
static bool is_one_factor(const struct reader *r, unsigned n, bool *flip)
{
    const struct operand *o = operand(r, n);
    unsigned c = r->insn->op == OP_DIV ? 0 : r->component;
    uint64_t word;

    if (o->kind != OPND_SYMBOL || program_symbol(r->k->p, o->ref)->kind != SYM_PARAM)
        return is_one(r->k->p, o, c, flip);
    if (!eval_known_operand(r->k, o, c, DT_F32, &word))
        return false;
    *flip = word & SIGN;
    return (word & ~(uint64_t)SIGN) == ONE;
}

static struct trait of_copied_factor(const struct reader *r)
{
    bool flip = false;

    for (unsigned n = r->insn->op == OP_DIV; n < 2; n++)
        if (is_one_factor(r, n, &flip))
            return flip ? negated(source(r, 1 - n)) : source(r, 1 - n);
    return (struct trait){.sign = r->insn->op == OP_MUL ? sign_of_product(r) : 0};
}

static struct trait of_sum(const struct reader *r, uint32_t at)
{
    struct operand terms[2];
    struct trait a, b, t = {0};

    if (!eval_terms(r->k->p, r->insn, r->component, terms)) {
        bool square = r->insn->op == OP_MAD && same(r, r->component);
        t.sign = square ? sign_of_sum(TRAIT_NOT_BELOW, source(r, 2).sign) : 0;
        return t;
    }
    a = eval_trait_of_operand(r->k, &terms[0], r->component, DT_F32);
    b = eval_trait_of_operand(r->k, &terms[1], r->component, DT_F32);
    t.sign = sign_of_sum(a.sign, b.sign);
    t.sum = at == NO_INDEX ? 0 : sum_of(at, r->component);
    return t;
}

static struct trait of_float(const struct reader *r, uint32_t at)
{
    unsigned sign = 0;

    switch (r->insn->op) {
    case OP_MUL: case OP_DIV:
        return of_copied_factor(r);
    case OP_ADD: case OP_SUB: case OP_MAD:
        return of_sum(r, at);
    case OP_MIN: case OP_MAX:
        if (same(r, r->component))
            return source(r, 0);
        sign = either_way(r, source(r, 0).sign, source(r, 1).sign);
        break;
    case OP_CMP: sign = either_way(r, source(r, 1).sign, source(r, 2).sign); break;
    case OP_DP2: sign = squares(r, 2) ? TRAIT_NOT_BELOW : 0; break;
    case OP_DP3: sign = squares(r, 3) ? TRAIT_NOT_BELOW : 0; break;
    case OP_DP4: sign = squares(r, 4) ? TRAIT_NOT_BELOW : 0; break;
    case OP_DP2A: sign = squares(r, 2) ? sign_of_sum(TRAIT_NOT_BELOW, source(r, 2).sign) : 0; break;
    case OP_POW: sign = source(r, 0).sign & TRAIT_ABOVE && operand(r, 0)->kind == OPND_CONSTANT ? 0 : TRAIT_NOT_BELOW; break;
    case OP_EX2: sign = TRAIT_NOT_BELOW; break;
    case OP_DST:
        sign = r->component == 1 ? (same(r, 1) ? TRAIT_NOT_BELOW : 0)
               : r->component > 1 ? source(r, r->component - 2).sign
                                  : 0;
        break;
    default: break;
    }
    return (struct trait){.sign = (uint16_t)sign};
}

/* ---- integers ----------------------------------------------------------------------------------------------------------- */

static bool is_number(const struct reader *r, unsigned n, uint32_t word)
{
    uint64_t known;

    return eval_known_operand(r->k, operand(r, n), reads(r, n), r->insn->type, &known) && (uint32_t)known == word;
}

static bool is_zero(const struct reader *r, unsigned n)
{
    uint64_t known;

    return eval_known_operand(r->k, operand(r, n), reads(r, n), r->insn->type, &known) && !known;
}

static bool clears_sign(const struct reader *r, unsigned n)
{
    uint64_t known;

    return eval_known_operand(r->k, operand(r, n), reads(r, n), r->insn->type, &known) && !(known & SIGN);
}

/* The operand that an operation on integers copies, or -1. */
static int copied_integer(const struct reader *r)
{
    switch (r->insn->op) {
    case OP_MOV: return 0;
    case OP_ADD: case OP_OR: case OP_XOR: return is_number(r, 1, 0) ? 0 : is_number(r, 0, 0) ? 1 : -1;
    case OP_SUB: case OP_SHR: case OP_SHL: return is_number(r, 1, 0) ? 0 : -1;
    case OP_AND: return is_number(r, 1, UINT32_MAX) ? 0 : is_number(r, 0, UINT32_MAX) ? 1 : -1;
    case OP_MUL: return is_number(r, 1, 1) ? 0 : is_number(r, 0, 1) ? 1 : -1;
    case OP_MAD: return !is_number(r, 2, 0) ? -1 : is_number(r, 1, 1) ? 0 : is_number(r, 0, 1) ? 1 : -1;
    case OP_DIV: return is_number(r, 1, 1) ? 0 : -1;
    case OP_MIN: case OP_MAX: return same(r, r->component) ? 0 : -1;
    case OP_CMP: return eval_known_same(r->k, operand(r, 1), operand(r, 2), r->component, r->component) ? 1 : -1;
    default: return -1;
    }
}

/* The operand that is subtracted from 0, or -1. */
static int subtracted(const struct reader *r)
{
    int n = r->insn->op == OP_ADD   ? (is_zero(r, 1) ? 0 : is_zero(r, 0) ? 1 : -1)
            : r->insn->op == OP_SUB ? (is_zero(r, 0) ? 1 : is_zero(r, 1) ? 0 : -1)
                                    : -1;

    if (n < 0)
        return -1;
    return !(operand(r, (unsigned)n)->flags & OPND_NEGATE) == (r->insn->op == OP_SUB && n == 1) ? n : -1;
}

/* What an operand is without its last sign. */
static uint16_t unsigned_trait(const struct reader *r, unsigned n)
{
    struct operand o = *operand(r, n);

    o.flags &= (uint16_t)~OPND_NEGATE;
    return eval_trait_of_operand(r->k, &o, reads(r, n), r->insn->type).sign;
}

/* A result that is the negative of something. */
static uint16_t of_negative(const struct reader *r)
{
    uint16_t written = r->insn->type == DT_U32 ? TRAIT_MINUS_U : r->insn->type == DT_S32 ? TRAIT_MINUS_S : 0;
    int n = subtracted(r);

    if (r->insn->op == OP_MOV)      /* the negative of a negative is a copy */
        return operand(r, 0)->flags & OPND_NEGATE ? written & (uint16_t)~unsigned_trait(r, 0) : 0;
    if (r->insn->op == OP_MUL && is_word(r->insn->type))
        return is_number(r, 1, UINT32_MAX) || is_number(r, 0, UINT32_MAX) ? TRAIT_MINUS_S : 0;
    if (n < 0)
        return 0;
    if (unsigned_trait(r, (unsigned)n) & TRAIT_WHOLE)
        written |= TRAIT_MINUS_WHOLE;
    return unsigned_trait(r, (unsigned)n) & TRAIT_LONG ? TRAIT_MINUS_LONG : written;
}

static struct trait of_integer(const struct reader *r)
{
    int n = copied_integer(r), from = r->insn->op == OP_ABS ? 0 : r->insn->op == OP_SUB && is_number(r, 0, 0) ? 1 : n;
    uint16_t copied = 0;
    struct trait t = {0};

    if (from >= 0)
        t.truth = eval_trait_of_operand(r->k, operand(r, (unsigned)from), reads(r, (unsigned)from), r->insn->type).truth;
    if (r->insn->op == OP_ABS)
        t.sign = r->insn->type == DT_S32 ? TRAIT_WHOLE : 0;
    else if (n >= 0)
        copied = eval_trait_of_operand(r->k, operand(r, (unsigned)n), reads(r, (unsigned)n), r->insn->type).sign;
    if (r->insn->op != OP_MOV)
        copied &= (uint16_t)~(TRAIT_MINUS_S | TRAIT_MINUS_U | TRAIT_MINUS_WHOLE);
    t.sign |= of_negative(r) | copied;
    t.sign |= r->insn->op == OP_AND && (clears_sign(r, 0) || clears_sign(r, 1)) ? TRAIT_MASKED : 0;
    return t;
}

/* Of 64 bits: copies, sums with 0 among them. */
static uint16_t of_long(const struct reader *r)
{
    unsigned n = 0;
    bool copies = r->insn->op == OP_MOV;

    if (r->insn->op == OP_ABS)
        return TRAIT_LONG;
    if ((r->insn->op == OP_ADD || r->insn->op == OP_SUB) && subtracted(r) < 0) {
        copies = is_zero(r, 1) || (r->insn->op == OP_ADD && is_zero(r, 0));
        n = !is_zero(r, 1);
    } else if (r->insn->op == OP_MAD && is_zero(r, 2)) {
        copies = is_number(r, 1, 1) || is_number(r, 0, 1);
        n = !is_number(r, 1, 1);
    }
    return of_negative(r) | (copies ? eval_trait_of_operand(r->k, operand(r, n), reads(r, n), DT_S64).sign : 0);
}

/* ---- all of them -------------------------------------------------------------------------------------------------------- */

/* An operand whose word is -1 or 0 for what a comparison, or logic, says. */
static bool is_truth(const struct reader *r, unsigned n)
{
    const struct operand *o = operand(r, n);
    const struct known_value *v = o->kind == OPND_EXTENDED || operand_has_sign(o) ? NULL : eval_known_held(r->k, o, reads(r, n));

    return v && (v->trait.truth || v->trait.made) && program_symbol(r->k->p, o->ref)->size == SIZE_DEFAULT;
}

static bool is_minus_one_or_zero(const struct reader *r, unsigned n)
{
    uint64_t word;

    return operand(r, n)->kind != OPND_EXTENDED && eval_known_operand(r->k, operand(r, n), reads(r, n), r->insn->type, &word) &&
           (!word || (uint32_t)word == UINT32_MAX);
}

/* What is made of truths, and those that are no comparison's. */
static bool is_made(const struct reader *r)
{
    if (!is_word(r->insn->type) || r->insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    switch (r->insn->op) {
    case OP_AND: case OP_OR: case OP_XOR: return is_truth(r, 0) && is_truth(r, 1);
    case OP_NOT: return is_truth(r, 0);
    case OP_CMP: return is_minus_one_or_zero(r, 1) && is_minus_one_or_zero(r, 2);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: return true;
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR: return r->component == 0;
    default: return false;
    }
}

static struct trait trait_of_result(const struct known *k, const struct insn *insn, uint32_t at, unsigned c)
{
    struct insn unclamped = *insn;
    struct reader r = {k, &unclamped, c};
    bool moves = insn->op == OP_MOV || insn->op == OP_ABS;
    uint8_t type = insn->type == DT_F16 && moves ? DT_F32 : insn->type;

    if (eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends)) {
        unclamped.flags &= ~(uint32_t)INSN_SAT;
        at = NO_INDEX;
    }
    insn = &unclamped;
    if (is_made(&r))
        return (struct trait){.made = true};
    if (!insn->nsrc || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED) ||
        (insn->flags & (INSN_HALF | INSN_PREC) && !moves && !(op_compares(insn->op) && !type_table[type].is_float)) || type != eval_result_type(insn))
        return (struct trait){0};
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (operand(&r, n)->kind == OPND_EXTENDED)
            return (struct trait){0};
    if (op_compares(insn->op) && !type_table[type].is_float)
        return (struct trait){.truth = true};
    if (type == DT_S64)
        return (struct trait){.sign = of_long(&r)};
    if (is_word(type) && insn->op == OP_MOV) {      /* the words of a float stay what they were */
        struct trait t = operand_has_sign(operand(&r, 0)) || !eval_known_held(k, operand(&r, 0), c)
                             ? of_integer(&r)
                             : eval_known_held(k, operand(&r, 0), c)->trait;
        t.made = false;
        return t;
    }
    if (is_word(type))
        return of_integer(&r);
    if (type != DT_F32)
        return (struct trait){0};
    if (insn->op == OP_MOV)
        return source(&r, 0);
    if (insn->op == OP_ABS)
        return (struct trait){.sign = TRAIT_NOT_BELOW};
    return of_float(&r, at);
}

bool eval_is_register(const struct gp5_program *p, const struct operand *o)
{
    uint16_t kind = o->kind == OPND_BINDING ? program_binding(p, o->ref)->kind : BIND_INVOCATION_GROUPCOUNT;

    if (o->kind == OPND_SYMBOL)
        return program_symbol(p, o->ref)->kind == SYM_TEMP;
    return binding_table[kind].class == BC_ATTRIB && kind != BIND_INVOCATION_GROUPCOUNT && kind != BIND_INVOCATION_GROUPSIZE;
}

static bool is_parameter(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = eval_known_held(k, o, c);

    if (operand_has_sign(o) || (o->kind != OPND_SYMBOL && o->kind != OPND_BINDING))
        return false;
    return v ? v->trait.sign & TRAIT_PARAMETER : !eval_is_register(k->p, o);
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
        if (is_one(k->p, program_operand(k->p, insn->src + n), c, &flip) && !flip)
            return is_parameter(k, program_operand(k->p, insn->src + 1 - n), c);
    return false;
}

struct trait eval_trait_of_result(const struct known *k, const struct insn *insn, uint32_t at, unsigned c)
{
    struct trait t = trait_of_result(k, insn, at, c);

    t.sign = (uint16_t)((t.sign & ~TRAIT_PARAMETER) | (copies_parameter(k, insn, c) ? TRAIT_PARAMETER : 0));
    return t;
}

bool eval_negates_parameter(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    const struct known_value *v = eval_known_held(k, o, c);

    return insn->op == OP_CMP && insn->type == DT_U32 && o->flags & OPND_NEGATE && !(o->flags & OPND_ABSOLUTE) && v && v->trait.sign & TRAIT_PARAMETER;
}

bool eval_is_sum_above(const struct known *k, const struct insn *insn, unsigned c)
{
    struct insn plain = *insn;
    struct operand terms[2];
    uint64_t word;

    plain.flags &= ~(uint32_t)INSN_SAT;
    if (insn->cc_update && (condition_restricts(&insn->dst.condition) || eval_sets_flags_alone(k->p, insn, k->ends)))
        return false;
    if (!(insn->flags & INSN_SAT) || insn->dst.kind != OPND_SYMBOL || program_symbol(k->p, insn->dst.ref)->size != SIZE_DEFAULT ||
        !eval_terms(k->p, &plain, c, terms))
        return false;
    for (unsigned n = 0; n < 2; n++)
        if (eval_known_operand(k, &terms[n], c, DT_F32, &word) && word >= ONE && word <= 0x7f800000 &&
            eval_trait_of_operand(k, &terms[1 - n], c, DT_F32).sign & TRAIT_NOT_BELOW)
            return true;
    return false;
}

bool eval_is_negative(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    const struct known_value *v = eval_known_held(k, o, c);

    return v && is_word(insn->type) && !(o->flags & OPND_ABSOLUTE) &&
           v->trait.sign & (insn->type == DT_S32 ? TRAIT_MINUS_S : TRAIT_MINUS_U);
}
