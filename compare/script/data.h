/* What a buffer holds at the start: lists, ramps, seeded random words, tables of nasty values, files.
 *
 * The random numbers are a contract (recordings name them by seed): word i, from 0, of a stream is the
 * SplitMix64 output for the state seed + (i + 1) * 0x9e3779b97f4a7c15. docs/drivers.md says how each
 * type is made of it. */
#ifndef GP5_COMPARE_DATA_H
#define GP5_COMPARE_DATA_H

#include "asm/arena.h"
#include "compare/script/number.h"

enum { DATA_LIMIT = 256 << 20 };    /* bytes of one buffer */

/* Bytes in an arena; NULL with a size means zeros. */
struct data {
    uint8_t *bytes;
    size_t size;
};

/* Makes data from the words of a command: `zero BYTES`, `TYPE value...`, `ramp TYPE COUNT [START [STEP]]`,
 * `random TYPE COUNT SEED [LOW HIGH]`, `nasty TYPE COUNT SEED`, `file PATH` (relative to `folder`).
 * Returns NULL, or the message about word *wrong; the message is in the arena or constant. */
const char *data_parse(struct arena *a, const char *folder, char *const *words, size_t count,
                       struct data *data, size_t *wrong);

uint64_t data_random(uint64_t seed, uint64_t index);

/* The table that `nasty` picks from. */
size_t data_nasty_count(enum number_type type);
uint64_t data_nasty(enum number_type type, size_t index);

/* Reads a whole file. Returns NULL and a message (constant, or strerror's) in *error when it cannot; more
 * than `limit` bytes is an error too. The caller frees it with gp5_free. A NUL stands after the bytes. "-"
 * is standard input. */
char *data_read_file(const char *path, size_t limit, size_t *size, const char **error);

#endif
