/* From variables to operands, and from results to variables. */
#include "tests/scalar_soft.h"
#include "tests/slow/plan.h"

#include <string.h>

bool slow_fail(struct slow_group *g, enum slow_status status, const char *what, const struct insn *insn)
{
    unsigned line = 0, column = 0;
    if (insn)
        gp5_locate(g->program->text, insn->span.offset, &line, &column);
    if (g->outcome->status == SLOW_RAN) {
        g->outcome->status = status;
        snprintf(g->outcome->message, sizeof g->outcome->message, "%s at line %u", what, line);
    }
    return false;
}

void slow_use(struct slow_lane *l, bool open)
{
    l->group->outcome->uses += open;
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

static uint64_t constant_bits(const struct constant *c, unsigned component, unsigned type)
{
    unsigned i = c->scalar ? 0 : component;
    bool wide = slow_bytes(type) == 8, integer = c->is_integer >> i & 1, negative = c->negative >> i & 1;
    uint64_t u;
    if (i >= c->count)      /* what is left out is 0, and w is 1 */
        return i < 3 ? 0 : slow_is_float(type) ? float_bits(1, wide) : 1;
    if (slow_is_float(type)) {
        double v = integer ? (double)c->value[i].u : c->value[i].f;
        return float_bits(negative ? -v : v, wide);
    }
    u = integer ? c->value[i].u : c->value[i].f < 0x1p64 ? (uint64_t)c->value[i].f : UINT64_MAX;
    u = negative ? 0 - u : u;
    return wide ? u : (uint32_t)u;
}

uint64_t slow_literal(const struct slow_program *p, const struct operand *o, unsigned c, unsigned type)
{
    return constant_bits(program_constant(p->text, o->ref), c, type);
}

void slow_literal_halves(const struct slow_program *p, const struct insn *insn, const struct operand *o, struct slow_value v[4])
{
    for (unsigned c = 0; insn->op == OP_CVT && insn->type2 == DT_F16 && o->kind == OPND_CONSTANT && c < 4; c++)
        v[c].bits = soft_pack(soft_unpack(slow_literal(p, o, o->swizzle >> 2 * c & 3, DT_F32), 32, false), 16, SOFT_NEAREST, false, 0x7fff);
}

static uint32_t parameter(const struct gp5_parameter *list, size_t n, uint32_t index, unsigned c)
{
    uint32_t word = 0;
    for (size_t i = 0; i < n; i++)
        if (list[i].index == index)
            word = list[i].word[c];
    return word;
}

static uint32_t length_of(const struct slow_lane *l, uint32_t binding)
{
    const struct slow_launch *launch = l->group->launch;
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
    case BIND_INVOCATION_SMID: case BIND_INVOCATION_CLOCKLO: case BIND_INVOCATION_CLOCKHI: case BIND_STATE_THREAD_WARPSPERSM:
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
static bool bound(struct slow_lane *l, const struct binding *b, uint32_t at, unsigned type, struct slow_value out[4])
{
    const struct slow_group *g = l->group;
    const struct slow_launch *launch = g->launch;
    uint32_t own = 1u << l->id, first = (b->nindices ? b->first[0] : 0) + at;
    uint32_t local[3] = {l->index % g->size[0], l->index / g->size[0] % g->size[1], l->index / g->size[0] / g->size[1]};
    for (unsigned k = 0; k < 4; k++) {
        /* The driver gives x where a component means nothing, but for what comes from constants. */
        bool given = b->kind == BIND_INVOCATION_GROUPSIZE && !g->program->text->has_group_size;     /* by the launch: a constant, too */
        bool repeats = g->program->nvidia && !has_component(b->kind, k) && is_register(b->kind) && !given;
        unsigned c = repeats ? 0 : k;
        uint64_t v = 0;
        if (slow_is_state(b->kind)) {
            out[k] = slow_state(g->program, b, at, k);
            continue;
        }
        switch (b->kind) {
        case BIND_CONSTANT: v = constant_bits(program_constant(g->program->text, b->constant), c, type); break;
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
        case BIND_STATE_THREAD_WARPSIZE: v = c ? 0 : SLOW_WARP; break;
        case BIND_PROGRAM_ENV: v = parameter(launch->env, launch->nenv, first, c); break;
        case BIND_PROGRAM_LOCAL: v = parameter(launch->local, launch->nlocal, first, c); break;
        case BIND_INVOCATION_SMID: case BIND_INVOCATION_CLOCKLO: case BIND_INVOCATION_CLOCKHI: case BIND_STATE_THREAD_WARPSPERSM:
        case BIND_STATE_THREAD_SMCOUNT: break;
        case BIND_PROGRAM_STORAGELEN: v = c ? 0 : length_of(l, first); break;
        default: return false;
        }
        out[k] = (struct slow_value){.bits = v, .open = !has_component(b->kind, k)};
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
static bool bound_element(struct slow_lane *l, const struct symbol *s, uint64_t e, struct slow_value out[4])
{
    const struct gp5_program *p = l->group->program->text;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p, s->binding + i);
        unsigned last = b->nindices ? b->nindices - 1u : 0;
        uint64_t n = b->nindices && b->range[last] ? b->last[last] - b->first[last] + 1u : slow_state_rows(b->kind);
        if (e < n)
            return (s->size != SIZE_LONG || b->kind == BIND_CONSTANT) &&
                   bound(l, b, (uint32_t)e, constant_type(s), out);
        e -= n;
    }
    return false;
}

static uint64_t elements(const struct symbol *s)
{
    return s->array ? s->array_size : 1;
}

/* A variable's components before the swizzle. */
static bool variable(struct slow_lane *l, const struct operand *o, struct slow_value out[4], bool *wide)
{
    const struct gp5_program *p = l->group->program->text;
    const struct symbol *s = program_symbol(p, o->ref);
    const struct binding *b = s->nbindings ? program_binding(p, s->binding) : NULL;
    int64_t e = 0;
    bool open = false;
    *wide = s->size == SIZE_LONG;
    if (o->nindices > 1 || (o->nindices && !slow_index(l, program_index(p, o->index), &e, &open)))
        return false;
    if (s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4) {
        unsigned words = s->kind == SYM_BUFFER4 ? 4 : 1;
        uint32_t start = b && b->nindices > 1 ? b->first[1] : 0;
        *wide = false;
        if (!b || !slow_constant_buffer(l, b->first[0], (uint32_t)(((uint64_t)start + (uint64_t)e) * words * 4), words, out))
            return false;
        for (unsigned c = 0; c < 4; c++) {
            out[c] = out[words == 1 ? 0 : c];
            out[c].open |= open;
        }
        return true;
    }
    if (e < 0 || (uint64_t)e >= elements(s)) {
        for (unsigned c = 0; c < 4; c++)
            out[c] = (struct slow_value){.open = true};
        return true;
    }
    if (l->group->program->first[o->ref] != NO_INDEX)
        memcpy(out, l->registers[l->group->program->first[o->ref] + (uint64_t)e], 4 * sizeof *out);
    else if (!bound_element(l, s, (uint64_t)e, out))
        return false;
    for (unsigned c = 0; c < 4; c++)
        out[c].open |= open;
    return true;
}

bool slow_index(struct slow_lane *l, const struct index *index, int64_t *value, bool *open)
{
    struct operand o = {.kind = index->register_kind, .ref = index->reg, .swizzle = (uint8_t)(index->component * 0x55)};
    struct slow_value v[4];
    const struct slow_program *p = l->group->program;
    *open = false;
    *value = index->offset;
    if (index->mode != INDEX_RELATIVE)
        return true;
    if (index->element.used) {
        if (p->first[o.ref] == NO_INDEX)
            return false;
        v[0] = l->registers[p->first[o.ref] + index->element.value][index->component];
    } else if (!slow_fetch(l, &o, DT_U32, v)) {
        return false;
    }
    *value += (int32_t)(uint32_t)v[0].bits;
    *open = v[0].open;
    return true;
}

bool slow_register(struct slow_lane *l, const struct operand *o, struct slow_value out[4])
{
    struct slow_value v[4];
    bool wide;
    if (!variable(l, o, v, &wide))
        return false;
    for (unsigned c = 0; c < 4; c++)
        out[c] = v[o->swizzle >> 2 * c & 3];
    return true;
}

bool slow_fetch(struct slow_lane *l, const struct operand *o, unsigned type, struct slow_value out[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value v[4];
    bool wide = false, ok = true;
    switch (o->kind) {
    case OPND_SYMBOL: ok = variable(l, o, v, &wide); break;
    case OPND_BINDING: ok = bound(l, program_binding(p->text, o->ref), 0, DT_F32, v); break;
    case OPND_CONSTANT:
        wide = slow_bytes(type) == 8;
        for (unsigned c = 0; c < 4; c++)
            v[c] = (struct slow_value){.bits = constant_bits(program_constant(p->text, o->ref), c, type)};
        break;
    default: ok = false;
    }
    for (unsigned c = 0; ok && slow_is_short(p, o->kind, o->ref) && c < 4; c++)
        ok = slow_read_short(l, o, type, c, &v[c]);
    for (unsigned c = 0; ok && c < 4; c++) {
        out[c] = v[o->swizzle >> 2 * c & 3];
        out[c].bits = slow_resize(p, out[c].bits, type, wide, slow_bytes(type) == 8);
        out[c].bits = slow_sign(p, type, o->flags, out[c].bits);
    }
    return ok;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Of a NaN: `flow` believes that it is not below zero where it does not ask for its sign, nor for LT; a choice between numbers never does. */
static bool passes(unsigned rule, struct slow_flags f, bool flow, bool choice)
{
    bool nan = f.s && f.z;
    if (nan && choice)
        f.above = f.below = false;
    if (nan && flow)
        f.below = false;
    if (f.not_below && rule == CC_SF && (flow || choice))
        f.s = false;
    if (nan && choice)
        f.not_below = false;
    switch (rule) {         /* NV_gpu_program4, the table of condition code tests */
    case CC_EQ: return !f.s && f.z;
    case CC_NE: return f.s || !f.z;
    case CC_LT: return ((f.s && !f.z) != f.o && !f.not_below) || f.below;
    case CC_GE: return f.s == f.o || f.not_below;
    case CC_GT: return ((f.s == f.o && !f.z) || f.above) && !f.not_above;
    case CC_LE: return f.s != (f.z || f.o) || f.not_above;
    case CC_NAN: return f.s && f.z;
    case CC_LEG: return !f.s || !f.z;
    case CC_CF: return f.c != f.other_carry;
    case CC_NCF: return f.c == f.other_carry;
    case CC_OF: return f.o != f.other_overflow;
    case CC_NOF: return f.o == f.other_overflow;
    case CC_SF: return f.s && !f.no_sign;
    case CC_NSF: return !f.s || f.no_sign || f.not_below;
    case CC_AB: return f.c != f.other_above && !f.z;
    case CC_BLE: return f.c == f.other_above || f.z;
    case CC_FL: return false;
    default: return true;
    }
}

static bool looks(const struct condition *c)
{
    return c->rule != CC_NONE && c->rule != CC_TR && c->rule != CC_FL;
}

bool slow_test(struct slow_lane *l, const struct condition *c, unsigned component, bool *open)
{
    const struct insn *insn = program_insn(l->group->program->text, l->here->insn);
    unsigned i = c->swizzle >> 2 * component & 3;
    bool flow = op_flows(insn->op);
    struct slow_flags f;
    if (c->rule == CC_RESIDENT || c->rule == CC_NONRESIDENT) {
        *open |= l->resident_open;
        return l->resident == (c->rule == CC_RESIDENT);
    }
    f = l->cc[c->cc][i];
    *open |= looks(c) && f.open;
    if (l->here->fixed >> i & 1 && looks(c))
        return l->here->fixed_passes >> i & 1;
    return passes(c->rule, f, flow, l->here->choice >> component & 1) !=
           (((flow ? l->here->turned >> i : l->here->inverse >> component) & 1) && looks(c));
}

bool slow_test_any(struct slow_lane *l, const struct condition *c, bool *open)
{
    bool any = false;
    for (unsigned i = 0; i < 4; i++)
        any |= slow_test(l, c, i, open);
    return any;
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

/* The register that an instruction writes; *out stays NULL where it writes none (beyond its array). */
static bool destination(struct slow_lane *l, const struct insn *insn, struct slow_value (**out)[4], bool *wide, bool *lost)
{
    const struct slow_program *p = l->group->program;
    const struct result *r = &insn->dst;
    int64_t e = 0;
    bool open = false;
    *out = NULL;
    *wide = *lost = false;
    if (r->kind == OPND_CC)
        return true;
    if (r->kind != OPND_SYMBOL || p->first[r->ref] == NO_INDEX || r->nindices > 1)
        return false;
    const struct symbol *s = program_symbol(p->text, r->ref);
    *wide = s->size == SIZE_LONG;
    if (r->nindices && !slow_index(l, program_index(p->text, r->index), &e, &open))
        return false;
    if (e >= 0 && (uint64_t)e < elements(s))
        *out = &l->registers[p->first[r->ref] + (uint64_t)e];
    *lost = !*out;
    slow_use(l, open);
    return true;
}

/* Of an element of an array that computed indices reach the driver's CVT to 8 or 16 bits writes those alone. */
static uint64_t kept_bits(const struct slow_lane *l, const struct insn *insn, unsigned c)
{
    const struct slow_program *p = l->group->program;
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    if (insn->op == OP_CVT && type_table[insn->type].bytes < 4 && slow_apart(p, insn) && !(l->here->settled >> c & 1))
        return 0xffff0000;
    if (!p->nvidia || insn->op != OP_CVT || !s || !p->indexed[insn->dst.ref] || s->size == SIZE_LONG)
        return 0;
    switch (insn->type) {
    case DT_S8: case DT_U8: return 0xffffff00;
    case DT_F16: case DT_S16: case DT_U16: return 0xffff0000;
    default: return 0;
    }
}

bool slow_write(struct slow_lane *l, const struct insn *insn, unsigned type, unsigned components,
                struct slow_value result[4], const struct slow_flags flags[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value (*to)[4];
    struct slow_flags next[4];
    struct slow_value moved[4];
    bool wide, lost;
    struct condition condition = insn->dst.condition;
    for (unsigned c = 0; c < 4; c++)
        if (slow_lacks(p, insn, c))
            result[c] = (struct slow_value){.open = true};
        else
            components &= ~(slow_untouched(p, insn) & 1u << c);
    components &= insn->dst.mask;
    if (!components)
        return true;
    if (!destination(l, insn, &to, &wide, &lost) || !slow_moved_halves(l, insn, moved))
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this result", insn);
    if (p->nvidia && wide && insn->flags & INSN_SSAT)       /* measured: docs/semantics.md */
        condition = (struct condition){0};
    if (insn->cc_update)
        memcpy(next, l->cc[insn->cc_update - 1], sizeof next);
    for (unsigned turn = 0; turn < 8; turn++) {
        unsigned c = turn & 3;
        bool open = false, pass;
        if (!(components >> c & 1) || (l->here->in_turn ? slow_turn_of(insn, c) : c) != turn)
            continue;
        pass = slow_test(l, &condition, c, &open);
        slow_use(l, pass && lost);
        if (!pass && to && l->here->over_words >> c & 1)
            (*to)[c].bits = (*to)[c].words;
        if (pass && to) {
            uint64_t kept = kept_bits(l, insn, c), old = (*to)[c].bits;
            bool was_open = (*to)[c].open;
            (*to)[c] = result[c];
            for (unsigned as = 0; as < 2; as++)
                if ((*to)[c].view[as].place != (uint32_t)(l->here - p->plan->place) + 1)
                    (*to)[c].view[as].kind = VIEW_NONE;
            bool half = p->nvidia && insn->op == OP_CVT && insn->type == DT_F16;    /* its bits are taken for a single's */
            (*to)[c].bits = slow_resize(p, result[c].bits, half ? DT_F32 : type, slow_bytes(type) == 8, wide);
            if (p->nvidia && !wide && insn->flags & INSN_SAT && type == DT_F64)
                (*to)[c].bits = slow_saturate(p, DT_F32, INSN_SAT, (*to)[c].bits);
            (*to)[c].bits = ((*to)[c].bits & ~kept) | (old & kept);
            (*to)[c].open = result[c].open || (kept && was_open);
            if (p->nvidia && !slow_write_short(l, insn, c, moved, &(*to)[c]))
                return slow_fail(l->group, SLOW_NOT_EVALUATED, "this result", insn);
        }
        if (pass && insn->cc_update) {
            next[c] = flags ? flags[c] : slow_flags_of(p, type, result[c].bits);
            if (to && p->nvidia && wide != (slow_bytes(type) == 8) && !(insn->op == OP_CVT && insn->type == DT_F16))    /* measured: docs/numbers.md */
                next[c] = slow_flags_of(p, slow_is_float(type) ? (wide ? DT_F64 : DT_F32) : wide ? DT_S64 : DT_S32, (*to)[c].bits);
            if (slow_apart(p, insn))
                next[c].o = next[c].c = next[c].other_carry = next[c].other_overflow = next[c].other_above = false;
            next[c].open = result[c].open;
        }
        if (open && to)                 /* whichever way the test went, nobody can say */
            (*to)[c].open = (*to)[c].word_open = true;
        if (open && insn->cc_update)
            next[c].open = true;
        if (l->here->in_turn)
            memcpy(l->cc[insn->cc_update - 1], next, sizeof next);
    }
    if (insn->cc_update)
        memcpy(l->cc[insn->cc_update - 1], next, sizeof next);
    return true;
}
