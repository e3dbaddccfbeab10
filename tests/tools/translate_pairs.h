/* A GL of its own for translate_pairs.c: two programs of one stage get the same inputs, and what comes of both is
 * brought back. */
#ifndef TESTS_TRANSLATE_PAIRS_H
#define TESTS_TRANSLATE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tp_stage { TP_VERTEX, TP_CONTROL, TP_EVALUATION, TP_GEOMETRY, TP_FRAGMENT, TP_COMPUTE };

/* What goes from stage to stage, or to a vertex: slots of four words. */
/* What goes from stage to stage, or to a vertex: slots of four words. */
struct tp_port {
    const char *name, *type; /* as the original declares it: "vec4", "ivec3", "dvec2", "u64vec2", "mat3" */
    const char *block;       /* or NULL */
    const char *qualifier;   /* "flat " ... */
    unsigned slot, count;    /* the first one; elements of an array, 0 for none */
    unsigned stream;
    bool patch;
};

/* What a handle in program.local is of: "sampler2D", "uimage3D". */
struct tp_resource {
    char name[48], type[32], format[64];
    unsigned local;
};

struct tp_uniform {
    const char *name, *type;
    unsigned local;
};

struct tp_block { /* of memory: its name, and its number in the assembly */
    const char *name;
    unsigned number;
    bool storage;
    char kind; /* of what is brought back: 'f' or 'i' */
};

enum { TP_PORTS = 24, TP_RESOURCES = 24, TP_UNIFORMS = 24, TP_WORDS = 1 << 15, TP_VERTICES = 24 };

struct tp_case {
    enum tp_stage stage;
    const struct tp_port *inputs, *outputs; /* up to one without a name */
    const struct tp_uniform *uniforms;
    const struct tp_block *blocks;
    struct tp_resource resources[TP_RESOURCES];
    size_t nresources;
    int low, high;            /* of whole numbers */
    bool ints;                /* memory holds whole numbers */
    unsigned patch;           /* vertices of one */
    unsigned primitive, mode; /* GL's: what is drawn, what is captured */
    unsigned locals;
    const char *builtins; /* that are captured: "gl_Position gl_PointSize ..." */
    unsigned seed;
};

/* One of the two programs of a case. */
struct tp_given {
    char name[48], binding[32], format[16];
    bool image;
};
struct tp_side {
    const char *text;
    bool translated, core;
    const struct tp_given *given; /* samplers and images, as the interface says */
    size_t ngiven;
};

struct tp_result {
    uint32_t words[TP_WORDS];
    char kinds[TP_WORDS]; /* 'f', 'i' */
    size_t n;
    char why[1500];
};

/* What is particular about a pair. */
struct tp_special {
    const char *name;
    const struct tp_port *in, *out;
    const struct tp_uniform *uniforms;
    int high;        /* of whole numbers: 1 to that; 0: to 7 */
    bool ints, zero; /* of compute programs: their memory holds whole numbers; all of them are 0 */
    unsigned patch;
    const char *builtins, *first; /* first: before what the translation does */
    struct {
        const char *text, *by;
    } instead[3]; /* of the original's text, where llvmpipe is wrong or captures */
};
const struct tp_special *tp_special_of(const char *name);
void tp_usual(struct tp_case *c);
const struct tp_block *tp_blocks_of(const char *name, enum tp_stage stage);

bool tp_open(const char **renderer);
bool tp_compiles(enum tp_stage stage, const char *text, char *log, size_t room);
/* False: it does not compile, link or run; `why` has the driver's words. */
bool tp_run(const struct tp_case *c, const struct tp_side *side, struct tp_result *out);

#endif
