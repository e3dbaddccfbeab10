/* A launch: buffers, threads, the report. */
#include "eval/images.h"
#include "eval/origins.h"
#include "eval/prepare.h"
#include "eval/races.h"
#include "eval/subroutines.h"
#include "eval/texture.h"
#include "eval/worker.h"

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

/* A launch in progress: what is made for it and freed after it. */
struct execution {
    struct run run;
    const struct stage *stage;
    struct worker *workers;
    uint32_t nworkers;
    struct shadow_run *shadows;     /* of every storage buffer, and of the colours */
    bool *shadow_owned;
    atomic_bool *shadow_marked;
    size_t nshadows;
};

static void explain(struct gp5_report *report, enum gp5_run_status status, const char *text)
{
    size_t size = strlen(text) + 1;

    report->status = status;
    report->message = gp5_malloc(size);
    if (report->message)
        memcpy(report->message, text, size);
}

/* ---- buffers ------------------------------------------------------------------------------------------- */

static const struct gp5_buffer *bound(const struct gp5_buffer *list, size_t n, uint32_t binding)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].binding == binding)
            return &list[i];
    return NULL;
}

static bool check_buffers(const struct gp5_buffer *list, size_t n, const char *what, char *text, size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if ((!list[i].data && list[i].size) || (uintptr_t)list[i].data % 16) {
            snprintf(text, size, "the memory of %s buffer %u is %s", what, list[i].binding,
                     list[i].data ? "not aligned to 16 bytes" : "not given");
            return false;
        }
        if (bound(list, i, list[i].binding)) {
            snprintf(text, size, "%s buffer %u is given twice", what, list[i].binding);
            return false;
        }
    }
    return true;
}

static bool make_shadow(struct execution *e, uint32_t *given, size_t words)
{
    struct shadow_run *s = &e->shadows[e->nshadows];

    e->shadow_owned[e->nshadows] = !given;
    atomic_init(&e->shadow_marked[e->nshadows], false);
    s->words = given ? given : gp5_malloc(words * sizeof *s->words);
    s->count = words;
    if (!s->words)
        return false;
    memset(s->words, 0, words * sizeof *s->words);
    e->nshadows++;
    return true;
}

/* The driver keeps the lower 32 bits of a size: a buffer of 4 GB is one of none. */
static size_t storage_size(const struct run *run, const struct gp5_buffer *b)
{
    return run->flush ? (uint32_t)b->size : b->size;
}

static struct memory storage_memory(const struct execution *e, size_t i)
{
    const struct gp5_buffer *b = &e->run.launch->storage[i];

    return (struct memory){.data = b->data, .size = storage_size(&e->run, b), .shadow_shift = 2,
                           .shadow = e->run.origins ? e->shadows[i].words : NULL,
                           .marked = e->run.origins ? &e->shadow_marked[i] : NULL,
                           .races = e->run.races ? eval_races_storage(e->run.races, i) : NULL};
}

static struct memory counter_memory(const struct execution *e, size_t i)
{
    const struct gp5_buffer *b = &e->run.launch->counters[i];

    return (struct memory){.data = b->data, .size = b->size, .shadow_shift = 2,
                           .shadow = e->run.origins ? e->shadows[e->run.launch->nstorage + i].words : NULL,
                           .marked = e->run.origins ? &e->shadow_marked[e->run.launch->nstorage + i] : NULL,
                           .races = e->run.races ? eval_races_counters(e->run.races, i) : NULL};
}

/* Textures, which image instructions write. */
static bool map_textures(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;

    e->run.textures = gp5_malloc((launch->ntextures + 1) * sizeof *e->run.textures);
    for (size_t i = 0; e->run.textures && i < launch->ntextures; i++)
        e->run.textures[i] = (struct memory){
            .data = launch->textures[i].data, .size = launch->textures[i].bytes, .shadow_shift = 2,
            .shadow = e->run.origins ? e->shadows[launch->nstorage + launch->ncounters + i].words : NULL,
            .races = e->run.races ? eval_races_texture(e->run.races, i) : NULL};
    return e->run.textures != NULL;
}

/* The driver reads 0 beyond 64 KB of a constant buffer. */
static size_t constant_size(const struct run *run, const struct gp5_buffer *b)
{
    return run->flush && b->size > 65536 ? 65536 : b->size;
}

static bool map_slots(struct execution *e)
{
    struct run *run = &e->run;
    const struct gp5_launch *launch = run->launch;

    run->slots = gp5_malloc((run->x->nslots + 1) * sizeof *run->slots);
    if (!run->slots)
        return false;
    memset(run->slots, 0, (run->x->nslots + 1) * sizeof *run->slots);
    for (uint32_t i = 0; i < run->x->nslots; i++) {
        const struct buffer_slot *slot = &run->x->slots[i];
        const struct gp5_buffer *b = slot->space == SPACE_IMAGE ? NULL
                                     : slot->space == SPACE_STORAGE ? bound(launch->storage, launch->nstorage, slot->binding)
                                     : slot->space == SPACE_COUNTER
                                         ? bound(launch->counters, launch->ncounters, slot->binding)
                                         : bound(launch->cbuffers, launch->ncbuffers, slot->binding);
        if (b && slot->space == SPACE_STORAGE)
            run->slots[i] = storage_memory(e, (size_t)(b - launch->storage));
        else if (b && slot->space == SPACE_COUNTER)
            run->slots[i] = counter_memory(e, (size_t)(b - launch->counters));
        else if (b)
            run->slots[i] = (struct memory){.data = b->data, .size = constant_size(run, b), .shadow_shift = 2};
    }
    return true;
}

static bool map_addresses(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;

    e->run.ranges = gp5_malloc((launch->naddresses + 1) * sizeof *e->run.ranges);
    for (size_t i = 0; e->run.ranges && i < launch->naddresses; i++) {
        const struct gp5_buffer *b = bound(launch->storage, launch->nstorage, launch->addresses[i].binding);
        e->run.ranges[i] = (struct global_range){launch->addresses[i].address,
                                                 storage_memory(e, (size_t)(b - launch->storage))};
    }
    return e->run.ranges != NULL;
}

/* Shadows in the order of the storage buffers, then the counter buffers', the textures', the colours'. */
static bool make_shadows(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;
    size_t n = launch->nstorage + launch->ncounters + launch->ntextures + 1;

    if (!e->run.origins)
        return true;
    e->shadows = gp5_malloc(n * sizeof *e->shadows);
    e->shadow_owned = gp5_malloc(n * sizeof *e->shadow_owned);
    e->shadow_marked = gp5_malloc(n * sizeof *e->shadow_marked);
    if (!e->shadows || !e->shadow_owned || !e->shadow_marked)
        return false;
    for (size_t i = 0; i < launch->nstorage; i++)
        if (!make_shadow(e, launch->storage[i].undefined, (launch->storage[i].size + 3) / 4))
            return false;
    for (size_t i = 0; i < launch->ncounters; i++)
        if (!make_shadow(e, launch->counters[i].undefined, (launch->counters[i].size + 3) / 4))
            return false;
    for (size_t i = 0; i < launch->ntextures; i++)
        if (!make_shadow(e, launch->textures[i].undefined, (launch->textures[i].bytes + 3) / 4))
            return false;
    if (e->run.x->profile != PROFILE_ARBFP)
        return true;
    if (!make_shadow(e, launch->undefined, (size_t)launch->ncolors * launch->width * launch->height * 4))
        return false;
    e->run.colors_shadow = e->shadows[e->nshadows - 1].words;
    return true;
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
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t jobs = run->options->jobs ? run->options->jobs : processors > 0 ? (uint32_t)processors : 1;

    if (run->observer || run->races)
        return 1;
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    return jobs > run->ngroups ? run->ngroups ? run->ngroups : 1 : jobs;
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
        const struct gp5_buffer *b = bound(launch->storage, launch->nstorage, r->binding);
        if (!b || b->size >= UINT32_MAX || r->address > UINT64_MAX - b->size || r->address % 32) {
            snprintf(text, size, "storage buffer %u, which is to stand at an address, %s", r->binding,
                     b ? "does not fit there" : "is not given");
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            const struct gp5_address_range *o = &launch->addresses[k];
            const struct gp5_buffer *other = bound(launch->storage, launch->nstorage, o->binding);
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
    if (run->options->track_races && !run->x->options.track_races) {
        snprintf(text, size, "the program was not prepared for races");
        return false;
    }
    return check_addresses(launch, text, size) && eval_check_subroutines(run, text, size) && eval_images_check(launch, text, size) &&
           check_buffers(launch->counters, launch->ncounters, "counter", text, size) && check_buffers(launch->storage, launch->nstorage, "storage", text, size) &&
           check_buffers(launch->cbuffers, launch->ncbuffers, "constant", text, size) &&
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
        e->run.origins = eval_origins_new(e->run.x, e->run.races);
        if (!e->run.origins)
            return false;
    }
    return make_shadows(e) && map_slots(e) && map_addresses(e) && eval_map_subroutines(&e->run) && map_textures(e) &&
           eval_images_map(&e->run) && eval_textures_map(&e->run) && make_workers(e, warps);
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

/* Shadows of buffers that nothing undefined was stored into need not be looked through. */
static void note_clean(struct execution *e)
{
    size_t buffers = e->run.launch->nstorage + e->run.launch->ncounters;

    for (size_t i = 0; i < e->nshadows; i++)
        e->shadows[i].clean = i < buffers && !atomic_load(&e->shadow_marked[i]);
}

static void tear_down(struct execution *e)
{
    for (uint32_t i = 0; i < e->nworkers; i++)
        eval_worker_free(&e->workers[i]);
    gp5_free(e->workers);
    for (size_t i = 0; i < e->nshadows; i++)
        if (e->shadow_owned[i])
            gp5_free(e->shadows[i].words);
    gp5_free(e->shadows);
    gp5_free(e->shadow_owned);
    gp5_free(e->shadow_marked);
    gp5_free(e->run.slots);
    gp5_free(e->run.ranges);
    gp5_free(e->run.called);
    gp5_free(e->run.textures);
    gp5_free(e->run.sampled);
    gp5_free(e->run.views);
    gp5_free(e->run.unit_views);
    eval_origins_free(e->run.origins);
    eval_races_free(e->run.races);
}

enum gp5_run_status eval_execute(const gp5_executable *x, const struct gp5_launch *launch,
                                 const struct gp5_run_options *options, const struct eval_observer *observer,
                                 struct gp5_report *report)
{
    struct execution e = {.run = {.x = x, .launch = launch, .options = options, .observer = observer}};
    uint32_t warps = 0;
    char text[240];

    memset(report, 0, sizeof *report);
    e.stage = x->profile == PROFILE_ARBFP ? &eval_fragment_stage : &eval_compute_stage;
    e.run.flush = x->options.semantics == GP5_SEMANTICS_NVIDIA;
    e.run.strict = options->strict && options->track_undefined;
    e.run.limit = options->max_instructions ? options->max_instructions : DEFAULT_LIMIT;
    e.run.warp_lanes = options->warp ? options->warp : WARP_LANES;
    atomic_init(&e.run.next_group, 0);
    atomic_init(&e.run.failed_group, UINT32_MAX);
    if (!check_launch(&e, &warps, text, sizeof text)) {
        explain(report, GP5_RUN_BAD_LAUNCH, text);
    } else if (!set_up(&e, warps)) {
        explain(report, GP5_RUN_NO_MEMORY, "out of memory");
    } else {
        run_workers(&e);
        collect(&e, report);
        note_clean(&e);
        if (e.run.origins && !eval_origins_report(e.run.origins, e.shadows, e.nshadows, report) &&
            report->status == GP5_RUN_OK)
            explain(report, GP5_RUN_NO_MEMORY, "out of memory for the report");
        if (e.run.races && !eval_races_report(e.run.races, report) && report->status == GP5_RUN_OK)
            explain(report, GP5_RUN_NO_MEMORY, "out of memory for the report");
    }
    tear_down(&e);
    return report->status;
}

enum gp5_run_status gp5_execute(const gp5_executable *executable, const struct gp5_launch *launch,
                                const struct gp5_run_options *options, struct gp5_report *report)
{
    return eval_execute(executable, launch, options, NULL, report);
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
