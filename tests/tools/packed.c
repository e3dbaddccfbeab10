#include "tests/tools/packed.h"

#include <stdbool.h>

static bool copy(FILE *from, FILE *to)
{
    char block[1 << 16];
    size_t n;

    while ((n = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, n, to) != n)
            return false;
    return !ferror(from);
}

FILE *packed_open(const char *path)
{
    FILE *plain = fopen(path, "r"), *packed = NULL;
    char command[512];
    bool good;

    if (plain)
        return plain;
    if ((size_t)snprintf(command, sizeof command, "xz -dc '%s.xz'", path) < sizeof command)
        packed = popen(command, "r");
    plain = packed ? tmpfile() : NULL;
    good = plain && copy(packed, plain);
    if (packed)
        good &= pclose(packed) == 0;
    if (good) {
        rewind(plain);
        return plain;
    }
    if (plain)
        fclose(plain);
    return NULL;
}
