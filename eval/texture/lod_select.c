/* Which level of detail a texture instruction asks for. */
#include "eval/texture/sample.h"

#include <math.h>
#include <string.h>

/* The bias or level that stands in w, or in the second vector. */
static float given_level(const struct warp *w, const struct texture_call *t, unsigned lane)
{
    return eval_texture_value(w, t->vector[t->level / 4][t->level % 4], lane);
}

static lod_t lod_of(const struct texture_view *v, const float dx[3], const float dy[3], unsigned n)
{
    static const uint32_t texels[3] = {1, 1, 1};        /* a rectangle's coordinates are */

    return eval_lod_of_derivatives(dx, dy, v->texture->kind == GP5_TEXTURE_RECT ? texels : v->level[0].size, n);
}

/* In a cube the driver takes the directions that the derivatives lead to. */
static lod_t lod_of_directions(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                               unsigned lane)
{
    float at[3], right[3], down[3];

    for (unsigned i = 0; i < 3; i++) {
        at[i] = eval_texture_value(w, t->direction[i], lane);
        right[i] = at[i] + eval_texture_value(w, t->vector[1][i], lane);
        down[i] = at[i] + eval_texture_value(w, t->vector[2][i], lane);
    }
    return eval_lod_of_cube(at, right, down, v->level[0].size[0]);
}

/* In three dimensions it takes places too, of which NaN is 0. */
static void to_places(const struct warp *w, const struct texture_call *t, unsigned lane, float dx[3], float dy[3])
{
    for (unsigned i = 0; i < 3; i++) {
        float at = eval_texture_value(w, t->vector[0][i], lane), right = at + dx[i], down = at + dy[i];
        at = isnan(at) ? 0 : at;
        dx[i] = (isnan(right) ? 0 : right) - at;
        dy[i] = (isnan(down) ? 0 : down) - at;
    }
}

static lod_t lod_of_operands(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                             unsigned lane)
{
    unsigned n = eval_texture_dimensions(t->kind);
    float dx[3] = {0}, dy[3] = {0};

    if (eval_texture_is_cube(t->kind))
        return lod_of_directions(w, t, v, lane);
    for (unsigned i = 0; i < n; i++) {
        dx[i] = eval_texture_value(w, t->vector[1][i], lane);
        dy[i] = eval_texture_value(w, t->vector[2][i], lane);
    }
    if (t->kind == GP5_TEXTURE_3D)
        to_places(w, t, lane, dx, dy);
    return lod_of(v, dx, dy, n);
}

bool eval_texture_quad_is_broken(const struct warp *w, const struct texture_call *t, unsigned lane)
{
    return t->quads && t->op != OP_TXL && t->op != OP_TXD && (w->active >> (lane & ~3u) & 15) != 15;
}

/* Differences over the quad, the same for all of its lanes. */
static lod_t lod_of_quad(const struct warp *w, const struct texture_call *t, const struct sample *s, unsigned lane,
                         struct texture_result *r)
{
    unsigned first = lane & ~3u, n = eval_texture_dimensions(t->kind);
    float dx[3] = {0}, dy[3] = {0};

    if (eval_texture_quad_is_broken(w, t, lane)) {
        r->fault = r->fault ? r->fault : TEXTURE_QUAD;
        return 0;
    }
    if (eval_texture_is_cube(t->kind)) {
        float at[3], right[3], down[3];
        for (unsigned i = 0; i < 3; i++) {
            at[i] = eval_texture_value(w, t->direction[i], first);
            right[i] = eval_texture_value(w, t->direction[i], first + 1);
            down[i] = eval_texture_value(w, t->direction[i], first + 2);
        }
        return eval_lod_of_cube(at, right, down, s->view->level[0].size[0]);
    }
    for (unsigned i = 0; i < n; i++) {
        float at = eval_texture_value(w, t->vector[0][i], first);
        dx[i] = eval_texture_value(w, t->vector[0][i], first + 1) - at;
        dy[i] = eval_texture_value(w, t->vector[0][i], first + 2) - at;
    }
    return lod_of(s->view, dx, dy, n);
}

/* Of LODCLAMP: it goes over the sampler's bounds. */
static lod_t at_least(lod_t lod, const struct warp *w, const struct texture_call *t, unsigned lane)
{
    const uint32_t *at = t->op == OP_TXD ? &t->vector[2][3] : &t->vector[t->least / 4][t->least % 4];
    lod_t least = t->clamped ? eval_lod_of(eval_texture_value(w, *at, lane)) : lod;

    return lod < least ? least : lod;
}

/* Before any bounds. */
static lod_t lod_without_bounds(const struct warp *w, const struct texture_call *t, const struct sample *s,
                                unsigned lane, struct texture_result *r)
{
    const struct gp5_sampler *sampler = &s->view->texture->sampler;

    if (t->kind == GP5_TEXTURE_RECT && !t->quads)       /* it has one level */
        return 0;
    switch (t->op) {
    case OP_TXL: return eval_lod_of(given_level(w, t, lane)) + eval_lod_bias(sampler);
    case OP_TXD: return lod_of_operands(w, t, s->view, lane) + eval_lod_bias(sampler);
    default:                                    /* without quads the first level, and no bias */
        return !t->quads ? 0
                         : lod_of_quad(w, t, s, lane, r) + eval_lod_bias(sampler) +
                               (t->op == OP_TXB ? eval_lod_of(given_level(w, t, lane)) : 0);
    }
}

/* Nothing hangs on the level where there is one alone, and it is filtered alike near and far. */
bool eval_texture_level_is_idle(const struct gp5_texture *texture)
{
    const struct gp5_sampler *s = &texture->sampler;

    return texture->levels == 1 && s->min_filter == s->mag_filter;
}

lod_t eval_texture_lod(const struct warp *w, const struct texture_call *t, const struct sample *s, unsigned lane,
                      struct texture_result *r)
{
    if (eval_texture_level_is_idle(s->view->texture)) {
        if (eval_texture_quad_is_broken(w, t, lane) && !r->fault)
            r->fault = TEXTURE_QUAD;
        return 0;
    }
    lod_t lod = eval_lod_bound(&s->view->texture->sampler, lod_without_bounds(w, t, s, lane, r));

    return t->kind == GP5_TEXTURE_RECT && !t->quads ? lod : at_least(lod, w, t, lane);
}

enum { LEAST_QUERIED = -32 };   /* where nothing changes from pixel to pixel */

/* x: the level that TEX would take; one number between two levels. y: the same before all bounds. The others are open
 * (ARB_texture_query_lod). */
void eval_texture_lod_query(const struct warp *w, const struct texture_call *t, const struct sample *s, unsigned lane,
                            struct texture_result *r)
{
    const struct gp5_texture *texture = s->view->texture;
    lod_t lod = lod_without_bounds(w, t, s, lane, r), last = (lod_t)(texture->levels - 1) * ONE_LEVEL,
          bound = eval_lod_bound(&texture->sampler, lod);
    unsigned filter = texture->sampler.min_filter;

    bound = bound < 0 ? 0 : bound > last ? last : bound;
    if (filter == GP5_FILTER_NEAREST || filter == GP5_FILTER_LINEAR)
        bound = 0;
    else if (filter == GP5_FILTER_NEAREST_MIPMAP_NEAREST || filter == GP5_FILTER_LINEAR_MIPMAP_NEAREST)
        bound = (bound + ONE_LEVEL / 2 - 1) / ONE_LEVEL * ONE_LEVEL;
    memset(r->word, 0, sizeof r->word);
    r->word[0] = num_word((float)bound / ONE_LEVEL);
    r->word[1] = num_word(lod < LEAST_QUERIED * ONE_LEVEL ? LEAST_QUERIED : (float)lod / ONE_LEVEL);
    r->open = 12;
}
