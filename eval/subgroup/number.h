/* Elements as words: what a lane holds, in the low bits of 64. Nothing but the float steps of sub_combine
 * (combine.c) and sub_half depends on the floating-point environment, which the callers have set to the
 * default. */
#ifndef GP5_SUBGROUP_NUMBER_H
#define GP5_SUBGROUP_NUMBER_H

#include "gp5.h"

#include <string.h>

#define SUB_NAN16 UINT64_C(0x7e00)
#define SUB_NAN32 UINT64_C(0x7fc00000)
#define SUB_NAN64 UINT64_C(0x7ff8000000000000)

static inline bool sub_is_float(enum gp5_subgroup_type type)
{
    return type >= GP5_SUBGROUP_F16;
}

static inline bool sub_is_signed(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_I8 || type == GP5_SUBGROUP_I16 || type == GP5_SUBGROUP_I32 || type == GP5_SUBGROUP_I64;
}

static inline unsigned sub_bytes(enum gp5_subgroup_type type)
{
#define GP5_SUBGROUP_X(ID, name, bytes) bytes,
    static const uint8_t sizes[] = { GP5_SUBGROUP_TYPE_LIST(GP5_SUBGROUP_X) };
#undef GP5_SUBGROUP_X
    return sizes[type];
}

/* All the bits of a type. */
static inline uint64_t sub_ones(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_BOOL ? 1 : UINT64_MAX >> (64 - 8 * sub_bytes(type));
}

static inline uint64_t sub_load(enum gp5_subgroup_type type, const void *plane, size_t lane)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t dword;

    switch (sub_bytes(type)) {
    case 1:
        byte = ((const uint8_t *)plane)[lane];
        return type == GP5_SUBGROUP_BOOL ? byte != 0 : byte;
    case 2:
        memcpy(&half, (const uint8_t *)plane + 2 * lane, 2);
        return half;
    case 4:
        memcpy(&word, (const uint8_t *)plane + 4 * lane, 4);
        return word;
    default:
        memcpy(&dword, (const uint8_t *)plane + 8 * lane, 8);
        return dword;
    }
}

static inline void sub_store(enum gp5_subgroup_type type, void *plane, size_t lane, uint64_t value)
{
    uint16_t half = (uint16_t)value;
    uint32_t word = (uint32_t)value;

    switch (sub_bytes(type)) {
    case 1:
        ((uint8_t *)plane)[lane] = (uint8_t)value;
        break;
    case 2:
        memcpy((uint8_t *)plane + 2 * lane, &half, 2);
        break;
    case 4:
        memcpy((uint8_t *)plane + 4 * lane, &word, 4);
        break;
    default:
        memcpy((uint8_t *)plane + 8 * lane, &value, 8);
        break;
    }
}

static inline int64_t sub_signed(enum gp5_subgroup_type type, uint64_t word)
{
    unsigned unused = 64 - 8 * sub_bytes(type);
    return (int64_t)(word << unused) >> unused;
}

/* ---- floats -------------------------------------------------------------------------------------------- */

static inline float sub_float(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline double sub_double(uint64_t word)
{
    double value;
    memcpy(&value, &word, 8);
    return value;
}

static inline uint64_t sub_float_word(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return value != value ? SUB_NAN32 : bits;
}

static inline uint64_t sub_double_word(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return value != value ? SUB_NAN64 : bits;
}

static inline float sub_half_value(uint64_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;

    if (magnitude >= 0x7c00)
        return sub_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude >= 0x400)
        return sub_float(sign | ((magnitude << 13) + 0x38000000));
    return (sign ? -1.0f : 1.0f) * (float)magnitude * 0x1p-24f;
}

/* To the nearest half, ties to even. */
static inline uint64_t sub_half(float value)
{
    uint32_t bits = (uint32_t)sub_float_word(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;

    if (magnitude > 0x7f800000)
        return SUB_NAN16;
    if (magnitude >= 0x477ff000)    /* from the middle between 65504 and 65536 */
        return sign | 0x7c00;
    if (magnitude < 0x38800000)     /* the last place of 0.5 is that of a denormal half: the addition rounds */
        return sign | ((uint32_t)sub_float_word(sub_float(magnitude) + 0.5f) - 0x3f000000);
    return sign | ((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

static inline uint64_t sub_infinity(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16   ? 0x7c00
           : type == GP5_SUBGROUP_F32 ? 0x7f800000
                                      : UINT64_C(0x7ff0000000000000);
}

static inline uint64_t sub_sign(enum gp5_subgroup_type type)
{
    return UINT64_C(1) << (8 * sub_bytes(type) - 1);
}

static inline bool sub_is_nan(enum gp5_subgroup_type type, uint64_t word)
{
    return sub_is_float(type) && (word & ~sub_sign(type)) > sub_infinity(type);
}

static inline uint64_t sub_nan(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16 ? SUB_NAN16 : type == GP5_SUBGROUP_F32 ? SUB_NAN32 : SUB_NAN64;
}

/* The value of any float, exactly. */
static inline double sub_value(enum gp5_subgroup_type type, uint64_t word)
{
    return type == GP5_SUBGROUP_F16   ? (double)sub_half_value(word)
           : type == GP5_SUBGROUP_F32 ? (double)sub_float(word)
                                      : sub_double(word);
}

/* The equality of the language: of numbers for floats, so that a NaN equals nothing and the zeros each
 * other. */
static inline bool sub_equal(enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    if (!sub_is_float(type))
        return a == b;
    if (sub_is_nan(type, a) || sub_is_nan(type, b))
        return false;
    return a == b || ((a | b) & ~sub_sign(type)) == 0;
}

#endif
