/* Condition codes: a bit a lane for each flag of each component. */
#include "eval/machine.h"

/* NV_gpu_program4 2.X.4.3. */
static uint32_t rule_lanes(unsigned rule, uint32_t s, uint32_t z, uint32_t o, uint32_t c)
{
    switch (rule) {
    case CC_EQ: return ~s & z;
    case CC_NE: return s | ~z;
    case CC_LT: return (s & ~z) ^ o;
    case CC_GE: return ~(s ^ o);
    case CC_GT: return (~s ^ o) & ~z;
    case CC_LE: return s ^ (z | o);
    case CC_NAN: return s & z;
    case CC_LEG: return ~s | ~z;
    case CC_CF: return c;
    case CC_NCF: return ~c;
    case CC_OF: return o;
    case CC_NOF: return ~o;
    case CC_SF: return s;
    case CC_NSF: return ~s;
    case CC_AB: return c & ~z;
    case CC_BLE: return ~c | z;
    case CC_FL: return 0;
    default: return ALL_LANES;      /* CC_NONE, CC_TR */
    }
}

uint32_t eval_test_component(const struct warp *w, const struct test *t, unsigned component)
{
    const struct flags *f = &w->cc[t->cc];
    unsigned from = t->swizzle >> 2 * component & 3;

    return rule_lanes(t->rule, f->s[from], f->z[from], f->o[from], f->c[from]);
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

static void put(uint32_t *flag, uint32_t value, uint32_t lanes)
{
    *flag = (*flag & ~lanes) | (value & lanes);
}

/* Sign and zero of a result. A NaN sets both; a denormal is zero where denormals are flushed. */
static void sign_and_zero(const struct warp *w, const struct write *out, unsigned i, uint32_t *s, uint32_t *z)
{
    const struct eval_planes *planes = w->x->planes;
    bool wide = type_table[out->flag_type].bytes == 8;
    const uint32_t *word = PLANE(w->base, out->flag_from[i]);
    const uint32_t *high = wide ? PLANE(w->base, out->flag_from[i] + 1) : NULL;
    uint32_t sign = planes->sign(high ? high : word);

    if (type_table[out->flag_type].is_float) {
        uint32_t number = planes->nonzero_float(word, high, !wide && w->worker->run->flush);
        *s = (sign & number) | planes->nan(word, high);
        *z = ~number;
    } else {
        *s = sign;
        *z = ~planes->nonzero(word, high);
    }
}

void eval_update_flags(struct warp *w, const struct write *out, const uint32_t lanes[4])
{
    struct flags *f = &w->cc[out->cc_update - 1];
    uint32_t overflow[4] = {0}, carry[4] = {0};

    if (out->carry)
        out->carry(w->base, &w->x->ops[out->carry_op], overflow, carry);
    for (unsigned i = 0; i < out->n; i++) {
        unsigned c = out->comp[i];
        uint32_t s, z;
        sign_and_zero(w, out, i, &s, &z);
        put(&f->s[c], s, lanes[i]);
        put(&f->z[c], z, lanes[i]);
        put(&f->o[c], overflow[i], lanes[i]);
        put(&f->c[c], carry[i], lanes[i]);
    }
}
