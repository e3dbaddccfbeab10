/* What the parts of the sweep share: one program around a body, and where it goes. */
#ifndef GP5_TESTS_OPSWEEP_TEXT_H
#define GP5_TESTS_OPSWEEP_TEXT_H

#include "tests/tools/opsweep.h"

#include <stdbool.h>

/* Types that an operation takes: F, F64, S and U, S64 and U64. */
enum { TF = 1, TD = 2, TI = 4, TL = 8 };
enum { OPSWEEP_TYPES = 6 };
enum { KNOWN_BLOCKS = 4, OPSWEEP_TEXT = 256 };

struct opsweep_sink {
    opsweep_fn *give;
    void *user;
};

_Noreturn void opsweep_fail(const char *what);

/* The name of a text: statements stand on one line, two blanks apart. */
void opsweep_name(char *name, size_t size, const char *text);
/* The text for type k of F, S, U, F64, S64 and U64, which stands for each '@' of the pattern, and the set that its
 * operands come from (`floats` for F); false where it is none of `types`. */
bool opsweep_typed(unsigned k, unsigned types, const char *pattern, enum operand_set floats, char text[OPSWEEP_TEXT],
                   enum operand_set *set);

/* `body` computes r from a, b and c. Over the whole set, or the first `lanes` of it; with the condition
 * tests after it; with b as a literal; with every operand a literal; with a SHORT variable h beside. */
void opsweep_run(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                 const char *body, unsigned lanes);
void opsweep_run_cc(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                    const char *body, unsigned lanes);
void opsweep_run_literal(const struct opsweep_sink *to, const char *name, enum operand_set set,
                         bool wide_result,
                         const char *body);
void opsweep_run_fold(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                      const char *body);
/* As fold, over `KNOWN_ROWS` records of block `block` of the set; with `flags` the condition tests after each. */
void opsweep_run_known(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                       const char *body, unsigned block, bool flags);
/* As lit, with the condition tests. */
void opsweep_run_literal_cc(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                            const char *body);
/* As cc and knowncc, where the tests decide IF and BRK. */
void opsweep_run_branches(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                          const char *body, unsigned lanes);
void opsweep_run_known_branches(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                                const char *body);
void opsweep_run_short(const struct opsweep_sink *to, const char *name, enum operand_set set,
                       const char *body,
                       unsigned lanes);

/* With SHORT variables h, g and k[3], others t and D beside; what stands behind an @ comes after the end of the
 * program. */
void opsweep_run_halves(const struct opsweep_sink *to, const char *name, enum operand_set set, const char *body,
                        unsigned lanes);

/* opsweep_forms.c: operands with signs, other sizes than the operation's, SHORT variables, carries. */
void opsweep_operand_forms(const struct opsweep_sink *to);
void opsweep_other_sizes(const struct opsweep_sink *to);
void opsweep_short_variables(const struct opsweep_sink *to);
void opsweep_carries(const struct opsweep_sink *to);

/* opsweep_compiler.c: what the driver's compiler computes itself, and what it makes of some pairs of instructions. */
void opsweep_compiler_forms(const struct opsweep_sink *to);

/* opsweep_short.c: SHORT variables and half arithmetic. */
void opsweep_halves(const struct opsweep_sink *to);

/* opsweep_pairs.c: pairs with signs, what is known in part, clamps of integers (with OPTION NV_internal where a name
 * begins with "internal "). */
void opsweep_pairs(const struct opsweep_sink *to);

/* opsweep_flags.c: what it makes of tests of condition codes. */
void opsweep_flags(const struct opsweep_sink *to);

#endif
