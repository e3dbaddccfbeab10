/* Whether the warps of a work group give an instruction the same word (group_uniform.c). */
#ifndef GP5_EVAL_AGREEMENT_H
#define GP5_EVAL_AGREEMENT_H

#include "eval/machine/warp_state.h"

/* The words of the group at hand, by instruction and by how often a warp has come to it. */
struct agreements;

/* Whether `word` is what the warps before this one gave when they came to the call as often. The first to come
 * decides, and is right. When memory runs out the warp fails. */
bool eval_agrees(struct warp *w, const struct step *s, uint64_t word);
/* Forgets everything: another group begins. */
void eval_agreements_clear(struct worker *worker);
void eval_agreements_free(struct worker *worker);

#endif
