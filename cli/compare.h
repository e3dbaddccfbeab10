/* Inside gp5 compare: what it was asked, and where a driver's results come from. */
#ifndef GP5_CLI_COMPARE_H
#define GP5_CLI_COMPARE_H

#include "cli/batch.h"
#include "compare/report/html.h"

#include <pthread.h>

enum compare_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TAP };

struct compare_arguments {
    const char *driver, *record, *replay, *junit, *html;
    enum compare_format format;
    struct test_options test;
    bool verbose;
};

/* Of one thread. A live driver serves one at a time: seats may take turns at the first one's. */
struct compare_seat {
    struct source source;
    struct driver *driver;
    char *reason;
};

struct compare_session {
    struct compare_arguments arguments;
    struct cli_batch batch;
    struct compare_seat *seats;     /* cli_batch_jobs() of them */
    unsigned nseats;
    bool one_driver;                /* for all seats */
    pthread_mutex_t turn;
    struct recording recording;
    struct driver_description recorded;
    struct recorder recorder;
    bool has_recording, has_recorder;
    struct html html;
    struct vec kept;                /* what scripts gave, for a report of all */
    size_t count, by_status[4];
};

/* CLI_YES, or the status to end with; compare_close takes it either way, with the status so far. */
int compare_open(struct compare_session *s);
int compare_close(struct compare_session *s, int status);

#endif
