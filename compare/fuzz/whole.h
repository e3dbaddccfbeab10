/* Whole compute programs by chance, valid and with inputs of their own, to be run by two evaluators or an evaluator and
 * a driver. No two lanes race, and every lane shows all its registers at the end. Program N of a seed is always the
 * same. */
#ifndef GP5_COMPARE_FUZZ_WHOLE_H
#define GP5_COMPARE_FUZZ_WHOLE_H

#include "compare/fuzz/fuzz.h"
#include "gp5_texture.h"

enum {
    WHOLE_BUFFERS = 4,
    WHOLE_INPUT = 0,
    WHOLE_OUTPUT = 1,
    WHOLE_SCRATCH = 2,
    WHOLE_FAR = 3 /* reached by its address alone */,
    WHOLE_CONSTANTS = 512,
    WHOLE_COUNTERS = 1024,
    WHOLE_CHOSEN = 5,
    WHOLE_TEXTURES = 3,
    WHOLE_IMAGES = 4,
    WHOLE_PLACES = WHOLE_BUFFERS + WHOLE_TEXTURES
};

/* Where evaluators put what programs reach by its address. */
#define WHOLE_INPUT_ADDRESS 0x7f1234500000ull
#define WHOLE_FAR_ADDRESS 0x7f8000000000ull

struct whole_settings {
    uint64_t seed;
    bool spec;                  /* for the text's semantics: nothing is contracted, F16 and PREC need no care */
    bool contract;              /* float products without PREC, under NVIDIA's semantics */
    bool driver;                /* only what the model of the driver is meant to get right */
    bool products;              /* for the most part products, sums and copies of floats, and flow around them */
    bool says_literals;
    unsigned literals;          /* of a hundred operands, where says_literals */
    bool images;                /* textures, and instructions that reach them as images */
    unsigned statements;        /* at most so many; 0: 24 */
    bool wider;                 /* GPU addresses, counters, subroutines and sizes of groups that the launch gives as
                                 * well */
    bool forms;                 /* textures that are sampled, subgroup operations, the application's state as well */
    bool halves;                /* half arithmetic, SHORT variables and roots of doubles as well */
    bool dense;                 /* what a compiler makes one instruction of, or knows, over few registers
                                 * (whole_dense.c) */
    bool table;                 /* for the most part every opcode that computes alike, new ones too */
    bool rare;                  /* what programs seldom have as well (whole_rare.c), in groups of more sizes */
};

struct whole_case {
    struct fuzz_text program;
    uint32_t groups[3];
    uint8_t *storage[WHOLE_PLACES];     /* program.storage[0..3], the last one empty unless the settings are wider;
                                         * then the textures' texels */
    size_t size[WHOLE_PLACES];          /* 0 where there is nothing */
    uint8_t constants[WHOLE_CONSTANTS]; /* program.buffer[0], and the same in program.buffer[1] */
    uint32_t local[4][4];       /* program.local[0..3] */
    bool wider;                 /* what follows counts; in program.local[4] stand the addresses of the first and the
                                 * last buffer */
    uint32_t group_size[3];     /* 0: the program says */
    uint32_t subroutines[WHOLE_CHOSEN];
    uint8_t counters[WHOLE_COUNTERS];
    bool own;                   /* it has instructions of gp5's own, which no driver takes */
    bool shadow;                /* texture 0 is sampled with a comparison */
    unsigned textures;          /* 0, or WHOLE_TEXTURES; without data */
    struct gp5_texture texture[WHOLE_TEXTURES];
    struct gp5_image image[WHOLE_IMAGES];
};

/* Replaces what the case holds; false without memory. */
bool whole_grow(const struct whole_settings *settings, uint64_t number, struct whole_case *c);
/* The same around statements that are given: the data is the seed's, groups of 48 lanes. */
bool whole_around(uint64_t seed, const char *statements, struct whole_case *c);
void whole_free(struct whole_case *c);

/* How many of the buffers it has. */
static inline unsigned whole_buffers(const struct whole_case *c)
{
    return c->wider ? WHOLE_BUFFERS : WHOLE_FAR;
}

#endif
