/* Votes on what comparisons said where it came through SHORT variables or half arithmetic (docs/semantics.md, "Ballots, votes and match"). Signs are put on in
 * front of a change between single and half (`sign[0]`) or behind it (`sign[1]`). */
#include "tests/slow/follow.h"

enum { REAL = 1, ALL_BITS, UNIT };      /* what true is: 1.0, -1, 1 */

static bool in_short(const struct slow_knowledge *k, unsigned kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(k->p->text, ref)->size == SIZE_SHORT;
}

static bool is_half(const struct insn *insn)
{
    return insn->type == DT_F16 || insn->flags & INSN_HALF;
}

static struct slow_sign with(struct slow_sign s, bool magnitude, bool minus)
{
    return magnitude ? (struct slow_sign){true, minus} : (struct slow_sign){s.magnitude, s.minus != minus};
}

/* Whether a change of size leaves something that is true or not, which is then taken for that. */
static bool becomes_plain(struct slow_spoken *s)
{
    struct slow_sign in = s->sign[0];
    if (!s->changed)
        return true;
    if (in.minus || (s->what == ALL_BITS && !in.magnitude))
        return false;
    s->what = s->what == ALL_BITS ? UNIT : s->what;
    s->changed = false;
    s->sign[0] = s->sign[1];
    s->sign[1] = (struct slow_sign){false, false};
    return true;
}

/* -1 is all bits of a half and of a single. A vote takes the change of size back whatever the signs are. */
static struct slow_spoken change_size(struct slow_spoken s, bool half, bool vote)
{
    static const struct slow_sign plain = {false, false};
    bool either = s.what == ALL_BITS && !s.changed;
    if (s.half == half && !either && !(vote && becomes_plain(&s)))
        return (struct slow_spoken){0};
    if (s.changed)
        s.sign[0] = vote ? plain : with(s.sign[0], s.sign[1].magnitude, s.sign[1].minus);
    s.sign[1] = plain;
    s.changed = !s.changed;
    s.half = half;
    return s;
}

static struct slow_spoken held(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    unsigned at = o->swizzle >> 2 * c & 3;
    struct slow_known *v = o->nindices ? NULL : slow_of_short(k, o->kind, o->ref, at);
    v = v || o->nindices ? v : slow_of_register(k, o->kind, o->ref, at);
    return v && program_symbol(k->p->text, o->ref)->size != SIZE_LONG ? v->said : (struct slow_spoken){0};
}

/* As a float: a half or a single. */
static struct slow_spoken read_as(const struct slow_knowledge *k, const struct operand *o, unsigned c, bool half, bool vote)
{
    struct slow_spoken s = held(k, o, c);
    if (!s.what)
        return s;
    s.sign[s.changed] = with(s.sign[s.changed], o->flags & OPND_ABSOLUTE, operand_negates(o));
    return half == in_short(k, o->kind, o->ref) ? s : change_size(s, half, vote);
}

static struct slow_spoken compared(const struct slow_knowledge *k, const struct insn *insn)
{
    bool to_short = in_short(k, insn->dst.kind, insn->dst.ref), floats = slow_is_float(insn->type);
    struct slow_spoken s = {.what = floats ? REAL : ALL_BITS, .half = insn->type != DT_F64 && (to_short || (floats && is_half(insn)))};
    return !floats && type_table[insn->type].bytes == 8 ? (struct slow_spoken){0} : s.half == to_short || insn->type == DT_F64 ? s : change_size(s, to_short, false);
}

struct slow_spoken slow_said_by(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool to_short = in_short(k, insn->dst.kind, insn->dst.ref), floats = insn->type != DT_NONE && slow_is_float(insn->type) && insn->type != DT_F64;
    const struct operand *o = program_operand(k->p->text, insn->src);
    struct slow_spoken s = {0};
    if (!insn->nsrc || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) || condition_restricts(&insn->dst.condition) || insn->dst.kind != OPND_SYMBOL ||
        program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG)
        return s;
    if (op_compares(insn->op))
        return compared(k, insn);
    if (insn->op == OP_MOV && slow_is_word_type(insn->type) && !operand_has_sign(o)) {
        s = held(k, o, c);      /* other bits stand above a half */
        return s.half && !to_short && s.what != ALL_BITS ? (struct slow_spoken){0} : s;
    }
    if (floats && (insn->op == OP_MOV || insn->op == OP_ABS)) {
        struct operand from = *o;
        from.flags = insn->op == OP_ABS ? (uint16_t)((o->flags & ~OPND_SIGNS) | OPND_ABSOLUTE) : o->flags;
        return read_as(k, &from, c, to_short, false);
    }
    for (unsigned n = 0; insn->op == OP_MUL && insn->type == DT_F32 && !is_half(insn) && n < 2; n++) {
        const struct operand *other = program_operand(k->p->text, insn->src + 1 - n);
        struct slow_known v;
        if (!slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, DT_F32, &v) || ((uint32_t)v.bits & 0x7fffffff) != 0x3f800000)
            continue;
        s = read_as(k, other, c, to_short, false);
        s.sign[s.changed] = with(s.sign[s.changed], false, v.bits >> 31 & 1);
        return s;
    }
    return s;
}

void slow_note_said(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    bool half = is_half(insn) || in_short(k, insn->dst.kind, insn->dst.ref), same = half == in_short(k, o->kind, o->ref);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_spoken word = held(k, o, c), s = read_as(k, o, c, half, true);
        bool as_it_is = same && (word.what == REAL || !half) && !word.changed && word.half == half;
        if (insn->dst.mask >> c & 1 && s.what && !as_it_is && becomes_plain(&s) && !s.sign[0].magnitude) {
            place->said |= (uint8_t)(1u << c);
            place->said_half |= (uint8_t)(word.half << c);
        }
    }
}

bool slow_counts_said(struct slow_lane *l, const struct insn *insn, bool half, struct slow_value word[4])
{
    struct operand o = *program_operand(l->group->program->text, insn->src);
    bool from_short = slow_is_short(l->group->program, o.kind, o.ref);
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!slow_fetch(l, &o, half && from_short ? DT_F32 : DT_U32, word))
        return false;
    for (unsigned c = 0; c < 4; c++)
        word[c].bits = (word[c].bits & (half && !from_short ? 0x7fff : 0x7fffffff)) != 0;
    return true;
}
