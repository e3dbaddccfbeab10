#include "gl/egl.h"

#include <stdio.h>
#include <string.h>

bool gl_egl_has(const char *extensions, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = extensions; s && (s = strstr(s, name)); s += n)
        if ((s == extensions || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
            return true;
    return false;
}

gl_function gl_egl_find(const char *name)
{
    return eglGetProcAddress(name);
}

static void add_error(struct gl_reason *reason, const char *who, const char *call)
{
    char text[64];
    snprintf(text, sizeof text, "%s failed (0x%04x)", call, (unsigned)eglGetError());
    gl_reason_add(reason, who, text);
}

EGLDisplay gl_egl_display(EGLenum platform, void *native, const char *who, struct gl_reason *reason)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!get) {
        gl_reason_add(reason, who, "no eglGetPlatformDisplayEXT");
        return EGL_NO_DISPLAY;
    }
    EGLDisplay display = get(platform, native, NULL);
    if (display == EGL_NO_DISPLAY)
        add_error(reason, who, "eglGetPlatformDisplayEXT");
    return display;
}

static EGLContext create_context(EGLDisplay display, EGLConfig config)
{
    /* A GPU reset shall end the context and not leave it half alive; where that can't be had, go without. */
    static const EGLint notified[] = {
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE
    };
    static const EGLint plain[] = {
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE
    };
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, notified);
    return context == EGL_NO_CONTEXT ? eglCreateContext(display, config, EGL_NO_CONTEXT, plain) : context;
}

static bool with_display(EGLDisplay display, const char *who, struct gl_reason *reason)
{
    static const EGLint wanted[] = { EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE,
                                     EGL_NONE };
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!gl_egl_has(extensions, "EGL_KHR_surfaceless_context")) {
        gl_reason_add(reason, who, "no EGL_KHR_surfaceless_context");
        return false;
    }
    if (!eglBindAPI(EGL_OPENGL_API)) {
        add_error(reason, who, "eglBindAPI for desktop OpenGL");
        return false;
    }
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count) {
        if (!gl_egl_has(extensions, "EGL_KHR_no_config_context")) {
            gl_reason_add(reason, who, "no configuration for desktop OpenGL");
            return false;
        }
        config = NULL;
    }
    EGLContext context = create_context(display, config);
    if (context == EGL_NO_CONTEXT) {
        add_error(reason, who, "eglCreateContext");
        return false;
    }
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return true;
    add_error(reason, who, "eglMakeCurrent without a surface");
    eglDestroyContext(display, context);
    return false;
}

bool gl_egl_make_current(EGLDisplay display, const char *who, struct gl_reason *reason)
{
    if (!eglInitialize(display, NULL, NULL)) {
        add_error(reason, who, "eglInitialize");
        return false;
    }
    if (with_display(display, who, reason))
        return true;
    eglTerminate(display);
    return false;
}
