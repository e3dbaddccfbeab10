/* Programs by chance whose lanes part and meet again, and what each lane saw of the others on its way: ballots, votes
 * and shuffles at numbered places. */
#ifndef GP5_TESTS_DIVERGENCE_H
#define GP5_TESTS_DIVERGENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DIVERGENCE_LANES = 64,
    DIVERGENCE_IN_WORDS = 4, /* a lane, in program.storage[0] */
    DIVERGENCE_TEXT = 1 << 16,
    DIVERGENCE_SUBROUTINES = 10,   /* parameters of programs with CALI */
    DIVERGENCE_INDIRECT = 1000000, /* programs from this number on have CALI */
    DIVERGENCE_DENSE =
        2000000 /* from this one on MATCH, conditions from votes, RET in main, some CALI and BAR, and more is seen */
};

/* A program's number: its last bits choose its form. */
enum divergence_form {
    DIVERGENCE_LOGS = 1,        /* lanes write down what they see, one record after the other; else they keep a hash */
    DIVERGENCE_CONT = 2,        /* with CONT */
    DIVERGENCE_CALLS = 4        /* with subroutines */
};

struct divergence {
    char text[DIVERGENCE_TEXT];
    uint32_t group, groups;
    uint32_t words;             /* of results, a lane */
    uint32_t subroutines;       /* of divergence_chosen, that the launch chooses */
};

/* What program.subroutine[0], [1] ... stand for. */
extern const uint32_t divergence_chosen[DIVERGENCE_SUBROUTINES];

/* False when the text is too long. */
bool divergence_program(uint32_t number, struct divergence *to);
void divergence_input(uint32_t words[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS]);
/* The evaluator's results, DIVERGENCE_LANES * d->words, with a model as gp5_run_options has it; false when it has none.
 */
bool divergence_evaluate(const struct divergence *d, const char *model, uint32_t *results);

#endif
