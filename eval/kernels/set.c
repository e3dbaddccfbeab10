/* Set on a comparison. TRUE is 1.0 for float types and all ones for integers; FALSE is 0. A comparison
 * with NaN does not hold, but for "not equal". */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"

#define FLOAT_SET(name, condition)                                                                           \
    static inline uint32_t name(uint32_t v, uint32_t w)                                                      \
    {                                                                                                        \
        float a = num_float(v), b = num_float(w);                                                            \
        return condition ? ONE32 : 0;                                                                        \
    }                                                                                                        \
    EACH2F(name##_f32, name)
#define DOUBLE_SET(name, condition)                                                                          \
    static inline uint64_t name##64(uint64_t v, uint64_t w)                                                  \
    {                                                                                                        \
        double a = num_double(v), b = num_double(w);                                                         \
        return condition ? ONE64 : 0;                                                                        \
    }                                                                                                        \
    WIDE2F(name##_f64, name##64)
#define INT_SET(name, suffix, type, condition)                                                               \
    static inline uint32_t name##_##suffix(uint32_t v, uint32_t w)                                           \
    {                                                                                                        \
        type a = (type)v, b = (type)w;                                                                       \
        return condition ? ~0u : 0;                                                                          \
    }                                                                                                        \
    EACH2(name##_##suffix##32, name##_##suffix)
#define INT64_SET(name, suffix, type, condition)                                                             \
    static inline uint64_t name##_w##suffix(uint64_t v, uint64_t w)                                          \
    {                                                                                                        \
        type a = (type)v, b = (type)w;                                                                       \
        return condition ? ~0ull : 0;                                                                        \
    }                                                                                                        \
    WIDE2(name##_##suffix##64, name##_w##suffix)

#define SET(name, condition)                                                                                 \
    FLOAT_SET(name, (condition))                                                                             \
    DOUBLE_SET(name, (condition))                                                                            \
    INT_SET(name, s, int32_t, (condition))                                                                   \
    INT_SET(name, u, uint32_t, (condition))                                                                  \
    INT64_SET(name, s, int64_t, (condition))                                                                 \
    INT64_SET(name, u, uint64_t, (condition))

SET(seq, a == b)
SET(sge, a >= b)
SET(sgt, a > b)
SET(sle, a <= b)
SET(slt, a < b)
SET(sne, a != b)

#define CONSTANT(name, word)                                                                                 \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = word;                                                                           \
        }                                                                                                    \
    }
#define CONSTANT64(name, low, high)                                                                          \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = low;                                                                            \
            LANE_LOOP d[WARP_LANES + l] = high;                                                              \
        }                                                                                                    \
    }

CONSTANT(zero, 0)
CONSTANT(ones, ~0u)
CONSTANT(one, ONE32)
CONSTANT64(zero64, 0, 0)
CONSTANT64(ones64, ~0u, ~0u)
CONSTANT64(one64, 0, (uint32_t)(ONE64 >> 32))

#define SET_ROWS(op, name)                                                                                   \
    ROW_F(op, F32, name##_f32), ROW_D(op, F64, BOTH, name##_f64), ROW_I(op, S32, name##_s32),                \
    ROW_I(op, U32, name##_u32),                                                                              \
        ROW_I(op, S64, name##_s64), ROW_I(op, U64, name##_u64)
#define CONSTANT_ROW(op, type, f) {OP_##op, DT_##type, SEM_BOTH, 0, 0, {.run = f, .run_signs = f}}

static const struct kernel_row rows[] = {
    SET_ROWS(SEQ, seq), SET_ROWS(SGE, sge), SET_ROWS(SGT, sgt), SET_ROWS(SLE, sle), SET_ROWS(SLT, slt),
    SET_ROWS(SNE, sne),
    CONSTANT_ROW(SFL, F32, zero), CONSTANT_ROW(SFL, S32, zero), CONSTANT_ROW(SFL, U32, zero),
    CONSTANT_ROW(SFL, F64, zero64), CONSTANT_ROW(SFL, S64, zero64), CONSTANT_ROW(SFL, U64, zero64),
    CONSTANT_ROW(STR, F32, one), CONSTANT_ROW(STR, S32, ones), CONSTANT_ROW(STR, U32, ones),
    CONSTANT_ROW(STR, F64, one64), CONSTANT_ROW(STR, S64, ones64), CONSTANT_ROW(STR, U64, ones64),
};
ROWS(eval_rows_set, rows);
