/* Draws with a pipeline, on the wire. */
#include "compare/driver/protocol_parts.h"

#include <stdlib.h>
#include <string.h>

/* What a draw needs of a context's state. */
static void put_state(struct wire_out *w, const struct gp5_state *gl)
{
    wire_put_floats(w, gl->modelview, 16);
    wire_put_floats(w, gl->projection, 16);
    wire_put_floats(w, gl->clip_plane[0], 4 * GP5_CLIP_PLANES);
    wire_put_floats(w, gl->depth_range, 2);
    wire_put_floats(w, &gl->point_size, 1);
    wire_put_u8(w, gl->clamp_vertex_color);
    wire_put_u8(w, gl->clamp_fragment_color);
}

static void get_state(struct wire_reader *r, struct gp5_state *gl)
{
    wire_get_floats(r, gl->modelview, 16);
    wire_get_floats(r, gl->projection, 16);
    wire_get_floats(r, gl->clip_plane[0], 4 * GP5_CLIP_PLANES);
    wire_get_floats(r, gl->depth_range, 2);
    wire_get_floats(r, &gl->point_size, 1);
    gl->clamp_vertex_color = wire_get_bool(r);
    gl->clamp_fragment_color = wire_get_bool(r);
}

static void put_fixed(struct wire_out *w, const struct raster_state *s)
{
    const uint8_t bytes[10] = { s->flat, s->first_vertex, s->two_side, s->program_point_size, s->point_sprite,
                                s->depth_test, s->depth_clamp, s->depth_func, s->clip_planes, s->color_mask };
    wire_put_bytes(w, bytes, sizeof bytes);
}

static void get_fixed(struct wire_reader *r, struct raster_state *s)
{
    size_t size;
    const uint8_t *b = wire_get_bytes(r, &size);
    if (r->error)
        return;
    if (size != 10 || b[7] >= RASTER_COMPARES) {
        r->error = "a draw's fixed state is wrong";
        return;
    }
    *s = (struct raster_state){ b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9] };
}

void protocol_put_draw(struct wire_out *w, const struct driver_draw *d, size_t pixels)
{
    const uint32_t words[5] = { d->mode, d->first, d->count, d->instances, d->patch_vertices };
    for (size_t i = 0; i < 5; i++)
        wire_put_u32(w, words[i]);
    put_fixed(w, &d->state);
    put_state(w, d->gl);
    wire_put_floats(w, d->levels, 6);
    wire_put_floats(w, &d->clear_depth, 1);
    wire_put_bytes(w, d->depth, d->depth ? pixels * 4 : 0);
    wire_put_u8(w, d->viewports != NULL);
    if (d->viewports)
        wire_put_floats(w, d->viewports[0].at, 4 * RASTER_VIEWPORTS);
    wire_put_u32(w, (uint32_t)d->program_count);
    for (size_t i = 0; i < d->program_count; i++) {
        const struct driver_program *p = &d->programs[i];
        wire_put_u32(w, p->stage);
        wire_put_bytes(w, p->text, p->size);
        protocol_put_parameters(w, p->env, p->env_count);
        protocol_put_parameters(w, p->local, p->local_count);
    }
    wire_put_u32(w, (uint32_t)d->input_count);
    for (size_t i = 0; i < d->input_count; i++) {
        wire_put_string(w, d->inputs[i].binding);
        wire_put_bytes(w, d->inputs[i].data, d->inputs[i].size);
    }
    wire_put_u32(w, d->seen_count);
    wire_put_bytes(w, d->seen, d->seen_size);
}

struct decoded {
    struct driver_draw draw;
    struct gp5_state gl;
    struct raster_viewport viewports[RASTER_VIEWPORTS];
};

const struct driver_draw *protocol_get_draw(struct wire_reader *r)
{
    struct decoded *one = protocol_list(r, 1, sizeof *one);
    if (!one)
        return NULL;
    struct driver_draw *d = &one->draw;
    uint32_t words[5];
    size_t size;
    for (size_t i = 0; i < 5; i++)
        words[i] = wire_get_u32(r);
    d->mode = words[0];
    d->first = words[1];
    d->count = words[2];
    d->instances = words[3];
    d->patch_vertices = words[4];
    get_fixed(r, &d->state);
    get_state(r, &one->gl);
    d->gl = &one->gl;
    wire_get_floats(r, d->levels, 6);
    wire_get_floats(r, &d->clear_depth, 1);
    d->depth = (const float *)(const void *)wire_get_bytes(r, &d->depth_size);
    if (!d->depth_size)
        d->depth = NULL;
    if (wire_get_bool(r)) {
        wire_get_floats(r, one->viewports[0].at, 4 * RASTER_VIEWPORTS);
        d->viewports = one->viewports;
    }
    size_t count = wire_get_count(r, 20);
    struct driver_program *p = protocol_list(r, count, sizeof *p);
    d->programs = p;
    for (; p && d->program_count < count; d->program_count++, p++) {
        p->stage = (enum driver_stage)wire_get_below(r, DRIVER_STAGES, "no such stage");
        p->text = (const char *)wire_get_bytes(r, &p->size);
        p->env = protocol_get_parameters(r, &p->env_count);
        p->local = protocol_get_parameters(r, &p->local_count);
    }
    count = wire_get_count(r, 10);
    struct driver_array *a = protocol_list(r, count, sizeof *a);
    d->inputs = a;
    for (; a && d->input_count < count; d->input_count++, a++) {
        a->binding = wire_get_string(r);
        a->data = wire_get_bytes(r, &a->size);
    }
    d->seen_count = wire_get_u32(r);
    d->seen = (const char *)wire_get_bytes(r, &size);
    d->seen_size = size;
    return d;
}

void protocol_free_draw(const struct driver_draw *d)
{
    for (size_t i = 0; d && i < d->program_count; i++) {
        free((void *)d->programs[i].env);
        free((void *)d->programs[i].local);
    }
    if (d) {
        free((void *)d->programs);
        free((void *)d->inputs);
    }
    free((void *)d);            /* the first member of what was made */
}
