/* How soon a program of 100 instructions runs: text to machine code, beside llvmpipe's first pixel of the same program.
 * Each time a text that was not there before; Mesa's cache on disk is off.
 *
 *   bench_prepare [--json] */
#include "tests/bench/bench-gl.h"
#include "tests/bench/bench.h"

#include "eval/decode/prepare.h"
#include "eval/jit/jit.h"
#include "gp5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, INSTRUCTIONS = 100 };
static const double LEAST = 0.02;

/* Of both contestants: they count the texts together. */
struct first {
    struct work work;
    struct bench_gl gl;
    const char *body;
    unsigned count;
    size_t number;              /* where it stands in the text */
    bool tracked;
    size_t code;                /* bytes of machine code */
};

static const char *const lighting =
    "DP3 d.x, x, x;\nRSQ d.x, d.x;\nMUL t, x, d.x;\nDP3 d.y, k, k;\nRSQ d.y, d.y;\nMUL d, k, d.y;\nDP3_SAT d.w, t, d;\n"
    "MUL y, y, c;\nMAD y, d.w, k, y;\nADD d, s, k;\nDP3 d.w, d, d;\nRSQ d.w, d.w;\nMUL d, d, d.w;\nDP3_SAT d.x, t, d;\n"
    "POW d.x, d.x, c.x;\nMAD y, d.x, c, y;\nMAD x, y, c.y, x;\n";
static const char *const arithmetic =
    "MUL t, x, k;\nADD t, t, y;\nDP3 d.x, t, k;\nRCP d.y, d.x;\nMUL x, t, d.y;\nCMP x, s, x, t;\nMAD y, x, k, c;\n";

enum { DIGITS = 8 };

/* Two copies before the body and a sum behind it; from the second time on the number alone is written anew. */
static void write_text(struct first *f)
{
    const char *at = f->body;

    if (f->work.assembly.size) {
        f->count++;
        for (unsigned i = DIGITS, left = f->count; i--; left /= 10)
            f->work.assembly.bytes[f->number + i] = (char)('0' + left % 10);
        return;
    }
    text_add(&f->work.assembly,
             "!!ARBfp1.0\nTEMP x, y, t, d;\nATTRIB k = fragment.texcoord[1];\nATTRIB s = fragment.texcoord[2];\n"
             "PARAM c = program.local[0];\nPARAM n = { ");
    f->number = f->work.assembly.size;
    text_add(&f->work.assembly, "%0*u, 1, 2, 3 };\nMOV x, fragment.texcoord[0];\nMOV y, n;\n", DIGITS, f->count);
    for (unsigned i = 0; i < INSTRUCTIONS - 3; i++) {
        const char *end = strchr(at, '\n') + 1;
        text_add(&f->work.assembly, "%.*s", (int)(end - at), at);
        at = *end ? end : f->body;
    }
    text_add(&f->work.assembly, "ADD result.color, x, y;\nEND\n");
}

static bool prepare(void *user)
{
    struct first *f = user;
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .track_undefined = f->tracked};
    char *message = NULL;
    size_t offset = 0;
    gp5_executable *x = NULL;

    write_text(f);
    gp5_program *program = gp5_parse(f->work.assembly.bytes, f->work.assembly.size);
    if (program)
        x = eval_prepare(program, &options, eval_best_level(), &message, &offset);
    bool good = x && (!x->native || x->native->nruns > 0);
    f->code = x && x->native ? x->native->size : 0;
    gp5_executable_free(x);
    gp5_program_free(program);
    gp5_text_free(message);
    return good;
}

static bool first_pixel(void *user)
{
    struct first *f = user;
    write_text(f);
    return bench_gl_first(&f->gl, &f->work);
}

static bool measure(const struct bench_table *table, const char *name, const char *body, bool gl)
{
    struct first f = {.work = {.fragment = true, .side = 4}, .body = body}, tracked = {.body = body, .tracked = true};

    write_text(&f);
    bool loaded = gl && bench_gl_load(&f.gl, &f.work, NULL);
    struct bench_contestant who[] = {{prepare, &f, 0}, {prepare, &tracked, 0}, {first_pixel, loaded ? &f : NULL, 0}};
    bool good = bench_run(who, 3, BENCH_CPU, ROUNDS, LEAST);
    double values[BENCH_COLUMNS] = {1e6 * who[0].seconds, 1e6 * who[1].seconds, (double)f.code / 1e3,
                                    loaded ? 1e6 * who[2].seconds : -1,
                                    loaded ? who[2].seconds / who[0].seconds : -1};
    bench_row(table, name, values, good ? NULL : "failed");
    if (loaded)
        bench_gl_unload(&f.gl);
    text_free(&f.work.assembly);
    text_free(&tracked.work.assembly);
    return good;
}

int main(int argc, char **argv)
{
    struct bench_table table = {
        .part = "prepare",
        .column = {{"gp5 us", "gp5_us"},
                   {"tracked us", "tracked_us"},
                   {"code kB", "code_kb"},
                   {"llvmpipe us", "llvmpipe_us"},
                   {"llvmp./gp5", "ratio"}},
    };
    char reason[1200];

    bench_arguments(argc, argv, &table);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    bool gl = bench_gl_open(1, reason, sizeof reason);
    if (!gl)
        bench_note(&table, "llvmpipe: skipped, %s", reason);
    bench_head(&table, "ready to run, 100 instructions");
    bool good = measure(&table, "fragment, MUL ADD DP3 RCP CMP", arithmetic, gl);
    return measure(&table, "fragment, lighting", lighting, gl) && good ? 0 : 1;
}
