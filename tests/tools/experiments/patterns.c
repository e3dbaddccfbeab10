/* The patterns of tests/recordings/patterns/contraction.txt (or, with -t FILE first, another table) on a driver, from
 * the top folder:
 *
 *   patterns operands SET > FILE          the operands (mid or nasty)
 *   patterns batch SET-FILE > BATCH       the programs, for gp5-batch
 *   patterns check SET OUT RAW            what gp5-batch printed (OUT) and kept (RAW) beside the evaluator's results
 *   patterns digest SET OUT RAW           lines for tests/recordings/contraction.txt
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"
#include "tests/tools/patterns.h"

static const char usual_table[] = "tests/recordings/patterns/contraction.txt";

struct results {
    FILE *out, *raw;
    enum pattern_operands set;
    bool digest;
    unsigned different;
};

static void add(json_t *line, const char *key, json_t *value)
{
    if (!value || json_object_set_new(line, key, value) != 0) {
        fprintf(stderr, "patterns: no memory\n");
        exit(2);
    }
}

/* What a pattern is launched with besides its operands. */
static void add_launch(json_t *line, const struct pattern_launch *l)
{
    json_t *chosen = l->nsubroutines ? json_array() : NULL;

    for (unsigned i = 0; i < l->nsubroutines; i++)
        json_array_append_new(chosen, json_integer(l->subroutines[i]));
    if (chosen)
        add(line, "subroutines", chosen);
    if (l->size[0])
        add(line, "group_size", json_pack("[i,i,i]", (int)l->size[0], (int)l->size[1], (int)l->size[2]));
    if (l->counters)
        add(line, "counters", json_pack("[{s:i, s:[i,i]}]", "binding", 0, "random", PATTERN_SEED, PATTERN_COUNTERS));
    if (l->addresses) {
        add(line, "local", json_pack("[{s:i, s:i}]", "index", 0, "zero", 16));
        add(line, "pointers",
            json_pack("[{s:i,s:i,s:i},{s:i,s:i,s:i}]", "storage", 0, "local", 0, "offset", 0, "storage", 2, "local", 0,
                      "offset", 8));
        json_array_append_new(json_object_get(line, "storage"),
                              json_pack("{s:i, s:i}", "binding", 2, "zero", PATTERN_RESULTS * 4));
    }
}

static bool emit(void *operands, const char *name, const char *program)
{
    struct pattern_launch l = pattern_launch(program);
    json_t *line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:s},{s:i,s:i,s:b}], s:[{s:i,s:s}]}", "name", name,
                             "stage", "compute", "program", program, "groups", (int)l.groups, 1, 1, "storage",
                             "binding", 0, "file", operands, "binding", 1, "zero", PATTERN_RESULTS * 4, "return", 1,
                             "constants", "binding", 0, "file", operands);
    bool ok;

    if (line)
        add_launch(line, &l);
    ok = line && json_dumpf(line, stdout, JSON_COMPACT) == 0 && putchar('\n') == '\n';
    json_decref(line);
    return ok;
}

/* The next line of gp5-batch is about this pattern: its results, or false when the driver did not run it. */
static bool driver_results(struct results *r, const char *name, uint32_t words[PATTERN_RESULTS])
{
    json_t *line = json_loadf(r->out, JSON_DISABLE_EOF_CHECK, NULL);
    const char *which = json_string_value(json_object_get(line, "name"));
    json_t *buffer = json_array_get(json_object_get(line, "storage"), 0);
    bool ok = false;

    if (!which || strcmp(which, name)) {
        fprintf(stderr, "patterns: the results are of another table: %s, not %s\n", which ? which : "(none)", name);
        exit(2);
    }
    if (buffer)
        ok = fseek(r->raw, (long)json_integer_value(json_object_get(buffer, "offset")), SEEK_SET) == 0 &&
             fread(words, 4, PATTERN_RESULTS, r->raw) == PATTERN_RESULTS;
    json_decref(line);
    return ok;
}

static bool check(void *user, const char *name, const char *program)
{
    static uint32_t driver[PATTERN_RESULTS], reference[PATTERN_RESULTS];
    struct results *r = user;
    char *message = NULL;
    bool ran = driver_results(r, name, driver);
    unsigned bad = 0, first = 0;

    if (r->digest) {
        if (ran)
            printf("%s %s %016llx\n", pattern_set_names[r->set], name,
                   (unsigned long long)pattern_hash(driver, PATTERN_RESULTS));
        else
            printf("%s %s rejected\n", pattern_set_names[r->set], name);
        return true;
    }
    if (!ran)
        return true;
    if (!pattern_evaluate(program, NULL, r->set, reference, &message)) {
        printf("%-24s not evaluated: %s\n", name, message ? message : "");
        gp5_text_free(message);
        r->different++;
        return true;
    }
    for (unsigned i = 0; i < PATTERN_RESULTS; i++)
        if (driver[i] != reference[i] && !bad++)
            first = i;
    if (bad) {
        printf("%-24s %u of %u words differ, first invocation %u %c.%c: driver %08x reference %08x\n", name, bad,
               PATTERN_RESULTS, first / 8, first & 4 ? 'q' : 'r', "xyzw"[first & 3], driver[first], reference[first]);
        r->different++;
    }
    return true;
}

static enum pattern_operands set_named(const char *name)
{
    for (int i = 0; i < PATTERN_SETS; i++)
        if (!strcmp(name, pattern_set_names[i]))
            return i;
    fprintf(stderr, "patterns: no operand set %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    static uint32_t words[PATTERN_INVOCATIONS * PATTERN_IN_WORDS];
    const char *table = usual_table;

    if (argc > 2 && !strcmp(argv[1], "-t")) {
        table = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc == 3 && !strcmp(argv[1], "operands")) {
        pattern_operands(set_named(argv[2]), words);
        return fwrite(words, sizeof words, 1, stdout) == 1 ? 0 : 2;
    }
    if (argc == 3 && !strcmp(argv[1], "batch"))
        return pattern_each(table, emit, argv[2]) ? 0 : 2;
    if (argc == 5 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "digest"))) {
        struct results r = {.out = fopen(argv[3], "r"), .raw = fopen(argv[4], "rb"), .set = set_named(argv[2]),
                            .digest = !strcmp(argv[1], "digest")};
        if (!r.out || !r.raw || !pattern_each(table, check, &r)) {
            fprintf(stderr, "patterns: cannot read %s, %s or %s\n", table, argv[3], argv[4]);
            return 2;
        }
        return r.different != 0;
    }
    fprintf(stderr, "usage: patterns [-t TABLE] operands SET | batch FILE | check SET OUT RAW | digest SET OUT RAW\n");
    return 2;
}
