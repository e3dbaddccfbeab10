/* Flags of results that the compiler knows something of by the instruction alone: absolute values, squares, powers and
 * sums of these are not below zero, where tests ask for that (GE passes for a NaN as well, and for the least integer);
 * a known unsigned number has no sign, and other known ones are zero or not where blocks set flags often
 * (docs/numbers.md, "Condition codes"; tests/tools/opsweep_flags.c). */
#include "model/cc/flags.h"

#define RULE(rule) (1u << CC_##rule)

/* What is known of a number: bits. A NaN may be any. */
enum { NOT_BELOW = 1, NOT_ABOVE = 2, ABOVE = 4, BELOW = 8 };

static unsigned turned(unsigned s)
{
    return (s & (NOT_BELOW | ABOVE)) << 1 | (s & (NOT_ABOVE | BELOW)) >> 1;
}

static unsigned of_operand(const struct known *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    bool is_float = type_table[insn->type].is_float;
    uint64_t word;

    if (o->flags & OPND_ABSOLUTE)
        return o->flags & OPND_NEGATE ? NOT_ABOVE : NOT_BELOW;
    if (!is_float || !model_known_operand(k, o, c, DT_F32, &word) || (uint32_t)word << 1 > 0xff000000u)
        return 0;
    word = (uint32_t)word << 1 ? NOT_BELOW | ABOVE | (word >> 31) << 4 : NOT_BELOW | (word >> 31) << 4;
    return word & 16 ? turned(word & 15) : (unsigned)word;
}

static unsigned sum(unsigned a, unsigned b)
{
    unsigned both = a & b & (NOT_BELOW | NOT_ABOVE);

    return both | ((a | b) & both << 2);
}

/* Products of the first two operands at components `from` up to (not with) n, added: squares. */
static unsigned products(const struct known *k, const struct insn *insn, unsigned from, unsigned n)
{
    const struct operand *o = program_operand(k->p, insn->src);

    for (unsigned c = from; c < n; c++)
        if (!model_known_same_words(k, o, o + 1, c, c))
            return 0;
    return NOT_BELOW;
}

/* Whether the second operand is a number. */
static bool is_number(const struct known *k, const struct insn *insn, unsigned c, uint32_t number)
{
    uint64_t word;

    return model_known_operand(k, program_operand(k->p, insn->src + 1), c, DT_S32, &word) && (uint32_t)word == number;
}

/* What the compiler knows of a result by the instruction alone; of integers, where it is its first operand. */
static unsigned sign_of(const struct known *k, const struct insn *insn, unsigned c)
{
    bool moves = insn->op == OP_MOV || insn->op == OP_ABS, is_float = insn->type == DT_F32,
         adds = op_adds(insn->op) || insn->op == OP_SHR;
    unsigned second = insn->op == OP_CMP;

    if (!insn->nsrc || insn->flags & (INSN_SAT | INSN_SSAT | INSN_FIXED) ||
        (insn->flags & (INSN_HALF | INSN_PREC) && !moves) || insn->type != eval_result_type(insn) ||
        (!is_float && insn->type != DT_S32 && insn->type != DT_S64 && !(moves && insn->type == DT_F16)))
        return 0;
    if (moves)
        return insn->op == OP_ABS ? NOT_BELOW : of_operand(k, insn, 0, c);
    if (!is_float)
        return insn->type == DT_S32 && (adds || insn->op == OP_MUL || insn->op == OP_DIV) &&
                       is_number(k, insn, insn->op == OP_SHR || insn->op == OP_DIV ? 0 : c, !adds)
                   ? of_operand(k, insn, 0, c) & NOT_BELOW
                   : 0;
    switch (insn->op) {
    case OP_MUL: return products(k, insn, c, c + 1);
    case OP_DP2: return products(k, insn, 0, 2);
    case OP_DP3: return products(k, insn, 0, 3);
    case OP_DP4: return products(k, insn, 0, 4);
    case OP_ADD: return sum(of_operand(k, insn, 0, c), of_operand(k, insn, 1, c));
    case OP_SUB: return sum(of_operand(k, insn, 0, c), turned(of_operand(k, insn, 1, c)));
    case OP_MAD: return sum(products(k, insn, c, c + 1), of_operand(k, insn, 2, c));
    case OP_DP2A: return sum(products(k, insn, 0, 2), of_operand(k, insn, 2, 0));
    case OP_MIN: case OP_MAX: case OP_CMP: return of_operand(k, insn, second, c) & of_operand(k, insn, second + 1, c);
    case OP_DST: return c == 1 ? products(k, insn, 1, 2) : c ? of_operand(k, insn, c - 2, c) : 0;
    case OP_POW: return program_operand(k->p, insn->src)->kind != OPND_CONSTANT ? NOT_BELOW : 0;
    case OP_EX2: return NOT_BELOW;
    default: return 0;
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
    unsigned sign;

    if (v->known && !v->branch_only) {
        if (k->several >> ((insn->cc_update - 1u) * 4 + c) & 1 && (type == DT_F32 || type == DT_S32) &&
            !condition_restricts(&insn->dst.condition))
            a->signless |= model_is_computed(insn, v) ? bit : 0;
        a->positive |= (type == DT_U32 && !eval_is_sum(insn->op)) || insn->op == OP_MOD ? bit : 0;
        return;
    }
    sign = sign_of(k, insn, c);
    a->above |= sign & ABOVE ? bit : 0;
    a->below |= sign & BELOW ? bit : 0;
    if (!(sign & NOT_BELOW))
        return;
    if (is_float || !eval_is_sum(insn->op))     /* LT and GE ask for the sum's overflow */
        a->not_below |= k->tests & (RULE(LT) | RULE(GE) | RULE(SF) | RULE(NSF)) ? bit : 0;
    a->no_sign |= !is_float && k->tests & (RULE(SF) | RULE(NSF)) ? bit : 0;
}
