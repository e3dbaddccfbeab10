/* Texture instructions: told to who looks on, then done: a warp at a time or, what is rare, a lane. */
#include "eval/machine/warp_state.h"
#include "eval/race/race.h"
#include "eval/texture/sample.h"
#include "eval/track/origin.h"

void eval_texture(struct warp *w, const struct step *s)
{
    const struct texture_call *t = &w->x->texture_calls[s->ref];
    const struct texture_view *plain = eval_texture_plain(w, t);
    bool fetched = w->shadow && eval_track_texture(w, s, plain);    /* before races, which say what becomes of it */
    struct texture_result r;

    if (w->worker->run->races && w->worker->run->launch->nimages)
        eval_race_texture(w, s);
    if (plain && !fetched)
        eval_texture_warp(w, t, plain);
    for (uint32_t lanes = plain || fetched ? 0 : w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        eval_texture_lane(w, t, lane, &r);
        for (unsigned i = 0; i < t->n; i++)
            PLANE(w->base, t->dst[i])[lane] = r.word[t->comp[i]];
    }
}
