/* From variables to operands, and from results to variables. */
#include "tests/oracle/scalar_soft.h"
#include "tests/oracle/internal.h"

#include <stdio.h>
#include <string.h>

bool oracle_fail(struct oracle_group *g, enum oracle_status status, const char *what, const struct insn *insn)
{
    unsigned line = 0, column = 0;
    if (insn)
        gp5_locate(g->program->text, insn->span.offset, &line, &column);
    if (g->outcome->status == ORACLE_RAN) {
        g->outcome->status = status;
        snprintf(g->outcome->message, sizeof g->outcome->message, "%s at line %u", what, line);
    }
    return false;
}

void oracle_note_use(struct oracle_lane *l, bool undef)
{
    l->group->outcome->uses += undef;
}

/* ---- constants and bindings -------------------------------------------------------------------------------------- */

static uint64_t float_bits(double value, bool wide)
{
    float narrow = (float)value;
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &narrow, sizeof word);
    memcpy(&bits, &value, sizeof bits);
    return wide ? bits : word;
}

static uint64_t constant_bits(const struct oracle_program *p, const struct constant *c, unsigned component,
                              unsigned type)
{
    unsigned i = c->scalar ? 0 : component;
    bool wide = oracle_bytes(type) == 8, integer = c->is_integer >> i & 1, negative = c->negative >> i & 1;
    uint64_t u;
    if (i >= c->count)      /* what is left out is 0, and w is 1 */
        return i < 3 ? 0 : oracle_is_float(type) ? float_bits(1, wide) : 1;
    if (oracle_is_float(type)) {
        bool scaled = wide && p->nvidia && c->scaled;
        double v = integer  ? (double)c->value[i].u
                   : scaled ? program_scaled(p->text, c->scaled - 1)->value[i]
                            : c->value[i].f;
        return float_bits(negative ? -v : v, wide);
    }
    u = integer ? c->value[i].u : c->value[i].f < 0x1p64 ? (uint64_t)c->value[i].f : UINT64_MAX;
    u = negative ? 0 - u : u;
    return wide ? u : (uint32_t)u;
}

uint64_t oracle_literal(const struct oracle_program *p, const struct operand *o, unsigned c, unsigned type)
{
    return constant_bits(p, program_constant(p->text, o->ref), c, type);
}

void oracle_literal_halves(const struct oracle_program *p, const struct insn *insn, const struct operand *o,
                           struct oracle_value v[4])
{
    for (unsigned c = 0; insn->op == OP_CVT && insn->type2 == DT_F16 && o->kind == OPND_CONSTANT && c < 4; c++)
        v[c].bits = soft_narrowed(oracle_literal(p, o, o->swizzle >> 2 * c & 3, DT_F32));
}

static uint32_t parameter(const struct gp5_parameter *list, size_t n, uint32_t index, unsigned c)
{
    uint32_t word = 0;
    for (size_t i = 0; i < n; i++)
        if (list[i].index == index)
            word = list[i].word[c];
    return word;
}

static uint32_t length_of(const struct oracle_lane *l, uint32_t binding)
{
    const struct oracle_launch *launch = l->group->launch;
    for (size_t i = 0; l->group->program->nvidia && i < launch->nstorage; i++)
        if (launch->storage[i].binding == binding)
            return (uint32_t)launch->storage[i].size;
    return 0;
}

/* NV_compute_program5, table of attributes: (x, y, z, -) and (x, -, -, -). */
static bool has_component(unsigned kind, unsigned c)
{
    switch (kind) {
    case BIND_CONSTANT: case BIND_PROGRAM_ENV: case BIND_PROGRAM_LOCAL: return true;
    case BIND_INVOCATION_LOCALID: case BIND_INVOCATION_GLOBALID: case BIND_INVOCATION_GROUPID:
    case BIND_INVOCATION_GROUPCOUNT: case BIND_INVOCATION_GROUPSIZE: return c < 3;
    case BIND_INVOCATION_SMID: case BIND_INVOCATION_CLOCKLO: case BIND_INVOCATION_CLOCKHI:
    case BIND_STATE_THREAD_WARPSPERSM:
    case BIND_STATE_THREAD_SMCOUNT: return false;       /* it has, but nobody knows what */
    default: return c == 0;
    }
}

static bool is_register(unsigned kind)
{
    switch (kind) {
    case BIND_INVOCATION_GROUPCOUNT: case BIND_STATE_THREAD_WARPSIZE: case BIND_PROGRAM_STORAGELEN: return false;
    default: return true;
    }
}

/* Element `at` of what a binding covers; false: not evaluated. */
static bool bound(struct oracle_lane *l, const struct binding *b, uint32_t at, unsigned type,
                  struct oracle_value out[4])
{
    const struct oracle_group *g = l->group;
    const struct oracle_launch *launch = g->launch;
    uint32_t own = 1u << l->id, first = (b->nindices ? b->first[0] : 0) + at;
    uint32_t local[3] = {l->index % g->size[0], l->index / g->size[0] % g->size[1], l->index / g->size[0] / g->size[1]};
    for (unsigned k = 0; k < 4; k++) {
        /* The driver gives x where a component means nothing, but for what comes from constants. */
        /* by the launch: a constant, too */
        bool given = b->kind == BIND_INVOCATION_GROUPSIZE && !g->program->text->has_group_size;
        bool repeats = g->program->nvidia && !has_component(b->kind, k) && is_register(b->kind) && !given;
        unsigned c = repeats ? 0 : k;
        uint64_t v = 0;
        if (oracle_is_state(b->kind)) {
            out[k] = oracle_state(g->program, b, at, k);
            continue;
        }
        switch (b->kind) {
        case BIND_CONSTANT:
            v = constant_bits(g->program, program_constant(g->program->text, b->constant), c, type);
            break;
        case BIND_INVOCATION_LOCALID: v = c < 3 ? local[c] : 0; break;
        case BIND_INVOCATION_GLOBALID: v = c < 3 ? g->id[c] * g->size[c] + local[c] : 0; break;
        case BIND_INVOCATION_GROUPID: v = c < 3 ? g->id[c] : 0; break;
        case BIND_INVOCATION_GROUPCOUNT: v = c < 3 ? launch->groups[c] : 0; break;
        case BIND_INVOCATION_GROUPSIZE: v = c < 3 ? g->size[c] : 0; break;
        case BIND_INVOCATION_LOCALINDEX: v = c ? 0 : l->index; break;
        case BIND_INVOCATION_THREADID: v = c ? 0 : l->id; break;
        case BIND_INVOCATION_WARPID: v = c ? 0 : l->warp; break;
        case BIND_INVOCATION_THREADEQMASK: v = c ? 0 : own; break;
        case BIND_INVOCATION_THREADLTMASK: v = c ? 0 : own - 1; break;
        case BIND_INVOCATION_THREADLEMASK: v = c ? 0 : own | (own - 1); break;
        case BIND_INVOCATION_THREADGTMASK: v = c ? 0 : ~(own | (own - 1)); break;
        case BIND_INVOCATION_THREADGEMASK: v = c ? 0 : ~(own - 1); break;
        case BIND_STATE_THREAD_WARPSIZE: v = c ? 0 : ORACLE_WARP; break;
        case BIND_PROGRAM_ENV: v = parameter(launch->env, launch->nenv, first, c); break;
        case BIND_PROGRAM_LOCAL: v = parameter(launch->local, launch->nlocal, first, c); break;
        case BIND_INVOCATION_SMID: case BIND_INVOCATION_CLOCKLO: case BIND_INVOCATION_CLOCKHI:
        case BIND_STATE_THREAD_WARPSPERSM:
        case BIND_STATE_THREAD_SMCOUNT: break;
        case BIND_PROGRAM_STORAGELEN: v = c ? 0 : length_of(l, first); break;
        default: return false;
        }
        out[k] = (struct oracle_value){.bits = v, .undef = !has_component(b->kind, k)};
    }
    return true;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static unsigned constant_type(const struct symbol *s)
{
    bool wide = s->size == SIZE_LONG;
    return s->type == TYPE_INT ? (wide ? DT_S64 : DT_S32) : s->type == TYPE_UINT ? (wide ? DT_U64 : DT_U32)
           : wide ? DT_F64 : DT_F32;
}

/* Element `e` of a variable that is bound to something. */
static bool bound_element(struct oracle_lane *l, const struct symbol *s, uint64_t e, struct oracle_value out[4])
{
    const struct gp5_program *p = l->group->program->text;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p, s->binding + i);
        unsigned last = b->nindices ? b->nindices - 1u : 0;
        uint64_t n = b->nindices && b->range[last] ? b->last[last] - b->first[last] + 1u : oracle_state_rows(b->kind);
        if (e < n)
            return (s->size != SIZE_LONG || b->kind == BIND_CONSTANT) &&
                   bound(l, b, (uint32_t)e, constant_type(s), out);
        e -= n;
    }
    return false;
}

uint64_t oracle_elements(const struct symbol *s)
{
    return s->array ? s->array_size : 1;
}

/* A variable's components before the swizzle. */
static bool variable(struct oracle_lane *l, const struct operand *o, struct oracle_value out[4], bool *wide)
{
    const struct gp5_program *p = l->group->program->text;
    const struct symbol *s = program_symbol(p, o->ref);
    const struct binding *b = s->nbindings ? program_binding(p, s->binding) : NULL;
    int64_t e = 0;
    bool undef = false;
    *wide = s->size == SIZE_LONG;
    if (o->nindices > 1 || (o->nindices && !oracle_index(l, program_index(p, o->index), &e, &undef)))
        return false;
    if (s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4) {
        unsigned words = s->kind == SYM_BUFFER4 ? 4 : 1;
        uint32_t start = b && b->nindices > 1 ? b->first[1] : 0;
        *wide = false;
        if (!b || !oracle_constant_buffer(l, b->first[0], (uint32_t)(((uint64_t)start + (uint64_t)e) * words * 4),
                                          words, out))
            return false;
        for (unsigned c = 0; c < 4; c++) {
            out[c] = out[words == 1 ? 0 : c];
            out[c].undef |= undef;
        }
        return true;
    }
    if (e < 0 || (uint64_t)e >= oracle_elements(s)) {
        for (unsigned c = 0; c < 4; c++)
            out[c] = (struct oracle_value){.undef = true};
        return true;
    }
    if (l->group->program->first[o->ref] != NO_INDEX)
        memcpy(out, l->registers[l->group->program->first[o->ref] + (uint64_t)e], 4 * sizeof *out);
    else if (!bound_element(l, s, (uint64_t)e, out))
        return false;
    for (unsigned c = 0; c < 4; c++)
        out[c].undef |= undef;
    return true;
}

bool oracle_index(struct oracle_lane *l, const struct index *index, int64_t *value, bool *undef)
{
    struct operand o = {.kind = index->register_kind, .ref = index->reg, .swizzle = (uint8_t)(index->component * 0x55)};
    struct oracle_value v[4];
    const struct oracle_program *p = l->group->program;
    *undef = false;
    *value = index->offset;
    if (index->mode != INDEX_RELATIVE)
        return true;
    if (index->element.used) {
        if (p->first[o.ref] == NO_INDEX)
            return false;
        v[0] = l->registers[p->first[o.ref] + index->element.value][index->component];
    } else if (!oracle_fetch(l, &o, DT_U32, v)) {
        return false;
    }
    *value += (int32_t)(uint32_t)v[0].bits;
    *undef = v[0].undef;
    return true;
}

bool oracle_register(struct oracle_lane *l, const struct operand *o, struct oracle_value out[4])
{
    struct oracle_value v[4];
    bool wide;
    if (!variable(l, o, v, &wide))
        return false;
    for (unsigned c = 0; c < 4; c++)
        out[c] = v[o->swizzle >> 2 * c & 3];
    return true;
}

bool oracle_fetch(struct oracle_lane *l, const struct operand *o, unsigned type, struct oracle_value out[4])
{
    const struct oracle_program *p = l->group->program;
    struct oracle_value v[4];
    bool wide = false, ok = true;
    switch (o->kind) {
    case OPND_SYMBOL: ok = variable(l, o, v, &wide); break;
    case OPND_BINDING: ok = bound(l, program_binding(p->text, o->ref), 0, DT_F32, v); break;
    case OPND_CONSTANT:
        wide = oracle_bytes(type) == 8;
        for (unsigned c = 0; c < 4; c++)
            v[c] = (struct oracle_value){.bits = constant_bits(p, program_constant(p->text, o->ref), c, type)};
        break;
    default: ok = false;
    }
    for (unsigned c = 0; ok && oracle_is_short(p, o->kind, o->ref) && c < 4; c++)
        oracle_read_short(l, type, &v[c]);
    for (unsigned c = 0; ok && c < 4; c++) {
        out[c] = v[o->swizzle >> 2 * c & 3];
        out[c].bits = oracle_sign(type, o->flags, oracle_resize(p, out[c].bits, type, wide, oracle_bytes(type) == 8));
    }
    return ok;
}
