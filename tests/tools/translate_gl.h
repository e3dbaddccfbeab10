/* A GL of its own for translate_live.c: an ARB program and its translation get the same inputs, and what comes out is
 * brought back bit by bit. */
#ifndef TESTS_TRANSLATE_GL_H
#define TESTS_TRANSLATE_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/program.h"
#include "tests/tools/hidden_numbers.h"

enum { TG_ROUNDS = 16, TG_COUNT = 256, TG_RESULTS = 14, TG_PARAMETERS = 256, TG_COLORS = 8 };

/* A parameter that the translation wants: its array, its element, and what it is of. */
struct tg_parameter {
    char name[40], block[48], binding[80];
    uint32_t element;
    int point;                  /* of the block */
};

struct tg_sampler {
    char name[40], type[24];
    uint32_t unit;
};

struct tg_case {
    const struct gp5_program *program;
    const char *text;           /* of the original */
    size_t size;
    bool vertex, core, locations,
        modules;                /* what is GLSL here is made SPIR-V */
    const char *glsl;
    size_t glsl_size;
    struct tg_parameter *parameters;
    size_t nparameters;
    struct tg_sampler samplers[32];
    size_t nsamplers;
    struct { char name[40]; char binding[40]; int location; } inputs[40], outputs[40];
    size_t ninputs, noutputs;
    unsigned rounds;
    const struct hidden_numbers *hidden;        /* or NULL */
    const struct hidden_constants *constants;   /* or NULL */
};

struct tg_answer {
    enum { TG_SAME, TG_DIFFERENT, TG_NOT_TAKEN, TG_NOT_COMPILED, TG_NOT_DRAWN } verdict;
    uint64_t words, differ, nans,
        undefined;              /* compared; different; both no number, with other bits; open by the text */
    char text[2048];            /* the driver's words, or the first difference */
};

/* False where no GL opens. */
bool tg_open(const char **renderer);

/* The context alone, of EGL's surfaceless platform. */
bool tg_open_context(const char **renderer);

/* Whether a shader of its own compiles; the driver's words where it does not. */
bool tg_compiles(bool vertex, const char *glsl, size_t size, char *log, size_t room);
/* Whether there is ARB_gl_spirv, and what makes modules. */
bool tg_has_modules(void);
void tg_run(const struct tg_case *c, struct tg_answer *a);

#endif
