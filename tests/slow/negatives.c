/* What is known of integers that are not known themselves: absolute values, negatives, truths, and copies of these. */
#include "tests/slow/looks.h"

/* What LDB.F32 and LDB.S32 fill in is no number here. */
bool slow_reader_number(const struct slow_reader *r, unsigned n, uint32_t word)
{
    struct slow_known v;
    return slow_known_operand(r->k, slow_reader_operand(r, n), slow_reader_component(r, n), r->insn->type, &v) && !(v.faint && v.loose) && (uint32_t)v.bits == word;
}

int slow_copied_integer(const struct slow_reader *r)
{
    switch (r->insn->op) {
    case OP_MOV: return 0;
    case OP_ADD: case OP_OR: case OP_XOR: return slow_reader_number(r, 1, 0) || (r->insn->op == OP_OR && slow_reader_alike(r, 0, r->c)) ? 0 : slow_reader_number(r, 0, 0) ? 1 : -1;
    case OP_SUB: case OP_SHR: case OP_SHL: return slow_reader_number(r, 1, 0) ? 0 : -1;
    case OP_AND: return slow_reader_number(r, 1, UINT32_MAX) || slow_reader_alike(r, 0, r->c) ? 0 : slow_reader_number(r, 0, UINT32_MAX) ? 1 : -1;
    case OP_MUL: return slow_reader_number(r, 1, 1) ? 0 : slow_reader_number(r, 0, 1) ? 1 : -1;
    case OP_DIV: return slow_reader_number(r, 1, 1) ? 0 : -1;
    case OP_MAD: return !slow_reader_number(r, 2, 0) ? -1 : slow_reader_number(r, 1, 1) ? 0 : slow_reader_number(r, 0, 1) ? 1 : -1;
    case OP_MIN: case OP_MAX: return slow_reader_alike(r, 0, r->c) ? 0 : -1;
    case OP_CMP: return slow_reader_alike(r, 1, r->c) ? 1 : -1;
    default: return -1;
    }
}

/* The operand that is taken from 0, or -1. */
static int taken_from_zero(const struct slow_reader *r)
{
    unsigned last = r->insn->op == OP_SUB;
    if (r->insn->op != OP_ADD && r->insn->op != OP_SUB)
        return -1;
    for (unsigned n = 0; n < 2; n++) {
        unsigned k = 1 - n;     /* where both are 0 it does not matter */
        struct slow_known v;
        bool minus = slow_reader_operand(r, n)->flags & OPND_NEGATE;
        if (n == 1 && last)
            minus = !minus;
        if (slow_known_operand(r->k, slow_reader_operand(r, k), slow_reader_component(r, k), r->insn->type, &v) && !v.bits)
            return minus ? (int)n : -1;
    }
    return -1;
}

/* What an operand is but for its last sign. */
static unsigned plain_sign(const struct slow_reader *r, unsigned n)
{
    struct operand o = *slow_reader_operand(r, n);
    o.flags &= (uint16_t)~OPND_NEGATE;
    return slow_reader_look_at(r, &o, slow_reader_component(r, n), r->insn->type).sign;
}

static unsigned of_negative(const struct slow_reader *r)
{
    unsigned written = r->insn->type == DT_S32 ? MINUS_S : r->insn->type == DT_U32 ? MINUS_U : 0;
    int n = taken_from_zero(r);
    if (r->insn->op == OP_MOV)
        return slow_reader_operand(r, 0)->flags & OPND_NEGATE ? written & ~plain_sign(r, 0) : 0;
    if (written && (r->insn->op == OP_MUL || (r->insn->op == OP_MAD && slow_reader_number(r, 2, 0)))) {
        n = slow_reader_number(r, 0, UINT32_MAX) ? 1 : slow_reader_number(r, 1, UINT32_MAX) ? 0 : -1;
        bool negative = n >= 0 && r->insn->type == DT_S32 && slow_reader_operand(r, (unsigned)n)->flags & OPND_NEGATE && plain_sign(r, (unsigned)n) & WHOLE;
        return (negative ? WHOLE : 0) |     /* of -|a| it is |a| */
               (n < 0 || r->insn->op == OP_MAD ? 0 : MINUS_S);
    }
    if (n < 0)
        return 0;
    if (plain_sign(r, (unsigned)n) & LONG_WHOLE)
        return MINUS_LONG;
    return written | (plain_sign(r, (unsigned)n) & WHOLE ? MINUS_WHOLE : 0);
}

struct slow_look slow_look_of_integer(const struct slow_reader *r)
{
    int n = slow_copied_integer(r), from = r->insn->op == OP_ABS ? 0 : r->insn->op == OP_SUB && slow_reader_number(r, 0, 0) ? 1 : n;
    struct slow_look x = {0};
    unsigned sign = n < 0 ? 0 : slow_reader_source(r, (unsigned)n, r->insn->type).sign;
    if (from >= 0)
        x.truth = slow_reader_source(r, (unsigned)from, r->insn->type).truth;
    if (r->insn->op == OP_ABS)
        x.sign = r->insn->type == DT_S32 ? WHOLE : 0;
    else
        x.sign = (uint16_t)(of_negative(r) | (r->insn->op == OP_MOV ? sign : sign & ~(unsigned)(MINUS_S | MINUS_U | MINUS_WHOLE)));
    return x;
}

/* Of 64 bits. */
unsigned slow_look_of_long(const struct slow_reader *r)
{
    struct slow_known v;
    bool zero[3];
    int n = r->insn->op == OP_MOV ? 0 : -1;
    for (unsigned i = 0; i < 3; i++)
        zero[i] = i < r->insn->nsrc && slow_known_operand(r->k, slow_reader_operand(r, i), slow_reader_component(r, i), DT_S64, &v) && !v.bits;
    if (r->insn->op == OP_ABS)
        return LONG_WHOLE;
    if ((r->insn->op == OP_ADD || r->insn->op == OP_SUB) && taken_from_zero(r) < 0)
        n = zero[1] ? 0 : zero[0] && r->insn->op == OP_ADD ? 1 : -1;
    else if (r->insn->op == OP_MAD && zero[2])
        n = slow_reader_number(r, 1, 1) ? 0 : slow_reader_number(r, 0, 1) ? 1 : -1;
    return of_negative(r) | (n < 0 ? 0u : slow_reader_source(r, (unsigned)n, DT_S64).sign);
}

bool slow_is_negative(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    const struct slow_known *held = slow_held(k, o, c);
    if (held && insn->type == DT_U32 && o->flags & OPND_NEGATE && !(o->flags & OPND_ABSOLUTE) && held->look.sign & PARAMETER)
        return true;        /* of the parameter's: that is not below 0 */
    return held && slow_is_word_type(insn->type) && !(o->flags & OPND_ABSOLUTE) && held->look.sign & (insn->type == DT_S32 ? MINUS_S : MINUS_U);
}
