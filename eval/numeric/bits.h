/* Bit fields, counts and searches, of one word: the kernels' and what the driver's compiler computes. */
#ifndef GP5_EVAL_NUMERIC_BITS_H
#define GP5_EVAL_NUMERIC_BITS_H

#include <stdint.h>

static inline uint32_t num_reversed_bits(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
    return a >> 16 | a << 16;
}

static inline uint32_t num_count_bits(uint32_t a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    return a * 0x01010101u >> 24;
}

/* Below the lowest set bit stand only zeros: their number is its index. */
static inline uint32_t num_lowest_bit(uint32_t a)
{
    return a == 0 ? ~0u : num_count_bits((a & (0 - a)) - 1);
}

static inline uint32_t num_highest_bit(uint32_t a)
{
    uint32_t b = a;
    b |= b >> 1, b |= b >> 2, b |= b >> 4, b |= b >> 8, b |= b >> 16;
    return num_count_bits(b) - 1;
}

static inline uint32_t num_highest_bit_signed(uint32_t a)
{
    return num_highest_bit((int32_t)a < 0 ? ~a : a);
}

/* Ones in the low n bits; all of them from 32 on. */
static inline uint32_t num_low_ones(uint32_t n)
{
    return n < 32 ? (1u << (n & 31)) - 1 : ~0u;
}

static inline uint32_t num_shift_left(uint32_t a, uint32_t n)
{
    return n < 32 ? a << (n & 31) : 0;
}

static inline uint32_t num_shift_right(uint32_t a, uint32_t n)
{
    return n < 32 ? a >> (n & 31) : 0;
}

/* Count and offset are 8 bits wide; a field that reaches beyond the word ends with it. */
static inline uint32_t num_extract_bits(uint32_t bits, uint32_t offset, uint32_t a)
{
    bits &= 255, offset &= 255;
    return num_shift_right(a, offset) & num_low_ones(bits);
}

static inline uint32_t num_extract_bits_signed(uint32_t bits, uint32_t offset, uint32_t a)
{
    bits &= 255, offset &= 255;
    uint32_t field = num_shift_right(a, offset) & num_low_ones(bits);
    uint32_t last = offset + bits - 1 < 31 ? offset + bits - 1 : 31;
    uint32_t sign = a >> (last & 31) & 1;
    uint32_t have = last + 1 - offset;          /* bits that are there; what lies above is the sign */
    uint32_t fill = offset > 31 ? ~0u : ~num_low_ones(have);
    return bits == 0 ? 0 : field | (sign ? fill : 0);
}

static inline uint32_t num_insert_bits(uint32_t bits, uint32_t offset, uint32_t a, uint32_t base)
{
    bits &= 255, offset &= 255;
    uint32_t mask = num_shift_left(num_low_ones(bits), offset);
    return (base & ~mask) | (num_shift_left(a, offset) & mask);
}

#endif
