/* X2D into a variable that it reads: x and z are written before y and w are computed, also where they are the second or
 * third operand. A test sees the flags as they were. Not with .SSAT. */
#include "eval/decode/decode.h"
#include "eval/decode/variables.h"

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

/* One with a swizzle is kept apart. */
bool eval_decode_x2d(struct decoder *d, const struct insn *insn, bool *done)
{
    struct insn part = *insn;
    uint8_t back = model_x2d_reads_back(&d->model, insn);
    bool whole, keep[3], late = insn->cc_update && condition_restricts(&insn->dst.condition);
    struct fetched kept[3];
    const struct fetched *before[3] = {NULL};

    if (!back)
        return true;
    *done = true;
    part.cc_update = late ? 0 : insn->cc_update;
    for (unsigned k = 0; k < 3; k++) {
        keep[k] = eval_names_result(d->p, insn, k, &whole) && !whole;
        if (keep[k] && (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, 15, true, &kept[k]) ||
                        !eval_map(d, eval_request(d, OP_MOV, DT_U32), 15, &kept[k], 0, 0)))
            return false;
        before[k] = keep[k] ? &kept[k] : NULL;
    }
    for (unsigned half = 0; half < 2; half++) {
        struct lane_op op = {.n = 0};
        bool made = false;
        part.dst.mask = insn->dst.mask & (half ? 10 : 5);
        if (eval_takes_products(d, d->insn) || model_knows_steps(&d->model, d->insn)) {
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
