/* Tracking without looking at every step: what is known before a launch about where undefined values can be. */
#ifndef GP5_EVAL_TRACK_RUNS_H
#define GP5_EVAL_TRACK_RUNS_H

#include "eval/machine/warp_state.h"

/* Of a run of steps: the planes that it reads from before it, and those that it writes; both in `planes`. Arithmetic on
 * what is defined gives what is defined, so that a run with clean operands needs no other tracking. Runs are those of
 * machine code (jit.h), and what stands without flow or memory between two steps. */
struct tracked_run {
    bool closed;                /* no operation of it can make an undefined value of defined ones */
    uint32_t steps;
    uint32_t in, nin, out, nout;
    uint32_t other;             /* a shorter one that begins there: its number and 1, or 0 */
};
struct tracked_runs {
    struct tracked_run *runs;
    uint32_t *planes;
    uint32_t *at;               /* of each step: the run that begins there and 1, or 0 */
    uint32_t *marks, nmarks;    /* planes of sources that are undefined by what they are where a group begins, but for
                                 * those that are written before anything reads them */
};

/* After eval_native_build. Without memory there are none, and everything is tracked step by step. */
void eval_track_runs_build(struct gp5_executable *x);

/* How many steps from this one on may go untracked; their results are then taken to be defined. */
uint32_t eval_track_run(struct warp *w, const struct step *s);

#endif
