/* What the driver's compiler knows of numbers that it does not know (range.c, range_compare.c). */
#ifndef GP5_EVAL_TRAITS_H
#define GP5_EVAL_TRAITS_H

#include "model/const/lattice.h"

enum {
    RANGE_NOT_BELOW = 1,        /* a float, if it is a number: not below zero, above it, not above it, below it */
    RANGE_ABOVE = 2,
    RANGE_NOT_ABOVE = 4,
    RANGE_BELOW = 8,
    RANGE_WHOLE = 16,           /* an integer of 32 bits that is an absolute value; of 64 bits */
    RANGE_LONG = 32,
    RANGE_MINUS_WHOLE = 256,    /* an integer that is an absolute value's negative, and came of a sum with 0; of 64
                                 * bits */
    RANGE_MINUS_LONG = 512,
    RANGE_MINUS_S = 1024,       /* an integer that is the negative of something, written as a signed one; as an
                                 * unsigned one */
    RANGE_MINUS_U = 2048,
    RANGE_PARAMETER = 8192,     /* a copy of a parameter, or of an element of a constant buffer */
    RANGE_ONE = 16384,          /* a single that is 1.0, or -1.0, and that a LONG variable has taken, to products of
                                 * singles */
    RANGE_MINUS_ONE = 32768,
};

/* An integer of 32 bits. */
static inline bool eval_is_word(uint8_t type)
{
    return type == DT_S32 || type == DT_U32;
}

/* Component c of an operand that is read as `type`. */
struct value_range range_of_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type);
/* Whether an instruction compares two elements of arrays that the text indexes by a register. */
bool eval_compares_elements(const struct known *k, const struct insn *insn);
/* Component c of the result of the instruction at `at`. */
struct value_range range_of_result(const struct known *k, const struct insn *insn, uint32_t at, unsigned c);
/* Whether an instruction may compare a sum with zero by comparing its terms, and which sum at component c: `below` asks
 * for less. */
bool eval_compares_sum(const struct known *k, const struct insn *insn, unsigned c, uint32_t *sum, bool *below);
/* Whether component c of an operand is 1.0, or with `minus` -1.0, in a LONG variable that singles are multiplied with.
 */
bool eval_is_widened_one(const struct known *k, const struct operand *o, unsigned c, bool *minus);
/* Whether an integer comparison of component c is decided by an absolute value. */
bool eval_compares_absolute(const struct known *k, const struct insn *insn, unsigned c, bool *is);
/* The negative of the absolute value, of 32 bits, of a 0 that a load of floats filled in: such a comparison takes it
 * for what nobody knows. */
bool eval_is_faint_negative(const struct known *k, const struct insn *insn, unsigned n, unsigned c);
/* Whether the first operand of a comparison of integers is the negative of something, but for its own sign. */
bool eval_is_negative(const struct known *k, const struct insn *insn, unsigned c);
/* Whether a CMP of unsigned integers looks at the negative of a copy of a parameter: that is not below 0. */
bool eval_negates_parameter(const struct known *k, const struct insn *insn, unsigned c);
/* Whether flags of a known result are the number's, and not those that the machine sets. */
bool eval_is_computed(const struct gp5_program *p, const struct insn *insn, const struct known_value *v);
/* A result of 64 bits in a single register. */
bool eval_narrows(const struct gp5_program *p, const struct insn *insn);
/* Components of a conversion of unsigned words to singles that are known to be absolute values (u2f_abs.c). */
uint8_t eval_converts_whole(const struct known *k, const struct insn *insn);
/* Among such rules those that branches alone know: a sum with 0 of an absolute value has no sign, nor has what .SAT
 * clamps, which GE passes for; an OR with a literal is below zero. */
enum { EVAL_NO_SIGN = 1 << 28, EVAL_CLAMPED = 1 << 29, EVAL_BELOW = 1 << 30 };
uint32_t eval_branches_know(const struct known *k, const struct insn *insn, unsigned c, struct value_range t);
/* Rules of tests that pass since an instruction carries nothing, whatever comes there otherwise. */
uint32_t eval_lasting(const struct gp5_program *p, const struct insn *insn);
/* Rules of tests that pass whatever the result is. */
uint32_t eval_always_passes(const struct gp5_program *p, const struct insn *insn, const struct known_value *v);
/* How flags differ from those of the result at component c (`known`: what is known of it). */
void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *known,
                 struct value_range t, struct answers *a);

#endif
