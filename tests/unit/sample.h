/* Long tables, sweeps and recordings: `make check` looks at every n-th row, the first one included; `make
 * check-long`, which sets LONG=1, at all of them. Steps are primes, since rows come in patterns. */
#ifndef GP5_TESTS_SAMPLE_H
#define GP5_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned sample_step(unsigned step)
{
    const char *all = getenv("LONG");

    return all && *all && strcmp(all, "0") ? 1 : step;
}

static inline bool sampled(unsigned long row, unsigned step)
{
    return row % sample_step(step) == 0;
}

#endif
