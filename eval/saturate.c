/* Integers with .SAT, which the driver takes with OPTION NV_internal alone: sums are kept within their type, of MAD the exact
 * product and the addend; products by themselves wrap. */
#include "eval/decode.h"

#include <string.h>

struct saturation {
    struct decoder *d;
    uint8_t type;
    unsigned n;
    bool ok;
};

/* A kernel over planes, into scratch. */
static void apply(struct saturation *s, uint16_t op, uint8_t type, uint32_t flags, const uint32_t a[4], const uint32_t b[4],
                  const uint32_t c[4], uint32_t out[4])
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

bool eval_decode_saturated(struct decoder *d, const struct insn *insn)
{
    struct saturation s = {.d = d, .type = insn->type, .ok = true};
    uint32_t plane[3][4] = {{0}}, product[4], high[4], over[4], zero[4], result[4];
    uint8_t comp[4];

    if (type_table[insn->type].bytes != 4 || insn->flags & INSN_SSAT || (insn->op == OP_MAD && insn->type != DT_U32))
        return eval_refuse(d, insn->span, "a saturated %s.%s", op_table[insn->op].name, type_table[insn->type].name);
    s.n = eval_components(insn->dst.mask, comp);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), insn->type, insn->dst.mask, false, &f))
            return false;
        for (unsigned i = 0; i < s.n; i++)
            plane[k][i] = f.plane[comp[i]];
    }
    for (unsigned i = 0; i < 4; i++)
        zero[i] = eval_layout_word(&d->layout, 0);
    if (insn->op == OP_MUL) {
        apply(&s, OP_MUL, insn->type, 0, plane[0], plane[1], NULL, result);
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
    return s.ok && eval_decode_result(d, insn, insn->type, result, NULL, 0);
}
