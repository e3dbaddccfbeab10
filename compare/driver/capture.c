#include "compare/driver/capture.h"

#include <string.h>

bool capture_stage(const char *path, enum driver_stage *stage)
{
    static const struct {
        const char *extension;
        enum driver_stage stage;
    } names[] = {
        { ".vert", DRIVER_VERTEX }, { ".tesc", DRIVER_TESS_CONTROL }, { ".tese", DRIVER_TESS_EVALUATION },
        { ".geom", DRIVER_GEOMETRY }, { ".frag", DRIVER_FRAGMENT }, { ".comp", DRIVER_COMPUTE }
    };
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    for (size_t i = 0; dot && i < sizeof names / sizeof *names; i++)
        if (!strcmp(dot, names[i].extension)) {
            *stage = names[i].stage;
            return true;
        }
    return false;
}

static const uint8_t *find(const uint8_t *at, const uint8_t *end, const char *word)
{
    size_t n = strlen(word);
    for (; (size_t)(end - at) >= n; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - n + 1);
        if (!at)
            return NULL;
        if (!memcmp(at, word, n))
            return at;
    }
    return NULL;
}

/* Behind the line END, or NULL when it does not come. */
static const uint8_t *find_end(const uint8_t *at, const uint8_t *end)
{
    while ((at = find(at, end, "\nEND"))) {
        at += 4;
        if (at < end && *at == '\r')
            at++;
        if (at < end && *at == '\n')
            return at + 1;
        if (at == end || !*at)
            return at;
    }
    return NULL;
}

bool capture_next(const uint8_t *blob, size_t size, size_t *offset, const char **program,
                  size_t *program_size)
{
    const uint8_t *end = blob + size;
    const uint8_t *start = *offset < size ? find(blob + *offset, end, "!!NV") : NULL;
    const uint8_t *behind = start ? find_end(start, end) : NULL;
    *offset = behind ? (size_t)(behind - blob) : size;
    if (!behind)
        return false;
    *program = (const char *)start;
    *program_size = (size_t)(behind - start);
    return true;
}
