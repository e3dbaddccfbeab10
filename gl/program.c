/* Loading a program: the driver's own verdict on its text; and its parameters. */
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

/* Loads into a new object. True when the driver takes it; r->message is borrowed from the driver. */
static bool load(GLenum target, const struct driver_case *c, GLuint *name, struct driver_result *r)
{
    GLint position = -1, native = -1;
    if (c->program_size > INT32_MAX) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "the program is longer than glProgramStringARB can say");
        return false;
    }
    glGenProgramsARB(1, name);
    glBindProgramARB(target, *name);
    if (!gl_went_well(r, "making a program object"))
        return false;
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)c->program_size, c->program);
    GLenum error = gl_take_error();
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
    const char *message = (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB);
    r->gl_error = error;
    r->position = position;
    r->message = message ? message : "";
    if (error == GL_OUT_OF_MEMORY) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "loading the program");
        return false;
    }
    if (error != GL_NO_ERROR || position != -1) {
        gl_fail(r, DRIVER_REJECTED, "");
        return false;
    }
    glGetProgramivARB(target, GL_PROGRAM_UNDER_NATIVE_LIMITS_ARB, &native);
    r->native = gl_take_error() == GL_NO_ERROR ? native : -1;
    return true;
}

static bool stage_exists(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (c->language != DRIVER_ASSEMBLY || s->stages[c->stage].target)
        return true;
    gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no assembly programs for this stage");
    return false;
}

static void delete(enum driver_language language, GLuint name)
{
    if (language == DRIVER_ASSEMBLY)
        glDeleteProgramsARB(1, &name);
    else
        glDeleteProgram(name);
}

static bool load_any(const struct gl_session *s, const struct driver_case *c, GLuint *name, char **log,
                     struct driver_result *r)
{
    *log = NULL;
    if (c->language != DRIVER_ASSEMBLY)
        return gl_shader_load(s, c, name, log, r);
    return load(s->stages[c->stage].target, c, name, r);
}

void gl_load_only(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    GLuint name = 0;
    if (!stage_exists(s, c, r))
        return;
    gl_program_forget(s);
    load_any(s, c, &name, &s->program.message, r);      /* which lives as long as the answer needs it */
    delete(c->language, name);
}

void gl_program_forget(struct gl_session *s)
{
    if (s->program.name)
        delete(s->program.language, s->program.name);
    free(s->program.text);
    free(s->program.message);
    s->program = (struct gl_program){0};
}

static bool is_last(const struct gl_program *p, const struct driver_case *c)
{
    return p->name && p->stage == c->stage && p->language == c->language && p->size == c->program_size
           && !memcmp(p->text, c->program, p->size);
}

/* Without memory to remember it the program is simply loaded again the next time. */
static void remember(struct gl_program *p, const struct driver_case *c, const struct driver_result *r)
{
    p->stage = c->stage;
    p->native = r->native;
    p->text = malloc(c->program_size + 1);
    if (!p->message) {
        p->message = malloc(strlen(r->message) + 1);
        if (p->message)
            strcpy(p->message, r->message);
    }
    if (p->text && p->message) {
        memcpy(p->text, c->program, c->program_size);
        p->size = c->program_size;
    } else {
        p->size = SIZE_MAX;
    }
}

/* Shaders are in use for their dispatch alone. */
static void bind(const struct gl_session *s, const struct driver_case *c)
{
    if (c->language == DRIVER_ASSEMBLY)
        glBindProgramARB(s->stages[c->stage].target, s->program.name);
}

bool gl_program_load(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (!stage_exists(s, c, r))
        return false;
    if (is_last(&s->program, c)) {
        bind(s, c);
        r->native = s->program.native;
        r->message = s->program.message;
        return true;
    }
    gl_program_forget(s);
    s->program.language = c->language;
    bool loaded = load_any(s, c, &s->program.name, &s->program.message, r);
    if (!loaded) {
        delete(c->language, s->program.name);
        s->program.name = 0;
        return false;
    }
    remember(&s->program, c, r);
    r->message = s->program.message ? s->program.message : "";
    bind(s, c);
    return true;
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

static void set_env(const struct gl_session *s, GLenum target, uint32_t index, const uint32_t bits[4])
{
    GLfloat f[4];
    if (s->integer_parameters) {
        glProgramEnvParameterI4uivNV(target, index, bits);
        return;
    }
    memcpy(f, bits, sizeof f);
    glProgramEnvParameter4fvARB(target, index, f);
}

static void set_local(const struct gl_session *s, GLenum target, uint32_t index, const uint32_t bits[4])
{
    GLfloat f[4];
    if (s->integer_parameters) {
        glProgramLocalParameterI4uivNV(target, index, bits);
        return;
    }
    memcpy(f, bits, sizeof f);
    glProgramLocalParameter4fvARB(target, index, f);
}

void gl_put_parameters(const struct gl_session *s, enum driver_stage stage, const struct driver_parameter *env,
                       size_t env_count, const struct driver_parameter *local, size_t local_count, bool zero)
{
    static const uint32_t nothing[4];
    GLenum target = s->stages[stage].target;
    for (size_t i = 0; i < env_count; i++)
        set_env(s, target, env[i].index, zero ? nothing : env[i].bits);
    for (size_t i = 0; i < local_count; i++)
        set_local(s, target, local[i].index, zero ? nothing : local[i].bits);
}

void gl_set_parameters(struct gl_session *s, const struct driver_case *c)
{
    gl_put_parameters(s, c->stage, c->env, c->env_count, c->local, c->local_count, false);
}

/* Environment parameters outlive the program, and the program may outlive the case: the next one starts from
 * zero. */
void gl_reset_parameters(struct gl_session *s, const struct driver_case *c)
{
    gl_put_parameters(s, c->stage, c->env, c->env_count, c->local, c->local_count, true);
}
