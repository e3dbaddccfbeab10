/* Half arithmetic of several steps as the driver does it (measured: docs/numbers.md): operands are rounded to half, and
 * so is every step; the approximated functions are cut off. Values are singles that a half can hold. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/sfu.h"

#include <math.h>

static inline uint32_t times(uint32_t a, uint32_t b)
{
    return sfu_round_half(num_result(num_float(a) * num_float(b)));
}

/* One rounding: the sum of a product and a half in a double, brought to a single so that the last bit says whether more
 * stood below. */
static inline uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    double sum = (double)num_float(a) * num_float(b) + num_float(c);
    float single = (float)sum;
    uint32_t w = num_word(single);
    if (sum - sum != 0 || single - single != 0 || (double)single == sum)
        return sfu_round_half(w);
    if (((double)single > sum) == !(w & SIGN32))
        w--;
    return sfu_round_half(w | 1);
}

static inline uint32_t plus(uint32_t a, uint32_t b)
{
    return fused(a, 0x3f800000, b);
}

static inline uint32_t negative(uint32_t a)
{
    return a ^ SIGN32;
}

static uint32_t dot(const uint32_t *a, const uint32_t *b, unsigned n)
{
    uint32_t r = times(a[0], b[0]);
    for (unsigned i = 1; i < n; i++)
        r = fused(a[i], b[i], r);
    return r;
}

/* a[i] b[j] - a[j] b[i] */
static uint32_t minor(const uint32_t *a, const uint32_t *b, unsigned i, unsigned j)
{
    return fused(a[i], b[j], negative(times(a[j], b[i])));
}

static uint32_t bounded(uint32_t q)
{
    uint32_t m = q & ~SIGN32;
    m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 && m <= EXP32 ? 0x5f800000 : m;
    return sfu_round_half(m | (q & SIGN32));
}

/* ---- one operation on the operands of one lane: as written, and rounded ------------------------------------------ */

struct operands {
    uint32_t raw[3][4], a[4], b[4], c[4];
};

static void mad(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = fused(o->a[i], o->b[i], o->c[i]);
}

static void lrp(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = fused(o->a[i], plus(o->b[i], negative(o->c[i])), o->c[i]);
}

static void quotient(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = times(o->a[i], eval_sfu_rcp_half(o->raw[1][i]));
}

/* The driver's FLR and CEIL take the low 16 bits of the result's word, a single, for a half. */
static void low_half(const struct operands *o, uint32_t r[4], float (*to)(float))
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = num_from_half(num_result(to(num_float(o->a[i]))) & 0xffff);
}

static void floor_half(const struct operands *o, uint32_t r[4]) { low_half(o, r, floorf); }
static void ceil_half(const struct operands *o, uint32_t r[4]) { low_half(o, r, ceilf); }

/* Into SHORT variables they are right. */
static void whole(const struct operands *o, uint32_t r[4], float (*to)(float))
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = num_result(to(num_float(o->a[i])));
}

static void floor_whole(const struct operands *o, uint32_t r[4]) { whole(o, r, floorf); }
static void ceil_whole(const struct operands *o, uint32_t r[4]) { whole(o, r, ceilf); }

static void same(uint32_t r[4], uint32_t word)
{
    r[0] = r[1] = r[2] = r[3] = word;
}

static void dp2(const struct operands *o, uint32_t r[4]) { same(r, dot(o->a, o->b, 2)); }
static void dp3(const struct operands *o, uint32_t r[4]) { same(r, dot(o->a, o->b, 3)); }
static void dp4(const struct operands *o, uint32_t r[4]) { same(r, dot(o->a, o->b, 4)); }
static void dph(const struct operands *o, uint32_t r[4]) { same(r, plus(dot(o->a, o->b, 3), o->b[3])); }
static void dp2a(const struct operands *o, uint32_t r[4]) { same(r, plus(dot(o->a, o->b, 2), o->c[0])); }
static void rcp(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_rcp_half(o->raw[0][0])); }
static void rsq(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_rsq_half(o->raw[0][0])); }
static void ex2(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_ex2_half(o->raw[0][0])); }
static void lg2(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_lg2_half(o->raw[0][0])); }
static void sine(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_sin_half(o->raw[0][0])); }
static void cosine(const struct operands *o, uint32_t r[4]) { same(r, eval_sfu_cos_half(o->raw[0][0])); }
static void rcc(const struct operands *o, uint32_t r[4]) { same(r, bounded(eval_sfu_rcp_half(o->raw[0][0]))); }

static void power(const struct operands *o, uint32_t r[4])
{
    same(r, eval_sfu_ex2_half(times(o->b[0], eval_sfu_lg2_half(o->raw[0][0]))));
}

static void scs(const struct operands *o, uint32_t r[4])
{
    r[0] = eval_sfu_cos_half(o->raw[0][0]);
    r[1] = eval_sfu_sin_half(o->raw[0][0]);
    r[2] = r[3] = 0;
}

static void dst(const struct operands *o, uint32_t r[4])
{
    r[0] = 0x3f800000;
    r[1] = times(o->a[1], o->b[1]);
    r[2] = o->raw[0][2];
    r[3] = o->raw[1][3];
}

static void nrm(const struct operands *o, uint32_t r[4])
{
    uint32_t scale = eval_sfu_rsq_half(dot(o->a, o->a, 3));
    for (unsigned i = 0; i < 4; i++)
        r[i] = times(o->a[i], scale);
}

static void rfl(const struct operands *o, uint32_t r[4])
{
    uint32_t twice = times(dot(o->a, o->b, 3), 0x40000000), scale = times(twice, eval_sfu_rcp_half(dot(o->a, o->a, 3)));
    for (unsigned i = 0; i < 3; i++)
        r[i] = fused(scale, o->a[i], negative(o->b[i]));
    r[3] = 0;
}

static void xpd(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 3; i++)
        r[i] = minor(o->a, o->b, (i + 1) % 3, (i + 2) % 3);
    r[3] = minor(o->a, o->b, 3, 3);
}

/* Into SHORT variables the second product is one of singles. */
static uint32_t minor_of_singles(const struct operands *o, unsigned i, unsigned j)
{
    return fused(o->a[i], o->b[j],
                 negative(sfu_round_half(num_multiply(num_flush(o->raw[0][j]), num_flush(o->raw[1][i])))));
}

static void xpd_short(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 3; i++)
        r[i] = minor_of_singles(o, (i + 1) % 3, (i + 2) % 3);
    r[3] = minor_of_singles(o, 3, 3);
}

/* With .SSAT the first product and the sum are of singles, the second product still one of halves. */
static uint32_t minor_as_single(const struct operands *o, unsigned i, unsigned j)
{
    uint32_t product = times(o->a[j], o->b[i]);

    return num_result(num_fma(num_float(o->raw[0][i]), num_float(o->raw[1][j]), -num_float(product)));
}

static void xpd_single(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 3; i++)
        r[i] = minor_as_single(o, (i + 1) % 3, (i + 2) % 3);
    r[3] = minor_as_single(o, 3, 3);
}

static void x2d(const struct operands *o, uint32_t r[4])
{
    r[0] = r[2] = fused(o->b[1], o->c[1], fused(o->b[0], o->c[0], o->a[0]));
    r[1] = r[3] = fused(o->b[1], o->c[3], fused(o->b[0], o->c[2], o->a[1]));
}

static void ssg(const struct operands *o, uint32_t r[4])
{
    for (unsigned i = 0; i < 4; i++)
        r[i] = num_float(o->a[i]) > 0 ? 0x3f800000 : num_float(o->a[i]) < 0 ? 0xbf800000 : 0;
}

static bool is_above(uint32_t a, float b)
{
    return num_float(a) > b;
}

/* Into SHORT variables; the exponent is kept within [-128, 128], and 0 to the 0 is 1. */
static void lit_short(const struct operands *o, uint32_t r[4])
{
    uint32_t limit = 0x43000000, e = o->a[3];

    e = is_above(e, -128) ? e : limit | SIGN32;
    e = num_float(e) < 128 ? e : limit;
    r[0] = r[3] = 0x3f800000;
    r[1] = is_above(o->a[0], 0) ? o->a[0] : 0;
    r[2] = !is_above(o->a[0], 0) ? 0 : num_float(o->a[3]) == 0 ? 0x3f800000
               : eval_sfu_ex2_half(times(e, eval_sfu_lg2_half(is_above(o->a[1], 0) ? o->a[1] : 0)));
}

/* Elsewhere the driver's power is always 0. */
static void lit(const struct operands *o, uint32_t r[4])
{
    r[0] = r[3] = 0x3f800000;
    r[1] = num_float(o->a[0]) > 0 ? o->a[0] : 0;
    r[2] = 0;
}

/* ---- over the lanes ---------------------------------------------------------------------------------------------- */

typedef void half_fn(const struct operands *o, uint32_t r[4]);

static inline void lanes(uint32_t *base, const struct lane_op *op, unsigned nsrc, bool each, half_fn *compute)
{
    _Alignas(64) uint32_t result[4][WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++) {
        struct operands o = {.raw = {{0}}};
        uint32_t r[4], *rounded[3] = {o.a, o.b, o.c};
        for (unsigned k = 0; k < nsrc; k++)
            for (unsigned i = 0; i < 4; i++) {
                o.raw[k][i] = SIGNED_WORD(PLANE(base, op->src[k][i])[l], k);
                rounded[k][i] = sfu_round_half(o.raw[k][i]);
            }
        compute(&o, r);
        for (unsigned i = 0; i < op->n; i++)
            result[i][l] = r[each ? i : op->comp[i]];
    }
    for (unsigned i = 0; i < op->n; i++) {
        uint32_t *d = RESULT(op, i);
        LANE_LOOP d[l] = result[i][l];
    }
}

#define HALF(name, nsrc, each, f)                                                                            \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        lanes(base, op, nsrc, each, f);                                                                      \
    }
HALF(mad_f16, 3, true, mad)
HALF(lrp_f16, 3, true, lrp)
HALF(div_f16, 2, true, quotient)
HALF(flr_f16, 1, true, floor_half)
HALF(ceil_f16, 1, true, ceil_half)
HALF(flr_short, 1, true, floor_whole)
HALF(ceil_short, 1, true, ceil_whole)
HALF(dp2_f16, 2, false, dp2)
HALF(dp3_f16, 2, false, dp3)
HALF(dp4_f16, 2, false, dp4)
HALF(dph_f16, 2, false, dph)
HALF(dp2a_f16, 3, false, dp2a)
HALF(rcp_f16, 1, false, rcp)
HALF(rsq_f16, 1, false, rsq)
HALF(ex2_f16, 1, false, ex2)
HALF(lg2_f16, 1, false, lg2)
HALF(sin_f16, 1, false, sine)
HALF(cos_f16, 1, false, cosine)
HALF(rcc_f16, 1, false, rcc)
HALF(pow_f16, 2, false, power)
HALF(scs_f16, 1, false, scs)
HALF(dst_f16, 2, false, dst)
HALF(nrm_f16, 1, false, nrm)
HALF(rfl_f16, 2, false, rfl)
HALF(xpd_f16, 2, false, xpd)
HALF(xpd_f16_short, 2, false, xpd_short)
HALF(xpd_f32_single, 2, false, xpd_single)
HALF(x2d_f16, 3, false, x2d)
HALF(lit_f16, 1, false, lit)
HALF(lit_f16_short, 1, false, lit_short)
HALF(ssg_f16, 1, true, ssg)

/* The driver gives what stands in a register that the program did not write (tests/tools/opsweep.h). */
static void nothing_written(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    (void)base;
    for (unsigned i = 0; i < op->n; i++)
        lanes[i] = UINT32_MAX;
}

static void short_f32(uint32_t *base, const struct lane_op *op)
{
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *a = SOURCE(op, 0, i);
        uint32_t *d = RESULT(op, i);
        LANE_LOOP d[l] = num_to_half(a[l]);
    }
}

static void copy_f32(uint32_t *base, const struct lane_op *op)
{
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *a = SOURCE(op, 0, i);
        uint32_t *d = RESULT(op, i);
        LANE_LOOP d[l] = a[l];
    }
}

static void low_of_word(uint32_t *base, const struct lane_op *op)
{
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *word = SOURCE(op, 1, i);
        uint32_t *d = RESULT(op, i);
        LANE_LOOP d[l] = word[l] & 0xffff;
    }
}

#define ROW_OPEN(op, f, reason)                                                           \
    {                                                                                     \
        EVAL_OP_##op, DT_F32, SEM_NVIDIA, 0, 0,                                           \
        {                                                                                 \
            .run = f, .keep_denormals = true, .undefined = nothing_written, .why = reason \
        }                                                                                 \
    }
#define ROW_H(op, f)                                                                                         \
    {OP_##op, DT_F16, SEM_NVIDIA, 0, 0, {.run = f, .run_signs = f, .keep_denormals = true}}
static const struct kernel_row rows[] = {
    ROW_H(MAD, mad_f16), ROW_H(LRP, lrp_f16), ROW_H(DIV, div_f16), ROW_H(FLR, flr_f16), ROW_H(CEIL, ceil_f16),
    ROW_H(DP2, dp2_f16), ROW_H(DP3, dp3_f16), ROW_H(DP4, dp4_f16), ROW_H(DPH, dph_f16), ROW_H(DP2A, dp2a_f16),
    ROW_H(RCP, rcp_f16), ROW_H(RSQ, rsq_f16), ROW_H(EX2, ex2_f16), ROW_H(LG2, lg2_f16), ROW_H(SIN, sin_f16),
    ROW_H(COS, cos_f16), ROW_H(RCC, rcc_f16), ROW_H(POW, pow_f16), ROW_H(SCS, scs_f16), ROW_H(DST, dst_f16),
    ROW_H(NRM, nrm_f16), ROW_H(RFL, rfl_f16), ROW_H(XPD, xpd_f16), ROW_H(X2D, x2d_f16), ROW_H(LIT, lit_f16),
    /* INSN_HI: into a SHORT variable, or half arithmetic done in singles (eval/decode/alu.c) */
    {OP_XPD, DT_F16, SEM_NVIDIA, 0, INSN_HI,
     {.run = xpd_f16_short, .run_signs = xpd_f16_short, .keep_denormals = true}},
    {OP_XPD, DT_F32, SEM_NVIDIA, 0, INSN_HI, {.run = xpd_f32_single, .run_signs = xpd_f32_single}},
    {OP_LIT, DT_F16, SEM_NVIDIA, 0, INSN_HI,
     {.run = lit_f16_short, .run_signs = lit_f16_short, .keep_denormals = true}},
    {OP_FLR, DT_F16, SEM_NVIDIA, 0, INSN_HI, {.run = flr_short, .run_signs = flr_short, .keep_denormals = true}},
    {OP_CEIL, DT_F16, SEM_NVIDIA, 0, INSN_HI, {.run = ceil_short, .run_signs = ceil_short, .keep_denormals = true}},
    {OP_SSG, DT_F16, SEM_NVIDIA, 0, 0,
     {.run = ssg_f16, .run_signs = ssg_f16, .keep_denormals = true, .undefined = nothing_written,
      .why = "of halves the driver gives a register that nobody wrote"}},
    ROW_OPEN(SHORT, short_f32, "the driver leaves other bits above a half in a SHORT variable"),
    {EVAL_OP_LOW, DT_F32, SEM_NVIDIA, 0, 0, {.run = low_of_word, .keep_denormals = true}},
    ROW_OPEN(ABOVE, copy_f32, "the driver leaves other bits above a half that CVT clamps"),
    ROW_OPEN(UPPER, copy_f32,
     "in a subroutine the driver writes the low word of a LONG variable alone: 1 where it is true, or -1"),
    ROW_OPEN(STRAY, copy_f32,
     "of halves in a buffer the driver gives nothing back to a LONG variable but what stood in a register"),
    ROW_OPEN(LOST, copy_f32, "the driver clamps a half to other bounds than -1 and 1"),
};
ROWS(eval_rows_half, rows);
