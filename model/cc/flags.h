/* Flags of results that by the instruction alone are no negative numbers (flags.c). */
#ifndef GP5_MODEL_CC_FLAGS_H
#define GP5_MODEL_CC_FLAGS_H

#include "model/const/lattice.h"

/* An integer of 32 bits. */
static inline bool model_is_word(uint8_t type)
{
    return type == DT_S32 || type == DT_U32;
}

/* Whether the compiler takes the flags of a known result from the number. */
bool model_is_computed(const struct insn *insn, const struct known_value *v);
/* How tests of component c come out otherwise than the flags say. */
void eval_answer(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                 struct answers *a);

#endif
