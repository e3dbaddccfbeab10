#include "compare/driver/protocol_parts.h"

#include <stdlib.h>
#include <string.h>

struct wire_reader protocol_reader(const struct wire_in *in)
{
    static const uint8_t nothing[1];
    const uint8_t *at = in->size ? in->data : nothing;
    return (struct wire_reader){ .at = at, .end = at + in->size };
}

void *protocol_list(struct wire_reader *r, size_t count, size_t element)
{
    void *p = calloc(count ? count : 1, element);
    if (!p && !r->error)
        r->error = "no memory to decode it";
    return p;
}

/* ---- hello, refused, welcome --------------------------------------------------------------------------- */

void protocol_put_hello(struct wire_out *w, const char *context, uint32_t timeout_ms)
{
    wire_put_string(w, context);
    wire_put_u32(w, timeout_ms);
}

const char *protocol_get_hello(const struct wire_in *in, const char **context, uint32_t *timeout_ms)
{
    struct wire_reader r = protocol_reader(in);
    *context = wire_get_string(&r);
    *timeout_ms = wire_get_u32(&r);
    return wire_get_end(&r);
}

void protocol_put_refused(struct wire_out *w, enum driver_open_status status, const char *reason)
{
    wire_put_u32(w, status);
    wire_put_string(w, reason);
}

const char *protocol_get_refused(const struct wire_in *in, enum driver_open_status *status,
                                 const char **reason)
{
    struct wire_reader r = protocol_reader(in);
    *status = wire_get_below(&r, DRIVER_BAD_OPTION + 1, "no such kind of refusal");
    *reason = wire_get_string(&r);
    return wire_get_end(&r);
}

void protocol_put_welcome(struct wire_out *w, const struct driver_description *d)
{
    wire_put_string(w, d->context);
    wire_put_string(w, d->vendor);
    wire_put_string(w, d->renderer);
    wire_put_string(w, d->version);
    wire_put_string(w, d->glsl_version);
    wire_put_u32(w, (uint32_t)d->extension_count);
    for (size_t i = 0; i < d->extension_count; i++)
        wire_put_string(w, d->extensions[i]);
    wire_put_u32(w, (uint32_t)d->limit_count);
    for (size_t i = 0; i < d->limit_count; i++) {
        wire_put_string(w, d->limits[i].name);
        wire_put_u64(w, (uint64_t)d->limits[i].value);
    }
    wire_put_u32(w, (uint32_t)d->samples_count);
    for (size_t i = 0; i < d->samples_count; i++) {
        wire_put_u32(w, d->samples[i].count);
        wire_put_floats(w, d->samples[i].at[0], 2 * RASTER_SAMPLES);
    }
}

const char *protocol_get_welcome(const struct wire_in *in, struct driver_description *d)
{
    struct wire_reader r = protocol_reader(in);
    *d = (struct driver_description){0};
    d->context = wire_get_string(&r);
    d->vendor = wire_get_string(&r);
    d->renderer = wire_get_string(&r);
    d->version = wire_get_string(&r);
    d->glsl_version = wire_get_string(&r);

    size_t count = wire_get_count(&r, 9);
    const char **extensions = protocol_list(&r, count, sizeof *extensions);
    d->extensions = extensions;
    for (; extensions && d->extension_count < count; d->extension_count++)
        extensions[d->extension_count] = wire_get_string(&r);

    count = wire_get_count(&r, 17);
    struct driver_limit *limits = protocol_list(&r, count, sizeof *limits);
    d->limits = limits;
    for (; limits && d->limit_count < count; d->limit_count++) {
        limits[d->limit_count].name = wire_get_string(&r);
        limits[d->limit_count].value = (int64_t)wire_get_u64(&r);
    }

    count = wire_get_count(&r, 4 * (1 + 2 * RASTER_SAMPLES));
    struct driver_samples *samples = protocol_list(&r, count, sizeof *samples);
    d->samples = samples;
    for (; samples && d->samples_count < count; d->samples_count++, samples++) {
        samples->count = wire_get_below(&r, RASTER_SAMPLES + 1, "more samples than there may be");
        wire_get_floats(&r, samples->at[0], 2 * RASTER_SAMPLES);
        for (size_t i = 0; i < 2 * RASTER_SAMPLES; i++)
            if (!(samples->at[i / 2][i % 2] >= 0 && samples->at[i / 2][i % 2] <= 1) && !r.error)
                r.error = "a sample outside of its pixel";
    }
    return wire_get_end(&r);
}

void protocol_free_welcome(struct driver_description *d)
{
    free((void *)d->extensions);
    free((void *)d->limits);
    free((void *)d->samples);
    *d = (struct driver_description){0};
}

/* ---- results ------------------------------------------------------------------------------------------- */

void protocol_put_result_head(struct wire_out *w, const struct driver_result *r)
{
    wire_put_u32(w, (uint32_t)r->status | (r->has_extras ? PROTOCOL_EXTRAS : 0) |
                       (r->has_vertices ? PROTOCOL_VERTICES : 0));
    wire_put_u32(w, r->gl_error);
    wire_put_u64(w, (uint64_t)r->position);
    wire_put_string(w, r->message);
    wire_put_u32(w, (uint32_t)r->native);
    wire_put_string(w, r->detail);
}

static void put_outputs(struct wire_out *w, const struct driver_output *o, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        wire_put_u32(w, o[i].binding);
        wire_put_bytes(w, o[i].data, o[i].size);
    }
}

static const struct driver_output *get_outputs(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 12);
    struct driver_output *o = protocol_list(r, count, sizeof *o);
    for (size_t i = 0; o && i < count; i++) {
        o[i].binding = wire_get_u32(r);
        o[i].data = wire_get_bytes(r, &o[i].size);
    }
    *got = o ? count : 0;
    return o;
}

void protocol_put_result(struct wire_out *w, const struct driver_result *r)
{
    protocol_put_result_head(w, r);
    put_outputs(w, r->storage, r->storage_count);
    put_outputs(w, r->colors, r->color_count);
    wire_put_bytes(w, r->coverage, r->coverage_size);
    wire_put_bytes(w, r->depth, r->depth_size);
    if (r->has_extras) {
        put_outputs(w, r->counters, r->counter_count);
        put_outputs(w, r->textures, r->texture_count);
    }
    if (r->has_vertices)
        put_outputs(w, r->vertices, r->vertex_count);
}

const char *protocol_get_result(const struct wire_in *in, struct driver_result *out)
{
    struct wire_reader r = protocol_reader(in);
    *out = (struct driver_result){0};
    /* Charges are the client's to make: a worker that answers at all has neither crashed nor hung. */
    uint32_t status = wire_get_u32(&r);
    out->has_extras = status & PROTOCOL_EXTRAS;
    out->has_vertices = status & PROTOCOL_VERTICES;
    status &= ~(PROTOCOL_EXTRAS | PROTOCOL_VERTICES);
    if (status >= DRIVER_STATUSES && !r.error)
        r.error = "no such status";
    out->status = status < DRIVER_STATUSES ? (enum driver_status)status : DRIVER_NOT_RUN;
    if (out->status == DRIVER_CRASHED || out->status == DRIVER_HUNG || out->status >= DRIVER_GARBLED)
        r.error = r.error ? r.error : "a status that no worker may give";
    out->gl_error = wire_get_u32(&r);
    out->position = (int64_t)wire_get_u64(&r);
    out->message = wire_get_string(&r);
    out->native = (int32_t)wire_get_u32(&r);
    out->detail = wire_get_string(&r);
    out->storage = get_outputs(&r, &out->storage_count);
    out->colors = get_outputs(&r, &out->color_count);
    out->coverage = wire_get_bytes(&r, &out->coverage_size);
    out->depth = wire_get_bytes(&r, &out->depth_size);
    if (out->has_extras) {
        out->counters = get_outputs(&r, &out->counter_count);
        out->textures = get_outputs(&r, &out->texture_count);
    }
    if (out->has_vertices)
        out->vertices = get_outputs(&r, &out->vertex_count);
    return wire_get_end(&r);
}

void protocol_free_result(struct driver_result *r)
{
    free((void *)r->storage);
    free((void *)r->colors);
    free((void *)r->counters);
    free((void *)r->textures);
    free((void *)r->vertices);
    *r = (struct driver_result){0};
}

/* ---- capture ------------------------------------------------------------------------------------------- */

void protocol_put_capture(struct wire_out *w, const struct capture_program *p)
{
    wire_put_u32(w, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        wire_put_u32(w, p->sources[i].stage);
        wire_put_bytes(w, p->sources[i].text, p->sources[i].size);
    }
}

const char *protocol_get_capture(const struct wire_in *in, struct capture_program *p)
{
    struct wire_reader r = protocol_reader(in);
    p->count = wire_get_below(&r, CAPTURE_SOURCES + 1, "too many shaders");
    for (uint32_t i = 0; i < p->count; i++) {
        struct capture_source *s = &p->sources[i];
        s->stage = wire_get_below(&r, DRIVER_STAGES, "no such stage");
        s->text = (const char *)wire_get_bytes(&r, &s->size);
    }
    return wire_get_end(&r);
}

void protocol_put_captured(struct wire_out *w, const struct capture_result *c)
{
    wire_put_u32(w, c->status);
    wire_put_string(w, c->log);
    wire_put_string(w, c->detail);
    wire_put_u32(w, c->format);
    wire_put_bytes(w, c->blob, c->blob_size);
    wire_put_string(w, c->names ? c->names : "");
}

const char *protocol_get_captured(const struct wire_in *in, struct capture_result *c)
{
    struct wire_reader r = protocol_reader(in);
    c->status = wire_get_below(&r, CAPTURE_STATUSES, "no such status");
    c->log = wire_get_string(&r);
    c->detail = wire_get_string(&r);
    c->format = wire_get_u32(&r);
    c->blob = wire_get_bytes(&r, &c->blob_size);
    c->names = wire_get_string(&r);
    return wire_get_end(&r);
}
