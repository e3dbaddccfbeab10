/* Texture instructions, a warp at a time, where all lanes sample one plain texture: 2D, bytes or unfiltered words, wrap
 * modes without a border. Bit for bit what eval_texture_lane gives. */
#include "eval/texture/sample.h"

enum { LARGEST = 8192 };        /* sizes beyond have finer coordinates */

static bool is_uniform(const struct warp *w, uint32_t plane)
{
    uint32_t lanes = w->active, first = plane == NO_PLANE ? 0 : PLANE(w->base, plane)[__builtin_ctz(lanes)];

    for (; plane != NO_PLANE && lanes; lanes &= lanes - 1)
        if (PLANE(w->base, plane)[__builtin_ctz(lanes)] != first)
            return false;
    return true;
}

static bool is_plain(const struct gp5_texture *t, const struct gp5_format_info *info)
{
    for (unsigned k = 0; k < 2; k++)
        if (t->size[k] > LARGEST || t->sampler.wrap[k] > GP5_WRAP_CLAMP_TO_EDGE)
            return false;
    if (t->kind != GP5_TEXTURE_2D || !info)
        return false;
    if (info->kind == GP5_KIND_UNORM)
        return info->bits == 8;
    return info->kind == GP5_KIND_FLOAT && info->bits == 32 && t->format != GP5_FORMAT_DEPTH32F &&
           !eval_mixes_texels(&t->sampler);
}

void eval_texture_note_plain(struct texture_view *v)
{
    const struct gp5_texture *t = v->texture;
    const struct gp5_format_info *info = gp5_format_info(t->format);

    v->plain = is_plain(t, info);
    v->idle = eval_texture_level_is_idle(t);
    if (v->plain)
        v->texels = (struct texel_plane){
            .components = info->components, .bytes = info->bytes, .words = info->bits == 32,
            .repeat = {t->sampler.wrap[0] == GP5_WRAP_REPEAT, t->sampler.wrap[1] == GP5_WRAP_REPEAT}};
}

const struct texture_view *eval_texture_plain(const struct warp *w, const struct texture_call *t)
{
    const struct texture_view *v;
    enum texture_fault fault;

    if ((t->op != OP_TEX && t->op != OP_TXP && t->op != OP_TXB && t->op != OP_TXL && t->op != OP_TXD) || !w->active ||
        t->kind != GP5_TEXTURE_2D || t->shadow || t->moved || !is_uniform(w, t->unit_index) ||
        (t->handle != NO_PLANE && !(is_uniform(w, t->handle) && is_uniform(w, t->handle + 1))))
        return NULL;
    v = eval_texture_reach(w, t, (unsigned)__builtin_ctz(w->active), &fault);
    return v && v->plain ? v : NULL;
}

/* Of each lane twice the level, and 1 where the filter is linear; how much of the level behind it is mixed with it, of
 * 256. */
struct levels {
    _Alignas(64) uint32_t key[WARP_LANES], share[WARP_LANES];
    bool one;                   /* they are the same for all */
};

/* Those of lanes from `lane` on; returns the ones that mix two levels. */
static uint32_t put_levels(const struct texture_view *v, lod_t lod, struct levels *o, unsigned lane, unsigned lanes)
{
    uint32_t level, share;
    bool linear;

    eval_lod_levels(v->texture, lod, &level, &share, &linear);
    for (unsigned i = lane; i < lane + lanes; i++) {
        o->key[i] = level * 2 + linear;
        o->share[i] = share;
    }
    o->one = lanes == WARP_LANES;
    return share ? (lanes < WARP_LANES ? (1u << lanes) - 1 : ALL_LANES) << lane : 0;
}

/* From differences over quads, which mostly are the same everywhere; of one that is broken it is the first level. */
static uint32_t find_levels_of_quads(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                                     struct levels *o)
{
    enum { QUADS = WARP_LANES / 4 };
    const struct gp5_sampler *s = &v->texture->sampler;
    lod_t bias = eval_lod_bias(s);
    uint32_t mixed = 0;
    double rho[QUADS];

    w->x->planes->rho(rho, PLANE(w->base, t->vector[0][0]), PLANE(w->base, t->vector[0][1]), v->level[0].size);
    for (unsigned q = 0; q < QUADS; q++)
        rho[q] = (w->active >> 4 * q & 15) == 15 ? rho[q] : 1;
    for (unsigned q = 0, end; q < QUADS; q = end) {
        for (end = q + 1; end < QUADS && rho[end] == rho[q]; end++)
            ;
        mixed |= put_levels(v, eval_lod_bound(s, eval_lod_of_rho(rho[q]) + bias), o, 4 * q, 4 * (end - q));
    }
    return mixed;
}

static uint32_t find_levels(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                            struct levels *o)
{
    const struct sample s = {.view = v};
    uint32_t mixed = 0;
    struct texture_result r;

    r.fault = TEXTURE_FINE;
    if (t->quads && !t->clamped && (t->op == OP_TEX || t->op == OP_TXP))
        return find_levels_of_quads(w, t, v, o);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        mixed |= put_levels(v, eval_texture_lod(w, t, &s, lane, &r), o, lane, 1);
    }
    return mixed;
}

/* The lanes with the same level as the first of these. */
static uint32_t lanes_with(const struct levels *levels, uint32_t lanes)
{
    uint32_t first = levels->key[__builtin_ctz(lanes)], same = 0;

    for (; lanes; lanes &= lanes - 1)
        same |= (uint32_t)(levels->key[__builtin_ctz(lanes)] == first) << __builtin_ctz(lanes);
    return same;
}

static void set_level(struct texel_plane *p, const struct texel_level *level, uint32_t key)
{
    p->data = level->data;
    p->size[0] = level->size[0];
    p->size[1] = level->size[1];
    p->linear = key & 1;
}

void eval_texture_warp(struct warp *w, const struct texture_call *t, const struct texture_view *v)
{
    _Alignas(64) uint32_t word[4][WARP_LANES], all[4][WARP_LANES];
    uint32_t *to[4] = {NULL}, same, mixed = 0;
    struct levels levels;
    struct texel_plane p[2];

    if (!v->idle)
        mixed = find_levels(w, t, v, &levels);
    p[0] = v->texels;
    p[0].offset[0] = t->offset[0];
    p[0].offset[1] = t->offset[1];
    for (uint32_t left = w->active; left; left &= ~same) {
        uint32_t key = v->idle ? v->texture->sampler.mag_filter == GP5_FILTER_LINEAR
                               : levels.key[__builtin_ctz(left)];
        same = v->idle || levels.one ? left : lanes_with(&levels, left);
        set_level(&p[0], &v->level[key / 2], key);
        if (same & mixed) {
            p[1] = p[0];
            set_level(&p[1], &v->level[key / 2 + 1], key);
        }
        for (unsigned i = 0; i < t->n; i++)
            to[t->comp[i]] = same == ALL_LANES ? PLANE(w->base, t->dst[i]) : word[t->comp[i]];
        w->x->planes->texels(to, p, same & mixed ? levels.share : NULL, PLANE(w->base, t->vector[0][0]),
                             PLANE(w->base, t->vector[0][1]));
        for (unsigned c = 0; c < 4; c++)
            if (to[c] == word[c])
                w->x->planes->blend(all[c], word[c], same);
    }
    for (unsigned i = 0; i < t->n; i++)
        if (to[t->comp[i]] == word[t->comp[i]])
            w->x->planes->blend(PLANE(w->base, t->dst[i]), all[t->comp[i]], w->active);
}
