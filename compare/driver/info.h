/* What opens on this machine: each kind of context, its driver, and what of the assembly extensions it has.
 */
#ifndef GP5_COMPARE_INFO_H
#define GP5_COMPARE_INFO_H

#include <stdbool.h>
#include <stdio.h>

enum info_status {
    INFO_SOME,                  /* at least one context opens */
    INFO_NONE,
    INFO_TROUBLE                /* the worker is missing or broken; *reason, to be freed */
};

/* Tries every kind of context, each in a worker of its own, and writes about them; as one JSON object when
 * asked. */
enum info_status info_write(FILE *out, bool json, char **reason);

/* The extensions that info looks for, without their GL_, NULL at the end. */
extern const char *const info_extensions[];

#endif
