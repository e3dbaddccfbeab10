/* What transfer_op.c, simplify_partial.c and annotate.c share. */
#ifndef GP5_EVAL_KNOWN_COMPONENT_H
#define GP5_EVAL_KNOWN_COMPONENT_H

#include "model/const/fold.h"
#include "model/const/lattice.h"

/* absorbing.c. Whether an operation gives the same whatever an operand holds; `same`: its operands are. */
bool model_known_absorbs(const struct fold *f, const bool known[3], bool same, uint64_t *word);

/* simplify_partial.c. What is left to do where not all is known. */
void model_fold_partly(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded);
/* Of a CMP whose first operand is known: the operand that the component comes from, or -1. Into SHORT variables it is
 * the last one, whatever the first one is known to be. */
int model_known_choice(const struct fold *f, const bool known[3]);

/* annotate.c: what the machine does otherwise where something is known. The terms of a sum whose flags are set. */
void model_note_terms(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded);
/* The components of the operand of a vote of floats that are what a comparison of integers says: the vote asks that,
 * where the word is no number. */
void model_note_voted(const struct known *k, const struct insn *insn, struct folded *folded);

#endif
