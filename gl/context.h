/* GL contexts: one file a kind, one table of them. */
#ifndef GP5_GL_CONTEXT_H
#define GP5_GL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/driver/driver.h"

/* Why something did not open; the newest reason is kept after those before it. */
struct gl_reason {
    char text[1024];
};

void gl_reason_add(struct gl_reason *reason, const char *who, const char *why);

/* A function of the current context that GLEW does not know; NULL where it is not there. */
typedef void (*gl_function)(void);
typedef gl_function gl_find_fn(const char *name);

/* A kind of context makes one current. `index` picks the device, -1 any; `name` is what it opened. What it
 * opened stays open until the process ends; what it could not use it closes. */
struct gl_context_kind {
    const char *name;
    bool (*open)(int index, char *name, size_t size, struct gl_reason *reason);
    gl_find_fn *find;
};

bool gl_egl_device_open(int index, char *name, size_t size, struct gl_reason *reason);
bool gl_egl_surfaceless_open(int index, char *name, size_t size, struct gl_reason *reason);
bool gl_glfw_open(int index, char *name, size_t size, struct gl_reason *reason);
gl_function gl_egl_find(const char *name);
gl_function gl_glfw_find(const char *name);

/* Opens what `wanted` names (see struct driver_options) and loads the GL functions; *find looks for others. */
enum driver_open_status gl_context_open(const char *wanted, char *name, size_t size, gl_find_fn **find,
                                        struct gl_reason *reason);

#endif
