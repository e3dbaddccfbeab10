/* What the files of the scalar model share. */
#ifndef GP5_TESTS_SCALAR_INTERNAL_H
#define GP5_TESTS_SCALAR_INTERNAL_H

#include "asm/program.h"
#include "tests/oracle/scalar_model.h"
#include "tests/oracle/scalar_soft.h"

typedef __int128 big;

static inline bool nvidia(const struct kernel_request *w)
{
    return w->semantics == GP5_SEMANTICS_NVIDIA;
}

static inline int bits_of(unsigned type)
{
    switch (type) {
    case DT_S8: case DT_U8: return 8;
    case DT_F16: case DT_S16: case DT_U16: return 16;
    case DT_F32: case DT_S32: case DT_U32: return 32;
    default: return 64;
    }
}

static inline bool is_float(unsigned type)
{
    return type == DT_F16 || type == DT_F32 || type == DT_F64;
}

static inline bool is_signed(unsigned type)
{
    return type == DT_S8 || type == DT_S16 || type == DT_S32 || type == DT_S64;
}

/* scalar_model.c: whether a comparison holds. */
bool scalar_holds(unsigned op, enum soft_order order);
/* scalar_integer.c: a word as a number; BFE and BFI; what works component by component. False: none of these. */
big scalar_value(unsigned type, uint64_t word);
big scalar_field(const struct kernel_request *w, uint32_t bits, uint32_t offset, uint32_t a, uint32_t base);
bool scalar_integer(const struct kernel_request *w, uint64_t a, uint64_t b, uint64_t c, big *r);

#endif
