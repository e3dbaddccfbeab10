/* Whole programs by gp5's evaluator and by something else, side by side. */
#ifndef GP5_COMPARE_FUZZ_WHOLE_RUN_H
#define GP5_COMPARE_FUZZ_WHOLE_RUN_H

#include <stdio.h>

#include "compare/driver/driver.h"
#include "compare/fuzz/whole.h"
#include "gp5.h"

enum { WHOLE_WHY = 480, WHOLE_TOLD = 4 /* differences that are told */ };

/* What came out: buffers 1 and 2 and the textures, and a byte for each word of them that is undefined. */
struct whole_answer {
    enum { WHOLE_RAN, WHOLE_REFUSED, WHOLE_FAILED } status;
    char why[WHOLE_WHY];
    uint8_t *data[WHOLE_PLACES], *open[WHOLE_PLACES];
    uint64_t uses;              /* undefined values that decided a branch, an address or an index */
    uint64_t races;             /* found, where they were looked for */
    bool tells_open;            /* it knows what is undefined: a driver does not */
};

/* Memory for an answer, which holds what the case starts with. False without; it is to be freed either way. */
bool whole_answer_new(const struct whole_case *c, struct whole_answer *a);
void whole_answer_free(struct whole_answer *a);

/* program.local[4] of a case that is wider, for evaluators. */
void whole_addresses(uint32_t word[4]);

/* gp5's own. False without memory. */
bool whole_evaluate_with(const struct whole_case *c, enum gp5_semantics semantics, const char *model,
                         struct whole_answer *a);
bool whole_evaluate(const struct whole_case *c, enum gp5_semantics semantics, struct whole_answer *a);

/* Whether lanes race, as they do not in what whole_grow() makes. */
bool whole_races(const struct whole_case *c, enum gp5_semantics semantics);

/* Another evaluator: a program that reads cases as JSON lines (docs/drivers.md) and answers each with a line, in which
 * "undefined" has a byte a word of a buffer. */
struct whole_peer;
struct whole_peer *whole_peer_start(const char *path);     /* NULL: errno says why */
void whole_peer_stop(struct whole_peer *peer);
bool whole_peer_run(struct whole_peer *peer, const struct whole_case *c, uint64_t number, enum gp5_semantics semantics,
                    struct whole_answer *a);
bool whole_put_case(FILE *out, const struct whole_case *c, uint64_t number, enum gp5_semantics semantics);

/* A driver. */
bool whole_driver_run(struct driver *driver, const struct whole_case *c, struct whole_answer *a);

enum whole_verdict { WHOLE_SAME, WHOLE_DIFFERENT, WHOLE_DECIDED_BY_UNDEFINED, WHOLE_NOT_EVALUATED };

/* `why` tells the first differences. */
enum whole_verdict whole_compare(const struct whole_case *c, const struct whole_answer *gp5,
                                 const struct whole_answer *other, char why[WHOLE_WHY]);

/* The program with the store number `number`, of those that show registers, and what that needs; false where there is
 * none, and of programs with labels. `out` is to be freed either way. */
bool whole_slice(const struct whole_case *c, unsigned number, struct fuzz_text *out);

/* Makes the program as small as it gets while `fails` says yes; true when anything could be taken away. */
bool whole_shrink(struct whole_case *c, bool (*fails)(void *user, const struct whole_case *c), void *user);

#endif
