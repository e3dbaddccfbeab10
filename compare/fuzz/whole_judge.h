/* Whole programs by the thousand: each run twice, differences told and made small. */
#ifndef GP5_COMPARE_FUZZ_WHOLE_JUDGE_H
#define GP5_COMPARE_FUZZ_WHOLE_JUDGE_H

#include "compare/fuzz/whole_record.h"

struct whole_judge {
    struct whole_settings settings;
    enum gp5_semantics semantics;
    const char *model;          /* as in struct gp5_run_options */
    struct whole_peer *peer;    /* one of them */
    struct driver *driver;
    const struct whole_recording *recording;
    FILE *record;               /* what the driver answers goes there, or NULL */
    unsigned long shrink;       /* 0, or by so many programs at most a program that differs is made small */
    unsigned long tries;        /* of these left */
    char kind;                  /* of the difference that is made small */
    FILE *out;
    void (*telling)(void *user);    /* called before a line is written; or NULL */
    bool (*stopped)(const void *user);  /* whether making small is to end where it is; or NULL */
    void *user;
    unsigned long programs, same, different, decided, not_evaluated;
    unsigned long open_words;   /* that both called undefined */
    char first_refusal[WHOLE_WHY];
    const uint64_t *except;     /* programs that are left out */
    size_t nexcept;
};

/* Program `number`: a difference is one JSON line. False when nothing can go on. */
bool whole_judge(struct whole_judge *j, uint64_t number);

/* A digest of gp5's or the driver's answers to `count` programs, undefined words as zeros, as 64 hex digits. False when
 * one of them can't be had. */
bool whole_digest(struct whole_judge *j, uint64_t first, uint64_t count, char hex[65]);

#endif
