/* Instructions as bytes for AVX2: eval/jit/x86_avx2.h. */
#include "eval/jit/x86_avx2_internal.h"

/* ---- bytes --------------------------------------------------------------------------------------------- */

/* Whether the bit says anything: elsewhere it is ignored, but not by whatever looks at code. */
static bool has_wide_form(uint32_t opcode)
{
    bool first_map = (opcode >> 16 & 3) == X86_0F;

    return opcode & X86_W && opcode != X86_PMULS64 && (!first_map || opcode == TO_GPR64);
}

void x86_avx2_vex(struct x86_code *c, uint32_t opcode, bool half, unsigned d, unsigned v, struct x86_place m,
                  unsigned imm)
{
    unsigned map = opcode >> 16 & 3, prefix = opcode >> 8 & 3, rm_bit3 = m.kind == X86_REGISTER ? m.at >> 3 & 1 : 0;
    uint8_t *b = x86_next(c, X86_LONGEST);
    size_t n = 0;

    if (!b)
        return;
    if (m.kind == X86_SPREAD)   /* all lanes have it in memory */
        m.kind = X86_MEMORY;
    if (opcode != X86_CMPPS && (d == ZERO || v == ZERO || (m.kind == X86_REGISTER && m.at == ZERO)))
        c->zeroed = opcode == X86_XOR && d == ZERO && v == ZERO && m.kind == X86_REGISTER && m.at == ZERO;
    b[n++] = 0xc4;
    b[n++] = (uint8_t)((~d >> 3 & 1) << 7 | 0x40 | (rm_bit3 ^ 1) << 5 | map);
    b[n++] = (uint8_t)((has_wide_form(opcode) ? 0x80 : 0) | (~v & 15) << 3 | (half ? 0 : 4) | prefix);
    b[n++] = (uint8_t)opcode;
    n += x86_operand(c, b + n, d, opcode, m, c->size + n);
    if (opcode & X86_IMM)
        b[n++] = (uint8_t)imm;
    c->size += n;
}

static struct x86_place place(const struct x86_code *c, struct x86_place m)
{
    if (m.kind == X86_WORD)
        m.at = 32 * OWN + 8 * m.at;
    for (unsigned i = 0; i < c->nheld && (m.kind == X86_WORD || m.kind == X86_VECTOR); i++)
        if (c->held[i] == m.at)
            return x86_reg(x86_avx2_held(i));
    if (m.kind == X86_REGISTER && m.at == X86_AVX2_LAST)
        m = c->keeps_last ? x86_reg(K2) : x86_avx2_constant(MAGNITUDE);
    else if (m.kind == X86_REGISTER)
        m.at = x86_avx2_physical(m.at);
    return m;
}

/* What a memory operand is loaded into. */
static unsigned in_register(struct x86_code *c, bool half, struct x86_place m)
{
    if (m.kind == X86_REGISTER)
        return m.at;
    x86_avx2_vex(c, X86_LOAD, half, S, 0, m, 0);
    return S;
}

/* The register of a mask. That of the lanes of 64-bit values is made narrow where it is for words. */
static unsigned mask_register(struct x86_code *c, unsigned mask, bool half)
{
    if (mask == 1 && half) {
        x86_avx2_vex(c, EXTRACT, false, LANES, 0, x86_reg(K2), 1);
        x86_avx2_vex(c, SHUFFLE, true, K2, LANES, x86_reg(K2), 0x88);
        return K2;
    }
    return mask == 1 ? LANES : mask == 3 ? K : K2;
}

static void blend(struct x86_code *c, bool half, unsigned d, unsigned no, struct x86_place yes, unsigned mask)
{
    x86_avx2_vex(c, BLEND, half, d, no, yes, mask_register(c, mask, half) << 4);
}

/* ---- comparisons --------------------------------------------------------------------------------------- */

/* The relations of X86_PCMPS and X86_PCMPU: three, and (with 4) their opposites. */
enum { EQUAL, BELOW, NOT_ABOVE, OPPOSITE = 4 };

static bool compare_words(struct x86_code *c, bool half, unsigned d, unsigned v, struct x86_place m, uint8_t relation,
                          bool is_signed)
{
    bool opposite = (relation & OPPOSITE) != 0;

    switch (relation & 3) {
    case EQUAL:
        x86_avx2_vex(c, CMPEQ, half, d, v, m, 0);
        return opposite;
    case BELOW:
        if (is_signed) {
            x86_avx2_vex(c, CMPGT, half, d, in_register(c, half, m), x86_reg(v), 0);
            return opposite;
        }
        x86_avx2_vex(c, X86_PMAXU, half, S, v, m, 0);
        x86_avx2_vex(c, CMPEQ, half, d, S, x86_reg(v), 0);
        return !opposite;
    default:
        if (is_signed) {
            x86_avx2_vex(c, CMPGT, half, d, v, m, 0);
            return !opposite;
        }
        x86_avx2_vex(c, X86_PMINU, half, S, v, m, 0);
        x86_avx2_vex(c, CMPEQ, half, d, S, x86_reg(v), 0);
        return opposite;
    }
}

/* Into a mask; false where it is no comparison. */
static bool compare(struct x86_code *c, uint32_t opcode, bool half, unsigned k, unsigned v, struct x86_place m,
                    unsigned mask, uint8_t imm)
{
    unsigned d = k == 3 ? K : K2;
    bool invert = false;

    switch (opcode) {
    case X86_CMPPS: case X86_CMPPD:
        x86_avx2_vex(c, opcode, half, d, v, m, imm);
        break;
    case X86_PCMPS: case X86_PCMPU:
        invert = compare_words(c, half, d, v, m, imm, opcode == X86_PCMPS);
        break;
    case X86_SIGNS:
        x86_avx2_vex(c, X86_SHIFT, half, X86_SAR, d, x86_reg(in_register(c, half, m)), 31);
        break;
    case X86_SOME: case X86_NONE:
        if (m.kind != X86_REGISTER || m.at != v) {
            x86_avx2_vex(c, X86_AND, half, d, v, m, 0);
            v = d;
        }
        x86_avx2_vex(c, CMPEQ, half, d, v, x86_avx2_constant(ZEROS), 0);
        invert = opcode == X86_SOME;
        break;
    default:
        return false;
    }
    if (invert)
        x86_avx2_vex(c, X86_XOR, half, d, d, x86_avx2_constant(ONES), 0);
    if (mask)
        x86_avx2_vex(c, X86_AND, half, d, mask_register(c, mask, half), x86_reg(d), 0);
    return true;
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

/* vpternlogd as it is used: a complement; 0x7fffffff is one operand of the others. All ones only under a mask, zero
 * elsewhere. */
static void ternary(struct x86_code *c, bool half, unsigned d, struct x86_place m, unsigned mask, uint8_t table)
{
    switch (table) {
    case 0xff:
        x86_avx2_vex(c, X86_LOAD, half, d, 0, x86_reg(mask_register(c, mask, half)), 0);
        return;
    case 0x55:
        x86_avx2_vex(c, X86_XOR, half, mask ? S : d, in_register(c, half, m), x86_avx2_constant(ONES), 0);
        if (mask)
            blend(c, half, d, d, x86_reg(S), mask);
        return;
    default:    /* and; exclusive or with the complement; or with it */
        x86_avx2_vex(c, X86_LOAD, half, d, 0, m, 0);
        if (table != 0x88)
            x86_avx2_vex(c, X86_XOR, half, d, d, x86_avx2_constant(ONES), 0);
        x86_avx2_vex(c, table == 0x99 ? X86_XOR : X86_AND, half, d, d,
                     c->keeps_last ? x86_reg(K2) : x86_avx2_constant(MAGNITUDE), 0);
        if (table == 0xbb)
            x86_avx2_vex(c, X86_XOR, half, d, d, x86_avx2_constant(ONES), 0);
    }
}

/* The low words of four 64-bit values. */
static void narrow(struct x86_code *c, unsigned from, struct x86_place to)
{
    x86_avx2_vex(c, EXTRACT, false, from, 0, x86_reg(S), 1);
    x86_avx2_vex(c, SHUFFLE, true, S, from, x86_reg(S), 0x88);
    x86_avx2_vex(c, X86_STORE, true, S, 0, to, 0);
}

/* Both halves of a word are floats without rounding; their sum is rounded once. */
static void from_unsigned(struct x86_code *c, bool half, unsigned d, struct x86_place m)
{
    unsigned a = in_register(c, half, m);

    x86_avx2_vex(c, X86_AND, half, K, a, x86_avx2_constant(LOW_HALF), 0);
    x86_avx2_vex(c, X86_SHIFT, half, X86_SHR, S, x86_reg(a), 16);
    x86_avx2_vex(c, X86_FROM_S32, half, K, 0, x86_reg(K), 0);
    x86_avx2_vex(c, X86_FROM_S32, half, S, 0, x86_reg(S), 0);
    x86_avx2_vex(c, X86_FMA231, half, K, S, x86_avx2_constant(TWO_16), 0);
    x86_avx2_vex(c, X86_LOAD, half, d, 0, x86_reg(K), 0);
}

/* Of a float that is not below 0, cut off: what 2^31 is taken from is given it back; from 2^32 on it is all ones. */
static void to_unsigned(struct x86_code *c, bool half, unsigned d, struct x86_place m)
{
    enum { NOT_BELOW = 0x1d };
    unsigned a = in_register(c, half, m), r = d == a ? (unsigned)S : d;

    x86_avx2_vex(c, X86_CMPPS, half, K, a, x86_avx2_constant(TWO_31), NOT_BELOW);
    x86_avx2_vex(c, X86_AND, half, r, K, x86_avx2_constant(TWO_31), 0);
    x86_avx2_vex(c, X86_SUBPS, half, r, a, x86_reg(r), 0);
    x86_avx2_vex(c, X86_TO_S32, half, r, 0, x86_reg(r), 0);
    x86_avx2_vex(c, X86_AND, half, K, K, x86_avx2_constant(SIGN), 0);
    x86_avx2_vex(c, X86_XOR, half, r, r, x86_reg(K), 0);
    x86_avx2_vex(c, X86_CMPPS, half, K, a, x86_avx2_constant(TWO_32), NOT_BELOW);
    x86_avx2_vex(c, X86_OR, half, r, r, x86_reg(K), 0);
    if (r != d)
        x86_avx2_vex(c, X86_LOAD, half, d, 0, x86_reg(r), 0);
}

static bool is_fused(uint32_t opcode)
{
    unsigned byte = opcode & 0xff;

    return (opcode >> 16 & 3) == X86_0F38 && byte >= 0xa8 && byte <= 0xbe;
}

static bool is_shift(uint32_t opcode)
{
    return opcode == X86_SHIFT || opcode == X86_SHIFT64 || opcode == X86_SHIFTW;
}

/* What AVX2 has as well, but for the mask. */
static void plain(struct x86_code *c, uint32_t opcode, bool half, unsigned d, unsigned v, struct x86_place m,
                  unsigned mask, uint8_t imm)
{
    bool shift = is_shift(opcode);
    unsigned result = shift ? v : d, to = mask ? (unsigned)S : result;

    if (shift)
        x86_avx2_vex(c, opcode, half, d, to, x86_reg(in_register(c, half, m)), imm);
    else if (is_fused(opcode) && mask)
        x86_avx2_vex(c, X86_LOAD, half, to, 0, x86_reg(d), 0);
    if (!shift)
        x86_avx2_vex(c, opcode, half, to, v, m, imm);
    if (mask)
        blend(c, half, result, result, x86_reg(S), mask);
}

void x86_avx2_hold(struct x86_code *c, struct x86_place m)
{
    m = place(c, m);
    x86_avx2_vex(c, X86_LOAD, false, x86_avx2_held(c->nheld), 0, m, 0);
    c->held[c->nheld++] = m.at;
}

void x86_avx2_vector(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                     bool zero, uint8_t imm)
{
    bool half = c->halved && !(opcode & (X86_W | X86_RESIZE)), shift = is_shift(opcode);

    m = place(c, m);
    if (v == X86_AVX2_LAST && c->keeps_last) {
        v = K2;
    } else if (v == X86_AVX2_LAST && opcode != X86_TERNARY) {  /* the operands' order does not matter there */
        v = in_register(c, half, m);
        m = x86_avx2_constant(MAGNITUDE);
    } else if (v) {
        v = x86_avx2_physical(v);
    }
    if (compare(c, opcode, half, d, v, m, mask, imm))
        return;
    d = shift ? d : x86_avx2_physical(d);
    switch (opcode) {
    case X86_LOAD: case X86_LOAD64: case X86_BROADCAST:
        if (zero)
            x86_avx2_vex(c, X86_AND, half, d, mask_register(c, mask, half), m, 0);
        else if (mask)
            blend(c, half, d, d, m, mask);
        else
            x86_avx2_vex(c, X86_LOAD, half, d, 0, m, 0);
        break;
    case X86_SELECT: case X86_SELECT64:
        blend(c, half, d, v, m, mask);
        break;
    case X86_TERNARY: case X86_TERNARY64:
        ternary(c, half, d, m, mask, imm);
        break;
    case X86_NARROW:
        narrow(c, d, m);
        break;
    case X86_FROM_U32:
        from_unsigned(c, half, mask ? (unsigned)S : d, m);
        if (mask)
            blend(c, half, d, d, x86_reg(S), mask);
        break;
    case X86_TO_U32:    /* of a register that is another one */
        to_unsigned(c, half, mask ? (unsigned)S : d, m);
        if (mask)
            blend(c, half, d, d, x86_reg(S), mask);
        break;
    case X86_NARROW16:  /* the upper halves of words are lost */
        x86_avx2_vex(c, X86_AND, half, d, d, x86_avx2_constant(LOW_HALF), 0);
        x86_avx2_vex(c, PACK16, half, d, d, x86_reg(d), 0);
        x86_avx2_vex(c, PERMUTE64, false, m.at, 0, x86_reg(d), 0x08);
        break;
    default:
        plain(c, opcode, half, d, v, m, mask, imm);
        break;
    }
}
