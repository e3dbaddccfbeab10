/* 32-bit integers: everything wraps. Overflow and carry are asked for on their own, when a condition code
 * takes them. */
#include "asm/program.h"
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"

#define WORD uint32_t
#define SIGNED int32_t
#define LAST_BIT 31
#define OVER_LANES(n, name) EACH##n(name##32, name)
#define DIV0_U NUM_DIV0_U32
#define DIV0_S(a) NUM_DIV0_S32
#define MOD0(a) NUM_MOD0_32
#include "eval/kernels/integer.h"

/* The low 24 bits as a signed number. */
#define LOW24(x) ((int32_t)((x) << 8) >> 8)

BINARY(mulhi_s, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32))
BINARY(mulhi_u, (uint32_t)((uint64_t)a * b >> 32))
BINARY(mul_s24, (uint32_t)LOW24(a) * (uint32_t)LOW24(b))
BINARY(mul_u24, (a & 0xffffff) * (b & 0xffffff))

/* ---- what the text leaves undefined -------------------------------------------------------------------- */

UNDEFINED(by_zero, 2, b[l] == 0)
UNDEFINED(mod_s_range, 2, (int32_t)a[l] < 0 || (int32_t)b[l] <= 0)
UNDEFINED(shift_range, 2, b[l] >= 32)
UNDEFINED(range_s24, 2, (uint32_t)LOW24(a[l]) != a[l] || (uint32_t)LOW24(b[l]) != b[l])
UNDEFINED(range_u24, 2, a[l] >> 24 != 0 || b[l] >> 24 != 0)

/* ---- overflow and carry: of the last addition ---------------------------------------------------------- */

#define CARRY(name, expressions)                                                                             \
    static void name(const uint32_t *base, const struct lane_op *op, uint32_t overflow[4],                   \
                     uint32_t carry[4])                                                                      \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *pa = SOURCE(op, 0, i), *pb = SOURCE(op, 1, i), *pc = SOURCE(op, 2, i);           \
            uint32_t of = 0, cf = 0;                                                                         \
            (void)pc;                                                                                        \
            LANE_LOOP                                                                                        \
            {                                                                                                \
                uint32_t x, y, c;                                                                            \
                expressions;                                                                                 \
                uint32_t r = x + y + c;                                                                      \
                of |= ((x ^ r) & (y ^ r)) >> 31 << l;                                                        \
                cf |= (uint32_t)(((uint64_t)x + y + c) >> 32) << l;                                          \
            }                                                                                                \
            overflow[i] = of;                                                                                \
            carry[i] = cf;                                                                                   \
        }                                                                                                    \
    }

/* A subtraction adds the complement and one: its carry says that nothing was borrowed. */
CARRY(carry_add, x = pa[l]; y = pb[l]; c = 0)
CARRY(carry_sub, x = pa[l]; y = ~pb[l]; c = 1)
CARRY(carry_mad, x = pa[l] * pb[l]; y = pc[l]; c = 0)
CARRY(carry_sad_s, x = sad_s(pa[l], pb[l], 0); y = pc[l]; c = 0)
CARRY(carry_sad_u, x = sad_u(pa[l], pb[l], 0); y = pc[l]; c = 0)

#define BOTH_SIGNS(op, f) ROW_I(op, S32, f), ROW_I(op, U32, f)
#define ROW_I_FOR(op, type, who, f) {OP_##op, DT_##type, SEM_##who, 0, 0, {.run = f}}
#define ROW_MUL(type, mode, f) {OP_MUL, DT_##type, SEM_BOTH, 0, INSN_##mode, {.run = f}}
#define ROW_MUL_OPEN(type, mode, f, u)                                                                       \
    {OP_MUL, DT_##type, SEM_NVIDIA, 0, INSN_##mode, {.run = f}},                                             \
    {OP_MUL, DT_##type, SEM_SPEC, 0, INSN_##mode,                                                            \
        {.run = f, .undefined = u, .why = "operand wider than 24 bits"}}

static const struct kernel_row rows[] = {
    BOTH_SIGNS(MOV, mov32), ROW_I(ABS, S32, abs_s32), ROW_I(ABS, U32, mov32),
    ROW_CARRY(ADD, S32, add32, carry_add), ROW_CARRY(ADD, U32, add32, carry_add),
    ROW_CARRY(SUB, S32, sub32, carry_sub), ROW_CARRY(SUB, U32, sub32, carry_sub),
    BOTH_SIGNS(MUL, mul32), ROW_MUL(S32, HI, mulhi_s32), ROW_MUL(U32, HI, mulhi_u32),
    ROW_MUL_OPEN(S32, S24, mul_s2432, range_s24), ROW_MUL_OPEN(U32, U24, mul_u2432, range_u24),
    ROW_CARRY(MAD, S32, mad32, carry_mad), ROW_CARRY(MAD, U32, mad32, carry_mad),
    ROW_I(MIN, S32, min_s32), ROW_I(MIN, U32, min_u32), ROW_I(MAX, S32, max_s32), ROW_I(MAX, U32, max_u32),
    ROW_I(CMP, S32, cmp_s32), ROW_I(CMP, U32, cmp_u32),
    ROW_CARRY(SAD, S32, sad_s32, carry_sad_s), ROW_CARRY(SAD, U32, sad_u32, carry_sad_u),
    ROW_OPEN(DIV, S32, div_s32, by_zero, zero_divisor), ROW_OPEN(DIV, U32, div_u32, by_zero, zero_divisor),
    ROW_I_FOR(MOD, S32, NVIDIA, mod_u32),
    {OP_MOD, DT_S32, SEM_NVIDIA, 0, INSN_HI, {.run = mod_s32}},     /* of an absolute value: eval/decode/combine.c */
    {OP_MOD, DT_S32, SEM_SPEC, 0, 0, {.run = mod_s32, .undefined = mod_s_range,
                                      .why = "remainder of a negative number or by zero"}},
    ROW_OPEN(MOD, U32, mod_u32, by_zero, zero_divisor),
    BOTH_SIGNS(AND, and32), BOTH_SIGNS(OR, or32), BOTH_SIGNS(XOR, xor32), BOTH_SIGNS(NOT, not32),
    ROW_OPEN(SHL, S32, shl32, shift_range, wide_shift), ROW_OPEN(SHL, U32, shl32, shift_range, wide_shift),
    ROW_OPEN(SHR, S32, shr_s32, shift_range, wide_shift),
    ROW_OPEN(SHR, U32, shr_u32, shift_range, wide_shift),
};
ROWS(eval_rows_integer, rows);
