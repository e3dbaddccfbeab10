/* A debugger: an observer of the evaluator that stops at lines, labels and changes of registers, and answers questions
 * there. */
#ifndef GP5_COMPARE_DEBUGGER_H
#define GP5_COMPARE_DEBUGGER_H

#include "compare/debug/values.h"

#include <signal.h>
#include <stdio.h>

enum { DEBUGGER_STOPS = 64 };

/* A place or a change that a run stops at. */
struct debugger_stop {
    unsigned number;            /* 0: free */
    uint32_t line;              /* of a breakpoint; 0: it watches */
    uint32_t plane;
    bool wide;
    char name[NAME_ROOM + 2];   /* of what it watches */
};

struct debugger {
    /* The next command, without its newline, or NULL at the end; the debugger does not keep it. */
    const char *(*read)(void *user, const char *prompt);
    void *user;
    FILE *out;
    const char *file;
    volatile sig_atomic_t *interrupt;   /* NULL, or not 0 when somebody wants it to stop */

    const struct gp5_executable *executable;
    const struct gp5_program *program;
    uint32_t *lines;            /* of each instruction */
    uint32_t lines_before;      /* of the file, before the program */
    uint32_t here;              /* the line where it stopped */
    char *types;                /* four a symbol: what was written there last, 'F' 'S' 'U'; 0 */
    uint32_t *before;           /* planes of the warp when it stopped before; NULL until then, or nobody asks */
    const struct warp *before_warp;
    bool compares;              /* somebody does */
    uint32_t next;              /* the instruction that comes next; NO_INDEX: the warp has ended */
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

/* ---- stops.c ------------------------------------------------------------------------------------------------ */

void debugger_break(struct debugger *d, const char *word);
void debugger_watch(struct debugger *d, const char *word);
void debugger_delete(struct debugger *d, const char *word);
void debugger_list_stops(struct debugger *d);
bool debugger_at_stop(struct debugger *d, uint32_t insn);
/* Whether something that is watched changed since the warp was last looked at. */
bool debugger_changed(struct debugger *d, const struct warp *w);
/* From here on. */
void debugger_remember(struct debugger *d);

/* ---- debugger_show.c: what there is to see ------------------------------------------------------------------ */

/* The format of values: 'x' 'f' 'd' 'u'; 0: bits, and a number by their type. */
void debugger_show_register(struct debugger *d, const char *name, char format);
void debugger_show_bindings(struct debugger *d, bool results, bool state, char format);
void debugger_show_place(struct debugger *d, uint32_t insn);
void debugger_show_source(struct debugger *d, uint32_t line);
void debugger_show_lanes(struct debugger *d);
void debugger_show_stack(struct debugger *d);
void debugger_show_flags(struct debugger *d);
void debugger_show_warps(struct debugger *d);
void debugger_show_lane(struct debugger *d, unsigned lane, char format);
void debugger_show_shared(struct debugger *d, uint32_t address, uint32_t words, char format);
/* A value as text; `type` is 'F' 'S' 'U'. */
void debugger_value(char *text, size_t size, uint64_t bits, bool wide, char type, char format);
uint64_t debugger_value_of(const struct warp *w, uint32_t plane, bool wide, unsigned lane);
bool debugger_is_open(const struct warp *w, uint32_t plane, unsigned lane);
char debugger_type(const struct debugger *d, const struct debugger_register *r, unsigned i);
/* A line of the program, with its end; NULL where there is none. */
const char *debugger_line(const struct debugger *d, uint32_t line, const char **end);

#endif
