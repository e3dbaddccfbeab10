/* CVT with TRUNC to an integer, of a single that was made of a half: the driver looks at the number, not at the word, and rounds to nearest (docs/semantics.md,
 * "SHORT variables and half arithmetic"). */
#include "tests/slow/plan.h"

/* Whether half arithmetic leaves a half that is made a single last; the operations that copy, look at words or compute singles do not. */
static bool ends_in_half(const struct slow_program *p, const struct slow_view *v)
{
    const struct slow_place *place = &p->plan->place[v->of[1]];
    const struct insn *by = program_insn(p->text, place->insn);
    bool flip;
    switch (by->op) {
    case OP_CVT: case OP_UP2H: case OP_UP2US: case OP_UP4UB: case OP_UP4B: case OP_UP64: case OP_PK64:
    case OP_ABS: case OP_ROUND: case OP_TRUNC: case OP_FLR: case OP_CEIL: case OP_SSG: case OP_XPD: return false;
    case OP_DST: return v->of[0] == 1;
    default: return !op_shuffles(by->op) && !(by->flags & INSN_PREC) && slow_copied_factor(p, place, by, (unsigned)v->of[0], &flip) < 0;
    }
}

bool slow_takes_number(const struct slow_program *p, const struct insn *insn, const struct slow_view *v)
{
    if (insn->op != OP_CVT || insn->type2 != DT_F16 || slow_is_float(insn->type) || insn->rounding != MOD_TRUNC)
        return false;
    return v->kind == VIEW_LOW || v->kind == VIEW_HIGH || (v->kind == VIEW_ARITHMETIC && ends_in_half(p, v));
}

bool slow_take_number(const struct slow_program *p, const struct insn *insn, const struct slow_value *from, struct slow_value *r)
{
    struct insn nearest = *insn;
    struct slow_value in[3][4] = {{{0}}}, out[4] = {{0}};
    nearest.type2 = DT_F32;
    nearest.rounding = MOD_ROUND;
    nearest.dst.mask = 1;
    in[0][0] = *from;
    if (!slow_compute(p, &nearest, in, out))
        return false;
    r->bits = out[0].bits;
    r->open = from->open;
    return true;
}
