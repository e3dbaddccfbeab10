/* Every form that an instruction of a compute program has, out of the tables of the language: opcodes by types,
 * modifiers, kinds of operands and results, memory, texture targets, bindings. A form is the text of a few statements
 * within one frame; many are invalid, as the tables do not say all, and whoever takes them asks the checker. */
#ifndef GP5_TESTS_COVER_FORMS_H
#define GP5_TESTS_COVER_FORMS_H

#include <stddef.h>

enum {
    COVER_LANES = 40,           /* at most: two warps, of which one is not full */
    COVER_STRIDE = 256,         /* bytes of program.storage[1] that a lane shows */
    COVER_SLOT = 64,            /* of program.storage[2] that belong to a lane */
    COVER_LINE = 240, COVER_PROGRAM = 8192
};

typedef void cover_sink(void *user, const char *statements);

void cover_numbers(cover_sink *to, void *user);
void cover_operands(cover_sink *to, void *user);
void cover_flow(cover_sink *to, void *user);
void cover_memory(cover_sink *to, void *user);
/* `kind`: "ARRAY2D". */
void cover_images(cover_sink *to, void *user, const char *kind);
void cover_textures(cover_sink *to, void *user, const char *kind);
void cover_bindings(cover_sink *to, void *user);

/* The program around statements. `declarations` come before it. */
void cover_program(const char *declarations, const char *statements, char text[COVER_PROGRAM]);

#endif
