/* A trace: every instruction that a warp executes, its lanes, and what it changed. An observer of the
 * evaluator. */
#ifndef GP5_COMPARE_TRACE_H
#define GP5_COMPARE_TRACE_H

#include "eval/decode/prepare.h"

#include <stdio.h>

struct trace {
    FILE *out;
    bool json;
    const struct gp5_program *program;
    uint32_t *lines;                /* of each instruction */
    uint32_t *planes;               /* as they were before the instruction */
    struct trace_result *results;   /* components of results that the program names */
    size_t nresults;
    struct flags flags[2];
    uint32_t active;
    struct eval_observer observer;
};

/* `lines_before` lines of the program's file stand before it. False when memory ran out; trace_close is right either
 * way. */
bool trace_open(struct trace *t, FILE *out, bool json, const gp5_executable *executable, size_t lines_before);
void trace_close(struct trace *t);

#endif
