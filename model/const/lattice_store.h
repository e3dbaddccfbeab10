/* What is known of each component of a program's variables, as a tree that copies share (lattice_store.c): a copy costs
 * nothing, a change a few nodes, and where two ways meet only what they hold apart is looked at. */
#ifndef GP5_EVAL_KNOWN_VALUES_H
#define GP5_EVAL_KNOWN_VALUES_H

#include "model/const/lattice.h"

/* Nothing is known of `count` values. `failed` is set when memory runs out: then values are lost. NULL without memory.
 */
struct known_values *model_known_values_new(uint32_t count, bool *failed);
struct known_values *model_known_values_copy(const struct known_values *v);
void model_known_values_free(struct known_values *v);
/* They become what the other ones are. */
void model_known_values_set(struct known_values *v, const struct known_values *to);
void model_known_values_forget(struct known_values *v);
/* Keeps what both know; `changed` (or NULL) is set where that is less than it was. */
void model_known_values_meet(struct known_values *v, const struct known_values *other, bool *changed);

#endif
