/* Atomic operations, on memory and on counters, of one lane. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"

static bool below(uint64_t a, uint64_t b, unsigned type)
{
    uint64_t top = type == DT_S32 ? 0x80000000u : type == DT_S64 ? 1ull << 63 : 0;
    return (a ^ top) < (b ^ top);
}

static uint64_t float_sum(const struct oracle_lane *l, unsigned type, uint64_t old, uint64_t x, bool shared)
{
    struct soft a = soft_unpack(x, 64, false), b = soft_unpack(old, 64, false);

    /* the operand's stays of two, in buffers, and nothing makes it quiet */
    if (type == DT_F64 && !shared && a.kind == SOFT_NAN)
        return x;
    if (type == DT_F64 && !shared && b.kind == SOFT_NAN)
        return old;
    return oracle_sum(l->group->program, type, old, x);
}

uint64_t oracle_changed(const struct oracle_lane *l, const struct insn *insn, uint64_t old, uint64_t x, uint64_t y,
                        bool shared)
{
    switch (insn->atomic) {
    case MOD_ADD: return oracle_is_float(insn->type) ? float_sum(l, insn->type, old, x, shared) : old + x;
    case MOD_MIN: return below(x, old, insn->type) ? x : old;
    case MOD_MAX: return below(old, x, insn->type) ? x : old;
    case MOD_IWRAP: return old >= x ? 0 : old + 1;
    case MOD_DWRAP: return old == 0 || old > x ? x : old - 1;
    case MOD_AND: return old & x;
    case MOD_OR: return old | x;
    case MOD_XOR: return old ^ x;
    case MOD_EXCH: return x;
    default: return old == x ? y : old;
    }
}

/* ---- pairs of halves -------------------------------------------------------------------------------------------- */

static uint64_t half_changed(unsigned operation, uint64_t old, uint64_t x)
{
    struct soft a = soft_unpack(old & 0xffff, 16, false), b = soft_unpack(x & 0xffff, 16, false);
    bool first;
    if (operation == MOD_EXCH)
        return x & 0xffff;
    if (operation == MOD_ADD)
        return soft_pack(soft_add(a, b), 16, SOFT_NEAREST, false, 0x7fff);
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN)
        return a.kind == SOFT_NAN && b.kind == SOFT_NAN ? 0x7fff : a.kind == SOFT_NAN ? x & 0xffff : old & 0xffff;
    if (soft_compare(a, b) == SOFT_EQUAL)       /* -0 is below +0 */
        first = operation == MOD_MIN ? a.negative >= b.negative : a.negative <= b.negative;
    else
        first = soft_compare(a, b) == (operation == MOD_MIN ? SOFT_LESS : SOFT_GREATER);
    return first ? old & 0xffff : x & 0xffff;
}

static uint64_t halves_changed(unsigned operation, uint64_t old, uint64_t x)
{
    return half_changed(operation, old, x) | half_changed(operation, old >> 16, x >> 16) << 16;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Which components the driver writes (docs/semantics.md, "Memory"): x gets the number, or its lower word, and where it
 * is resized the others stand undef. */
static bool is_taken_apart(const struct oracle_program *p, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool wide = type_table[insn->type].bytes == 8, to_long;
    if (insn->type == DT_F16 || r->kind != OPND_SYMBOL ||
        (insn->op != OP_ATOM && insn->op != OP_ATOMB && insn->op != OP_ATOMS))
        return false;
    to_long = program_symbol(p->text, r->ref)->size == SIZE_LONG;
    return wide ? program_symbol(p->text, r->ref)->size == SIZE_DEFAULT : to_long;
}

/* ATOM and ATOMS, where the driver writes what they give straight to the variable. */
static bool is_straight(const struct oracle_program *p, const struct insn *insn)
{
    return (insn->op == OP_ATOM || insn->op == OP_ATOMS) && !is_taken_apart(p, insn);
}

static uint8_t written(const struct oracle_program *p, const struct insn *insn)
{
    uint8_t mask = insn->dst.mask;
    bool one = __builtin_popcount(mask) == 1 && !condition_restricts(&insn->dst.condition);
    if (is_taken_apart(p, insn))
        return type_table[insn->type].bytes == 8 && one ? mask & 1 : mask;
    return is_straight(p, insn) && !(insn->type == DT_F16 && insn->width == 4) ? mask != 0 : mask & 1;
}

static bool write_result(struct oracle_lane *l, const struct insn *insn, unsigned type, struct oracle_value r[4])
{
    struct insn of_x = *insn;
    bool nvidia = l->group->program->nvidia, halves = insn->type == DT_F16;
    bool to_short = oracle_is_short(l->group->program, insn->dst.kind, insn->dst.ref);
    for (unsigned c = 1; c < 4; c++)
        r[c] = (struct oracle_value){.undef = true};
    if (!nvidia)
        return oracle_write(l, insn, type, 15, r, NULL);
    if (is_taken_apart(l->group->program, insn))
        return oracle_write(l, insn, type, written(l->group->program, insn), r, NULL);
    of_x.dst.mask = written(l->group->program, insn);
    /* of halves the word, of a single nothing */
    if (insn->op == OP_ATOMB && to_short && (halves || insn->type == DT_F32))
        return !halves || oracle_write(l, &of_x, DT_U32, 1, r, NULL);
    r[0].undef |= insn->op == OP_ATOMB && halves;
    if (insn->op == OP_ATOMB && halves)     /* to a LONG variable what stood somewhere */
        return !program_is_long(l->group->program->text, insn->dst.kind, insn->dst.ref) ||
               oracle_write(l, insn, DT_U32, 15, r, NULL);
    return oracle_write(l, &of_x, type, 1, r, NULL);
}

/* With ATOM and ATOMS the driver holds back the operation where the test of x fails. */
static bool held_back(struct oracle_lane *l, const struct insn *insn)
{
    bool undef = false, pass;
    if (!l->group->program->nvidia || !is_straight(l->group->program, insn))
        return false;
    pass = oracle_test(l, &insn->dst.condition, 0, &undef);
    oracle_note_use(l, undef);
    return !pass;
}


static uint64_t by_halves(unsigned flags, uint64_t word)
{
    if (flags & OPND_ABSOLUTE)
        word &= 0x7fff7fff;
    else if (flags & OPND_NEGATE_INNER)
        word ^= 0x80008000;
    return flags & OPND_NEGATE ? word ^ 0x80008000 : word;
}

static uint64_t as_float(const struct oracle_program *p, unsigned type, unsigned flags, uint64_t bits)
{
    return oracle_moved(p, type, true, oracle_sign(type, flags, bits));
}

/* docs/semantics.md, "signs of what an atomic operation on floats takes". */
static uint64_t signed_operand(const struct oracle_program *p, const struct insn *insn, unsigned flags, uint64_t bits)
{
    bool wide = type_table[insn->type].bytes == 8, four = insn->type == DT_F16 && insn->width == 4;
    if (p->nvidia && insn->atomic == MOD_EXCH)
        return four ? bits : oracle_sign(wide ? DT_U64 : DT_U32, flags, bits);
    if (insn->type != DT_F16)
        return as_float(p, insn->type, flags, bits);
    if (!p->nvidia)
        return by_halves(flags, bits);
    if (four)
        bits = as_float(p, DT_F32, flags, bits);
    if (four && flags & OPND_ABSOLUTE && insn->op != OP_ATOMIM)
        return bits;
    return insn->op == OP_ATOMS ? by_halves(flags, bits) : oracle_sign(DT_S32, flags, bits);
}

bool oracle_atomic_operand(struct oracle_lane *l, const struct insn *insn, struct oracle_value v[4])
{
    const struct oracle_program *p = l->group->program;
    struct operand o = *program_operand(p->text, insn->src);
    unsigned flags = type_table[insn->type].is_float ? o.flags & OPND_SIGNS : 0, type = insn->type;
    if (flags & OPND_ABSOLUTE)
        flags &= ~(unsigned)OPND_NEGATE_INNER;
    if (type_table[insn->type].is_float)
        o.flags &= (uint16_t)~OPND_SIGNS;
    if (insn->type == DT_F16)
        type = insn->width == 4 && oracle_is_short(p, o.kind, o.ref) ? DT_F32 : DT_U32;
    if (!oracle_fetch(l, &o, type, v))
        return false;
    for (unsigned c = 0; flags && c < 2; c++)
        v[c].bits = signed_operand(p, insn, flags, v[c].bits);
    return true;
}

/* Pairs of halves are words of the operand: x, and for F16X4 y. */
bool oracle_atomic_halves(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m,
                          uint32_t address, bool undef)
{
    struct oracle_value v[4], r[4] = {{0}};
    const struct symbol *s =
        insn->dst.kind == OPND_SYMBOL ? program_symbol(l->group->program->text, insn->dst.ref) : NULL;
    unsigned bytes = insn->width * 2u;
    bool misaligned = address % bytes != 0,
         first = oracle_is_undef(m, address, bytes) && oracle_inside(m, address, bytes), fresh;
    if (!oracle_atomic_operand(l, insn, v))
        return false;
    oracle_note_use(l, undef || misaligned);
    address = oracle_rounded(l, insn, address);
    first = oracle_inside(m, address, bytes) && oracle_is_undef(m, address, bytes);
    fresh = v[0].undef || (insn->atomic != MOD_EXCH && first);
    for (unsigned i = 0; i < insn->width / 2u; i++) {
        uint64_t at = address + i * 4u, old;
        if (!oracle_inside(m, at, 4))
            continue;
        old = oracle_get(m->data + at, DT_U32);
        oracle_put(m->data + at, DT_U32, halves_changed(insn->atomic, old, v[i].bits));
        r[0].bits = i ? r[0].bits : old;
    }
    if (oracle_inside(m, address, bytes))
        oracle_set_undef(m, address, bytes, fresh);
    r[0].undef = first;
    return write_result(l, insn, s && s->size == SIZE_LONG ? DT_F32 : DT_U32, r);
}

bool oracle_atomic(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m, uint32_t address,
                   bool undef)
{
    unsigned bytes = type_table[insn->type].bytes;
    struct oracle_value v[4], r[4] = {{0}};
    bool misaligned = address % bytes != 0, there, fresh;
    if (held_back(l, insn))
        return true;
    if (insn->type == DT_F16)
        return oracle_atomic_halves(l, insn, m, address, undef);
    address = oracle_rounded(l, insn, address);
    there = oracle_inside(m, address, bytes);
    if (!oracle_atomic_operand(l, insn, v))
        return false;
    oracle_note_use(l, undef || misaligned);
    r[0].undef = undef || misaligned || (there && oracle_is_undef(m, address, bytes));
    fresh = v[0].undef || (insn->atomic == MOD_CSWAP && v[1].undef) || (insn->atomic != MOD_EXCH && r[0].undef);
    if (there) {
        r[0].bits = oracle_get(m->data + address, insn->type);
        oracle_put(m->data + address, insn->type,
                   oracle_changed(l, insn, r[0].bits, v[0].bits, v[1].bits, m->unit == 1));
        oracle_set_undef(m, address, bytes, fresh);
    }
    return write_result(l, insn, insn->type, r);
}

/* ---- counters --------------------------------------------------------------------------------------------------- */

/* NV_shader_atomic_counters. A counter that is not there reads 0, also counted down (docs/semantics.md). */
bool oracle_counter(struct oracle_lane *l, const struct insn *insn)
{
    const struct gp5_program *p = l->group->program->text;
    const struct operand *o = program_operand(p, insn->src);
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct binding *b = s && s->kind == SYM_COUNTER && s->nbindings ? program_binding(p, s->binding) : NULL;
    struct oracle_value v[4] = {{0}}, r[4] = {{0}};
    struct oracle_bytes m;
    int64_t index = 0;
    bool undef = false, there;
    if (!b || o->nindices > 1 || (o->nindices && !oracle_index(l, program_index(p, o->index), &index, &undef)) ||
        (insn->op == OP_ATOMCTROP && !oracle_fetch(l, program_operand(p, insn->src + 1), insn->type, v)))
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this counter", insn);
    uint32_t address = (uint32_t)((b->nindices > 1 ? b->first[1] : 0) + (uint64_t)index) * 4u;
    m = oracle_buffer_at(l->group->launch->counters, l->group->launch->ncounters, b->first[0]);
    there = oracle_inside(&m, address, 4);
    oracle_note_use(l, undef);
    r[0].undef = there && oracle_is_undef(&m, address, 4);
    if (there) {
        uint64_t old = oracle_get(m.data + address, DT_U32), next = old;
        bool fresh = r[0].undef || v[0].undef;
        switch (insn->op == OP_ATOMCTR ? (insn->atomic ? insn->atomic : MOD_INCR) : 0) {
        case MOD_INCR: next = old + 1; break;
        case MOD_DECR: next = --old; break;
        case MOD_GET: break;
        default:
            next = oracle_changed(l, insn, old, v[0].bits, v[1].bits, false);
            fresh = v[0].undef || (insn->atomic == MOD_CSWAP && v[1].undef) || (insn->atomic != MOD_EXCH && r[0].undef);
        }
        r[0].bits = (uint32_t)old;
        oracle_put(m.data + address, DT_U32, next);
        oracle_set_undef(&m, address, 4, fresh);
    }
    return write_result(l, insn, insn->type, r);
}
