/* What experiments that speak to NVIDIA's driver themselves have in common: a context of EGL's device platform, and
 * loading a program, whose refusal is printed. */
#ifndef TESTS_EXPERIMENTS_CONTEXT_H
#define TESTS_EXPERIMENTS_CONTEXT_H

#include <GL/glew.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int open_context(void)
{
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)(void (*)(void))eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)(void (*)(void))eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDeviceEXT devices[16];
    EGLint count = 0, none[] = {EGL_NONE};

    if (!query || !get || !query(16, devices, &count))
        return 0;
    for (EGLint i = 0; i < count; i++) {
        EGLDisplay display = get(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
            continue;
        EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, none);
        if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
            continue;
        glewExperimental = GL_TRUE;
        glewInit();
        glGetError();
        printf("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
        return strstr((const char *)glGetString(GL_VENDOR), "NVIDIA") != NULL;
    }
    return 0;
}

static int load(GLenum target, const char *text)
{
    GLuint name;

    glGenProgramsARB(1, &name);
    glBindProgramARB(target, name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    if (glGetError() != GL_NO_ERROR) {
        printf("    does not load: %s\n", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
        return 0;
    }
    glEnable(target);
    return 1;
}

#endif
