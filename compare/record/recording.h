/* Recordings: what a driver gave, kept in a file (docs/drivers.md defines it to the letter). */
#ifndef GP5_COMPARE_RECORDING_H
#define GP5_COMPARE_RECORDING_H

#include "asm/arena.h"
#include "compare/driver/outcome.h"

#include <stdio.h>

enum { RECORDING_VERSION = 1, RECORDING_LIMIT = 256 << 20 };

/* ---- reading ------------------------------------------------------------------------------------------- */

enum recorded_form { FORM_WORDS, FORM_BYTES, FORM_UNCHANGED, FORM_DIGEST };

struct recorded_output {
    enum output_kind kind;
    uint32_t binding;
    size_t size;
    enum recorded_form form;
    uint8_t *data;              /* FORM_WORDS, FORM_BYTES */
    size_t block;
    uint8_t *digests;
};

struct recorded_case {
    const char *name;
    uint8_t program[SHA256_BYTES], input[SHA256_BYTES];
    bool rejected;
    int64_t position;
    const char *message;        /* of a rejected program */
    struct vec outputs;
};

struct recording {
    struct arena arena;
    const char *path;
    const char *vendor, *renderer, *version, *context;
    struct vec cases;
};

/* NULL, or what is wrong, "FILE:LINE: TEXT" or "FILE: TEXT" (to be freed with gp5_free). Either way
 * recording_free takes it. */
char *recording_load(struct recording *r, const char *path);
char *recording_parse(struct recording *r, const char *path, const char *text, size_t size);
void recording_free(struct recording *r);

/* Gives what was recorded for the case, or refuses with a message that says in what way none fits. */
void recording_run(const struct recording *r, const struct driver_case *c, struct outcome *o);

/* ---- writing ------------------------------------------------------------------------------------------- */

struct recorder {
    FILE *file;
    char *path, *temporary;        /* NULL: no regular file, written in place */
    struct sha256 hash;
    size_t cases;
    bool failed;
};

/* A NULL answer is success; otherwise why not (constant or from strerror). The file appears under its name
 * only when recorder_close succeeds. */
const char *recorder_open(struct recorder *r, const char *path, const struct driver_description *driver);

/* A block of 0 writes the results in full. Cases that neither ran nor were rejected are not recorded:
 * false. */
bool recorder_add(struct recorder *r, const char *name, const struct driver_case *c, const struct outcome *o,
                  size_t block);

const char *recorder_close(struct recorder *r, bool keep);

#endif
