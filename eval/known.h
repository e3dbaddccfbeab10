/* What the driver's compiler knows of a program's values while it goes through it (known.c). */
#ifndef GP5_EVAL_KNOWN_H
#define GP5_EVAL_KNOWN_H

#include "asm/program.h"

/* A component of a temporary, or of a condition code (then the word is what the flags were set from, as `type`). */
struct known_value {
    bool known;
    bool may_overflow;          /* of flags: a test that looks at the overflow is not known */
    uint8_t type;
    uint32_t word;
};

/* Components of temporaries that are no arrays, after those of the two condition codes. */
struct known {
    const struct gp5_program *p;
    uint32_t *first;            /* of each symbol, or NO_INDEX; shared by copies */
    uint32_t count;
    struct known_value *values;
};

/* False without memory; a copy shares `first` with what it was made from. */
bool eval_known_new(struct known *k, const struct gp5_program *p);
bool eval_known_copy(struct known *to, const struct known *from);
void eval_known_drop_copy(struct known *k);
void eval_known_free(struct known *k);

void eval_known_forget(struct known *k);
/* Takes an instruction's result in. */
void eval_known_step(struct known *k, const struct insn *insn);
/* Forgets what an instruction writes. */
void eval_known_overwrite(struct known *k, const struct insn *insn);
/* Keeps what both know. */
void eval_known_meet(struct known *k, const struct known *other);

/* Component c of an operand as a word of a 32-bit type, if it is known. */
bool eval_known_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint32_t *word);
/* Whether it is known how a test comes out, and how: for a test of several components, whether any passes. */
bool eval_known_test(const struct known *k, const struct condition *test, bool *passes);
/* Of BRK, CONT and RET: those of a loop are never taken when their test looks at several components. */
bool eval_known_jump(const struct known *k, const struct insn *jump, bool *passes);
bool eval_tests_several(const struct condition *test);

/* fold.c: an operation on one component, as the compiler computes it: exact and without a flush of denormals. False when it
 * does not, or when the opcode is none that it is known to compute. */
bool eval_fold(uint16_t op, uint8_t type, const uint32_t src[3], uint32_t *word);

#endif
