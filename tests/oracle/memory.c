/* Loads, stores and atomic operations of one lane. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"

#include <string.h>


bool oracle_is_memory(unsigned op)
{
    switch (op) {
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LDS: case OP_STS: case OP_ATOMS: case OP_LDC: case OP_LOAD:
    case OP_STORE: case OP_ATOM:
        return true;
    default: return false;
    }
}

struct oracle_bytes oracle_buffer_at(struct oracle_buffer *list, size_t n, uint64_t binding)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].binding == binding)
            return (struct oracle_bytes){list[i].data, list[i].size, list[i].undef, 4};
    return (struct oracle_bytes){.unit = 4};
}

bool oracle_constant_buffer(struct oracle_lane *l, uint32_t binding, uint64_t offset, unsigned words,
                          struct oracle_value out[4])
{
    struct oracle_bytes m = oracle_buffer_at(l->group->launch->constants, l->group->launch->nconstants, binding);
    for (unsigned i = 0; i < words; i++) {
        uint32_t word = 0;
        if (offset + i * 4 + 4 <= m.size)
            memcpy(&word, m.data + offset + i * 4, 4);
        out[i] = (struct oracle_value){.bits = word};
    }
    return true;
}

/* ---- where ------------------------------------------------------------------------------------------------------ */

/* A buffer that stands at the address, which is then one in it; nothing elsewhere. Not all that is moved being there is
 * undefined. */
static bool locate_far(struct oracle_lane *l, const struct operand *o, unsigned bytes, struct oracle_bytes *m,
                       uint32_t *address, bool *undef)
{
    const struct oracle_launch *launch = l->group->launch;
    struct oracle_value v[4];
    if (!oracle_fetch(l, o, DT_U64, v))
        return false;
    *m = (struct oracle_bytes){.unit = 4};
    *address = 0;
    for (size_t i = 0; i < launch->naddresses; i++) {
        struct oracle_bytes there = oracle_buffer_at(launch->storage, launch->nstorage, launch->addresses[i].binding);
        if (v[0].bits - launch->addresses[i].address >= there.size)
            continue;
        *m = there;
        *address = (uint32_t)(v[0].bits - launch->addresses[i].address);
    }
    *undef = v[0].undef || !oracle_inside(m, *address, bytes);
    return true;
}

static bool locate(struct oracle_lane *l, const struct operand *o, struct oracle_bytes *m, uint32_t *address,
                   bool *undef)
{
    const struct gp5_program *p = l->group->program->text;
    const struct symbol *s = program_symbol(p, o->ref);
    const struct binding *b = s->nbindings ? program_binding(p, s->binding) : NULL;
    const struct index *last = o->nindices ? program_index(p, o->index + o->nindices - 1u) : NULL;
    int64_t which = 0, at = 0;
    bool undef_which = false, undef_at = false, chooses = o->nindices == 2 || (o->nindices == 1 && s->two_indices);
    if (o->kind != OPND_SYMBOL || !b)
        return false;
    if (chooses && !oracle_index(l, program_index(p, o->index), &which, &undef_which))
        return false;
    if (last && !(chooses && o->nindices == 1) && !oracle_index(l, last, &at, &undef_at))
        return false;
    *undef = undef_which || undef_at;
    *address = (uint32_t)at;
    if (s->kind == SYM_SHARED) {
        *address += b->nindices ? b->first[0] : 0;
        *m = (struct oracle_bytes){l->group->shared, l->group->shared_size, l->group->shared_undef, 1};
        return true;
    }
    if (b->nindices > 1)
        *address += b->first[1];
    int64_t n = b->nindices && b->range[0] ? (int64_t)b->last[0] - b->first[0] + 1 : 1;
    uint64_t binding = which >= 0 && which < n ? (b->nindices ? b->first[0] : 0) + (uint64_t)which : UINT64_MAX;
    if (s->kind == SYM_STORAGE)
        *m = oracle_buffer_at(l->group->launch->storage, l->group->launch->nstorage, binding);
    else if (s->kind == SYM_CBUFFER)
        *m = oracle_buffer_at(l->group->launch->constants, l->group->launch->nconstants, binding);
    else
        return false;
    return true;
}

bool oracle_inside(const struct oracle_bytes *m, uint64_t address, unsigned bytes)
{
    return address + bytes <= m->size;
}

bool oracle_is_undef(const struct oracle_bytes *m, uint64_t address, unsigned bytes)
{
    bool any = false;
    for (uint64_t i = address / m->unit; m->undef && i <= (address + bytes - 1) / m->unit; i++)
        any |= m->undef[i];
    return any;
}

/* A defined value that covers a part of a word leaves the word as it was. */
void oracle_set_undef(const struct oracle_bytes *m, uint64_t address, unsigned bytes, bool undef)
{
    for (uint64_t i = address / m->unit; m->undef && i <= (address + bytes - 1) / m->unit; i++)
        if (undef || (i * m->unit >= address && (i + 1) * m->unit <= address + bytes))
            m->undef[i] = undef;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

uint64_t oracle_get(const uint8_t *from, unsigned type)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < type_table[type].bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    switch (type) {
    case DT_S8: return (uint32_t)(int32_t)(int8_t)v;
    case DT_S16: return (uint32_t)(int32_t)(int16_t)v;
    case DT_F16: return soft_widened(v);
    default: return v;
    }
}

void oracle_put(uint8_t *to, unsigned type, uint64_t v)
{
    if (type == DT_F16)
        v = soft_narrowed(v);
    for (unsigned i = 0; i < type_table[type].bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

unsigned oracle_register_type(unsigned type)
{
    switch (type) {
    case DT_F16: return DT_F32;
    case DT_S8: case DT_S16: return DT_S32;
    case DT_U8: case DT_U16: return DT_U32;
    default: return type;
    }
}

/* ---- loads and stores ------------------------------------------------------------------------------------------- */

/* docs/semantics.md, "Memory": an address is rounded down to a multiple of what is moved, for constants to one of 4
 * bytes. */
uint32_t oracle_rounded(const struct oracle_lane *l, const struct insn *insn, uint32_t address)
{
    uint32_t bytes = type_table[insn->type].bytes * (insn->width ? insn->width : 1u);
    if (insn->op == OP_LDC && bytes > 4)
        bytes = 4;
    if (bytes > 16)
        bytes = op_stores(insn->op) ? 8 : 16;  /* by components, by halves */
    return l->group->program->nvidia ? address / bytes * bytes : address;
}

/* docs/semantics.md, "Memory": what LOAD and LDS move in one go is written by the test of its last component, and some
 * of them write more than the mask says. */
static bool write_loaded(struct oracle_lane *l, const struct insn *insn, unsigned type, struct oracle_value r[4])
{
    const struct gp5_program *p = l->group->program->text;
    bool together =
        l->group->program->nvidia && (insn->op == OP_LOAD || insn->op == OP_LDS) && type_table[insn->type].bytes >= 4;
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->size == SIZE_LONG;
    unsigned mask = insn->dst.mask, moved = mask & ((1u << insn->width) - 1), last = 0,
             own = insn->dst.condition.swizzle;
    struct insn written = *insn, cleared = *insn;
    struct oracle_value zeros[4] = {{0}};
    if (!together || !mask)
        return oracle_write(l, insn, type, 15, r, NULL);
    while (moved >> (last + 1))
        last++;
    bool four = insn->width == 4 && oracle_bytes(insn->type) == 8;
    if (moved && !four && (wide || oracle_bytes(insn->type) < 8)) {
        written.dst.condition.swizzle = 0;
        for (unsigned c = 0; c < 4; c++)
            written.dst.condition.swizzle |=
                (uint8_t)((moved >> c & 1 ? own >> 2 * last & 3 : own >> 2 * c & 3) << 2 * c);
    }
    if (four && wide)   /* all of it, without x nothing */
        written.dst.mask = mask & 1 ? 15 : 0;
    if (!oracle_write(l, &written, type, 15, r, NULL))
        return false;
    cleared.dst.mask = insn->width == 2 && mask & 12 && ((mask & 3) == 1 || (mask & 3) == 2) ? 3 & ~mask : 0;
    cleared.cc_update = 0;
    return !cleared.dst.mask || oracle_write(l, &cleared, type, 15, zeros, NULL);
}

static bool load(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m, uint32_t address,
                 bool undef)
{
    unsigned bytes = type_table[insn->type].bytes, type = oracle_register_type(insn->type);
    struct oracle_value r[4] = {{0}};
    bool misaligned = address % (bytes * insn->width) != 0;
    address = oracle_rounded(l, insn, address);
    for (unsigned c = 0; c < 4; c++) {
        uint64_t at = (uint64_t)address + c * bytes;
        bool there = c < insn->width && oracle_inside(m, at, bytes);
        r[c].bits = there ? oracle_get(m->data + at, insn->type) : 0;
        r[c].undef = c < insn->width && (undef || misaligned || (there && oracle_is_undef(m, at, bytes)));
        r[c].bits = oracle_saturate(l->group->program, type, insn->flags, r[c].bits);
    }
    return write_loaded(l, insn, type, r);
}

struct operand oracle_stored(const struct oracle_program *p, const struct insn *insn, uint32_t operand)
{
    struct operand o = *program_operand(p->text, operand);
    /* packed: signs are dropped */
    if (p->nvidia && (insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4)))
        o.flags &= (uint16_t)~OPND_SIGNS;
    return o;
}

/* Four components of 64 bits with a sign, as the driver stores them: x is what w is, and of F64 the others take the
 * sign of integers. */
static bool signed_four(struct oracle_lane *l, const struct insn *insn, const struct operand *o,
                        struct oracle_value v[4])
{
    const struct oracle_program *p = l->group->program;
    unsigned signs = insn->type == DT_U64 ? OPND_NEGATE | OPND_NEGATE_INNER : OPND_SIGNS;
    struct operand plain = *o;
    struct oracle_value words[4];
    if (!p->nvidia || insn->width != 4 || type_table[insn->type].bytes != 8 || !(o->flags & signs))
        return true;
    plain.flags &= (uint16_t)~OPND_SIGNS;
    if (!oracle_fetch(l, &plain, insn->type, words))
        return false;
    v[0] = v[3];
    for (unsigned c = 1; insn->type == DT_F64 && c < 4; c++)
        v[c].bits = oracle_sign(DT_S64, o->flags, words[c].bits);
    return true;
}

static bool store(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m, uint32_t address,
                  bool undef)
{
    unsigned bytes = type_table[insn->type].bytes, type = oracle_register_type(insn->type);
    struct operand stored = oracle_stored(l->group->program, insn, insn->src), *o = &stored;
    struct oracle_value v[4], half[4];
    bool halves = false;
    if (!oracle_fetch(l, o, type, v) || (insn->type == DT_F16 && !oracle_stored_halves(l, o, half, &halves)))
        return false;
    for (unsigned c = 0; c < 4; c++)
        v[c].bits = oracle_moved(l->group->program, type, o->flags & OPND_SIGNS, v[c].bits);
    if (!signed_four(l, insn, o, v))
        return false;
    oracle_note_use(l, undef || address % (bytes * insn->width) != 0);
    address = oracle_rounded(l, insn, address);
    for (unsigned c = 0; c < insn->width; c++) {
        uint64_t at = (uint64_t)address + c * bytes;
        if (!oracle_inside(m, at, bytes))
            continue;
        oracle_put(m->data + at, halves ? DT_U16 : insn->type, halves ? half[c].bits : v[c].bits);
        oracle_set_undef(m, at, bytes, v[c].undef);
    }
    return true;
}

bool oracle_memory(struct oracle_lane *l, const struct insn *insn)
{
    const struct gp5_program *p = l->group->program->text;
    struct oracle_bytes m;
    uint32_t address;
    bool undef, ok;
    const struct operand *where = program_operand(p, insn->src + insn->nsrc - 1u);
    bool far = insn->op == OP_LOAD || insn->op == OP_STORE || insn->op == OP_ATOM;
    unsigned bytes = type_table[insn->type].bytes * (insn->op == OP_ATOM && insn->type != DT_F16 ? 1u : insn->width);
    if (!(far ? locate_far(l, where, bytes, &m, &address, &undef) : locate(l, where, &m, &address, &undef)))
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this memory", insn);
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: ok = load(l, insn, &m, address, undef); break;
    case OP_STB: case OP_STS: case OP_STORE: ok = store(l, insn, &m, address, undef); break;
    default: ok = oracle_atomic(l, insn, &m, address, undef);
    }
    return ok || oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this access", insn);
}
