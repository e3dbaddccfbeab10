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

static bool is_plain(const struct gp5_texture *t)
{
    const struct gp5_format_info *info = gp5_format_info(t->format);

    for (unsigned k = 0; k < 2; k++)
        if (t->size[k] > LARGEST || t->sampler.wrap[k] > GP5_WRAP_CLAMP_TO_EDGE)
            return false;
    if (info->kind == GP5_KIND_UNORM)
        return info->bits == 8;
    return info->kind == GP5_KIND_FLOAT && info->bits == 32 && t->format != GP5_FORMAT_DEPTH32F &&
           !eval_mixes_texels(&t->sampler);
}

const struct texture_view *eval_texture_plain(const struct warp *w, const struct texture_call *t,
                                              enum texture_fault *fault)
{
    const struct texture_view *v;

    if ((t->op != OP_TEX && t->op != OP_TXP && t->op != OP_TXB && t->op != OP_TXL && t->op != OP_TXD) || !w->active ||
        t->kind != GP5_TEXTURE_2D || t->shadow || t->moved || !is_uniform(w, t->unit_index) ||
        (t->handle != NO_PLANE && !(is_uniform(w, t->handle) && is_uniform(w, t->handle + 1))))
        return NULL;
    v = eval_texture_find(w, t, (unsigned)__builtin_ctz(w->active), fault);
    return v && is_plain(v->texture) ? v : NULL;
}

/* Twice the level of each lane, and 1 where the filter is linear; how much of the level behind it is mixed with it, of
 * 256. The lanes where that is something. */
static uint32_t find_levels(const struct warp *w, const struct texture_call *t, const struct texture_view *v,
                            uint32_t key[WARP_LANES], uint32_t share[WARP_LANES])
{
    bool of_quad = !t->clamped && (t->op == OP_TEX || t->op == OP_TXP);
    const struct sample s = {.view = v};
    uint32_t mixed = 0;
    struct texture_result r;

    r.fault = TEXTURE_FINE;
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes), before = w->active & ((1u << lane) - 1) & 15u << (lane & ~3u);
        uint32_t level;
        bool linear;
        if (of_quad && before) {
            key[lane] = key[__builtin_ctz(before)];
            share[lane] = share[__builtin_ctz(before)];
        } else {
            eval_lod_levels(v->texture, eval_texture_lod(w, t, &s, lane, &r), &level, &share[lane], &linear);
            key[lane] = level * 2 + linear;
        }
        mixed |= (uint32_t)(share[lane] != 0) << lane;
    }
    return mixed;
}

static uint32_t lanes_with(const uint32_t key[WARP_LANES], uint32_t first, uint32_t lanes)
{
    uint32_t same = 0;

    for (; lanes; lanes &= lanes - 1)
        same |= (uint32_t)(key[__builtin_ctz(lanes)] == first) << __builtin_ctz(lanes);
    return same;
}

static void set_level(struct texel_plane *p, const struct texel_level *level, uint32_t key)
{
    p->data = level->data;
    p->size[0] = level->size[0];
    p->size[1] = level->size[1];
    p->linear = key & 1;
}

bool eval_texture_warp(struct warp *w, const struct texture_call *t)
{
    _Alignas(64) uint32_t word[4][WARP_LANES], all[4][WARP_LANES], share[WARP_LANES] = {0};
    enum texture_fault fault;
    const struct texture_view *v = eval_texture_plain(w, t, &fault);
    uint32_t key[WARP_LANES], same, mixed = 0;
    bool idle = v && eval_texture_level_is_idle(v->texture);

    if (!v)
        return false;
    if (!idle)
        mixed = find_levels(w, t, v, key, share);
    const struct gp5_format_info *info = gp5_format_info(v->texture->format);
    const struct gp5_sampler *s = &v->texture->sampler;
    struct texel_plane p[2] = {{.components = info->components, .bytes = info->bytes, .words = info->bits == 32,
                                .offset = {t->offset[0], t->offset[1]},
                                .repeat = {s->wrap[0] == GP5_WRAP_REPEAT, s->wrap[1] == GP5_WRAP_REPEAT}}};
    p[1] = p[0];
    for (uint32_t left = w->active; left; left &= ~same) {
        uint32_t first = idle ? s->mag_filter == GP5_FILTER_LINEAR : key[__builtin_ctz(left)];
        same = idle ? left : lanes_with(key, first, left);
        set_level(&p[0], &v->level[first / 2], first);
        if (same & mixed)
            set_level(&p[1], &v->level[first / 2 + 1], first);
        w->x->planes->texels(same == w->active ? all : word, p, same & mixed ? share : NULL,
                             PLANE(w->base, t->vector[0][0]), PLANE(w->base, t->vector[0][1]));
        for (unsigned c = 0; same != w->active && c < 4; c++)
            w->x->planes->blend(all[c], word[c], same);
    }
    for (unsigned i = 0; i < t->n; i++)
        w->x->planes->blend(PLANE(w->base, t->dst[i]), all[t->comp[i]], w->active);
    return true;
}
