/* Drivers: the one interface behind which everything stands that can run a program for real: the machine's GL
 * driver in its worker process, a hostile test driver, a recording made earlier.
 *
 * A driver gets cases and gives one result a case, in order. Whatever a case does to the driver, every other
 * case of the batch keeps its own right answer. */
#ifndef GP5_COMPARE_DRIVER_H
#define GP5_COMPARE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gp5_texture.h"
#include "raster/raster.h"

enum driver_stage {
    DRIVER_VERTEX, DRIVER_TESS_CONTROL, DRIVER_TESS_EVALUATION, DRIVER_GEOMETRY, DRIVER_FRAGMENT,
    DRIVER_COMPUTE, DRIVER_STAGES
};

/* ---- what goes in -------------------------------------------------------------------------------------- */

/* A storage buffer (program.storage[binding]), a constant buffer (program.buffer[binding]) or a buffer of atomic
 * counters (program.counter[binding]). */
struct driver_buffer {
    uint32_t binding;
    const void *data;           /* NULL: zeros */
    size_t size;
    bool bring_back;            /* its bytes after the run belong to the result; storage and counters */
};

/* program.env[index] or program.local[index]: raw bits, floats or integers. */
struct driver_parameter {
    uint32_t index;
    uint32_t bits[4];
};

/* What stands in texture[texture.unit] and, by way of driver_case.images, in image units. `texture.data` may be NULL:
 * zeros. */
struct driver_texture {
    struct gp5_texture texture;
    bool bring_back;
};

/* A word of 64 bits that only the driver knows: where a storage buffer stands in the GPU's memory (it is made
 * resident), or the handle of a texture or an image unit. It is put over the bits of a constant buffer, a parameter or
 * another storage buffer. */
enum driver_pointer_kind { POINTER_STORAGE, POINTER_TEXTURE, POINTER_IMAGE, DRIVER_POINTER_KINDS };
enum driver_pointer_place {
    POINTER_IN_CONSTANTS, POINTER_IN_ENV, POINTER_IN_LOCAL, POINTER_IN_STORAGE, DRIVER_POINTER_PLACES
};
struct driver_pointer {
    enum driver_pointer_kind kind;
    uint32_t of;                /* binding of the storage buffer, or the texture's or image's unit */
    enum driver_pointer_place place;
    uint32_t index;             /* binding of the buffer, or the parameter */
    uint32_t offset;            /* bytes; a multiple of 4 in parameters: 0, 4 or 8 */
};

enum driver_attribute_kind {
    DRIVER_TEXCOORD,            /* fragment.texcoord[index] */
    DRIVER_COLOR,               /* fragment.color.primary (index 0), .secondary (1) */
    DRIVER_FOGCOORD,            /* fragment.fogcoord */
    DRIVER_GENERIC,             /* fragment.attrib[index]: needs a driver with NV_gpu_program4 */
    DRIVER_ATTRIBUTE_KINDS
};

/* How the pixels are made, and with that how many values an attribute has, in which order. */
enum driver_primitive {
    /* Two triangles over the whole viewport, w = 1; four values: lower left, lower right, upper left, upper
     * right. The diagonal goes from lower right to upper left; values in one plane interpolate as if there
     * were none. */
    DRIVER_QUAD,
    /* One point a pixel, width * height values, rows from the bottom: each pixel gets exactly its own bits.
     * Such pixels have no neighbours, so derivatives mean nothing. */
    DRIVER_POINTS,
    /* A pipeline of programs on arrays of vertices: `draw`. */
    DRIVER_DRAW,
    DRIVER_PRIMITIVES
};

struct driver_attribute {
    enum driver_attribute_kind kind;
    uint32_t index;
    const void *values;         /* vec4 floats, raw bits */
    size_t size;                /* bytes */
};

/* An input of the vertices by the name that programs have for it ("vertex.texcoord[0]"): four words a vertex. */
struct driver_array {
    const char *binding;
    const void *data;
    size_t size;                /* bytes */
};

/* A program of the pipeline besides the case's own, which is the fragment program; that may be empty: the fixed
 * function, which gives the primary colour. */
struct driver_program {
    enum driver_stage stage;
    const char *text;
    size_t size;
    const struct driver_parameter *env, *local;
    size_t env_count, local_count;
};

/* Transform feedback of a result into storage buffer `buffer`; no driver is given any. */
struct driver_capture {
    const char *binding;
    uint32_t buffer, stride, offset, components;
};

struct driver_draw {
    const struct driver_program *programs;  /* without one of the vertex stage: the fixed function */
    size_t program_count;
    uint32_t mode, first, count, instances, patch_vertices;     /* mode: enum raster_mode */
    float levels[6];            /* of patches without a control program: four outer, two inner */
    const struct driver_array *inputs;      /* first + count elements, or one: a current value */
    size_t input_count;
    struct raster_state state;
    const struct raster_viewport *viewports;    /* RASTER_VIEWPORTS; NULL: each is the whole framebuffer */
    const float (*positions)[2];        /* of samples, for the reference alone; NULL: raster_samples() */
    const struct gp5_state *gl;
    const float *depth;         /* what the depth buffer holds, a plane behind the other; NULL: `clear_depth` */
    size_t depth_size;          /* bytes */
    float clear_depth;
    /* Draw once more with this fragment program, on so many colours: what it gives are the inputs of fragments. Where
     * a driver does not take it, it brings none. */
    const char *seen;
    size_t seen_size;
    uint32_t seen_count;
    bool captured;
    const struct driver_capture *captures;
    size_t capture_count;
};

struct driver_raster {
    enum driver_primitive primitive;
    uint32_t width, height;
    /* Of draws: a plane of pixels for each layer, and in it for each sample; 0 counts as 1. Outputs have one behind the
     * other. */
    uint32_t layers, samples;
    bool layered;               /* primitives choose their layer; else there is one */
    uint32_t color_outputs;     /* 1..8, RGBA32F each */
    bool bring_depth;           /* result.depth as floats */
    uint32_t depth_bits;        /* window depth of the primitive, a float 0..1 */
    uint32_t clear_bits[4];     /* what stands in a pixel that nobody writes */
    const struct driver_attribute *attributes;
    size_t attribute_count;
    const struct driver_draw *draw;     /* DRIVER_DRAW; it has no attributes */
};

uint32_t driver_planes(const struct driver_raster *f);
size_t driver_pixels(const struct driver_raster *f);    /* of all planes */

enum driver_assembly {
    DRIVER_VERTEX_POINTS, DRIVER_VERTEX_LINES, DRIVER_VERTEX_TRIANGLES, DRIVER_VERTEX_LINES_ADJACENCY,
    DRIVER_VERTEX_TRIANGLES_ADJACENCY, DRIVER_VERTEX_PATCHES, DRIVER_ASSEMBLIES
};

/* What a program of a stage before the rasteriser is run on; none where count is 0. Colours are not clamped. What
 * stands before the program and behind it passes things on; only a vertex program can go without. */
struct driver_vertices {
    uint32_t count;
    const struct driver_array *inputs;
    size_t input_count;
    const char *const *results; /* "result.position" ...: those that are captured */
    size_t result_count;
    enum driver_assembly assembly;      /* what the vertices become */
    enum driver_assembly captured;      /* points, lines or triangles: what comes out, taken apart */
    uint32_t most;              /* so many vertices are captured at most; 0: a vertex each, and no fewer */
    uint32_t patch_vertices;
    uint32_t levels[6];         /* floats: outer, inner, where there is no tessellation control program */
    const char *beside[DRIVER_FRAGMENT];    /* programs of the other stages; NULL or "": none */
};

/* What a case's program is written in. Shaders are of the compute stage; storage is their storage blocks by
 * binding, and they have neither parameters nor constants. */
enum driver_language {
    DRIVER_ASSEMBLY,
    DRIVER_GLSL,
    DRIVER_SPIRV,               /* a module in this machine's byte order; its entry point is "main" */
    DRIVER_LANGUAGES
};

struct driver_case {
    enum driver_stage stage;
    enum driver_language language;
    bool load_only;             /* does it load: nothing below program_size is looked at */
    const char *program;
    size_t program_size;
    uint32_t groups[3];         /* compute */
    const struct driver_buffer *storage;
    size_t storage_count;
    const struct driver_buffer *constants;
    size_t constant_count;
    const struct driver_parameter *env;
    size_t env_count;
    const struct driver_parameter *local;
    size_t local_count;
    struct driver_raster raster;    /* fragment */
    uint32_t group_size[3];     /* compute, with OPTION ARB_compute_variable_group_size; else 0 */
    const struct driver_buffer *counters;
    size_t counter_count;
    const struct driver_texture *textures;
    size_t texture_count;
    const struct gp5_image *images;
    size_t image_count;
    const struct driver_pointer *pointers;
    size_t pointer_count;
    const uint32_t *subroutines;    /* the number that each program.subroutine[n] stands for */
    size_t subroutine_count;
    struct driver_vertices vertices;    /* of the stages before the rasteriser */
};

/* ---- what comes out ------------------------------------------------------------------------------------ */

enum driver_status {
    DRIVER_RAN,                 /* or, with load_only, loaded */
    DRIVER_REJECTED,            /* glProgramStringARB said no: position and message; a compiler or linker: message */
    DRIVER_CRASHED,             /* the worker died of this case, twice if it was not its first */
    DRIVER_HUNG,                /* no answer in time */
    DRIVER_UNSUPPORTED,         /* this driver lacks the stage or a thing the case needs; detail says what */
    DRIVER_GL_ERROR,            /* the program loaded, running it gave gl_error */
    DRIVER_OUT_OF_MEMORY,
    DRIVER_GARBLED,             /* the worker answered something that is no answer to this case */
    DRIVER_NOT_RUN,             /* no worker could be started for it */
    DRIVER_STATUSES
};

struct driver_output {
    uint32_t binding;           /* of the storage buffer, or the number of the colour output */
    const uint8_t *data;
    size_t size;
};

/* All pointers are borrowed and end with the callback. Strings are NUL-terminated, never NULL. */
struct driver_result {
    enum driver_status status;
    uint32_t gl_error;          /* the first one that glGetError gave, 0 for none */
    int64_t position;           /* PROGRAM_ERROR_POSITION_ARB; -1 when the program loaded or was not tried */
    const char *message;        /* PROGRAM_ERROR_STRING_ARB in full, of shaders the log; what loads may have warnings */
    int32_t native;             /* PROGRAM_UNDER_NATIVE_LIMITS_ARB: 1, 0, or -1 for not asked */
    const char *detail;         /* what went wrong, in our words */
    int32_t signal;             /* that the worker died of, 0 for none */
    uint32_t attempts;          /* workers that it was given to: 2 means that the first died or babbled */
    const struct driver_output *storage;    /* those with bring_back, in the order of the case */
    size_t storage_count;
    const struct driver_output *colors;     /* width * height RGBA32F each, rows from the bottom */
    size_t color_count;
    const uint8_t *coverage;    /* how many times each pixel was written, at most 255; 0: discarded */
    size_t coverage_size;
    const uint8_t *depth;       /* floats, with bring_depth */
    size_t depth_size;
    bool has_extras;            /* on the wire: counters and textures follow */
    const struct driver_output *counters;   /* those with bring_back, in the order of the case */
    size_t counter_count;
    const struct driver_output *textures;   /* likewise; binding: the unit */
    size_t texture_count;
    bool has_vertices;          /* on the wire: results of vertices, or inputs of fragments, follow */
    /* In the order of the case's results: four words a vertex, the same number of each. Of a draw what was seen: four
     * words a pixel, and then how often each pixel was written. */
    const struct driver_output *vertices;
    size_t vertex_count;
};

/* ---- who it is ----------------------------------------------------------------------------------------- */

struct driver_limit {
    const char *name;           /* "GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB (compute)" */
    int64_t value;
};

/* Where the samples of a pixel are in framebuffers of so many, from the lower left. */
struct driver_samples {
    uint32_t count;
    float at[RASTER_SAMPLES][2];
};

struct driver_description {
    const char *context;        /* "egl-device:0", "egl-surfaceless", "glfw", "replay", "test" */
    const char *vendor, *renderer, *version, *glsl_version;
    const char *const *extensions;
    size_t extension_count;
    const struct driver_limit *limits;
    size_t limit_count;
    const struct driver_samples *samples;
    size_t samples_count;
};

bool driver_has_extension(const struct driver_description *d, const char *name);

/* ---- the interface ------------------------------------------------------------------------------------- */

/* Called once a case, in order. False ends the batch early. */
typedef bool driver_result_fn(void *user, size_t index, const struct driver_case *c,
                              const struct driver_result *r);

struct driver;
struct driver_ops {
    const struct driver_description *(*describe)(struct driver *d);
    /* False when the batch could not be finished for a reason that is not a case's own (memory); every case
     * that was reached got its result. */
    bool (*run)(struct driver *d, const struct driver_case *cases, size_t count, driver_result_fn *result,
                void *user);
    void (*close)(struct driver *d);
};

/* A kind of driver has this as its first member. */
struct driver {
    const struct driver_ops *ops;
};

const struct driver_description *driver_describe(struct driver *d);
bool driver_run(struct driver *d, const struct driver_case *cases, size_t count, driver_result_fn *result,
                void *user);
void driver_close(struct driver *d);    /* NULL is fine */

/* ---- the worker process -------------------------------------------------------------------------------- */

struct driver_options {
    const char *context;        /* auto (NULL), egl, egl-device, egl-device:N, egl-surfaceless, glfw */
    const char *worker;         /* its path; NULL: $GP5_GL_WORKER, beside this executable, or in libexec */
    const char *log;            /* file that the driver's own chatter is appended to; NULL: dropped */
    unsigned timeout_ms;        /* a case; 0: 10000 */
};

enum driver_open_status {
    DRIVER_OPENED,
    DRIVER_NO_CONTEXT,          /* no such context opens on this machine: skip */
    DRIVER_NO_WORKER,           /* the worker is missing, does not start, or speaks another version */
    DRIVER_BAD_OPTION           /* no such kind of context */
};

/* Starts the worker. Where it fails, *reason is why (to be freed). */
enum driver_open_status driver_open(const struct driver_options *options, struct driver **driver,
                                    char **reason);

const char *driver_status_name(enum driver_status status);  /* "ran", "rejected" ... */
const char *driver_stage_name(enum driver_stage stage);     /* "compute" ... */
const char *driver_pointer_kind_name(enum driver_pointer_kind kind);        /* "storage", "texture", "image" */
const char *driver_pointer_place_name(enum driver_pointer_place place);     /* "cbuffer", "env", "local" */
const char *driver_language_name(enum driver_language language);   /* "assembly", "GLSL", "SPIR-V" */

#endif
