/* What tests of the flags that one instruction sets come out as, whatever else is known (flags.c). */
#ifndef GP5_MODEL_CC_FLAGS_H
#define GP5_MODEL_CC_FLAGS_H

#include "model/const/lattice.h"

/* An integer of 32 bits. */
static inline bool eval_is_word(uint8_t type)
{
    return type == DT_S32 || type == DT_U32;
}

/* A result of 64 bits in a single register. */
bool eval_narrows(const struct gp5_program *p, const struct insn *insn);
/* Whether flags of a known result are the number's, and not those that the machine sets. */
bool eval_is_computed(const struct gp5_program *p, const struct insn *insn, const struct known_value *v);
/* Rules that pass whatever the result is: nothing is carried. */
uint32_t eval_lasting(const struct gp5_program *p, const struct insn *insn);
/* The same, and what the sign of component c has to do with; among them those that branches alone know: what .SAT
 * clamps has no sign, and GE passes; an OR with a literal is below zero. */
enum { EVAL_CLAMPED = 1 << 29, EVAL_BELOW = 1 << 30 };
uint32_t eval_always_passes(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v);
/* How tests of component c come out otherwise than the flags say. */
void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                 struct answers *a);

#endif
