/* Test scripts: piglit's .shader_test format with gp5's additions (docs/drivers.md). One script is
 * programs, inputs and what is compared; it does nothing itself. */
#ifndef GP5_COMPARE_SCRIPT_H
#define GP5_COMPARE_SCRIPT_H

#include "asm/arena.h"
#include "compare/script/data.h"
#include "compare/driver/driver.h"
#include "compare/script/rules.h"

#include <stdio.h>

enum { SCRIPT_TEXCOORDS = 8, SCRIPT_COLORS = 2, SCRIPT_BINDING_LIMIT = 4096, SCRIPT_COLUMNS = 16 };

/* ---- programs ------------------------------------------------------------------------------------------ */

struct script_program {
    const char *label;          /* "" for a program in the script, the file's base name for one of a list */
    const char *file;           /* where diagnostics point: the script itself, or the file */
    enum driver_stage stage;
    const char *text;
    size_t size;
    size_t line;                /* lines of `file` that stand before the program */
    bool fixed;                 /* stands for the fixed function */
};

/* A column of [vertex data]: an input of the vertices, four words a row. */
struct script_column {
    const char *binding;        /* "vertex.attrib[3]" */
    uint32_t *words;
    uint8_t type, count;        /* enum number_type; numbers that are written */
};

/* ---- what the driver must have ------------------------------------------------------------------------- */

enum require_kind { REQUIRE_EXTENSION, REQUIRE_NO_EXTENSION, REQUIRE_GL };
enum require_test { TEST_EQ, TEST_NE, TEST_LT, TEST_LE, TEST_GT, TEST_GE };

struct script_requirement {
    enum require_kind kind;
    const char *name;           /* extension, with GL_ */
    enum require_test test;
    int64_t version;            /* 10 * major + minor */
};

/* ---- the vertex side of a fragment test ---------------------------------------------------------------- */

/* Where a vertex program that only passes things through takes a result from. */
enum pass_source { PASS_NONE, PASS_ENV, PASS_LOCAL, PASS_POSITION, PASS_TEXCOORD, PASS_COLOR, PASS_CONSTANT };
struct pass_value {
    enum pass_source source;
    uint32_t index;
    float constant[4];
};
struct passthrough {
    bool transforms;            /* the position goes through the matrices of `ortho` */
    struct pass_value texcoord[SCRIPT_TEXCOORDS], color[SCRIPT_COLORS], fogcoord;
};

/* ---- commands ------------------------------------------------------------------------------------------ */

enum op_kind {
    OP_BUFFER, OP_PARAMETER, OP_TEXCOORD, OP_COLOR, OP_INTERPOLATE, OP_ORTHO, OP_CLEAR_COLOR, OP_CLEAR,
    OP_COMPUTE, OP_DRAW, OP_PROBE_BUFFER, OP_PROBE_PIXELS, OP_PROBE_COVERED, OP_PROBE_UNDEFINED, OP_TOLERANCE,
    OP_RULE, OP_NO_RULE, OP_LAYOUT, OP_RECORD, OP_FLOAT_COLORS, OP_TEXTURE, OP_SAMPLER, OP_IMAGE, OP_POINTER,
    OP_SUBROUTINES, OP_CLEAR_DEPTH, OP_STATE, OP_PROBE_DEPTH, OP_VARYING, OP_PROBE_CAPTURED, OP_FRAMEBUFFER, OP_BLIT
};

enum buffer_kind { BUFFER_STORAGE, BUFFER_CONSTANT, BUFFER_COLOR, BUFFER_COUNTER, BUFFER_TEXTURE };
enum buffer_action { BUFFER_SET, BUFFER_APPEND, BUFFER_PATCH };

struct op_buffer {
    enum buffer_kind kind;
    uint32_t binding;
    enum buffer_action action;
    size_t offset;              /* BUFFER_PATCH */
    struct data data;
};

struct op_parameter {
    enum driver_stage stage;    /* of the program under test also for the one that stands in its place */
    bool local;
    uint32_t index;
    uint32_t bits[4];
};

struct op_texture {
    struct gp5_texture texture; /* but for its data */
    struct data data;           /* no bytes: zeros */
};

struct op_sampler {
    bool by_kind;               /* of the texture of this kind that was made last, not of this unit */
    uint32_t unit;
    uint8_t kind;
    char **words;               /* for sampler_set, which has read them once already */
    size_t count;
};

struct op_subroutines {
    uint32_t *numbers;
    size_t count;
};

struct op_dispatch {
    uint32_t groups[3];
    uint32_t group_size[3];     /* 0 where the program declares it */
};

struct op_interpolate {
    enum driver_attribute_kind kind;
    uint32_t index;
    float corner[4][4];         /* of the rectangle drawn: lower left, lower right, upper left, upper right */
};

/* A state of the fixed stages. */
enum state_word {
    STATE_CLIP_PLANE, STATE_TWO_SIDE, STATE_PROGRAM_POINT_SIZE, STATE_DEPTH_TEST, STATE_DEPTH_CLAMP,
    STATE_POINT_SPRITE, STATE_FLAT, STATE_FIRST_VERTEX, STATE_DEPTH_FUNC, STATE_COLOR_MASK, STATE_POINT_SIZE,
    STATE_PLANE, STATE_PATCH_VERTICES, STATE_DEPTH_RANGE, STATE_FRUSTUM, STATE_DRAW_BUFFERS, STATE_READ_BUFFER,
    STATE_OUTER_LEVELS, STATE_INNER_LEVELS, STATE_VIEWPORT, STATE_READ_LAYER, STATE_READ_SAMPLE
};
struct op_state {
    enum state_word word;
    uint32_t index, value;
    float vector[6];            /* of what is no whole number */
};

/* What is drawn into, what probes look at, or both. */
enum framebuffer_kind {
    FRAMEBUFFER_WINDOW, FRAMEBUFFER_SAMPLES, FRAMEBUFFER_TEXTURES, FRAMEBUFFER_SLICE, FRAMEBUFFER_LAYERED
};
struct op_framebuffer {
    enum framebuffer_kind kind;
    bool draws, reads;
    bool linear;                /* OP_BLIT */
    bool keeps;                 /* FRAMEBUFFER_SAMPLES: of floats */
    uint32_t width, height, samples;    /* FRAMEBUFFER_SAMPLES */
    int32_t unit[8];            /* of a texture, -1: none */
    uint32_t count;
    uint8_t texture_kind;       /* FRAMEBUFFER_SLICE */
    uint32_t level, layer;
};

struct op_draw {
    bool arrays;                /* of [vertex data]: mode, first, count; else a rectangle */
    enum raster_mode mode;
    uint32_t first, count, instances;
    bool captured;              /* by transform feedback */
    bool patch;                 /* the rectangle's corners are a patch */
    bool pixels;                /* the rectangle is given in pixels, not in the coordinates of `ortho` */
    float rect[4];              /* x y width height */
    bool textured;
    float texture[4];           /* texcoord 0 of the rectangle: s t width height */
};

/* What transform feedback writes of each vertex. */
struct op_varying {
    uint32_t buffer, stride, offset;
    const char *binding;
    uint32_t components;
};

/* Numbers expected in a buffer, one after the other. */
struct op_probe_buffer {
    enum buffer_kind kind;
    uint32_t binding;
    size_t offset;
    enum number_type type;
    enum require_test test;     /* TEST_EQ uses the buffer's compare rule */
    bool near;                  /* as far from them as pixels may be */
    bool all;                   /* the values repeat to the end of the buffer */
    uint64_t *values;
    size_t count;
};

struct op_probe_pixels {
    bool relative;              /* the rectangle counts in widths and heights of the window */
    bool all;
    float rect[4];              /* x y width height */
    unsigned components;
    float expected[4];
};

struct op_probe_where {
    enum buffer_kind kind;
    uint32_t binding;
    size_t offset, count;       /* bytes, 32-bit words */
    uint32_t x, y;
    bool covered;
};

struct op_layout {
    enum buffer_kind kind;
    uint32_t binding;
    enum number_type type;
    size_t count;               /* components of one invocation, one after the other */
    const char *names[SCRIPT_COLUMNS];
};

struct op_rule {
    enum buffer_kind kind;
    uint32_t binding;
    struct rule rule;
    const char *reason;         /* OP_NO_RULE: why it is not compared */
};

struct op {
    enum op_kind kind;
    uint32_t offset;            /* of its line */
    uint32_t line;
    union {
        struct op_buffer buffer;
        struct op_parameter parameter;
        struct op_interpolate interpolate;
        struct op_draw draw;
        struct op_framebuffer framebuffer;
        struct op_probe_buffer probe_buffer;
        struct op_probe_pixels probe_pixels;
        struct op_probe_where where;
        struct op_layout layout;
        struct op_state state;
        struct { uint32_t x, y; float expected; } depth;
        struct op_rule rule;
        struct op_dispatch dispatch;
        struct op_texture texture;
        struct op_sampler sampler;
        struct gp5_image image;
        struct driver_pointer pointer;
        struct op_subroutines subroutines;
        struct op_varying varying;
        struct { bool written; uint64_t count; } captured;
        float vector[4];        /* clear colour, tolerance */
        struct { uint32_t index; float value[4]; } attribute;   /* OP_TEXCOORD, OP_COLOR */
        struct { bool digest; size_t block; } record;
        struct { bool window; float box[4]; } ortho;    /* one unit a pixel, or left right bottom top */
    } u;
};

/* ---- the script ---------------------------------------------------------------------------------------- */

enum script_status {
    SCRIPT_OK,
    SCRIPT_SKIP,                /* piglit knows it, gp5 does not support it */
    SCRIPT_ERROR,               /* nobody knows it, or it is wrong */
    SCRIPT_UNREADABLE           /* no file, a directory, not enough memory */
};

struct script {
    struct arena arena;
    const char *path, *name, *folder;   /* name: the file's without folders; folder: with its slash, or "" */
    const char *text;
    size_t size;

    enum script_status status;
    uint32_t offset, length;    /* of the text that `message` is about */
    const char *message;

    uint32_t width, height;
    struct passthrough vertex;
    struct vec requirements, programs, ops;

    /* A pipeline of programs, and not a fragment program on a rectangle alone. */
    bool pipeline;
    struct script_program stages[DRIVER_STAGES];    /* those with a text, but of fragments */
    struct vec columns;         /* struct script_column */
    size_t rows, room;          /* vertices */
    uint32_t buffers;           /* colours of the window, at most */
    bool framebuffers;          /* there are others than the window */
};

/* All leave a script that script_free takes, whatever the status. `error`: why the file cannot be read. */
void script_load(struct script *s, const char *path);
void script_unreadable(struct script *s, const char *path, const char *error);
void script_parse(struct script *s, const char *path, const char *text, size_t size);
void script_free(struct script *s);

/* "FILE:LINE:COL: error: TEXT" with the line and a caret, for a status that has a message. */
void script_print_problem(const struct script *s, FILE *out, bool colour);

/* ---- inside -------------------------------------------------------------------------------------------- */

/* Stops the script at a span of its text; the first one counts. Returns false. */
bool script_stop(struct script *s, enum script_status status, uint32_t offset, uint32_t length,
                 const char *message);

bool script_command(struct script *s, size_t start, size_t end, uint32_t line);     /* a line of [test] */
bool script_require(struct script *s, size_t start, size_t end);                    /* a line of [require] */

/* piglit's older format, .vpfp, known by its tests. */
bool script_is_vpfp(const char *text, size_t size);
void script_parse_vpfp(struct script *s);

/* A line of [vertex data]. */
bool script_vertex_data(struct script *s, size_t start, size_t end);

/* A vertex program as a passthrough; false when it does more than that. */
bool script_passthrough(struct script *s, size_t start, size_t end);

bool script_require_test(const char *word, enum require_test *test);   /* == != < <= > >= */

/* What is known, for the documentation and its test: names and classes by index, NULL after the last. */
enum command_class { COMMAND_PIGLIT, COMMAND_GP5, COMMAND_SKIPPED };
const char *script_section_name(size_t index, enum command_class *class);
const char *script_command_name(size_t index, enum command_class *class);

#endif
