/* The client of the worker process: the driver interface over compare/driver/protocol.h. */
#include "compare/driver/driver.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "compare/driver/capture.h"
#include "compare/driver/process.h"
#include "compare/driver/protocol.h"

enum { DEFAULT_TIMEOUT_MS = 10000, START_TIMEOUT_MS = 30000, GRACE_MS = 1000, MAX_FAILED_STARTS = 3 };

struct client {
    struct driver base;
    char *worker, *context, *log;
    unsigned timeout_ms;
    struct process process;
    unsigned served;            /* answers of this worker */
    unsigned failed_starts;     /* in a row */
    uint32_t sequence;
    struct wire_out out;        /* the case that is being asked */
    struct wire_out hello;
    struct wire_in in;
    struct wire_in welcome;     /* of the first worker: holds the description */
    struct driver_description description;
    char detail[256];
};

/* ---- the interface ------------------------------------------------------------------------------------- */

const struct driver_description *driver_describe(struct driver *d)
{
    return d->ops->describe(d);
}

bool driver_run(struct driver *d, const struct driver_case *cases, size_t count, driver_result_fn *result,
                void *user)
{
    return d->ops->run(d, cases, count, result, user);
}

void driver_close(struct driver *d)
{
    if (d)
        d->ops->close(d);
}

/* ---- one worker after another -------------------------------------------------------------------------- */

static void say(struct client *c, const char *what, const char *why)
{
    snprintf(c->detail, sizeof c->detail, "%s%s", what, why ? why : "");
}

/* How the worker ended, in words; the signal, or 0. */
static int describe_end(struct client *c, int status)
{
    if (status != -1 && WIFSIGNALED(status)) {
        snprintf(c->detail, sizeof c->detail, "the worker died of signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
        return WTERMSIG(status);
    }
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == PROTOCOL_EXIT_LOST)
        say(c, "the driver lost its context (GPU reset)", NULL);
    else if (status != -1 && WIFEXITED(status))
        snprintf(c->detail, sizeof c->detail, "the worker ended with status %d instead of an answer",
                 WEXITSTATUS(status));
    else
        say(c, "the worker ended instead of giving an answer", NULL);
    return 0;
}

/* Sends a message and receives the answer to it. */
static enum wire_status exchange(struct client *c, const struct wire_out *message, int64_t deadline)
{
    enum wire_status s = wire_send(c->process.fd, message, deadline);
    if (s == WIRE_OK)
        s = wire_receive(c->process.fd, &c->in, deadline);
    if (s == WIRE_OK && c->in.header.version != WIRE_VERSION) {
        c->in.error = "it speaks another version of the protocol";
        s = WIRE_BROKEN;
    } else if (s == WIRE_OK && c->in.header.sequence != c->sequence) {
        c->in.error = "it answers another question";
        s = WIRE_BROKEN;
    }
    return s;
}

static enum driver_open_status judge_greeting(struct client *c, struct driver_description *d)
{
    const char *error, *reason = "";
    enum driver_open_status status = DRIVER_NO_WORKER;
    if (c->in.header.type == MESSAGE_WELCOME) {
        error = protocol_get_welcome(&c->in, d);
        if (!error)
            return DRIVER_OPENED;
    } else if (c->in.header.type == MESSAGE_REFUSED) {
        error = protocol_get_refused(&c->in, &status, &reason);
        if (!error && status != DRIVER_OPENED) {
            say(c, reason, NULL);
            return status;
        }
    } else {
        error = "a greeting of an unknown type";
    }
    say(c, "the worker's greeting is wrong: ", error ? error : "refused without a reason");
    return DRIVER_NO_WORKER;
}

static enum driver_open_status greet(struct client *c, struct driver_description *d)
{
    unsigned wait = c->timeout_ms > START_TIMEOUT_MS ? c->timeout_ms : START_TIMEOUT_MS;
    wire_begin(&c->hello, MESSAGE_HELLO, c->sequence);
    protocol_put_hello(&c->hello, c->context, c->timeout_ms);
    enum wire_status s = wire_end(&c->hello) ? exchange(c, &c->hello, wire_now() + wait) : WIRE_NO_MEMORY;
    if (s == WIRE_OK)
        return judge_greeting(c, d);
    if (s == WIRE_CLOSED)
        describe_end(c, process_stop(&c->process, GRACE_MS));
    else if (s == WIRE_TIMEOUT)
        say(c, "the worker did not open a context in time", NULL);
    else
        say(c, "the worker's greeting is wrong: ", s == WIRE_BROKEN ? c->in.error : "no memory");
    return DRIVER_NO_WORKER;
}

static enum driver_open_status start(struct client *c, struct driver_description *d)
{
    int error = process_start(&c->process, c->worker, c->log);
    if (error) {
        snprintf(c->detail, sizeof c->detail, "%s does not start: %s", c->worker, strerror(error));
        return DRIVER_NO_WORKER;
    }
    c->served = 0;
    enum driver_open_status s = greet(c, d);
    if (s != DRIVER_OPENED)
        process_stop(&c->process, 0);
    return s;
}

/* A worker that is ready for a case. One that died or wrote something after its last answer is replaced
 * first, so that the next case does not pay for it. */
static bool ready(struct client *c)
{
    if (c->process.pid) {
        struct pollfd p = { .fd = c->process.fd, .events = POLLIN };
        if (poll(&p, 1, 0) == 0)
            return true;
        process_stop(&c->process, 0);
    }
    if (c->failed_starts >= MAX_FAILED_STARTS)
        return false;
    struct driver_description again = {0};
    enum driver_open_status s = start(c, &again);
    protocol_free_welcome(&again);
    c->failed_starts = s == DRIVER_OPENED ? 0 : c->failed_starts + 1;
    return s == DRIVER_OPENED;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

static struct driver_result charge(const struct client *c, enum driver_status status)
{
    return (struct driver_result){
        .status = status, .position = -1, .native = -1, .message = "", .detail = c->detail
    };
}

static const char *decode(struct client *c, const struct driver_case *cs, struct driver_result *r)
{
    if (c->in.header.type != MESSAGE_RESULT)
        return "it is no result";
    const char *error = protocol_get_result(&c->in, r);
    return error ? error : driver_result_check(cs, r);
}

/* One case on one worker. True when the worker did not survive it or can't be trusted any more. */
static bool attempt(struct client *c, const struct driver_case *cs, struct driver_result *r)
{
    const char *error;
    switch (exchange(c, &c->out, wire_now() + c->timeout_ms)) {
    case WIRE_OK:
        error = decode(c, cs, r);
        if (!error) {
            c->served++;
            return false;
        }
        protocol_free_result(r);
        say(c, "the worker's answer is wrong: ", error);
        *r = charge(c, DRIVER_GARBLED);
        process_stop(&c->process, 0);
        return true;
    case WIRE_BROKEN:
        say(c, "the worker's answer is wrong: ", c->in.error);
        *r = charge(c, DRIVER_GARBLED);
        process_stop(&c->process, 0);
        return true;
    case WIRE_CLOSED: {
        int signal = describe_end(c, process_stop(&c->process, GRACE_MS));
        *r = charge(c, DRIVER_CRASHED);
        r->signal = signal;
        return true;
    }
    case WIRE_TIMEOUT:
        snprintf(c->detail, sizeof c->detail, "no answer within %u ms", c->timeout_ms);
        *r = charge(c, DRIVER_HUNG);
        break;
    case WIRE_NO_MEMORY:
        say(c, "no memory for the answer", NULL);
        *r = charge(c, DRIVER_OUT_OF_MEMORY);
        break;
    }
    process_stop(&c->process, 0);
    return false;
}

/* A worker that has served others before may die of what they left behind: the charge stands only when a
 * fresh one dies as well. */
static void run_case(struct client *c, const struct driver_case *cs, struct driver_result *r)
{
    const char *error = driver_case_check(cs);
    if (error) {
        say(c, error, NULL);
        *r = charge(c, DRIVER_UNSUPPORTED);
        return;
    }
    wire_begin(&c->out, MESSAGE_CASE, ++c->sequence);
    protocol_put_case(&c->out, cs);
    if (!wire_end(&c->out)) {
        say(c, "the case is larger than memory or than a message may be (1 GiB)", NULL);
        *r = charge(c, DRIVER_OUT_OF_MEMORY);
        return;
    }
    for (unsigned attempts = 1;; attempts++) {
        if (!ready(c)) {
            *r = charge(c, DRIVER_NOT_RUN);
            r->attempts = attempts - 1;
            return;
        }
        bool fresh = !c->served;
        bool died = attempt(c, cs, r);
        r->attempts = attempts;
        if (!died || fresh || attempts > 1)
            return;
    }
}

static bool client_run(struct driver *d, const struct driver_case *cases, size_t count,
                       driver_result_fn *result, void *user)
{
    struct client *c = (struct client *)d;
    for (size_t i = 0; i < count; i++) {
        struct driver_result r;
        run_case(c, &cases[i], &r);
        bool go_on = result(user, i, &cases[i], &r);
        protocol_free_result(&r);
        if (!go_on)
            break;
    }
    return true;
}

bool driver_capture(struct driver *driver, const struct capture_program *program, struct capture_result *result)
{
    struct client *c = (struct client *)driver;
    *result = (struct capture_result){ .status = CAPTURE_FAILED, .log = "", .detail = c->detail };
    if (!ready(c))
        return false;
    wire_begin(&c->out, MESSAGE_CAPTURE, ++c->sequence);
    protocol_put_capture(&c->out, program);
    enum wire_status s =
        wire_end(&c->out) ? exchange(c, &c->out, wire_now() + c->timeout_ms) : WIRE_NO_MEMORY;
    const char *error = s == WIRE_BROKEN ? c->in.error : NULL;
    if (s == WIRE_OK) {
        error = c->in.header.type == MESSAGE_CAPTURED ? protocol_get_captured(&c->in, result)
                                                      : "it is no program";
        if (!error)
            return true;
        *result = (struct capture_result){ .status = CAPTURE_FAILED, .log = "", .detail = c->detail };
    }
    int status = process_stop(&c->process, s == WIRE_CLOSED ? GRACE_MS : 0);
    if (s == WIRE_CLOSED)
        describe_end(c, status);
    else if (s == WIRE_TIMEOUT)
        say(c, "no answer in time", NULL);
    else
        say(c, "the worker's answer is wrong: ", error ? error : "no memory");
    return false;
}

/* ---- open and close ------------------------------------------------------------------------------------ */

static const struct driver_description *client_describe(struct driver *d)
{
    return &((struct client *)d)->description;
}

static void client_close(struct driver *d)
{
    struct client *c = (struct client *)d;
    process_stop(&c->process, GRACE_MS);
    protocol_free_welcome(&c->description);
    wire_in_free(&c->welcome);
    wire_in_free(&c->in);
    wire_out_free(&c->out);
    wire_out_free(&c->hello);
    free(c->worker);
    free(c->context);
    free(c->log);
    free(c);
}

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    return p ? strcpy(p, s) : NULL;
}

static enum driver_open_status fail(struct client *c, char **reason, enum driver_open_status status,
                                    const char *why)
{
    if (reason)
        *reason = copy(why);
    if (c)
        client_close(&c->base);
    return status;
}

enum driver_open_status driver_open(const struct driver_options *o, struct driver **driver, char **reason)
{
    static const struct driver_ops ops = { client_describe, client_run, client_close };
    *driver = NULL;
    if (reason)
        *reason = NULL;
    struct client *c = calloc(1, sizeof *c);
    if (!c)
        return fail(NULL, reason, DRIVER_NO_WORKER, "no memory");
    c->base.ops = &ops;
    c->process.fd = -1;
    c->timeout_ms = o->timeout_ms ? o->timeout_ms : DEFAULT_TIMEOUT_MS;
    c->worker = process_find_worker(o->worker);
    c->context = copy(o->context ? o->context : "auto");
    c->log = o->log ? copy(o->log) : NULL;
    if (!c->worker)
        return fail(c, reason, DRIVER_NO_WORKER,
                    "gp5-gl-worker is not beside gp5, nor installed, nor in $GP5_GL_WORKER");
    if (!c->context || (o->log && !c->log))
        return fail(c, reason, DRIVER_NO_WORKER, "no memory");

    enum driver_open_status s = start(c, &c->description);
    if (s != DRIVER_OPENED) {
        char why[sizeof c->detail];
        memcpy(why, c->detail, sizeof why);
        return fail(c, reason, s, why);
    }
    /* The description points into the greeting: keep that, and receive what follows elsewhere. */
    c->welcome = c->in;
    c->in = (struct wire_in){0};
    *driver = &c->base;
    return DRIVER_OPENED;
}
