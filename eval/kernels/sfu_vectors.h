/* What eval/kernels/sfu_lanes.h is made of: vectors of words, choices, and the reading of tables, for AVX2 and AVX-512.
 *
 * Squares and segments need 16 bits. Those of two vectors lie in one: of each word, the low half belongs to the first
 * vector and the high half to the second. AVX-512 reads a table of 64 or 128 entries of 16 bits out of two or four
 * registers, by permutation; AVX2 gathers. */
#ifndef GP5_EVAL_KERNELS_SFU_VECTORS_H
#define GP5_EVAL_KERNELS_SFU_VECTORS_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define SFU_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512BW__) && defined(__AVX512F__)
#define SFU_PERMUTES
enum { SFU_BYTES = 64 };
typedef __mmask16 sfu_mask_t;
typedef __m512i sfu_register;
#else
enum { SFU_BYTES = 32 };
typedef __m256i sfu_mask_t;
typedef __m256i sfu_register;
#endif
enum { SFU_WORDS = SFU_BYTES / 4 };

typedef uint32_t sfu_words __attribute__((vector_size(SFU_BYTES), may_alias));
typedef int32_t sfu_ints __attribute__((vector_size(SFU_BYTES)));
typedef uint16_t sfu_halves __attribute__((vector_size(SFU_BYTES)));
typedef float sfu_floats __attribute__((vector_size(SFU_BYTES)));

/* A row of a table for each lane. c1 is a magnitude. c2 stands in the half that is the lane's in a vector of squares;
 * the other half is 0. */
struct sfu_row_words {
    sfu_words c0, c1, c2;
};

SFU_INLINE sfu_words sfu_all(uint32_t word)
{
    return (sfu_words){0} + word;
}

SFU_INLINE sfu_words sfu_shift_right_signed(sfu_words a, unsigned n)
{
    return (sfu_words)((sfu_ints)a >> n);
}

#ifdef SFU_PERMUTES

/* Of signed words. */
SFU_INLINE sfu_mask_t sfu_below(sfu_words a, sfu_words b)
{
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}

SFU_INLINE sfu_mask_t sfu_below_unsigned(sfu_words a, uint32_t b)
{
    return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)sfu_all(b));
}

SFU_INLINE sfu_mask_t sfu_equal(sfu_words a, sfu_words b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

SFU_INLINE bool sfu_all_of(sfu_mask_t a, sfu_mask_t b)
{
    return (a & b) == 0xffff;
}

SFU_INLINE sfu_words sfu_choose(sfu_mask_t mask, sfu_words a, sfu_words b)
{
    return (sfu_words)_mm512_mask_blend_epi32(mask, (__m512i)b, (__m512i)a);
}

/* The low halves of one, the high halves of the other. */
SFU_INLINE sfu_words sfu_mix(sfu_words low, sfu_words high)
{
    return (sfu_words)_mm512_mask_blend_epi16(0xaaaaaaaa, (__m512i)low, (__m512i)high);
}

/* The products of both signed halves, added. */
SFU_INLINE sfu_words sfu_dot(sfu_words a, sfu_words b)
{
    return (sfu_words)_mm512_madd_epi16((__m512i)a, (__m512i)b);
}

/* Shifts by counts of which those beyond 31 give 0. */
SFU_INLINE sfu_words sfu_left(sfu_words a, sfu_words count)
{
    return (sfu_words)_mm512_sllv_epi32((__m512i)a, (__m512i)count);
}

SFU_INLINE sfu_words sfu_right(sfu_words a, sfu_words count)
{
    return (sfu_words)_mm512_srlv_epi32((__m512i)a, (__m512i)count);
}

/* Floats, cut off to integers. */
SFU_INLINE sfu_words sfu_integer(sfu_floats f)
{
    return (sfu_words)_mm512_cvttps_epi32((__m512)f);
}

/* (high * 2^bits + low) / 2^point as a single that is cut off after 24 bits; 0 <= high < 2^31. A high part of more than
 * 24 bits is cut off by itself, and then the low part is less than its last bit. */
SFU_INLINE sfu_words sfu_cut_off(sfu_words high, sfu_words low, unsigned bits, unsigned point)
{
    enum { TO_ZERO = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC };
    __m512 h = _mm512_cvt_roundepi32_ps((__m512i)high, TO_ZERO), l = _mm512_cvtepi32_ps((__m512i)low);
    __m512 unit = (__m512)sfu_all((127 - point) << 23), above = (__m512)sfu_all((127 - point + bits) << 23);

    return (sfu_words)_mm512_fmadd_round_ps(h, above, _mm512_mul_ps(l, unit), TO_ZERO);
}

#else

SFU_INLINE sfu_mask_t sfu_below(sfu_words a, sfu_words b)
{
    return _mm256_cmpgt_epi32((__m256i)b, (__m256i)a);
}

SFU_INLINE sfu_mask_t sfu_below_unsigned(sfu_words a, uint32_t b)
{
    return sfu_below(a ^ 0x80000000, sfu_all(b ^ 0x80000000));
}

SFU_INLINE sfu_mask_t sfu_equal(sfu_words a, sfu_words b)
{
    return _mm256_cmpeq_epi32((__m256i)a, (__m256i)b);
}

SFU_INLINE bool sfu_all_of(sfu_mask_t a, sfu_mask_t b)
{
    return _mm256_movemask_epi8(_mm256_and_si256(a, b)) == -1;
}

SFU_INLINE sfu_words sfu_choose(sfu_mask_t mask, sfu_words a, sfu_words b)
{
    return (sfu_words)_mm256_blendv_epi8((__m256i)b, (__m256i)a, mask);
}

SFU_INLINE sfu_words sfu_mix(sfu_words low, sfu_words high)
{
    return (sfu_words)_mm256_blend_epi16((__m256i)low, (__m256i)high, 0xaa);
}

SFU_INLINE sfu_words sfu_dot(sfu_words a, sfu_words b)
{
    return (sfu_words)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}

SFU_INLINE sfu_words sfu_left(sfu_words a, sfu_words count)
{
    return (sfu_words)_mm256_sllv_epi32((__m256i)a, (__m256i)count);
}

SFU_INLINE sfu_words sfu_right(sfu_words a, sfu_words count)
{
    return (sfu_words)_mm256_srlv_epi32((__m256i)a, (__m256i)count);
}

SFU_INLINE sfu_words sfu_integer(sfu_floats f)
{
    return (sfu_words)_mm256_cvttps_epi32((__m256)f);
}

/* The bits that count are chosen first, below 2^31; what they were rounded up to is taken back. */
SFU_INLINE sfu_words sfu_cut_off(sfu_words high, sfu_words low, unsigned bits, unsigned point)
{
    sfu_mask_t small = sfu_below(high, sfu_all(0x800000)), tiny = sfu_below(high, sfu_all(0x8000));
    sfu_words value = sfu_choose(small, high << 8 | low >> (bits - 8), high), scale, r;
    sfu_floats f;

    scale = sfu_choose(small, sfu_all((127 - point + bits - 8) << 23), sfu_all((127 - point + bits) << 23));
    if (bits > 8) {
        value = sfu_choose(tiny, high << 16 | low, value);
        scale = sfu_choose(tiny, sfu_all((127 - point) << 23), scale);
    }
    f = (sfu_floats)_mm256_cvtepi32_ps((__m256i)value);
    r = (sfu_words)f - ((value - sfu_integer(f)) >> 31);
    return (sfu_words)((sfu_floats)r * (sfu_floats)scale);
}

#endif

/* ---- the truncated square -----------------------------------------------------------------------------------------
 */

/* x * x / 2^19 of 17 bits x without what sfu_square leaves out, of x / 4 in halves. x is h * 2^9 + l * 4 + 2 bits that
 * have no part in it: h * h / 2, and for bit i of h, from 1 on, l / 2^(7 - i). */
#ifdef SFU_PERMUTES

/* The mixed part of three bits of each, h + 8 * l, as for the leading bits. */
#define SFU_MIXED(h, l) ((h) & 1) * ((l) >> 2) + ((h) >> 1 & 1) * ((l) >> 1) + ((h) >> 2) * (l)
#define SFU_MIXED_ROW(l)                                                                                  \
    SFU_MIXED(0, l), SFU_MIXED(1, l), SFU_MIXED(2, l), SFU_MIXED(3, l), SFU_MIXED(4, l), SFU_MIXED(5, l), \
        SFU_MIXED(6, l), SFU_MIXED(7, l)
static _Alignas(64) const uint16_t sfu_mixed[64] = {SFU_MIXED_ROW(0), SFU_MIXED_ROW(1), SFU_MIXED_ROW(2),
                                                    SFU_MIXED_ROW(3), SFU_MIXED_ROW(4), SFU_MIXED_ROW(5),
                                                    SFU_MIXED_ROW(6), SFU_MIXED_ROW(7)};

/* Bits 4 to 7 of h take all but the last three of l in one product; those three, and bits 1 to 3 of h, are looked up.
 */
SFU_INLINE sfu_halves sfu_squares(sfu_halves x)
{
    const __m512i *t = (const __m512i *)(const void *)sfu_mixed;
    __m512i leading = (__m512i)(x >> 12 | x << 3), trailing = (__m512i)((x >> 4 & 7) | (x >> 5 & (uint16_t)~7));
    sfu_halves h = x >> 7, mixed = (x >> 11) * (x >> 3 & 15);

    mixed += (sfu_halves)_mm512_permutex2var_epi16(t[0], leading, t[1]);
    mixed += (sfu_halves)_mm512_permutex2var_epi16(t[0], trailing, t[1]);
    return (h * h >> 1) + mixed;
}

#else

/* Shifted by a product: by a bit of h or, where that is not set, out of the half. */
SFU_INLINE sfu_halves sfu_squares(sfu_halves x)
{
    sfu_halves h = x >> 7, l = (x & 127) << 2, up = h << 7, sum = h * h >> 1;

    for (unsigned i = 1; i < 8; i++)
        sum += (sfu_halves)_mm256_mulhi_epu16((__m256i)l, (__m256i)(up & (uint16_t)(1 << (7 + i))));
    return sum;
}

#endif

/* ---- tables ---------------------------------------------------------------------------------------------------------
 */

#ifdef SFU_PERMUTES

/* The numbers apart; c0 in halves. */
struct sfu_table {
    _Alignas(64) uint16_t low[128], high[128], c1[128];
    _Alignas(64) int16_t c2[128];
};

SFU_INLINE sfu_words sfu_read(const void *table, sfu_register segment, unsigned segments)
{
    const __m512i *t = table;
    __m512i r = _mm512_permutex2var_epi16(t[0], segment, t[1]);

    if (segments > 64) {
        __mmask32 upper = _mm512_movepi16_mask(_mm512_slli_epi16(segment, 9));
        r = _mm512_mask_blend_epi16(upper, r, _mm512_permutex2var_epi16(t[2], segment, t[3]));
    }
    return (sfu_words)r;
}

/* Of words in which the segment is what stands from bit `at` on; more may stand above it. */
SFU_INLINE void sfu_look_up(const struct sfu_table *t, unsigned segments, const sfu_words m[2], unsigned at,
                            struct sfu_row_words row[2])
{
    sfu_register s = (sfu_register)sfu_mix(m[0] >> at, m[1] >> (at - 16));
    sfu_words low = sfu_read(t->low, s, segments), high = sfu_read(t->high, s, segments),
              c1 = sfu_read(t->c1, s, segments), c2 = sfu_read(t->c2, s, segments);

    row[0] = (struct sfu_row_words){sfu_mix(low, high << 16), c1 & 0xffff, c2 & 0xffff};
    row[1] = (struct sfu_row_words){sfu_mix(low >> 16, high), c1 >> 16, c2 & 0xffff0000};
}

#else

/* c0, and c1 with c2 above it. */
struct sfu_table {
    uint32_t row[128][2];
};

/* The rows of four lanes, whose segments stand in two words each, as two vectors. Gathering takes longer on most
 * machines. */
SFU_INLINE void sfu_rows(const struct sfu_table *t, uint64_t first, uint64_t second, __m128 out[2])
{
    __m128 none = _mm_setzero_ps();

    out[0] = _mm_loadl_pi(none, (const __m64 *)(const void *)t->row[(uint32_t)first]);
    out[0] = _mm_loadh_pi(out[0], (const __m64 *)(const void *)t->row[first >> 32]);
    out[1] = _mm_loadl_pi(none, (const __m64 *)(const void *)t->row[(uint32_t)second]);
    out[1] = _mm_loadh_pi(out[1], (const __m64 *)(const void *)t->row[second >> 32]);
}

SFU_INLINE void sfu_look_up(const struct sfu_table *t, unsigned segments, const sfu_words m[2], unsigned at,
                            struct sfu_row_words row[2])
{
    for (unsigned i = 0; i < 2; i++) {
        sfu_register s = (sfu_register)(m[i] >> at & (segments - 1));
        __m128 low[2], high[2];
        sfu_rows(t, (uint64_t)_mm256_extract_epi64(s, 0), (uint64_t)_mm256_extract_epi64(s, 1), low);
        sfu_rows(t, (uint64_t)_mm256_extract_epi64(s, 2), (uint64_t)_mm256_extract_epi64(s, 3), high);
        __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(low[0]), high[0], 1),
               b = _mm256_insertf128_ps(_mm256_castps128_ps256(low[1]), high[1], 1);
        sfu_words c12 = (sfu_words)_mm256_shuffle_ps(a, b, 0xdd);
        row[i].c0 = (sfu_words)_mm256_shuffle_ps(a, b, 0x88);
        row[i].c1 = c12 & 0xffff;
        row[i].c2 = sfu_mix(c12 >> 16 & (i ? 0 : 0xffff), c12 & (i ? 0xffff0000 : 0));
    }
}

#endif

#endif
