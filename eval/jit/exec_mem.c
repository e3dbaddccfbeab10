/* Memory for machine code, which the system maps. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE     /* MAP_ANONYMOUS */
#endif
#include "eval/jit/jit_internal.h"

#if NATIVE_MEMORY
#include <string.h>
#include <sys/mman.h>

/* Written first, executable then: never both. */
void *eval_native_publish(const struct x86_code *c)
{
    void *code = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code == MAP_FAILED)
        return NULL;
    memcpy(code, c->bytes, c->size);
    if (mprotect(code, c->size, PROT_READ | PROT_EXEC) == 0)
        return code;
    munmap(code, c->size);
    return NULL;
}

void eval_native_free(struct gp5_executable *x)
{
    if (x->native)
        munmap(x->native->code, x->native->size);
    x->native = NULL;
}

#else

void eval_native_free(struct gp5_executable *x)
{
    (void)x;
}

#endif
