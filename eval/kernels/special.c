/* The approximated functions, one result for all destinations: RCP RSQ EX2 LG2 SIN COS as the special
 * function unit computes them, and what is made of them. The text bounds the error of none of them, so
 * both semantics compute the same. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/sfu.h"

#define SFU_LANES(name)                                                                                      \
    static inline void name##_lanes(uint32_t *out, const uint32_t *in)                                       \
    {                                                                                                        \
        LANE_LOOP out[l] = eval_sfu_##name(in[l]);                                                           \
    }

SFU_LANES(rcp)
SFU_LANES(rsq)
SFU_LANES(ex2)
SFU_LANES(lg2)
SFU_LANES(sin)
SFU_LANES(cos)

/* Operand k of component i with its signs: the plane itself, or `words`. */
static inline const uint32_t *signed_words(const struct lane_op *op, unsigned k, const uint32_t *plane, uint32_t *words)
{
    LANE_LOOP words[l] = SIGNED_WORD(plane[l], k);
    return words;
}
#define PLAIN_PLANE(op, k, plane, words) ((void)(words), (plane))

/* One result for all destinations, any of which may be the operand. */
#define SCALAR_LANES(name, take, lanes)                                                                      \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t a[WARP_LANES], r[WARP_LANES];                                                  \
        lanes(r, take(op, 0, SOURCE(op, 0, 0), a));                                                          \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = r[l];                                                                           \
        }                                                                                                    \
    }
#define SCALAR1_LANES(name, lanes)                                                                           \
    SCALAR_LANES(name, PLAIN_PLANE, lanes)                                                                   \
    SCALAR_LANES(name##_signs, signed_words, lanes)

/* RCP, with its magnitude kept within [2^-64, 2^64]. */
static inline void clamped_rcp_lanes(uint32_t *out, const uint32_t *in)
{
    rcp_lanes(out, in);
    LANE_LOOP
    {
        uint32_t m = out[l] & ~SIGN32, sign = out[l] & SIGN32;
        m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
        out[l] = m | sign;
    }
}

static inline void rsq_of_magnitude_lanes(uint32_t *out, const uint32_t *in)
{
    LANE_LOOP out[l] = in[l] & ~SIGN32;
    rsq_lanes(out, out);
}

static inline void sqrt_lanes(uint32_t *out, const uint32_t *in)
{
    LANE_LOOP out[l] = eval_sfu_sqrt(in[l]);
}

static inline void sqrt_half_lanes(uint32_t *out, const uint32_t *in)
{
    LANE_LOOP out[l] = eval_sfu_sqrt_half(in[l]);
}

SCALAR1_LANES(sqrt_f32, sqrt_lanes)
SCALAR1_LANES(sqrt_f16, sqrt_half_lanes)
SCALAR1_LANES(rcp_f32, rcp_lanes)
SCALAR1_LANES(rsq_f32, rsq_lanes)
SCALAR1_LANES(rsq_arb_f32, rsq_of_magnitude_lanes)
SCALAR1_LANES(ex2_f32, ex2_lanes)
SCALAR1_LANES(lg2_f32, lg2_lanes)
SCALAR1_LANES(sin_f32, sin_lanes)
SCALAR1_LANES(cos_f32, cos_lanes)
SCALAR1_LANES(rcc_f32, clamped_rcp_lanes)

#define POWER(name, take)                                                                                    \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t a[WARP_LANES], b[WARP_LANES], r[WARP_LANES];                                   \
        const uint32_t *exponent = take(op, 1, SOURCE(op, 1, 0), b);                                         \
        lg2_lanes(r, take(op, 0, SOURCE(op, 0, 0), a));                                                      \
        LANE_LOOP r[l] = num_multiply(exponent[l], r[l]);                                                    \
        ex2_lanes(r, r);                                                                                     \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = r[l];                                                                           \
        }                                                                                                    \
    }
POWER(pow_f32, PLAIN_PLANE)
POWER(pow_f32_signs, signed_words)

/* A product with the reciprocal. The divisor is a scalar: its plane is the same for every component. */
#define DIVIDE(name, take)                                                                                   \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t x[WARP_LANES], y[WARP_LANES], inverse[WARP_LANES];                             \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = take(op, 0, SOURCE(op, 0, i), x);                                            \
            uint32_t *d = RESULT(op, i);                                                                     \
            if (i == 0 || op->src[1][i] != op->src[1][i - 1])                                                \
                rcp_lanes(inverse, take(op, 1, SOURCE(op, 1, i), y));                                        \
            LANE_LOOP d[l] = num_multiply(a[l], inverse[l]);                                                 \
        }                                                                                                    \
    }
DIVIDE(div_f32, PLAIN_PLANE)
DIVIDE(div_f32_signs, signed_words)

/* x: the cosine, y: the sine. */
#define SCS(name, take)                                                                                      \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t words[WARP_LANES], all[4][WARP_LANES] = {{0}};                                 \
        const uint32_t *a = take(op, 0, SOURCE(op, 0, 0), words);                                            \
        cos_lanes(all[0], a);                                                                                \
        sin_lanes(all[1], a);                                                                                \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = all[op->comp[i]][l];                                                            \
        }                                                                                                    \
    }
SCS(scs_f32, PLAIN_PLANE)
SCS(scs_f32_signs, signed_words)

/* EXP: 2^floor(a), a - floor(a), 2^a, 1. */
static inline void exp_lanes(uint32_t out[4][WARP_LANES], const uint32_t *a)
{
    _Alignas(64) uint32_t whole[WARP_LANES];

    LANE_LOOP
    {
        float x = num_float(a[l]), below = num_floor(x);
        whole[l] = num_word(below);
        out[1][l] = num_result(x - below);
        out[3][l] = ONE32;
    }
    ex2_lanes(out[0], whole);
    ex2_lanes(out[2], a);
}

/* LOG: the exponent of |a|, its mantissa from 1 on, log2 |a|, 1. Zeros, infinities and NaNs have exponents and
 * mantissas too: -127 and 1, 128 and 1, 128 and just below 2. measured */
static inline void log_lanes(uint32_t out[4][WARP_LANES], const uint32_t *a)
{
    _Alignas(64) uint32_t magnitude[WARP_LANES];

    LANE_LOOP magnitude[l] = num_is_nan(a[l]) ? NUM_NAN32 : num_flush(a[l]) & ~SIGN32;
    lg2_lanes(out[2], magnitude);
    LANE_LOOP
    {
        out[0][l] = num_word((float)((int32_t)(magnitude[l] >> 23) - 127));
        out[1][l] = (magnitude[l] & 0x7fffff) | ONE32;
        out[3][l] = ONE32;
    }
}

#define VECTOR_OF_SCALAR(name, take, lanes)                                                                  \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t words[WARP_LANES], all[4][WARP_LANES];                                         \
        lanes(all, take(op, 0, SOURCE(op, 0, 0), words));                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = all[op->comp[i]][l];                                                            \
        }                                                                                                    \
    }
VECTOR_OF_SCALAR(exp_f32, PLAIN_PLANE, exp_lanes)
VECTOR_OF_SCALAR(exp_f32_signs, signed_words, exp_lanes)
VECTOR_OF_SCALAR(log_f32, PLAIN_PLANE, log_lanes)
VECTOR_OF_SCALAR(log_f32_signs, signed_words, log_lanes)

/* ---- what the text leaves undefined -------------------------------------------------------------------- */

#define FIRST(name, condition)                                                                               \
    static void name(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])                      \
    {                                                                                                        \
        const uint32_t *p = SOURCE(op, 0, 0);                                                                \
        uint32_t found = 0;                                                                                  \
        LANE_LOOP                                                                                            \
        {                                                                                                    \
            float a = num_float(SIGNED_WORD(p[l], 0));                                                       \
            found |= (uint32_t)((condition) ? 1 : 0) << l;                                                   \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++)                                                                 \
            lanes[i] = found;                                                                                \
    }
FIRST(not_positive, !(a > 0.0f))
FIRST(negative, a < 0.0f)
FIRST(beyond_pi, !(a >= -3.14159274f && a <= 3.14159274f))

static void no_zw(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    (void)base;
    for (unsigned i = 0; i < op->n; i++)
        lanes[i] = op->comp[i] >= 2 ? ALL_LANES : 0;
}

static void scs_undefined(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    beyond_pi(base, op, lanes);
    for (unsigned i = 0; i < op->n; i++)
        if (op->comp[i] >= 2)
            lanes[i] = ALL_LANES;
}

#define ROW_OPEN(op, who, f, u, reason)                                                                      \
    {OP_##op, DT_F32, SEM_##who, 0, 0, {.run = f, .run_signs = f##_signs, .undefined = u, .why = reason}}
#define ROW_ARB(op, f) {OP_##op, DT_F32, SEM_BOTH, ROOT_OF_MAGNITUDE, 0, {.run = f, .run_signs = f##_signs}}

static const struct kernel_row rows[] = {
    {EVAL_OP_SQRT, DT_F32, SEM_NVIDIA, 0, 0, {.run = sqrt_f32, .run_signs = sqrt_f32_signs}},
    {EVAL_OP_SQRT, DT_F16, SEM_NVIDIA, 0, 0, {.run = sqrt_f16, .run_signs = sqrt_f16_signs, .keep_denormals = true}},
    ROW_F(RCP, F32, rcp_f32), ROW_ARB(RSQ, rsq_arb_f32), ROW_FOR(RSQ, F32, NVIDIA, rsq_f32),
    ROW_OPEN(RSQ, SPEC, rsq_f32, not_positive, "the square root of what is not above 0"),
    ROW_F(EX2, F32, ex2_f32), ROW_FOR(LG2, F32, NVIDIA, lg2_f32),
    ROW_OPEN(LG2, SPEC, lg2_f32, not_positive, "the logarithm of what is not above 0"),
    ROW_F(SIN, F32, sin_f32), ROW_F(COS, F32, cos_f32), ROW_F(RCC, F32, rcc_f32),
    ROW_F(EXP, F32, exp_f32), ROW_F(LOG, F32, log_f32),
    ROW_FOR(POW, F32, NVIDIA, pow_f32), ROW_OPEN(POW, SPEC, pow_f32, negative,
                                                 "a power of a negative number"),
    ROW_FOR(DIV, F32, NVIDIA, div_f32), ROW_OPEN(SCS, NVIDIA, scs_f32, no_zw,
                                                 "the instruction has no z and w"),
    ROW_OPEN(SCS, SPEC, scs_f32, scs_undefined, "an angle beyond pi, or z and w"),
};
ROWS(eval_rows_special, rows);
