/* What an instruction computes from its operands. */
#include "tests/oracle/internal.h"

#include "tests/oracle/scalar_model.h"
#include "tests/oracle/scalar_soft.h"

static struct kernel_request request(const struct oracle_program *p, unsigned op, unsigned type)
{
    return (struct kernel_request){.op = (uint16_t)op, .type = (uint8_t)type, .type2 = (uint8_t)type,
                                   .semantics = p->nvidia ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC,
                                   .profile = PROFILE_NVCP5};
}

/* One operation on single values. */
uint64_t oracle_apply(const struct oracle_program *p, unsigned op, unsigned type, uint64_t a, uint64_t b, uint64_t c)
{
    struct kernel_request w = request(p, op, type);
    uint64_t src[3][4] = {{a, a, a, a}, {b, b, b, b}, {c, c, c, c}}, r[4] = {0};
    return scalar_model(&w, src, r) ? r[0] : 0;
}

uint64_t oracle_sum(const struct oracle_program *p, unsigned type, uint64_t a, uint64_t b)
{
    return oracle_apply(p, OP_ADD, type, a, b, 0);
}

static bool is_nan(unsigned type, uint64_t bits)
{
    return soft_unpack(bits, oracle_bytes(type) * 8, false).kind == SOFT_NAN;
}

static bool is_zero(const struct oracle_program *p, unsigned type, uint64_t bits)
{
    struct soft x = soft_unpack(bits, oracle_bytes(type) * 8, p->nvidia && type == DT_F32);
    return x.kind == SOFT_NUMBER && x.sig == 0;
}

/* ---- signs, saturation, flags ----------------------------------------------------------------------------------- */

static uint64_t low_bits(unsigned type, uint64_t bits)
{
    return oracle_bytes(type) == 8 ? bits : (uint32_t)bits;
}

/* Inner negation, absolute value, outer negation. */
uint64_t oracle_sign(unsigned type, unsigned flags, uint64_t bits)
{
    uint64_t top = 1ull << (oracle_bytes(type) * 8 - 1);
    bool signs = flags & OPND_SIGNS;
    if (!signs)
        return bits;
    if (type == DT_F64 && is_nan(type, bits))
        return bits | 1ull << 51;
    if (oracle_is_float(type)) {
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

uint64_t oracle_moved(const struct oracle_program *p, unsigned type, bool has_sign, uint64_t bits)
{
    if (!has_sign || type != DT_F32 || !p->nvidia)
        return bits;
    return oracle_apply(p, OP_ADD, type, bits, 0x80000000, 0);
}

uint64_t oracle_saturate(const struct oracle_program *p, unsigned type, unsigned flags, uint64_t bits)
{
    if (!(flags & (INSN_SAT | INSN_SSAT)))
        return bits;
    return oracle_apply(p, flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, type, bits, 0, 0);
}

struct oracle_flags oracle_flags_of(const struct oracle_program *p, unsigned type, uint64_t bits)
{
    bool top = bits >> (oracle_bytes(type) * 8 - 1) & 1;
    struct oracle_flags f = {0};
    if (oracle_is_float(type)) {
        bool nan = is_nan(type, bits), zero = is_zero(p, type, bits);
        f.z = zero || nan;
        f.s = nan || (top && !zero);
    } else {
        f.z = low_bits(type, bits) == 0;
        f.s = top;
    }
    return f;
}

void oracle_carry(const struct insn *insn, const uint64_t a[3], bool difference, bool *overflow, bool *carry)
{
    int bits = oracle_bytes(insn->type) * 8;
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

/* ---- all of it --------------------------------------------------------------------------------------------------- */

bool oracle_is_half(const struct oracle_program *p, const struct insn *insn)
{
    bool packs = op_table[insn->op].name[0] == 'P' && op_table[insn->op].name[1] == 'K';
    bool unpacks = op_table[insn->op].name[0] == 'U' && op_table[insn->op].name[1] == 'P';
    if ((insn->op == OP_MOV && (p->nvidia || insn->type != DT_F16)) || packs || unpacks ||
        (p->nvidia && insn->op == OP_CVT) || insn->flags & ORACLE_SINGLE || oracle_drops_half(p, insn) ||
        oracle_operand_type(insn, 0) != DT_F32 || oracle_result_type(insn) != DT_F32)
        return false;
    /* they take no notice of .F16 */
    if (p->nvidia && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC))
        return insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT;
    return insn->type == DT_F16 || insn->flags & INSN_HALF ||
           (insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT);
}

/* Half arithmetic of one rounding: operands and results are rounded, the operation is as for singles. These and what
 * takes several components (half.c) are rounded in between. */
static bool half_is_plain(const struct oracle_program *p, unsigned op)
{
    if (!p->nvidia)
        return true;
    switch (op) {
    case OP_MAD: case OP_LRP: case OP_DIV: case OP_FLR: case OP_CEIL: return false;
    default: return eval_op_flow(op) == FLOW_EACH;
    }
}

static bool is_narrow(const struct oracle_program *p, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size != SIZE_LONG;
}

/* docs/numbers.md, "Conversions": which of these clamps the driver does; into a variable of 32 bits 64 bits are clamped
 * after they are made. */
static uint8_t clamp_of_conversion(const struct oracle_program *p, const struct insn *insn)
{
    bool narrow = is_narrow(p, insn), sixteen = insn->type == DT_S8 || insn->type == DT_S16;
    uint8_t clamp = (uint8_t)(insn->flags & (INSN_SAT | INSN_SSAT));
    if (oracle_loses_clamp(p, insn))
        return 0;
    if (!p->nvidia || oracle_is_float(insn->type) || clamp != INSN_SAT)
        return clamp;
    return sixteen || narrow != (type_table[insn->type].bytes < 8) ? 0 : clamp;
}

/* Sums of integers with .SAT. */
static bool saturated(const struct insn *insn, struct oracle_value s[3][4], uint64_t r[4])
{
    bool with_sign = type_table[insn->type].is_signed, wide = oracle_bytes(insn->type) == 8;
    __int128 most = with_sign ? INT32_MAX : UINT32_MAX, least = with_sign ? INT32_MIN : 0;
    if (oracle_is_float(insn->type) || !(insn->flags & INSN_SAT) ||
        (insn->op != OP_ADD && insn->op != OP_MUL && insn->op != OP_MAD))
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

/* What a sum of integers with .SAT is without it; else what is there. */
uint64_t oracle_unclamped(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                          unsigned c, uint64_t bits)
{
    uint64_t sum = insn->op == OP_MAD ? s[0][c].bits * s[1][c].bits + s[2][c].bits : s[0][c].bits + s[1][c].bits;
    if (!p->nvidia || oracle_is_float(insn->type) || !(insn->flags & INSN_SAT) ||
        (insn->op != OP_ADD && insn->op != OP_MAD))
        return bits;
    return oracle_bytes(insn->type) == 8 ? sum : (uint32_t)sum;
}

static bool model(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4], uint64_t r[4])
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
        w.type = oracle_result_type(insn);
    } else if (w.type == DT_F16) {
        w.type = w.type2 = DT_F32;
    }
    if (insn->op == OP_LRP && p->nvidia && insn->flags & INSN_PREC) {
        for (int c = 0; c < 4; c++)
            r[c] = oracle_apply(p, OP_ADD, DT_F32,
                                oracle_product(p, (uint32_t)src[0][c],
                                               (uint32_t)oracle_apply(p, OP_SUB, DT_F32, src[1][c], src[2][c], 0)),
                                src[2][c], 0);
        return true;
    }
    return scalar_model(&w, src, r);
}

/* docs/numbers.md: that of SSG; .SSAT of F64 into a single register; .SAT comes when it has been narrowed. */
bool oracle_loses_clamp(const struct oracle_program *p, const struct insn *insn)
{
    if (insn->op == OP_SSG && oracle_result_type(insn) != DT_F64)
        return p->nvidia && is_narrow(p, insn) && (oracle_is_half(p, insn) || !oracle_is_in_memory(p, &insn->dst));
    return p->nvidia && (insn->op == OP_SSG ||
                         (is_narrow(p, insn) && ((insn->flags & INSN_SSAT && insn->type == DT_F64) ||
                                                 (insn->flags & INSN_SAT && oracle_result_type(insn) == DT_F64))));
}

bool oracle_compute(const struct oracle_program *p, const struct insn *insn, struct oracle_value src[3][4],
                  struct oracle_value result[4])
{
    uint64_t r[4] = {0};
    /* a half when it is written, if at all */
    bool as_single = p->nvidia && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC);
    bool half = oracle_is_half(p, insn) && !as_single, sums = insn->type == DT_F32 || insn->type == DT_F16;
    struct oracle_value s[3][4];
    bool steps = half && !half_is_plain(p, insn->op);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++) {
            s[k][c] = src[k][c];
            if (half && !steps)
                s[k][c].bits = oracle_apply(p, EVAL_OP_HALF, DT_F32, s[k][c].bits, 0, 0);
        }
    if (steps) {
        const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
        unsigned shorts = 0;        /* operands that are SHORT variables */
        for (unsigned k = 0; k < insn->nsrc; k++)
            shorts |= (unsigned)oracle_is_short(p, program_operand(p->text, insn->src + k)->kind,
                                                program_operand(p->text, insn->src + k)->ref)
                      << k;
        if (!p->nvidia ||
            !oracle_half(insn, to && to->size == SIZE_SHORT && !oracle_sets_flags_alone(p, insn), shorts, s, r))
            return false;
    } else if (insn->op == OP_XPD && insn->flags & ORACLE_SINGLE) {
        oracle_single_cross(s, r);
    } else if (insn->op == OP_RSQ && insn->type == DT_F64) {
        r[0] = oracle_root_of_double(s[0][0].bits);
    } else if (!saturated(insn, s, r) &&
               !(sums && (insn->op != OP_DIV || p->nvidia) && oracle_approximate(p, insn, s, r)) &&
               !model(p, insn, s, r)) {
        return false;
    }
    for (unsigned c = 0; c < 4; c++) {
        bool scalar = shape_table[op_table[insn->op].shape].result == RC_SCALAR;
        result[c].bits = r[scalar ? 0 : c];
        result[c].undef = oracle_is_undefined_result(p, insn, s, c);
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            for (unsigned i = 0; i < 4; i++)
                if (oracle_component_reads(p, insn, k, c) >> i & 1)
                    result[c].undef |= s[k][i].undef;
        if (half && !steps)
            result[c].bits = oracle_apply(p, EVAL_OP_HALF, DT_F32, result[c].bits, 0, 0);
        if (insn->op != OP_CVT && oracle_is_float(oracle_result_type(insn)))
            result[c].bits = oracle_saturate(p, oracle_result_type(insn), oracle_loses_clamp(p, insn) ? 0 : insn->flags,
                                             result[c].bits);
    }
    return true;
}
