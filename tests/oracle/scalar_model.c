#include "tests/oracle/scalar_internal.h"
#include "tests/oracle/scalar_soft.h"

#include <string.h>

/* Denormal singles are flushed by NVIDIA's arithmetic; nothing else is. */
static bool flushes(const struct kernel_request *w, unsigned type)
{
    return nvidia(w) && type == DT_F32;
}

bool scalar_is_nan(const struct kernel_request *w, uint64_t word)
{
    return is_float(w->type) && soft_unpack(word, bits_of(w->type), false).kind == SOFT_NAN;
}

/* ---- floats -------------------------------------------------------------------------------------------- */

static struct soft in(const struct kernel_request *w, uint64_t word)
{
    return soft_unpack(word, bits_of(w->type), flushes(w, w->type));
}

static uint64_t out(const struct kernel_request *w, struct soft x)
{
    uint64_t nan = w->type == DT_F64 ? 0xfff8000000000000u : 0x7fffffff;
    return soft_pack(x, bits_of(w->type), SOFT_NEAREST, flushes(w, w->type), nan);
}

/* Rounded, as a value again: one step of several. */
static struct soft step(const struct kernel_request *w, struct soft x)
{
    return in(w, out(w, x));
}

static struct soft product(const struct kernel_request *w, uint64_t a, uint64_t b)
{
    return step(w, soft_mul(in(w, a), in(w, b)));
}

/* a * b + c: rounded once by NVIDIA, twice by the text. */
static struct soft product_sum(const struct kernel_request *w, uint64_t a, uint64_t b, struct soft c)
{
    struct soft p = soft_mul(in(w, a), in(w, b));
    return step(w, soft_add(nvidia(w) ? p : step(w, p), c));
}

/* F64 passes a NaN operand on, quiet: the first of `order`. */
static uint64_t pass_nan(const struct kernel_request *w, uint64_t r, const uint64_t *order, int n)
{
    if (w->type != DT_F64)
        return r;
    for (int i = 0; i < n; i++)
        if (in(w, order[i]).kind == SOFT_NAN)
            return order[i] | 1ull << 51;
    return r;
}

static uint64_t smaller(const struct kernel_request *w, uint64_t a, uint64_t b, bool want_greater)
{
    struct soft x = in(w, a), y = in(w, b);
    enum soft_order order = soft_compare(x, y);

    if (!nvidia(w))
        return (order == SOFT_GREATER) == want_greater ? a : b;
    if (x.kind == SOFT_NAN && y.kind == SOFT_NAN)
        return w->type == DT_F64 ? a | 1ull << 51 : 0x7fffffff;
    if (order == SOFT_UNORDERED)
        return out(w, x.kind == SOFT_NAN ? y : x) | (w->type == DT_F64 ? x.kind == SOFT_NAN ? b : a : 0);
    if (order == SOFT_EQUAL)
        return out(w, x.negative != want_greater ? x : y);
    return out(w, (order == SOFT_GREATER) == want_greater ? x : y);
}

static uint64_t one(const struct kernel_request *w, bool negative)
{
    struct soft x = soft_from_int(negative ? -1 : 1);
    return soft_pack(x, bits_of(w->type), SOFT_NEAREST, false, 0);
}

bool scalar_holds(unsigned op, enum soft_order order)
{
    switch (op) {
    case OP_SEQ: return order == SOFT_EQUAL;
    case OP_SNE: return order != SOFT_EQUAL;
    case OP_SGE: return order == SOFT_EQUAL || order == SOFT_GREATER;
    case OP_SGT: return order == SOFT_GREATER;
    case OP_SLE: return order == SOFT_EQUAL || order == SOFT_LESS;
    case OP_SLT: return order == SOFT_LESS;
    default: return op == OP_STR;
    }
}

static uint64_t clamp(const struct kernel_request *w, uint64_t a, bool with_sign)
{
    struct soft x = in(w, a);
    bool below = soft_compare(x, soft_from_int(with_sign ? -1 : 0)) == SOFT_LESS;
    bool above = soft_compare(x, soft_from_int(1)) == SOFT_GREATER;
    uint64_t least = with_sign ? one(w, true) : 0;

    if (!nvidia(w))
        return below ? least : above ? one(w, false) : a;
    if (x.kind == SOFT_NAN || below || (!with_sign && x.kind == SOFT_NUMBER && x.sig == 0))
        return least;
    return above ? one(w, false) : out(w, x);
}

static uint64_t rounded(const struct kernel_request *w, uint64_t a, enum soft_mode mode)
{
    return pass_nan(w, out(w, soft_integral(in(w, a), mode)), &a, 1);
}

static uint64_t float_each(const struct kernel_request *w, uint64_t a, uint64_t b, uint64_t c)
{
    struct soft x = in(w, a), y = in(w, b), zero = soft_from_int(0);
    uint64_t sign = 1ull << (bits_of(w->type) - 1), acb[3] = {a, c, b}, ab[2] = {a, b};

    switch (w->op) {
    case OP_MOV: return a;
    case OP_ABS: return !nvidia(w) ? a & ~sign : pass_nan(w, out(w, x) & ~(x.kind == SOFT_NAN ? 0 : sign),
                                                          &a, 1);
    case OP_ADD: return pass_nan(w, out(w, soft_add(x, y)), ab, 2);
    case OP_SUB: return pass_nan(w, out(w, soft_sub(x, y)), ab, 2);
    case OP_MUL: return pass_nan(w, out(w, soft_mul(x, y)), ab, 2);
    case OP_DIV: return pass_nan(w, out(w, soft_div(x, y)), ab, 2);
    case OP_MAD: return pass_nan(w, out(w, product_sum(w, a, b, in(w, c))), acb, 3);
    case OP_RCP: return pass_nan(w, out(w, soft_div(soft_from_int(1), x)), &a, 1);
    case OP_MIN: return smaller(w, a, b, false);
    case OP_MAX: return smaller(w, a, b, true);
    case OP_CMP:
        if (nvidia(w) && x.kind == SOFT_NAN)
            return b;
        return soft_compare(x, zero) == SOFT_LESS ? b : c;
    case OP_LRP:
        if (nvidia(w))
            return out(w, product_sum(w, a, out(w, soft_sub(y, in(w, c))), in(w, c)));
        x = step(w, soft_sub(soft_from_int(1), x));
        return out(w, soft_add(product(w, a, b), step(w, soft_mul(x, in(w, c)))));
    case OP_SSG:
        return x.kind == SOFT_NAN || (x.kind == SOFT_NUMBER && x.sig == 0) ? 0 : one(w, x.negative);
    case OP_FLR: return rounded(w, a, SOFT_DOWN);
    case OP_CEIL: return rounded(w, a, SOFT_UP);
    case OP_TRUNC: return rounded(w, a, SOFT_ZERO);
    case OP_ROUND: return rounded(w, a, SOFT_NEAREST);
    case OP_FRC: return pass_nan(w, out(w, soft_sub(x, soft_integral(x, SOFT_DOWN))), &a, 1);
    case EVAL_OP_SAT: return clamp(w, a, false);
    case EVAL_OP_SSAT: return clamp(w, a, true);
    case EVAL_OP_HALF: return soft_widened(soft_narrowed(a));
    case EVAL_OP_LOW: return b & 0xffff;
    default:
        return scalar_holds(w->op, soft_compare(x, y)) ? one(w, false) : 0;
    }
}

/* ---- conversions --------------------------------------------------------------------------------------- */

static enum soft_mode mode_of(const struct kernel_request *w)
{
    unsigned r = w->op == OP_FLR ? MOD_FLR : w->op == OP_CEIL ? MOD_CEIL : w->op == OP_TRUNC ? MOD_TRUNC
        : w->rounding;
    return r == MOD_FLR ? SOFT_DOWN : r == MOD_CEIL ? SOFT_UP : r == MOD_TRUNC ? SOFT_ZERO : SOFT_NEAREST;
}

static uint64_t to_integer(const struct kernel_request *w, struct soft x, unsigned from)
{
    int bits = bits_of(w->type);
    big most = ((big)1 << (is_signed(w->type) ? bits - 1 : bits)) - 1, least = is_signed(w->type) ? -most - 1
        : 0;
    bool clamps = w->op != OP_CVT || w->saturate == INSN_SAT || (nvidia(w) && is_float(from));
    big nan = nvidia(w) && (from == DT_F64 || bits == 64) ? (big)1 << (bits - 1) : 0, r;

    x = soft_integral(x, mode_of(w));
    if (clamps) {
        r = soft_to_int(x, least, most, nan);
    } else {                /* the low bits of the integer, however large */
        r = x.kind == SOFT_NUMBER && x.exp < 64 ? (big)(x.sig << x.exp) : 0;
        r = x.negative ? -r : r;
    }
    r &= ((big)1 << bits) - 1;
    if (is_signed(w->type) && r >> (bits - 1))
        r -= (big)1 << bits;
    return bits == 64 ? (uint64_t)r : (uint32_t)r;
}

static uint64_t kept_nan(uint64_t word, int from, int to)
{
    int shift = (from == 64 ? 52 : from == 32 ? 23 : 10) - (to == 64 ? 52 : to == 32 ? 23 : 10);
    uint64_t fraction = word & ((1ull << (from == 64 ? 52 : from == 32 ? 23 : 10)) - 1);
    uint64_t quiet = to == 64 ? 0x7ff8000000000000u : to == 32 ? 0x7fc00000u : 0x7e00u;
    return (word >> (from - 1) & 1) << (to - 1) | quiet | (shift > 0 ? fraction >> shift
                                                           : fraction << -shift);
}

static uint64_t convert(const struct kernel_request *w, uint64_t word)
{
    unsigned from = w->op == OP_CVT ? w->type2 : bits_of(w->type) == 64 ? DT_F64 : DT_F32;
    int bits = bits_of(from);
    bool plain = w->saturate == 0 && (w->rounding == 0 || w->rounding == MOD_ROUND);
    bool flush = flushes(w, from) && (!is_float(w->type) || w->type == DT_F32);
    struct soft x = is_float(from) ? soft_unpack(word, bits, flush) : soft_from_int(scalar_value(from, word));
    struct soft lower = soft_from_int(w->saturate == INSN_SSAT ? -1 : 0);

    if (!is_float(w->type))
        return to_integer(w, x, from);
    if (from == w->type && plain && from != DT_F16)
        return word;
    if (w->saturate != 0) {
        if (x.kind == SOFT_NAN || soft_compare(x, lower) == SOFT_LESS ||
            (w->saturate == INSN_SAT && soft_compare(x, lower) == SOFT_EQUAL))
            x = lower;
        else if (soft_compare(x, soft_from_int(1)) == SOFT_GREATER)
            x = soft_from_int(1);
        uint64_t r = soft_pack(x, bits_of(w->type), mode_of(w), false, 0);
        return flushes(w, w->type) && (r & 0x7f800000) == 0 ? r & 0x80000000 : r;
    }
    if (x.kind == SOFT_NAN && (from == DT_F64 || w->type == DT_F64))
        return kept_nan(word, bits, bits_of(w->type));
    return soft_pack(x, bits_of(w->type), mode_of(w), false, w->type == DT_F16 ? 0x7fff : 0x7fffffff);
}

/* ---- vectors and packing ------------------------------------------------------------------------------- */

static uint64_t dot(const struct kernel_request *w, uint64_t a[4], uint64_t b[4], int n)
{
    struct soft sum = product(w, a[0], b[0]);
    for (int i = 1; i < n; i++)
        sum = product_sum(w, a[i], b[i], sum);
    return out(w, sum);
}

static uint64_t cross(const struct kernel_request *w, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return out(w, product_sum(w, a, b, soft_negate(product(w, c, d))));
}

static uint64_t transform(const struct kernel_request *w, uint64_t a, uint64_t b[4], uint64_t c0, uint64_t c1)
{
    struct soft first = product_sum(w, b[0], c0, in(w, a));
    return out(w, product_sum(w, b[1], c1, first));
}

/* round(clamp(x) * scale + offset), with the driver's two roundings. */
static uint64_t code(const struct kernel_request *w, uint64_t x, uint64_t least, uint64_t scale,
                     uint64_t offset)
{
    struct soft v = in(w, x), lower = in(w, least), upper = soft_from_int(1);
    if (v.kind == SOFT_NAN || soft_compare(v, lower) == SOFT_LESS)
        v = lower;
    if (soft_compare(v, upper) == SOFT_GREATER)
        v = upper;
    struct soft sum = soft_add(soft_mul(v, in(w, scale)), in(w, offset));
    return (uint64_t)soft_to_int(soft_integral(step(w, sum), SOFT_NEAREST), 0, 65535, 0);
}

static uint64_t decoded(const struct kernel_request *w, int64_t value, uint64_t most)
{
    struct soft unit = step(w, soft_div(soft_from_int(1), soft_from_int((big)most)));
    return out(w, soft_mul(soft_from_int(value), unit));
}

static bool packing(const struct kernel_request *w, uint64_t a[4], uint64_t r[4])
{
    struct kernel_request f = *w;
    f.type = DT_F32;
    memset(r, 0, 4 * sizeof *r);
    for (int c = 0; c < 4; c++) {
        uint64_t low = a[0] >> (c & 1) * 16 & 0xffff, byte = a[0] >> c * 8 & 255;
        switch (w->op) {
        case OP_PK2H: r[0] |= c < 2 ? soft_narrowed(a[c]) << c * 16 : 0; break;
        case OP_PK2US: r[0] |= c < 2 ? code(&f, a[c], 0, 0x477fff00, 0) << c * 16 : 0; break;
        case OP_PK4UB: r[0] |= code(&f, a[c], 0, 0x437f0000, 0) << c * 8; break;
        case OP_PK4B: r[0] |= (code(&f, a[c], 0xbf810204, 0x42fe0000, 0x43000000) & 255) << c * 8; break;
        case OP_UP2H: r[c] = soft_widened(low); break;
        case OP_UP2US: r[c] = decoded(&f, (int64_t)low, 65535); break;
        case OP_UP4UB: r[c] = decoded(&f, (int64_t)byte, 255); break;
        case OP_UP4B: r[c] = decoded(&f, (int64_t)byte - 128, 127); break;
        case OP_PK64: r[c] = c & 1 ? a[2] | a[3] << 32 : a[0] | a[1] << 32; break;
        case OP_UP64: r[c] = (uint32_t)(a[c / 2] >> (c & 1) * 32); break;
        default: return false;
        }
    }
    return true;
}

static bool vector(const struct kernel_request *w, uint64_t a[4], uint64_t b[4], uint64_t c[4], uint64_t r[4])
{
    switch (w->op) {
    case OP_DP2: r[0] = dot(w, a, b, 2); return true;
    case OP_DP3: r[0] = dot(w, a, b, 3); return true;
    case OP_DP4: r[0] = dot(w, a, b, 4); return true;
    case OP_DPH: r[0] = out(w, soft_add(in(w, dot(w, a, b, 3)), in(w, b[3]))); return true;
    case OP_DP2A: r[0] = out(w, soft_add(in(w, dot(w, a, b, 2)), in(w, c[0]))); return true;
    case OP_DST:
        r[0] = one(w, false), r[1] = out(w, product(w, a[1], b[1])), r[2] = a[2], r[3] = b[3];
        return true;
    case OP_XPD:
        for (int i = 0; i < 3; i++)
            r[i] = cross(w, a[(i + 1) % 3], b[(i + 2) % 3], a[(i + 2) % 3], b[(i + 1) % 3]);
        r[3] = cross(w, a[3], b[3], a[3], b[3]);
        return true;
    case OP_X2D:
        r[0] = r[2] = transform(w, a[0], b, c[0], c[1]);
        r[1] = r[3] = transform(w, a[1], b, c[2], c[3]);
        return true;
    default:
        return packing(w, a, r);
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static bool converts(const struct kernel_request *w)
{
    bool rounds = w->op == OP_FLR || w->op == OP_CEIL || w->op == OP_ROUND || w->op == OP_TRUNC;
    return w->op == OP_CVT || (rounds && !is_float(w->type));
}

static bool approximated(const struct kernel_request *w)
{
    switch (w->op) {
    case OP_RSQ: case OP_RCC: case OP_EX2: case OP_LG2: case OP_POW: case OP_SIN: case OP_COS: case OP_SCS:
    case OP_LIT: case OP_NRM: case OP_RFL: case OP_EXP: case OP_LOG: case EVAL_OP_SQRT: return true;
    case OP_RCP: return w->type == DT_F32;
    case OP_DIV: return w->type == DT_F32 && nvidia(w);
    default: return false;
    }
}

bool scalar_model(const struct kernel_request *w, uint64_t src[3][4], uint64_t r[4])
{
    big v;
    if (approximated(w))
        return false;
    if (vector(w, src[0], src[1], src[2], r))
        return true;
    for (int c = 0; c < 4; c++) {
        if (converts(w)) {
            r[c] = convert(w, src[0][c]);
        } else if (is_float(w->type)) {
            r[c] = float_each(w, src[0][c], src[1][c], src[2][c]);
        } else if (w->op == OP_BFE || w->op == OP_BFI) {
            r[c] = (uint32_t)scalar_field(w, (uint32_t)src[0][0], (uint32_t)src[0][1], (uint32_t)src[1][c],
                                          (uint32_t)src[2][c]);
        } else {
            if (!scalar_integer(w, src[0][c], src[1][c], src[2][c], &v))
                return false;
            r[c] = bits_of(w->type) == 64 ? (uint64_t)v : (uint32_t)v;
        }
    }
    return true;
}
