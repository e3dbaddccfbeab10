/* Half arithmetic that the driver's compiler does (docs/numbers.md, "What the compiler computes"), step by step: exact, rounded to
 * half, and a denormal half that comes of it a zero. */
#include "tests/slow/exact_function.h"
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

#include <mpfr.h>
#include <string.h>

enum { KEPT_NAN = 0x7fffffff };

static struct soft operand(uint64_t word)
{
    struct soft x = soft_unpack(word & 0xffffffff, 32, true);
    return soft_unpack(soft_pack(x, 16, SOFT_NEAREST, false, 0x7fff), 16, false);
}

static struct soft extreme(struct soft a, struct soft b, bool larger)
{
    enum soft_order order = soft_compare(a, b);
    if (order == SOFT_UNORDERED)
        return a.kind == SOFT_NAN ? b : a;
    if (order == SOFT_EQUAL)
        return a.negative != larger ? a : b;
    return (order == SOFT_LESS) != larger ? a : b;
}

static struct soft stepped(struct soft x)
{
    uint64_t h = soft_pack(x, 16, SOFT_NEAREST, false, 0x7fff);
    return soft_unpack(h & 0x7c00 ? h : h & 0x8000, 16, false);
}

static bool settled(struct soft x, uint32_t *r)
{
    *r = (uint32_t)soft_pack(stepped(x), 32, SOFT_NEAREST, false, KEPT_NAN);
    return *r != KEPT_NAN;
}

static struct soft product(struct soft a, struct soft b)
{
    return stepped(soft_mul(a, b));
}

static struct soft fused(struct soft a, struct soft b, struct soft c)
{
    return stepped(soft_add(soft_mul(a, b), c));
}

static struct soft dot(const struct soft *a, const struct soft *b, unsigned n)
{
    struct soft r = product(a[0], b[0]);
    for (unsigned i = 1; i < n; i++)
        r = fused(a[i], b[i], r);
    return r;
}

/* With all the bits that a rounding to half can need. */
static struct soft function(unsigned op, struct soft a)
{
    uint64_t w = soft_pack(a, 64, SOFT_NEAREST, false, 0x7ff8000000000000);
    double d;
    mpfr_t x;
    memcpy(&d, &w, sizeof d);
    mpfr_init2(x, 53);
    mpfr_set_d(x, d, MPFR_RNDN);
    slow_round_function(op, x);
    d = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    memcpy(&w, &d, sizeof w);
    return soft_unpack(w, 64, false);
}

bool slow_known_half_product(uint32_t a, uint32_t b, uint32_t *r)
{
    return settled(soft_mul(operand(a), operand(b)), r);
}

bool slow_known_half_fused(uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    return settled(soft_add(soft_mul(operand(a), operand(b)), operand(c)), r);
}

bool slow_known_half_function(unsigned op, uint32_t a, uint32_t *r)
{
    return settled(function(op, operand(a)), r);
}

static bool vectors(unsigned op, struct soft v[3][4], unsigned c, struct soft *r)
{
    switch (op) {
    case OP_DP2: *r = dot(v[0], v[1], 2); return true;
    case OP_DP3: *r = dot(v[0], v[1], 3); return true;
    case OP_DP4: *r = dot(v[0], v[1], 4); return true;
    case OP_DPH: *r = soft_add(dot(v[0], v[1], 3), v[1][3]); return true;
    case OP_DP2A: *r = soft_add(dot(v[0], v[1], 2), v[2][0]); return true;
    case OP_NRM: *r = soft_mul(v[0][c], stepped(function(OP_RSQ, dot(v[0], v[0], 3)))); return true;
    case OP_DST: *r = c == 0 ? soft_from_int(1) : c == 1 ? soft_mul(v[0][1], v[1][1]) : c == 2 ? v[0][2] : v[1][3]; return true;
    case OP_SCS: *r = function(c ? OP_SIN : OP_COS, v[0][0]); return c < 2;
    case OP_LIT:
        *r = c == 1 ? v[0][0] : soft_from_int(1);
        if (c == 1 && soft_compare(v[0][0], soft_from_int(0)) != SOFT_GREATER)
            *r = soft_from_int(0);
        return c != 2;
    default: return false;
    }
}

static bool compared(unsigned op, enum soft_order order, struct soft *r)
{
    bool so;
    switch (op) {
    case OP_SEQ: so = order == SOFT_EQUAL; break;
    case OP_SNE: so = order != SOFT_EQUAL; break;
    case OP_SLT: so = order == SOFT_LESS; break;
    case OP_SLE: so = order == SOFT_LESS || order == SOFT_EQUAL; break;
    case OP_SGT: so = order == SOFT_GREATER; break;
    case OP_SGE: so = order == SOFT_GREATER || order == SOFT_EQUAL; break;
    case OP_STR: case OP_SFL: so = op == OP_STR; break;
    default: return false;
    }
    *r = soft_from_int(so);
    return true;
}

static bool components(unsigned op, bool to_short, struct soft a, struct soft b, struct soft c, struct soft *r)
{
    const struct soft zero = soft_from_int(0);
    switch (op) {
    case OP_ADD: *r = soft_add(a, b); return true;
    case OP_SUB: *r = soft_sub(a, b); return true;
    case OP_MUL: *r = soft_mul(a, b); return true;
    case OP_MAD: *r = soft_add(soft_mul(a, b), c); return true;
    case OP_DIV: *r = soft_mul(a, stepped(function(OP_RCP, b))); return true;
    case OP_LRP: *r = soft_add(product(a, stepped(soft_sub(b, c))), c); return true;
    case OP_MIN: case OP_MAX: *r = extreme(a, b, op == OP_MAX); return true;
    case OP_CMP: *r = !to_short && (a.kind == SOFT_NAN || soft_compare(a, zero) == SOFT_LESS) ? b : c; return true;
    case OP_RCC: *r = a.kind == SOFT_NAN ? a : zero; return true;       /* whatever the number is */
    case OP_RCP: case OP_RSQ: case OP_EX2: case OP_LG2: case OP_SIN: case OP_COS: *r = function(op, a); return true;
    case OP_POW: *r = function(OP_EX2, product(b, stepped(function(OP_LG2, a)))); return true;
    default: return compared(op, soft_compare(a, b), r);
    }
}

bool slow_known_half(const struct insn *insn, struct slow_value s[3][4], unsigned c, bool denormals, uint32_t *result)
{
    struct soft v[3][4], of[3], r;
    uint64_t h;
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned i = 0; i < 4; i++)
            v[n][i] = operand(s[n][i].bits);
        of[n] = v[n][shape_table[op_table[insn->op].shape].src[n] == OC_SCALAR ? 0 : c];
    }
    if (insn->flags & INSN_PREC || (!vectors(insn->op, v, c, &r) && !components(insn->op, denormals, of[0], of[1], of[2], &r)))
        return false;
    h = soft_pack(r, 16, SOFT_NEAREST, false, 0x7fff);
    r = soft_unpack(h & 0x7c00 || denormals ? h : h & 0x8000, 16, false);
    *result = (uint32_t)soft_pack(r, 32, SOFT_NEAREST, false, KEPT_NAN);
    return *result != KEPT_NAN || insn->op == OP_DST;
}
