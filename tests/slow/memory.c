/* Loads, stores and atomic operations of one lane. */
#include "tests/slow/internal.h"

#include "tests/scalar_soft.h"

#include <string.h>

/* Memory that an address is in, with what is undefined there. */
struct bytes {
    uint8_t *data;
    uint64_t size;
    bool *open;
    unsigned unit;              /* bytes that one of `open` is about */
};

bool slow_is_memory(unsigned op)
{
    switch (op) {
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LDS: case OP_STS: case OP_ATOMS: case OP_LDC: return true;
    default: return false;
    }
}

static struct bytes buffer(struct slow_buffer *list, size_t n, uint64_t binding)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].binding == binding)
            return (struct bytes){list[i].data, list[i].size, list[i].open, 4};
    return (struct bytes){.unit = 4};
}

bool slow_constant_buffer(struct slow_lane *l, uint32_t binding, uint64_t offset, unsigned words,
                          struct slow_value out[4])
{
    struct bytes m = buffer(l->group->launch->constants, l->group->launch->nconstants, binding);
    for (unsigned i = 0; i < words; i++) {
        uint32_t word = 0;
        if (offset + i * 4 + 4 <= m.size)
            memcpy(&word, m.data + offset + i * 4, 4);
        out[i] = (struct slow_value){.bits = word};
    }
    return true;
}

/* ---- where ------------------------------------------------------------------------------------------------------------ */

static bool locate(struct slow_lane *l, const struct operand *o, struct bytes *m, uint32_t *address, bool *open)
{
    const struct gp5_program *p = l->group->program->text;
    const struct symbol *s = program_symbol(p, o->ref);
    const struct binding *b = s->nbindings ? program_binding(p, s->binding) : NULL;
    const struct index *last = o->nindices ? program_index(p, o->index + o->nindices - 1u) : NULL;
    int64_t which = 0, at = 0;
    bool open_which = false, open_at = false, chooses = o->nindices == 2 || (o->nindices == 1 && s->two_indices);
    if (o->kind != OPND_SYMBOL || !b)
        return false;
    if (chooses && !slow_index(l, program_index(p, o->index), &which, &open_which))
        return false;
    if (last && !(chooses && o->nindices == 1) && !slow_index(l, last, &at, &open_at))
        return false;
    *open = open_which || open_at;
    *address = (uint32_t)at;
    if (s->kind == SYM_SHARED) {
        *address += b->nindices ? b->first[0] : 0;
        *m = (struct bytes){l->group->shared, l->group->shared_size, l->group->shared_open, 1};
        return true;
    }
    if (b->nindices > 1)
        *address += b->first[1];
    int64_t n = b->nindices && b->range[0] ? (int64_t)b->last[0] - b->first[0] + 1 : 1;
    uint64_t binding = which >= 0 && which < n ? (b->nindices ? b->first[0] : 0) + (uint64_t)which : UINT64_MAX;
    if (s->kind == SYM_STORAGE)
        *m = buffer(l->group->launch->storage, l->group->launch->nstorage, binding);
    else if (s->kind == SYM_CBUFFER)
        *m = buffer(l->group->launch->constants, l->group->launch->nconstants, binding);
    else
        return false;
    return true;
}

static bool inside(const struct bytes *m, uint64_t address, unsigned bytes)
{
    return address + bytes <= m->size;
}

static bool is_open(const struct bytes *m, uint64_t address, unsigned bytes)
{
    bool any = false;
    for (uint64_t i = address / m->unit; m->open && i <= (address + bytes - 1) / m->unit; i++)
        any |= m->open[i];
    return any;
}

/* A defined value that covers a part of a word leaves the word as it was. */
static void set_open(const struct bytes *m, uint64_t address, unsigned bytes, bool open)
{
    for (uint64_t i = address / m->unit; m->open && i <= (address + bytes - 1) / m->unit; i++)
        if (open || (i * m->unit >= address && (i + 1) * m->unit <= address + bytes))
            m->open[i] = open;
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

static uint64_t half_to_single(uint64_t half)
{
    return soft_pack(soft_unpack(half & 0xffff, 16, false), 32, SOFT_NEAREST, false, 0x7fffffff);
}

static uint64_t single_to_half(uint64_t word)
{
    return soft_pack(soft_unpack((uint32_t)word, 32, false), 16, SOFT_NEAREST, false, 0x7fff);
}

static uint64_t get(const uint8_t *from, unsigned type)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < type_table[type].bytes; i++)
        v |= (uint64_t)from[i] << 8 * i;
    switch (type) {
    case DT_S8: return (uint32_t)(int32_t)(int8_t)v;
    case DT_S16: return (uint32_t)(int32_t)(int16_t)v;
    case DT_F16: return half_to_single(v);
    default: return v;
    }
}

static void put(uint8_t *to, unsigned type, uint64_t v)
{
    if (type == DT_F16)
        v = single_to_half(v);
    for (unsigned i = 0; i < type_table[type].bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static unsigned register_type(unsigned type)
{
    switch (type) {
    case DT_F16: return DT_F32;
    case DT_S8: case DT_S16: return DT_S32;
    case DT_U8: case DT_U16: return DT_U32;
    default: return type;
    }
}

/* ---- loads and stores --------------------------------------------------------------------------------------------------- */

/* docs/semantics.md, "Memory": an address is rounded down to a multiple of what is moved, for constants to one of 4 bytes. */
static uint32_t rounded(const struct slow_lane *l, const struct insn *insn, uint32_t address)
{
    uint32_t bytes = type_table[insn->type].bytes * (insn->width ? insn->width : 1u);
    if (insn->op == OP_LDC && bytes > 4)
        bytes = 4;
    return l->group->program->nvidia ? address / bytes * bytes : address;
}

static bool load(struct slow_lane *l, const struct insn *insn, const struct bytes *m, uint32_t address, bool open)
{
    unsigned bytes = type_table[insn->type].bytes, type = register_type(insn->type);
    struct slow_value r[4];
    bool crooked = address % (bytes * insn->width) != 0;
    address = rounded(l, insn, address);
    for (unsigned c = 0; c < 4; c++) {
        uint64_t at = (uint64_t)address + c * bytes;
        bool there = c < insn->width && inside(m, at, bytes);
        r[c].bits = there ? get(m->data + at, insn->type) : 0;
        r[c].open = c < insn->width && (open || crooked || (there && is_open(m, at, bytes)));
        r[c].bits = slow_saturate(l->group->program, type, insn->flags, r[c].bits);
    }
    return slow_write(l, insn, type, 15, r, NULL);
}

static bool store(struct slow_lane *l, const struct insn *insn, const struct bytes *m, uint32_t address, bool open)
{
    unsigned bytes = type_table[insn->type].bytes, type = register_type(insn->type);
    const struct operand *o = program_operand(l->group->program->text, insn->src);
    struct slow_value v[4];
    if (!slow_fetch(l, o, type, v))
        return false;
    slow_use(l, open || address % (bytes * insn->width) != 0);
    address = rounded(l, insn, address);
    for (unsigned c = 0; c < insn->width; c++) {
        uint64_t at = (uint64_t)address + c * bytes;
        if (!inside(m, at, bytes))
            continue;
        put(m->data + at, insn->type,
            slow_moved(l->group->program, type, o->flags & (OPND_NEGATE | OPND_NEGATE_INNER | OPND_ABSOLUTE), v[c].bits));
        set_open(m, at, bytes, v[c].open);
    }
    return true;
}

/* ---- atomic operations ---------------------------------------------------------------------------------------------------- */

static bool below(uint64_t a, uint64_t b, unsigned type)
{
    uint64_t top = type == DT_S32 ? 0x80000000u : type == DT_S64 ? 1ull << 63 : 0;
    return (a ^ top) < (b ^ top);
}

static uint64_t float_sum(const struct slow_lane *l, unsigned type, uint64_t old, uint64_t x, bool shared)
{
    if (type == DT_F64 && !shared)      /* of two NaNs the operand's stays, in buffers */
        return slow_sum(l->group->program, type, x, old);
    return slow_sum(l->group->program, type, old, x);
}

static uint64_t changed(const struct slow_lane *l, const struct insn *insn, uint64_t old, uint64_t x, uint64_t y, bool shared)
{
    switch (insn->atomic) {
    case MOD_ADD: return slow_is_float(insn->type) ? float_sum(l, insn->type, old, x, shared) : old + x;
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

static bool atomic(struct slow_lane *l, const struct insn *insn, const struct bytes *m, uint32_t address, bool open)
{
    const struct slow_program *p = l->group->program;
    unsigned bytes = type_table[insn->type].bytes;
    const struct operand *o = program_operand(p->text, insn->src);
    struct slow_value v[4], r[4] = {{0}};
    bool crooked = address % bytes != 0, has_sign = o->flags & (OPND_NEGATE | OPND_NEGATE_INNER | OPND_ABSOLUTE), there, fresh;
    address = rounded(l, insn, address);
    there = inside(m, address, bytes);
    if (insn->type == DT_F16 || !slow_fetch(l, o, insn->type, v))
        return false;
    for (unsigned c = 0; c < 2; c++)
        v[c].bits = slow_moved(p, insn->type, has_sign, v[c].bits);
    slow_use(l, open || crooked);
    r[0].open = there && is_open(m, address, bytes);
    fresh = v[0].open || (insn->atomic == MOD_CSWAP && v[1].open) || (insn->atomic != MOD_EXCH && r[0].open);
    if (there) {
        r[0].bits = get(m->data + address, insn->type);
        put(m->data + address, insn->type,
            changed(l, insn, r[0].bits, v[0].bits, v[1].bits, m->unit == 1));
        set_open(m, address, bytes, fresh);
    }
    for (unsigned c = 1; c < 4; c++)    /* the text: undefined; the driver leaves them as they are */
        r[c].open = true;
    return slow_write(l, insn, insn->type, p->nvidia ? 1 : 15, r, NULL);
}

bool slow_memory(struct slow_lane *l, const struct insn *insn)
{
    const struct gp5_program *p = l->group->program->text;
    struct bytes m;
    uint32_t address;
    bool open, ok;
    if (!locate(l, program_operand(p, insn->src + insn->nsrc - 1u), &m, &address, &open))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this memory", insn);
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: ok = load(l, insn, &m, address, open); break;
    case OP_STB: case OP_STS: ok = store(l, insn, &m, address, open); break;
    default: ok = atomic(l, insn, &m, address, open);
    }
    return ok || slow_fail(l->group, SLOW_NOT_EVALUATED, "this access", insn);
}
