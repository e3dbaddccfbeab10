/* EGL's surfaceless platform: Mesa without any window system. */
#include <stdio.h>

#include "gl/egl.h"

bool gl_egl_surfaceless_open(int index, char *name, size_t size, struct gl_reason *reason)
{
    (void)index;
    snprintf(name, size, "egl-surfaceless");
    if (!gl_egl_has(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless")) {
        gl_reason_add(reason, name, "no EGL_MESA_platform_surfaceless");
        return false;
    }
    EGLDisplay display = gl_egl_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, name, reason);
    return display != EGL_NO_DISPLAY && gl_egl_make_current(display, name, reason);
}
