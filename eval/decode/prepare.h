/* Preparing with a given instruction set of the machine: tests compare them. */
#ifndef GP5_EVAL_PREPARE_H
#define GP5_EVAL_PREPARE_H

#include "eval/machine/warp_state.h"

/* AVX2, NATIVE: the kernels of V3 and of V4, and machine code for runs of steps (jit.h). */
enum eval_level { EVAL_LEVEL_BASE, EVAL_LEVEL_V3, EVAL_LEVEL_AVX2, EVAL_LEVEL_V4, EVAL_LEVEL_NATIVE };

/* The best one that this machine has. */
enum eval_level eval_best_level(void);

gp5_executable *eval_prepare(const gp5_program *program, const struct gp5_run_options *options,
                             enum eval_level level, char **message, size_t *offset);

/* gp5_execute with somebody looking on; then on one thread. */
enum gp5_run_status eval_execute(const gp5_executable *executable, const struct gp5_launch *launch,
                                 const struct gp5_run_options *options, const struct eval_observer *observer,
                                 struct gp5_report *report);

#endif
