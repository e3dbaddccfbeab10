/* Programs in which not all lanes come to a BAR, and what each lane knows behind it of who has come before: bits and
 * counts in shared memory. Lanes and warps have roles that the data give them, so that a program runs with its roles on
 * the warps in every order: what a lane saw every time is what BAR orders. */
#ifndef GP5_TESTS_BARRIERS_H
#define GP5_TESTS_BARRIERS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BARRIER_WARPS = 3,
    BARRIER_LANES = 32 * BARRIER_WARPS,
    BARRIER_EVENTS = 12,                /* BARs that a lane keeps */
    BARRIER_EVENT_WORDS = 24,           /* who came to place 0..3 by role, how many of each role, which place this is */
    BARRIER_COUNTS = 16,                /* where the counts stand in an event */
    BARRIER_OUT_WORDS = BARRIER_LANES * BARRIER_EVENTS * BARRIER_EVENT_WORDS,
    BARRIER_IN_WORDS = 8 + BARRIER_LANES * 4,
    BARRIER_TEXT = 1 << 16,
    BARRIER_ORDERS = 6,                 /* of three warps */
    BARRIER_DELAYS = 5,                 /* ways to make lanes wait before they come to a BAR */
    BARRIER_BY_CHANCE = 1000            /* programs from this number on; those before are the lines of a table */
};

struct barrier_program {
    char text[BARRIER_TEXT], name[64];
    uint32_t group, orders;             /* in how many orders of its warps it runs */
    uint32_t subroutines;               /* so many of barrier_chosen the launch chooses */
};

extern const uint32_t barrier_chosen[4];

/* False when there is none, or its text is too long. */
bool barrier_program(const char *table, uint32_t number, struct barrier_program *to);
/* program.storage[0]; `delay` is 0 for none. */
void barrier_input(uint32_t order, uint32_t warps, uint32_t delay, uint32_t words[BARRIER_IN_WORDS]);
/* What a run left in program.storage[1] (ones before), put to what those before it left. The last warp of a group that
 * it does not fill keeps its place, and so do the others: what a warp saw of those before it is left out then. */
void barrier_fold(const struct barrier_program *p, uint32_t all[BARRIER_OUT_WORDS],
                  const uint32_t run[BARRIER_OUT_WORDS]);
/* The evaluator's results, folded over all orders, with a model as gp5_run_options has it; false when it has none. */
bool barrier_evaluate(const struct barrier_program *p, const char *model, uint32_t all[BARRIER_OUT_WORDS]);

#endif
