/* What the files of this folder share. */
#ifndef GP5_SUBGROUP_SUBGROUP_H
#define GP5_SUBGROUP_SUBGROUP_H

#include "gp5.h"

enum { SUB_NO_LANE = 255 };

static inline bool sub_bit(const struct gp5_ballot *ballot, unsigned lane)
{
    return ballot->word[lane / 32] >> lane % 32 & 1;
}

/* The bits of the first `count` lanes, at most 64. */
static inline uint64_t sub_low_bits(unsigned count)
{
    return count ? UINT64_MAX >> (64 - count) : 0;
}

/* The bits of the first `count` lanes. */
static inline struct gp5_ballot sub_first(unsigned count)
{
    uint64_t low = sub_low_bits(count < 64 ? count : 64), high = sub_low_bits(count > 64 ? count - 64 : 0);
    return (struct gp5_ballot){ { (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32) } };
}

static inline unsigned sub_lanes(const struct gp5_subgroup *group)
{
    return group->lanes ? group->lanes : group->size;
}

static inline unsigned sub_components(const struct gp5_subgroup_operands *in)
{
    return in->components ? in->components : 1;
}

static inline bool sub_power_of_two(uint64_t n)
{
    return n && !(n & (n - 1));
}

/* ROT: the lane that `local` gets its value from, in a cluster of n. n is a power of two, so that the sum is the same
 * modulo n whatever the width of delta. */
static inline uint64_t sub_rotated(uint64_t local, uint64_t delta, uint64_t n)
{
    return ((local + delta) & (n - 1)) + (local & ~(n - 1));
}

/* table.c */
extern const struct gp5_subgroup_info sub_rows[GP5_SUBGROUP_OP_COUNT];

/* definition.c: a checked call, answered lane by lane. True when every answer is defined. */
bool sub_define(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                const struct gp5_subgroup_result *out);

/* combine.c: one step of an arithmetic operation, and what leaves a value as it is. Words in, words out. */
uint64_t sub_combine(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type, uint64_t a, uint64_t b);
uint64_t sub_identity(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type);

/* Whether lane `other` gives to what lane `lane` gets, in a checked call of arithmetic. */
bool sub_contributes(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                     unsigned lane, unsigned other);

/* fast.c: a scan of 32 lanes, not checked yet; true when it was one and is done, all of it defined. */
bool sub_scan_32(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                 const struct gp5_subgroup_result *out);

/* True when the call was one that it knows, with `defined` set as sub_define would return. */
bool sub_fast(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
              const struct gp5_subgroup_result *out, bool *defined);

#endif
