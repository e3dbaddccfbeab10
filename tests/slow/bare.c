/* -|a| of what the driver's compiler takes for not above zero: that is a, whatever its bits say (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

static bool is_written_so(const struct operand *o, unsigned type)
{
    return o->kind == OPND_SYMBOL && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE && (type == DT_S32 || type == DT_F32);
}

bool slow_is_subtracted(const struct insn *insn, unsigned n)
{
    return insn->op == OP_SUB && n == 1 && insn->type == DT_S32;
}

/* An operand as it is added: what is subtracted has the other sign. */
static struct operand as_added(const struct gp5_program *text, const struct insn *insn, unsigned n)
{
    struct operand o = *program_operand(text, insn->src + n);
    if (slow_is_subtracted(insn, n))
        o.flags ^= OPND_NEGATE;
    return o;
}

bool slow_is_bare(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type)
{
    const struct slow_known *held = is_written_so(o, type) && program_symbol(k->p->text, o->ref)->size == SIZE_DEFAULT ? slow_held(k, o, c) : NULL;
    return held && !held->known && held->look.sign & (BELOW | NOT_ABOVE);
}

void slow_note_bare(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    for (unsigned i = 0; !(insn->flags & INSN_HALF) && i < 12; i++) {
        unsigned n = i / 4, c = i % 4;
        struct operand o = as_added(k->p->text, insn, n < insn->nsrc ? n : 0);
        if (n < insn->nsrc && slow_is_bare(k, &o, c, slow_operand_type(insn, n)))
            place->bare[n] |= (uint8_t)(1u << (o.swizzle >> 2 * c & 3));
    }
}

unsigned slow_bare(const struct slow_program *p, const struct slow_place *place, const struct operand *o, unsigned type)
{
    const struct insn *insn = place ? program_insn(p->text, place->insn) : NULL;
    unsigned of_variable = 0, bare = 0;
    for (unsigned n = 0; insn && is_written_so(o, type) && n < insn->nsrc && n < 3; n++) {
        struct operand x = as_added(p->text, insn, n);
        if (is_written_so(&x, slow_operand_type(insn, n)) && x.ref == o->ref && x.nindices == o->nindices && x.index == o->index)
            of_variable |= place->bare[n];
    }
    for (unsigned c = 0; c < 4; c++)
        bare |= (of_variable >> (o->swizzle >> 2 * c & 3) & 1) << c;
    return bare;
}
