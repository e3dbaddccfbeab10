/* Operations on known singles as the driver's compiler computes them. */
#include "model/const/fold.h"

#include "eval/numeric/libm_fold.h"
#include "eval/numeric/half.h"

#include <math.h>

#define ONE 0x3f800000u

/* 1.0 and -1.0 copy a NaN. */
static uint32_t multiplied(uint32_t a, uint32_t b, bool keep)
{
    if ((a & ~NEGATIVE) == ONE && exact_is_nan(b))
        return b ^ (a & NEGATIVE);
    if ((b & ~NEGATIVE) == ONE && exact_is_nan(a))
        return a ^ (b & NEGATIVE);
    return exact_product(a, b, keep);
}

static uint32_t smaller(uint32_t a, uint32_t b, bool larger)
{
    uint32_t x = exact_flush(a), y = exact_flush(b);

    if (a == b && exact_is_nan(a))
        return a;
    if (exact_is_nan(a) || exact_is_nan(b))
        return !exact_is_nan(a) ? x : !exact_is_nan(b) ? y : EXACT_NAN;
    if (num_float(x) == num_float(y))     /* -0 is below +0 */
        return larger ? x & y : x | y;
    return (num_float(x) < num_float(y)) != larger ? x : y;
}

static bool is_positive(uint32_t w)
{
    return num_float(exact_flush(w)) > 0;
}

static uint32_t dot(const uint64_t a[4], const uint64_t b[4], unsigned n, bool keep)
{
    uint32_t r = exact_product((uint32_t)a[0], (uint32_t)b[0], keep);

    for (unsigned i = 1; i < n; i++)
        r = exact_fused((uint32_t)a[i], (uint32_t)b[i], r);
    return r;
}

/* What comes behind a fused multiply-add is the machine's under .PREC. */
static uint32_t last_term(uint32_t a, uint32_t b, bool prec)
{
    return prec ? exact_fused(ONE, a, b) : exact_sum(a, b, false);
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exact_function(EXACT_EX2, exact_product(exponent, exact_function(EXACT_LG2, base), false));
}

static uint32_t lit_power(uint32_t x, uint32_t y, uint32_t w)
{
    float e = num_float(w);

    if (!is_positive(x))
        return 0;
    if (exact_flush(w) << 1 == 0)
        return ONE;
    return power(is_positive(y) ? y : 0, !(e > -128) ? 0xc3000000 : e >= 128 ? 0x43000000 : w);
}

static uint32_t bounded_reciprocal(uint32_t a)
{
    uint32_t r = exact_function(EXACT_RCP, a), m = r & ~NEGATIVE;

    return exact_is_nan(r) ? r : (r & NEGATIVE) | (m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m);
}

static uint32_t interpolated(uint32_t a, uint32_t b, uint32_t c, bool keep)
{
    return exact_sum(exact_product(a, exact_sum(b, c ^ NEGATIVE, keep), keep), c, keep);
}

static uint32_t distance(const struct fold *f)
{
    switch (f->component) {
    case 0: return ONE;
    case 1: return exact_product((uint32_t)f->src[0][1], (uint32_t)f->src[1][1], f->insn->flags & INSN_PREC);
    case 2: return (uint32_t)f->src[0][2];
    default: return (uint32_t)f->src[1][3];
    }
}

static uint32_t cross(const struct fold *f, bool keep)
{
    unsigned c = f->component, i = c == 3 ? 3 : (c + 1) % 3, j = c == 3 ? 3 : (c + 2) % 3;
    uint32_t taken = exact_product((uint32_t)f->src[0][j], (uint32_t)f->src[1][i], keep);

    return exact_fused((uint32_t)f->src[0][i], (uint32_t)f->src[1][j], taken ^ NEGATIVE);
}

static uint32_t reflected(const struct fold *f, bool keep)
{
    const uint64_t *a = f->src[0], *b = f->src[1];
    uint32_t twice = exact_product(dot(a, b, 3, keep), 0x40000000, keep);
    uint32_t scale = exact_product(twice, exact_function(EXACT_RCP, dot(a, a, 3, keep)), keep);

    return exact_fused(scale, (uint32_t)a[f->component], (uint32_t)b[f->component] ^ NEGATIVE);
}

/* What the compiler leaves to the machine: functions under .PREC and what comes from them, and logarithms of what is
 * not above zero. */
static bool left_alone(const struct fold *f, uint32_t a)
{
    bool keep = f->insn->flags & INSN_PREC;

    switch (f->insn->op) {
    case OP_LG2: return keep || !is_positive(a);
    case OP_POW: return keep || !is_positive(a);
    case OP_LIT:
        return f->component == 2 && is_positive(a) &&
               (keep ||
                (exact_flush((uint32_t)f->src[0][3]) << 1 != 0 && !is_positive((uint32_t)f->src[0][1])));
    case OP_RCP: case OP_RSQ: case OP_RCC: case OP_EX2: case OP_SIN: case OP_COS: case OP_SCS: case OP_NRM:
    case OP_RFL: case OP_MAD:
    case OP_FRC:
        return keep;
    default: return false;
    }
}

static bool vector_operation(const struct fold *f, bool keep, uint32_t *word)
{
    const uint64_t *a = f->src[0], *b = f->src[1];

    switch (f->insn->op) {
    case OP_DP2: *word = dot(a, b, 2, keep); return true;
    case OP_DP3: *word = dot(a, b, 3, keep); return true;
    case OP_DP4: *word = dot(a, b, 4, keep); return true;
    case OP_DPH: *word = last_term(dot(a, b, 3, keep), (uint32_t)b[3], keep); return true;
    case OP_DP2A: *word = last_term(dot(a, b, 2, keep), (uint32_t)f->src[2][0], keep); return true;
    case OP_NRM:
        *word = exact_product((uint32_t)a[f->component], exact_function(EXACT_RSQ, dot(a, a, 3, keep)), keep);
        return true;
    case OP_DST: *word = distance(f); return true;
    case OP_EXP: case OP_LOG: *word = ONE; return f->component == 3;
    case OP_XPD: *word = cross(f, keep); return true;
    case OP_RFL: *word = reflected(f, keep); return f->component < 3;
    case OP_LIT:
        *word = f->component == 1   ? (is_positive((uint32_t)a[0]) ? (uint32_t)a[0] : 0)
                : f->component == 2 ? lit_power((uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[3])
                                    : ONE;
        return true;
    case OP_SCS:
        *word = exact_function(f->component ? EXACT_SIN : EXACT_COS, (uint32_t)a[0]);
        return f->component < 2;
    default: return false;
    }
}

/* What is left of a value: the compiler's own copies make NaNs quiet. */
static uint32_t quiet(uint32_t w)
{
    return exact_is_nan(w) ? w | 0x00400000 : w;
}

static uint32_t sign_of(uint32_t w)
{
    return num_float(w) > 0 ? ONE : num_float(w) < 0 ? ONE | NEGATIVE : 0;
}

static uint32_t rounded(float (*to)(float), uint32_t w)
{
    uint32_t r = num_word(to(num_float(exact_flush(w))));

    return exact_is_nan(r) ? EXACT_NAN : r;
}

bool model_fold_single(const struct fold *f, uint32_t a, uint32_t b, uint32_t c, uint32_t *word)
{
    bool keep = f->insn->flags & INSN_PREC, is;
    uint16_t op = f->insn->op;

    if (left_alone(f, a))
        return false;
    switch (op) {
    case OP_MOV: *word = f->has_sign ? quiet(a) : a; return true;
    case OP_ABS: *word = quiet(a & ~NEGATIVE); return true;
    case OP_ADD: *word = exact_sum(a, b, keep); return true;
    case OP_SUB: *word = exact_sum(a, b ^ NEGATIVE, keep); return true;
    case OP_MUL: *word = multiplied(a, b, keep); return true;
    case OP_MAD: *word = exact_fused(a, b, c); return true;
    case OP_DIV: *word = exact_product(a, exact_function(EXACT_RCP, b), false); return true;
    case OP_LRP: *word = interpolated(a, b, c, keep); return true;
    case OP_MIN: *word = smaller(a, b, false); return true;
    case OP_MAX: *word = smaller(a, b, true); return true;
    case OP_FLR: *word = rounded(floorf, a); return true;
    case OP_CEIL: *word = rounded(ceilf, a); return true;
    case OP_TRUNC: *word = rounded(truncf, a); return true;
    case OP_ROUND: *word = rounded(nearbyintf, a); return true;
    case OP_FRC: *word = exact_sum(a, rounded(floorf, a) ^ NEGATIVE, keep); return true;
    case OP_SSG: *word = sign_of(exact_flush(a)); return true;
    case OP_CMP: *word = exact_is_nan(a) || num_float(exact_flush(a)) < 0 ? b : c; return true;
    case OP_RCP: *word = exact_function(EXACT_RCP, a); return true;
    case OP_RSQ: *word = exact_function(EXACT_RSQ, a); return true;
    case OP_EX2: *word = exact_function(EXACT_EX2, a); return true;
    case OP_LG2: *word = exact_function(EXACT_LG2, a); return true;
    case OP_SIN: *word = exact_function(EXACT_SIN, a); return true;
    case OP_COS: *word = exact_function(EXACT_COS, a); return true;
    case OP_RCC: *word = bounded_reciprocal(a); return true;
    case OP_POW: *word = power(a, b); return true;
    case OP_STR: *word = ONE; return true;
    case OP_SFL: *word = 0; return true;
    default: break;
    }
    if (vector_operation(f, keep, word))
        return true;
    a = exact_flush(a), b = exact_flush(b);
    if (!model_fold_compare(op, num_float(a) < num_float(b) ? -1 : num_float(a) > num_float(b),
                            !exact_is_nan(a) && !exact_is_nan(b), &is))
        return false;
    *word = is ? ONE : 0;
    return true;
}

/* The clamp to [0, 1] does not flush; the other one does. */
uint32_t model_fold_clamped(const struct insn *insn, uint32_t w)
{
    float x = num_float(w);

    if (insn->op == OP_SSG)
        return w;
    if (insn->flags & INSN_SAT)
        return !(x > 0) ? 0 : x > 1 ? ONE : w;
    if (insn->flags & INSN_SSAT)
        return !(x > -1) ? ONE | NEGATIVE : x > 1 ? ONE : exact_flush(w);
    return w;
}
