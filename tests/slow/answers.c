/* Condition codes where the driver's compiler knows more of a result than its bits, or asks otherwise: docs/numbers.md, "Condition codes".
 * What is known of the signs of numbers that are not known themselves, and which of them are sums, is followed with what is known
 * (follow.c); on which side of zero the terms of a sum put it comes along with the value. */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

#include <string.h>

enum { NOT_BELOW = 1, ABOVE = 2, NOT_ABOVE = 4, BELOW = 8, WHOLE = 16, LONG_WHOLE = 32, LOGARITHM = 64, EXPONENT = 128,
    /* the negative of an absolute value, out of a sum with 0; of anything, written as signed and as unsigned */
    MINUS_WHOLE = 256, MINUS_LONG = 512, MINUS_S = 1024, MINUS_U = 2048 };


struct reader {
    const struct slow_knowledge *k;
    const struct insn *insn;
    unsigned c;
};

static struct slow_look turned(struct slow_look x)
{
    x.sign = (uint16_t)((x.sign & (NOT_BELOW | ABOVE)) << 2 | (x.sign & (NOT_ABOVE | BELOW)) >> 2 |
                        (x.sign & MINUS_WHOLE ? WHOLE : x.sign & MINUS_LONG ? LONG_WHOLE : 0));
    x.sum ^= x.sum ? SLOW_SUM_NEGATIVE : 0;
    return x;
}

static bool word_type(unsigned type)
{
    return type == DT_S32 || type == DT_U32;
}

static const struct operand *operand(const struct reader *r, unsigned n)
{
    return program_operand(r->k->p->text, r->insn->src + n);
}

static unsigned component(const struct reader *r, unsigned n)
{
    unsigned mask = slow_made_of(r->k->p, r->insn, n, r->c);
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

static struct slow_look look_at(const struct reader *r, const struct operand *o, unsigned c, unsigned type)
{
    struct slow_known v;
    struct slow_look x = {0};
    const struct slow_known *held = slow_held(r->k, o, c);
    bool wide = o->kind == OPND_SYMBOL && program_symbol(r->k->p->text, o->ref)->size == SIZE_LONG;
    if (type == DT_F32 && slow_known_operand(r->k, o, c, type, &v)) {
        uint32_t w = (uint32_t)v.bits, m = w & 0x7fffffff;
        x.sign = m > 0x7f800000 ? 0 : m < 0x00800000 ? NOT_BELOW | NOT_ABOVE : w >> 31 ? NOT_ABOVE | BELOW : NOT_BELOW | ABOVE;
        return x;
    }
    if (held && wide == (slow_bytes(type) == 8)) {
        x.sign = held->look.sign & (type == DT_F32     ? (uint8_t) ~(WHOLE | LONG_WHOLE)
                                    : word_type(type)  ? WHOLE | MINUS_WHOLE | MINUS_S | MINUS_U
                                    : type == DT_S64   ? LONG_WHOLE | MINUS_LONG
                                                       : 0);
        x.sum = type == DT_F32 ? held->look.sum : 0;
        x.truth = held->look.truth;
    }
    if (o->flags & OPND_ABSOLUTE) {
        x.sum = 0;
        x.truth &= word_type(type);
        x.sign = type == DT_F32 ? NOT_BELOW : type == DT_S32 ? WHOLE : type == DT_S64 ? LONG_WHOLE : x.sign;
    } else if (o->flags & OPND_NEGATE_INNER) {
        x = turned(x);
    }
    return o->flags & OPND_NEGATE ? turned(x) : x;
}

static struct slow_look source(const struct reader *r, unsigned n, unsigned type)
{
    return look_at(r, operand(r, n), component(r, n), type);
}

/* ---- the same value twice ----------------------------------------------------------------------------------------------- */

static bool alike(const struct reader *r, unsigned n, unsigned c)
{
    return slow_with_itself(r->k, r->insn, n, c);
}

static bool squares(const struct reader *r, unsigned n)
{
    bool all = true;
    for (unsigned c = 0; c < n; c++)
        all &= slow_alike(r->k, operand(r, 0), operand(r, 1), c, c);
    return all;
}

/* ---- floats ------------------------------------------------------------------------------------------------------------- */

/* Whether operand n is written as 1.0 (1) or -1.0 (-1). */
static int unit(const struct reader *r, unsigned n)
{
    const struct operand *o = operand(r, n);
    struct slow_known v;
    if (o->kind != OPND_CONSTANT || !slow_known_operand(r->k, o, component(r, n), DT_F32, &v) || v.bits << 33 != (uint64_t)0x3f800000 << 33)
        return 0;
    return v.bits >> 31 & 1 ? -1 : 1;
}

static uint8_t added(unsigned a, unsigned b)
{
    unsigned both = a & b & (NOT_BELOW | NOT_ABOVE);
    return (uint8_t)(both | (both & NOT_BELOW ? (a | b) & ABOVE : 0) | (both & NOT_ABOVE ? (a | b) & BELOW : 0));
}

bool slow_terms(const struct slow_knowledge *k, const struct insn *insn, unsigned c, unsigned term[2], bool minus[2])
{
    struct reader r = {k, insn, c};
    minus[0] = minus[1] = false;
    if (insn->type != DT_F32 || insn->flags & (INSN_PREC | INSN_HALF | INSN_SAT | INSN_SSAT))
        return false;
    term[0] = 0;
    term[1] = 1;
    minus[1] = insn->op == OP_SUB;
    if (insn->op == OP_ADD || insn->op == OP_SUB)
        return true;
    for (unsigned n = 0; insn->op == OP_MAD && n < 2; n++)
        if (unit(&r, n)) {
            term[0] = 1 - n;
            term[1] = 2;
            minus[0] = unit(&r, n) < 0;
            return true;
        }
    return false;
}

static struct slow_look of_sum(const struct reader *r)
{
    struct slow_look x = {0}, a, b;
    unsigned term[2];
    bool minus[2];
    if (!slow_terms(r->k, r->insn, r->c, term, minus)) {
        if (r->insn->op == OP_MAD && alike(r, 0, r->c))
            x.sign = added(NOT_BELOW, source(r, 2, DT_F32).sign);
        return x;
    }
    a = source(r, term[0], DT_F32);
    b = source(r, term[1], DT_F32);
    a = minus[0] ? turned(a) : a;
    b = minus[1] ? turned(b) : b;
    return (struct slow_look){.sign = added(a.sign, b.sign), .sum = r->k->at == NO_INDEX ? 0 : (r->k->at + 1) << 3 | r->c};
}

static struct slow_look of_product(const struct reader *r)
{
    struct slow_look x = {0};
    for (unsigned n = r->insn->op == OP_DIV; n < 2; n++)
        if (unit(r, n))
            return unit(r, n) < 0 ? turned(source(r, 1 - n, DT_F32)) : source(r, 1 - n, DT_F32);
    if (r->insn->op == OP_DIV)
        return x;
    if (slow_alike(r->k, operand(r, 0), operand(r, 1), component(r, 0), component(r, 1)))
        x.sign = NOT_BELOW;
    else if ((source(r, 0, DT_F32).sign | source(r, 1, DT_F32).sign) & LOGARITHM)
        x.sign = EXPONENT;
    return x;
}

static uint8_t both(const struct reader *r, unsigned m, unsigned n)
{
    return source(r, m, DT_F32).sign & source(r, n, DT_F32).sign & NOT_BELOW;
}

static struct slow_look of_float(const struct reader *r)
{
    struct slow_look x = {0};
    switch (r->insn->op) {
    case OP_MUL: case OP_DIV: return of_product(r);
    case OP_ADD: case OP_SUB: case OP_MAD: return of_sum(r);
    case OP_MIN: case OP_MAX:
        if (alike(r, 0, r->c))
            return source(r, 0, DT_F32);
        x.sign = both(r, 0, 1);
        break;
    case OP_CMP: x.sign = both(r, 1, 2); break;
    case OP_DP2: x.sign = squares(r, 2) ? NOT_BELOW : 0; break;
    case OP_DP3: x.sign = squares(r, 3) ? NOT_BELOW : 0; break;
    case OP_DP4: x.sign = squares(r, 4) ? NOT_BELOW : 0; break;
    case OP_DP2A: x.sign = squares(r, 2) ? added(NOT_BELOW, source(r, 2, DT_F32).sign) : 0; break;
    case OP_POW: x.sign = source(r, 0, DT_F32).sign & ABOVE && operand(r, 0)->kind == OPND_CONSTANT ? 0 : NOT_BELOW; break;
    case OP_LG2: x.sign = LOGARITHM; break;
    case OP_EX2: x.sign = source(r, 0, DT_F32).sign & EXPONENT ? NOT_BELOW : 0; break;
    case OP_DST:
        if (r->c == 1)
            x.sign = alike(r, 0, 1) ? NOT_BELOW : 0;
        else if (r->c > 1)
            x.sign = source(r, r->c - 2, DT_F32).sign;
        break;
    default: break;
    }
    return x;
}

/* ---- integers ----------------------------------------------------------------------------------------------------------- */

static bool number(const struct reader *r, unsigned n, uint32_t word)
{
    struct slow_known v;
    return slow_known_operand(r->k, operand(r, n), component(r, n), r->insn->type, &v) && (uint32_t)v.bits == word;
}

/* The operand that is copied, or -1. */
static int copied(const struct reader *r)
{
    switch (r->insn->op) {
    case OP_MOV: return 0;
    case OP_ADD: case OP_OR: case OP_XOR: return number(r, 1, 0) ? 0 : number(r, 0, 0) ? 1 : -1;
    case OP_SUB: case OP_SHR: case OP_SHL: return number(r, 1, 0) ? 0 : -1;
    case OP_AND: return number(r, 1, UINT32_MAX) ? 0 : number(r, 0, UINT32_MAX) ? 1 : -1;
    case OP_MUL: return number(r, 1, 1) ? 0 : number(r, 0, 1) ? 1 : -1;
    case OP_DIV: return number(r, 1, 1) ? 0 : -1;
    case OP_MAD: return !number(r, 2, 0) ? -1 : number(r, 1, 1) ? 0 : number(r, 0, 1) ? 1 : -1;
    case OP_MIN: case OP_MAX: return alike(r, 0, r->c) ? 0 : -1;
    case OP_CMP: return alike(r, 1, r->c) ? 1 : -1;
    default: return -1;
    }
}

/* The operand that is taken from 0, or -1. */
static int taken_from_zero(const struct reader *r)
{
    unsigned last = r->insn->op == OP_SUB;
    if (r->insn->op != OP_ADD && r->insn->op != OP_SUB)
        return -1;
    for (unsigned n = 0; n < 2; n++) {
        unsigned k = 1 - n;     /* where both are 0 it does not matter */
        struct slow_known v;
        bool minus = operand(r, n)->flags & OPND_NEGATE;
        if (n == 1 && last)
            minus = !minus;
        if (slow_known_operand(r->k, operand(r, k), component(r, k), r->insn->type, &v) && !v.bits)
            return minus ? (int)n : -1;
    }
    return -1;
}

/* What an operand is but for its last sign. */
static unsigned plain_sign(const struct reader *r, unsigned n)
{
    struct operand o = *operand(r, n);
    o.flags &= (uint16_t)~OPND_NEGATE;
    return look_at(r, &o, component(r, n), r->insn->type).sign;
}

static unsigned of_negative(const struct reader *r)
{
    unsigned written = r->insn->type == DT_S32 ? MINUS_S : r->insn->type == DT_U32 ? MINUS_U : 0;
    int n = taken_from_zero(r);
    if (r->insn->op == OP_MOV)
        return operand(r, 0)->flags & OPND_NEGATE ? written & ~plain_sign(r, 0) : 0;
    if (r->insn->op == OP_MUL && written)
        return number(r, 0, UINT32_MAX) || number(r, 1, UINT32_MAX) ? MINUS_S : 0;
    if (n < 0)
        return 0;
    if (plain_sign(r, (unsigned)n) & LONG_WHOLE)
        return MINUS_LONG;
    return written | (plain_sign(r, (unsigned)n) & WHOLE ? MINUS_WHOLE : 0);
}

static struct slow_look of_integer(const struct reader *r)
{
    int n = copied(r), from = r->insn->op == OP_ABS ? 0 : r->insn->op == OP_SUB && number(r, 0, 0) ? 1 : n;
    struct slow_look x = {0};
    unsigned sign = n < 0 ? 0 : source(r, (unsigned)n, r->insn->type).sign;
    if (from >= 0)
        x.truth = source(r, (unsigned)from, r->insn->type).truth;
    if (r->insn->op == OP_ABS)
        x.sign = r->insn->type == DT_S32 ? WHOLE : 0;
    else
        x.sign = (uint16_t)(of_negative(r) | (r->insn->op == OP_MOV ? sign : sign & ~(unsigned)(MINUS_S | MINUS_U | MINUS_WHOLE)));
    return x;
}

/* Of 64 bits. */
static unsigned of_long(const struct reader *r)
{
    struct slow_known v;
    bool zero[3];
    int n = r->insn->op == OP_MOV ? 0 : -1;
    for (unsigned i = 0; i < 3; i++)
        zero[i] = i < r->insn->nsrc && slow_known_operand(r->k, operand(r, i), component(r, i), DT_S64, &v) && !v.bits;
    if (r->insn->op == OP_ABS)
        return LONG_WHOLE;
    if ((r->insn->op == OP_ADD || r->insn->op == OP_SUB) && taken_from_zero(r) < 0)
        n = zero[1] ? 0 : zero[0] && r->insn->op == OP_ADD ? 1 : -1;
    else if (r->insn->op == OP_MAD && zero[2])
        n = number(r, 1, 1) ? 0 : number(r, 0, 1) ? 1 : -1;
    return of_negative(r) | (n < 0 ? 0u : source(r, (unsigned)n, DT_S64).sign);
}

bool slow_is_negative(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    const struct slow_known *held = slow_held(k, o, c);
    return held && word_type(insn->type) && !(o->flags & OPND_ABSOLUTE) && held->look.sign & (insn->type == DT_S32 ? MINUS_S : MINUS_U);
}

/* ---- what an instruction leaves ----------------------------------------------------------------------------------------- */

struct slow_look slow_look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct reader r = {k, insn, c};
    bool moves = insn->op == OP_MOV || insn->op == OP_ABS;
    unsigned type = insn->type == DT_F16 && moves ? DT_F32 : insn->type;
    struct slow_look x = {0};
    if (!insn->nsrc || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED) ||
        (insn->flags & (INSN_HALF | INSN_PREC) && !moves) || type != slow_result_type(insn))
        return x;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (operand(&r, n)->kind == OPND_EXTENDED)
            return x;
    if (op_compares(insn->op) && !slow_is_float(type)) {
        x.truth = true;
    } else if (type == DT_S64) {
        x.sign = (uint16_t)of_long(&r);
    } else if (word_type(type) && insn->op == OP_MOV && !(operand(&r, 0)->flags & OPND_SIGNS) && slow_held(k, operand(&r, 0), c)) {
        x = slow_held(k, operand(&r, 0), c)->look;
    } else if (word_type(type)) {
        x = of_integer(&r);
    } else if (type == DT_F32) {
        x.sign = NOT_BELOW;
        if (insn->op != OP_ABS)
            x = insn->op == OP_MOV ? source(&r, 0, type) : of_float(&r);
    }
    return x;
}

bool slow_compares_absolute(const struct slow_knowledge *k, const struct insn *insn, unsigned c, uint64_t *bits)
{
    struct reader r = {k, insn, c};
    unsigned op = insn->op, n = op == OP_SGT || op == OP_SLE;
    if (insn->type != DT_S32 || (op != OP_SLT && op != OP_SGE && op != OP_SGT && op != OP_SLE) ||
        operand(&r, 0)->kind == OPND_EXTENDED || operand(&r, 1)->kind == OPND_EXTENDED || !number(&r, 1 - n, 0) ||
        !(source(&r, n, DT_S32).sign & WHOLE))
        return false;
    *bits = op == OP_SGE || op == OP_SLE ? UINT32_MAX : 0;
    return true;
}

bool slow_chooses_last(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct reader r = {k, insn, c};
    return insn->op == OP_CMP && insn->type == DT_S64 && slow_held(k, operand(&r, 0), c) && source(&r, 0, DT_S64).sign & LONG_WHOLE;
}

/* The sum whose side component c of an SGT or SLT asks for. */
static uint32_t asked(const struct reader *r, bool *below)
{
    unsigned op = r->insn->op;
    if ((op != OP_SGT && op != OP_SLT) || r->insn->type != DT_F32 || r->insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    for (unsigned n = 0; n < 2; n++) {
        struct slow_known zero;
        if (operand(r, n)->kind == OPND_EXTENDED || !slow_known_operand(r->k, operand(r, 1 - n), r->c, DT_F32, &zero) || zero.bits << 33 ||
            !look_at(r, operand(r, n), r->c, DT_F32).sum)
            continue;
        *below = (op == OP_SLT) != (n == 1);
        return look_at(r, operand(r, n), r->c, DT_F32).sum;
    }
    return 0;
}

static bool adds(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MAD || op == OP_SAD;
}

/* What place `place` is told of component c, whose result is known as `v` and `x` say. */
void slow_note_answers(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *v, struct slow_look x,
                       struct slow_place *place)
{
    struct reader r = {k, insn, c};
    struct slow_answers *a = &place->answers;
    unsigned type = slow_result_type(insn);
    uint8_t bit = (uint8_t)(1u << c);
    bool below = false;
    uint32_t sum = asked(&r, &below);
    bool known = v->known && !v->weak;
    if (sum) {
        place->asks |= bit;
        place->less |= below ? bit : 0;
        place->uses[c] = sum;
    }
    for (unsigned n = 0; insn->cc_update && adds(insn->op) && !slow_is_float(insn->type) && n < insn->nsrc; n++) {
        struct operand plain = *operand(&r, n);
        struct slow_known number;
        if (plain.kind == OPND_EXTENDED)
            continue;
        if (slow_known_operand(k, &plain, component(&r, n), slow_operand_type(insn, n), &number) && !number.weak)
            place->number[n] |= bit;
        plain.flags &= (uint16_t)~OPND_NEGATE;
        if (insn->type == DT_S64 && look_at(&r, &plain, component(&r, n), DT_S64).sign & LONG_WHOLE)
            place->absolute[n] |= bit;
    }
    if (!insn->cc_update)
        return;
    if (known && !(type == DT_F32 && insn->flags & INSN_PREC)) {
        bool more = k->p->several >> ((insn->cc_update - 1) * 4 + c) & 1, tested = condition_restricts(&insn->dst.condition);
        bool shown = v->loose || ((insn->op == OP_MOV || insn->op == OP_NOT) && operand(&r, 0)->kind == OPND_CONSTANT);
        a->positive |= type != DT_F32 && ((type == DT_U32 && !adds(insn->op)) || insn->op == OP_MOD) ? bit : 0;
        a->signless |= more && (type == DT_F32 || type == DT_S32) && slow_is_number(insn, v) && (!tested || shown) ? bit : 0;
    } else if (type == DT_F32) {
        a->not_below |= x.sign & NOT_BELOW ? bit : 0;
        a->above |= x.sign & ABOVE ? bit : 0;
        a->below |= x.sign & BELOW ? bit : 0;
        a->sum[c] = x.sum;
    } else if (x.sign & (type == DT_S64 ? LONG_WHOLE : WHOLE)) {
        a->no_sign |= bit;
        a->not_below |= adds(insn->op) ? 0 : bit;
    } else if (adds(insn->op) && x.sign & (type == DT_S64 ? MINUS_LONG : MINUS_WHOLE)) {
        a->not_above |= bit;
    }
}

/* ---- while it runs ------------------------------------------------------------------------------------------------------ */

static int side_of(uint64_t a, uint64_t b)
{
    struct soft x = soft_unpack(a & 0xffffffff, 32, true), y = soft_negate(soft_unpack(b & 0xffffffff, 32, true));
    int order;
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return 0;
    order = soft_compare(x, y);
    return order == SOFT_GREATER ? 1 : order == SOFT_LESS ? -1 : 0;
}

/* The side of a sum as it is asked for here, or 2 when the sum took a product in and is no comparison. */
static int side(const struct slow_plan *plan, uint32_t sum, const struct slow_value *v)
{
    const struct slow_place *at = &plan->place[(sum >> 3) - 1];
    return at->taken[sum & 3].product ? 2 : v->side;
}

/* Sides of results, and SGT and SLT that ask for one. */
void slow_sides(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    const struct slow_place *here = l->here;
    uint8_t mask = insn->dst.mask;
    bool all = here->asks && !(mask & ~here->asks);
    if (!p->nvidia || insn->nsrc > 3)
        return;
    for (unsigned c = 0; c < 4; c++) {
        unsigned term[2];
        bool minus[2], flip = false;
        int k = insn->op == OP_MOV ? 0 : slow_copied_factor(p, here, insn, c, &flip);
        if ((insn->op == OP_MIN || insn->op == OP_MAX) && here->chosen[0] >> c & 1)
            k = 0;
        result[c].side = 0;
        if (!(mask >> c & 1))
            continue;
        if (k >= 0) {
            const struct operand *o = program_operand(p->text, insn->src + (uint32_t)k);
            bool negative = (!(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER)) != flip;
            result[c].side = (int8_t)(negative ? -s[k][c].side : s[k][c].side);
        } else if (slow_terms(&nothing, insn, c, term, minus)) {
            result[c].side = (int8_t)side_of(s[term[0]][c].bits ^ (minus[0] ? 0x80000000 : 0), s[term[1]][c].bits ^ (minus[1] ? 0x80000000 : 0));
        }
        all &= !(here->uses[c] && p->plan->place[(here->uses[c] >> 3) - 1].taken[here->uses[c] & 3].product);
    }
    for (unsigned c = 0; all && c < 4; c++) {
        bool less = here->less >> c & 1;
        unsigned n = (insn->op == OP_SLT) != less;      /* the operand that is the sum */
        const struct operand *o = program_operand(p->text, insn->src + n);
        int is = !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER) ? -s[n][c].side : s[n][c].side;
        if (mask >> c & 1)
            result[c].bits = is == (less ? -1 : 1) ? 0x3f800000 : 0;
    }
}

void slow_answer(const struct slow_lane *l, unsigned c, const struct slow_value *v, struct slow_flags *f)
{
    const struct insn *insn = program_insn(l->group->program->text, l->here->insn);
    const struct slow_answers *a = &l->here->answers;
    uint8_t bit = (uint8_t)(1u << c);
    uint32_t m = (uint32_t)v->bits & 0x7fffffff;
    int is = a->sum[c] ? side(l->group->program->plan, a->sum[c], v) : 2;
    if (!l->group->program->nvidia)
        return;
    if (a->signless & bit)
        f->z = slow_is_float(slow_result_type(insn)) ? !m : !(uint32_t)v->bits;
    f->s &= !((a->positive | a->signless) & bit);
    f->not_above = a->not_above & bit;
    f->not_below = a->not_below & bit;
    f->no_sign = a->no_sign & bit;
    f->above = a->above & bit || is == 1;
    f->below = a->below & bit || is == -1;
}

static uint64_t cut(const struct insn *insn, uint64_t x)
{
    return slow_bytes(insn->type) == 8 ? x : x & 0xffffffff;
}

/* An absolute value of 64 bits has the sign of the absolute value of its upper word. */
static bool is_least(struct slow_lane *l, const struct operand *o, unsigned c)
{
    struct operand plain = *o;
    struct slow_value v[4];
    plain.flags &= (uint16_t)~OPND_SIGNS;
    return o->flags & OPND_ABSOLUTE && slow_fetch(l, &plain, DT_S64, v) && v[c].bits >> 32 == 0x80000000;
}

/* Then the overflow is another, as is of sums, but for those with a number that is not 0, what the orders and AB see. */
static void by_signs(const uint64_t t[2], const bool least[2], bool subtracts, bool number, struct slow_flags *f)
{
    bool sum = f->s, x = t[0] >> 63 || least[0], y = (t[1] >> 63 || least[1]) != subtracts;
    bool overflow = x != sum && y != sum, carry = (x && y) || ((x || y) && !sum);
    if (!least[0] && !least[1])
        return;
    if (subtracts || number) {
        f->other_overflow = overflow != f->o;
    } else {
        f->other_above = carry != f->c;
        f->o = overflow;
    }
}

/* Carry and overflow of component c of a sum that the compiler orders. */
void slow_carries(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], unsigned c, struct slow_flags *f)
{
    const struct operand *o = program_operand(l->group->program->text, insn->src);
    bool sums = insn->op == OP_ADD || insn->op == OP_SUB, negative[3] = {false}, known[3] = {false}, subtracts;
    bool least[2] = {false}, number = false, whole = insn->type == DT_S64 && insn->op != OP_SAD;
    uint64_t x[3] = {0}, t[3] = {0};
    unsigned last = sums ? 1 : 2, taken = last;
    struct insn add = *insn;
    add.op = OP_ADD;
    for (unsigned n = 0; n <= last; n++) {
        negative[n] = o[n].flags & OPND_NEGATE;
        known[n] = l->here->number[n] >> c & 1;
        x[n] = negative[n] ? cut(insn, 0 - s[n][c].bits) : s[n][c].bits;
    }
    if (sums) {
        bool first = negative[0], second = negative[1] != (insn->op == OP_SUB);
        subtracts = first || second;
        taken = first && !second ? 0 : 1;
        t[0] = first && second ? cut(insn, 0 - x[0]) : x[1 - taken];
        least[0] = whole && !(first && second) && !known[1 - taken] && is_least(l, &o[1 - taken], c);
        number = known[1 - taken] && s[1 - taken][c].bits;
    } else {
        uint64_t a = s[0][c].bits, b = s[1][c].bits, top = 1ull << (slow_bytes(insn->type) * 8 - 1);
        bool below = type_table[insn->type].is_signed ? (a ^ top) < (b ^ top) : a < b;
        subtracts = negative[2];
        t[0] = cut(insn, insn->op == OP_MAD ? a * b : below ? b - a : a - b);
        if (!subtracts && insn->op == OP_MAD && (negative[0] && !known[0]) != (negative[1] && !known[1]))
            f->other_carry = !t[0];
    }
    t[1] = x[taken];
    if (subtracts && known[taken]) {
        t[1] = cut(insn, 0 - t[1]);
        subtracts = false;
    } else if (subtracts && insn->op != OP_SAD && l->here->absolute[taken] >> c & 1) {
        f->other_carry = !t[1];
    }
    least[1] = whole && !known[taken] && is_least(l, &o[taken], c);
    slow_carry(&add, t, subtracts, &f->o, &f->c);
    by_signs(t, least, subtracts, number || (known[taken] && x[taken]), f);
}

bool slow_adds(const struct slow_program *p, const struct insn *insn)
{
    if (!p->nvidia || !adds(insn->op) || slow_is_float(insn->type) || slow_bytes(insn->type) < 4 ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24))
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p->text, insn->src + n);
        if (o->kind == OPND_EXTENDED || o->flags & OPND_NEGATE_INNER)
            return false;
    }
    return true;
}
