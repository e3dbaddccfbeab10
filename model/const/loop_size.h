/* How large loops are for the driver's compiler: what trip_count.c asks (loop_size.c). */
#ifndef GP5_EVAL_LOOP_SIZES_H
#define GP5_EVAL_LOOP_SIZES_H

#include "model/const/trip_count.h"

struct trips {
    const struct gp5_program *p;
    const uint32_t *costs;
    const struct known *known;
    bool *no_memory;
};

/* The operations that a loop needs itself; one that compares its counter adds one more. */
enum { LOOP_OWN = 3 };

/* The operations between two instructions. */
uint32_t model_loop_operations(const struct trips *t, uint32_t from, uint32_t to);
/* How often a REP runs, if that is known. */
bool model_loop_count(const struct trips *t, const struct insn *rep, uint32_t *count);
/* How many of a hundred operations are the loop's own. */
uint32_t model_loop_saving(uint32_t size, uint32_t own);
/* Where a loop's body ends: at a CONT without a test that stands in no IF, or at ENDREP. */
uint32_t model_end_of_body(const struct gp5_program *p, uint32_t rep);
/* A CONT that everybody takes and that ends its body: nothing. So is the last of a body whose test is known to pass
 * before the loop, by flags that no round sets. */
bool model_goes_round_anyway(const struct gp5_program *p, const struct known *known, uint32_t i);
/* Whether a loop with a count runs once: a CONT at its end is nothing then. */
bool model_is_single_round(const struct gp5_program *p, uint32_t rep, uint32_t count);
/* Whether nothing in a loop keeps it from having copies of its body, and how large that is; `nested`: the most that a
 * loop in it runs. */
bool model_may_have_copies(const struct trips *t, uint32_t rep, uint32_t count, uint32_t *size, uint32_t *nested);

#endif
