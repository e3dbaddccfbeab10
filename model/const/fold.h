/* Constants as fold.c computes with them: what its parts share. */
#ifndef GP5_EVAL_FOLD_H
#define GP5_EVAL_FOLD_H

#include "model/const/lattice.h"

#define NEGATIVE 0x80000000u

/* fold_float.c: one component of an operation on singles; false: left to run time. */
bool model_fold_single(const struct fold *f, uint32_t a, uint32_t b, uint32_t c, uint32_t *word);
/* A result with its .SAT or .SSAT. */
uint32_t model_fold_clamped(const struct insn *insn, uint32_t w);

#endif
