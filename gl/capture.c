/* GLSL to a program binary: one stage, linked alone as a separable program. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

static bool link(GLuint program, GLuint shader)
{
    GLint ok = GL_FALSE;
    glProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(program, shader);
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

void gl_capture(const struct gl_session *s, const struct capture_source *source, struct capture_result *r,
                char **log, void **blob)
{
    static const GLenum types[DRIVER_STAGES] = {
        [DRIVER_VERTEX] = GL_VERTEX_SHADER, [DRIVER_TESS_CONTROL] = GL_TESS_CONTROL_SHADER,
        [DRIVER_TESS_EVALUATION] = GL_TESS_EVALUATION_SHADER, [DRIVER_GEOMETRY] = GL_GEOMETRY_SHADER,
        [DRIVER_FRAGMENT] = GL_FRAGMENT_SHADER, [DRIVER_COMPUTE] = GL_COMPUTE_SHADER
    };
    *r = (struct capture_result){ .status = CAPTURE_FAILED, .log = "", .detail = "" };
    *log = NULL;
    *blob = NULL;
    if (!is_possible(s, r))
        return;
    GLuint shader = glCreateShader(types[source->stage]);
    GLuint program = glCreateProgram();
    if (gl_take_error() != GL_NO_ERROR || !shader || !program || source->size > INT_MAX) {
        r->status = CAPTURE_FAILED;
        r->detail = "this driver makes no shader of this stage";
    } else if (!gl_shader_compile(shader, source->text, source->size)) {
        *log = gl_shader_log(shader);
        r->status = CAPTURE_NOT_COMPILED;
    } else if (!link(program, shader)) {
        *log = gl_shader_program_log(program);
        r->status = CAPTURE_NOT_LINKED;
    } else {
        *log = gl_shader_program_log(program);
        read_binary(program, r, blob);
    }
    r->log = *log ? *log : "";
    glDeleteProgram(program);
    glDeleteShader(shader);
    gl_take_error();
}
