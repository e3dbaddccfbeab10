/* Structured control flow under divergence: a stack of blocks, each with the lanes that go on after it.
 *
 * A lane that leaves a loop, a subroutine or the program is taken out of every block between here and
 * there, so the ends of those blocks do not bring it back. When no lane is left the warp goes straight to
 * the end of the innermost block. Each side of an IF runs with its own lanes only; behind ENDIF and ENDREP
 * the warp is whole again.
 *
 * Where the driver's compiler has no such place, lanes go on apart: the sides of an IF with a CONT in it until the pass of the loop ends, and
 * those that leave an endless loop at the end of another one's body until they leave that one. */
#include "eval/machine.h"
#include "eval/origins.h"
#include "eval/numeric/words.h"

#include <math.h>
#include <string.h>

static struct frame *push(struct warp *w, uint8_t kind, uint32_t end, uint32_t restore)
{
    struct frame *f = &w->frames[w->depth++];

    f->kind = kind;
    f->end = end;
    f->restore = restore;
    f->other = 0;
    f->first = 0;
    f->turn = 0;
    f->counted = f->parts = f->phased = false;
    return f;
}

/* The other side of an IF whose sides do not meet. */
static uint32_t other_side(struct warp *w)
{
    struct frame *f = &w->frames[--w->depth];

    eval_set_active(w, f->other);
    return f->end;
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
static uint32_t skip(struct warp *w)
{
    while (w->depth) {
        struct frame *f = &w->frames[w->depth - 1];
        if (f->kind == FRAME_PART && f->other)
            return other_side(w);
        if (f->kind != FRAME_CALL && f->kind != FRAME_PART)
            return f->end;
        w->depth--;
        if (f->kind == FRAME_PART)
            continue;
        w->calls--;
        eval_set_active(w, f->restore & w->live);
        if (w->active)
            return f->end;
    }
    w->state = WARP_ENDED;
    return NO_STEP;
}

/* Takes lanes out of the blocks down to the first frame of `kind`, which is returned; NULL when there is
 * none (then they are out of all of them). */
static struct frame *leave(struct warp *w, uint8_t kind, uint32_t lanes)
{
    for (uint32_t i = w->depth; i--;) {
        struct frame *f = &w->frames[i];
        if (f->kind == kind)
            return f;
        f->restore &= ~lanes;
    }
    return NULL;
}

/* Lanes that have no turn left. */
static void leave_loop(struct warp *w, uint32_t lanes)
{
    struct frame *f = leave(w, FRAME_REP, lanes);

    for (unsigned lane = 0; f && f->phased && lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            f->count[lane] = 0;
    eval_set_active(w, w->active & ~lanes);
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

static uint32_t do_return(struct warp *w, uint32_t lanes, uint32_t next)
{
    if (!leave(w, FRAME_CALL, lanes))
        w->live &= ~lanes;
    eval_set_active(w, w->active & ~lanes);
    return w->active ? next : skip(w);
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

/* From phase p of a loop on: the first one that some lane has rounds enough for. */
static uint32_t next_phase(struct warp *w, const struct repeat *r, unsigned p)
{
    struct frame *f = &w->frames[w->depth - 1];

    for (; p < PHASES; p++) {
        uint32_t lanes = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            lanes |= (uint32_t)(f->restore >> lane & 1 && f->count[lane] >= r->rounds[p]) << lane;
        if (lanes) {
            eval_set_active(w, lanes);
            return r->phase[p];
        }
    }
    w->depth--;
    eval_set_active(w, f->restore);
    return w->active ? r->phase[PHASES] : skip(w);
}

static uint32_t enter_loop(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = push(w, FRAME_REP, s->target, w->active);
    uint32_t lanes = w->active;

    f->parts = w->x->repeats[s->ref].parts;
    f->phased = w->x->repeats[s->ref].phased;
    f->parties = 0;
    if (f->parts)
        memset(f->count, 0, sizeof f->count);
    if (w->x->repeats[s->ref].count != NO_PLANE) {
        f->counted = true;
        lanes = eval_enter_counted(w, s, f);
    }
    if (w->x->repeats[s->ref].phased)
        return next_phase(w, &w->x->repeats[s->ref], 0);
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
    return skip(w);
}

/* Of the lanes that left a loop at the end of this one's body, those that did it together. */
static uint32_t next_party(struct frame *f)
{
    uint32_t lanes = 0, party = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (f->count[lane] && (!party || f->count[lane] == party)) {
            party = f->count[lane];
            f->count[lane] = 0;
            lanes |= 1u << lane;
        }
    return lanes;
}

/* The lanes leave the innermost loop for the next pass of the one around it. */
static uint32_t leave_to_next(struct warp *w, const struct step *s, uint32_t lanes, uint32_t next)
{
    struct frame *f = leave(w, FRAME_REP, lanes), *around = innermost_loop(w, (uint32_t)(f - w->frames));

    f->restore &= ~lanes;
    around->parties += !s->ref;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            around->count[lane] = around->parties;
    eval_set_active(w, w->active & ~lanes);
    return w->active ? next : skip(w);
}

static uint32_t next_iteration(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = innermost_loop(w, w->depth);
    uint32_t lanes = w->active | f->other;

    if (f != &w->frames[w->depth - 1])
        return await_other_side(w, f);
    f->other = 0;
    f->turn++;
    if (!lanes && f->parts)
        lanes = next_party(f);
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
    w->depth--;
    eval_set_active(w, f->restore);
    return w->active ? here + 1 : skip(w);
}

/* A phase ends: again, or on to the next one. */
static uint32_t end_phase(struct warp *w, const struct step *s)
{
    const struct repeat *r = &w->x->repeats[s->ref];
    struct frame *f = innermost_loop(w, w->depth);
    uint32_t lanes = w->active | f->other;

    if (f != &w->frames[w->depth - 1])
        return await_other_side(w, f);
    f->other = 0;
    f->turn++;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        f->count[lane] -= lanes >> lane & 1;
    if (w->executed > w->limit) {
        eval_fail_limit(w, s);
        return NO_STEP;
    }
    return next_phase(w, r, s->target + (r->once && s->target == 0));
}

/* From one copy of an unrolled body to the next. Where no lane is left, only to its end. */
static uint32_t next_copy(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = innermost_loop(w, w->depth);
    uint32_t lanes = w->active | f->other;

    if (f != &w->frames[w->depth - 1])
        return await_other_side(w, f);
    f->other = 0;
    f->end = s->target;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        f->count[lane] -= lanes >> lane & 1;
    eval_set_active(w, lanes);
    return lanes ? here + 1 : s->target;
}

static uint32_t call(struct warp *w, const struct step *s, uint32_t here, uint32_t lanes)
{
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
    push(w, FRAME_CALL, here + 1, w->active);
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

static uint32_t call_chosen(struct warp *w, const struct step *s, uint32_t here)
{
    uint32_t pass = w->active & eval_test_any(w, &s->test);
    struct frame *f;

    if (w->x->indirects[s->ref].ends_loop) {
        leave_loop(w, w->active & ~pass);
        if (!w->active)
            return skip(w);
    }
    if (pass && w->calls >= EVAL_CALL_DEPTH) {
        if (w->shadow)
            eval_note_use(w, s->insn, ORIGIN_CALL_DEPTH, pass);
        return here + 2;
    }
    f = push(w, FRAME_CALI, here + 1, w->active);
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

    while (w->worker->run->flush && __builtin_popcount(waiting & ~lanes) < __builtin_popcount(lanes) && waiting != lanes) {
        waiting &= ~lanes;
        lanes = with_lowest(f, waiting);
    }
    return lanes;
}

/* The lanes that call the same subroutine do it together. */
static uint32_t next_callee(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f = &w->frames[w->depth - 1];
    uint32_t lanes, target;

    if (!f->other) {
        w->depth--;
        eval_set_active(w, f->restore);
        return w->active ? here + 1 : skip(w);
    }
    if (w->executed > w->limit) {
        eval_fail(w, GP5_RUN_LIMIT, s->insn, "the limit of %llu instructions a warp was reached at this call",
                  (unsigned long long)w->limit);
        return NO_STEP;
    }
    lanes = next_callers(w, f);
    target = f->count[__builtin_ctz(lanes)];
    f->other &= ~lanes;
    push(w, FRAME_CALL, here, lanes);
    w->calls++;
    eval_set_active(w, lanes);
    return target;
}

uint32_t eval_flow(struct warp *w, const struct step *s, uint32_t here)
{
    struct frame *f;
    uint32_t pass, gone;

    switch (s->kind) {
    case STEP_IF:
        pass = w->active & eval_test_any(w, &s->test);
        f = push(w, FRAME_IF, s->target, w->active);
        f->other = w->active & ~pass;
        if (s->ref && f->other && __builtin_popcount(f->other) < __builtin_popcount(pass))
            return else_first(w, s, f, pass, here);
        eval_set_active(w, pass);
        return pass ? here + 1 : s->target;
    case STEP_ELSE:
        f = &w->frames[w->depth - 1];
        f->end = s->target;
        eval_set_active(w, f->other);
        f->other = 0;
        return w->active ? here + 1 : s->target;
    case STEP_PART:
        pass = w->active & eval_test_any(w, &s->test);
        if (!pass)
            return s->target + 1;
        if (pass != w->active) {
            f = push(w, FRAME_PART, s->target + 1, 0);
            f->other = w->active & ~pass;
            eval_set_active(w, pass);
        }
        return here + 1;
    case STEP_PART_ELSE:
        return s->target;
    case STEP_PART_END:
        return here + 1;
    case STEP_BRK_ON:
        pass = w->active & eval_test_any(w, &s->test);
        return leave_to_next(w, s, pass, here + 1);
    case STEP_ENDIF:
        f = &w->frames[w->depth - 1];
        if (f->first)
            return then_at_last(w, f);
        w->depth--;
        eval_set_active(w, f->restore);
        return w->active ? here + 1 : skip(w);
    case STEP_REP:
        return enter_loop(w, s, here);
    case STEP_NEXT:
        return next_copy(w, s, here);
    case STEP_PHASE:
        return end_phase(w, s);
    case STEP_ENDREP:
        return next_iteration(w, s, here);
    case STEP_BRK:
    case STEP_CONT:
        pass = w->active & eval_test_any(w, &s->test);
        gone = s->kind == STEP_CONT && s->ref ? w->active : pass;
        if (s->kind == STEP_BRK) {
            leave_loop(w, gone);
            return w->active ? here + 1 : skip(w);
        }
        f = leave(w, FRAME_REP, gone);
        if (f)
            f->other |= pass;
        eval_set_active(w, w->active & ~gone);
        return w->active ? here + 1 : skip(w);
    case STEP_CAL:
        pass = w->active & eval_test_any(w, &s->test);
        return pass ? call(w, s, here, pass) : here + 1;
    case STEP_CALI:
        return call_chosen(w, s, here);
    case STEP_NEXT_CALLEE:
        return next_callee(w, s, here);
    case STEP_RET:
        return do_return(w, w->active & eval_test_any(w, &s->test), here + 1);
    default:    /* STEP_END */
        return do_return(w, w->active, here);
    }
}
