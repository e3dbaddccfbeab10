/* BRA, whose flow is none of blocks: lanes that part wait in the frame of their call, or in one of the program, each
 * for the step where it goes on. Those who are least far are next, so that who comes to the same label joins them. */
#include "eval/machine/flow.h"

static struct frame *frame_of_call(struct warp *w)
{
    struct frame *f = w->depth ? &w->frames[w->depth - 1] : NULL;

    return f && (f->kind == FRAME_CALL || f->kind == FRAME_BRANCH) ? f : eval_push_frame(w, FRAME_BRANCH, 0, 0);
}

static void wait_for(struct frame *f, uint32_t lanes, uint32_t step)
{
    f->behind |= lanes;
    for (; lanes; lanes &= lanes - 1)
        f->side[__builtin_ctz(lanes)] = step;
}

uint32_t eval_next_branch(struct warp *w, struct frame *f)
{
    uint32_t first = UINT32_MAX, lanes = 0;

    for (uint32_t rest = f->behind; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        lanes = f->side[lane] < first ? 0 : lanes;
        first = f->side[lane] < first ? f->side[lane] : first;
        lanes |= (uint32_t)(f->side[lane] == first) << lane;
    }
    f->behind &= ~lanes;
    eval_set_active(w, lanes);
    return first;
}

uint32_t eval_branch(struct warp *w, const struct step *s, uint32_t lanes, uint32_t to, uint32_t others_to)
{
    struct frame *f = frame_of_call(w);
    uint32_t others = w->active & ~lanes;

    if (w->executed > w->limit) {
        eval_fail(w, GP5_RUN_LIMIT, s->insn, "the limit of %llu instructions a warp was reached at this branch",
                  (unsigned long long)w->limit);
        return NO_STEP;
    }
    if (!f->behind && !(lanes && others))
        return lanes ? to : others_to;
    wait_for(f, lanes, to);
    wait_for(f, others, others_to);
    return eval_next_branch(w, f);
}
