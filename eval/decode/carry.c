/* Sums of integers that set a condition code. The driver's compiler makes of each component one of a + b, a - b, b - a
 * and, where what is subtracted is a number that it knows, the sum with its negative, of which carry and overflow are
 * others: nothing is carried out of a + 0 (tests/tools/opsweep_flags.c). */
#include "eval/decode/decode.h"

#include <string.h>

/* An instruction, with its operands as planes, fetched when they are wanted: without and with the sign turned. */
struct adder {
    struct decoder *d;
    const struct insn *insn;
    const struct folded *folded;    /* or NULL */
    uint8_t comp[4];
    unsigned n;
    bool wide, ok;
    bool have[3][2];
    uint32_t plane[3][2][4];
    struct lane_op product;         /* of MAD and SAD: what comes before the addend */
};

static const struct operand *operand(const struct adder *a, unsigned n)
{
    return program_operand(a->d->p, a->insn->src + n);
}

static bool is_negated(const struct adder *a, unsigned n)
{
    return operand(a, n)->flags & OPND_NEGATE;
}

static bool is_number(const struct adder *a, unsigned n, unsigned i)
{
    return a->folded && a->folded->operands[n] >> a->comp[i] & 1;
}

static bool is_nonzero(const struct adder *a, unsigned n, unsigned i)
{
    return is_number(a, n, i) && a->folded->numbers[n][a->comp[i]];
}

static bool is_temporary(const struct adder *a, unsigned n)
{
    return operand(a, n)->kind == OPND_SYMBOL && program_symbol(a->d->p, operand(a, n)->ref)->kind == SYM_TEMP;
}

static uint8_t type_of(const struct adder *a, unsigned n)
{
    if (a->insn->op == OP_SAD && n == 2)
        return a->wide ? DT_U64 : DT_U32;
    return a->insn->type;
}

/* Operand n at the ith component without its sign, or with it turned from that. */
static uint32_t plane(struct adder *a, unsigned n, unsigned i, bool negative)
{
    struct operand o = *operand(a, n);
    struct lane_op op = {.n = (uint8_t)a->n};

    if (is_number(a, n, i)) {
        uint64_t word = a->folded->numbers[n][a->comp[i]];
        word = is_negated(a, n) != negative ? 0 - word : word;
        return a->wide ? eval_layout_word64(&a->d->layout, word) : eval_layout_word(&a->d->layout, (uint32_t)word);
    }
    if (!a->have[n][negative]) {
        memcpy(op.comp, a->comp, sizeof op.comp);
        o.flags = (uint16_t)((o.flags & ~OPND_NEGATE) | (negative ? OPND_NEGATE : 0));
        a->ok = a->ok && eval_place_operand(a->d, a->insn, &op, 0, &o, type_of(a, n));
        memcpy(a->plane[n][negative], op.src[0], sizeof op.src[0]);
        a->have[n][negative] = true;
    }
    return a->plane[n][negative][i];
}

/* What the compiler takes for the sign of an operand that is written with |.|: that of its upper word, which the least
 * number keeps. */
static void note_absolute(struct adder *a, unsigned n, unsigned i, unsigned term)
{
    struct kernel_request want = eval_request(a->d, OP_ABS, DT_S32);
    struct operand o = *operand(a, n);
    struct lane_op op = {.n = (uint8_t)a->n}, high = {.n = 1};

    if (!(o.flags & OPND_ABSOLUTE) || a->insn->type != DT_S64 || is_number(a, n, i) || a->insn->op == OP_SAD)
        return;
    memcpy(op.comp, a->comp, sizeof op.comp);
    o.flags &= (uint16_t)~(OPND_NEGATE | OPND_ABSOLUTE);
    a->ok = a->ok && eval_place_operand(a->d, a->insn, &op, 0, &o, DT_S64);
    for (unsigned k = 0; k < 4; k++)
        high.src[0][k] = op.src[0][i] + 1;
    high.dst[0] = a->d->other_carry.sign[term][i] = eval_layout_scratch(&a->d->layout);
    a->ok = a->ok && eval_raw(a->d, &want, &high, NULL);
}

/* Then overflow is found by signs; so are the orders and AB of a sum, but not of a difference, nor of a sum with a
 * number that is not 0. */
static void note_signs(struct adder *a, unsigned i, const uint32_t term[2], bool subtracts, bool number)
{
    struct other_carry *other = &a->d->other_carry;

    if (!other->sign[0][i] && !other->sign[1][i])
        return;
    for (unsigned n = 0; n < 2; n++)
        if (!other->sign[n][i])
            other->sign[n][i] = term[n] + 1;
    other->subtracted |= (uint8_t)(subtracts << i);
    other->exact |= (uint8_t)((subtracts || number) << i);
}

/* Whether a product is negative for a factor with a sign; that of a number is the number's. */
static bool negative_product(const struct adder *a, unsigned i)
{
    bool negative = false;

    for (unsigned n = 0; a->insn->op == OP_MAD && n < 2; n++) {
        if (a->wide && !program_is_long(a->d->p, operand(a, n)->kind, operand(a, n)->ref) &&
            (operand(a, n)->kind == OPND_BINDING
                 ? !is_negated(a, n)
                 : is_number(a, n, i) && !is_nonzero(a, n, i) && (!is_negated(a, n) || is_temporary(a, n))))
            return false;       /* a narrow factor that is 0, or may be known to be */
        negative ^= is_negated(a, n) && !is_number(a, n, i);
    }
    return negative;
}

/* What comes before the addend, at the ith component. */
static uint32_t product(struct adder *a, unsigned i)
{
    struct kernel_request want = eval_request(a->d, a->insn->op == OP_MAD ? OP_MUL : OP_SAD, a->insn->type);
    struct lane_op *op = &a->product;

    if (op->n)
        return op->dst[i];
    op->n = (uint8_t)a->n;
    memcpy(op->comp, a->comp, sizeof op->comp);
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned n = 0; n < 2; n++)
            op->src[n][k] = plane(a, n, k < a->n ? k : 0, is_negated(a, n));
        op->src[2][k] = eval_layout_word64(&a->d->layout, 0);
        op->dst[k] = eval_layout_scratch(&a->d->layout);
    }
    a->ok = a->ok && eval_raw(a->d, &want, op, NULL);
    return op->dst[i];
}

/* The ith component's addition: its terms; whether the second one is subtracted. Of a sum with a negated product, and
 * of a difference with an absolute value of 64 bits, the tests CF and NCF ask for the carry of the other: that is
 * another one where nothing is subtracted. */
static bool terms(struct adder *a, unsigned i, uint32_t term[2])
{
    bool sums = op_adds(a->insn->op), first, second, subtracts;
    unsigned last = sums ? 1 : 2, taken = last;     /* the operand that is subtracted */
    struct other_carry *other = &a->d->other_carry;

    if (!sums) {
        subtracts = is_negated(a, last);
        term[0] = product(a, i);
        if (!subtracts && negative_product(a, i))
            other->zero[i] = term[0];
    } else {
        first = is_negated(a, 0);
        second = is_negated(a, 1) != (a->insn->op == OP_SUB);
        subtracts = first || second;
        taken = first && !second ? 0 : 1;
        term[0] = plane(a, 1 - taken, i, first && second);
        if (!first || !second)
            note_absolute(a, 1 - taken, i, 0);
    }
    if (subtracts && is_number(a, taken, i)) {
        term[1] = plane(a, taken, i, true);
        note_signs(a, i, term, false, a->folded->numbers[taken][a->comp[i]]);
        return false;
    }
    term[1] = plane(a, taken, i, false);
    note_absolute(a, taken, i, 1);
    note_signs(a, i, term, subtracts, sums && (is_nonzero(a, 0, i) || is_nonzero(a, 1, i)));
    if (subtracts && a->insn->op != OP_SAD && a->insn->type == DT_S64 && operand(a, taken)->flags & OPND_ABSOLUTE)
        other->zero[i] = term[1];
    return subtracts;
}

/* Sums and differences beside each other: both of all components. */
static bool emit_both(struct adder *a, struct lane_op *op, uint8_t added)
{
    struct decoder *d = a->d;
    uint8_t type = a->insn->op == OP_SAD ? type_of(a, 2) : a->insn->type;
    struct kernel_request add = eval_request(d, OP_ADD, type), subtract = eval_request(d, OP_SUB, type);
    struct lane_op sum = *op;
    struct kernel k, other;
    uint32_t result[4] = {0}, at;

    for (unsigned i = 0; i < a->n; i++) {
        sum.dst[i] = eval_layout_scratch(&d->layout);
        op->dst[i] = eval_layout_scratch(&d->layout);
        result[i] = added >> i & 1 ? sum.dst[i] : op->dst[i];
    }
    if (!eval_raw(d, &add, &sum, &other))
        return false;
    d->other_carry.carry = other.carry;
    d->other_carry.op = (uint32_t)d->ops.count - 1;
    d->other_carry.of = added;
    if (!eval_raw(d, &subtract, op, &k))
        return false;
    at = (uint32_t)d->ops.count - 1;
    return eval_decode_result(d, a->insn, eval_result_type(a->insn), result, k.carry, at);
}

static bool fits(const struct adder *a)
{
    const struct insn *insn = a->insn;

    if (!insn->cc_update || type_table[insn->type].is_float ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24) || !eval_is_sum(insn->op) ||
        type_table[insn->type].bytes < 4)
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = operand(a, n);
        if (o->kind == OPND_EXTENDED || o->flags & OPND_NEGATE_INNER)
            return false;
    }
    return true;
}

bool eval_decode_carries(struct decoder *d, const struct insn *insn, bool *done)
{
    struct adder a = {.d = d, .insn = insn, .ok = true, .wide = type_table[insn->type].bytes == 8};
    struct lane_op op = {.n = 0};
    uint8_t added = 0;

    a.n = eval_components(insn->dst.mask, a.comp);
    if (!fits(&a) || !a.n)
        return true;
    a.folded = eval_folded_at(d, d->insn);
    *done = true;
    op.n = (uint8_t)a.n;
    memcpy(op.comp, a.comp, sizeof op.comp);
    for (unsigned i = 0; i < a.n; i++) {
        uint32_t term[2];
        added |= (uint8_t)(!terms(&a, i, term) << i);
        op.src[0][i] = term[0];
        op.src[1][i] = term[1];
    }
    if (!a.ok)
        return false;
    if (added && added != (1u << a.n) - 1)
        return emit_both(&a, &op, added);
    return eval_emit(d, insn,
                     eval_request(d, added ? OP_ADD : OP_SUB, insn->op == OP_SAD ? type_of(&a, 2) : insn->type), &op);
}
