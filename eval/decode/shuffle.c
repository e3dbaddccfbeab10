/* Shuffles, votes and differences within quads as steps. */
#include "eval/decode/half_storage.h"
#include "eval/machine/shuffle.h"

#include <string.h>

static bool exchange_step(struct decoder *d, uint8_t kind, const struct exchange *x, const struct lane_op *op)
{
    struct op_track track = {.op = x->op, .nsrc = x->op < OP_COUNT ? shape_table[op_table[x->op].shape].nsrc : 1};
    struct step *s = eval_step(d, kind);
    uint32_t at;

    if (!s)
        return false;
    s->ref = eval_push(d, &d->exchanges, x);
    at = eval_push(d, &d->ops, op);
    if (s->ref == NO_INDEX || at == NO_INDEX || eval_push(d, &d->tracks, &track) == NO_INDEX)
        return false;
    s->target = at;     /* becomes s->op when all ops stand */
    return true;
}

/* Of shuffles and MATCH. With a condition-code mask the driver holds back the predicate alone: y is written whatever
 * the mask says (tests/recordings/patterns/questions.txt, masked_*; tests/recordings/match.jsonl.xz), but of what is
 * copied into memory. */
static bool shuffle_result(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t from[4])
{
    struct insn value = *insn, rest = *insn;
    uint32_t y[4] = {0}, others[4] = {0};
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp), left = 0;

    value.dst.mask &= 2;
    value.dst.condition = (struct condition){0};
    rest.dst.mask &= 13;
    for (unsigned i = 0; i < n; i++)
        if (comp[i] == 1)
            y[0] = from[i];
        else
            others[left++] = from[i];
    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA || eval_fills_element(insn))
        return eval_decode_result(d, insn, type, from, NULL, 0);
    return eval_decode_result(d, &rest, type, others, NULL, 0) && eval_decode_result(d, &value, type, y, NULL, 0);
}

/* Words of which these bits alone stay, undefined where they were. */
static bool keep_bits(struct decoder *d, uint8_t mask, uint32_t bits, uint32_t plane[4])
{
    struct lane_op op = {.n = 0};
    struct kernel_request both = eval_request(d, OP_AND, DT_U32);

    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned i = 0; i < op.n; i++) {
        op.src[0][i] = plane[op.comp[i]];
        op.src[1][i] = eval_layout_word(&d->layout, bits);
        plane[op.comp[i]] = op.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &both, &op, NULL);
}

/* What a comparison of integers says as a number that is not zero where it is true: its word is -1, which is no number.
 */
static bool as_numbers(struct decoder *d, const struct insn *insn, uint8_t mask, uint32_t plane[4])
{
    struct operand o = *program_operand(d->p, insn->src);
    struct kernel_request differs = eval_request(d, OP_SNE, DT_U32), both = eval_request(d, OP_AND, DT_U32);
    struct lane_op set = {.n = 0}, number;
    struct fetched f;

    o.flags &= (uint16_t)~OPND_SIGNS;
    set.n = (uint8_t)eval_components(mask, set.comp);
    if (!set.n)
        return true;
    if (!eval_fetch(d, &o, DT_U32, mask, false, &f))
        return false;
    number = set;
    for (unsigned i = 0; i < set.n; i++) {
        set.src[0][i] = f.plane[set.comp[i]];
        set.src[1][i] = eval_layout_word(&d->layout, 0);
        set.dst[i] = number.src[0][i] = eval_layout_scratch(&d->layout);
        number.src[1][i] = eval_layout_word(&d->layout, 0x3f800000);
        plane[set.comp[i]] = number.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &differs, &set, NULL) && eval_raw(d, &both, &number, NULL);
}

static bool looks_at_short(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);

    return d->shorts.both && eval_is_short(d, o->kind, o->ref);
}

static bool votes_halves(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && eval_operand_type(insn, 0) == DT_F32 &&
           (insn->flags & INSN_HALF || insn->type == DT_F16 || eval_is_short(d, insn->dst.kind, insn->dst.ref));
}

/* The driver looks at the low half of what is read of a SHORT variable as a single. In half arithmetic it looks at the
 * half that it holds, and nothing else counts. */
static bool votes_half(struct decoder *d, const struct insn *insn, struct fetched *f)
{
    bool from_short = looks_at_short(d, insn), half = votes_halves(d, insn);

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA || (!half && !from_short))
        return true;
    if (!from_short)
        return keep_bits(d, insn->dst.mask, 0, f->plane);
    return eval_map(d, half ? eval_request(d, EVAL_OP_HALF, DT_F32) : eval_half_conversion(d, false), insn->dst.mask, f,
                    0, 0);
}

/* Of a SHORT variable other lanes get the half that it holds, as a word: a float in another one. */
static bool shuffle_half(struct decoder *d, const struct insn *insn, struct fetched *f)
{
    if (!looks_at_short(d, insn))
        return true;
    return eval_map(d,
                    eval_is_short(d, insn->dst.kind, insn->dst.ref) ? eval_request(d, EVAL_OP_HALF, DT_F32)
                                                                    : eval_half_conversion(d, true),
                    1, f, 0, 0);
}

/* SHF*: the value is the first component of the first operand, index and mask likewise. Votes: by
 * component. */
bool eval_decode_exchange(struct decoder *d, const struct insn *written)
{
    struct insn narrowed = *written, *insn = &narrowed;
    struct exchange x = {.op = insn->op, .type = eval_register_type(insn->type)};
    struct lane_op op = {0};
    uint8_t result = eval_result_type(insn), kind = STEP_VOTE;
    unsigned nsrc = shape_table[op_table[insn->op].shape].nsrc;
    bool shuffle = nsrc == 3;
    const struct folded *folded = eval_folded_at(d, d->insn);

    if (d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
        insn->dst.mask &= (uint8_t)~eval_untouched(insn);
    if (!insn->dst.mask)
        return true;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    x.all = program_has_modifier(d->p, insn, MOD_ALL);
    for (unsigned k = 0; k < nsrc; k++) {
        struct fetched f;
        uint8_t type = shuffle && k > 0 ? DT_U32 : x.type;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), type, shuffle ? 1 : insn->dst.mask, false, &f) ||
            (op_votes(insn->op) && x.type == DT_F32 && !votes_half(d, insn, &f)) ||
            (shuffle && !k && type == DT_F32 && !shuffle_half(d, insn, &f)) ||
            (folded && (looks_at_short(d, insn) || !votes_halves(d, insn)) &&
             !as_numbers(d, insn, folded->booleans & insn->dst.mask, f.plane)))
            return false;
        for (unsigned i = 0; i < op.n; i++)
            op.src[k][i] = f.plane[shuffle ? 0 : op.comp[i]];
    }
    if (shuffle)
        kind = STEP_SHUFFLE;
    if (insn->op == OP_MATCH) {
        kind = STEP_MATCH;
        x.wide = type_table[insn->type].bytes == 8;
    }
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = eval_layout_scratch(&d->layout);
    return exchange_step(d, kind, &x, &op) &&
           (shuffle || kind == STEP_MATCH ? shuffle_result(d, insn, result, op.dst)
                                          : eval_decode_result(d, insn, result, op.dst, NULL, 0));
}

/* One operand of a quad swizzle: from the lane that the opcode names, or (`own`) as it is. */
static bool quad_operand(struct decoder *d, const struct insn *insn, unsigned k, bool own, struct lane_op *op)
{
    struct exchange x = {.op = insn->op, .type = DT_F32, .all = own};
    struct fetched f;

    if (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, insn->dst.mask, false, &f))
        return false;
    op->n = (uint8_t)eval_components(insn->dst.mask, op->comp);
    for (unsigned i = 0; i < op->n; i++) {
        op->src[0][i] = f.plane[op->comp[i]];
        op->dst[i] = eval_layout_scratch(&d->layout);
    }
    return exchange_step(d, STEP_QUAD, &x, op);
}

/* Planes of an operand's components as another lane of the quad has them. */
static bool quad_planes(struct decoder *d, unsigned end, const struct fetched *f, uint8_t mask, struct lane_op *op)
{
    struct exchange x = {.op = (uint16_t)end, .type = DT_F32};

    op->n = (uint8_t)eval_components(mask, op->comp);
    for (unsigned i = 0; i < op->n; i++) {
        op->src[0][i] = f->plane[op->comp[i]];
        op->dst[i] = eval_layout_scratch(&d->layout);
    }
    return exchange_step(d, STEP_QUAD, &x, op);
}

/* The difference of an operand over the quad, in x or in y, into fresh planes. */
static bool difference(struct decoder *d, const struct fetched *f, uint8_t mask, bool in_y, bool coarse,
                       struct lane_op *out)
{
    struct lane_op low = {0}, high = {0};
    struct kernel_request want = eval_request(d, OP_SUB, DT_F32);

    if (!quad_planes(d,
                     coarse ? QUAD_FIRST
                     : in_y ? QUAD_COLUMN_LOW
                            : QUAD_ROW_LOW,
                     f, mask, &low) ||
        !quad_planes(d,
                     coarse ? in_y ? QUAD_FIRST_UP : QUAD_FIRST_RIGHT
                     : in_y ? QUAD_COLUMN_HIGH
                            : QUAD_ROW_HIGH,
                     f, mask, &high))
        return false;
    *out = (struct lane_op){.n = low.n};
    memcpy(out->comp, low.comp, sizeof low.comp);
    memcpy(out->src[0], high.dst, sizeof high.dst);
    memcpy(out->src[1], low.dst, sizeof low.dst);
    for (unsigned i = 0; i < out->n; i++)
        out->dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, out, NULL);
}

/* A result of planes that stand by component of the mask, clamped as the instruction says. */
static bool clamped_result(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    uint32_t clamp = insn->flags & (INSN_SAT | INSN_SSAT);

    return (!clamp ||
            eval_after(d, eval_request(d, clamp & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n, plane)) &&
           eval_decode_result(d, insn, DT_F32, plane, NULL, 0);
}

bool eval_decode_derivative(struct decoder *d, const struct insn *insn)
{
    struct lane_op out = {0};
    struct fetched f;

    return eval_fetch(d, program_operand(d->p, insn->src), DT_F32, insn->dst.mask, false, &f) &&
           difference(d, &f, insn->dst.mask, insn->op == OP_DDY, insn->flags & INSN_COARSE, &out) &&
           clamped_result(d, insn, out.n, out.dst);
}

/* IPAO: the attribute at an offset from the pixel's centre, along its differences over the quad. */
bool eval_decode_offset(struct decoder *d, const struct insn *insn)
{
    struct kernel_request want = eval_request(d, OP_MAD, DT_F32);
    struct lane_op dx = {0}, dy = {0};
    struct fetched f, offset;

    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, insn->dst.mask, false, &f) ||
        !eval_fetch(d, program_operand(d->p, insn->src + 1), DT_F32, 3, false, &offset) ||
        !difference(d, &f, insn->dst.mask, false, false, &dx) || !difference(d, &f, insn->dst.mask, true, false, &dy))
        return false;
    for (unsigned in_y = 0; in_y < 2; in_y++) {
        struct lane_op sum = {.n = dx.n};
        memcpy(sum.comp, dx.comp, sizeof sum.comp);
        for (unsigned i = 0; i < sum.n; i++) {
            sum.src[0][i] = in_y ? dy.dst[i] : dx.dst[i];
            sum.src[1][i] = offset.plane[in_y];
            sum.src[2][i] = f.plane[sum.comp[i]];
            sum.dst[i] = eval_layout_scratch(&d->layout);
        }
        if (!eval_raw(d, &want, &sum, NULL))
            return false;
        for (unsigned i = 0; i < sum.n; i++)
            f.plane[sum.comp[i]] = sum.dst[i];
    }
    for (unsigned i = 0; i < dx.n; i++)
        dx.dst[i] = f.plane[dx.comp[i]];
    return clamped_result(d, insn, dx.n, dx.dst);
}

static bool is_literal_zero(const struct decoder *d, const struct operand *o, uint8_t mask)
{
    bool zero = o->kind == OPND_CONSTANT;

    for (unsigned c = 0; zero && c < 4; c++)
        zero = !(mask >> c & 1) || !eval_constant_word(program_constant(d->p, o->ref), o->swizzle >> 2 * c & 3, DT_F32);
    return zero;
}

/* QSWZ: the neighbour's a, plus b; all bits of a beside a 0 in the text. Where a lane of the quad is missing both are
 * 0. */
bool eval_decode_quad(struct decoder *d, const struct insn *insn)
{
    struct kernel_request want = eval_request(d, OP_ADD, DT_F32);
    struct lane_op a = {0}, b = {0}, sum = {0};

    if (d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&
        is_literal_zero(d, program_operand(d->p, insn->src + 1), insn->dst.mask))
        return quad_operand(d, insn, 0, false, &a) && clamped_result(d, insn, a.n, a.dst);
    if (!quad_operand(d, insn, 0, false, &a) || !quad_operand(d, insn, 1, true, &b))
        return false;
    sum.n = a.n;
    memcpy(sum.comp, a.comp, sizeof sum.comp);
    memcpy(sum.src[0], a.dst, sizeof a.dst);
    memcpy(sum.src[1], b.dst, sizeof b.dst);
    for (unsigned i = 0; i < sum.n; i++)
        sum.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &sum, NULL) && clamped_result(d, insn, sum.n, sum.dst);
}
