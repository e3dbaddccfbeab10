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

static void load_texture(struct bench_gl *gl, bool mipmapped)
{
    const uint8_t *texels = mipmapped ? work_levels() : work_texels();

    glGenTextures(1, &gl->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, gl->texture);
    for (GLsizei level = 0, side = WORK_TEXELS; level < (mipmapped ? WORK_LEVELS : 1); level++, side /= 2) {
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        texels += (size_t)side * (size_t)side * 4;
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmapped ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

static bool load_fragment(struct bench_gl *gl, const struct work *work)
{
    if (work->textured)
        load_texture(gl, work->mipmapped);
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

/* ---- vertex programs ----------------------------------------------------------------------------------- */

/* Points that are not rasterised: the vertex stage, and what it takes to end behind it. */
static bool load_vertex(struct bench_gl *gl, const struct work *work, const void *in)
{
    size_t array = (size_t)work->vertices * 16;

    glGenProgramsARB(1, &gl->program);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, gl->program);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)work->assembly.size,
                       work->assembly.bytes);
    glProgramLocalParameter4fvARB(GL_VERTEX_PROGRAM_ARB, 0, work_local);
    glGenFramebuffers(1, &gl->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glGenRenderbuffers(1, &gl->color);
    glBindRenderbuffer(GL_RENDERBUFFER, gl->color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, gl->color);
    glViewport(0, 0, 4, 4);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glGenBuffers(1, gl->buffers);
    glBindBuffer(GL_ARRAY_BUFFER, gl->buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)work->in_size, in, GL_STATIC_DRAW);
    glVertexPointer(4, GL_FLOAT, 0, NULL);
    glNormalPointer(GL_FLOAT, 16, (const void *)array);
    glClientActiveTexture(GL_TEXTURE0);
    glTexCoordPointer(4, GL_FLOAT, 0, (const void *)(2 * array));
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glEnable(GL_VERTEX_PROGRAM_ARB);
    glEnable(GL_RASTERIZER_DISCARD);
    return glGetError() == GL_NO_ERROR;
}

/* The same draw again, with a shader behind it that gives what the program made to a buffer. */
static bool read_vertices(const struct bench_gl *gl, const struct work *work, void *out)
{
    static const char *const source =
        "#version 150 compatibility\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\nout vec4 a, b;\n"
        "void main() { a = gl_in[0].gl_Position; b = gl_in[0].gl_FrontColor; EmitVertex(); }\n";
    static const char *const varyings[] = {"a", "gl_NextBuffer", "b"};
    GLuint shader = glCreateShader(GL_GEOMETRY_SHADER), program = glCreateProgram(), made;

    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(program, shader);
    glTransformFeedbackVaryings(program, 3, varyings, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
    glGenBuffers(1, &made);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, made);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)work->out_size, NULL, GL_STREAM_READ);
    for (GLuint i = 0; i < 2; i++)
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, i, made, (GLintptr)(work->out_size / 2 * i),
                          (GLsizeiptr)(work->out_size / 2));
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)gl->vertices);
    glEndTransformFeedback();
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)work->out_size, out);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteShader(shader);
    glDeleteBuffers(1, &made);
    return glGetError() == GL_NO_ERROR;
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
    *gl = (struct bench_gl){.fragment = work->fragment, .vertex = work->vertex, .groups = work->groups,
                            .side = work->side, .vertices = work->vertices};
    return (work->fragment ? load_fragment(gl, work) : work->vertex ? load_vertex(gl, work, in)
                                                                    : load_compute(gl, work, in)) &&
           bench_gl_run(gl);
}

bool bench_gl_run(const struct bench_gl *gl)
{
    if (gl->fragment) {
        draw();
    } else if (gl->vertex) {
        glDrawArrays(GL_POINTS, 0, (GLsizei)gl->vertices);
    } else {
        glDispatchCompute(gl->groups, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    }
    glFinish();
    return glGetError() == GL_NO_ERROR;
}

bool bench_gl_first(struct bench_gl *gl, const struct work *work)
{
    float pixel[4];

    glDeleteProgramsARB(1, &gl->program);
    glGenProgramsARB(1, &gl->program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, gl->program);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)work->assembly.size,
                       work->assembly.bytes);
    draw();
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    return glGetError() == GL_NO_ERROR;
}

bool bench_gl_read(const struct bench_gl *gl, const struct work *work, void *out)
{
    if (gl->vertex)
        return read_vertices(gl, work, out);
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
        glDeleteTextures(1, &gl->texture);
    } else if (gl->vertex) {
        glDisable(GL_RASTERIZER_DISCARD);
        glDisable(GL_VERTEX_PROGRAM_ARB);
        glDisableClientState(GL_VERTEX_ARRAY);
        glDisableClientState(GL_NORMAL_ARRAY);
        glDisableClientState(GL_TEXTURE_COORD_ARRAY);
        glDeleteProgramsARB(1, &gl->program);
        glDeleteFramebuffers(1, &gl->framebuffer);
        glDeleteRenderbuffers(1, &gl->color);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glDeleteBuffers(1, gl->buffers);
    } else {
        glUseProgram(0);
        glDeleteProgram(gl->program);
        glDeleteBuffers(2, gl->buffers);
    }
    glGetError();
}
