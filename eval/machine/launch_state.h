/* A launch in progress, as launch.c and bind.c see it. */
#ifndef GP5_EVAL_EXECUTION_H
#define GP5_EVAL_EXECUTION_H

#include "eval/machine/stage.h"

#include <stdatomic.h>

/* A launch in progress: what is made for it and freed after it. */
struct execution {
    struct run run;
    const struct stage *stage;
    struct gp5_state defaults;
    struct worker *workers;
    uint32_t nworkers;
    struct shadow_run *shadows;     /* of every storage buffer, and of the colours */
    size_t nshadows;
};

/* The buffer of a list that is bound there, or NULL. */
const struct gp5_buffer *eval_bound_buffer(const struct gp5_buffer *list, size_t n, uint32_t binding);
/* Whether a list has every binding once; else a message. */
bool eval_check_buffers(const struct gp5_buffer *list, size_t n, const char *what, char *text, size_t size);
/* Where the program finds textures, buffers and what has an address, and shadows where undefinedness is followed: false
 * when memory runs out. */
bool eval_map_textures(struct execution *e);
bool eval_map_slots(struct execution *e);
bool eval_map_addresses(struct execution *e);
bool eval_make_shadows(struct execution *e);

#endif
