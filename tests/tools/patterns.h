/* A table of program patterns (tests/recordings/patterns/contraction.txt) as whole programs, and what the evaluator
 * makes of them. */
#ifndef GP5_TESTS_PATTERNS_H
#define GP5_TESTS_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PATTERN_INVOCATIONS = 1024,
    PATTERN_IN_WORDS = 24,          /* an invocation: a b c d e f */
    PATTERN_OUT_WORDS = 8,          /* r q */
    PATTERN_RESULTS = PATTERN_INVOCATIONS * PATTERN_OUT_WORDS,
    PATTERN_TEXT = 1 << 20,
    PATTERN_NAME = 256,             /* twice that in the table */
    PATTERN_FAMILY = 128,           /* numbers of a family */
    PATTERN_COUNTERS = 32768,       /* bytes of the counter buffer 0, SplitMix64 from PATTERN_SEED */
    PATTERN_SEED = 9,
    PATTERN_SUBROUTINES = 8
};

/* mid: floats of either sign in [0.5, 2), where every rounding shows; nasty: edge values and random words. */
enum pattern_operands { PATTERN_MID, PATTERN_NASTY, PATTERN_SETS };
extern const char *const pattern_set_names[PATTERN_SETS];
void pattern_operands(enum pattern_operands set, uint32_t out[PATTERN_INVOCATIONS * PATTERN_IN_WORDS]);

/* The lines of a table:
 *   name: BODY                   $ is replaced by nothing (vectors) and, once more, by .x (single components)
 *   name<LIST>: BODY             a family: # is each number of a list such as 1..4,8,16 in turn
 *   name<LIST><LIST>: BODY       the same with % for the second number
 *   <<...>>N (or >># or >>%)     within a body: the text so many times over
 *   !OPTION NAME;  !DECLARATION  stands in all programs from here on, until `!` alone
 *   !group N                     invocations a work group (32 otherwise), a divisor of the invocations
 *   !size X Y Z                  the same, with a size that the launch gives
 *   !subroutines N,N,...         what program.subroutine[0], [1] ... stand for
 *   # ...                        a comment
 *
 * Calls `each` with every pattern's name and program: for vectors, and where the body has a $ for single components
 * (".x" behind the name). Stops when it returns false. False when the table cannot be read. */
typedef bool (*pattern_fn)(void *user, const char *name, const char *program);
bool pattern_each(const char *path, pattern_fn each, void *user);

/* What a pattern's program is launched with besides its operands. In program.local[0] stand the addresses of the
 * operands and of a buffer of zeros as large as the results (64 bits each) if it names that, and there are counters if
 * it names those. */
struct pattern_launch {
    unsigned groups;
    uint32_t size[3];           /* 0: the program has a size of its own */
    uint32_t subroutines[PATTERN_SUBROUTINES];
    unsigned nsubroutines;
    bool addresses, counters;
};
struct pattern_launch pattern_launch(const char *program);

/* The bytes of the counter buffer. */
void pattern_counters(void *words);

/* The evaluator's results, with a model as gp5_run_options has it; false with a message (to be freed with
 * gp5_text_free, or NULL) when it has none. */
bool pattern_evaluate(const char *program, const char *model, enum pattern_operands set, uint32_t out[PATTERN_RESULTS],
                      char **message);

/* FNV-1a with 64 bits over words as units; every NaN counts as the same. */
uint64_t pattern_hash(const uint32_t *words, size_t count);

#endif
