/* 64-bit integers. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"

#define WORD uint64_t
#define SIGNED int64_t
#define LAST_BIT 63
#define OVER_LANES(n, name) WIDE##n(name##64, name)
#define DIV0_U NUM_DIV0_U64
#define DIV0_S(a) NUM_DIV0_S64(a)
#define MOD0(a) (a)
#include "eval/kernels/integer.h"

UNDEFINED(by_zero, 2, (b[l] | b[WARP_LANES + l]) == 0)
UNDEFINED(mod_s_range, 2, (int32_t)a[WARP_LANES + l] < 0 || (int64_t)WIDE_WORD(b, l) <= 0)
UNDEFINED(shift_range, 2, WIDE_WORD(b, l) >= 64)

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
                uint64_t x, y, c;                                                                            \
                expressions;                                                                                 \
                uint64_t partial = x + y, r = partial + c;                                                   \
                of |= (uint32_t)(((x ^ r) & (y ^ r)) >> 63) << l;                                            \
                cf |= (uint32_t)(partial < x || r < partial) << l;                                           \
            }                                                                                                \
            overflow[i] = of;                                                                                \
            carry[i] = cf;                                                                                   \
        }                                                                                                    \
    }

CARRY(carry_add, x = WIDE_WORD(pa, l); y = WIDE_WORD(pb, l); c = 0)
CARRY(carry_sub, x = WIDE_WORD(pa, l); y = ~WIDE_WORD(pb, l); c = 1)
CARRY(carry_mad, x = WIDE_WORD(pa, l) * WIDE_WORD(pb, l); y = WIDE_WORD(pc, l); c = 0)
CARRY(carry_sad_s, x = sad_s(WIDE_WORD(pa, l), WIDE_WORD(pb, l), 0); y = WIDE_WORD(pc, l); c = 0)
CARRY(carry_sad_u, x = sad_u(WIDE_WORD(pa, l), WIDE_WORD(pb, l), 0); y = WIDE_WORD(pc, l); c = 0)

#define BOTH_SIGNS(op, f) ROW_I(op, S64, f), ROW_I(op, U64, f)

static const struct kernel_row rows[] = {
    BOTH_SIGNS(MOV, mov64), ROW_I(ABS, S64, abs_s64), ROW_I(ABS, U64, mov64),
    ROW_CARRY(ADD, S64, add64, carry_add), ROW_CARRY(ADD, U64, add64, carry_add),
    ROW_CARRY(SUB, S64, sub64, carry_sub), ROW_CARRY(SUB, U64, sub64, carry_sub),
    BOTH_SIGNS(MUL, mul64), ROW_CARRY(MAD, S64, mad64, carry_mad), ROW_CARRY(MAD, U64, mad64, carry_mad),
    ROW_I(MIN, S64, min_s64), ROW_I(MIN, U64, min_u64), ROW_I(MAX, S64, max_s64), ROW_I(MAX, U64, max_u64),
    ROW_I(CMP, S64, cmp_s64), ROW_I(CMP, U64, cmp_u64),
    ROW_CARRY(SAD, S64, sad_s64, carry_sad_s), ROW_CARRY(SAD, U64, sad_u64, carry_sad_u),
    ROW_OPEN(DIV, S64, div_s64, by_zero, zero_divisor), ROW_OPEN(DIV, U64, div_u64, by_zero, zero_divisor),
    ROW_OPEN(MOD, S64, mod_s64, mod_s_range, "remainder of a negative number or by zero"),
    ROW_OPEN(MOD, U64, mod_u64, by_zero, zero_divisor),
    BOTH_SIGNS(AND, and64), BOTH_SIGNS(OR, or64), BOTH_SIGNS(XOR, xor64), BOTH_SIGNS(NOT, not64),
    ROW_OPEN(SHL, S64, shl64, shift_range, wide_shift), ROW_OPEN(SHL, U64, shl64, shift_range, wide_shift),
    ROW_OPEN(SHR, S64, shr_s64, shift_range, wide_shift),
    ROW_OPEN(SHR, U64, shr_u64, shift_range, wide_shift),
};
ROWS(eval_rows_integer64, rows);
