#include "eval/track/clean_runs.h"

#include "asm/arena.h"
#include "eval/jit/jit.h"
#include "eval/texture/texture.h"
#include "eval/track/origin.h"
#include "eval/track/reason.h"

#include <string.h>

/* ---- before a launch ---------------------------------------------------------------------------------------- */

struct lister {
    const struct gp5_executable *x;
    struct vec planes, runs;
    uint32_t *at;               /* as in struct tracked_runs */
    uint8_t *landing;           /* of each step: flow goes there */
    uint32_t *in, *out;         /* of each plane: the last run that reads it from before, or surely writes it */
    bool *constant;
    uint32_t run, depth;        /* blocks that are open */
    bool failed;
};

static void list(struct lister *l, uint32_t plane)
{
    size_t at = vec_grow(&l->planes);

    if (at == SIZE_MAX)
        l->failed = true;
    else
        *(uint32_t *)vec_at(&l->planes, at) = plane;
}

/* The first pass lists what is read before it is written; both note what is written, which the second one lists. */
static void reads(struct lister *l, uint32_t plane, bool second)
{
    if (second || l->constant[plane] || l->in[plane] == l->run || l->out[plane] == l->run)
        return;
    l->in[plane] = l->run;
    list(l, plane);
}

static void writes(struct lister *l, uint32_t plane, bool second)
{
    if (l->out[plane] == l->run)
        return;
    l->out[plane] = l->run;
    if (second)
        list(l, plane);
}

/* Where not all of the lanes write, or not surely, those that keep what they have must have kept something defined. */
static void wrote(struct lister *l, uint32_t plane, bool surely, bool second)
{
    if (surely)
        writes(l, plane, second);
    else
        reads(l, plane, second);
}

static void look_at_test(struct lister *l, const struct test *t, unsigned component, bool second)
{
    if (eval_is_conditional(t))
        reads(l, l->x->cc_plane[t->cc] + (t->swizzle >> 2 * component & 3), second);
}

static void look_at_op(struct lister *l, const struct lane_op *op, const struct op_track *t, bool second)
{
    for (unsigned k = 0; k < t->nsrc; k++) {
        bool each = t->flow == FLOW_EACH || (t->flow == FLOW_BITS && k > 0);
        unsigned components = 0;
        for (unsigned i = 0; i < op->n; i++) {
            unsigned read = eval_component_reads(t->op, k, op->comp[i]);
            if (each && read)
                reads(l, op->src[k][i], second);
            components |= read;
        }
        for (unsigned c = 0; c < 4 && !each; c++)
            if (components >> c & 1)
                reads(l, op->src[k][c], second);
    }
    for (unsigned i = 0; i < op->n; i++)
        wrote(l, op->dst[i], l->depth == 0, second);
}

static bool look_at_write(struct lister *l, const struct step *s, bool second)
{
    const struct write *w = &l->x->writes[s->ref];
    bool surely = l->depth == 0 && s->test.rule == CC_NONE;

    for (unsigned i = 0; i < w->n; i++) {
        look_at_test(l, &s->test, w->comp[i], second);
        if (w->registers) {
            reads(l, w->from[i], second);
            wrote(l, w->to[i], surely, second);
        }
        if (w->cc_update) {
            reads(l, w->flag_from[i], second);
            wrote(l, l->x->cc_plane[w->cc_update - 1] + w->comp[i], surely, second);
        }
    }
    return w->index == NO_PLANE;
}

static bool look_at_store(struct lister *l, const struct access *a, bool second)
{
    if (a->address != NO_PLANE)
        reads(l, a->address, second);
    for (unsigned i = 0; i < a->width; i++)
        reads(l, a->data[i], second);
    return a->space < SPACE_GLOBAL && a->slot_index == NO_PLANE;
}

/* Whether the step makes no undefined value of its own. A store looks at the shadows by itself. */
static bool look_at_step(struct lister *l, const struct step *s, bool second)
{
    switch (s->kind) {
    case STEP_LANE: case STEP_RAW:
        look_at_op(l, s->op, &l->x->tracks[s->ref], second);
        return l->x->tracks[s->ref].undefined == NULL;
    case STEP_WRITE:
        return look_at_write(l, s, second);
    case STEP_STORE:
        return look_at_store(l, &l->x->accesses[s->ref], second);
    case STEP_REP:
        if (l->x->repeats[s->ref].count != NO_PLANE)
            reads(l, l->x->repeats[s->ref].count, second);
        l->depth++;
        return true;
    case STEP_IF: case STEP_BRK: case STEP_CONT:
        for (unsigned c = 0; c < 4; c++)
            look_at_test(l, &s->test, c, second);
        l->depth += s->kind == STEP_IF;
        return l->depth > 0;
    case STEP_ENDIF: case STEP_ENDREP:
        return l->depth-- > 0;
    case STEP_ELSE: case STEP_NEXT: case STEP_NOTHING:
        return true;
    default:
        return s->quick == STEP_NOTHING;
    }
}

static void look_at_run(struct lister *l, uint32_t first, uint32_t steps, struct tracked_run *r)
{
    r->closed = true;
    r->steps = steps;
    for (unsigned second = 0; second < 2; second++) {
        uint32_t start = (uint32_t)l->planes.count;
        l->run++;               /* a stamp for each pass, since the first has noted what is written */
        l->depth = 0;
        for (uint32_t i = first; i < first + steps; i++)
            if (i == first || l->x->steps[i].quick != STEP_NOTHING)
                r->closed &= look_at_step(l, &l->x->steps[i], second);
        if (second) {
            r->out = start;
            r->nout = (uint32_t)l->planes.count - start;
        } else {
            r->in = start;
            r->nin = (uint32_t)l->planes.count - start;
        }
    }
}

static void add_run(struct lister *l, uint32_t first, uint32_t steps)
{
    size_t at = vec_grow(&l->runs);
    struct tracked_run *r;

    if (at == SIZE_MAX) {
        l->failed = true;
        return;
    }
    r = vec_at(&l->runs, at);
    *r = (struct tracked_run){.other = l->at[first]};
    look_at_run(l, first, steps, r);
    l->at[first] = (uint32_t)at + 1;
}

/* ---- what stands without flow or memory between ------------------------------------------------------------- */

static const struct native_run *machine_code(const struct gp5_executable *x, uint32_t i)
{
    return x->steps[i].quick == STEP_NATIVE ? &x->native->runs[x->steps[i].native] : NULL;
}

static bool is_straight(const struct gp5_executable *x, uint32_t i)
{
    const struct step *s = &x->steps[i];

    if (machine_code(x, i) && machine_code(x, i)->flow)
        return false;
    switch (s->kind) {
    case STEP_LANE: case STEP_RAW: return s->quick == STEP_NOTHING || !x->tracks[s->ref].undefined;
    case STEP_WRITE: return x->writes[s->ref].index == NO_PLANE;
    default: return false;
    }
}

/* The longest that are not one run of machine code. */
static void add_straight_runs(struct lister *l)
{
    const struct gp5_executable *x = l->x;

    for (uint32_t first = 0, end; first < x->nsteps && !l->failed; first = end) {
        for (end = first; end < x->nsteps && is_straight(x, end) && (end == first || !l->landing[end]); end++)
            ;
        if (end - first > 1 && !(machine_code(x, first) && machine_code(x, first)->steps >= end - first))
            add_run(l, first, end - first);
        end += end == first;
    }
}

static bool lister_init(struct lister *l)
{
    size_t n = l->x->nplanes + 1u;

    l->in = gp5_malloc(n * sizeof *l->in);
    l->out = gp5_malloc(n * sizeof *l->out);
    l->constant = gp5_malloc(n * sizeof *l->constant);
    l->landing = gp5_malloc((l->x->nsteps + 2u) * sizeof *l->landing);
    if (!l->in || !l->out || !l->constant || !l->landing)
        return false;
    memset(l->landing, 0, (l->x->nsteps + 2u) * sizeof *l->landing);
    memset(l->in, 0, n * sizeof *l->in);
    memset(l->out, 0, n * sizeof *l->out);
    memset(l->constant, 0, n * sizeof *l->constant);
    for (uint32_t i = 0; i < l->x->nconstants; i++)
        l->constant[l->x->constants[i].plane] = true;
    return true;
}

/* A copy in the executable's arena. */
static void *keep(struct gp5_executable *x, const struct vec *v)
{
    void *copy = arena_alloc(&x->arena, (v->count + 1) * v->element);

    if (copy && v->count)
        memcpy(copy, v->data, v->count * v->element);
    return copy;
}

/* False where it cannot be told what a step does, or lanes may not come back from it. */
static bool look_before_result(struct lister *l, const struct step *s)
{
    const struct texture_call *t = &l->x->texture_calls[s->ref];
    uint32_t plane[TEXTURE_OPERANDS];

    switch (s->kind) {
    case STEP_LANE: case STEP_RAW:
        look_at_op(l, s->op, &l->x->tracks[s->ref], false);
        return true;
    case STEP_TEXTURE:
        for (unsigned k = eval_texture_operands(t, plane); k--;)
            reads(l, plane[k], false);
        for (unsigned k = 0; k < t->n; k++)
            wrote(l, t->dst[k], l->depth == 0, false);
        return true;
    case STEP_KILL:             /* who ends leaves no results */
        for (unsigned c = 0; c < 4; c++)
            if (s->op)
                reads(l, s->op->src[0][c], false);
            else
                look_at_test(l, &s->test, c, false);
        return true;
    case STEP_WRITE:
        return l->x->writes[s->ref].index == NO_PLANE && look_at_write(l, s, false);
    default:
        return look_at_step(l, s, false);
    }
}

/* The planes of what a group begins with that are undefined by what they are, but for those that are written in any
 * case before anything reads them, as results mostly are. */
static void find_marks(struct gp5_executable *x, struct lister *l, struct tracked_runs *t)
{
    size_t listed = l->planes.count;

    l->run++;
    l->depth = 0;
    for (uint32_t i = x->entry; i < x->nsteps && look_before_result(l, &x->steps[i]); i++)
        ;
    l->planes.count = listed;
    for (uint32_t i = 0; i < x->nsources; i++) {
        uint32_t plane = x->sources[i].plane;
        bool written = l->out[plane] == l->run && l->in[plane] != l->run;
        if (eval_source_is_open(x, &x->sources[i]) && !written)
            t->marks[t->nmarks++] = plane;
    }
}

static void hand_over(struct gp5_executable *x, struct lister *l)
{
    struct tracked_runs *t = arena_alloc(&x->arena, sizeof *t);
    uint32_t *marks = arena_alloc(&x->arena, (x->nsources + 1u) * sizeof *marks);

    if (!t || !marks || l->failed)
        return;
    *t = (struct tracked_runs){keep(x, &l->runs), keep(x, &l->planes), l->at, marks, 0};
    find_marks(x, l, t);
    x->tracked_runs = t->runs && t->planes ? t : NULL;
}

void eval_track_runs_build(struct gp5_executable *x)
{
    struct lister l = {.x = x, .at = arena_alloc(&x->arena, (x->nsteps + 1u) * sizeof *l.at)};

    if (!l.at)
        return;
    memset(l.at, 0, (x->nsteps + 1u) * sizeof *l.at);
    vec_init(&l.planes, sizeof(uint32_t));
    vec_init(&l.runs, sizeof(struct tracked_run));
    if (lister_init(&l)) {
        eval_find_landings(l.x, l.landing);
        for (uint32_t i = 0; i < x->nsteps && !l.failed; i++)
            if (machine_code(x, i))
                add_run(&l, i, machine_code(x, i)->steps);
        add_straight_runs(&l);
        hand_over(x, &l);
    }
    vec_free(&l.planes);
    vec_free(&l.runs);
    gp5_free(l.in);
    gp5_free(l.out);
    gp5_free(l.constant);
    gp5_free(l.landing);
}

/* ---- in a launch -------------------------------------------------------------------------------------------- */

static bool may_go(const struct warp *w, const uint32_t *planes, const struct tracked_run *r)
{
    for (uint32_t i = 0; i < r->nin && r->closed && w->tainted; i++)
        if (!eval_track_is_clean(w, planes[r->in + i]))
            return false;
    return r->closed;
}

uint32_t eval_track_run(struct warp *w, const struct step *s)
{
    const struct tracked_runs *t = w->x->tracked_runs;
    uint32_t at = t ? t->at[s - w->x->steps] : 0;

    while (at && !may_go(w, t->planes, &t->runs[at - 1]))
        at = t->runs[at - 1].other;
    if (!at)
        return 0;
    for (uint32_t i = 0; i < t->runs[at - 1].nout && w->tainted; i++)
        eval_track_result(w, t->planes[t->runs[at - 1].out + i], NULL, w->active);
    return t->runs[at - 1].steps;
}
