/* Arithmetic of singles that the driver's compiler does itself (known.c): functions are MPFR's, other arithmetic is exact in integers. */
#include "tests/slow/exact_function.h"
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

#include <mpfr.h>
#include <string.h>

enum { KEPT_NAN = 0x7fffffff, ONE = 0x3f800000 };

static bool nan32(uint32_t w)
{
    return w << 1 > 0xff000000u;
}

static uint32_t zeroed(uint32_t w)
{
    return w & 0x7f800000 ? w : w & 0x80000000;
}

static struct soft number(uint32_t w)
{
    return soft_unpack(w, 32, false);
}

static uint32_t packed(struct soft x, bool keep)
{
    return (uint32_t)soft_pack(x, 32, SOFT_NEAREST, !keep, KEPT_NAN);
}

static uint32_t times(uint32_t a, uint32_t b, bool keep)
{
    return packed(soft_mul(number(a), number(b)), keep);
}

/* Half way between two floats the difference of two magnitudes goes towards zero, if its exponent is the larger operand's. */
static uint32_t plus(uint32_t a, uint32_t b, bool keep)
{
    struct soft sum = soft_add(number(a), number(b));
    uint32_t below = (uint32_t)soft_pack(sum, 32, SOFT_ZERO, false, KEPT_NAN), larger = (a & 0x7fffffff) > (b & 0x7fffffff) ? a : b;
    if (sum.kind == SOFT_NUMBER && sum.sig && (a ^ b) >> 31 && below >> 23 == larger >> 23 &&
        soft_compare(soft_add(number(below), number(below + 1)), soft_add(sum, sum)) == SOFT_EQUAL)
        return keep ? below : zeroed(below);
    return packed(sum, keep);
}

static uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return packed(soft_add(soft_mul(number(zeroed(a)), number(zeroed(b))), number(zeroed(c))), false);
}

static uint32_t function(unsigned op, uint32_t word)
{
    float f, result;
    uint32_t w = zeroed(word);
    mpfr_t x;
    memcpy(&f, &w, sizeof f);
    mpfr_init2(x, 24);
    mpfr_set_flt(x, f, MPFR_RNDN);
    slow_round_function(op, x);
    result = mpfr_get_flt(x, MPFR_RNDN);
    mpfr_clear(x);
    memcpy(&w, &result, sizeof w);
    return nan32(w) ? KEPT_NAN : zeroed(w);
}

static bool above_zero(uint32_t w)
{
    w = zeroed(w);
    return !nan32(w) && !(w >> 31) && w;
}

/* Operands of one component: single words. */
struct known {
    const struct insn *insn;
    unsigned component;
    uint32_t v[3][4];
    bool keep;                  /* .PREC */
};

static uint32_t dot(const uint32_t *a, const uint32_t *b, unsigned n, bool keep)
{
    uint32_t r = times(a[0], b[0], keep);
    for (unsigned i = 1; i < n; i++)
        r = fused(a[i], b[i], r);
    return r;
}

static uint32_t ended(uint32_t sum, uint32_t term, bool prec)
{
    return prec ? fused(ONE, sum, term) : plus(sum, term, false);
}

static bool power(uint32_t base, uint32_t exponent, uint32_t *r)
{
    if (!above_zero(base))
        return false;
    *r = function(OP_EX2, times(exponent, function(OP_LG2, base), false));
    return true;
}

static bool lit(const struct known *k, uint32_t *r)
{
    uint32_t x = k->v[0][0], y = k->v[0][1], w = k->v[0][3];
    struct soft limit = soft_from_int(128), e = number(w);
    *r = ONE;
    if (k->component == 0 || k->component == 3)
        return true;
    if (k->component == 1 || !above_zero(x)) {
        *r = above_zero(x) ? x : 0;
        return true;
    }
    if (k->keep)
        return false;
    if (zeroed(w) << 1 == 0)
        return true;
    if (e.kind == SOFT_NAN || soft_compare(e, soft_negate(limit)) != SOFT_GREATER)
        w = 0xc3000000;
    else if (soft_compare(e, limit) != SOFT_LESS)
        w = 0x43000000;
    return power(y, w, r);
}

static uint32_t multiplied(uint32_t a, uint32_t b, bool keep)
{
    if (nan32(b) && a << 1 == (uint32_t)ONE << 1)
        return b ^ (a & 0x80000000);
    if (nan32(a) && b << 1 == (uint32_t)ONE << 1)
        return a ^ (b & 0x80000000);
    return times(a, b, keep);
}

static uint32_t floor_of(uint32_t w)
{
    return nan32(w) ? KEPT_NAN : packed(soft_integral(number(zeroed(w)), SOFT_DOWN), false);
}

static uint32_t bounded(uint32_t q)
{
    uint32_t m = q & 0x7fffffff;
    m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
    return nan32(q) ? q : m | (q & 0x80000000);
}

bool slow_logarithm(uint32_t x, uint32_t *r)
{
    *r = function(OP_LG2, x);
    return above_zero(x);
}

static int single(const struct known *k, bool has_sign, uint32_t *r)
{
    const uint32_t *x = k->v[0], *y = k->v[1];
    unsigned c = k->component, i = c == 3 ? 3 : (c + 1) % 3, j = c == 3 ? 3 : (c + 2) % 3;
    uint32_t a = x[c], b = y[c], z = k->v[2][c];
    bool scalar = shape_table[op_table[k->insn->op].shape].src[0] == OC_SCALAR;
    if (scalar)
        a = x[0], b = y[0];
    switch (k->insn->op) {
    case OP_MOV: *r = has_sign && nan32(a) ? a | 0x400000 : a; return 1;
    case OP_ABS: *r = (a & 0x7fffffff) | (nan32(a) ? 0x400000 : 0); return 1;
    case OP_ADD: *r = plus(a, b, k->keep); return 1;
    case OP_SUB: *r = plus(a, b ^ 0x80000000, k->keep); return 1;
    case OP_MUL: *r = multiplied(a, b, k->keep); return 1;
    case OP_DIV: *r = times(a, function(OP_RCP, y[0]), false); return 1;
    case OP_LRP: *r = plus(times(a, plus(b, z ^ 0x80000000, k->keep), k->keep), z, k->keep); return 1;
    case OP_DP2: *r = dot(x, y, 2, k->keep); return 1;
    case OP_DP3: *r = dot(x, y, 3, k->keep); return 1;
    case OP_DP4: *r = dot(x, y, 4, k->keep); return 1;
    case OP_DPH: *r = ended(dot(x, y, 3, k->keep), y[3], k->keep); return 1;
    case OP_DP2A: *r = ended(dot(x, y, 2, k->keep), k->v[2][0], k->keep); return 1;
    case OP_DST: *r = c == 0 ? ONE : c == 1 ? times(a, b, k->keep) : c == 2 ? a : b; return 1;
    case OP_XPD: *r = fused(x[i], y[j], times(x[j], y[i], k->keep) ^ 0x80000000); return 1;
    case OP_LIT: return lit(k, r) ? 1 : -1;
    case OP_MAD: return k->keep ? -1 : 0;
    case OP_MIN: case OP_MAX:
        *r = a;
        return a == b && nan32(a);
    case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND: case OP_SSG: case OP_CMP: case OP_STR: case OP_SFL:
    case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT: case OP_SGE: return 0;
    default: break;
    }
    if (k->keep)
        return -1;
    switch (k->insn->op) {
    case OP_FRC: *r = plus(a, floor_of(a) ^ 0x80000000, false); return 1;
    case OP_RCP: case OP_RSQ: case OP_EX2: case OP_SIN: case OP_COS: *r = function(k->insn->op, a); return 1;
    case OP_RCC: *r = bounded(function(OP_RCP, a)); return 1;
    case OP_LG2: *r = function(OP_LG2, a); return above_zero(a) ? 1 : -1;
    case OP_POW: return power(a, b, r) ? 1 : -1;
    case OP_SCS: *r = function(c ? OP_SIN : OP_COS, a); return c < 2 ? 1 : -1;
    case OP_NRM: *r = times(a, function(OP_RSQ, dot(x, x, 3, false)), false); return 1;
    case OP_RFL:
        *r = fused(times(times(dot(x, y, 3, false), 0x40000000, false), function(OP_RCP, dot(x, x, 3, false)), false), a,
                   b ^ 0x80000000);
        return c < 3 ? 1 : -1;
    default: return -1;
    }
}

int slow_known_single(const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign, uint32_t *r)
{
    struct known k = {.insn = insn, .component = c, .keep = insn->flags & INSN_PREC};
    int way;
    for (unsigned n = 0; n < 3; n++)
        for (unsigned i = 0; i < 4; i++)
            k.v[n][i] = (uint32_t)s[n][i].bits;
    way = single(&k, has_sign, r);
    return way > 0 && *r == KEPT_NAN ? -1 : way;
}

uint32_t slow_known_clamped(const struct insn *insn, uint32_t w)
{
    struct soft x = number(w);
    if (insn->flags & INSN_SAT)
        return soft_compare(x, soft_from_int(0)) != SOFT_GREATER ? 0 : soft_compare(x, soft_from_int(1)) == SOFT_GREATER ? ONE : w;
    if (insn->flags & INSN_SSAT)
        return soft_compare(x, soft_from_int(-1)) != SOFT_GREATER ? 0xbf800000 : soft_compare(x, soft_from_int(1)) == SOFT_GREATER
               ? ONE : zeroed(w);
    return w;
}

bool slow_known_product(uint32_t a, uint32_t b, uint32_t *r)
{
    *r = times(a, b, false);
    return *r != KEPT_NAN;
}

bool slow_known_flushed_product(uint32_t a, uint32_t b, uint32_t *r)
{
    return slow_known_product(zeroed(a), zeroed(b), r);
}

bool slow_known_inverse_root(uint32_t a, uint32_t *r)
{
    *r = function(OP_RSQ, a);
    return *r != KEPT_NAN;
}

bool slow_known_reciprocal(uint32_t a, uint32_t *r)
{
    *r = function(OP_RCP, a);
    return *r != KEPT_NAN;
}
