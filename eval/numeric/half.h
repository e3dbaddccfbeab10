/* Half precision: exact widening, and narrowing to the nearest (ties to even) with denormals kept. */
#ifndef GP5_EVAL_NUMERIC_HALF_H
#define GP5_EVAL_NUMERIC_HALF_H

#include "eval/numeric/words.h"

/* The half in the low 16 bits as a single. Arithmetic is avoided where a mode that flushes denormals would
 * matter. */
static inline uint32_t num_from_half(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, magnitude = h & 0x7fff;
    uint32_t normal = (magnitude << 13) + 0x38000000;
    uint32_t special = (magnitude << 13) + 0x70000000;
    uint32_t denormal = num_word((float)(int32_t)(magnitude & 0x3ff) * 0x1p-24f);
    uint32_t r = magnitude < 0x400 ? denormal : magnitude < 0x7c00 ? normal : special;
    return magnitude > 0x7c00 ? NUM_NAN32 : r | sign;
}

/* Rounding happens in the integer, by adding half of the last place; below the smallest normal half in a
 * sum whose last place is that of the denormal halves. */
static inline uint32_t num_to_half(uint32_t w)
{
    uint32_t sign = w >> 16 & 0x8000, m = w & ~SIGN32;
    uint32_t normal = (m + 0xfff + (m >> 13 & 1) - 0x38000000) >> 13;
    uint32_t denormal = num_word(num_float(m < 0x38800000 ? m : 0) + 0.5f) - 0x3f000000;
    uint32_t r = m < 0x38800000 ? denormal : m >= 0x477ff000 ? 0x7c00 : normal;
    return m > EXP32 ? NUM_NAN16 : r | sign;
}

#endif
