/* The state of a GL context that programs read (state.c). */
#ifndef GP5_EVAL_STATE_H
#define GP5_EVAL_STATE_H

#include "asm/program.h"

bool eval_is_state(uint16_t kind);
/* `nvidia`: as that driver's compute programs have it. A component that an implementation chooses: the greatest size of points. */
bool eval_state_is_open(uint16_t kind, unsigned component, bool nvidia);
/* How many vectors a binding stands for, ranges apart: a matrix without a row four. */
uint32_t eval_state_rows(uint16_t kind);
/* Component of the `at`-th vector that it covers. */
uint32_t eval_state_word(const struct binding *b, uint32_t at, unsigned component, bool nvidia);

#endif
