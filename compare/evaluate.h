/* gp5 run on a plain program: evaluate it once and print what it did. */
#ifndef GP5_COMPARE_EVALUATE_H
#define GP5_COMPARE_EVALUATE_H

#include "compare/driver.h"
#include "gp5.h"

#include <stdio.h>

struct debugger;

struct evaluation {
    const char *file;
    const char *text;
    size_t size;
    bool colour;                    /* of diagnostics */
    uint32_t groups[3];
    uint32_t width, height;         /* fragment programs */
    const struct driver_buffer *storage, *constants;
    size_t storage_count, constant_count;
    const struct driver_parameter *env, *local;
    size_t env_count, local_count;
    struct gp5_run_options run;
    FILE *trace;                    /* every instruction goes there, or NULL */
    bool trace_json;                /* as JSON, an object a line */
    struct debugger *debugger;      /* asks what to do, or NULL */
    const bool *quiet;              /* one a storage buffer: written elsewhere, not as a table */

    /* Called once after a run, with each storage buffer; false is trouble. */
    bool (*after)(void *user, uint32_t binding, const uint8_t *data, size_t size);
    void *user;
};

/* The exit status: 0, 1 (invalid, or it did not end well), 2 (trouble), 77 (not evaluated yet). */
int evaluate(const struct evaluation *e, FILE *out, FILE *err);

#endif
