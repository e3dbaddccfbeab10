/* Vertices that geometry programs give (stage_geometry.c). */
#ifndef GP5_EVAL_EMISSION_H
#define GP5_EVAL_EMISSION_H

#include "eval/machine/warp_state.h"

/* EMIT and EMITS, ENDPRIM; `ref` of the step: the plane of the stream, or NO_PLANE. */
void eval_emit_vertex(struct warp *w, const struct step *s);
void eval_end_primitive(struct warp *w, const struct step *s);

/* The step behind a write to a result of the patch (stage_control.c). */
void eval_share_patch(struct warp *w, const struct step *s);

/* Room for a launch's vertices; false when memory ran out. */
bool eval_emission_new(struct run *run);
void eval_emission_free(struct run *run);

#endif
