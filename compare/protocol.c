#include "compare/protocol.h"

#include <stdlib.h>
#include <string.h>

static struct wire_reader reader(const struct wire_in *in)
{
    static const uint8_t nothing[1];
    const uint8_t *at = in->size ? in->data : nothing;
    return (struct wire_reader){ .at = at, .end = at + in->size };
}

/* Room for a decoded list; its count comes from wire_get_count and is bounded by the payload. */
static void *list(struct wire_reader *r, size_t count, size_t element)
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
    struct wire_reader r = reader(in);
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
    struct wire_reader r = reader(in);
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
}

const char *protocol_get_welcome(const struct wire_in *in, struct driver_description *d)
{
    struct wire_reader r = reader(in);
    *d = (struct driver_description){0};
    d->context = wire_get_string(&r);
    d->vendor = wire_get_string(&r);
    d->renderer = wire_get_string(&r);
    d->version = wire_get_string(&r);
    d->glsl_version = wire_get_string(&r);

    size_t count = wire_get_count(&r, 9);
    const char **extensions = list(&r, count, sizeof *extensions);
    d->extensions = extensions;
    for (; extensions && d->extension_count < count; d->extension_count++)
        extensions[d->extension_count] = wire_get_string(&r);

    count = wire_get_count(&r, 17);
    struct driver_limit *limits = list(&r, count, sizeof *limits);
    d->limits = limits;
    for (; limits && d->limit_count < count; d->limit_count++) {
        limits[d->limit_count].name = wire_get_string(&r);
        limits[d->limit_count].value = (int64_t)wire_get_u64(&r);
    }
    return wire_get_end(&r);
}

void protocol_free_welcome(struct driver_description *d)
{
    free((void *)d->extensions);
    free((void *)d->limits);
    *d = (struct driver_description){0};
}

/* ---- cases --------------------------------------------------------------------------------------------- */

static void put_buffers(struct wire_out *w, const struct driver_buffer *b, size_t count)
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

static const struct driver_buffer *get_buffers(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 14);
    struct driver_buffer *b = list(r, count, sizeof *b);
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

static void put_parameters(struct wire_out *w, const struct driver_parameter *p, size_t count)
{
    wire_put_u32(w, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        wire_put_u32(w, p[i].index);
        for (int k = 0; k < 4; k++)
            wire_put_u32(w, p[i].bits[k]);
    }
}

static const struct driver_parameter *get_parameters(struct wire_reader *r, size_t *got)
{
    size_t count = wire_get_count(r, 20);
    struct driver_parameter *p = list(r, count, sizeof *p);
    for (size_t i = 0; p && i < count; i++) {
        p[i].index = wire_get_u32(r);
        for (int k = 0; k < 4; k++)
            p[i].bits[k] = wire_get_u32(r);
    }
    *got = p ? count : 0;
    return p;
}

static void put_raster(struct wire_out *w, const struct driver_raster *f)
{
    wire_put_u32(w, f->primitive);
    wire_put_u32(w, f->width);
    wire_put_u32(w, f->height);
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
}

static void get_raster(struct wire_reader *r, struct driver_raster *f)
{
    f->primitive = wire_get_below(r, DRIVER_PRIMITIVES, "no such primitive");
    f->width = wire_get_u32(r);
    f->height = wire_get_u32(r);
    f->color_outputs = wire_get_u32(r);
    f->bring_depth = wire_get_bool(r);
    f->depth_bits = wire_get_u32(r);
    for (int k = 0; k < 4; k++)
        f->clear_bits[k] = wire_get_u32(r);
    size_t count = wire_get_count(r, 16);
    struct driver_attribute *a = list(r, count, sizeof *a);
    f->attributes = a;
    for (; a && f->attribute_count < count; f->attribute_count++, a++) {
        a->kind = wire_get_below(r, DRIVER_ATTRIBUTE_KINDS, "no such attribute");
        a->index = wire_get_u32(r);
        a->values = wire_get_bytes(r, &a->size);
    }
}

void protocol_put_case(struct wire_out *w, const struct driver_case *c)
{
    wire_put_u32(w, (uint32_t)c->stage | (uint32_t)c->language << 16);
    wire_put_u8(w, c->load_only);
    wire_put_bytes(w, c->program, c->program_size);
    if (c->load_only)
        return;
    for (int k = 0; k < 3; k++)
        wire_put_u32(w, c->groups[k]);
    put_buffers(w, c->storage, c->storage_count);
    put_buffers(w, c->constants, c->constant_count);
    put_parameters(w, c->env, c->env_count);
    put_parameters(w, c->local, c->local_count);
    if (c->stage == DRIVER_FRAGMENT)
        put_raster(w, &c->raster);
}

/* The stage, and in the upper half the language: an assembly case is what it was before there were others. */
static void get_kind(struct wire_reader *r, struct driver_case *c)
{
    uint32_t kind = wire_get_u32(r), stage = kind & 0xffff, language = kind >> 16;
    if (!r->error && (stage >= DRIVER_STAGES || language >= DRIVER_LANGUAGES))
        r->error = "no such stage, or no such language";
    c->stage = stage < DRIVER_STAGES ? (enum driver_stage)stage : DRIVER_VERTEX;
    c->language = language < DRIVER_LANGUAGES ? (enum driver_language)language : DRIVER_ASSEMBLY;
}

const char *protocol_get_case(const struct wire_in *in, struct driver_case *c)
{
    struct wire_reader r = reader(in);
    *c = (struct driver_case){0};
    get_kind(&r, c);
    c->load_only = wire_get_bool(&r);
    c->program = (const char *)wire_get_bytes(&r, &c->program_size);
    if (c->load_only || r.error) {
        const char *wrong = wire_get_end(&r);
        return wrong ? wrong : driver_case_check(c);
    }
    for (int k = 0; k < 3; k++)
        c->groups[k] = wire_get_u32(&r);
    c->storage = get_buffers(&r, &c->storage_count);
    c->constants = get_buffers(&r, &c->constant_count);
    c->env = get_parameters(&r, &c->env_count);
    c->local = get_parameters(&r, &c->local_count);
    if (c->stage == DRIVER_FRAGMENT)
        get_raster(&r, &c->raster);
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
    *c = (struct driver_case){0};
}

/* ---- results ------------------------------------------------------------------------------------------- */

void protocol_put_result_head(struct wire_out *w, const struct driver_result *r)
{
    wire_put_u32(w, r->status);
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
    struct driver_output *o = list(r, count, sizeof *o);
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
}

const char *protocol_get_result(const struct wire_in *in, struct driver_result *out)
{
    struct wire_reader r = reader(in);
    *out = (struct driver_result){0};
    /* Charges are the client's to make: a worker that answers at all has neither crashed nor hung. */
    out->status = wire_get_below(&r, DRIVER_STATUSES, "no such status");
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
    return wire_get_end(&r);
}

void protocol_free_result(struct driver_result *r)
{
    free((void *)r->storage);
    free((void *)r->colors);
    *r = (struct driver_result){0};
}

/* ---- capture ------------------------------------------------------------------------------------------- */

void protocol_put_capture(struct wire_out *w, const struct capture_source *s)
{
    wire_put_u32(w, s->stage);
    wire_put_bytes(w, s->text, s->size);
}

const char *protocol_get_capture(const struct wire_in *in, struct capture_source *s)
{
    struct wire_reader r = reader(in);
    s->stage = wire_get_below(&r, DRIVER_STAGES, "no such stage");
    s->text = (const char *)wire_get_bytes(&r, &s->size);
    return wire_get_end(&r);
}

void protocol_put_captured(struct wire_out *w, const struct capture_result *c)
{
    wire_put_u32(w, c->status);
    wire_put_string(w, c->log);
    wire_put_string(w, c->detail);
    wire_put_u32(w, c->format);
    wire_put_bytes(w, c->blob, c->blob_size);
}

const char *protocol_get_captured(const struct wire_in *in, struct capture_result *c)
{
    struct wire_reader r = reader(in);
    c->status = wire_get_below(&r, CAPTURE_STATUSES, "no such status");
    c->log = wire_get_string(&r);
    c->detail = wire_get_string(&r);
    c->format = wire_get_u32(&r);
    c->blob = wire_get_bytes(&r, &c->blob_size);
    return wire_get_end(&r);
}
