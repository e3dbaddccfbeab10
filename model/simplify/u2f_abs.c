/* Unsigned words that become singles, where the compiler knows that they are absolute values: it takes them for signed
 * ones. */
#include "model/analysis/range.h"

uint8_t eval_converts_whole(const struct known *k, const struct insn *insn)
{
    bool converts = (insn->op == OP_I2F && insn->type == DT_U32) ||
                    (insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_U32);
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(k->p, insn->dst.ref) : NULL;
    uint8_t whole = 0;

    if (!converts || insn->flags & INSN_PREC || !to || to->size == SIZE_SHORT ||
        operand_negates(program_operand(k->p, insn->src)))
        return 0;
    for (unsigned c = 0; c < 4; c++) {
        struct operand o = *program_operand(k->p, insn->src);
        o.flags &= (uint16_t)~OPND_SIGNS;
        if (insn->dst.mask >> c & 1 && range_of_operand(k, &o, c, DT_S32).sign & RANGE_WHOLE)
            whole |= (uint8_t)(1u << c);
    }
    return whole;
}
