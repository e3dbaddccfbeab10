/* Registers that hold the same since an operation on integers copied one to the other, a sum with 0 or the like, in the block at hand: comparisons of
 * integers know it, and what tests their flags (docs/numbers.md, "Condition codes"). */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

static struct slow_known *single_register(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    return kind == OPND_SYMBOL && program_symbol(k->p->text, ref)->size == SIZE_DEFAULT ? slow_of_register(k, kind, ref, c) : NULL;
}

static struct slow_known *read_plainly(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    return o->nindices || operand_has_sign(o) ? NULL : single_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
}

/* An operation on 32 bits that has its result as it computes it. */
static bool is_plain(const struct slow_knowledge *k, const struct insn *insn)
{
    bool all = slow_is_word_type(insn->type) && slow_result_type(insn) == insn->type && insn->nsrc && insn->nsrc <= 3 &&
               !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED | INSN_PREC | INSN_HALF));
    for (unsigned n = 0; all && n < insn->nsrc; n++)
        all = program_operand(k->p->text, insn->src + n)->kind != OPND_EXTENDED;
    return all;
}

void slow_note_twins(struct slow_knowledge *k, const struct insn *insn, uint32_t twin[4])
{
    const struct result *to = &insn->dst;
    if (insn->op == OP_MOV || !is_plain(k, insn) || !single_register(k, to->kind, to->ref, 0) || to->nindices || condition_restricts(&to->condition))
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct slow_reader r = {k, insn, c};
        int n = to->mask >> c & 1 ? slow_copied_integer(&r) : -1;
        struct slow_known *from = n < 0 ? NULL : read_plainly(k, slow_reader_operand(&r, (unsigned)n), slow_reader_component(&r, (unsigned)n));
        if (!from)
            continue;
        if (!from->twin)
            from->twin = (uint32_t)(insn - program_insn(k->p->text, 0)) * 4 + c + 1;
        twin[c] = from->twin;
    }
}

/* One operand is the other one's absolute value, and there are no signs. */
static bool asks_unsigned(const struct slow_knowledge *k, const struct insn *insn, const struct operand *o, unsigned c)
{
    struct operand bare[2] = {o[0], o[1]};
    if (insn->type != DT_U32 || program_is_long(k->p->text, o->kind, o->ref) || operand_negates(&o[0]) || operand_negates(&o[1]) || (o[0].flags ^ o[1].flags) != OPND_ABSOLUTE)
        return false;
    bare[0].flags = bare[1].flags = 0;
    return slow_in_same_words(k, &bare[0], &bare[1], c, c);
}

bool slow_asks_twins(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    bool not_above = insn->op == OP_SGE || insn->op == OP_SLE;
    const struct slow_known *a, *b;
    if (!slow_is_word_type(insn->type) || !(not_above || insn->op == OP_SEQ || insn->op == OP_SNE))
        return false;
    if (asks_unsigned(k, insn, o, c))
        return true;
    a = read_plainly(k, o, c);
    b = read_plainly(k, o + 1, c);
    return a && b && a->twin && a->twin == b->twin;
}
