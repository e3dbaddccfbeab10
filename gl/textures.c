/* Textures and image units. */
#include "gl/textures.h"

#include <stdlib.h>

static bool is_supported(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        if (t->kind == GP5_TEXTURE_ARRAYCUBE && !s->cube_arrays) {
            gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no arrays of cubes");
            return false;
        }
    }
    if (c->image_count && !s->images) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no image units");
        return false;
    }
    return true;
}

/* One level of the bound texture; its texels follow each other without gaps. */
static void upload_level(const struct gp5_texture *t, uint32_t level, const void *data)
{
    const struct gl_format *f = gl_format(t->format);
    GLenum target = gl_texture_target(t->kind);
    GLint internal = (GLint)f->internal, n = (GLint)level;
    uint32_t size[3];
    gp5_texture_level(t, level, size);
    GLsizei w = (GLsizei)size[0], h = (GLsizei)size[1], d = (GLsizei)size[2];
    size_t face = (size_t)w * (size_t)h * gp5_format_info(t->format)->bytes;
    switch (t->kind) {
    case GP5_TEXTURE_1D:
        glTexImage1D(target, n, internal, w, 0, f->external, f->type, data);
        break;
    case GP5_TEXTURE_CUBE:
        for (int i = 0; i < 6; i++)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, n, internal, w, h, 0, f->external, f->type,
                         (const uint8_t *)data + (size_t)i * face);
        break;
    case GP5_TEXTURE_ARRAY1D:
        glTexImage2D(target, n, internal, w, d, 0, f->external, f->type, data);
        break;
    case GP5_TEXTURE_2D: case GP5_TEXTURE_RECT:
        glTexImage2D(target, n, internal, w, h, 0, f->external, f->type, data);
        break;
    default:
        glTexImage3D(target, n, internal, w, h, d, 0, f->external, f->type, data);
        break;
    }
}

static void read_level(const struct gp5_texture *t, uint32_t level, uint8_t *to)
{
    const struct gl_format *f = gl_format(t->format);
    uint32_t size[3];
    gp5_texture_level(t, level, size);
    size_t face = (size_t)size[0] * size[1] * gp5_format_info(t->format)->bytes;
    if (t->kind != GP5_TEXTURE_CUBE) {
        glGetTexImage(gl_texture_target(t->kind), (GLint)level, f->external, f->type, to);
        return;
    }
    for (int i = 0; i < 6; i++)
        glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, (GLint)level, f->external, f->type,
                      to + (size_t)i * face);
}

static void upload(const struct gp5_texture *t, const uint8_t *data, GLuint buffer)
{
    if (t->kind == GP5_TEXTURE_BUFFER) {
        glBindBuffer(GL_TEXTURE_BUFFER, buffer);
        glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)t->bytes, data, GL_DYNAMIC_COPY);
        glTexBuffer(GL_TEXTURE_BUFFER, gl_format(t->format)->internal, buffer);
        glBindBuffer(GL_TEXTURE_BUFFER, 0);
        return;
    }
    for (uint32_t level = 0; level < t->levels; level++)
        upload_level(t, level, data + gp5_texture_bytes(t, level));
}

static bool make(struct gl_session *s, const struct driver_texture *d, GLuint name, GLuint buffer,
                 struct driver_result *r)
{
    const struct gp5_texture *t = &d->texture;
    uint8_t *zeros = t->data ? NULL : calloc(t->bytes ? t->bytes : 1, 1);
    if (!t->data && !zeros) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "making an empty texture");
        return false;
    }
    bool samples = gp5_texture_is_multisample(t->kind), filled = true;
    if (samples && d->bring_back) {
        free(zeros);
        gl_fail(r, DRIVER_UNSUPPORTED, "what a program writes to a multisample texture is not read back");
        return false;
    }
    if (samples)
        filled = gl_multisample_make(s, t, zeros ? zeros : t->data, name, r);
    glActiveTexture(GL_TEXTURE0 + t->unit);
    glBindTexture(gl_texture_target(t->kind), name);
    if (!samples)
        upload(t, zeros ? zeros : t->data, buffer);
    free(zeros);
    if (!filled || !gl_went_well(r, "making a texture"))
        return false;
    if (t->kind != GP5_TEXTURE_BUFFER && !samples)
        gl_set_sampler(t);
    return gl_went_well(r, "setting the parameters of a texture");
}

static GLuint texture_name(const struct driver_case *c, const struct gl_textures *t, uint32_t unit)
{
    for (size_t i = 0; i < c->texture_count; i++)
        if (c->textures[i].texture.unit == unit)
            return t->names[i];
    return 0;
}

/* One switch for all cube maps of the context; the case has them all alike. */
static void set_seamless(const struct driver_case *c)
{
    bool on = false;
    for (size_t i = 0; i < c->texture_count; i++)
        on |= c->textures[i].texture.sampler.seamless;
    if (on)
        glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    else
        glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    gl_take_error();            /* before OpenGL 3.2 there is no such switch, and it is off */
}

/* An image that the program reaches by its handle needs no unit, and there are few of those. */
static bool has_handle(const struct driver_case *c, uint32_t unit)
{
    for (size_t i = 0; i < c->pointer_count; i++)
        if (c->pointers[i].kind == POINTER_IMAGE && c->pointers[i].of == unit)
            return true;
    return false;
}

bool gl_textures_bind(struct gl_session *s, const struct driver_case *c, struct gl_textures *t,
                      struct driver_result *r)
{
    GLint units = 0;
    *t = (struct gl_textures){0};
    if (!is_supported(s, c, r))
        return false;
    if (!c->texture_count)
        return true;
    t->names = calloc(2 * c->texture_count, sizeof *t->names);
    if (!t->names) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "naming the textures");
        return false;
    }
    t->count = c->texture_count;
    t->buffers = t->names + t->count;
    glGenTextures((GLsizei)t->count, t->names);
    glGenBuffers((GLsizei)t->count, t->buffers);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (c->image_count)
        glGetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    set_seamless(c);
    for (size_t i = 0; i < t->count; i++)
        if (!make(s, &c->textures[i], t->names[i], t->buffers[i], r))
            return false;
    for (size_t i = 0; i < c->image_count; i++) {
        const struct gp5_image *image = &c->images[i];
        if (image->unit >= (uint32_t)units && has_handle(c, image->unit))
            continue;
        glBindImageTexture(image->unit, texture_name(c, t, image->texture), (GLint)image->level, image->layered,
                           (GLint)image->layer, GL_READ_WRITE, gl_format(image->format)->internal);
    }
    glActiveTexture(GL_TEXTURE0);
    return gl_went_well(r, "binding the textures and images");
}

/* The handle of a texture or an image, made resident; 0 and a failure where there is none. */
uint64_t gl_texture_handle(const struct gl_session *s, const struct driver_case *c, const struct gl_textures *t,
                           const struct driver_pointer *p, struct driver_result *r)
{
    GLuint64 handle = 0;
    if (!s->bindless) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no NV_bindless_texture");
        return 0;
    }
    if (p->kind == POINTER_TEXTURE) {
        handle = glGetTextureHandleNV(texture_name(c, t, p->of));
        if (!glIsTextureHandleResidentNV(handle))
            glMakeTextureHandleResidentNV(handle);
    } else {
        const struct gp5_image *image = c->images;
        while (image->unit != p->of)
            image++;
        handle = glGetImageHandleNV(texture_name(c, t, image->texture), (GLint)image->level, image->layered,
                                    (GLint)image->layer, gl_format(image->format)->internal);
        if (!glIsImageHandleResidentNV(handle))
            glMakeImageHandleResidentNV(handle, GL_READ_WRITE);
    }
    return gl_went_well(r, "making a handle resident") ? handle : 0;
}

bool gl_textures_put(const struct driver_case *c, const struct gl_textures *t, struct wire_out *out,
                     struct driver_result *r)
{
    uint32_t count = 0;
    for (size_t i = 0; i < c->texture_count; i++)
        count += c->textures[i].bring_back;
    wire_put_u32(out, count);
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct gp5_texture *texture = &c->textures[i].texture;
        if (!c->textures[i].bring_back)
            continue;
        wire_put_u32(out, texture->unit);
        uint8_t *space = wire_put_space(out, texture->bytes);
        if (!space)
            return true;        /* the message has failed and says so at its end */
        if (texture->kind == GP5_TEXTURE_BUFFER) {
            glBindBuffer(GL_ARRAY_BUFFER, t->buffers[i]);
            glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)texture->bytes, space);
            continue;
        }
        glBindTexture(gl_texture_target(texture->kind), t->names[i]);
        for (uint32_t level = 0; level < texture->levels; level++)
            read_level(texture, level, space + gp5_texture_bytes(texture, level));
    }
    return gl_went_well(r, "reading a texture back");
}

void gl_textures_free(const struct driver_case *c, struct gl_textures *t)
{
    for (size_t i = 0; t->names && i < c->image_count; i++)
        glBindImageTexture(c->images[i].unit, 0, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    if (t->count) {
        glDeleteTextures((GLsizei)t->count, t->names);
        glDeleteBuffers((GLsizei)t->count, t->buffers);
        glActiveTexture(GL_TEXTURE0);
    }
    free(t->names);
    *t = (struct gl_textures){0};
    gl_take_error();
}
