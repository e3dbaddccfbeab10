/* Generated programs beside what judges them: gp5's own judgement, its printer, and a driver. */
#ifndef GP5_COMPARE_FUZZ_JUDGE_H
#define GP5_COMPARE_FUZZ_JUDGE_H

#include <stdio.h>

#include "compare/driver/driver.h"
#include "compare/fuzz/fuzz.h"
#include "gp5.h"

struct fuzz_tally {
    unsigned long programs;     /* that were judged by both */
    unsigned long verdicts;     /* of them judged alike */
    unsigned long rejected;     /* by both */
    unsigned long positions;    /* of those at the same byte */
    unsigned long unanswered;   /* no verdict: the driver lacks the stage, died or did not answer */
    unsigned long deaths;       /* of these the driver died or hung */
    unsigned long valid;        /* by gp5 */
    unsigned long misprinted;   /* valid programs that gp5's printer spoils */
};

struct fuzz_judge {
    struct driver *driver;      /* NULL: none */
    enum gp5_target target;     /* whose judgement gp5's is meant to be */
    bool positions;             /* the driver's positions are bytes before the error */
    struct fuzz_tally tally;
    FILE *out;
    void (*telling)(void *user);    /* called before a line is written; or NULL */
    void *user;
};

/* Of a driver: whose judgement it gives, and what its positions mean. */
void fuzz_judge_begin(struct fuzz_judge *j, struct driver *driver, FILE *out);

/* One program: disagreements are printed as JSON lines. False without memory or when the driver can't go on. */
bool fuzz_judge(struct fuzz_judge *j, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about);

/* Whether a valid program's printed form parses, is the same program and prints the same; false without memory too. */
bool fuzz_round_trip(const gp5_program *program);

/* {"name", "stage", "load_only", "program" or "hex"}: a line for gp5-batch. */
bool fuzz_put_case(FILE *out, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about);

#endif
