/* Programs that stand in other text as something else than themselves: in string literals, or behind a prefix on each
 * line. */
#ifndef GP5_ASM_UNWRAP_H
#define GP5_ASM_UNWRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwrapped {
    char *text;                 /* the program's, gp5_free */
    uint32_t *place;            /* where each of its bytes stands, and one more: gp5_free */
    size_t size;
};

/* The program whose header stands at `header`: true when it is behind a quote (literals of C that follow each other are
 * one, \n and its like are what they stand for; a trace's escaped string) or when the lines that follow begin as its
 * line does, but for digits (a log). False when it stands for itself; text is NULL when memory ran out. */
bool asm_unwrap(const char *bytes, size_t size, size_t header, struct unwrapped *u);
void asm_unwrap_free(struct unwrapped *u);

#endif
