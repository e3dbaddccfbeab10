/* A launch: buffers, threads, the report. */
#include "eval/machine/emission.h"
#include "eval/machine/launch_state.h"
#include "eval/texture/image.h"
#include "eval/track/origin.h"
#include "eval/machine/launch.h"
#include "eval/race/race.h"
#include "eval/machine/stage_io.h"
#include "eval/machine/subroutine_bind.h"
#include "eval/texture/texture.h"
#include "eval/machine/worker.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A shader that spins ends after a second or so. */
enum { DEFAULT_LIMIT = 1 << 26, MAX_JOBS = 256 };

uint64_t gp5_default_limit(void)
{
    return DEFAULT_LIMIT;
}

static void explain(struct gp5_report *report, enum gp5_run_status status, const char *text)
{
    size_t size = strlen(text) + 1;

    report->status = status;
    report->message = gp5_malloc(size);
    if (report->message)
        memcpy(report->message, text, size);
}

/* ---- threads ------------------------------------------------------------------------------------------- */

struct thread {
    struct execution *e;
    struct worker *worker;
    pthread_t id;
    bool started;
};

static void *thread_main(void *argument)
{
    struct thread *t = argument;

    eval_worker_run(t->worker, t->e->stage);
    return NULL;
}

/* The first worker is the caller's thread; a thread that cannot be had only makes it slower. */
static void run_workers(struct execution *e)
{
    struct thread *threads = e->nworkers > 1 ? gp5_malloc(e->nworkers * sizeof *threads) : NULL;

    e->run.callers = &e->workers[0];
    for (uint32_t i = 1; threads && i < e->nworkers; i++) {
        threads[i] = (struct thread){.e = e, .worker = &e->workers[i]};
        threads[i].started = !pthread_create(&threads[i].id, NULL, thread_main, &threads[i]);
    }
    eval_worker_run(&e->workers[0], e->stage);
    for (uint32_t i = 1; threads && i < e->nworkers; i++)
        if (threads[i].started)
            pthread_join(threads[i].id, NULL);
    gp5_free(threads);
}

static uint32_t jobs_for(const struct run *run)
{
    uint32_t jobs = run->options->jobs;

    if (run->observer || run->races || run->ngroups <= 1)
        return 1;
    if (!jobs) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);    /* which reads a file */
        jobs = processors > 0 ? (uint32_t)processors : 1;
    }
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    return jobs > run->ngroups ? run->ngroups : jobs;
}

static bool make_workers(struct execution *e, uint32_t warps)
{
    uint32_t jobs = jobs_for(&e->run);

    e->workers = gp5_malloc(jobs * sizeof *e->workers);
    if (!e->workers)
        return false;
    for (; e->nworkers < jobs; e->nworkers++)
        if (!eval_worker_init(&e->workers[e->nworkers], &e->run, warps))
            return e->nworkers > 0;     /* fewer will do */
    return true;
}

static bool check_addresses(const struct gp5_launch *launch, char *text, size_t size)
{
    for (size_t i = 0; i < launch->naddresses; i++) {
        const struct gp5_address_range *r = &launch->addresses[i];
        const struct gp5_buffer *b = eval_bound_buffer(launch->storage, launch->nstorage, r->binding);
        if (!b || b->size >= UINT32_MAX || r->address > UINT64_MAX - b->size || r->address % 32) {
            snprintf(text, size, "storage buffer %u, which is to stand at an address, %s", r->binding,
                     b ? "does not fit there" : "is not given");
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            const struct gp5_address_range *o = &launch->addresses[k];
            const struct gp5_buffer *other = eval_bound_buffer(launch->storage, launch->nstorage, o->binding);
            if (r->address < o->address + other->size && o->address < r->address + b->size) {
                snprintf(text, size, "storage buffers %u and %u overlap at their addresses", o->binding, r->binding);
                return false;
            }
        }
    }
    return true;
}

/* ---- the launch ---------------------------------------------------------------------------------------- */

static bool check_launch(struct execution *e, uint32_t *warps, char *text, size_t size)
{
    struct run *run = &e->run;
    const struct gp5_launch *launch = run->launch;

    if (run->options->warp > WARP_LANES) {
        snprintf(text, size, "a warp of %u lanes", run->options->warp);
        return false;
    }
    if (run->options->semantics != run->x->options.semantics) {
        snprintf(text, size, "the program was prepared for the other semantics");
        return false;
    }
    if (run->options->strict && !run->options->track_undefined) {
        snprintf(text, size, "strict without track_undefined: nothing says what is undefined");
        return false;
    }
    if (run->options->track_races && !run->x->options.track_races) {
        snprintf(text, size, "the program was not prepared for races");
        return false;
    }
    return check_addresses(launch, text, size) && eval_check_subroutines(run, text, size) &&
           eval_images_check(launch, text, size) &&
           eval_check_buffers(launch->counters, launch->ncounters, "counter", text, size) &&
           eval_check_buffers(launch->storage, launch->nstorage, "storage", text, size) &&
           eval_check_buffers(launch->cbuffers, launch->ncbuffers, "constant", text, size) &&
           e->stage->plan(run, warps, text, size);
}

static bool set_up(struct execution *e, uint32_t warps)
{
    if (e->run.options->track_races) {
        e->run.races = eval_races_new(e->run.x, e->run.launch);
        if (!e->run.races)
            return false;
    }
    if (e->run.options->track_undefined) {
        e->run.origins = eval_origins_new(e->run.x, e->run.races, eval_race_text);
        if (!e->run.origins)
            return false;
    }
    return eval_make_shadows(e) && eval_map_arrays(&e->run) &&
           (e->stage != &eval_geometry_stage || eval_emission_new(&e->run)) && eval_map_slots(e) &&
           eval_map_addresses(e) && eval_map_subroutines(&e->run) && eval_map_textures(e) && eval_images_map(&e->run) &&
           eval_textures_map(&e->run) && make_workers(e, warps);
}

/* What the workers found: sums, and the failure of the lowest group. */
static void collect(struct execution *e, struct gp5_report *report)
{
    const struct worker *failed = NULL;
    char text[320];

    for (uint32_t i = 0; i < e->nworkers; i++) {
        const struct worker *w = &e->workers[i];
        report->instructions += w->instructions;
        report->lanes += w->lanes;
        if (w->status != GP5_RUN_OK && (!failed || w->group < failed->group))
            failed = w;
    }
    if (!failed)
        return;
    const struct gp5_program *p = e->run.x->program;
    if (failed->failed_insn < p->insns.count)
        report->offset = program_insn(p, failed->failed_insn)->span.offset;
    struct place place = diag_locate(p->text, p->size, (uint32_t)report->offset);
    snprintf(text, sizeof text, "line %u, column %u: %s", place.line, place.column, failed->message);
    explain(report, failed->status, text);
}

static void tear_down(struct execution *e)
{
    for (uint32_t i = 0; i < e->nworkers; i++)
        eval_worker_free(&e->workers[i]);
    gp5_free(e->workers);
    for (size_t i = 0; i < e->nshadows; i++)
        if (!e->shadows[i].given)
            gp5_free(e->shadows[i].words);
    gp5_free(e->shadows);
    gp5_free(e->run.slots);
    gp5_free(e->run.ranges);
    gp5_free(e->run.called);
    gp5_free(e->run.columns);
    gp5_free(e->run.textures);
    gp5_free(e->run.sampled);
    gp5_free(e->run.views);
    gp5_free(e->run.unit_views);
    eval_unmap_arrays(&e->run);
    eval_emission_free(&e->run);
    eval_origins_free(e->run.origins);
    eval_races_free(e->run.races);
}

static const struct stage *stage_of(const gp5_executable *x)
{
    switch (profile_table[x->profile].stage_id) {
    case STAGE_FRAGMENT: return &eval_fragment_stage;
    case STAGE_VERTEX: return &eval_vertex_stage;
    case STAGE_CONTROL: return &eval_control_stage;
    case STAGE_EVALUATION: return &eval_evaluation_stage;
    case STAGE_GEOMETRY: return &eval_geometry_stage;
    default: return &eval_compute_stage;
    }
}

enum gp5_run_status eval_execute(const gp5_executable *x, const struct gp5_launch *launch,
                                 const struct gp5_run_options *options, const struct eval_observer *observer,
                                 struct gp5_report *report)
{
    struct execution e = {.run = {.x = x, .launch = launch, .options = options, .observer = observer}};
    uint32_t warps = 0;
    char text[240];

    memset(report, 0, sizeof *report);
    e.stage = stage_of(x);
    gp5_state_init(&e.defaults);
    e.run.state = launch->state ? launch->state : &e.defaults;
    e.run.flush = x->options.semantics == GP5_SEMANTICS_NVIDIA;
    e.run.strict = options->strict;
    e.run.limit = options->max_instructions ? options->max_instructions : DEFAULT_LIMIT;
    e.run.warp_lanes = options->warp ? options->warp : WARP_LANES;
    atomic_init(&e.run.next_group, 1);      /* the first is the caller's thread's */
    atomic_init(&e.run.failed_group, UINT32_MAX);
    if (!check_launch(&e, &warps, text, sizeof text)) {
        explain(report, GP5_RUN_BAD_LAUNCH, text);
    } else if (!set_up(&e, warps)) {
        explain(report, GP5_RUN_NO_MEMORY, "out of memory");
    } else {
        run_workers(&e);
        collect(&e, report);
        if (e.stage->collect && report->status == GP5_RUN_OK)
            e.stage->collect(&e.run, report);
        if (e.run.origins && !eval_origins_report(e.run.origins, e.shadows, e.nshadows, report) &&
            report->status == GP5_RUN_OK)
            explain(report, GP5_RUN_NO_MEMORY, "out of memory for the report");
        if (e.run.races && !eval_races_report(e.run.races, report) && report->status == GP5_RUN_OK)
            explain(report, GP5_RUN_NO_MEMORY, "out of memory for the report");
    }
    tear_down(&e);
    return report->status;
}

void gp5_report_free(struct gp5_report *report)
{
    for (size_t i = 0; i < report->norigins; i++)
        gp5_free((char *)(uintptr_t)report->origins[i].reason);
    gp5_free(report->origins);
    gp5_free(report->race_list);
    gp5_free(report->message);
    memset(report, 0, sizeof *report);
}
