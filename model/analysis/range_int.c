/* What is known of integers that are not known themselves: negatives, absolute values, masked ones, and copies of these
 * (range.c). */
#include "model/analysis/range_internal.h"

/* Not what LDB.F32 or LDB.S32 filled in. */
static bool is_number(const struct range_reader *r, unsigned n, uint32_t word)
{
    const struct known_value *held = eval_known_held(r->k, eval_reader_operand(r, n), eval_reader_component(r, n));
    uint64_t known;

    return !(held && held->faint && held->loose) &&
           eval_known_operand(r->k, eval_reader_operand(r, n), eval_reader_component(r, n), r->insn->type, &known) &&
           (uint32_t)known == word;
}

static bool is_zero(const struct range_reader *r, unsigned n)
{
    uint64_t known;

    return eval_known_operand(r->k, eval_reader_operand(r, n), eval_reader_component(r, n), r->insn->type, &known) &&
           !known;
}

int eval_copied_integer(const struct range_reader *r)
{
    switch (r->insn->op) {
    case OP_MOV: return 0;
    case OP_ADD: case OP_OR:
    case OP_XOR:
        return is_number(r, 1, 0) || (r->insn->op == OP_OR && eval_reader_same(r, r->component)) ? 0
               : is_number(r, 0, 0)                                                              ? 1
                                                                                                 : -1;
    case OP_SUB: case OP_SHR: case OP_SHL: return is_number(r, 1, 0) ? 0 : -1;
    case OP_AND:
        return is_number(r, 1, UINT32_MAX) || eval_reader_same(r, r->component) ? 0
               : is_number(r, 0, UINT32_MAX)                                    ? 1
                                                                                : -1;
    case OP_MUL: return is_number(r, 1, 1) ? 0 : is_number(r, 0, 1) ? 1 : -1;
    case OP_MAD: return !is_number(r, 2, 0) ? -1 : is_number(r, 1, 1) ? 0 : is_number(r, 0, 1) ? 1 : -1;
    case OP_DIV: return is_number(r, 1, 1) ? 0 : -1;
    case OP_MIN: case OP_MAX: return eval_reader_same(r, r->component) ? 0 : -1;
    case OP_CMP:
        return eval_known_same(r->k, eval_reader_operand(r, 1), eval_reader_operand(r, 2), r->component, r->component)
                   ? 1
                   : -1;
    default: return -1;
    }
}

/* The operand that is subtracted from 0, or -1. */
static int subtracted(const struct range_reader *r)
{
    int n = r->insn->op == OP_ADD   ? (is_zero(r, 1) ? 0 : is_zero(r, 0) ? 1 : -1)
            : r->insn->op == OP_SUB ? (is_zero(r, 0) ? 1 : is_zero(r, 1) ? 0 : -1)
                                    : -1;

    if (n < 0)
        return -1;
    return !(eval_reader_operand(r, (unsigned)n)->flags & OPND_NEGATE) == (r->insn->op == OP_SUB && n == 1) ? n : -1;
}

/* What an operand is without its last sign. */
static uint16_t unsigned_range(const struct range_reader *r, unsigned n)
{
    struct operand o = *eval_reader_operand(r, n);

    o.flags &= (uint16_t)~OPND_NEGATE;
    return range_of_operand(r->k, &o, eval_reader_component(r, n), r->insn->type).sign;
}

/* The factor of a product with -1, also one to which 0 is added, or -1. */
static int negated_factor(const struct range_reader *r)
{
    if (!eval_is_word(r->insn->type) || (r->insn->op != OP_MUL && (r->insn->op != OP_MAD || !is_number(r, 2, 0))))
        return -1;
    return is_number(r, 1, UINT32_MAX) ? 0 : is_number(r, 0, UINT32_MAX) ? 1 : -1;
}

/* Of the negative of an absolute value that is the absolute value. */
static bool negates_negative(const struct range_reader *r, unsigned n)
{
    return r->insn->type == DT_S32 && eval_reader_operand(r, n)->flags & OPND_NEGATE &&
           unsigned_range(r, n) & RANGE_WHOLE;
}

/* A result that is the negative of something. */
static uint16_t of_negative(const struct range_reader *r)
{
    uint16_t written = r->insn->type == DT_U32 ? RANGE_MINUS_U : r->insn->type == DT_S32 ? RANGE_MINUS_S : 0;
    int n = subtracted(r), factor = negated_factor(r);

    if (r->insn->op == OP_MOV)      /* the negative of a negative is a copy */
        return eval_reader_operand(r, 0)->flags & OPND_NEGATE ? written & (uint16_t)~unsigned_range(r, 0) : 0;
    if (factor >= 0)
        return (r->insn->op == OP_MUL ? RANGE_MINUS_S : 0) | (negates_negative(r, (unsigned)factor) ? RANGE_WHOLE : 0);
    if (n < 0)
        return 0;
    if (unsigned_range(r, (unsigned)n) & RANGE_WHOLE)
        written |= RANGE_MINUS_WHOLE;
    return unsigned_range(r, (unsigned)n) & RANGE_LONG ? RANGE_MINUS_LONG : written;
}

struct value_range range_of_integer(const struct range_reader *r)
{
    int n = eval_copied_integer(r), from = r->insn->op == OP_ABS                         ? 0
                                           : r->insn->op == OP_SUB && is_number(r, 0, 0) ? 1
                                                                                         : n;
    uint16_t copied = 0;
    struct value_range t = {0};

    if (from >= 0)
        t.truth = range_of_operand(r->k, eval_reader_operand(r, (unsigned)from),
                                        eval_reader_component(r, (unsigned)from), r->insn->type)
                      .truth;
    if (r->insn->op == OP_ABS)
        t.sign = r->insn->type == DT_S32 ? RANGE_WHOLE : 0;
    else if (n >= 0)
        copied = range_of_operand(r->k, eval_reader_operand(r, (unsigned)n), eval_reader_component(r, (unsigned)n),
                                       r->insn->type)
                     .sign;
    if (r->insn->op != OP_MOV)
        copied &= (uint16_t)~(RANGE_MINUS_S | RANGE_MINUS_U | RANGE_MINUS_WHOLE);
    t.sign |= of_negative(r) | copied;
    return t;
}

uint16_t eval_sign_of_long(const struct range_reader *r)
{
    unsigned n = 0;
    bool copies = r->insn->op == OP_MOV;

    if (r->insn->op == OP_ABS)
        return RANGE_LONG;
    if ((r->insn->op == OP_ADD || r->insn->op == OP_SUB) && subtracted(r) < 0) {
        copies = is_zero(r, 1) || (r->insn->op == OP_ADD && is_zero(r, 0));
        n = !is_zero(r, 1);
    } else if (r->insn->op == OP_MAD && is_zero(r, 2)) {
        copies = is_number(r, 1, 1) || is_number(r, 0, 1);
        n = !is_number(r, 1, 1);
    }
    return of_negative(r) |
           (copies ? range_of_operand(r->k, eval_reader_operand(r, n), eval_reader_component(r, n), DT_S64).sign
                   : 0);
}
