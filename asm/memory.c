/* Where the library's memory comes from. A file of its own: a test that defines these three replaces them all, since
 * the linker then has no reason to take this member of the archive. */
#include "asm/arena.h"

#include <stdlib.h>

void *gp5_malloc(size_t size)
{
    return malloc(size ? size : 1);
}

void *gp5_realloc(void *p, size_t size)
{
    return realloc(p, size ? size : 1);
}

void gp5_free(void *p)
{
    free(p);
}
