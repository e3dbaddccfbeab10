/* gp5: OpenGL assembly programs: parse, check, print, evaluate.
 *
 * No function here touches a GL, keeps state between calls, or prints. Objects are made and freed by the caller; an
 * object may be used by one thread at a time, and const objects by many. Text is bytes, not necessarily ending in NUL.
 * Offsets count bytes from the start of the text, lines and columns from 1.
 *
 * Structures grow at their end alone. One that begins with `size` says how much of it the caller knows: what lies
 * beyond counts as 0, and a size of 0 is that of version 0.1. Those that the library fills have room kept (`reserved`),
 * and elements of arrays stay as they are. The shared library's symbols carry the version that brought them.
 */
#ifndef GP5_H
#define GP5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GP5_API __attribute__((visibility("default")))
#else
#define GP5_API
#endif

#define GP5_VERSION "0.1.0"
#define GP5_VERSION_MAJOR 0
#define GP5_VERSION_MINOR 1
#define GP5_VERSION_PATCH 0
/* Versions as numbers that compare: GP5_VERSION_NUMBER >= GP5_VERSION_OF(0, 2, 0). */
#define GP5_VERSION_OF(major, minor, patch) ((major) * 10000 + (minor) * 100 + (patch))
#define GP5_VERSION_NUMBER GP5_VERSION_OF(GP5_VERSION_MAJOR, GP5_VERSION_MINOR, GP5_VERSION_PATCH)

#ifdef __cplusplus
}
#endif

#include "gp5_stage.h"
#include "gp5_texture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, "MAJOR.MINOR.PATCH". */
GP5_API const char *gp5_version(void);
GP5_API int gp5_version_number(void);       /* likewise, as GP5_VERSION_NUMBER */

/* ---- programs ---------------------------------------------------------------------------------------------------- */

typedef struct gp5_program gp5_program;

/* Whose judgement: NVIDIA's driver as measured (docs/semantics.md says which), Mesa's parser (ARB programs), the
 * specifications read literally, or gp5: what NVIDIA's driver takes, and OPTION GP5_subgroup, which gp5_lower turns
 * into that. */
enum gp5_target { GP5_TARGET_NVIDIA, GP5_TARGET_MESA, GP5_TARGET_SPEC, GP5_TARGET_GP5 };

enum gp5_severity { GP5_ERROR, GP5_WARNING, GP5_NOTE };

struct gp5_diagnostic {
    enum gp5_severity severity;
    size_t offset, length;      /* the text that it is about */
    unsigned line, column;      /* of offset */
    const char *message;        /* one sentence, no full stop; owned by the program */
    const char *hint;           /* what to do about it, or NULL; owned by the program */
    const char *fix;            /* where the hint is safe to follow: the text that stands there instead; or NULL; */
    size_t fix_offset, fix_length;      /* instead of this */
};

/* Parses and checks a program (the text is copied). Returns NULL only when memory ran out; a text that is no program
 * gives an object with errors in it. Free with gp5_program_free. */
GP5_API gp5_program *gp5_parse(const char *text, size_t size);
GP5_API void gp5_program_free(gp5_program *program);

/* Whether that target takes the program. */
GP5_API bool gp5_valid(const gp5_program *program, enum gp5_target target);

/* What GL_PROGRAM_ERROR_POSITION_ARB is for that target (ARB_vertex_program 2.14.1): the byte offset of the first
 * error, the text's size for an error at its end, -1 for a valid program. */
GP5_API int64_t gp5_error_position(const gp5_program *program, enum gp5_target target);

/* Calls `each` for the diagnostics of a target in the order of their offsets, until it returns false. */
GP5_API void gp5_diagnostics(const gp5_program *program, enum gp5_target target,
                             bool (*each)(void *user, const struct gp5_diagnostic *diagnostic), void *user);

/* The line and column of an offset. */
GP5_API void gp5_locate(const gp5_program *program, size_t offset, unsigned *line, unsigned *column);

/* The canonical text of a program without syntax errors: one statement a line, comments kept. NULL when the program has
 * errors or memory ran out. The caller frees it with gp5_text_free. Formatting its own output changes nothing. */
GP5_API char *gp5_format(const gp5_program *program, size_t *size);
GP5_API void gp5_text_free(char *text);

/* The next program in bytes that hold more than one, or other things: two programs in one file, a driver's link log, a
 * program binary of NVIDIA's. Looks from *offset on; true with *offset at its header and *length up to behind its END,
 * or up to where no program can go on (then it is invalid). Look on from *offset + *length. */
GP5_API bool gp5_find_program(const void *bytes, size_t size, size_t *offset, size_t *length);

/* One number about a program: how many instructions of a class, registers, accesses ... it has (gp5 stats). */
struct gp5_metric {
    const char *group, *name;   /* "memory", "bytes_loaded": together they name it, and they stay what they are */
    const char *text;           /* the same for people */
    uint64_t value;
    bool known;                 /* false: the program is too large to count this */
};

/* Calls `each` for every metric, in an order that stays, until it returns false; the strings are constants.
 * Instructions are counted as they stand in the text, each once. False when the program is invalid for every target, or
 * memory ran out. */
GP5_API bool gp5_count(const gp5_program *program, bool (*each)(void *user, const struct gp5_metric *metric),
                       void *user);

/* The text of a program with every instruction of OPTION GP5_subgroup replaced by instructions that NVIDIA's driver
 * loads (docs/subgroups.md). NULL and a message (free with gp5_text_free) when the program is invalid for the GP5
 * target, or when something cannot be lowered; NULL without a message when memory ran out. Free the text with
 * gp5_text_free. */
enum { GP5_LOWER_ALLOW_INTERNAL = 1 };  /* use what needs OPTION NV_internal */
GP5_API char *gp5_lower(const gp5_program *program, unsigned flags, size_t *size, char **message);

/* ---- translation ---------------------------------------------------------------------------------------------------
 *
 * A program as one of another language that computes the same. What that language cannot say is refused. */

enum gp5_language {
    GP5_TO_GLSL120, GP5_TO_GLSL330, GP5_TO_GLSL450, GP5_TO_GLSL450COMPAT, GP5_TO_ES300,
    GP5_TO_SPIRV,               /* GLSL 4.50 as a compiler to SPIR-V takes it */
    GP5_TO_ARB,                 /* an ARB program without NVIDIA's options */
    GP5_LANGUAGES
};
/* "glsl120" ...; NULL for none. */
GP5_API const char *gp5_language_name(enum gp5_language language);

/* What an application gives to a translation, or takes from it, beyond the built-ins that the language has. */
enum gp5_interface {
    GP5_INTERFACE_PARAMETER,    /* element `element` of the array `name`, which stands in `block` at byte `offset`;
                                 * without a block and with a name of the program's own a uniform vec4 */
    GP5_INTERFACE_TEXTURE,      /* the sampler `name` is of the texture unit `point` */
    GP5_INTERFACE_INPUT, GP5_INTERFACE_RESULT,      /* at the location `point` */
    GP5_INTERFACE_IMAGE,        /* the image `name` is of the unit `point`, bound in the format `block`; NULL: any */
    GP5_INTERFACE_BUFFER        /* `block` is at the binding point `point`: program.storage[n], program.buffer[n] */
};
struct gp5_interface_entry {
    enum gp5_interface kind;
    const char *binding;        /* as the program writes it: "program.env[3]", "state.matrix.mvp.inverse.row[0]" */
    const char *name, *type;    /* of a texture the target: "2D" */
    const char *block;          /* a std140 block; NULL: the parameters are a uniform array */
    uint32_t element, offset;
    int point;                  /* a binding point, a unit, a location; -1: the text says none */
};

struct gp5_translate_options {
    size_t size;                /* sizeof(struct gp5_translate_options) */
    enum gp5_language to;
    bool round_halves;          /* results of half precision are rounded; else they are singles */
    bool (*write)(void *user, const char *bytes, size_t size);      /* takes the text; false ends it */
    bool (*each)(void *user, const struct gp5_diagnostic *diagnostic);      /* is told of a refusal; or NULL */
    bool (*entry)(void *user, const struct gp5_interface_entry *entry);     /* is told of the interface; or NULL */
    void *user;
    const char *prefix;         /* of the parameters' and samplers' names in the compatibility forms, "gp5_" where it is
                                 * NULL: two stages with parameters of their own share a program of the GL */
    /* NULL, or the format that the application binds an image in that the program reads, as GLSL's word ("rgba8"); NULL
     * for the instruction's own: a word a component where it has no size. `binding` is "image[3]", or
     * "program.local[7].xy" for a handle that stands there. */
    const char *(*image_format)(void *user, const char *binding);
};

enum gp5_translated {
    GP5_TRANSLATED,
    GP5_TRANSLATE_INVALID,      /* no target takes the program */
    GP5_TRANSLATE_REFUSED,      /* `each` was told where and why */
    GP5_TRANSLATE_NOT_WRITTEN, GP5_TRANSLATE_NO_MEMORY
};

/* Writes nothing where it cannot write all. */
GP5_API enum gp5_translated gp5_translate(const gp5_program *program, const struct gp5_translate_options *options);

/* ---- walking a program ----------------------------------------------------------------------------------------------
 *
 * Statements, instructions and names stand in arrays in the order of the text. A function that fills a structure is
 * false, and leaves it alone, when the index is beyond the last. Strings are constants or the program's: they end in
 * NUL and live as long as it does. Offsets and lengths are bytes of the text. Of a program with errors one sees what
 * was understood. */

GP5_API const char *gp5_header(const gp5_program *program);     /* "!!NVcp5.0"; NULL without a known header */
GP5_API const char *gp5_stage(const gp5_program *program);      /* "compute", "fragment" ...; NULL likewise */
GP5_API const char *gp5_text(const gp5_program *program, size_t *size);     /* the program's own copy of the text */

enum gp5_statement_kind {
    GP5_STATEMENT_OPTION,       /* name: the option, NULL for one that nobody knows */
    GP5_STATEMENT_STAGE,        /* GROUP_SIZE and the like: what concerns the whole program */
    GP5_STATEMENT_DECLARATION,  /* name: the first of `count` names, which are the symbols from `index` on */
    GP5_STATEMENT_ALIAS,        /* index: the symbol */
    GP5_STATEMENT_LABEL,        /* index: the symbol */
    GP5_STATEMENT_INSTRUCTION,  /* index: the instruction; name: its opcode */
    GP5_STATEMENT_COMMENT,
    GP5_STATEMENT_BLANK,        /* empty lines */
    GP5_STATEMENT_END,
    GP5_STATEMENT_BROKEN        /* a syntax error stopped it */
};

struct gp5_statement {
    enum gp5_statement_kind kind;
    const char *name;           /* or NULL */
    size_t index, count;        /* as the kind says; index SIZE_MAX when it says nothing */
    size_t offset, length;
    uint64_t reserved[2];
};
GP5_API size_t gp5_statement_count(const gp5_program *program);
GP5_API bool gp5_statement_at(const gp5_program *program, size_t index, struct gp5_statement *out);

struct gp5_instruction {
    const char *opcode;         /* without modifiers */
    const char *type;           /* what it works on or moves: "F32", "U64" ...; NULL without one */
    unsigned components;        /* memory: how many it moves, 1 2 4; else 0 */
    unsigned modifiers;         /* how many are written; gp5_modifier_at gives them */
    unsigned operands;
    bool has_result;
    unsigned sets_condition;    /* 0: no condition code; 1: CC0, 2: CC1 */
    const char *texture_target; /* "2D" ..., NULL without one */
    const char *test;           /* of IF, BRK, KIL ...: "NE" ...; NULL without one */
    size_t partner;             /* an instruction: of IF its ELSE or ENDIF, of ELSE its ENDIF, of REP its ENDREP and
                                 * of these their IF and REP, of BRK and CONT the ENDREP, of CAL the first of the
                                 * subroutine; else SIZE_MAX */
    size_t offset, length;      /* of the statement without its semicolon */
    uint64_t reserved[2];
};
GP5_API size_t gp5_instruction_count(const gp5_program *program);
GP5_API bool gp5_instruction_at(const gp5_program *program, size_t index, struct gp5_instruction *out);

/* The modifier's text, in written order, without the dot; NULL beyond the last, or for one that nobody knows. */
GP5_API const char *gp5_modifier_at(const gp5_program *program, size_t instruction, size_t modifier);

enum gp5_operand_kind {
    GP5_OPERAND_NONE,           /* a test, or what an error left */
    GP5_OPERAND_VARIABLE,       /* symbol and name */
    GP5_OPERAND_BINDING,        /* name: "fragment.texcoord[?]", [] where an index is, [?] where one may be left out */
    GP5_OPERAND_CONSTANT,
    GP5_OPERAND_TEXTURE,        /* a texture unit or a variable of one */
    GP5_OPERAND_IMAGE,
    GP5_OPERAND_HANDLE,         /* handle(variable) */
    GP5_OPERAND_LABEL,
    GP5_OPERAND_CONDITION       /* the register CC as a result */
};

struct gp5_operand {
    enum gp5_operand_kind kind;
    const char *name;           /* or NULL */
    size_t symbol;              /* or SIZE_MAX */
    uint8_t components;         /* of a result: its mask, bit 0 for x; of an operand: 1 where one component is
                                 * chosen, else 15 */
    uint8_t swizzle[4];         /* which component (0..3) of it each component is; SWZ also has 4 for 0 and 5 for 1 */
    uint8_t indices;            /* how many [...] are written behind it */
    bool negated, absolute;
    bool conditional;           /* a result that a test decides about */
    size_t offset, length;      /* with signs, bars and components */
    uint64_t reserved[2];
};
GP5_API bool gp5_result_of(const gp5_program *program, size_t instruction, struct gp5_operand *out);
GP5_API bool gp5_operand_at(const gp5_program *program, size_t instruction, size_t operand, struct gp5_operand *out);

struct gp5_symbol {
    const char *name;
    const char *keyword;        /* "TEMP", "PARAM" ...; NULL for a label */
    bool is_array;
    uint32_t elements;          /* 1 for one that is no array; 0 for a whole buffer */
    unsigned bits;              /* of a component: 16 SHORT, 32, 64 LONG */
    size_t instruction;         /* a label: what follows it, which may be one beyond the last; else SIZE_MAX */
    size_t offset, length;      /* of the name where it is declared */
    uint64_t reserved[2];
};
GP5_API size_t gp5_symbol_count(const gp5_program *program);
GP5_API bool gp5_symbol_at(const gp5_program *program, size_t index, struct gp5_symbol *out);

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

/* What a program does where the specifications leave a choice or disagree with hardware: as NVIDIA's driver was
 * measured, or as the text reads. docs/semantics.md lists each difference. */
enum gp5_semantics {
    GP5_SEMANTICS_NVIDIA, GP5_SEMANTICS_SPEC,
    GP5_SEMANTICS_IDEAL         /* the text, and functions that it leaves to be approximated as exact mathematics has
                                 * them, rounded once */
};

/* A buffer that a program reads and writes in place. `data` is the caller's and must be aligned to 16 bytes. */
struct gp5_buffer {
    uint32_t binding;           /* program.storage[binding] or program.buffer[binding] */
    uint8_t *data;
    size_t size;                /* bytes; accesses beyond read 0 and are not written
                                 * (NV_shader_storage_buffer_object) */
    uint32_t *undefined;        /* NULL, or ceil(size / 4) words: the origin of each word that is undefined after the
                                 * run (an index into the report's origins, from 1), 0 where it is defined */
};

/* Where a storage buffer stands in the GPU's memory, for LOAD, STORE and ATOM (NV_shader_buffer_load). An address in
 * none of the ranges reads 0 and is not written, and counts as undefined. */
struct gp5_address_range {
    uint64_t address;           /* of the buffer's first byte, a multiple of 32; ranges do not overlap */
    uint32_t binding;           /* of one of the launch's storage buffers, of 4 GiB at most */
};

/* One program.env or program.local parameter: four raw 32-bit words. */
struct gp5_parameter {
    uint32_t index;
    uint32_t word[4];
};

/* A fragment attribute over the rectangle: its values at the corners, in window space, linear in between (w = 1). */
struct gp5_interpolant {
    uint32_t attribute;         /* GP5_FRAGMENT_... + unit */
    float corner[4][4];         /* (0,0) (width,0) (0,height) (width,height), each x y z w */
};
enum { GP5_FRAGMENT_COLOR_PRIMARY, GP5_FRAGMENT_COLOR_SECONDARY, GP5_FRAGMENT_FOGCOORD, GP5_FRAGMENT_TEXCOORD = 16 };

struct gp5_launch {
    size_t size;                /* sizeof(struct gp5_launch) */
    uint32_t groups[3];         /* compute: work groups */
    struct gp5_buffer *storage, *cbuffers;
    size_t nstorage, ncbuffers;
    struct gp5_buffer *counters;/* atomic counter buffers, by the first index of program.counter[a][b] */
    size_t ncounters;
    const struct gp5_address_range *addresses;
    size_t naddresses;
    struct gp5_texture *textures;       /* texture[unit], and what images stand in */
    const struct gp5_image *images;     /* image[unit] */
    size_t ntextures, nimages;
    const uint32_t *subroutines;/* the SUBROUTINENUM that each program.subroutine[n] stands for */
    size_t nsubroutines;
    uint32_t group_size[3];     /* with OPTION ARB_compute_variable_group_size; 0 counts as 1 */
    const struct gp5_parameter *env, *local;
    size_t nenv, nlocal;

    /* Graphics stages. */
    uint32_t count, instances;  /* vertices; instances of them, 0 counts as 1 */
    uint32_t first;             /* vertex.id of the first one */
    const struct gp5_array *inputs;     /* by vertex, the same for each instance, or by fragment, rows from the
                                         * bottom; what is not given has a new context's current value */
    struct gp5_array *results;  /* count x instances elements, or width x height, of which those of discarded
                                 * fragments are left alone */
    size_t ninputs, nresults;
    const struct gp5_state *state;      /* NULL: what a new context has */
    /* `count` is of primitives for geometry programs, whose inputs stand vertex by vertex and whose results are points,
     * lines and triangles taken apart (gp5_result_count says for how many there must be room); of patches for
     * tessellation control; for tessellation evaluation of points (gp5_tessellate makes them), which vertex.tesscoord
     * has, `patches` with inputs of their own. */
    uint32_t patch_vertices, patches;
    const uint32_t *patch;      /* of each point the patch */

    uint32_t width, height;     /* fragment: the rectangle, every pixel of which is drawn once, in 2x2 quads */
    const struct gp5_interpolant *interpolants;
    size_t ninterpolants;
    bool points;                /* each fragment is a quad of its own, with three helpers */
    uint32_t ncolors;           /* colour outputs */
    float *colors;              /* ncolors x height x width x 4, rows from the bottom; written where a fragment lives */
    float *depth;               /* height x width, or NULL */
    uint8_t *covered;           /* height x width: 1 where the fragment was not discarded; or NULL */
    uint32_t *undefined;        /* as in gp5_buffer, one word a component of `colors`; or NULL */
    const uint8_t *live;        /* height x width: 0 where a fragment is a helper; NULL: none is */
};

/* A pass of NVIDIA's compiler, whose decisions GP5_SEMANTICS_NVIDIA foresees: those that are there, in the order in
 * which they run. */
struct gp5_pass {
    const char *name;
    const char *needs;          /* the passes without which it is off as well, with spaces between them; "" */
    const char *document;       /* where docs/ has the facts: "numbers.md#doubles" */
    const char *what;           /* one line */
    bool dropped;               /* it is foreseen no more */
    uint64_t reserved[2];
};
GP5_API bool gp5_pass_at(size_t index, struct gp5_pass *out);
/* Whether a word is a `model` of struct gp5_run_options; a message where it is none. */
GP5_API bool gp5_model_valid(const char *model, char *message, size_t size);

struct gp5_observer;

/* All zeros are the defaults, and so is NULL where a function takes options. */
struct gp5_run_options {
    size_t size;                /* sizeof(struct gp5_run_options) */
    enum gp5_semantics semantics;
    const char *model;          /* when the program is prepared, with GP5_SEMANTICS_NVIDIA: passes that are off,
                                 * "none" (at all) or "noNAME,noNAME..."; NULL: all are on that there are */
    bool track_undefined;
    bool strict;                /* an undefined value that reaches memory, a result or a branch ends the run; a bad
                                 * launch without track_undefined */
    bool track_races;           /* also when the program is prepared; the run then takes one thread */
    unsigned jobs;              /* threads; 0 = one a processor */
    unsigned warp;              /* lanes that exist in a warp, 1..32; 0 = 32 */
    uint64_t max_instructions;  /* executed by one warp before the run ends; 0 = the default (gp5_default_limit) */
    /* NULL, or called by the thread that called gp5_execute before each group that it runs, with how many of the
     * groups were begun before: false ends the run, GP5_RUN_CANCELLED. A group that has begun is ended by its limit of
     * instructions, or by an observer. */
    bool (*progress)(void *user, uint64_t begun, uint64_t groups);
    void *progress_user;
    const struct gp5_observer *observer;        /* NULL, or who looks on; the run then takes one thread, and longer */
};
GP5_API uint64_t gp5_default_limit(void);

enum gp5_run_status {
    GP5_RUN_OK,
    GP5_RUN_NOT_EVALUATED,      /* the program uses something that the evaluator does not have yet */
    GP5_RUN_UNDEFINED,          /* strict: see the first origin */
    GP5_RUN_LIMIT,              /* the instruction limit */
    GP5_RUN_DEADLOCK,           /* BAR that not every warp of a group can reach */
    GP5_RUN_BAD_LAUNCH,         /* sizes or pointers that do not fit the program */
    GP5_RUN_NO_MEMORY,
    GP5_RUN_CANCELLED           /* a callback said so */
};

/* Why a value is undefined: the first place where it became so. */
struct gp5_origin {
    uint32_t instruction;       /* index of the instruction */
    size_t offset;              /* of its text */
    uint32_t group, warp, lane, component;
    const char *reason;         /* "R1.y was never written", "lane 7 was inactive" ... */
};

/* An access to memory that races. */
struct gp5_access {
    const char *kind;           /* "read", "write", "atomic operation" */
    uint32_t instruction;
    size_t offset;              /* of its text */
    uint32_t group, warp, lane;
};

/* Two accesses to the same memory that nothing orders: the first pair of those that these two instructions made. */
struct gp5_race {
    bool order;                 /* both are atomic, and their order shows in a result or in memory */
    const char *memory;         /* "storage", "shared memory", "counters", "textures" */
    uint32_t binding;           /* of textures the unit */
    uint64_t address;           /* in bytes from the start of that memory */
    struct gp5_access first, second;
    uint64_t count;             /* how many there were of these two instructions */
};

struct gp5_report {
    enum gp5_run_status status;
    char *message;              /* for every status but OK; with position */
    size_t offset;              /* of the instruction it concerns */
    size_t elements[4];         /* of a geometry program's results, by stream */
    uint64_t instructions;      /* executed, counted a warp */
    uint64_t lanes;             /* lane-instructions: active lanes summed over the instructions */
    struct gp5_origin *origins; /* what undefined values were seen to reach outputs; origin id n is origins[n - 1] */
    size_t norigins;
    uint64_t undefined_words;   /* of the outputs */
    uint64_t undefined_uses;    /* undefined values that decided a branch, a discard, an address or an index; their
                                 * origins stand in the list too */
    uint64_t races;             /* found; the list has one for each two instructions */
    struct gp5_race *race_list;
    size_t nrace_list;
    uint64_t reserved[4];
};
GP5_API void gp5_report_free(struct gp5_report *report);

/* A program made ready to run: decoded once, run often. It refers to the program, which must outlive it. NULL and a
 * message (free with gp5_text_free) when the program is invalid for the GP5 target or, with offset set, uses what is
 * not evaluated yet. `message` and `offset` may be NULL. */
typedef struct gp5_executable gp5_executable;
GP5_API gp5_executable *gp5_prepare(const gp5_program *program, const struct gp5_run_options *options, char **message,
                                    size_t *offset);
GP5_API void gp5_executable_free(gp5_executable *executable);
/* Whether a pass that is off, or dropped, could change a result of the program: what a driver gives is then not
 * foreseen for certain. */
GP5_API bool gp5_not_modelled(const gp5_executable *executable, size_t pass);

/* What a new context has (the initial values of the OpenGL specification's state tables, compatibility profile). */
GP5_API void gp5_state_init(struct gp5_state *state);

/* How many elements a result array must have room for, where the launch has this count. */
GP5_API uint64_t gp5_result_count(const gp5_executable *executable, uint32_t count, uint32_t instances);

/* The points that a tessellation evaluation program is run at for the levels of one patch (four outer and two inner
 * ones, floats), sorted by v and then u: x y z each. The number of points; *coordinates is freed with gp5_text_free.
 * SIZE_MAX when memory ran out. A patch with an outer level of 0, below or NaN has none. */
GP5_API size_t gp5_tessellate(const gp5_executable *executable, const float outer[4], const float inner[2],
                              float **coordinates);

/* Runs it. The same launch gives the same result for every number of jobs, unless the program depends on the order of
 * groups. The executable is const: several launches may run at once, on buffers of their own. Options that are NULL are
 * those that it was prepared with, of which the semantics must be the same in any case; a report that is NULL is not
 * wanted. */
GP5_API enum gp5_run_status gp5_execute(const gp5_executable *executable, const struct gp5_launch *launch,
                                        const struct gp5_run_options *options, struct gp5_report *report);

/* ---- looking on -----------------------------------------------------------------------------------------------------
 *
 * An observer is called as a program is executed, a warp's instruction at a time: a trace, a debugger, a profiler. A
 * step, what it is given, is the warp at that instruction, and is there for the call alone. */

typedef struct gp5_step gp5_step;

/* Both may be NULL. `before` is called before each instruction that a warp executes, `after` when it is done (not after
 * one that ends the warp); false ends the run there, GP5_RUN_CANCELLED. */
struct gp5_observer {
    size_t size;                /* sizeof(struct gp5_observer) */
    void *user;
    bool (*before)(void *user, const gp5_step *step);
    bool (*after)(void *user, const gp5_step *step);
};

struct gp5_step_place {
    size_t instruction;         /* index, for gp5_instruction_at */
    uint32_t group, warp;       /* the warp's number in its group */
    uint32_t exist, live, active;       /* lanes, a bit each: there are, not ended, execute this instruction */
    uint64_t executed;          /* instructions of this warp so far */
    uint64_t reserved[2];
};
GP5_API void gp5_step_place(const gp5_step *step, struct gp5_step_place *out);

/* A component (0 to 3) of a variable in the 32 lanes: their words, for 64 bits also the upper ones (`high` may be
 * NULL). The lanes in which it is undefined, where that is tracked, are the bits of `undefined`, which may be NULL.
 * False when the program does not use that component. */
GP5_API bool gp5_step_read(const gp5_step *step, size_t symbol, uint32_t element, unsigned component,
                           uint32_t words[32], uint32_t high[32], uint32_t *undefined);

/* A condition code's component (CC0 or CC1, 0 to 3), lanes a bit each. False when there is none such. */
struct gp5_condition {
    uint32_t sign, zero, carry, overflow;
};
GP5_API bool gp5_step_condition(const gp5_step *step, unsigned code, unsigned component, struct gp5_condition *out);

/* Shared memory of the step's group: NULL where the program has none. It is read, not written. */
GP5_API const uint8_t *gp5_step_shared(const gp5_step *step, size_t *size);

#ifdef __cplusplus
}
#endif

#include "gp5_subgroup.h"

#endif
