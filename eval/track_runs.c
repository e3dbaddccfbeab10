#include "eval/track_runs.h"

#include "asm/arena.h"
#include "eval/native.h"
#include "eval/origins.h"

#include <string.h>

/* ---- before a launch --------------------------------------------------------------------------------------------------- */

struct lister {
    const struct gp5_executable *x;
    struct vec planes;
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

static bool lister_init(struct lister *l)
{
    size_t n = l->x->nplanes + 1u;

    l->in = gp5_malloc(n * sizeof *l->in);
    l->out = gp5_malloc(n * sizeof *l->out);
    l->constant = gp5_malloc(n * sizeof *l->constant);
    if (!l->in || !l->out || !l->constant)
        return false;
    memset(l->in, 0, n * sizeof *l->in);
    memset(l->out, 0, n * sizeof *l->out);
    memset(l->constant, 0, n * sizeof *l->constant);
    for (uint32_t i = 0; i < l->x->nconstants; i++)
        l->constant[l->x->constants[i].plane] = true;
    return true;
}

static void hand_over(struct gp5_executable *x, const struct lister *l, struct tracked_run *runs)
{
    struct tracked_runs *t = arena_alloc(&x->arena, sizeof *t);
    uint32_t *planes = arena_alloc(&x->arena, (l->planes.count + 1) * sizeof *planes);

    if (!t || !planes || l->failed)
        return;
    if (l->planes.count)
        memcpy(planes, l->planes.data, l->planes.count * sizeof *planes);
    *t = (struct tracked_runs){runs, planes};
    x->tracked_runs = t;
}

void eval_track_runs_build(struct gp5_executable *x)
{
    struct lister l = {.x = x};
    struct tracked_run *runs = x->native ? arena_alloc(&x->arena, (x->native->nruns + 1u) * sizeof *runs) : NULL;

    if (!runs)
        return;
    vec_init(&l.planes, sizeof(uint32_t));
    if (lister_init(&l)) {
        for (uint32_t i = 0; i < x->nsteps && !l.failed; i++)
            if (x->steps[i].quick == STEP_NATIVE)
                look_at_run(&l, i, x->native->runs[x->steps[i].native].steps, &runs[x->steps[i].native]);
        hand_over(x, &l, runs);
    }
    vec_free(&l.planes);
    gp5_free(l.in);
    gp5_free(l.out);
    gp5_free(l.constant);
}

/* ---- in a launch --------------------------------------------------------------------------------------------------------- */

bool eval_track_run(struct warp *w, const struct step *s)
{
    const struct tracked_runs *t = w->x->tracked_runs;
    const struct tracked_run *r = t ? &t->runs[s->native] : NULL;

    if (!r || !r->closed)
        return false;
    for (uint32_t i = 0; i < r->nin; i++)
        if (!eval_track_is_clean(w, t->planes[r->in + i]))
            return false;
    for (uint32_t i = 0; i < r->nout; i++)
        eval_track_result(w, t->planes[r->out + i], NULL, w->active);
    return true;
}
