#include "tests/tools/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/tools/patterns.h"

static bool read_line(const char *text, struct recorded *line)
{
    int end = 0;

    if (sscanf(text, "%" SCNu32 " %16" SCNx64 "%n", &line->number, &line->hash, &end) != 2)
        return false;
    line->differs = !strncmp(text + end, " differs: ", 10);
    return line->differs || text[end] == '\n';
}

bool recorded_each(const char *path, recorded_fn each, void *user)
{
    FILE *file = fopen(path, "r");
    bool ok = file != NULL, more = true;
    char text[256];

    while (ok && more && fgets(text, sizeof text, file)) {
        struct recorded line;
        if (text[0] == '#')
            continue;
        ok = read_line(text, &line);
        more = ok && each(user, &line);
    }
    if (file)
        fclose(file);
    return ok;
}

void recorded_compare(struct recorded_tally *tally, const struct recorded *line, const uint32_t *words, size_t count)
{
    bool same = pattern_hash(words, count) == line->hash;

    tally->compared++;
    if (same != line->differs)
        return;
    printf("# program %u is %s\n", line->number, same ? "said to differ, and does not" : "not what the driver gave");
    tally->wrong++;
}
