/* The checker: what is wrong with a parsed program, for each target. */
#ifndef GP5_ASM_CHECK_H
#define GP5_ASM_CHECK_H

#include "asm/program.h"

/* Everything that the grammar cannot say. Adds to program->diags. */
void asm_check(struct gp5_program *program);

/* A text without a header that gp5 knows, or that these targets look for: it is all that they say. */
void asm_check_header(struct gp5_program *program, unsigned targets);

#endif
