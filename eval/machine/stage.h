/* What differs between stages: which lanes exist, what they read, where results go. */
#ifndef GP5_EVAL_STAGE_H
#define GP5_EVAL_STAGE_H

#include "eval/machine/warp_state.h"
#include "eval/state/gl_state.h"

struct stage {
    /* Checks the launch; fills groups and the number of warps a group. False with a message. */
    bool (*plan)(struct run *run, uint32_t *warps, char *message, size_t size);
    /* The lanes of a warp of the worker's group, and its inputs. `first` is set when the worker has just
     * been made: what does not change from group to group is then filled in as well. */
    void (*start)(struct worker *worker, struct warp *w, bool first);
    /* All warps of the group have ended. */
    void (*finish)(struct worker *worker);
    /* All groups have ended; or NULL. */
    void (*collect)(struct run *run, struct gp5_report *report);
};

extern const struct stage eval_compute_stage, eval_fragment_stage, eval_vertex_stage, eval_control_stage,
    eval_evaluation_stage, eval_geometry_stage;

/* Fills env, local and the constants; returns false when the input is the stage's own. */
bool eval_fill_uniform(const struct run *run, struct warp *w, const struct plane_source *source);

#endif
