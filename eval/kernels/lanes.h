/* The loops around one lane's arithmetic.
 * A function of words (one lane, one component) becomes a kernel with one line: EACH2(add_u32, num_add)
 * makes `add_u32`; EACH2F makes `add_f32` and `add_f32_signs`, which applies the sign modifiers of float
 * operands. WIDE takes functions of 64-bit words. How components and planes are laid out is
 * eval/kernels/kernel.h's matter. */
#ifndef GP5_EVAL_KERNELS_LANES_H
#define GP5_EVAL_KERNELS_LANES_H

#include "eval/kernels/kernel.h"
#include "eval/numeric/words.h"

#define SOURCE(op, k, i) ((const uint32_t *)__builtin_assume_aligned(PLANE(base, (op)->src[k][i]), 64))
#define RESULT(op, i) ((uint32_t *)__builtin_assume_aligned(PLANE(base, (op)->dst[i]), 64))
#define LANE_LOOP for (unsigned l = 0; l < WARP_LANES; l++)
#define SIGNED_WORD(w, k) (((w) & ~op->clear[k]) ^ op->flip[k])
#define PLAIN_WORD(w, k) (w)

/* ---- results by component, 32 bits --------------------------------------------------------------------- */

#define EACH_BODY(count, call)                                                                               \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = SOURCE(op, 0, i);                                                            \
            const uint32_t *b = SOURCE(op, (count) > 1 ? 1 : 0, i);                                 \
            const uint32_t *c = SOURCE(op, (count) > 2 ? 2 : 0, i);                                          \
            uint32_t *d = RESULT(op, i);                                                                     \
            (void)b, (void)c;                                                                                \
            INDEPENDENT_LANES                                                                                \
            LANE_LOOP d[l] = call;                                                                           \
        }                                                                                                    \
    }
#define EACH_KERNEL(name, count, call) static void name(uint32_t *base, const struct lane_op *op)            \
    EACH_BODY(count, call)

#define EACH1(name, f) EACH_KERNEL(name, 1, f(a[l]))
#define EACH2(name, f) EACH_KERNEL(name, 2, f(a[l], b[l]))
#define EACH3(name, f) EACH_KERNEL(name, 3, f(a[l], b[l], c[l]))
#define EACH1F(name, f)                                                                                      \
    EACH1(name, f)                                                                                           \
    EACH_KERNEL(name##_signs, 1, f(SIGNED_WORD(a[l], 0)))
#define EACH2F(name, f)                                                                                      \
    EACH2(name, f)                                                                                           \
    EACH_KERNEL(name##_signs, 2, f(SIGNED_WORD(a[l], 0), SIGNED_WORD(b[l], 1)))
#define EACH3F(name, f)                                                                                      \
    EACH3(name, f)                                                                                           \
    EACH_KERNEL(name##_signs, 3, f(SIGNED_WORD(a[l], 0), SIGNED_WORD(b[l], 1), SIGNED_WORD(c[l], 2)))

/* ---- results by component, 64 bits: planes of low words, planes of high words after them --------------- */

#define WIDE_WORD(p, l) ((uint64_t)(p)[WARP_LANES + (l)] << 32 | (p)[l])
#define WIDE_SIGNED(p, l, k) lane_signed(WIDE_WORD(p, l), op->clear[k], op->flip[k])

/* A NaN keeps its sign, and becomes quiet: the sign of an F64 operand is an addition of its own. measured */
static inline uint64_t lane_signed(uint64_t word, uint32_t clear, uint32_t flip)
{
    uint64_t changed = (word & ~((uint64_t)clear << 32)) ^ (uint64_t)flip << 32;
    return (word & ~SIGN64) > EXP64 ? word | (clear | flip ? NUM_QUIET64 : 0) : changed;
}

#define WIDE_KERNEL(name, count, call)                                                                       \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = SOURCE(op, 0, i);                                                            \
            const uint32_t *b = SOURCE(op, (count) > 1 ? 1 : 0, i);                                          \
            const uint32_t *c = SOURCE(op, (count) > 2 ? 2 : 0, i);                                          \
            uint32_t *d = RESULT(op, i);                                                                     \
            (void)b, (void)c;                                                                                \
            INDEPENDENT_LANES                                                                                \
            LANE_LOOP                                                                                        \
            {                                                                                                \
                uint64_t r = call;                                                                           \
                d[l] = (uint32_t)r;                                                                          \
                d[WARP_LANES + l] = (uint32_t)(r >> 32);                                                     \
            }                                                                                                \
        }                                                                                                    \
    }

#define WIDE1(name, f) WIDE_KERNEL(name, 1, f(WIDE_WORD(a, l)))
#define WIDE2(name, f) WIDE_KERNEL(name, 2, f(WIDE_WORD(a, l), WIDE_WORD(b, l)))
#define WIDE3(name, f) WIDE_KERNEL(name, 3, f(WIDE_WORD(a, l), WIDE_WORD(b, l), WIDE_WORD(c, l)))
#define WIDE1F(name, f)                                                                                      \
    WIDE1(name, f)                                                                                           \
    WIDE_KERNEL(name##_signs, 1, f(WIDE_SIGNED(a, l, 0)))
#define WIDE2F(name, f)                                                                                      \
    WIDE2(name, f)                                                                                           \
    WIDE_KERNEL(name##_signs, 2, f(WIDE_SIGNED(a, l, 0), WIDE_SIGNED(b, l, 1)))
#define WIDE3F(name, f)                                                                                      \
    WIDE3(name, f)                                                                                           \
    WIDE_KERNEL(name##_signs, 3, f(WIDE_SIGNED(a, l, 0), WIDE_SIGNED(b, l, 1), WIDE_SIGNED(c, l, 2)))

/* ---- one result for every destination ------------------------------------------------------------------ */

/* The operands' planes may be destinations: everything is read before anything is written. a and b are the
 * operands. */

#define SCALAR_KERNEL(name, count, word, call)                                                               \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *pa = SOURCE(op, 0, 0), *pb = SOURCE(op, (count) > 1 ? 1 : 0, 0);                     \
        _Alignas(64) uint32_t r[WARP_LANES];                                                                 \
        (void)pb;                                                                                            \
        LANE_LOOP                                                                                            \
        {                                                                                                    \
            uint32_t a = word(pa[l], 0), b = (count) > 1 ? word(pb[l], 1) : 0;                               \
            (void)b;                                                                                         \
            r[l] = call;                                                                                     \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = r[l];                                                                           \
        }                                                                                                    \
    }
#define SCALAR1F(name, f)                                                                                    \
    SCALAR_KERNEL(name, 1, PLAIN_WORD, f(a))                                                                 \
    SCALAR_KERNEL(name##_signs, 1, SIGNED_WORD, f(a))
#define SCALAR2F(name, f)                                                                                    \
    SCALAR_KERNEL(name, 2, PLAIN_WORD, f(a, b))                                                              \
    SCALAR_KERNEL(name##_signs, 2, SIGNED_WORD, f(a, b))

#define WIDE_SCALAR_KERNEL(name, call)                                                                       \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *a = SOURCE(op, 0, 0);                                                                \
        _Alignas(64) uint64_t r[WARP_LANES];                                                                 \
        LANE_LOOP r[l] = call;                                                                               \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = (uint32_t)r[l];                                                                 \
            LANE_LOOP d[WARP_LANES + l] = (uint32_t)(r[l] >> 32);                                            \
        }                                                                                                    \
    }
#define WIDE_SCALAR1F(name, f)                                                                               \
    WIDE_SCALAR_KERNEL(name, f(WIDE_WORD(a, l)))                                                             \
    WIDE_SCALAR_KERNEL(name##_signs, f(WIDE_SIGNED(a, l, 0)))

/* ---- undefined lanes: a bit a lane, from a condition on one component's operands ----------------------- */

#define UNDEFINED(name, count, condition)                                                                    \
    static void name(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])                      \
    {                                                                                                        \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = SOURCE(op, 0, i);                                                            \
            const uint32_t *b = SOURCE(op, (count) > 1 ? 1 : 0, i);                                          \
            uint32_t found = 0;                                                                              \
            (void)a, (void)b;                                                                                \
            LANE_LOOP found |= (uint32_t)((condition) ? 1 : 0) << l;                                         \
            lanes[i] = found;                                                                                \
        }                                                                                                    \
    }

#endif
