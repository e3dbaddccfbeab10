/* What instructions leave in SHORT variables, and what the driver makes of those that write them (shorts.c). */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

enum { WORD = SLOW_SHORT_WORD, HALF = SLOW_SHORT_HALF, COPY = SLOW_SHORT_COPY };

bool slow_is_short(const struct slow_program *p, unsigned kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p->text, ref) : NULL;
    return p->nvidia && s && s->size == SIZE_SHORT && p->first[ref] != NO_INDEX && !s->array;
}

static bool converts(const struct insn *insn, unsigned to, unsigned from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !insn->cc_update &&
           (!insn->rounding || insn->rounding == MOD_ROUND) && !(insn->flags & (to == DT_F16 ? INSN_SSAT : INSN_SAT | INSN_SSAT));
}

bool slow_sets_flags_alone(const struct slow_program *p, const struct insn *insn)
{
    return insn->cc_update && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->kind == SYM_TEMP && !p->read[insn->dst.ref];
}

bool slow_clamps_behind_flags(const struct slow_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SAT && slow_sets_flags_alone(p, insn) && (insn->type == DT_F32 || insn->type == DT_F16) && insn->op != OP_CMP &&
           shape_table[op_table[insn->op].shape].result != RC_SCALAR;
}

struct insn slow_short_form(const struct slow_program *p, const struct insn *insn)
{
    struct insn form = *insn;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref);
    if (!p->nvidia)
        return form;
    if (slow_clamps_behind_flags(p, insn))
        form.flags &= ~(uint32_t)INSN_SAT;
    if (to_short && insn->type == DT_F16 && insn->width == 1 &&
        (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD)) {
        form.type = DT_U16;
    } else if (slow_drops_half(p, insn)) {
        form.type = DT_F32;
        form.flags = (form.flags & ~(uint32_t)INSN_HALF) | SLOW_SINGLE;
    } else if (p->nvidia && insn->type == DT_F16 && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC)) {
        form.type = DT_F32;     /* they take no notice of it */
    } else if (to_short ? converts(insn, DT_F16, DT_F32) : converts(insn, DT_F32, DT_F16) && o && slow_is_short(p, o->kind, o->ref)) {
        form.op = OP_MOV;
        form.type = form.type2 = DT_F32;
        form.rounding = 0;
    }
    return form;
}

bool slow_moves_short(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *o = program_operand(p->text, insn->src);
    return insn->op == OP_MOV && !o->flags && !(insn->flags & (INSN_SAT | INSN_SSAT)) && slow_is_short(p, o->kind, o->ref);
}

unsigned slow_onto_itself(const struct slow_program *p, uint32_t i)
{
    const struct insn *insn = program_insn(p->text, i);
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    unsigned same = 0;
    if (insn->op != OP_MOV || insn->cc_update || !slow_is_short(p, insn->dst.kind, insn->dst.ref) || !slow_moves_short(p, insn) || o->ref != insn->dst.ref)
        return 0;
    for (unsigned c = 0; c < 4; c++)
        same |= (o->swizzle >> 2 * c & 3) == c ? 1u << c : 0;
    return same;
}

bool slow_in_subroutine(const struct slow_program *p, uint32_t i)
{
    for (; i > 0; i--)
        if (p->label[i])
            return true;
    return false;
}

unsigned slow_moves_nothing(const struct slow_program *p, uint32_t i)
{
    unsigned same = slow_onto_itself(p, i);
    return same && (condition_restricts(&program_insn(p->text, i)->dst.condition) || !slow_in_subroutine(p, i)) ? same : 0;
}

bool slow_is_constant(const struct slow_program *p, const struct operand *o)
{
    return o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p->text, o->ref)->kind == BIND_CONSTANT);
}

unsigned slow_kind_into_short(const struct slow_program *p, const struct insn *insn, const struct slow_place *place)
{
    bool plain = !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition), flip;
    switch (insn->op) {
    case OP_CVT: return WORD;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB:
        return WORD | (insn->op == OP_PK2H && plain && !insn->cc_update ? COPY : 0);
    default: break;
    }
    if (!slow_is_float(slow_result_type(insn)) || slow_bytes(slow_result_type(insn)) == 8 || insn->op == OP_ATOMB || insn->op == OP_ATOMS ||
        insn->op == OP_ATOM)
        return WORD;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: return plain && !slow_is_constant(p, program_operand(p->text, insn->src)) ? COPY : HALF;
    case OP_UP4B: case OP_UP4UB: case OP_UP2US: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: case OP_DST: return plain ? COPY : HALF;
    case OP_MUL:
        for (unsigned c = 0; place && plain && c < 4; c++)
            if (insn->dst.mask >> c & 1 && slow_copied_factor(p, place, insn, c, &flip) >= 0)
                return COPY;
        return HALF;
    case OP_CMP: return place && plain && place->chosen[2] & insn->dst.mask && !(insn->flags & INSN_PREC) ? COPY : HALF;    /* a known choice */
    default: return HALF;
    }
}

bool slow_reads_word(const struct insn *insn, unsigned type)
{
    switch (insn->op) {
    case OP_CVT: return insn->type2 != DT_F16;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return true;
    case OP_ATOMB: case OP_ATOMS: case OP_ATOM: return insn->type != DT_F16 || insn->width != 4 || !slow_is_float(type);
    default: return !slow_is_float(type) || slow_bytes(type) == 8;
    }
}

unsigned slow_short_kind(const struct slow_program *p, uint32_t i)
{
    const struct insn *insn = program_insn(p->text, i);
    struct insn form = slow_short_form(p, insn);
    return slow_kind_into_short(p, &form, p->plan->first[i] == NO_INDEX ? NULL : &p->plan->place[p->plan->first[i]]);
}

bool slow_drops_half(const struct slow_program *p, const struct insn *insn)
{
    return p->nvidia && insn->flags & INSN_SSAT && (insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_CVT &&
           !program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

bool slow_loses_short_clamp(const struct slow_program *p, const struct insn *insn, bool *zero)
{
    static const uint16_t zeros[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAD, OP_MIN, OP_MAX, OP_FLR, OP_CEIL, OP_FRC, OP_CMP, OP_SLT, OP_LRP, OP_DP2, OP_DP2A,
                                     OP_DP3, OP_DP4, OP_DPH, OP_XPD, OP_X2D, OP_SWZ};
    bool clamped = insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC;
    *zero = false;
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        *zero |= zeros[i] == insn->op;
    return insn->flags & INSN_SSAT && !(insn->flags & SLOW_SINGLE) && !clamped && slow_is_short(p, insn->dst.kind, insn->dst.ref) &&
           !(slow_kind_into_short(p, insn, NULL) & WORD);
}

/* Clamps of halves that the driver does in another way: of copies with a sign, a NaN is 1 then; CMP.F16.SAT of what is not known gives 0. */
void slow_clamp_copy(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref), wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool sign = o && (insn->op == OP_ABS || (insn->op == OP_MOV && operand_has_sign(o) && !(o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE)));
    if (!p->nvidia || insn->flags & SLOW_SINGLE)
        return;
    for (unsigned c = 0; sign && insn->flags & INSN_SSAT && to_short && slow_operand_type(insn, 0) == DT_F32 && !condition_restricts(&insn->dst.condition) && c < 4; c++)
        if (soft_unpack(src[0][c].bits & 0xffffffff, 32, false).kind == SOFT_NAN)
            r[c].bits = 0x3f800000;
    if (insn->op == OP_CMP && insn->flags & INSN_SAT && slow_is_half(p, insn) && !to_short && !wide)
        for (unsigned c = 0; c < 4; c++)
            r[c] = l->here->computed >> c & 1 ? r[c] : (struct slow_value){.bits = 0};
}

void slow_finish_short(const struct slow_program *p, const struct insn *insn, const struct slow_place *place, struct slow_value *v)
{
    bool zero;
    if (!slow_is_short(p, insn->dst.kind, insn->dst.ref))
        return;
    if (slow_loses_short_clamp(p, insn, &zero)) {
        v->bits = zero ? 0 : v->bits;
        v->open = zero ? false : true;
        return;
    }
    if (slow_kind_into_short(p, insn, place) != HALF || slow_sets_flags_alone(p, insn))
        return;
    switch (insn->op) {
    case OP_TRUNC:
        v->bits = soft_widened(soft_pack(soft_unpack(v->bits, 32, false), 16, SOFT_ZERO, false, 0x7fff));
        break;
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_MUL: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        v->bits = soft_widened(soft_narrowed(v->bits));
        break;
    default:
        if (insn->flags & SLOW_SINGLE)
            v->bits = soft_widened(soft_narrowed(v->bits));
    }
}
