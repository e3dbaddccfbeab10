/* The functions that the texts leave to be approximated, as exact mathematics has them, rounded once: semantics IDEAL.
 * They are computed with 64 bits of precision or more, of which a float takes 24: only what lies within 2^-39 of the
 * middle between two floats could be rounded the other way. tests/unit/kernels/test_ideal.c holds them against MPFR. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"

#include <float.h>
#include <math.h>

_Static_assert(LDBL_MANT_DIG >= 64, "long double has no more bits than double here: another type is needed");

typedef long double real;

static inline real of(uint32_t word) { return num_float(word); }
static inline uint32_t rounded(real r) { return num_result((float)r); }

static inline uint32_t rcp(uint32_t a) { return rounded(1 / of(a)); }
static inline uint32_t rsq(uint32_t a) { return rounded(1 / sqrtl(of(a))); }
static inline uint32_t rsq_arb(uint32_t a) { return rounded(1 / sqrtl(fabsl(of(a)))); }
static inline uint32_t ex2(uint32_t a) { return rounded(exp2l(of(a))); }
static inline uint32_t lg2(uint32_t a) { return rounded(log2l(of(a))); }
static inline uint32_t sine(uint32_t a) { return rounded(sinl(of(a))); }
static inline uint32_t cosine(uint32_t a) { return rounded(cosl(of(a))); }
static inline uint32_t power(uint32_t a, uint32_t b) { return of(a) < 0 ? NUM_NAN32 : rounded(powl(of(a), of(b))); }
static inline uint32_t rcc(uint32_t a)
{
    real r = fabsl(1 / of(a));
    return rounded(copysignl(r < 0x1p-64L ? 0x1p-64L : r > 0x1p64L ? 0x1p64L : r, of(a)));
}

SCALAR1F(ideal_rcp, rcp)
SCALAR1F(ideal_rsq, rsq)
SCALAR1F(ideal_rsq_arb, rsq_arb)
SCALAR1F(ideal_ex2, ex2)
SCALAR1F(ideal_lg2, lg2)
SCALAR1F(ideal_sin, sine)
SCALAR1F(ideal_cos, cosine)
SCALAR1F(ideal_rcc, rcc)
SCALAR2F(ideal_pow, power)

/* ---- vectors: r from the components of a and b --------------------------------------------------------------- */

#define VECTOR(name, operands, statements)                                                                   \
    VECTOR_KERNEL(name, operands, PLAIN_WORD, statements)                                                    \
    VECTOR_KERNEL(name##_signs, operands, SIGNED_WORD, statements)
#define VECTOR_KERNEL(name, operands, word, statements)                                                      \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        uint32_t all[4][WARP_LANES];                                                                         \
        LANE_LOOP                                                                                            \
        {                                                                                                    \
            uint32_t a[4], b[4], r[4] = {0, 0, 0, ONE32};                                                    \
            for (unsigned c = 0; c < 4; c++) {                                                               \
                a[c] = word(SOURCE(op, 0, c)[l], 0);                                                         \
                b[c] = (operands) > 1 ? word(SOURCE(op, 1, c)[l], 1) : 0;                                    \
            }                                                                                                \
            (void)b;                                                                                         \
            statements;                                                                                      \
            for (unsigned c = 0; c < 4; c++)                                                                 \
                all[c][l] = r[c];                                                                            \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++)                                                                 \
            LANE_LOOP RESULT(op, i)[l] = all[op->comp[i]][l];                                                \
    }

static inline real dot3(const uint32_t *a, const uint32_t *b)
{
    return of(a[0]) * of(b[0]) + of(a[1]) * of(b[1]) + of(a[2]) * of(b[2]);
}

/* The exponent of |a|, its mantissa from 1 on, its logarithm. */
static inline void logarithm(uint32_t r[4], uint32_t a)
{
    real m = fabsl(of(a)), whole = logbl(m);
    r[0] = rounded(whole);
    r[1] = m > 0 && m < (real)INFINITY ? rounded(scalbnl(m, -(int)whole)) : ONE32;
    r[2] = rounded(log2l(m));
}

static inline void lit(uint32_t r[4], const uint32_t a[4])
{
    real x = of(a[0]), y = of(a[1]), w = of(a[3]);
    r[0] = ONE32;
    r[1] = x > 0 ? a[0] : 0;
    r[2] = x > 0 ? rounded(powl(y > 0 ? y : 0, w < -128 ? -128 : w > 128 ? 128 : w)) : 0;
}

/* 2 (a.b) / (a.a) a - b */
static inline void reflect(uint32_t r[4], const uint32_t a[4], const uint32_t b[4])
{
    real s = 2 * dot3(a, b) / dot3(a, a);
    for (unsigned c = 0; c < 3; c++)
        r[c] = rounded(s * of(a[c]) - of(b[c]));
}

VECTOR(ideal_scs, 1, (r[0] = cosine(a[0]), r[1] = sine(a[0])))
VECTOR(ideal_exp, 1, (r[0] = rounded(exp2l(floorl(of(a[0])))), r[1] = rounded(of(a[0]) - floorl(of(a[0]))),
                      r[2] = ex2(a[0])))
VECTOR(ideal_log, 1, logarithm(r, a[0]))
VECTOR(ideal_lit, 1, lit(r, a))
VECTOR(ideal_nrm, 1, for (unsigned c = 0; c < 3; c++) r[c] = rounded(of(a[c]) / sqrtl(dot3(a, a))))
VECTOR(ideal_rfl, 2, reflect(r, a, b))

#define ROW(op, f) {OP_##op, DT_F32, SEM_SPEC, 0, 0, {.run = f, .run_signs = f##_signs}}
static const struct kernel_row rows[] = {
    {OP_RSQ, DT_F32, SEM_SPEC, ROOT_OF_MAGNITUDE, 0, {.run = ideal_rsq_arb, .run_signs = ideal_rsq_arb_signs}},
    ROW(RCP, ideal_rcp), ROW(RSQ, ideal_rsq), ROW(EX2, ideal_ex2), ROW(LG2, ideal_lg2), ROW(SIN, ideal_sin),
    ROW(COS, ideal_cos), ROW(RCC, ideal_rcc), ROW(POW, ideal_pow), ROW(SCS, ideal_scs), ROW(EXP, ideal_exp),
    ROW(LOG, ideal_log), ROW(LIT, ideal_lit), ROW(NRM, ideal_nrm), ROW(RFL, ideal_rfl),
};
ROWS(eval_rows_ideal, rows);
