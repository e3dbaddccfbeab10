/* The floating-point environment of the caller is put aside: to nearest, denormals kept, nothing trapped. */
#ifndef GP5_SUBGROUP_ENVIRONMENT_H
#define GP5_SUBGROUP_ENVIRONMENT_H

#if defined(__SSE__)

#include <xmmintrin.h>

typedef unsigned sub_environment;

static inline void sub_enter(sub_environment *saved)
{
    *saved = _mm_getcsr();
    _mm_setcsr(0x1f80);
}

static inline void sub_leave(const sub_environment *saved)
{
    _mm_setcsr(*saved);
}

#else

#include <fenv.h>

typedef fenv_t sub_environment;

static inline void sub_enter(sub_environment *saved)
{
    fegetenv(saved);
    fesetenv(FE_DFL_ENV);
}

static inline void sub_leave(const sub_environment *saved)
{
    fesetenv(saved);
}

#endif

#endif
