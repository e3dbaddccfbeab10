#include "compare/driver/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    gp5_free(o->shapes);
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
    static const char *const names[OUTPUT_KINDS] = {
        [OUTPUT_STORAGE] = "storage", [OUTPUT_COLOR] = "color", [OUTPUT_COVERAGE] = "coverage",
        [OUTPUT_COUNTER] = "counter", [OUTPUT_TEXTURE] = "texture",
        [OUTPUT_DEPTH] = "depth", [OUTPUT_INPUT] = "input"
    };
    return names[kind];
}

static const void *buffer_input(const struct driver_buffer *b, size_t count, uint32_t binding, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (b[i].binding == binding && b[i].size == size)
            return b[i].data;
    return NULL;
}

const void *case_input(const struct driver_case *c, enum output_kind kind, uint32_t binding, size_t size)
{
    if (kind == OUTPUT_STORAGE)
        return buffer_input(c->storage, c->storage_count, binding, size);
    if (kind == OUTPUT_COUNTER)
        return buffer_input(c->counters, c->counter_count, binding, size);
    for (size_t i = 0; kind == OUTPUT_TEXTURE && i < c->texture_count; i++)
        if (c->textures[i].texture.unit == binding && c->textures[i].texture.bytes == size)
            return c->textures[i].texture.data;
    return NULL;
}
