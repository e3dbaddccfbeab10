/* Tests of condition codes: the lanes for which they pass. */
#include "eval/machine/warp_state.h"

/* NV_gpu_program4 2.X.4.3, and what the driver's compiler knows better (model/cc/flags.c). What it knows of a number
 * that is not below zero an IF does not believe of a NaN when it asks for LT and SF, and a choice between numbers
 * never. */
static uint32_t rule_lanes(unsigned rule, const struct flags *f, unsigned i, bool flow, bool choice)
{
    uint32_t s = f->s[i], z = f->z[i], o = f->o[i], c = f->c[i];
    uint32_t number = ~(s & z), believed = choice ? number : ALL_LANES, apart = flow || choice ? ALL_LANES : 0;

    switch (rule) {
    case CC_EQ: return ~s & z;
    case CC_NE: return s | ~z;
    case CC_LT: return (((s & ~z) ^ o) & ~f->not_below[i]) | (f->below[i] & (number | ~apart));
    case CC_GE: return ~(s ^ o) | (f->not_below[i] & believed);
    case CC_GT: return ((~s ^ o) & ~z) | (f->above[i] & believed);
    case CC_LE: return s ^ (z | o);
    case CC_NAN: return s & z;
    case CC_LEG: return ~s | ~z;
    case CC_CF: return c ^ f->other_carry[i];
    case CC_NCF: return ~(c ^ f->other_carry[i]);
    case CC_OF: return o ^ f->other_overflow[i];
    case CC_NOF: return ~(o ^ f->other_overflow[i]);
    case CC_SF: return s & ~f->no_sign[i] & ~(f->not_below[i] & apart);
    case CC_NSF: return ~s | f->no_sign[i] | (f->not_below[i] & believed);
    case CC_AB: return (c ^ f->other_above[i]) & ~z;
    case CC_BLE: return ~(c ^ f->other_above[i]) | z;
    case CC_FL: return 0;
    default: return ALL_LANES;      /* CC_NONE, CC_TR */
    }
}

uint32_t eval_test_component(const struct warp *w, const struct test *t, unsigned component)
{
    unsigned i = t->swizzle >> 2 * component & 3;

    if (t->settled >> component & 1)
        return t->passes >> component & 1 ? ALL_LANES : 0;
    return rule_lanes(t->rule, &w->cc[t->cc], i, t->flow, t->choice >> component & 1);
}

uint32_t eval_test_any(const struct warp *w, const struct test *t)
{
    if (t->outcome != OUTCOME_TESTED)
        return t->outcome == OUTCOME_PASSES ? ALL_LANES : 0;
    if (t->swizzle == (t->swizzle & 3) * 0x55)  /* one component */
        return eval_test_component(w, t, 0);
    if (t->first_alone)
        return eval_test_component(w, t, 0) &
               ~(eval_test_component(w, t, 1) | eval_test_component(w, t, 2) | eval_test_component(w, t, 3));
    return eval_test_component(w, t, 0) | eval_test_component(w, t, 1) | eval_test_component(w, t, 2) |
           eval_test_component(w, t, 3);
}
