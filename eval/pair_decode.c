/* What the second instruction of a pair computes from the operand of the first, which is kept for it (pairs.c). */
#include "eval/keeping.h"
#include "eval/pairs.h"
#include "eval/shorts.h"

/* What component c of a DIV divides: 1 or -1, where the compiler knows that it is 1.0 or -1.0, or 0. */
int eval_pair_dividend(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct folded *f = eval_folded_at(d, i);

    return !f || !(f->over >> c & 1) ? 0 : f->over_minus >> c & 1 ? -1 : 1;
}

const struct operand *eval_pair_inverted(const struct decoder *d, const struct insn *insn)
{
    return program_operand(d->p, insn->src + (insn->op == OP_DIV));
}

int eval_pair_beside(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = insn->flags & INSN_PREC && eval_is_half(d, insn) ? NULL : eval_folded_at(d, i);

    return !folded ? -1 : folded->bounds[0] >> c & 1 ? 1 : folded->bounds[1] >> c & 1 ? 0 : -1;
}

const struct operand *eval_pair_source(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(d->p, i);
    int k = insn->op == OP_MIN ? eval_pair_beside(d, i, c) : -1;

    if (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_DIV)
        return eval_pair_inverted(d, insn);
    return k < 0 ? NULL : program_operand(d->p, insn->src + (uint32_t)k);
}

/* The components of a MAX that clamp what a MIN took. */
static uint8_t clamps(const struct decoder *d, uint32_t insn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->pairs.clamped && c < 4; c++)
        mask |= (uint8_t)((d->pairs.clamped[insn][c] != NO_INDEX) << c);
    return mask;
}

bool eval_is_paired(const struct decoder *d, uint32_t insn)
{
    return d->pairs.first && (d->pairs.first[insn] != NO_INDEX || clamps(d, insn));
}

/* The operand of a reciprocal without its signs, in kept[1]. */
static bool keep_unsigned(struct decoder *d, uint32_t i, unsigned k)
{
    struct operand o = *program_operand(d->p, program_insn(d->p, i)->src + k);
    struct kernel_request want = eval_request(d, OP_MOV, DT_F32);
    struct lane_op op = {.n = 1};
    struct fetched f;

    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!eval_fetch(d, &o, DT_F32, 1, false, &f))
        return false;
    op.src[0][0] = f.plane[0];
    op.dst[0] = d->pairs.kept[i][1] = eval_kept_planes(d, 2);
    return eval_raw(d, &want, &op, NULL);
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
        op.dst[j] = d->pairs.kept[i][op.comp[j]] = eval_kept_planes(d, 2);
    }
    if (operand_has_sign(program_operand(d->p, insn->src + k)))     /* a copy with a sign is arithmetic */
        for (unsigned j = 0; j < op.n; j++)
            op.clear[0] = f.clear, op.flip[0] = f.flip;
    return eval_raw(d, &want, &op, NULL);
}

bool eval_keep_operand(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t mask[2] = {0};
    unsigned k = insn->op == OP_DIV;

    if (!d->pairs.first)
        return true;
    for (unsigned c = 0; c < 4; c++)
        if (d->pairs.kept[i][c] != NO_PLANE)
            mask[insn->op == OP_MIN ? (unsigned)eval_pair_beside(d, i, c) : k] |= (uint8_t)(1u << c);
    if (insn->op != OP_MIN && mask[k] && operand_has_sign(program_operand(d->p, insn->src + k)) && !keep_unsigned(d, i, k))
        return false;
    return (!mask[0] || keep(d, i, 0, mask[0])) && (!mask[1] || keep(d, i, 1, mask[1]));
}

bool eval_pair_value(struct decoder *d, uint32_t insn, uint32_t *plane)
{
    uint32_t first = d->pairs.first[insn];
    uint16_t function = d->pairs.value[insn] == PAIR_ROOT ? EVAL_OP_SQRT : OP_RSQ;
    struct kernel_request want = eval_request(d, function, eval_is_half(d, program_insn(d->p, first)) ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 1, .src = {{d->pairs.kept[first][0]}}};

    *plane = op.src[0][0];
    if (d->pairs.value[insn] == PAIR_COPY)
        return true;
    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* A copy of the same value in all components. */
static bool as_copy(struct decoder *d, const struct insn *insn, uint32_t value)
{
    struct kernel_request want = eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = 0};

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned i = 0; i < op.n; i++)
        op.src[0][i] = value;
    want.saturate = insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
    return eval_emit(d, insn, want, &op);
}

/* MAX: of the operands that MINs took, where they are pairs. */
static bool as_clamp(struct decoder *d, const struct insn *insn)
{
    static const uint8_t in_order[2] = {0, 1};
    uint8_t mask = clamps(d, d->insn) & insn->dst.mask, others = insn->dst.mask & (uint8_t)~mask;
    struct kernel_request want = eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = (uint8_t)eval_components(mask, op.comp)};
    uint32_t by_component[4] = {0};

    for (unsigned i = 0; i < op.n; i++) {
        uint32_t from = d->pairs.clamped[d->insn][op.comp[i]];
        op.src[0][i] = d->pairs.kept[from / 4][from % 4];
    }
    if (eval_is_half(d, insn) && !eval_round_operands(d, &op, 1))
        return false;
    want.saturate = INSN_SAT;
    if (!others)
        return eval_emit(d, insn, want, &op);
    return eval_partial(d, insn, want, &op, by_component) && eval_computed(d, insn, OP_MAX, in_order, 2, others, by_component) &&
           eval_join_partials(d, insn, by_component);
}

/* One step of bounded(): with the same word in all lanes. */
static bool with_word(struct decoder *d, uint16_t op, uint8_t type, uint32_t word, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, op, type);
    struct lane_op lane = {.n = 1, .src = {{*plane}, {eval_layout_word(&d->layout, word)}}};

    *plane = lane.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &lane, NULL);
}

/* RCC: the magnitude within its bounds (that of a NaN is the upper one), with the sign bit as it was. */
static bool bounded(struct decoder *d, bool half, bool to_short, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, OP_OR, DT_U32);
    struct lane_op both = {.n = 1};
    uint32_t magnitude = *plane, sign = *plane;

    if (half) {         /* no bounds; of a copy 0, whatever it is, but in SHORT variables */
        *plane = d->pairs.value[d->insn] == PAIR_COPY && !to_short ? eval_layout_word(&d->layout, 0) : *plane;
        return true;
    }
    if (!with_word(d, OP_AND, DT_U32, 0x7fffffff, &magnitude) || !with_word(d, OP_MIN, DT_F32, 0x5f800000, &magnitude) ||
        !with_word(d, OP_MAX, DT_F32, 0x1f800000, &magnitude) || !with_word(d, OP_AND, DT_U32, 0x80000000, &sign))
        return false;
    both.src[0][0] = magnitude;
    both.src[1][0] = sign;
    *plane = both.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &both, NULL);
}

/* What a copy with a negation is a copy of, where that negates it again; or NO_PLANE. */
static uint32_t unsigned_operand(const struct decoder *d)
{
    uint32_t first = d->pairs.first[d->insn];
    uint16_t signs = eval_pair_inverted(d, program_insn(d->p, first))->flags & OPND_SIGNS;
    bool negated = !(signs & OPND_ABSOLUTE) && !(signs & OPND_NEGATE) != !(signs & OPND_NEGATE_INNER);

    return negated && d->pairs.value[d->insn] == PAIR_COPY ? d->pairs.kept[first][1] : NO_PLANE;
}

/* DIV multiplies with the value; 1.0 and -1.0 give a copy of it. */
static bool multiplied(struct decoder *d, const struct insn *insn, uint32_t value)
{
    uint32_t by_component[4] = {0}, undone = unsigned_operand(d);

    for (int sign = -1; sign <= 1; sign++) {
        struct insn part = *insn;
        struct lane_op op = {.n = 0};
        struct kernel_request want;
        part.dst.mask = 0;
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && eval_pair_dividend(d, d->insn, c) == sign)
                part.dst.mask |= (uint8_t)(1u << c);
        if (!part.dst.mask)
            continue;
        op.n = (uint8_t)eval_components(part.dst.mask, op.comp);
        want = eval_request_of(d, &part, sign ? OP_MOV : OP_MUL);
        if (!sign && !eval_place_operand(d, &part, &op, 0, program_operand(d->p, insn->src), DT_F32))
            return false;
        for (unsigned i = 0; i < 4; i++)
            op.src[sign == 0][i] = sign < 0 && undone != NO_PLANE ? undone : value;
        op.flip[0] = sign < 0 && undone == NO_PLANE ? 0x80000000u : op.flip[0];
        if (part.dst.mask == insn->dst.mask)
            return eval_emit(d, insn, want, &op);
        if (!eval_partial(d, insn, want, &op, by_component))
            return false;
    }
    return !insn->dst.mask || eval_join_partials(d, insn, by_component);
}

static bool round_value(struct decoder *d, uint32_t *value)
{
    struct kernel_request want = eval_request(d, EVAL_OP_HALF, DT_F32);
    struct lane_op op = {.n = 1, .src = {{*value}}};

    *value = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

bool eval_decode_pair(struct decoder *d, const struct insn *insn)
{
    bool half = eval_is_half(d, insn), to_short = eval_is_short(d, insn->dst.kind, insn->dst.ref);
    uint32_t value;

    if (!insn->dst.mask)
        return true;
    if (insn->op == OP_MAX)
        return as_clamp(d, insn);
    if (!eval_pair_value(d, d->insn, &value) ||
        (half && d->pairs.value[d->insn] == PAIR_COPY && (insn->flags & INSN_SAT || (insn->op == OP_RCC && to_short)) &&
         !round_value(d, &value)) ||
        (insn->op == OP_RCC && !bounded(d, half, to_short, &value)))
        return false;
    return insn->op == OP_DIV ? multiplied(d, insn, value) : as_copy(d, insn, value);
}
