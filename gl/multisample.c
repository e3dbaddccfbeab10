/* Filling a multisample texture: nothing uploads samples, so each is drawn by itself, with the others masked out, from
 * a texture of integers into a view of integers: bits arrive as they are, whatever the format. */
#include "gl/textures.h"

static const char fragment_text[] =
    "#version 150 compatibility\n"
    "uniform usampler2D from;\nout uvec4 to;\n"
    "void main() { to = texelFetch(from, ivec2(gl_FragCoord.xy), 0); }\n";

/* Integers of the size of a texel. */
static const struct gl_format *integers_of(unsigned format)
{
    switch (gp5_format_info(format)->bytes) {
    case 1: return gl_format(GP5_FORMAT_R8UI);
    case 2: return gl_format(GP5_FORMAT_R16UI);
    case 4: return gl_format(GP5_FORMAT_R32UI);
    case 8: return gl_format(GP5_FORMAT_RG32UI);
    default: return gl_format(GP5_FORMAT_RGBA32UI);
    }
}

static bool has_samples(GLenum target, const struct gp5_texture *t, struct driver_result *r)
{
    GLint samples = 0;
    glGetTexLevelParameteriv(target, 0, GL_TEXTURE_SAMPLES, &samples);
    if (samples == (GLint)t->samples)
        return true;
    gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no textures of so many samples");
    return false;
}

static bool make_storage(const struct gp5_texture *t, GLuint name, struct driver_result *r)
{
    GLenum target = gl_texture_target(t->kind), format = gl_format(t->format)->internal, error;
    GLsizei n = (GLsizei)t->samples, w = (GLsizei)t->size[0], h = (GLsizei)t->size[1], d = (GLsizei)t->size[2];
    glBindTexture(target, name);
    if (t->kind == GP5_TEXTURE_2DMS)
        glTexStorage2DMultisample(target, n, format, w, h, GL_TRUE);
    else
        glTexStorage3DMultisample(target, n, format, w, h, d, GL_TRUE);
    error = gl_take_error();
    if (error != GL_NO_ERROR) {
        r->gl_error = error;
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no multisample textures of this format and so many samples");
        return false;
    }
    return has_samples(target, t, r);
}

/* Attaches a layer of the view; false when nothing can be drawn there. */
static bool attach(const struct gp5_texture *t, GLuint view, uint32_t layer, struct driver_result *r)
{
    if (t->kind == GP5_TEXTURE_2DMS)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, view, 0);
    else
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, view, 0, (GLint)layer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
        return gl_went_well(r, "drawing into a multisample texture");
    gl_fail(r, DRIVER_UNSUPPORTED, "this driver does not draw into multisample textures of this format");
    return false;
}

static void set_state(const struct gp5_texture *t)
{
    glViewport(0, 0, (GLsizei)t->size[0], (GLsizei)t->size[1]);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_DITHER);
    glEnable(GL_MULTISAMPLE);
    glEnable(GL_SAMPLE_MASK);
}

static bool fill(struct gl_session *s, const struct gp5_texture *t, const uint8_t *data, GLuint view, GLuint source,
                 struct driver_result *r)
{
    const struct gl_format *f = integers_of(t->format);
    GLsizei w = (GLsizei)t->size[0], h = (GLsizei)t->size[1];
    size_t slice = (size_t)t->size[0] * t->size[1] * gp5_format_info(t->format)->bytes;
    bool ok = true;
    glBindTexture(GL_TEXTURE_2D, source);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glUseProgram(s->filler);
    glUniform1i(glGetUniformLocation(s->filler, "from"), (GLint)t->unit);
    set_state(t);
    for (uint32_t layer = 0; ok && layer < t->size[2]; layer++) {
        ok = attach(t, view, layer, r);
        for (uint32_t i = 0; ok && i < t->samples; i++, data += slice) {
            glTexImage2D(GL_TEXTURE_2D, 0, (GLint)f->internal, w, h, 0, f->external, f->type, data);
            glSampleMaski(0, 1u << i);
            glDrawArrays(GL_TRIANGLES, 0, 3);
            ok = gl_went_well(r, "filling a multisample texture");
        }
    }
    glSampleMaski(0, 0xffffffffu);
    glDisable(GL_SAMPLE_MASK);
    glUseProgram(0);
    return ok;
}

static bool make_view(const struct gp5_texture *t, GLuint name, GLuint view, struct driver_result *r)
{
    glTextureView(view, gl_texture_target(t->kind), name, integers_of(t->format)->internal, 0, 1, 0, t->size[2]);
    return gl_went_well(r, "making a view of a multisample texture");
}

bool gl_multisample_make(struct gl_session *s, const struct gp5_texture *t, const uint8_t *data, GLuint name,
                         struct driver_result *r)
{
    GLuint textures[2], framebuffer;
    bool ok;
    if (!s->multisample || t->format == GP5_FORMAT_DEPTH32F) {
        gl_fail(r, DRIVER_UNSUPPORTED, s->multisample ? "multisample textures of depths are not filled"
                                                      : "this driver has no multisample textures and views");
        return false;
    }
    if (!s->filler)
        s->filler = gl_shader_over_viewport(fragment_text);
    if (!s->filler) {
        gl_take_error();
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver does not take the shader that fills multisample textures");
        return false;
    }
    glActiveTexture(GL_TEXTURE0 + t->unit);     /* which is this texture's alone */
    if (!make_storage(t, name, r))
        return false;
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    ok = make_view(t, name, textures[0], r) && fill(s, t, data, textures[0], textures[1], r);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, textures);
    glFinish();
    return gl_went_well(r, "filling a multisample texture") && ok;
}
