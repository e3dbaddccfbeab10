/* A second model of the warp's exchanges, written for one lane at a time and without the evaluator's
 * formulas. */
#ifndef GP5_TESTS_SHUFFLE_MODEL_H
#define GP5_TESTS_SHUFFLE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum model_shuffle { MODEL_UP, MODEL_DOWN, MODEL_IDX, MODEL_XOR };

struct model_result {
    bool predicate;
    uint32_t value;
    bool undefined;             /* the value came from a lane that was not active */
};

struct model_result model_shuffle(enum model_shuffle op, unsigned lane, const uint32_t value[32],
                                  uint32_t index, uint32_t mask, uint32_t active);

#endif
