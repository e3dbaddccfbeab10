/* What the specifications leave open and the driver was recorded doing, in one place.
 * Kernels and nothing else read this; the tests' own scalar model states it again, on its own. `measured`
 * is what NVIDIA's driver did every time; what is not measured says so. */
#ifndef GP5_EVAL_NUMERIC_CHOICES_H
#define GP5_EVAL_NUMERIC_CHOICES_H

/* A NaN that an F32 operation makes or passes on is always this one. measured */
#define NUM_NAN32 0x7fffffffu

/* The half that a NaN becomes. measured */
#define NUM_NAN16 0x7fffu

/* The NaN that an F64 operation makes; one that it passes on keeps its bits and becomes quiet. measured */
#define NUM_NAN64 0xfff8000000000000ull
#define NUM_QUIET64 0x0008000000000000ull

/* Integer division by zero. The 64-bit remainder is the dividend. measured */
#define NUM_DIV0_S32 0xffffffffu
#define NUM_DIV0_U32 0xffffffffu
#define NUM_MOD0_32 0xffffffffu
#define NUM_DIV0_U64 0xffffffffffffffffull
#define NUM_DIV0_S64(a) ((int64_t)(a) > 0 ? 1ull : 0xffffffffffffffffull)

#endif
