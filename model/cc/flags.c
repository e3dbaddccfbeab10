/* Flags as the driver's compiler sees them where they are set: of known results, and of those that by the instruction
 * alone are no negative numbers (docs/numbers.md, "Condition codes"; tests/tools/opsweep_flags.c). */
#include "model/cc/flags.h"

#define RULE(rule) (1u << CC_##rule)

bool eval_narrows(const struct gp5_program *p, const struct insn *insn)
{
    if (insn->op == OP_AND || insn->op == OP_OR)    /* -1 of what nobody knows is a word like others */
        return false;
    for (unsigned n = 0; op_compares(insn->op) && n < insn->nsrc;
         n++) { /* single registers are made 64 bits each by itself */
        const struct operand *o = program_operand(p, insn->src + n);
        if (o->kind != OPND_CONSTANT && !program_is_long(p, o->kind, o->ref))
            return false;
    }
    return type_table[eval_result_type(insn)].bytes == 8 && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(p, insn->dst.ref)->size == SIZE_DEFAULT;
}

bool eval_is_computed(const struct gp5_program *p, const struct insn *insn, const struct known_value *v)
{
    uint8_t type = eval_result_type(insn);

    if (v->weak || v->elsewhere)
        return false;
    if (type_table[type].bytes != 4)
        return eval_narrows(p, insn) && !(insn->flags & INSN_PREC);
    switch (insn->op) {         /* the compiler computes these later */
    case OP_SSG: case OP_DIV: case OP_XPD:
        return type != DT_F32;
    case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return type != DT_F32 || (v->word & 0x7fffffff) != 0x7f800000;
    default:
        return type == DT_F32 ? !(insn->flags & INSN_PREC) : !eval_is_sum(insn->op);
    }
}

/* Sums of integers alone carry, where the variable has the size of the operation. */
uint32_t eval_lasting(const struct gp5_program *p, const struct insn *insn)
{
    bool carries = eval_is_sum(insn->op) && !type_table[insn->type].is_float &&
                   (insn->dst.kind == OPND_CC ||
                    program_is_long(p, insn->dst.kind, insn->dst.ref) == (type_table[insn->type].bytes == 8));

    return carries ? 0 : RULE(NCF) | RULE(NOF) | RULE(BLE);
}

/* Whether the operands are the same from component `from` up to (not with) n. */
static bool squares(const struct known *k, const struct insn *insn, unsigned from, unsigned n)
{
    const struct operand *o = program_operand(k->p, insn->src);

    for (unsigned c = from; c < n; c++)
        if (!eval_known_same_words(k, o, o + 1, c, c))
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

static bool ors_sign(const struct known *k, const struct insn *insn, unsigned c)
{
    for (unsigned n = 0; n < 2 && insn->op == OP_OR && eval_is_word(insn->type); n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        if (o->kind == OPND_CONSTANT && !operand_has_sign(o) &&
            eval_constant_word(program_constant(k->p, o->ref), o->swizzle >> 2 * c & 3, insn->type) >> 31 & 1)
            return true;
    }
    return false;
}

uint32_t eval_always_passes(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    uint8_t type = eval_result_type(insn);
    uint32_t rules = eval_lasting(k->p, insn);

    if (v->known)
        return rules;
    if (insn->op == OP_MOV && type == DT_S32 && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE)
        rules |= RULE(LE);
    if (insn->flags & (INSN_PREC | INSN_HALF))
        return rules;
    if (type == DT_F32 && insn->flags & INSN_SAT &&
        !(eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends)))
        rules |= EVAL_CLAMPED;
    return rules | (is_magnitude(k, insn, c) ? RULE(GE) : 0) | (ors_sign(k, insn, c) ? EVAL_BELOW : 0);
}

/* Under a test the compiler sees what it makes of one number in the text, and what is the same whatever the operands
 * are. */
static bool is_seen_under_test(const struct known *k, const struct insn *insn, const struct known_value *v)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    bool literal = o && o->kind == OPND_CONSTANT,
         parameter = o && o->kind == OPND_SYMBOL && program_symbol(k->p, o->ref)->kind != SYM_TEMP;

    return v->loose || insn->op == OP_STR || (insn->nsrc == 1 && (literal || parameter));
}

/* Of numbers that the compiler knows. */
static void answer_known(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                         struct answers *a)
{
    uint8_t type = eval_result_type(insn), bit = (uint8_t)(1u << c);
    bool several = k->several >> ((insn->cc_update - 1u) * 4 + c) & 1;

    if (condition_restricts(&insn->dst.condition) && !is_seen_under_test(k, insn, v))
        return;
    if (type != DT_F32 && !v->elsewhere &&
        ((type == DT_U32 && !eval_is_sum(insn->op)) || insn->op == OP_MOD ||
         (type == DT_U64 && eval_narrows(k->p, insn))))
        a->positive |= bit;
    if (several && (type == DT_F32 || type == DT_S32 || eval_narrows(k->p, insn)) && eval_is_computed(k->p, insn, v))
        a->signless |= bit;
}

void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                 struct answers *a)
{
    uint8_t type = eval_result_type(insn), bit = (uint8_t)(1u << c);
    bool is_float = type_table[type].is_float;

    if (v->known && !v->weak && !(type == DT_F32 && insn->flags & INSN_PREC)) {
        answer_known(k, insn, c, v, a);
    } else if ((is_float || !eval_is_sum(insn->op)) && is_magnitude(k, insn, c)) {
        a->not_below |= k->tests & (RULE(LT) | RULE(GE) | RULE(SF) | RULE(NSF)) ? bit : 0;
        a->no_sign |= !is_float && k->tests & (RULE(SF) | RULE(NSF)) ? bit : 0;
    }
}
