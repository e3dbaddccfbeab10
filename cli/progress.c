#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

/* ---- signals --------------------------------------------------------------------------------------------------- */

static void *watch(void *argument)
{
    struct cli_progress *p = argument;
    int number;
    if (!sigwait(&p->caught, &number))
        atomic_store(&p->signal, number);
    if (!sigwait(&p->caught, &number)) {
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, number);
        sigaction(number, &plain, NULL);
        raise(number);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    }
    return NULL;
}

/* What is ignored (nohup, a shell's background) stays so. */
static void catch_signals(struct cli_progress *p)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    bool any = false;
    sigemptyset(&p->caught);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) || now.sa_handler != SIG_DFL)
            continue;
        sigaddset(&p->caught, numbers[i]);
        any = true;
    }
    if (!any || pthread_sigmask(SIG_BLOCK, &p->caught, &p->before))
        return;
    p->watching = !pthread_create(&p->watcher, NULL, watch, p);
    if (!p->watching)
        pthread_sigmask(SIG_SETMASK, &p->before, NULL);
}

void cli_progress_begin(struct cli_progress *p, const char *command, const char *unit, uint64_t total)
{
    const char *term = getenv("TERM");
    memset(p, 0, sizeof *p);
    atomic_init(&p->signal, 0);
    atomic_init(&p->nested, false);
    p->command = command;
    p->unit = unit;
    p->total = total;
    p->terminal = isatty(STDERR_FILENO) == 1 && term && strcmp(term, "dumb") != 0;
    clock_gettime(CLOCK_MONOTONIC, &p->begun);
    p->drawn = p->begun;
    pthread_mutex_init(&p->lock, NULL);
    catch_signals(p);
}

bool cli_progress_stopped(const struct cli_progress *p)
{
    return atomic_load_explicit(&p->signal, memory_order_relaxed) != 0;
}

/* ---- the line -------------------------------------------------------------------------------------------------- */

enum { FIRST_AFTER = 1 };           /* seconds */
static const double AGAIN_AFTER = 0.1;

static void put_left(char *text, size_t size, double left)
{
    unsigned long s = (unsigned long)(left + 0.5);
    if (s < 100)
        snprintf(text, size, "%lu s", s);
    else if (s < 6000)
        snprintf(text, size, "%lu min", (s + 30) / 60);
    else
        snprintf(text, size, "%lu h", (s + 1800) / 3600);
}

static void draw(struct cli_progress *p, double elapsed)
{
    uint64_t done = p->done, total = p->total;
    char left[32] = "", line[160];
    if (total && done) {
        put_left(left, sizeof left, elapsed * (double)(total - done) / (double)done);
        snprintf(line, sizeof line, "gp5 %s: %" PRIu64 " of %" PRIu64 " %s, %s left", p->command, done, total,
                 p->unit, left);
    } else if (total) {
        snprintf(line, sizeof line, "gp5 %s: 0 of %" PRIu64 " %s", p->command, total, p->unit);
    } else {
        snprintf(line, sizeof line, "gp5 %s: %" PRIu64 " %s", p->command, done, p->unit);
    }
    fflush(stdout);
    fprintf(stderr, "\r%.78s\033[K", line);
    fflush(stderr);
    p->shown = true;
}

static void show(struct cli_progress *p)
{
    struct timespec now;
    if (!p->terminal || pthread_mutex_trylock(&p->lock))
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double elapsed = seconds(&p->begun, &now);
    if (elapsed >= FIRST_AFTER && (!p->shown || seconds(&p->drawn, &now) >= AGAIN_AFTER)) {
        p->drawn = now;
        draw(p, elapsed);
    }
    pthread_mutex_unlock(&p->lock);
}

bool cli_progress_at(struct cli_progress *p, uint64_t done, uint64_t total)
{
    p->done = done;
    p->total = total;
    show(p);
    return !cli_progress_stopped(p);
}

void cli_progress_hide_for_output(struct cli_progress *p)
{
    if (p->shown && isatty(STDOUT_FILENO) == 1)
        cli_progress_hide(p);
}

void cli_progress_pause(struct cli_progress *p)
{
    pthread_mutex_lock(&p->lock);
    cli_progress_hide(p);
}

void cli_progress_resume(struct cli_progress *p)
{
    pthread_mutex_unlock(&p->lock);
}

void cli_progress_hide(void *user)
{
    struct cli_progress *p = user;
    if (!p->shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->shown = false;
}

bool cli_progress_groups(void *user, uint64_t begun, uint64_t groups)
{
    struct cli_progress *p = user;
    if (!atomic_load(&p->nested))
        return cli_progress_at(p, begun, groups);
    show(p);
    return !cli_progress_stopped(p);
}

bool cli_progress_continues(void *user, uint64_t begun, uint64_t groups)
{
    (void)begun;
    (void)groups;
    return !cli_progress_stopped(user);
}

int cli_progress_end(struct cli_progress *p, int status)
{
    int number = atomic_load(&p->signal);
    cli_progress_hide(p);
    if (p->watching) {
        pthread_cancel(p->watcher);
        pthread_join(p->watcher, NULL);
        pthread_sigmask(SIG_SETMASK, &p->before, NULL);
    }
    pthread_mutex_destroy(&p->lock);
    if (!number)
        return status;
    fflush(stdout);
    fprintf(stderr, "gp5 %s: interrupted after %" PRIu64, p->command, p->done);
    if (p->total)
        fprintf(stderr, " of %" PRIu64, p->total);
    fprintf(stderr, " %s\n", p->unit);
    return 128 + number;
}
