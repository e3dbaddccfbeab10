/* The programs of tests/tools/divergence.c on a driver, from the top folder:
 *
 *   divergence input > FILE                      what they are launched with
 *   divergence batch FIRST COUNT FILE > BATCH    programs for gp5-batch
 *   divergence text NUMBER                       one program
 *   divergence digest FIRST COUNT OUT RAW        lines for tests/recordings/divergence.txt: number, hash
 *   divergence check FIRST COUNT OUT RAW         where the evaluator gives something else: what the first lanes that
 * differ saw
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/divergence.h"
#include "tests/tools/patterns.h"

static struct divergence d;

static int emit(uint32_t first, uint32_t count, const char *file)
{
    for (uint32_t i = first; i < first + count; i++) {
        char name[16];
        json_t *line;
        if (!divergence_program(i, &d))
            return 2;
        snprintf(name, sizeof name, "%u", i);
        line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:s},{s:i,s:i,s:b}]}", "name", name, "stage", "compute",
                         "program", d.text, "groups", (int)d.groups, 1, 1, "storage", "binding", 0, "file", file,
                         "binding", 1, "zero", (int)(DIVERGENCE_LANES * d.words * 4), "return", 1);
        if (line && d.subroutines) {
            json_t *chosen = json_array();
            for (uint32_t k = 0; k < d.subroutines; k++)
                json_array_append_new(chosen, json_integer(divergence_chosen[k]));
            json_object_set_new(line, "subroutines", chosen);
        }
        if (!line || json_dumpf(line, stdout, JSON_COMPACT) != 0 || putchar('\n') != '\n')
            return 2;
        json_decref(line);
    }
    return 0;
}

static bool driver_results(FILE *out, FILE *raw, uint32_t number, uint32_t *words)
{
    json_t *line = json_loadf(out, JSON_DISABLE_EOF_CHECK, NULL);
    const char *name = json_string_value(json_object_get(line, "name"));
    json_t *buffer = json_array_get(json_object_get(line, "storage"), 0);
    size_t size = (size_t)DIVERGENCE_LANES * d.words;
    bool ok;

    if (!name || strtoul(name, NULL, 10) != number) {
        fprintf(stderr, "divergence: the results are of another program: %s, not %u\n", name ? name : "(none)", number);
        exit(2);
    }
    ok = buffer && fseek(raw, (long)json_integer_value(json_object_get(buffer, "offset")), SEEK_SET) == 0 &&
         fread(words, 4, size, raw) == size;
    if (!ok)
        printf("%u %s\n", number, json_string_value(json_object_get(line, "status")));
    json_decref(line);
    return ok;
}

static void show(uint32_t number, const uint32_t *driver, const uint32_t *ours)
{
    unsigned shown = 0;

    for (unsigned lane = 0; lane < DIVERGENCE_LANES && shown < 2; lane++) {
        const uint32_t *a = driver + lane * d.words, *b = ours + lane * d.words;
        if (!memcmp(a, b, d.words * 4))
            continue;
        shown++;
        printf("%u lane %u: driver %08x %08x, reference %08x %08x\n", number, lane, a[0], a[1], b[0], b[1]);
        for (unsigned i = 2; i < d.words && (a[i + 1] || b[i + 1]); i += 2)
            printf("    %s place %u %08x | place %u %08x\n", memcmp(a + i, b + i, 8) ? "!" : " ", a[i + 1], a[i],
                   b[i + 1], b[i]);
    }
}

static int compare(bool digest, uint32_t first, uint32_t count, const char *out_name, const char *raw_name)
{
    static uint32_t driver[DIVERGENCE_LANES * 256], ours[DIVERGENCE_LANES * 256];
    FILE *out = fopen(out_name, "r"), *raw = fopen(raw_name, "rb");
    unsigned different = 0;

    if (!out || !raw)
        return 2;
    for (uint32_t i = first; i < first + count; i++) {
        if (!divergence_program(i, &d))
            return 2;
        if (!driver_results(out, raw, i, driver))
            continue;
        if (digest) {
            printf("%u %016llx\n", i, (unsigned long long)pattern_hash(driver, (size_t)DIVERGENCE_LANES * d.words));
        } else if (!divergence_evaluate(&d, NULL, ours)) {
            printf("%u not evaluated\n", i);
        } else if (memcmp(driver, ours, (size_t)DIVERGENCE_LANES * d.words * 4)) {
            different++;
            show(i, driver, ours);
        }
    }
    fclose(out);
    fclose(raw);
    if (!digest)
        printf("%u of %u differ\n", different, count);
    return different != 0;
}

int main(int argc, char **argv)
{
    static uint32_t words[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS];
    uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
             count = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;

    if (argc == 2 && !strcmp(argv[1], "input")) {
        divergence_input(words);
        return fwrite(words, sizeof words, 1, stdout) == 1 ? 0 : 2;
    }
    if (argc == 3 && !strcmp(argv[1], "text"))
        return divergence_program(first, &d) && fputs(d.text, stdout) >= 0 ? 0 : 2;
    if (argc == 5 && !strcmp(argv[1], "batch"))
        return emit(first, count, argv[4]);
    if (argc == 6 && (!strcmp(argv[1], "digest") || !strcmp(argv[1], "check")))
        return compare(argv[1][0] == 'd', first, count, argv[4], argv[5]);
    fputs("usage: divergence input | text NUMBER | batch FIRST COUNT FILE | digest|check FIRST COUNT OUT RAW\n",
          stderr);
    return 2;
}
