/* What is known of the signs of numbers that are not known themselves, by instruction and component: looks.c has floats, negatives.c
 * integers, answers.c what is made of it. */
#ifndef GP5_TESTS_SLOW_LOOKS_H
#define GP5_TESTS_SLOW_LOOKS_H

#include "tests/slow/plan.h"

enum { NOT_BELOW = 1, ABOVE = 2, NOT_ABOVE = 4, BELOW = 8, WHOLE = 16, LONG_WHOLE = 32,
    /* the negative of an absolute value, out of a sum with 0; of anything, written as signed and as unsigned */
    MINUS_WHOLE = 256, MINUS_LONG = 512, MINUS_S = 1024, MINUS_U = 2048,
    PARAMETER = 8192,          /* a copy of a parameter, or of an element of a constant buffer */
    UNIT = 16384,              /* a single that is 1.0 or -1.0, which a LONG variable has taken */
    MINUS_UNIT = 32768 };

struct slow_reader {
    const struct slow_knowledge *k;
    const struct insn *insn;
    unsigned c;
};

static inline const struct operand *slow_reader_operand(const struct slow_reader *r, unsigned n)
{
    return program_operand(r->k->p->text, r->insn->src + n);
}

/* Which component of operand n component c is made of. */
unsigned slow_reader_component(const struct slow_reader *r, unsigned n);
struct slow_look slow_reader_look_at(const struct slow_reader *r, const struct operand *o, unsigned c, unsigned type);
struct slow_look slow_reader_source(const struct slow_reader *r, unsigned n, unsigned type);
/* The negative of something; arithmetic of floats; of a factor that is 1.0 or -1.0 that, else 0. */
struct slow_look slow_turned_look(struct slow_look x);
struct slow_look slow_look_of_float(const struct slow_reader *r);
int slow_reader_unit(const struct slow_reader *r, unsigned n);
/* A sum with .SAT of 1 or more and of what is not below zero. */
bool slow_reader_is_above(const struct slow_reader *r);
/* A MAD or DP2A whose products are squares. */
bool slow_adds_to_squares(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* The same value twice. */
bool slow_reader_alike(const struct slow_reader *r, unsigned n, unsigned c);

/* ---- negatives.c ---------------------------------------------------------------------------------------------------------------- */

/* Whether operand n is this integer. */
bool slow_reader_number(const struct slow_reader *r, unsigned n, uint32_t word);
/* The operand that an operation on integers copies, or -1. */
int slow_copied_integer(const struct slow_reader *r);
struct slow_look slow_look_of_integer(const struct slow_reader *r);
/* Of 64 bits: signs alone. */
unsigned slow_look_of_long(const struct slow_reader *r);

#endif
