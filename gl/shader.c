/* Compute shaders: compiled or specialized, and linked alone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

typedef void get_iv(GLuint object, GLenum what, GLint *value);
typedef void get_log(GLuint object, GLsizei size, GLsizei *length, GLchar *log);

static char *copy_log(GLuint object, get_iv *iv, get_log *log)
{
    GLint size = 0;
    iv(object, GL_INFO_LOG_LENGTH, &size);
    char *text = calloc((size > 0 ? (size_t)size : 0) + 1, 1);
    if (text && size > 0)
        log(object, size, NULL, text);
    return text;
}

char *gl_shader_log(GLuint shader)
{
    return copy_log(shader, glGetShaderiv, glGetShaderInfoLog);
}

char *gl_shader_program_log(GLuint program)
{
    return copy_log(program, glGetProgramiv, glGetProgramInfoLog);
}

static bool is_compiled(GLuint shader)
{
    GLint ok = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    return ok == GL_TRUE;
}

bool gl_shader_compile(GLuint shader, const char *text, size_t size)
{
    const GLchar *source = text;
    GLint length = (GLint)size;
    glShaderSource(shader, 1, &source, &length);
    glCompileShader(shader);
    return is_compiled(shader);
}

/* One triangle over the whole viewport. */
static const char vertex_text[] =
    "#version 150 compatibility\n"
    "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n";

static GLuint compiled(GLenum type, const char *text)
{
    GLuint name = glCreateShader(type);
    if (gl_shader_compile(name, text, strlen(text)))
        return name;
    glDeleteShader(name);
    return 0;
}

GLuint gl_shader_over_viewport(const char *text)
{
    GLuint vertex = compiled(GL_VERTEX_SHADER, vertex_text), fragment = compiled(GL_FRAGMENT_SHADER, text);
    GLuint program = vertex && fragment ? glCreateProgram() : 0;
    GLint linked = GL_FALSE;

    if (program) {
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (linked)
        return program;
    glDeleteProgram(program);
    return 0;
}

static bool specialize(GLuint shader, const char *module, size_t size)
{
    glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, module, (GLsizei)size);
    if (GLEW_VERSION_4_6 && glSpecializeShader)
        glSpecializeShader(shader, "main", 0, NULL, NULL);
    else
        glSpecializeShaderARB(shader, "main", 0, NULL, NULL);
    return is_compiled(shader);
}

static bool is_linked(GLuint program, GLuint shader)
{
    GLint ok = GL_FALSE;
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glDetachShader(program, shader);
    return ok == GL_TRUE;
}

static bool make(const struct driver_case *c, GLuint shader, GLuint program, char **log, struct driver_result *r)
{
    bool compiled = c->language == DRIVER_SPIRV ? specialize(shader, c->program, c->program_size)
                                                : gl_shader_compile(shader, c->program, c->program_size);
    bool linked = compiled && is_linked(program, shader);
    *log = compiled ? gl_shader_program_log(program) : gl_shader_log(shader);
    r->message = *log ? *log : "";
    r->gl_error = gl_take_error();
    if (r->gl_error == GL_OUT_OF_MEMORY)
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "building the shader");
    else if (!linked || r->gl_error)
        gl_fail(r, DRIVER_REJECTED, compiled ? "it does not link" : "it does not compile");
    return r->status == DRIVER_RAN;
}

bool gl_shader_load(const struct gl_session *s, const struct driver_case *c, GLuint *name, char **log,
                    struct driver_result *r)
{
    *name = 0;
    *log = NULL;
    if (!s->shaders || (c->language == DRIVER_SPIRV && !s->spirv)) {
        gl_fail(r, DRIVER_UNSUPPORTED,
                s->shaders ? "this driver has no ARB_gl_spirv" : "this driver has no compute shaders");
        return false;
    }
    if (c->program_size > INT_MAX) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "the shader is longer than a call can say");
        return false;
    }
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    *name = glCreateProgram();
    bool ok = gl_went_well(r, "making a shader") && make(c, shader, *name, log, r);
    glDeleteShader(shader);
    if (!ok) {
        glDeleteProgram(*name);
        *name = 0;
    }
    return ok;
}
