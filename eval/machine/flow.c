/* Structured control flow under divergence: a stack of blocks, each with the lanes that go on after it.
 *
 * A lane that leaves a loop, a subroutine or the program is taken out of every block between here and
 * there, so the ends of those blocks do not bring it back. When no lane is left the warp goes straight to
 * the end of the innermost block. Each side of an IF runs with its own lanes only; behind ENDIF and ENDREP
 * the warp is whole again.
 *
 * CONTs that are to the driver's compiler the ends of inner loops have frames of their own (reconverge.h).
 *
 * Where it has no place for lanes to meet, they go on apart: the sides of an IF with a CONT in it until the pass of the
 * loop ends, and those that leave an endless loop at the end of another one's body until they leave that one, those
 * that leave a loop that begins with a RET or come back from some calls until they return. */
#include "eval/machine/flow.h"

struct frame *eval_push_frame(struct warp *w, uint8_t kind, uint32_t end, uint32_t restore)
{
    struct frame *f = &w->frames[w->depth++];

    f->kind = kind;
    f->end = end;
    f->restore = restore;
    f->other = 0;
    f->first = 0;
    f->behind = 0;
    f->turn = 0;
    f->counted = f->parts = f->returns = f->no_reconverge = false;
    f->parties = f->way = 0;
    f->split = f->once = f->taken = false;
    return f;
}

/* Of an IF with a BAR in it the side with fewer lanes runs first: here that of ELSE. */
static uint32_t else_first(struct warp *w, const struct step *s, struct frame *f, uint32_t pass, uint32_t here)
{
    const struct step *otherwise = &w->x->steps[s->target];

    f->first = here + 1;
    f->end = otherwise->target;
    eval_set_active(w, f->other);
    f->other = pass;
    return s->target + 1;
}

static uint32_t then_at_last(struct warp *w, struct frame *f)
{
    uint32_t to = f->first;

    f->first = 0;
    eval_set_active(w, f->other);
    f->other = 0;
    return to;
}

/* No lane is active: on to where some are. */
uint32_t eval_skip(struct warp *w)
{
    while (w->depth) {
        struct frame *f = &w->frames[w->depth - 1];
        if (f->kind == FRAME_PART && f->other)
            return eval_next_part(w);
        if ((f->kind == FRAME_CALL || f->kind == FRAME_BRANCH) && f->behind)
            return eval_next_branch(w, f);
        if (f->kind != FRAME_CALL && f->kind != FRAME_PART && f->kind != FRAME_BRANCH)
            return f->end;
        w->depth--;
        if (f->kind != FRAME_CALL) {
            w->held = 0;
            continue;
        }
        w->calls--;
        if (f->returns && (!f->once || f->taken) &&
            f->restore & w->live) { /* those behind the call, one party after the other */
            w->depth++;
            f->kind = FRAME_PART;
            f->way = 0;
            f->other = f->restore & w->live;
            return eval_next_part(w);
        }
        eval_set_active(w, f->restore & w->live);
        if (w->active)
            return f->end;
    }
    w->state = WARP_ENDED;
    return NO_STEP;
}

/* Takes lanes out of the blocks down to the first frame of `kind`, which is returned; NULL when there is
 * none (then they are out of all of them). */
struct frame *eval_leave_frames(struct warp *w, uint8_t kind, uint32_t lanes)
{
    for (uint32_t i = w->depth; i--;) {
        struct frame *f = &w->frames[i];
        if (f->kind == kind)
            return f;
        f->restore &= ~lanes;
    }
    return NULL;
}

void eval_end_lanes(struct warp *w, uint32_t lanes)
{
    for (uint32_t i = 0; i < w->depth; i++) {
        w->frames[i].restore &= ~lanes;
        w->frames[i].other &= ~lanes;
    }
    w->live &= ~lanes;
    eval_set_active(w, w->active & ~lanes);
}

/* Lanes that take a jump. Where others do not, nobody is held any more. */
static uint32_t jumping(struct warp *w, const struct step *s)
{
    uint32_t pass = w->active & eval_test_any(w, &s->test);

    if (pass && pass != w->active)
        w->held = 0;
    return pass;
}

/* An IF one side of which stands behind the loop: its lanes leave, the others go on in the other side, or behind ENDIF.
 */
static uint32_t split_off(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t pass = w->active & eval_test_any(w, &s->test), out = s->kind == STEP_OUT ? pass : w->active & ~pass,
             rest = w->active & ~out;

    if (out && rest)
        w->held = 0;
    eval_leave_behind(w, out, s->kind == STEP_OUT ? here + 1 : s->target + 1);
    if (!rest)
        return eval_skip(w);
    eval_push_frame(w, FRAME_IF, s->target, rest)->other = s->kind == STEP_OUT ? rest : 0;
    eval_set_active(w, s->kind == STEP_OUT ? 0 : rest);
    return s->kind == STEP_OUT ? s->target : here + 1;
}

uint32_t eval_flow(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f;
    uint32_t pass, gone;

    switch (s->kind) {
    case STEP_IF:
        pass = w->active & eval_test_any(w, &s->test);
        f = eval_push_frame(w, FRAME_IF, s->target, w->active);
        f->other = w->active & ~pass;
        if (pass && f->other && s->ref != IF_PREDICATED)
            w->held = 0;
        if (s->ref == IF_ORDERED && f->other && __builtin_popcount(f->other) < __builtin_popcount(pass))
            return else_first(w, s, f, pass, here);
        eval_set_active(w, pass);
        return pass ? here + 1 : s->target;
    case STEP_ELSE:
        f = &w->frames[w->depth - 1];
        f->end = s->target;
        eval_set_active(w, f->other);
        f->other = 0;
        return w->active ? here + 1 : s->target;
    case STEP_OUT:
    case STEP_OUT_ELSE:
        return split_off(w, s, here);
    case STEP_PART:
        return eval_part(w, s, w->active & eval_test_any(w, &s->test), here + 1, s->target + 1);
    case STEP_PART_OTHERWISE:
        return eval_part(w, s, w->active & ~eval_test_any(w, &s->test), s->target + 1, here + 1);
    case STEP_PART_ELSE:
        return s->target;
    case STEP_PART_END:
        return here + 1;
    case STEP_BRK_ON:
        pass = jumping(w, s);
        return eval_leave_to_next(w, s, pass, here + 1);
    case STEP_ENDIF:
        f = &w->frames[w->depth - 1];
        if (f->first)
            return then_at_last(w, f);
        w->depth--;
        eval_set_active(w, f->restore);
        return w->active ? here + 1 : eval_skip(w);
    case STEP_REP:
        return eval_enter_loop(w, s, here);
    case STEP_NEXT:
        return eval_next_copy(w, s, here);
    case STEP_ENDREP:
        return eval_next_iteration(w, s, here);
    case STEP_BRK:
    case STEP_CONT:
        pass = jumping(w, s);
        gone = s->kind == STEP_CONT && s->ref ? w->active : pass;
        if (s->kind == STEP_BRK) {
            eval_leave_loop(w, gone);
            return w->active ? here + 1 : eval_skip(w);
        }
        f = eval_leave_frames(w, FRAME_REP, gone);
        if (f)
            f->other |= pass;
        eval_set_active(w, w->active & ~gone);
        return w->active ? here + 1 : eval_skip(w);
    case STEP_NEST:
        eval_push_frame(w, FRAME_NEST, s->target, 0);
        return here + 1;
    case STEP_AGAIN:
        return eval_go_again(w, jumping(w, s), here + 1);
    case STEP_AWAY_END:
        return eval_send_round(w, s, here);
    case STEP_NEST_END:
        return eval_end_nest(w, s, here);
    case STEP_CAL:
        pass = jumping(w, s);
        return pass ? eval_call(w, s, here, pass) : here + 1;
    case STEP_CALI:
        w->held = 0;
        return eval_call_chosen(w, s, here);
    case STEP_NEXT_CALLEE:
        return eval_next_callee(w, s, here);
    case STEP_BRA:
        return eval_branch(w, s, w->active & eval_test_any(w, &s->test), s->target, here + 1);
    case STEP_JOIN:
        return eval_branch(w, s, w->active, here + 1, here + 1);
    case STEP_RET:
        return eval_return(w, jumping(w, s), s->ref, here + 1);
    default:    /* STEP_END */
        return eval_return(w, w->active, 0, here);
    }
}
