/* The canonical text of a program, and when two programs say the same. */
#ifndef GP5_ASM_PRINT_H
#define GP5_ASM_PRINT_H

#include "asm/program.h"

/* One statement a line, blocks indented, one space behind a comma, comments and single empty lines kept. For a program
 * that some target takes. NULL without memory; the caller frees it with gp5_free. */
char *asm_print(const struct gp5_program *program, size_t *size);

/* Structural equality: everything but where it stands in the text, how a number is spelt and in which order modifiers
 * of different kinds stand. */
bool asm_program_equal(const struct gp5_program *a, const struct gp5_program *b);

#endif
