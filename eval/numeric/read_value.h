/* Values in memory. */
#ifndef GP5_NUMERIC_READ_VALUE_H
#define GP5_NUMERIC_READ_VALUE_H

#include "asm/isa.h"
#include "eval/numeric/half_memory.h"

#include <string.h>

/* Hardware has one NaN, and so have we: nothing says which it is. */
static inline uint32_t eval_half_value(uint16_t half)
{
    return (half & 0x7fff) > 0x7c00 ? 0x7fffffff : eval_half_to_float(half);
}

/* A value in memory as the bits of its register. */
static inline uint64_t eval_read_value(const uint8_t *p, uint8_t type)
{
    switch (type) {
    case DT_U8: return *p;
    case DT_S8: return (uint32_t)(int32_t)(int8_t)*p;
    case DT_U16: case DT_S16: case DT_F16: {
        uint16_t v;
        memcpy(&v, p, sizeof v);
        return type == DT_U16 ? v : type == DT_S16 ? (uint32_t)(int32_t)(int16_t)v : eval_half_value(v);
    }
    case DT_U64: case DT_S64: case DT_F64: {
        uint64_t v;
        memcpy(&v, p, sizeof v);
        return v;
    }
    default: {
        uint32_t v;
        memcpy(&v, p, sizeof v);
        return v;
    }
    }
}

#endif
