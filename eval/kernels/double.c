/* F64 by component: IEEE double, denormals kept.
 *
 * A NaN operand comes out quiet, with its bits: the first one of a and b, and of a, c, b in MAD. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/sfu.h"

static inline uint64_t is_nan(uint64_t a)
{
    return (a & ~SIGN64) > EXP64 ? ~0ull : 0;
}

static inline uint64_t one_nan(uint64_t a, uint64_t r)
{
    return num_select64(is_nan(a), a | NUM_QUIET64, r);
}

/* The word of r, a result of a and b. */
static inline uint64_t of_two(uint64_t a, uint64_t b, double r)
{
    uint64_t w = num_word64(r);
    return one_nan(a, one_nan(b, num_select64(is_nan(w), NUM_NAN64, w)));
}

#define BINARY(name, expression)                                                                             \
    static inline uint64_t name(uint64_t v, uint64_t w)                                                      \
    {                                                                                                        \
        double a = num_double(v), b = num_double(w);                                                         \
        return of_two(v, w, expression);                                                                     \
    }                                                                                                        \
    WIDE2F(name##_f64, name)
#define UNARY(name, expression)                                                                              \
    static inline uint64_t name(uint64_t v)                                                                  \
    {                                                                                                        \
        double a = num_double(v);                                                                            \
        return of_two(v, v, expression);                                                                     \
    }                                                                                                        \
    WIDE1F(name##_f64, name)

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a * b)
BINARY(div, a / b)
UNARY(floor_of, floor(a))
UNARY(ceil_of, ceil(a))
UNARY(trunc_of, trunc(a))
UNARY(round_of, rint(a))
UNARY(fraction, a - floor(a))

static inline uint64_t of_three(uint64_t a, uint64_t b, uint64_t c, double r)
{
    uint64_t w = num_word64(r);
    return one_nan(a, one_nan(c, one_nan(b, num_select64(is_nan(w), NUM_NAN64, w))));
}

static inline uint64_t mad(uint64_t a, uint64_t b, uint64_t c)
{
    return of_three(a, b, c, num_fma64(num_double(a), num_double(b), num_double(c)));
}

static inline uint64_t mad_spec(uint64_t a, uint64_t b, uint64_t c)
{
    return of_three(a, b, c, num_double(a) * num_double(b) + num_double(c));
}

static inline uint64_t move(uint64_t a)
{
    return a;
}

static inline uint64_t absolute(uint64_t a)
{
    return one_nan(a, a & ~SIGN64);
}

static inline uint64_t absolute_spec(uint64_t a)
{
    return a & ~SIGN64;
}

/* The number where one operand is NaN; -0 is below +0. */
static inline uint64_t least(uint64_t a, uint64_t b)
{
    double x = num_double(a), y = num_double(b);
    uint64_t r = x < y ? a : x > y ? b : a | b;
    return is_nan(b) ? one_nan(a, a) : is_nan(a) ? b : r;
}

static inline uint64_t greatest(uint64_t a, uint64_t b)
{
    double x = num_double(a), y = num_double(b);
    uint64_t r = x < y ? b : x > y ? a : a & b;
    return is_nan(b) ? one_nan(a, a) : is_nan(a) ? b : r;
}

static inline uint64_t least_spec(uint64_t a, uint64_t b)
{
    return num_double(a) > num_double(b) ? b : a;
}

static inline uint64_t greatest_spec(uint64_t a, uint64_t b)
{
    return num_double(a) > num_double(b) ? a : b;
}

static inline uint64_t compare(uint64_t a, uint64_t b, uint64_t c)
{
    return num_double(a) >= 0.0 ? c : b;
}

static inline uint64_t compare_spec(uint64_t a, uint64_t b, uint64_t c)
{
    return num_double(a) < 0.0 ? b : c;
}

static inline uint64_t sign_of(uint64_t a)
{
    double x = num_double(a);
    return x > 0.0 ? ONE64 : x < 0.0 ? ONE64 | SIGN64 : 0;
}

static inline uint64_t saturate(uint64_t a)
{
    double x = num_double(a);
    return x > 0.0 ? x < 1.0 ? a : ONE64 : 0;
}

static inline uint64_t saturate_signed(uint64_t a)
{
    double x = num_double(a);
    return x > -1.0 ? x < 1.0 ? a : ONE64 : ONE64 | SIGN64;
}

static inline uint64_t saturate_spec(uint64_t a)
{
    double x = num_double(a);
    return x < 0.0 ? 0 : x > 1.0 ? ONE64 : a;
}

static inline uint64_t saturate_signed_spec(uint64_t a)
{
    double x = num_double(a);
    return x < -1.0 ? ONE64 | SIGN64 : x > 1.0 ? ONE64 : a;
}

static inline uint64_t reciprocal(uint64_t a)
{
    return of_two(a, a, 1.0 / num_double(a));
}

/* The special function unit gives the high word of a first guess from the operand's high word; two steps
 * of Newton's iteration follow. A NaN whose high word is that of infinity is taken for it. */
static inline uint64_t reciprocal_root(uint64_t a)
{
    uint64_t magnitude = a & ~SIGN64;
    bool tiny = magnitude < 0x0010000000000000ull;
    double x = num_double(a) * (tiny ? 0x1p54 : 1.0);
    uint32_t high = (uint32_t)(num_word64(x) >> 32), odd = ~(high >> 20) & 1;
    int32_t halves = ((int32_t)(high >> 20 & 2047) - 1023 - (int32_t)odd) / 2;
    uint32_t guess = eval_sfu_rsq((127 + odd) << 23 | (high & 0xfffff) << 3);
    uint64_t wide = num_word64((double)num_float(guess)) & 0xffffffff00000000ull;
    double y = num_double(wide - ((uint64_t)(int64_t)halves << 52));

    y = num_fma64(y, num_fma64(-x * y, 0.5 * y, 0.5), y);
    y = num_fma64(y, num_fma64(-x * y, 0.5 * y, 0.5), y);
    uint64_t r = num_word64(y * (tiny ? 0x1p27 : 1.0));
    if (magnitude == 0)
        return (a & SIGN64) | EXP64;
    return a >> 32 == EXP64 >> 32 ? 0 : a > EXP64 ? 0x7fffffff00000000ull : r;
}

WIDE_SCALAR1F(reciprocal_f64, reciprocal)
WIDE_SCALAR1F(reciprocal_root_f64, reciprocal_root)
WIDE3F(mad_f64, mad)
WIDE3F(mad_spec_f64, mad_spec)
WIDE1F(mov_f64, move)
WIDE1F(abs_f64, absolute)
WIDE1F(abs_spec_f64, absolute_spec)
WIDE2F(min_f64, least)
WIDE2F(max_f64, greatest)
WIDE2F(min_spec_f64, least_spec)
WIDE2F(max_spec_f64, greatest_spec)
WIDE3F(cmp_f64, compare)
WIDE3F(cmp_spec_f64, compare_spec)
WIDE1F(ssg_f64, sign_of)
WIDE1F(sat_f64, saturate)
WIDE1F(ssat_f64, saturate_signed)
WIDE1F(sat_spec_f64, saturate_spec)
WIDE1F(ssat_spec_f64, saturate_signed_spec)

static void not_above_zero(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    const uint32_t *a = SOURCE(op, 0, 0);
    uint32_t found = 0;

    LANE_LOOP found |= (uint32_t)!(num_double(WIDE_SIGNED(a, l, 0)) > 0.0) << l;
    for (unsigned i = 0; i < op->n; i++)
        lanes[i] = found;
}

#define ROW_OWN(op, who, f) {op, DT_F64, SEM_##who, 0, 0,                                                    \
                             {.run = f, .run_signs = f##_signs, .keep_denormals = true}}
#define ROW_EACH(op, f, spec) ROW_D(op, F64, NVIDIA, f), ROW_D(op, F64, SPEC, spec)

static const struct kernel_row rows[] = {
    ROW_D(MOV, F64, BOTH, mov_f64), ROW_EACH(ABS, abs_f64, abs_spec_f64), ROW_D(ADD, F64, BOTH, add_f64),
    ROW_D(SUB, F64, BOTH, sub_f64), ROW_D(MUL, F64, BOTH, mul_f64), ROW_D(DIV, F64, BOTH, div_f64),
    ROW_EACH(MAD, mad_f64, mad_spec_f64), ROW_EACH(MIN, min_f64, min_spec_f64),
    ROW_EACH(MAX, max_f64, max_spec_f64),
    ROW_EACH(CMP, cmp_f64, cmp_spec_f64), ROW_D(SSG, F64, BOTH, ssg_f64), ROW_D(FLR, F64, BOTH, floor_of_f64),
    ROW_D(CEIL, F64, BOTH, ceil_of_f64), ROW_D(TRUNC, F64, BOTH, trunc_of_f64),
    ROW_D(ROUND, F64, BOTH, round_of_f64),
    ROW_D(FRC, F64, BOTH, fraction_f64), ROW_D(RCP, F64, BOTH, reciprocal_f64),
    ROW_D(RSQ, F64, NVIDIA, reciprocal_root_f64),
    {OP_RSQ, DT_F64, SEM_SPEC, 0, 0,
     {.run = reciprocal_root_f64, .run_signs = reciprocal_root_f64_signs, .keep_denormals = true,
      .undefined = not_above_zero,
      .why = "the square root of what is not above 0"}},
    ROW_OWN(EVAL_OP_SAT, NVIDIA, sat_f64), ROW_OWN(EVAL_OP_SAT, SPEC, sat_spec_f64),
    ROW_OWN(EVAL_OP_SSAT, NVIDIA, ssat_f64), ROW_OWN(EVAL_OP_SSAT, SPEC, ssat_spec_f64),
};
ROWS(eval_rows_double, rows);
