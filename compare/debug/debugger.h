/* A debugger: an observer of the evaluator that stops at lines, labels and changes of registers, and answers questions
 * there. */
#ifndef GP5_COMPARE_DEBUGGER_H
#define GP5_COMPARE_DEBUGGER_H

#include "eval/decode/prepare.h"

#include <stdio.h>

enum { DEBUGGER_STOPS = 64 };

/* A place or a change that a run stops at. */
struct debugger_stop {
    unsigned number;            /* 0: free */
    uint32_t line;              /* of a breakpoint; 0: it watches */
    uint32_t plane;
    bool wide;
};

struct debugger {
    /* The next command, without its newline, or NULL at the end; the debugger does not keep it. */
    const char *(*read)(void *user, const char *prompt);
    void *user;
    FILE *out;
    const char *file;

    const struct gp5_executable *executable;
    const struct gp5_program *program;
    uint32_t *lines;            /* of each instruction */
    uint32_t lines_before;      /* of the file, before the program */
    uint32_t here;              /* the line where it stopped */
    struct eval_observer observer;
    struct debugger_stop stops[DEBUGGER_STOPS];
    unsigned last_stop;
    uint32_t (*watched)[2 * WARP_LANES];        /* one a stop: what it held */
    const struct warp *warp;    /* the one that is looked at */
    const struct worker *worker;
    uint64_t steps;             /* instructions of that warp still to go; 0: until a stop */
    bool stepping, over, quit;
    bool started;               /* has stopped once: what comes to a first instruction again goes on, unless it is
                                 * stepped */
};

/* `lines_before` lines of the program's file stand before it. False when memory ran out; debugger_close is right either
 * way. */
bool debugger_open(struct debugger *d, const gp5_executable *executable, size_t lines_before);
void debugger_close(struct debugger *d);
/* A script is about to run the program, for the nth time: from a line of its own. */
void debugger_run(struct debugger *d, uint64_t n, uint32_t line);

/* ---- debugger_show.c: what there is to see ------------------------------------------------------------------ */

/* The format of values: 'x' 'f' 'd' 'u'; 0: bits and float. */
void debugger_show_register(struct debugger *d, const char *name, char format);
void debugger_show_place(struct debugger *d, uint32_t insn);
void debugger_show_source(struct debugger *d, uint32_t line);
void debugger_show_lanes(struct debugger *d);
void debugger_show_stack(struct debugger *d);
void debugger_show_flags(struct debugger *d);
void debugger_show_warps(struct debugger *d);
void debugger_show_lane(struct debugger *d, unsigned lane, char format);
void debugger_show_shared(struct debugger *d, uint32_t address, uint32_t words, char format);
/* The components of a register by name: the first one's plane, and how many; 0 when there is none such. */
struct debugger_register { uint32_t plane[4]; unsigned n; bool wide; };
bool debugger_find(struct debugger *d, const char *name, struct debugger_register *r);
void debugger_put_name(struct debugger *d, uint32_t plane);

#endif
