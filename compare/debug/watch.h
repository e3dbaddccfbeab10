/* Who looks on while the reference evaluates a program: a trace, or a debugger. */
#ifndef GP5_COMPARE_WATCH_H
#define GP5_COMPARE_WATCH_H

#include "compare/debug/debugger.h"
#include "compare/driver/reference.h"
#include "compare/debug/trace.h"

struct watch {
    FILE *trace;                    /* every instruction goes there, or NULL */
    bool json;                      /* as JSON, an object a line */
    struct debugger *debugger;      /* asks what to do, or NULL; borrowed */
    struct trace tracer;
    uint64_t runs;                  /* of the script so far */
};

/* From here on a reference that has something to run is looked at. Lines are counted in a file in which `before` of
 * them stand before the program. False when memory ran out; watch_close is right either way. */
bool watch_open(struct watch *w, struct reference *r, size_t before);
void watch_close(struct watch *w);

/* The command on a script's line is about to run the program. */
void watch_run(struct watch *w, uint32_t line);
/* Whether the debugger was told to quit: nothing more is of interest. */
bool watch_quit(const struct watch *w);

#endif
