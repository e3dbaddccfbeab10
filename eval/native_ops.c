/* The operations that have machine code: a row each. Everything here mirrors a kernel of eval/kernels. */
#include "eval/native_build.h"

#include "eval/numeric/sfu.h"

enum form {
    FORM_COPY,
    FORM_ONE,                   /* d = code(a) */
    FORM_TWO,                   /* d = code(a, b) */
    FORM_COMPLEMENT,
    FORM_SHIFT,                 /* d = code(a, b & 31); imm: which way */
    FORM_MAD,                   /* d = a * b + c in integers */
    FORM_FMA,
    FORM_MUL_ADD,               /* two roundings */
    FORM_LERP,
    FORM_SET, FORM_SET_FLOAT,   /* d = a imm b */
    FORM_BELOW_ZERO,            /* d = a < 0 ? b : c in integers */
    FORM_AT_LEAST_ZERO,         /* d = a >= 0 ? c : b of a float */
    FORM_FLOAT,                 /* imm: enum native_float */
    FORM_DOT, FORM_DOT_SPEC,    /* imm: terms */
    FORM_TO_INTEGER,            /* imm: how it is rounded */
    FORM_TABLE, FORM_QUOTIENT, FORM_POWER,  /* imm: enum native_table */
    FORM_WIDE,                  /* imm: enum native_wide */
    FORM_WIDE_COPY, FORM_WIDE_TWO, FORM_WIDE_COMPLEMENT, FORM_WIDE_SHIFT, FORM_WIDE_MAD     /* of 64-bit integers */
};

/* Operations by another name: conversions to float; RSQ of a magnitude. */
enum { NATIVE_FROM_S32 = EVAL_OP_COUNT + 1, NATIVE_FROM_U32, NATIVE_RSQ_ARB };
enum { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_TO_ZERO };

struct row {
    uint16_t op;
    uint8_t type;
    uint8_t form;
    uint8_t imm;
    bool nvidia, spec;          /* semantics */
    uint32_t code;
    uint32_t not_with;          /* flags */
};

const uint32_t native_words[NATIVE_WORDS] = {
    [NATIVE_ONE] = 0x3f800000, [NATIVE_31] = 31,
    [NATIVE_SIGN] = 0, 0x80000000, [NATIVE_MAGNITUDE] = 0xffffffff, 0x7fffffff, [NATIVE_QUIET] = 0, 0x00080000,
    [NATIVE_SIGN_WORD] = 0x80000000, [NATIVE_INFINITY] = 0x7f800000, [NATIVE_UNIT] = 1, [NATIVE_MINUS_ONE] = 0xbf800000,
    [NATIVE_NORMAL] = 0x00800000,
    [NATIVE_NORMALS] = 0x7f000000, [NATIVE_NUMBERS] = 0x7f7fffff, [NATIVE_TWO_31] = 0x4f000000, [NATIVE_63] = 63, 0,
    [NATIVE_LOW_HALF] = 0xffff, [NATIVE_HIGH_HALF] = 0xffff0000, [NATIVE_SIGN_EXPONENT] = 0xff800000,
    [NATIVE_FRACTION_24] = 0xffffff, [NATIVE_127] = 127, [NATIVE_SEGMENTS_64] = 63, [NATIVE_FIFTEENS] = 0x000f000f, [NATIVE_SEVENS] = 0x00070007,
    [NATIVE_SQUARE_LOW] = 0x00fe00fe, [NATIVE_SQUARE_BITS] = 0x04000200, 0x10000800, 0x40002000, 0x00008000,
    [NATIVE_TWO_LOW_13] = 3 << 13, [NATIVE_TWO_LOW_14] = 3 << 14, [NATIVE_RCP_BIAS] = (uint32_t)SFU_RCP_BIAS - (1 << 16), [NATIVE_RCP_LIMIT] = 0x7e000000,
    [NATIVE_RSQ_BIAS] = (uint32_t)SFU_RSQ_BIAS - (1 << 17), [NATIVE_RSQ_EXPONENT] = 0x02800000,
    [NATIVE_EX2_BIAS] = SFU_EX2_BIAS, [NATIVE_EX2_LIMIT] = 0x42800000, [NATIVE_EX2_EXPONENT] = 126 << 23, [NATIVE_EX2_END] = 134u << 23,
    [NATIVE_TWO_23] = 0x4b000000, [NATIVE_FRACTION_23] = 0x7fffff,
    [NATIVE_LG2_BIAS] = SFU_LG2_BIAS, [NATIVE_LG2_LOW] = 63 << 10, [NATIVE_LG2_SCALES] = 107 << 23, 99 << 23, 91 << 23,
    [NATIVE_SIN_SCALES] = 98 << 23, 90 << 23, [NATIVE_TWO_15] = 0x8000, [NATIVE_128] = 128, [NATIVE_255] = 255, [NATIVE_511] = 511,
    [NATIVE_2047] = 2047, [NATIVE_2048] = 2048, [NATIVE_4095] = 4095, [NATIVE_TURN_LOW] = 0x983, [NATIVE_TURN_HIGH] = 0xa2f,
};

#define BOTH true, true
#define NVIDIA true, false
#define SPEC false, true
#define INTEGERS(op, form, imm, code)                                                                        \
    {OP_##op, DT_S32, form, imm, BOTH, code, 0}, {OP_##op, DT_U32, form, imm, BOTH, code, 0}
#define MULTIPLICATION (INSN_HI | INSN_S24 | INSN_U24)
enum { EQUAL = 0, BELOW = 1, NOT_ABOVE = 2, DIFFERENT = 4, NOT_BELOW = 5, ABOVE = 6 };
#define SETS(op, relation, float_relation)                                                                   \
    {OP_##op, DT_S32, FORM_SET, relation, BOTH, X86_PCMPS, 0},                                               \
    {OP_##op, DT_U32, FORM_SET, relation, BOTH, X86_PCMPU, 0},                                               \
    {OP_##op, DT_F32, FORM_SET_FLOAT, float_relation, BOTH, X86_CMPPS, 0}

#define FLOATS(op, what, who) {op, DT_F32, FORM_FLOAT, what, who, 0, 0}

#define TO_INTEGERS(op, how)                                                                                 \
    {OP_##op, DT_S32, FORM_TO_INTEGER, how, NVIDIA, 0, 0}, {OP_##op, DT_U32, FORM_TO_INTEGER, how, NVIDIA, 0, 0}
#define WIDES(op, form, imm, code)                                                                           \
    {OP_##op, DT_S64, form, imm, BOTH, code, 0}, {OP_##op, DT_U64, form, imm, BOTH, code, 0}

static const struct row rows[] = {
    {0},
    INTEGERS(MOV, FORM_COPY, 0, X86_LOAD),
    INTEGERS(ADD, FORM_TWO, 0, X86_PADD),
    INTEGERS(SUB, FORM_TWO, 0, X86_PSUB),
    {OP_MUL, DT_S32, FORM_TWO, 0, BOTH, X86_PMUL, MULTIPLICATION},
    {OP_MUL, DT_U32, FORM_TWO, 0, BOTH, X86_PMUL, MULTIPLICATION},
    INTEGERS(MAD, FORM_MAD, 0, 0),
    INTEGERS(AND, FORM_TWO, 0, X86_AND),
    INTEGERS(OR, FORM_TWO, 0, X86_OR),
    INTEGERS(XOR, FORM_TWO, 0, X86_XOR),
    INTEGERS(NOT, FORM_COMPLEMENT, 0, 0),
    {OP_MIN, DT_S32, FORM_TWO, 0, BOTH, X86_PMINS, 0},
    {OP_MIN, DT_U32, FORM_TWO, 0, BOTH, X86_PMINU, 0},
    {OP_MAX, DT_S32, FORM_TWO, 0, BOTH, X86_PMAXS, 0},
    {OP_MAX, DT_U32, FORM_TWO, 0, BOTH, X86_PMAXU, 0},
    {OP_ABS, DT_S32, FORM_ONE, 0, BOTH, X86_PABS, 0},
    {OP_ABS, DT_U32, FORM_COPY, 0, BOTH, X86_LOAD, 0},
    INTEGERS(SHL, FORM_SHIFT, X86_SHL, X86_SHLV),
    {OP_SHR, DT_S32, FORM_SHIFT, X86_SAR, BOTH, X86_SARV, 0},
    {OP_SHR, DT_U32, FORM_SHIFT, X86_SHR, BOTH, X86_SHRV, 0},
    {OP_CMP, DT_S32, FORM_BELOW_ZERO, 0, BOTH, 0, 0},
    SETS(SEQ, EQUAL, 0x00), SETS(SNE, DIFFERENT, 0x04), SETS(SLT, BELOW, 0x11), SETS(SLE, NOT_ABOVE, 0x12),
    SETS(SGT, ABOVE, 0x1e), SETS(SGE, NOT_BELOW, 0x1d),
    {NATIVE_FROM_S32, DT_S32, FORM_ONE, 0, BOTH, X86_FROM_S32, 0},
    {NATIVE_FROM_U32, DT_U32, FORM_ONE, 0, BOTH, X86_FROM_U32, 0},
    TO_INTEGERS(ROUND, ROUND_NEAREST), TO_INTEGERS(FLR, ROUND_DOWN), TO_INTEGERS(CEIL, ROUND_UP),
    TO_INTEGERS(TRUNC, ROUND_TO_ZERO),
    WIDES(MOV, FORM_WIDE_COPY, 0, X86_LOAD64), WIDES(ADD, FORM_WIDE_TWO, 0, X86_PADD64),
    WIDES(SUB, FORM_WIDE_TWO, 0, X86_PSUB64), WIDES(AND, FORM_WIDE_TWO, 0, X86_AND64), WIDES(OR, FORM_WIDE_TWO, 0, X86_OR64),
    WIDES(XOR, FORM_WIDE_TWO, 0, X86_XOR64), WIDES(SHL, FORM_WIDE_SHIFT, X86_SHL, X86_SHLV64),
    {OP_SHR, DT_U64, FORM_WIDE_SHIFT, X86_SHR, BOTH, X86_SHRV64, 0},
    {OP_SHR, DT_S64, FORM_WIDE_SHIFT, X86_SAR, BOTH, X86_SARV64, 0},
    WIDES(NOT, FORM_WIDE_COMPLEMENT, 0, 0), WIDES(MUL, FORM_WIDE_TWO, 0, X86_PMUL64), WIDES(MAD, FORM_WIDE_MAD, 0, X86_PMUL64),
    {OP_MIN, DT_S64, FORM_WIDE_TWO, 0, BOTH, X86_PMINS64, 0}, {OP_MIN, DT_U64, FORM_WIDE_TWO, 0, BOTH, X86_PMINU64, 0},
    {OP_MAX, DT_S64, FORM_WIDE_TWO, 0, BOTH, X86_PMAXS64, 0}, {OP_MAX, DT_U64, FORM_WIDE_TWO, 0, BOTH, X86_PMAXU64, 0},
    {OP_MOV, DT_F32, FORM_COPY, 0, BOTH, X86_LOAD, 0},
    {OP_ADD, DT_F32, FORM_TWO, 0, BOTH, X86_ADDPS, 0},
    {OP_SUB, DT_F32, FORM_TWO, 0, BOTH, X86_SUBPS, 0},
    {OP_MUL, DT_F32, FORM_TWO, 0, BOTH, X86_MULPS, 0},
    {OP_DIV, DT_F32, FORM_TWO, 0, SPEC, X86_DIVPS, 0},
    {OP_MAD, DT_F32, FORM_FMA, 0, NVIDIA, 0, 0},
    {OP_MAD, DT_F32, FORM_MUL_ADD, 0, SPEC, 0, 0},
    {OP_LRP, DT_F32, FORM_LERP, 0, NVIDIA, 0, INSN_PREC},
    {OP_CMP, DT_F32, FORM_AT_LEAST_ZERO, 0, NVIDIA, 0, 0},
    FLOATS(OP_MIN, FLOAT_LEAST, NVIDIA), FLOATS(OP_MAX, FLOAT_GREATEST, NVIDIA), FLOATS(OP_ABS, FLOAT_ABSOLUTE, NVIDIA),
    FLOATS(OP_SSG, FLOAT_SIGN, BOTH), FLOATS(OP_FLR, FLOAT_FLOOR, BOTH), FLOATS(OP_CEIL, FLOAT_CEILING, BOTH),
    FLOATS(OP_TRUNC, FLOAT_TRUNCATED, BOTH), FLOATS(OP_ROUND, FLOAT_ROUNDED, BOTH), FLOATS(OP_FRC, FLOAT_FRACTION, BOTH),
    FLOATS(EVAL_OP_SAT, FLOAT_SATURATED, NVIDIA), FLOATS(EVAL_OP_SSAT, FLOAT_SATURATED_SIGNED, NVIDIA),
    {OP_RCP, DT_F32, FORM_TABLE, TABLE_RCP, BOTH, 0, 0},
    {OP_RSQ, DT_F32, FORM_TABLE, TABLE_RSQ, BOTH, 0, 0},
    {NATIVE_RSQ_ARB, DT_F32, FORM_TABLE, TABLE_RSQ, BOTH, 0, 0},
    {OP_EX2, DT_F32, FORM_TABLE, TABLE_EX2, BOTH, 0, 0},
    {OP_LG2, DT_F32, FORM_TABLE, TABLE_LG2, BOTH, 0, 0},
    {OP_SIN, DT_F32, FORM_TABLE, TABLE_SIN, BOTH, 0, 0},
    {OP_COS, DT_F32, FORM_TABLE, TABLE_COS, BOTH, 0, 0},
    {OP_POW, DT_F32, FORM_POWER, TABLE_LG2, BOTH, 0, 0},
    {OP_DIV, DT_F32, FORM_QUOTIENT, TABLE_RCP, NVIDIA, 0, 0},
    {OP_DP2, DT_F32, FORM_DOT, 2, NVIDIA, 0, 0},
    {OP_DP3, DT_F32, FORM_DOT, 3, NVIDIA, 0, 0},
    {OP_DP4, DT_F32, FORM_DOT, 4, NVIDIA, 0, 0},
    {OP_DPH, DT_F32, FORM_DOT, 3, NVIDIA, 0, 0},
    {OP_DP2, DT_F32, FORM_DOT_SPEC, 2, SPEC, 0, 0},
    {OP_DP3, DT_F32, FORM_DOT_SPEC, 3, SPEC, 0, 0},
    {OP_DP4, DT_F32, FORM_DOT_SPEC, 4, SPEC, 0, 0},
    {OP_DPH, DT_F32, FORM_DOT_SPEC, 3, SPEC, 0, 0},
    {OP_MOV, DT_F64, FORM_WIDE, WIDE_COPY, BOTH, 0, 0},
    {OP_ADD, DT_F64, FORM_WIDE, WIDE_ADD, BOTH, 0, 0},
    {OP_SUB, DT_F64, FORM_WIDE, WIDE_SUB, BOTH, 0, 0},
    {OP_MUL, DT_F64, FORM_WIDE, WIDE_MUL, BOTH, 0, 0},
    {OP_DIV, DT_F64, FORM_WIDE, WIDE_DIV, BOTH, 0, 0},
    {OP_MAD, DT_F64, FORM_WIDE, WIDE_FMA, NVIDIA, 0, 0},
};

/* Floats as integers: CVT with a rounding is the same as the opcode of it, and clamps as well. */
static uint16_t to_integer(const struct kernel_request *want)
{
    if (want->type2 != DT_F32 || (want->type != DT_S32 && want->type != DT_U32) || want->semantics != GP5_SEMANTICS_NVIDIA ||
        (want->saturate && want->saturate != INSN_SAT))
        return 0;
    switch (want->rounding) {
    case MOD_FLR: return OP_FLR;
    case MOD_CEIL: return OP_CEIL;
    case MOD_TRUNC: return OP_TRUNC;
    default: return OP_ROUND;
    }
}

/* Integers as floats: rounded to nearest. */
static uint16_t from_integer(const struct kernel_request *want)
{
    if (want->type != DT_F32 || want->rounding || want->saturate)
        return 0;
    return want->type2 == DT_S32 ? NATIVE_FROM_S32 : want->type2 == DT_U32 ? NATIVE_FROM_U32 : 0;
}

static uint8_t conversion(const struct kernel_request *want)
{
    uint16_t from = from_integer(want), to = to_integer(want);

    for (uint8_t i = 1; i < sizeof rows / sizeof *rows && want->op == OP_CVT; i++)
        if ((from && rows[i].op == from) || (to && rows[i].op == to && rows[i].form == FORM_TO_INTEGER && rows[i].type == want->type))
            return i;
    return 0;
}

bool eval_native_in_avx2(uint8_t way)
{
    switch (rows[way].code) {
    case X86_PMUL64: case X86_SARV64: case X86_PMINS64: case X86_PMINU64: case X86_PMAXS64: case X86_PMAXU64:
        return false;
    default:
        return true;
    }
}

uint8_t eval_native_way(const struct kernel_request *want)
{
    uint16_t op = want->op == OP_RSQ && want->profile == PROFILE_ARBFP ? (uint16_t)NATIVE_RSQ_ARB : want->op;

    if (want->type != want->type2)
        return conversion(want);
    if (want->saturate)
        return 0;
    for (uint8_t i = 1; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op && rows[i].type == want->type && !(rows[i].not_with & want->flags) &&
            (want->semantics == GP5_SEMANTICS_NVIDIA ? rows[i].nvidia : rows[i].spec))
            return i;
    return 0;
}

void eval_native_shape(uint8_t way, struct native_shape *shape)
{
    const struct row *r = &rows[way];
    bool dot = r->form == FORM_DOT || r->form == FORM_DOT_SPEC, bits = r->form > FORM_WIDE, wide = r->form >= FORM_WIDE;
    bool floats = r->type == DT_F32 || r->type == DT_F64 || r->form == FORM_TO_INTEGER;

    *shape = (struct native_shape){.nsrc = 2, .floats = floats, .wide = wide, .bits = bits};
    switch (r->form) {
    case FORM_COPY:
        shape->copies = true;
        shape->nsrc = 1;
        break;
    case FORM_WIDE_COPY:
        shape->copies = true;
        shape->nsrc = 1;
        break;
    case FORM_ONE: case FORM_COMPLEMENT: case FORM_WIDE_COMPLEMENT: case FORM_TO_INTEGER:
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
        shape->nsrc = r->imm == FLOAT_LEAST || r->imm == FLOAT_GREATEST ? 2 : 1;
        break;
    case FORM_MAD: case FORM_FMA: case FORM_MUL_ADD: case FORM_LERP:
        shape->nsrc = 3;
        break;
    case FORM_BELOW_ZERO: case FORM_AT_LEAST_ZERO:
        shape->nsrc = 3;
        shape->selects = true;
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
    shape->any_mode = r->form == FORM_TO_INTEGER || r->form == FORM_TABLE || r->op == NATIVE_FROM_S32 || r->op == NATIVE_FROM_U32;
    shape->terms = dot ? r->imm : 0;
    shape->last = r->op == OP_DPH ? 3 : 0;
    shape->loose = floats && !wide && r->form != FORM_TO_INTEGER && r->form != FORM_TABLE && r->form != FORM_POWER && !shape->copies && !shape->selects && r->form != FORM_SET_FLOAT &&
                   !(r->form == FORM_FLOAT &&
                     (r->imm == FLOAT_SIGN || r->imm == FLOAT_SATURATED || r->imm == FLOAT_SATURATED_SIGNED));
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
        put(c, X86_XOR, NATIVE_TEMP, NATIVE_TEMP, x86_reg(NATIVE_TEMP), 0);
        x86_vector(c, X86_CMPPS, NATIVE_K, NATIVE_TEMP, call->src[0], 0, NOT_ABOVE_FLOAT);
    } else {
        x86_vector(c, X86_CMPPS, NATIVE_K, reg(c, call, 0), native_word(NATIVE_ZERO), 0, NOT_BELOW_FLOAT);
    }
}

void eval_native_component(struct x86_code *c, uint8_t way, const struct native_call *call)
{
    const struct row *r = &rows[way];
    const struct x86_place *src = call->src;
    unsigned d = call->d, mask = call->mask;

    switch (r->form) {
    case FORM_COPY:
        copy(c, d, src[0], mask);
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
        eval_native_float(c, r->imm, call);
        break;
    case FORM_TO_INTEGER:
        eval_native_to_integer(c, r->imm, r->type == DT_S32, call);
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
    } else if (rows[way].form == FORM_DOT) {
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
