/* Loops without a count that count for themselves (induction.c). */
#ifndef GP5_EVAL_COUNTERS_H
#define GP5_EVAL_COUNTERS_H

#include "asm/program.h"

/* A loop's body begins with a comparison of a counter with what the loop does not change, and leaves on that: by BRK,
 * by an IF with nothing but a BRK in it or behind its ELSE, or by the ELSE of an IF that is all of the rest. A literal
 * is added to the counter once: behind that or, `ahead`, in front of it; or `at_once`: the loop leaves on the flags of
 * the sum. */
struct counter {
    uint32_t add;               /* the instruction that counts */
    uint32_t compare;           /* the comparison, or that instruction */
    uint32_t leave;             /* the BRK */
    uint32_t test;              /* the BRK, or the IF around it: it fails in copies of the body or, where `stays`,
                                 * passes */
    uint32_t body, end;         /* what is behind the test */
    uint8_t operand;            /* of the comparison: the counter */
    uint16_t leaves;            /* the comparison, counter first, that ends the loop */
    bool is_signed, at_once, ahead, stays;
    int32_t step;
    bool known;                 /* how often it runs: */
    uint32_t rounds;
};

/* Whether it is such a loop. */
bool eval_find_counter(const struct gp5_program *p, uint32_t rep, struct counter *c);

#endif
