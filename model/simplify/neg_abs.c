/* The negative of an absolute value, -|a|, of what the compiler knows not to be above zero is a itself, with its bits:
 * a NaN, and a +0, stay what they are. */
#include "model/tables.h"
#include "model/analysis/range.h"

bool eval_is_bare(const struct known *k, const struct operand *o, unsigned c, uint8_t type)
{
    const struct known_value *v = eval_may_be_bare(o, type) ? eval_known_held(k, o, c) : NULL;

    return v && !v->known && program_symbol(k->p, o->ref)->size == SIZE_DEFAULT &&
           v->range.sign & (RANGE_NOT_ABOVE | RANGE_BELOW);
}

void eval_known_bare(const struct known *k, const struct insn *insn, struct folded *folded)
{
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        struct operand o = eval_as_added(k->p, insn, n);
        for (unsigned c = 0; !(insn->flags & INSN_HALF) && c < 4; c++)
            if (eval_is_bare(k, &o, c, eval_operand_type(insn, n)))
                folded->bare[n] |= (uint8_t)(1u << (o.swizzle >> 2 * c & 3));
    }
}
