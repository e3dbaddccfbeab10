#include "gl/context.h"

#include <GL/glew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct gl_context_kind kinds[] = {     /* in the order in which auto tries them */
    { "egl-device", gl_egl_device_open, gl_egl_find },
    { "egl-surfaceless", gl_egl_surfaceless_open, gl_egl_find },
    { "glfw", gl_glfw_open, gl_glfw_find },
};

void gl_reason_add(struct gl_reason *reason, const char *who, const char *why)
{
    size_t used = strlen(reason->text);
    snprintf(reason->text + used, sizeof reason->text - used, "%s%s: %s", used ? "; " : "", who, why);
}

/* Without an X display GLEW says so after it has loaded every GL function; that alone is no failure. */
static bool load_functions(const char *name, struct gl_reason *reason)
{
    glewExperimental = GL_TRUE;
    GLenum error = glewInit();
    if (error != GLEW_OK && error != GLEW_ERROR_NO_GLX_DISPLAY) {
        gl_reason_add(reason, name, (const char *)glewGetErrorString(error));
        return false;
    }
    while (glGetError() != GL_NO_ERROR && error != GL_CONTEXT_LOST)
        error = GL_CONTEXT_LOST;        /* GLEW may leave an error behind: take it, never loop */
    if (!GLEW_VERSION_3_0) {
        gl_reason_add(reason, name, "its OpenGL is older than 3.0");
        return false;
    }
    return true;
}

/* "egl" stands for every kind that begins with it, "egl-device:2" for one device of a kind. */
static bool matches(const char *wanted, const char *kind, int *index)
{
    *index = -1;
    if (!strcmp(wanted, "auto") || !strcmp(wanted, kind))
        return true;
    if (!strcmp(wanted, "egl"))
        return !strncmp(kind, "egl-", 4);
    size_t n = strlen(kind);
    if (strncmp(wanted, kind, n) || wanted[n] != ':' || strcmp(kind, "egl-device"))
        return false;
    char *end;
    long v = strtol(wanted + n + 1, &end, 10);
    if (wanted[n + 1] < '0' || wanted[n + 1] > '9' || *end || v > 1000)
        return false;
    *index = (int)v;
    return true;
}

enum driver_open_status gl_context_open(const char *wanted, char *name, size_t size, gl_find_fn **find,
                                        struct gl_reason *reason)
{
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int index;
        if (!matches(wanted, kinds[i].name, &index))
            continue;
        known = true;
        *find = kinds[i].find;
        if (kinds[i].open(index, name, size, reason) && load_functions(name, reason))
            return DRIVER_OPENED;
    }
    if (!known)
        gl_reason_add(reason, wanted, "no such kind of context");
    return known ? DRIVER_NO_CONTEXT : DRIVER_BAD_OPTION;
}
