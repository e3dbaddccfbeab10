/* See translate_gl.h: the context, the framebuffer, and which way a case goes. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <string.h>

static GLuint framebuffer, colors[TG_COLORS], depth;

void tg_make_framebuffer(void)
{
    GLenum draw[TG_COLORS];

    if (framebuffer) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        return;
    }
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(TG_COLORS, colors);
    glGenRenderbuffers(1, &depth);
    for (unsigned i = 0; i < TG_COLORS; i++) {
        draw[i] = GL_COLOR_ATTACHMENT0 + i;
        glBindRenderbuffer(GL_RENDERBUFFER, colors[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, TG_SIDE, TG_SIDE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, draw[i], GL_RENDERBUFFER, colors[i]);
    }
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, TG_SIDE, TG_SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glDrawBuffers(TG_COLORS, draw);
    glViewport(0, 0, TG_SIDE, TG_SIDE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
}

bool tg_open_context(const char **renderer)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    static const EGLint attributes[] = {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                        EGL_NONE};
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;

    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    EGLContext context = eglCreateContext(display, NULL, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return false;
    *renderer = (const char *)glGetString(GL_RENDERER);
    return true;
}

bool tg_open(const char **renderer)
{
    if (!tg_open_context(renderer))
        return false;
    tg_make_framebuffer();
    return strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_vertex_program") != NULL;
}

void tg_compare(struct tg_answer *a, uint32_t x, uint32_t y, const char *what, unsigned component, unsigned round,
                unsigned k)
{
    a->words++;
    if (x == y)
        return;
    if (tg_is_nan(x) && tg_is_nan(y)) {
        a->nans++;
        return;
    }
    if (!a->differ++)
        tg_say(a, TG_DIFFERENT, "%s.%c: %08x (%g) by the program, %08x (%g) by its translation, round %u, element %u",
               what, "xyzw"[component], x, (double)tg_of_bits(x), y, (double)tg_of_bits(y), round, k);
}

void tg_run(const struct tg_case *c, struct tg_answer *a)
{
    *a = (struct tg_answer){.verdict = TG_SAME};
    tg_given()->constants = c->constants;
    glGetError();
    if (c->vertex)
        tg_run_vertex(c, a);
    else
        tg_run_fragment(c, a);
}
