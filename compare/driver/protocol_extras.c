/* Buffers, parameters, and what a case may have besides: counters, textures, images, addresses, subroutines. */
#include "compare/driver/protocol_parts.h"

#include <string.h>

void protocol_put_parameters(struct wire_out *w, const struct driver_parameter *p, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        wire_put_u32(w, p[i].index);
        for (int k = 0; k < 4; k++)
            wire_put_u32(w, p[i].bits[k]);
    }
}

const struct driver_parameter *protocol_get_parameters(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 20);
    struct driver_parameter *p = protocol_list(r, count, sizeof *p);
    for (size_t i = 0; p && i < count; i++) {
        p[i].index = wire_get_u32(r);
        for (int k = 0; k < 4; k++)
            p[i].bits[k] = wire_get_u32(r);
    }
    *got = p ? count : 0;
    return p;
}

void protocol_put_buffers(struct wire_out *w, const struct driver_buffer *b, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        wire_put_u32(w, b[i].binding);
        wire_put_u8(w, b[i].bring_back);
        wire_put_u64(w, b[i].size);
        wire_put_u8(w, b[i].data != NULL);
        if (b[i].data)
            wire_put_bytes(w, b[i].data, b[i].size);
    }
}

const struct driver_buffer *protocol_get_buffers(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 14);
    struct driver_buffer *b = protocol_list(r, count, sizeof *b);
    for (size_t i = 0; b && i < count; i++) {
        b[i].binding = wire_get_u32(r);
        b[i].bring_back = wire_get_bool(r);
        uint64_t size = wire_get_u64(r);
        if (!r->error && size > PTRDIFF_MAX)
            r->error = "a buffer is larger than memory";
        b[i].size = (size_t)size;
        if (!wire_get_bool(r))
            continue;
        size_t sent;
        b[i].data = wire_get_bytes(r, &sent);
        if (!r->error && sent != size)
            r->error = "a buffer has two sizes";
    }
    *got = b ? count : 0;
    return b;
}

static void put_words(struct wire_out *w, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wire_put_u32(w, words[i]);
}

static void get_words(struct wire_reader *r, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = wire_get_u32(r);
}

/* In the byte of the comparison. */
enum { SAMPLER_INTENSITY = 0x80 };

static void put_sampler(struct wire_out *w, const struct gp5_sampler *s)
{
    uint32_t floats[3];
    const float values[3] = { s->min_lod, s->max_lod, s->bias };
    memcpy(floats, values, sizeof floats);
    wire_put_u8(w, s->min_filter);
    wire_put_u8(w, s->mag_filter);
    for (int k = 0; k < 3; k++)
        wire_put_u8(w, s->wrap[k]);
    wire_put_u8(w, (uint8_t)(s->compare | (s->intensity ? SAMPLER_INTENSITY : 0)));
    wire_put_u8(w, s->seamless);
    put_words(w, s->border, 4);
    put_words(w, floats, 3);
}

static uint8_t get_choice(struct wire_reader *r, uint8_t limit, const char *error)
{
    uint8_t v = wire_get_u8(r);
    if (v >= limit && !r->error)
        r->error = error;
    return v;
}

static void get_sampler(struct wire_reader *r, struct gp5_sampler *s)
{
    uint32_t floats[3];
    float values[3];
    s->min_filter = get_choice(r, GP5_FILTERS, "no such filter");
    s->mag_filter = get_choice(r, GP5_FILTER_LINEAR + 1, "no such filter for magnification");
    for (int k = 0; k < 3; k++)
        s->wrap[k] = get_choice(r, GP5_WRAPS, "no such wrap mode");
    uint8_t compare = wire_get_u8(r);
    s->intensity = compare & SAMPLER_INTENSITY;
    s->compare = compare & (SAMPLER_INTENSITY - 1);
    if (s->compare >= GP5_COMPARES && !r->error)
        r->error = "no such comparison";
    s->seamless = wire_get_bool(r);
    get_words(r, s->border, 4);
    get_words(r, floats, 3);
    memcpy(values, floats, sizeof values);
    s->min_lod = values[0];
    s->max_lod = values[1];
    s->bias = values[2];
}

static void put_textures(struct wire_out *w, const struct driver_texture *list, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct gp5_texture *t = &list[i].texture;
        wire_put_u32(w, t->unit);
        wire_put_u8(w, t->kind);
        wire_put_u8(w, t->format);
        put_words(w, t->size, 3);
        wire_put_u32(w, t->levels);
        if (gp5_texture_is_multisample(t->kind))
            wire_put_u32(w, t->samples);
        put_sampler(w, &t->sampler);
        wire_put_u8(w, list[i].bring_back);
        wire_put_u64(w, t->bytes);
        wire_put_u8(w, t->data != NULL);
        if (t->data)
            wire_put_bytes(w, t->data, t->bytes);
    }
}

static const struct driver_texture *get_textures(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 67);
    struct driver_texture *textures = protocol_list(r, count, sizeof *textures);
    for (size_t i = 0; textures && i < count; i++) {
        struct gp5_texture *t = &textures[i].texture;
        t->unit = wire_get_u32(r);
        t->kind = get_choice(r, GP5_TEXTURE_KINDS, "no such kind of texture");
        t->format = get_choice(r, GP5_FORMAT_COUNT, "no such format");
        get_words(r, t->size, 3);
        t->levels = wire_get_u32(r);
        t->samples = gp5_texture_is_multisample(t->kind) ? wire_get_u32(r) : 0;
        get_sampler(r, &t->sampler);
        textures[i].bring_back = wire_get_bool(r);
        uint64_t size = wire_get_u64(r);
        if (!r->error && size > PTRDIFF_MAX)
            r->error = "a texture is larger than memory";
        t->bytes = (size_t)size;
        if (!wire_get_bool(r))
            continue;
        size_t sent;
        t->data = (uint8_t *)wire_get_bytes(r, &sent);
        if (!r->error && sent != size)
            r->error = "a texture has two sizes";
    }
    *got = textures ? count : 0;
    return textures;
}

static void put_images(struct wire_out *w, const struct gp5_image *list, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t words[4] = { list[i].unit, list[i].texture, list[i].level, list[i].layer };
        put_words(w, words, 4);
        wire_put_u8(w, list[i].layered);
        wire_put_u8(w, list[i].format);
    }
}

static const struct gp5_image *get_images(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 18);
    struct gp5_image *images = protocol_list(r, count, sizeof *images);
    for (size_t i = 0; images && i < count; i++) {
        uint32_t words[4];
        get_words(r, words, 4);
        images[i] = (struct gp5_image){ .unit = words[0], .texture = words[1], .level = words[2], .layer = words[3] };
        images[i].layered = wire_get_bool(r);
        images[i].format = get_choice(r, GP5_FORMAT_COUNT, "no such format");
    }
    *got = images ? count : 0;
    return images;
}

static void put_pointers(struct wire_out *w, const struct driver_pointer *p, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t words[5] = { p[i].kind, p[i].of, p[i].place, p[i].index, p[i].offset };
        put_words(w, words, 5);
    }
}

static const struct driver_pointer *get_pointers(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 20);
    struct driver_pointer *p = protocol_list(r, count, sizeof *p);
    for (size_t i = 0; p && i < count; i++) {
        p[i].kind = wire_get_below(r, DRIVER_POINTER_KINDS, "no such kind of pointer");
        p[i].of = wire_get_u32(r);
        p[i].place = wire_get_below(r, DRIVER_POINTER_PLACES, "no such place for a pointer");
        p[i].index = wire_get_u32(r);
        p[i].offset = wire_get_u32(r);
    }
    *got = p ? count : 0;
    return p;
}

void protocol_put_vertices(struct wire_out *w, const struct driver_vertices *v)
{
    wire_put_u32(w, v->count);
    wire_put_u32(w, (uint32_t)v->input_count);
    for (size_t i = 0; i < v->input_count; i++) {
        wire_put_string(w, v->inputs[i].binding);
        wire_put_bytes(w, v->inputs[i].data, v->inputs[i].size);
    }
    wire_put_u32(w, (uint32_t)v->result_count);
    for (size_t i = 0; i < v->result_count; i++)
        wire_put_string(w, v->results[i]);
    put_words(w, (const uint32_t[]){v->assembly, v->captured, v->most, v->patch_vertices}, 4);
    put_words(w, v->levels, 6);
    for (unsigned i = 0; i < DRIVER_FRAGMENT; i++)
        wire_put_string(w, v->beside[i] ? v->beside[i] : "");
}

void protocol_get_vertices(struct wire_reader *r, struct driver_vertices *v)
{
    v->count = wire_get_u32(r);
    size_t count = wire_get_count(r, 10);
    struct driver_array *inputs = protocol_list(r, count, sizeof *inputs);
    v->inputs = inputs;
    for (; inputs && v->input_count < count; v->input_count++, inputs++) {
        inputs->binding = wire_get_string(r);
        inputs->data = wire_get_bytes(r, &inputs->size);
    }
    count = wire_get_count(r, 5);
    const char **results = protocol_list(r, count, sizeof *results);
    v->results = results;
    for (; results && v->result_count < count; v->result_count++)
        results[v->result_count] = wire_get_string(r);
    v->assembly = wire_get_below(r, DRIVER_ASSEMBLIES, "no such assembly of vertices");
    v->captured = wire_get_below(r, DRIVER_ASSEMBLIES, "no such assembly of vertices");
    v->most = wire_get_u32(r);
    v->patch_vertices = wire_get_u32(r);
    for (unsigned i = 0; i < 6; i++)
        v->levels[i] = wire_get_u32(r);
    for (unsigned i = 0; i < DRIVER_FRAGMENT; i++)
        v->beside[i] = wire_get_string(r);
}

void protocol_put_extras(struct wire_out *w, const struct driver_case *c)
{
    put_words(w, c->group_size, 3);
    protocol_put_buffers(w, c->counters, c->counter_count);
    put_textures(w, c->textures, c->texture_count);
    put_images(w, c->images, c->image_count);
    put_pointers(w, c->pointers, c->pointer_count);
    wire_put_u32(w, (uint32_t)c->subroutine_count);
    put_words(w, c->subroutines, c->subroutine_count);
}

void protocol_get_extras(struct wire_reader *r, struct driver_case *c)
{
    get_words(r, c->group_size, 3);
    c->counters = protocol_get_buffers(r, &c->counter_count);
    c->textures = get_textures(r, &c->texture_count);
    c->images = get_images(r, &c->image_count);
    c->pointers = get_pointers(r, &c->pointer_count);
    size_t count = wire_get_count(r, 4);
    uint32_t *subroutines = protocol_list(r, count, sizeof *subroutines);
    if (subroutines)
        get_words(r, subroutines, count);
    c->subroutines = subroutines;
    c->subroutine_count = subroutines ? count : 0;
}
