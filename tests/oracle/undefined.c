/* What the text leaves undefined of the result of an instruction that computes (docs/numbers.md; nothing of it under
 * nvidia). */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_soft.h"

static bool not_finite(unsigned type, uint64_t bits)
{
    int width = type == DT_F16 ? 16 : oracle_bytes(type) * 8;
    return soft_unpack(type == DT_F16 ? bits & 0xffff : bits, width, false).kind != SOFT_NUMBER;
}

static bool out_of_range(unsigned op, unsigned type, uint64_t bits)
{
    int width = oracle_bytes(type) * 8;
    bool with_sign = type_table[type].is_signed;
    enum soft_mode mode = op == OP_FLR     ? SOFT_DOWN
                          : op == OP_CEIL  ? SOFT_UP
                          : op == OP_ROUND ? SOFT_NEAREST
                                           : SOFT_ZERO;
    struct soft x = soft_integral(soft_unpack(bits, width, false), mode);
    __int128 most = ((__int128)1 << (with_sign ? width - 1 : width)) - 1, least = with_sign ? -most - 1 : 0;
    if (x.kind != SOFT_NUMBER)
        return true;
    return soft_compare(x, soft_from_int(most)) == SOFT_GREATER || soft_compare(x, soft_from_int(least)) == SOFT_LESS;
}

static bool at_most_zero(uint64_t bits, int width)
{
    return soft_compare(soft_unpack(bits, width, false), soft_from_int(0)) != SOFT_GREATER;
}

static bool wider_than_24(const struct insn *insn, uint64_t a)
{
    uint32_t w = (uint32_t)a;
    if (insn->flags & INSN_U24)
        return w > 0xffffff;
    return w > 0x7fffff && w < 0xff800000;
}

/* Of component c; s: operands as the operation sees them. */
bool oracle_is_undefined_result(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                                unsigned c)
{
    uint64_t a = s[0][c].bits, b = s[1][c].bits, a0 = s[0][0].bits, top = 1ull << (oracle_bytes(insn->type) * 8 - 1);
    bool integer = !oracle_is_float(insn->type);
    if (p->nvidia)
        return insn->op == OP_SSG && oracle_is_half(p, insn);     /* measured: docs/numbers.md */
    switch (insn->op) {
    case OP_DIV: return integer && b == 0;
    case OP_MOD: return b == 0 || (type_table[insn->type].is_signed && (a & top || b & top));
    case OP_SHL: case OP_SHR: return b >= (uint64_t)oracle_bytes(insn->type) * 8;
    case OP_BFE: case OP_BFI: {
        uint64_t n = a0, at = s[0][1].bits;
        return n > 32 || at > 32 || n + at > 32;
    }
    case OP_MUL: return insn->flags & (INSN_S24 | INSN_U24) && (wider_than_24(insn, a) || wider_than_24(insn, b));
    case OP_RSQ: case OP_LG2: return at_most_zero(a0, oracle_bytes(insn->type) * 8);
    case OP_POW: return soft_compare(soft_unpack(a0, 32, false), soft_from_int(0)) == SOFT_LESS;
    case OP_SCS: {
        uint32_t m = (uint32_t)a0 & 0x7fffffff;
        return c > 1 || m > 0x40490fdb;
    }
    case OP_NRM: case OP_RFL: case OP_XPD: return c == 3;
    case OP_CVT: return !oracle_is_float(insn->type) && oracle_is_float(insn->type2) && not_finite(insn->type2, a);
    case OP_FLR: case OP_CEIL: case OP_ROUND: case OP_TRUNC: return integer && out_of_range(insn->op, insn->type, a);
    default: return false;
    }
}

bool oracle_lacks(const struct oracle_program *p, const struct insn *insn, unsigned c)
{
    return oracle_untouched(p, insn) >> c & 1 && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
}

unsigned oracle_untouched(const struct oracle_program *p, const struct insn *insn)
{
    if (!p->nvidia || oracle_goes_by_copy(p, insn))
        return 0;
    return insn->op == OP_SCS || insn->op == OP_MATCH || op_shuffles(insn->op) ? 12 : insn->op == OP_RFL ? 8 : 0;
}
