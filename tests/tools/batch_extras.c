/* Textures, images, counters, pointers and subroutines of gp5-batch's cases. */
#include "tests/tools/batch_json.h"

#include <string.h>

#include "compare/driver/texture_words.h"

static unsigned get_word(const json_t *o, const char *name, enum texture_word what, unsigned otherwise,
                         unsigned long line)
{
    const json_t *v = json_object_get(o, name);
    if (!v)
        return otherwise;
    const char *word = json_string_value(v);
    int found = word ? texture_word_find(what, word, strlen(word)) : -1;
    if (found < 0)
        batch_die(line, name);
    return (unsigned)found;
}

static float get_float(const json_t *o, const char *name, float otherwise)
{
    const json_t *v = json_object_get(o, name);
    return v ? (float)json_number_value(v) : otherwise;
}

/* One word for every direction, or a list of three. */
static void get_wrap(const json_t *o, struct gp5_sampler *s, unsigned long line)
{
    const json_t *v = json_object_get(o, "wrap");
    for (size_t k = 0; v && k < 3; k++) {
        const char *word = json_string_value(json_is_array(v) ? json_array_get(v, k) : v);
        int found = word ? texture_word_find(TEXTURE_WRAP, word, strlen(word)) : -1;
        if (found < 0)
            batch_die(line, "wrap wants a wrap mode, or three");
        s->wrap[k] = (uint8_t)found;
    }
}

static void get_sampler(struct batch_memory *m, const json_t *o, struct gp5_sampler *s, unsigned long line)
{
    const json_t *border = json_object_get(o, "border");
    s->min_filter = (uint8_t)get_word(o, "min", TEXTURE_FILTER, s->min_filter, line);
    s->mag_filter = (uint8_t)get_word(o, "mag", TEXTURE_FILTER, s->mag_filter, line);
    get_wrap(o, s, line);
    s->compare = (uint8_t)get_word(o, "compare", TEXTURE_COMPARE, s->compare, line);
    s->seamless = json_is_true(json_object_get(o, "seamless"));
    s->min_lod = get_float(o, "min_lod", s->min_lod);
    s->max_lod = get_float(o, "max_lod", s->max_lod);
    s->bias = get_float(o, "bias", s->bias);
    if (border) {
        size_t size;
        const void *data = batch_data(m, border, &size, line);
        if (size != sizeof s->border)
            batch_die(line, "a border colour has four words");
        if (data)
            memcpy(s->border, data, size);
    }
}

static bool has_data(const json_t *o)
{
    static const char *const names[] = { "hex", "file", "floats", "words", "random", "zero" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_object_get(o, names[i]))
            return true;
    return false;
}

static void get_texture(struct batch_memory *m, const json_t *o, struct driver_texture *d, unsigned long line)
{
    struct gp5_texture *t = &d->texture;
    const json_t *size = json_object_get(o, "size");
    texture_begin(t, get_word(o, "kind", TEXTURE_KIND, GP5_TEXTURE_2D, line));
    t->unit = batch_number(o, "unit", 0);
    t->format = (uint8_t)get_word(o, "format", TEXTURE_FORMAT, GP5_FORMAT_RGBA8, line);
    for (size_t k = 0; k < json_array_size(size) && k < 3; k++)
        t->size[k] = (uint32_t)json_integer_value(json_array_get(size, k));
    t->levels = batch_number(o, "levels", 1);
    if (gp5_texture_is_multisample(t->kind))
        t->samples = batch_number(o, "samples", 1);
    get_sampler(m, o, &t->sampler, line);
    texture_measure(t);
    d->bring_back = json_is_true(json_object_get(o, "return"));
    if (has_data(o))
        t->data = (uint8_t *)batch_data(m, o, &t->bytes, line);
}

static void get_images(struct batch_memory *m, const json_t *list, struct driver_case *c, unsigned long line)
{
    c->image_count = batch_items(list, line);
    struct gp5_image *images = batch_keep(m, c->image_count * sizeof *images);
    c->images = images;
    for (size_t i = 0; i < c->image_count; i++) {
        const json_t *o = json_array_get(list, i);
        images[i].unit = batch_number(o, "unit", 0);
        images[i].texture = batch_number(o, "texture", 0);
        images[i].level = batch_number(o, "level", 0);
        images[i].layered = !json_object_get(o, "layer");
        images[i].layer = batch_number(o, "layer", 0);
        images[i].format = (uint8_t)get_word(o, "format", TEXTURE_FORMAT, GP5_FORMAT_R32UI, line);
    }
}

static void get_pointers(struct batch_memory *m, const json_t *list, struct driver_case *c, unsigned long line)
{
    static const char *const kinds[DRIVER_POINTER_KINDS] = { "storage", "texture", "image" };
    static const char *const places[DRIVER_POINTER_PLACES] = { "constants", "env", "local", "in_storage" };
    c->pointer_count = batch_items(list, line);
    struct driver_pointer *p = batch_keep(m, c->pointer_count * sizeof *p);
    c->pointers = p;
    for (size_t i = 0; i < c->pointer_count; i++, p++) {
        const json_t *o = json_array_get(list, i);
        int kind = 0, place = 0;
        while (kind < DRIVER_POINTER_KINDS && !json_object_get(o, kinds[kind]))
            kind++;
        while (place < DRIVER_POINTER_PLACES && !json_object_get(o, places[place]))
            place++;
        if (kind == DRIVER_POINTER_KINDS || place == DRIVER_POINTER_PLACES)
            batch_die(line, "a pointer names storage, texture or image, and constants, env or local");
        p->kind = (enum driver_pointer_kind)kind;
        p->of = batch_number(o, kinds[kind], 0);
        p->place = (enum driver_pointer_place)place;
        p->index = batch_number(o, places[place], 0);
        p->offset = batch_number(o, "offset", 0);
    }
}

void batch_extras(struct batch_memory *m, const json_t *o, struct driver_case *c, unsigned long line)
{
    const json_t *list = json_object_get(o, "textures"), *size = json_object_get(o, "group_size");
    for (size_t k = 0; k < json_array_size(size) && k < 3; k++)
        c->group_size[k] = (uint32_t)json_integer_value(json_array_get(size, k));
    c->counters = batch_buffers(m, json_object_get(o, "counters"), &c->counter_count, line);
    c->texture_count = batch_items(list, line);
    struct driver_texture *textures = batch_keep(m, c->texture_count * sizeof *textures);
    c->textures = textures;
    for (size_t i = 0; i < c->texture_count; i++)
        get_texture(m, json_array_get(list, i), &textures[i], line);
    get_images(m, json_object_get(o, "images"), c, line);
    get_pointers(m, json_object_get(o, "pointers"), c, line);
    list = json_object_get(o, "subroutines");
    c->subroutine_count = batch_items(list, line);
    uint32_t *numbers = batch_keep(m, c->subroutine_count * sizeof *numbers);
    c->subroutines = numbers;
    for (size_t i = 0; i < c->subroutine_count; i++)
        numbers[i] = (uint32_t)json_integer_value(json_array_get(list, i));
}
