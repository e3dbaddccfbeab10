/* The floating-point environment of the caller is put aside: to nearest, denormals kept, nothing trapped.
 * Exception flags may be raised. */
#ifndef GP5_SUBGROUP_ENVIRONMENT_H
#define GP5_SUBGROUP_ENVIRONMENT_H

#if defined(__SSE__)

#include <xmmintrin.h>

typedef unsigned sub_environment;

static inline void sub_enter(sub_environment *saved)
{
    *saved = _mm_getcsr();
    if ((*saved & ~0x3fu) != 0x1f80)    /* the low bits are flags; writing is slow, and reading after arithmetic too */
        _mm_setcsr(0x1f80);
}

static inline void sub_leave(const sub_environment *saved)
{
    if ((*saved & ~0x3fu) != 0x1f80)
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
