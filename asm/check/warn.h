/* What is valid and probably not meant: names that nothing uses, values that nobody reads, registers that are read
 * before anything is in them, options that nothing needs. */
#ifndef GP5_ASM_WARN_H
#define GP5_ASM_WARN_H

#include "asm/program.h"

/* Adds warnings for those targets that the program is valid for. Each is true on every path that a program can take;
 * where the text does not tell, nothing is said. */
void asm_warn(struct gp5_program *program);

/* One of them: the main program runs into a subroutine. */
void asm_warn_calls(struct gp5_program *program, unsigned targets);

/* Another: a MATCH.ANY that a driver does not survive, and components that MATCH does not write. */
void asm_warn_match(struct gp5_program *program, unsigned targets);

#endif
