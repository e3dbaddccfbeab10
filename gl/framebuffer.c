/* Where fragments go: RGBA32F colours, and depth with a stencil that counts how often a pixel is written. */
#include <string.h>

#include "gl/session.h"

static void drop(struct gl_framebuffer *b)
{
    glDeleteFramebuffers(1, &b->name);
    if (b->planes) {
        glDeleteTextures(8, b->colors);
        glDeleteTextures(1, &b->depth_stencil);
    } else {
        glDeleteRenderbuffers(8, b->colors);
        glDeleteRenderbuffers(1, &b->depth_stencil);
    }
    *b = (struct gl_framebuffer){0};
}

static void attach(GLenum attachment, GLenum format, GLuint name, const struct driver_raster *f)
{
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, (GLsizei)f->width, (GLsizei)f->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
}

static void make_plain(struct gl_framebuffer *b, const struct driver_raster *f)
{
    glGenRenderbuffers(8, b->colors);
    glGenRenderbuffers(1, &b->depth_stencil);
    for (uint32_t i = 0; i < f->color_outputs; i++)
        attach(GL_COLOR_ATTACHMENT0 + i, GL_RGBA32F, b->colors[i], f);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH32F_STENCIL8, b->depth_stencil, f);
}

static bool make(struct gl_session *s, struct gl_framebuffer *b, const struct driver_raster *f,
                 struct driver_result *r)
{
    GLenum draw[8];
    glGenFramebuffers(1, &b->name);
    glBindFramebuffer(GL_FRAMEBUFFER, b->name);
    b->planes = gl_planes_are(f);
    if (b->planes && !gl_planes_make(s, b, f, r))
        return false;
    if (!b->planes)
        make_plain(b, f);
    for (uint32_t i = 0; i < f->color_outputs; i++)
        draw[i] = GL_COLOR_ATTACHMENT0 + i;
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
    b->layers = f->layers;
    b->samples = f->samples;
    b->layered = f->layered;
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
    if (b->name && (b->width != f->width || b->height != f->height || b->color_count != f->color_outputs ||
                    b->layers != f->layers || b->samples != f->samples || b->layered != f->layered))
        drop(b);
    if (!b->name && (!fits(f, r) || !make(s, b, f, r))) {
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

/* Bound again, as it is. */
bool gl_framebuffer_again(struct gl_session *s, const struct driver_raster *f, struct driver_result *r)
{
    glBindFramebuffer(GL_FRAMEBUFFER, s->framebuffer.name);
    glViewport(0, 0, (GLsizei)f->width, (GLsizei)f->height);
    set_state();
    return gl_went_well(r, "binding the framebuffer");
}

bool gl_framebuffer_read(struct gl_session *s, const struct driver_raster *f, enum gl_plane_kind kind, uint32_t color,
                         void *to, struct driver_result *r)
{
    GLsizei w = (GLsizei)f->width, h = (GLsizei)f->height;
    if (gl_planes_are(f))
        return gl_planes_read(s, f, kind, color, to, r);
    glBindFramebuffer(GL_FRAMEBUFFER, s->framebuffer.name);
    if (kind == GL_PLANE_COLOR) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + color);
        glReadPixels(0, 0, w, h, GL_RGBA, GL_FLOAT, to);
    } else if (kind == GL_PLANE_COUNT) {
        glReadPixels(0, 0, w, h, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, to);
    } else {
        glReadPixels(0, 0, w, h, GL_DEPTH_COMPONENT, GL_FLOAT, to);
    }
    return gl_went_well(r, "reading the framebuffer back");
}

bool gl_framebuffer_put(struct gl_session *s, const struct driver_raster *f, struct wire_out *out,
                        struct driver_result *r)
{
    size_t pixels = driver_pixels(f);
    bool ok = true;
    wire_put_u32(out, f->color_outputs);
    for (uint32_t i = 0; i < f->color_outputs; i++) {
        wire_put_u32(out, i);
        void *color = wire_put_space(out, pixels * 16);
        if (!color)
            return true;        /* the message has failed and says so at its end */
        ok = gl_framebuffer_read(s, f, GL_PLANE_COLOR, i, color, r) && ok;
    }
    void *coverage = wire_put_space(out, pixels);
    if (coverage)
        ok = gl_framebuffer_read(s, f, GL_PLANE_COUNT, 0, coverage, r) && ok;
    void *depth = wire_put_space(out, f->bring_depth ? pixels * 4 : 0);
    if (depth && f->bring_depth)
        ok = gl_framebuffer_read(s, f, GL_PLANE_DEPTH, 0, depth, r) && ok;
    return ok;
}
