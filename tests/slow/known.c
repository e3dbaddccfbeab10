/* What the driver's compiler computes itself: docs/numbers.md, "What the compiler computes". Singles are in known_single.c, halves in known_half.c. */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

enum { KEPT_NAN = 0x7fffffff };

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

/* Whether a float of 16, 32 or 64 bits is known as an integer of up to 32 bits: no NaN; where it is rounded up or down, at the ends of the type and
 * beyond them. */
static bool rounds(const struct insn *insn, unsigned rounding, unsigned size, uint64_t bits)
{
    unsigned fraction = size == 64 ? 52 : size == 32 ? 23 : 10, top = slow_bytes(insn->type) * 8 - type_table[insn->type].is_signed;
    uint64_t sign = 1ull << (size - 1), magnitude = bits & (sign - 1), infinite = (sign - 1) >> fraction << fraction;
    int exponent = (int)(magnitude >> fraction) - (int)(infinite >> fraction >> 1);
    if (magnitude > infinite)
        return false;
    if (rounding != MOD_FLR && rounding != MOD_CEIL)
        return true;
    return exponent >= (int)top || magnitude == infinite || (!type_table[insn->type].is_signed && (bits & sign || !magnitude));
}

static int whole(const struct insn *insn, bool has_sign, uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT) || (insn->flags & INSN_HI && insn->op != OP_MUL))
        return -1;
    switch (insn->op) {
    case OP_DIV: case OP_MOD: return b && !has_sign ? 0 : -1;
    case OP_TRUNC: return rounds(insn, MOD_TRUNC, 32, a) ? 0 : -1;
    case OP_FLR: case OP_CEIL: return rounds(insn, MOD_FLR, 32, a) ? 0 : -1;
    case OP_ROUND: return rounds(insn, MOD_ROUND, 32, a) ? 0 : -1;
    case OP_BFE: case OP_BFI: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM: case OP_SAD: return 0;
    case OP_CMP:                /* of the bits as of a float, whose denormals count */
        *r = a << 1 > 0xff000000u || (a >> 31 && a << 1) ? b : c;
        return 1;
    case OP_MOV: case OP_NOT: case OP_ABS: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_AND: case OP_OR: case OP_XOR:
    case OP_MIN: case OP_MAX: case OP_SHL: case OP_SHR: case OP_I2F:
    case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT: case OP_SGE: case OP_STR: case OP_SFL:
        return 0;
    default: return -1;
    }
}

/* Conversions that are computed: of 0, of integers, which may wrap, of floats to S32, U32 and U16, and of singles and doubles to singles. */
static bool converts(const struct insn *insn, uint64_t bits)
{
    unsigned from = slow_bytes(insn->type2) * 8;
    bool nearest = insn->rounding == 0 || insn->rounding == MOD_ROUND;
    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (slow_is_float(insn->type2) && (insn->type == DT_S32 || insn->type == DT_U32 || insn->type == DT_U16))
        return rounds(insn, insn->rounding, from, bits & (from == 64 ? UINT64_MAX : (1ull << from) - 1));
    if (slow_is_float(insn->type2) && type_table[insn->type].bytes < 4)
        return false;
    if (!bits)
        return nearest || !slow_is_float(insn->type2);
    if (slow_is_float(insn->type2)) {       /* between 2^-120 and 2^30 */
        int exponent = from == 64 ? (int)(bits >> 52 & 0x7ff) - 1023 : (int)(bits >> 23 & 0xff) - 127;
        return nearest && exponent < 30 && exponent >= -120 && insn->type == DT_F32;
    }
    int64_t n = (int64_t)(bits << (64 - from)) >> (64 - from);
    if (!type_table[insn->type2].is_signed && from < 64)
        n = (int64_t)(bits & ((1ull << from) - 1));
    if (insn->type == DT_F32)
        return nearest && n < 0x1000000 && -n < 0x1000000 && (n >= 0 || type_table[insn->type2].is_signed);
    return !slow_is_float(insn->type) && type_table[insn->type].bytes <= 4;
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

/* A copy into a LONG variable with .SSAT, of which denormal numbers stay. */
static bool widens_faint(const struct slow_program *p, const struct insn *insn)
{
    return (insn->op == OP_MOV || insn->op == OP_ABS) && insn->flags & INSN_SSAT && insn->type == DT_F32 && program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

/* Half arithmetic with 1.0 or -1.0 of a NaN: no copy, where the NaN is known. */
static bool copies_nan(const struct insn *insn, uint32_t a, uint32_t b)
{
    bool a_is_nan = (a & 0x7fffffff) > 0x7f800000, b_is_nan = (b & 0x7fffffff) > 0x7f800000;
    if ((insn->op != OP_MUL && insn->op != OP_DIV) || insn->type != DT_F16 || insn->flags & INSN_PREC)
        return false;
    return ((b & 0x7fffffff) == 0x3f800000 && a_is_nan) || ((a & 0x7fffffff) == 0x3f800000 && insn->op == OP_MUL && b_is_nan);
}

/* As slow_known_single(), for any type. */
static int compute(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign, uint64_t *result)
{
    uint64_t v[3] = {s[0][c].bits, s[1][c].bits, s[2][c].bits};
    uint32_t r = 0;
    int way;
    if (shape_table[op_table[insn->op].shape].src[1] == OC_SCALAR)
        v[1] = s[1][0].bits;
    if (insn->op == OP_UP2H) {
        unsigned flags = program_operand(p->text, insn->src)->flags;
        uint32_t sign = !(flags & OPND_ABSOLUTE) && flags & (OPND_NEGATE | OPND_NEGATE_INNER) ? 0x80000000 : 0;    /* of the numbers */
        *result = slow_known_clamped(insn, from_half(((uint32_t)s[0][0].bits ^ sign) >> (c & 1) * 16) ^ sign);
        return 1;
    }
    if (insn->op == OP_UP64) {
        *result = slow_known_clamped(insn, (uint32_t)(s[0][c / 2].bits >> (c & 1) * 32));
        return insn->type == DT_F32 && !slow_clamps_wide(p, insn) ? 1 : -1;
    }
    if ((insn->op == OP_UP4B || insn->op == OP_UP4UB) && insn->flags & INSN_PREC) {
        *result = slow_known_clamped(insn, insn->op == OP_UP4B ? 0xbf810204 : 0);
        return c & 1 ? 1 : -1;
    }
    if (insn->op == OP_UP4B && insn->type == DT_F32 && !(insn->flags & INSN_HALF))
        return 0;
    if ((insn->op == OP_PK2US || insn->op == OP_PK2H || (!has_sign && (insn->op == OP_UP2US || insn->op == OP_UP4UB))) && insn->type == DT_F32 &&
        !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)) && !insn->cc_update)
        return 0;
    if (insn->op == OP_CVT) {
        uint32_t h = (uint32_t)s[0][c].bits & 0xffff;
        if (insn->type2 != DT_F16 || insn->type == DT_S32 || insn->type == DT_U32 || insn->type == DT_U16)
            return converts(insn, s[0][c].bits) ? 0 : -1;
        if ((insn->flags & (INSN_SAT | INSN_SSAT) && insn->type != DT_F32) || (insn->type != DT_F32 && insn->type != DT_F64))
            return -1;
        *result = insn->type == DT_F32 ? slow_known_clamped(insn, from_half(h)) : 0x7fffffffe0000000;
        return insn->type == DT_F32 || (h & 0x7fff) > 0x7c00 ? 1 : -1;
    }
    if (insn->op == OP_PK64)
        return slow_is_float(insn->type) ? -1 : 0;
    if ((insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_MOV && insn->op != OP_ABS && insn->op != OP_ROUND && insn->op != OP_TRUNC) {
        if (copies_nan(insn, (uint32_t)s[0][c].bits, (uint32_t)s[1][insn->op == OP_DIV ? 0 : c].bits)) {
            *result = slow_known_clamped(insn, 0x7fffffff);
            return 1;
        }
        if (!slow_known_half(insn, s, c, slow_is_short(p, insn->dst.kind, insn->dst.ref), &r))
            return -1;
        *result = slow_known_clamped(insn, r);
        return 1;
    }
    switch (insn->type) {
    case DT_F32: case DT_F16:
        way = slow_known_single(insn, s, c, has_sign, &r);
        *result = insn->op == OP_SSG || (widens_faint(p, insn) && r & 0x7fffffff && !(r & 0x7f800000)) ? r : slow_known_clamped(insn, r);
        return way;
    case DT_F64:
        way = wide(insn->op, v, result);
        *result = way > 0 ? slow_saturate(p, DT_F64, insn->flags & INSN_SSAT && slow_loses_clamp(p, insn) ? 0 : insn->flags, *result) : *result;
        return way;
    case DT_S32: case DT_U32:
        way = whole(insn, has_sign, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], &r);
        *result = r;
        return way;
    case DT_S64: case DT_U64:
        return insn->op == OP_MOV || (computes_long(insn) && (slow_is_narrowed(p, insn) || insn->op == OP_NOT || insn->op == OP_STR)) ? 0 : -1;
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

/* CMP.F16.SAT into a single register clamps nothing that is known, and makes the rest 0. */
static bool chooses_unclamped(const struct slow_program *p, const struct insn *insn)
{
    return insn->op == OP_CMP && slow_is_half(p, insn) && !slow_is_short(p, insn->dst.kind, insn->dst.ref) && !program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

/* What comes out as at run time comes from the model of that. */
bool slow_compiled(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign,
                   uint64_t *bits)
{
    struct insn plain = *insn, own = *insn;
    struct slow_value result[4];
    int way;
    if (((insn->type == DT_F32 || insn->type == DT_F64) && slow_apart(p, insn)) || (slow_clamps_behind_flags(p, insn) && !program_is_long(p->text, insn->dst.kind, insn->dst.ref)) || chooses_unclamped(p, insn))
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
        *bits = insn->op == OP_SSG ? *bits : slow_known_clamped(insn, (uint32_t)*bits);
    }
    return true;
}
