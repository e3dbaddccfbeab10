/* Where gp5 compare's results come from: a driver for all threads or one a thread, or a recording for all. */
#include "cli/compare.h"

#include <stdlib.h>
#include <string.h>

static int open_recording(struct compare_session *s, const char *path)
{
    char *error = recording_load(&s->recording, path);
    s->has_recording = true;
    if (error) {
        fprintf(stderr, "gp5: %s\n", error);
        gp5_free(error);
        return CLI_TROUBLE;
    }
    s->recorded = (struct driver_description){
        .context = s->recording.context, .vendor = s->recording.vendor, .renderer = s->recording.renderer,
        .version = s->recording.version, .glsl_version = "" };
    for (unsigned i = 0; i < s->nseats; i++)
        s->seats[i].source = (struct source){ .kind = SOURCE_RECORDING, .recording = &s->recording,
                                              .description = &s->recorded };
    return CLI_YES;
}

static int open_driver(struct compare_session *s, struct compare_seat *seat, const char *kind)
{
    struct driver_options options = { .context = kind };
    switch (driver_open(&options, &seat->driver, &seat->reason)) {
    case DRIVER_OPENED:
        seat->source.kind = SOURCE_LIVE;
        seat->source.driver = seat->driver;
        seat->source.description = driver_describe(seat->driver);
        return CLI_YES;
    case DRIVER_NO_WORKER:
        if (kind && strcmp(kind, "auto"))
            return cli_error("compare", "%s", seat->reason ? seat->reason : "no worker");
        seat->source.reason = seat->reason ? seat->reason : "the GL worker does not start";
        return CLI_YES;
    case DRIVER_NO_CONTEXT:
        seat->source.reason = seat->reason ? seat->reason : "no context opens here";
        return CLI_YES;
    case DRIVER_BAD_OPTION:
        break;
    }
    return cli_usage_error("compare", s->batch.usage, "%s", seat->reason ? seat->reason : "no such driver");
}

/* A further driver that cannot be had only makes it slower. */
static int open_drivers(struct compare_session *s, const char *kind)
{
    int status = open_driver(s, &s->seats[0], kind);
    for (unsigned i = 1; i < s->nseats && status == CLI_YES; i++) {
        struct compare_seat *seat = &s->seats[i];
        if (s->seats[0].source.kind != SOURCE_LIVE) {
            seat->source.reason = s->seats[0].source.reason;
        } else if (s->one_driver) {
            s->seats[0].source.turn = &s->turn;
            seat->source = s->seats[0].source;
        } else if (open_driver(s, seat, kind) != CLI_YES || seat->source.kind != SOURCE_LIVE) {
            free(seat->reason);
            s->batch.jobs = s->nseats = i;
        }
    }
    return status;
}

/* Beside a live driver two tests at a time unless -j says else, so that it works on one while the reference computes
 * the other; one while recording: the file has the cases in their order. The evaluator's threads that are left go over
 * groups. */
static int make_seats(struct compare_session *s, bool live)
{
    unsigned threads = cli_batch_threads(&s->batch);
    s->one_driver = live && !s->batch.has_jobs;
    if (s->arguments.record || s->one_driver)
        s->batch.jobs = s->arguments.record ? 1 : 2;
    s->nseats = cli_batch_jobs(&s->batch);
    s->arguments.test.run.jobs = threads > s->nseats ? threads / s->nseats : 1;
    s->seats = calloc(s->nseats, sizeof *s->seats);
    pthread_mutex_init(&s->turn, NULL);
    return s->seats ? CLI_YES : cli_error("compare", "out of memory");
}

static int open_recorder(struct compare_session *s, const char *path)
{
    const struct source *source = &s->seats[0].source;
    if (source->kind != SOURCE_LIVE) {
        fprintf(stderr, "gp5: nothing to record: %s\n", source->reason);
        return CLI_SKIPPED;
    }
    const char *error = recorder_open(&s->recorder, path, source->description);
    s->has_recorder = true;
    s->arguments.test.recorder = &s->recorder;
    return error ? cli_error(path, "%s", error) : CLI_YES;
}

int compare_open(struct compare_session *s)
{
    struct compare_arguments *a = &s->arguments;
    bool wanted = a->replay || !a->driver || strcmp(a->driver, "none");
    int status = make_seats(s, wanted && !a->replay);
    if (status == CLI_YES && a->replay)
        status = open_recording(s, a->replay);
    else if (status == CLI_YES && wanted)
        status = open_drivers(s, a->driver);
    a->test.driver_wanted = wanted;
    return status == CLI_YES && a->record ? open_recorder(s, a->record) : status;
}

static int close_recorder(struct compare_session *s, int status)
{
    size_t cases = s->recorder.cases;
    const char *error = recorder_close(&s->recorder, status != CLI_TROUBLE && cases);
    if (error)
        return cli_error(s->arguments.record, "%s", error);
    if (!cases)
        fprintf(stderr, "gp5: %s: nothing was recorded\n", s->arguments.record);
    return status;
}

int compare_close(struct compare_session *s, int status)
{
    if (s->has_recorder)
        status = close_recorder(s, status);
    if (s->has_recording)
        recording_free(&s->recording);
    for (unsigned i = 0; s->seats && i < s->nseats; i++) {
        driver_close(s->seats[i].driver);
        free(s->seats[i].reason);
    }
    free(s->seats);
    pthread_mutex_destroy(&s->turn);
    return status;
}
