/* Instructions as bytes for AVX2: eval/x86_avx2.h. */
#include "eval/x86_avx2.h"

/* What has no number of its own among the registers: two masks, the active lanes, and one for what is made on the way. */
enum { K = 12, K2 = 13, LANES = 14, S = 15 };

/* Vectors before those of the caller's words. */
enum { ONES, ZEROS, MAGNITUDE, LOW_HALF, TWO_16, BITS, WIDE_BITS, TO_SIGN, SIGN = TO_SIGN + 4, TWO_31, TWO_32, OWN };
static const uint32_t own[OWN][8] = {
    [ONES] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
    [MAGNITUDE] = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
    [LOW_HALF] = {0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff},
    [TWO_16] = {0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000},
    [BITS] = {1, 2, 4, 8, 16, 32, 64, 128},
    [TO_SIGN] = {31, 30, 29, 28, 27, 26, 25, 24}, {23, 22, 21, 20, 19, 18, 17, 16}, {15, 14, 13, 12, 11, 10, 9, 8}, {7, 6, 5, 4, 3, 2, 1, 0},
    [SIGN] = {0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000},
    [TWO_31] = {0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000},
    [TWO_32] = {0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000},
    [WIDE_BITS] = {1, 0, 2, 0, 4, 0, 8, 0},
};

/* Instructions that AVX-512 has no use for. */
enum {
    BLEND = X86_OP(X86_0F3A, X86_66, 0x4a) | X86_IMM,           /* vblendvps */
    CMPEQ = X86_OP(X86_0F, X86_66, 0x76), CMPGT = X86_OP(X86_0F, X86_66, 0x66), CMPEQ64 = X86_OP(X86_0F38, X86_66, 0x29),
    EXTRACT = X86_OP(X86_0F3A, X86_66, 0x39) | X86_IMM,         /* vextracti128 */
    SHUFFLE = X86_OP(X86_0F, X86_NP, 0xc6) | X86_IMM,           /* vshufps */
    FROM_GPR = X86_OP(X86_0F, X86_66, 0x6e), SPREAD64 = X86_OP(X86_0F38, X86_66, 0x59),
    PERMUTE64 = X86_OP(X86_0F3A, X86_66, 0x00) | X86_IMM | X86_W, PACK16 = X86_OP(X86_0F38, X86_66, 0x2b),     /* vpackusdw */
    INSERT = X86_OP(X86_0F3A, X86_66, 0x38) | X86_IMM,          /* vinserti128 */
    TO_GPR64 = X86_OP(X86_0F, X86_66, 0x7e) | X86_W, PICK64 = X86_OP(X86_0F3A, X86_66, 0x16) | X86_IMM | X86_W,
    SIGN_BITS = X86_OP(X86_0F, X86_NP, 0x50), TEST = X86_OP(X86_0F38, X86_66, 0x17)
};

/* ---- bytes --------------------------------------------------------------------------------------------- */

/* A vector of ours. */
static struct x86_place constant(unsigned which)
{
    return (struct x86_place){X86_WORD, 32 * which};
}

/* Whether the bit says anything: elsewhere it is ignored, but not by whatever looks at code. */
static bool has_wide_form(uint32_t opcode)
{
    bool first_map = (opcode >> 16 & 3) == X86_0F;

    return opcode & X86_W && opcode != X86_PMULS64 && (!first_map || opcode == TO_GPR64);
}

/* VEX of three bytes. Registers are the processor's, and so is the place of a constant. */
static void vex(struct x86_code *c, uint32_t opcode, bool half, unsigned d, unsigned v, struct x86_place m, unsigned imm)
{
    unsigned map = opcode >> 16 & 3, prefix = opcode >> 8 & 3, rm_bit3 = m.kind == X86_REGISTER ? m.at >> 3 & 1 : 0;
    uint8_t b[16];
    size_t n = 0;

    if (m.kind == X86_SPREAD)   /* all lanes have it in memory */
        m.kind = X86_MEMORY;
    b[n++] = 0xc4;
    b[n++] = (uint8_t)((~d >> 3 & 1) << 7 | 0x40 | (rm_bit3 ^ 1) << 5 | map);
    b[n++] = (uint8_t)((has_wide_form(opcode) ? 0x80 : 0) | (~v & 15) << 3 | (half ? 0 : 4) | prefix);
    b[n++] = (uint8_t)opcode;
    n += x86_operand(c, b + n, d, opcode, m, c->size + n);
    if (opcode & X86_IMM)
        b[n++] = (uint8_t)imm;
    x86_bytes(c, b, n);
}

static unsigned physical(unsigned r)
{
    return r < X86_AVX2_SLOTS ? r : r == X86_AVX2_SLOTS ? (unsigned)LANES : r - X86_AVX2_FIXED + X86_AVX2_SLOTS;
}

static struct x86_place place(const struct x86_code *c, struct x86_place m)
{
    if (m.kind == X86_WORD)
        m.at = 32 * OWN + 8 * m.at;
    else if (m.kind == X86_REGISTER && m.at == X86_AVX2_LAST)
        m = c->keeps_last ? x86_reg(K2) : constant(MAGNITUDE);
    else if (m.kind == X86_REGISTER)
        m.at = physical(m.at);
    return m;
}

/* What a memory operand is loaded into. */
static unsigned in_register(struct x86_code *c, bool half, struct x86_place m)
{
    if (m.kind == X86_REGISTER)
        return m.at;
    vex(c, X86_LOAD, half, S, 0, m, 0);
    return S;
}

/* The register of a mask. That of the lanes of 64-bit values is made narrow where it is for words. */
static unsigned mask_register(struct x86_code *c, unsigned mask, bool half)
{
    if (mask == 1 && half) {
        vex(c, EXTRACT, false, LANES, 0, x86_reg(K2), 1);
        vex(c, SHUFFLE, true, K2, LANES, x86_reg(K2), 0x88);
        return K2;
    }
    return mask == 1 ? LANES : mask == 3 ? K : K2;
}

static void blend(struct x86_code *c, bool half, unsigned d, unsigned no, struct x86_place yes, unsigned mask)
{
    vex(c, BLEND, half, d, no, yes, mask_register(c, mask, half) << 4);
}

/* ---- comparisons --------------------------------------------------------------------------------------- */

/* The relations of X86_PCMPS and X86_PCMPU: three, and (with 4) their opposites. */
enum { EQUAL, BELOW, NOT_ABOVE, OPPOSITE = 4 };

static bool compare_words(struct x86_code *c, bool half, unsigned d, unsigned v, struct x86_place m, uint8_t relation, bool is_signed)
{
    bool opposite = (relation & OPPOSITE) != 0;

    switch (relation & 3) {
    case EQUAL:
        vex(c, CMPEQ, half, d, v, m, 0);
        return opposite;
    case BELOW:
        if (is_signed) {
            vex(c, CMPGT, half, d, in_register(c, half, m), x86_reg(v), 0);
            return opposite;
        }
        vex(c, X86_PMAXU, half, S, v, m, 0);
        vex(c, CMPEQ, half, d, S, x86_reg(v), 0);
        return !opposite;
    default:
        if (is_signed) {
            vex(c, CMPGT, half, d, v, m, 0);
            return !opposite;
        }
        vex(c, X86_PMINU, half, S, v, m, 0);
        vex(c, CMPEQ, half, d, S, x86_reg(v), 0);
        return opposite;
    }
}

/* Into a mask; false where it is no comparison. */
static bool compare(struct x86_code *c, uint32_t opcode, bool half, unsigned k, unsigned v, struct x86_place m, unsigned mask, uint8_t imm)
{
    unsigned d = k == 3 ? K : K2;
    bool invert = false;

    switch (opcode) {
    case X86_CMPPS: case X86_CMPPD:
        vex(c, opcode, half, d, v, m, imm);
        break;
    case X86_PCMPS: case X86_PCMPU:
        invert = compare_words(c, half, d, v, m, imm, opcode == X86_PCMPS);
        break;
    case X86_SIGNS:
        vex(c, X86_SHIFT, half, X86_SAR, d, x86_reg(in_register(c, half, m)), 31);
        break;
    case X86_SOME: case X86_NONE:
        if (m.kind != X86_REGISTER || m.at != v) {
            vex(c, X86_AND, half, d, v, m, 0);
            v = d;
        }
        vex(c, CMPEQ, half, d, v, constant(ZEROS), 0);
        invert = opcode == X86_SOME;
        break;
    default:
        return false;
    }
    if (invert)
        vex(c, X86_XOR, half, d, d, constant(ONES), 0);
    if (mask)
        vex(c, X86_AND, half, d, mask_register(c, mask, half), x86_reg(d), 0);
    return true;
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

/* vpternlogd as it is used: a complement; 0x7fffffff is one operand of the others. All ones only under a mask, zero elsewhere. */
static void ternary(struct x86_code *c, bool half, unsigned d, struct x86_place m, unsigned mask, uint8_t table)
{
    switch (table) {
    case 0xff:
        vex(c, X86_LOAD, half, d, 0, x86_reg(mask_register(c, mask, half)), 0);
        return;
    case 0x55:
        vex(c, X86_XOR, half, mask ? S : d, in_register(c, half, m), constant(ONES), 0);
        if (mask)
            blend(c, half, d, d, x86_reg(S), mask);
        return;
    default:    /* and; exclusive or with the complement; or with it */
        vex(c, X86_LOAD, half, d, 0, m, 0);
        if (table != 0x88)
            vex(c, X86_XOR, half, d, d, constant(ONES), 0);
        vex(c, table == 0x99 ? X86_XOR : X86_AND, half, d, d, c->keeps_last ? x86_reg(K2) : constant(MAGNITUDE), 0);
        if (table == 0xbb)
            vex(c, X86_XOR, half, d, d, constant(ONES), 0);
    }
}

/* The low words of four 64-bit values. */
static void narrow(struct x86_code *c, unsigned from, struct x86_place to)
{
    vex(c, EXTRACT, false, from, 0, x86_reg(S), 1);
    vex(c, SHUFFLE, true, S, from, x86_reg(S), 0x88);
    vex(c, X86_STORE, true, S, 0, to, 0);
}

/* Both halves of a word are floats without rounding; their sum is rounded once. */
static void from_unsigned(struct x86_code *c, bool half, unsigned d, struct x86_place m)
{
    unsigned a = in_register(c, half, m);

    vex(c, X86_AND, half, K, a, constant(LOW_HALF), 0);
    vex(c, X86_SHIFT, half, X86_SHR, S, x86_reg(a), 16);
    vex(c, X86_FROM_S32, half, K, 0, x86_reg(K), 0);
    vex(c, X86_FROM_S32, half, S, 0, x86_reg(S), 0);
    vex(c, X86_FMA231, half, K, S, constant(TWO_16), 0);
    vex(c, X86_LOAD, half, d, 0, x86_reg(K), 0);
}

/* Of a float that is not below 0, cut off: what 2^31 is taken from is given it back; from 2^32 on it is all ones. */
static void to_unsigned(struct x86_code *c, bool half, unsigned d, struct x86_place m)
{
    enum { NOT_BELOW = 0x1d };
    unsigned a = in_register(c, half, m), r = d == a ? (unsigned)S : d;

    vex(c, X86_CMPPS, half, K, a, constant(TWO_31), NOT_BELOW);
    vex(c, X86_AND, half, r, K, constant(TWO_31), 0);
    vex(c, X86_SUBPS, half, r, a, x86_reg(r), 0);
    vex(c, X86_TO_S32, half, r, 0, x86_reg(r), 0);
    vex(c, X86_AND, half, K, K, constant(SIGN), 0);
    vex(c, X86_XOR, half, r, r, x86_reg(K), 0);
    vex(c, X86_CMPPS, half, K, a, constant(TWO_32), NOT_BELOW);
    vex(c, X86_OR, half, r, r, x86_reg(K), 0);
    if (r != d)
        vex(c, X86_LOAD, half, d, 0, x86_reg(r), 0);
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
static void plain(struct x86_code *c, uint32_t opcode, bool half, unsigned d, unsigned v, struct x86_place m, unsigned mask, uint8_t imm)
{
    bool shift = is_shift(opcode);
    unsigned result = shift ? v : d, to = mask ? (unsigned)S : result;

    if (shift)
        vex(c, opcode, half, d, to, x86_reg(in_register(c, half, m)), imm);
    else if (is_fused(opcode) && mask)
        vex(c, X86_LOAD, half, to, 0, x86_reg(d), 0);
    if (!shift)
        vex(c, opcode, half, to, v, m, imm);
    if (mask)
        blend(c, half, result, result, x86_reg(S), mask);
}

void x86_avx2_vector(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask, bool zero,
                     uint8_t imm)
{
    bool half = c->halved && !(opcode & (X86_W | X86_RESIZE)), shift = is_shift(opcode);

    m = place(c, m);
    if (v == X86_AVX2_LAST && c->keeps_last) {
        v = K2;
    } else if (v == X86_AVX2_LAST && opcode != X86_TERNARY) {  /* the operands' order does not matter there */
        v = in_register(c, half, m);
        m = constant(MAGNITUDE);
    } else if (v) {
        v = physical(v);
    }
    if (compare(c, opcode, half, d, v, m, mask, imm))
        return;
    d = shift ? d : physical(d);
    switch (opcode) {
    case X86_LOAD: case X86_LOAD64: case X86_BROADCAST:
        if (zero)
            vex(c, X86_AND, half, d, mask_register(c, mask, half), m, 0);
        else if (mask)
            blend(c, half, d, d, m, mask);
        else
            vex(c, X86_LOAD, half, d, 0, m, 0);
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
        vex(c, X86_AND, half, d, d, constant(LOW_HALF), 0);
        vex(c, PACK16, half, d, d, x86_reg(d), 0);
        vex(c, PERMUTE64, false, m.at, 0, x86_reg(d), 0x08);
        break;
    default:
        plain(c, opcode, half, d, v, m, mask, imm);
        break;
    }
}

void x86_avx2_words(struct x86_code *c, const uint32_t *words, unsigned n, unsigned from, unsigned to)
{
    for (unsigned i = 0; i < OWN; i++)
        for (unsigned k = 0; k < 8; k++)
            x86_word(c, own[i][k]);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 8; k++)
            x86_word(c, words[i >= from && i < to && (i - from) % 2 == 0 ? i + k % 2 : i]);
}

void x86_avx2_keep_last(struct x86_code *c, bool keep)
{
    c->keeps_last = keep;
    if (keep)
        vex(c, X86_LOAD, false, K2, 0, constant(MAGNITUDE), 0);
}

void x86_avx2_lanes(struct x86_code *c)
{
    struct x86_place bits = constant(c->halved ? WIDE_BITS : BITS);

    vex(c, FROM_GPR, true, LANES, 0, x86_reg(6), 0);    /* esi */
    vex(c, c->halved ? (uint32_t)SPREAD64 : (uint32_t)X86_BROADCAST, false, LANES, 0, x86_reg(LANES), 0);
    vex(c, X86_AND, false, LANES, LANES, bits, 0);
    vex(c, c->halved ? CMPEQ64 : CMPEQ, false, LANES, LANES, bits, 0);
}

static unsigned spread_register(enum x86_avx2_spread which)
{
    return which == SPREAD_ALL ? (unsigned)K2 : which == SPREAD_THEN ? X86_AVX2_SLOTS - 1 : X86_AVX2_SLOTS - 2;
}

void x86_avx2_spread(struct x86_code *c, unsigned from, enum x86_avx2_spread which)
{
    unsigned to = spread_register(which);

    vex(c, FROM_GPR, true, to, 0, x86_reg(from), 0);
    vex(c, X86_BROADCAST, false, to, 0, x86_reg(to), 0);
}

void x86_avx2_part(struct x86_code *c, unsigned part, enum x86_avx2_spread which)
{
    vex(c, X86_SHLV, false, LANES, spread_register(which), constant(TO_SIGN + part), 0);
}

void x86_avx2_signs(struct x86_code *c, unsigned to, unsigned from)
{
    unsigned r = from == X86_AVX2_MASK + 3 ? K : from == X86_AVX2_MASK + 4 ? (unsigned)K2 : physical(from);

    vex(c, SIGN_BITS, false, to, 0, x86_reg(r), 0);
}

void x86_avx2_test(struct x86_code *c)
{
    vex(c, TEST, false, K, 0, x86_reg(K), 0);
}

/* vmovq or vmovhps from rax + 8 * r10 or r11: the low or the high half of a vector of 128 bits. */
static void load_row(struct x86_code *c, unsigned d, bool high)
{
    const uint8_t b[] = {0xc4, (uint8_t)((~d >> 3 & 1) << 7 | 0x20 | X86_0F),
                         (uint8_t)(high ? (~d & 15) << 3 | X86_NP : 0x78 | X86_F3), high ? 0x16 : 0x7e, (uint8_t)((d & 7) << 3 | 4),
                         high ? 0xd0 : 0xd8};

    x86_bytes(c, b, sizeof b);
}

/* Two rows into the low half of d, by two words of the low half of `index`. A gather of four takes longer than this does twice. */
static void two_rows(struct x86_code *c, unsigned d, unsigned index, unsigned which)
{
    static const uint8_t apart[] = {0x45, 0x89, 0xd3, 0x49, 0xc1, 0xea, 0x20};  /* mov r11d, r10d; shr r10, 32 */

    vex(c, which ? (uint32_t)PICK64 : (uint32_t)TO_GPR64, true, index, 0, x86_reg(10), 1);
    x86_bytes(c, apart, sizeof apart);
    load_row(c, d, false);
    load_row(c, d, true);
}

void x86_avx2_rows(struct x86_code *c, size_t table, unsigned index, unsigned first, unsigned second)
{
    static const uint8_t lea[] = {0x48, 0x8d, 0x05};    /* rax, [rip + ...] */

    index = physical(index);
    first = physical(first);
    second = physical(second);
    x86_bytes(c, lea, sizeof lea);
    x86_word(c, (uint32_t)table - (uint32_t)(c->size + 4));
    two_rows(c, first, index, 0);
    two_rows(c, S, index, 1);
    vex(c, EXTRACT, false, index, 0, x86_reg(index), 1);
    two_rows(c, second, index, 0);
    vex(c, INSERT, false, first, first, x86_reg(second), 1);
    two_rows(c, second, index, 1);
    vex(c, INSERT, false, S, S, x86_reg(second), 1);
    vex(c, SHUFFLE, false, second, first, x86_reg(S), 0xdd);
    vex(c, SHUFFLE, false, first, first, x86_reg(S), 0x88);
}
