/* gp5 run on one stage of a graphics program: arrays of inputs in, arrays of results out. */
#ifndef GP5_COMPARE_STAGE_RUN_H
#define GP5_COMPARE_STAGE_RUN_H

#include "compare/report/evaluate.h"

/* "BINDING=FILE" of an option, the file of an input read. */
struct stage_file {
    const char *binding, *path;
    const uint8_t *bytes;       /* of inputs; aligned for words */
    size_t size;
    uint8_t stream;             /* of results: BINDING@STREAM */
};

struct stage_run {
    struct evaluation e;
    uint32_t count, instances, patch_vertices;
    bool has_count, points;
    struct stage_file *inputs;
    struct stage_file *outputs;
    size_t input_count, output_count;
    const struct gp5_state *state;      /* or NULL */
};

/* Whether a program of this text is run this way without being asked to: its stage is neither compute nor fragments. */
bool stage_run_needed(const char *text, size_t size);

/* The exit status: 0, 1 (invalid, or it did not end well), 2 (sizes, files), 77. Files are written when all has gone
 * well. */
int stage_run(const struct stage_run *s, FILE *out, FILE *err);

#endif
