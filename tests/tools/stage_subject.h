/* A program of one graphics stage with all that it is run on: the case that a driver gets, what came back from one (now
 * or in a recording), and the reference beside it, word by word. */
#ifndef GP5_TESTS_STAGE_SUBJECT_H
#define GP5_TESTS_STAGE_SUBJECT_H

#include "compare/driver/driver.h"
#include "gp5.h"

#include <stdio.h>

enum { SUBJECT_ARRAYS = 16, SUBJECT_PLANES = 48 };

/* One of the captured results, or of the colours, as the program names it; NULL where it is none of the program's. */
struct subject_plane {
    const char *binding;
    int vertex;                 /* tessellation control: of which vertex of the output patch, -1 of the patch */
};

struct subject {
    struct driver_case c;
    const char *reads[SUBJECT_ARRAYS];  /* its inputs as the program names them; NULL: it does not see them */
    struct subject_plane planes[SUBJECT_ARRAYS];
    uint32_t threads;           /* tessellation control: VERTICES_OUT; each patch comes twice, or as `patch` says */
    unsigned warp;              /* lanes that exist in a warp of the reference; 0: 32 */
    int tesscoord, patch;       /* tessellation: the captured results that say where a point is; 0: none */
};

/* What came back: captured results or colours, coverage of fragments (bytes), storage, counters, textures. */
struct subject_got {
    enum driver_status status;
    size_t nplanes, bytes[SUBJECT_PLANES];
    const uint8_t *data[SUBJECT_PLANES];
};
void subject_take(const struct subject *s, const struct driver_result *r, struct subject_got *got);

/* As a recording has it: a hash of the case, the status, planes. NaNs have lost their bits. The reader gives memory
 * that is to be freed, NULL at the end and where the bytes are none. */
uint32_t subject_hash(const struct subject *s);
void subject_write(FILE *out, const struct subject *s, const struct subject_got *got);
uint8_t *subject_read(FILE *in, uint32_t *hash, struct subject_got *got);

/* A hash of the results, whatever the order of the elements: of what came back, and of the reference's (0 where it does
 * not run), which then makes the points of tessellated patches itself. */
uint32_t subject_digest(const struct subject *s, const struct subject_got *got);
uint32_t subject_own_digest(const struct subject *s, enum gp5_semantics semantics);

struct subject_difference {
    const char *binding;        /* "storage" and the like */
    size_t element;
    unsigned component;
    uint32_t ours, theirs;
};
struct subject_verdict {
    bool ran;                   /* else `message` */
    char message[512];
    uint64_t compared, undefined, different;
    struct subject_difference first[3];
};
typedef bool subject_alike_fn(const void *user, const struct subject_difference *d);
void subject_compare(const struct subject *s, enum gp5_semantics semantics, const struct subject_got *got,
                     subject_alike_fn *alike, const void *user, struct subject_verdict *v);

/* Equal, or both NaN. */
bool subject_same(const void *user, const struct subject_difference *d);

#endif
