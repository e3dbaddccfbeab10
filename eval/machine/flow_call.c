/* Subroutines under divergence: calls, the order in which lanes call what they chose, and returns. */
#include "eval/machine/flow.h"
#include "eval/track/origin.h"

/* Those who took the same RET, or others of its block, before lanes that came apart from them took turns, are one
 * party, and so are those who came to the end at once. */
static void join_party(struct frame *f, uint32_t lanes, uint32_t way)
{
    if (!way && !f->split)
        return;
    f->parties += !way || way == WAY_ALONE || way != f->way;
    f->way = way;
    f->taken |= lanes && way && way != WAY_ALONE;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            f->count[lane] = LAST_PARTY + f->parties;
}

void eval_note_split(struct warp *w)
{
    for (uint32_t i = w->depth; i--;)
        if (w->frames[i].kind == FRAME_CALL) {
            w->frames[i].split = true;
            w->frames[i].way = 0;
            return;
        }
}

uint32_t eval_return(struct warp *w, uint32_t lanes, uint32_t way, uint32_t next)
{
    struct frame *f = eval_leave_frames(w, FRAME_CALL, lanes);

    if (!f)
        w->live &= ~lanes;
    else if (f->returns)
        join_party(f, lanes, way);
    eval_set_active(w, w->active & ~lanes);
    return w->active ? next : eval_skip(w);
}

uint32_t eval_call(struct warp *w, const struct step *s, uint32_t here, uint32_t lanes)
{
    struct frame *f;

    if (w->calls >= EVAL_CALL_DEPTH) {
        if (w->shadow)
            eval_note_use(w, s->insn, ORIGIN_CALL_DEPTH, lanes);
        return here + 1;
    }
    if (w->executed > w->limit) {
        eval_fail(w, GP5_RUN_LIMIT, s->insn, "the limit of %llu instructions a warp was reached at this call",
                  (unsigned long long)w->limit);
        return NO_STEP;
    }
    f = eval_push_frame(w, FRAME_CALL, here + 1, w->active);
    f->returns = s->ref != CALL_TOGETHER;
    f->once = s->ref == CALL_APART_ONCE;
    for (unsigned lane = 0; f->returns && lane < WARP_LANES; lane++)
        f->count[lane] = LAST_PARTY;
    w->calls++;
    eval_set_active(w, lanes);
    return s->target;
}

/* CALI: which step each lane calls. Lanes whose index is beyond the array call nothing. */
static uint32_t choose(struct warp *w, const struct step *s, struct frame *f, uint32_t lanes)
{
    const struct indirect *call = &w->x->indirects[s->ref];
    const uint32_t *called = w->worker->run->called + call->first;
    uint32_t lost = 0;

    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        int64_t e = call->index == NO_PLANE ? 0 : (int32_t)PLANE(w->base, call->index)[lane] + call->offset;
        if (e < 0 || e >= call->elements)
            lost |= 1u << lane;
        else
            f->count[lane] = called[e];
    }
    if (lost && w->shadow)
        eval_note_use(w, s->insn, ORIGIN_INDEX, lost);
    return lanes & ~lost;
}

uint32_t eval_call_chosen(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t pass = w->active & eval_test_any(w, &s->test);
    struct frame *f;

    if (w->x->indirects[s->ref].ends_loop) {
        eval_leave_loop(w, w->active & ~pass);
        if (!w->active)
            return eval_skip(w);
    }
    if (pass && w->calls >= EVAL_CALL_DEPTH) {
        if (w->shadow)
            eval_note_use(w, s->insn, ORIGIN_CALL_DEPTH, pass);
        return here + 2;
    }
    f = eval_push_frame(w, FRAME_CALI, here + 1, w->active);
    f->other = choose(w, s, f, pass);
    return here + 1;
}

/* Of lanes that wait for their calls those that call what the lowest does. */
static uint32_t with_lowest(const struct frame *f, uint32_t waiting)
{
    uint32_t target = f->count[__builtin_ctz(waiting)], lanes = 0;

    for (uint32_t rest = waiting; rest; rest &= rest - 1)
        if (f->count[__builtin_ctz(rest)] == target)
            lanes |= rest & (0 - rest);
    return lanes;
}

/* The lowest lane and those that go with it part from the others, and the fewer go first; so on among the others. */
static uint32_t next_callers(const struct warp *w, const struct frame *f)
{
    uint32_t waiting = f->other, lanes = with_lowest(f, waiting);

    while (w->worker->run->flush && __builtin_popcount(waiting & ~lanes) < __builtin_popcount(lanes) &&
           waiting != lanes) {
        waiting &= ~lanes;
        lanes = with_lowest(f, waiting);
    }
    return lanes;
}

/* The lanes that call the same subroutine do it together. */
uint32_t eval_next_callee(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = &w->frames[w->depth - 1];
    uint32_t lanes, target;

    if (!f->other) {
        w->depth--;
        eval_set_active(w, f->restore);
        return w->active ? here + 1 : eval_skip(w);
    }
    if (w->executed > w->limit) {
        eval_fail(w, GP5_RUN_LIMIT, s->insn, "the limit of %llu instructions a warp was reached at this call",
                  (unsigned long long)w->limit);
        return NO_STEP;
    }
    lanes = next_callers(w, f);
    target = f->count[__builtin_ctz(lanes)];
    f->other &= ~lanes;
    eval_push_frame(w, FRAME_CALL, here, lanes);
    w->calls++;
    eval_set_active(w, lanes);
    return target;
}
