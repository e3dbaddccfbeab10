/* Running one test: a script's commands on one of its programs, with the reference and perhaps a driver
 * side by side. */
#ifndef GP5_COMPARE_TEST_H
#define GP5_COMPARE_TEST_H

#include "compare/record/recording.h"
#include "compare/script/script.h"
#include "compare/record/source.h"

/* ---- how ----------------------------------------------------------------------------------------------- */

struct test_options {
    struct gp5_run_options run;
    bool semantics_chosen;          /* else draws beside a driver that is not NVIDIA's are read by the specification */
    const struct source *source;    /* never NULL; SOURCE_NONE where there is no driver */
    bool driver_wanted;             /* without one the test is skipped, not passed */
    struct recorder *recorder;      /* or NULL */
    bool translate;                 /* the driver gets the programs in this language */
    enum gp5_language language;
    bool has_ulp;                   /* floats are compared by `ulps` whatever the script says */
    uint64_t ulps;
    bool strict;                    /* an undefined component that is compared or probed fails the test */
    bool tables;                    /* make the lane tables */
    bool windows;                   /* keep what was drawn */
    bool maps;                      /* keep what buffers and textures held at the end */
    /* Asked before each command with how many there are: false ends the test, interrupted. Or NULL. */
    bool (*go_on)(void *user, uint64_t done, uint64_t commands);
    void *user;
    struct watch *watch;            /* looks on while the reference evaluates, or NULL */
};

/* ---- what came out ------------------------------------------------------------------------------------- */

enum test_status { TEST_PASSED, TEST_FAILED, TEST_SKIPPED, TEST_ERROR };

enum finding_kind {
    FINDING_DIFFERS,                /* a component of the driver against the reference */
    FINDING_DIGEST,                 /* a block against a recorded hash */
    FINDING_COVERAGE,               /* a fragment that only one of them discards */
    FINDING_PROBE,                  /* a probe that does not hold */
    FINDING_RUN                     /* the program did not load or run */
};

struct finding {
    enum finding_kind kind;
    uint32_t line;                  /* of the script */
    const char *side;               /* "reference" or "driver": whose value is wrong or who failed */
    enum output_kind output;
    uint32_t binding;
    size_t offset;                  /* bytes */
    size_t size;                    /* FINDING_DIGEST: of the block */
    bool has_invocation;            /* the place below is known */
    uint32_t invocation, group, warp, lane;     /* compute */
    uint32_t x, y;                  /* fragment, texel */
    uint32_t z, level;              /* texel: slice, layer or face */
    uint32_t layer, sample, layers, samples;        /* pixel: of how many; 0 counts as 1 */
    uint32_t component;             /* of the invocation's, pixel's or texel's record */
    enum number_type type;
    uint64_t expected, got;
    struct rule rule;               /* FINDING_DIFFERS; FINDING_PROBE: what it was compared by */
    const char *message;            /* or NULL */
};

/* Where undefined words came from, one a place of the program. */
struct undefined_reason {
    size_t offset;                  /* in the program */
    unsigned line;                  /* of the program's file */
    const char *reason;             /* with the lane and component of the first one */
    uint64_t words;
};

enum { TEST_FINDINGS = 16 };        /* that are kept; the others are only counted */

struct test_result {
    struct arena arena;
    const char *file, *name;        /* name: "scan", "asm:basic" */
    enum test_status status;
    const char *message;            /* why it was skipped or is an error, or NULL */
    bool reference_ran, driver_ran;
    enum gp5_semantics semantics;   /* of the reference */
    bool interrupted;               /* it is skipped, unless something was found by then */
    const char *language;           /* that the driver got the programs in, or NULL: their own */
    const char *driver_note;        /* why the driver did not run, or NULL */
    uint64_t steps;                 /* dispatches and draws of the reference */
    uint64_t instructions, lanes;
    uint64_t exact, by_rule, undefined, different;      /* components compared */
    uint64_t pixels, edges;         /* of draws: covered by the reference; different on edges, which is no verdict */
    uint32_t deviations;            /* of the driver (enum driver_deviation) that made pictures differ: a bit each */
    uint64_t seen;                  /* fragments evaluated with the inputs that the driver's had */
    uint64_t unchanged;             /* bytes of storage that neither side changed: not counted above */
    uint64_t not_compared;          /* bytes that the script says are not to be compared */
    const char *not_compared_reason;
    uint64_t blocks, blocks_undefined;  /* digest blocks compared, and left out for undefined words in them */
    uint64_t probes, probes_undefined, probes_failed;   /* failed: findings, of which not all may be kept */
    uint64_t undefined_words;       /* in the outputs of the reference */
    uint64_t undefined_uses;        /* undefined values that decided a branch, discard, address or index */
    uint64_t not_modelled;          /* reference_not_modelled() */
    uint64_t findings_total;
    struct vec findings;            /* struct finding */
    struct vec reasons;             /* struct undefined_reason */
    /* With `windows` where something was drawn: both sides' pixels at the end, of all colours; which one was read. */
    uint32_t width, height, buffers, shown;
    float *colors[2];
    uint8_t *covered[2];
    uint32_t *undefined_colors;
    struct vec maps;                /* with `maps`: struct buffer_map (map.h) */
    char *table;                    /* lane tables, with `tables`; free() */
};

void test_run(const struct script *s, const struct script_program *program,
              const struct test_options *options, struct test_result *result);

/* The one result of a script that cannot be run. */
void test_refuse(const struct script *s, struct test_result *result);

/* The reference's pixels (0) or the driver's (1) of a colour; false where there are none. */
struct picture;
bool test_picture(const struct test_result *result, int side, uint32_t buffer, struct picture *picture);

void test_result_free(struct test_result *result);
const char *test_status_name(enum test_status status);      /* "pass", "fail", "skip", "error" */
int test_exit_status(enum test_status status);              /* 0 1 77 2 */

#endif
