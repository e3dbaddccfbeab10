/* Condition codes: a bit a lane for each flag of each component. */
#include "eval/machine/warp_state.h"

static void put(uint32_t *flag, uint32_t value, uint32_t lanes)
{
    *flag = (*flag & ~lanes) | (value & lanes);
}

/* Sign and zero of a result. A NaN sets both; a denormal is zero where denormals are flushed. */
static void sign_and_zero(const struct warp *w, const struct write *out, unsigned i, uint32_t *s, uint32_t *z)
{
    const struct eval_planes *planes = w->x->planes;
    bool wide = type_table[out->flag_type].bytes == 8;
    bool signless = out->answers.signless >> out->comp[i] & 1;
    bool flush = !wide && w->worker->run->flush && !signless;
    const uint32_t *word = PLANE(w->base, out->flag_from[i]);
    const uint32_t *high = wide ? PLANE(w->base, out->flag_from[i] + 1) : NULL;
    uint32_t sign = planes->sign(high ? high : word);

    if (type_table[out->flag_type].is_float) {
        uint32_t number = planes->nonzero_float(word, high, flush);
        *s = signless ? 0 : (sign & number) | planes->nan(word, high);
        *z = ~number & ~(signless ? planes->nan(word, high) : 0);
    } else {
        *s = (out->answers.positive | out->answers.signless) >> out->comp[i] & 1 ? 0 : sign;
        *z = ~planes->nonzero(word, high);
    }
}

static uint32_t is_zero(const struct warp *w, const struct write *out, uint32_t plane)
{
    bool wide = type_table[out->flag_type].bytes == 8;

    return ~w->x->planes->nonzero(PLANE(w->base, plane), wide ? PLANE(w->base, plane + 1) : NULL);
}

/* Overflow, and the carry that AB asks for, by the signs of the terms and of the sum. */
static void put_signs(struct warp *w, const struct write *out, unsigned i, uint32_t lanes)
{
    const struct write_answers *a = &out->answers;
    struct flags *f = &w->cc[out->cc_update - 1];
    unsigned c = out->comp[i];
    uint32_t x, y, sum, overflow = f->o[c], carry = f->c[c];

    if (a->sign[0][i]) {
        x = w->x->planes->sign(PLANE(w->base, a->sign[0][i]));
        y = w->x->planes->sign(PLANE(w->base, a->sign[1][i])) ^ (a->subtracted >> i & 1 ? ALL_LANES : 0);
        sum = w->x->planes->sign(PLANE(w->base, out->flag_from[i] + 1));
        overflow = (x ^ sum) & (y ^ sum);
        carry = (x & y) | ((x | y) & ~sum);
    }
    if (!(a->exact >> i & 1))
        put(&f->o[c], overflow, lanes);
    put(&f->other_overflow[c], f->o[c] ^ overflow, lanes);
    put(&f->other_above[c], a->exact >> i & 1 ? 0 : f->c[c] ^ carry, lanes);
}

/* What tests come out as otherwise than these flags say. */
static void put_answers(struct warp *w, const struct write *out, unsigned i, uint32_t lanes)
{
    struct flags *f = &w->cc[out->cc_update - 1];
    const struct write_answers *a = &out->answers;
    unsigned c = out->comp[i];
    uint32_t above = 0, below = 0;

    if (a->more[i] != NO_PLANE)
        above = w->x->planes->nonzero(PLANE(w->base, a->more[i]), NULL);
    if (a->less[i] != NO_PLANE)
        below = w->x->planes->nonzero(PLANE(w->base, a->less[i]), NULL);
    put(&f->not_below[c], a->not_below >> c & 1 ? ALL_LANES : 0, lanes);
    put(&f->no_sign[c], a->no_sign >> c & 1 ? ALL_LANES : 0, lanes);
    put(&f->above[c], above, lanes);
    put(&f->below[c], below, lanes);
    put(&f->other_carry[c], a->zero[i] ? is_zero(w, out, a->zero[i]) : 0, lanes);
    put_signs(w, out, i, lanes);
}

void eval_update_flags(struct warp *w, const struct write *out, const uint32_t lanes[4])
{
    struct flags *f = &w->cc[out->cc_update - 1];
    uint32_t overflow[4] = {0}, carry[4] = {0}, other_overflow[4], other_carry[4];

    if (out->carry)
        out->carry(w->base, &w->x->ops[out->carry_op], overflow, carry);
    if (out->other_carry) {
        out->other_carry(w->base, &w->x->ops[out->other_op], other_overflow, other_carry);
        for (unsigned i = 0; i < 4; i++)
            if (out->other >> i & 1) {
                overflow[i] = other_overflow[i];
                carry[i] = other_carry[i];
            }
    }
    for (unsigned i = 0; i < out->n; i++) {
        unsigned c = out->comp[i];
        uint32_t s, z;
        sign_and_zero(w, out, i, &s, &z);
        put(&f->s[c], s, lanes[i]);
        put(&f->z[c], z, lanes[i]);
        put(&f->o[c], overflow[i], lanes[i]);
        put(&f->c[c], carry[i], lanes[i]);
        if (w->x->answers)
            put_answers(w, out, i, lanes[i]);
    }
}
