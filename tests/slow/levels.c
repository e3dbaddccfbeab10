/* Levels of detail that texture instructions ask for. */
#include "tests/slow/texture_call.h"

#include <string.h>

static int64_t level_of_float(uint32_t f)
{
    slow_wide n = slow_scaled(f, 8, false);
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

int64_t slow_texture_level(const struct slow_call *c, const struct gp5_texture *t)
{
    const struct slow_value (*v)[4] = c->v;
    uint32_t d[3][3];
    int64_t lod, least;
    if (c->insn->op == OP_TXL) {
        bool behind = c->shadow && slow_texture_reference(c) == 4;
        uint32_t given = (uint32_t)(c->nvectors > 1 ? v[1][behind].bits : v[0][3].bits);
        return bounded(&t->sampler, level_of_float(given) + level_of_number(t->sampler.bias));
    }
    if (c->insn->op != OP_TXD || t->kind == GP5_TEXTURE_RECT)
        return bounded(&t->sampler, 0);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 3; i++)
            d[k][i] = (uint32_t)v[k][i].bits;
    lod = c->cube ? slow_level_of_directions(d[0], d[1], d[2], t->size[0]) : slow_level_of_slopes(d[1], d[2], t->size, c->n);
    lod = bounded(&t->sampler, lod + level_of_number(t->sampler.bias));
    least = c->insn->flags & INSN_LODCLAMP ? level_of_float((uint32_t)v[2][3].bits) : lod;
    return lod < least ? least : lod;
}
