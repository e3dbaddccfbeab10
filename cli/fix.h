/* gp5 check --fix (fix.c). */
#ifndef GP5_CLI_FIX_H
#define GP5_CLI_FIX_H

#include "asm/program.h"
#include "gp5.h"

#include <stdio.h>

struct fixed {
    gp5_program *program;       /* of the text as it is then; free it */
    size_t count;               /* fixes that were made */
};

/* False without memory. */
bool fix_program(const char *text, size_t size, unsigned targets, struct fixed *f);
/* As diff -u has it, which patch reads; nothing where nothing was fixed. False without memory. */
bool fix_print(FILE *out, const char *path, const char *text, size_t size, const struct fixed *f);

#endif
