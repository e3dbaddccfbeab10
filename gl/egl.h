/* What the EGL kinds of context share. */
#ifndef GP5_GL_EGL_H
#define GP5_GL_EGL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl/context.h"

bool gl_egl_has(const char *extensions, const char *name);

/* A platform's display; EGL_NO_DISPLAY and a reason when there is none. */
EGLDisplay gl_egl_display(EGLenum platform, void *native, const char *who, struct gl_reason *reason);

/* Makes a compatibility context of the highest version current, without a surface. Closes the display on
 * failure. */
bool gl_egl_make_current(EGLDisplay display, const char *who, struct gl_reason *reason);

#endif
