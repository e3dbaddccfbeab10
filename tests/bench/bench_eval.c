/* How fast programs are evaluated, beside llvmpipe with the same work on the same data, by one thread and by
 * all.
 *
 *   bench_eval [--json] [--level=base|v3|avx2|v4|avx512] [--only=TEXT]
 *
 * --level: not the best instruction set of this machine but that one; --only: the works that have TEXT in their names,
 * on one thread. */
#include "tests/bench/bench-gl.h"
#include "tests/bench/bench-work.h"
#include "tests/bench/bench.h"

#include "eval/decode/prepare.h"
#include "gp5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5 };
static const double LEAST = 0.02;

struct choice {
    enum eval_level level;
    const char *only;   /* NULL: all works */
};

/* ---- gp5's side ---------------------------------------------------------------------------------------- */

struct reference {
    gp5_program *program;       /* which the executable looks at */
    gp5_executable *executable;
    struct gp5_run_options options;
    struct gp5_launch launch;
    struct gp5_buffer storage[2];
    struct gp5_interpolant interpolants[WORK_ATTRIBUTES];
    struct gp5_parameter local;
    struct gp5_array inputs[WORK_INPUTS], results[WORK_RESULTS];
    struct gp5_texture texture;
    struct gp5_state state;
    uint64_t lanes; /* of the last run: lane-instructions */
    const char *complaint;
};

static bool run_reference(void *user)
{
    struct reference *r = user;
    struct gp5_report report = {0};
    enum gp5_run_status status = gp5_execute(r->executable, &r->launch, &r->options, &report);
    r->lanes = report.lanes;
    if (status != GP5_RUN_OK)
        fprintf(stderr, "bench_eval: %s\n", report.message ? report.message : "the run failed");
    gp5_report_free(&report);
    return status == GP5_RUN_OK;
}

static void set_launch(struct reference *r, const struct work *work, void *in, void *out)
{
    struct gp5_launch *l = &r->launch;
    memcpy(r->local.word, work_local, sizeof work_local);
    if (work->vertex) {
        uint32_t *from = in, *to = out;
        for (unsigned i = 0; i < WORK_INPUTS; i++, from += (size_t)4 * work->vertices)
            r->inputs[i] = (struct gp5_array){.binding = work_inputs[i], .words = from, .count = work->vertices};
        for (unsigned i = 0; i < WORK_RESULTS; i++, to += (size_t)4 * work->vertices)
            r->results[i] = (struct gp5_array){.binding = work_results[i], .words = to, .count = work->vertices};
        gp5_state_init(&r->state);
        r->state.clamp_vertex_color = false;
        *l = (struct gp5_launch){.count = work->vertices, .inputs = r->inputs, .ninputs = WORK_INPUTS,
                                 .results = r->results, .nresults = WORK_RESULTS, .local = &r->local, .nlocal = 1,
                                 .state = &r->state};
        return;
    }
    if (!work->fragment) {
        r->storage[0] = (struct gp5_buffer){.binding = 0, .data = in, .size = work->in_size};
        r->storage[1] = (struct gp5_buffer){.binding = 1, .data = out, .size = work->out_size};
        *l = (struct gp5_launch){.groups = {work->groups, 1, 1}, .storage = r->storage, .nstorage = 2};
        return;
    }
    for (unsigned i = 0; i < WORK_ATTRIBUTES; i++) {
        r->interpolants[i].attribute = GP5_FRAGMENT_TEXCOORD + i;
        memcpy(r->interpolants[i].corner, work_corners[i], sizeof work_corners[i]);
    }
    r->texture = (struct gp5_texture){
        .kind = GP5_TEXTURE_2D,
        .format = GP5_FORMAT_RGBA8,
        .levels = work->mipmapped ? WORK_LEVELS : 1,
        .size = {WORK_TEXELS, WORK_TEXELS, 1},
        .sampler = {.min_filter = work->mipmapped ? GP5_FILTER_LINEAR_MIPMAP_LINEAR : GP5_FILTER_LINEAR,
                    .mag_filter = GP5_FILTER_LINEAR, .min_lod = -1000, .max_lod = 1000},
        .data = (uint8_t *)(uintptr_t)(work->mipmapped ? work_levels() : work_texels()),
        .bytes = work->mipmapped ? WORK_LEVEL_BYTES : (size_t)WORK_TEXELS * WORK_TEXELS * 4};
    *l = (struct gp5_launch){
        .textures = &r->texture,
        .ntextures = work->textured,
        .width = work->side,
        .height = work->side,
        .interpolants = r->interpolants,
        .ninterpolants = WORK_ATTRIBUTES,
        .local = &r->local,
        .nlocal = 1,
        .ncolors = 1,
        .colors = out,
    };
}

/* False when this evaluator does not take the program, with the reason on stderr. */
static bool open_reference(struct reference *r, const struct work *work, const struct choice *choice, bool tracked,
                           unsigned jobs, void *in, void *out)
{
    char *message = NULL;
    size_t offset = 0;
    *r = (struct reference){
        .options = {.semantics = GP5_SEMANTICS_NVIDIA, .track_undefined = tracked, .jobs = jobs}};
    set_launch(r, work, in, out);
    r->program = gp5_parse(work->assembly.bytes, work->assembly.size);
    if (r->program)
        r->executable = eval_prepare(r->program, &r->options, choice->level, &message, &offset);
    if (!r->executable)
        fprintf(stderr, "bench_eval: %s: %s (offset %zu)\n", work->name, message ? message : "no memory",
                offset);
    gp5_text_free(message);
    return r->executable && run_reference(r);
}

static void close_reference(struct reference *r)
{
    gp5_executable_free(r->executable);
    gp5_program_free(r->program);
}

/* ---- one work ------------------------------------------------------------------------------------------ */

static bool run_gl(void *user)
{
    return bench_gl_run(user);
}

static void *buffer(size_t size)
{
    void *data = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
    if (!data) {
        fputs("bench_eval: no memory\n", stderr);
        exit(2);
    }
    memset(data, 0, size);
    return data;
}

static double giga(uint64_t lanes, double seconds)
{
    return seconds > 0 ? (double)lanes / seconds / 1e9 : -1;
}

/* False when a contestant failed, or when the results differ: then they did not do the same work. */
static bool measure_work(const struct bench_table *table, const struct choice *choice, unsigned n, unsigned threads,
                         bool gl)
{
    struct work work;
    struct reference plain, tracked;
    struct bench_gl there;
    work_make(&work, n);
    if (choice->only && !strstr(work.name, choice->only)) {
        work_free(&work);
        return true;
    }
    void *in = buffer(work.in_size), *out = buffer(work.out_size), *other = buffer(work.out_size);
    work_fill(&work, in);

    const char *note = NULL;
    bool loaded = gl && bench_gl_load(&there, &work, in);
    bool good = open_reference(&plain, &work, choice, false, threads, in, out);
    if (good && loaded) {
        good = bench_gl_read(&there, &work, other);
        size_t differences = work_differences(&work, out, other);
        if (differences) {
            fprintf(stderr, "bench_eval: %s: %zu of %zu words differ\n", work.name, differences,
                    work.out_size / 4);
            good = false;
        }
    } else if (!loaded) {
        note =
            work.fragment || work.vertex || work.glsl.size ? "llvmpipe did not take it" : "no such thing in GLSL here";
    }
    if (!gl)
        note = NULL;
    good = open_reference(&tracked, &work, choice, true, threads, in, out) && good;

    struct bench_contestant who[] = {
        {run_reference, &plain, 0}, {run_reference, &tracked, 0}, {run_gl, loaded ? &there : NULL, 0}};
    if (good && bench_run(who, 3, threads == 1 ? BENCH_CPU : BENCH_WALL, ROUNDS, LEAST)) {
        double theirs = who[2].seconds;
        double values[BENCH_COLUMNS] = {
            giga(plain.lanes, who[0].seconds),
            giga(plain.lanes, who[1].seconds),
            giga(plain.lanes, theirs),
            theirs > 0 ? theirs / who[0].seconds : -1,
            theirs > 0 ? theirs / who[1].seconds : -1,
        };
        bench_row(table, work.name, values, note);
    } else {
        static const double nothing[BENCH_COLUMNS] = {-1, -1, -1, -1, -1};
        bench_row(table, work.name, nothing, "failed");
        good = false;
    }
    if (loaded)
        bench_gl_unload(&there);
    close_reference(&plain);
    close_reference(&tracked);
    free(in);
    free(out);
    free(other);
    work_free(&work);
    return good;
}

/* llvmpipe reads the number of its threads once a process. */
static bool measure_all(const struct bench_table *table, const struct choice *choice, unsigned threads)
{
    fflush(stdout);
    pid_t child = fork();
    if (child != 0) {
        int status = 0;
        return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0;
    }
    char text[1200];
    bool gl = bench_gl_open(threads, text, sizeof text), good = true;
    if (!gl)
        bench_note(table, "llvmpipe: skipped, %s", text);
    else if (threads == 1) {
        bench_gl_name(text, sizeof text);
        bench_note(table, "%s", text);
    }
    if (threads != 1 && !table->json)
        putchar('\n');
    bench_head(table, threads == 1 ? "evaluate, one thread" : "evaluate, all threads");
    for (unsigned n = 0; n < WORKS; n++)
        good = measure_work(table, choice, n, threads, gl) && good;
    fflush(stdout);
    _exit(good ? 0 : 1);
}

/* Takes what is ours out of the arguments; how many are left. */
static int take_arguments(int argc, char **argv, struct choice *choice)
{
    static const char *const levels[] = {[EVAL_LEVEL_BASE] = "base", [EVAL_LEVEL_V3] = "v3",
                                         [EVAL_LEVEL_AVX2] = "avx2", [EVAL_LEVEL_V4] = "v4",
                                         [EVAL_LEVEL_NATIVE] = "avx512"};
    int left = 1;

    *choice = (struct choice){.level = eval_best_level()};
    for (int i = 1; i < argc; i++) {
        bool found = strncmp(argv[i], "--only=", 7) == 0;
        if (found)
            choice->only = argv[i] + 7;
        for (size_t l = 0; l < sizeof levels / sizeof *levels && strncmp(argv[i], "--level=", 8) == 0; l++)
            if (strcmp(argv[i] + 8, levels[l]) == 0 && l <= (size_t)eval_best_level()) {
                choice->level = (enum eval_level)l;
                found = true;
            }
        if (!found)
            argv[left++] = argv[i];
    }
    return left;
}

int main(int argc, char **argv)
{
    struct choice choice;
    struct bench_table table = {
        .part = "evaluate",
        .column = {{"gp5 G/s", "gp5_g_s"},
                   {"tracked G/s", "tracked_g_s"},
                   {"llvmpipe G/s", "llvmpipe_g_s"},
                   {"gp5/llvmp.", "ratio"},
                   {"trk./llvmp.", "tracked_ratio"}},
    };
    bench_arguments(take_arguments(argc, argv, &choice), argv, &table);
    bool good = measure_all(&table, &choice, 1);
    table.part = "evaluate-all-threads";
    if (!choice.only)
        good = measure_all(&table, &choice, 0) && good;
    return good ? 0 : 1;
}
