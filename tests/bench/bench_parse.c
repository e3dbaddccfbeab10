/* How fast text is parsed and checked, beside Mesa's own parser on the same bytes. */
#include "tests/bench/bench-text.h"
#include "tests/bench/bench.h"

#include "gl/context.h"
#include "gp5.h"

#include <GL/glew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 9, NV_SIZE = 4000000, FEW_ROUNDS = 3, LARGE_SIZE = 100000000 };
static const double LEAST = 0.01;

/* Mesa stops at the first error. One in the last statement keeps its optimiser and its compiler out, so that
 * its parser alone is measured. */
static const char BROKEN_END[] = "MOV result.color, R0 R0;\nEND\n";
static const char WHOLE_END[] = "END\n";

/* ---- the contestants ----------------------------------------------------------------------------------- */

struct job {
    const struct text *text;
    bool valid; /* what the answer must be */
    enum gp5_target target;
};

static bool parse_gp5(void *user)
{
    const struct job *job = user;
    gp5_program *program = gp5_parse(job->text->bytes, job->text->size);
    bool right = program && gp5_valid(program, job->target) == job->valid;
    gp5_program_free(program);
    return right;
}

/* The error must be the one at the end, or Mesa has not read it all. */
static bool parse_mesa(void *user)
{
    const struct job *job = user;
    GLint position = -1;
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)job->text->size,
                       job->text->bytes);
    bool failed = glGetError() != GL_NO_ERROR;
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
    return failed && position >= (GLint)(job->text->size - sizeof BROKEN_END);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The most that a parse takes, the copy of the text included, in bytes a byte of text. In a process of its
 * own, since a peak never falls, and before this one has parsed anything: memory that was freed would be
 * taken again, unseen. */
static double memory_a_byte(void (*write_text)(struct text *, size_t), size_t size)
{
    int channel[2];
    double answer = -1;
    if (pipe(channel) != 0)
        return answer;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct text text = {0};
        write_text(&text, size);
        long before = peak_kilobytes();
        gp5_program *program = gp5_parse(text.bytes, text.size);
        double a_byte = program ? (double)(peak_kilobytes() - before) * 1024 / (double)text.size : -1;
        _exit(write(channel[1], &a_byte, sizeof a_byte) == (ssize_t)sizeof a_byte ? 0 : 1);
    }
    close(channel[1]);
    if (child > 0) {
        if (read(channel[0], &answer, sizeof answer) != (ssize_t)sizeof answer)
            answer = -1;
        waitpid(child, NULL, 0);
    }
    close(channel[0]);
    return answer;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static double megabytes(const struct text *text, double seconds)
{
    return seconds > 0 ? (double)text->size / 1e6 / seconds : -1;
}

static bool measure(const struct bench_table *table, const char *name, const struct job *job, bool mesa,
                    double memory, unsigned rounds)
{
    struct bench_contestant who[] = {{parse_gp5, (void *)job, 0}, {parse_mesa, mesa ? (void *)job : NULL, 0}};
    if (!bench_run(who, 2, BENCH_CPU, rounds, LEAST)) {
        fprintf(stderr, "bench_parse: %s: a parser did not answer what it must\n", name);
        return false;
    }
    double ratio = who[1].seconds > 0 ? who[1].seconds / who[0].seconds : -1;
    double values[BENCH_COLUMNS] = {megabytes(job->text, who[0].seconds),
                                    megabytes(job->text, who[1].seconds), ratio, memory,
                                    (double)job->text->size / 1e6};
    bench_row(table, name, values, NULL);
    return true;
}

static bool measure_arb(const struct bench_table *table, const char *name,
                        void (*write_text)(struct text *, unsigned), unsigned amount, bool mesa)
{
    struct text broken = {0}, whole = {0};
    char whole_name[64];
    write_text(&broken, amount);
    write_text(&whole, amount);
    text_add(&broken, "%s", BROKEN_END);
    text_add(&whole, "%s", WHOLE_END);
    snprintf(whole_name, sizeof whole_name, "%s, no error", name);
    bool good = measure(table, name, &(struct job){&broken, false, GP5_TARGET_MESA}, mesa, -1, ROUNDS) &&
                measure(table, whole_name, &(struct job){&whole, true, GP5_TARGET_MESA}, false, -1, ROUNDS);
    text_free(&broken);
    text_free(&whole);
    return good;
}

static bool measure_nv(const struct bench_table *table, const char *name,
                       void (*write_text)(struct text *, size_t), size_t size, double memory, unsigned rounds)
{
    struct text text = {0};
    write_text(&text, size);
    bool good = measure(table, name, &(struct job){&text, true, GP5_TARGET_NVIDIA}, false, memory, rounds);
    text_free(&text);
    return good;
}

/* True when the driver's parser is Mesa's; says otherwise why there is no such column. */
static bool open_mesa(const struct bench_table *table)
{
    char name[64];
    struct gl_reason reason = {""};
    gl_find_fn *find;
    if (gl_context_open("egl-surfaceless", name, sizeof name, &find, &reason) != DRIVER_OPENED) {
        bench_note(table, "Mesa: skipped, no context opens: %s", reason.text);
        return false;
    }
    const char *version = (const char *)glGetString(GL_VERSION);
    if (!version || !strstr(version, "Mesa") || !GLEW_ARB_fragment_program) {
        bench_note(table, "Mesa: skipped, the driver here is another one: %s", version ? version : "unknown");
        return false;
    }
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, program);
    bench_note(table, "Mesa: %s, %s", version, (const char *)glGetString(GL_RENDERER));
    return true;
}

int main(int argc, char **argv)
{
    struct bench_table table = {
        .part = "parse",
        .column = {{"gp5 MB/s", "gp5_mb_s"},
                   {"Mesa MB/s", "mesa_mb_s"},
                   {"gp5/Mesa", "ratio"},
                   {"bytes/byte", "memory_bytes_a_byte"},
                   {"text MB", "text_mb"}},
    };
    bench_arguments(argc, argv, &table);
    static const struct {
        const char *name;
        void (*write_text)(struct text *, size_t);
    } nv[] = {
        {"NVcp5.0 straight line", text_nv_straight},
        {"NVcp5.0 as a compiler writes it", text_nv_compiled},
        {"NVcp5.0 as an emulator writes it", text_nv_dense},
    };
    enum { NV = sizeof nv / sizeof *nv };
    double memory[NV];
    for (size_t i = 0; i < NV; i++)
        memory[i] = memory_a_byte(nv[i].write_text, NV_SIZE);
    double large = memory_a_byte(text_nv_compiled, LARGE_SIZE);
    bool mesa = open_mesa(&table);
    bench_head(&table, "parse and check");
    bool good = measure_arb(&table, "ARBfp1.0 arithmetic", text_arb_arithmetic, 500, mesa);
    good &= measure_arb(&table, "ARBfp1.0 declarations", text_arb_declarations, 800, mesa);
    good &= measure_arb(&table, "ARBfp1.0 comments", text_arb_comments, 400, mesa);
    for (size_t i = 0; i < NV; i++)
        good &= measure_nv(&table, nv[i].name, nv[i].write_text, NV_SIZE, memory[i], ROUNDS);
    good &= measure_nv(&table, "NVcp5.0, 100 MB of it", text_nv_compiled, LARGE_SIZE, large, FEW_ROUNDS);
    return good ? 0 : 1;
}
