/* Preparing with a given instruction set of the machine: tests compare them. */
#ifndef GP5_EVAL_PREPARE_H
#define GP5_EVAL_PREPARE_H

#include "eval/machine/launch.h"

/* AVX2, NATIVE: the kernels of V3 and of V4, and machine code for runs of steps (jit.h). */
enum eval_level { EVAL_LEVEL_BASE, EVAL_LEVEL_V3, EVAL_LEVEL_AVX2, EVAL_LEVEL_V4, EVAL_LEVEL_NATIVE };

/* The best one that this machine has. */
enum eval_level eval_best_level(void);

gp5_executable *eval_prepare(const gp5_program *program, const struct gp5_run_options *options,
                             enum eval_level level, char **message, size_t *offset);

#endif
