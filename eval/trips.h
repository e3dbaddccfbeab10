/* Loops whose number of passes is known (trips.c). */
#ifndef GP5_EVAL_TRIPS_H
#define GP5_EVAL_TRIPS_H

#include "eval/known.h"

/* Whether the driver unrolls the loop of a REP, from what is known before it, and how many copies of the body it makes. */
bool eval_trips(const struct gp5_program *p, const struct known *known, uint32_t rep, uint32_t *count, bool *no_memory);

/* Whether a BRK or RET stands between two instructions. */
bool eval_loop_left(const struct gp5_program *p, uint32_t from, uint32_t to);

/* Whether a loop whose count only the run tells has several copies of its body: four, two and one. */
bool eval_runs_in_phases(const struct gp5_program *p, const struct known *known, uint32_t rep);

#endif
