/* A sum of floats whose flags somebody tests with GT or LT: the driver's compiler compares the terms instead, so that a
 * sum that is flushed to zero is still seen to be above or below it. What they come out as is computed before the sum
 * is, which may change its terms. */
#include "eval/decode/decode.h"

static bool is_asked(struct decoder *d)
{
    if (!d->tests)
        for (uint32_t i = 0; i < d->p->insns.count; i++)
            d->tests |= 1u << program_insn(d->p, i)->condition.rule |
                        1u << program_insn(d->p, i)->dst.condition.rule | 1u << CC_COUNT;
    return d->tests & (1u << CC_GT | 1u << CC_LT);
}

/* One term against the other's negative. */
static bool compare(struct decoder *d, const struct insn *insn, unsigned c, uint16_t by, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, by, DT_F32);
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};

    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, (uint8_t)(1u << c), true, &f))
            return false;
        f.flip ^= k && insn->op == OP_ADD ? 0x80000000u : 0;
        eval_place(&op, k, &f, FLOW_EACH);
    }
    *plane = op.dst[0] = eval_layout_planes(&d->layout, 1);
    return eval_raw(d, &want, &op, NULL);
}

bool eval_compare_terms(struct decoder *d, const struct insn *insn)
{
    if (!insn->cc_update || (insn->op != OP_ADD && insn->op != OP_SUB) || insn->type != DT_F32 ||
        insn->flags & (INSN_PREC | INSN_HALF | INSN_SAT | INSN_SSAT) || !eval_has(d, PASS_sum_compare) || !is_asked(d))
        return true;
    for (unsigned c = 0; c < 4; c++) {
        bool fused = d->model.contraction.sums && d->model.contraction.sums[d->insn][c].product != NO_INDEX;
        if (insn->dst.mask >> c & 1 && !fused && !(eval_folded(d, d->insn) >> c & 1) &&
            (!compare(d, insn, c, OP_SGT, &d->compared.more[c]) || !compare(d, insn, c, OP_SLT, &d->compared.less[c])))
            return false;
    }
    return true;
}
