/* The approximated functions, by their tables, and what is made of them. */
#include "tests/oracle/internal.h"

#include "eval/numeric/sfu.h"
#include "tests/oracle/scalar_soft.h"

static uint32_t flushed(const struct oracle_program *p, uint32_t w)
{
    return p->nvidia && !(w & 0x7f800000) ? w & 0x80000000 : w;
}

uint32_t oracle_product(const struct oracle_program *p, uint32_t a, uint32_t b)
{
    return (uint32_t)oracle_apply(p, OP_MUL, DT_F32, a, b, 0);
}

/* a * b + c with one rounding, whatever the semantics. */
static uint32_t fused(const struct oracle_program *p, uint32_t a, uint32_t b, uint32_t c)
{
    bool flush = p->nvidia;
    struct soft s = soft_add(soft_mul(soft_unpack(a, 32, flush), soft_unpack(b, 32, flush)), soft_unpack(c, 32, flush));
    return (uint32_t)soft_pack(s, 32, SOFT_NEAREST, flush, 0x7fffffff);
}

static uint32_t dot3(const struct oracle_program *p, struct oracle_value a[4], struct oracle_value b[4])
{
    uint32_t r = oracle_product(p, (uint32_t)a[0].bits, (uint32_t)b[0].bits);
    r = fused(p, (uint32_t)a[1].bits, (uint32_t)b[1].bits, r);
    return fused(p, (uint32_t)a[2].bits, (uint32_t)b[2].bits, r);
}

static struct soft rounded_double(struct soft x)
{
    return soft_unpack(soft_pack(x, 64, SOFT_NEAREST, false, 0x7ff8000000000000), 64, false);
}

/* docs/numbers.md, "Doubles": a guess of the upper word, from the table for singles, and two of Newton's steps
 * y + y (1/2 - x y y / 2), each fused. */
uint64_t oracle_root_of_double(uint64_t a)
{
    const uint64_t top = 1ull << 63, infinity = 0x7ff0000000000000;
    bool tiny = (a & ~top) < 0x0010000000000000;
    struct soft x = soft_unpack(a, 64, false), half = {.exp = -1, .sig = 1}, y;
    if ((a & ~top) == 0)
        return (a & top) | infinity;
    if (a >= infinity)      /* negative ones and NaN too */
        return a >> 32 == infinity >> 32 ? 0 : 0x7fffffff00000000;
    x.exp += tiny ? 54 : 0;
    uint32_t high = (uint32_t)(soft_pack(x, 64, SOFT_NEAREST, false, 0) >> 32);
    int exponent = (int)(high >> 20) - 1023;
    bool odd = exponent & 1;
    uint32_t guess = eval_sfu_rsq((127u + odd) << 23 | (high & 0xfffff) << 3);
    y = soft_unpack(soft_pack(soft_unpack(guess, 32, false), 64, SOFT_NEAREST, false, 0) & 0xffffffff00000000, 64,
                    false);
    y.exp -= (exponent - odd) / 2;
    for (int step = 0; step < 2; step++) {
        struct soft xy = rounded_double(soft_mul(x, y)), error;
        error = rounded_double(soft_add(soft_mul(soft_negate(xy), soft_mul(half, y)), half));
        y = rounded_double(soft_add(soft_mul(y, error), y));
    }
    y.exp += tiny ? 27 : 0;
    return soft_pack(y, 64, SOFT_NEAREST, false, 0);
}

static uint32_t shine(const struct oracle_program *p, uint32_t x, uint32_t logarithm, uint32_t w)
{
    struct soft limit = soft_from_int(128), e = soft_unpack(w, 32, p->nvidia);
    uint32_t exponent = w;
    if (soft_compare(soft_unpack(x, 32, p->nvidia), soft_from_int(0)) != SOFT_GREATER)
        return 0;
    if (flushed(p, w) << 1 == 0)
        return 0x3f800000;
    if (soft_compare(e, soft_negate(limit)) != SOFT_GREATER)
        exponent = 0xc3000000;
    if (soft_compare(e, limit) == SOFT_GREATER || soft_compare(e, limit) == SOFT_EQUAL)
        exponent = 0x43000000;
    if (e.kind == SOFT_NAN)
        exponent = 0xc3000000;
    return eval_sfu_ex2(oracle_product(p, exponent, logarithm));
}

static uint32_t lit_power(const struct oracle_program *p, uint32_t x, uint32_t y, uint32_t w)
{
    uint32_t base = soft_compare(soft_unpack(y, 32, p->nvidia), soft_from_int(0)) == SOFT_GREATER ? y : 0;
    return shine(p, x, eval_sfu_lg2(base), w);
}

bool oracle_approximate(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                        uint64_t r[4])
{
    uint32_t a = (uint32_t)s[0][0].bits, b = (uint32_t)s[1][0].bits, scale;
    switch (insn->op) {
    case OP_RCP: r[0] = eval_sfu_rcp(a); return true;
    case OP_RSQ: r[0] = eval_sfu_rsq(a); return true;
    case OP_EX2: r[0] = eval_sfu_ex2(a); return true;
    case OP_LG2: r[0] = eval_sfu_lg2(a); return true;
    case OP_SIN: r[0] = eval_sfu_sin(a); return true;
    case OP_COS: r[0] = eval_sfu_cos(a); return true;
    case OP_POW: r[0] = eval_sfu_ex2(oracle_product(p, b, eval_sfu_lg2(a))); return true;
    case OP_RCC: {
        uint32_t q = eval_sfu_rcp(a), m = q & 0x7fffffff;
        m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
        r[0] = m | (q & 0x80000000);
        return true;
    }
    case OP_SCS: r[0] = eval_sfu_cos(a); r[1] = eval_sfu_sin(a); r[2] = r[3] = 0; return true;
    case OP_DIV:
        for (int c = 0; c < 4; c++)
            r[c] = oracle_product(p, (uint32_t)s[0][c].bits, eval_sfu_rcp(b));
        return true;
    case OP_NRM:
        scale = eval_sfu_rsq(dot3(p, s[0], s[0]));
        for (int c = 0; c < 4; c++)
            r[c] = oracle_product(p, (uint32_t)s[0][c].bits, scale);
        return true;
    case OP_RFL:
        scale =
            oracle_product(p, oracle_product(p, dot3(p, s[0], s[1]), 0x40000000), eval_sfu_rcp(dot3(p, s[0], s[0])));
        for (int c = 0; c < 3; c++)
            r[c] = fused(p, scale, (uint32_t)s[0][c].bits, (uint32_t)s[1][c].bits ^ 0x80000000);
        r[3] = 0;
        return true;
    case OP_LIT:
        r[0] = r[3] = 0x3f800000;
        r[1] = soft_compare(soft_unpack(a, 32, p->nvidia), soft_from_int(0)) == SOFT_GREATER ? a : 0;
        r[2] = lit_power(p, a, (uint32_t)s[0][1].bits, (uint32_t)s[0][3].bits);
        return true;
    default: return false;
    }
}
