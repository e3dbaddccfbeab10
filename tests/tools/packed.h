/* Recordings and tables that are large stand packed: NAME.xz in the place of NAME. */
#ifndef GP5_TESTS_PACKED_H
#define GP5_TESTS_PACKED_H

#include <stdio.h>

/* What `path` holds, or with xz what `path`.xz does: the caller's to fclose(); NULL when neither can be read. */
FILE *packed_open(const char *path);

#endif
