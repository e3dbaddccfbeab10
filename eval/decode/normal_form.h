/* Programs in the words that the decoder knows (normal_form.c). */
#ifndef GP5_EVAL_NORMAL_FORM_H
#define GP5_EVAL_NORMAL_FORM_H

#include "asm/program.h"

/* The program itself, or a copy in the arena; NULL when memory ran out. */
const struct gp5_program *eval_normal_form(struct arena *a, const struct gp5_program *from);

#endif
