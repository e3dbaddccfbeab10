/* Levels of detail that texture instructions ask for. */
#include "tests/oracle/texture_call.h"

#include <math.h>
#include <string.h>

static int64_t level_of_float(uint32_t f)
{
    oracle_wide n = oracle_scaled(f, 8, false);
    return (int64_t)(n > 1 << 20 ? 1 << 20 : n < -(1 << 20) ? -(1 << 20) : n);
}

static int64_t level_of_number(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return level_of_float(word);
}

static int64_t bounded(const struct gp5_sampler *y, int64_t lod)
{
    int64_t most = level_of_number(y->max_lod), least = level_of_number(y->min_lod);
    lod = lod < most ? lod : most;
    return lod < least ? least : lod;
}

/* The sampler's bias: no more than 15 levels. */
static int64_t bias_of(const struct gp5_sampler *y)
{
    int64_t bias = level_of_number(y->bias), most = 15 * ORACLE_LEVEL;
    return bias > most ? most : bias < -most ? -most : bias;
}

static float place_of(float f)
{
    return isnan(f) ? 0 : fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}

/* Slopes in a 3D texture are what the places differ by that they lead to; a NaN is the place 0. */
static void lead_to_places(uint32_t at, uint32_t *dx, uint32_t *dy)
{
    float from = (float)oracle_float(at), right = place_of(from + (float)oracle_float(*dx)),
          down = place_of(from + (float)oracle_float(*dy));
    right = place_of(right - place_of(from));
    down = place_of(down - place_of(from));
    memcpy(dx, &right, sizeof right);
    memcpy(dy, &down, sizeof down);
}

int64_t oracle_texture_level(const struct oracle_call *c, const struct gp5_texture *t)
{
    const struct oracle_value (*v)[4] = c->v;
    uint32_t d[3][3];
    int64_t lod, least;
    if (t->kind == GP5_TEXTURE_RECT)            /* it has one level, which is never too small */
        return bounded(&t->sampler, 0);
    if (c->insn->op == OP_TXL) {
        bool behind = c->shadow && oracle_texture_reference(c) == 4;
        uint32_t given = (uint32_t)(c->nvectors > 1 ? v[1][behind].bits : v[0][3].bits);
        return bounded(&t->sampler, level_of_float(given) + bias_of(&t->sampler));
    }
    if (c->insn->op != OP_TXD)
        return bounded(&t->sampler, 0);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 3; i++)
            d[k][i] = (uint32_t)v[k][i].bits;
    if (t->kind == GP5_TEXTURE_3D)
        for (unsigned i = 0; i < 3; i++)
            lead_to_places(d[0][i], &d[1][i], &d[2][i]);
    lod = c->cube ? oracle_level_of_directions(d[0], d[1], d[2], t->size[0])
                  : oracle_level_of_slopes(d[1], d[2], t->size, c->n);
    lod = bounded(&t->sampler, lod + bias_of(&t->sampler));
    least = c->insn->flags & INSN_LODCLAMP ? level_of_float((uint32_t)v[2][3].bits) : lod;
    return lod < least ? least : lod;
}
