/* What operations on integers leave as it was: sums with 0, products with 1, AND of something with itself. In its block
 * such a result is what it was made of to comparisons of integers whose flags are tested (docs/numbers.md, "Condition
 * codes"); MOV is none. */
#include "model/const/lattice.h"
#include "model/analysis/range_internal.h"

static bool is_single(const struct known *k, uint8_t kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && k->first[ref] != NO_INDEX && program_symbol(k->p, ref)->size == SIZE_DEFAULT;
}

/* A plain operand that is a register which is followed. */
static bool is_followed(const struct known *k, const struct operand *o)
{
    return is_single(k, o->kind, o->ref) && !o->nindices && !operand_has_sign(o);
}

void eval_known_number_alike(struct known *k, const struct insn *insn, uint32_t alike[4])
{
    const struct result *to = &insn->dst;
    const uint32_t unlike = INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED | INSN_PREC | INSN_HALF;

    if (!insn->nsrc || insn->nsrc > 3 || insn->op == OP_MOV || !eval_is_word(insn->type) ||
        eval_result_type(insn) != insn->type || insn->flags & unlike || !is_single(k, to->kind, to->ref) ||
        to->nindices || condition_restricts(&to->condition))
        return;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (program_operand(k->p, insn->src + n)->kind == OPND_EXTENDED)
            return;
    for (unsigned c = 0; c < 4; c++) {
        const struct range_reader r = {k, insn, c};
        int n = to->mask >> c & 1 ? eval_copied_integer(&r) : -1;
        const struct operand *o = n < 0 ? NULL : eval_reader_operand(&r, (unsigned)n);
        struct known_value from;
        unsigned at;
        if (!o || !is_followed(k, o))
            continue;
        at = k->first[o->ref] + (o->swizzle >> 2 * eval_reader_component(&r, (unsigned)n) & 3);
        from = *eval_known_at(k, at);
        if (from.alike <= k->copies_before) {
            from.alike = ++k->copies;
            eval_known_put(k, at, from);
        }
        alike[c] = from.alike;
    }
}

/* Of unsigned numbers in variables of 32 bits the absolute value is the number. */
static bool is_magnitude(const struct known *k, const struct insn *insn, unsigned c)
{
    struct operand a = *program_operand(k->p, insn->src), b = *program_operand(k->p, insn->src + 1);

    if (insn->type != DT_U32 || (a.flags ^ b.flags) != OPND_ABSOLUTE || operand_negates(&a) || operand_negates(&b) ||
        program_is_long(k->p, a.kind, a.ref))
        return false;
    a.flags = b.flags = 0;
    return eval_known_same_words(k, &a, &b, c, c);
}

bool eval_known_compares_alike(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    bool asks = insn->op == OP_SEQ || insn->op == OP_SNE || insn->op == OP_SGE || insn->op == OP_SLE;
    uint32_t a, b;

    if (asks && is_magnitude(k, insn, c))
        return true;
    if (!asks || !eval_is_word(insn->type) || !is_followed(k, &o[0]) || !is_followed(k, &o[1]))
        return false;
    a = eval_known_held(k, &o[0], c)->alike;
    b = eval_known_held(k, &o[1], c)->alike;
    return a == b && a > k->copies_before;
}
