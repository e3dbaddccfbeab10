/* Files on several threads (cli/batch.h): each writes into memory, and what is ready is shown in the files' order. */
#include "cli/batch.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How far the first thread may be before the last: what is finished and not shown stands in memory. */
enum { AHEAD = 4096, MOST_JOBS = 256 };

/* A file that was answered for, until its turn comes. */
struct answer {
    char *bytes[2];             /* for standard output and standard error */
    size_t size[2];
    void *result;
    int status;
    bool ready;
};

struct pool {
    struct cli_batch *batch;
    const struct cli_work *work;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct answer *answers;     /* AHEAD of them, in a ring */
    size_t next, shown;         /* the next file to take, the next one to show */
    bool showing, no_memory;
    int status;
    bool colour[2];
};

struct hand {
    struct pool *pool;
    unsigned number;
    pthread_t id;
    bool started;
    FILE *streams[2];
    char *bytes[2];
    size_t size[2];
};

unsigned cli_batch_threads(const struct cli_batch *b)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned long long jobs = b->jobs ? b->jobs : processors > 0 ? (unsigned long long)processors : 1;
    return jobs > MOST_JOBS ? MOST_JOBS : (unsigned)jobs;
}

unsigned cli_batch_jobs(const struct cli_batch *b)
{
    unsigned jobs = cli_batch_threads(b);
    return jobs <= b->count ? jobs : b->count ? (unsigned)b->count : 1;
}

unsigned cli_batch_threads_left(const struct cli_batch *b)
{
    return cli_batch_threads(b) / cli_batch_jobs(b);
}

/* Shows one answer. Only one thread is here at a time, without the lock. */
static int show(struct pool *p, size_t index, struct answer *a)
{
    FILE *const streams[2] = {stdout, stderr};
    int status = a->status;
    cli_progress_pause(&p->batch->progress);
    for (int i = 0; i < 2; i++) {
        if (a->size[i])
            fwrite(a->bytes[i], 1, a->size[i], streams[i]);
        if (i == 0 && a->size[1])
            fflush(stdout);             /* so that a terminal has both in order */
        free(a->bytes[i]);
    }
    if (p->work->done) {
        struct cli_task task = {.path = p->batch->paths[index], .index = index, .result = a->result,
                                .io = {stdout, stderr, {p->colour[0], p->colour[1]}, NULL}};
        status = p->work->done(p->work->user, &task, status);
    }
    cli_progress_resume(&p->batch->progress);
    return status;
}

/* All whose turn has come; the lock is held before and after. */
static void show_ready(struct pool *p)
{
    struct answer *a;
    while (!p->showing && (a = &p->answers[p->shown % AHEAD])->ready && p->shown < p->batch->count) {
        p->showing = true;
        pthread_mutex_unlock(&p->lock);
        int status = show(p, p->shown, a);
        pthread_mutex_lock(&p->lock);
        *a = (struct answer){.ready = false};
        p->status = cli_worst(p->status, status);
        p->shown++;
        cli_progress_at(&p->batch->progress, p->shown, p->batch->count);
        p->showing = false;
        pthread_cond_broadcast(&p->turn);
    }
}

/* What a file wrote, out of the thread's stream, which the next file fills again. False without memory. */
static bool take_written(struct hand *h, struct answer *a)
{
    for (int i = 0; i < 2; i++) {
        if (fflush(h->streams[i]) != 0)
            return false;
        off_t end = ftello(h->streams[i]);
        if (end <= 0)
            continue;
        a->bytes[i] = malloc((size_t)end);
        if (!a->bytes[i])
            return false;
        memcpy(a->bytes[i], h->bytes[i], (size_t)end);
        a->size[i] = (size_t)end;
        rewind(h->streams[i]);
    }
    return true;
}

static void *hand_main(void *argument)
{
    struct hand *h = argument;
    struct pool *p = h->pool;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->batch->count && !p->no_memory && !cli_progress_stopped(&p->batch->progress)) {
        if (p->next - p->shown >= AHEAD) {
            pthread_cond_wait(&p->turn, &p->lock);
            continue;
        }
        size_t index = p->next++;
        pthread_mutex_unlock(&p->lock);
        struct cli_task task = {.path = p->batch->paths[index], .index = index, .thread = h->number,
                                .io = {h->streams[0], h->streams[1], {p->colour[0], p->colour[1]},
                                       &p->batch->progress}};
        struct answer a = {.status = p->work->work(p->work->user, &task), .ready = true};
        a.result = task.result;
        bool written = take_written(h, &a);
        pthread_mutex_lock(&p->lock);
        p->no_memory |= !written;
        p->answers[index % AHEAD] = a;
        show_ready(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static bool open_hand(struct hand *h)
{
    for (int i = 0; i < 2; i++)
        if (!(h->streams[i] = open_memstream(&h->bytes[i], &h->size[i])))
            return false;
    return true;
}

static void close_hand(struct hand *h)
{
    for (int i = 0; i < 2; i++) {
        if (h->streams[i])
            fclose(h->streams[i]);
        free(h->bytes[i]);
    }
}

/* The first is the caller's thread; one that cannot be had only makes it slower. */
static void run_hands(struct pool *p, struct hand *hands, unsigned jobs)
{
    bool first = false;
    for (unsigned i = 0; i < jobs; i++) {
        hands[i] = (struct hand){.pool = p, .number = i};
        bool open = open_hand(&hands[i]);
        if (i)
            hands[i].started = open && !pthread_create(&hands[i].id, NULL, hand_main, &hands[i]);
        else
            p->no_memory = !(first = open);
    }
    if (first)
        hand_main(&hands[0]);
    for (unsigned i = 0; i < jobs; i++) {
        if (hands[i].started)
            pthread_join(hands[i].id, NULL);
        close_hand(&hands[i]);
    }
}

static int run_alone(struct cli_batch *b, const struct cli_work *work)
{
    struct cli_task task = {.path = b->paths[0], .io = cli_standard()};
    bool watched = work->unit && strcmp(task.path, "-");    /* Ctrl-C ends who waits for what is typed */
    if (watched) {
        cli_progress_begin(&b->progress, b->command, work->unit, 0);
        task.io.progress = &b->progress;
    }
    int status = work->work(work->user, &task);
    if (work->done)
        status = work->done(work->user, &task, status);
    return watched ? cli_progress_end(&b->progress, status) : status;
}

/* A script needs megabytes for its pictures, and so does the next: memory is not given back in between. */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
    mallopt(M_MMAP_THRESHOLD, 1 << 27);
#endif
}

int cli_batch_run(struct cli_batch *b, const struct cli_work *work)
{
    unsigned jobs = cli_batch_jobs(b);
    struct pool p = {.batch = b, .work = work, .colour = {cli_colour(stdout), cli_colour(stderr)}};
    if (!b->count) {
        fprintf(stderr, "gp5 %s: no file of this shard\n", b->command);
        return CLI_YES;
    }
    if (!b->several)
        return run_alone(b, work);
    keep_memory();
    cli_progress_begin(&b->progress, b->command, "files", b->count);
    atomic_store(&b->progress.nested, true);
    struct hand *hands = calloc(jobs, sizeof *hands);
    p.answers = calloc(AHEAD, sizeof *p.answers);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.turn, NULL);
    if (hands && p.answers)
        run_hands(&p, hands, jobs);
    if (!hands || !p.answers || p.no_memory)
        p.status = cli_error(b->command, "out of memory");
    pthread_cond_destroy(&p.turn);
    pthread_mutex_destroy(&p.lock);
    free(p.answers);
    free(hands);
    return cli_progress_end(&b->progress, p.status);
}
