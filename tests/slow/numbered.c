/* Copies, by number: what has the same one holds the same. */
#include "tests/slow/follow.h"

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
        struct slow_known *from = !o || o->nindices || o->flags & OPND_SIGNS || program_is_long(k->p->text, o->kind, o->ref) != wide ? NULL : slow_followed(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
        bool shorts = from && (slow_of_short(k, r->kind, r->ref, 0) || slow_of_short(k, o->kind, o->ref, 0));
        if (!from || (shorts && !slow_is_float(insn->type)))
            continue;
        if (!from->copy) {
            uint32_t fresh = (uint32_t)(insn - program_insn(k->p->text, 0)) * 4 + c + 1;
            for (uint32_t i = 0; i < k->count; i++)     /* of an earlier round */
                k->value[i].copy = k->value[i].copy == fresh ? 0 : k->value[i].copy;
            from->copy = fresh;
        }
        number[c] = from->copy;
    }
}
