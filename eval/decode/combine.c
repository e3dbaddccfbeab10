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

/* CMP of -a asks whether a is above zero, where a is a register (of parameters and buffers it does not). */
static bool compares_negated(const struct decoder *d, const struct insn *insn)
{
    const struct operand *a = program_operand(d->p, insn->src);

    return insn->op == OP_CMP && (insn->type == DT_S32 || insn->type == DT_U32) && eval_is_register(d->p, a) &&
           a->flags & OPND_NEGATE && eval_has(d, PASS_cmp_negate);
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
    struct kernel_request want;
    struct lane_op op;
    const struct result *r = &insn->dst;

    if (insn->op != OP_I2F)
        return true;
    want = eval_request_of(d, insn, insn->op);
    op = start(insn);
    if (r->kind != OPND_SYMBOL || program_symbol(d->p, r->ref)->size != SIZE_SHORT || want.type != DT_F32)
        return true;
    *done = true;
    if (!eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), insn->type))
        return false;
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL) && eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op.n, op.dst) &&
           eval_decode_result(d, insn, DT_F32, op.dst, NULL, 0);
}

/* ---- with known operands ------------------------------------------------------------------------------------ */

/* The components of `mask` by the operation that stands there, of so many operands. */
bool eval_computed(struct decoder *d, const struct insn *insn, uint16_t operation, unsigned n, uint8_t mask,
                   uint32_t by_component[4])
{
    struct insn part = *insn;
    struct lane_op op;

    part.dst.mask = mask;
    if (!mask)
        return true;
    op = start(&part);
    for (unsigned k = 0; k < n; k++)
        if (!eval_place_operand(d, &part, &op, k, program_operand(d->p, insn->src + k), eval_operand_type(insn, k)))
            return false;
    return eval_partial(d, insn, eval_request_of(d, insn, operation), &op, by_component);
}

static bool compare_negated(struct decoder *d, const struct insn *insn, bool *done)
{
    struct lane_op op = start(insn);

    *done = compares_negated(d, insn);
    return !*done || (place_negated(d, insn, &op) && eval_emit(d, insn, eval_request(d, OP_CMP, DT_S32), &op));
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
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint32_t by_component[4] = {0};
    uint8_t mask = insn->dst.mask;

    if (!folded || insn->op != OP_MAD || !(mask & folded->part) || eval_takes_products(d, d->insn))
        return true;
    *done = true;
    if (!sum_with_known(d, insn, folded, mask & folded->part, by_component) ||
        !eval_computed(d, insn, OP_MAD, 3, mask & (uint8_t)~folded->part, by_component))
        return false;
    return eval_join_partials(d, insn, by_component);
}

bool eval_peephole(struct decoder *d, const struct insn *insn, bool *done)
{
    static const struct {
        enum model_pass pass;
        bool (*decode)(struct decoder *, const struct insn *, bool *);
    } rules[] = {
        {PASS_mad_const, known_product},
        {PASS_cmp_negate, compare_negated},
        {PASS_i2f_short, number_into_short},
        {PASS_mod_sign, signed_remainder},
        {PASS_carry, eval_decode_carries},
        {PASS_late_sat, eval_decode_clamped},
    };

    *done = false;
    for (unsigned i = 0; i < sizeof rules / sizeof *rules && !*done; i++)
        if (eval_has(d, rules[i].pass) && !rules[i].decode(d, insn, done))
            return false;
    return true;
}
