/* Telling what tests gave: for people, and as JSON, TAP and JUnit for machines. */
#ifndef GP5_COMPARE_REPORT_H
#define GP5_COMPARE_REPORT_H

#include "compare/world/test.h"

struct report_context {
    const struct source *source;
    enum gp5_semantics semantics;
    bool colour;
    bool tables;                    /* lane tables in text, where a result has them */
};

/* A few lines: what ran where, what was compared, the verdict; then what was found. */
void report_text(FILE *out, const struct report_context *c, const struct test_result *r);

/* One object on one line. */
void report_json(FILE *out, const struct report_context *c, const struct test_result *r);

/* "ok N - NAME", with the findings as a YAML block; report_tap_plan closes with "1..N". */
void report_tap(FILE *out, const struct test_result *r, size_t number);
void report_tap_plan(FILE *out, size_t count);

/* A whole file of all results. */
void report_junit(FILE *out, const struct report_context *c, const struct test_result *results, size_t count);

enum { REPORT_LINE = 700 };

/* A finding in one line: where it is, both values in hex and as numbers, the rule, how far off. */
const char *report_finding(const struct finding *f, char text[REPORT_LINE]);

/* "NVIDIA Corporation, NVIDIA H200/PCIe/SSE2, 4.6.0 NVIDIA 580.159.04", or why there is none. */
const char *report_driver(const struct source *s, char text[REPORT_LINE]);

#endif
