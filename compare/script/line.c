#include "compare/script/line.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '(' || c == ')' || c == ',' || c == ';' || c == 0;
}

/* Moves *at to the next word and returns its end, or returns 0 where none is left. */
static size_t next_word(const char *text, size_t *at, size_t end)
{
    size_t i = *at;
    while (i < end && is_blank(text[i]))
        i++;
    if (i == end || text[i] == '#')
        return 0;
    *at = i;
    while (i < end && !is_blank(text[i]))
        i++;
    return i;
}

bool line_split(struct arena *a, const char *text, size_t start, size_t end, struct line *line)
{
    size_t count = 0, at = start, stop;
    for (; (stop = next_word(text, &at, end)) != 0; at = stop)
        count++;
    memset(line, 0, sizeof *line);
    line->word = arena_alloc(a, (count + 1) * sizeof *line->word);
    line->offset = arena_alloc(a, (count + 1) * sizeof *line->offset);
    if (!line->word || !line->offset)
        return false;
    for (at = start; (stop = next_word(text, &at, end)) != 0; at = stop) {
        char *copy = arena_copy(a, text + at, stop - at);
        if (!copy)
            return false;
        line->word[line->count] = copy;
        line->offset[line->count++] = (uint32_t)at;
    }
    line->offset[line->count] = (uint32_t)end;    /* where a missing word would stand */
    return true;
}

bool line_integer(const char *word, int64_t low, int64_t high, int64_t *value)
{
    const char *digits = word + (*word == '-' || *word == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    if (!(*digits >= '0' && *digits <= '9'))
        return false;
    errno = 0;
    long long v = strtoll(word, &end, hex ? 16 : 10);
    if (errno || *end || v < low || v > high)
        return false;
    *value = v;
    return true;
}

const char *line_range(struct arena *a, int64_t low, int64_t high)
{
    char text[96];
    int n = snprintf(text, sizeof text, "expected a whole number from %" PRId64 " to %" PRId64, low, high);
    const char *copy = arena_copy(a, text, (size_t)n);
    return copy ? copy : "out of memory";
}

bool line_real(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return end != word && !*end && !isnan(*value);
}
