/* A program of the users' corpus (tests/programs/README.md): its text, what it is run on, and what a driver made of
 * it. */
#ifndef GP5_TESTS_PROGRAMS_CASE_H
#define GP5_TESTS_PROGRAMS_CASE_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/driver/driver.h"
#include "compare/driver/outcome.h"

enum { PROGRAM_BUFFERS = 8, PROGRAM_PARAMETERS = 64, PROGRAM_BLOCK = 8, PROGRAM_WORDS = 256, PROGRAM_RESULTS = 9 };

struct users_program {
    char *name;   /* "glsl/scan/uint,64": kind, family, parameters */
    char *inputs; /* the line @in */
    char *text;
    size_t size;
    char *answers; /* the lines @out, @sum and @rejected, without the @ */
};

/* 1: one was read; 0: the file has ended; -1: it is broken, which was said. */
int users_program_read(FILE *in, struct users_program *p);
void users_program_free(struct users_program *p);

/* Everything but the answers. */
void users_program_write(FILE *out, const struct users_program *p);

/* What its inputs make of it: the case is borrowed and ends with users_case_free. */
struct users_case {
    struct driver_case c;
    struct driver_buffer storage[PROGRAM_BUFFERS], constants[PROGRAM_BUFFERS];
    struct driver_parameter local[PROGRAM_PARAMETERS];
    struct driver_texture textures[PROGRAM_BUFFERS];
    struct gp5_image images[PROGRAM_BUFFERS];
    struct driver_pointer pointers[PROGRAM_BUFFERS];
    struct driver_attribute attributes[PROGRAM_BUFFERS * 2];
    struct driver_array arrays[PROGRAM_BUFFERS];
    const char *results[PROGRAM_RESULTS];
    void *blocks[PROGRAM_BUFFERS * 6];
    size_t blocks_used;
};
bool users_case_make(struct users_case *c, const struct users_program *p);
void users_case_free(struct users_case *c);

#endif
