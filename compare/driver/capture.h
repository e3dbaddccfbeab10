/* Capture: GLSL in, the driver's own assembly out of its program binary. */
#ifndef GP5_COMPARE_CAPTURE_H
#define GP5_COMPARE_CAPTURE_H

#include "compare/driver/driver.h"

enum capture_status {
    CAPTURE_LINKED,             /* blob is the program binary */
    CAPTURE_NOT_COMPILED, CAPTURE_NOT_LINKED,   /* log says why */
    CAPTURE_NO_BINARY,          /* this driver gives no program binaries */
    CAPTURE_FAILED,             /* the worker died, hung or babbled; detail */
    CAPTURE_STATUSES
};

struct capture_source {
    enum driver_stage stage;
    const char *text;
    size_t size;
};

/* One is linked alone, as a separable program; several are linked with each other. */
enum { CAPTURE_SOURCES = 32 };
struct capture_program {
    uint32_t count;
    struct capture_source sources[CAPTURE_SOURCES];
};

/* Pointers end with the next call to the driver. */
struct capture_result {
    enum capture_status status;
    const char *log;            /* of compiler and linker */
    const char *detail;
    uint32_t format;            /* of the binary */
    const uint8_t *blob;
    size_t blob_size;
    const char *names;          /* of several: a line for each attribute, uniform and block, where it stands */
};

/* Only for a driver from driver_open. */
bool driver_capture(struct driver *driver, const struct capture_program *program, struct capture_result *result);

/* Finds the next assembly program in a blob, from `!!NV` to the line END, starting at *offset; moves *offset
 * behind it. */
bool capture_next(const uint8_t *blob, size_t size, size_t *offset, const char **program,
                  size_t *program_size);

/* The stage that a file name's extension stands for (.vert .tesc .tese .geom .frag .comp). */
bool capture_stage(const char *path, enum driver_stage *stage);

#endif
