/* Unsigned words that become singles, where the compiler knows that they are absolute values: it takes them for signed
 * ones (docs/numbers.md, "Conversions"). */
#include "eval/decode/decode.h"

bool eval_decode_whole(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct operand o = *program_operand(d->p, insn->src);
    uint32_t by_component[4] = {0};
    struct fetched f;

    if (!folded || !folded->whole)
        return true;
    *done = true;
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!eval_fetch(d, &o, DT_U32, insn->dst.mask, false, &f))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        struct kernel_request want = eval_request_of(d, insn, insn->op);
        struct lane_op op = {.n = 1, .comp = {(uint8_t)c}, .src = {{f.plane[c]}}};
        want.type2 = folded->whole >> c & 1 ? DT_S32 : DT_U32;
        if (!(insn->dst.mask >> c & 1))
            continue;
        by_component[c] = op.dst[0] = eval_layout_scratch(&d->layout);
        if (!eval_raw(d, &want, &op, NULL))
            return false;
    }
    return eval_join_partials(d, insn, by_component);
}
