/* Runs a warp: one loop, built once without and once with tracking and observers. */
#include "eval/machine/emission.h"
#include "eval/machine/warp_state.h"
#include "eval/jit/jit.h"
#include "eval/track/origin.h"
#include "eval/texture/texture.h"
#include "eval/track/clean_runs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void eval_warp_start(struct warp *w, uint32_t exist)
{
    w->exist = w->live = exist;
    w->active = exist;
    w->helpers = w->killed = 0;
    w->step = w->x->entry;
    w->depth = w->calls = w->held = 0;
    w->state = exist ? WARP_RUNNING : WARP_ENDED;
    w->executed = w->lanes = w->counted = 0;
    if (w->x->nwrites)  /* nothing else sets flags */
        memset(w->cc, 0, sizeof w->cc);
    for (unsigned i = 0; profile_in(w->x->profile, SUFFIXED) && i < 4; i++)
        w->cc[0].z[i] = w->cc[1].z[i] = ALL_LANES;  /* EQ: NV_vertex_program2 2.14.1.4, NV_fragment_program 3.11.1.3 */
    if (w->shadow)
        eval_track_start(w);
}

/* The results of an op that ran into scratch, into registers under the active lanes. */
static void blend_results(struct warp *w, const struct step *s)
{
    const struct lane_op *to = s->op, *from = s->op + 1;
    const struct eval_planes *planes = w->x->planes;

    for (unsigned i = 0; i < to->n; i++) {
        planes->blend(PLANE(w->base, to->dst[i]), PLANE(w->base, from->dst[i]), w->active);
        if (s->wide)
            planes->blend(PLANE(w->base, to->dst[i] + 1), PLANE(w->base, from->dst[i] + 1), w->active);
    }
}

static inline __attribute__((always_inline)) void run_lanes(struct warp *w, const struct step *s)
{
    if (w->active == w->exist) {
        s->op->run(w->base, s->op);
    } else {
        s->op[1].run(w->base, s->op + 1);
        blend_results(w, s);
    }
}

static uint16_t op_of(const struct warp *w, const struct step *s)
{
    return program_insn(w->x->program, s->insn)->op;
}

/* With NVIDIA's driver those go on as helpers: for derivatives, votes and shuffles. */
static void kill_lanes(struct warp *w, const struct step *s)
{
    uint32_t lanes = s->op ? 0 : eval_test_any(w, &s->test);

    for (unsigned i = 0; s->op && i < 4; i++) {
        const uint32_t *word = PLANE(w->base, s->op->src[0][i]);
        lanes |= w->x->planes->sign(word) & w->x->planes->nonzero_float(word, NULL, w->worker->run->flush);
    }
    lanes &= w->active;
    w->killed |= lanes;
    if (w->worker->run->flush || op_of(w, s) == OP_DEMOTE)
        w->helpers |= lanes;
    else
        eval_end_lanes(w, lanes);
}

/* Whether the warp must stop here until the others have come. */
static bool barrier(struct warp *w, const struct step *s)
{
    if (w->active == w->live || w->worker->run->flush) {
        w->state = WARP_AT_BARRIER;
        if (w->active != w->exist)
            eval_divergent_barrier(w, s->insn, w->active);
        return true;
    }
    eval_fail(w, GP5_RUN_DEADLOCK, s->insn,
              "BAR in divergent flow: lanes 0x%08x of warp %u arrive, lanes 0x%08x do not", w->active,
              w->index, w->live & ~w->active);
    return false;
}

static void set_mode(struct warp *w, uint8_t mode)
{
    w->mode = mode;
    eval_float_mode(mode);
}

/* A run of machine code; false when a loop in it came to its limit. */
static inline bool run_native(struct warp *w, const struct step *s)
{
    const struct native_run *run = &w->x->native->runs[s->native];
    uint32_t *base = w->base + EVAL_NATIVE_BIAS, failed;

    if (!run->flow) {
        w->executed += run->counts - s->counts;
        if (w->active == w->exist)
            run->all(base, w->active);
        else
            run->some(base, w->active);
        return true;
    }
    w->executed -= s->counts;   /* it counts for itself */
    eval_set_active(w, w->active);
    failed = run->flow(base, w, &w->frames[w->depth]);
    w->counted = w->executed;
    if (failed)
        eval_fail_limit(w, &w->x->steps[failed - 1]);
    return !failed;
}

void eval_step_called(struct warp *w, const struct step *s)
{
    uint8_t mode = w->mode;     /* the one that the code around counts on */

    if (s->mode != mode && s->mode != FLOAT_ANY)
        set_mode(w, s->mode);
    switch (s->kind) {
    case STEP_LANE:
        run_lanes(w, s);
        break;
    case STEP_RAW: s->op->run(w->base, s->op); break;
    case STEP_WRITE: eval_write(w, s); break;
    case STEP_GATHER: eval_gather(w, s); break;
    case STEP_LOAD: eval_load(w, s); break;
    case STEP_STORE: eval_store(w, s); break;
    case STEP_ATOMIC: eval_atomic(w, s); break;
    case STEP_SHUFFLE: eval_shuffle(w, s); break;
    case STEP_VOTE: eval_vote(w, s); break;
    case STEP_MATCH: eval_match(w, s); break;
    case STEP_QUAD: eval_quad(w, s); break;
    default: break;
    }
    if (w->mode != mode)
        set_mode(w, mode);
}

/* What a step does for this loop: everything when somebody looks on, one step at a time when it is tracked. */
static inline uint8_t kind_of(const struct step *s, bool observed, bool watched)
{
    return watched || (observed && s->quick == STEP_NATIVE) ? s->kind : s->quick;
}

static inline __attribute__((always_inline)) void loop(struct warp *w, const bool observed)
{
    const struct gp5_executable *x = w->x;
    const struct eval_observer *observer = w->worker->run->observer;
    const struct step *s = x->steps + w->step, *quiet = x->steps;   /* steps before that go untracked */
    uint32_t next;

    w->state = WARP_RUNNING;
    for (;;) {
        if (s->mode != w->mode && s->mode != FLOAT_ANY)
            set_mode(w, s->mode);
        if (observed) {
            if (s->counts && observer && observer->before)
                observer->before(observer->user, w, s->insn);
            if (observer && observer->stop && *observer->stop)
                eval_fail(w, GP5_RUN_CANCELLED, s->insn, "the run was ended here");
            if (w->shadow && !observer && s >= quiet)
                quiet = s + eval_track_run(w, s);
            if (s < quiet && s->quick == STEP_NATIVE && quiet - s >= (ptrdiff_t)x->native->runs[s->native].steps) {
                w->executed += s->counts;
                if (!run_native(w, s))
                    return;
                s += x->native->runs[s->native].steps;
                continue;
            }
            if (w->shadow && (observer || (s >= quiet && s->quick != STEP_NOTHING)))
                eval_track_step(w, s);
            if (w->worker->status != GP5_RUN_OK)
                return;
        }
        w->executed += s->counts;
        switch (kind_of(s, observed, observed && observer)) {
        case STEP_NATIVE:
            if (!run_native(w, s))
                return;
            s += x->native->runs[s->native].steps;
            continue;
        case STEP_LANE:
            run_lanes(w, s);
            break;
        case STEP_RAW:
            s->op->run(w->base, s->op);
            break;
        case STEP_WRITE:
            eval_write(w, s);
            break;
        case STEP_GATHER:
            eval_gather(w, s);
            break;
        case STEP_LOAD:
            eval_load(w, s);
            break;
        case STEP_STORE:
            eval_store(w, s);
            break;
        case STEP_ATOMIC:
            eval_atomic(w, s);
            break;
        case STEP_SHUFFLE:
            eval_shuffle(w, s);
            break;
        case STEP_VOTE:
            eval_vote(w, s);
            break;
        case STEP_MATCH:
            eval_match(w, s);
            break;
        case STEP_QUAD:
            eval_quad(w, s);
            break;
        case STEP_GROUP:
            eval_group(w, s);
            break;
        case STEP_TEXTURE:
            eval_texture(w, s);
            break;
        case STEP_EMIT:
            eval_emit_vertex(w, s);
            break;
        case STEP_END_PRIMITIVE:
            eval_end_primitive(w, s);
            break;
        case STEP_SHARE:
            eval_share_patch(w, s);
            break;
        case STEP_CLOCK:
            eval_clock(w, s);
            break;
        case STEP_NOTHING:
            break;
        case STEP_KILL:
            kill_lanes(w, s);
            if (!w->active) {
                w->state = WARP_ENDED;
                return;
            }
            break;
        case STEP_BARRIER:
            w->step = (uint32_t)(s - x->steps) + 1;
            if (barrier(w, s) && observed && observer && observer->after)
                observer->after(observer->user, w, s->insn);
            return;
        default:
            next = eval_flow(w, s, (uint32_t)(s - x->steps));
            if (observed && observer && observer->after && s->kind != STEP_END && s->kind != STEP_NEXT_CALLEE)
                observer->after(observer->user, w, s->insn);
            if (next == NO_STEP)
                return;
            s = x->steps + next;
            quiet = x->steps;
            continue;
        }
        if (observed) {
            if (observer && observer->after && (s[1].counts || s[1].insn != s->insn || s[1].kind == STEP_END))
                observer->after(observer->user, w, s->insn);
            if (w->worker->status != GP5_RUN_OK)
                return;
        }
        s++;
    }
}

static void plain_loop(struct warp *w)
{
    loop(w, false);
}

static void observed_loop(struct warp *w)
{
    const struct eval_observer *observer = w->worker->run->observer;

    loop(w, true);
    if (observer && observer->ended && w->state == WARP_ENDED)
        observer->ended(observer->user, w);
}

void eval_warp_run(struct warp *w)
{
    eval_float_mode(w->mode);   /* the warp that ran before may have left another one */
    if (w->shadow || w->worker->run->observer)
        observed_loop(w);
    else
        plain_loop(w);
    eval_set_active(w, w->active);
}
