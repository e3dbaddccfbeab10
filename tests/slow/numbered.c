/* Copies, by number: what has the same one holds the same. */
#include "tests/slow/follow.h"

/* A literal of zeros. */
static bool nothing(const struct slow_knowledge *k, const struct operand *o, unsigned mask)
{
    bool all = o->kind == OPND_CONSTANT;
    for (unsigned c = 0; all && c < 4; c++) {
        struct slow_known v;
        all = !(mask >> c & 1) || (slow_known_operand(k, o, c, DT_U64, &v) && !v.bits);
    }
    return all;
}

/* Unsigned numbers have no sign to lose. */
static bool as_it_is(const struct insn *insn, const struct operand *o)
{
    bool flat = insn->op == OP_MOV && (insn->type == DT_U32 || insn->type == DT_U64);
    return !(o->flags & (flat ? OPND_SIGNS & ~OPND_ABSOLUTE : OPND_SIGNS));
}

/* The operand that component c of a result is a copy of, word for word or float for float, or -1. */
static int same_as(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool single = insn->type == DT_F32 || insn->type == DT_F16;
    bool halves = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    if (insn->op == OP_MOV)
        return 0;
    if (insn->flags & INSN_PREC)
        return -1;
    for (unsigned n = 0; insn->op == OP_OR && slow_bytes(insn->type) == 8 && n < 2; n++)
        if (nothing(k, program_operand(k->p->text, insn->src + n), insn->dst.mask))
            return n ? 0 : 1;
    if (insn->op == OP_DST && c != 1)
        return single && c > 1 ? (int)c - 2 : -1;
    if (insn->op == OP_CVT)
        return halves && insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_SHORT ? 0 : -1;
    for (unsigned n = 0; (insn->op == OP_MUL || insn->op == OP_DST) && single && n < 2; n++) {
        struct slow_known v;
        if (slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, DT_F32, &v) && (uint32_t)v.bits == 0x3f800000)
            return n ? 0 : 1;
    }
    return -1;
}

/* That of a value, which is given one if it has none. */
static uint32_t number_of(struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_known *from)
{
    uint32_t fresh = (uint32_t)(insn - program_insn(k->p->text, 0)) * 4 + c + 1;
    for (uint32_t i = 0; !from->copy && i < k->count; i++) {    /* of an earlier round */
        k->value[i].copy = k->value[i].copy == fresh ? 0 : k->value[i].copy;
        k->value[i].minus = k->value[i].minus == fresh ? 0 : k->value[i].minus;
    }
    if (!from->copy)
        from->copy = fresh;
    return from->copy;
}

void slow_number_copies(struct slow_knowledge *k, const struct insn *insn, uint32_t number[4])
{
    const struct result *r = &insn->dst;
    bool wide = slow_bytes(insn->type) == 8;    /* 64 bits of LONG variables, or none */
    if (!insn->nsrc || insn->nsrc > 3 || r->kind != OPND_SYMBOL || r->nindices || condition_restricts(&r->condition) ||
        (!wide && slow_bytes(insn->type) != 4 && insn->type != DT_F16) || !slow_followed(k, r->kind, r->ref, 0) || program_is_long(k->p->text, r->kind, r->ref) != wide)
        return;
    for (unsigned c = 0; c < 4; c++) {
        int n = r->mask >> c & 1 ? same_as(k, insn, c) : -1;
        const struct operand *o = n < 0 ? NULL : program_operand(k->p->text, insn->src + (unsigned)n);
        struct slow_known *from = !o || o->nindices || !as_it_is(insn, o) || program_is_long(k->p->text, o->kind, o->ref) != wide ? NULL : slow_followed(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
        bool shorts = from && (slow_of_short(k, r->kind, r->ref, 0) || slow_of_short(k, o->kind, o->ref, 0));
        if (!from || (shorts && !slow_is_float(insn->type)))
            continue;
        number[c] = number_of(k, insn, c, from);
    }
}

bool slow_was_with_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *a = program_operand(k->p->text, insn->src);
    const struct slow_known *x = slow_held(k, a, c), *y = slow_held(k, a + 1, c);
    return x && y && a->flags == a[1].flags && x->outside && x->outside == y->outside;
}

/* A sign that turns a number around. */
static bool turns(const struct operand *o)
{
    return !(o->flags & OPND_ABSOLUTE) && !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
}

/* 1 or -1 where a factor or divisor is known to be that, else 0. */
static int unit(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    struct slow_known v;
    if (!slow_known_operand(k, o, c, DT_F32, &v))
        return 0;
    return (uint32_t)v.bits == 0x3f800000 ? 1 : (uint32_t)v.bits == 0xbf800000 ? -1 : 0;
}

/* The operand whose negative component c of a result is, or -1. */
static int negative_of(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    struct slow_known v;
    bool equal;
    if (insn->type != DT_F32 || !insn->nsrc || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF | INSN_FIXED))
        return -1;
    switch (insn->op) {
    case OP_MOV: return turns(o) ? 0 : -1;
    case OP_MIN: case OP_MAX:
        equal = slow_alike(k, o, o + 1, c, c);
        return equal && turns(o) ? 0 : -1;
    case OP_CMP:
        if (!slow_known_operand(k, o, c, DT_F32, &v))
            return -1;
        equal = (uint32_t)v.bits >= 0x80800000 && (uint32_t)v.bits <= 0xff800000;      /* below zero */
        return turns(o + (equal ? 1 : 2)) ? equal ? 1 : 2 : -1;
    case OP_DST:
        if (c != 1)
            return c && turns(o + c - 2) ? (int)c - 2 : -1;
        break;
    case OP_DIV:
        return unit(k, o + 1, c) && !(o->flags & OPND_ABSOLUTE) && (unit(k, o + 1, c) < 0) != turns(o) ? 0 : -1;
    case OP_MUL: break;
    default: return -1;
    }
    for (int n = 0; n < 2; n++)        /* of two such factors the second one counts */
        if (unit(k, o + 1 - n, c))
            return !(o[n].flags & OPND_ABSOLUTE) && (unit(k, o + 1 - n, c) < 0) != turns(o + n) ? n : -1;
    return -1;
}

void slow_number_negatives(struct slow_knowledge *k, const struct insn *insn, uint32_t minus[4])
{
    const struct result *r = &insn->dst;
    if (r->kind != OPND_SYMBOL || r->nindices || condition_restricts(&r->condition) || !slow_followed(k, r->kind, r->ref, 0) ||
        program_symbol(k->p->text, r->ref)->size != SIZE_DEFAULT || insn->nsrc > 3)
        return;
    for (unsigned c = 0; c < 4; c++) {
        int same = r->mask >> c & 1 && insn->nsrc && (slow_bytes(insn->type) == 4 || insn->type == DT_F16) ? same_as(k, insn, c) : -1;
        const struct operand *o = same < 0 ? NULL : program_operand(k->p->text, insn->src + (unsigned)same);
        const struct slow_known *held = !o || !as_it_is(insn, o) || program_is_long(k->p->text, o->kind, o->ref) ? NULL : slow_held(k, o, c);
        int n = r->mask >> c & 1 ? negative_of(k, insn, c) : -1;
        if (held) {
            minus[c] = held->minus;
            continue;
        }
        o = n < 0 ? NULL : program_operand(k->p->text, insn->src + (unsigned)n);
        if (o && slow_held(k, o, c) && program_symbol(k->p->text, o->ref)->size == SIZE_DEFAULT)
            minus[c] = number_of(k, insn, c, slow_of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3));
    }
}

int slow_mirrored(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    for (int n = 0; n < 2; n++) {
        const struct slow_known *x = slow_held(k, o + n, c), *y = slow_held(k, o + 1 - n, c);
        if (x && y && !(o[n].flags & OPND_SIGNS) && turns(o + 1 - n) && x->copy && y->minus == x->copy)
            return n;
    }
    return -1;
}
