/* Work to measure an evaluator with: an assembly program, the same in GLSL where GLSL can say it, and data
 * for both. All of it comes from memory, so that no compiler knows a value, and every instruction needs the
 * one before it. */
#ifndef GP5_TESTS_BENCH_WORK_H
#define GP5_TESTS_BENCH_WORK_H

#include "tests/bench/bench-text.h"

#include <stdbool.h>
#include <stdint.h>

enum work_kind { KIND_WORDS, KIND_FLOATS, KIND_DOUBLES };

struct work {
    const char *name;
    bool fragment; /* !!ARBfp1.0 over a square */
    bool vertex;   /* !!ARBvp1.0 over `vertices`; with neither !!NVcp5.0 */
    bool textured; /* fragment: texture[0] is a square of work_texels, bilinear, or (mipmapped) of work_levels, which
                    * are mixed too */
    bool mipmapped;
    struct text assembly;
    struct text
        glsl; /* of a compute program; empty: llvmpipe's GLSL has nothing like it, or a fragment program */
    uint32_t side;            /* fragment: pixels of a side */
    uint32_t vertices;        /* vertex: buffer 0 has their positions, normals, texture coordinates, one after another,
                               * buffer 1 their positions and colours */
    uint32_t groups;          /* compute: work groups in x */
    size_t in_size, out_size; /* compute: bytes of buffers 0 and 1; fragment: out_size of the colours */
    enum work_kind kind;      /* what the buffers hold */
    double tolerance; /* of floats, relative to 1 + |value|; words must be equal */
};

/* Attributes of a fragment program at the corners (0,0) (1,0) (0,1) (1,1): texture coordinates 0, 1, 2 .*/
enum { WORK_ATTRIBUTES = 3 };
extern const float work_corners[WORK_ATTRIBUTES][4][4];
extern const float work_local[4]; /* program.local[0] */

/* Of RGBA8. */
enum { WORK_TEXELS = 256, WORK_LEVELS = 9, WORK_LEVEL_BYTES = (WORK_TEXELS * WORK_TEXELS * 4 - 1) / 3 * 4 };
const void *work_texels(void);
const void *work_levels(void);  /* one behind the other */

enum { WORK_INPUTS = 3, WORK_RESULTS = 2 };
extern const char *const work_inputs[WORK_INPUTS], *const work_results[WORK_RESULTS];

enum { WORKS_COMPUTE = 11, WORKS = WORKS_COMPUTE + 6 };
extern void (*const work_compute[WORKS_COMPUTE])(struct work *);   /* bench-compute.c */

/* The nth work, 0 to WORKS - 1. */
void work_make(struct work *work, unsigned n);
void work_free(struct work *work);

/* What buffer 0 holds. */
void work_fill(const struct work *work, void *in);

/* How many words of two results differ by more than the work allows. */
size_t work_differences(const struct work *work, const void *a, const void *b);

#endif
