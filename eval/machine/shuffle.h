/* The rule of the shuffles, by itself. */
#ifndef GP5_EVAL_SUBGROUP_H
#define GP5_EVAL_SUBGROUP_H

#include "asm/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* The lane whose value lane `lane` gets from SHFUP, SHFDOWN, SHFIDX or SHFXOR; its own when the source is
 * out of range.
 *
 * As NVIDIA's driver was measured, for every clamp, segment and index: the index is five bits, the source
 * lane is a signed sum that does not wrap, the upper bound belongs to the range, and the lower one is
 * never tested. */
static inline int eval_shuffle_source(unsigned op, unsigned lane, uint32_t index, uint32_t mask,
                                      bool *in_range)
{
    int segment = mask >> 8 & 31, clamp = mask & 31, id = (int)lane, offset = index & 31;
    int least = id & segment, most = least | (clamp & ~segment);
    int source = op == OP_SHFUP ? id - offset : op == OP_SHFDOWN ? id + offset
                 : op == OP_SHFIDX ? least | (offset & ~segment) : id ^ offset;

    *in_range = op == OP_SHFUP ? source >= most : source <= most;
    return *in_range ? source : id;
}

/* The lane that QSWZ0 ... QSWZY read. */
/* The two ends of a difference over a quad, of its row (or, COARSE, the lower one) and of its column. */
enum quad_end {
    QUAD_ROW_LOW = OP_COUNT + 1,
    QUAD_ROW_HIGH,
    QUAD_COLUMN_LOW,
    QUAD_COLUMN_HIGH,
    QUAD_FIRST,
    QUAD_FIRST_RIGHT,
    QUAD_FIRST_UP
};

static inline unsigned eval_quad_source(unsigned op, unsigned lane)
{
    switch (op) {
    case QUAD_ROW_LOW: return lane & ~1u;
    case QUAD_ROW_HIGH: return lane | 1;
    case QUAD_COLUMN_LOW: return lane & ~2u;
    case QUAD_COLUMN_HIGH: return lane | 2;
    case QUAD_FIRST: return lane & ~3u;
    case QUAD_FIRST_RIGHT: return (lane & ~3u) | 1;
    case QUAD_FIRST_UP: return (lane & ~3u) | 2;
    case OP_QSWZX: return lane ^ 1;
    case OP_QSWZY: return lane ^ 2;
    default: return (lane & ~3u) | (op - OP_QSWZ0);
    }
}

_Static_assert(OP_QSWZ3 == OP_QSWZ0 + 3, "the quad's lanes are numbered by the opcodes");

#endif
