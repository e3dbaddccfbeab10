/* Drawing with the reference: vertices through the programs of a pipeline to the pixels of a window. It is for pictures
 * and probes: which pixels a primitive covers and what programs make of its fragments are right, the last bits of
 * interpolated values and pixels on edges are a choice among those that the OpenGL specification leaves
 * (docs/drivers.md).
 *
 * Reads programs made ready, arrays of vertices and the state of the fixed stages; writes colours, depth and coverage.
 */
#ifndef GP5_RASTER_H
#define GP5_RASTER_H

#include "gp5.h"

/* The numbers are GL's. */
enum raster_mode {
    RASTER_POINTS, RASTER_LINES, RASTER_LINE_LOOP, RASTER_LINE_STRIP, RASTER_TRIANGLES, RASTER_TRIANGLE_STRIP,
    RASTER_TRIANGLE_FAN, RASTER_QUADS, RASTER_QUAD_STRIP, RASTER_POLYGON, RASTER_LINES_ADJACENCY,
    RASTER_LINE_STRIP_ADJACENCY, RASTER_TRIANGLES_ADJACENCY, RASTER_TRIANGLE_STRIP_ADJACENCY, RASTER_PATCHES,
    RASTER_MODES
};

enum raster_compare {           /* in the order of GL_NEVER ... GL_ALWAYS */
    RASTER_NEVER, RASTER_LESS, RASTER_EQUAL, RASTER_LEQUAL, RASTER_GREATER, RASTER_NOTEQUAL, RASTER_GEQUAL,
    RASTER_ALWAYS, RASTER_COMPARES
};

/* The fixed stages. */
struct raster_state {
    uint8_t flat;               /* GL_FLAT: colours are the provoking vertex's */
    uint8_t first_vertex;       /* which is the first of its primitive, not the last */
    uint8_t two_side, program_point_size, point_sprite;
    uint8_t depth_test, depth_clamp, depth_func;    /* with the test passed depth is written */
    uint8_t clip_planes;        /* a bit for each plane or clip distance that is enabled */
    uint8_t color_mask;         /* a bit for each component that is written */
};

/* A program of the pipeline. The launch has its parameters, buffers and textures; inputs, results and counts are filled
 * in here. */
struct raster_stage {
    const gp5_program *program;
    const gp5_executable *executable;
    struct gp5_launch launch;
    enum gp5_run_status (*run)(void *user, const struct raster_stage *stage);
    void *user;
    struct gp5_report *report;
};

enum raster_place {
    RASTER_VERTEX, RASTER_CONTROL, RASTER_EVALUATION, RASTER_GEOMETRY, RASTER_FRAGMENT, RASTER_PLACES,
    RASTER_NOT_DRAWN            /* nothing went wrong: it is what is not drawn here */
};

enum { RASTER_SAMPLES = 16, RASTER_VIEWPORTS = 16 };

/* In pixels of the window: x, y, width, height. */
struct raster_viewport { float at[4]; };

/* Transform feedback of one result: components of each vertex, so far apart. Origins of what is undefined are those of
 * the stage before the rasteriser. */
struct raster_capture {
    const char *binding;        /* result.attrib[0] ... */
    uint8_t *data;
    uint32_t *undefined;        /* a word for each of `data`, or NULL */
    size_t size;
    uint32_t stride, offset, components;
};

struct raster_counts { uint64_t generated, written; };      /* primitives */

struct raster_draw {
    enum raster_mode mode;
    bool beside;                /* points as NVIDIA's driver has them: drawn where their middle is beside the window, of
                                 * whole sizes, on a grid */
    uint32_t first, count, instances, patch_vertices;
    float levels[6];            /* of patches without a control program: four outer, two inner */
    const struct gp5_array *inputs;     /* of vertices: first + count elements each, or one: a current value */
    size_t ninputs;
    struct raster_state state;
    const struct raster_viewport *viewports;    /* RASTER_VIEWPORTS of them; NULL: each is the whole window */
    const struct gp5_state *gl;
    const struct raster_capture *captures;
    size_t ncaptures;
    struct raster_counts *counts;       /* added to; NULL: no transform feedback */
    struct raster_stage *stages[RASTER_PLACES];     /* NULL where there is none; a vertex and a fragment program are
                                                     * there */
};

/* What is drawn into: for each layer and in it for each sample a plane of pixels, rows from the bottom. */
struct raster_window {
    uint32_t width, height, ncolors;
    uint32_t layers, samples;   /* 0 counts as 1; RASTER_SAMPLES at most */
    bool layered;               /* primitives choose their layer; else it is the first */
    const float (*positions)[2];        /* of samples in a pixel, from its lower left; NULL: raster_samples */
    float *colors;              /* ncolors x planes x height x width x 4 */
    float *depth;               /* planes x height x width */
    uint8_t *covered;           /* how often a sample was written, at most 255 */
    uint32_t *shapes;           /* planes x height x width: which primitive of the draw it is of, from 1; or NULL */
    uint32_t *undefined;        /* one word a component of `colors`: an origin of the fragment program's report; or
                                 * NULL */
};

/* False with a message; *failed is the stage whose run did not end well, RASTER_PLACES where it was none's. */
bool raster_draw(const struct raster_draw *draw, struct raster_window *window, enum raster_place *failed,
                 char *message, size_t size);

/* Where so many samples usually are (1, 2, 4, 8, 16); NULL for another number. */
const float (*raster_samples(uint32_t samples))[2];

/* Whether a program names a binding, with that index where it has one; how its attributes are interpolated (enum
 * interpolation of asm/program.h). */
bool raster_names(const gp5_program *program, const char *binding);
unsigned raster_interpolation(const gp5_program *program, const char *binding);

const char *raster_mode_name(unsigned mode);    /* "GL_POINTS"; NULL beyond the last */

#endif
