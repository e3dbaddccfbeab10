/* What the fragment stage does behind a program. */
#ifndef GP5_EVAL_FRAGMENT_H
#define GP5_EVAL_FRAGMENT_H

#include "eval/machine/stage_io.h"

/* OPTION ARB_fog_linear and its like: the colours of a warp's lanes are blended with the fog's. `element`: of their
 * inputs. */
void eval_fog(struct warp *w, const uint32_t element[WARP_LANES]);

#endif
