/* Where flow goes: runs of steps that are executed as one begin there anew. */
#include "eval/machine/warp_state.h"

void eval_find_landings(const struct gp5_executable *x, uint8_t *landing)
{
    landing[x->entry] = 1;
    for (uint32_t i = 0; i < x->ncallees; i++)
        landing[x->callees[i].step] = 1;
    for (uint32_t i = 0; i < x->nsteps; i++)
        if (step_is_flow(&x->steps[i]) && x->steps[i].target < x->nsteps)
            landing[x->steps[i].target] = landing[x->steps[i].target + 1] = 1;
}
