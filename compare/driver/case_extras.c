/* What the textures, images, counters, pointers and subroutines of a case must fulfil. */
#include <string.h>

#include "compare/driver/protocol_parts.h"

enum { MOST_UNITS = 192, MOST_IMAGES = 64, MOST_POINTERS = 4096, MOST_SUBROUTINES = 1024 };

static const struct driver_texture *find_texture(const struct driver_case *c, uint32_t unit)
{
    for (size_t i = 0; i < c->texture_count; i++)
        if (c->textures[i].texture.unit == unit)
            return &c->textures[i];
    return NULL;
}

static const char *check_sampler(const struct gp5_texture *t)
{
    const struct gp5_sampler *s = &t->sampler;
    bool rectangle = t->kind == GP5_TEXTURE_RECT;
    if (s->min_filter >= GP5_FILTERS || s->mag_filter > GP5_FILTER_LINEAR || s->compare >= GP5_COMPARES)
        return "a texture has no such filter or comparison";
    if (rectangle && s->min_filter > GP5_FILTER_LINEAR)
        return "a rectangle has no mipmaps to filter by";
    if (rectangle && (s->min_lod != -1000 || s->max_lod != 1000))
        return "a rectangle has one level: min_lod and max_lod say nothing";
    for (int k = 0; k < 3; k++) {
        if (s->wrap[k] >= GP5_WRAPS)
            return "a texture has no such wrap mode";
        if (rectangle && s->wrap[k] != GP5_WRAP_CLAMP_TO_EDGE && s->wrap[k] != GP5_WRAP_CLAMP_TO_BORDER)
            return "a rectangle is clamped to its edge or border";
    }
    return NULL;
}

static bool is_cube(const struct gp5_texture *t)
{
    return t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE;
}

static const char *check_textures(const struct driver_case *c)
{
    const struct gp5_texture *cube = NULL;
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        const char *error = gp5_texture_check(t);
        if (!error)
            error = check_sampler(t);
        if (error)
            return error;
        if (t->unit >= MOST_UNITS)
            return "a texture unit is below 192";
        if (find_texture(c, t->unit) != &c->textures[i])
            return "two textures have the same unit";
        if (!is_cube(t))
            continue;
        if (cube && cube->sampler.seamless != t->sampler.seamless)
            return "cube maps are seamless all or none: a context has one switch";
        cube = t;
    }
    return NULL;
}

static const char *check_images(const struct driver_case *c)
{
    for (size_t i = 0; i < c->image_count; i++) {
        const struct gp5_image *image = &c->images[i];
        const struct driver_texture *t = find_texture(c, image->texture);
        uint32_t size[3];
        if (!t || image->level >= t->texture.levels)
            return "an image is a level of one of the textures";
        gp5_texture_level(&t->texture, image->level, size);
        if (!image->layered && image->layer >= size[2])
            return "an image is a layer of one of the textures";
        if (!gp5_format_info(image->format) ||
            gp5_format_info(image->format)->bytes != gp5_format_info(t->texture.format)->bytes)
            return "an image's format has the size of its texture's";
        for (size_t k = 0; k < i; k++)
            if (c->images[k].unit == image->unit)
                return "two images have the same unit";
    }
    return NULL;
}

static bool has_parameter(const struct driver_parameter *p, size_t count, uint32_t index)
{
    for (size_t i = 0; i < count; i++)
        if (p[i].index == index)
            return true;
    return false;
}

static bool has_buffer(const struct driver_buffer *b, size_t count, uint32_t binding, uint64_t needed)
{
    for (size_t i = 0; i < count; i++)
        if (b[i].binding == binding)
            return b[i].size >= needed;
    return false;
}

static bool has_image(const struct driver_case *c, uint32_t unit)
{
    for (size_t i = 0; i < c->image_count; i++)
        if (c->images[i].unit == unit)
            return true;
    return false;
}

static bool goes_somewhere(const struct driver_case *c, const struct driver_pointer *p)
{
    switch (p->kind) {
    case POINTER_STORAGE:
        return has_buffer(c->storage, c->storage_count, p->of, 1);
    case POINTER_TEXTURE:
        return find_texture(c, p->of) != NULL;
    case POINTER_IMAGE:
        return has_image(c, p->of);
    default:
        return false;
    }
}

static bool stands_somewhere(const struct driver_case *c, const struct driver_pointer *p)
{
    switch (p->place) {
    case POINTER_IN_CONSTANTS:
        return has_buffer(c->constants, c->constant_count, p->index, (uint64_t)p->offset + 8);
    case POINTER_IN_STORAGE:
        return has_buffer(c->storage, c->storage_count, p->index, (uint64_t)p->offset + 8);
    case POINTER_IN_ENV:
        return has_parameter(c->env, c->env_count, p->index);
    case POINTER_IN_LOCAL:
        return has_parameter(c->local, c->local_count, p->index);
    default:
        return false;
    }
}

static const char *check_pointers(const struct driver_case *c)
{
    for (size_t i = 0; i < c->pointer_count; i++) {
        const struct driver_pointer *p = &c->pointers[i];
        if (!goes_somewhere(c, p))
            return "a pointer goes to a storage buffer, a texture or an image of the case";
        if ((p->place == POINTER_IN_ENV || p->place == POINTER_IN_LOCAL) && (p->offset % 4 || p->offset > 8))
            return "a pointer in a parameter stands at 0, 4 or 8";
        if (!stands_somewhere(c, p))
            return "a pointer stands in a buffer or a parameter of the case";
    }
    return NULL;
}

bool driver_case_has_extras(const struct driver_case *c)
{
    return c->group_size[0] || c->group_size[1] || c->group_size[2] || c->counter_count || c->texture_count
           || c->image_count || c->pointer_count || c->subroutine_count;
}

bool driver_case_returns_extras(const struct driver_case *c)
{
    for (size_t i = 0; i < c->counter_count; i++)
        if (c->counters[i].bring_back)
            return true;
    for (size_t i = 0; i < c->texture_count; i++)
        if (c->textures[i].bring_back)
            return true;
    return false;
}

const char *driver_case_check_extras(const struct driver_case *c)
{
    bool shader = c->language != DRIVER_ASSEMBLY;
    if (c->counter_count > 1024 || c->texture_count > MOST_UNITS || c->image_count > MOST_IMAGES
        || c->pointer_count > MOST_POINTERS || c->subroutine_count > MOST_SUBROUTINES)
        return "more counters, textures, images, pointers or subroutines than anybody has";
    if (shader && (c->subroutine_count || c->pointer_count))
        return "a shader has neither subroutine parameters nor a place for pointers";
    for (size_t i = 0; i < c->counter_count; i++)
        for (size_t k = 0; k < i; k++)
            if (c->counters[i].binding == c->counters[k].binding)
                return "two buffers of counters have the same binding";
    const char *error = check_textures(c);
    if (!error)
        error = check_images(c);
    return error ? error : check_pointers(c);
}

const char *driver_pointer_kind_name(enum driver_pointer_kind kind)
{
    static const char *const names[DRIVER_POINTER_KINDS] = { "storage", "texture", "image" };
    return (unsigned)kind < DRIVER_POINTER_KINDS ? names[kind] : "unknown";
}

const char *driver_pointer_place_name(enum driver_pointer_place place)
{
    static const char *const names[DRIVER_POINTER_PLACES] = { "cbuffer", "env", "local", "storage" };
    return (unsigned)place < DRIVER_POINTER_PLACES ? names[place] : "unknown";
}
