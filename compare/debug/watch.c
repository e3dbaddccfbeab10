#include "compare/debug/watch.h"

#include <inttypes.h>

bool watch_open(struct watch *w, struct reference *r, size_t before)
{
    if (!r->executable)
        return true;
    if (w->trace && !trace_open(&w->tracer, w->trace, w->json, r->executable, before))
        return false;
    if (w->debugger && !debugger_open(w->debugger, r->executable, before))
        return false;
    if (w->trace)
        r->observer = &w->tracer.observer;
    if (w->debugger)
        r->observer = &w->debugger->observer;
    return true;
}

void watch_close(struct watch *w)
{
    trace_close(&w->tracer);
    if (w->debugger)
        debugger_close(w->debugger);
}

void watch_run(struct watch *w, uint32_t line)
{
    w->runs++;
    if (w->trace)
        fprintf(w->trace,
                w->json ? "{\"run\":%" PRIu64 ",\"line\":%" PRIu32 "}\n" : "run %" PRIu64 ", of line %" PRIu32 "\n",
                w->runs, line);
    if (w->debugger)
        debugger_run(w->debugger, w->runs, line);
}

bool watch_quit(const struct watch *w)
{
    return w->debugger && w->debugger->quit;
}
