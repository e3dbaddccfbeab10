/* Inputs that were found by fuzzing, through all that a program goes through (tests/tools/fuzz_input.h):
 *     replay [PACK]     PACK: for each input its size in decimal, a line feed, its bytes, a line feed; standard input
 * if none replay --pack FILE...     writes such a pack, the inputs in this order replay --verdicts [PACK]  a pack of
 * recorded verdicts, as tests/corpus/verdicts.xz says Writes TAP, one line for all of them; what breaks a law is named
 * by its number. */
#include "tests/tools/fuzz_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 26 };

static int pack(int count, char **names)
{
    for (int i = 0; i < count; i++) {
        FILE *in = fopen(names[i], "rb");
        char *bytes = malloc(LARGEST);
        size_t size = in && bytes ? fread(bytes, 1, LARGEST, in) : 0;
        if (!in || ferror(in) || !bytes) {
            fprintf(stderr, "replay: %s cannot be read\n", names[i]);
            return 2;
        }
        printf("%zu\n", size);
        fwrite(bytes, 1, size, stdout);
        putchar('\n');
        free(bytes);
        fclose(in);
    }
    return fflush(stdout) == 0 ? 0 : 2;
}

/* 1: one was read; 0: there is no more; -1: the pack is broken. */
static int next(FILE *in, bool verdicts, uint8_t **bytes, size_t *size)
{
    char line[4096];
    unsigned long n;
    do
        if (!fgets(line, sizeof line, in))
            return feof(in) ? 0 : -1;
    while (line[0] == '\n' || line[0] == '#');
    if (sscanf(line, verdicts ? "%*s %*s %*s %lu" : "%lu", &n) != 1 || n > LARGEST || !strchr(line, '\n'))
        return -1;
    *size = n;
    *bytes = malloc(n ? n : 1);
    if (*bytes && fread(*bytes, 1, n, in) == n)
        return 1;
    free(*bytes);
    return -1;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--pack") == 0)
        return pack(argc - 2, argv + 2);
    bool verdicts = argc > 1 && strcmp(argv[1], "--verdicts") == 0;
    const char *name = argc > 1 + verdicts ? argv[1 + verdicts] : NULL;
    FILE *in = name ? fopen(name, "rb") : stdin;
    uint8_t *bytes;
    size_t size;
    unsigned count = 0, broken = 0;
    int more = -1;
    while (in && (more = next(in, verdicts, &bytes, &size)) > 0) {
        const char *law = fuzz_input(bytes, size);
        if (law)
            printf("# input %u: this does not hold: %s\n", count, law);
        broken += law != NULL;
        count++;
        free(bytes);
    }
    bool good = more == 0 && count > 0 && broken == 0;
    printf("%s 1 - %u inputs, %u of them break a law%s\n1..1\n", good ? "ok" : "not ok", count, broken,
           more < 0 ? "; the pack is cut short" : "");
    if (in && in != stdin)
        fclose(in);
    return good ? 0 : 1;
}
