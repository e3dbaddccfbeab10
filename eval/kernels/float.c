/* F32 by component: arithmetic, selection, rounding. Denormals are the floating-point mode's business
 * (eval/kernels/kernel.h), but where a result is chosen and not computed: there the nvidia variants flush. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/half.h"

static inline uint32_t add(uint32_t a, uint32_t b)
{
    return num_result(num_float(a) + num_float(b));
}

static inline uint32_t sub(uint32_t a, uint32_t b)
{
    return num_result(num_float(a) - num_float(b));
}

static inline uint32_t mul(uint32_t a, uint32_t b)
{
    return num_result(num_mul(num_float(a), num_float(b)));
}

static inline uint32_t mad(uint32_t a, uint32_t b, uint32_t c)
{
    return num_result(num_fma(num_float(a), num_float(b), num_float(c)));
}

static inline uint32_t mad_spec(uint32_t a, uint32_t b, uint32_t c)
{
    return num_result(num_mul(num_float(a), num_float(b)) + num_float(c));
}

static inline uint32_t move(uint32_t a)
{
    return a;
}

/* A copy with a sign is arithmetic. */
static inline uint32_t move_signed(uint32_t a)
{
    return num_is_nan(a) ? NUM_NAN32 : num_flush(a);
}

static inline uint32_t absolute_spec(uint32_t a)
{
    return a & ~SIGN32;
}

static inline uint32_t absolute(uint32_t a)
{
    return num_is_nan(a) ? NUM_NAN32 : num_flush(a) & ~SIGN32;
}

/* The number where one operand is NaN; -0 is below +0. Denormals compare as zeros and are flushed at the
 * end. */
#define EXTREME(name, below, equal)                                                                          \
    static inline uint32_t name(uint32_t a, uint32_t b)                                                      \
    {                                                                                                        \
        float x = num_float(a), y = num_float(b);                                                            \
        uint32_t r = x below y ? a : b;                                                                      \
        r = x == y ? a equal b : r;                                                                          \
        r = y != y ? a : r;                                                                                  \
        return num_is_nan(r) ? NUM_NAN32 : num_flush(r);                                                     \
    }
EXTREME(least, <, |)
EXTREME(greatest, >, &)

/* The printed ternaries. */
static inline uint32_t least_spec(uint32_t a, uint32_t b)
{
    return num_float(a) > num_float(b) ? b : a;
}

static inline uint32_t greatest_spec(uint32_t a, uint32_t b)
{
    return num_float(a) > num_float(b) ? a : b;
}

/* A copy: denormals stay. A NaN selects the second operand, as not being at or above 0. */
static inline uint32_t compare(uint32_t a, uint32_t b, uint32_t c)
{
    return num_float(a) >= 0.0f ? c : b;
}

static inline uint32_t compare_spec(uint32_t a, uint32_t b, uint32_t c)
{
    return num_float(a) < 0.0f ? b : c;
}

/* measured: fused, but under .PREC */
static inline uint32_t lerp(uint32_t a, uint32_t b, uint32_t c)
{
    return num_result(num_fma(num_float(a), num_float(b) - num_float(c), num_float(c)));
}

static inline uint32_t lerp_precise(uint32_t a, uint32_t b, uint32_t c)
{
    return num_result(num_mul(num_float(a), num_float(b) - num_float(c)) + num_float(c));
}

static inline uint32_t lerp_spec(uint32_t a, uint32_t b, uint32_t c)
{
    return num_result(num_mul(num_float(a), num_float(b)) + num_mul(1.0f - num_float(a), num_float(c)));
}

static inline uint32_t divide_spec(uint32_t a, uint32_t b)
{
    return num_result(num_div(num_float(a), num_float(b)));
}

static inline uint32_t sign_of(uint32_t a)
{
    float x = num_float(a);
    return x > 0.0f ? ONE32 : x < 0.0f ? ONE32 | SIGN32 : 0;
}

static inline uint32_t floor_of(uint32_t a)
{
    return num_result(num_floor(num_float(num_flush(a))));
}

static inline uint32_t ceil_of(uint32_t a)
{
    return num_result(num_ceil(num_float(num_flush(a))));
}

static inline uint32_t floor_spec(uint32_t a)
{
    return num_result(num_floor(num_float(a)));
}

static inline uint32_t ceil_spec(uint32_t a)
{
    return num_result(num_ceil(num_float(a)));
}

static inline uint32_t trunc_of(uint32_t a)
{
    return num_result(num_trunc(num_float(a)));
}

static inline uint32_t round_of(uint32_t a)
{
    return num_result(num_rint(num_float(a)));
}

static inline uint32_t fraction(uint32_t a)
{
    return num_result(num_float(a) - num_floor(num_float(num_flush(a))));
}

static inline uint32_t fraction_spec(uint32_t a)
{
    return num_result(num_float(a) - num_floor(num_float(a)));
}

/* A NaN becomes 0 here and -1 below: of a NaN and a bound, the bound is taken. */
static inline uint32_t saturate(uint32_t a)
{
    float x = num_float(a);
    return x > 0.0f ? x < 1.0f ? num_word(x) : ONE32 : 0;
}

static inline uint32_t saturate_signed(uint32_t a)
{
    float x = num_float(a);
    return x > -1.0f ? x < 1.0f ? num_flush(a) : ONE32 : ONE32 | SIGN32;
}

static inline uint32_t saturate_spec(uint32_t a)
{
    float x = num_float(a);
    return x < 0.0f ? 0 : x > 1.0f ? ONE32 : a;
}

static inline uint32_t saturate_signed_spec(uint32_t a)
{
    float x = num_float(a);
    return x < -1.0f ? ONE32 | SIGN32 : x > 1.0f ? ONE32 : a;
}

static inline uint32_t round_to_half(uint32_t a)
{
    return num_from_half(num_to_half(a));
}

EACH1F(half_f32, round_to_half)
EACH2F(add_f32, add)
EACH2F(sub_f32, sub)
EACH2F(mul_f32, mul)
EACH3F(mad_f32, mad)
EACH3F(mad_spec_f32, mad_spec)
EACH1(mov_f32, move)
EACH_KERNEL(mov_f32_signs, 1, move_signed(SIGNED_WORD(a[l], 0)))
EACH1F(mov_spec_f32, move)
EACH1F(abs_f32, absolute)
EACH1F(abs_spec_f32, absolute_spec)
EACH2F(min_f32, least)
EACH2F(max_f32, greatest)
EACH2F(min_spec_f32, least_spec)
EACH2F(max_spec_f32, greatest_spec)
EACH3F(cmp_f32, compare)
EACH3F(cmp_spec_f32, compare_spec)
EACH3F(lrp_f32, lerp)
EACH3F(lrp_precise_f32, lerp_precise)
EACH3F(lrp_spec_f32, lerp_spec)
EACH2F(div_spec_f32, divide_spec)
EACH1F(ssg_f32, sign_of)
EACH1F(flr_f32, floor_of)
EACH1F(ceil_f32, ceil_of)
EACH1F(flr_spec_f32, floor_spec)
EACH1F(ceil_spec_f32, ceil_spec)
EACH1F(trunc_f32, trunc_of)
EACH1F(round_f32, round_of)
EACH1F(frc_f32, fraction)
EACH1F(frc_spec_f32, fraction_spec)
EACH1F(sat_f32, saturate)
EACH1F(ssat_f32, saturate_signed)
EACH1F(sat_spec_f32, saturate_spec)
EACH1F(ssat_spec_f32, saturate_signed_spec)

static const struct kernel_row rows[] = {
    ROW_FOR(MOV, F32, NVIDIA, mov_f32), ROW_FOR(MOV, F32, SPEC, mov_spec_f32),
    ROW_FOR(ABS, F32, NVIDIA, abs_f32), ROW_FOR(ABS, F32, SPEC, abs_spec_f32),
    ROW_F(ADD, F32, add_f32), ROW_F(SUB, F32, sub_f32), ROW_F(MUL, F32, mul_f32),
    ROW_FOR(MAD, F32, NVIDIA, mad_f32), ROW_FOR(MAD, F32, SPEC, mad_spec_f32),
    ROW_FOR(MIN, F32, NVIDIA, min_f32), ROW_FOR(MIN, F32, SPEC, min_spec_f32),
    ROW_FOR(MAX, F32, NVIDIA, max_f32), ROW_FOR(MAX, F32, SPEC, max_spec_f32),
    ROW_FOR(CMP, F32, NVIDIA, cmp_f32), ROW_FOR(CMP, F32, SPEC, cmp_spec_f32),
    {OP_LRP, DT_F32, SEM_NVIDIA, 0, INSN_PREC, {.run = lrp_precise_f32, .run_signs = lrp_precise_f32_signs}},
    ROW_FOR(LRP, F32, NVIDIA, lrp_f32), ROW_FOR(LRP, F32, SPEC, lrp_spec_f32),
    ROW_FOR(DIV, F32, SPEC, div_spec_f32), ROW_F(SSG, F32, ssg_f32),
    ROW_FOR(FLR, F32, NVIDIA, flr_f32), ROW_FOR(FLR, F32, SPEC, flr_spec_f32),
    ROW_FOR(CEIL, F32, NVIDIA, ceil_f32), ROW_FOR(CEIL, F32, SPEC, ceil_spec_f32),
    ROW_F(TRUNC, F32, trunc_f32), ROW_F(ROUND, F32, round_f32),
    ROW_FOR(FRC, F32, NVIDIA, frc_f32), ROW_FOR(FRC, F32, SPEC, frc_spec_f32),
    /* .F16 changes nothing here: the driver rounds neither operand nor result. measured */
    ROW_FOR(MOV, F16, NVIDIA, mov_f32), ROW_FOR(ABS, F16, NVIDIA, abs_f32),
    ROW_FOR(ROUND, F16, NVIDIA, round_f32),
    ROW_FOR(TRUNC, F16, NVIDIA, trunc_f32),
    {EVAL_OP_HALF, DT_F32, SEM_BOTH, 0, 0, {.run = half_f32, .run_signs = half_f32_signs,
                                            .keep_denormals = true}},
    {EVAL_OP_SAT, DT_F32, SEM_NVIDIA, 0, 0, {.run = sat_f32, .run_signs = sat_f32_signs}},
    {EVAL_OP_SAT, DT_F32, SEM_SPEC, 0, 0, {.run = sat_spec_f32, .run_signs = sat_spec_f32_signs}},
    {EVAL_OP_SSAT, DT_F32, SEM_NVIDIA, 0, 0, {.run = ssat_f32, .run_signs = ssat_f32_signs}},
    {EVAL_OP_SSAT, DT_F32, SEM_SPEC, 0, 0, {.run = ssat_spec_f32, .run_signs = ssat_spec_f32_signs}},
};
ROWS(eval_rows_float, rows);
