/* Products of vectors, and what is made of several components: every operand component is read before a
 * result is written.
 * The driver computes DP2 DP3 DP4 as a product and fused multiply-adds in the order x y z w; the last term
 * of DPH and DP2A has a rounding of its own. The spec variants add up the printed terms from left to
 * right, each step rounded. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/sfu.h"

static inline float fused(uint32_t a, uint32_t b, float c)
{
    return num_fma(num_float(a), num_float(b), c);
}

static inline float times(uint32_t a, uint32_t b)
{
    return num_mul(num_float(a), num_float(b));
}

/* ---- the operands of one lane -------------------------------------------------------------------------- */

#define COMPONENTS(k, name)                                                                                  \
    const uint32_t *name##x = SOURCE(op, k, 0), *name##y = SOURCE(op, k, 1);                                 \
    const uint32_t *name##z = SOURCE(op, k, 2), *name##w = SOURCE(op, k, 3);                                 \
    (void)name##x, (void)name##y, (void)name##z, (void)name##w
#define A(n) WORD(a##n[l], 0)
#define B(n) WORD(b##n[l], 1)
#define C(n) WORD(c##n[l], 2)

/* ---- one result ---------------------------------------------------------------------------------------- */

#define REDUCE(name, nsrc, value)                                                                            \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t r[WARP_LANES];                                                                 \
        COMPONENTS(0, a);                                                                                    \
        COMPONENTS((nsrc) > 1 ? 1 : 0, b);                                                                   \
        COMPONENTS((nsrc) > 2 ? 2 : 0, c);                                                                   \
        LANE_LOOP r[l] = num_result(value);                                                                  \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = r[l];                                                                           \
        }                                                                                                    \
    }

#define DP2_NVIDIA fused(A(y), B(y), times(A(x), B(x)))
#define DP3_NVIDIA fused(A(z), B(z), DP2_NVIDIA)
#define DP2_SPEC (times(A(x), B(x)) + times(A(y), B(y)))
#define DP3_SPEC (DP2_SPEC + times(A(z), B(z)))

#define WORD PLAIN_WORD
REDUCE(dp2_f32, 2, DP2_NVIDIA)
REDUCE(dp3_f32, 2, DP3_NVIDIA)
REDUCE(dp4_f32, 2, fused(A(w), B(w), DP3_NVIDIA))
REDUCE(dph_f32, 2, DP3_NVIDIA + num_float(B(w)))
REDUCE(dp2a_f32, 3, DP2_NVIDIA + num_float(C(x)))
REDUCE(dp2_spec_f32, 2, DP2_SPEC)
REDUCE(dp3_spec_f32, 2, DP3_SPEC)
REDUCE(dp4_spec_f32, 2, DP3_SPEC + times(A(w), B(w)))
REDUCE(dph_spec_f32, 2, DP3_SPEC + num_float(B(w)))
REDUCE(dp2a_spec_f32, 3, DP2_SPEC + num_float(C(x)))
#undef WORD
#define WORD SIGNED_WORD
REDUCE(dp2_f32_signs, 2, DP2_NVIDIA)
REDUCE(dp3_f32_signs, 2, DP3_NVIDIA)
REDUCE(dp4_f32_signs, 2, fused(A(w), B(w), DP3_NVIDIA))
REDUCE(dph_f32_signs, 2, DP3_NVIDIA + num_float(B(w)))
REDUCE(dp2a_f32_signs, 3, DP2_NVIDIA + num_float(C(x)))
REDUCE(dp2_spec_f32_signs, 2, DP2_SPEC)
REDUCE(dp3_spec_f32_signs, 2, DP3_SPEC)
REDUCE(dp4_spec_f32_signs, 2, DP3_SPEC + times(A(w), B(w)))
REDUCE(dph_spec_f32_signs, 2, DP3_SPEC + num_float(B(w)))
REDUCE(dp2a_spec_f32_signs, 3, DP2_SPEC + num_float(C(x)))
#undef WORD

/* ---- four results -------------------------------------------------------------------------------------- */

struct vec4 {
    uint32_t x, y, z, w;
};

#define BUILD(name, nsrc, statements)                                                                        \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t all[4][WARP_LANES];                                                            \
        COMPONENTS(0, a);                                                                                    \
        COMPONENTS((nsrc) > 1 ? 1 : 0, b);                                                                   \
        COMPONENTS((nsrc) > 2 ? 2 : 0, c);                                                                   \
        LANE_LOOP                                                                                            \
        {                                                                                                    \
            struct vec4 r;                                                                                   \
            statements                                                                                       \
            all[0][l] = r.x, all[1][l] = r.y, all[2][l] = r.z, all[3][l] = r.w;                              \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            const uint32_t *s = all[op->comp[i]];                                                            \
            LANE_LOOP d[l] = s[l];                                                                           \
        }                                                                                                    \
    }

#define DST_STATEMENTS r = (struct vec4){ONE32, num_multiply(A(y), B(y)), A(z), B(w)};

/* z and w are copied; with a sign that is arithmetic, as of a MOV. measured */
static inline uint32_t copied(uint32_t word, uint32_t clear, uint32_t flip)
{
    return !(clear | flip) ? word : num_is_nan(word) ? NUM_NAN32 : num_flush(word);
}

#define DST_SIGNED_STATEMENTS                                                                                \
    r = (struct vec4){ONE32, num_multiply(A(y), B(y)), copied(A(z), op->clear[0], op->flip[0]),              \
                      copied(B(w), op->clear[1], op->flip[1])};

static inline uint32_t cross(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return num_result(fused(a, b, -times(c, d)));
}

static inline uint32_t cross_spec(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return num_result(times(a, b) - times(c, d));
}

/* The driver swizzles zxyw and yzxw, and so computes a w too: 0, or NaN. */
#define XPD_WITH(cross)                                                                                      \
    r = (struct vec4){cross(A(y), B(z), A(z), B(y)), cross(A(z), B(x), A(x), B(z)),                          \
                      cross(A(x), B(y), A(y), B(x)),                                                         \
                      cross(A(w), B(w), A(w), B(w))};

static inline uint32_t transform(uint32_t a, uint32_t bx, uint32_t cx, uint32_t by, uint32_t cy)
{
    return num_result(fused(by, cy, fused(bx, cx, num_float(a))));
}

static inline uint32_t transform_spec(uint32_t a, uint32_t bx, uint32_t cx, uint32_t by, uint32_t cy)
{
    return num_result(num_float(a) + times(bx, cx) + times(by, cy));
}

#define X2D_WITH(transform)                                                                                  \
    r.x = r.z = transform(A(x), B(x), C(x), B(y), C(y));                                                     \
    r.y = r.w = transform(A(y), B(x), C(z), B(y), C(w));

/* The driver scales all four components. */
#define NRM_STATEMENTS                                                                                       \
    uint32_t s = eval_sfu_rsq(num_result(fused(A(z), A(z), fused(A(y), A(y), times(A(x), A(x))))));          \
    r = (struct vec4){num_multiply(A(x), s), num_multiply(A(y), s), num_multiply(A(z), s),                   \
                      num_multiply(A(w), s)};

/* a: axis, b: direction. */
#define RFL_STATEMENTS                                                                                       \
    uint32_t aa = num_result(fused(A(z), A(z), fused(A(y), A(y), times(A(x), A(x)))));                       \
    uint32_t ab = num_result(fused(A(z), B(z), fused(A(y), B(y), times(A(x), B(x)))));                       \
    uint32_t s = num_multiply(num_result(num_float(ab) * 2.0f), eval_sfu_rcp(aa));                           \
    r = (struct vec4){num_result(fused(s, A(x), -num_float(B(x)))),                                          \
                      num_result(fused(s, A(y), -num_float(B(y)))),                                          \
                      num_result(fused(s, A(z), -num_float(B(z)))), 0};

/* Where denormals are flushed they compare as zeros. */
static inline uint32_t largest(uint32_t a, uint32_t b)
{
    float x = num_float(a), y = num_float(b);
    return x > y ? a : b;
}

/* The rough power of LIT, with the exponent kept within [-128, 128]; 0 to the 0 is 1. */
static inline uint32_t shine(uint32_t x, uint32_t y, uint32_t w)
{
    float limit = 128, e = num_float(w);
    e = e > -limit ? e : -limit;
    e = e < limit ? e : limit;
    uint32_t power = eval_sfu_ex2(num_multiply(num_word(e), eval_sfu_lg2(largest(y, 0))));
    power = num_float(w) != 0.0f ? power : ONE32;
    return num_float(x) > 0.0f ? power : 0;
}

#define LIT_STATEMENTS r = (struct vec4){ONE32, largest(A(x), 0), shine(A(x), A(y), A(w)), ONE32};

#define WORD PLAIN_WORD
BUILD(dst_f32, 2, DST_STATEMENTS)
BUILD(dst_spec_f32, 2, DST_STATEMENTS)
BUILD(xpd_f32, 2, XPD_WITH(cross))
BUILD(xpd_spec_f32, 2, XPD_WITH(cross_spec))
BUILD(x2d_f32, 3, X2D_WITH(transform))
BUILD(x2d_spec_f32, 3, X2D_WITH(transform_spec))
BUILD(nrm_f32, 1, NRM_STATEMENTS)
BUILD(rfl_f32, 2, RFL_STATEMENTS)
BUILD(lit_f32, 1, LIT_STATEMENTS)
#undef WORD
#define WORD SIGNED_WORD
BUILD(dst_f32_signs, 2, DST_SIGNED_STATEMENTS)
BUILD(dst_spec_f32_signs, 2, DST_STATEMENTS)
BUILD(xpd_f32_signs, 2, XPD_WITH(cross))
BUILD(xpd_spec_f32_signs, 2, XPD_WITH(cross_spec))
BUILD(x2d_f32_signs, 3, X2D_WITH(transform))
BUILD(x2d_spec_f32_signs, 3, X2D_WITH(transform_spec))
BUILD(nrm_f32_signs, 1, NRM_STATEMENTS)
BUILD(rfl_f32_signs, 2, RFL_STATEMENTS)
BUILD(lit_f32_signs, 1, LIT_STATEMENTS)
#undef WORD

static void no_w(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    (void)base;
    for (unsigned i = 0; i < op->n; i++)
        lanes[i] = op->comp[i] == 3 ? ALL_LANES : 0;
}

#define ROW_BOTH(op, f) ROW_FOR(op, F32, NVIDIA, f##_f32), ROW_FOR(op, F32, SPEC, f##_spec_f32)
#define ROW_NO_W(op, who, f)                                                                                 \
    {OP_##op, DT_F32, SEM_##who, 0, 0,                                                                       \
     {.run = f, .run_signs = f##_signs, .undefined = no_w, .why = "the instruction has no w"}}

static const struct kernel_row rows[] = {
    ROW_BOTH(DP2, dp2), ROW_BOTH(DP3, dp3), ROW_BOTH(DP4, dp4), ROW_BOTH(DPH, dph), ROW_BOTH(DP2A, dp2a),
    ROW_BOTH(DST, dst), ROW_BOTH(X2D, x2d), ROW_F(LIT, F32, lit_f32),
    ROW_FOR(XPD, F32, NVIDIA, xpd_f32), ROW_NO_W(XPD, SPEC, xpd_spec_f32),
    ROW_FOR(NRM, F32, NVIDIA, nrm_f32), ROW_NO_W(NRM, SPEC, nrm_f32),
    ROW_NO_W(RFL, BOTH, rfl_f32),
};
ROWS(eval_rows_vector, rows);
