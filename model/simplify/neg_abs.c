/* The negative of an absolute value, -|a|, of what the compiler knows not to be above zero is a itself, with its bits: a NaN, and a +0, stay what they are. */
#include "eval/decode/decode.h"
#include "model/analysis/range.h"

#define MINUS_ABSOLUTE (OPND_ABSOLUTE | OPND_NEGATE)

static bool may_be_bare(const struct operand *o, uint8_t type)
{
    return o->kind == OPND_SYMBOL && (o->flags & MINUS_ABSOLUTE) == MINUS_ABSOLUTE && (type == DT_F32 || type == DT_S32);
}

bool eval_is_bare(const struct known *k, const struct operand *o, unsigned c, uint8_t type)
{
    const struct known_value *v = may_be_bare(o, type) ? eval_known_held(k, o, c) : NULL;

    return v && !v->known && program_symbol(k->p, o->ref)->size == SIZE_DEFAULT && v->trait.sign & (TRAIT_NOT_ABOVE | TRAIT_BELOW);
}

struct operand eval_as_added(const struct gp5_program *p, const struct insn *insn, unsigned n)
{
    struct operand o = *program_operand(p, insn->src + n);

    if (insn->op == OP_SUB && n == 1 && insn->type == DT_S32)
        o.flags ^= OPND_NEGATE;
    return o;
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

uint8_t eval_bare_components(const struct decoder *d, uint32_t i, const struct operand *o, uint8_t type)
{
    const struct folded *folded = may_be_bare(o, type) ? eval_folded_at(d, i) : NULL;
    const struct insn *insn = program_insn(d->p, i);
    uint8_t bare = 0;

    for (unsigned n = 0; folded && n < insn->nsrc && n < 3; n++) {
        struct operand x = eval_as_added(d->p, insn, n);
        bool same = x.kind == o->kind && x.ref == o->ref && x.nindices == o->nindices && x.index == o->index;
        for (unsigned c = 0; same && may_be_bare(&x, eval_operand_type(insn, n)) && c < 4; c++)
            bare |= (uint8_t)((folded->bare[n] >> (o->swizzle >> 2 * c & 3) & 1) << c);
    }
    return bare;
}
