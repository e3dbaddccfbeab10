/* AVX2: words, masks of lanes, and tables in registers. */
#include "eval/jit/x86_avx2_internal.h"

#include "eval/jit/x86_scalar.h"

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

void x86_avx2_sides(struct x86_code *c, bool then_in)
{
    x86_avx2_vex(c, X86_AND, false, spread_register(then_in ? SPREAD_THEN : SPREAD_ELSE), K, x86_reg(LANES), 0);
    x86_avx2_vex(c, X86_ANDN, false, spread_register(then_in ? SPREAD_ELSE : SPREAD_THEN), K, x86_reg(LANES), 0);
}

void x86_avx2_side(struct x86_code *c, enum x86_avx2_spread which)
{
    x86_avx2_vex(c, X86_LOAD, false, LANES, 0, x86_reg(spread_register(which)), 0);
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

/* vmovdqa, from rcx or to r8. */
static void move_lanes(struct x86_code *c, bool store, unsigned r)
{
    r = x86_avx2_physical(r);
    const uint8_t b[] = {0xc4, (uint8_t)((~r >> 3 & 1) << 7 | (store ? 0x40 : 0x60) | X86_0F), 0x7d,
                         store ? 0x7f : 0x6f, (uint8_t)((r & 7) << 3 | (store ? 0 : 1))};

    x86_bytes(c, b, sizeof b);
}

/* In r11 or r10 the third byte of a lane's word at rcx or r8; and the row of the table at rsi with that number into the
 * low or the high half of a vector of 128 bits, by vmovq or vmovhps. A gather of eight takes longer. */
static void load_row(struct x86_code *c, unsigned d, unsigned lane, bool by_result)
{
    bool high = lane % 2;
    const uint8_t b[] = {by_result ? 0x45 : 0x44, 0x0f, 0xb6,
                         (uint8_t)((high ? 0x50 : 0x58) | (by_result ? 0 : 1)), (uint8_t)(4 * lane + 2),    /* movzx */
                         0xc4,
                         (uint8_t)((~d >> 3 & 1) << 7 | 0x20 | X86_0F),
                         (uint8_t)(high ? (~d & 15) << 3 | X86_NP : 0x78 | X86_F3),
                         high ? 0x16 : 0x7e,
                         (uint8_t)((d & 7) << 3 | 4),
                         high ? 0xd6 : 0xde};

    x86_bytes(c, b, sizeof b);
}

static void two_rows(struct x86_code *c, unsigned d, unsigned lane, bool by_result)
{
    load_row(c, d, lane, by_result);
    load_row(c, d, lane + 1, by_result);
}

void x86_avx2_rows(struct x86_code *c, bool by_result, unsigned first, unsigned second)
{
    first = x86_avx2_physical(first);
    second = x86_avx2_physical(second);
    two_rows(c, first, 0, by_result);
    two_rows(c, S, 2, by_result);
    two_rows(c, second, 4, by_result);
    x86_avx2_vex(c, INSERT, false, first, first, x86_reg(second), 1);
    two_rows(c, second, 6, by_result);
    x86_avx2_vex(c, INSERT, false, S, S, x86_reg(second), 1);
    x86_avx2_vex(c, SHUFFLE, false, second, first, x86_reg(S), 0xdd);
    x86_avx2_vex(c, SHUFFLE, false, first, first, x86_reg(S), 0x88);
}

void x86_avx2_plane(struct x86_code *c, bool result, uint32_t at)
{
    const uint8_t lea[] = {result ? 0x4c : 0x48, 0x8d, result ? 0x87 : 0x8f};   /* rcx or r8, [rdi + ...] */

    x86_bytes(c, lea, sizeof lea);
    x86_word(c, at - X86_BIAS);
}

size_t x86_avx2_begin_plane(struct x86_code *c, size_t table, unsigned operand)
{
    static const uint8_t lea[] = {0x48, 0x8d, 0x35},    /* rsi, [rip + ...] */
        times[] = {0xba, 4, 0, 0, 0};                   /* mov edx, 4 */
    size_t begin;

    x86_bytes(c, lea, sizeof lea);
    x86_word(c, (uint32_t)table - (uint32_t)(c->size + 4));
    x86_bytes(c, times, sizeof times);
    begin = c->size;
    move_lanes(c, false, operand);
    return begin;
}

void x86_avx2_keep_lanes(struct x86_code *c, unsigned r)
{
    move_lanes(c, true, r);
}

void x86_avx2_end_plane(struct x86_code *c, size_t begin, unsigned result)
{
    static const uint8_t on[] = {0x48, 0x83, 0xc1, 0x20, 0x49, 0x83, 0xc0, 0x20,    /* add rcx, 32; add r8, 32 */
                                 0xff, 0xca};                                       /* dec edx */

    x86_avx2_keep_lanes(c, result);
    x86_bytes(c, on, sizeof on);
    x86_jump_to(c, X86_JNZ, begin);
}
