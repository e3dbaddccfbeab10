/* Condition codes in machine code: where flags of a warp stand, and in which registers. */
#ifndef GP5_EVAL_NATIVE_FLAGS_H
#define GP5_EVAL_NATIVE_FLAGS_H

#include "eval/jit/jit_internal.h"

#include "eval/jit/x86_scalar.h"

enum native_flag {
    FLAG_S, FLAG_Z, FLAG_O, FLAG_C, FLAG_NOT_BELOW, FLAG_NO_SIGN, FLAG_ABOVE, FLAG_BELOW, FLAG_OTHER_CARRY,
    FLAG_OTHER_OVERFLOW, FLAG_OTHER_ABOVE
};

static inline size_t native_flag_at(unsigned cc, enum native_flag f, unsigned component)
{
#define AT(flag) offsetof(struct flags, flag)
    static const size_t at[] = {AT(s), AT(z), AT(o), AT(c), AT(not_below), AT(no_sign), AT(above), AT(below),
                                AT(other_carry), AT(other_overflow), AT(other_above)};
#undef AT
    return offsetof(struct warp, cc) + cc * sizeof(struct flags) + at[f] + component * sizeof(uint32_t);
}

/* Where Z and S stand after they were set, until flow goes on elsewhere. */
static inline uint32_t native_known_flags(unsigned cc, unsigned component)
{
    return 1 + component + 4 * cc;
}

static inline unsigned native_flag_register(enum native_flag f)
{
    return f == FLAG_Z ? R10 : R11;
}

/* emit_test.c: the lanes of eax whose component passes a test. */
void eval_native_test_component(struct native_builder *b, const struct test *t, unsigned component);

#endif
