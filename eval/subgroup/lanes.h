/* The active lanes of a group, and what is written for each of them. */
#ifndef GP5_SUBGROUP_LANES_H
#define GP5_SUBGROUP_LANES_H

#include "eval/subgroup/subgroup.h"

#include <string.h>

/* The active lanes as two words, and whether those are all. */
struct lanes {
    uint64_t word[2];
    unsigned size;
    bool full;
};

static inline struct lanes lanes_of(const struct gp5_subgroup *group)
{
    const uint32_t *w = group->active.word;
    struct lanes a;

    a.word[0] = w[0] | (uint64_t)w[1] << 32;
    a.word[1] = w[2] | (uint64_t)w[3] << 32;
    a.size = group->size;
    a.full = a.word[0] == sub_low_bits(group->size < 64 ? group->size : 64)
             && (group->size < 128 || a.word[1] == UINT64_MAX);
    return a;
}

static inline bool has(const struct lanes *a, unsigned lane)
{
    return a->word[lane / 64] >> lane % 64 & 1;
}

/* 0xff in the bytes of those lanes whose bits are set, lane 0 in the byte that comes first in memory. */
static inline uint64_t spread(unsigned bits)
{
    static const uint8_t lane_bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t pattern, on;

    memcpy(&pattern, lane_bits, 8);
    on = (bits & 0xff) * each & pattern;
    on = ((on & 0x7f * each) + 0x7f * each) | on;
    return (on >> 7 & each) * 0xff;
}

/* `what` for every active lane. */
static inline void tell(const struct lanes *a, uint8_t *array, uint8_t what)
{
    if (a->full && a->size == 32) {     /* a length that the compiler knows */
        memset(array, what, 32);
        return;
    }
    if (a->full) {
        memset(array, what, a->size);
        return;
    }
    for (unsigned i = 0; i < a->size; i += 8) {
        unsigned bits = (unsigned)(a->word[i / 64] >> i % 64);
        uint64_t old, on;

        if (a->size < 8) {
            for (unsigned k = 0; k < a->size; k++)
                if (bits >> k & 1)
                    array[k] = what;
            return;
        }
        on = spread(bits);
        memcpy(&old, array + i, 8);
        old = (old & ~on) | (what * UINT64_C(0x0101010101010101) & on);
        memcpy(array + i, &old, 8);
    }
}

#endif
