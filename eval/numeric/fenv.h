/* The floating-point environment of the kernels (fenv.c). */
#ifndef GP5_NUMERIC_FENV_H
#define GP5_NUMERIC_FENV_H

#include <stdint.h>

/* Which treatment of denormals a step needs. */
enum float_mode { FLOAT_ANY, FLOAT_FLUSH, FLOAT_KEEP };

/* Sets it; saves what there is before, and brings that back. */
void eval_float_mode(enum float_mode mode);
void eval_float_enter(uint8_t saved[8], enum float_mode mode);
void eval_float_leave(const uint8_t saved[8]);

#endif
