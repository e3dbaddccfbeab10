/* The programs that measure what a driver computes: every opcode of the numeric kind, for every type and
 * modifier, over operands that are read at run time, that stand in the text, or that a compiler can fold.
 * A program's name is TEXT/CLASS/SET: what runs, how its operands come, and which ones (tests/tools/operands.h).
 * Classes: run (operands read), cc (the 18 condition tests a component follow each result, bit i the i-th
 * of EQ NE LT GE GT LE NAN LEG CF NCF OF NOF SF NSF AB BLE TR FL; the overflow and carry flags are set
 * before), lit (b from records 0, 100, ... 500 of the set, as literals), fold (all operands literals:
 * records 5, 66, 127 ... of the set, the same in every lane), known0 ... known3 (40 records each, all over the
 * set), knowncc and litcc (known and lit with the condition tests), branch and knownbranch (as cc and knowncc, but bit
 * i is an IF with the i-th test: in x of all components, in y of .xyxy, in w of .y; in z it is a BRK). */
#ifndef GP5_TESTS_OPSWEEP_H
#define GP5_TESTS_OPSWEEP_H

#include "tests/tools/operands.h"

#include <stdbool.h>

struct opsweep_case {
    const char *name, *program;     /* NUL-terminated, for the time of the call */
    size_t size;
    enum operand_set set;           /* storage 0 */
    unsigned groups;                /* of 32 lanes */
    unsigned bytes;                 /* storage 1, zero before */
};

enum opsweep_part {
    OPSWEEP_OPERATIONS,
    OPSWEEP_CONVERSIONS,
    OPSWEEP_COMPILER,
    OPSWEEP_FLAGS,
    OPSWEEP_HALVES,
    OPSWEEP_PAIRS,
    OPSWEEP_PARTS
};
typedef void opsweep_fn(void *user, const struct opsweep_case *c);

/* The bits of a word of a program's results that the program determines. Others come from registers that nobody wrote:
 * in CVT of 64 bits in fold the components made of what is not loaded, in knowncc and litcc of 64 bits the last two
 * flags, and in cc of 64 bits where a negative product is added or an absolute value subtracted; in CVT.F16 with .SAT
 * the upper half; of a SHORT variable only x is loaded; SSG of halves gives nothing but such a register. */
uint32_t opsweep_compared(const char *name, size_t word);

/* Whether words that the evaluator calls undefined are taken for zeros, the driver's too: SHORT variables and half
 * arithmetic. */
bool opsweep_leaves_open(const char *name);

/* FNV-1a with 64 bits, a word as its unit, over the words of a program's results as far as they are compared. */
uint64_t opsweep_digest(const char *name, const uint8_t *data, size_t size);

/* Not to be called from `each`. */
void opsweep(enum opsweep_part part, opsweep_fn *each, void *user);

#endif
