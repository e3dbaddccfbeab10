/* Shaders and programs of a case: GLSL, or SPIR-V that glslangValidator makes of it; ARB programs; uniforms. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <EGL/egl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/script/data.h"
#include "gp5.h"

void tg_say(struct tg_answer *a, int verdict, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    a->verdict = verdict;
    vsnprintf(a->text, sizeof a->text, format, list);
    va_end(list);
}

static GLuint finish(GLuint shader, struct tg_answer *a)
{
    GLint ok = 0;
    char log[1500] = "";

    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        return shader;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    tg_say(a, TG_NOT_COMPILED, "%s", log);
    glDeleteShader(shader);
    return 0;
}

GLuint tg_compile(GLenum stage, const char *text, size_t size, struct tg_answer *a)
{
    GLuint shader = glCreateShader(stage);
    GLint length = (GLint)size;

    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    return finish(shader, a);
}

/* ---- SPIR-V ----------------------------------------------------------------------------------------------------- */

static const char *end_of(GLenum stage)
{
    return stage == GL_VERTEX_SHADER ? "vert" : stage == GL_GEOMETRY_SHADER ? "geom" : "frag";
}

/* By glslangValidator, as gp5 translate does it. The file's text is what it said where there is no module. */
static char *module_of(const char *folder, GLenum stage, const char *text, size_t size, size_t *length, bool *made)
{
    char command[400], path[200];
    const char *error;

    snprintf(path, sizeof path, "%s/shader.%s", folder, end_of(stage));
    FILE *f = fopen(path, "wb");
    *made = f && fwrite(text, 1, size, f) == size;
    if (f && fclose(f) != 0)
        *made = false;
    snprintf(command, sizeof command, "glslangValidator -G -o '%s/module' '%s' >'%s/said' 2>&1", folder, path, folder);
    *made = *made && system(command) == 0;
    snprintf(path, sizeof path, "%s/%s", folder, *made ? "module" : "said");
    char *bytes = data_read_file(path, SIZE_MAX, length, &error);
    static const char *const names[] = {"module", "said", "shader.vert", "shader.geom", "shader.frag"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    rmdir(folder);
    return bytes;
}

GLuint tg_specialize(GLenum stage, const char *text, size_t size, struct tg_answer *a)
{
    PFNGLSPECIALIZESHADERARBPROC specialize =
        (PFNGLSPECIALIZESHADERARBPROC)eglGetProcAddress("glSpecializeShaderARB");
    char folder[] = "/tmp/gp5-spirv-XXXXXX";
    size_t length = 0;
    bool made = false;
    char *bytes = mkdtemp(folder) ? module_of(folder, stage, text, size, &length, &made) : NULL;

    if (!made || !specialize || !bytes) {
        tg_say(a, TG_NOT_COMPILED, "no module: %.*s", bytes ? (int)length : 0, bytes ? bytes : "");
        gp5_free(bytes);
        return 0;
    }
    GLuint shader = glCreateShader(stage);
    glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V_ARB, bytes, (GLsizei)length);
    specialize(shader, "main", 0, NULL, NULL);
    gp5_free(bytes);
    return finish(shader, a);
}

bool tg_has_modules(void)
{
    const char *extensions = (const char *)glGetString(GL_EXTENSIONS);

    return strstr(extensions, "GL_ARB_gl_spirv") && system("glslangValidator --version >/dev/null 2>&1") == 0;
}

GLuint tg_shader(const struct tg_case *c, GLenum stage, const char *text, size_t size, struct tg_answer *a)
{
    return c && c->modules ? tg_specialize(stage, text, size, a) : tg_compile(stage, text, size, a);
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

bool tg_compiles(bool vertex, const char *glsl, size_t size, char *log, size_t room)
{
    struct tg_answer a = {0};
    GLuint shader = tg_compile(vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER, glsl, size, &a);

    if (shader)
        glDeleteShader(shader);
    else
        snprintf(log, room, "%s", a.text);
    return shader != 0;
}

GLuint tg_make_program(const struct tg_parts *p, struct tg_answer *a)
{
    GLuint program = glCreateProgram();
    GLint ok = 0;
    char log[1500] = "";

    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, p->separable);
    for (unsigned i = 0; i < 2; i++)
        if (p->shaders[i])
            glAttachShader(program, p->shaders[i]);
    for (size_t i = 0; p->inputs && i < p->inputs->ninputs; i++)
        glBindAttribLocation(program, (GLuint)p->inputs->inputs[i].location, p->inputs->inputs[i].name);
    glBindAttribLocation(program, TG_PLACE, "place");
    if (p->nvaryings)
        glTransformFeedbackVaryings(program, (GLsizei)p->nvaryings, p->varyings, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok)
        return program;
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    tg_say(a, TG_NOT_COMPILED, "link: %s", log);
    glDeleteProgram(program);
    return 0;
}

GLuint tg_load_arb(GLenum target, const char *text, size_t size, struct tg_answer *a)
{
    GLuint name;

    glGenProgramsARB(1, &name);
    glBindProgramARB(target, name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)size, text);
    if (glGetError() == GL_NO_ERROR)
        return name;
    tg_say(a, TG_NOT_TAKEN, "%s", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    glDeleteProgramsARB(1, &name);
    return 0;
}

void tg_set_uniforms(const struct tg_case *c, GLuint program)
{
    static float block[4096][4];
    const char *current = "";
    static GLuint buffers[3];
    GLuint index = 0;
    size_t filled = 0, used = 0;

    if (!buffers[0])
        glGenBuffers(3, buffers);
    for (size_t i = 0; i <= c->nparameters; i++) {
        const struct tg_parameter *p = i < c->nparameters ? &c->parameters[i] : NULL;
        if (filled && (!p || strcmp(current, p->name))) {
            const struct tg_parameter *last = &c->parameters[i - 1];
            if (last->block[0]) {
                GLuint point = c->modules ? (GLuint)last->point : (GLuint)used; /* modules need have no names */
                index = c->modules ? GL_INVALID_INDEX : glGetUniformBlockIndex(program, last->block);
                glBindBuffer(GL_UNIFORM_BUFFER, buffers[used]);
                glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)(filled * 16), block, GL_STREAM_DRAW);
                glBindBufferBase(GL_UNIFORM_BUFFER, point, buffers[used++]);
                if (index != GL_INVALID_INDEX)
                    glUniformBlockBinding(program, index, point);
            } else {
                glUseProgram(program);
                GLint place = glGetUniformLocation(program, last->name);
                if (place >= 0)
                    glUniform4fv(place, (GLsizei)filled, block[0]);
                glUseProgram(0);
            }
            filled = 0;
        }
        if (!p)
            break;
        current = p->name;
        unsigned n;
        if (sscanf(p->binding, "program.env[%u]", &n) == 1 && n < TG_PARAMETERS)
            memcpy(block[filled++], tg_given()->env[n], 16);
        else if (sscanf(p->binding, "program.local[%u]", &n) == 1 && n < TG_PARAMETERS)
            memcpy(block[filled++], tg_given()->local[n], 16);
        else if (filled < 4096)
            filled += tg_ask(p->binding, block[filled]) ? 1 : 1;
    }
    glUseProgram(program);
    for (size_t i = 0; i < c->nsamplers && !c->modules; i++)
        glUniform1i(glGetUniformLocation(program, c->samplers[i].name), (GLint)c->samplers[i].unit);
    if (c->hidden)
        glUniform1fv(glGetUniformLocation(program, "gp5_x_number"), (GLsizei)c->hidden->count, c->hidden->number);
    glUseProgram(0);
    glGetError();
}

/* With the location that the translation says, where it does. */
size_t tg_declare_port(const struct tg_case *c, const char *direction, const char *name, const char *type,
                       const char *brackets, char *text, size_t size)
{
    char location[40] = "";

    for (size_t i = 0; c && c->locations && i < c->ninputs; i++)
        if (!strcmp(c->inputs[i].name, name))
            snprintf(location, sizeof location, "layout(location = %d) ", c->inputs[i].location);
    for (size_t i = 0; c && c->locations && i < c->noutputs; i++)
        if (!strcmp(c->outputs[i].name, name))
            snprintf(location, sizeof location, "layout(location = %d) ", c->outputs[i].location);
    return (size_t)snprintf(text, size, "%s%s %s %s%s;\n", location, direction, type, name, brackets);
}
