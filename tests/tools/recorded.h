/* Recordings of programs that have numbers, a line each: NUMBER HASH, and behind that "differs: WHY" where the
 * evaluator is known to give something else. Lines that begin with # are comments. */
#ifndef GP5_TESTS_RECORDED_H
#define GP5_TESTS_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recorded {
    uint32_t number;
    uint64_t hash;
    bool differs;
};

/* Calls `each` with the lines in order until it returns false; false when the file cannot be read or has a line that is
 * none of these. */
typedef bool (*recorded_fn)(void *user, const struct recorded *line);
bool recorded_each(const char *path, recorded_fn each, void *user);

/* How many lines were compared, and how many were not as they say. */
struct recorded_tally {
    unsigned compared, wrong;
};
/* FNV-1a of the evaluator's words beside a line; what is not as it says is printed. */
void recorded_compare(struct recorded_tally *tally, const struct recorded *line, const uint32_t *words, size_t count);

#endif
