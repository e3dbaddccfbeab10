/* Sets of numbers that share what they have in common (pset.c). */
#ifndef GP5_EVAL_SHARED_BITS_H
#define GP5_EVAL_SHARED_BITS_H

#include <stdbool.h>
#include <stdint.h>

struct shared_bits {
    void *root;
    unsigned levels;
    bool failed;                /* memory ran out: something is missing */
};

/* The empty set of numbers below `count`. */
struct shared_bits shared_bits_none(uint32_t count);
struct shared_bits shared_bits_copy(const struct shared_bits *s);
void shared_bits_free(struct shared_bits *s);
bool shared_bits_has(const struct shared_bits *s, uint32_t i);
void shared_bits_add(struct shared_bits *s, uint32_t i);
void shared_bits_drop(struct shared_bits *s, uint32_t i);
/* What either has: of two sets of the same count. */
void shared_bits_join(struct shared_bits *s, const struct shared_bits *other);
/* Tells of each number that a set has and another one of the same count has not, until `one` says no; whether it never
 * did. */
typedef bool shared_bits_fn(void *user, uint32_t i);
bool shared_bits_each_more(const struct shared_bits *s, const struct shared_bits *old, shared_bits_fn *one, void *user);
bool shared_bits_equal(const struct shared_bits *a, const struct shared_bits *b);

#endif
