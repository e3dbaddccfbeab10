/* What the driver's compiler computes itself: docs/numbers.md, "What the compiler computes". Functions are MPFR's, other arithmetic is exact in integers. */
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

/* What comes out otherwise than at run time. 1: so; 0: as at run time, but known; -1: not known. */
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

static uint32_t clamped(const struct insn *insn, uint32_t w)
{
    struct soft x = number(w);
    if (insn->flags & INSN_SAT)
        return soft_compare(x, soft_from_int(0)) != SOFT_GREATER ? 0 : soft_compare(x, soft_from_int(1)) == SOFT_GREATER ? ONE : w;
    if (insn->flags & INSN_SSAT)
        return soft_compare(x, soft_from_int(-1)) != SOFT_GREATER ? 0xbf800000 : soft_compare(x, soft_from_int(1)) == SOFT_GREATER
               ? ONE : zeroed(w);
    return w;
}

static bool nan64(uint64_t w)
{
    return w << 1 > 0xffe0000000000000u;
}

static uint64_t made_quiet(uint64_t w)
{
    return w | 1ull << 51;
}

static uint64_t sum64(uint64_t a, uint64_t b)
{
    if (nan64(a) || nan64(b))
        return made_quiet(nan64(a) ? a : b);
    return soft_pack(soft_add(soft_unpack(a, 64, false), soft_unpack(b, 64, false)), 64, SOFT_NEAREST, false, 0xfff8000000000000);
}

/* docs/numbers.md, "What the compiler computes". */
static uint64_t product64(uint64_t a, uint64_t b)
{
    const uint64_t top = 1ull << 63;
    if (nan64(a))
        return nan64(b) ? made_quiet(a) : made_quiet(a) ^ (b & top);
    if (nan64(b))
        return a << 1 == 0x3ff0000000000000u << 1 ? b ^ (a & top) : made_quiet(b) ^ (a == top ? top : 0);
    return soft_pack(soft_mul(soft_unpack(a, 64, false), soft_unpack(b, 64, false)), 64, SOFT_NEAREST, false, 0xfff8000000000000);
}

/* A product and a sum are two operations, but where factors are NaNs. */
static int wide(unsigned op, const uint64_t v[3], uint64_t *r)
{
    switch (op) {
    case OP_MOV: *r = v[0]; return 1;
    case OP_ABS: *r = v[0] & ~(1ull << 63); return 1;
    case OP_ADD: *r = sum64(v[0], v[1]); return 1;
    case OP_SUB: *r = sum64(v[0], v[1] ^ 1ull << 63); return 1;
    case OP_MUL: *r = product64(v[0], v[1]); return 1;
    case OP_MAD:
        if (nan64(v[0]) || nan64(v[1]) || nan64(v[2]))
            *r = made_quiet(nan64(v[0]) ? v[0] : nan64(v[2]) ? v[2] : v[1]);
        else
            *r = sum64(product64(v[0], v[1]), v[2]);
        return 1;
    case OP_MIN: case OP_MAX:
        *r = v[0] == v[1] ? v[0] : made_quiet(v[0]);
        return nan64(v[0]) && nan64(v[1]) ? 1 : -1;
    case OP_DIV:
        *r = made_quiet(v[0]);
        return nan64(v[0]) && !nan64(v[1]) ? 1 : -1;
    default: return -1;
    }
}

static int whole(const struct insn *insn, bool has_sign, uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT) || (insn->flags & INSN_HI && insn->op != OP_MUL))
        return -1;
    switch (insn->op) {
    case OP_DIV: case OP_MOD: return b && !has_sign ? 0 : -1;
    case OP_ROUND:
        *r = a;
        return 1;
    case OP_BFE: case OP_BFI: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM: case OP_SAD: return 0;
    case OP_CMP:                /* of the bits as of a float, whose denormals count */
        *r = nan32(a) || (a >> 31 && a << 1) ? b : c;
        return 1;
    case OP_MOV: case OP_NOT: case OP_ABS: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_AND: case OP_OR: case OP_XOR:
    case OP_MIN: case OP_MAX: case OP_SHL: case OP_SHR: case OP_I2F:
    case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT: case OP_SGE: case OP_STR: case OP_SFL:
        return 0;
    default: return -1;
    }
}

/* Conversions that are computed: of 0, of integers that the result's type has (or 32 unsigned bits of them), and of singles and doubles to
 * the nearest. */
static bool converts(const struct insn *insn, uint64_t bits)
{
    unsigned from = slow_bytes(insn->type2) * 8, to = slow_bytes(insn->type) * 8;
    bool nearest = insn->rounding == 0 || insn->rounding == MOD_ROUND;
    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (!bits)
        return nearest || !slow_is_float(insn->type2);
    if (slow_is_float(insn->type2)) {       /* between 2^-120 and 2^30 */
        int exponent = from == 64 ? (int)(bits >> 52 & 0x7ff) - 1023 : (int)(bits >> 23 & 0xff) - 127;
        return nearest && exponent < 30 && exponent >= -120 && (insn->type == DT_F32 || insn->type == DT_S32);
    }
    int64_t n = (int64_t)(bits << (64 - from)) >> (64 - from);
    if (!type_table[insn->type2].is_signed && from < 64)
        n = (int64_t)(bits & ((1ull << from) - 1));
    if (n < 0 && !type_table[insn->type2].is_signed)
        return false;
    if (insn->type == DT_F32)
        return nearest && n < 0x1000000 && -n < 0x1000000;
    if (slow_is_float(insn->type) || to == 64)
        return false;
    if (type_table[insn->type].is_signed)
        return n >= -(1ll << (to - 1)) && n < 1ll << (to - 1);
    return to == 32 || (n >= 0 && n < 1ll << to);
}

static uint32_t from_half(uint32_t h)
{
    struct soft x = soft_unpack(h & 0xffff, 16, true);      /* denormal halves are zeros */
    return (uint32_t)soft_pack(x, 32, SOFT_NEAREST, false, KEPT_NAN);
}

/* Integers of 64 bits that single registers take. */
static bool computes_long(const struct insn *insn)
{
    switch (insn->op) {
    case OP_NOT: case OP_STR: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SHL: return !(insn->flags & (INSN_SAT | INSN_SSAT));
    default: return op_compares(insn->op) && !(insn->flags & (INSN_SAT | INSN_SSAT));
    }
}

/* As single(), for any type. */
static int compute(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign, uint64_t *result)
{
    struct known k = {.insn = insn, .component = c, .keep = insn->flags & INSN_PREC};
    uint64_t v[3] = {s[0][c].bits, s[1][c].bits, s[2][c].bits};
    uint32_t r = 0;
    int way;
    for (unsigned n = 0; n < 3; n++)
        for (unsigned i = 0; i < 4; i++)
            k.v[n][i] = (uint32_t)s[n][i].bits;
    if (shape_table[op_table[insn->op].shape].src[1] == OC_SCALAR)
        v[1] = s[1][0].bits;
    if (insn->op == OP_UP2H) {
        unsigned flags = program_operand(p->text, insn->src)->flags;
        uint32_t sign = !(flags & OPND_ABSOLUTE) && flags & (OPND_NEGATE | OPND_NEGATE_INNER) ? 0x80000000 : 0;    /* of the numbers */
        *result = clamped(insn, from_half((k.v[0][0] ^ sign) >> (c & 1) * 16) ^ sign);
        return 1;
    }
    if (insn->op == OP_UP64) {
        *result = clamped(insn, (uint32_t)(s[0][c / 2].bits >> (c & 1) * 32));
        return insn->type == DT_F32 && !slow_clamps_wide(p, insn) ? 1 : -1;
    }
    if ((insn->op == OP_UP4B || insn->op == OP_UP4UB) && insn->flags & INSN_PREC) {
        *result = clamped(insn, insn->op == OP_UP4B ? 0xbf810204 : 0);
        return c & 1 ? 1 : -1;
    }
    if (insn->op == OP_UP4B && insn->type == DT_F32 && !(insn->flags & INSN_HALF))
        return 0;
    if (insn->op == OP_CVT) {
        uint32_t h = k.v[0][c] & 0xffff;
        if (insn->type2 != DT_F16)
            return converts(insn, s[0][c].bits) ? 0 : -1;
        if ((insn->flags & (INSN_SAT | INSN_SSAT) && insn->type != DT_F32) || (insn->type != DT_F32 && insn->type != DT_F64))
            return -1;
        *result = insn->type == DT_F32 ? clamped(insn, from_half(h)) : 0x7fffffffe0000000;
        return insn->type == DT_F32 || (h & 0x7fff) > 0x7c00 ? 1 : -1;
    }
    if (insn->op == OP_PK64)
        return slow_is_float(insn->type) ? -1 : 0;
    if ((insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_MOV && insn->op != OP_ABS && insn->op != OP_ROUND && insn->op != OP_TRUNC) {
        if (!slow_known_half(insn, s, c, slow_is_short(p, insn->dst.kind, insn->dst.ref), &r))
            return -1;
        *result = clamped(insn, r);
        return 1;
    }
    switch (insn->type) {
    case DT_F32: case DT_F16:
        way = single(&k, has_sign, &r);
        if (way > 0 && r == KEPT_NAN)
            return -1;
        *result = insn->op == OP_SSG ? r : clamped(insn, r);
        return way;
    case DT_F64:
        way = wide(insn->op, v, result);
        *result = way > 0 ? slow_saturate(p, DT_F64, slow_loses_clamp(p, insn) ? 0 : insn->flags, *result) : *result;
        return way;
    case DT_S32: case DT_U32:
        way = whole(insn, has_sign, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], &r);
        *result = r;
        return way;
    case DT_S64: case DT_U64: return insn->op == OP_MOV || (computes_long(insn) && slow_is_narrowed(p, insn)) ? 0 : -1;
    default: return -1;
    }
}

bool slow_known_wide_product(uint64_t a, uint64_t b, uint64_t *r)
{
    if (nan64(a) || nan64(b) || nan64(product64(a, b)))
        return false;
    *r = product64(a, b);
    return true;
}

bool slow_known_product(uint32_t a, uint32_t b, uint32_t *r)
{
    *r = times(a, b, false);
    return *r != KEPT_NAN;
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

/* What comes out as at run time comes from the model of that. */
bool slow_compiled(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign,
                   uint64_t *bits)
{
    struct insn plain = *insn, own = *insn;
    struct slow_value result[4];
    int way;
    if (((insn->type == DT_F32 || insn->type == DT_F64) && slow_apart(p, insn)) || (slow_clamps_behind_flags(p, insn) && !program_is_long(p->text, insn->dst.kind, insn->dst.ref)))
        own.flags &= ~(uint32_t)INSN_SAT;
    insn = &own;
    way = compute(p, insn, s, c, has_sign, bits);
    if (way != 0)
        return way > 0;
    if (slow_is_float(insn->type) && slow_bytes(insn->type) == 4)
        plain.flags &= ~(uint32_t)(INSN_SAT | INSN_SSAT);
    if (!slow_compute(p, &plain, s, result))
        return false;
    *bits = result[c].bits;
    if (slow_result_type(insn) == DT_F32 && slow_is_float(insn->type)) {
        if (*bits == KEPT_NAN)
            return false;
        *bits = insn->op == OP_SSG ? *bits : clamped(insn, (uint32_t)*bits);
    }
    return true;
}
