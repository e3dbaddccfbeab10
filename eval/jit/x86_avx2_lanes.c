/* AVX2: words, masks of lanes, and tables in registers. */
#include "eval/jit/x86_avx2_internal.h"

static const uint32_t own[OWN][8] = {
    [ONES] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
    [MAGNITUDE] = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
    [LOW_HALF] = {0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff},
    [TWO_16] = {0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000, 0x47800000},
    [BITS] = {1, 2, 4, 8, 16, 32, 64, 128},
    [TO_SIGN] = {31, 30, 29, 28, 27, 26, 25, 24},
    {23, 22, 21, 20, 19, 18, 17, 16},
    {15, 14, 13, 12, 11, 10, 9, 8},
    {7, 6, 5, 4, 3, 2, 1, 0},
    [SIGN] = {0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000},
    [TWO_31] = {0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000, 0x4f000000},
    [TWO_32] = {0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000, 0x4f800000},
    [WIDE_BITS] = {1, 0, 2, 0, 4, 0, 8, 0},
};

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
        x86_avx2_vex(c, X86_LOAD, false, K2, 0, x86_avx2_constant(MAGNITUDE), 0);
}

void x86_avx2_lanes(struct x86_code *c)
{
    struct x86_place bits = x86_avx2_constant(c->halved ? WIDE_BITS : BITS);

    x86_avx2_vex(c, FROM_GPR, true, LANES, 0, x86_reg(6), 0);    /* esi */
    x86_avx2_vex(c, c->halved ? (uint32_t)SPREAD64 : (uint32_t)X86_BROADCAST, false, LANES, 0, x86_reg(LANES), 0);
    x86_avx2_vex(c, X86_AND, false, LANES, LANES, bits, 0);
    x86_avx2_vex(c, c->halved ? CMPEQ64 : CMPEQ, false, LANES, LANES, bits, 0);
}

static unsigned spread_register(enum x86_avx2_spread which)
{
    return which == SPREAD_ALL ? (unsigned)K2 : which == SPREAD_THEN ? X86_AVX2_SLOTS - 1 : X86_AVX2_SLOTS - 2;
}

void x86_avx2_spread(struct x86_code *c, unsigned from, enum x86_avx2_spread which)
{
    unsigned to = spread_register(which);

    x86_avx2_vex(c, FROM_GPR, true, to, 0, x86_reg(from), 0);
    x86_avx2_vex(c, X86_BROADCAST, false, to, 0, x86_reg(to), 0);
}

void x86_avx2_part(struct x86_code *c, unsigned part, enum x86_avx2_spread which)
{
    x86_avx2_vex(c, X86_SHLV, false, LANES, spread_register(which), x86_avx2_constant(TO_SIGN + part), 0);
}

void x86_avx2_signs(struct x86_code *c, unsigned to, unsigned from)
{
    unsigned r = from == X86_AVX2_MASK + 3 ? K : from == X86_AVX2_MASK + 4 ? (unsigned)K2 : x86_avx2_physical(from);

    x86_avx2_vex(c, SIGN_BITS, false, to, 0, x86_reg(r), 0);
}

void x86_avx2_test(struct x86_code *c)
{
    static const uint8_t test[] = {0x85, 0xc0};     /* test eax, eax */

    x86_avx2_vex(c, SIGN_BITS, false, 0, 0, x86_reg(K), 0);
    x86_bytes(c, test, sizeof test);
}

/* vmovq or vmovhps from rax + 8 * r10 or r11: the low or the high half of a vector of 128 bits. */
static void load_row(struct x86_code *c, unsigned d, bool high)
{
    const uint8_t b[] = {0xc4,
                         (uint8_t)((~d >> 3 & 1) << 7 | 0x20 | X86_0F),
                         (uint8_t)(high ? (~d & 15) << 3 | X86_NP : 0x78 | X86_F3),
                         high ? 0x16 : 0x7e,
                         (uint8_t)((d & 7) << 3 | 4),
                         high ? 0xd0 : 0xd8};

    x86_bytes(c, b, sizeof b);
}

/* Two rows into the low half of d, by two words of the low half of `index`. A gather of four takes longer than this
 * does twice. */
static void two_rows(struct x86_code *c, unsigned d, unsigned index, unsigned which)
{
    static const uint8_t apart[] = {0x45, 0x89, 0xd3, 0x49, 0xc1, 0xea, 0x20};  /* mov r11d, r10d; shr r10, 32 */

    x86_avx2_vex(c, which ? (uint32_t)PICK64 : (uint32_t)TO_GPR64, true, index, 0, x86_reg(10), 1);
    x86_bytes(c, apart, sizeof apart);
    load_row(c, d, false);
    load_row(c, d, true);
}

void x86_avx2_rows(struct x86_code *c, size_t table, unsigned index, unsigned first, unsigned second)
{
    static const uint8_t lea[] = {0x48, 0x8d, 0x05};    /* rax, [rip + ...] */

    index = x86_avx2_physical(index);
    first = x86_avx2_physical(first);
    second = x86_avx2_physical(second);
    x86_bytes(c, lea, sizeof lea);
    x86_word(c, (uint32_t)table - (uint32_t)(c->size + 4));
    two_rows(c, first, index, 0);
    two_rows(c, S, index, 1);
    x86_avx2_vex(c, EXTRACT, false, index, 0, x86_reg(index), 1);
    two_rows(c, second, index, 0);
    x86_avx2_vex(c, INSERT, false, first, first, x86_reg(second), 1);
    two_rows(c, second, index, 1);
    x86_avx2_vex(c, INSERT, false, S, S, x86_reg(second), 1);
    x86_avx2_vex(c, SHUFFLE, false, second, first, x86_reg(S), 0xdd);
    x86_avx2_vex(c, SHUFFLE, false, first, first, x86_reg(S), 0x88);
}
