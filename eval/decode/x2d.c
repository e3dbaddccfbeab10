/* X2D into a variable that it reads: x and z are written before y and w are computed, also where they are the second or third operand. A test sees the
 * flags as they were. Not with .SSAT. */
#include "eval/decode/decode.h"
#include "eval/decode/variables.h"
#include "model/expand/expand.h"

/* Whether operand k names the variable that is written, and whether as it stands there. */
static bool names_result(const struct decoder *d, const struct insn *insn, unsigned k, bool *as_it_stands)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    const struct result *r = &insn->dst;

    *as_it_stands = o->swizzle == 0xe4;
    return o->kind == OPND_SYMBOL && o->ref == r->ref && o->nindices == r->nindices &&
           (!o->nindices || (program_index(d->p, o->index)->mode == INDEX_CONSTANT &&
                             program_index(d->p, o->index)->offset == program_index(d->p, r->index)->offset));
}

/* The condition code from what stands in the variable, which operand k names. */
static bool set_flags_late(struct decoder *d, const struct insn *insn, unsigned k)
{
    struct operand o = *program_operand(d->p, insn->src + k);
    struct insn flags = *insn;
    uint32_t result[4] = {0};
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);
    struct fetched f;

    o.flags &= (uint16_t)~OPND_SIGNS;
    flags.dst.kind = OPND_CC;
    if (!eval_fetch(d, &o, DT_F32, 15, true, &f))
        return false;
    for (unsigned i = 0; i < n; i++)
        result[i] = f.plane[comp[i]];
    return eval_decode_result(d, &flags, DT_F32, result, NULL, 0);
}

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

uint8_t eval_x2d_reads_back(const struct decoder *d, const struct insn *insn)
{
    uint8_t operands = 0;
    bool whole;

    if (insn->op != OP_X2D || !eval_has(d, PASS_x2d) || insn->flags & INSN_SSAT || insn->dst.kind != OPND_SYMBOL || insn->dst.nindices > 1 ||
        program_is_long(d->p, insn->dst.kind, insn->dst.ref) ||
        (insn->dst.nindices && program_index(d->p, insn->dst.index)->mode != INDEX_CONSTANT) || !(insn->dst.mask & 5) || !(insn->dst.mask & 10) ||
        eval_is_half(d, insn) || tests_others(insn) || eval_is_indexed(d, insn->dst.ref))
        return 0;
    for (unsigned k = 1; k < 3; k++)
        if (names_result(d, insn, k, &whole) && whole)
            operands |= (uint8_t)(1u << k);
    return operands;
}

/* One with a swizzle is kept apart. */
bool eval_decode_x2d(struct decoder *d, const struct insn *insn, bool *done)
{
    struct insn part = *insn;
    uint8_t back = eval_x2d_reads_back(d, insn);
    bool whole, keep[3], late = insn->cc_update && condition_restricts(&insn->dst.condition);
    struct fetched kept[3];
    const struct fetched *before[3] = {NULL};

    if (!back)
        return true;
    *done = true;
    part.cc_update = late ? 0 : insn->cc_update;
    for (unsigned k = 0; k < 3; k++) {
        keep[k] = names_result(d, insn, k, &whole) && !whole;
        if (keep[k] && (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, 15, true, &kept[k]) ||
                        !eval_map(d, eval_request(d, OP_MOV, DT_U32), 15, &kept[k], 0, 0)))
            return false;
        before[k] = keep[k] ? &kept[k] : NULL;
    }
    for (unsigned half = 0; half < 2; half++) {
        struct lane_op op = {.n = 0};
        bool made = false;
        part.dst.mask = insn->dst.mask & (half ? 10 : 5);
        if (eval_takes_products(d, d->insn) || eval_knows_steps(d, d->insn)) {
            if (!eval_decode_steps(d, &part, before))
                return false;
            continue;
        }
        if (!eval_decode_partly_known(d, &part, &made))
            return false;
        if (made)
            continue;
        op.n = (uint8_t)eval_components(part.dst.mask, op.comp);
        for (unsigned k = 0; k < 3; k++) {
            struct fetched f = kept[k];
            if (!keep[k] && !eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, 15, true, &f))
                return false;
            eval_place(&op, k, &f, FLOW_ALL);
        }
        if (!eval_emit(d, &part, eval_request_of(d, &part, OP_X2D), &op))
            return false;
    }
    return !late || set_flags_late(d, insn, back & 4 ? 2 : 1);
}
