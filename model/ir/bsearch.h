/* Sorting, and searching what is sorted (bsearch.c). */
#ifndef GP5_EVAL_SEARCH_H
#define GP5_EVAL_SEARCH_H

#include <stdbool.h>
#include <stdint.h>


/* Whether something holds for number `i`: then for all above it too. */
typedef bool search_test(const void *user, uint32_t i);

/* The first of the numbers below `count` for which it holds, or `count`. */
uint32_t model_first_that(uint32_t count, search_test *holds, const void *user);
/* The place of the first of a sorted list that is not below a number, or `n`. */
uint32_t model_first_from(const uint32_t *list, uint32_t n, uint32_t least);
/* n lists stand one behind the other. Of list i, of[i + 1] is the length and becomes the place where it begins; who
 * fills the lists moves that on to the end, where the next one begins. Gives the length of all. */
uint32_t model_lengths_to_places(uint32_t *of, uint32_t n);

#endif
