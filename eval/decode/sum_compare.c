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

/* The terms of a sum at a component: of MAD by 1.0 or -1.0 the other factor and the addend; false where it is none. */
static bool terms(const struct decoder *d, const struct insn *insn, unsigned c, struct operand term[2])
{
    const struct operand *o = program_operand(d->p, insn->src);
    const struct folded *folded = eval_folded_at(d, d->insn);

    term[0] = o[0];
    term[1] = o[insn->op == OP_MAD ? 2 : 1];
    term[1].flags ^= insn->op == OP_SUB ? OPND_NEGATE : 0;
    if (d->model.contraction.sums && d->model.contraction.sums[d->insn][c].product != NO_INDEX)
        return false;
    for (unsigned k = 0; insn->op == OP_MAD && folded && k < 2; k++)
        if (folded->ones[k] >> c & 1) {
            term[0] = o[1 - k];
            term[0].flags ^= folded->minus[k] >> c & 1 ? OPND_NEGATE : 0;
            return true;
        }
    return op_adds(insn->op);
}

/* One term against the other's negative. */
static bool compare(struct decoder *d, const struct operand term[2], unsigned c, uint16_t by, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, by, DT_F32);
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};

    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, &term[k], DT_F32, (uint8_t)(1u << c), true, &f))
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
    bool sums = (op_adds(insn->op) || insn->op == OP_MAD) && insn->type == DT_F32 &&
                !(insn->flags & (INSN_PREC | INSN_HALF | INSN_SAT | INSN_SSAT));
    uint8_t above = folded ? folded->answers.above : 0, below = folded ? folded->answers.below : 0;

    if (!insn->cc_update || !eval_has(d, PASS_sum_compare) || !is_asked(d))
        return true;
    for (unsigned c = 0; c < 4; c++) {
        struct operand term[2];
        if (!(insn->dst.mask >> c & 1) || (folded && folded->mask >> c & 1))
            continue;
        if ((above | below) >> c & 1) {
            d->compared.more[c] = eval_layout_word(&d->layout, above >> c & 1);
            d->compared.less[c] = eval_layout_word(&d->layout, below >> c & 1);
        } else if (sums && terms(d, insn, c, term) &&
                   (!compare(d, term, c, OP_SGT, &d->compared.more[c]) ||
                    !compare(d, term, c, OP_SLT, &d->compared.less[c]))) {
            return false;
        }
    }
    return true;
}
