/* The programs that measure what a driver computes: every opcode of the numeric kind, for every type and
 * modifier, over operands that are read at run time, that stand in the text, or that a compiler can fold.
 * A program's name is TEXT/CLASS/SET: what runs, how its operands come, and which ones (tests/operands.h).
 * Classes: run (operands read), cc (the 18 condition tests a component follow each result, bit i the i-th
 * of EQ NE LT GE GT LE NAN LEG CF NCF OF NOF SF NSF AB BLE TR FL; the overflow and carry flags are set
 * before), lit (b from records 0, 100, ... 500 of the set, as literals), fold (all operands literals:
 * records 5, 66, 127 ... of the set, the same in every lane). */
#ifndef GP5_TESTS_OPSWEEP_H
#define GP5_TESTS_OPSWEEP_H

#include "tests/operands.h"

struct opsweep_case {
    const char *name, *program;     /* NUL-terminated, for the time of the call */
    size_t size;
    enum operand_set set;           /* storage 0 */
    unsigned groups;                /* of 32 lanes */
    unsigned bytes;                 /* storage 1, zero before */
};

enum opsweep_part { OPSWEEP_OPERATIONS, OPSWEEP_CONVERSIONS, OPSWEEP_PARTS };
typedef void opsweep_fn(void *user, const struct opsweep_case *c);

/* Not to be called from `each`. */
void opsweep(enum opsweep_part part, opsweep_fn *each, void *user);

#endif
