/* GLSL to a program binary: one stage, linked alone as a separable program, or several stages linked together. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

static bool link(GLuint program, bool separable)
{
    GLint ok = GL_FALSE;
    glProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, separable);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    return ok == GL_TRUE;
}

static void read_binary(GLuint program, struct capture_result *r, void **blob)
{
    GLint size = 0;
    GLsizei got = 0;
    GLenum format = 0;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    r->status = CAPTURE_NO_BINARY;
    if (size <= 0)
        return;
    *blob = malloc((size_t)size);
    if (!*blob) {
        r->status = CAPTURE_FAILED;
        r->detail = "no memory for the program binary";
        return;
    }
    glGetProgramBinary(program, size, &got, &format, *blob);
    if (gl_take_error() != GL_NO_ERROR || got <= 0)
        return;
    r->status = CAPTURE_LINKED;
    r->format = format;
    r->blob = *blob;
    r->blob_size = (size_t)got;
}

static bool is_possible(const struct gl_session *s, struct capture_result *r)
{
    GLint formats = 0;
    if (s->binaries)
        glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    r->status = CAPTURE_NO_BINARY;
    return formats > 0 && gl_take_error() == GL_NO_ERROR;
}

/* Compiles a source and attaches it; the shader lives as long as the program then. */
static bool attach(GLuint program, const struct capture_source *source, struct capture_result *r, char **log)
{
    static const GLenum types[DRIVER_STAGES] = {
        [DRIVER_VERTEX] = GL_VERTEX_SHADER, [DRIVER_TESS_CONTROL] = GL_TESS_CONTROL_SHADER,
        [DRIVER_TESS_EVALUATION] = GL_TESS_EVALUATION_SHADER, [DRIVER_GEOMETRY] = GL_GEOMETRY_SHADER,
        [DRIVER_FRAGMENT] = GL_FRAGMENT_SHADER, [DRIVER_COMPUTE] = GL_COMPUTE_SHADER
    };
    GLuint shader = glCreateShader(types[source->stage]);
    bool ok = false;
    if (gl_take_error() != GL_NO_ERROR || !shader || source->size > INT_MAX) {
        r->status = CAPTURE_FAILED;
        r->detail = "this driver makes no shader of this stage";
    } else if (!gl_shader_compile(shader, source->text, source->size)) {
        *log = gl_shader_log(shader);
        r->status = CAPTURE_NOT_COMPILED;
    } else {
        glAttachShader(program, shader);
        ok = true;
    }
    glDeleteShader(shader);
    return ok;
}

static void build(GLuint program, const struct capture_program *p, struct capture_result *r, struct gl_captured *made)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (!attach(program, &p->sources[i], r, &made->log))
            return;
    bool linked = link(program, p->count == 1);
    made->log = gl_shader_program_log(program);
    if (!linked) {
        r->status = CAPTURE_NOT_LINKED;
        return;
    }
    read_binary(program, r, &made->blob);
    if (p->count > 1)
        made->names = gl_program_names(program);
}

void gl_capture(const struct gl_session *s, const struct capture_program *program, struct capture_result *r,
                struct gl_captured *made)
{
    *made = (struct gl_captured){0};
    *r = (struct capture_result){ .status = CAPTURE_FAILED, .log = "", .detail = "", .names = "" };
    if (!is_possible(s, r))
        return;
    GLuint name = glCreateProgram();
    build(name, program, r, made);
    r->log = made->log ? made->log : "";
    r->names = made->names ? made->names : "";
    glDeleteProgram(name);
    gl_take_error();
}

void gl_captured_free(struct gl_captured *made)
{
    free(made->log);
    free(made->names);
    free(made->blob);
}
