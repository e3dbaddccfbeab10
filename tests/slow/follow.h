/* What the parts share that follow what is known (follow.c). */
#ifndef GP5_TESTS_SLOW_FOLLOW_H
#define GP5_TESTS_SLOW_FOLLOW_H

#include "tests/slow/plan.h"

/* ---- knowledge.c: the table of what is known --------------------------------------------------------------------------------- */

/* The place of a register's component, or NULL: arrays and SHORT variables are not followed. */
struct slow_known *slow_of_register(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c);
struct slow_known *slow_of_flags(const struct slow_knowledge *k, unsigned cc, unsigned c);
/* Operands hold the same words, whatever they are read as. */
bool slow_in_same_words(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb);

/* Of any variable. */
struct slow_known *slow_of_any(const struct slow_knowledge *k, uint32_t ref, unsigned c);

/* ---- follow.c, numbered.c --------------------------------------------------------------------------------------------------------- */

/* The place of a component that is followed, of a SHORT variable too; or NULL. */
struct slow_known *slow_followed(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c);
/* The numbers of what a result copies; those are given to what has none yet. */
void slow_number_copies(struct slow_knowledge *k, const struct insn *insn, uint32_t number[4]);

/* Those of what a result is the negative of, as a float; and the operand of MIN and MAX that the other one, with a minus, is the same as, or -1. */
void slow_number_negatives(struct slow_knowledge *k, const struct insn *insn, uint32_t minus[4]);
int slow_mirrored(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* Component c of both operands held the same in the main program, before the call of the subroutine at hand. */
bool slow_was_with_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned c);

/* ---- follow_tests.c ------------------------------------------------------------------------------------------------------------ */

/* What is known of the test that a result is written under, and whether components are written in turn. */
void slow_note_outcomes(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *seen);

/* ---- known_shorts.c: SHORT variables ------------------------------------------------------------------------------------------- */

struct slow_known *slow_of_short(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c);
/* Component c, before the swizzle, of an operand that is one. */
bool slow_known_short(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *out);
struct slow_known slow_known_to_short(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place);
void slow_note_shorts(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
/* Of a result that goes to one: what is computed of operands known in part. */
void slow_short_part(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place);

/* ---- said.c: what comparisons said, for votes ------------------------------------------------------------------------------------ */

struct slow_spoken slow_said_by(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
void slow_note_said(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);

/* ---- component.c: one component of a result ------------------------------------------------------------------------------------ */

struct slow_operands {
    struct slow_value value[3][4];
    struct slow_known known[3][4];
    bool has_sign;
};

void slow_look_up(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s);
bool slow_is_load(const struct insn *insn);
/* What a load fills in: where it is subtracted, LDC, LDS and halves leave a number, other loads do not. */
struct slow_known slow_filled(const struct insn *insn);
/* Whether a load fills component c in. */
bool slow_fills(const struct slow_program *p, const struct insn *insn, unsigned c);
/* Where the zero that a load filled in is a number all the same: as a divisor, and as what CMP looks at. */
bool slow_counts_as_zero(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* What is known of component c; `place` (or NULL) gets what the compiler takes of operands where only some are known. */
struct slow_known slow_known_component(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s, unsigned c,
                                       struct slow_place *place);

/* ---- units.c: factors that are 1.0 or -1.0 --------------------------------------------------------------------------------------- */

/* Of what multiplies more than one component. */
void slow_note_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
/* Of products and quotients, component by component; what is known of the operands is in `known`. */
void slow_note_units(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, const bool known[3], unsigned c,
                     struct slow_place *place);

/* What a single is known to be in a LONG variable: UNIT, MINUS_UNIT or 0. */
uint16_t slow_unit_in_long(const struct slow_program *p, const struct insn *insn, const struct slow_known *r);

/* ---- ones.c: sums with .SAT that are 1.0 to who computes floats of them ---------------------------------------------------------- */

/* Whether component c of a result is one, or a copy of one. */
bool slow_makes_one(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* Whether component c of an operand of the instruction at hand is one, and computed with. */
bool slow_is_read_as_one(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type);
void slow_note_read_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);

/* ---- bare.c: -|a| that is a ------------------------------------------------------------------------------------------------------- */

bool slow_is_bare(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type);
void slow_note_bare(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);

/* ---- zeros.c: what is 0 to a division alone -------------------------------------------------------------------------------------- */

bool slow_is_nothing(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *r);
/* Whether a PK2US packs something that is not known. */
bool slow_packs_unknown(const struct slow_knowledge *k, const struct insn *insn);
bool slow_is_zero_to_divisions(const struct slow_knowledge *k, const struct operand *o, unsigned c);

#endif
