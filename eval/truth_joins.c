/* AND, OR and XOR of what comparisons said, in the main program, with a predicate or without (truth_settle.c). */
#include "eval/truths.h"

/* AND, OR or XOR of two into a LONG variable, in the main program. */
bool eval_joins_long(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);

    return op_joins_bits(insn->op) && eval_in_main(s, at) && program_is_long(s->p, insn->dst.kind, insn->dst.ref) && !operand_has_sign(program_operand(s->p, insn->src)) &&
           !operand_has_sign(program_operand(s->p, insn->src + 1));
}

/* Components of logic of a component with itself, which is a copy, or nothing. */
uint8_t eval_joins_itself(const struct truth_search *s, const struct insn *insn)
{
    const struct operand *a = program_operand(s->p, insn->src), *b = a + 1;
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4 && a->kind == b->kind && a->ref == b->ref; c++)
        mask |= (uint8_t)(!((a->swizzle ^ b->swizzle) >> 2 * c & 3) << c);
    return mask;
}

/* AND, OR and XOR of 64 bits that read the negative of what a comparison said, in the main program: -1 where it is true. */
bool eval_joins_negative(const struct truth_search *s, uint32_t at, unsigned k)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct operand *o = k < insn->nsrc ? program_operand(s->p, insn->src + k) : NULL;
    bool wide = insn->type == DT_U64 || insn->type == DT_S64;

    return o && op_joins_bits(insn->op) && wide && eval_in_main(s, at) && operand_negates(o) && !(o->flags & OPND_ABSOLUTE) && !program_is_long(s->p, o->kind, o->ref);
}
