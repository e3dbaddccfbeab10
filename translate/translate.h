/* Translation of checked programs to other languages: what the files of translate/ share.
 *
 * A program is walked once for what it uses, then statement by statement; each instruction becomes one statement that
 * is made from a row of a table. What a target cannot say is refused, at its place and with the reason; nothing is left
 * out, and nothing is approximated in silence. Texts of the instruction at hand live in an arena that is emptied behind
 * it. */
#ifndef GP5_TRANSLATE_H
#define GP5_TRANSLATE_H

#include "asm/program.h"
#include "asm/stage_shape.h"
#include "gp5.h"

#if defined(__GNUC__)
#define TR_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TR_PRINTF(f, a)
#endif

/* ---- targets (targets.def) ----------------------------------------------------------------------------------- */

enum tr_feature {
    HAS_COMPAT = 1,         /* the built-ins of the fixed functions: gl_Vertex, gl_TexCoord, gl_ModelViewMatrix ... */
    HAS_INTEGERS = 2,       /* uint, shifts, texelFetch, textureSize, isnan, roundEven, trunc, mix by booleans */
    HAS_BITS = 4,           /* floatBitsToUint and its like */
    HAS_LOCATIONS = 8,      /* layout(location = n) of varyings, layout(binding = n) */
    HAS_INPUT_LOCATIONS = 16,   /* of the inputs of vertices and the results of fragments */
    HAS_GPU5 = 32,          /* what GLSL 4.x has: packing, bit fields, doubles, storage, images, all stages */
    IS_ES = 64,
    IN_ORDER = 256,         /* a program, and not a target: one of NVIDIA's dialects */
    IS_NEWER = 512,         /* likewise: of NV_gpu_program4 or later */
    IS_ASSEMBLY = 128       /* plain ARB programs */
};

struct tr_target {
    const char *name, *version;
    uint32_t features;
};
extern const struct tr_target tr_targets[GP5_LANGUAGES];

/* ---- values -------------------------------------------------------------------------------------------------- */

enum tr_type { T_FLOAT, T_INT, T_UINT, T_DOUBLE, T_INT64, T_UINT64, T_TYPES };

/* "float", "vec3", "uvec4" ... */
const char *tr_type_name(enum tr_type type, unsigned n);
/* What an operation of that type (enum data_type) computes with. */
enum tr_type tr_type_of(uint8_t data_type);
/* What operand k holds, and the result. */
enum tr_type tr_operand_type(const struct insn *insn, unsigned k);
enum tr_type tr_result_type(const struct insn *insn);

/* A growing text; `failed` when memory ran out, `lent`: it stands in the caller's room so far. */
struct tr_text {
    char *bytes;
    size_t size, capacity;
    bool failed, lent;
};
void tr_lend(struct tr_text *text, char *room, size_t size);
void tr_text_free(struct tr_text *text);
void tr_put(struct tr_text *text, const char *bytes, size_t size);
void tr_puts(struct tr_text *text, const char *string);
void tr_printf(struct tr_text *text, const char *format, ...) TR_PRINTF(2, 3);

/* What stands behind a name: a vector of GLSL or a scalar that is one component of it. Reading what is beyond `count`
 * gives 0, 0, 1 for y z w. */
struct tr_base {
    const char *text;
    enum tr_type type;
    uint8_t count;          /* components that it has; 1 is a scalar */
    uint8_t component;      /* of a scalar that is written: which one it is */
    bool missing;           /* was refused */
    const char *at;         /* of a result that a computed index chooses: the index, and what it chooses from */
    const char *const *each;
    uint32_t choices;
};

/* Kinds of arrays of parameters, for an access by a computed index. */
enum tr_array { ARRAY_NONE, ARRAY_ENV, ARRAY_LOCAL, ARRAY_STATE, ARRAY_CONSTANT, ARRAY_FILLED };

struct tr_symbol {
    const char *name;       /* in the output; NULL where it has none */
    uint8_t type;           /* enum tr_type */
    uint8_t holds;          /* a bit a type that instructions read or write it as */
    bool relative;          /* an array that a computed index reaches */
    bool uniform;           /* a parameter with a name of its own */
    bool called;            /* a label: a function is named so */
    uint8_t array;          /* enum tr_array */
    uint32_t first;         /* of an array of parameters: where it begins */
};

struct tr_row {             /* of gp5_state: what the application is to upload there */
    uint16_t kind;
    uint32_t number, row;
};

/* An input or a result that the program names. */
struct tr_port {
    uint16_t slot;          /* of slots.def */
    uint32_t number;
    uint8_t type, interpolation, location;
    uint8_t stream;         /* of a geometry program's result: that of the vertices it is of */
    const char *name;       /* where it is declared */
};

/* What instructions read or write an input or a result as. */
struct tr_held {
    uint16_t kind;
    uint32_t number;
    uint8_t holds, interpolation;
};

/* What a handle is that an instruction names: a half of a parameter, or one that an index chooses. */
struct tr_handle {
    uint32_t insn, made;    /* what uses it; the PK64 */
    uint32_t symbol, element;       /* of a variable of parameters */
    uint8_t half;           /* its x y or its z w */
    uint32_t chosen;        /* the number of the index, NO_INDEX for none */
};

/* Memory that the program names. */
enum tr_space { SPACE_STORAGE, SPACE_CONSTANT, SPACE_COUNTER };
struct tr_memory {
    uint8_t space;
    uint32_t number, words;         /* what a constant index reaches */
    bool computed, coherent, is_volatile;
};

struct tr_sampler {
    uint32_t unit;
    uint8_t target;
    char kind;              /* F S U: of its texels */
    const char *name;
    bool image, handle;     /* handle: `unit` is twice an element of program.local, and a half of it */
    bool read, written, coherent, is_volatile;
    const char *format;     /* of an image that is read */
    uint32_t point;         /* the unit that the text says: that of the program, or a free one for a handle */
};

/* Functions and extensions that the output needs. */
enum tr_need {
    NEED_RECT = 1, NEED_RCC = 2, NEED_ROUND = 4, NEED_LOD = 8, NEED_FLAGS = 16, NEED_HALF = 32, NEED_STACK = 64,
    NEED_INT64 = 128, NEED_FLAGS_INT = 256, NEED_LAYERS = 512, NEED_CARRY = 1024, NEED_FLAGS_WIDE = 2048,
    NEED_COUNTERS = 4096, NEED_VOTES = 8192, NEED_BALLOT = 16384, NEED_MATCH = 32768, NEED_SHUFFLE = 65536,
    NEED_HIGH = 131072, NEED_CLOCK = 262144, NEED_LOG = 524288,
    NEED_CARRY_WIDE = 1048576, NEED_QUAD = 2097152, NEED_DEMOTED = 4194304
};

struct tr {
    const struct gp5_program *p;
    const struct tr_target *target;
    unsigned features, half, flags;
    enum program_stage stage;
    uint8_t generation;
    struct arena arena;     /* lives as long as the translation */
    struct arena scratch;   /* of the instruction at hand */
    struct tr_text declarations, variables, functions, body;
    struct tr_text line;    /* what tr_text makes */
    struct tr_text *out;    /* which of these statements go to */
    unsigned depth;

    struct tr_symbol *symbols;
    struct tr_names *names;
    uint32_t env, local;    /* how many the program reads */
    struct vec state;       /* struct tr_row */
    struct vec samplers;    /* struct tr_sampler */
    struct vec ports;       /* struct tr_port */
    const char *stage_prefix;       /* "gp5_vertex_" ... */
    bool out_of_main;       /* statements go into a function of their own */
    const struct gp5_translate_options *options;
    const char *own_prefix; /* of samplers and images: "gp5_", or what the application wants */
    const char *prefix;     /* of the parameters' arrays: "gp5_", or with the stage's name where they are blocks */
    uint32_t needed;        /* enum tr_need: helpers and extensions that were asked for */
    bool conditions[2];     /* CC0, CC1 are used */
    bool flag_bits;         /* condition codes are bits and not values */
    bool fogged;            /* the colour goes where it is meant to, and not where fog takes it from */
    bool writes_many;       /* more than one colour: gl_FragData */
    bool own_colors;        /* not all of them floats, or a second one for blending: outputs with names */
    struct stage_shape shape;
    unsigned streams;       /* of a geometry program */
    struct vec held;        /* struct tr_held */
    struct vec memory;      /* struct tr_memory */
    struct vec handles;     /* struct tr_handle */
    uint32_t chosen;        /* indices of handles that are kept */
    uint32_t subroutines;   /* parameters that choose one */
    bool chooses;           /* CALI */
    struct tr_turns *turns; /* of a tessellation control program (turns.c) */

    const struct insn *insn;
    struct span where;      /* of the statement at hand */
    bool numbered_blocks;   /* branch.c */
    uint32_t *blocks, end_block;
    const char *entry;      /* the function that the label `main` is, or NULL */
    unsigned loops;         /* how many there were */
    unsigned named;         /* parameters with names of their own */
    bool flows;                 /* it has instructions that decide what is executed */
    bool tells_helpers;         /* it writes memory, or asks whether it is one */
    bool copied;            /* the instruction at hand copies bits (tr_copies) */
    bool precise;           /* .PREC was written */
    struct vec open_loops, open_blocks;     /* uint32_t */
    struct vec shadows;     /* const char *: results that stand in temporaries (arb.c) */
    bool more;              /* whoever is told of the interface wants to hear the rest */
    char *refusal;
    struct span refused_at;
};

/* Text in the scratch arena; "" without memory. */
const char *tr_text(struct tr *t, const char *format, ...) TR_PRINTF(2, 3);
/* A statement on a line of its own. */
void tr_line(struct tr *t, const char *format, ...) TR_PRINTF(2, 3);
/* It cannot be said: the first reason stays. */
void tr_refuse(struct tr *t, struct span where, const char *format, ...) TR_PRINTF(3, 4);

/* Refuses where the target has no integers beyond int. */
void tr_needs_integers(struct tr *t, struct span where, const char *what);
void tr_needs_bits(struct tr *t, struct span where, const char *what);

static inline bool tr_has(const struct tr *t, unsigned features)
{
    return (t->features & features) == features;
}

/* ---- names.c ------------------------------------------------------------------------------------------------- */

/* A name for `name` that nothing else has and GLSL does not reserve, in the translation's arena. */
const char *tr_name(struct tr *t, const char *name);
void tr_names_free(struct tr *t);

/* ---- uses.c: what the program reads, which arrays computed indices reach ------------------------------------- */

void tr_find_uses(struct tr *t);
/* The type that an input or a result is declared with. */
enum tr_type tr_port_type(struct tr *t, uint16_t kind, uint32_t number, uint8_t otherwise);
uint8_t tr_port_interpolation(const struct tr *t, uint16_t kind, uint32_t number);
bool tr_copies(const struct tr *t, const struct insn *insn);

const char *tr_interpolation(uint8_t interpolation);

/* ---- state.c ------------------------------------------------------------------------------------------------- */

/* A parameter: row `at` of what the binding covers. */
struct tr_base tr_parameter(struct tr *t, const struct binding *b, uint32_t at);
/* How many vectors a binding covers. */
uint32_t tr_covers(const struct binding *b);
/* The row of gp5_state, made when it is new. */
uint32_t tr_state_row(struct tr *t, uint16_t kind, uint32_t number, uint32_t row);
/* New rows, one behind the other, for all of an array. The first of them. */
uint32_t tr_state_run(struct tr *t, const struct symbol *s);
void tr_state_place(const struct binding *b, uint32_t at, uint32_t *number, uint32_t *row);
/* A text in which each %u becomes the number. */
const char *tr_number(struct tr *t, const char *format, uint32_t number);

/* ---- bases.c: what operands and results name ----------------------------------------------------------------- */

struct tr_base tr_operand_base(struct tr *t, const struct operand *o);
struct tr_base tr_result_base(struct tr *t, const struct insn *insn);
/* The element of a variable of parameters that is `e`, as one of its bindings. */
const struct binding *tr_element(const struct tr *t, const struct symbol *s, uint32_t e, uint32_t *at);
/* A register's component as an index, from `first` on. */
const char *tr_index(struct tr *t, const struct index *index, uint32_t first);

/* ---- inputs.c ------------------------------------------------------------------------------------------------ */

/* With the vertex that it is of; NULL: that of the binding, or a control program's own. */
struct tr_base tr_vertex_port(struct tr *t, const struct binding *b, uint32_t at, const char *vertex, bool output,
                              struct span where);
struct tr_base tr_input(struct tr *t, const struct binding *b, uint32_t at, struct span where);
struct tr_base tr_output(struct tr *t, const struct binding *b, uint32_t at, struct span where);
void tr_declare_ports(struct tr *t);
/* Nothing is put together or taken apart on the way to a result. */
void tr_keep_results_precise(struct tr *t);
void tr_clear_results(struct tr *t);
uint16_t tr_conventional(uint32_t *number);
/* What a program leaves to do at its end: fog, a position that the fixed functions compute. */
void tr_epilogue(struct tr *t);
bool tr_has_fog(const struct tr *t);

struct gp5_interface_entry tr_port_entry(struct tr *t, const struct tr_port *p);

/* ---- interface.c --------------------------------------------------------------------------------------------- */

void tr_tell_interface(struct tr *t, const struct gp5_translate_options *options);

/* ---- operand.c ----------------------------------------------------------------------------------------------- */

/* Operand k of the instruction at hand as `type`: these of its components, after its swizzle. */
const char *tr_operand(struct tr *t, unsigned k, enum tr_type type, const uint8_t *components, unsigned n);
const char *tr_value(struct tr *t, const struct operand *o, enum tr_type type, const uint8_t *components, unsigned n);
/* The same of what the operand names, where it is known. */
const char *tr_value_of(struct tr *t, const struct operand *o, const struct tr_base *base, enum tr_type type,
                        const uint8_t *components, unsigned n);
/* The same bits as another type; between 32 and 64 bits the number that they are as what is asked for. */
const char *tr_cast(struct tr *t, const char *text, enum tr_type from, enum tr_type to, unsigned n);
/* For what is written: between 32 and 64 bits the number that it is. */
const char *tr_stored(struct tr *t, const char *text, enum tr_type from, enum tr_type to, unsigned n);
const char *tr_join(struct tr *t, enum tr_type type, const char *const *parts, unsigned n);
/* These components of a constant. */
const char *tr_constant(struct tr *t, const struct constant *c, enum tr_type type, const uint8_t *components,
                        unsigned n);
/* On the way to SPIR-V numbers are bits that glslang does not compute with: it would, in double precision. */
static inline bool tr_hides_constants(const struct tr *t)
{
    return t->options->to == GP5_TO_SPIRV;
}
/* A number, all bits of it. */
const char *tr_literal(struct tr *t, uint64_t bits, enum tr_type type);
/* One letter a component. */
const char *tr_letters(const uint8_t *components, unsigned n, char letters[5]);

/* ---- ops.c, ops.def ------------------------------------------------------------------------------------------ */

/* What the instruction computes for these components, as `type`; a scalar where *scalar says so. NULL where the table
 * has no row. */
const char *tr_expression(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type, bool *scalar);

/* ---- texture.c ----------------------------------------------------------------------------------------------- */

const char *tr_texture(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);

void tr_declare_samplers(struct tr *t);

/* ---- result.c, condition.c ----------------------------------------------------------------------------------- */

void tr_instruction(struct tr *t, const struct insn *insn);
/* Whether component c passes; and whether any of those that a test looks at does. */
const char *tr_test(struct tr *t, const struct condition *c, unsigned component);
const char *tr_test_any(struct tr *t, const struct condition *c);

/* ---- vertices.c: elements of arrays of inputs and results ------------------------------------------------------- */

struct tr_base tr_port_element(struct tr *t, uint32_t symbol, uint32_t index, unsigned nindices, bool output,
                               struct span where);
/* A binding whose brackets hold a computed index. */
struct tr_base tr_chosen_port(struct tr *t, const struct binding *b, bool output, struct span where);

/* ---- stage.c: what the stages have of their own ----------------------------------------------------------------- */

void tr_declare_stage(struct tr *t, struct tr_text *out);
void tr_find_streams(struct tr *t);
unsigned tr_stream_at(const struct tr *t, const struct insn *insn);
/* EMIT, BAR and their like: whether it was one. */
bool tr_stage_instruction(struct tr *t, const struct insn *insn);

/* ---- turns.c: the threads of a tessellation control program, instruction by instruction ------------------------- */

bool tr_find_turns(struct tr *t);
/* Before an instruction: all threads meet where one reads what another one writes. */
void tr_take_turns(struct tr *t, uint32_t insn);

/* ---- memory.c, atomic.c ----------------------------------------------------------------------------------------- */

const char *tr_load(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);
void tr_store(struct tr *t, const struct insn *insn);
/* Statements before the result, whose name it gives. */
const char *tr_atomic(struct tr *t, enum tr_type *type);
const char *tr_counter(struct tr *t, enum tr_type *type);
struct tr_base tr_buffer_operand(struct tr *t, const struct operand *o, const struct symbol *s);
void tr_declare_memory(struct tr *t);
/* Where an operand of memory is: variable `which` of `count`, the word `first` + `at`. */
struct tr_place {
    enum tr_space space;
    bool shared;
    uint32_t number, count;
    const char *which, *at;         /* NULL: the first one; no computed part */
    uint32_t offset;                /* bytes */
};
bool tr_find_place(struct tr *t, const struct operand *o, struct tr_place *p);
/* Word k of a place in its i-th buffer. */
const char *tr_word(struct tr *t, const struct tr_place *p, uint32_t buffer, uint32_t k);
/* Its binding point; -1 where the text says none. */
int tr_memory_point(const struct tr *t, const struct tr_memory *m);
const char *tr_memory_name(struct tr *t, enum tr_space space, uint32_t number);
struct tr_memory *tr_use_memory(struct tr *t, enum tr_space space, uint32_t number);

/* ---- image.c, handles.c ----------------------------------------------------------------------------------------- */

const char *tr_image_load(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);
void tr_image_store(struct tr *t, const struct insn *insn);
const char *tr_image_atomic(struct tr *t, enum tr_type *type);
bool tr_find_handles(struct tr *t);
/* Behind a PK64: the index that chose what it packs. */
void tr_keep_index(struct tr *t, const struct insn *insn);
void tr_declare_handles(struct tr *t);

/* The textures or images that an operand may be. */
enum { MOST_CHOICES = 32 };
struct tr_resource {
    bool image, handle;
    uint8_t target;
    char kind;
    const char *format;         /* of images that are read */
    const char *at;             /* the index, or NULL where there is one alone */
    unsigned n;
    uint32_t unit[MOST_CHOICES], number[MOST_CHOICES];      /* number: the index of each */
};
/* "image[3]", "program.local[7].xy" */
const char *tr_resource_binding(struct tr *t, bool image, bool handle, uint32_t unit);
bool tr_find_resource(struct tr *t, const struct operand *o, struct tr_resource *r);
struct tr_sampler *tr_sampler(struct tr *t, const struct tr_resource *r, uint32_t unit);
/* What is said of each, as a choice by the index. NULL where it was not said. */
const char *tr_each_resource(struct tr *t, const struct tr_resource *r,
                             const char *(*say)(struct tr *, const char *, void *), void *user);
void tr_place_resources(struct tr *t);
void tr_declare_images(struct tr *t);

/* ---- lanes.c, shuffle.c: what is asked of neighbours ------------------------------------------------------------- */

const char *tr_interpolated(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);
const char *tr_vote(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);
/* Shuffles, MATCH, QSWZ, and the functions that they need. */
const char *tr_exchanged(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);
void tr_declare_exchange(struct tr *t, struct tr_text *out);
/* vertex.threadid and its like; false for others. */
bool tr_thread(struct tr *t, uint16_t kind, struct tr_base *base);

/* ---- convert.c -------------------------------------------------------------------------------------------------- */

const char *tr_convert(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type);

/* ---- subroutine.c ----------------------------------------------------------------------------------------------- */

void tr_find_subroutines(struct tr *t);
void tr_call_chosen(struct tr *t, const struct insn *insn);
void tr_declare_subroutines(struct tr *t);

/* ---- flow.c -------------------------------------------------------------------------------------------------- */

/* All statements of the program, as functions and main. */
void tr_program(struct tr *t);

/* ---- arb.c --------------------------------------------------------------------------------------------------- */

void tr_assemble_arb(struct tr *t, struct tr_text *out);

/* ---- branch.c -------------------------------------------------------------------------------------------------- */

void tr_open_blocks(struct tr *t);
void tr_numbered(struct tr *t, uint32_t insn);
void tr_close_blocks(struct tr *t);

/* ---- declare.c ----------------------------------------------------------------------------------------------- */

void tr_declare_symbol(struct tr *t, uint32_t symbol);
enum tr_type tr_type_of_symbol(const struct symbol *s);
void tr_fill_arrays(struct tr *t);
void tr_declare_parameters(struct tr *t);
void tr_comment(struct tr *t, struct span span);

#endif
