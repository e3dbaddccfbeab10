/* A compatibility context of EGL's surfaceless platform with a floating-point framebuffer of 16 x 16, for the findings.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16 };

/* Entry points that libOpenGL exports no symbol for. */
#define ENTRY(type, name) static type name
ENTRY(PFNGLPROGRAMSTRINGARBPROC, program_string);
ENTRY(PFNGLBINDPROGRAMARBPROC, bind_program);
ENTRY(PFNGLGETPROGRAMIVARBPROC, get_program);
ENTRY(PFNGLPROGRAMLOCALPARAMETER4FARBPROC, local_parameter);
ENTRY(PFNGLBINDFRAMEBUFFERPROC, bind_framebuffer);

static void entry(void *to, const char *name)
{
    void (*found)(void) = (void (*)(void))eglGetProcAddress(name);

    if (!found) {
        fprintf(stderr, "no %s\n", name);
        exit(2);
    }
    memcpy(to, &found, sizeof found);
}

static void open_context(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display;
    PFNGLGENFRAMEBUFFERSPROC gen_framebuffers;
    PFNGLFRAMEBUFFERTEXTURE2DPROC attach;
    PFNGLCLAMPCOLORPROC clamp;
    EGLDisplay display;
    EGLContext context;
    GLuint texture, framebuffer;

    entry(&get_display, "eglGetPlatformDisplayEXT");
    display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        exit(2);
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        exit(2);
    fprintf(stderr, "%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    entry(&program_string, "glProgramStringARB");
    entry(&bind_program, "glBindProgramARB");
    entry(&get_program, "glGetProgramivARB");
    entry(&local_parameter, "glProgramLocalParameter4fARB");
    entry(&bind_framebuffer, "glBindFramebuffer");
    entry(&gen_framebuffers, "glGenFramebuffers");
    entry(&attach, "glFramebufferTexture2D");
    entry(&clamp, "glClampColorARB");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SIZE, SIZE, 0, GL_RGBA, GL_FLOAT, NULL);
    gen_framebuffers(1, &framebuffer);
    bind_framebuffer(GL_FRAMEBUFFER, framebuffer);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glViewport(0, 0, SIZE, SIZE);
    clamp(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    clamp(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    clamp(GL_CLAMP_READ_COLOR, GL_FALSE);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* The byte offset of the error as the driver says it, or -1. */
static int load(GLenum target, const char *text)
{
    static GLuint name;
    GLint position;

    bind_program(target, ++name);
    program_string(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
    if (position < 0)
        glEnable(target);
    return position;
}

static void pixel(int x, int y, float rgba[4])
{
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, rgba);
}
