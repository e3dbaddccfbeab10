/* What is wrong with a test, so that a smaller one can be asked whether it has the same wrong. */
#ifndef GP5_COMPARE_REDUCE_TEST_H
#define GP5_COMPARE_REDUCE_TEST_H

#include "compare/reduce/reduce.h"
#include "compare/report/report.h"

enum { COMPLAINT_TEXT = 240 };

/* Of one finding, or of an undefined value, what must stay. Where it stands may change. */
struct complaint {
    bool undefined;                 /* of a value; `text` is why */
    enum finding_kind kind;
    const char *side;
    enum output_kind output;
    enum number_type type;
    uint64_t expected, got;         /* of a probe and a coverage: these bits */
    int distance;                   /* of a difference: none, rounding, more, a NaN */
    char text[COMPLAINT_TEXT];      /* of what did not run: the message with # for each number */
};

struct reduce_test {
    const char *path;               /* of the script: what it names is looked for beside it */
    struct test_options options;
    bool undefined;                 /* a test that fails nothing may have an undefined value */
    struct complaint complaint;
    uint64_t limit;                 /* instructions a warp: a smaller test that takes many more spins */
    char said[REPORT_LINE];         /* the complaint as the last test that had it said it */
};

/* Runs the script and takes its first complaint: TEST_FAILED. Otherwise why there is none, with a message or NULL in
 * `said`. */
enum test_status reduce_test_look(struct reduce_test *t, const char *text, size_t size);

/* For struct reduction: the script still has that complaint. `user` is the struct reduce_test. */
bool reduce_test_still(void *user, const char *text, size_t size);

/* One of the programs of a list of files, in the script itself; nothing where it has none. */
void reduce_test_inline(struct reduction *r, const char *path);

/* A message with # for each number: what stays when lines and names move. */
void reduce_plain(const char *message, char text[COMPLAINT_TEXT]);

#endif
