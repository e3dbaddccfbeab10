/* What was probably meant: the nearest known word, if it is near, or NULL. `only`: no other one is as near. */
#ifndef GP5_ASM_SUGGEST_H
#define GP5_ASM_SUGGEST_H

#include "asm/program.h"

const char *asm_suggest_name(const struct gp5_program *program, struct span name,
                             bool *only);       /* declared before it */
const char *asm_suggest_statement(const struct gp5_program *program, struct span word, bool *only);
const char *asm_suggest_option(const struct gp5_program *program, struct span word, bool *only);
const char *asm_suggest_modifier(const struct gp5_program *program, struct span word, bool *only);
const char *asm_suggest_binding(const struct gp5_program *program, struct span *path,
                                bool *only);    /* the span becomes that of its words alone */

/* How many letters to insert, drop, change or swap with a neighbour to make one word of the other; beyond `limit` any
 * larger number. */
unsigned asm_word_distance(const char *a, size_t n, const char *b, size_t m, unsigned limit);

#endif
