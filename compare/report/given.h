/* What a run was not given, and how it is. */
#ifndef GP5_COMPARE_GIVEN_H
#define GP5_COMPARE_GIVEN_H

#include <stdio.h>
#include <string.h>

/* Behind a reason that says so, the option that gives it: "; --input=vertex.normal=FILE gives it". */
static inline void put_how_to_give(FILE *out, const char *reason)
{
    const char *end = reason ? strstr(reason, " was not given") : NULL;
    if (end)
        fprintf(out, "; --input=%.*s=FILE gives it", (int)(end - reason), reason);
}

#endif
