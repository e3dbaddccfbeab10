/* Subgroup operations of SPIR-V on the live driver, beside the reference.
 *
 *     build/tests/subgroup_spirv_run quick SIZE       the cases that the tests take, for subgroups of SIZE lanes: one
 * line each, tab-separated: operation, type, the rest of its name, what became of it, results that are the same,
 *                                                     allowed, undefined, wrong, misplaced, out of layout; the order of
 * float sums; the first difference. A line `driver` goes before. build/tests/subgroup_spirv_run run SIZE [CASE]  all
 * cases, or those whose names begin like this build/tests/subgroup_spirv_run write SIZE DIR   the modules, for
 * spirv-val
 *
 * Of an operation that ends the worker twice and never does anything else the rest is left out. llvmpipe has
 * LP_NATIVE_VECTOR_WIDTH / 32 lanes, and its shader cache does not know: both are set before the worker starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/driver/driver.h"
#include "tests/tools/subgroup_spirv.h"

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "subgroup_spirv_run: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static void *room(size_t bytes)
{
    void *p = calloc(bytes, 1);
    if (!p)
        fail("out of memory", NULL);
    return p;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

struct runner {
    struct driver *driver;
    const struct subgroup_case *c;
    uint32_t *in;
    const char *only;           /* NULL: all */
    bool quick;
    /* cases of an operation, and workers that they ended */
    unsigned seen[GP5_SUBGROUP_OP_COUNT], deaths[GP5_SUBGROUP_OP_COUNT];
};

/* An operation that ended the worker each time is not tried for ever. */
static bool is_hopeless(const struct runner *r, enum gp5_subgroup_op op)
{
    enum { ENOUGH = 2 };
    return r->seen[op] >= ENOUGH && r->deaths[op] == r->seen[op];
}

static void print_text(const char *text)
{
    putchar('\t');
    for (; *text && *text != '\n'; text++)
        putchar(*text == '\t' ? ' ' : *text);
    putchar('\n');
}

static const char *order_of(const struct subgroup_tally *t)
{
    unsigned defined = t->same + t->allowed + t->wrong;
    bool sequential = t->sequential_value == defined, doubling = t->doubling_value == defined;
    return !t->inexact              ? "-"
           : sequential && doubling ? "both"
           : sequential             ? "sequential"
           : doubling               ? "doubling"
                                    : "neither";
}

/* Whether what is wrong for the clusters is right for the whole group. */
static bool ignores_cluster(const struct runner *r, const uint32_t *out, unsigned flags)
{
    struct subgroup_case whole = *r->c;
    struct subgroup_tally t;
    whole.cluster = whole.size;
    if (gp5_subgroup_info(whole.op)->group != GP5_SUBGROUP_CLUSTERED)
        return false;
    subgroup_case_judge(&whole, r->in, out, flags, &t, NULL, NULL);
    return !(t.wrong + t.misplaced + t.layout);
}

/* What llvmpipe computes flushes denormals. */
static void print_ran(const struct runner *r, const struct driver_result *result)
{
    struct subgroup_tally t;
    uint32_t *out = room(result->storage[0].size);
    unsigned flags = GP5_SUBGROUP_FLOATS >> r->c->type & 1 ? GP5_SUBGROUP_MAY_FLUSH : 0;
    memcpy(out, result->storage[0].data, result->storage[0].size);
    subgroup_case_judge(r->c, r->in, out, flags, &t, NULL, NULL);
    const char *verdict = !(t.wrong + t.misplaced + t.layout) ? "right"
                          : ignores_cluster(r, out, flags)    ? "whole group"
                                                              : "wrong";
    printf("%s\t%u\t%u\t%u\t%u\t%u\t%u\t%s", verdict, t.same, t.allowed, t.undefined,
           t.wrong, t.misplaced, t.layout, order_of(&t));
    print_text(t.first);
    free(out);
}

static bool take_result(void *user, size_t index, const struct driver_case *dc, const struct driver_result *result)
{
    struct runner *r = user;
    (void)index;
    (void)dc;
    if (result->status == DRIVER_RAN && result->storage_count == 1) {
        print_ran(r, result);
    } else {
        r->deaths[r->c->op] += result->status == DRIVER_CRASHED || result->status == DRIVER_HUNG;
        printf("%s\t0\t0\t0\t0\t0\t0\t-", driver_status_name(result->status));
        print_text(*result->message ? result->message : result->detail);
    }
    return true;
}

/* Fewer forms of what other cases have already: enough to find every family of findings that all cases find. */
static bool is_for_tests(const struct subgroup_case *c)
{
    bool flow = c->form == FORM_NESTED || c->form == FORM_LOOP;
    return c->components != 2 && c->components != 3 && (c->constant == NO_CONSTANT || c->constant == 1)
           && (c->cluster <= 4 || c->cluster == c->size)
           && !(flow && (c->type == GP5_SUBGROUP_I32 || c->type == GP5_SUBGROUP_F64));
}

static void run_case(void *user, const struct subgroup_case *c)
{
    struct runner *r = user;
    uint32_t words[SPIRV_MODULE];
    size_t count = is_hopeless(r, c->op) ? 0 : subgroup_spirv(c, words),
           size = subgroup_case_records(c) * SUBGROUP_RECORD * sizeof(uint32_t);
    char name[SUBGROUP_CASE_NAME], *type, *rest;
    if (!count || (r->quick && !is_for_tests(c)))
        return;
    subgroup_case_name(c, name);
    if (r->only && strncmp(name, r->only, strlen(r->only)))
        return;
    type = strchr(name, '/');
    rest = strchr(type + 1, '/');
    *type = *rest = '\0';
    r->c = c;
    r->seen[c->op]++;
    r->in = room(size);
    subgroup_case_fill(c, r->in);
    struct driver_buffer buffers[2] = {{.binding = 0, .data = r->in, .size = size},
     {.binding = 1, .size = size, .bring_back = true}};
    struct driver_case dc = {.stage = DRIVER_COMPUTE,
                             .language = DRIVER_SPIRV,
                             .program = (const char *)words,
                             .program_size = count * sizeof *words,
                             .groups = {SUBGROUP_WORK_GROUPS, 1, 1},
                             .storage = buffers,
                             .storage_count = 2};
    printf("%s\t%s\t%s\t", name, type + 1, rest + 1);
    if (!driver_run(r->driver, &dc, 1, take_result, r))
        fail("the driver cannot go on", name);
    free(r->in);
}

static int run(unsigned size, const char *only, bool quick)
{
    char width[16], *reason;
    /* No case is known to hang; one that ends the process may take its time about it where the machine is busy or
     * sanitizers look on. */
    struct driver_options how = {.timeout_ms = 20000};
    struct runner r = {.only = only, .quick = quick};
    snprintf(width, sizeof width, "%u", 32 * size);
    /* Without LLVM's optimisations compiling takes half the time; nothing else was seen to change. */
    if ((quick && setenv("GALLIVM_PERF", "nopt", 1)) || setenv("LP_NATIVE_VECTOR_WIDTH", width, 1) ||
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1))
        fail("out of memory", NULL);
    enum driver_open_status status = driver_open(&how, &r.driver, &reason);
    if (status != DRIVER_OPENED) {
        printf("no driver: %s\n", reason ? reason : "out of memory");
        free(reason);
        return status == DRIVER_NO_CONTEXT ? 77 : 2;
    }
    const struct driver_description *d = driver_describe(r.driver);
    printf("driver\t%s\t%s\t%s\n", d->vendor, d->renderer, d->version);
    bool able = driver_has_extension(d, "GL_ARB_gl_spirv") && !strncmp(d->renderer, "llvmpipe", 8);
    if (able)
        subgroup_cases(size, run_case, &r);
    driver_close(r.driver);
    return able ? 0 : 77;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct writer {
    const char *folder;
    unsigned count;
};

static void write_case(void *user, const struct subgroup_case *c)
{
    struct writer *w = user;
    uint32_t words[SPIRV_MODULE];
    size_t count = subgroup_spirv(c, words);
    char path[4096];
    if (!count)
        return;
    snprintf(path, sizeof path, "%s/%05u.spv", w->folder, w->count++);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(words, sizeof *words, count, f) != count || fclose(f))
        fail("cannot write", path);
    subgroup_case_name(c, path);
    printf("%05u.spv\t%s\n", w->count - 1, path);
}

int main(int argc, char **argv)
{
    unsigned long size = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    int status = 0;
    if (size < 4 || size > GP5_SUBGROUP_MAX_SIZE || (size & (size - 1)))
        fail("usage: subgroup_spirv_run quick SIZE | run SIZE [CASE] | write SIZE DIR", NULL);
    if (!strcmp(argv[1], "run")) {
        status = run((unsigned)size, argc > 3 ? argv[3] : NULL, false);
    } else if (!strcmp(argv[1], "quick")) {
        status = run((unsigned)size, NULL, true);
    } else if (!strcmp(argv[1], "write") && argc == 4) {
        struct writer w = {.folder = argv[3]};
        subgroup_cases((unsigned)size, write_case, &w);
    } else {
        fail("no such command", argv[1]);
    }
    return fflush(stdout) ? 2 : status;
}
