/* A sum with .SAT that is 1 or more, if it is a number, is the number 1.0 to who computes floats of it or of its copies, though NaN is clamped to +0 (docs/numbers.md). */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

enum { ONE = 0x3f800000 };

/* A factor that stands in the text and is 1.0. */
static bool is_unit(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    struct slow_known v;
    return o->kind == OPND_CONSTANT && slow_known_operand(k, o, c, DT_F32, &v) && (uint32_t)v.bits == ONE;
}

/* Whether component c of a result is what component c of operand n holds, as a float that nothing happens to. */
static bool passes_float(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    if (insn->cc_update || insn->dst.kind != OPND_SYMBOL || insn->flags & (INSN_SAT | INSN_SSAT | INSN_FIXED) || program_is_long(k->p->text, OPND_SYMBOL, insn->dst.ref))
        return false;
    if (insn->op == OP_MOV)
        return insn->type == DT_F32 || insn->type == DT_F16;
    if (insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC))
        return false;
    switch (insn->op) {
    case OP_MUL: return is_unit(k, o + 1 - n, c) && !(n && is_unit(k, o + 1, c));
    case OP_CMP: return n && slow_with_itself(k, insn, 1, c);
    case OP_MIN: case OP_MAX: return slow_with_itself(k, insn, 0, c);
    case OP_DST: return c == n + 2 || (c == 1 && is_unit(k, o + 1 - n, c) && !(n && is_unit(k, o + 1, c)));
    case OP_CVT: return insn->type2 == DT_F32;
    default: return false;
    }
}

static bool passes_word(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct slow_reader r = {k, insn, c};
    if ((insn->type != DT_S32 && insn->type != DT_U32) || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_FIXED))
        return false;
    return insn->op == OP_CVT ? insn->type == insn->type2 : slow_copied_integer(&r) == (int)n;
}

bool slow_makes_one(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct slow_reader r = {k, insn, c};
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(k->p->text, insn->dst.ref) : NULL;
    if (slow_reader_is_above(&r))
        return true;
    for (unsigned n = 0; s && s->size == SIZE_DEFAULT && insn->nsrc <= 3 && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        const struct slow_known *held = o->kind == OPND_EXTENDED || operand_has_sign(o) ? NULL : slow_held(k, o, c);
        if (held && held->one && (passes_float(k, insn, n, c) || passes_word(k, insn, n, c)))
            return true;
    }
    return false;
}

/* Whether component c of a result is computed of operand n as of a float. RSQ, LG2 and POW look at what the clamp left. */
static bool is_computed(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src + n);
    if (!slow_is_float(slow_operand_type(insn, n)))
        return false;
    switch (insn->op) {
    case OP_STORE: case OP_STS: case OP_STB: return insn->type == DT_F16;
    case OP_LG2: case OP_RSQ: return false;
    case OP_POW: return n;
    default: return operand_has_sign(o) || !passes_float(k, insn, n, c);
    }
}

static bool is_one(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    const struct slow_known *held = o->kind == OPND_SYMBOL ? slow_held(k, o, c) : NULL;
    return held && held->one && !held->known;
}

bool slow_is_read_as_one(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type)
{
    bool any = false;
    if (!k->now || type != DT_F32 || !is_one(k, o, c))
        return false;
    for (unsigned n = 0; n < k->now->nsrc && n < 3; n++) {
        const struct operand *x = program_operand(k->p->text, k->now->src + n);
        any |= x->kind == OPND_SYMBOL && x->ref == o->ref && is_computed(k, k->now, n, c);
    }
    return any;
}

void slow_note_read_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        for (unsigned i = 0; i < 16; i++)
            if (slow_made_of(k->p, insn, n, i / 4) >> i % 4 & 1 && is_one(k, o, i % 4) && is_computed(k, insn, n, i / 4))
                place->as_one[n] |= (uint8_t)(1u << (o->swizzle >> 2 * (i % 4) & 3));
    }
}

void slow_see_ones(const struct slow_lane *l, const struct operand *o, unsigned type, struct slow_value v[4])
{
    const struct gp5_program *p = l->group->program->text;
    const struct insn *insn = l->here ? program_insn(p, l->here->insn) : NULL;
    for (unsigned n = 0; insn && l->group->program->nvidia && slow_is_float(type) && n < insn->nsrc && n < 3; n++) {
        const struct operand *x = program_operand(p, insn->src + n);
        if (x->kind != o->kind || x->ref != o->ref || o->kind != OPND_SYMBOL)
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (l->here->as_one[n] >> c & 1)
                v[c] = (struct slow_value){.bits = ONE};
    }
}

void slow_end_ones(struct slow_lane *l, const struct slow_place *behind)
{
    const struct slow_program *p = l->group->program;
    for (uint32_t at = behind->ends; at;) {
        const struct slow_place *writer = &p->plan->place[(at - 1) / 4];
        unsigned c = (at - 1) % 4;
        l->registers[p->first[program_insn(p->text, writer->insn)->dst.ref]][c] = (struct slow_value){.bits = ONE};
        at = writer->next_end[c];
    }
}
