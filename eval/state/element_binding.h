/* Bindings of arrays (element_binding.c). */
#ifndef GP5_EVAL_ELEMENT_BINDING_H
#define GP5_EVAL_ELEMENT_BINDING_H

#include "asm/program.h"

/* Which binding element `e` of a variable has; it is the `at`-th of what that covers. NULL for none. */
const struct binding *eval_element_binding(const struct gp5_program *p, const struct symbol *s, uint64_t e,
                                           uint32_t *at);

#endif
