#include "tests/tools/program_text.h"

#include <stdarg.h>
#include <stdio.h>

void program_text_put(struct program_text *t, const char *format, ...)
{
    va_list args;
    int n;

    if (t->full)
        return;
    va_start(args, format);
    n = vsnprintf(t->text + t->length, t->size - t->length, format, args);
    va_end(args);
    t->full = n < 0 || (size_t)n >= t->size - t->length;
    t->length += t->full ? 0 : (size_t)n;
}
