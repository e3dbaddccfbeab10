/* The state of a GL context that programs read as state.* (gl_state.c). */
#ifndef GP5_EVAL_STATE_H
#define GP5_EVAL_STATE_H

#include "asm/program.h"
#include "include/gp5.h"

bool eval_is_state(uint16_t kind);
/* `nvidia`: as that driver's compute programs have it. A component that an implementation chooses: the greatest size of
 * points. */
bool eval_state_is_open(uint16_t kind, unsigned component, bool nvidia);
/* How many vectors a binding stands for, ranges apart: a matrix without a row four. */
uint32_t eval_state_rows(uint16_t kind);

/* Which vector the `at`-th that a binding covers is: a light's or unit's number in the low half, a matrix's row in the
 * high one. */
uint32_t eval_state_index(const struct binding *b, uint32_t at);
/* A component of that vector. `nvidia`: as that driver's compute programs have it. */
uint32_t eval_state_word(const struct gp5_state *state, uint16_t kind, uint32_t index, unsigned component, bool nvidia);

#endif
