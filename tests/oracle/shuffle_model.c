/* The shuffles, bit by bit: a lane number is five bits; those of the segment stay the lane's own, the
 * others may move. */
#include "tests/oracle/shuffle_model.h"

static unsigned bit(uint32_t word, unsigned at)
{
    return word / (1u << at) % 2;
}

struct model_result model_shuffle(enum model_shuffle op, unsigned lane, const uint32_t value[32],
                                  uint32_t index, uint32_t mask, uint32_t active)
{
    unsigned highest = 0, chosen = 0;
    int source = 0;
    struct model_result r = {.predicate = false};

    for (unsigned at = 0; at < 5; at++) {
        bool fixed = bit(mask, at + 8);
        highest += (fixed ? bit(lane, at) : bit(mask, at)) << at;
        chosen += (fixed ? bit(lane, at) : bit(index, at)) << at;
    }
    switch (op) {
    case MODEL_UP: source = (int)lane - (int)(index % 32); break;
    case MODEL_DOWN: source = (int)lane + (int)(index % 32); break;
    case MODEL_IDX: source = (int)chosen; break;
    case MODEL_XOR:
        for (unsigned at = 0; at < 5; at++)
            source += (int)((bit(lane, at) != bit(index, at)) << at);
        break;
    }
    r.predicate = op == MODEL_UP ? source >= (int)highest : source <= (int)highest;
    if (!r.predicate) {
        r.value = value[lane];
        return r;
    }
    r.undefined = !bit(active, (unsigned)source);
    r.value = r.undefined ? 0 : value[source];
    return r;
}
