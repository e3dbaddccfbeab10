/* Storage buffers (program.storage), constant buffers (program.buffer) and counters (program.counter). */
#include <stdlib.h>

#include "gl/session.h"

/* For each stage that the case has. */
static void bind_constants(const struct gl_session *s, const struct driver_case *c, GLuint index, GLuint buffer)
{
    const struct driver_draw *d = c->raster.draw;
    if (gl_stages_are(c)) {
        gl_stages_bind_constants(s, c, index, buffer);
        return;
    }
    glBindBufferBaseNV(s->stages[c->stage].constants, index, buffer);
    for (size_t i = 0; d && i < d->program_count; i++)
        glBindBufferBaseNV(s->stages[d->programs[i].stage].constants, index, buffer);
}

static bool fill(GLuint name, const struct driver_buffer *b, struct driver_result *r)
{
    void *zeros = NULL;
    if (!b->data) {
        zeros = calloc(b->size ? b->size : 1, 1);
        if (!zeros) {
            gl_fail(r, DRIVER_OUT_OF_MEMORY, "making a zeroed buffer");
            return false;
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)b->size, zeros ? zeros : b->data, GL_DYNAMIC_COPY);
    free(zeros);
    return gl_went_well(r, "filling a buffer");
}

static bool is_supported(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (c->storage_count && !s->storage) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no storage buffers");
        return false;
    }
    if (c->constant_count && !s->constants && !gl_stages_are(c)) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no NV_parameter_buffer_object");
        return false;
    }
    if (c->counter_count && !s->counters) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no atomic counters");
        return false;
    }
    return true;
}

bool gl_buffers_bind(struct gl_session *s, const struct driver_case *c, struct gl_buffers *b,
                     struct driver_result *r)
{
    *b = (struct gl_buffers){0};
    if (!is_supported(s, c, r))
        return false;
    size_t count = c->storage_count + c->constant_count + c->counter_count;
    if (!count)
        return true;
    b->names = calloc(count, sizeof *b->names);
    if (!b->names) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "naming the buffers");
        return false;
    }
    b->count = count;
    glGenBuffers((GLsizei)count, b->names);
    for (size_t i = 0; i < c->storage_count; i++) {
        if (!fill(b->names[i], &c->storage[i], r))
            return false;
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, c->storage[i].binding, b->names[i]);
    }
    for (size_t i = 0; i < c->constant_count; i++) {
        GLuint name = b->names[c->storage_count + i];
        if (!fill(name, &c->constants[i], r))
            return false;
        bind_constants(s, c, c->constants[i].binding, name);
    }
    for (size_t i = 0; i < c->counter_count; i++) {
        GLuint name = b->names[c->storage_count + c->constant_count + i];
        if (!fill(name, &c->counters[i], r))
            return false;
        glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, c->counters[i].binding, name);
    }
    return gl_went_well(r, "binding the buffers");
}

static bool put(const struct driver_buffer *list, size_t buffers, const GLuint *names, struct wire_out *out,
                struct driver_result *r)
{
    uint32_t count = 0;
    for (size_t i = 0; i < buffers; i++)
        count += list[i].bring_back;
    wire_put_u32(out, count);
    for (size_t i = 0; i < buffers; i++) {
        if (!list[i].bring_back)
            continue;
        wire_put_u32(out, list[i].binding);
        void *space = wire_put_space(out, list[i].size);
        if (!space)
            return true;        /* the message has failed and says so at its end */
        glBindBuffer(GL_ARRAY_BUFFER, names[i]);
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)list[i].size, space);
    }
    return gl_went_well(r, "reading a buffer back");
}

bool gl_buffers_put(const struct driver_case *c, const struct gl_buffers *b, struct wire_out *out,
                    struct driver_result *r)
{
    return put(c->storage, c->storage_count, b->names, out, r);
}

bool gl_counters_put(const struct driver_case *c, const struct gl_buffers *b, struct wire_out *out,
                     struct driver_result *r)
{
    const GLuint *names = c->counter_count ? b->names + c->storage_count + c->constant_count : NULL;
    return put(c->counters, c->counter_count, names, out, r);
}

void gl_buffers_free(struct gl_session *s, const struct driver_case *c, struct gl_buffers *b)
{
    for (size_t i = 0; i < b->count && i < c->storage_count; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, c->storage[i].binding, 0);
    for (size_t i = c->storage_count; i < b->count && i < c->storage_count + c->constant_count; i++)
        bind_constants(s, c, c->constants[i - c->storage_count].binding, 0);
    for (size_t i = 0; b->count && i < c->counter_count; i++)
        glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, c->counters[i].binding, 0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (b->count)
        glDeleteBuffers((GLsizei)b->count, b->names);
    free(b->names);
    *b = (struct gl_buffers){0};
    gl_take_error();            /* a binding that could not be made can't be undone either */
}
