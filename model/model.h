/* What NVIDIA's compiler does to a program before it runs, as far as it shows (docs/passes.md): all that the rest of
 * gp5 calls of it. Results are the tables of model/tables.h; model/passes.h has the table of passes and their switches.
 */
#ifndef GP5_MODEL_MODEL_H
#define GP5_MODEL_MODEL_H

#include "model/tables.h"

/* Runs the passes over a program; false without memory. model_free is to be called either way; the program must outlive
 * it. */
bool model_run_passes(struct model *m, const struct gp5_program *text, uint64_t passes, bool nvidia);
void model_free(struct model *m);

/* Of each instruction the components of its result that are used; NULL without memory. */
const uint8_t *model_useful(struct model *m);
/* Whether it is known already what is read where the program begins; then whether a component of a variable, or (of
 * NO_INDEX) of a condition code is. */
bool model_knows_entry(const struct model *m);
bool model_wants_at_entry(const struct model *m, uint32_t symbol, unsigned cc, unsigned component);
/* Components of a copy into a SHORT variable whose clamp is that of the single that it copies. */
uint8_t model_clamps_single(const struct model *m, uint32_t i, const struct insn *insn);

/* What a component of a sum or a vector operation is made of, step by step: the number of steps, the last of which is
 * the result. */
unsigned model_all_steps(const struct model *m, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS]);

#endif
