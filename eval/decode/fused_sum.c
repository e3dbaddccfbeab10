/* Sums that take products in: which is decided in contract.c. */
#include "eval/decode/temp_alloc.h"

#include <string.h>

static bool same_product(const struct fused *a, const struct fused *b)
{
    return a->product == b->product && a->term == b->term && a->negate == b->negate;
}

/* A packed component as a number; what it is multiplied by. */
static bool load_packed(struct decoder *d, const struct insn *insn, unsigned k, struct fetched *f)
{
    unsigned bits = insn->op == OP_UP2US ? 16 : 8;
    struct kernel_request shift = eval_request(d, OP_SHR, DT_U32), mask = eval_request(d, OP_AND, DT_U32),
                          number = eval_request(d, OP_CVT, DT_F32);
    struct lane_op op[3] = {
        {.n = 4, .comp = {0, 1, 2, 3}}, {.n = 4, .comp = {0, 1, 2, 3}}, {.n = 4, .comp = {0, 1, 2, 3}}};

    const struct insn *now = d->now;
    uint32_t packed;
    bool ok;

    number.type2 = DT_U32;
    d->now = insn;          /* it looks at the word of a SHORT variable */
    ok = eval_fetch(d, program_operand(d->p, insn->src), eval_operand_type(insn, 0), 1, false, f);
    d->now = now;
    if (!ok)
        return false;
    packed = f->plane[0];
    for (unsigned c = 0; c < 4; c++) {
        op[0].src[0][c] = packed;
        op[0].src[1][c] = eval_layout_word(&d->layout, bits * (c % (32 / bits)));
        op[1].src[1][c] = eval_layout_word(&d->layout, (1u << bits) - 1);
        for (unsigned s = 0; s < 3; s++)
            op[s].dst[c] = eval_layout_scratch(&d->layout);
        op[1].src[0][c] = op[0].dst[c];
        op[2].src[0][c] = op[1].dst[c];
        f->plane[c] = k ? eval_layout_word(&d->layout, bits == 16 ? 0x37800080 : 0x3b808081) : op[2].dst[c];
    }
    f->clear = f->flip = 0;
    return k || (eval_raw(d, &shift, &op[0], NULL) && eval_raw(d, &mask, &op[1], NULL) &&
                 eval_raw(d, &number, &op[2], NULL));
}

/* Factor k of a product where it stands: of a division a reciprocal ... */
static bool load_factor(struct decoder *d, uint32_t i, unsigned k, uint8_t needed, bool signs, struct fetched *f)
{
    const struct insn *product = program_insn(d->p, i);
    const struct operand *o = program_operand(d->p, product->src + k);
    struct kernel_request want = eval_request(d, OP_RCP, eval_is_half(d, product) ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 1};

    if (product->op == OP_UP2US || product->op == OP_UP4UB)
        return load_packed(d, product, k, f);
    if (product->op != OP_DIV || k == 0)
        return eval_fetch(d, o, eval_register_type(product->type), needed, signs, f);
    if (eval_folded_at(d, i) && eval_folded_at(d, i)->part & product->dst.mask) {      /* the compiler computed it */
        *f = (struct fetched){.clear = 0};
        for (unsigned c = 0; c < 4; c++)
            f->plane[c] = eval_layout_word(&d->layout, (uint32_t)eval_folded_at(d, i)->word[c]);
        return true;
    }
    if (eval_is_paired(d, i)) {
        *f = (struct fetched){.clear = 0};
        if (!eval_pair_value(d, i, &f->plane[0]))
            return false;
        f->plane[1] = f->plane[2] = f->plane[3] = f->plane[0];
        return true;
    }
    if (!eval_fetch(d, o, DT_F32, 1, false, f))
        return false;
    for (unsigned c = 0; c < 4; c++)
        op.src[0][c] = f->plane[0];
    op.dst[0] = eval_layout_scratch(&d->layout);
    for (unsigned c = 0; c < 4; c++)
        f->plane[c] = op.dst[0];
    return eval_raw(d, &want, &op, NULL);
}

bool eval_fetch_factor(struct decoder *d, uint32_t product, unsigned k, const struct fused *from, uint8_t mask,
                       struct fetched *f)
{
    struct fetched all = {.clear = 0};
    uint8_t needed = 0, some = mask & (uint8_t)-mask;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            needed |= (uint8_t)(1u << from[c].component);
    if (d->model.contraction.kept[product])
        memcpy(all.plane, d->model.contraction.factors[product][k], sizeof all.plane);
    else if (!load_factor(d, product, k, needed, true, &all))
        return false;
    *f = all;
    for (unsigned c = 0; c < 4; c++)
        f->plane[c] = all.plane[from[mask >> c & 1 ? c : (unsigned)__builtin_ctz(some)].component];
    return true;
}

/* One MAD for the components in `mask`, which all take in the same product. */
static bool fused_sum(struct decoder *d, const struct insn *insn, const struct fused *from, uint8_t mask,
                      struct lane_op *op)
{
    const struct fused *one = &from[__builtin_ctz(mask)];
    const struct operand *other = program_operand(d->p, insn->src + (one->term == 0));
    struct fetched a, b, c;

    op->n = (uint8_t)eval_components(mask, op->comp);
    if (!eval_fetch_factor(d, one->product, 0, from, mask, &a) ||
        !eval_fetch_factor(d, one->product, 1, from, mask, &b) ||
        !eval_fetch(d, other, eval_register_type(insn->type), mask, true, &c))
        return false;
    if (one->negate)
        a.flip ^= 0x80000000u;
    if (insn->op == OP_SUB && one->term == 0)
        c.flip ^= 0x80000000u;
    eval_place(op, 0, &a, FLOW_EACH);
    eval_place(op, 1, &b, FLOW_EACH);
    eval_place(op, 2, &c, FLOW_EACH);
    return true;
}

/* The components that no product goes into. */
static bool plain_sum(struct decoder *d, const struct insn *insn, uint8_t mask, struct lane_op *op)
{
    op->n = (uint8_t)eval_components(mask, op->comp);
    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), eval_register_type(insn->type), mask, true, &f))
            return false;
        eval_place(op, k, &f, FLOW_EACH);
    }
    return true;
}

bool eval_partial(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op,
                  uint32_t by_component[4])
{
    struct kernel k;
    uint8_t clamp;
    bool half;

    if (!eval_find_kernel(d, &want, &k, &clamp, &half) || (half && !eval_round_operands(d, op, 3)))
        return false;
    for (unsigned i = 0; i < op->n; i++)
        op->dst[i] = eval_layout_scratch(&d->layout);
    want.saturate = clamp ? 0 : want.saturate;
    if (!eval_raw(d, &want, op, NULL))
        return false;
    if (half && !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op->n, op->dst))
        return false;
    if (clamp &&
        !eval_after(d,
                    eval_request(d, clamp == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, eval_result_type(insn)),
                    op->n, op->dst))
        return false;
    for (unsigned i = 0; i < op->n; i++)
        by_component[op->comp[i]] = op->dst[i];
    return true;
}

bool eval_join_partials(struct decoder *d, const struct insn *insn, const uint32_t by_component[4])
{
    uint32_t from[4] = {0};
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    for (unsigned i = 0; i < n; i++)
        from[i] = by_component[comp[i]];
    return eval_decode_result(d, insn, eval_result_type(insn), from, NULL, 0);
}

/* A sum some of whose components take in products: one op a product, and one for the rest. */
bool eval_decode_sum(struct decoder *d, const struct insn *insn, const struct fused *from)
{
    uint8_t left = insn->dst.mask;
    uint32_t by_component[4] = {0};
    struct kernel_request fused = eval_request_of(d, insn, OP_MAD),
                          plain = eval_request_of(d, insn, insn->op);

    while (left) {
        const struct fused *one = &from[__builtin_ctz(left)];
        bool takes = one->product != NO_INDEX;
        struct lane_op op = {0};
        uint8_t mask = 0;
        for (unsigned c = 0; c < 4; c++)
            if (left >> c & 1 && same_product(&from[c], one))
                mask |= (uint8_t)(1u << c);
        left &= (uint8_t)~mask;
        if (!(takes ? fused_sum(d, insn, from, mask, &op) : plain_sum(d, insn, mask, &op)))
            return false;
        if (mask == insn->dst.mask)
            return eval_emit(d, insn, takes ? fused : plain, &op);
        if (!eval_partial(d, insn, takes ? fused : plain, &op, by_component))
            return false;
    }
    return eval_join_partials(d, insn, by_component);
}

bool eval_keep_factors(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t type = insn->op == OP_UP2US || insn->op == OP_UP4UB ? DT_F32 : eval_register_type(insn->type);
    struct kernel_request want = eval_request(d, OP_MOV, type);

    if (!d->model.contraction.kept || !d->model.contraction.kept[i])
        return true;
    for (unsigned k = 0; k < 2; k++) {
        struct lane_op op = {0};
        struct fetched f;
        if (!load_factor(d, i, k, insn->dst.mask, false, &f))
            return false;
        op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
        memset(d->model.contraction.factors[i][k], 0, sizeof d->model.contraction.factors[i][k]);
        for (unsigned j = 0; j < op.n; j++) {
            op.src[0][j] = f.plane[op.comp[j]];
            op.dst[j] = d->model.contraction.factors[i][k][op.comp[j]] = eval_kept_planes(d, 2);
        }
        if (!eval_raw(d, &want, &op, NULL))
            return false;
    }
    return true;
}
