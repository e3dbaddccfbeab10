/* What the modifiers of an instruction amount to. */
#ifndef GP5_ASM_MODIFIERS_H
#define GP5_ASM_MODIFIERS_H

#include "asm/program.h"

/* Fills type, type2, width, atomic, rounding, cc_update and flags from the written modifiers and the opcode's defaults.
 * Unknown or contradicting ones are the checker's: here the first of a kind wins. */
void asm_resolve_modifiers(const struct gp5_program *program, struct insn *insn);

#endif
