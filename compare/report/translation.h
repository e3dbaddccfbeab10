/* What comes with a translation: its interface as JSON, and SPIR-V by a compiler that is another process. */
#ifndef GP5_COMPARE_TRANSLATION_H
#define GP5_COMPARE_TRANSLATION_H

#include <jansson.h>
#include <stdio.h>

#include "gp5.h"

/* One entry; NULL without memory. */
json_t *translation_entry(const struct gp5_interface_entry *e);
/* The whole table, as a file has it. */
json_t *translation_table(const gp5_program *program, enum gp5_language to, json_t *entries);

/* Compiles GLSL with glslangValidator and writes the module. False, and why, when that is not installed or does not
 * take it. */
bool translation_compile(const char *glsl, size_t size, const char *stage, FILE *out, char *why, size_t room);

#endif
