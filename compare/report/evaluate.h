/* gp5 run on a plain program: evaluate it once and print what it did. */
#ifndef GP5_COMPARE_EVALUATE_H
#define GP5_COMPARE_EVALUATE_H

#include "compare/driver/outcome.h"
#include "compare/world/picture.h"
#include "gp5.h"

#include <stdio.h>

struct watch;

struct evaluation {
    const char *file;
    const char *text;
    size_t size;
    bool colour;                    /* of diagnostics */
    bool has_groups, has_size;      /* were asked for: the program may be of another kind */
    uint32_t groups[3];
    uint32_t width, height;         /* fragment programs */
    const struct driver_buffer *storage, *constants;
    size_t storage_count, constant_count;
    const struct driver_parameter *env, *local;
    size_t env_count, local_count;
    uint32_t group_size[3];         /* 0: as the program declares */
    const struct driver_buffer *counters;
    size_t counter_count;
    const struct driver_texture *textures;  /* brought back, all of them */
    size_t texture_count;
    const struct gp5_image *images;
    size_t image_count;
    const struct driver_pointer *pointers;
    size_t pointer_count;
    const uint32_t *subroutines;
    size_t subroutine_count;
    struct gp5_run_options run;
    struct watch *watch;            /* looks on, or NULL */
    bool json;                      /* the trace and what came out as JSON, an object a line */

    /* Whether an output is written elsewhere, and not printed as a table; or NULL. */
    bool (*quiet)(void *user, enum output_kind kind, uint32_t binding);
    /* Called after a run with each storage buffer, counter buffer and texture; false is trouble. */
    bool (*after)(void *user, enum output_kind kind, uint32_t binding, const uint8_t *data, size_t size);
    /* Called after a run of fragments with their first colour; false is trouble. Or NULL. */
    bool (*picture)(void *user, const struct picture *picture);
    void *user;
};

/* What is asked for that such a program has not, and what it has instead; or NULL. Of several files some may be of
 * either kind: with both options each takes its own. */
const char *evaluation_misplaced(const struct evaluation *e, const struct gp5_program *program);

/* The exit status: 0, 1 (invalid, or it did not end well), 2 (trouble), 77 (not evaluated yet). */
int evaluate(const struct evaluation *e, FILE *out, FILE *err);

#endif
