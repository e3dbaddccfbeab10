/* Framebuffers of layers and samples: array textures in the place of renderbuffers. Nothing reads or writes single
 * samples of such a one but shaders: to read one each of its samples is drawn into a plain framebuffer, and depths are
 * drawn into it sample by sample. */
#include "gl/session.h"

#include <stdlib.h>
#include <string.h>

static const char *const fragment_texts[GL_PLANE_SHADERS] = {
    [GL_PLANE_VALUES] =
        "#version 150 compatibility\n"
        "uniform sampler2DMSArray from;\nuniform int layer, number;\nout vec4 to;\n"
        "void main() { to = texelFetch(from, ivec3(ivec2(gl_FragCoord.xy), layer), number); }\n",
    [GL_PLANE_COUNTS] =
        "#version 150 compatibility\n"
        "uniform usampler2DMSArray from;\nuniform int layer, number;\nout vec4 to;\n"
        "void main() { to = vec4(texelFetch(from, ivec3(ivec2(gl_FragCoord.xy), layer), number)); }\n",
    [GL_PLANE_DEPTHS] =
        "#version 150 compatibility\n"
        "uniform sampler2D from;\nuniform int layer, number;\n"
        "void main() { gl_FragDepth = texelFetch(from, ivec2(gl_FragCoord.xy), 0).x; }\n",
};

/* In use, reading from the last texture unit; false where the driver does not take it. */
static bool use(struct gl_session *s, enum gl_plane_shader which, struct driver_result *r)
{
    GLint units = 1;

    if (!s->plane_shaders[which])
        s->plane_shaders[which] = gl_shader_over_viewport(fragment_texts[which]);
    if (!s->plane_shaders[which]) {
        gl_take_error();
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver does not take the shaders that read and write single samples");
        return false;
    }
    glGetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units);
    glActiveTexture(GL_TEXTURE0 + (GLenum)units - 1);
    glUseProgram(s->plane_shaders[which]);
    glUniform1i(glGetUniformLocation(s->plane_shaders[which], "from"), units - 1);
    return true;
}

static void choose(const struct gl_session *s, enum gl_plane_shader which, uint32_t layer, uint32_t number)
{
    glUniform1i(glGetUniformLocation(s->plane_shaders[which], "layer"), (GLint)layer);
    glUniform1i(glGetUniformLocation(s->plane_shaders[which], "number"), (GLint)number);
}

static void end(GLuint framebuffer, GLenum target)
{
    glUseProgram(0);
    glBindTexture(target, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static uint32_t layers_of(const struct driver_raster *f) { return f->layers ? f->layers : 1; }
static uint32_t samples_of(const struct driver_raster *f) { return f->samples ? f->samples : 1; }

static GLenum target_of(const struct driver_raster *f)
{
    return samples_of(f) > 1 ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_ARRAY;
}

bool gl_planes_are(const struct driver_raster *f)
{
    return driver_planes(f) > 1 || f->layered;
}

/* ---- making them ------------------------------------------------------------------------------------------- */

static void attach(GLenum attachment, GLenum format, GLuint name, const struct driver_raster *f)
{
    GLsizei w = (GLsizei)f->width, h = (GLsizei)f->height, n = (GLsizei)layers_of(f);
    GLenum target = target_of(f);

    glBindTexture(target, name);
    if (samples_of(f) > 1) {
        glTexStorage3DMultisample(target, (GLsizei)f->samples, format, w, h, n, GL_TRUE);
    } else {
        glTexStorage3D(target, 1, format, w, h, n);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    if (f->layered)
        glFramebufferTexture(GL_FRAMEBUFFER, attachment, name, 0);
    else
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, name, 0, 0);
    glBindTexture(target, 0);
}

/* Of the bound framebuffer; the names are those of textures. */
bool gl_planes_make(struct gl_session *s, struct gl_framebuffer *b, const struct driver_raster *f,
                    struct driver_result *r)
{
    GLint most = 0, layers = 0;

    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    if (!s->multisample || samples_of(f) > (uint32_t)most || layers_of(f) > (uint32_t)layers) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no framebuffers of so many samples or layers");
        return false;
    }
    glGenTextures(8, b->colors);
    glGenTextures(1, &b->depth_stencil);
    for (uint32_t i = 0; i < f->color_outputs; i++)
        attach(GL_COLOR_ATTACHMENT0 + i, GL_RGBA32F, b->colors[i], f);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH32F_STENCIL8, b->depth_stencil, f);
    if (samples_of(f) > 1) {
        GLint samples = 0;
        glGetIntegerv(GL_SAMPLES, &samples);
        if (samples != (GLint)f->samples) {
            gl_take_error();
            gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no framebuffers of just so many samples");
            return false;
        }
    }
    return true;
}

/* ---- reading them ------------------------------------------------------------------------------------------ */

static void read_attached(const struct driver_raster *f, enum gl_plane_kind kind, void *to)
{
    GLsizei w = (GLsizei)f->width, h = (GLsizei)f->height;

    if (kind == GL_PLANE_COLOR) {
        glReadBuffer(GL_COLOR_ATTACHMENT0);
        glReadPixels(0, 0, w, h, GL_RGBA, GL_FLOAT, to);
    } else if (kind == GL_PLANE_DEPTH) {
        glReadPixels(0, 0, w, h, GL_DEPTH_COMPONENT, GL_FLOAT, to);
    } else {
        glReadPixels(0, 0, w, h, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, to);
    }
}

/* Layers of one sample are attached one by one. */
static void read_layers(const struct driver_raster *f, enum gl_plane_kind kind, GLuint name, uint8_t *to, size_t plane)
{
    GLenum attachment = kind == GL_PLANE_COLOR ? GL_COLOR_ATTACHMENT0 : GL_DEPTH_STENCIL_ATTACHMENT;
    GLuint framebuffer;

    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (uint32_t layer = 0; layer < layers_of(f); layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, name, 0, (GLint)layer);
        if (kind != GL_PLANE_COLOR) {
            glDrawBuffer(GL_NONE);
            glReadBuffer(GL_NONE);
        }
        read_attached(f, kind, to + layer * plane);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static void set_plain_state(const struct driver_raster *f)
{
    glViewport(0, 0, (GLsizei)f->width, (GLsizei)f->height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_DITHER);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
}

/* Of four floats a pixel what there is of its kind. */
static void narrow(const float *from, size_t pixels, enum gl_plane_kind kind, uint8_t *to)
{
    for (size_t i = 0; i < pixels; i++)
        if (kind == GL_PLANE_DEPTH)
            memcpy(to + 4 * i, &from[4 * i], 4);
        else
            to[i] = from[4 * i] < 255 ? (uint8_t)from[4 * i] : 255;
}

/* `room`: a plane of colours, for those of one component. */
static bool read_samples(struct gl_session *s, const struct driver_raster *f, enum gl_plane_kind kind, GLuint name,
                         uint8_t *to, size_t plane, float *room, struct driver_result *r)
{
    enum gl_plane_shader which = kind == GL_PLANE_COUNT ? GL_PLANE_COUNTS : GL_PLANE_VALUES;
    GLuint framebuffer, color;
    size_t pixels = (size_t)f->width * f->height;

    if (!use(s, which, r))
        return false;
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, name);
    if (kind != GL_PLANE_COLOR)
        glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_DEPTH_STENCIL_TEXTURE_MODE,
                        kind == GL_PLANE_COUNT ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT);
    glGenRenderbuffers(1, &color);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, (GLsizei)f->width, (GLsizei)f->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    set_plain_state(f);
    for (uint32_t i = 0; i < driver_planes(f); i++) {
        choose(s, which, i / f->samples, i % f->samples);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        read_attached(f, GL_PLANE_COLOR, kind == GL_PLANE_COLOR ? (void *)(to + i * plane) : (void *)room);
        if (kind != GL_PLANE_COLOR)
            narrow(room, pixels, kind, to + i * plane);
    }
    end(framebuffer, GL_TEXTURE_2D_MULTISAMPLE_ARRAY);
    glDeleteRenderbuffers(1, &color);
    return gl_went_well(r, "reading the samples of a framebuffer");
}

bool gl_planes_read(struct gl_session *s, const struct driver_raster *f, enum gl_plane_kind kind, uint32_t color,
                    void *to, struct driver_result *r)
{
    const struct gl_framebuffer *b = &s->framebuffer;
    size_t pixels = (size_t)f->width * f->height;
    size_t plane = kind == GL_PLANE_COLOR ? pixels * 16 : kind == GL_PLANE_DEPTH ? pixels * 4 : pixels;
    GLuint name = kind == GL_PLANE_COLOR ? b->colors[color] : b->depth_stencil;

    if (samples_of(f) == 1) {
        read_layers(f, kind, name, to, plane);
        return gl_went_well(r, "reading the layers of a framebuffer");
    }
    float *room = kind == GL_PLANE_COLOR ? NULL : malloc(pixels * 16);
    if (kind != GL_PLANE_COLOR && !room) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "reading the samples of a framebuffer");
        return false;
    }
    bool ok = read_samples(s, f, kind, name, to, plane, room, r);
    free(room);
    return ok;
}

/* ---- depths before a draw ---------------------------------------------------------------------------------- */

bool gl_planes_fill_depth(struct gl_session *s, const struct driver_raster *f, struct driver_result *r)
{
    const float *depth = f->draw->depth;
    size_t pixels = (size_t)f->width * f->height;
    GLuint framebuffer, source;

    if (!depth)
        return true;
    if (!use(s, GL_PLANE_DEPTHS, r))
        return false;
    glGenTextures(1, &source);
    glBindTexture(GL_TEXTURE_2D, source);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    set_plain_state(f);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glEnable(GL_SAMPLE_MASK);
    choose(s, GL_PLANE_DEPTHS, 0, 0);
    for (uint32_t i = 0; i < driver_planes(f); i++, depth += pixels) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, s->framebuffer.depth_stencil, 0,
                                  (GLint)(i / samples_of(f)));
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, (GLsizei)f->width, (GLsizei)f->height, 0, GL_RED, GL_FLOAT, depth);
        glSampleMaski(0, 1u << i % samples_of(f));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glSampleMaski(0, 0xffffffffu);
    glDisable(GL_SAMPLE_MASK);
    end(framebuffer, GL_TEXTURE_2D);
    glDeleteTextures(1, &source);
    return gl_went_well(r, "filling the depths of a framebuffer");
}

/* ---- where samples are ------------------------------------------------------------------------------------- */

static bool ask(uint32_t count, struct driver_samples *to)
{
    GLint samples = 0;
    GLuint framebuffer, color;

    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &color);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)count, GL_RGBA32F, 16, 16);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
        glGetIntegerv(GL_SAMPLES, &samples);
    to->count = count;
    for (uint32_t i = 0; samples == (GLint)count && i < count; i++)
        glGetMultisamplefv(GL_SAMPLE_POSITION, i, to->at[i]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &color);
    return gl_take_error() == GL_NO_ERROR && samples == (GLint)count;
}

size_t gl_planes_positions(struct driver_samples to[GL_PLANE_PATTERNS])
{
    GLint most = 0;
    size_t n = 0;

    if (!GLEW_VERSION_3_2)
        return 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    for (uint32_t count = 2; count <= RASTER_SAMPLES && count <= (uint32_t)most; count *= 2)
        if (ask(count, &to[n]))
            n++;
    return n;
}
