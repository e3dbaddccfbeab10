/* The names of cases in recordings: hashes of the program and of everything that goes into it. docs/drivers.md has the
 * bytes that the second one covers. */
#include "compare/driver/outcome.h"
#include "compare/driver/protocol.h"
#include "compare/driver/texture_words.h"

#include <string.h>

void case_program_hash(const struct driver_case *c, uint8_t digest[SHA256_BYTES])
{
    sha256_of(c->program, c->program_size, digest);
}

static void add_u32(struct sha256 *h, uint32_t v)
{
    uint8_t bytes[4] = { (uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24) };
    sha256_add(h, bytes, sizeof bytes);
}

static void add_bytes(struct sha256 *h, const void *data, size_t size)
{
    static const uint8_t zeros[4096];
    add_u32(h, (uint32_t)size);
    add_u32(h, (uint32_t)((uint64_t)size >> 32));
    if (data) {
        sha256_add(h, data, size);
        return;
    }
    for (; size > sizeof zeros; size -= sizeof zeros)
        sha256_add(h, zeros, sizeof zeros);
    sha256_add(h, zeros, size);
}

static void add_buffers(struct sha256 *h, const struct driver_buffer *buffers, size_t count)
{
    add_u32(h, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        add_u32(h, buffers[i].binding);
        add_bytes(h, buffers[i].data, buffers[i].size);
    }
}

static void add_parameters(struct sha256 *h, const struct driver_parameter *parameters, size_t count)
{
    add_u32(h, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        add_u32(h, parameters[i].index);
        for (int j = 0; j < 4; j++)
            add_u32(h, parameters[i].bits[j]);
    }
}

static void add_floats(struct sha256 *h, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        add_u32(h, bits);
    }
}

static void add_draw(struct sha256 *h, const struct driver_draw *d, size_t pixels)
{
    const struct raster_state *s = &d->state;
    const uint32_t words[] = { d->mode, d->first, d->count, d->instances, d->patch_vertices, s->flat, s->first_vertex,
                               s->two_side, s->program_point_size, s->point_sprite, s->depth_test, s->depth_clamp,
                               s->depth_func, s->clip_planes, d->gl->clamp_vertex_color, d->seen_count };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_u32(h, words[i]);
    add_floats(h, d->gl->modelview, 16);
    add_floats(h, d->gl->projection, 16);
    add_floats(h, d->gl->clip_plane[0], 32);
    add_floats(h, d->gl->depth_range, 2);
    add_floats(h, &d->gl->point_size, 1);
    add_floats(h, d->levels, 6);
    add_floats(h, &d->clear_depth, 1);
    add_bytes(h, d->depth, d->depth ? pixels * 4 : 0);
    for (size_t i = 0; i < d->program_count; i++) {
        const struct driver_program *p = &d->programs[i];
        add_u32(h, (uint32_t)p->stage);
        add_bytes(h, p->text, p->size);
        add_parameters(h, p->env, p->env_count);
        add_parameters(h, p->local, p->local_count);
    }
    for (size_t i = 0; i < d->input_count; i++) {
        add_bytes(h, d->inputs[i].binding, strlen(d->inputs[i].binding));
        add_bytes(h, d->inputs[i].data, d->inputs[i].size);
    }
}

static void add_raster(struct sha256 *h, const struct driver_raster *r)
{
    add_u32(h, (uint32_t)r->primitive);
    add_u32(h, r->width);
    add_u32(h, r->height);
    add_u32(h, r->color_outputs);
    add_u32(h, r->depth_bits);
    add_u32(h, (uint32_t)r->attribute_count);
    for (size_t i = 0; i < r->attribute_count; i++) {
        add_u32(h, (uint32_t)r->attributes[i].kind);
        add_u32(h, r->attributes[i].index);
        add_bytes(h, r->attributes[i].values, r->attributes[i].size);
    }
    if (r->draw)
        add_draw(h, r->draw, driver_pixels(r));
    if (r->draw && (driver_planes(r) > 1 || r->layered || r->draw->viewports)) {
        add_u32(h, r->layers);
        add_u32(h, r->samples);
        add_u32(h, r->layered);
        if (r->draw->viewports)
            add_floats(h, r->draw->viewports[0].at, 4 * RASTER_VIEWPORTS);
    }
}

/* ---- what only some cases have ------------------------------------------------------------------------- */

static void add_word(struct sha256 *h, const char *word)
{
    sha256_add(h, word, strlen(word) + 1);
}

static void add_float(struct sha256 *h, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    add_u32(h, bits);
}

static void add_sampler(struct sha256 *h, const struct gp5_sampler *s)
{
    add_word(h, texture_word(TEXTURE_FILTER, s->min_filter));
    add_word(h, texture_word(TEXTURE_FILTER, s->mag_filter));
    for (int i = 0; i < 3; i++)
        add_word(h, texture_word(TEXTURE_WRAP, s->wrap[i]));
    add_word(h, texture_word(TEXTURE_COMPARE, s->compare));
    add_u32(h, s->seamless | (s->intensity ? 2u : 0));
    for (int i = 0; i < 4; i++)
        add_u32(h, s->border[i]);
    add_float(h, s->min_lod);
    add_float(h, s->max_lod);
    add_float(h, s->bias);
}

static void add_textures(struct sha256 *h, const struct driver_case *c)
{
    add_u32(h, (uint32_t)c->texture_count);
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        add_u32(h, t->unit);
        add_word(h, texture_word(TEXTURE_KIND, t->kind));
        add_word(h, texture_word(TEXTURE_FORMAT, t->format));
        for (int k = 0; k < 3; k++)
            add_u32(h, t->size[k]);
        add_u32(h, t->levels);
        if (gp5_texture_is_multisample(t->kind))
            add_u32(h, t->samples);
        add_sampler(h, &t->sampler);
        add_bytes(h, t->data, t->bytes);
    }
    add_u32(h, (uint32_t)c->image_count);
    for (size_t i = 0; i < c->image_count; i++) {
        const struct gp5_image *image = &c->images[i];
        add_u32(h, image->unit);
        add_u32(h, image->texture);
        add_u32(h, image->level);
        add_u32(h, image->layered);
        add_u32(h, image->layered ? 0 : image->layer);
        add_word(h, texture_word(TEXTURE_FORMAT, image->format));
    }
}

static void add_extras(struct sha256 *h, const struct driver_case *c)
{
    for (int i = 0; i < 3; i++)
        add_u32(h, c->group_size[i]);
    add_buffers(h, c->counters, c->counter_count);
    add_textures(h, c);
    add_u32(h, (uint32_t)c->pointer_count);
    for (size_t i = 0; i < c->pointer_count; i++) {
        add_word(h, driver_pointer_kind_name(c->pointers[i].kind));
        add_u32(h, c->pointers[i].of);
        add_word(h, driver_pointer_place_name(c->pointers[i].place));
        add_u32(h, c->pointers[i].index);
        add_u32(h, c->pointers[i].offset);
    }
    add_u32(h, (uint32_t)c->subroutine_count);
    for (size_t i = 0; i < c->subroutine_count; i++)
        add_u32(h, c->subroutines[i]);
}

void case_input_hash(const struct driver_case *c, uint8_t digest[SHA256_BYTES])
{
    struct sha256 h;
    sha256_start(&h);
    sha256_add(&h, "gp5 input 1\n", 12);
    sha256_add(&h, driver_stage_name(c->stage), strlen(driver_stage_name(c->stage)) + 1);
    add_buffers(&h, c->storage, c->storage_count);
    add_buffers(&h, c->constants, c->constant_count);
    add_parameters(&h, c->env, c->env_count);
    add_parameters(&h, c->local, c->local_count);
    if (c->stage == DRIVER_FRAGMENT)
        add_raster(&h, &c->raster);
    else
        for (int i = 0; i < 3; i++)
            add_u32(&h, c->groups[i]);
    if (driver_case_has_extras(c))
        add_extras(&h, c);
    sha256_end(&h, digest);
}
