/* What the fast ways consist of: loops over lanes that a compiler turns into vectors, compiled once a level of the
 * machine (LEVEL is base or v3), both of which give the same bits. */
#ifndef GP5_SUBGROUP_KERNELS_H
#define GP5_SUBGROUP_KERNELS_H

#include "eval/subgroup/lanes.h"
#include "eval/subgroup/number.h"

enum sub_shape { REDUCE, INCLUSIVE, EXCLUSIVE };

struct sub_job {
    struct lanes active;
    enum sub_shape shape;
    bool doubling;              /* floats: the order */
    unsigned cluster;           /* of a reduction */
    const struct gp5_ballot *ballot;    /* of the partitioned */
};

/* False when the call is left to the definitions. */
typedef bool sub_kernel(const struct sub_job *job, const void *value, void *result);
typedef sub_kernel *sub_kernel_table[GP5_SUBGROUP_TYPE_COUNT][GP5_SUBGROUP_OP_XOR + 1];

struct sub_level {
    const sub_kernel_table *any;        /* every size and shape */
    const sub_kernel_table *scans;      /* inclusive and exclusive scans of 32 lanes, floats by doubling with all
                                         * lanes active */
    const sub_kernel_table *sequences;  /* the same of floats in sequence, with all lanes active */
    void (*tell_32)(uint32_t mask, uint8_t *array, uint8_t what);       /* `what` for those lanes of 32 */
};

#define SUB_LEVEL_NAME_(name, level) name##_##level
#define SUB_LEVEL_NAME__(name, level) SUB_LEVEL_NAME_(name, level)
#define SUB_LEVEL_NAME(name) SUB_LEVEL_NAME__(name, LEVEL)
#define SUB_LEVEL_TABLES(level) \
    extern const sub_kernel_table sub_any_##level, sub_scans_##level, sub_sequences_##level;                \
    void sub_tell_32_##level(uint32_t mask, uint8_t *array, uint8_t what);
SUB_LEVEL_TABLES(base)
SUB_LEVEL_TABLES(v3)

/* Numbers with one NaN for all. */
static inline float sub_fix_float(float x)
{
    return x != x ? sub_float(SUB_NAN32) : x;
}

static inline double sub_fix_double(double x)
{
    return x != x ? sub_double(SUB_NAN64) : x;
}

#endif
