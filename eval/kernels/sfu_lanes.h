/* The approximated functions, 32 lanes a call: rcp_lanes(results, operands) and its like; both may be the same plane.
 *
 * With AVX2 or AVX-512 in vectors: what eval/numeric/sfu.h computes for a lane, bit for bit, in arithmetic of 32 bits.
 * The low part of x is split off, x = high * 2^8 + low, so that a polynomial of 40 bits is c0 * scale + 2^8 * v + u in
 * which u and v have 32; and to cut off low bits of the sum is to shift the one, add it to the other, and shift that.
 * Operands that are out of the ordinary in some lane (zeros, infinities, NaN, results that leave the range) have code
 * behind a branch. */
#ifndef GP5_EVAL_KERNELS_SFU_LANES_H
#define GP5_EVAL_KERNELS_SFU_LANES_H

#include "eval/kernels/lanes.h"
#include "eval/numeric/sfu.h"

#if defined(__AVX2__)
#include "eval/kernels/sfu_vectors.h"

static const struct sfu_table sfu_rcp_table =
#define SFU_ROWS "eval/numeric/sfu_rcp.def"
#define SFU_TIMES 1
#include "eval/kernels/sfu_table.h"
;
static const struct sfu_table sfu_rsq_table =
#define SFU_ROWS "eval/numeric/sfu_rsq.def"
#define SFU_TIMES 4
#include "eval/kernels/sfu_table.h"
;
static const struct sfu_table sfu_ex2_table =
#define SFU_ROWS "eval/numeric/sfu_ex2.def"
#define SFU_TIMES 1
#include "eval/kernels/sfu_table.h"
;
static const struct sfu_table sfu_sin_table =
#define SFU_ROWS "eval/numeric/sfu_sin.def"
#define SFU_TIMES 1
#include "eval/kernels/sfu_table.h"
;
static const struct sfu_table sfu_lg2_table =
#define SFU_ROWS "eval/numeric/sfu_lg2.def"
#define SFU_TIMES 2
#include "eval/kernels/sfu_table.h"
;

/* ---- polynomials -------------------------------------------------------------------------------------------- */

/* Of a function: how many segments; the bits of x; log2 of c0's scale; the bias; whether c1 is negative. */
struct sfu_kind {
    unsigned segments, bits, scale;
    int32_t bias;
    bool falls;
};

/* c0 * scale + 2^8 * v + u */
struct sfu_sum {
    sfu_words c0, v, u;
};

/* Of the reduced operands, whose last bits are x, under the segment's; more may stand above. */
SFU_INLINE void sfu_sums(struct sfu_kind k, const struct sfu_table *table, const sfu_words m[2], struct sfu_sum sum[2])
{
    uint32_t high = (1u << (k.bits - 8)) - 1, quarter = (1u << 15) - 1;
    unsigned down = k.bits == 16 ? 1 : 2;
    sfu_words x = sfu_mix(m[0] >> down, m[1] << (16 - down)) & (quarter | quarter << 16);
    sfu_words square = (sfu_words)sfu_squares((sfu_halves)x);
    struct sfu_row_words row[2];

    sfu_look_up(table, k.segments, m, k.bits, row);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words line = row[i].c1 * (m[i] & 255), v = row[i].c1 * (m[i] >> 8 & high),
                  curve = sfu_dot(row[i].c2, square);
        sum[i] = (struct sfu_sum){row[i].c0, k.falls ? -v : v, k.falls ? curve - line : curve + line};
    }
}

/* The sum and the bias without the last scale + 2 bits, for biases below the scale. */
SFU_INLINE sfu_words sfu_cut_sum(struct sfu_kind k, struct sfu_sum s)
{
    sfu_words rest = ((s.c0 << k.scale & 3u << k.scale) | (uint32_t)k.bias) + s.u;

    return sfu_shift_right_signed(s.v + sfu_shift_right_signed(rest, 8), k.scale - 6) + (s.c0 >> 2);
}

/* ---- words -------------------------------------------------------------------------------------------------- */

SFU_INLINE sfu_words sfu_exponent(sfu_words w)
{
    return w >> 23 & 255;
}

SFU_INLINE sfu_words sfu_unless_nan(sfu_words w, sfu_words r)
{
    return sfu_choose(sfu_below(sfu_all(EXP32), w & ~SIGN32), sfu_all(NUM_NAN32), r);
}

SFU_INLINE sfu_words sfu_if_exponent(sfu_words e, uint32_t is, sfu_words a, sfu_words b)
{
    return sfu_choose(sfu_equal(e, sfu_all(is)), a, b);
}

/* A result whose exponent may have left the range of normal numbers: below it is a zero. */
SFU_INLINE sfu_words sfu_unless_below(sfu_words r)
{
    return sfu_choose(sfu_below(r, sfu_all(0x800000)), sfu_all(0), r);
}

/* Whether all words less `first` are below `count`. */
SFU_INLINE bool sfu_usual(sfu_words a, sfu_words b, uint32_t first, uint32_t count)
{
    return __builtin_expect(sfu_all_of(sfu_below_unsigned(a - first, count), sfu_below_unsigned(b - first, count)), 1);
}

/* ---- the functions ------------------------------------------------------------------------------------------ */

SFU_INLINE void sfu_rcp_step(const sfu_words w[2], sfu_words out[2])
{
    static const struct sfu_kind kind = {128, 16, 13, SFU_RCP_BIAS, true};
    bool usual = sfu_usual(w[0] & EXP32, w[1] & EXP32, 0x800000, 252u << 23);
    struct sfu_sum sum[2];

    sfu_sums(kind, &sfu_rcp_table, w, sum);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words r = sfu_cut_sum(kind, sum[i]) + (252u << 23) - (w[i] & EXP32);
        if (!usual) {
            sfu_words e = sfu_exponent(w[i]);
            r = sfu_if_exponent(e, 0, sfu_all(EXP32), sfu_unless_below(r));
            r = sfu_if_exponent(e, 255, sfu_all(0), r);
        }
        out[i] = r | (w[i] & SIGN32);
        if (!usual)
            out[i] = sfu_unless_nan(w[i], out[i]);
    }
}

/* Of powers of four the result is exact, which the polynomial just misses. */
SFU_INLINE void sfu_rsq_step(const sfu_words w[2], sfu_words out[2])
{
    static const struct sfu_kind kind = {128, 17, 14, SFU_RSQ_BIAS, true};
    bool usual = sfu_usual(w[0], w[1], 0x800000, EXP32 - 0x800000);
    sfu_words m[2] = {w[0] ^ 0x800000, w[1] ^ 0x800000};
    struct sfu_sum sum[2];

    sfu_sums(kind, &sfu_rsq_table, m, sum);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words e = sfu_exponent(w[i]), f = sfu_cut_sum(kind, sum[i]);
        sfu_words r =
            sfu_choose(sfu_equal(m[i] & 0xffffff, sfu_all(0)), sfu_all(0x1000000), f) + ((189 - ((e + 1) >> 1)) << 23);
        if (!usual) {
            r = sfu_if_exponent(e, 255, sfu_all(0), r);
            r = sfu_choose(sfu_below(w[i], sfu_all(0)), sfu_all(NUM_NAN32), sfu_unless_nan(w[i], r));
            r = sfu_if_exponent(e, 0, (w[i] & SIGN32) | EXP32, r);
        }
        out[i] = r;
    }
}

/* The operand as 23 bits after the point, cut off; a negative one is complemented, not negated, unless it is an
 * integer. */
SFU_INLINE sfu_words sfu_to_fixed(sfu_words w)
{
    sfu_words negative = sfu_shift_right_signed(w, 31), r;

    r = sfu_integer((sfu_floats)(w & ~SIGN32) * 0x1p23f);
    return (r ^ negative) - sfu_choose(sfu_equal(r & 0x7fffff, sfu_all(0)), negative, sfu_all(0));
}

SFU_INLINE void sfu_ex2_step(const sfu_words w[2], sfu_words out[2])
{
    static const struct sfu_kind kind = {64, 17, 13, SFU_EX2_BIAS, false};
    bool usual = sfu_usual(w[0] & ~SIGN32, w[1] & ~SIGN32, 0, 0x42800000);   /* 64 */
    sfu_words fixed[2] = {sfu_to_fixed(w[0]), sfu_to_fixed(w[1])};
    struct sfu_sum sum[2];

    sfu_sums(kind, &sfu_ex2_table, fixed, sum);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words r = (fixed[i] & 0xff800000) + 126 * 0x800000u + sfu_cut_sum(kind, sum[i]);
        if (!usual) {
            sfu_words limit = sfu_choose(sfu_below(w[i], sfu_all(0)), sfu_all(0), sfu_all(EXP32));
            r = sfu_choose(sfu_below(sfu_all(127 + 6), sfu_exponent(w[i])), limit, sfu_unless_below(r));
            r = sfu_unless_nan(w[i], r);
        }
        out[i] = r;
    }
}

/* The leading 25 bits of the significand's product with that of 1 / (2 pi), which is taken in two parts of 12 bits. */
SFU_INLINE sfu_words sfu_to_turns(sfu_words w)
{
    sfu_words high = (w >> 12 & 0x7ff) | 0x800, low = w & 0xfff;

    return high * (2 * 0xa2f) + ((high * 0x983 + low * 0xa2f + (low * 0x983 >> 12)) >> 11);
}

/* As a fixed-point number with 23 bits of a quarter turn; the odd quarters run backwards, by complement. What leaves
 * the word by a shift to the left would be whole turns. */
SFU_INLINE void sfu_turn_step(const sfu_words w[2], sfu_words out[2], bool cosine)
{
    static const struct sfu_kind kind = {64, 17, 11, SFU_SIN_BIAS, false};
    bool usual = sfu_usual(w[0] & ~SIGN32, w[1] & ~SIGN32, 0, EXP32);
    sfu_words m[2], fixed[2];
    struct sfu_sum sum[2];

    for (unsigned i = 0; i < 2; i++) {
        sfu_words turns = sfu_to_turns(w[i]), carry = turns >> 24, shift = sfu_exponent(w[i]) + carry - 128;
        turns >>= carry;
        fixed[i] = (sfu_left(turns, shift) | sfu_right(turns, -shift)) + (cosine ? 0x800000 : 0);
        m[i] = fixed[i] ^ sfu_shift_right_signed(fixed[i] << 8, 31);
    }
    sfu_sums(kind, &sfu_sin_table, m, sum);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words high = (sum[i].c0 << 3) + sum[i].v + sfu_shift_right_signed(sum[i].u, 8);
        sfu_words r = sfu_cut_off(high, sum[i].u & 255, 8, 37);
        r |= ((w[i] & (cosine ? 0 : SIGN32)) ^ fixed[i] << 7) & SIGN32;
        out[i] = usual ? r : sfu_if_exponent(sfu_exponent(w[i]), 255, sfu_all(NUM_NAN32), r);
    }
}

SFU_INLINE void sfu_sin_step(const sfu_words w[2], sfu_words out[2])
{
    sfu_turn_step(w, out, false);
}

SFU_INLINE void sfu_cos_step(const sfu_words w[2], sfu_words out[2])
{
    sfu_turn_step(w, out, true);
}

/* The exponent and the polynomial without its last two bits are a number with 36 bits after the point, of which `high`
 * has 20. A negative one is complemented. */
SFU_INLINE sfu_words sfu_join_exponent(struct sfu_sum s, sfu_words e)
{
    sfu_words rest = (s.v << 6) + sfu_shift_right_signed(s.u + SFU_LG2_BIAS, 2) + (s.c0 << 10 & 63 << 10);
    sfu_words high = ((e - 127) << 20) + (s.c0 >> 6) + sfu_shift_right_signed(rest, 16);
    sfu_words negative = sfu_shift_right_signed(high, 31);

    return sfu_cut_off(high ^ negative, (rest ^ negative) & 0xffff, 16, 36) | (negative & SIGN32);
}

SFU_INLINE void sfu_lg2_step(const sfu_words w[2], sfu_words out[2])
{
    static const struct sfu_kind kind = {64, 17, 12, SFU_LG2_BIAS, false};
    bool usual = sfu_usual(w[0], w[1], 0x800000, EXP32 - 0x800000);
    struct sfu_sum sum[2];

    sfu_sums(kind, &sfu_lg2_table, w, sum);
    for (unsigned i = 0; i < 2; i++) {
        sfu_words e = sfu_exponent(w[i]), r = sfu_join_exponent(sum[i], e);
        r = sfu_choose(sfu_equal(w[i], sfu_all(ONE32)), sfu_all(0), r);
        if (!usual) {
            r = sfu_if_exponent(e, 255, sfu_all(EXP32), r);
            r = sfu_choose(sfu_below(w[i], sfu_all(0)), sfu_all(NUM_NAN32), sfu_unless_nan(w[i], r));
            r = sfu_if_exponent(e, 0, sfu_all(SIGN32 | EXP32), r);
        }
        out[i] = r;
    }
}

#define SFU_LANES(name)                                                                                      \
    static inline void name##_lanes(uint32_t *out, const uint32_t *in)                                       \
    {                                                                                                        \
        for (unsigned l = 0; l < WARP_LANES; l += 2 * SFU_WORDS) {                                           \
            const sfu_words w[2] = {*(const sfu_words *)(in + l), *(const sfu_words *)(in + l + SFU_WORDS)}; \
            sfu_words r[2];                                                                                  \
            sfu_##name##_step(w, r);                                                                         \
            *(sfu_words *)(out + l) = r[0];                                                                  \
            *(sfu_words *)(out + l + SFU_WORDS) = r[1];                                                      \
        }                                                                                                    \
    }

#else

#define SFU_LANES(name)                                                \
    static inline void name##_lanes(uint32_t *out, const uint32_t *in) \
    {                                                                  \
        LANE_LOOP out[l] = eval_sfu_##name(in[l]);                     \
    }

#endif

SFU_LANES(rcp)
SFU_LANES(rsq)
SFU_LANES(ex2)
SFU_LANES(lg2)
SFU_LANES(sin)
SFU_LANES(cos)

#endif
