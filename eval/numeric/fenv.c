/* The floating-point environment of the kernels: round to nearest, no traps, denormals flushed or kept. */
#include "eval/numeric/fenv.h"

#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>

enum { MXCSR_MASKED = 0x1f80, MXCSR_FTZ = 0x8000, MXCSR_DAZ = 0x0040 };

void eval_float_mode(enum float_mode mode)
{
    _mm_setcsr(mode == FLOAT_FLUSH ? MXCSR_MASKED | MXCSR_FTZ | MXCSR_DAZ : MXCSR_MASKED);
}

void eval_float_enter(uint8_t saved[8], enum float_mode mode)
{
    unsigned state = _mm_getcsr();
    memcpy(saved, &state, sizeof state);
    eval_float_mode(mode);
}

void eval_float_leave(const uint8_t saved[8])
{
    unsigned state;
    memcpy(&state, saved, sizeof state);
    _mm_setcsr(state);
}

#elif defined(__aarch64__)

static uint64_t get_fpcr(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
}

static void set_fpcr(uint64_t state)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(state));
}

void eval_float_mode(enum float_mode mode)
{
    set_fpcr(mode == FLOAT_FLUSH ? 1u << 24 : 0);
}

void eval_float_enter(uint8_t saved[8], enum float_mode mode)
{
    uint64_t state = get_fpcr();
    memcpy(saved, &state, sizeof state);
    eval_float_mode(mode);
}

void eval_float_leave(const uint8_t saved[8])
{
    uint64_t state;
    memcpy(&state, saved, sizeof state);
    set_fpcr(state);
}

#else
#error "This machine's floating-point control is not known: eval/numeric/fenv.c needs its flush-to-zero bit"
#endif
