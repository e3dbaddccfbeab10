/* Sums that are compared with zero: where the driver's compiler compares the terms instead, so that a sum that is
 * flushed to zero is still seen to be above or below it (range.c). What they come out as is computed where the sum is,
 * before its terms change. */
#include "eval/decode/decode.h"

#include <string.h>

static bool is_fused(const struct decoder *d, uint32_t insn, unsigned c)
{
    return d->model.contraction.sums && d->model.contraction.sums[insn][c].product != NO_INDEX;
}

static struct comparison *comparison_of(struct decoder *d, uint32_t insn)
{
    size_t n = d->p->insns.count;

    if (!d->compared) {
        d->compared = gp5_malloc(n * sizeof *d->compared);
        if (!d->compared) {
            eval_out_of_memory(d);
            return NULL;
        }
        memset(d->compared, 0xff, n * sizeof *d->compared);
    }
    return &d->compared[insn];
}

/* One term against the other's negative. */
static bool compare(struct decoder *d, const struct operand terms[2], unsigned c, uint16_t by, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, by, DT_F32);
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};

    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, &terms[k], DT_F32, (uint8_t)(1u << c), true, &f))
            return false;
        f.flip ^= k ? 0x80000000u : 0;
        eval_place(&op, k, &f, FLOW_EACH);
    }
    *plane = op.dst[0] = eval_layout_planes(&d->layout, 1);
    return eval_raw(d, &want, &op, NULL);
}

bool eval_compare_terms(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint8_t wanted = folded ? folded->compared : 0;

    for (unsigned c = 0; c < 4; c++) {
        struct operand terms[2];
        struct comparison *to;
        if (!(wanted >> c & 1) || is_fused(d, d->insn, c) || !eval_terms(d->p, insn, c, terms))
            continue;
        to = comparison_of(d, d->insn);
        if (!to || !compare(d, terms, c, OP_SGT, &to->more[c]) || !compare(d, terms, c, OP_SLT, &to->less[c]))
            return false;
    }
    return true;
}

bool eval_decode_compared(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct lane_op op = {.n = 0};

    if (!folded || !insn->dst.mask || insn->dst.mask & ~folded->compares)
        return true;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned i = 0; i < op.n; i++) {
        unsigned c = op.comp[i];
        uint32_t more, less;
        if (!eval_sum_compared(d, folded->uses[c], &more, &less))
            return true;
        op.src[0][i] = folded->less >> c & 1 ? less : more;
    }
    *done = true;
    return eval_emit(d, insn, eval_request_of(d, insn, OP_MOV), &op);
}
