/* Integers with .SAT, which the driver takes with OPTION NV_internal alone (docs/numbers.md, "Integers" and
 * "Conversions"): sums are kept within their type, of MAD the exact product and the addend; products by themselves
 * wrap, as does what has 64 bits. Clamps that the size of the variable decides. */
#include "eval/decode/decode.h"

#include <string.h>

struct saturation {
    struct decoder *d;
    uint8_t type;
    uint16_t rounding;
    unsigned n;
    bool ok;
};

/* A kernel over planes, into scratch. */
static void apply(struct saturation *s, uint16_t op, uint8_t type, uint32_t flags, const uint32_t a[4],
                  const uint32_t b[4], const uint32_t c[4], uint32_t out[4])
{
    struct kernel_request want = eval_request(s->d, op, type);
    struct lane_op lane = {.n = (uint8_t)s->n};

    want.flags = flags;
    for (unsigned i = 0; i < s->n; i++) {
        lane.comp[i] = (uint8_t)i;
        lane.src[0][i] = a[i];
        lane.src[1][i] = b ? b[i] : a[i];
        lane.src[2][i] = c ? c[i] : a[i];
        lane.dst[i] = eval_layout_scratch(&s->d->layout);
    }
    s->ok = s->ok && eval_raw(s->d, &want, &lane, NULL);
    memcpy(out, lane.dst, sizeof lane.dst);
}

/* A conversion, into scratch. */
static void convert(struct saturation *s, uint8_t to, uint8_t from, uint8_t clamp, const uint32_t a[4], uint32_t out[4])
{
    struct kernel_request want = eval_request(s->d, OP_CVT, to);
    struct lane_op lane = {.n = (uint8_t)s->n};

    want.type2 = from;
    want.saturate = clamp;
    want.rounding = s->rounding;
    for (unsigned i = 0; i < s->n; i++) {
        lane.comp[i] = (uint8_t)i;
        lane.src[0][i] = a[i];
        lane.dst[i] = eval_layout_scratch(&s->d->layout);
    }
    s->ok = s->ok && eval_raw(s->d, &want, &lane, NULL);
    memcpy(out, lane.dst, sizeof lane.dst);
}

/* a + b, or all bits where it does not fit. */
static void sum_unsigned(struct saturation *s, const uint32_t a[4], const uint32_t b[4], uint32_t out[4])
{
    uint32_t sum[4], over[4];

    apply(s, OP_ADD, DT_U32, 0, a, b, NULL, sum);
    apply(s, OP_SLT, DT_U32, 0, sum, a, NULL, over);
    apply(s, OP_OR, DT_U32, 0, sum, over, NULL, out);
}

/* a + b, or where both have another sign than the sum the end of the range on their side. */
static void sum_signed(struct saturation *s, const uint32_t a[4], const uint32_t b[4], uint32_t out[4])
{
    uint32_t sum[4], x[4], y[4], limit[4], top[4], most[4], count[4];

    for (unsigned i = 0; i < 4; i++) {
        most[i] = eval_layout_word(&s->d->layout, 0x7fffffff);
        count[i] = eval_layout_word(&s->d->layout, 31);
    }
    apply(s, OP_ADD, DT_S32, 0, a, b, NULL, sum);
    apply(s, OP_XOR, DT_S32, 0, sum, a, NULL, x);
    apply(s, OP_XOR, DT_S32, 0, sum, b, NULL, y);
    apply(s, OP_AND, DT_S32, 0, x, y, NULL, x);         /* negative: it overflows */
    apply(s, OP_SHR, DT_S32, 0, a, count, NULL, top);
    apply(s, OP_XOR, DT_S32, 0, top, most, NULL, limit);
    apply(s, OP_CMP, DT_S32, 0, x, limit, sum, out);
}

/* a * b + c, exact, in 64 bits. */
static void sum_of_product(struct saturation *s, uint32_t plane[3][4], uint32_t out[4])
{
    uint32_t wide[3][4];

    for (unsigned k = 0; k < 3; k++)
        convert(s, DT_S64, DT_S32, 0, plane[k], wide[k]);
    apply(s, OP_MUL, DT_S64, 0, wide[0], wide[1], NULL, out);
    apply(s, OP_ADD, DT_S64, 0, out, wide[2], NULL, out);
    convert(s, DT_S32, DT_S64, INSN_SAT, out, out);
}

static bool fetch_all(struct saturation *s, const struct insn *insn, uint32_t plane[3][4])
{
    uint8_t comp[4];

    s->n = eval_components(insn->dst.mask, comp);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        struct fetched f;
        if (!eval_fetch(s->d, program_operand(s->d->p, insn->src + k), insn->type, insn->dst.mask, false, &f))
            return false;
        for (unsigned i = 0; i < s->n; i++)
            plane[k][i] = f.plane[comp[i]];
    }
    return true;
}

/* Flags are those of the sum that is not clamped, under the text's semantics its carry and overflow alone. */
static bool write_sum(struct saturation *s, const struct insn *insn, uint32_t plane[3][4], uint32_t result[4])
{
    struct kernel_request want = eval_request(s->d, insn->op, insn->type);
    struct lane_op op = {.n = (uint8_t)s->n};
    struct kernel k = {.carry = NULL};

    if (insn->op == OP_MUL || !insn->cc_update)
        return s->ok && eval_decode_result(s->d, insn, insn->type, result, NULL, 0);
    memcpy(op.src, plane, sizeof op.src);
    for (unsigned i = 0; i < s->n; i++)
        op.dst[i] = eval_layout_scratch(&s->d->layout);
    if (!s->ok || !eval_raw(s->d, &want, &op, &k))
        return false;
    s->d->unclamped = s->d->x->options.semantics == GP5_SEMANTICS_NVIDIA ? op.dst : NULL;
    return eval_decode_result(s->d, insn, insn->type, result, k.carry, (uint32_t)s->d->ops.count - 1);
}

/* Of 64 bits nothing is clamped, but an unsigned sum whose top bit is set is 0. */
static bool decode_wide(struct saturation *s, const struct insn *insn)
{
    struct insn plain = *insn;
    uint32_t plane[3][4] = {{0}}, zero[4], result[4];
    uint64_t nothing = 0;

    plain.flags &= ~(uint32_t)INSN_SAT;
    if (insn->op != OP_ADD || insn->type != DT_U64)
        return eval_decode_plainly(s->d, &plain);
    if (!fetch_all(s, insn, plane))
        return false;
    for (unsigned i = 0; i < 4; i++)
        zero[i] = eval_layout_word64(&s->d->layout, nothing);
    apply(s, OP_ADD, DT_U64, 0, plane[0], plane[1], NULL, result);
    apply(s, OP_MAX, DT_S64, 0, result, zero, NULL, result);
    return write_sum(s, insn, plane, result);
}

bool eval_decode_saturated(struct decoder *d, const struct insn *insn)
{
    struct saturation s = {.d = d, .type = insn->type, .ok = true};
    uint32_t plane[3][4] = {{0}}, product[4], high[4], over[4], zero[4], result[4];

    if (insn->flags & INSN_SSAT)
        return eval_refuse(d, insn->span, "a saturated %s.%s", op_table[insn->op].name, type_table[insn->type].name);
    if (type_table[insn->type].bytes == 8)
        return decode_wide(&s, insn);
    if (!fetch_all(&s, insn, plane))
        return false;
    for (unsigned i = 0; i < 4; i++)
        zero[i] = eval_layout_word(&d->layout, 0);
    if (insn->op == OP_MUL) {
        apply(&s, OP_MUL, insn->type, 0, plane[0], plane[1], NULL, result);
    } else if (insn->op == OP_MAD && insn->type == DT_S32) {
        sum_of_product(&s, plane, result);
    } else if (insn->op == OP_MAD) {
        apply(&s, OP_MUL, DT_U32, 0, plane[0], plane[1], NULL, product);
        apply(&s, OP_MUL, DT_U32, INSN_HI, plane[0], plane[1], NULL, high);
        apply(&s, OP_SNE, DT_U32, 0, high, zero, NULL, over);
        sum_unsigned(&s, product, plane[2], product);
        apply(&s, OP_OR, DT_U32, 0, product, over, NULL, result);
    } else if (insn->type == DT_U32) {
        sum_unsigned(&s, plane[0], plane[1], result);
    } else {
        sum_signed(&s, plane[0], plane[1], result);
    }
    return write_sum(&s, insn, plane, result);
}

/* ---- clamps that the size of the variable decides ----------------------------------------------------------- */

/* To 64 bits, and from there to the 32 of the variable. */
static bool clamp_to_words(struct decoder *d, const struct insn *insn, struct lane_op *op)
{
    struct saturation s = {.d = d, .rounding = insn->rounding, .n = op->n, .ok = true};
    uint8_t word = insn->type == DT_S64 ? DT_S32 : DT_U32;
    uint32_t result[4];

    convert(&s, insn->type, insn->type2, 0, op->src[0], result);
    s.rounding = 0;
    convert(&s, word, insn->type, INSN_SAT, result, result);
    return s.ok && eval_decode_result(d, insn, word, result, NULL, 0);
}

/* Floats that are widened before they are clamped. */
static bool clamp_widened(struct decoder *d, const struct insn *insn, struct lane_op *op)
{
    struct saturation s = {.d = d, .n = op->n, .ok = true};
    uint32_t result[4];

    for (unsigned i = 0; i < op->n; i++)
        op->dst[i] = eval_layout_scratch(&d->layout);
    if (!eval_raw(
            d,
            &(struct kernel_request){.op = OP_UP64, .type = DT_F32, .type2 = DT_F32, .profile = (uint8_t)d->p->profile},
            op, NULL))
        return false;
    convert(&s, DT_F64, DT_F32, 0, op->dst, result);
    return s.ok &&
           eval_after(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F64), op->n, result) &&
           eval_decode_result(d, insn, DT_F64, result, NULL, 0);
}

bool eval_decode_clamped(struct decoder *d, const struct insn *insn, bool *done)
{
    bool to_long = program_is_long(d->p, insn->dst.kind, insn->dst.ref), converts, unpacks;
    struct lane_op op = {.n = (uint8_t)eval_components(insn->dst.mask, op.comp)};
    struct fetched f;

    converts = insn->op == OP_CVT && insn->flags & INSN_SAT && (insn->type == DT_S64 || insn->type == DT_U64) &&
               !to_long && insn->type2 != DT_F32 && insn->type2 != DT_F16;
    unpacks = insn->op == OP_UP64 && insn->flags & (INSN_SAT | INSN_SSAT) && insn->type == DT_F32 && to_long;
    if (!converts && !unpacks)
        return true;
    *done = true;
    if (!eval_fetch(d, program_operand(d->p, insn->src), eval_operand_type(insn, 0), unpacks ? 3 : insn->dst.mask, true,
                    &f))
        return false;
    eval_place(&op, 0, &f, unpacks ? FLOW_ALL : FLOW_EACH);
    return unpacks ? clamp_widened(d, insn, &op) : clamp_to_words(d, insn, &op);
}
