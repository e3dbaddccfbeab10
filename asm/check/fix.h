/* Hints that can be followed: fix.c. */
#ifndef GP5_ASM_FIX_H
#define GP5_ASM_FIX_H

#include "asm/program.h"

/* Hints: the option is missing; the word was probably meant, and with `only` no other one. */
void fix_option(const struct gp5_program *program, struct diag *diag, const char *option);
void fix_word(struct diag *diag, struct span word, const char *meant, bool only);
/* What stands at `offset` begins a comment of C: with `next` behind its slash. */
void fix_comment(const struct gp5_program *program, struct diag *diag, uint32_t offset, char next);
/* The statement that ends at `end` lacks its semicolon. */
void fix_end(struct diag *diag, uint32_t end);

/* The program's text with the fixes of its errors for these targets, each where no other one overlaps it; how many.
 * NULL without memory, or where there is none to make. Free with gp5_free. */
char *fix_text(const struct gp5_program *program, unsigned targets, size_t *size, size_t *count);

#endif
