/* The general conversion: one loop for every combination of types, rounding, clamping and semantics, which lane_op's
 * `how` says. The usual ones have faster kernels (eval/kernels/convert.c).
 * What the driver does: floats become integers clamped to their type. A NaN becomes 0 from half or single
 * to 32 bits or less, else the number with the type's top bit alone. Denormal singles count as zero on the
 * way to an integer, and where a single is rounded or clamped to a single. From and to doubles a NaN keeps
 * what fits of its bits and becomes quiet; otherwise it becomes the one NaN. A conversion to the same type
 * without rounding is a copy (of halves, NaN aside). */
#include "eval/numeric/conversion.h"
#include "eval/kernels/lanes.h"
#include "eval/numeric/convert.h"

#define HOW_DST(how) ((how) & 15u)
#define HOW_SRC(how) ((how) >> 4 & 15u)
#define HOW_MODE(how) ((how) >> 8 & 7u)
#define HOW_CLAMP(how) ((how) >> 11 & 3u)
#define HOW_SPEC(how) ((how) >> 13 & 1u)

/* ---- one value ----------------------------------------------------------------------------------------- */

static uint64_t canonical_nan(unsigned type)
{
    return type == DT_F16 ? NUM_NAN16 : NUM_NAN32;
}

static uint64_t to_integer(struct num_value v, uint32_t how, enum num_mode mode)
{
    unsigned dst = HOW_DST(how), src = HOW_SRC(how);
    bool clamps = HOW_CLAMP(how) == CLAMP_SAT || (!HOW_SPEC(how) && num_is_float(src));
    uint64_t top = 1ull << (num_bits_of(dst) - 1);
    bool wide = src == DT_F64 || num_bits_of(dst) == 64;

    if (!clamps)
        return num_to_int_wrapped(v, dst, mode);
    return num_to_int_clamped(v, dst, mode, !wide || HOW_SPEC(how) ? 0 : num_is_signed(dst) ? 0 - top : top);
}

static uint64_t to_float(struct num_value v, uint64_t word, uint32_t how, enum num_mode mode)
{
    unsigned dst = HOW_DST(how), src = HOW_SRC(how);
    bool plain = HOW_MODE(how) <= 1 && HOW_CLAMP(how) == CLAMP_NONE;

    if (src == dst && plain && dst != DT_F16)
        return word;
    if (v.class == NUM_NOT && src != DT_F64 && dst != DT_F64)
        return canonical_nan(dst);
    return num_to_float(v, dst, mode);
}

static uint64_t convert_word(uint64_t word, uint32_t how)
{
    static const uint8_t modes[CONVERSION_MODES] = {NUM_NEAREST, NUM_NEAREST, NUM_UP, NUM_DOWN, NUM_ZERO};
    unsigned dst = HOW_DST(how), src = HOW_SRC(how);
    enum num_mode mode = (enum num_mode)modes[HOW_MODE(how)];
    bool flush = !HOW_SPEC(how) && src == DT_F32 && (dst == DT_F32 || !num_is_float(dst));
    struct num_value v = num_is_float(src) ? num_from_float(word, src, flush) : num_from_int(word, src);

    if (!num_is_float(dst))
        return to_integer(v, how, mode);
    if (HOW_CLAMP(how) == CLAMP_NONE)
        return to_float(v, word, how, mode);
    word = to_float(num_saturate(v, HOW_CLAMP(how) == CLAMP_SSAT), word, how, mode);
    return HOW_SPEC(how) || dst != DT_F32 ? word : num_flush((uint32_t)word);
}

/* ---- all lanes ----------------------------------------------------------------------------------------- */

static void convert(uint32_t *base, const struct lane_op *op, bool signs)
{
    uint32_t how = op->how;
    bool wide = num_bits_of(HOW_SRC(how)) == 64, wide_result = num_bits_of(HOW_DST(how)) == 64;
    uint32_t clear = signs ? op->clear[0] : 0, flip = signs ? op->flip[0] : 0;

    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *a = SOURCE(op, 0, i);
        uint32_t *d = RESULT(op, i);
        LANE_LOOP
        {
            uint64_t word = wide ? WIDE_WORD(a, l) : a[l];
            word = (word & ~((uint64_t)clear << (wide ? 32 : 0))) ^ (uint64_t)flip << (wide ? 32 : 0);
            uint64_t r = convert_word(word, how);
            d[l] = (uint32_t)r;
            if (wide_result)
                d[WARP_LANES + l] = (uint32_t)(r >> 32);
        }
    }
}

void eval_convert(uint32_t *base, const struct lane_op *op)
{
    convert(base, op, false);
}

void eval_convert_signs(uint32_t *base, const struct lane_op *op)
{
    convert(base, op, true);
}

uint16_t eval_conversion(const struct conversion *c)
{
    return (uint16_t)(c->dst | c->src << 4 | c->mode << 8 | c->clamp << 11 | c->spec << 13);
}
