/* Products some of whose factors are 1, and copies of what a negation was made of. */
#include "eval/decode/decode.h"
#include "eval/decode/variables.h"

/* Copies in one product: operand, sign, and the components; the last of them is what is multiplied. */
struct factor {
    int operand;
    bool flip;
    uint8_t mask;
};

uint8_t eval_copied_components(const struct decoder *d, uint8_t of)
{
    uint8_t mask = 0;
    bool flip;

    for (unsigned c = 0; c < 4; c++)
        if (of >> c & 1 && model_copied_factor(&d->model, d->insn, c, &flip) >= 0)
            mask |= (uint8_t)(1u << c);
    return mask;
}

/* The next components of `left` that are made alike. */
static struct factor next_factor(const struct decoder *d, uint8_t left)
{
    struct factor f = {-1, false, 0};
    unsigned first = (unsigned)__builtin_ctz(left);

    f.operand = model_copied_factor(&d->model, d->insn, first, &f.flip);
    for (unsigned c = first; c < 4; c++) {
        bool flip;
        if (left >> c & 1 && model_copied_factor(&d->model, d->insn, c, &flip) == f.operand && flip == f.flip)
            f.mask |= (uint8_t)(1u << c);
    }
    return f;
}

static bool fetch_factor(struct decoder *d, const struct insn *insn, const struct factor *from,
                         struct kernel_request *want, struct lane_op *op)
{
    unsigned n = from->operand < 0 ? 2 : 1;

    *want = eval_request_of(d, insn, from->operand < 0 ? insn->op : OP_MOV);
    op->n = (uint8_t)eval_components(from->mask, op->comp);
    for (unsigned k = 0; k < n; k++) {
        struct operand o = *program_operand(d->p, insn->src + (from->operand < 0 ? k : (unsigned)from->operand));
        struct fetched f;
        if (from->flip)
            o.flags ^= OPND_NEGATE;
        if (!eval_fetch(d, &o, eval_operand_type(insn, k), insn->op == OP_DIV && k == 1 ? 1 : from->mask, true, &f))
            return false;
        eval_place(op, k, &f, eval_op_flow(want->op));
    }
    return true;
}

/* A product some of whose factors are 1. */
bool eval_decode_factors(struct decoder *d, const struct insn *insn)
{
    uint32_t by_component[4] = {0};
    uint8_t left = insn->dst.mask;

    while (left) {
        struct factor from = next_factor(d, left);
        struct kernel_request want;
        struct lane_op op = {0};
        left &= (uint8_t)~from.mask;
        if (!fetch_factor(d, insn, &from, &want, &op))
            return false;
        if (from.mask == insn->dst.mask)
            return eval_emit(d, insn, want, &op);
        if (!eval_partial(d, insn, want, &op, by_component))
            return false;
    }
    return eval_join_partials(d, insn, by_component);
}

/* A copy bit for bit of what a negation was made of. */
bool eval_decode_copy(struct decoder *d, const struct insn *insn)
{
    const uint32_t (*copies)[4] = (const uint32_t (*)[4])d->model.contraction.copies;
    struct kernel_request want = eval_request_of(d, insn, OP_MOV);
    struct lane_op op = {0};
    struct fetched f = {.clear = 0};

    for (unsigned c = 0; c < 4; c++) {
        struct plane_run run;
        uint32_t origin = copies[d->insn][insn->dst.mask >> c & 1 ? c : (unsigned)__builtin_ctz(insn->dst.mask)];
        if (!eval_symbol_planes(d, origin / 4, 0, insn->span, &run))
            return false;
        f.plane[c] = run.plane[origin % 4] + run.both;
    }
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    eval_place(&op, 0, &f, FLOW_EACH);
    return eval_emit(d, insn, want, &op);
}
