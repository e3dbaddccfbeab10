/* What the files of gp5-batch share: JSON to cases. Everything that is wrong ends the program with the line. */
#ifndef TESTS_BATCH_JSON_H
#define TESTS_BATCH_JSON_H

#include <jansson.h>
#include <stddef.h>

#include "compare/driver/driver.h"

enum { BATCH_ITEMS = 1024 };

struct batch_memory {           /* what one line's case allocated */
    void *blocks[4 * BATCH_ITEMS];
    size_t count;
};

_Noreturn void batch_die(unsigned long line, const char *what);
void *batch_keep(struct batch_memory *m, size_t size);

/* hex, file, zero, random: [seed, bytes], floats: [...] or words: [...]. NULL data means zeros. */
const void *batch_data(struct batch_memory *m, const json_t *o, size_t *size, unsigned long line);
size_t batch_items(const json_t *list, unsigned long line);
uint32_t batch_number(const json_t *o, const char *name, uint32_t otherwise);
const struct driver_buffer *batch_buffers(struct batch_memory *m, const json_t *list, size_t *count,
                                          unsigned long line);

/* batch_extras.c: group_size, counters, textures, images, pointers, subroutines. */
void batch_extras(struct batch_memory *m, const json_t *o, struct driver_case *c, unsigned long line);

#endif
