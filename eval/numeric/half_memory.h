/* Half floats in memory, exact whatever the floating-point environment. */
#ifndef GP5_EVAL_HALF_H
#define GP5_EVAL_HALF_H

#include <stdint.h>

/* The bits of the float that a half stands for. */
static inline uint32_t eval_half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;

    if (exponent == 31)                 /* a NaN is always the same one: measured */
        return fraction ? 0x7fffffff : sign | 0x7f800000;
    if (exponent)
        return sign | (exponent + 112) << 23 | fraction << 13;
    if (!fraction)
        return sign;
    exponent = 113;
    while (!(fraction & 0x400)) {
        fraction <<= 1;
        exponent--;
    }
    return sign | exponent << 23 | (fraction & 0x3ff) << 13;
}

/* To the nearest half, ties to even; overflow is infinite, NaN is 0x7fff. */
static inline uint16_t eval_float_to_half(uint32_t word)
{
    uint16_t sign = (uint16_t)(word >> 16 & 0x8000);
    uint32_t magnitude = word & 0x7fffffff, rest, result, shift;

    if (magnitude > 0x7f800000)         /* measured */
        return 0x7fff;
    if (magnitude >= 0x477ff000)        /* rounds to 65536 or beyond */
        return sign | 0x7c00;
    if (magnitude < 0x33000000)         /* below half of the least one */
        return sign;
    if (magnitude < 0x38800000) {       /* denormal halves */
        shift = 126 - (magnitude >> 23);
        rest = (magnitude & 0x7fffff) | 0x800000;
        result = rest >> shift;
        rest &= (1u << shift) - 1;
        return (uint16_t)(sign |
                          (result + (rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && result & 1))));
    }
    result = (magnitude - 0x38000000) >> 13;
    rest = magnitude & 0x1fff;
    return (uint16_t)(sign | (result + (rest > 0x1000 || (rest == 0x1000 && result & 1))));
}

#endif
