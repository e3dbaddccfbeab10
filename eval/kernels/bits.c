/* Bit fields, counts and searches, 32 bits. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"

static inline uint32_t reverse(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
    return a >> 16 | a << 16;
}

static inline uint32_t count(uint32_t a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    return a * 0x01010101u >> 24;
}

/* Below the lowest set bit stand only zeros: their number is its index. */
static inline uint32_t lowest(uint32_t a)
{
    return a == 0 ? ~0u : count((a & (0 - a)) - 1);
}

static inline uint32_t highest(uint32_t a)
{
    uint32_t b = a;
    b |= b >> 1, b |= b >> 2, b |= b >> 4, b |= b >> 8, b |= b >> 16;
    return count(b) - 1;
}

static inline uint32_t highest_signed(uint32_t a)
{
    return highest((int32_t)a < 0 ? ~a : a);
}

/* Ones in the low n bits; all of them from 32 on. */
static inline uint32_t low_ones(uint32_t n)
{
    return n < 32 ? (1u << (n & 31)) - 1 : ~0u;
}

static inline uint32_t shift_left(uint32_t a, uint32_t n)
{
    return n < 32 ? a << (n & 31) : 0;
}

static inline uint32_t shift_right(uint32_t a, uint32_t n)
{
    return n < 32 ? a >> (n & 31) : 0;
}

/* Count and offset are 8 bits wide; a field that reaches beyond the word ends with it. */
static inline uint32_t extract_u(uint32_t bits, uint32_t offset, uint32_t a)
{
    bits &= 255, offset &= 255;
    return shift_right(a, offset) & low_ones(bits);
}

static inline uint32_t extract_s(uint32_t bits, uint32_t offset, uint32_t a)
{
    bits &= 255, offset &= 255;
    uint32_t field = shift_right(a, offset) & low_ones(bits);
    uint32_t last = offset + bits - 1 < 31 ? offset + bits - 1 : 31;
    uint32_t sign = a >> (last & 31) & 1;
    uint32_t have = last + 1 - offset;          /* bits that are there; what lies above is the sign */
    uint32_t fill = offset > 31 ? ~0u : ~low_ones(have);
    return bits == 0 ? 0 : field | (sign ? fill : 0);
}

static inline uint32_t insert(uint32_t bits, uint32_t offset, uint32_t a, uint32_t base)
{
    bits &= 255, offset &= 255;
    uint32_t mask = shift_left(low_ones(bits), offset);
    return (base & ~mask) | (shift_left(a, offset) & mask);
}

#define FIELD(name, call)                                                                                    \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *n = SOURCE(op, 0, 0), *o = SOURCE(op, 0, 1);                                         \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            const uint32_t *a = SOURCE(op, 1, i), *b = SOURCE(op, 2, i);                                     \
            uint32_t *d = RESULT(op, i);                                                                     \
            (void)b;                                                                                         \
            INDEPENDENT_LANES                                                                                \
            LANE_LOOP d[l] = call;                                                                           \
        }                                                                                                    \
    }

FIELD(bfe_s32, extract_s(n[l], o[l], a[l]))
FIELD(bfe_u32, extract_u(n[l], o[l], a[l]))
FIELD(bfi_u32, insert(n[l], o[l], a[l], b[l]))
EACH1(bfr_u32, reverse)
EACH1(btc_u32, count)
EACH1(btfl_u32, lowest)
EACH1(btfm_u32, highest)
EACH1(btfm_s32, highest_signed)

static void field_range(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4])
{
    const uint32_t *n = SOURCE(op, 0, 0), *o = SOURCE(op, 0, 1);
    uint32_t found = 0;
    LANE_LOOP found |= (uint32_t)(n[l] > 32 || o[l] > 32 || n[l] + o[l] > 32) << l;
    for (unsigned i = 0; i < op->n; i++)
        lanes[i] = found;
}

#define BOTH_SIGNS(op, f) ROW_I(op, S32, f), ROW_I(op, U32, f)
#define ROW_FIELD(op, type, f)                                                                               \
    {OP_##op, DT_##type, SEM_NVIDIA, 0, 0, {.run = f}},                                                      \
    {OP_##op, DT_##type, SEM_SPEC, 0, 0, {.run = f, .undefined = field_range,                                \
                                          .why = "bit field beyond the word"}}

static const struct kernel_row rows[] = {
    ROW_FIELD(BFE, S32, bfe_s32), ROW_FIELD(BFE, U32, bfe_u32), ROW_FIELD(BFI, S32, bfi_u32),
    ROW_FIELD(BFI, U32, bfi_u32),
    BOTH_SIGNS(BFR, bfr_u32), BOTH_SIGNS(BTC, btc_u32), BOTH_SIGNS(BTFL, btfl_u32),
    ROW_I(BTFM, S32, btfm_s32), ROW_I(BTFM, U32, btfm_u32),
};
ROWS(eval_rows_bits, rows);
