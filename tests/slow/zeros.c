/* Numbers that are known to be 0 to a division, and to CMP, alone: docs/numbers.md, "What is known in part". */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

/* invocation.localid where groups are one wide. */
static bool is_only_one(const struct gp5_program *p, const struct operand *o, unsigned c)
{
    unsigned from = o->swizzle >> 2 * c & 3;
    return o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_INVOCATION_LOCALID && from != 3 && p->has_group_size &&
           p->group_size[from] < 2;
}

bool slow_is_zero_to_divisions(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    const struct slow_known *v = slow_held(k, o, c);
    return (v && v->nothing) || is_only_one(k->p->text, o, c);
}

static bool packs_to_zero(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    struct slow_known v;
    uint32_t bits;
    if (o->kind == OPND_EXTENDED)
        return false;
    if (!slow_known_operand(k, o, c, DT_F32, &v)) {
        struct slow_reader r = {k, insn, c};
        return insn->op == OP_PK2US && slow_reader_look_at(&r, o, c, DT_F32).sign & NOT_ABOVE;     /* a NaN is packed to 0, too */
    }
    if (v.loose)
        return false;
    bits = (uint32_t)v.bits;
    if (insn->op == OP_PK2US)
        return (bits << 1) == 0 || (bits >> 31 && (bits << 1) <= 0xff000000);
    return bits <= 0x33000000;
}

bool slow_packs_unknown(const struct slow_knowledge *k, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    struct slow_known v;
    return insn->op == OP_PK2US && !(slow_known_operand(k, o, 0, DT_F32, &v) && slow_known_operand(k, o, 1, DT_F32, &v));
}

/* Operands as far as they are known, which of them are not (they are 1), and which are 0 to divisions alone. */
static unsigned fill_in(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_value s[3][4], unsigned *nothing)
{
    unsigned open = 0;
    *nothing = 0;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned i = 0; i < 4; i++) {
            const struct operand *o = program_operand(k->p->text, insn->src + n);
            const struct slow_known *held = slow_held(k, o, i);
            struct slow_known v = {0};
            bool none = slow_is_zero_to_divisions(k, o, i), left = held && held->loose && (held->faint || held->narrow);
            if (!(slow_made_of(k->p, insn, n, c) >> i & 1))
                continue;
            *nothing |= (unsigned)none << n;
            s[n][i].bits = 1;
            if (none)
                s[n][i].bits = 0;
            else if (!left && o->kind != OPND_EXTENDED && slow_known_operand(k, o, i, slow_operand_type(insn, n), &v))
                s[n][i].bits = v.bits;
            else
                open |= 1u << n;
        }
    return open;
}

static bool rounds_well(const struct insn *insn)
{
    return insn->rounding != MOD_FLR && insn->rounding != MOD_CEIL;
}

/* What of doubles gives whole numbers, or 0 and 1 in the upper word alone. */
static bool makes_round(unsigned op)
{
    return op == OP_STR || op == OP_SFL || op == OP_SSG || op == OP_TRUNC || op == OP_FLR || op == OP_CEIL || op == OP_ROUND;
}

/* Of 32 bits, and of 64 bits in a register of `wide` or not. */
static bool comes_to_zero(const struct slow_knowledge *k, const struct insn *insn, unsigned c, bool to_long)
{
    struct slow_value s[3][4] = {{{0}}}, result[4];
    unsigned nothing, open = fill_in(k, insn, c, s, &nothing), mask = slow_made_of(k->p, insn, 1, c);
    bool single = insn->type == DT_F32 && !(insn->flags & INSN_HALF), whole = !slow_is_float(insn->type), big = slow_bytes(slow_result_type(insn)) == 8;
    bool has_sign = insn->nsrc && operand_has_sign(program_operand(k->p->text, insn->src));
    uint64_t word = s[0][0].bits;
    if (big) {
        if (to_long && insn->op == OP_SHL && !(open & 1) && !s[0][c].bits)
            return true;
        if (to_long && insn->type == DT_F64 && makes_round(insn->op))
            return insn->op == OP_STR || insn->op == OP_SFL || (!open && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits);
        if (to_long ? insn->op != OP_CVT || insn->type != DT_F64 || insn->type2 != DT_F32
                    : !whole || insn->flags & INSN_HI || (insn->op != OP_ADD && insn->op != OP_SUB && insn->op != OP_MUL))
            return false;
        return !open && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits;
    }
    switch (insn->op) {
    case OP_UP4UB: return single && !open && !(word >> 8 * c & 255);
    case OP_UP2US: return single && !open && !(word >> 16 * (c & 1) & 65535);
    case OP_CVT: return whole && !open && insn->type2 != DT_F16 && rounds_well(insn) && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits;
    case OP_TRUNC: case OP_ROUND: return whole && !open && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits;
    case OP_MOD: return whole && !(open & 2) && mask && s[1][__builtin_ctz(mask)].bits == 1;
    case OP_TGALL: case OP_TGANY: case OP_TGBALLOT: return !open && !(insn->type == DT_F32 ? (uint32_t)s[0][c].bits << 1 : s[0][c].bits);
    case OP_UP64: return whole && !open && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits;
    case OP_MUL:
        if (insn->flags & INSN_HI && ((!(open & 1) && !s[0][c].bits) || (!(open & 2) && !s[1][c].bits)))
            return true;
        break;
    case OP_SHL: case OP_SHR:
        if (!(open & 1) && !s[0][c].bits)
            return true;
        break;
    case OP_MOV: case OP_I2F:
        if (!has_sign)
            return nothing;
        break;
    default: break;
    }
    if (!whole)
        return false;
    if ((insn->op == OP_AND && nothing) || (insn->op == OP_MUL && nothing & 3))
        return true;
    switch (insn->op) {
    case OP_MOV: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_OR: case OP_XOR: case OP_MIN: case OP_MAX: case OP_SHL: case OP_SHR:
        return !open && nothing && !(insn->flags & INSN_HI) && slow_compute(k->p, insn, s, result) && !(uint32_t)result[c].bits;
    default: return false;
    }
}

bool slow_is_nothing(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *r)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
    unsigned type = slow_result_type(insn);
    if (insn->nsrc > 3 || (insn->flags & (INSN_SAT | INSN_SSAT) && !r->known))
        return false;
    if (slow_bytes(type) == 8)
        return comes_to_zero(k, insn, c, wide) || (!wide && r->known && !(uint32_t)slow_resize(k->p, r->bits, type, true, false));
    if (insn->type == DT_F32 && (insn->op == OP_PK2H || insn->op == OP_PK2US))
        return !wide && packs_to_zero(k, insn, 0) && packs_to_zero(k, insn, 1);
    if (!wide)
        return comes_to_zero(k, insn, c, false);
    if (insn->op == OP_MOV && !operand_has_sign(program_operand(k->p->text, insn->src)) && slow_is_zero_to_divisions(k, program_operand(k->p->text, insn->src), c))
        return true;
    return r->known && !r->loose && (uint32_t)slow_resize(k->p, r->bits, type, false, true) == 0;
}
