/* Loops whose number of passes is known (trip_count.c). */
#ifndef GP5_EVAL_TRIPS_H
#define GP5_EVAL_TRIPS_H

#include "asm/induction.h"
#include "model/const/lattice.h"

/* `costs`: of each instruction the operations of those before it (cost.h), and behind the last one of all.
 * Whether the driver unrolls the loop of a REP, from what is known before it, and how many copies of the body it makes.
 */
bool model_trips(const struct gp5_program *p, const uint32_t *costs, const struct known *known, uint32_t rep,
                 uint32_t *count, bool *no_memory);

#endif
