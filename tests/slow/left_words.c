/* What operations on words leave of an operand that halves may stand in: all of it, or a half (unpacked.c). */
#include "tests/slow/plan.h"

static bool is_literal(const struct slow_program *p, const struct operand *o, uint32_t mask, uint32_t word)
{
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++) {
        uint32_t bits = (uint32_t)slow_literal(p, o, o->swizzle >> 2 * c & 3, DT_U32);
        if (((o->flags & OPND_NEGATE ? 0 - bits : bits) & mask) != word)
            return false;
    }
    return o->kind == OPND_CONSTANT && !(o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER));
}

/* So many bits from there on, of BFE and BFI. */
static bool is_field(const struct slow_program *p, const struct operand *o, uint32_t bits, uint32_t from)
{
    return o->kind == OPND_CONSTANT && !(o->flags & OPND_SIGNS) && (uint32_t)slow_literal(p, o, o->swizzle & 3, DT_U32) == bits &&
           (uint32_t)slow_literal(p, o, o->swizzle >> 2 & 3, DT_U32) == from;
}

bool slow_is_same_register(const struct operand *a, const struct operand *b)
{
    return a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref && !a->nindices && !b->nindices && a->swizzle == b->swizzle &&
           !a->flags && !b->flags;
}

unsigned slow_left_of(const struct slow_program *p, const struct slow_place *here, const struct insn *insn, unsigned c, unsigned *k)
{
    const struct operand *a = program_operand(p->text, insn->src), *b = insn->nsrc > 1 ? a + 1 : a, *number;
    bool commutes = insn->op == OP_ADD || insn->op == OP_OR || insn->op == OP_XOR || insn->op == OP_MUL || insn->op == OP_AND;
    *k = commutes && a->kind == OPND_CONSTANT;
    number = *k ? a : b;
    if (insn->op == OP_CMP && type_table[insn->type].bytes == 4 && !(insn->flags & INSN_HALF)) {
        *k = here->chosen[1] >> c & 1 ? 1 : 2;
        return (here->chosen[1] | here->chosen[2]) >> c & 1 || slow_is_same_register(b, b + 1) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (slow_is_float(insn->type) || insn->flags & (INSN_HI | INSN_S24 | INSN_U24))
        return LEFT_NOTHING;
    if (insn->op == OP_CVT && ((insn->type == DT_U64 && insn->type2 == DT_U32) || (insn->type == DT_U32 && insn->type2 == DT_U64) ||
                               (insn->type == DT_S64 && insn->type2 == DT_S32) || (insn->type == DT_S32 && insn->type2 == DT_S64)))
        return LEFT_ALL;
    if (insn->op == OP_CVT && insn->type == DT_U64 && insn->type2 == DT_U16)
        return LEFT_MASKED;
    if (slow_bytes(insn->type) > 4)
        return LEFT_NOTHING;
    if (insn->op == OP_MAD) {
        *k = a->kind == OPND_CONSTANT;
        if (is_literal(p, a, UINT32_MAX, 0) || is_literal(p, b, UINT32_MAX, 0)) {
            *k = 2;
            return LEFT_ALL;
        }
        return is_literal(p, *k ? a : b, UINT32_MAX, 1) && is_literal(p, b + 1, UINT32_MAX, 0) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (insn->op == OP_BFE) {
        *k = 1;
        return is_field(p, a, 32, 0) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (insn->op == OP_BFI) {
        *k = is_field(p, a, 32, 0) ? 1 : 2;
        if (*k == 1 || is_field(p, a, 0, 0))
            return LEFT_ALL;
        return is_field(p, a, 16, 16) && is_literal(p, b, 0xffff, 0) ? LEFT_LOW : LEFT_NOTHING;
    }
    if (insn->op == OP_DIV)
        return is_literal(p, b, UINT32_MAX, 1) ? LEFT_ALL : LEFT_NOTHING;
    if ((insn->op == OP_AND || insn->op == OP_OR || insn->op == OP_MAX || insn->op == OP_MIN) && slow_is_same_register(a, b))
        return LEFT_ALL;
    if (insn->op == OP_AND)
        return is_literal(p, number, UINT32_MAX, UINT32_MAX) ? LEFT_ALL : is_literal(p, number, 0xffff, 0xffff) ? LEFT_MASKED : LEFT_NOTHING;
    if (insn->op == OP_CVT && ((insn->type == DT_U32 && insn->type2 == DT_S32) || (insn->type == DT_U16 && insn->type2 == DT_U16)))
        return LEFT_MASKED;
    if (insn->op == OP_CVT && insn->type == insn->type2)
        return type_table[insn->type].bytes == 4 ? LEFT_ALL : LEFT_NOTHING;
    if (insn->op == OP_CVT && insn->type == DT_U32 && insn->type2 == DT_U16)
        return LEFT_LOW;
    if (insn->op == OP_CVT && insn->type == DT_U16 && insn->type2 == DT_U32)
        return LEFT_MASKED;
    if (insn->op == OP_SHR && is_literal(p, b, UINT32_MAX, 16))
        return LEFT_HIGH;
    if (commutes || insn->op == OP_SUB || insn->op == OP_SHL || insn->op == OP_SHR)
        return is_literal(p, number, UINT32_MAX, insn->op == OP_MUL) ? LEFT_ALL : LEFT_NOTHING;
    return LEFT_NOTHING;
}
