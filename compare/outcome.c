#include "compare/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern void gp5_report_free(struct gp5_report *) __attribute__((weak)); /* TEMPORARY */

void outcome_init(struct outcome *o)
{
    memset(o, 0, sizeof *o);
    o->position = -1;
}

void outcome_free(struct outcome *o)
{
    for (size_t i = 0; i < o->count; i++) {
        gp5_free(o->outputs[i].data);
        gp5_free(o->outputs[i].undefined);
    }
    gp5_free(o->outputs);
    gp5_free(o->message);
    if (gp5_report_free)
        gp5_report_free(&o->report);
    outcome_init(o);
}

void outcome_fail(struct outcome *o, enum outcome_status status, const char *format, ...)
{
    va_list args;
    o->status = status;
    gp5_free(o->message);
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    o->message = size < 0 ? NULL : gp5_malloc((size_t)size + 1);
    if (!o->message)
        return;
    va_start(args, format);
    vsnprintf(o->message, (size_t)size + 1, format, args);
    va_end(args);
}

struct output *outcome_add(struct outcome *o, enum output_kind kind, uint32_t binding, const void *data,
                           size_t size)
{
    struct output *more = gp5_realloc(o->outputs, (o->count + 1) * sizeof *more);
    uint8_t *copy = more ? gp5_malloc(size) : NULL;
    if (more)
        o->outputs = more;
    if (!copy) {
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (size && data)
        memcpy(copy, data, size);
    else if (size)
        memset(copy, 0, size);
    struct output *output = &o->outputs[o->count++];
    *output = (struct output){ .kind = kind, .binding = binding, .size = size, .data = copy };
    return output;
}

const struct output *outcome_find(const struct outcome *o, enum output_kind kind, uint32_t binding)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->outputs[i].kind == kind && o->outputs[i].binding == binding)
            return &o->outputs[i];
    return NULL;
}

const char *output_kind_name(enum output_kind kind)
{
    static const char *const names[] = { "storage", "color", "coverage" };
    return names[kind];
}

/* ---- names --------------------------------------------------------------------------------------------- */

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
    sha256_end(&h, digest);
}
