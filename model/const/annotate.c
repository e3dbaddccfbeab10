/* What the machine is told of operands that the driver's compiler knows: terms of sums that set flags, NaNs with signs,
 * factors of vector operations. */
#include "model/tables.h"
#include "model/const/transfer_op.h"

#include <string.h>

/* A number that a register of 32 bits gives to a sum of 64: a term, or a factor that is 0, of which a minus before it
 * is none. */
static bool is_narrow_number(const struct known *k, const struct insn *insn, unsigned n, unsigned c, uint64_t *word)
{
    struct operand o = *program_operand(k->p, insn->src + n);
    bool negated = o.flags & OPND_NEGATE, absolute = o.flags & OPND_ABSOLUTE, factor = insn->op == OP_MAD && n < 2;

    o.flags = 0;
    if (type_table[insn->type].bytes != 8 || insn->op == OP_SAD || o.kind != OPND_SYMBOL ||
        program_symbol(k->p, o.ref)->kind != SYM_TEMP || program_symbol(k->p, o.ref)->size != SIZE_DEFAULT ||
        !model_known_operand(k, &o, c, DT_U32, word) || ((factor || absolute) && *word))
        return false;
    *word = insn->type == DT_S64 ? (uint64_t)(int64_t)(int32_t)*word : *word;
    *word = negated ? 0 - *word : *word;
    return true;
}

void model_note_terms(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    if (!f->insn->cc_update || type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return;
    for (unsigned n = 0; n < f->insn->nsrc; n++) {
        struct operand o = *program_operand(k->p, f->insn->src + n);
        uint8_t bit = (uint8_t)(1u << f->component);
        const struct known_value *held = model_known_held(k, &o, f->first[n]);
        uint64_t word = known[n] ? f->src[n][f->first[n]] : 0;
        if ((known[n] || is_narrow_number(k, f->insn, n, f->first[n], &word)) &&
            !(held && held->branch_only)) {
            folded->operands[n] |= bit;
            folded->numbers[n][f->component] = word;
        }
    }
}

/* ---- operations over several components -------------------------------------------------------------------- */

/* Of what multiplies several components: those of its operands that are 1.0 or -1.0. */
static void find_all_ones(const struct known *k, const struct insn *insn, struct folded *folded)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_DST: case OP_LRP:
    case OP_RFL: break;
    default: return;
    }
    for (unsigned n = 0; (insn->type == DT_F32 || (insn->type == DT_F16 && insn->op == OP_DST)) && n < insn->nsrc;
         n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t word;
            if (model_known_is_absorbed(k, o, c) || !model_known_operand(k, o, c, DT_F32, &word) ||
                (word & 0x7fffffff) != 0x3f800000)
                continue;
            folded->ones[n] |= (uint8_t)(1u << c);
            folded->minus[n] |= (uint8_t)(word >> 31 << c);
        }
    }
}

/* What MIN and MAX clamp to, if they are a pair (pair.c). */
static void find_bounds(const struct known *k, const struct insn *insn, struct folded *folded)
{
    bool wide = insn->type == DT_F64;
    uint64_t bound = insn->op == OP_MAX ? 0 : wide ? 0x3ff0000000000000u : 0x3f800000;

    if ((insn->op != OP_MIN && insn->op != OP_MAX) || (insn->type != DT_F32 && insn->type != DT_F16 && !wide))
        return;
    for (unsigned n = 0; n < 2; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t word;
            if ((wide && o->kind == OPND_SYMBOL && !program_is_long(k->p, o->kind, o->ref)) ||
                !model_known_operand(k, o, c, wide ? DT_F64 : DT_F32, &word))
                continue;
            word = insn->op == OP_MAX ? word << (wide ? 1 : 33) : word;     /* of either sign */
            folded->bounds[n] |= (uint8_t)((word == bound) << c);
        }
    }
}

void model_known_vector(const struct known *k, const struct insn *insn, struct folded *folded)
{
    if (model_has(k->passes, PASS_mul_one))
        find_all_ones(k, insn, folded);
    if (model_has(k->passes, PASS_pairs))
        find_bounds(k, insn, folded);
}

void model_note_voted(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct operand *o = program_operand(k->p, insn->src);

    for (unsigned c = 0; model_has(k->passes, PASS_vote_booleans) && !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct known_value *v = model_known_held(k, o, c);
        if (insn->dst.mask >> c & 1 && v && v->boolean && !v->known &&
            program_symbol(k->p, o->ref)->size == SIZE_DEFAULT)
            folded->booleans |= (uint8_t)(1u << c);
    }
}
