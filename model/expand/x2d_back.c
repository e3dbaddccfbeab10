/* Which operands of X2D its y and w see as its x and z have left them: X2D into a variable that it reads. */
#include "model/expand/expand.h"

/* Whether a result that sets flags is tested by several components of flags. */
static bool tests_others(const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4, looks_at = 0;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            looks_at |= (uint8_t)(1u << (swizzle >> 2 * c & 3));
    return insn->cc_update && condition_restricts(test) && looks_at & (looks_at - 1) && insn->dst.kind != OPND_CC;
}

uint8_t eval_x2d_reads_back(const struct model *d, const struct insn *insn)
{
    uint8_t operands = 0;
    bool whole;

    if (insn->op != OP_X2D || !has_pass(d, PASS_x2d) || insn->flags & INSN_SSAT || insn->dst.kind != OPND_SYMBOL ||
        insn->dst.nindices > 1 || program_is_long(d->p, insn->dst.kind, insn->dst.ref) ||
        (insn->dst.nindices && program_index(d->p, insn->dst.index)->mode != INDEX_CONSTANT) || !(insn->dst.mask & 5) ||
        !(insn->dst.mask & 10) || eval_is_half_of(d->p, d->nvidia, insn) || tests_others(insn) ||
        model_is_indexed(d, insn->dst.ref))
        return 0;
    for (unsigned k = 1; k < 3; k++)
        if (eval_names_result(d->p, insn, k, &whole) && whole)
            operands |= (uint8_t)(1u << k);
    return operands;
}
