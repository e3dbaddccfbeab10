/* The approximated functions, one result for all destinations: RCP RSQ EX2 LG2 SIN COS as the special
 * function unit computes them, and what is made of them. The text bounds the error of none of them, so
 * both semantics compute the same. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/sfu.h"

static inline uint32_t power(uint32_t a, uint32_t b)
{
    return eval_sfu_ex2(num_multiply(b, eval_sfu_lg2(a)));
}

/* RCP, with its magnitude kept within [2^-64, 2^64]. */
static inline uint32_t clamped_reciprocal(uint32_t a)
{
    uint32_t r = eval_sfu_rcp(a), m = r & ~SIGN32, sign = r & SIGN32;
    m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
    return m | sign;
}

static inline uint32_t root_of_magnitude(uint32_t a)
{
    return eval_sfu_rsq(a & ~SIGN32);
}

SCALAR1F(rcp_f32, eval_sfu_rcp)
SCALAR1F(rsq_f32, eval_sfu_rsq)
SCALAR1F(rsq_arb_f32, root_of_magnitude)
SCALAR1F(ex2_f32, eval_sfu_ex2)
SCALAR1F(lg2_f32, eval_sfu_lg2)
SCALAR1F(sin_f32, eval_sfu_sin)
SCALAR1F(cos_f32, eval_sfu_cos)
SCALAR1F(rcc_f32, clamped_reciprocal)
SCALAR2F(pow_f32, power)

/* A product with the reciprocal. The divisor is a scalar: its plane is the same for every component. */
#define DIVIDE(name, word)                                                                                   \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t inverse[WARP_LANES];                                                           \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = SOURCE(op, 0, i), *b = SOURCE(op, 1, i);                                     \
            uint32_t *d = RESULT(op, i);                                                                     \
            if (i == 0 || op->src[1][i] != op->src[1][i - 1])                                                \
                LANE_LOOP inverse[l] = eval_sfu_rcp(word(b[l], 1));                                          \
            LANE_LOOP d[l] = num_multiply(word(a[l], 0), inverse[l]);                                        \
        }                                                                                                    \
    }
DIVIDE(div_f32, PLAIN_WORD)
DIVIDE(div_f32_signs, SIGNED_WORD)

/* x: the cosine, y: the sine. */
#define SCS(name, word)                                                                                      \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *a = SOURCE(op, 0, 0);                                                                \
        _Alignas(64) uint32_t all[4][WARP_LANES] = {{0}};                                                    \
        LANE_LOOP all[0][l] = eval_sfu_cos(word(a[l], 0));                                                   \
        LANE_LOOP all[1][l] = eval_sfu_sin(word(a[l], 0));                                                   \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = all[op->comp[i]][l];                                                            \
        }                                                                                                    \
    }
SCS(scs_f32, PLAIN_WORD)
SCS(scs_f32_signs, SIGNED_WORD)

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
#define ROW_ARB(op, f) {OP_##op, DT_F32, SEM_BOTH, 1 << PROFILE_ARBFP, 0, {.run = f, .run_signs = f##_signs}}

static const struct kernel_row rows[] = {
    ROW_F(RCP, F32, rcp_f32), ROW_ARB(RSQ, rsq_arb_f32), ROW_FOR(RSQ, F32, NVIDIA, rsq_f32),
    ROW_OPEN(RSQ, SPEC, rsq_f32, not_positive, "the square root of what is not above 0"),
    ROW_F(EX2, F32, ex2_f32), ROW_FOR(LG2, F32, NVIDIA, lg2_f32),
    ROW_OPEN(LG2, SPEC, lg2_f32, not_positive, "the logarithm of what is not above 0"),
    ROW_F(SIN, F32, sin_f32), ROW_F(COS, F32, cos_f32), ROW_F(RCC, F32, rcc_f32),
    ROW_FOR(POW, F32, NVIDIA, pow_f32), ROW_OPEN(POW, SPEC, pow_f32, negative,
                                                 "a power of a negative number"),
    ROW_FOR(DIV, F32, NVIDIA, div_f32), ROW_OPEN(SCS, NVIDIA, scs_f32, no_zw,
                                                 "the instruction has no z and w"),
    ROW_OPEN(SCS, SPEC, scs_f32, scs_undefined, "an angle beyond pi, or z and w"),
};
ROWS(eval_rows_special, rows);
