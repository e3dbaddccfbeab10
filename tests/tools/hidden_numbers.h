/* Shaders and programs whose numbers their compilers do not know: what they fold, they fold no more. */
#ifndef GP5_TESTS_HIDDEN_NUMBERS_H
#define GP5_TESTS_HIDDEN_NUMBERS_H

#include "asm/program.h"

enum { HIDDEN_NUMBERS = 256 };

struct hidden_numbers {
    float number[HIDDEN_NUMBERS];   /* what uniform float gp5_x_number[] is to hold */
    unsigned count;
};

/* The text with each number that has a point or an exponent in that array; to be freed. NULL without memory, and where
 * there are too many. */
char *hide_numbers(const char *glsl, size_t size, struct hidden_numbers *h);

enum { HIDDEN_FIRST = 200, HIDDEN_CONSTANTS = 56 };

struct hidden_constants {
    float value[HIDDEN_CONSTANTS][4];   /* what program.env[HIDDEN_FIRST] and on are to hold */
    unsigned count;
};

/* The program with its constants in these parameters; to be freed. NULL likewise, and without constants. */
char *hide_constants(const struct gp5_program *program, struct hidden_constants *h);

#endif
