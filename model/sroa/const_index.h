/* What runs of a program, and indices that the driver's compiler knows there (const_index.c). */
#ifndef GP5_EVAL_INDICES_H
#define GP5_EVAL_INDICES_H

#include "asm/program.h"

/* A component of a temporary that the instructions before all flow set to a number, and nothing that runs to another
 * one, but behind those in main that it indexes for. */
struct known_index {
    bool written, known;
    uint32_t at, value;         /* who sets it */
    uint32_t until;             /* where main sets it to something else, or the loop around that; or NO_INDEX */
};

struct known_indices {
    const struct gp5_program *p;
    uint32_t entry, main_end;
    uint8_t *runs;              /* of each instruction: it is in main, or in a subroutine that is called */
    struct known_index *of;     /* of each symbol, by component */
};

/* False without memory; free it all the same. */
bool eval_known_indices_new(struct known_indices *k, const struct gp5_program *p);
void eval_known_indices_free(struct known_indices *k);
/* The element that an index of instruction `at` names, if it is known and one of the array. */
bool eval_index_is_known(const struct known_indices *k, const struct index *x, uint32_t at, uint32_t array_size,
                         uint32_t *element);

#endif
