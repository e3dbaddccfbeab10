/* What tests look at (branch.c). */
#ifndef EVAL_KNOWN_FLAGS_H
#define EVAL_KNOWN_FLAGS_H

#include "model/const/lattice.h"

/* The component that a test's cth one looks at, as in `values`. */
static inline unsigned model_looks_at(const struct condition *test, unsigned c)
{
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4;

    return (test->cc & 1) * 4u + (swizzle >> 2 * c & 3);
}

#endif
