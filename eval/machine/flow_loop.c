/* Loops under divergence: how often each lane runs the body, which lanes go on with the next pass, and from one copy of
 * a body to the next. */
#include "eval/machine/flow.h"
#include "eval/numeric/words.h"

#include <string.h>

/* Lanes that have no turn left. */
void eval_leave_loop(struct warp *w, uint32_t lanes)
{
    eval_leave_frames(w, FRAME_REP, lanes);
    eval_set_active(w, w->active & ~lanes);
}

void eval_leave_behind(struct warp *w, uint32_t lanes, uint32_t to)
{
    struct frame *f = eval_leave_frames(w, FRAME_REP, lanes);

    for (unsigned lane = 0; f && lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            f->side[lane] = to;
    if (f)
        f->behind |= lanes;
    eval_set_active(w, w->active & ~lanes);
}

/* No lane goes round any more: on to the first of the sides that stand behind the loop, or behind it all. */
static uint32_t end_loop(struct warp *w, struct frame *f, uint32_t next)
{
    uint32_t lanes = 0, to = UINT32_MAX;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (f->behind >> lane & 1 && f->side[lane] < to)
            to = f->side[lane];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (uint32_t)(f->behind >> lane & 1 && f->side[lane] == to) << lane;
    if (lanes) {
        f->behind &= ~lanes;
        eval_set_active(w, lanes);
        return to;
    }
    w->depth--;
    eval_set_active(w, f->restore);
    return w->active ? next : eval_skip(w);
}

/* How often a lane runs the body. */
static uint32_t trips(const struct warp *w, const struct repeat *r, unsigned lane)
{
    uint32_t low = PLANE(w->base, r->count)[lane];

    switch (r->type) {
    case DT_U32:    /* the driver takes it for signed */
        return (int32_t)low > 0 || !w->worker->run->flush ? low : 0;
    case DT_S32:
        return (int32_t)low > 0 ? low : 0;
    case DT_U64: case DT_S64: case DT_F64: {
        uint64_t bits = (uint64_t)PLANE(w->base, r->count + 1)[lane] << 32 | low;
        if (r->type == DT_F64) {
            double d = num_double(bits);
            return !(d >= 1) ? 0 : d >= 4294967295.0 ? UINT32_MAX : (uint32_t)d;
        }
        if (r->type == DT_S64 && (int64_t)bits < 0)
            return 0;
        return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
    }
    default: {
        float f = num_float(low);
        return !(f >= 1) ? 0 : f >= 4294967295.0f ? UINT32_MAX : (uint32_t)f;
    }
    }
}

uint32_t eval_enter_counted(struct warp *w, const struct step *s, struct frame *f)
{
    const struct repeat *r = &w->x->repeats[s->ref];
    uint32_t lanes = w->active;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        f->count[lane] = lanes >> lane & 1 ? trips(w, r, lane) : 0;
        if (!f->count[lane])
            lanes &= ~(1u << lane);
    }
    return lanes;
}

uint32_t eval_enter_loop(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = eval_push_frame(w, FRAME_REP, s->target, w->active);
    uint32_t lanes = w->active;

    f->parts = w->x->repeats[s->ref].parts;
    f->returns = w->x->repeats[s->ref].returns;
    f->no_reconverge = w->x->repeats[s->ref].no_reconverge;
    if (f->parts || f->returns)
        memset(f->count, 0, sizeof f->count);
    if (w->x->repeats[s->ref].count != NO_PLANE) {
        f->counted = true;
        w->held = 0;
        lanes = eval_enter_counted(w, s, f);
    }
    if (lanes) {
        eval_set_active(w, lanes);
        return here + 1;
    }
    w->depth--;
    return s->target + 1;
}

void eval_fail_limit(struct warp *w, const struct step *s)
{
    eval_fail(w, GP5_RUN_LIMIT, s->insn, "the limit of %llu instructions a warp was reached in this loop",
              (unsigned long long)w->limit);
}

static struct frame *innermost_loop(struct warp *w, uint32_t depth)
{
    while (w->frames[depth - 1].kind != FRAME_REP)
        depth--;
    return &w->frames[depth - 1];
}

/* The pass ends for these, and there are sides of an IF that have not come here yet. */
static uint32_t await_other_side(struct warp *w, struct frame *loop)
{
    loop->other |= w->active;
    eval_set_active(w, 0);
    return eval_skip(w);
}

/* The first of those that left a loop at the end of this one's body, or this one, at the same time, or a subroutine. */
uint32_t eval_next_party(struct frame *f, uint32_t waiting)
{
    uint32_t lanes = 0, party = UINT32_MAX;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (waiting >> lane & 1 && f->count[lane] && f->count[lane] < party)
            party = f->count[lane];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (waiting >> lane & 1 && f->count[lane] == party) {
            f->count[lane] = 0;
            lanes |= 1u << lane;
        }
    return lanes;
}

/* The lanes leave the innermost loop for the next pass of the one around it, or to wait behind it until it ends. */
uint32_t eval_leave_to_next(struct warp *w, const struct step *s, uint32_t lanes, uint32_t next)
{
    struct frame *f = eval_leave_frames(w, FRAME_REP, lanes),
                 *around = f->returns ? f : innermost_loop(w, (uint32_t)(f - w->frames));

    if (!f->returns)
        f->restore &= ~lanes;
    around->parties += !s->ref;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            around->count[lane] = around->parties;
    eval_set_active(w, w->active & ~lanes);
    return w->active ? next : eval_skip(w);
}

uint32_t eval_go_again(struct warp *w, uint32_t lanes, uint32_t next)
{
    struct frame *f = eval_leave_frames(w, FRAME_NEST, lanes);

    if (f)
        f->other |= lanes;
    eval_set_active(w, w->active & ~lanes);
    return w->active ? next : eval_skip(w);
}

uint32_t eval_end_nest(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = &w->frames[w->depth - 1];

    f->restore |= w->active;
    if (f->other && w->active)
        w->held = 0;
    if (f->other) {
        innermost_loop(w, w->depth)->turn++;
        eval_set_active(w, f->other);
        f->other = 0;
        if (w->executed > w->limit) {
            eval_fail_limit(w, s);
            return NO_STEP;
        }
        return s->target + 1;
    }
    w->depth--;
    eval_set_active(w, f->restore);
    return w->active ? here + 1 : eval_skip(w);
}

/* Those who took a CONT that ends no loop of its own, and the others. */
uint32_t eval_send_round(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t again = w->frames[--w->depth].other, rest = w->active;

    if (!again)
        return rest ? here + 1 : eval_skip(w);
    if (w->executed > w->limit) {
        eval_fail_limit(w, s);
        return NO_STEP;
    }
    eval_set_active(w, again | rest);
    return eval_part(w, s, rest, here + 1, w->x->steps[innermost_loop(w, w->depth)->end].target + 1);
}

/* Nobody waits: those who come to the end go round, and when nobody is left to run, those who waited elsewhere go on.
 */
static uint32_t next_round(struct warp *w, const struct step *s, struct frame *loop, uint32_t here)
{
    if (w->active) {
        loop->turn++;
        if (w->executed > w->limit) {
            eval_fail_limit(w, s);
            return NO_STEP;
        }
        return s->target + 1;
    }
    if (loop != &w->frames[w->depth - 1])
        return eval_skip(w);
    w->depth--;
    eval_set_active(w, loop->restore);
    return w->active ? here + 1 : eval_skip(w);
}

/* The innermost loop where all its lanes have come to the end of a round, and these; NULL where others are still
 * awaited, which go on at *next. */
static struct frame *end_round(struct warp *w, uint32_t *lanes, uint32_t *next)
{
    struct frame *f = innermost_loop(w, w->depth);

    *lanes = w->active | f->other;
    if (f != &w->frames[w->depth - 1]) {
        *next = await_other_side(w, f);
        return NULL;
    }
    f->other = 0;
    return f;
}

uint32_t eval_next_iteration(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t lanes, next;
    struct frame *f = innermost_loop(w, w->depth);

    if (f->no_reconverge)
        return next_round(w, s, f, here);
    f = end_round(w, &lanes, &next);
    if (!f)
        return next;
    f->turn++;
    if (!lanes && f->parts)
        lanes = eval_next_party(f, w->live);
    if (f->counted) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (lanes >> lane & 1 && --f->count[lane] == 0)
                lanes &= ~(1u << lane);
    }
    if (lanes) {
        eval_set_active(w, lanes);
        if (w->executed > w->limit) {
            eval_fail_limit(w, s);
            return NO_STEP;
        }
        return s->target + 1;
    }
    if (f->returns && f->restore) {     /* those behind it, one party after the other */
        f->kind = FRAME_PART;
        f->end = here + 1;
        f->other = f->restore;
        return eval_skip(w);
    }
    return end_loop(w, f, here + 1);
}

/* From one copy of an unrolled body to the next. Where no lane is left, only to its end. */
uint32_t eval_next_copy(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t lanes, next;
    struct frame *f = end_round(w, &lanes, &next);

    if (!f)
        return next;
    f->end = s->target;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        f->count[lane] -= lanes >> lane & 1;
    eval_set_active(w, lanes);
    return lanes ? here + 1 : s->target;
}
