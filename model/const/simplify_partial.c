/* What is left to do of one component of a result where the driver's compiler knows some of its operands: products with
 * 1.0 are copies, and MAD of two known factors adds their product. */
#include "model/const/transfer_op.h"

#include "eval/numeric/half_memory.h"

int model_known_choice(const struct fold *f, const bool known[3])
{
    uint8_t type = f->half ? f->insn->type : eval_register_type(f->insn->type); /* halves with .SSAT are singles */

    if (!known[0] || (f->half && f->insn->flags & INSN_PREC))
        return -1;
    if (f->keeps_denormals && type_table[type].is_float && type_table[type].bytes <= 4)
        return 2;
    if (f->half)
        return model_fold_takes_second(DT_S32, eval_half_to_float(eval_float_to_half((uint32_t)f->src[0][f->first[0]])))
                   ? 1
                   : 2;
    return type_table[type].bytes != 4 ? -1 : model_fold_takes_second(type, (uint32_t)f->src[0][f->first[0]]) ? 1 : 2;
}

/* Factors that are 1.0 or -1.0. */
static void find_ones(const struct fold *f, const bool known[3], struct folded *folded)
{
    const struct insn *insn = f->insn;
    bool wide = type_table[insn->type].bytes == 8;
    uint64_t one = wide ? 0x3ff0000000000000u : 0x3f800000, sign = wide ? 1ull << 63 : 0x80000000u;

    if (insn->op != OP_MUL && insn->op != OP_DIV && insn->op != OP_MAD)
        return;
    for (unsigned n = insn->op == OP_DIV; n < 2; n++) {
        uint64_t word = f->src[n][f->first[n]];
        if (!known[n] || (word & ~sign) != one)
            continue;
        folded->ones[n] |= (uint8_t)(1u << f->component);
        folded->minus[n] |= (uint8_t)((word & sign ? 1u : 0) << f->component);
        return;
    }
}

void model_fold_partly(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    if (!type_table[f->insn->type].is_float)
        return;
    if (model_has(k->passes, PASS_mul_one))
        find_ones(f, known, folded);
    if (model_has(k->passes, PASS_mad_const) && model_fold_product(f, known, &folded->word[f->component]))
        folded->part |= (uint8_t)(1u << f->component);
}
