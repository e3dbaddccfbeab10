/* Where fragments go: RGBA32F colours, and depth with a stencil that counts how often a pixel is written. */
#include <string.h>

#include "gl/session.h"

static void drop(struct gl_framebuffer *b)
{
    glDeleteFramebuffers(1, &b->name);
    glDeleteRenderbuffers(8, b->colors);
    glDeleteRenderbuffers(1, &b->depth_stencil);
    *b = (struct gl_framebuffer){0};
}

static void attach(GLenum attachment, GLenum format, GLuint name, const struct driver_raster *f)
{
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, (GLsizei)f->width, (GLsizei)f->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
}

static bool make(struct gl_framebuffer *b, const struct driver_raster *f, struct driver_result *r)
{
    GLenum draw[8];
    glGenFramebuffers(1, &b->name);
    glGenRenderbuffers(8, b->colors);
    glGenRenderbuffers(1, &b->depth_stencil);
    glBindFramebuffer(GL_FRAMEBUFFER, b->name);
    for (uint32_t i = 0; i < f->color_outputs; i++) {
        draw[i] = GL_COLOR_ATTACHMENT0 + i;
        attach(draw[i], GL_RGBA32F, b->colors[i], f);
    }
    attach(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH32F_STENCIL8, b->depth_stencil, f);
    glDrawBuffers((GLsizei)f->color_outputs, draw);
    if (!gl_went_well(r, "making the framebuffer"))
        return false;
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no RGBA32F framebuffer with depth and stencil");
        return false;
    }
    b->width = f->width;
    b->height = f->height;
    b->color_count = f->color_outputs;
    return true;
}

static bool fits(const struct driver_raster *f, struct driver_result *r)
{
    GLint size = 0, outputs = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &size);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &outputs);
    if (f->width <= (uint32_t)size && f->height <= (uint32_t)size && f->color_outputs <= (uint32_t)outputs)
        return true;
    gl_fail(r, DRIVER_UNSUPPORTED, "the framebuffer is beyond this driver's limits");
    return false;
}

static void clear(const struct driver_raster *f)
{
    GLfloat color[4];
    memcpy(color, f->clear_bits, sizeof color);
    for (uint32_t i = 0; i < f->color_outputs; i++)
        glClearBufferfv(GL_COLOR, (GLint)i, color);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1.0f, 0);
}

/* Whatever the program gives reaches the framebuffer as it is, and each write counts. */
static void set_state(void)
{
    glDisable(GL_DITHER);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glDepthMask(GL_TRUE);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    glStencilOp(GL_INCR, GL_INCR, GL_INCR);
    glStencilMask(0xff);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
}

bool gl_framebuffer_bind(struct gl_session *s, const struct driver_raster *f, struct driver_result *r)
{
    struct gl_framebuffer *b = &s->framebuffer;
    if (b->name && (b->width != f->width || b->height != f->height || b->color_count != f->color_outputs))
        drop(b);
    if (!b->name && (!fits(f, r) || !make(b, f, r))) {
        drop(b);
        gl_take_error();
        return false;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, b->name);
    glViewport(0, 0, (GLsizei)f->width, (GLsizei)f->height);
    set_state();
    clear(f);
    return gl_went_well(r, "clearing the framebuffer");
}

bool gl_framebuffer_put(const struct gl_session *s, const struct driver_raster *f, struct wire_out *out,
                        struct driver_result *r)
{
    GLsizei w = (GLsizei)f->width, h = (GLsizei)f->height;
    size_t pixels = (size_t)f->width * f->height;
    glBindFramebuffer(GL_FRAMEBUFFER, s->framebuffer.name);
    wire_put_u32(out, f->color_outputs);
    for (uint32_t i = 0; i < f->color_outputs; i++) {
        wire_put_u32(out, i);
        void *color = wire_put_space(out, pixels * 16);
        if (!color)
            return true;        /* the message has failed and says so at its end */
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        glReadPixels(0, 0, w, h, GL_RGBA, GL_FLOAT, color);
    }
    void *coverage = wire_put_space(out, pixels);
    if (coverage)
        glReadPixels(0, 0, w, h, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, coverage);
    void *depth = wire_put_space(out, f->bring_depth ? pixels * 4 : 0);
    if (depth && f->bring_depth)
        glReadPixels(0, 0, w, h, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    return gl_went_well(r, "reading the framebuffer back");
}
