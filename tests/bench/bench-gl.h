/* The same work on llvmpipe: one context, one work at a time. */
#ifndef GP5_TESTS_BENCH_GL_H
#define GP5_TESTS_BENCH_GL_H

#include "tests/bench/bench-work.h"

struct bench_gl { /* the work that is loaded */
    bool fragment, vertex;
    unsigned program, buffers[2], framebuffer, color, texture;
    uint32_t groups, side, vertices;
};

/* Opens llvmpipe; false with the reason when there is none. `threads` 0: as many as it takes by itself. */
bool bench_gl_open(unsigned threads, char *reason, size_t size);

/* Compiles the work and runs it once (llvmpipe compiles when it first runs), so that no compiling is
 * measured. False: this driver does not take it. */
bool bench_gl_load(struct bench_gl *gl, const struct work *work, const void *in);

bool bench_gl_run(const struct bench_gl *gl);

/* A fragment program in the place of the one that is loaded, to its first pixel. */
bool bench_gl_first(struct bench_gl *gl, const struct work *work);

/* The result of the last run. */
bool bench_gl_read(const struct bench_gl *gl, const struct work *work, void *out);

void bench_gl_unload(const struct bench_gl *gl);

/* What GL says that it is. */
void bench_gl_name(char *name, size_t size);

#endif
