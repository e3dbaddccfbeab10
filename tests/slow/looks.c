/* Signs of floats that are not known themselves, and which of them are sums (looks.h). */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

struct slow_look slow_turned_look(struct slow_look x)
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
    if (slow_is_bare(r->k, o, c, type))
        return x;
    if (o->flags & OPND_ABSOLUTE) {
        x.sum = 0;
        x.truth &= slow_is_word_type(type);
        x.sign = type == DT_F32 ? NOT_BELOW : type == DT_S32 ? WHOLE : type == DT_S64 ? LONG_WHOLE : x.sign;
    } else if (o->flags & OPND_NEGATE_INNER) {
        x = slow_turned_look(x);
    }
    return o->flags & OPND_NEGATE ? slow_turned_look(x) : x;
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

/* 1: by way of an array of temporaries that the text indexes by a register; 2: an element of such a one; 3: one that a register names which is not known. */
static unsigned of_an_array(const struct slow_reader *r, unsigned n, unsigned c)
{
    const struct operand *o = slow_reader_operand(r, n);
    const struct slow_known *v = slow_held(r->k, o, c);
    if (o->kind == OPND_SYMBOL && o->nindices && program_symbol(r->k->p->text, o->ref)->kind == SYM_TEMP)
        return program_index(r->k->p->text, o->index)->mode == INDEX_RELATIVE ? 3 : 0;
    return !v || !v->look.reached ? 0 : r->k->p->by_address && r->k->p->by_address[o->ref] ? 2 : 1;
}

/* The factors are one number: not where one is a copy that such an array holds, and the other what was copied. */
static bool is_square(const struct slow_reader *r, unsigned ca, unsigned cb)
{
    const struct operand *a = slow_reader_operand(r, 0), *b = slow_reader_operand(r, 1);
    unsigned x = of_an_array(r, 0, ca), y = of_an_array(r, 1, cb);
    if (slow_in_same_words(r->k, a, b, ca, cb))
        return x < 3;
    return (x == 0) == (y == 0) && x < 3 && y < 3 && x + y < 4 && slow_alike(r->k, a, b, ca, cb);
}

static bool squares(const struct slow_reader *r, unsigned n)
{
    bool all = true;
    for (unsigned c = 0; c < n; c++)
        all &= is_square(r, c, c);
    return all;
}

bool slow_adds_to_squares(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct slow_reader r = {k, insn, c};
    unsigned term[2];
    bool minus[2];
    if (insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC))
        return false;
    if (insn->op == OP_DP2A)
        return squares(&r, 2);
    return insn->op == OP_MAD && is_square(&r, c, c) && !slow_terms(k, insn, c, term, minus);
}

/* ---- floats ------------------------------------------------------------------------------------------------------------- */

/* Whether operand n is written as 1.0 (1) or -1.0 (-1); of factors also by the name of a parameter. */
int slow_reader_unit(const struct slow_reader *r, unsigned n)
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
        if (slow_reader_unit(&r, n)) {
            term[0] = 1 - n;
            term[1] = 2;
            minus[0] = slow_reader_unit(&r, n) < 0;
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
        if (r->insn->op == OP_MAD && is_square(r, r->c, r->c))
            x.sign = added(NOT_BELOW, slow_reader_source(r, 2, DT_F32).sign);
        return x;
    }
    a = slow_reader_source(r, term[0], DT_F32);
    b = slow_reader_source(r, term[1], DT_F32);
    a = minus[0] ? slow_turned_look(a) : a;
    b = minus[1] ? slow_turned_look(b) : b;
    return (struct slow_look){.sign = added(a.sign, b.sign), .sum = r->k->at == NO_INDEX ? 0 : (r->k->at + 1) << 3 | r->c};
}

static struct slow_look of_product(const struct slow_reader *r)
{
    struct slow_look x = {0};
    for (unsigned n = r->insn->op == OP_DIV; n < 2; n++)
        if (slow_reader_unit(r, n))
            return slow_reader_unit(r, n) < 0 ? slow_turned_look(slow_reader_source(r, 1 - n, DT_F32)) : slow_reader_source(r, 1 - n, DT_F32);
    if (r->insn->op != OP_DIV && is_square(r, slow_reader_component(r, 0), slow_reader_component(r, 1)))
        x.sign = NOT_BELOW;
    return x;
}

static uint8_t both(const struct slow_reader *r, unsigned m, unsigned n)
{
    unsigned sign = slow_reader_source(r, m, DT_F32).sign & slow_reader_source(r, n, DT_F32).sign & (NOT_BELOW | NOT_ABOVE);
    return sign & NOT_BELOW ? NOT_BELOW : (uint8_t)sign;
}

struct slow_look slow_look_of_float(const struct slow_reader *r)
{
    struct slow_look x = {0};
    struct slow_known v;
    switch (r->insn->op) {
    case OP_MUL: case OP_DIV: return of_product(r);
    case OP_ADD: case OP_SUB: case OP_MAD: return of_sum(r);
    case OP_MIN: case OP_MAX:
        if (slow_reader_alike(r, 0, r->c))
            return slow_reader_source(r, 0, DT_F32);
        x.sign = both(r, 0, 1);
        break;
    case OP_CMP:
        if (!(r->insn->flags & INSN_PREC) && slow_known_operand(r->k, slow_reader_operand(r, 0), r->c, DT_F32, &v))
            return slow_reader_source(r, v.bits >= 0x80800000u && v.bits <= 0xff800000u ? 1 : 2, DT_F32);
        x.sign = both(r, 1, 2);
        break;
    case OP_DP2: x.sign = squares(r, 2) ? NOT_BELOW : 0; break;
    case OP_DP3: x.sign = squares(r, 3) ? NOT_BELOW : 0; break;
    case OP_DP4: x.sign = squares(r, 4) ? NOT_BELOW : 0; break;
    case OP_DP2A: x.sign = squares(r, 2) ? added(NOT_BELOW, slow_reader_source(r, 2, DT_F32).sign) : 0; break;
    case OP_POW: x.sign = slow_reader_source(r, 0, DT_F32).sign & ABOVE && slow_reader_operand(r, 0)->kind == OPND_CONSTANT ? 0 : NOT_BELOW; break;
    case OP_EX2: x.sign = NOT_BELOW; break;
    case OP_DST:
        if (r->c == 1)
            x.sign = is_square(r, 1, 1) ? NOT_BELOW : 0;
        else if (r->c > 1)
            x.sign = slow_reader_source(r, r->c - 2, DT_F32).sign;
        break;
    default: break;
    }
    return x;
}
