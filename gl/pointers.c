/* Addresses and handles that only the driver knows, put where the program reads them. */
#include "gl/session.h"

#include <stdlib.h>
#include <string.h>

/* For loads and stores; for loads alone where a driver has no NV_shader_buffer_store (its name may be missing among the
 * extensions of one that has it). */
static void make_resident(void)
{
    gl_take_error();
    glMakeBufferResidentNV(GL_ARRAY_BUFFER, GL_READ_WRITE);
    if (gl_take_error() != GL_NO_ERROR)
        glMakeBufferResidentNV(GL_ARRAY_BUFFER, GL_READ_ONLY);
}

static uint64_t address(const struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                        uint32_t binding, struct driver_result *r)
{
    GLuint64EXT at = 0;
    if (!s->addresses) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no NV_shader_buffer_load");
        return 0;
    }
    for (size_t i = 0; i < c->storage_count; i++) {
        if (c->storage[i].binding != binding)
            continue;
        glBindBuffer(GL_ARRAY_BUFFER, b->names[i]);
        if (!glIsBufferResidentNV(GL_ARRAY_BUFFER))
            make_resident();
        glGetBufferParameterui64vNV(GL_ARRAY_BUFFER, GL_BUFFER_GPU_ADDRESS_NV, &at);
    }
    return gl_went_well(r, "making a buffer resident") ? at : 0;
}

/* The bits of a parameter with every pointer that stands in it. */
static void put_in_parameter(struct gl_session *s, const struct driver_case *c, enum driver_pointer_place place,
                             const struct driver_parameter *p, const uint64_t *values)
{
    struct driver_parameter whole = *p;
    struct driver_case one = { .stage = c->stage };
    bool any = false;
    for (size_t i = 0; i < c->pointer_count; i++) {
        const struct driver_pointer *at = &c->pointers[i];
        if (at->place != place || at->index != p->index)
            continue;
        memcpy((uint8_t *)whole.bits + at->offset, &values[i], sizeof values[i]);
        any = true;
    }
    if (!any)
        return;
    if (place == POINTER_IN_ENV) {
        one.env = &whole;
        one.env_count = 1;
    } else {
        one.local = &whole;
        one.local_count = 1;
    }
    gl_set_parameters(s, &one);
}

/* The names of the buffers stand in the order of the case: storage, constants. */
static void put_in_buffer(const struct driver_buffer *buffers, size_t count, const GLuint *names,
                          const struct driver_pointer *p, uint64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (buffers[i].binding != p->index)
            continue;
        glBindBuffer(GL_ARRAY_BUFFER, names[i]);
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)p->offset, sizeof value, &value);
    }
}

static bool put_all(struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                    const struct gl_textures *t, uint64_t *values, struct driver_result *r)
{
    for (size_t i = 0; i < c->pointer_count; i++) {
        const struct driver_pointer *p = &c->pointers[i];
        values[i] = p->kind == POINTER_STORAGE ? address(s, c, b, p->of, r) : gl_texture_handle(s, c, t, p, r);
        if (r->status != DRIVER_RAN)
            return false;
        if (p->place == POINTER_IN_CONSTANTS)
            put_in_buffer(c->constants, c->constant_count, b->names + c->storage_count, p, values[i]);
        else if (p->place == POINTER_IN_STORAGE)
            put_in_buffer(c->storage, c->storage_count, b->names, p, values[i]);
    }
    for (size_t i = 0; i < c->env_count; i++)
        put_in_parameter(s, c, POINTER_IN_ENV, &c->env[i], values);
    for (size_t i = 0; i < c->local_count; i++)
        put_in_parameter(s, c, POINTER_IN_LOCAL, &c->local[i], values);
    return gl_went_well(r, "putting pointers in their places");
}

bool gl_pointers_put(struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                     const struct gl_textures *t, struct driver_result *r)
{
    if (!c->pointer_count)
        return true;
    uint64_t *values = calloc(c->pointer_count, sizeof *values);
    bool ok = values != NULL;
    if (ok)
        ok = put_all(s, c, b, t, values, r);
    else
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "looking for addresses and handles");
    free(values);
    return ok;
}
