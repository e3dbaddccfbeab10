/* Half arithmetic of several steps: docs/numbers.md, "Half arithmetic" and "Approximated functions". Values are
 * singles that a half can hold. */
#include "tests/oracle/internal.h"

#include "eval/numeric/sfu.h"
#include "tests/oracle/scalar_soft.h"

enum { NAN_WORD = 0x7fffffff, ONE = 0x3f800000, TWO = 0x40000000 };

static struct soft number(uint32_t w)
{
    return soft_unpack(w, 32, true);
}

/* To half and back. */
static uint32_t through_half(struct soft x, enum soft_mode mode)
{
    uint64_t h = soft_pack(x, 16, mode, false, 0x7fff);
    return soft_widened(h);
}

static uint32_t rounded(uint32_t w)
{
    return through_half(number(w), SOFT_NEAREST);
}

/* What does not fit is infinite all the same. */
static uint32_t cut_off(uint32_t w)
{
    struct soft x = number(w), m = x;
    m.negative = false;
    if (x.kind == SOFT_NUMBER && soft_compare(m, soft_from_int(65536)) != SOFT_LESS)
        return 0x7f800000 | (w & 0x80000000);
    return through_half(x, SOFT_ZERO);
}

static uint32_t times(uint32_t a, uint32_t b)
{
    return through_half(soft_mul(number(a), number(b)), SOFT_NEAREST);
}

static uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return through_half(soft_add(soft_mul(number(a), number(b)), number(c)), SOFT_NEAREST);
}

static uint32_t plus(uint32_t a, uint32_t b)
{
    return fused(a, ONE, b);
}

static uint32_t minus(uint32_t a)
{
    return a ^ 0x80000000;
}

static uint32_t dot(const uint32_t *a, const uint32_t *b, unsigned n)
{
    uint32_t r = times(a[0], b[0]);
    for (unsigned i = 1; i < n; i++)
        r = fused(a[i], b[i], r);
    return r;
}

static uint32_t of_function(uint32_t (*function)(uint32_t), uint32_t w)
{
    return cut_off(function(rounded(w)));
}

static uint32_t integral(uint32_t w, enum soft_mode mode)
{
    return (uint32_t)soft_pack(soft_integral(number(w), mode), 32, SOFT_NEAREST, true, NAN_WORD);
}

/* The low 16 bits of the single that is the next integer, as a half. */
static uint32_t low_bits(uint32_t w, enum soft_mode mode)
{
    uint64_t h = soft_pack(soft_integral(number(w), mode), 32, SOFT_NEAREST, true, NAN_WORD) & 0xffff;
    return soft_widened(h);
}

static uint32_t bounded(uint32_t q)
{
    uint32_t m = q & 0x7fffffff;
    m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 && m <= 0x7f800000 ? 0x5f800000 : m;
    return rounded(m | (q & 0x80000000));
}

static uint32_t rcp(uint32_t w) { return eval_sfu_rcp(w); }
static uint32_t rsq(uint32_t w) { return eval_sfu_rsq(w); }
static uint32_t ex2(uint32_t w) { return eval_sfu_ex2(w); }
static uint32_t lg2(uint32_t w) { return eval_sfu_lg2(w); }

/* The product with 1 / (2 pi), 0x1.46p-3 as a half, is one of halves. */
static uint32_t sine(uint32_t w, bool quarter)
{
    uint32_t iterations = times(rounded(w), 0x3e230000);
    return sfu_sin_half(iterations, quarter ? 0 : iterations & 0x80000000, quarter);
}

/* a[i] b[j] - a[j] b[i] */
static uint32_t minor(const uint32_t *a, const uint32_t *b, unsigned i, unsigned j)
{
    return fused(a[i], b[j], minus(times(a[j], b[i])));
}

/* The same where the second product is one of singles (of w), or where only it is one of halves (`single`). */
static uint32_t mixed_minor(uint32_t w[3][4], unsigned i, unsigned j, bool single)
{
    struct soft second = single ? number(times(rounded(w[0][j]), rounded(w[1][i])))
                                : soft_mul(soft_unpack(w[0][j], 32, true), soft_unpack(w[1][i], 32, true));
    uint32_t minus_second = (uint32_t)soft_pack(second, 32, SOFT_NEAREST, true, NAN_WORD) ^ 0x80000000;
    if (!single)
        return fused(rounded(w[0][i]), rounded(w[1][j]), rounded(minus_second));
    return (uint32_t)soft_pack(
        soft_add(soft_mul(soft_unpack(w[0][i], 32, true), soft_unpack(w[1][j], 32, true)), number(minus_second)), 32,
        SOFT_NEAREST, true, NAN_WORD);
}

void oracle_single_cross(struct oracle_value s[3][4], uint64_t r[4])
{
    uint32_t w[3][4];
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < 4; i++)
            w[k][i] = (uint32_t)s[k][i].bits;
    for (unsigned i = 0; i < 4; i++)
        r[i] = i < 3 ? mixed_minor(w, (i + 1) % 3, (i + 2) % 3, true) : mixed_minor(w, 3, 3, true);
}

static bool above_zero(uint32_t w)
{
    return soft_compare(number(w), soft_from_int(0)) == SOFT_GREATER;
}

static uint32_t raised(uint32_t x, uint32_t logarithm, uint32_t w)
{
    struct soft e = number(w), limit = soft_from_int(128);
    if (!above_zero(x))
        return 0;
    if (!(w & 0x7fffffff))
        return ONE;
    if (e.kind == SOFT_NAN || soft_compare(e, soft_negate(limit)) == SOFT_LESS)
        w = 0xc3000000;
    else if (soft_compare(e, limit) == SOFT_GREATER)
        w = 0x43000000;
    return of_function(ex2, times(w, logarithm));
}

/* LIT's z in a SHORT variable. */
static uint32_t shine(uint32_t x, uint32_t y, uint32_t w)
{
    return raised(x, of_function(lg2, above_zero(y) ? y : 0), w);
}

bool oracle_half(const struct insn *insn, bool to_short, unsigned of_short, struct oracle_value s[3][4], uint64_t r[4])
{
    uint32_t w[3][4], a[4], b[4], c[4], *of[3] = {a, b, c}, all, scale;
    /* operands of DST whose z and w are not rounded */
    unsigned copied = !(insn->flags & INSN_PREC) ? 3 : to_short ? of_short : 0;
    /* a SHORT variable makes it half arithmetic */
    bool whole = to_short && insn->type != DT_F16 && !(insn->flags & INSN_HALF);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 4; i++) {
            w[k][i] = (uint32_t)s[k][i].bits;
            of[k][i] = rounded(w[k][i]);
        }
    switch (insn->op) {
    case OP_RCP: all = of_function(rcp, w[0][0]); break;
    case OP_RSQ: all = of_function(rsq, w[0][0]); break;
    case OP_EX2: all = of_function(ex2, w[0][0]); break;
    case OP_LG2: all = of_function(lg2, w[0][0]); break;
    case OP_SIN: all = sine(w[0][0], false); break;
    case OP_COS: all = sine(w[0][0], true); break;
    case OP_RCC: all = bounded(of_function(rcp, w[0][0])); break;
    case OP_POW: all = of_function(ex2, times(b[0], of_function(lg2, w[0][0]))); break;
    case OP_DP2: all = dot(a, b, 2); break;
    case OP_DP3: all = dot(a, b, 3); break;
    case OP_DP4: all = dot(a, b, 4); break;
    case OP_DPH: all = plus(dot(a, b, 3), b[3]); break;
    case OP_DP2A: all = plus(dot(a, b, 2), c[0]); break;
    default:
        scale = insn->op == OP_NRM ? of_function(rsq, dot(a, a, 3)) : 0;
        if (insn->op == OP_RFL)
            scale = times(times(dot(a, b, 3), TWO), of_function(rcp, dot(a, a, 3)));
        for (unsigned i = 0; i < 4; i++)
            switch (insn->op) {
            case OP_MAD: r[i] = fused(a[i], b[i], c[i]); break;
            case OP_LRP: r[i] = fused(a[i], plus(b[i], minus(c[i])), c[i]); break;
            case OP_DIV: r[i] = times(a[i], of_function(rcp, w[1][0])); break;
            case OP_FLR: r[i] = to_short ? integral(a[i], SOFT_DOWN) : low_bits(a[i], SOFT_DOWN); break;
            case OP_CEIL: r[i] = to_short ? integral(a[i], SOFT_UP) : low_bits(a[i], SOFT_UP); break;
            case OP_SCS: r[i] = i > 1 ? 0 : sine(w[0][0], !i); break;
            case OP_DST:
                r[i] = i == 0   ? ONE
                       : i == 1 ? times(a[1], b[1])
                       : i == 2 ? (copied & 1 ? w[0] : a)[2]
                                : (copied & 2 ? w[1] : b)[3];
                break;
            case OP_NRM: r[i] = times(a[i], scale); break;
            case OP_RFL: r[i] = i < 3 ? fused(scale, a[i], minus(b[i])) : 0; break;
            case OP_XPD:
                if (whole) {
                    r[i] = i < 3 ? mixed_minor(w, (i + 1) % 3, (i + 2) % 3, false) : mixed_minor(w, 3, 3, false);
                    break;
                }
                r[i] = i < 3 ? minor(a, b, (i + 1) % 3, (i + 2) % 3) : minor(a, b, 3, 3); break;
            case OP_X2D:
                r[i] = i & 1 ? fused(b[1], c[3], fused(b[0], c[2], a[1])) : fused(b[1], c[1], fused(b[0], c[0], a[0]));
                break;
            case OP_LIT:
                r[i] = i == 0 || i == 3             ? ONE
                       : i == 1 && above_zero(a[0]) ? a[0]
                       : i == 2 && to_short         ? shine(a[0], a[1], a[3])
                                                    : 0;
                break;
            default: return false;
            }
        return true;
    }
    for (unsigned i = 0; i < 4; i++)
        r[i] = all;
    return true;
}
