/* A line of a test script as words. Parentheses, commas and semicolons part words as blanks do, so that
 * `probe rgba (0.5, 0.5) (1, 0, 0, 1)` and `probe rgba 0.5 0.5 1 0 0 1` are the same; '#' starts a
 * comment. */
#ifndef GP5_COMPARE_LINE_H
#define GP5_COMPARE_LINE_H

#include "asm/arena.h"

struct line {
    char **word;                /* NUL-terminated */
    uint32_t *offset;           /* of each in the script */
    size_t count;
};

/* False when memory ran out (a->failed). */
bool line_split(struct arena *a, const char *text, size_t start, size_t end, struct line *line);

/* Whole numbers from `low` to `high`, decimal or 0x; the word must be nothing else. */
bool line_integer(const char *word, int64_t low, int64_t high, int64_t *value);

/* What is said where it is none: which numbers it may be. */
const char *line_range(struct arena *a, int64_t low, int64_t high);

/* A finite or infinite number as strtod reads it; nan is refused. */
bool line_real(const char *word, double *value);

#endif
