/* A thread's place and the groups that it runs: warps in order, from barrier to barrier. */
#include "eval/machine/worker.h"

#include "eval/jit/jit.h"
#include "eval/machine/group_uniform.h"
#include "eval/track/origin.h"
#include "eval/race/race.h"

#include <stdio.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------------------- */

enum { ALIGNMENT = 64 };

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* A piece of the worker's block. */
static void *carve(uint8_t **next, size_t size)
{
    void *piece = *next;

    *next += aligned(size);
    return piece;
}

bool eval_worker_init(struct worker *worker, struct run *run, uint32_t warps)
{
    const struct gp5_executable *x = run->x;
    size_t planes = (x->nplanes + (x->native ? x->native->spares : 0)) * (size_t)WARP_LANES * sizeof(uint32_t),
           frames = x->nframes * sizeof(struct frame);
    size_t shared = x->shared_size + 16u, shared_shadow = run->origins ? shared * sizeof(uint32_t) : 0;
    size_t a_warp =
        aligned(planes) + (run->origins ? aligned(planes) + aligned(x->nplanes) : 0) + aligned(frames);
    size_t size = aligned(warps * sizeof(struct warp)) + aligned(shared) + aligned(shared_shadow);
    uint8_t *next;

    memset(worker, 0, sizeof *worker);
    worker->run = run;
    if (warps && a_warp > (SIZE_MAX / 2 - size) / warps)
        return false;
    size += warps * a_warp + ALIGNMENT;
    worker->storage = gp5_malloc(size);
    if (!worker->storage)
        return false;
    memset(worker->storage, 0, size);
    next = (uint8_t *)worker->storage + ALIGNMENT - (uintptr_t)worker->storage % ALIGNMENT;
    worker->nwarps = warps;
    worker->warps = carve(&next, warps * sizeof(struct warp));
    worker->shared.data = carve(&next, shared);
    worker->shared.size = x->shared_size;
    worker->shared.races = run->races ? eval_races_shared(run->races) : NULL;
    worker->shared.shadow = run->origins ? carve(&next, shared_shadow) : NULL;
    worker->shared.open = run->origins ? &worker->shared_open : NULL;
    for (uint32_t i = 0; i < warps; i++) {
        struct warp *w = &worker->warps[i];
        *w = (struct warp){.x = x, .worker = worker, .index = i, .limit = run->limit};
        w->base = carve(&next, planes);
        w->shadow = run->origins ? carve(&next, planes) : NULL;
        w->looked_at = run->origins || run->races;
        w->dirty = run->origins ? carve(&next, x->nplanes) : NULL;
        w->frames = carve(&next, frames);
        w->mode = run->flush ? FLOAT_FLUSH : FLOAT_KEEP;
        for (uint32_t k = 0; k < x->nconstants; k++)
            x->planes->fill(PLANE(w->base, x->constants[k].plane), x->constants[k].word);
    }
    return true;
}

void eval_worker_free(struct worker *worker)
{
    eval_agreements_free(worker);
    gp5_free(worker->storage);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

/* Registers start at 0, so that a program that reads what it never wrote does the same every time. Who looks on sees
 * all of them. */
static void clear_registers(struct warp *w)
{
    const struct gp5_executable *x = w->x;

    if (x->apart && !w->worker->run->observer) {
        for (uint32_t i = 0; i < x->nopen; i++)
            x->planes->fill(PLANE(w->base, x->open_planes[i]), 0);
        return;
    }
    for (uint32_t plane = 0, end; plane < x->nplanes; plane = end + 1) {
        for (end = plane; end < x->nplanes && x->names[end].symbol != NO_INDEX;)
            end++;
        memset(PLANE(w->base, plane), 0, (end - plane) * WARP_LANES * sizeof(uint32_t));
    }
}

static void clear_shared(struct worker *worker)
{
    size_t at = 0;

    memset(worker->shared.data, 0, worker->shared.size);
    if (!worker->shared.shadow)
        return;
    worker->shared_open = (uint32_t)worker->shared.size;
    for (; at + WARP_LANES <= worker->shared.size; at += WARP_LANES)
        worker->run->x->planes->fill(worker->shared.shadow + at, ORIGIN_MARK);
    for (; at < worker->shared.size; at++)
        worker->shared.shadow[at] = ORIGIN_MARK;
}

/* One round of every warp that can go on; false when none could. */
static bool advance(struct worker *worker)
{
    bool moved = false;

    for (uint32_t i = 0; i < worker->nwarps && worker->status == GP5_RUN_OK; i++) {
        struct warp *w = &worker->warps[i];
        if (w->state != WARP_RUNNING)
            continue;
        eval_warp_run(w);
        moved = true;
    }
    return moved;
}

static uint32_t barrier_of(const struct warp *w)
{
    return w->x->steps[w->step - 1].insn;
}

/* Whether two warps are at the same BAR in the same round of the same loops, called from the same places. */
static bool same_place(const struct warp *a, const struct warp *b)
{
    if (a->step != b->step || a->depth != b->depth)
        return false;
    for (uint32_t i = 0; i < a->depth; i++)
        if (a->frames[i].kind != b->frames[i].kind || a->frames[i].end != b->frames[i].end ||
            a->frames[i].turn != b->frames[i].turn)
            return false;
    return true;
}

/* Lets the warps at a barrier go on when all have come. Those that have ended are not waited for, as the driver does;
 * the text leaves that undefined. */
static bool release(struct worker *worker)
{
    uint32_t waiting = 0, ended = 0;
    struct warp *first = NULL, *gone = NULL, *elsewhere = NULL;

    for (uint32_t i = 0; i < worker->nwarps; i++) {
        struct warp *w = &worker->warps[i];
        if (w->state == WARP_AT_BARRIER) {
            waiting++;
            first = first ? first : w;
            elsewhere = same_place(first, w) ? elsewhere : w;
        } else {
            ended++;
            gone = gone ? gone : w;
        }
    }
    if (!waiting)
        return false;
    if (worker->run->races)
        eval_races_advance(worker->run->races);
    if (ended && !worker->run->flush) {
        eval_fail(first, GP5_RUN_DEADLOCK, barrier_of(first), "BAR waits for ever: warp %u is there, warp %u has ended",
                  first->index, gone->index);
        return false;
    }
    if (elsewhere && barrier_of(first) != barrier_of(elsewhere) && !worker->run->flush) {
        eval_fail(first, GP5_RUN_DEADLOCK, barrier_of(first),
                  "BAR waits for ever: warp %u is there, warp %u is at another one", first->index, elsewhere->index);
        return false;
    }
    if (ended || elsewhere)
        eval_divergent_barrier(first, barrier_of(first), first->active);
    for (uint32_t i = 0; i < worker->nwarps; i++) {
        struct warp *w = &worker->warps[i];
        if (w->state != WARP_AT_BARRIER)
            continue;
        w->state = WARP_RUNNING;
        if (w->executed > w->limit)
            eval_fail(w, GP5_RUN_LIMIT, w->x->steps[w->step - 1].insn,
                      "the limit of %llu instructions a warp was reached", (unsigned long long)w->limit);
    }
    return true;
}

static void set_group(struct worker *worker, uint32_t group)
{
    const uint32_t *n = worker->run->launch->groups;

    worker->group = group;
    memset(worker->group_id, 0, sizeof worker->group_id);
    if (worker->run->x->profile == PROFILE_NVCP5) {
        worker->group_id[0] = group % n[0];
        worker->group_id[1] = group / n[0] % n[1];
        worker->group_id[2] = group / n[0] / n[1];
    }
}

static void run_group(struct worker *worker, const struct stage *stage, uint32_t group, bool first)
{
    set_group(worker, group);
    if (worker->shared.size)
        clear_shared(worker);
    eval_agreements_clear(worker);
    if (worker->run->races)
        eval_races_advance(worker->run->races);
    for (uint32_t i = 0; i < worker->nwarps; i++) {
        clear_registers(&worker->warps[i]);
        stage->start(worker, &worker->warps[i], first);
    }
    do {
        advance(worker);
    } while (worker->status == GP5_RUN_OK && release(worker) && worker->status == GP5_RUN_OK);
    if (worker->status == GP5_RUN_OK)
        stage->finish(worker);
    for (uint32_t i = 0; i < worker->nwarps; i++) {
        worker->instructions += worker->warps[i].executed;
        worker->lanes += worker->warps[i].lanes;
    }
}

/* Remembers the lowest group that failed: lower ones still run, so that the report does not depend on the
 * threads. */
static void note_failure(struct run *run, uint32_t group)
{
    unsigned lowest = atomic_load(&run->failed_group);

    while (group < lowest && !atomic_compare_exchange_weak(&run->failed_group, &lowest, group))
        ;
}

void eval_worker_run(struct worker *worker, const struct stage *stage)
{
    struct run *run = worker->run;
    bool first = true;
    uint32_t group;

    eval_float_enter(worker->native_mode, run->flush ? FLOAT_FLUSH : FLOAT_KEEP);
    for (;;) {
        group = first && worker == run->callers ? 0 : atomic_fetch_add(&run->next_group, 1);
        if (group >= run->ngroups || group > atomic_load(&run->failed_group))
            break;
        if (worker == run->callers && run->options->progress &&
            !run->options->progress(run->options->progress_user, group, run->ngroups)) {
            worker->status = GP5_RUN_CANCELLED;
            worker->group = group;
            snprintf(worker->message, sizeof worker->message, "the run was cancelled before group %u", group);
        } else {
            run_group(worker, stage, group, first);
        }
        first = false;
        if (worker->status != GP5_RUN_OK) {
            note_failure(run, group);
            break;
        }
    }
    eval_float_leave(worker->native_mode);
}
