/* The operations that have machine code: a row each. Everything here mirrors a kernel of eval/kernels. */
#include "eval/jit/ops.h"

#include "eval/numeric/sfu.h"

enum { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_TO_ZERO };

const uint32_t native_words[NATIVE_WORDS] = {
    [NATIVE_ONE] = 0x3f800000, [NATIVE_31] = 31,
    [NATIVE_SIGN] = 0, 0x80000000, [NATIVE_MAGNITUDE] = 0xffffffff, 0x7fffffff, [NATIVE_QUIET] = 0, 0x00080000,
    [NATIVE_SIGN_WORD] = 0x80000000, [NATIVE_INFINITY] = 0x7f800000, [NATIVE_UNIT] = 1, [NATIVE_MINUS_ONE] = 0xbf800000,
    [NATIVE_NORMAL] = 0x00800000,
    [NATIVE_NORMALS] = 0x7f000000, [NATIVE_NUMBERS] = 0x7f7fffff, [NATIVE_TWO_31] = 0x4f000000, [NATIVE_63] = 63, 0,
    [NATIVE_LOW_HALF] = 0xffff, [NATIVE_HIGH_HALF] = 0xffff0000, [NATIVE_SIGN_EXPONENT] = 0xff800000,
    [NATIVE_FRACTION_24] = 0xffffff, [NATIVE_127] = 127, [NATIVE_SEGMENTS_64] = 63, [NATIVE_FIFTEENS] = 0x000f000f,
    [NATIVE_SEVENS] = 0x00070007,
    [NATIVE_SQUARE_HIGH] = 0x7f80, [NATIVE_SQUARE_UNIT] = 0x02000200,
    [NATIVE_SQUARE_BITS] = 0x08102040, 0x787c7e7f, 0x00010204, 0x00406070, [NATIVE_RCP_LAST] = 0x7e800000,
    [NATIVE_RCP_SURE] = 0x7e7fd000, 0xfe7fd000,
    [NATIVE_TWO_LOW_13] = 3 << 13, [NATIVE_TWO_LOW_14] = 3 << 14,
    [NATIVE_RCP_BIAS] = (uint32_t)SFU_RCP_BIAS - (1 << 16), [NATIVE_RCP_LIMIT] = 0xfdffffff,
    [NATIVE_LOWEST_NORMAL] = 0x80800000, [NATIVE_MOST_NORMAL] = 0xfeffffff,
    [NATIVE_RSQ_BIAS] = (uint32_t)SFU_RSQ_BIAS - (1 << 17), [NATIVE_RSQ_EXPONENT] = 0x02800000,
    [NATIVE_EX2_BIAS] = SFU_EX2_BIAS, [NATIVE_EX2_LIMIT] = 0x427fffff,
    [NATIVE_EX2_END] = 134u << 23,
    [NATIVE_TWO_23] = 0x4b000000, [NATIVE_FRACTION_23] = 0x7fffff,
    [NATIVE_LG2_BIAS] = SFU_LG2_BIAS, [NATIVE_LG2_LOW] = 63 << 10, [NATIVE_LG2_SCALES] = 107 << 23, 99 << 23, 91 << 23,
    [NATIVE_SIN_SCALES] = 98 << 23, 90 << 23, [NATIVE_TWO_15] = 0x8000, [NATIVE_128] = 128, [NATIVE_255] = 255,
    [NATIVE_511] = 511,
    [NATIVE_2047] = 2047, [NATIVE_2048] = 2048, [NATIVE_4095] = 4095, [NATIVE_TURN_LOW] = 0x983,
    [NATIVE_TURN_HIGH] = 0xa2f,
    [NATIVE_FIVES] = 0x55555555, [NATIVE_THREES] = 0x33333333, [NATIVE_LOW_NIBBLES] = 0x0f0f0f0f,
    [NATIVE_BYTES] = 0x01010101,
    [NATIVE_ALL_ONES] = 0xffffffff, [NATIVE_HALF_NAN] = 0x7fff, [NATIVE_FLOAT_255] = 0x437f0000,
    [NATIVE_FLOAT_65535] = 0x477fff00,
    [NATIVE_FLOAT_127] = 0x42fe0000, [NATIVE_FLOAT_128] = 0x43000000, [NATIVE_LEAST_8] = 0xbf810204,
    [NATIVE_STEP_255] = 0x3b808081, [NATIVE_STEP_65535] = 0x37800080, [NATIVE_STEP_127] = 0x3c010204,
    [NATIVE_EVEN_BYTES] = 0x00ff00ff, [NATIVE_BELOW_TWO_32] = 0x4f7ffffe,
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

#define FLOATS(op, who) {op, DT_F32, FORM_FLOAT, 0, who, 0, 0}

#define TO_INTEGERS(op, how)                                                                                 \
    {OP_##op, DT_S32, FORM_TO_INTEGER, how, NVIDIA, 0, 0}, {OP_##op, DT_U32, FORM_TO_INTEGER, how, NVIDIA, 0, 0}
#define WIDES(op, form, imm, code)                                                                           \
    {OP_##op, DT_S64, form, imm, BOTH, code, 0}, {OP_##op, DT_U64, form, imm, BOTH, code, 0}

#define ANY_TYPE(op, form, imm)                                                         \
    {OP_##op, DT_F32, form, imm, BOTH, 0, 0}, {OP_##op, DT_S32, form, imm, BOTH, 0, 0}, \
    {                                                                                   \
        OP_##op, DT_U32, form, imm, BOTH, 0, 0                                          \
    }
#define CONVERTS(to, form, imm, from) {NATIVE_CVT, DT_##to, form, imm, BOTH, DT_##from, 0}
#define AMONG(from)                                                                             \
    CONVERTS(S8, FORM_SMALL, DT_##from, from), CONVERTS(U8, FORM_SMALL, DT_##from, from),       \
        CONVERTS(S16, FORM_SMALL, DT_##from, from), CONVERTS(U16, FORM_SMALL, DT_##from, from), \
        CONVERTS(S32, FORM_SMALL, DT_##from, from), CONVERTS(U32, FORM_SMALL, DT_##from, from)

const struct row native_rows[] = {
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
    WIDES(SUB, FORM_WIDE_TWO, 0, X86_PSUB64), WIDES(AND, FORM_WIDE_TWO, 0, X86_AND64),
    WIDES(OR, FORM_WIDE_TWO, 0, X86_OR64),
    WIDES(XOR, FORM_WIDE_TWO, 0, X86_XOR64), WIDES(SHL, FORM_WIDE_SHIFT, X86_SHL, X86_SHLV64),
    {OP_SHR, DT_U64, FORM_WIDE_SHIFT, X86_SHR, BOTH, X86_SHRV64, 0},
    {OP_SHR, DT_S64, FORM_WIDE_SHIFT, X86_SAR, BOTH, X86_SARV64, 0},
    WIDES(NOT, FORM_WIDE_COMPLEMENT, 0, 0), WIDES(MUL, FORM_WIDE_TWO, 0, X86_PMUL64),
    WIDES(MAD, FORM_WIDE_MAD, 0, X86_PMUL64),
    {OP_MIN, DT_S64, FORM_WIDE_TWO, 0, BOTH, X86_PMINS64, 0}, {OP_MIN, DT_U64, FORM_WIDE_TWO, 0, BOTH, X86_PMINU64, 0},
    {OP_MAX, DT_S64, FORM_WIDE_TWO, 0, BOTH, X86_PMAXS64, 0}, {OP_MAX, DT_U64, FORM_WIDE_TWO, 0, BOTH, X86_PMAXU64, 0},
    {OP_MOV, DT_F32, FORM_COPY, 0, BOTH, X86_LOAD, 0},
    {NATIVE_SIGNED, DT_F32, FORM_SIGNED, 0, NVIDIA, 0, 0},
    {OP_ADD, DT_F32, FORM_TWO, 0, BOTH, X86_ADDPS, 0},
    {OP_SUB, DT_F32, FORM_TWO, 0, BOTH, X86_SUBPS, 0},
    {OP_MUL, DT_F32, FORM_TWO, 0, BOTH, X86_MULPS, 0},
    {OP_DIV, DT_F32, FORM_TWO, 0, SPEC, X86_DIVPS, 0},
    {OP_MAD, DT_F32, FORM_FMA, 0, NVIDIA, 0, 0},
    {OP_MAD, DT_F32, FORM_MUL_ADD, 0, SPEC, 0, 0},
    {OP_LRP, DT_F32, FORM_LERP, 0, NVIDIA, 0, INSN_PREC},
    {OP_CMP, DT_F32, FORM_AT_LEAST_ZERO, 0, NVIDIA, 0, 0},
    FLOATS(OP_MIN, NVIDIA), FLOATS(OP_MAX, NVIDIA), FLOATS(OP_ABS, NVIDIA),
    FLOATS(OP_SSG, BOTH), FLOATS(OP_FLR, BOTH), FLOATS(OP_CEIL, BOTH),
    FLOATS(OP_TRUNC, BOTH), FLOATS(OP_ROUND, BOTH), FLOATS(OP_FRC, BOTH),
    FLOATS(EVAL_OP_SAT, NVIDIA), FLOATS(EVAL_OP_SSAT, NVIDIA),
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
    {EVAL_OP_HALF, DT_F32, FORM_HALF, HALF_ROUNDED, BOTH, 0, 0},
    {EVAL_OP_SHORT, DT_F32, FORM_HALF, HALF_FROM_FLOAT, NVIDIA, 0, 0},
    {OP_MAD, DT_F16, FORM_HALF, HALF_FUSED, NVIDIA, 0, 0},
    {OP_MOV, DT_F16, FORM_COPY, 0, NVIDIA, X86_LOAD, 0}, {OP_ABS, DT_F16, FORM_FLOAT, 0, NVIDIA, 0, 0},
    {OP_ROUND, DT_F16, FORM_FLOAT, 0, NVIDIA, 0, 0}, {OP_TRUNC, DT_F16, FORM_FLOAT, 0, NVIDIA, 0, 0},
    {EVAL_OP_LOST, DT_F32, FORM_COPY, 0, NVIDIA, X86_LOAD, 0},
    {EVAL_OP_ABOVE, DT_F32, FORM_COPY, 0, NVIDIA, X86_LOAD, 0},
    {EVAL_OP_UPPER, DT_F32, FORM_COPY, 0, NVIDIA, X86_LOAD, 0},
    {EVAL_OP_STRAY, DT_F32, FORM_COPY, 0, NVIDIA, X86_LOAD, 0},
    {OP_MUL, DT_S32, FORM_WORD, WORD_UPPER_SIGNED, BOTH, INSN_HI, 0},
    {OP_MUL, DT_U32, FORM_WORD, WORD_UPPER, BOTH, INSN_HI, 0},
    {OP_MUL, DT_S32, FORM_WORD, WORD_24_SIGNED, BOTH, INSN_S24, 0},
    {OP_MUL, DT_U32, FORM_WORD, WORD_24, BOTH, INSN_U24, 0},
    {OP_DIV, DT_S32, FORM_WORD, WORD_QUOTIENT_SIGNED, BOTH, 0, 0},
    {OP_DIV, DT_U32, FORM_WORD, WORD_QUOTIENT, BOTH, 0, 0},
    {OP_MOD, DT_S32, FORM_WORD, WORD_REMAINDER_SIGNED, NVIDIA, INSN_HI, 0},
    {OP_MOD, DT_S32, FORM_WORD, WORD_REMAINDER, NVIDIA, 0, 0},
    {OP_MOD, DT_S32, FORM_WORD, WORD_REMAINDER_SIGNED, SPEC, 0, 0},
    {OP_MOD, DT_U32, FORM_WORD, WORD_REMAINDER, BOTH, 0, 0},
    {OP_SAD, DT_S32, FORM_WORD, WORD_DISTANCE_SIGNED, BOTH, 0, 0},
    {OP_SAD, DT_U32, FORM_WORD, WORD_DISTANCE, BOTH, 0, 0},
    {OP_CMP, DT_U32, FORM_LAST, 0, BOTH, 0, 0},
    INTEGERS(BTC, FORM_WORD, WORD_COUNT, 0), INTEGERS(BTFL, FORM_WORD, WORD_LOWEST, 0),
    INTEGERS(BFR, FORM_WORD, WORD_REVERSED, 0),
    {OP_BTFM, DT_S32, FORM_WORD, WORD_HIGHEST_SIGNED, BOTH, 0, 0},
    {OP_BTFM, DT_U32, FORM_WORD, WORD_HIGHEST, BOTH, 0, 0},
    {OP_BFE, DT_S32, FORM_FIELD, FIELD_SIGNED, BOTH, 0, 0}, {OP_BFE, DT_U32, FORM_FIELD, FIELD_TAKEN, BOTH, 0, 0},
    INTEGERS(BFI, FORM_FIELD, FIELD_PUT, 0),
    ANY_TYPE(PK2H, FORM_PACK, PACK_HALVES), ANY_TYPE(PK2US, FORM_PACK, PACK_UNSIGNED16),
    ANY_TYPE(PK4UB, FORM_PACK, PACK_UNSIGNED8),
    ANY_TYPE(PK4B, FORM_PACK, PACK_SIGNED8),
    ANY_TYPE(UP2H, FORM_UNPACK, PACK_HALVES), ANY_TYPE(UP2US, FORM_UNPACK, PACK_UNSIGNED16),
    ANY_TYPE(UP4UB, FORM_UNPACK, PACK_UNSIGNED8), ANY_TYPE(UP4B, FORM_UNPACK, PACK_SIGNED8),
    ANY_TYPE(PK64, FORM_JOIN, 0), ANY_TYPE(UP64, FORM_PART, 0),
    CONVERTS(F16, FORM_HALF, HALF_FROM_FLOAT, F32), CONVERTS(F32, FORM_HALF, HALF_TO_FLOAT, F16),
    CONVERTS(S64, FORM_WIDER, true, S32), CONVERTS(U64, FORM_WIDER, true, S32), CONVERTS(S64, FORM_WIDER, false, U32),
    CONVERTS(U64, FORM_WIDER, false, U32),
    AMONG(S8), AMONG(U8), AMONG(S16), AMONG(U16), AMONG(S32), AMONG(U32),
    CONVERTS(F32, FORM_SMALL_FLOAT, DT_S8, S8), CONVERTS(F32, FORM_SMALL_FLOAT, DT_U8, U8),
    CONVERTS(F32, FORM_SMALL_FLOAT, DT_S16, S16), CONVERTS(F32, FORM_SMALL_FLOAT, DT_U16, U16),
    {OP_MOV, DT_F64, FORM_WIDE, WIDE_COPY, BOTH, 0, 0},
    {OP_ADD, DT_F64, FORM_WIDE, WIDE_ADD, BOTH, 0, 0},
    {OP_SUB, DT_F64, FORM_WIDE, WIDE_SUB, BOTH, 0, 0},
    {OP_MUL, DT_F64, FORM_WIDE, WIDE_MUL, BOTH, 0, 0},
    {OP_DIV, DT_F64, FORM_WIDE, WIDE_DIV, BOTH, 0, 0},
    {OP_MAD, DT_F64, FORM_WIDE, WIDE_FMA, NVIDIA, 0, 0},
};

const unsigned native_row_count = sizeof native_rows / sizeof *native_rows;
_Static_assert(sizeof native_rows / sizeof *native_rows <= UINT8_MAX, "a way is a byte");

/* Floats as integers: CVT with a rounding is the same as the opcode of it, and clamps as well. */
static uint16_t to_integer(const struct kernel_request *want)
{
    if (want->type2 != DT_F32 || (want->type != DT_S32 && want->type != DT_U32) ||
        want->semantics != GP5_SEMANTICS_NVIDIA || (want->saturate && want->saturate != INSN_SAT))
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

    for (uint8_t i = 1; i < native_row_count && want->op == OP_CVT; i++) {
        const struct row *r = &native_rows[i];
        bool same = !want->saturate && !want->rounding && r->op == NATIVE_CVT && r->type == want->type &&
                    r->code == want->type2;
        if (same || (from && r->op == from) ||
            (to && r->op == to && r->form == FORM_TO_INTEGER && r->type == want->type))
            return i;
    }
    return 0;
}

bool eval_native_in_avx2(uint8_t way)
{
    switch (native_rows[way].code) {
    case X86_PMUL64: case X86_SARV64: case X86_PMINS64: case X86_PMINU64: case X86_PMAXS64: case X86_PMAXU64:
        return false;
    default:
        return true;
    }
}

uint8_t eval_native_signed_way(void)
{
    uint8_t i = 1;

    while (native_rows[i].form != FORM_SIGNED)
        i++;
    return i;
}

uint8_t eval_native_way(const struct kernel_request *want)
{
    uint16_t op =
        want->op == OP_RSQ && profile_in(want->profile, ROOT_OF_MAGNITUDE) ? (uint16_t)NATIVE_RSQ_ARB : want->op;

    if (want->type != want->type2)
        return conversion(want);
    if (want->saturate)
        return 0;
    for (uint8_t i = 1; i < native_row_count; i++) {
        const struct row *r = &native_rows[i];
        if (r->op == op && r->type == want->type && !(r->not_with & want->flags) &&
            (r->form != FORM_WORD || (want->flags & r->code) == r->code) &&
            (want->semantics == GP5_SEMANTICS_NVIDIA ? r->nvidia : r->spec))
            return i;
    }
    return 0;
}

