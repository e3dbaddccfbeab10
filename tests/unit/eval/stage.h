/* A stage's launch over arrays: what the tests of stages share. */
#ifndef GP5_TESTS_STAGE_H
#define GP5_TESTS_STAGE_H

#include "gp5.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM = 64 };

struct stage_test {
    gp5_program *program;
    gp5_executable *executable;
    struct gp5_run_options options;
    struct gp5_launch launch;
    struct gp5_report report;
    struct gp5_array in[4], out[4];
    uint32_t input[4][4 * ROOM], result[4][4 * ROOM], undefined[4][4 * ROOM];
    uint8_t covered[ROOM];
    char *message;
};

/* The program must be one that is evaluated. */
void open_run(struct stage_test *r, const char *text, enum gp5_semantics semantics);
void close_run(struct stage_test *r);
/* An array more of inputs; of results, and its words. */
void input(struct stage_test *r, const char *binding, const float *values, size_t elements);
const uint32_t *result(struct stage_test *r, const char *binding);
enum gp5_run_status execute(struct stage_test *r);
/* Why word `i` of result n is undefined; "" where it is not. */
const char *reason(const struct stage_test *r, size_t n, size_t i);

float number(uint32_t word);

#endif
