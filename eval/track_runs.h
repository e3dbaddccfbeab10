/* Tracking without looking at every step: what is known before a launch about where undefined values can be. */
#ifndef GP5_EVAL_TRACK_RUNS_H
#define GP5_EVAL_TRACK_RUNS_H

#include "eval/machine.h"

/* Of a run of steps that is machine code (native.h): the planes that it reads from before it, and those that it writes; both in
 * `planes`. Arithmetic on what is defined gives what is defined, so that a run with clean operands needs no other tracking. */
struct tracked_run {
    bool closed;                /* no operation of it can make an undefined value of defined ones */
    uint32_t in, nin, out, nout;
};
struct tracked_runs {
    struct tracked_run *runs;
    uint32_t *planes;
};

/* After eval_native_build. Without memory there are none, and runs are tracked step by step. */
void eval_track_runs_build(struct gp5_executable *x);

/* Whether the run that begins with this step may go untracked; its results are then taken to be defined. */
bool eval_track_run(struct warp *w, const struct step *s);

#endif
