/* LIT of a known second component: its logarithm is a number (docs/numbers.md, "What is known in part"). */
#include "eval/decode/decode.h"

static bool step(struct decoder *d, uint16_t op, uint32_t a, uint32_t b, uint32_t *to)
{
    struct kernel_request want = eval_request(d, op, DT_F32);
    struct lane_op lanes = {.n = 1, .src = {{a}, {b}}};

    *to = lanes.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &lanes, NULL);
}

/* In half arithmetic x and w are halves, and so is each step. */
static bool as_half(struct decoder *d, bool half, uint32_t *plane)
{
    uint32_t planes[4] = {*plane};
    bool ok = !half || eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), 1, planes);

    *plane = planes[0];
    return ok;
}

static bool exponential(struct decoder *d, bool half, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, OP_EX2, half ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 1, .src = {{*plane}}};

    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* EX2 of the logarithm times w, which is kept within -128 and 128; 0 where x is not above 0. */
static bool shine(struct decoder *d, const struct insn *insn, uint32_t logarithm, uint32_t by_component[4])
{
    struct lane_op op = {.n = 1, .comp = {2}};
    struct insn part = *insn;
    bool half = eval_is_half(d, insn);
    uint32_t power, above;
    struct fetched f;

    part.dst.mask = 4;
    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 9, false, &f) || !as_half(d, half, &f.plane[0]) ||
        !as_half(d, half, &f.plane[3]) ||
        !step(d, OP_MAX, f.plane[3], eval_layout_word(&d->layout, 0xc3000000), &power) ||
        !step(d, OP_MIN, power, eval_layout_word(&d->layout, 0x43000000), &power) ||
        !step(d, OP_MUL, power, eval_layout_word(&d->layout, logarithm), &power) || !as_half(d, half, &power) ||
        !exponential(d, half, &power) || !step(d, OP_SGT, f.plane[0], eval_layout_word(&d->layout, 0), &above) ||
        !step(d, OP_ADD, above, eval_layout_word(&d->layout, 0xbf800000), &above))
        return false;
    op.src[0][0] = above;
    op.src[1][0] = eval_layout_word(&d->layout, 0);
    op.src[2][0] = power;
    return eval_partial(d, &part, eval_request_of(d, insn, OP_CMP), &op, by_component);
}

/* The other components, as ever. */
static bool others(struct decoder *d, const struct insn *insn, uint32_t by_component[4])
{
    struct lane_op op = {.n = 0};
    struct fetched f;

    op.n = (uint8_t)eval_components(insn->dst.mask & (uint8_t)~4u, op.comp);
    if (!op.n)
        return true;
    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 15, true, &f))
        return false;
    eval_place(&op, 0, &f, FLOW_ALL);
    return eval_partial(d, insn, eval_request_of(d, insn, OP_LIT), &op, by_component);
}

bool eval_decode_lit(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint32_t by_component[4] = {0};

    if (!folded || insn->op != OP_LIT || !(insn->dst.mask & folded->part & 4))
        return true;
    *done = true;
    return others(d, insn, by_component) && shine(d, insn, (uint32_t)folded->word[2], by_component) &&
           eval_join_partials(d, insn, by_component);
}
