/* What the files of gp5 run on one stage share (stage_run.c, stage_print.c). */
#ifndef GP5_COMPARE_STAGE_CONTEXT_H
#define GP5_COMPARE_STAGE_CONTEXT_H

#include "asm/binding_name.h"
#include "compare/driver/reference.h"
#include "compare/driver/reference_launch.h"
#include "compare/report/stage_run.h"

/* A run while it lasts. */
struct stage_context {
    const struct stage_run *s;
    struct reference reference;
    struct reference_launch launch;
    struct driver_case case_;
    struct outcome outcome;
    enum program_stage stage;
    struct gp5_array inputs[64], results[64];
    size_t ninputs, nresults;
    bool named[64];             /* a result that --output names, and is no table */
    uint8_t *covered;
    size_t elements;            /* of the results */
    float *points;              /* tessellation evaluation: x y z each */
    uint32_t *tesscoord, *patch;
    size_t npoints;
    FILE *err;
    int status;
};

/* One line about what is wrong, and the status that the run ends with; false. */
bool stage_fail(struct stage_context *c, int status, const char *format, ...) OUTCOME_PRINTF(3, 4);

const struct stage_file *stage_find_input(const struct stage_context *c, const char *binding);

/* coverage and vertex.tesscoord: what --output writes that is no result of the program. */
bool stage_is_special(const struct stage_file *f);

/* stage_print.c: the files of --output, and what is shown. */
bool stage_write_files(struct stage_context *c);
void stage_print(const struct stage_context *c, FILE *out);
void stage_print_json(const struct stage_context *c, FILE *out);

#endif
