/* The programs of tests/tools/barriers.c on a driver, from the top folder. None was seen to hang; with another driver
 * give gp5-batch a --timeout.
 *
 *   barriers input FOLDER                        what they are launched with: a file for each number of warps, order
 * and way to wait barriers batch FIRST COUNT FOLDER > BATCH    programs for gp5-batch, each in every order of its warps
 * and with every way to wait barriers text NUMBER                         one program barriers fold FIRST COUNT OUT RAW
 * > FOLDED   what lanes saw every time and what they saw at all barriers digest FIRST COUNT FOLDED           lines for
 * tests/recordings/barriers.txt: number, hash barriers check FIRST COUNT FOLDED            where the evaluator gives
 * something else: "lacks" when lanes did not see what they should have barriers show FIRST COUNT FOLDED             all
 * of it
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/barriers.h"
#include "tests/tools/patterns.h"

static const char table[] = "tests/recordings/patterns/barriers.txt";
static struct barrier_program p;

struct folded {
    uint32_t number, runs, failed;
    uint32_t all[BARRIER_OUT_WORDS], any[BARRIER_OUT_WORDS];
};

static uint32_t warps(void)
{
    return (p.group + 31) / 32;
}

static int write_inputs(const char *folder)
{
    static uint32_t words[BARRIER_IN_WORDS], ones[BARRIER_OUT_WORDS];
    char path[512];
    FILE *unwritten;

    snprintf(path, sizeof path, "%s/ones", folder);
    unwritten = fopen(path, "wb");
    memset(ones, 0xff, sizeof ones);
    if (!unwritten || fwrite(ones, sizeof ones, 1, unwritten) != 1 || fclose(unwritten))
        return 2;
    for (uint32_t n = 1; n <= BARRIER_WARPS; n++)
        for (uint32_t order = 0; order < BARRIER_ORDERS; order++)
            for (uint32_t delay = 0; delay < BARRIER_DELAYS; delay++) {
                char name[512];
                FILE *file;
                snprintf(name, sizeof name, "%s/%u.%u.%u", folder, n, order, delay);
                file = fopen(name, "wb");
                barrier_input(order, n, delay, words);
                if (!file || fwrite(words, sizeof words, 1, file) != 1 || fclose(file))
                    return 2;
            }
    return 0;
}

static uint32_t delays(void)
{
    return strstr(p.text, "REP.S d.x") ? BARRIER_DELAYS : 1;
}

static int emit(uint32_t first, uint32_t count, const char *folder)
{
    for (uint32_t i = first; i < first + count; i++) {
        if (!barrier_program(table, i, &p))
            return 2;
        for (uint32_t run = 0; run < p.orders * delays(); run++) {
            char name[32], file[512];
            json_t *line;
            snprintf(name, sizeof name, "%u.%u", i, run);
            snprintf(file, sizeof file, "%s/%u.%u.%u", folder, warps(), run % p.orders, run / p.orders);
            line = json_pack("{s:s, s:s, s:s, s:[i,i,i], s:[{s:i,s:s},{s:i,s:s,s:b}]}", "name", name, "stage",
                             "compute", "program", p.text, "groups", 1, 1, 1, "storage", "binding", 0, "file", file,
                             "binding", 1, "file", "ones", "return", 1);
            if (line && p.subroutines) {
                json_t *chosen = json_array();
                for (uint32_t k = 0; k < p.subroutines; k++)
                    json_array_append_new(chosen, json_integer(barrier_chosen[k]));
                json_object_set_new(line, "subroutines", chosen);
            }
            snprintf(file, sizeof file, "%s/ones", folder);
            if (line)
                json_object_set_new(json_array_get(json_object_get(line, "storage"), 1), "file", json_string(file));
            if (!line || json_dumpf(line, stdout, JSON_COMPACT) != 0 || putchar('\n') != '\n')
                return 2;
            json_decref(line);
        }
    }
    return 0;
}

/* What became of a run; a line about another one waits. NULL: it was not run. */
static json_t *result_of(FILE *out, const char *wanted)
{
    static json_t *waiting;
    json_t *line;
    const char *name;

    if (!waiting)
        waiting = json_loadf(out, JSON_DISABLE_EOF_CHECK, NULL);
    name = json_string_value(json_object_get(waiting, "name"));
    if (!name || strcmp(name, wanted))
        return NULL;
    line = waiting;
    waiting = NULL;
    return line;
}

static void put_together(struct folded *f, const uint32_t *words)
{
    barrier_fold(&p, f->all, words);
    for (size_t k = 0; k < BARRIER_OUT_WORDS; k++) {
        size_t word = k % BARRIER_EVENT_WORDS;
        bool counts = word >= BARRIER_COUNTS && word < BARRIER_COUNTS + 4;
        f->any[k] = counts ? f->any[k] > words[k] ? f->any[k] : words[k] : f->any[k] | words[k];
    }
}

static int fold(uint32_t first, uint32_t count, const char *out_name, const char *raw_name)
{
    static struct folded f;
    static uint32_t words[BARRIER_OUT_WORDS];
    FILE *out = fopen(out_name, "r"), *raw = fopen(raw_name, "rb");

    if (!out || !raw)
        return 2;
    for (uint32_t i = first; i < first + count; i++) {
        if (!barrier_program(table, i, &p))
            return 2;
        memset(&f, 0, sizeof f);
        memset(f.all, 0xff, sizeof f.all);
        f.number = i;
        for (uint32_t run = 0; run < p.orders * delays(); run++) {
            char wanted[32];
            json_t *line, *buffer;
            snprintf(wanted, sizeof wanted, "%u.%u", i, run);
            line = result_of(out, wanted);
            buffer = json_array_get(json_object_get(line, "storage"), 0);
            f.runs += line != NULL;
            if (buffer && fseek(raw, (long)json_integer_value(json_object_get(buffer, "offset")), SEEK_SET) == 0 &&
                fread(words, sizeof words, 1, raw) == 1) {
                put_together(&f, words);
            } else if (line) {
                f.failed++;
                fprintf(stderr, "%s %s: %s\n", wanted, p.name, json_string_value(json_object_get(line, "status")));
            }
            json_decref(line);
        }
        if (f.runs && fwrite(&f, sizeof f, 1, stdout) != 1)
            return 2;
    }
    fclose(out);
    fclose(raw);
    return 0;
}

static void show_event(const char *who, const uint32_t *e)
{
    printf("    %-9s place %d ", who, (int)e[20]);
    for (unsigned place = 0; place < 4; place++) {
        printf(" |");
        for (unsigned w = 0; w < warps(); w++)
            printf(" %08x", e[4 * place + w]);
    }
    printf(" | n");
    for (unsigned w = 0; w < warps(); w++)
        printf(" %u", e[BARRIER_COUNTS + w]);
    printf("\n");
}

/* Whether lanes did not see what they should have, every time. */
static bool lacks(const struct folded *f, const uint32_t *ours)
{
    for (size_t i = 0; i < BARRIER_OUT_WORDS; i++) {
        size_t word = i % BARRIER_EVENT_WORDS;
        if (word < BARRIER_COUNTS       ? (ours[i] & ~f->all[i]) != 0
            : word < BARRIER_COUNTS + 4 ? ours[i] > f->all[i]
                                        : ours[i] != f->all[i])
            return true;
    }
    return false;
}

static unsigned show(const struct folded *f, const uint32_t *ours, bool always)
{
    unsigned shown = 0;

    for (unsigned lane = 0; lane < BARRIER_LANES; lane++)
        for (unsigned event = 0; event < BARRIER_EVENTS; event++) {
            size_t at = ((size_t)lane * BARRIER_EVENTS + event) * BARRIER_EVENT_WORDS;
            if (!always && !memcmp(f->all + at, ours + at, BARRIER_EVENT_WORDS * 4))
                continue;
            if ((always && ours[at + 20] == UINT32_MAX && (!f->runs || f->all[at + 20] == UINT32_MAX)) ||
                shown++ > (always ? 1000 : 1))
                continue;
            printf("  role %u lane %u event %u\n", lane / 32, lane % 32, event);
            show_event("every", f->all + at);
            show_event("any", f->any + at);
            show_event("reference", ours + at);
        }
    return shown;
}

static int compare(const char *how, uint32_t first, uint32_t count, const char *file_name)
{
    static uint32_t ours[BARRIER_OUT_WORDS];
    static struct folded f;
    FILE *file = fopen(file_name, "rb");
    unsigned different = 0;

    while (file && fread(&f, sizeof f, 1, file) == 1) {
        if (f.number < first || f.number - first >= count)
            continue;
        if (!barrier_program(table, f.number, &p))
            return 2;
        if (!strcmp(how, "digest")) {
            printf("%u %016llx\n", f.number, (unsigned long long)pattern_hash(f.all, BARRIER_OUT_WORDS));
        } else if (f.failed) {
            printf("%u %s: %u of %u runs failed\n", f.number, p.name, f.failed, f.runs);
        } else if (!barrier_evaluate(&p, NULL, ours)) {
            printf("%u not evaluated\n", f.number);
        } else if (memcmp(f.all, ours, sizeof ours) || !strcmp(how, "show")) {
            printf("%u %s %s\n", f.number, p.name, lacks(&f, ours) ? "lacks" : "has more");
            different++;
            show(&f, ours, !strcmp(how, "show"));
        }
    }
    printf("%u of %u differ\n", different, count);
    return different != 0;
}

int main(int argc, char **argv)
{
    uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
             count = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;

    if (argc == 3 && !strcmp(argv[1], "input"))
        return write_inputs(argv[2]);
    if (argc == 3 && !strcmp(argv[1], "text"))
        return barrier_program(table, first, &p) && fputs(p.text, stdout) >= 0 ? 0 : 2;
    if (argc == 5 && !strcmp(argv[1], "batch"))
        return emit(first, count, argv[4]);
    if (argc == 6 && !strcmp(argv[1], "fold"))
        return fold(first, count, argv[4], argv[5]);
    if (argc == 5)
        return compare(argv[1], first, count, argv[4]);
    fputs("usage: barriers input FOLDER | text NUMBER | batch FIRST COUNT FOLDER | fold FIRST COUNT OUT RAW | "
          "digest|check|show FIRST COUNT FOLDED\n",
          stderr);
    return 2;
}
