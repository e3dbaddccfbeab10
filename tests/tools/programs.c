/* The users' corpus (tests/programs/README.md) on a driver and on the evaluator. From standard input, to standard
 * output:
 *
 *     programs record [--driver=KIND] [--log=FILE]
 *         programs (GLSL becomes the driver's assembly) with what the driver made of them
 *     programs check [--list] [--model=WORDS] [--every=N] [--level=N] [UNLIKE]
 *         evaluates each, or one of N, beside what was recorded; TAP, or with --list a line a program. UNLIKE: those
 *         known to differ, NAME WHY a line; NAME may end in *. level: so many of 1,000 are to be equal
 *     programs names
 *         names alone */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arena.h"
#include "compare/driver/capture.h"
#include "compare/driver/reference.h"
#include "tests/tools/programs_case.h"
#include "tests/tools/stage_subject.h"

/* ---- answers ----------------------------------------------------------------------------------------------------
 */

static uint32_t word_at(const uint8_t *data, size_t i)
{
    uint32_t w;
    memcpy(&w, data + 4 * i, 4);
    return w;
}

/* FNV-1a of a block of words. */
static uint32_t block_hash(const uint8_t *data, size_t n)
{
    uint32_t h = 0x811c9dc5u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ data[i]) * 0x01000193u;
    return h;
}

static void write_output(FILE *out, const char *where, const struct driver_output *o, const void *before)
{
    size_t words = o->size / 4, step = words > PROGRAM_WORDS ? PROGRAM_BLOCK : 1;
    fprintf(out, "@%s %s%u", step > 1 ? "sum" : "out", where, (unsigned)o->binding);
    if (before && !memcmp(before, o->data, o->size)) {
        fputs(" =\n", out);
        return;
    }
    for (size_t i = 0; i < words; i += step) {
        size_t n = words - i < step ? words - i : step;
        fprintf(out, " %x", (unsigned)(step > 1 ? block_hash(o->data + 4 * i, 4 * n) : word_at(o->data, i)));
    }
    fputc('\n', out);
}

static const char *const wheres[OUTPUT_KINDS] = {[OUTPUT_STORAGE] = "s",
                                                 [OUTPUT_COLOR] = "color",
                                                 [OUTPUT_COVERAGE] = "cover",
                                                 [OUTPUT_COUNTER] = "n",
                                                 [OUTPUT_TEXTURE] = "t"};

static const uint8_t *before_of(const struct driver_case *c, enum output_kind kind, uint32_t binding, size_t size)
{
    return case_input(c, kind, binding, size);
}

/* ---- recording --------------------------------------------------------------------------------------------------
 */

struct recorder {
    struct driver *driver;
    const struct users_program *program;
    unsigned done, failed;
};

static bool keep_result(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct recorder *k = user;
    (void)index;
    if (r->status == DRIVER_REJECTED && c->stage != DRIVER_COMPUTE) {
        users_program_write(stdout, k->program);
        printf("@rejected %lld\n@end\n", (long long)r->position);
        k->done++;
        return true;
    }
    if (r->status != DRIVER_RAN) {
        fprintf(stderr, "%s: %s %s %s\n", k->program->name, driver_status_name(r->status), r->message, r->detail);
        k->failed++;
        return true;
    }
    users_program_write(stdout, k->program);
    for (size_t i = 0; i < r->storage_count; i++)
        write_output(stdout, "s", &r->storage[i],
                     before_of(c, OUTPUT_STORAGE, r->storage[i].binding, r->storage[i].size));
    for (size_t i = 0; i < r->vertex_count; i++)
        write_output(stdout, "v", &(struct driver_output){(uint32_t)i, r->vertices[i].data, r->vertices[i].size}, NULL);
    for (size_t i = 0; i < r->texture_count; i++)
        write_output(stdout, "t", &r->textures[i], NULL);
    for (size_t i = 0; i < r->color_count; i++)
        write_output(stdout, "color", &r->colors[i], NULL);
    if (r->coverage_size) {
        struct driver_output o = {0, r->coverage, r->coverage_size};
        write_output(stdout, "cover", &o, NULL);
    }
    puts("@end");
    k->done++;
    return true;
}

/* The program becomes the driver's assembly; false where it gives none, which is said. */
static bool compile(struct recorder *k, struct users_program *p)
{
    struct capture_program source = { 1, { {DRIVER_COMPUTE, p->text, p->size} } };
    struct capture_result r;
    const char *text;
    size_t size, offset = 0;
    driver_capture(k->driver, &source, &r);
    if (r.status != CAPTURE_LINKED || !capture_next(r.blob, r.blob_size, &offset, &text, &size)) {
        fprintf(stderr, "%s: not compiled (%d): %s%s\n", p->name, (int)r.status, r.log ? r.log : "",
                r.detail ? r.detail : "");
        k->failed++;
        return false;
    }
    char *copy = malloc(size + 1);
    if (!copy)
        abort();
    memcpy(copy, text, size);
    copy[size] = 0;
    free(p->text);
    p->text = copy;
    p->size = size;
    return true;
}

static int record(const struct driver_options *options)
{
    struct recorder k = {0};
    struct users_program p;
    struct users_case c;
    char *reason = NULL;
    int more;
    if (driver_open(options, &k.driver, &reason) != DRIVER_OPENED) {
        fprintf(stderr, "programs: %s\n", reason ? reason : "no driver");
        free(reason);
        return 77;
    }
    const struct driver_description *d = driver_describe(k.driver);
    printf("# gp5 programs 1\n# %s, %s, %s\n", d->vendor, d->renderer, d->version);
    while ((more = users_program_read(stdin, &p)) > 0) {
        bool glsl = p.size > 8 && !memcmp(p.text, "#version", 8);
        k.program = &p;
        if ((!glsl || compile(&k, &p)) && users_case_make(&c, &p)) {
            driver_run(k.driver, &c.c, 1, keep_result, &k);
            users_case_free(&c);
        }
        users_program_free(&p);
    }
    driver_close(k.driver);
    fprintf(stderr, "%u recorded, %u not\n", k.done, k.failed);
    return more < 0 || !k.done;
}

/* ---- evaluating -------------------------------------------------------------------------------------------------
 */

struct tally {
    unsigned programs, equal, nan, unlike, wrong, every, level;
    uint64_t words, undefined;
    bool list;
    FILE *unlike_list; /* or NULL */
};

static bool is_nan(uint32_t w)
{
    return (w & 0x7fffffffu) > 0x7f800000u;
}

/* One output beside its line; what differs first goes to `why`. */
static bool compare_output(const char *line, const struct users_case *c, const struct outcome *o, struct tally *t,
                           bool *nan, char why[128])
{
    char where[16];
    int end;
    unsigned binding;
    bool sums = !strncmp(line, "sum ", 4);
    if (sscanf(line + 4, "%15[a-z]%u%n", where, &binding, &end) != 2)
        return false;
    line += 4 + end;
    for (size_t k = 0; k < o->count; k++) {
        const struct output *v = &o->outputs[k];
        size_t words = v->size / 4, step = sums ? PROGRAM_BLOCK : 1;
        const uint8_t *before = before_of(&c->c, v->kind, v->binding, v->size);
        bool unchanged = !strncmp(line, " =", 2);
        if (strcmp(wheres[v->kind], where) || v->binding != binding)
            continue;
        for (size_t i = 0; i < words; i += step) {
            size_t n = words - i < step ? words - i : step, open = 0;
            uint32_t want = 0, got = sums ? block_hash(v->data + 4 * i, 4 * n) : word_at(v->data, i);
            if (unchanged) {
                want = before ? sums ? block_hash(before + 4 * i, 4 * n) : word_at(before, i) : 0;
            } else {
                char *behind;
                want = (uint32_t)strtoul(line, &behind, 16);
                line = behind;
            }
            for (size_t j = 0; v->undefined && j < n; j++)
                open += v->undefined[i + j] != 0;
            t->words += n;
            t->undefined += open;
            if (open || want == got)
                continue;
            if (!sums && is_nan(want) && is_nan(got)) {
                *nan = true;
                continue;
            }
            snprintf(why, 128, "%s%u word %zu: driver %08x, evaluator %08x", where, binding, i, (unsigned)want,
                     (unsigned)got);
            return false;
        }
        return true;
    }
    snprintf(why, 128, "no output %s%u", where, binding);
    return false;
}

/* Pixels of points have nothing to do with each other: each is a rectangle of its own, whose corners are all alike.
 */
static void run_points(const struct reference *r, const struct driver_case *c, struct outcome *o)
{
    size_t pixels = (size_t)c->raster.width * c->raster.height;
    struct driver_attribute one[PROGRAM_BUFFERS * 2];
    struct output *color = outcome_add(o, OUTPUT_COLOR, 0, NULL, pixels * 16),
                  *cover = outcome_add(o, OUTPUT_COVERAGE, 0, NULL, pixels);
    color = &o->outputs[0];
    if (!cover || !(color->undefined = gp5_malloc(pixels * 16)))
        return;
    for (size_t i = 0; i < pixels; i++) {
        uint32_t corner[PROGRAM_BUFFERS * 2][16];
        struct driver_case alone = *c;
        struct outcome out;
        for (size_t k = 0; k < c->raster.attribute_count; k++) {
            one[k] = c->raster.attributes[k];
            for (size_t j = 0; j < 4; j++)
                memcpy(&corner[k][4 * j], (const uint8_t *)one[k].values + 16 * i, 16);
            one[k].values = corner[k];
            one[k].size = sizeof corner[k];
        }
        alone.raster.primitive = DRIVER_QUAD;
        alone.raster.width = alone.raster.height = 1;
        alone.raster.attributes = one;
        outcome_init(&out);
        reference_run(r, &alone, &out);
        const struct output *v = outcome_find(&out, OUTPUT_COLOR, 0), *w = outcome_find(&out, OUTPUT_COVERAGE, 0);
        if (out.status != OUTCOME_RAN || !v || !w) {
            outcome_fail(o, out.status, "%s", out.message ? out.message : "did not run");
            outcome_free(&out);
            return;
        }
        memcpy(color->data + 16 * i, v->data, 16);
        memcpy(color->undefined + 4 * i, v->undefined, 16);
        cover->data[i] = w->data[0];
        outcome_free(&out);
    }
}

/* The words of a line `out vN`; false where it is none, or has other words than so many. */
static bool plane_of(const char *line, unsigned plane, uint32_t *words, size_t count)
{
    unsigned number;
    int end;
    if (sscanf(line, "out v%u%n", &number, &end) != 1 || number != plane)
        return false;
    for (line += end; count && *line == ' '; count--) {
        char *behind;
        *words++ = (uint32_t)strtoul(line, &behind, 16);
        line = behind;
    }
    return !count && *line == '\n';
}

/* A vertex program, its results as they were captured. */
static bool compare_vertices(const struct users_program *p, const struct users_case *c, struct tally *t, char why[128])
{
    const struct driver_vertices *v = &c->c.vertices;
    struct subject s = {.c = c->c};
    struct subject_got got = {.status = DRIVER_RAN, .nplanes = v->result_count};
    struct subject_verdict verdict = {.message = "not as many results, or words, as were recorded"};
    size_t words = (size_t)v->count * 4;
    uint32_t *given = gp5_malloc(v->result_count * words * 4 + 1);
    const char *line = p->answers;
    bool ok = given != NULL;
    for (size_t i = 0; i < v->input_count; i++)
        s.reads[i] = v->inputs[i].binding;
    for (size_t i = 0; ok && i < v->result_count; i++) {
        s.planes[i].binding = v->results[i];
        got.data[i] = (const uint8_t *)(given + i * words);
        got.bytes[i] = words * 4;
        ok = *line && plane_of(line, (unsigned)i, given + i * words, words);
        line = ok ? strchr(line, '\n') + 1 : line;
    }
    ok = ok && !*line;
    if (ok)
        subject_compare(&s, GP5_SEMANTICS_NVIDIA, &got, subject_same, NULL, &verdict);
    gp5_free(given);
    t->words += verdict.compared + verdict.undefined;
    t->undefined += verdict.undefined;
    const struct subject_difference *d = verdict.first;
    if (verdict.different && d->binding)
        snprintf(why, 128, "%s.%c [%zu]: driver %08x, evaluator %08x", d->binding, "xyzw"[d->component], d->element,
                 (unsigned)d->theirs, (unsigned)d->ours);
    else if (!verdict.ran || !verdict.compared)
        snprintf(why, 128, "%.120s", *verdict.message ? verdict.message : "nothing is compared");
    return verdict.ran && verdict.compared && !verdict.different;
}

static bool evaluate_one(const struct users_program *p, const struct gp5_run_options *options, struct tally *t,
                         bool *nan, char why[128])
{
    struct users_case c;
    struct reference r;
    struct outcome o;
    bool same = users_case_make(&c, p);
    reference_open(&r, p->text, p->size, options);
    outcome_init(&o);
    bool rejected = p->answers && !strncmp(p->answers, "rejected ", 9);
    if (same && p->answers && (rejected || c.c.stage == DRIVER_VERTEX)) {
        same = rejected ? !r.executable : compare_vertices(p, &c, t, why);
        if (rejected && !same)
            snprintf(why, 128, "the driver rejects it");
        reference_close(&r);
        outcome_free(&o);
        users_case_free(&c);
        return same;
    }
    if (same && (c.c.stage != DRIVER_FRAGMENT || !r.executable))
        reference_run(&r, &c.c, &o);
    else if (same)
        run_points(&r, &c.c, &o);
    if (o.status != OUTCOME_RAN) {
        snprintf(why, 128, "%.120s", o.message ? o.message : "did not run");
        same = false;
    }
    uint64_t open = t->undefined, all = t->words;
    for (const char *line = p->answers; same && line && *line; line = strchr(line, '\n') + 1)
        same = compare_output(line, &c, &o, t, nan, why);
    if (same && t->words - all == t->undefined - open) {
        snprintf(why, 128, "nothing is compared");
        same = false;
    }
    outcome_free(&o);
    reference_close(&r);
    users_case_free(&c);
    return same && p->answers;
}

/* Whether the list of programs known to differ has it. */
static bool is_listed(FILE *list, const char *name)
{
    char line[512], pattern[256];
    if (!list)
        return false;
    rewind(list);
    while (fgets(line, sizeof line, list))
        if (line[0] != '#' && sscanf(line, "%255s", pattern) == 1) {
            size_t n = strcspn(pattern, "*");
            if (!strncmp(pattern, name, n) && (pattern[n] || !name[n]))
                return true;
        }
    return false;
}

static void judge(const struct users_program *p, const struct gp5_run_options *options, struct tally *t)
{
    char why[128] = "";
    bool nan = false, same = evaluate_one(p, options, t, &nan, why), listed = is_listed(t->unlike_list, p->name);
    t->programs++;
    t->equal += same;
    t->nan += same && nan;
    t->unlike += listed;
    if (t->list) {
        printf("%s %s %s\n", same ? nan ? "nan" : "equal" : "unlike", p->name, why);
    } else if (same == listed) {
        printf("# %s: %s %s\n", p->name, same ? "is the driver's now" : "is not the driver's:", why);
        t->wrong++;
    }
}

static int check(struct tally *t, const struct gp5_run_options *options)
{
    struct users_program p;
    int more;
    for (unsigned i = 0; (more = users_program_read(stdin, &p)) > 0; i++) {
        if (i % t->every == 0)
            judge(&p, options, t);
        users_program_free(&p);
    }
    FILE *out = t->list ? stderr : stdout;
    fprintf(out,
            "# %u programs: %u give the driver's bits (%u of them but for bits of NaNs), %u known not to; %llu "
            "words, %llu undefined\n",
            t->programs, t->equal, t->nan, t->unlike, (unsigned long long)t->words,
            (unsigned long long)t->undefined);
    bool good = more == 0 && t->programs && !t->wrong, level = t->equal * 1000ull >= t->programs * (uint64_t)t->level;
    if (out == stdout) {
        printf("%s 1 - users' programs give what was recorded, but for those that are listed\n",
               good ? "ok" : "not ok");
        printf("%s 2 - at least %u of 1,000 do\n1..2\n", level ? "ok" : "not ok", t->level);
    }
    return !good || !level;
}

static int names(void)
{
    struct users_program p;
    int more;
    while ((more = users_program_read(stdin, &p)) > 0) {
        puts(p.name);
        users_program_free(&p);
    }
    return more < 0;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"driver", required_argument, NULL, 'd'},
                                            {"log", required_argument, NULL, 'g'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"model", required_argument, NULL, 'm'},
                                            {"every", required_argument, NULL, 'e'},
                                            {"level", required_argument, NULL, 'L'},
                                            {NULL, 0, NULL, 0}};
    struct driver_options how = {.context = "egl"};
    struct gp5_run_options run = {.track_undefined = true, .jobs = 1, .max_instructions = 20000000};
    struct tally t = {.every = 1, .level = 995};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'd': how.context = optarg; break;
        case 'g': how.log = optarg; break;
        case 'l': t.list = true; break;
        case 'm': run.model = optarg; break;
        case 'e': t.every = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'L': t.level = (unsigned)strtoul(optarg, NULL, 10); break;
        default: return 2;
        }
    const char *what = optind < argc && t.every ? argv[optind] : "";
    if (!strcmp(what, "record"))
        return record(&how);
    if (!strcmp(what, "check") && optind + 1 < argc && !(t.unlike_list = fopen(argv[optind + 1], "r")))
        return 2;
    if (!strcmp(what, "check"))
        return check(&t, &run);
    if (!strcmp(what, "names"))
        return names();
    fputs("usage: programs record|check [UNLIKE]|names <PROGRAMS\n", stderr);
    return 2;
}
