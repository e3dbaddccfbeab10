/* What steps do to the shadows: arithmetic, writes, indices, flow. Runs before the step itself. */
#include "eval/track/clean_runs.h"
#include "eval/track/origin.h"
#include "eval/track/reason.h"

#include <string.h>

#define SHADOW(w, plane) PLANE((w)->shadow, plane)

void eval_track_mark(struct warp *w, uint32_t plane)
{
    w->x->planes->fill(SHADOW(w, plane), ORIGIN_MARK | plane);
    eval_set_dirty(w, plane, true);
}

/* With all lanes there a plane that is not dirty is all 0: what the group before left is taken away. */
static void clear_shadows(struct warp *w)
{
    const struct gp5_executable *x = w->x;
    bool whole = w->exist == ALL_LANES && w->tracked_lanes == ALL_LANES;

    for (uint32_t plane = 0; plane < x->nplanes && whole && w->tainted; plane++)
        if (w->dirty[plane])
            memset(SHADOW(w, plane), 0, WARP_LANES * sizeof *w->shadow);
    if (!whole)
        memset(w->shadow, 0, (size_t)x->nplanes * WARP_LANES * sizeof *w->shadow);
    if (w->tainted)
        memset(w->dirty, 0, x->nplanes);
    w->tainted = false;
    w->tracked_lanes = w->exist;
}

void eval_track_start(struct warp *w)
{
    const struct gp5_executable *x = w->x;
    bool listed = x->tracked_runs && !w->worker->run->observer, known = x->open_planes && !w->worker->run->observer,
         registers = !profile_in(x->profile, OLD_ALL),
         flags = !profile_in(x->profile, SUFFIXED | OLD_ALL);   /* where they do not begin as zeros, and EQ */

    clear_shadows(w);
    for (uint32_t i = 0; known && i < x->nopen; i++)
        if (x->open_planes[i] - x->cc_plane[0] < 4 * CONDITION_CODES ? flags : registers)
            eval_track_mark(w, x->open_planes[i]);
    for (uint32_t plane = 0; !known && plane < x->nplanes; plane++)
        if (plane - x->cc_plane[0] < 4 * CONDITION_CODES ? flags
                                                         : registers && x->names[plane].symbol != NO_INDEX)
            eval_track_mark(w, plane);
    for (uint32_t i = 0; listed && i < x->tracked_runs->nmarks; i++)
        eval_track_mark(w, x->tracked_runs->marks[i]);
    for (uint32_t i = 0; i < x->nsources && !listed; i++)
        if (eval_source_is_open(x, &x->sources[i]))
            eval_track_mark(w, x->sources[i].plane);
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

static void merge(const struct warp *w, uint32_t *into, uint32_t plane)
{
    w->x->planes->first_nonzero(into, into, SHADOW(w, plane), NULL);
}

/* The origins of result i from those of the operands. */
static void combine(struct warp *w, const struct lane_op *op, const struct op_track *t, unsigned i,
                    uint32_t *out)
{
    memset(out, 0, WARP_LANES * sizeof *out);
    for (unsigned k = 0; k < t->nsrc; k++) {
        unsigned components = eval_component_reads(t->op, k, op->comp[i]);
        if (t->flow == FLOW_EACH || (t->flow == FLOW_BITS && k > 0)) {
            if (components)
                merge(w, out, op->src[k][i]);
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1)
                merge(w, out, op->src[k][c]);
    }
}

void eval_track_result(struct warp *w, uint32_t plane, const uint32_t *shadow, uint32_t lanes)
{
    static _Alignas(64) const uint32_t defined[WARP_LANES];
    const struct eval_planes *planes = w->x->planes;
    bool any = shadow && planes->nonzero(shadow, NULL) & lanes;

    if (!any && !w->dirty[plane])
        return;
    if (lanes == w->exist) {
        planes->copy(SHADOW(w, plane), any ? shadow : defined);
        eval_set_dirty(w, plane, any);
    } else {
        planes->blend(SHADOW(w, plane), shadow ? shadow : defined, lanes);
        eval_set_dirty(w, plane, w->dirty[plane] || any);
    }
}

static void set_origin(uint32_t *shadow, uint32_t lanes, uint32_t id)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!shadow[lane])
            shadow[lane] = id;
    }
}

/* Whether nothing that the active lanes of an op read is undefined. */
static bool sources_are_clean(const struct warp *w, const struct lane_op *op, const struct op_track *t)
{
    for (unsigned k = 0; k < t->nsrc; k++) {
        unsigned n = t->flow == FLOW_EACH ? op->n : 4;
        for (unsigned i = 0; i < n; i++)
            if (!eval_track_is_clean(w, op->src[k][i]))
                return false;
    }
    return true;
}

static void track_op(struct warp *w, const struct step *s)
{
    const struct lane_op *op = s->op;
    const struct op_track *t = &w->x->tracks[s->ref];
    _Alignas(64) uint32_t out[4][WARP_LANES];
    uint32_t open[4] = {0}, lanes = w->active, any = 0;
    bool clean = sources_are_clean(w, op, t);

    if (t->undefined) {
        t->undefined(w->base, op, open);
        for (unsigned i = 0; i < op->n; i++)
            any |= open[i] &= w->active;
    }
    if (clean && !any) {
        for (unsigned i = 0; i < op->n; i++)
            eval_track_result(w, op->dst[i], NULL, lanes);
        return;
    }
    for (unsigned i = 0; i < op->n; i++) {
        combine(w, op, t, i, out[i]);
        if (w->x->planes->sign(out[i]))
            eval_resolve_marks(w, s->insn, out[i], w->active);
        if (open[i])
            set_origin(out[i], open[i], eval_origin(w, s->insn, ORIGIN_OPERATION, op->comp[i], open[i], 0));
        if (t->flow != FLOW_ALL)
            eval_track_result(w, op->dst[i], out[i], lanes);
    }
    for (unsigned i = 0; i < op->n && t->flow == FLOW_ALL; i++)
        eval_track_result(w, op->dst[i], out[i], lanes);
}

/* ---- writes and indices -------------------------------------------------------------------------------- */

/* Lanes whose write depends on an undefined condition: the origins of that, or NULL. */
static uint32_t *condition_origins(struct warp *w, const struct step *s, unsigned component)
{
    uint32_t plane = w->x->cc_plane[s->test.cc] + (s->test.swizzle >> 2 * component & 3), *cc = SHADOW(w, plane);
    bool asks = eval_is_conditional(&s->test) && !(s->test.settled >> component & 1);
    uint32_t lanes = asks && w->dirty[plane] ? w->x->planes->nonzero(cc, NULL) & w->active : 0;

    if (!lanes)
        return NULL;
    eval_resolve_marks(w, s->insn, cc, lanes);
    return cc;
}

static void scatter_origins(struct warp *w, const struct write *out, unsigned i, const uint32_t *from, uint32_t lanes)
{
    const uint32_t *index = PLANE(w->base, out->index);

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int64_t e = (int64_t)(int32_t)index[lane] + out->offset;
        if (e >= 0 && e < out->elements)
            eval_put_lane(w, out->to[i] + (uint32_t)e * out->stride, lane, from[lane]);
    }
}

static uint32_t beyond(const struct warp *w, uint32_t index_plane, int64_t offset, uint32_t elements)
{
    const uint32_t *index = PLANE(w->base, index_plane);
    uint32_t lanes = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int64_t e = (int64_t)(int32_t)index[lane] + offset;
        lanes |= (uint32_t)(e < 0 || e >= elements) << lane;
    }
    return lanes & w->active;
}

/* What result i and its flags come to hold. Where the condition is undefined so is what it may or may not have written,
 * whichever way it went. The flags' shadow is also the condition's: it is written last (eval_track_write). */
static void track_component(struct warp *w, const struct step *s, unsigned i, uint32_t lanes, uint32_t *flags)
{
    const struct write *out = &w->x->writes[s->ref];
    uint32_t *cc = condition_origins(w, s, out->comp[i]), open = cc ? w->x->planes->nonzero(cc, NULL) & w->active : 0;

    if (out->registers && out->index != NO_PLANE) {
        scatter_origins(w, out, i, SHADOW(w, out->from[i]), lanes & ~open);
        if (cc)
            scatter_origins(w, out, i, cc, open);
    } else if (out->registers) {
        eval_track_result(w, out->to[i], SHADOW(w, out->from[i]), lanes);
        if (cc)
            eval_track_result(w, out->to[i], cc, open);
    }
    if (!out->cc_update)
        return;
    memcpy(flags, SHADOW(w, w->x->cc_plane[out->cc_update - 1] + out->comp[i]), WARP_LANES * sizeof *flags);
    w->x->planes->blend(flags, SHADOW(w, out->flag_from[i]), lanes);
    if (cc)
        w->x->planes->blend(flags, cc, open);
}

/* Defined values under defined conditions in place of defined ones. */
static bool nothing_changes(const struct warp *w, const struct test *t, const struct write *out)
{
    if (out->index != NO_PLANE)
        return false;
    for (unsigned i = 0; i < out->n; i++) {
        bool dirty = eval_is_conditional(t) && !(t->settled >> out->comp[i] & 1) &&
                     w->dirty[w->x->cc_plane[t->cc] + (t->swizzle >> 2 * out->comp[i] & 3)];
        if (out->registers)
            dirty |= w->dirty[out->from[i]] | w->dirty[out->to[i]];
        if (out->cc_update)
            dirty |= w->dirty[out->flag_from[i]] | w->dirty[w->x->cc_plane[out->cc_update - 1] + out->comp[i]];
        if (dirty)
            return false;
    }
    return true;
}

void eval_track_write(struct warp *w, const struct step *s, uint32_t lanes[4])
{
    const struct write *out = &w->x->writes[s->ref];
    _Alignas(64) uint32_t flags[4][WARP_LANES];
    uint32_t written = 0;

    if (nothing_changes(w, &s->test, out))
        return;
    for (unsigned i = 0; i < out->n; i++) {
        written |= lanes[i];
        track_component(w, s, i, lanes[i], flags[i]);
    }
    for (unsigned i = 0; i < out->n && out->cc_update; i++)
        eval_track_result(w, w->x->cc_plane[out->cc_update - 1] + out->comp[i], flags[i], w->exist);
    if (out->index != NO_PLANE) {
        uint32_t lost = beyond(w, out->index, out->offset, out->elements) & written;
        eval_use(w, s->insn, SHADOW(w, out->index), w->active, "an index");
        if (lost)
            eval_note_use(w, s->insn, ORIGIN_INDEX, lost);
    }
}

void eval_track_gather(struct warp *w, const struct step *s)
{
    const struct gather *g = &w->x->gathers[s->ref];
    const uint32_t *index = PLANE(w->base, g->index);
    uint32_t lost = beyond(w, g->index, g->offset, g->elements), id = 0;

    eval_resolve_marks(w, s->insn, SHADOW(w, g->index), w->active);
    if (lost)
        id = eval_origin(w, s->insn, ORIGIN_INDEX, 0, lost, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int64_t e = (int64_t)(int32_t)index[lane] + g->offset;
        uint32_t from_index = SHADOW(w, g->index)[lane];
        for (unsigned i = 0; i < g->n; i++) {
            uint32_t origin = from_index;
            if (!origin && (e < 0 || e >= g->elements))
                origin = lost >> lane & 1 ? id : 0;
            else if (!origin && g->across)
                origin = SHADOW(w, g->src[i])[lane - lane % g->elements + (unsigned)e];
            else if (!origin)
                origin = SHADOW(w, g->src[i] + (uint32_t)e * g->stride)[lane];
            eval_put_lane(w, g->dst[i], lane, origin);
        }
    }
    for (unsigned i = 0; i < g->n; i++)
        eval_resolve_marks(w, s->insn, SHADOW(w, g->dst[i]), w->active);
}

void eval_track_emitted(struct warp *w, uint32_t insn, uint32_t plane, unsigned component)
{
    uint32_t id = eval_origin(w, insn, ORIGIN_EMITTED, component, w->active, 0);

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1)
        eval_put_lane(w, plane, (unsigned)__builtin_ctz(lanes), id);
}

/* ---- flow ---------------------------------------------------------------------------------------------- */

static void track_test(struct warp *w, const struct step *s)
{
    unsigned components = 0;

    if (!eval_is_conditional(&s->test) || s->test.outcome != OUTCOME_TESTED)
        return;
    for (unsigned c = 0; c < 4; c++)
        components |= 1u << (s->test.swizzle >> 2 * c & 3);
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1 && w->dirty[w->x->cc_plane[s->test.cc] + c])
            eval_use(w, s->insn, SHADOW(w, w->x->cc_plane[s->test.cc] + c), w->active, "a branch");
}

static void track_indirect(struct warp *w, const struct step *s)
{
    const struct indirect *call = &w->x->indirects[s->ref];
    uint32_t lanes = w->active & eval_test_any(w, &s->test);

    track_test(w, s);
    if (call->index != NO_PLANE)
        eval_use(w, s->insn, SHADOW(w, call->index), lanes, "the choice of a subroutine");
    if (lanes && !w->worker->run->launch->nsubroutines)
        eval_note_use(w, s->insn, ORIGIN_SUBROUTINE, lanes);
}

void eval_track_step(struct warp *w, const struct step *s)
{
    switch (s->kind) {
    case STEP_LANE: case STEP_RAW:
        track_op(w, s);
        break;
    case STEP_IF: case STEP_OUT: case STEP_OUT_ELSE: case STEP_PART: case STEP_PART_OTHERWISE: case STEP_BRK:
    case STEP_BRK_ON: case STEP_CONT: case STEP_AGAIN: case STEP_CAL: case STEP_RET: case STEP_BRA:
        track_test(w, s);
        break;
    case STEP_ATOMIC:
        if (eval_is_conditional(&s->test))
            eval_use(w, s->insn, SHADOW(w, w->x->cc_plane[s->test.cc] + (s->test.swizzle & 3)), w->active,
                     "an atomic operation");
        break;
    case STEP_CALI:
        track_indirect(w, s);
        break;
    case STEP_REP:
        if (w->x->repeats[s->ref].count != NO_PLANE)
            eval_use(w, s->insn, SHADOW(w, w->x->repeats[s->ref].count), w->active, "the count of a loop");
        break;
    case STEP_KILL:
        if (!s->op)
            track_test(w, s);
        for (unsigned i = 0; s->op && i < 4; i++)
            eval_use(w, s->insn, SHADOW(w, s->op->src[0][i]), w->active & ~w->helpers, "a KIL");
        break;
    default:    /* the others track themselves, where they know the addresses */
        break;
    }
}
