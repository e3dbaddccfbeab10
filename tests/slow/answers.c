/* Condition codes where the driver's compiler knows more of a result than its bits, or asks otherwise: docs/numbers.md, "Condition codes".
 * What is known of the signs of numbers that are not known themselves, and which of them are sums, is followed with what is known
 * (follow.c); on which side of zero the terms of a sum put it comes along with the value. */
#include "tests/slow/looks.h"

static struct slow_look turned(struct slow_look x)
{
    x.sign = (uint16_t)((x.sign & (NOT_BELOW | ABOVE)) << 2 | (x.sign & (NOT_ABOVE | BELOW)) >> 2 |
                        (x.sign & MINUS_WHOLE ? WHOLE : x.sign & MINUS_LONG ? LONG_WHOLE : 0));
    x.sum ^= x.sum ? SLOW_SUM_NEGATIVE : 0;
    return x;
}

unsigned slow_reader_component(const struct slow_reader *r, unsigned n)
{
    unsigned mask = slow_made_of(r->k->p, r->insn, n, r->c);
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

struct slow_look slow_reader_look_at(const struct slow_reader *r, const struct operand *o, unsigned c, unsigned type)
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
                                    : slow_is_word_type(type)  ? WHOLE | MINUS_WHOLE | MINUS_S | MINUS_U
                                    : type == DT_S64   ? LONG_WHOLE | MINUS_LONG
                                                       : 0);
        x.sum = type == DT_F32 ? held->look.sum : 0;
        x.truth = held->look.truth;
    }
    if (o->flags & OPND_ABSOLUTE) {
        x.sum = 0;
        x.truth &= slow_is_word_type(type);
        x.sign = type == DT_F32 ? NOT_BELOW : type == DT_S32 ? WHOLE : type == DT_S64 ? LONG_WHOLE : x.sign;
    } else if (o->flags & OPND_NEGATE_INNER) {
        x = turned(x);
    }
    return o->flags & OPND_NEGATE ? turned(x) : x;
}

struct slow_look slow_reader_source(const struct slow_reader *r, unsigned n, unsigned type)
{
    return slow_reader_look_at(r, slow_reader_operand(r, n), slow_reader_component(r, n), type);
}

/* ---- the same value twice ----------------------------------------------------------------------------------------------- */

bool slow_reader_alike(const struct slow_reader *r, unsigned n, unsigned c)
{
    return slow_with_itself(r->k, r->insn, n, c);
}

static bool squares(const struct slow_reader *r, unsigned n)
{
    bool all = true;
    for (unsigned c = 0; c < n; c++)
        all &= slow_alike(r->k, slow_reader_operand(r, 0), slow_reader_operand(r, 1), c, c);
    return all;
}

/* ---- floats ------------------------------------------------------------------------------------------------------------- */

/* Whether operand n is written as 1.0 (1) or -1.0 (-1); of factors also by the name of a parameter. */
static int unit(const struct slow_reader *r, unsigned n)
{
    const struct operand *o = slow_reader_operand(r, n);
    bool named = r->insn->op != OP_MAD && o->kind == OPND_SYMBOL && program_symbol(r->k->p->text, o->ref)->kind == SYM_PARAM;
    struct slow_known v;
    if ((o->kind != OPND_CONSTANT && !named) || !slow_known_operand(r->k, o, slow_reader_component(r, n), DT_F32, &v) || v.bits << 33 != (uint64_t)0x3f800000 << 33)
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
    struct slow_reader r = {k, insn, c};
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

static struct slow_look of_sum(const struct slow_reader *r)
{
    struct slow_look x = {0}, a, b;
    unsigned term[2];
    bool minus[2];
    if (!slow_terms(r->k, r->insn, r->c, term, minus)) {
        if (r->insn->op == OP_MAD && slow_reader_alike(r, 0, r->c))
            x.sign = added(NOT_BELOW, slow_reader_source(r, 2, DT_F32).sign);
        return x;
    }
    a = slow_reader_source(r, term[0], DT_F32);
    b = slow_reader_source(r, term[1], DT_F32);
    a = minus[0] ? turned(a) : a;
    b = minus[1] ? turned(b) : b;
    return (struct slow_look){.sign = added(a.sign, b.sign), .sum = r->k->at == NO_INDEX ? 0 : (r->k->at + 1) << 3 | r->c};
}

static struct slow_look of_product(const struct slow_reader *r)
{
    struct slow_look x = {0};
    for (unsigned n = r->insn->op == OP_DIV; n < 2; n++)
        if (unit(r, n))
            return unit(r, n) < 0 ? turned(slow_reader_source(r, 1 - n, DT_F32)) : slow_reader_source(r, 1 - n, DT_F32);
    if (r->insn->op == OP_DIV)
        return x;
    if (slow_alike(r->k, slow_reader_operand(r, 0), slow_reader_operand(r, 1), slow_reader_component(r, 0), slow_reader_component(r, 1)))
        x.sign = NOT_BELOW;
    return x;
}

static uint8_t both(const struct slow_reader *r, unsigned m, unsigned n)
{
    return slow_reader_source(r, m, DT_F32).sign & slow_reader_source(r, n, DT_F32).sign & NOT_BELOW;
}

static struct slow_look of_float(const struct slow_reader *r)
{
    struct slow_look x = {0};
    switch (r->insn->op) {
    case OP_MUL: case OP_DIV: return of_product(r);
    case OP_ADD: case OP_SUB: case OP_MAD: return of_sum(r);
    case OP_MIN: case OP_MAX:
        if (slow_reader_alike(r, 0, r->c))
            return slow_reader_source(r, 0, DT_F32);
        x.sign = both(r, 0, 1);
        break;
    case OP_CMP: x.sign = both(r, 1, 2); break;
    case OP_DP2: x.sign = squares(r, 2) ? NOT_BELOW : 0; break;
    case OP_DP3: x.sign = squares(r, 3) ? NOT_BELOW : 0; break;
    case OP_DP4: x.sign = squares(r, 4) ? NOT_BELOW : 0; break;
    case OP_DP2A: x.sign = squares(r, 2) ? added(NOT_BELOW, slow_reader_source(r, 2, DT_F32).sign) : 0; break;
    case OP_POW: x.sign = slow_reader_source(r, 0, DT_F32).sign & ABOVE && slow_reader_operand(r, 0)->kind == OPND_CONSTANT ? 0 : NOT_BELOW; break;
    case OP_EX2: x.sign = NOT_BELOW; break;
    case OP_DST:
        if (r->c == 1)
            x.sign = slow_reader_alike(r, 0, 1) ? NOT_BELOW : 0;
        else if (r->c > 1)
            x.sign = slow_reader_source(r, r->c - 2, DT_F32).sign;
        break;
    default: break;
    }
    return x;
}

/* ---- what an instruction leaves ----------------------------------------------------------------------------------------- */

static bool says_truth(const struct slow_reader *r, unsigned n)
{
    const struct operand *o = slow_reader_operand(r, n);
    const struct slow_known *v = o->kind == OPND_EXTENDED || o->flags & OPND_SIGNS ? NULL : slow_held(r->k, o, slow_reader_component(r, n));
    return v && (v->look.truth || v->look.made) && program_symbol(r->k->p->text, o->ref)->size == SIZE_DEFAULT;
}

static bool is_made_of_truths(const struct slow_reader *r)
{
    struct slow_known v;
    unsigned op = r->insn->op;
    if (!slow_is_word_type(r->insn->type) || r->insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    if (op == OP_CMP) {
        for (unsigned n = 1; n < 3; n++)
            if (slow_reader_operand(r, n)->kind == OPND_EXTENDED ||
                !slow_known_operand(r->k, slow_reader_operand(r, n), slow_reader_component(r, n), r->insn->type, &v) ||
                (v.bits && (uint32_t)v.bits != UINT32_MAX))
                return false;
        return true;
    }
    if (op_is_logic(op))
        return says_truth(r, 0) && (op == OP_NOT || says_truth(r, 1));
    if (op_shuffles(op))
        return r->c == 0;
    return op == OP_TGALL || op == OP_TGANY || op == OP_TGEQ;
}

static struct slow_look look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool alone = slow_clamps_behind_flags(k->p, insn), moves = insn->op == OP_MOV || insn->op == OP_ABS;
    unsigned type = insn->type == DT_F16 && moves ? DT_F32 : insn->type;
    struct slow_look x = {0};
    struct insn plain = *insn;
    struct slow_reader r = {k, &plain, c};
    plain.flags &= alone ? ~(uint32_t)INSN_SAT : UINT32_MAX;
    insn = &plain;
    if (is_made_of_truths(&r))
        return (struct slow_look){.made = true};
    if (!insn->nsrc || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED) ||
        (insn->flags & INSN_HALF && !moves) || (insn->flags & INSN_PREC && !moves && !(op_compares(insn->op) && !slow_is_float(type))) || type != slow_result_type(insn))
        return x;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (slow_reader_operand(&r, n)->kind == OPND_EXTENDED)
            return x;
    if (op_compares(insn->op) && !slow_is_float(type)) {
        x.truth = true;
    } else if (type == DT_S64) {
        x.sign = (uint16_t)slow_look_of_long(&r);
    } else if (slow_is_word_type(type) && insn->op == OP_MOV && !(slow_reader_operand(&r, 0)->flags & OPND_SIGNS) && slow_held(k, slow_reader_operand(&r, 0), c)) {
        x = slow_held(k, slow_reader_operand(&r, 0), c)->look;
        x.made = false;
    } else if (slow_is_word_type(type)) {
        x = slow_look_of_integer(&r);
    } else if (type == DT_F32) {
        x.sign = NOT_BELOW;
        if (insn->op != OP_ABS)
            x = insn->op == OP_MOV ? slow_reader_source(&r, 0, type) : of_float(&r);
        x.sum = alone ? 0 : x.sum;
    }
    return x;
}

static bool is_parameter(const struct slow_reader *r, unsigned n)
{
    const struct operand *o = slow_reader_operand(r, n);
    const struct slow_known *held = slow_held(r->k, o, r->c);
    if (operand_has_sign(o) || (o->kind != OPND_SYMBOL && o->kind != OPND_BINDING))
        return false;
    return held ? held->look.sign & PARAMETER : !slow_in_register(r->k->p, o);
}

static bool copies_parameter(const struct slow_reader *r)
{
    const struct insn *insn = r->insn;
    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return false;
    if (insn->op == OP_MOV)
        return is_parameter(r, 0);
    for (unsigned n = 0; insn->op == OP_MUL && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && n < 2; n++)
        if (slow_reader_operand(r, n)->kind == OPND_CONSTANT && unit(r, n) > 0)
            return is_parameter(r, 1 - n);
    return false;
}

struct slow_look slow_look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_look x = look_at_result(k, insn, c);
    const struct slow_reader r = {k, insn, c};
    x.sign = (uint16_t)((x.sign & ~PARAMETER) | (copies_parameter(&r) ? PARAMETER : 0));
    return x;
}

bool slow_compares_absolute(const struct slow_knowledge *k, const struct insn *insn, unsigned c, uint64_t *bits)
{
    struct slow_reader r = {k, insn, c};
    unsigned op = insn->op, n = op == OP_SGT || op == OP_SLE;
    for (unsigned i = 0; (insn->type == DT_S64 || insn->type == DT_S32) && op_compares(op) && i < 2; i++) {
        const struct operand *a = slow_reader_operand(&r, i), *b = slow_reader_operand(&r, 1 - i);
        struct slow_known v;
        bool less = op == OP_SNE || op == (i ? OP_SGT : OP_SLT) || op == (i ? OP_SGE : OP_SLE);
        if (!(a->flags & OPND_ABSOLUTE && a->flags & OPND_NEGATE && a->kind != OPND_EXTENDED && b->kind != OPND_EXTENDED) ||
            slow_known_operand(k, a, c, insn->type, &v) || !slow_known_operand(k, b, c, insn->type, &v))
            continue;
        if (insn->type == DT_S64 ? v.bits >> 63 : v.bits != 0) {    /* the negative of one is below it, even where it is below 0 */
            *bits = !less ? 0 : insn->type == DT_S64 ? ~0ull : UINT32_MAX;
            return true;
        }
        if (insn->type == DT_S32 && (op == (i ? OP_SGE : OP_SLE) || op == (i ? OP_SLT : OP_SGT))) {     /* not above 0 */
            *bits = less ? UINT32_MAX : 0;
            return true;
        }
    }
    if (insn->type != DT_S32 || (op != OP_SLT && op != OP_SGE && op != OP_SGT && op != OP_SLE) ||
        slow_reader_operand(&r, 0)->kind == OPND_EXTENDED || slow_reader_operand(&r, 1)->kind == OPND_EXTENDED || !slow_reader_number(&r, 1 - n, 0) ||
        !(slow_reader_source(&r, n, DT_S32).sign & WHOLE))
        return false;
    *bits = op == OP_SGE || op == OP_SLE ? UINT32_MAX : 0;
    return true;
}

bool slow_chooses_last(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_reader r = {k, insn, c};
    return insn->op == OP_CMP && insn->type == DT_S64 && slow_held(k, slow_reader_operand(&r, 0), c) && slow_reader_source(&r, 0, DT_S64).sign & LONG_WHOLE;
}

/* The sum whose side component c of an SGT or SLT asks for. */
static uint32_t asked(const struct slow_reader *r, bool *below)
{
    unsigned op = r->insn->op;
    if ((op != OP_SGT && op != OP_SLT) || r->insn->type != DT_F32 || r->insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    for (unsigned n = 0; n < 2; n++) {
        struct slow_known zero;
        if (slow_reader_operand(r, n)->kind == OPND_EXTENDED || !slow_known_operand(r->k, slow_reader_operand(r, 1 - n), r->c, DT_F32, &zero) || zero.bits << 33 ||
            !slow_reader_look_at(r, slow_reader_operand(r, n), r->c, DT_F32).sum)
            continue;
        *below = (op == OP_SLT) != (n == 1);
        return slow_reader_look_at(r, slow_reader_operand(r, n), r->c, DT_F32).sum;
    }
    return 0;
}

/* A sum with .SAT of 1 or more and of what is not below zero. */
static bool is_above(const struct slow_reader *r)
{
    struct insn plain = *r->insn;
    unsigned term[2];
    bool minus[2];
    plain.flags &= (uint32_t)~INSN_SAT;
    if (r->insn->cc_update && (condition_restricts(&r->insn->dst.condition) || slow_sets_flags_alone(r->k->p, r->insn)))
        return false;
    if (!(r->insn->flags & INSN_SAT) || r->insn->dst.kind != OPND_SYMBOL ||
        program_symbol(r->k->p->text, r->insn->dst.ref)->size != SIZE_DEFAULT || !slow_terms(r->k, &plain, r->c, term, minus))
        return false;
    for (unsigned n = 0; n < 2; n++) {
        struct slow_look other = slow_reader_source(r, term[1 - n], DT_F32);
        struct slow_known v;
        uint32_t word;
        if (slow_reader_operand(r, term[n])->kind == OPND_EXTENDED ||
            !slow_known_operand(r->k, slow_reader_operand(r, term[n]), slow_reader_component(r, term[n]), DT_F32, &v))
            continue;
        word = (uint32_t)v.bits ^ (minus[n] ? 0x80000000 : 0);
        other = minus[1 - n] ? turned(other) : other;
        if (word >= 0x3f800000 && word <= 0x7f800000 && other.sign & NOT_BELOW)
            return true;
    }
    return false;
}

/* What place `place` is told of component c, whose result is known as `v` and `x` say. */
/* A number that stands in the text, where the instruction copies, rounds or converts that: parameters too, but not their complements. */
static bool is_shown(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool rounds = insn->op == OP_ROUND || insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC;
    if (!o || !(rounds || insn->op == OP_MOV || insn->op == OP_CVT || insn->op == OP_NOT))
        return false;
    return o->kind == OPND_CONSTANT || (o->kind == OPND_SYMBOL && insn->op != OP_NOT && program_symbol(p->text, o->ref)->kind != SYM_TEMP);
}

void slow_note_answers(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *v, struct slow_look x,
                       struct slow_place *place)
{
    struct slow_reader r = {k, insn, c};
    struct slow_answers *a = &place->answers;
    unsigned type = slow_result_type(insn);
    uint8_t bit = (uint8_t)(1u << c);
    bool below = false;
    uint32_t sum = asked(&r, &below);
    bool known = v->known && !v->weak;
    place->above |= is_above(&r) ? bit : 0;
    place->flags_above |= insn->cc_update && is_above(&r) ? bit : 0;
    if (sum) {
        place->asks |= bit;
        place->less |= below ? bit : 0;
        place->uses[c] = sum;
    }
    for (unsigned n = 0; insn->cc_update && slow_op_adds(insn->op) && !slow_is_float(insn->type) && n < insn->nsrc; n++) {
        struct operand plain = *slow_reader_operand(&r, n);
        struct slow_known number;
        if (plain.kind == OPND_EXTENDED)
            continue;
        if (slow_known_operand(k, &plain, slow_reader_component(&r, n), slow_operand_type(insn, n), &number) && !number.weak)
            place->number[n] |= bit;
        plain.flags &= (uint16_t)~OPND_NEGATE;
        if (insn->type == DT_S64 && slow_reader_look_at(&r, &plain, slow_reader_component(&r, n), DT_S64).sign & LONG_WHOLE)
            place->absolute[n] |= bit;
    }
    if (!insn->cc_update)
        return;
    if (known && !(type == DT_F32 && insn->flags & INSN_PREC)) {
        bool more = k->p->several >> ((insn->cc_update - 1) * 4 + c) & 1, tested = condition_restricts(&insn->dst.condition);
        bool shown = v->loose || insn->op == OP_STR || is_shown(k->p, insn);
        if (slow_apart(k->p, insn))
            return;             /* the machine's flags */
        a->positive |= type != DT_F32 && !v->elsewhere && ((type == DT_U32 && !slow_op_adds(insn->op)) || insn->op == OP_MOD || (type == DT_U64 && slow_is_narrowed(k->p, insn))) ? bit : 0;
        a->signless |= more && (type == DT_F32 || type == DT_S32 || slow_is_narrowed(k->p, insn)) && slow_is_number(k->p, insn, v) && (!tested || shown) ? bit : 0;
    } else if (type == DT_F32) {
        a->not_below |= x.sign & NOT_BELOW ? bit : 0;
        a->above |= x.sign & ABOVE ? bit : 0;
        a->below |= x.sign & BELOW ? bit : 0;
        a->sum[c] = x.sum;
    } else if (x.sign & (type == DT_S64 ? LONG_WHOLE : WHOLE)) {
        a->no_sign |= bit;
        a->not_below |= slow_op_adds(insn->op) ? 0 : bit;
    } else if (slow_op_adds(insn->op) && x.sign & (type == DT_S64 ? MINUS_LONG : MINUS_WHOLE)) {
        a->not_above |= bit;
    }
}
