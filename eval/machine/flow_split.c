/* Sides of IFs that do not meet behind ENDIF, until the pass of the loop ends: in which order they go on, and who comes
 * together on the way.
 *
 * Where lanes part, the fewer go on, those who do not jump where both are as many. The others wait where they are to go
 * on, and are held: they are next when nobody is left to run. Only the last ones who parted are held. Of those that
 * waited before, those who came last are next, and with them all who wait at the same place. Lanes that run into that
 * place join nobody. Measured with clocks and ballots (docs/semantics.md, "Divergence"). */
#include "eval/machine/flow.h"

/* Where lanes that are at a step come to something. */
static uint32_t destination(const struct gp5_executable *x, uint32_t step)
{
    for (;;) {
        const struct step *s = &x->steps[step];
        if (s->kind == STEP_PART_ELSE)
            step = s->target;
        else if (s->kind == STEP_PART_END)
            step++;
        else
            return step;
    }
}

static void wait_at(struct warp *w, uint32_t lanes, uint32_t step, uint32_t way)
{
    struct frame *f = eval_push_frame(w, FRAME_PART, destination(w->x, step), 0);

    f->other = lanes;
    f->way = way;
}

uint32_t eval_part(struct warp *w, const struct step *s, uint32_t lanes, uint32_t to, uint32_t others_to)
{
    uint32_t others = w->active & ~lanes, way = s->ref & ~PART_GOES_ON;
    const struct frame *f = w->depth ? &w->frames[w->depth - 1] : NULL;

    if (way && f && f->kind == FRAME_PART && f->way == way) {   /* those who go around the IF around this one: its
                                                                 * test and this are one */
        others |= f->other;
        w->depth--;
    }
    eval_set_active(w, lanes);
    if (lanes && !others)
        return to;
    if (!lanes) {
        eval_set_active(w, others);
        return others_to;
    }
    if (s->ref & PART_GOES_ON) {
        wait_at(w, others, others_to, way);
        return to;
    }
    if (__builtin_popcount(others) < __builtin_popcount(lanes)) {
        wait_at(w, lanes, to, 0);
        eval_set_active(w, others);
        to = others_to;
    } else {
        wait_at(w, others, others_to, 0);
    }
    w->held = w->depth;
    return to;
}

/* Of the frames from `base` on the lanes that wait at one place; these frames go. */
static uint32_t take_lanes(struct warp *w, uint32_t base, uint32_t place)
{
    uint32_t lanes = 0, kept = base;

    for (uint32_t i = base; i < w->depth; i++) {
        if (w->frames[i].end == place)
            lanes |= w->frames[i].other;
        else if (w->frames[i].other)
            w->frames[kept++] = w->frames[i];
    }
    w->depth = kept;
    return lanes;
}

uint32_t eval_next_part(struct warp *w)
{
    struct frame *f = &w->frames[w->depth - 1];
    uint32_t lanes, base = w->depth, place = f->end;

    if (f->returns) {   /* the next of those that left a loop or a subroutine together */
        lanes = eval_next_party(f, f->other);
        eval_note_split(w);
        f->other &= ~lanes;
        w->depth -= !f->other;
    } else if (w->held == w->depth) {
        lanes = f->other;
        w->depth--;
    } else {
        while (base && w->frames[base - 1].kind == FRAME_PART && !w->frames[base - 1].returns)
            base--;
        lanes = take_lanes(w, base, place);
    }
    w->held = 0;
    eval_set_active(w, lanes);
    return place;
}
