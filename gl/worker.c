/* gp5-gl-worker: the only executable that links a GL library. It answers the messages of compare/driver/protocol.h
 * on standard input and output until that closes. It may crash or hang: its client is prepared for both. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gl/context.h"
#include "gl/session.h"

struct worker {
    int in, out;
    unsigned seconds;           /* after which a case hangs even if nobody watches any more */
    struct wire_in message;
    struct wire_out answer;
    char context[64];
    gl_find_fn *find;
    struct gl_session session;
};

/* The pipe moves away from 0 and 1: a driver that prints or reads must not meet it. */
static bool take_pipe(struct worker *w)
{
    w->in = fcntl(0, F_DUPFD_CLOEXEC, 3);
    w->out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDONLY);
    return w->in >= 0 && w->out >= 0 && null >= 0 && dup2(null, 0) >= 0 && dup2(2, 1) >= 0;
}

static bool answer(struct worker *w)
{
    return wire_send(w->out, &w->answer, WIRE_FOREVER) == WIRE_OK;
}

static bool greet(struct worker *w)
{
    const char *wanted;
    uint32_t timeout_ms;
    struct gl_reason reason = {0};
    if (wire_receive(w->in, &w->message, WIRE_FOREVER) != WIRE_OK || w->message.header.type != MESSAGE_HELLO
        || w->message.header.version != WIRE_VERSION || protocol_get_hello(&w->message, &wanted, &timeout_ms))
        return false;
    w->seconds = timeout_ms / 1000 + 5;
    alarm(w->seconds + 60);
    enum driver_open_status s = gl_context_open(wanted, w->context, sizeof w->context, &w->find, &reason);
    bool ok = s == DRIVER_OPENED && gl_session_open(&w->session, w->context, w->find);
    wire_begin(&w->answer, ok ? MESSAGE_WELCOME : MESSAGE_REFUSED, w->message.header.sequence);
    if (ok)
        protocol_put_welcome(&w->answer, &w->session.description);
    else
        protocol_put_refused(&w->answer, s == DRIVER_OPENED ? DRIVER_NO_WORKER : s, reason.text);
    return wire_end(&w->answer) && answer(w) && ok;
}

static bool answer_case(struct worker *w)
{
    struct driver_case c;
    const char *error = protocol_get_case(&w->message, &c);
    if (!error)
        gl_run(&w->session, &c, w->message.header.sequence, &w->answer);
    else
        fprintf(stderr, "gp5-gl-worker: a case can't be read: %s\n", error);
    protocol_free_case(&c);
    return !error && answer(w);
}

static bool answer_capture(struct worker *w)
{
    struct capture_program program;
    struct capture_result r;
    struct gl_captured made;
    if (protocol_get_capture(&w->message, &program))
        return false;
    gl_capture(&w->session, &program, &r, &made);
    wire_begin(&w->answer, MESSAGE_CAPTURED, w->message.header.sequence);
    protocol_put_captured(&w->answer, &r);
    gl_captured_free(&made);
    return wire_end(&w->answer) && answer(w);
}

static bool serve(struct worker *w)
{
    alarm(0);
    enum wire_status s = wire_receive(w->in, &w->message, WIRE_FOREVER);
    if (s != WIRE_OK)
        return false;
    alarm(w->seconds);
    switch (w->message.header.type) {
    case MESSAGE_CASE:
        return answer_case(w);
    case MESSAGE_CAPTURE:
        return answer_capture(w);
    default:
        return false;
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1 || isatty(0)) {
        fputs("gp5-gl-worker is started by gp5; see gp5-info(1)\n", stderr);
        return 2;
    }
    struct worker w = {0};
    signal(SIGPIPE, SIG_IGN);
    if (!take_pipe(&w) || !greet(&w))
        return 1;
    while (serve(&w))
        ;
    /* Drivers have crashed while they tidied up: nobody needs that. */
    _exit(0);
}
