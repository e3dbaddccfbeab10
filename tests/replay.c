/* Inputs that were found by fuzzing, through all that a program goes through (tests/fuzz_input.h):
 *     replay [PACK]     PACK: for each input its size in decimal, a line feed, its bytes, a line feed; standard input if none
 *     replay --pack FILE...     writes such a pack, the inputs in this order
 * Writes TAP, one line for all of them; what breaks a law is named by its number. */
#include "tests/fuzz_input.h"

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
static int next(FILE *in, uint8_t **bytes, size_t *size)
{
    unsigned long n;
    int fields = fscanf(in, "%lu", &n);
    if (fields == EOF)
        return 0;
    if (fields != 1 || n > LARGEST || fgetc(in) != '\n')
        return -1;
    *size = n;
    *bytes = malloc(n ? n : 1);
    if (*bytes && fread(*bytes, 1, n, in) == n && fgetc(in) == '\n')
        return 1;
    free(*bytes);
    return -1;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--pack") == 0)
        return pack(argc - 2, argv + 2);
    FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
    uint8_t *bytes;
    size_t size;
    unsigned count = 0, broken = 0;
    int more = -1;
    while (in && (more = next(in, &bytes, &size)) > 0) {
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
