/* The checker: asm/check.h. */
#include "asm/check.h"

#include <string.h>

void asm_check_header(struct gp5_program *program)
{
    diag_add(&program->diags, DIAG_ERROR, FOR_ALL, (struct span){0, 0},
             "a program begins with its header, !!NVcp5.0 or !!ARBfp1.0, at its first byte");
}

void asm_check(struct gp5_program *program)
{
    (void)program;
}
