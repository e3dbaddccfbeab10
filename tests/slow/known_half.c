/* Half arithmetic that the driver's compiler does (docs/numbers.md, "What the compiler computes"), as far as it is modelled at run
 * time (numbers.c): exact, rounded to half, and a denormal half that comes of it a zero. */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

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

static bool settled(struct soft x, uint32_t *r)
{
    uint64_t h = soft_pack(x, 16, SOFT_NEAREST, false, 0x7fff);
    *r = (uint32_t)soft_pack(soft_unpack(h & 0x7c00 ? h : h & 0x8000, 16, false), 32, SOFT_NEAREST, false, KEPT_NAN);
    return *r != KEPT_NAN;
}

bool slow_known_half_product(uint32_t a, uint32_t b, uint32_t *r)
{
    return settled(soft_mul(operand(a), operand(b)), r);
}

bool slow_known_half_fused(uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    return settled(soft_add(soft_mul(operand(a), operand(b)), operand(c)), r);
}

/* Rounding to a single before does no harm to these. */
bool slow_known_half_function(unsigned op, uint32_t a, uint32_t *r)
{
    uint32_t half = (uint32_t)soft_pack(operand(a), 32, SOFT_NEAREST, false, KEPT_NAN);
    bool known = op == OP_RCP ? slow_known_reciprocal(half, r) : op == OP_RSQ ? slow_known_inverse_root(half, r) : slow_logarithm(half, r);
    return known && settled(soft_unpack(*r, 32, false), r);
}

bool slow_known_half(const struct insn *insn, const uint64_t word[3], bool denormals, uint32_t *result)
{
    struct soft a = operand(word[0]), b = operand(word[1]), c = operand(word[2]), r;
    uint64_t h;
    if (insn->flags & INSN_PREC)
        return false;
    switch (insn->op) {
    case OP_ADD: r = soft_add(a, b); break;
    case OP_SUB: r = soft_sub(a, b); break;
    case OP_MUL: r = soft_mul(a, b); break;
    case OP_MAD: r = soft_add(soft_mul(a, b), c); break;
    case OP_MIN: case OP_MAX: r = extreme(a, b, insn->op == OP_MAX); break;
    default: return false;
    }
    h = soft_pack(r, 16, SOFT_NEAREST, false, 0x7fff);
    r = soft_unpack(h & 0x7c00 || denormals ? h : h & 0x8000, 16, false);
    *result = (uint32_t)soft_pack(r, 32, SOFT_NEAREST, false, KEPT_NAN);
    return *result != KEPT_NAN;
}
