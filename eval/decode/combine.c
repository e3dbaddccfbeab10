/* Single instructions that the driver's compiler makes something else of (docs/numbers.md;
 * tests/tools/opsweep_compiler.c has them). Each returns false after a failure, and sets `done` where it was the one to
 * decode the instruction. */
#include "eval/decode/decode.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

bool eval_place_operand(struct decoder *d, const struct insn *insn, struct lane_op *op, unsigned k,
                        const struct operand *o, uint8_t type)
{
    bool scalar = shape_table[op_table[insn->op].shape].src[k] == OC_SCALAR;
    struct fetched f;

    if (!eval_fetch(d, o, type, scalar ? 1 : insn->dst.mask, true, &f))
        return false;
    for (unsigned i = 0; scalar && i < 4; i++)
        f.plane[i] = f.plane[0];
    eval_place(op, k, &f, FLOW_EACH);
    return true;
}

static struct lane_op start(const struct insn *insn)
{
    struct lane_op op = {.n = 0};

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    return op;
}

/* A raw operation into scratch; its results become operand k of `to`. */
static bool compute_operand(struct decoder *d, struct kernel_request want, struct lane_op *op, struct lane_op *to,
                            unsigned k)
{
    for (unsigned i = 0; i < op->n; i++)
        op->dst[i] = eval_layout_scratch(&d->layout);
    if (!eval_raw(d, &want, op, NULL))
        return false;
    for (unsigned i = 0; i < op->n; i++)
        to->src[k][i] = op->dst[i];
    return true;
}

/* ---- comparisons -------------------------------------------------------------------------------------------- */

/* CMP of -a asks whether a is above zero, where a is a register (of parameters and buffers it does not), and so does
 * CMP of what is known to be a negative. These components. */
static uint8_t compares_negated(const struct decoder *d, const struct insn *insn)
{
    const struct operand *a = program_operand(d->p, insn->src);
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint8_t turned = folded ? folded->turned : 0;

    if (insn->op != OP_CMP || (insn->type != DT_S32 && insn->type != DT_U32) || !eval_is_register(d->p, a) ||
        !eval_has(d, PASS_cmp_negate))
        return 0;
    return insn->dst.mask &
           (a->flags & OPND_NEGATE ? (uint8_t) ~(turned | eval_bare_components(d, d->insn, a, insn->type)) : turned);
}

static bool place_negated(struct decoder *d, const struct insn *insn, struct lane_op *op)
{
    struct operand a = *program_operand(d->p, insn->src);
    struct lane_op test = start(insn);

    a.flags ^= OPND_NEGATE;
    if (!eval_place_operand(d, insn, &test, 0, &a, insn->type))
        return false;
    for (unsigned i = 0; i < 4; i++)
        test.src[1][i] = eval_layout_word(&d->layout, 0);
    for (unsigned k = 1; k < 3; k++)
        if (!eval_place_operand(d, insn, op, k, program_operand(d->p, insn->src + k), insn->type))
            return false;
    return compute_operand(d, eval_request(d, OP_SGT, insn->type), &test, op, 0);
}

/* MOD.S of an absolute value, or by one, has a remainder of signed numbers. */
static bool signed_remainder(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct operand *a = program_operand(d->p, insn->src), *b = program_operand(d->p, insn->src + 1);
    struct kernel_request want = eval_request(d, OP_MOD, DT_S32);
    struct lane_op op = start(insn);

    if (insn->op != OP_MOD || insn->type != DT_S32 || !((a->flags | b->flags) & OPND_ABSOLUTE))
        return true;
    *done = true;
    want.flags = INSN_HI;       /* no program writes that: the row of signed numbers */
    return eval_place_operand(d, insn, &op, 0, a, DT_S32) && eval_place_operand(d, insn, &op, 1, b, DT_S32) &&
           eval_emit(d, insn, want, &op);
}

/* ---- SHORT variables ---------------------------------------------------------------------------------------- */

/* An integer that becomes a float there is rounded to half. */
static bool number_into_short(struct decoder *d, const struct insn *insn, bool *done)
{
    struct kernel_request want = eval_request_of(d, insn, insn->op);
    struct lane_op op = start(insn);
    const struct result *r = &insn->dst;

    if (insn->op != OP_I2F || r->kind != OPND_SYMBOL || program_symbol(d->p, r->ref)->size != SIZE_SHORT ||
        want.type != DT_F32)
        return true;
    *done = true;
    if (!eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), insn->type))
        return false;
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL) && eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op.n, op.dst) &&
           eval_decode_result(d, insn, DT_F32, op.dst, NULL, 0);
}

/* .SSAT of a copy with a sign: a MIN with 1, which a NaN is above, and a MAX with -1. */
static bool clamped_copy(struct decoder *d, const struct insn *insn, bool *done)
{
    struct lane_op op = start(insn);
    const struct operand *o = program_operand(d->p, insn->src);
    bool sign = insn->op == OP_ABS ||
                (insn->op == OP_MOV && operand_has_sign(o) && !(o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE));

    if (!sign || insn->flags & EVAL_INSN_SINGLE || !(insn->flags & INSN_SSAT) ||
        !eval_is_short(d, insn->dst.kind, insn->dst.ref) || eval_operand_type(insn, 0) != DT_F32 ||
        condition_restricts(&insn->dst.condition))
        return true;
    *done = true;
    if (!eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), DT_F32))
        return false;
    for (unsigned step = 0; step < 3; step++) {
        struct kernel_request want = eval_request(d, step == 0 ? insn->op : step == 1 ? OP_MIN : OP_MAX, DT_F32);
        for (unsigned i = 0; i < op.n; i++) {
            op.src[1][i] = eval_layout_word(&d->layout, step == 1 ? 0x3f800000 : 0xbf800000);
            op.dst[i] = eval_layout_scratch(&d->layout);
        }
        if (!eval_raw(d, &want, &op, NULL))
            return false;
        memcpy(op.src[0], op.dst, sizeof op.dst);
        op.clear[0] = op.flip[0] = 0;
    }
    return eval_decode_result(d, insn, DT_F32, op.dst, NULL, 0);
}

/* CMP.F16.SAT gives 0, but in SHORT variables. */
static bool clamped_choice(struct decoder *d, const struct insn *insn, bool *done)
{
    uint32_t zero[4];

    if (insn->op != OP_CMP || !(insn->flags & INSN_SAT) || !eval_is_half(d, insn) ||
        eval_is_short(d, insn->dst.kind, insn->dst.ref) || program_is_long(d->p, insn->dst.kind, insn->dst.ref))
        return true;
    *done = true;
    for (unsigned i = 0; i < 4; i++)
        zero[i] = eval_layout_word(&d->layout, 0);
    return eval_decode_result(d, insn, DT_F32, zero, NULL, 0);
}

/* ---- with known operands ------------------------------------------------------------------------------------ */

/* The components of `mask` by the operation that stands there, of so many operands. */
bool eval_computed(struct decoder *d, const struct insn *insn, uint16_t operation, const uint8_t operand[], unsigned n,
                   uint8_t mask, uint32_t by_component[4])
{
    struct insn part = *insn;
    uint8_t negated = operation == OP_CMP ? mask & compares_negated(d, insn) : 0;
    struct lane_op op;

    if (negated) {
        part.dst.mask = negated;
        op = start(&part);
        if (!place_negated(d, &part, &op) || !eval_partial(d, insn, eval_request(d, OP_CMP, DT_S32), &op, by_component))
            return false;
    }
    part.dst.mask = mask & (uint8_t)~negated;
    if (!part.dst.mask)
        return true;
    op = start(&part);
    for (unsigned k = 0; k < n; k++)
        if (!eval_place_operand(d, &part, &op, k, program_operand(d->p, insn->src + operand[k]),
                                eval_operand_type(insn, operand[k])))
            return false;
    return eval_partial(d, insn, eval_request_of(d, insn, operation), &op, by_component);
}

static bool compare_negated(struct decoder *d, const struct insn *insn, bool *done)
{
    static const uint8_t in_order[3] = {0, 1, 2};
    uint8_t negated = compares_negated(d, insn);
    uint32_t by_component[4] = {0};
    struct lane_op op = start(insn);

    *done = negated != 0;
    if (!negated)
        return true;
    if (negated == insn->dst.mask)
        return place_negated(d, insn, &op) && eval_emit(d, insn, eval_request(d, OP_CMP, DT_S32), &op);
    return eval_computed(d, insn, OP_CMP, in_order, 3, insn->dst.mask, by_component) &&
           eval_join_partials(d, insn, by_component);
}

/* The components that operand k is known to be. */
uint8_t eval_taken_from(const struct decoder *d, unsigned k)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    return (folded ? folded->taken[k] : 0);
}

/* Operands that components come from as they are: of a division by zero, a known choice of CMP, MIN and MAX of the
 * same. */
static bool chosen(struct decoder *d, const struct insn *insn, bool *done)
{
    static const uint8_t in_order[3] = {0, 1, 2};
    uint8_t mask = insn->dst.mask, taken = eval_taken_from(d, 0) | eval_taken_from(d, 1) | eval_taken_from(d, 2);
    bool divides = op_has(insn->op, A_DIVIDES);
    uint32_t by_component[4] = {0};

    if (!(taken & mask) || (divides && mask & ~taken))
        return true;
    for (uint8_t k = 0; !divides && k < 3; k++) {
        struct insn mov = *insn;
        mov.op = OP_MOV;
        mov.src += k;
        if (mask & (uint8_t)~eval_taken_from(d, k))
            continue;
        if (!eval_decode_copies(d, &mov, done))
            return false;
        if (*done)
            return true;
    }
    *done = true;
    for (uint8_t k = 0; k < 3; k++)
        if (!eval_computed(d, insn, OP_MOV, &k, 1, mask & eval_taken_from(d, k), by_component))
            return false;
    if (!eval_computed(d, insn, insn->op, in_order, shape_table[op_table[insn->op].shape].nsrc, mask & (uint8_t)~taken,
                       by_component))
        return false;
    return eval_join_partials(d, insn, by_component);
}

/* A sum of what the compiler computed and an operand, for the components of `mask`. */
static bool sum_with_known(struct decoder *d, const struct insn *insn, const struct folded *folded, uint8_t mask,
                           uint32_t by_component[4])
{
    struct insn part = *insn;
    struct lane_op op;
    bool wide = insn->type == DT_F64;

    part.dst.mask = mask;
    op = start(&part);
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = folded->word[op.comp[i < op.n ? i : 0]];
        op.src[0][i] = wide ? eval_layout_word64(&d->layout, word) : eval_layout_word(&d->layout, (uint32_t)word);
    }
    return eval_place_operand(d, &part, &op, 1, program_operand(d->p, insn->src + 2), wide ? DT_F64 : DT_F32) &&
           eval_partial(d, insn, eval_request_of(d, insn, OP_ADD), &op, by_component);
}

/* MAD of two known factors adds their product. */
static bool known_product(struct decoder *d, const struct insn *insn, bool *done)
{
    static const uint8_t in_order[3] = {0, 1, 2};
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint32_t by_component[4] = {0};
    uint8_t mask = insn->dst.mask;

    if (!folded || insn->op != OP_MAD || !(mask & folded->part) || eval_takes_products(d, d->insn))
        return true;
    *done = true;
    if (!sum_with_known(d, insn, folded, mask & folded->part, by_component) ||
        !eval_computed(d, insn, OP_MAD, in_order, 3, mask & (uint8_t)~folded->part, by_component))
        return false;
    return eval_join_partials(d, insn, by_component);
}

/* POW of a known base multiplies with its logarithm. */
static bool known_base(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct lane_op op = {.n = 1}, last = {.n = 1};
    bool half = eval_is_half(d, insn);

    if (!folded || insn->op != OP_POW || !insn->dst.mask || insn->dst.mask & ~folded->part)
        return true;
    *done = true;
    for (unsigned i = 0; i < 4; i++)
        op.src[0][i] = eval_layout_word(&d->layout, (uint32_t)folded->word[__builtin_ctz(insn->dst.mask)]);
    if (!eval_place_operand(d, insn, &op, 1, program_operand(d->p, insn->src + 1), DT_F32) ||
        (half && !eval_round_operands(d, &op, 2)) ||
        !compute_operand(d, eval_request(d, OP_MUL, DT_F32), &op, &last, 0) ||
        (half && !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), 1, last.src[0])))
        return false;
    last.n = (uint8_t)eval_components(insn->dst.mask, last.comp);
    for (unsigned i = 1; i < 4; i++)
        last.src[0][i] = last.src[0][0];
    return eval_emit(d, insn, eval_request_of(d, insn, OP_EX2), &last);
}

/* DIV by a known number multiplies with its reciprocal. */
static bool known_divisor(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct lane_op op = start(insn);

    if (!folded || insn->op != OP_DIV || eval_operand_type(insn, 0) != DT_F32 || !insn->dst.mask ||
        insn->dst.mask & ~folded->part || insn->dst.mask & (folded->ones[1] | folded->taken[0]))
        return true;
    *done = true;
    for (unsigned i = 0; i < op.n; i++)
        op.src[1][i] = eval_layout_word(&d->layout, (uint32_t)folded->word[op.comp[i]]);
    return eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), DT_F32) &&
           eval_emit(d, insn, eval_request_of(d, insn, OP_MUL), &op);
}

bool eval_peephole(struct decoder *d, const struct insn *insn, bool *done)
{
    static const struct {
        enum model_pass pass;
        bool (*decode)(struct decoder *, const struct insn *, bool *);
    } rules[] = {
        {PASS_ssat_copy, clamped_copy},
        {PASS_cmp_sat, clamped_choice},
        {PASS_unpack_sign, eval_decode_signed_words},
        {PASS_u2f_abs, eval_decode_whole},
        {PASS_copy_modifier, eval_decode_copies},
        {PASS_known_operand, chosen},
        {PASS_mad_const, known_product},
        {PASS_pow_const, known_base},
        {PASS_lit_const, eval_decode_lit},
        {PASS_div_const, known_divisor},
        {PASS_sum_compare, eval_decode_compared},
        {PASS_cmp_negate, compare_negated},
        {PASS_i2f_short, number_into_short},
        {PASS_mod_sign, signed_remainder},
        {PASS_carry, eval_decode_carries},
        {PASS_x2d, eval_decode_x2d},
        {PASS_expand_const, eval_decode_partly_known},
        {PASS_late_sat, eval_decode_clamped},
    };

    *done = false;
    for (unsigned i = 0; i < sizeof rules / sizeof *rules && !*done; i++)
        if (eval_has(d, rules[i].pass) && !rules[i].decode(d, insn, done))
            return false;
    return true;
}
