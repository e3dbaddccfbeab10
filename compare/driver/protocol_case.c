/* Cases on the wire. */
#include "compare/driver/protocol_parts.h"

#include <stdlib.h>

static void put_raster(struct wire_out *w, const struct driver_raster *f)
{
    wire_put_u32(w, f->primitive);
    wire_put_u32(w, f->width);
    wire_put_u32(w, f->height);
    wire_put_u32(w, f->layers);
    wire_put_u32(w, f->samples);
    wire_put_u8(w, f->layered);
    wire_put_u32(w, f->color_outputs);
    wire_put_u8(w, f->bring_depth);
    wire_put_u32(w, f->depth_bits);
    for (int k = 0; k < 4; k++)
        wire_put_u32(w, f->clear_bits[k]);
    wire_put_u32(w, (uint32_t)f->attribute_count);
    for (size_t i = 0; i < f->attribute_count; i++) {
        wire_put_u32(w, f->attributes[i].kind);
        wire_put_u32(w, f->attributes[i].index);
        wire_put_bytes(w, f->attributes[i].values, f->attributes[i].size);
    }
    if (f->primitive == DRIVER_DRAW)
        protocol_put_draw(w, f->draw, driver_pixels(f));
}

static void get_raster(struct wire_reader *r, struct driver_raster *f)
{
    f->primitive = wire_get_below(r, DRIVER_PRIMITIVES, "no such primitive");
    f->width = wire_get_u32(r);
    f->height = wire_get_u32(r);
    f->layers = wire_get_u32(r);
    f->samples = wire_get_u32(r);
    f->layered = wire_get_bool(r);
    f->color_outputs = wire_get_u32(r);
    f->bring_depth = wire_get_bool(r);
    f->depth_bits = wire_get_u32(r);
    for (int k = 0; k < 4; k++)
        f->clear_bits[k] = wire_get_u32(r);
    size_t count = wire_get_count(r, 16);
    struct driver_attribute *a = protocol_list(r, count, sizeof *a);
    f->attributes = a;
    for (; a && f->attribute_count < count; f->attribute_count++, a++) {
        a->kind = wire_get_below(r, DRIVER_ATTRIBUTE_KINDS, "no such attribute");
        a->index = wire_get_u32(r);
        a->values = wire_get_bytes(r, &a->size);
    }
    if (f->primitive == DRIVER_DRAW)
        f->draw = protocol_get_draw(r);
}

void protocol_put_case(struct wire_out *w, const struct driver_case *c)
{
    bool extras = !c->load_only && driver_case_has_extras(c), vertices = !c->load_only && c->vertices.count;
    wire_put_u32(w, (uint32_t)c->stage | (uint32_t)c->language << 16 | (extras ? PROTOCOL_EXTRAS : 0) |
                       (vertices ? PROTOCOL_VERTICES : 0));
    wire_put_u8(w, c->load_only);
    wire_put_bytes(w, c->program, c->program_size);
    if (c->load_only)
        return;
    for (int k = 0; k < 3; k++)
        wire_put_u32(w, c->groups[k]);
    protocol_put_buffers(w, c->storage, c->storage_count);
    protocol_put_buffers(w, c->constants, c->constant_count);
    protocol_put_parameters(w, c->env, c->env_count);
    protocol_put_parameters(w, c->local, c->local_count);
    if (c->stage == DRIVER_FRAGMENT)
        put_raster(w, &c->raster);
    if (extras)
        protocol_put_extras(w, c);
    if (vertices)
        protocol_put_vertices(w, &c->vertices);
}

/* The stage, and in the upper half the language: an assembly case is what it was before there were others. Returns
 * whether extras follow. */
static bool get_kind(struct wire_reader *r, struct driver_case *c, bool *vertices)
{
    uint32_t kind = wire_get_u32(r), stage = kind & 0xffff,
             language = (kind & ~(PROTOCOL_EXTRAS | PROTOCOL_VERTICES)) >> 16;
    if (!r->error && (stage >= DRIVER_STAGES || language >= DRIVER_LANGUAGES))
        r->error = "no such stage, or no such language";
    c->stage = stage < DRIVER_STAGES ? (enum driver_stage)stage : DRIVER_VERTEX;
    c->language = language < DRIVER_LANGUAGES ? (enum driver_language)language : DRIVER_ASSEMBLY;
    *vertices = kind & PROTOCOL_VERTICES;
    return kind & PROTOCOL_EXTRAS;
}

const char *protocol_get_case(const struct wire_in *in, struct driver_case *c)
{
    struct wire_reader r = protocol_reader(in);
    *c = (struct driver_case){0};
    bool vertices, extras = get_kind(&r, c, &vertices);
    c->load_only = wire_get_bool(&r);
    c->program = (const char *)wire_get_bytes(&r, &c->program_size);
    if ((extras || vertices) && c->load_only && !r.error)
        r.error = "a case that is only loaded has nothing behind it";
    if (c->load_only || r.error) {
        const char *wrong = wire_get_end(&r);
        return wrong ? wrong : driver_case_check(c);
    }
    for (int k = 0; k < 3; k++)
        c->groups[k] = wire_get_u32(&r);
    c->storage = protocol_get_buffers(&r, &c->storage_count);
    c->constants = protocol_get_buffers(&r, &c->constant_count);
    c->env = protocol_get_parameters(&r, &c->env_count);
    c->local = protocol_get_parameters(&r, &c->local_count);
    if (c->stage == DRIVER_FRAGMENT)
        get_raster(&r, &c->raster);
    if (extras)
        protocol_get_extras(&r, c);
    if (vertices)
        protocol_get_vertices(&r, &c->vertices);
    const char *error = wire_get_end(&r);
    return error ? error : driver_case_check(c);
}

void protocol_free_case(struct driver_case *c)
{
    free((void *)c->storage);
    free((void *)c->constants);
    free((void *)c->env);
    free((void *)c->local);
    free((void *)c->raster.attributes);
    protocol_free_draw(c->raster.draw);
    free((void *)c->counters);
    free((void *)c->textures);
    free((void *)c->images);
    free((void *)c->pointers);
    free((void *)c->subroutines);
    free((void *)c->vertices.inputs);
    free((void *)c->vertices.results);
    *c = (struct driver_case){0};
}
