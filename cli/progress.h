/* How far a command is, on a terminal, once it lasts longer than a second; and Ctrl-C (or SIGTERM), which ends it with
 * what is known by then. Between begin and end the first such signal is only noted, a second one kills. */
#ifndef GP5_CLI_PROGRESS_H
#define GP5_CLI_PROGRESS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct cli_progress {
    const char *command, *unit;
    atomic_int signal;              /* 0, or which */
    atomic_bool nested;             /* files are counted, not what goes on in each */
    bool terminal, shown;           /* the line stands there */
    _Atomic uint64_t done, total;
    struct timespec begun, drawn;
    pthread_mutex_t lock;           /* of the line */
    pthread_t watcher;
    bool watching;
    sigset_t caught, before;
};

/* `unit`: "files", "groups"; a total of 0 is not known. */
void cli_progress_begin(struct cli_progress *p, const char *command, const char *unit, uint64_t total);

/* So much is done of so much: shows it when it is time. False when it is to end. */
bool cli_progress_at(struct cli_progress *p, uint64_t done, uint64_t total);

bool cli_progress_stopped(const struct cli_progress *p);

/* Takes the line away before something else is written to the terminal. `user` is the struct cli_progress. Where
 * several threads say how far they are, nothing is shown between pause and resume. */
void cli_progress_hide(void *user);
void cli_progress_hide_for_output(struct cli_progress *p);   /* where standard output is a terminal as well */
void cli_progress_pause(struct cli_progress *p);
void cli_progress_resume(struct cli_progress *p);

/* As gp5_run_options.progress; where files are counted it shows how many of these. `user` likewise. */
bool cli_progress_groups(void *user, uint64_t begun, uint64_t groups);

/* Likewise, but shows nothing. */
bool cli_progress_continues(void *user, uint64_t begun, uint64_t groups);

/* The exit status: the given one, or 128 and the signal's number, with a line that says how much was done. */
int cli_progress_end(struct cli_progress *p, int status);

#endif
