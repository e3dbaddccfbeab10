/* The lines of a program's instructions in its file. */
#ifndef GP5_COMPARE_LINES_H
#define GP5_COMPARE_LINES_H

#include "asm/program.h"

/* Of each instruction in a file in which `before` lines stand before the program, and one more: free with gp5_free.
 * NULL when memory ran out. */
uint32_t *program_lines(const struct gp5_program *p, size_t before);

#endif
