/* What running one case gave, whoever ran it: the reference evaluator, a live driver, or a recording. */
#ifndef GP5_COMPARE_OUTCOME_H
#define GP5_COMPARE_OUTCOME_H

#include "asm/arena.h"
#include "compare/driver/driver.h"
#include "compare/driver/sha256.h"
#include "gp5.h"

enum outcome_status {
    OUTCOME_RAN,
    OUTCOME_REJECTED,           /* the program does not load: position, message */
    OUTCOME_SKIPPED,            /* cannot be run here: not evaluated yet, not supported by the driver */
    OUTCOME_FAILED,             /* went wrong while running: crash, hang, GL error, limit, deadlock */
    OUTCOME_REFUSED,            /* the recording is of another program or other inputs */
    OUTCOME_NO_MEMORY
};

enum output_kind {
    OUTPUT_STORAGE, OUTPUT_COLOR, OUTPUT_COVERAGE, OUTPUT_COUNTER, OUTPUT_TEXTURE,
    OUTPUT_DEPTH, OUTPUT_INPUT,     /* of draws: window depth; what the driver's fragments had, and how many */
    OUTPUT_KINDS
};

struct output {
    enum output_kind kind;
    uint32_t binding;
    size_t size;
    uint8_t *data;              /* NULL when there are only digests */
    uint32_t *undefined;        /* the reference's origin of each 32-bit word, or NULL */
    size_t block;               /* digests: bytes that each stands for, the last one for the rest */
    const uint8_t *digests;     /* SHA256_BYTES each; borrowed from the recording */
};

struct outcome {
    enum outcome_status status;
    char *message;              /* or NULL */
    bool cancelled;             /* it ran, but not to its end: what is here is what was done by then */
    int64_t position;           /* in the program that the message is about, -1 for none */
    struct output *outputs;     /* storage, counters, textures in the order of the case; colours, coverage */
    size_t count;
    struct gp5_report report;   /* of the reference */
    struct raster_counts counts;        /* of transform feedback by the reference */
    uint32_t *shapes;           /* of a draw by the reference: which primitive each pixel is of, from 1; or NULL */
};

void outcome_init(struct outcome *o);
void outcome_free(struct outcome *o);

/* Sets status and message (printf's format). */
#if defined(__GNUC__)
#define OUTCOME_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define OUTCOME_PRINTF(f, a)
#endif
void outcome_fail(struct outcome *o, enum outcome_status status, const char *format, ...)
    OUTCOME_PRINTF(3, 4);

/* Adds an output with a copy of the bytes (zeros for NULL), aligned to 16; NULL when memory ran out, with
 * the status set. */
struct output *outcome_add(struct outcome *o, enum output_kind kind, uint32_t binding, const void *data,
                           size_t size);
const struct output *outcome_find(const struct outcome *o, enum output_kind kind, uint32_t binding);

/* "storage", "color", "coverage", "counter", "texture", "depth", "input" */
const char *output_kind_name(enum output_kind kind);

/* The bytes that an output of a case was before it ran; NULL for zeros, or where it is none of its inputs. */
const void *case_input(const struct driver_case *c, enum output_kind kind, uint32_t binding, size_t size);

/* The names of a case in recordings (docs/drivers.md has the bytes that the second one covers). */
void case_program_hash(const struct driver_case *c, uint8_t digest[SHA256_BYTES]);
void case_input_hash(const struct driver_case *c, uint8_t digest[SHA256_BYTES]);

#endif
