/* The subroutines of a launch (subroutine_bind.c). */
#ifndef GP5_EVAL_SUBROUTINES_H
#define GP5_EVAL_SUBROUTINES_H

#include "eval/machine/warp_state.h"

/* Whether the launch says of every parameter that CALI goes through which subroutine of its type it is, or says nothing
 * at all. */
bool eval_check_subroutines(const struct run *run, char *text, size_t size);
bool eval_map_subroutines(struct run *run);

#endif
