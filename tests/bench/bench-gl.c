/* Work on llvmpipe: tests/bench/bench-gl.h. */
#include "tests/bench/bench-gl.h"

#include "gl/context.h"

#include <GL/glew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_gl_open(unsigned threads, char *reason, size_t size)
{
    char name[64];
    struct gl_reason why = {""};
    gl_find_fn *find;
    if (threads == 1)
        setenv("LP_NUM_THREADS", "0", 1); /* all of it in the calling thread */
    else
        unsetenv("LP_NUM_THREADS");
    if (gl_context_open("egl-surfaceless", name, sizeof name, &find, &why) != DRIVER_OPENED) {
        snprintf(reason, size, "no context opens: %s", why.text);
        return false;
    }
    if (strstr((const char *)glGetString(GL_RENDERER), "llvmpipe"))
        return true;
    snprintf(reason, size, "the driver here is another one: %s", (const char *)glGetString(GL_RENDERER));
    return false;
}

void bench_gl_name(char *name, size_t size)
{
    snprintf(name, size, "%s, %s", (const char *)glGetString(GL_RENDERER),
             (const char *)glGetString(GL_VERSION));
}

/* ---- fragment programs --------------------------------------------------------------------------------- */

static bool load_fragment(struct bench_gl *gl, const struct work *work)
{
    glGenProgramsARB(1, &gl->program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, gl->program);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)work->assembly.size,
                       work->assembly.bytes);
    glProgramLocalParameter4fvARB(GL_FRAGMENT_PROGRAM_ARB, 0, work_local);
    GLsizei side = (GLsizei)work->side;
    glGenFramebuffers(1, &gl->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glGenRenderbuffers(1, &gl->color);
    glBindRenderbuffer(GL_RENDERBUFFER, gl->color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, side, side);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, gl->color);
    glViewport(0, 0, side, side);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    return glGetError() == GL_NO_ERROR && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void draw(void)
{
    glBegin(GL_TRIANGLE_STRIP);
    for (int corner = 0; corner < 4; corner++) {
        for (int i = 0; i < WORK_ATTRIBUTES; i++)
            glMultiTexCoord4fv(GL_TEXTURE0 + (GLenum)i, work_corners[i][corner]);
        glVertex2f(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1);
    }
    glEnd();
}

/* ---- compute programs ---------------------------------------------------------------------------------- */

static bool load_compute(struct bench_gl *gl, const struct work *work, const void *in)
{
    GLint linked = 0;
    const GLchar *source = work->glsl.bytes;
    if (!GLEW_VERSION_4_3 || !source)
        return false;
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    gl->program = glCreateProgram();
    glAttachShader(gl->program, shader);
    glLinkProgram(gl->program);
    glDeleteShader(shader);
    glGetProgramiv(gl->program, GL_LINK_STATUS, &linked);
    glUseProgram(gl->program);
    glGenBuffers(2, gl->buffers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, gl->buffers[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)work->in_size, in, GL_STATIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, gl->buffers[1]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)work->out_size, NULL, GL_STREAM_READ);
    return linked && glGetError() == GL_NO_ERROR;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

bool bench_gl_load(struct bench_gl *gl, const struct work *work, const void *in)
{
    gl->fragment = work->fragment;
    gl->groups = work->groups;
    gl->side = work->side;
    return (work->fragment ? load_fragment(gl, work) : load_compute(gl, work, in)) && bench_gl_run(gl);
}

bool bench_gl_run(const struct bench_gl *gl)
{
    if (gl->fragment) {
        draw();
    } else {
        glDispatchCompute(gl->groups, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    }
    glFinish();
    return glGetError() == GL_NO_ERROR;
}

bool bench_gl_read(const struct bench_gl *gl, const struct work *work, void *out)
{
    if (gl->fragment)
        glReadPixels(0, 0, (GLsizei)gl->side, (GLsizei)gl->side, GL_RGBA, GL_FLOAT, out);
    else
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)work->out_size, out);
    return glGetError() == GL_NO_ERROR;
}

void bench_gl_unload(const struct bench_gl *gl)
{
    if (gl->fragment) {
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
        glDeleteProgramsARB(1, &gl->program);
        glDeleteFramebuffers(1, &gl->framebuffer);
        glDeleteRenderbuffers(1, &gl->color);
    } else {
        glUseProgram(0);
        glDeleteProgram(gl->program);
        glDeleteBuffers(2, gl->buffers);
    }
    glGetError();
}
