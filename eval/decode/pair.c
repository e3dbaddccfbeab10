/* Pairs (model/simplify/pair.c) as steps: both instructions are computed, the second one from the operand of the first,
 * which is kept for it. */
#include "eval/decode/temp_alloc.h"
#include "eval/decode/half_storage.h"

/* The components of a MAX that clamp what a MIN took. */
static uint8_t clamps(const struct decoder *d, uint32_t insn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->model.pairs.clamped && c < 4; c++)
        mask |= (uint8_t)((d->model.pairs.clamped[insn][c] != NO_INDEX) << c);
    return mask;
}

bool eval_is_paired(const struct decoder *d, uint32_t insn)
{
    return d->model.pairs.first && (d->model.pairs.first[insn] != NO_INDEX || clamps(d, insn));
}

/* Components of operand k, for those who look at them later. */
static bool keep(struct decoder *d, uint32_t i, unsigned k, uint8_t mask)
{
    const struct insn *insn = program_insn(d->p, i);
    struct kernel_request want = eval_request(d, OP_MOV, insn->type == DT_F16 ? DT_F32 : insn->type);
    struct lane_op op = {.n = (uint8_t)eval_components(mask, op.comp)};
    struct fetched f;

    if (!eval_fetch(d, program_operand(d->p, insn->src + k), want.type, mask, false, &f))
        return false;
    for (unsigned j = 0; j < op.n; j++) {
        op.src[0][j] = f.plane[op.comp[j]];
        op.dst[j] = d->model.pairs.kept[i][op.comp[j]] = eval_kept_planes(d, 2);
    }
    return eval_raw(d, &want, &op, NULL);
}

bool eval_keep_operand(struct decoder *d, uint32_t i)
{
    uint8_t mask[2] = {0};

    for (unsigned c = 0; d->model.pairs.first && c < 4; c++)
        if (d->model.pairs.kept[i][c] != NO_PLANE)
            mask[program_insn(d->p, i)->op == OP_MIN ? (unsigned)model_beside_bound(&d->model, i, c) : 0] |=
                (uint8_t)(1u << c);
    return (!mask[0] || keep(d, i, 0, mask[0])) && (!mask[1] || keep(d, i, 1, mask[1]));
}

bool eval_pair_value(struct decoder *d, uint32_t i, uint32_t *plane)
{
    static const uint16_t function[] = {[PAIR_ROOT] = EVAL_OP_SQRT, [PAIR_RSQ] = OP_RSQ};
    uint32_t first = d->model.pairs.first[i];
    bool half = eval_is_half(d, program_insn(d->p, first)), clamped = program_insn(d->p, i)->flags & INSN_SAT;
    struct kernel_request want = eval_request(d, EVAL_OP_HALF, DT_F32);
    struct lane_op op = {.n = 1, .src = {{d->model.pairs.kept[first][0]}}};

    *plane = op.src[0][0];
    if (d->model.pairs.value[i] != PAIR_COPY)
        want = eval_request(d, function[d->model.pairs.value[i]], half ? DT_F16 : DT_F32);
    else if (!half || !clamped)
        return true;
    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* What PK2H packed, x and y by turns. */
static bool as_packed(struct decoder *d, const struct insn *insn)
{
    struct kernel_request want = eval_request(d, OP_MOV, DT_F32);
    struct lane_op op = {.n = (uint8_t)eval_components(insn->dst.mask, op.comp)};

    for (unsigned i = 0; i < op.n; i++)
        op.src[0][i] = d->model.pairs.kept[d->model.pairs.first[d->insn]][op.comp[i] & 1];
    want.saturate = insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
    return eval_emit(d, insn, want, &op);
}

/* The same value in all components; of DIV what it divides by that. */
static bool as_function(struct decoder *d, const struct insn *insn)
{
    bool divides = insn->op == OP_DIV;
    struct kernel_request want =
        divides ? eval_request_of(d, insn, OP_MUL) : eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = (uint8_t)eval_components(insn->dst.mask, op.comp)};
    uint32_t value;

    if (!eval_pair_value(d, d->insn, &value) ||
        (divides && !eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), DT_F32)))
        return false;
    for (unsigned i = 0; i < 4; i++)
        op.src[divides][i] = value;
    if (!divides)
        want.saturate = insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
    return eval_emit(d, insn, want, &op);
}

/* MAX: of the operands that MINs took, where they are pairs. */
static bool as_clamp(struct decoder *d, const struct insn *insn)
{
    uint8_t mask = clamps(d, d->insn) & insn->dst.mask, others = insn->dst.mask & (uint8_t)~mask;
    struct kernel_request want = eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = (uint8_t)eval_components(mask, op.comp)};
    uint32_t by_component[4] = {0};

    for (unsigned i = 0; i < op.n; i++) {
        uint32_t from = d->model.pairs.clamped[d->insn][op.comp[i]];
        op.src[0][i] = d->model.pairs.kept[from / 4][from % 4];
    }
    if (eval_is_half(d, insn) && !eval_round_operands(d, &op, 1))
        return false;
    want.saturate = INSN_SAT;
    if (!others)
        return eval_emit(d, insn, want, &op);
    return eval_partial(d, insn, want, &op, by_component) &&
           eval_computed(d, insn, OP_MAX, 2, others, by_component) &&
           eval_join_partials(d, insn, by_component);
}

bool eval_decode_pair(struct decoder *d, const struct insn *insn)
{
    if (!insn->dst.mask)
        return true;
    return insn->op == OP_MAX ? as_clamp(d, insn) : insn->op == OP_UP2H ? as_packed(d, insn) : as_function(d, insn);
}
