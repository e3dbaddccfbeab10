/* Every subgroup built-in of GLSL on a live driver, beside the reference.
 *
 *     build/experiments/subgroup_glsl batch DIR PARTS     the cases for gp5-batch, to be run in DIR: DIR/cases0.jsonl
 * ...; one results file a part: gp5-batch --raw=raw0.bin cases0.jsonl >results0.jsonl build/experiments/subgroup_glsl
 * check DIR PARTS     what the driver answered, judged: one line a case that is not as the reference has it, and the
 * counts build/experiments/subgroup_glsl digest DIR PARTS    the lines of tests/recordings/subgroup_glsl.txt
 *     build/experiments/subgroup_glsl text NAME           the shader of a case */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/subgroup_glsl.h"

enum { SIZE = 32, MAX_PARTS = 64 };

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "subgroup_glsl: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static FILE *open_in(const char *folder, const char *name, unsigned part, const char *suffix, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%u%s", folder, name, part, suffix);
    FILE *f = fopen(path, mode);
    if (!f)
        fail("cannot open", path);
    return f;
}

static uint32_t *records_of(const struct subgroup_case *c)
{
    uint32_t *r = calloc(subgroup_case_records(c), SUBGROUP_RECORD * sizeof *r);
    if (!r)
        fail("out of memory", NULL);
    return r;
}

/* ---- batch ------------------------------------------------------------------------------------------------------- */

struct writer {
    FILE *file[MAX_PARTS];
    const char *folder;
    unsigned parts, count;
};

static void write_input(const struct writer *w, const struct subgroup_case *c)
{
    uint32_t *records = records_of(c);
    size_t words = subgroup_case_records(c) * SUBGROUP_RECORD;
    FILE *f = open_in(w->folder, "in", w->count, ".bin", "wb");
    subgroup_case_fill(c, records);
    if (fwrite(records, sizeof *records, words, f) != words || fclose(f))
        fail("cannot write an input", NULL);
    free(records);
}

static void write_case(void *user, const struct subgroup_case *c)
{
    struct writer *w = user;
    char text[SUBGROUP_GLSL_SIZE], name[SUBGROUP_CASE_NAME];
    if (!subgroup_glsl(c, text))
        return;
    FILE *f = w->file[w->count % w->parts];
    subgroup_case_name(c, name);
    write_input(w, c);
    json_t *o = json_pack("{s:s, s:s, s:[i], s:[{s:i, s:o}, {s:i, s:I, s:b}]}", "name", name, "glsl", text, "groups",
                          SUBGROUP_WORK_GROUPS, "storage", "binding", 0, "file", json_sprintf("in%u.bin", w->count),
                          "binding", 1,
                          "zero", (json_int_t)(subgroup_case_records(c) * SUBGROUP_RECORD * 4), "return", 1);
    if (!o || json_dumpf(o, f, JSON_COMPACT) || fputc('\n', f) == EOF)
        fail("cannot write a case", name);
    json_decref(o);
    w->count++;
}

static void write_batch(const char *folder, unsigned parts)
{
    struct writer w = {.folder = folder, .parts = parts};
    for (unsigned i = 0; i < parts; i++)
        w.file[i] = open_in(folder, "cases", i, ".jsonl", "w");
    subgroup_cases(SIZE, write_case, &w);
    for (unsigned i = 0; i < parts; i++)
        if (fclose(w.file[i]))
            fail("cannot write the cases", NULL);
    fprintf(stderr, "subgroup_glsl: %u cases in %u parts\n", w.count, parts);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

struct reader {
    FILE *lines[MAX_PARTS], *raw[MAX_PARTS];
    unsigned parts, count;
    bool digest;
    unsigned statuses[2];       /* ran, did not run */
    unsigned wrong_cases, allowed_cases, clean_cases;
    unsigned long same, allowed, undefined, wrong, misplaced, layout;
    unsigned inexact, all_sequential, all_doubling, neither;
};

static void add_difference(void *user, size_t place, uint64_t word, bool allowed)
{
    FILE *f = user;
    fprintf(f, "%s%zu=%" PRIx64, allowed ? " " : " !", place, word);
}

static bool read_output(struct reader *r, const json_t *o, const struct subgroup_case *c, uint32_t *out)
{
    const json_t *s = json_array_get(json_object_get(o, "storage"), 0);
    size_t size = subgroup_case_records(c) * SUBGROUP_RECORD * sizeof *out;
    FILE *raw = r->raw[r->count % r->parts];
    return (size_t)json_integer_value(json_object_get(s, "size")) == size &&
           !fseek(raw, (long)json_integer_value(json_object_get(s, "offset")), SEEK_SET) &&
           fread(out, 1, size, raw) == size;
}

/* Half and single precision may be flushed; NVIDIA flushes singles. */
static unsigned flags_of(const struct subgroup_case *c)
{
    return c->type == GP5_SUBGROUP_F32 || c->type == GP5_SUBGROUP_F16 ? GP5_SUBGROUP_MAY_FLUSH : 0;
}

static void count(struct reader *r, const struct subgroup_tally *t)
{
    unsigned defined = t->same + t->allowed + t->wrong;
    r->same += t->same;
    r->allowed += t->allowed;
    r->undefined += t->undefined;
    r->wrong += t->wrong;
    r->misplaced += t->misplaced;
    r->layout += t->layout;
    if (t->wrong + t->misplaced + t->layout)
        r->wrong_cases++;
    else if (t->allowed)
        r->allowed_cases++;
    else
        r->clean_cases++;
    if (!t->inexact)
        return;
    r->inexact++;
    r->all_sequential += t->sequential == defined;
    r->all_doubling += t->doubling == defined;
    r->neither += t->sequential != defined && t->doubling != defined;
}

static const char *order_of(const struct subgroup_tally *t)
{
    return !t->inexact ? "-" : t->order == GP5_SUBGROUP_DOUBLING ? "doubling" : "sequential";
}

static void print_ran(struct reader *r, const struct subgroup_case *c, const char *name, const uint32_t *out)
{
    struct subgroup_tally t;
    uint32_t *in = records_of(c);
    char *differences = NULL;
    size_t size;
    FILE *f = open_memstream(&differences, &size);
    if (!f)
        fail("out of memory", NULL);
    subgroup_case_fill(c, in);
    subgroup_case_judge(c, in, out, flags_of(c), &t, add_difference, f);
    free(in);
    if (fclose(f))
        fail("out of memory", NULL);
    count(r, &t);
    if (r->digest)
        printf("%s\tran\t%016" PRIx64 "\t%u %u %u %u %u %u\t%s\t%s\n", name, t.hash, t.same, t.allowed, t.undefined,
               t.wrong, t.misplaced, t.layout, order_of(&t), *differences ? differences + 1 : "-");
    else if (t.wrong + t.misplaced + t.layout)
        printf("WRONG %s: %u wrong of %u, %u misplaced, %u layout: %s\n", name, t.wrong, t.same + t.allowed + t.wrong,
               t.misplaced, t.layout, t.first);
    else if (t.allowed)
        printf("other %s: %u of %u; sequential %u, doubling %u\n", name, t.allowed, t.same + t.allowed, t.sequential,
               t.doubling);
    free(differences);
}

static void first_line(const char *message)
{
    for (; *message && *message != '\n'; message++)
        putchar(*message == '\t' ? ' ' : *message);
}

static void read_case(void *user, const struct subgroup_case *c)
{
    struct reader *r = user;
    char text[SUBGROUP_GLSL_SIZE], name[SUBGROUP_CASE_NAME], *line = NULL;
    size_t capacity = 0;
    if (!subgroup_glsl(c, text))
        return;
    subgroup_case_name(c, name);
    if (getline(&line, &capacity, r->lines[r->count % r->parts]) <= 0)
        fail("the results end before", name);
    json_t *o = json_loads(line, JSON_ALLOW_NUL, NULL);
    const char *status = json_string_value(json_object_get(o, "status")),
               *is = json_string_value(json_object_get(o, "name"));
    uint32_t *out = records_of(c);
    if (!status || !is || strcmp(is, name))
        fail("the results are those of other cases, at", name);
    bool ran = !strcmp(status, "ran");
    r->statuses[!ran]++;
    if (ran && !read_output(r, o, c, out))
        fail("an output cannot be read", name);
    if (ran) {
        print_ran(r, c, name, out);
    } else if (r->digest) {
        printf("%s\t%s\t-\t-\t-\t-\n", name, status);
    } else {
        const char *message = json_string_value(json_object_get(o, "message"));
        printf("%s %s: ", status, name);
        first_line(message ? message : "");
        putchar('\n');
    }
    free(out);
    json_decref(o);
    free(line);
    r->count++;
}

static void read_results(const char *folder, unsigned parts, bool digest)
{
    struct reader r = {.parts = parts, .digest = digest};
    for (unsigned i = 0; i < parts; i++) {
        r.lines[i] = open_in(folder, "results", i, ".jsonl", "r");
        r.raw[i] = open_in(folder, "raw", i, ".bin", "rb");
    }
    subgroup_cases(SIZE, read_case, &r);
    for (unsigned i = 0; i < parts; i++) {
        fclose(r.lines[i]);
        fclose(r.raw[i]);
    }
    fprintf(stderr,
            "subgroup_glsl: %u cases ran, %u did not; %u the same in every bit, %u with other allowed bits, %u wrong\n"
            "subgroup_glsl: results: %lu same, %lu allowed, %lu undefined, %lu wrong, %lu misplaced, %lu layout\n"
            "subgroup_glsl: %u cases of float sums and products: %u in sequential order, %u in doubling order, %u in "
            "neither\n",
            r.statuses[0], r.statuses[1], r.clean_cases, r.allowed_cases, r.wrong_cases, r.same, r.allowed, r.undefined,
            r.wrong, r.misplaced, r.layout, r.inexact, r.all_sequential, r.all_doubling, r.neither);
}

static void print_text(void *user, const struct subgroup_case *c)
{
    char text[SUBGROUP_GLSL_SIZE], name[SUBGROUP_CASE_NAME];
    subgroup_case_name(c, name);
    if (!strcmp(name, user) && subgroup_glsl(c, text))
        fputs(text, stdout);
}

int main(int argc, char **argv)
{
    unsigned long parts = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
    if (argc == 3 && !strcmp(argv[1], "text"))
        subgroup_cases(SIZE, print_text, argv[2]);
    else if (parts < 1 || parts > MAX_PARTS)
        fail("usage: subgroup_glsl batch|check|digest DIR PARTS | text NAME", NULL);
    else if (!strcmp(argv[1], "batch"))
        write_batch(argv[2], (unsigned)parts);
    else if (!strcmp(argv[1], "check") || !strcmp(argv[1], "digest"))
        read_results(argv[2], (unsigned)parts, argv[1][0] == 'd');
    else
        fail("no such command", argv[1]);
    return fflush(stdout) ? 2 : 0;
}
