/* What comparisons and tests of flags make of what is known of numbers (range.c). */
#include "model/analysis/range.h"
#include "model/tables.h"

bool eval_compares_sum(const struct known *k, const struct insn *insn, unsigned c, uint32_t *sum, bool *below)
{
    if ((insn->op != OP_SGT && insn->op != OP_SLT) || insn->type != DT_F32 || insn->flags & (INSN_PREC | INSN_HALF))
        return false;
    for (unsigned n = 0; n < 2; n++) {
        const struct operand *o = program_operand(k->p, insn->src);
        uint64_t zero;
        if (o[n].kind == OPND_EXTENDED || !eval_known_operand(k, &o[1 - n], c, DT_F32, &zero) || zero << 33)
            continue;
        *sum = range_of_operand(k, &o[n], c, DT_F32).sum;
        *below = (insn->op == OP_SLT) != (n == 1);
        if (*sum)
            return true;
    }
    return false;
}

/* Learnt in another block. */
static bool is_learnt(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = o->kind == OPND_EXTENDED ? NULL : eval_known_held(k, o, c);

    return v && v->known && (v->elsewhere || v->block != k->block);
}

bool eval_is_faint_negative(const struct known *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    const struct known_value *v =
        insn->type == DT_S32 && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE ? eval_known_held(k, o, c) : NULL;

    return v && v->known &&
           (v->faint || (v->weak && v->loose) ||
            (is_learnt(k, o, c) && !is_learnt(k, program_operand(k->p, insn->src + 1 - n), c)));
}

/* The negative of an absolute value, written so, is less than any known number but 0, one below 0 too (of 64 bits those
 * alone are looked at), and of 32 bits not above 0. */
static bool compares_negative(const struct known *k, const struct insn *insn, unsigned c, bool *is)
{
    const struct operand *o = program_operand(k->p, insn->src);
    uint64_t word;

    if ((insn->type != DT_S64 && insn->type != DT_S32) || !op_compares(insn->op) || insn->nsrc != 2)
        return false;
    for (unsigned n = 0; n < 2; n++) {
        if (!(o[n].flags & OPND_ABSOLUTE) || !(o[n].flags & OPND_NEGATE) || eval_is_bare(k, &o[n], c, insn->type) ||
            o[n].kind == OPND_EXTENDED || o[1 - n].kind == OPND_EXTENDED ||
            (eval_known_operand(k, &o[n], c, insn->type, &word) && !eval_is_faint_negative(k, insn, n, c)) ||
            !eval_known_operand(k, &o[1 - n], c, insn->type, &word))
            continue;
        if (insn->type == DT_S64 ? word >> 63 : word != 0)
            return eval_fold_compare(insn->op, n ? 1 : -1, true, is);
        *is = insn->op == (n ? OP_SGE : OP_SLE);
        return insn->type == DT_S32 && (*is || insn->op == (n ? OP_SLT : OP_SGT));
    }
    return false;
}

bool eval_compares_absolute(const struct known *k, const struct insn *insn, unsigned c, bool *is)
{
    const struct operand *o = program_operand(k->p, insn->src);
    unsigned n = insn->op == OP_SGT || insn->op == OP_SLE;
    uint64_t zero;

    if (compares_negative(k, insn, c, is))
        return true;
    if (insn->type != DT_S32 ||
        (insn->op != OP_SLT && insn->op != OP_SGE && insn->op != OP_SGT && insn->op != OP_SLE) ||
        o[0].kind == OPND_EXTENDED || o[1].kind == OPND_EXTENDED)
        return false;
    *is = insn->op == OP_SGE || insn->op == OP_SLE;
    return eval_known_operand(k, &o[1 - n], c, DT_S32, &zero) && !zero &&
           range_of_operand(k, &o[n], c, DT_S32).sign & RANGE_WHOLE;
}

static bool tested(const struct known *k, uint32_t rules)
{
    return (k->tests & rules) != 0;
}

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

uint32_t eval_branches_know(const struct known *k, const struct insn *insn, unsigned c, struct value_range t)
{
    uint8_t type = eval_result_type(insn);

    if (insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    if (type == DT_F32 && insn->flags & INSN_SAT)
        return eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends) ? 0 : EVAL_CLAMPED;
    if (type == DT_S32 && eval_is_sum(insn->op) && t.sign & RANGE_WHOLE)
        return EVAL_NO_SIGN;
    for (unsigned n = 0; n < 2 && insn->op == OP_OR && eval_is_word(insn->type); n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        if (o->kind == OPND_CONSTANT && !operand_has_sign(o) &&
            eval_constant_word(program_constant(k->p, o->ref), o->swizzle >> 2 * c & 3, insn->type) >> 31 & 1)
            return EVAL_BELOW;
    }
    return 0;
}

uint32_t eval_always_passes(const struct gp5_program *p, const struct insn *insn, const struct known_value *v)
{
    uint8_t type = eval_result_type(insn);
    uint32_t rules = eval_lasting(p, insn);

    if (v->known || insn->flags & (INSN_PREC | INSN_HALF))
        return rules;
    if (type == DT_F32) {
        rules |= v->range.sign & RANGE_NOT_BELOW ? RULE(GE) : 0;
        rules |= v->range.sign & RANGE_ABOVE ? RULE(GT) | RULE(NE) : 0;
        rules |= v->range.sign & RANGE_BELOW ? RULE(LT) | RULE(NE) : 0;
    } else if (v->range.sign & (type == DT_S64 ? RANGE_LONG : RANGE_WHOLE) && !eval_is_sum(insn->op)) {
        rules |= RULE(GE);
    } else if (v->range.sign & RANGE_MINUS_WHOLE && type == DT_S32) {
        rules |= RULE(LE);
    }
    return rules;
}

/* Under a test the compiler sees what it makes of one number in the text, and what is the same whatever the operands
 * are. */
static bool is_seen_under_test(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    bool literal = o && o->kind == OPND_CONSTANT,
         parameter = o && o->kind == OPND_SYMBOL && program_symbol(k->p, o->ref)->kind != SYM_TEMP, is;

    return v->loose || insn->op == OP_STR || (insn->nsrc == 1 && (literal || parameter)) ||
           (insn->nsrc == 2 && eval_compares_absolute(k, insn, c, &is));
}

/* Of numbers that the compiler knows. */
static void answer_known(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                         struct answers *a)
{
    uint8_t type = eval_result_type(insn), bit = (uint8_t)(1u << c);
    bool several = k->several >> ((insn->cc_update - 1u) * 4 + c) & 1;
    bool shown = !condition_restricts(&insn->dst.condition) || is_seen_under_test(k, insn, c, v);

    if (shown && type != DT_F32 && !v->elsewhere &&
        ((type == DT_U32 && !eval_is_sum(insn->op)) || insn->op == OP_MOD ||
         (type == DT_U64 && eval_narrows(k->p, insn))))
        a->positive |= bit;
    if (shown && several && (type == DT_F32 || type == DT_S32 || eval_narrows(k->p, insn)) &&
        eval_is_computed(k->p, insn, v))
        a->signless |= bit;
}

void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *known,
                 struct value_range t, struct answers *a)
{
    uint8_t type = eval_result_type(insn), bit = (uint8_t)(1u << c);
    bool not_below = false, no_sign = false, not_above = false;

    if (known->known && !known->weak && !(type == DT_F32 && insn->flags & INSN_PREC)) {
        answer_known(k, insn, c, known, a);
    } else if (type == DT_F32 || type == DT_F16) {
        not_below = t.sign & RANGE_NOT_BELOW;
        a->above |= t.sign & RANGE_ABOVE && tested(k, RULE(GT)) ? bit : 0;
        a->below |= t.sign & RANGE_BELOW && tested(k, RULE(LT)) ? bit : 0;
        a->sum[c] = tested(k, RULE(GT) | RULE(LT)) ? t.sum : 0;
    } else if (t.sign & (type == DT_S64 ? RANGE_LONG : RANGE_WHOLE)) {
        no_sign = true;
        not_below = !eval_is_sum(insn->op);
    } else {
        not_above = eval_is_sum(insn->op) && t.sign & (type == DT_S64 ? RANGE_MINUS_LONG : RANGE_MINUS_WHOLE);
    }
    a->not_below |= not_below && tested(k, RULE(LT) | RULE(GE) | RULE(SF) | RULE(NSF)) ? bit : 0;
    a->not_above |= not_above && tested(k, RULE(GT) | RULE(LE)) ? bit : 0;
    a->no_sign |= no_sign && tested(k, RULE(SF) | RULE(NSF)) ? bit : 0;
}
