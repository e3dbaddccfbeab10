/* A hidden window through GLFW: any window system that it knows. GLFW is loaded when this kind is asked for,
 * so that the worker runs on machines without it. */
#include <GL/glew.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "gl/context.h"

struct glfw {
    int (*init)(void);
    void (*terminate)(void);
    int (*get_error)(const char **description);
    void (*window_hint)(int hint, int value);
    GLFWwindow *(*create_window)(int width, int height, const char *title, GLFWmonitor *monitor,
                                 GLFWwindow *share);
    void (*make_current)(GLFWwindow *window);
};

/* dlsym gives an object pointer for a function; memcpy is the way between them that C allows. */
static bool symbol(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool load_glfw(struct glfw *g)
{
    void *library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
    return library && symbol(library, "glfwInit", &g->init) && symbol(library, "glfwTerminate", &g->terminate)
           && symbol(library, "glfwGetError", &g->get_error)
           && symbol(library, "glfwWindowHint", &g->window_hint)
           && symbol(library, "glfwCreateWindow", &g->create_window)
           && symbol(library, "glfwMakeContextCurrent", &g->make_current);
}

gl_function gl_glfw_find(const char *name)
{
    void *library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_NOLOAD);
    GLFWglproc (*get)(const char *name);
    gl_function found = library && symbol(library, "glfwGetProcAddress", &get) ? get(name) : NULL;
    if (library)
        dlclose(library);       /* load_glfw holds it */
    return found;
}

static bool fail(const struct glfw *g, const char *name, struct gl_reason *reason)
{
    const char *why = NULL;
    g->get_error(&why);
    gl_reason_add(reason, name, why ? why : "GLFW gives no reason");
    return false;
}

bool gl_glfw_open(int index, char *name, size_t size, struct gl_reason *reason)
{
    (void)index;
    struct glfw g;
    snprintf(name, size, "glfw");
    if (!load_glfw(&g)) {
        gl_reason_add(reason, name, "libglfw.so.3 is not on this machine");
        return false;
    }
    if (!g.init())
        return fail(&g, name, reason);
    g.window_hint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow *window = g.create_window(64, 64, "gp5", NULL, NULL);
    if (!window) {
        fail(&g, name, reason);
        g.terminate();
        return false;
    }
    g.make_current(window);
    return true;
}
