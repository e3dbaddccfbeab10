/* Absolute values, squares and powers are not below zero to the driver's compiler, where tests ask for that: GE passes
 * for a NaN as well, and for the least integer; a known unsigned
 * number has no sign, and other known ones are zero or not where flags are set often (docs/numbers.md, "Condition
 * codes"; tests/tools/opsweep_flags.c). */
#include "model/cc/flags.h"

#define RULE(rule) (1u << CC_##rule)

/* Whether the operands are the same from component `from` up to (not with) n. */
static bool squares(const struct known *k, const struct insn *insn, unsigned from, unsigned n)
{
    const struct operand *o = program_operand(k->p, insn->src);

    for (unsigned c = from; c < n; c++)
        if (!model_known_same_words(k, o, o + 1, c, c))
            return false;
    return true;
}

/* An absolute value, a square, a power: if it is a number, it is not below zero. */
static bool is_magnitude(const struct known *k, const struct insn *insn, unsigned c)
{
    bool moves = insn->op == OP_MOV || insn->op == OP_ABS, is_float = insn->type == DT_F32;
    uint16_t signs = insn->nsrc ? program_operand(k->p, insn->src)->flags & (OPND_ABSOLUTE | OPND_NEGATE) : 0;

    if (!insn->nsrc || insn->flags & (INSN_SAT | INSN_SSAT | INSN_FIXED) ||
        (insn->flags & (INSN_HALF | INSN_PREC) && !moves) || insn->type != eval_result_type(insn) ||
        (!is_float && insn->type != DT_S32 && insn->type != DT_S64 && !(moves && insn->type == DT_F16)))
        return false;
    switch (insn->op) {
    case OP_ABS: return true;
    case OP_MOV: return signs == OPND_ABSOLUTE;
    case OP_MUL: return is_float && squares(k, insn, c, c + 1);
    case OP_DP2: return is_float && squares(k, insn, 0, 2);
    case OP_DP3: return is_float && squares(k, insn, 0, 3);
    case OP_DP4: return is_float && squares(k, insn, 0, 4);
    case OP_POW: return is_float && program_operand(k->p, insn->src)->kind != OPND_CONSTANT;
    case OP_EX2: return is_float;
    default: return false;
    }
}

bool model_is_computed(const struct insn *insn, const struct known_value *v)
{
    uint8_t type = eval_result_type(insn);
    bool is_float = type == DT_F32;

    if (v->branch_only || type_table[type].bytes != 4 || (is_float && insn->flags & INSN_PREC))
        return false;
    switch (insn->op) {         /* the compiler computes these later */
    case OP_SSG: case OP_DIV: case OP_XPD:
        return !is_float;
    case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return !is_float || (v->word & 0x7fffffff) != 0x7f800000;
    default:
        return is_float || !eval_is_sum(insn->op);
    }
}

void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                 struct answers *a)
{
    uint8_t type = eval_result_type(insn), bit = (uint8_t)(1u << c);
    bool is_float = type_table[type].is_float;

    if (v->known && !v->branch_only) {
        if (k->several >> ((insn->cc_update - 1u) * 4 + c) & 1 && (type == DT_F32 || type == DT_S32) &&
            !condition_restricts(&insn->dst.condition))
            a->signless |= model_is_computed(insn, v) ? bit : 0;
        a->positive |= (type == DT_U32 && !eval_is_sum(insn->op)) || insn->op == OP_MOD ? bit : 0;
        return;
    }
    if ((!is_float && eval_is_sum(insn->op)) || !is_magnitude(k, insn, c))
        return;
    a->not_below |= k->tests & (RULE(LT) | RULE(GE) | RULE(SF) | RULE(NSF)) ? bit : 0;
    a->no_sign |= !is_float && k->tests & (RULE(SF) | RULE(NSF)) ? bit : 0;
}
