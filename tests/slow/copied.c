/* What instructions copy but for signs, and what becomes of the signs (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/plan.h"

unsigned slow_chosen_from(const struct slow_place *here, unsigned k)
{
    return here->chosen[k] | (k == 2 ? here->third : 0u);
}

int slow_copied_distance(const struct slow_lane *l, const struct insn *insn, bool *flip)
{
    if (!l->group->program->nvidia || insn->flags & INSN_PREC)
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (l->here->one[k] & 2) {
            *flip = l->here->minus[k] >> 1 & 1;
            return 1 - (int)k;
        }
    return -1;
}

/* A constant that registers choose and that is loaded before the sign comes, by arithmetic: whether an instruction has room for it depends on its kind. */
static bool is_fetched(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, int k)
{
    if (k < 0 || !(place->anywhere >> k & 1))
        return false;
    bool parameter = program_symbol(p->text, program_operand(p->text, insn->src + (uint32_t)k)->ref)->kind == SYM_PARAM;
    if (insn->op == OP_MIN || insn->op == OP_MAX)
        return parameter;
    if (insn->op == OP_DST && parameter)
        return program_operand(p->text, insn->src + !k)->kind != OPND_CONSTANT;
    return insn->op == OP_MUL || insn->op == OP_DIV || ((insn->op == OP_CMP || insn->op == OP_DST) && !parameter);
}

int slow_copied_operand(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    bool flip = false;
    int k = insn->op == OP_MOV || insn->op == OP_ABS ? 0 : insn->op == OP_DST && c > 1 ? (int)c - 2 : -1;
    if (!p->nvidia || !insn->nsrc || slow_operand_type(insn, 0) != DT_F32 || place->computed >> c & 1 || insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    for (int n = 0; k < 0 && n < 3; n++)
        if (place->chosen[n] >> c & 1 && !slow_is_half(p, insn))
            k = n;
    if (k < 0)
        k = slow_copied_factor(p, place, insn, c, &flip);
    for (int one = 0; insn->op == OP_DST && c == 1 && !(insn->flags & INSN_PREC) && k < 0 && one < 2; one++)
        if (place->one[one] & 2) {
            flip = place->minus[one] & 2;
            k = !one;
        }
    if (k < 0)
        return -1;
    *o = *program_operand(p->text, insn->src + (uint32_t)k);
    if (insn->flags & INSN_PREC && (slow_is_short(p, insn->dst.kind, insn->dst.ref) || slow_is_short(p, o->kind, o->ref)))
        return -1;
    if (slow_bare(p, place, o, DT_F32) >> c & 1)
        o->flags &= (uint16_t)~OPND_SIGNS;
    o->flags ^= flip ? OPND_NEGATE : 0;
    if (insn->op == OP_ABS)
        o->flags = (uint16_t)((o->flags & ~(unsigned)OPND_SIGNS) | OPND_ABSOLUTE);
    if (place->anywhere >> k & 1 && operand_has_sign(o) && (insn->op == OP_MOV || insn->op == OP_ABS || is_fetched(p, place, insn, k)))
        return -1;
    return k;
}

bool slow_copies_with_sign(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool followed = s && (slow_is_short(p, insn->dst.kind, insn->dst.ref) || (s->kind == SYM_TEMP && s->size == SIZE_DEFAULT));
    return followed && !place->restored && !(place->undone >> c & 1) && slow_copied_operand(p, place, c, o) >= 0 && operand_has_sign(o);
}

bool slow_signed_copy(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o)
{
    bool tested = condition_restricts(&program_insn(p->text, place->insn)->dst.condition) && !((place->passes & place->settled) >> c & 1);
    return !tested && slow_copies_with_sign(p, place, c, o);
}

/* The operand that component c is a copy of, or -1. */
static int copy_of(const struct slow_lane *l, const struct insn *insn, unsigned c, bool *flip)
{
    *flip = false;
    if (insn->op == OP_MOV || insn->op == OP_ABS)
        return 0;
    if (insn->op == OP_DST)
        return c > 1 ? (int)c - 2 : c == 1 ? slow_copied_distance(l, insn, flip) : -1;
    for (int k = 0; (insn->op == OP_CMP || insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_MAD) && k < 3; k++)
        if (slow_chosen_from(l->here, (unsigned)k) >> c & 1)
            return k;
    return slow_copied_factor(l->group->program, l->here, insn, c, flip);
}

/* The operand that component c is a copy of, with the signs that come of it; false: it is none. What is chosen counts where all components are the
 * same operand, but `each` by itself. */
static bool copied(const struct slow_lane *l, const struct insn *insn, unsigned c, bool each, struct operand *o)
{
    uint8_t mask = insn->dst.mask & (uint8_t)~l->here->computed;
    bool flip, other, chooses = !each && (insn->op == OP_CMP || insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_MAD);
    int from = copy_of(l, insn, c, &flip);
    for (unsigned n = 0; chooses && n < 4; n++)
        if (mask >> n & 1 && copy_of(l, insn, n, &other) != from)
            return false;
    if (from < 0 || !(mask >> c & 1))
        return false;
    *o = *program_operand(l->group->program->text, insn->src + (uint32_t)from);
    if (slow_bare(l->group->program, l->here, o, DT_F32) >> c & 1)
        o->flags &= (uint16_t)~OPND_SIGNS;
    o->flags ^= flip ? OPND_NEGATE : 0;
    if (insn->op == OP_ABS)
        o->flags = (uint16_t)((o->flags & ~(unsigned)OPND_SIGNS) | OPND_ABSOLUTE);
    return true;
}

/* The word of component c of an operand without its signs. */
static bool plain_word(struct slow_lane *l, struct operand o, unsigned c, uint64_t *bits)
{
    struct slow_value v[4];
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!slow_fetch(l, &o, DT_F32, v))
        return false;
    *bits = v[c].bits;
    return true;
}

/* docs/numbers.md: signs of a LONG operand and clamps of what is copied into a LONG variable work on doubles. */
bool slow_widened_copy(struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool clamps = insn->flags & (INSN_SAT | INSN_SSAT);
    uint8_t special = 0, late = 0;
    struct slow_value chosen[4];
    uint64_t bits;
    struct operand o;
    for (unsigned c = 0; slow_clamps_wide(p, insn) && c < 4; c++)
        result[c].bits = slow_saturate(p, DT_F64, insn->flags, slow_resize(p, result[c].bits, DT_F32, false, true));
    if (slow_clamps_wide(p, insn))
        return true;
    if (!p->nvidia || insn->type != DT_F32 || !s || s->size != SIZE_LONG || slow_is_half(p, insn))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!copied(l, insn, c, true, &o))
            continue;
        bool is_long = o.kind == OPND_SYMBOL && program_symbol(p->text, o.ref)->size == SIZE_LONG &&
                       !(insn->op == OP_CMP && insn->cc_update && condition_restricts(&insn->dst.condition));
        special |= (uint8_t)((o.flags & OPND_SIGNS ? is_long : clamps) << c);
    }
    if (clamps && insn->op == OP_CMP) {     /* what is chosen is clamped when it has been widened */
        struct insn plain = *insn;
        plain.flags &= ~(uint32_t)(INSN_SAT | INSN_SSAT);
        if (!slow_compute(p, &plain, src, chosen))
            return false;
        late = insn->dst.mask & (uint8_t)~l->here->computed;
        for (unsigned c = 0; c < 4; c++)
            late &= (uint8_t)~(copied(l, insn, c, true, &o) << c);
    }
    for (unsigned c = 0; (special | late) && c < 4; c++) {
        if (late >> c & 1) {
            result[c].bits = slow_saturate(p, DT_F64, insn->flags, slow_resize(p, chosen[c].bits, DT_F32, false, true));
            continue;
        }
        if (!(special >> c & 1)) {
            result[c].bits = slow_resize(p, result[c].bits, DT_F32, false, true);
            continue;
        }
        if (!copied(l, insn, c, true, &o) || !plain_word(l, o, c, &bits))
            return false;
        result[c].bits = slow_sign(p, DT_F64, o.flags & OPND_SIGNS, slow_resize(p, bits, DT_F32, false, true));
        result[c].bits = slow_saturate(p, DT_F64, insn->flags, result[c].bits);
    }
    return special | late;
}

/* docs/numbers.md: what a test decides whether to copy keeps its bits, whatever signs it gets. */
bool slow_copy_under_test(struct slow_lane *l, const struct insn *insn, struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct result *r = &insn->dst;
    const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(p->text, r->ref) : NULL;
    bool relative = r->nindices && program_index(p->text, r->index)->mode == INDEX_RELATIVE;
    if (!p->nvidia || insn->type != DT_F32 || !s || s->size != SIZE_DEFAULT || slow_is_half(p, insn) || relative || insn->cc_update ||
        !condition_restricts(&r->condition) || r->condition.rule == CC_FL || insn->flags & (INSN_SAT | INSN_SSAT) || p->by_address[r->ref])
        return true;
    for (unsigned c = 0; c < 4; c++) {
        struct operand o;
        uint64_t bits;
        bool flip;
        if ((l->here->settled | l->here->same) >> c & 1 || !copied(l, insn, c, insn->op == OP_CMP && !(insn->flags & INSN_PREC), &o) || !(o.flags & OPND_SIGNS))
            continue;
        if (is_fetched(p, l->here, insn, copy_of(l, insn, c, &flip)))
            continue;
        if (!plain_word(l, o, c, &bits))
            return false;
        result[c].bits = slow_sign(p, DT_F32, o.flags & OPND_SIGNS, bits);
    }
    for (unsigned c = 0; insn->op == OP_DIV && !(insn->flags & INSN_PREC) && !l->here->pair && c < 4; c++)     /* -1.0 by a NaN: the sign of what RCP gave */
        if (l->here->over_minus >> c & 1 && !((l->here->settled | l->here->same | l->here->computed) >> c & 1) && (result[c].bits & 0x7fffffff) > 0x7f800000)
            result[c].bits = 0xffffffff;
    return true;
}
