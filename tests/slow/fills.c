/* What loads fill in: docs/numbers.md, "Condition codes". */
#include "tests/slow/follow.h"

bool slow_is_load(const struct insn *insn)
{
    return insn->width && (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD);
}

bool slow_fills(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    if (insn->op != OP_LOADIM)
        return slow_is_load(insn) && c >= insn->width;
    /* The image decides what w becomes, but of types that came later. */
    bool later = insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4);
    return !slow_moves_values(p, insn) && c >= insn->width && (c != 3 || later);
}

/* A number, but of LDB only where two components of less than 32 bits, or halves, are loaded. */
struct slow_known slow_filled(const struct insn *insn)
{
    struct slow_known v = {.known = true, .loose = true, .weak = insn->op == OP_LOADIM};
    if (insn->op != OP_LDB || insn->type == DT_F16 || (insn->width == 2 && type_table[insn->type].bytes < 4))
        return v;
    v.weak = true;
    v.faint = insn->type == DT_S32 || insn->type == DT_S64 || insn->type == DT_F32 || insn->type == DT_F64;
    v.narrow = insn->type == DT_S8 || insn->type == DT_S16;
    return v;
}

bool slow_counts_as_zero(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    unsigned n = insn->op == OP_DIV || insn->op == OP_MOD;
    unsigned mask = slow_made_of(k->p, insn, n, c), at = mask ? (unsigned)__builtin_ctz(mask) : 0;
    const struct slow_known *v = insn->nsrc > n ? slow_held(k, program_operand(k->p->text, insn->src + n), at) : NULL;
    if ((n || insn->op == OP_CMP) && v && v->nothing)
        return true;
    if ((!n && insn->op != OP_CMP) || !v || !v->known || !v->loose || (v->bits && n))
        return false;
    if (v->faint)       /* what LDC and LDS filled in on the other side of a call, unsigned integers are divided by */
        return n && insn->type == DT_U32 && !v->weak && !v->narrow;
    return !(n && v->narrow && !(insn->op == OP_DIV && insn->type == DT_S32));
}
