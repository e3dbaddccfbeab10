/* What an instruction computes from its operands. */
#include "tests/slow/internal.h"

#include "eval/numeric/sfu.h"
#include "tests/scalar_model.h"
#include "tests/scalar_soft.h"

static struct kernel_request request(const struct slow_program *p, unsigned op, unsigned type)
{
    return (struct kernel_request){.op = (uint16_t)op, .type = (uint8_t)type, .type2 = (uint8_t)type,
                                   .semantics = p->nvidia ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC,
                                   .profile = PROFILE_NVCP5};
}

/* One operation on single values. */
uint64_t slow_apply(const struct slow_program *p, unsigned op, unsigned type, uint64_t a, uint64_t b, uint64_t c)
{
    struct kernel_request w = request(p, op, type);
    uint64_t src[3][4] = {{a, a, a, a}, {b, b, b, b}, {c, c, c, c}}, r[4] = {0};
    return scalar_model(&w, src, r) ? r[0] : 0;
}

uint64_t slow_sum(const struct slow_program *p, unsigned type, uint64_t a, uint64_t b)
{
    return slow_apply(p, OP_ADD, type, a, b, 0);
}

static bool is_nan(unsigned type, uint64_t bits)
{
    return soft_unpack(bits, slow_bytes(type) * 8, false).kind == SOFT_NAN;
}

static bool is_zero(const struct slow_program *p, unsigned type, uint64_t bits)
{
    struct soft x = soft_unpack(bits, slow_bytes(type) * 8, p->nvidia && type == DT_F32);
    return x.kind == SOFT_NUMBER && x.sig == 0;
}

/* ---- signs, saturation, flags ------------------------------------------------------------------------------------- */

static uint64_t low_bits(unsigned type, uint64_t bits)
{
    return slow_bytes(type) == 8 ? bits : (uint32_t)bits;
}

/* Inner negation, absolute value, outer negation. */
uint64_t slow_sign(const struct slow_program *p, unsigned type, unsigned flags, uint64_t bits)
{
    uint64_t top = 1ull << (slow_bytes(type) * 8 - 1);
    bool signs = flags & OPND_SIGNS;
    (void)p;
    if (!signs)
        return bits;
    if (type == DT_F64 && is_nan(type, bits))
        return bits | 1ull << 51;
    if (slow_is_float(type)) {
        if (flags & OPND_NEGATE_INNER)
            bits ^= top;
        if (flags & OPND_ABSOLUTE)
            bits &= ~top;
        return flags & OPND_NEGATE ? bits ^ top : bits;
    }
    if (flags & OPND_NEGATE_INNER)
        bits = low_bits(type, 0 - bits);
    if (flags & OPND_ABSOLUTE && type_table[type].is_signed && bits & top)
        bits = low_bits(type, 0 - bits);
    return flags & OPND_NEGATE ? low_bits(type, 0 - bits) : bits;
}

uint64_t slow_moved(const struct slow_program *p, unsigned type, bool has_sign, uint64_t bits)
{
    if (!has_sign || type != DT_F32 || !p->nvidia)
        return bits;
    return slow_apply(p, OP_ADD, type, bits, 0x80000000, 0);
}

uint64_t slow_saturate(const struct slow_program *p, unsigned type, unsigned flags, uint64_t bits)
{
    if (!(flags & (INSN_SAT | INSN_SSAT)))
        return bits;
    return slow_apply(p, flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, type, bits, 0, 0);
}

struct slow_flags slow_flags_of(const struct slow_program *p, unsigned type, uint64_t bits)
{
    bool top = bits >> (slow_bytes(type) * 8 - 1) & 1;
    struct slow_flags f = {0};
    if (slow_is_float(type)) {
        bool nan = is_nan(type, bits), zero = is_zero(p, type, bits);
        f.z = zero || nan;
        f.s = nan || (top && !zero);
    } else {
        f.z = low_bits(type, bits) == 0;
        f.s = top;
    }
    return f;
}

void slow_carry(const struct insn *insn, const uint64_t a[3], bool difference, bool *overflow, bool *carry)
{
    int bits = slow_bytes(insn->type) * 8;
    unsigned __int128 modulus = (unsigned __int128)1 << bits, x = a[0], y = a[1], in = 0;
    uint64_t top = 1ull << (bits - 1);
    if (insn->op == OP_MAD) {
        x = x * y % modulus;
        y = a[2];
    } else if (insn->op == OP_SAD) {
        bool below = type_table[insn->type].is_signed ? (a[0] ^ top) < (a[1] ^ top) : a[0] < a[1];
        x = (below ? y - x : x - y) % modulus;
        y = a[2];
    }
    if (difference) {
        y = modulus - 1 - y;
        in = 1;
    }
    unsigned __int128 sum = x + y + in;
    bool sx = x & top, sy = y & top, sr = (uint64_t)(sum % modulus) & top;
    *carry = sum >= modulus;
    *overflow = sx == sy && sx != sr;
}

/* ---- the approximated functions, by their tables ---------------------------------------------------------------- */

static uint32_t flushed(const struct slow_program *p, uint32_t w)
{
    return p->nvidia && !(w & 0x7f800000) ? w & 0x80000000 : w;
}

static uint32_t product(const struct slow_program *p, uint32_t a, uint32_t b)
{
    return (uint32_t)slow_apply(p, OP_MUL, DT_F32, a, b, 0);
}

/* a * b + c with one rounding, whatever the semantics. */
static uint32_t fused(const struct slow_program *p, uint32_t a, uint32_t b, uint32_t c)
{
    bool flush = p->nvidia;
    struct soft s = soft_add(soft_mul(soft_unpack(a, 32, flush), soft_unpack(b, 32, flush)), soft_unpack(c, 32, flush));
    return (uint32_t)soft_pack(s, 32, SOFT_NEAREST, flush, 0x7fffffff);
}

static uint32_t dot3(const struct slow_program *p, struct slow_value a[4], struct slow_value b[4])
{
    uint32_t r = product(p, (uint32_t)a[0].bits, (uint32_t)b[0].bits);
    r = fused(p, (uint32_t)a[1].bits, (uint32_t)b[1].bits, r);
    return fused(p, (uint32_t)a[2].bits, (uint32_t)b[2].bits, r);
}

static struct soft rounded_double(struct soft x)
{
    return soft_unpack(soft_pack(x, 64, SOFT_NEAREST, false, 0x7ff8000000000000), 64, false);
}

/* docs/numbers.md, "Doubles": a guess of the upper word, from the table for singles, and two of Newton's steps
 * y + y (1/2 - x y y / 2), each fused. */
static uint64_t root_of_double(uint64_t a)
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
    y = soft_unpack(soft_pack(soft_unpack(guess, 32, false), 64, SOFT_NEAREST, false, 0) & 0xffffffff00000000, 64, false);
    y.exp -= (exponent - odd) / 2;
    for (int step = 0; step < 2; step++) {
        struct soft xy = rounded_double(soft_mul(x, y)), error;
        error = rounded_double(soft_add(soft_mul(soft_negate(xy), soft_mul(half, y)), half));
        y = rounded_double(soft_add(soft_mul(y, error), y));
    }
    y.exp += tiny ? 27 : 0;
    return soft_pack(y, 64, SOFT_NEAREST, false, 0);
}

uint64_t slow_root(const struct slow_program *p, const struct insn *insn, uint32_t a)
{
    return slow_is_half(p, insn) ? slow_half_root(a) : eval_sfu_sqrt(a);
}

static uint32_t lit_power(const struct slow_program *p, uint32_t x, uint32_t y, uint32_t w)
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
    uint32_t base = soft_compare(soft_unpack(y, 32, p->nvidia), soft_from_int(0)) == SOFT_GREATER ? y : 0;
    return eval_sfu_ex2(product(p, exponent, eval_sfu_lg2(base)));
}

static bool approximate(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], uint64_t r[4])
{
    uint32_t a = (uint32_t)s[0][0].bits, b = (uint32_t)s[1][0].bits, scale;
    switch (insn->op) {
    case OP_RCP: r[0] = eval_sfu_rcp(a); return true;
    case OP_RSQ: r[0] = eval_sfu_rsq(a); return true;
    case OP_EX2: r[0] = eval_sfu_ex2(a); return true;
    case OP_LG2: r[0] = eval_sfu_lg2(a); return true;
    case OP_SIN: r[0] = eval_sfu_sin(a); return true;
    case OP_COS: r[0] = eval_sfu_cos(a); return true;
    case OP_POW: r[0] = eval_sfu_ex2(product(p, b, eval_sfu_lg2(a))); return true;
    case OP_RCC: {
        uint32_t q = eval_sfu_rcp(a), m = q & 0x7fffffff;
        m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
        r[0] = m | (q & 0x80000000);
        return true;
    }
    case OP_SCS: r[0] = eval_sfu_cos(a); r[1] = eval_sfu_sin(a); r[2] = r[3] = 0; return true;
    case OP_DIV:
        for (int c = 0; c < 4; c++)
            r[c] = product(p, (uint32_t)s[0][c].bits, eval_sfu_rcp(b));
        return true;
    case OP_NRM:
        scale = eval_sfu_rsq(dot3(p, s[0], s[0]));
        for (int c = 0; c < 4; c++)
            r[c] = product(p, (uint32_t)s[0][c].bits, scale);
        return true;
    case OP_RFL:
        scale = product(p, product(p, dot3(p, s[0], s[1]), 0x40000000), eval_sfu_rcp(dot3(p, s[0], s[0])));
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

/* ---- what the text leaves undefined (docs/numbers.md; nothing of it under nvidia) ------------------------------------ */

static bool not_finite(unsigned type, uint64_t bits)
{
    int width = type == DT_F16 ? 16 : slow_bytes(type) * 8;
    return soft_unpack(type == DT_F16 ? bits & 0xffff : bits, width, false).kind != SOFT_NUMBER;
}

static bool out_of_range(unsigned op, unsigned type, uint64_t bits)
{
    int width = slow_bytes(type) * 8;
    bool with_sign = type_table[type].is_signed;
    enum soft_mode mode = op == OP_FLR ? SOFT_DOWN : op == OP_CEIL ? SOFT_UP : op == OP_ROUND ? SOFT_NEAREST : SOFT_ZERO;
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
static bool left_open(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c)
{
    uint64_t a = s[0][c].bits, b = s[1][c].bits, a0 = s[0][0].bits, top = 1ull << (slow_bytes(insn->type) * 8 - 1);
    bool integer = !slow_is_float(insn->type);
    if (p->nvidia)
        return insn->op == OP_SSG && slow_is_half(p, insn);     /* measured: docs/numbers.md */
    switch (insn->op) {
    case OP_DIV: return integer && b == 0;
    case OP_MOD: return b == 0 || (type_table[insn->type].is_signed && (a & top || b & top));
    case OP_SHL: case OP_SHR: return b >= (uint64_t)slow_bytes(insn->type) * 8;
    case OP_BFE: case OP_BFI: {
        uint64_t n = a0, at = s[0][1].bits;
        return n > 32 || at > 32 || n + at > 32;
    }
    case OP_MUL: return insn->flags & (INSN_S24 | INSN_U24) && (wider_than_24(insn, a) || wider_than_24(insn, b));
    case OP_RSQ: case OP_LG2: return at_most_zero(a0, slow_bytes(insn->type) * 8);
    case OP_POW: return soft_compare(soft_unpack(a0, 32, false), soft_from_int(0)) == SOFT_LESS;
    case OP_SCS: {
        uint32_t m = (uint32_t)a0 & 0x7fffffff;
        return c > 1 || m > 0x40490fdb;
    }
    case OP_NRM: case OP_RFL: case OP_XPD: return c == 3;
    case OP_CVT: return !slow_is_float(insn->type) && slow_is_float(insn->type2) && not_finite(insn->type2, a);
    case OP_FLR: case OP_CEIL: case OP_ROUND: case OP_TRUNC: return integer && out_of_range(insn->op, insn->type, a);
    default: return false;
    }
}

bool slow_lacks(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    return slow_untouched(p, insn) >> c & 1 && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
}

unsigned slow_untouched(const struct slow_program *p, const struct insn *insn)
{
    return !p->nvidia ? 0 : insn->op == OP_SCS ? 12 : insn->op == OP_RFL ? 8 : 0;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

bool slow_is_half(const struct slow_program *p, const struct insn *insn)
{
    bool packs = op_table[insn->op].name[0] == 'P' && op_table[insn->op].name[1] == 'K';
    bool unpacks = op_table[insn->op].name[0] == 'U' && op_table[insn->op].name[1] == 'P';
    if (insn->op == OP_MOV || packs || unpacks || (p->nvidia && insn->op == OP_CVT) || insn->flags & SLOW_SINGLE || slow_drops_half(p, insn) || slow_operand_type(insn, 0) != DT_F32 || slow_result_type(insn) != DT_F32)
        return false;
    if (p->nvidia && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC))      /* they take no notice of .F16 */
        return insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT;
    return insn->type == DT_F16 || insn->flags & INSN_HALF ||
           (insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT);
}

/* Half arithmetic of one rounding: operands and results are rounded, the operation is as for singles. */
static bool half_is_plain(const struct slow_program *p, unsigned op)
{
    if (!p->nvidia)
        return true;
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MIN: case OP_MAX: case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT:
    case OP_SGE: case OP_STR: case OP_SFL: case OP_CMP: case OP_ABS: case OP_SSG: case OP_ROUND: case OP_TRUNC: case OP_FRC: return true;
    default: return false;
    }
}

static bool is_narrow(const struct slow_program *p, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size != SIZE_LONG;
}

/* docs/numbers.md, "Conversions": which of these clamps the driver does; into a variable of 32 bits 64 bits are clamped after they are made. */
static uint8_t clamp_of_conversion(const struct slow_program *p, const struct insn *insn)
{
    bool narrow = is_narrow(p, insn), sixteen = insn->type == DT_S8 || insn->type == DT_S16;
    uint8_t clamp = (uint8_t)(insn->flags & (INSN_SAT | INSN_SSAT));
    if (slow_loses_clamp(p, insn))
        return 0;
    if (!p->nvidia || slow_is_float(insn->type) || clamp != INSN_SAT)
        return clamp;
    return sixteen || narrow != (type_table[insn->type].bytes < 8) ? 0 : clamp;
}

static uint64_t kept_in_words(const struct slow_program *p, const struct insn *insn, uint64_t wide)
{
    struct kernel_request w = request(p, OP_CVT, insn->type == DT_S64 ? DT_S32 : DT_U32);
    uint64_t src[3][4] = {{wide, wide, wide, wide}}, r[4] = {0};
    bool words = (insn->type == DT_S64 || insn->type == DT_U64) && is_narrow(p, insn) && insn->type2 != DT_F32 && insn->type2 != DT_F16;
    if (!p->nvidia || insn->op != OP_CVT || !words || !(insn->flags & INSN_SAT))
        return wide;
    w.type2 = insn->type;
    w.saturate = INSN_SAT;
    return scalar_model(&w, src, r) ? r[0] : 0;
}

/* Sums of integers with .SAT. */
static bool saturated(const struct insn *insn, struct slow_value s[3][4], uint64_t r[4])
{
    bool with_sign = type_table[insn->type].is_signed, wide = slow_bytes(insn->type) == 8;
    __int128 most = with_sign ? INT32_MAX : UINT32_MAX, least = with_sign ? INT32_MIN : 0;
    if (slow_is_float(insn->type) || !(insn->flags & INSN_SAT) || (insn->op != OP_ADD && insn->op != OP_MUL && insn->op != OP_MAD))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t v[3] = {s[0][c].bits, s[1][c].bits, insn->op == OP_MAD ? s[2][c].bits : 0};
        __int128 x[3], sum;
        for (unsigned k = 0; k < 3; k++)
            x[k] = with_sign ? (int32_t)(uint32_t)v[k] : (__int128)(uint32_t)v[k];
        sum = insn->op == OP_MAD ? x[0] * x[1] + x[2] : x[0] + x[1];
        r[c] = insn->op == OP_ADD ? v[0] + v[1] : v[0] * v[1] + v[2];
        if (wide && insn->op == OP_ADD && !with_sign)
            r[c] = r[c] >> 63 ? 0 : r[c];
        else if (!wide)
            r[c] = insn->op == OP_MUL ? (uint32_t)r[c] : (uint32_t)(sum < least ? least : sum > most ? most : sum);
    }
    return true;
}

static bool model(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], uint64_t r[4])
{
    struct kernel_request w = request(p, insn->op, insn->type);
    uint64_t src[3][4];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++)
            src[k][c] = s[k][c].bits;
    w.flags = insn->flags & (INSN_HI | INSN_S24 | INSN_U24);
    if (insn->op == OP_CVT) {
        w.type2 = insn->type2;
        w.rounding = insn->rounding;
        w.saturate = clamp_of_conversion(p, insn);
        if (p->nvidia && is_narrow(p, insn) && (insn->type == DT_S64 || insn->type == DT_U64) &&
            (insn->type2 == DT_F32 || insn->type2 == DT_F16))      /* measured: docs/numbers.md */
            w.type = insn->type == DT_S64 ? DT_S32 : DT_U32;
    } else if (insn->op == OP_I2F) {
        w.op = OP_CVT;
        w.type2 = insn->type;
        w.type = slow_result_type(insn);
    } else if (w.type == DT_F16) {
        w.type = w.type2 = DT_F32;
    }
    if (insn->op == OP_LRP && p->nvidia && insn->flags & INSN_PREC) {
        for (int c = 0; c < 4; c++)
            r[c] = slow_apply(p, OP_ADD, DT_F32, product(p, (uint32_t)src[0][c], (uint32_t)slow_apply(p, OP_SUB, DT_F32, src[1][c],
                                                                                            src[2][c], 0)), src[2][c], 0);
        return true;
    }
    return scalar_model(&w, src, r);
}

bool slow_tests_others(const struct slow_program *p, const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4, tested = 0;
    for (unsigned c = 0; c < 4; c++)
        tested |= insn->dst.mask >> c & 1 ? (uint8_t)(1u << (swizzle >> 2 * c & 3)) : 0;
    return p->nvidia && insn->cc_update && condition_restricts(test) && tested & (tested - 1) && insn->dst.kind != OPND_CC;
}

bool slow_apart(const struct slow_program *p, const struct insn *insn)
{
    return slow_tests_others(p, insn) && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size != SIZE_LONG;
}

bool slow_clamps_wide(const struct slow_program *p, const struct insn *insn)
{
    return p->nvidia && insn->op == OP_UP64 && insn->type == DT_F32 && !is_narrow(p, insn) && insn->flags & (INSN_SAT | INSN_SSAT);
}

/* docs/semantics.md: .SSAT of F64 into a single register; .SAT comes when it has been narrowed. */
bool slow_loses_clamp(const struct slow_program *p, const struct insn *insn)
{
    return p->nvidia && is_narrow(p, insn) &&
           ((insn->flags & INSN_SSAT && insn->type == DT_F64) || (insn->flags & INSN_SAT && slow_result_type(insn) == DT_F64));
}

static bool number_into_short(const struct slow_program *p, const struct insn *insn)
{
    return insn->op == OP_I2F && slow_result_type(insn) == DT_F32 && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT;
}

bool slow_compute(const struct slow_program *p, const struct insn *insn, struct slow_value src[3][4],
                  struct slow_value result[4])
{
    uint64_t r[4] = {0};
    bool as_single = p->nvidia && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC);     /* a half when it is written, if at all */
    bool half = slow_is_half(p, insn) && !as_single, sums = insn->type == DT_F32 || insn->type == DT_F16;
    struct slow_value s[3][4];
    bool steps = half && !half_is_plain(p, insn->op);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++) {
            s[k][c] = src[k][c];
            if (half && !steps)
                s[k][c].bits = slow_apply(p, EVAL_OP_HALF, DT_F32, s[k][c].bits, 0, 0);
        }
    if (steps) {
        const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
        if (!p->nvidia || !slow_half(insn, to && to->size == SIZE_SHORT && !slow_sets_flags_alone(p, insn), s, r))
            return false;
    } else if (insn->op == OP_XPD && insn->flags & SLOW_SINGLE) {
        slow_single_cross(s, r);
    } else if (insn->op == OP_RSQ && insn->type == DT_F64) {
        r[0] = root_of_double(s[0][0].bits);
    } else if (!saturated(insn, s, r) && !(sums && (insn->op != OP_DIV || p->nvidia) && approximate(p, insn, s, r)) && !model(p, insn, s, r)) {
        return false;
    }
    for (unsigned c = 0; c < 4; c++) {
        bool scalar = shape_table[op_table[insn->op].shape].result == RC_SCALAR;
        result[c].bits = r[scalar ? 0 : c];
        result[c].open = left_open(p, insn, s, c);
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            for (unsigned i = 0; i < 4; i++)
                if (slow_made_of(p, insn, k, c) >> i & 1)
                    result[c].open |= s[k][i].open;
        if ((half && !steps) || (p->nvidia && number_into_short(p, insn)))
            result[c].bits = slow_apply(p, EVAL_OP_HALF, DT_F32, result[c].bits, 0, 0);
        result[c].bits = kept_in_words(p, insn, result[c].bits);
        if (insn->op != OP_CVT && slow_is_float(slow_result_type(insn)) && !slow_clamps_wide(p, insn))
            result[c].bits = slow_saturate(p, slow_result_type(insn), slow_loses_clamp(p, insn) ? 0 : insn->flags, result[c].bits);
    }
    return true;
}
