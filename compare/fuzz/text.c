/* Bytes that grow, and chance. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/fuzz/internal.h"

void fuzz_text_add(struct fuzz_text *t, const char *bytes, size_t size)
{
    if (t->failed)
        return;
    if (size > SIZE_MAX / 4 - t->size) {
        t->failed = true;
        return;
    }
    if (t->size + size + 1 > t->capacity) {
        size_t capacity = 2 * (t->size + size + 1) + 256;
        char *more = realloc(t->bytes, capacity);
        if (!more) {
            t->failed = true;
            return;
        }
        t->bytes = more;
        t->capacity = capacity;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = 0;
}

void fuzz_text_put(struct fuzz_text *t, const char *s)
{
    fuzz_text_add(t, s, strlen(s));
}

void fuzz_text_printf(struct fuzz_text *t, const char *format, ...)
{
    char line[512];
    va_list v;
    va_start(v, format);
    int n = vsnprintf(line, sizeof line, format, v);
    va_end(v);
    if (n < 0 || (size_t)n >= sizeof line)
        t->failed = true;
    else
        fuzz_text_add(t, line, (size_t)n);
}

void fuzz_text_free(struct fuzz_text *t)
{
    free(t->bytes);
    *t = (struct fuzz_text){0};
}

/* SplitMix64. */
uint64_t fuzz_next(struct fuzz_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

unsigned fuzz_below(struct fuzz_random *r, unsigned n)
{
    return n ? (unsigned)((fuzz_next(r) >> 32) % n) : 0;
}

bool fuzz_chance(struct fuzz_random *r, unsigned percent)
{
    return fuzz_below(r, 100) < percent;
}
