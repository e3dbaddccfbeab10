/* Memory that runs out: a test that includes this has the allocator of gp5 (asm/arena.h) with an end. */
#ifndef GP5_TESTS_FAILING_MEMORY_H
#define GP5_TESTS_FAILING_MEMORY_H

#include "asm/arena.h"

#include <stdbool.h>
#include <stdlib.h>

static long allowed = -1;       /* allocations that still succeed; -1 for all */
static bool refused;            /* one did not */

static bool allow(void)
{
    if (allowed == 0)
        refused = true;
    else if (allowed > 0)
        allowed--;
    return allowed != 0 || !refused;
}

void *gp5_malloc(size_t size)
{
    return allow() ? malloc(size ? size : 1) : NULL;
}

void *gp5_realloc(void *p, size_t size)
{
    return allow() ? realloc(p, size ? size : 1) : NULL;
}

void gp5_free(void *p)
{
    free(p);
}

#endif
