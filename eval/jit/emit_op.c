/* Machine code of the operations of eval/jit/ops.c. */
#include "eval/jit/ops.h"

/* Denormals are none of its business. */
static bool is_of_any_mode(const struct row *r)
{
    return (r->form >= FORM_HALF && r->form < FORM_WIDE) || r->form == FORM_TO_INTEGER || r->form == FORM_TABLE ||
           r->op == NATIVE_FROM_S32 || r->op == NATIVE_FROM_U32 || r->op == EVAL_OP_LOST || r->op == EVAL_OP_ABOVE ||
           r->op == EVAL_OP_UPPER || r->op == EVAL_OP_STRAY;
}

/* Of what computes floats. */
static bool makes_any_nan(const struct row *r)
{
    switch (r->form) {
    case FORM_HALF:
        return r->imm != HALF_FROM_FLOAT;
    case FORM_FLOAT:
        return r->op != OP_SSG && r->op != EVAL_OP_SAT && r->op != EVAL_OP_SSAT;
    case FORM_TO_INTEGER: case FORM_TABLE: case FORM_POWER: case FORM_SET_FLOAT: case FORM_SMALL_FLOAT:
    case FORM_PACK: case FORM_UNPACK: case FORM_JOIN: case FORM_PART:
        return false;
    default:
        return true;
    }
}

static void other_kind(const struct row *r, struct native_shape *shape)
{
    shape->imm = r->imm;
    shape->nsrc = 1;
    shape->floats = true;       /* there may be signs */
    switch (r->form) {
    case FORM_PACK:
        shape->kind = KIND_PACK;
        shape->reads = r->imm == PACK_HALVES || r->imm == PACK_UNSIGNED16 ? 2 : 4;
        break;
    case FORM_UNPACK:
        shape->kind = KIND_UNPACK;
        shape->reads = 1;
        break;
    case FORM_FIELD:
        shape->kind = KIND_FIELD;
        shape->reads = 2;
        shape->floats = false;
        shape->nsrc = r->imm == FIELD_PUT ? 3 : 2;
        break;
    case FORM_WIDER:
        shape->kind = KIND_WIDER;
        shape->floats = false;
        break;
    case FORM_JOIN:
        shape->kind = KIND_JOIN;
        shape->reads = 4;
        break;
    default:
        shape->kind = KIND_PART;
        shape->reads = 2;
        break;
    }
}

void eval_native_shape(uint8_t way, struct native_shape *shape)
{
    const struct row *r = &native_rows[way];
    bool dot = r->form == FORM_DOT || r->form == FORM_DOT_SPEC, bits = r->form > FORM_WIDE, wide = r->form >= FORM_WIDE;
    bool floats = r->type == DT_F16 || r->type == DT_F32 || r->type == DT_F64 || r->form == FORM_TO_INTEGER;

    *shape = (struct native_shape){.way = way, .nsrc = 2, .floats = floats, .wide = wide, .bits = bits};
    switch (r->form) {
    case FORM_COPY:
        shape->copies = true;
        shape->nsrc = 1;
        break;
    case FORM_WIDE_COPY:
        shape->copies = true;
        shape->nsrc = 1;
        break;
    case FORM_ONE: case FORM_SIGNED: case FORM_COMPLEMENT: case FORM_WIDE_COMPLEMENT: case FORM_TO_INTEGER:
        shape->nsrc = 1;
        break;
    case FORM_TABLE:
        shape->nsrc = 1;
        shape->table = (uint8_t)(r->imm + 1);
        shape->magnitude = r->op == NATIVE_RSQ_ARB;
        break;
    case FORM_QUOTIENT:
        shape->table = (uint8_t)(r->imm + 1);
        shape->quotient = true;
        break;
    case FORM_POWER:
        shape->table = (uint8_t)(r->imm + 1);
        shape->power = true;
        break;
    case FORM_WIDE_MAD:
        shape->nsrc = 3;
        break;
    case FORM_FLOAT:
        shape->nsrc = r->op < OP_COUNT ? shape_table[op_table[r->op].shape].nsrc : 1;
        break;
    case FORM_MAD: case FORM_FMA: case FORM_MUL_ADD: case FORM_LERP:
        shape->nsrc = 3;
        break;
    case FORM_BELOW_ZERO: case FORM_AT_LEAST_ZERO:
        shape->nsrc = 3;
        shape->selects = true;
        break;
    case FORM_HALF:
        shape->nsrc = r->imm == HALF_FUSED ? 3 : 1;
        shape->floats = r->imm != HALF_TO_FLOAT;
        break;
    case FORM_SMALL: case FORM_SMALL_FLOAT:
        shape->nsrc = 1;
        shape->floats = false;
        break;
    case FORM_WORD:
        shape->nsrc = r->imm >= WORD_COUNT ? 1 : r->imm >= WORD_DISTANCE ? 3 : 2;
        break;
    case FORM_LAST:
        shape->nsrc = 3;
        break;
    case FORM_PACK: case FORM_UNPACK: case FORM_FIELD: case FORM_WIDER: case FORM_JOIN: case FORM_PART:
        other_kind(r, shape);
        break;
    case FORM_WIDE:
        shape->copies = r->imm == WIDE_COPY;
        shape->fused = r->imm == WIDE_FMA;
        shape->nsrc = r->imm == WIDE_COPY ? 1 : r->imm == WIDE_FMA ? 3 : 2;
        break;
    default:
        break;
    }
    shape->truth = r->form == FORM_SET;
    shape->any_mode = is_of_any_mode(r);
    shape->terms = dot ? r->imm : 0;
    shape->last = r->op == OP_DPH ? 3 : 0;
    shape->any_nan = floats && !wide && !shape->copies && !shape->selects && makes_any_nan(r);
}

/* ---- one part of one component ------------------------------------------------------------------------- */

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

static void copy(struct x86_code *c, unsigned d, struct x86_place a, unsigned mask)
{
    if (a.kind == X86_SPREAD)
        put(c, X86_BROADCAST, d, 0, a, mask);
    else if (a.kind != X86_REGISTER || d != a.at)
        put(c, X86_LOAD, d, 0, a, mask);
}

unsigned eval_native_register(struct x86_code *c, const struct x86_place *place, unsigned k)
{
    if (place->kind == X86_REGISTER)
        return place->at;
    copy(c, NATIVE_OPERAND + k, *place, 0);
    return NATIVE_OPERAND + k;
}

static unsigned reg(struct x86_code *c, const struct native_call *call, unsigned k)
{
    return eval_native_register(c, &call->src[k], k);
}

static bool is_in(struct x86_place place, unsigned r)
{
    return place.kind == X86_REGISTER && place.at == r;
}

/* `y` in place of operand 1. */
void eval_native_fused(struct x86_code *c, const struct native_call *call, struct x86_place y, bool wide)
{
    unsigned (*in_register)(struct x86_code *, const struct x86_place *, unsigned) =
        wide ? eval_native_wide_register : eval_native_register;
    uint32_t move = wide ? X86_LOAD64 : X86_LOAD, by_second = (wide ? X86_FMA213D : X86_FMA213) + call->negated,
             into_third = (wide ? X86_FMA231D : X86_FMA231) + call->negated;
    struct x86_place x = call->src[0], z = call->src[2];
    unsigned d = call->d, mask = call->mask;

    if (is_in(x, d)) {
        put(c, by_second, d, in_register(c, &y, 1), z, mask);
    } else if (is_in(y, d)) {
        put(c, by_second, d, in_register(c, &x, 0), z, mask);
    } else if (is_in(z, d)) {
        put(c, into_third, d, in_register(c, &x, 0), y, mask);
    } else {
        unsigned to = mask ? NATIVE_TEMP + 1 : d;
        if (x.kind == X86_REGISTER && y.kind != X86_REGISTER) {     /* what must be loaded is loaded there */
            struct x86_place other = x;
            x = y;
            y = other;
        }
        if (wide)
            put(c, move, to, 0, x, 0);
        else
            copy(c, to, x, 0);
        put(c, by_second, to, in_register(c, &y, 1), z, 0);
        if (to != d)
            put(c, move, d, 0, x86_reg(to), mask);
    }
}

static void shift(struct x86_code *c, const struct row *r, const struct native_call *call)
{
    if (call->known && call->src[0].kind != X86_SPREAD) {
        x86_vector(c, X86_SHIFT, r->imm, call->d, call->src[0], call->mask, (uint8_t)(*call->known & 31));
        return;
    }
    put(c, X86_AND, NATIVE_TEMP, reg(c, call, 1), native_word(NATIVE_31), 0);
    put(c, r->code, call->d, reg(c, call, 0), x86_reg(NATIVE_TEMP), call->mask);
}

/* Ones, or 1.0, in the lanes of NATIVE_K. */
static void truth(struct x86_code *c, const struct row *r, const struct native_call *call)
{
    unsigned d = call->mask ? NATIVE_TEMP : call->d, k = call->truth ? call->truth : (unsigned)NATIVE_K;

    x86_vector(c, r->code, k, reg(c, call, 0), call->src[1], 0, r->imm);
    if (r->form == FORM_SET_FLOAT)
        x86_vector_zero(c, X86_BROADCAST, d, 0, native_word(NATIVE_ONE), k, 0);
    else
        x86_vector_zero(c, X86_TERNARY, d, d, x86_reg(d), k, 0xff);
    copy(c, call->d, x86_reg(d), call->mask);
}

/* d = NATIVE_K ? x : y */
static void select_by(struct x86_code *c, const struct native_call *call, unsigned x, unsigned y)
{
    unsigned d = call->mask ? NATIVE_TEMP : call->d;

    put(c, X86_SELECT, d, reg(c, call, y), call->src[x], NATIVE_K);
    copy(c, call->d, x86_reg(d), call->mask);
}

/* Into NATIVE_K. With AVX2 a register is sooner cleared than a zero loaded. */
static void at_least_zero(struct x86_code *c, const struct native_call *call)
{
    enum { NOT_BELOW_FLOAT = 0x1d, NOT_ABOVE_FLOAT = 0x12 };

    if (c->avx2 && call->src[0].kind != X86_REGISTER) {
        if (!c->zeroed)
            put(c, X86_XOR, NATIVE_TEMP, NATIVE_TEMP, x86_reg(NATIVE_TEMP), 0);
        x86_vector(c, X86_CMPPS, NATIVE_K, NATIVE_TEMP, call->src[0], 0, NOT_ABOVE_FLOAT);
    } else {
        x86_vector(c, X86_CMPPS, NATIVE_K, reg(c, call, 0), native_word(NATIVE_ZERO), 0, NOT_BELOW_FLOAT);
    }
}

void eval_native_component(struct x86_code *c, uint8_t way, const struct native_call *call)
{
    const struct row *r = &native_rows[way];
    const struct x86_place *src = call->src;
    unsigned d = call->d, mask = call->mask;

    switch (r->form) {
    case FORM_COPY:
        copy(c, d, src[0], mask);
        break;
    case FORM_SIGNED:
        put(c, X86_MULPS, d, reg(c, call, 0), native_word(NATIVE_ONE), mask);
        break;
    case FORM_ONE:
        put(c, r->code, d, 0, src[0], mask);
        break;
    case FORM_TWO:
        put(c, r->code, d, reg(c, call, 0), src[1], mask);
        break;
    case FORM_COMPLEMENT:
        x86_vector(c, X86_TERNARY, d, reg(c, call, 0), x86_reg(reg(c, call, 0)), mask, 0x55);
        break;
    case FORM_SHIFT:
        shift(c, r, call);
        break;
    case FORM_MAD:
        put(c, X86_PMUL, NATIVE_TEMP, reg(c, call, 0), src[1], 0);
        put(c, X86_PADD, d, NATIVE_TEMP, src[2], mask);
        break;
    case FORM_MUL_ADD:
        put(c, X86_MULPS, NATIVE_TEMP, reg(c, call, 0), src[1], 0);
        put(c, X86_ADDPS, d, NATIVE_TEMP, src[2], mask);
        break;
    case FORM_FMA:
        eval_native_fused(c, call, src[1], false);
        break;
    case FORM_LERP:
        put(c, X86_SUBPS, NATIVE_TEMP, reg(c, call, 1), src[2], 0);
        eval_native_fused(c, call, x86_reg(NATIVE_TEMP), false);
        break;
    case FORM_SET: case FORM_SET_FLOAT:
        truth(c, r, call);
        break;
    case FORM_BELOW_ZERO:
        put(c, X86_SIGNS, NATIVE_K, 0, x86_reg(reg(c, call, 0)), 0);
        select_by(c, call, 1, 2);
        break;
    case FORM_AT_LEAST_ZERO:
        at_least_zero(c, call);
        select_by(c, call, 2, 1);
        break;
    case FORM_FLOAT:
        eval_native_float(c, r->op, call);
        break;
    case FORM_TO_INTEGER:
        eval_native_to_integer(c, r->imm, r->type == DT_S32, call);
        break;
    case FORM_HALF:
        eval_native_half(c, r->imm, call);
        break;
    case FORM_SMALL: case FORM_SMALL_FLOAT:
        eval_native_small(c, r->type, r->imm, call);
        break;
    case FORM_WORD:
        eval_native_integer(c, r->imm, call);
        break;
    case FORM_LAST:
        copy(c, d, src[2], mask);
        break;
    case FORM_WIDE:
        eval_native_wide(c, r->imm, call);
        break;
    case FORM_WIDE_COPY:
        put(c, X86_LOAD64, d, 0, src[0], mask);
        break;
    case FORM_WIDE_TWO:
        put(c, r->code, d, eval_native_wide_register(c, &src[0], 0), src[1], mask);
        break;
    case FORM_WIDE_COMPLEMENT:
        x86_vector(c, X86_TERNARY64, d, 0, x86_reg(eval_native_wide_register(c, &src[0], 0)), mask, 0x55);
        break;
    case FORM_WIDE_SHIFT:
        put(c, X86_AND64, NATIVE_TEMP, eval_native_wide_register(c, &src[1], 1), native_word(NATIVE_63), 0);
        put(c, r->code, d, eval_native_wide_register(c, &src[0], 0), x86_reg(NATIVE_TEMP), mask);
        break;
    case FORM_WIDE_MAD:
        put(c, r->code, NATIVE_TEMP, eval_native_wide_register(c, &src[0], 0), src[1], 0);
        put(c, X86_PADD64, d, NATIVE_TEMP, src[2], mask);
        break;
    default:
        break;
    }
}

void eval_native_term(struct x86_code *c, uint8_t way, unsigned term, unsigned a, struct x86_place b)
{
    if (term == 0) {
        put(c, X86_MULPS, NATIVE_TEMP, a, b, 0);
    } else if (native_rows[way].form == FORM_DOT) {
        put(c, X86_FMA231, NATIVE_TEMP, a, b, 0);
    } else {
        put(c, X86_MULPS, NATIVE_TEMP + 1, a, b, 0);
        put(c, X86_ADDPS, NATIVE_TEMP, NATIVE_TEMP, x86_reg(NATIVE_TEMP + 1), 0);
    }
}

void eval_native_last(struct x86_code *c, struct x86_place b)
{
    put(c, X86_ADDPS, NATIVE_TEMP, NATIVE_TEMP, b, 0);
}
