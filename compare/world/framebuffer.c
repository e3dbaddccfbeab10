/* The commands that choose what is drawn into and what probes look at: the window, buffers of samples, textures. What
 * is drawn into a texture is in it for the programs behind, in its format. */
#include "compare/script/pixel.h"
#include "compare/world/world.h"

#include <string.h>

static bool wrong(struct world *w, const char *message)
{
    w->result->status = TEST_ERROR;
    w->result->message = message;
    return false;
}

/* ---- levels of textures ------------------------------------------------------------------------------------ */

static struct slot *texture_of(struct world *w, int32_t unit)
{
    struct slot *slot = unit >= 0 ? world_slot(&w->textures, (uint32_t)unit) : NULL;
    return slot && slot->is_set ? slot : NULL;
}

/* Where the planes of a level begin in the bytes of its texture; false where it is not the size that it was. */
static bool place_of(const struct surface *s, const struct slot *slot, size_t *at, size_t *plane)
{
    const struct gp5_format_info *info = gp5_format_info(slot->texture.format);
    uint32_t size[3];

    gp5_texture_level(&slot->texture, s->level, size);
    *plane = surface_pixels(s) * info->bytes;
    *at = (size_t)gp5_texture_bytes(&slot->texture, s->level) + (size_t)s->first_layer * s->samples * *plane;
    return pixel_is_color(info) && size[0] == s->width && size[1] == s->height && s->level < slot->texture.levels &&
           *at + *plane * surface_planes(s) <= slot->size;
}

static void load_plane(struct surface *s, const struct slot *slot, size_t at, size_t to)
{
    const struct gp5_format_info *info = gp5_format_info(slot->texture.format);

    for (size_t i = 0; i < surface_pixels(s); i++, at += info->bytes) {
        for (int side = 0; side < SIDES; side++)
            pixel_get(info, slot->data[side] + at, s->colors[side] + 4 * (to + i));
        for (unsigned c = 0; c < 4; c++)
            s->undefined[4 * (to + i) + c] =
                slot->undefined && c < info->components ? slot->undefined[(at + c * info->bits / 8u) / 4] : 0;
    }
}

static void store_plane(const struct surface *s, struct slot *slot, size_t at, size_t from)
{
    const struct gp5_format_info *info = gp5_format_info(slot->texture.format);

    for (size_t i = 0; i < surface_pixels(s); i++, at += info->bytes) {
        for (int side = 0; side < SIDES; side++)
            pixel_put(info, s->colors[side] + 4 * (from + i), slot->data[side] + at);
        for (unsigned c = 0; slot->undefined && c < info->components; c++)
            if (s->undefined[4 * (from + i) + c])
                slot->undefined[(at + c * info->bits / 8u) / 4] = s->undefined[4 * (from + i) + c];
    }
}

/* All planes of all colours, one way or the other. */
static bool each_plane(struct world *w, struct surface *s, bool stores)
{
    size_t at, plane;

    for (uint32_t n = 0; s->is_textures && n < s->buffers; n++) {
        struct slot *slot = texture_of(w, s->unit[n]);
        if (s->unit[n] < 0)
            continue;
        if (!slot || !place_of(s, slot, &at, &plane))
            return wrong(w, "the texture that is drawn into is no longer what it was");
        if (stores && !slot->undefined) {
            slot->undefined = gp5_malloc((slot->size / 4 + 1) * 4);
            if (slot->undefined)
                memset(slot->undefined, 0, (slot->size / 4 + 1) * 4);
        } else if (stores) {
            memset(slot->undefined + at / 4, 0, (at % 4 + plane * surface_planes(s) + 3) / 4 * 4);
        }
        for (uint32_t p = 0; p < surface_planes(s); p++, at += plane)
            if (stores)
                store_plane(s, slot, at, surface_plane(s, n, 0, 0) + p * surface_pixels(s));
            else
                load_plane(s, slot, at, surface_plane(s, n, 0, 0) + p * surface_pixels(s));
    }
    return true;
}

bool framebuffer_load(struct world *w, struct surface *s)
{
    if (!surface_make(s)) {
        world_no_memory(w);
        return false;
    }
    return each_plane(w, s, false);
}

bool framebuffer_store(struct world *w, struct surface *s)
{
    return each_plane(w, s, true);
}

/* ---- binding them ------------------------------------------------------------------------------------------ */

static bool set_size(struct world *w, struct surface *s, const struct op_framebuffer *o, const struct slot *slot)
{
    const struct gp5_texture *t = &slot->texture;
    uint32_t size[3];

    if (o->kind == FRAMEBUFFER_SLICE && t->kind != o->texture_kind)
        return wrong(w, "the texture in this unit is of another kind");
    if (o->kind == FRAMEBUFFER_TEXTURES && t->kind != GP5_TEXTURE_2D && t->kind != GP5_TEXTURE_RECT &&
        t->kind != GP5_TEXTURE_2DMS)
        return wrong(w, "the texture in this unit is not flat");
    if (!pixel_is_color(gp5_format_info(t->format)) || t->format == GP5_FORMAT_DEPTH32F) {
        w->result->status = TEST_SKIPPED;
        w->result->message = "textures of this format are not drawn into";
        return false;
    }
    if (o->level >= t->levels)
        return wrong(w, "the texture in this unit has no such level");
    gp5_texture_level(t, o->level, size);
    if (o->layer >= size[2])
        return wrong(w, "the texture in this unit has no such layer");
    if (s->width && (s->width != size[0] || s->height != size[1] || s->samples != (t->samples ? t->samples : 1)))
        return wrong(w, "textures that are drawn into at once are of one size");
    s->width = size[0];
    s->height = size[1];
    s->samples = t->samples ? t->samples : 1;
    s->layers = s->layered ? size[2] : 1;
    s->level = o->level;
    s->first_layer = o->layer;
    s->keeps |= gp5_format_info(t->format)->kind != GP5_KIND_UNORM;
    return true;
}

static bool attach(struct world *w, struct surface *s, const struct op_framebuffer *o)
{
    s->is_textures = true;
    s->layered = o->kind == FRAMEBUFFER_LAYERED;
    s->buffers = s->drawn = o->count;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct slot *slot = texture_of(w, o->unit[i]);
        s->unit[i] = o->unit[i];
        if (o->unit[i] >= 0 && !slot)
            return wrong(w, "there is no texture in this unit");
        if (slot && !set_size(w, s, o, slot))
            return false;
    }
    return s->width || wrong(w, "a framebuffer without any texture");
}

/* Another picture than the window; NULL where it cannot be made. */
static struct surface *make(struct world *w, const struct op_framebuffer *o)
{
    struct surface *s = gp5_malloc(sizeof *s);

    if (!s) {
        world_no_memory(w);
        return NULL;
    }
    *s = (struct surface){ .width = o->width, .height = o->height, .layers = 1, .samples = o->samples,
                           .buffers = w->script->buffers, .drawn = 1, .read_sample = -1, .keeps = o->keeps };
    bool ok = o->kind == FRAMEBUFFER_SAMPLES || attach(w, s, o);
    if (ok && surface_pixels(s) > (1u << 24) / surface_planes(s))
        ok = wrong(w, "a framebuffer has 16777216 pixels in all its layers and samples at most");
    if (ok && framebuffer_load(w, s))
        return s;
    surface_free(s);
    gp5_free(s);
    return NULL;
}

static void drop(struct world *w, struct surface *s)
{
    if (s == &w->window || s == w->draw || s == w->read)
        return;
    surface_free(s);
    gp5_free(s);
}

void framebuffer_bind(struct world *w)
{
    const struct op_framebuffer *o = &w->op->u.framebuffer;
    struct surface *s = o->kind == FRAMEBUFFER_WINDOW ? &w->window : make(w, o);
    struct surface *draw = w->draw, *read = w->read;

    if (!s)
        return;
    if (o->draws)
        w->draw = s;
    if (o->reads)
        w->read = s;
    drop(w, draw);
    if (read != draw)
        drop(w, read);
}

void framebuffer_close(struct world *w)
{
    struct surface *draw = w->draw, *read = w->read;

    w->draw = w->read = &w->window;
    drop(w, draw);
    if (read != draw)
        drop(w, read);
    surface_free(&w->window);
}

/* ---- from one to the other --------------------------------------------------------------------------------- */

void framebuffer_blit(struct world *w)
{
    struct surface *from = w->read, *to = w->draw;

    if (from == to)
        wrong(w, "'blit' from a framebuffer to itself");
    else if (from->samples > 1 && (from->width != to->width || from->height != to->height))
        wrong(w, "'blit' of samples to a framebuffer of another size");
    else if (framebuffer_load(w, w->read) && framebuffer_load(w, w->draw)) {
        int32_t sample = from->read_sample;
        from->read_sample = -1;         /* whatever probes look at */
        surface_copy(from, to, w->op->u.framebuffer.linear);
        from->read_sample = sample;
        framebuffer_store(w, to);
    }
}

/* ---- what is looked at ------------------------------------------------------------------------------------- */

void framebuffer_look(struct world *w, const struct op_state *o)
{
    struct surface *s = o->word == STATE_DRAW_BUFFERS ? w->draw : w->read;

    switch (o->word) {
    case STATE_DRAW_BUFFERS:
        if (o->value > s->buffers)
            wrong(w, "the framebuffer has fewer colours");
        else
            s->drawn = o->value;
        break;
    case STATE_READ_BUFFER:
        if (o->value >= s->buffers)
            wrong(w, "the framebuffer has fewer colours");
        else
            s->read = o->value;
        break;
    case STATE_READ_LAYER:
        if (o->value >= s->layers)
            wrong(w, "the framebuffer has fewer layers");
        else
            s->read_layer = o->value;
        break;
    default:                    /* STATE_READ_SAMPLE; 0: the mean of all */
        if (o->value > s->samples)
            wrong(w, "the framebuffer has fewer samples");
        else
            s->read_sample = (int32_t)o->value - 1;
        break;
    }
}
