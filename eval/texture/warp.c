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
struct levels { _Alignas(64) uint32_t key[WARP_LANES], share[WARP_LANES]; };

/* The level of a quad comes from differences over it, the same for its lanes; of one that is broken it is the first.
 * Returns the lanes that mix two levels. */
static uint32_t find_levels(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                            struct levels *o)
{
    bool of_quad = t->quads && !t->clamped && (t->op == OP_TEX || t->op == OP_TXP), linear = false;
    const struct gp5_sampler *s = &v->texture->sampler;
    uint32_t mixed = 0, level = 0, share = 0;
    lod_t lod, bias = eval_lod_bias(s);
    double rho[WARP_LANES / 4];
    struct texture_result r;

    r.fault = TEXTURE_FINE;
    if (of_quad)
        w->x->planes->rho(rho, PLANE(w->base, t->vector[0][0]), PLANE(w->base, t->vector[0][1]), v->level[0].size);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned q = lane / 4;
        if (of_quad && lane % 4 == 0 && (w->active >> lane & 15) != 15)
            rho[q] = 1;
        if (of_quad ? lane % 4 == 0 && (!lane || rho[q] != rho[q - 1]) : w->active >> lane & 1) {
            lod = of_quad ? eval_lod_bound(s, eval_lod_of_rho(rho[q]) + bias)
                          : eval_texture_lod(w, t, &(const struct sample){.view = v}, lane, &r);
            eval_lod_levels(v->texture, lod, &level, &share, &linear);
        }
        o->key[lane] = level * 2 + linear;
        o->share[lane] = share;
        mixed |= (uint32_t)(share != 0) << lane;
    }
    return mixed;
}

/* The lanes with the same level as the first of these. */
static uint32_t lanes_with(const struct levels *levels, uint32_t lanes)
{
    uint32_t first = levels->key[__builtin_ctz(lanes)], other = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        other |= (uint32_t)(levels->key[lane] != first) << lane;
    return lanes & ~other;
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
    struct texel_plane p[2] = {v->texels, v->texels};

    if (!v->idle)
        mixed = find_levels(w, t, v, &levels);
    for (unsigned i = 0; i < 4; i++)
        p[i / 2].offset[i % 2] = t->offset[i % 2];
    for (uint32_t left = w->active; left; left &= ~same) {
        uint32_t key = v->idle ? v->texture->sampler.mag_filter == GP5_FILTER_LINEAR
                               : levels.key[__builtin_ctz(left)];
        same = v->idle ? left : lanes_with(&levels, left);
        set_level(&p[0], &v->level[key / 2], key);
        if (same & mixed)
            set_level(&p[1], &v->level[key / 2 + 1], key);
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
