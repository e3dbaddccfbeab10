/* The clock of the multiprocessor (invocation.clocklo, clockhi). Here it counts the instructions that the warp has
 * executed: it never goes back, and is the same every time. What a GPU's clock says is another matter, so that the
 * value is undefined to who tracks. */
#include "eval/track/origin.h"

void eval_clock(struct warp *w, const struct step *s)
{
    uint32_t id = w->shadow ? eval_origin(w, s->insn, ORIGIN_CLOCK, 0, w->active, 0) : 0;

    w->x->planes->fill(PLANE(w->base, s->ref), (uint32_t)w->executed);
    w->x->planes->fill(PLANE(w->base, s->ref + 1), (uint32_t)(w->executed >> 32));
    for (unsigned i = 0; i < 2 && w->shadow; i++) {
        w->x->planes->fill(PLANE(w->shadow, s->ref + i), id);
        eval_set_dirty(w, s->ref + i, true);
    }
}
