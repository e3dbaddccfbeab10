/* Bit fields, counts and searches, 32 bits. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/bits.h"

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

FIELD(bfe_s32, num_extract_bits_signed(n[l], o[l], a[l]))
FIELD(bfe_u32, num_extract_bits(n[l], o[l], a[l]))
FIELD(bfi_u32, num_insert_bits(n[l], o[l], a[l], b[l]))
EACH1(bfr_u32, num_reversed_bits)
EACH1(btc_u32, num_count_bits)
EACH1(btfl_u32, num_lowest_bit)
EACH1(btfm_u32, num_highest_bit)
EACH1(btfm_s32, num_highest_bit_signed)

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
