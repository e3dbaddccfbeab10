/* The files of a command that takes thousands: named or listed, a shard of them, some at a time; what is told of each
 * comes out in their order, whatever the number of threads. */
#ifndef GP5_CLI_BATCH_H
#define GP5_CLI_BATCH_H

#include "cli/cli.h"
#include "cli/progress.h"

struct cli_batch {
    const char *command, *usage;
    const char *list;                   /* --files-from */
    unsigned long long jobs;            /* -j; 0: a processor each */
    bool has_jobs;
    unsigned long long shard, shards;   /* 0, 0: all of them */
    char **paths;                       /* ends with NULL */
    size_t count;
    bool several;                       /* more than one was named, whatever the shard has of them */
    struct cli_file names;              /* the list's text */
    struct cli_progress progress;       /* while they are run */
};

enum { CLI_FILES_FROM = 0x200, CLI_SHARD };

/* Rows for getopt_long; -j N is 'j'. */
#define CLI_BATCH_OPTIONS                                                                                    \
    { "files-from", required_argument, NULL, CLI_FILES_FROM }, { "shard", required_argument, NULL, CLI_SHARD }

/* For the usage of such a command. */
#define CLI_BATCH_USAGE                                                                                      \
    "  --files-from=LIST these files as well: a name a line, or a NUL behind each; '-' is standard input\n"  \
    "  --shard=I/N       of the files the I-th, the I+N-th ...: one of N machines takes these\n"            \
    "  -j N              files at a time (0, the default: one a processor); the output stays the same\n"

/* One of those options; CLI_YES, or the status to end with. */
int cli_batch_option(struct cli_batch *b, int c, const char *word);
/* cli_options of such a command; what `take` answers CLI_GO_ON for is the batch's. */
int cli_batch_options(struct cli_batch *b, int argc, char **argv, const char *letters, const struct option *options,
                      cli_take *take, void *user);

/* The files, when the options have been read: `named` ends with NULL. CLI_YES, or the status to end with. A shard may
 * have none. */
int cli_batch_files(struct cli_batch *b, char **named);
void cli_batch_free(struct cli_batch *b);

/* Where a file's answer goes. */
struct cli_task {
    const char *path;
    size_t index;               /* of the file */
    unsigned thread;            /* which of cli_batch_jobs() */
    struct cli_io io;
    void *result;               /* from `work` to `done` */
};

struct cli_work {
    /* Answers for one file, on any thread: its exit status. */
    int (*work)(void *user, struct cli_task *task);
    /* Called in the order of the files, one at a time, behind what `work` wrote: may write more, frees task->result and
     * gives the file's exit status, which `work` proposed. Or NULL. */
    int (*done)(void *user, struct cli_task *task, int status);
    void *user;
    const char *unit;           /* what the progress of a file that is alone counts; NULL: it has none */
};

/* What -j says, a processor each where it says nothing. */
unsigned cli_batch_threads(const struct cli_batch *b);
unsigned cli_batch_jobs(const struct cli_batch *b);
/* How many threads each file may have for itself. */
unsigned cli_batch_threads_left(const struct cli_batch *b);

/* All files; the worst exit status. One alone is answered for as it goes, without threads. After a signal files that
 * have not begun are left out, and the status is the signal's. */
int cli_batch_run(struct cli_batch *b, const struct cli_work *work);
/* The files are found, run and forgotten. Those that are rewritten in place are not standard input. */
int cli_batch_all(struct cli_batch *b, char **named, bool in_place, const struct cli_work *work);

#endif
