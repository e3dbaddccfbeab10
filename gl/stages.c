/* Shaders that stand for assembly programs (gp5 translate): the stages of a draw as one program of the GL. Parameters
 * and samplers are found by their names; where two stages have one name for different arrays, each gets its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

enum { STAGE_WORDS = 1500 };

static const struct {
    GLenum kind;
    const char *name;
} shaders[DRIVER_STAGES] = {
    [DRIVER_VERTEX] = {GL_VERTEX_SHADER, "vertex"},
    [DRIVER_TESS_CONTROL] = {GL_TESS_CONTROL_SHADER, "control"},
    [DRIVER_TESS_EVALUATION] = {GL_TESS_EVALUATION_SHADER, "evaluation"},
    [DRIVER_GEOMETRY] = {GL_GEOMETRY_SHADER, "geometry"},
    [DRIVER_FRAGMENT] = {GL_FRAGMENT_SHADER, "fragment"},
};

bool gl_stages_are(const struct driver_case *c)
{
    return c->language == DRIVER_GLSL && (c->stage == DRIVER_FRAGMENT || c->stage == DRIVER_VERTEX) && !c->load_only;
}

/* ---- compiling --------------------------------------------------------------------------------------------- */

/* The words behind #version, which give parameters and samplers the stage's names. */
static void write_words(char *text, size_t room, const char *stage)
{
    size_t at = (size_t)snprintf(text, room,
                                 "\n#define gp5_env gp5_%s_env\n#define gp5_local gp5_%s_local\n"
                                 "#define gp5_state gp5_%s_state\n", stage, stage, stage);

    for (unsigned i = 0; i < 16; i++)
        at += (size_t)snprintf(text + at, room - at, "#define gp5_texture%u gp5_%s_texture%u\n", i, stage, i);
}

static bool attach(struct gl_session *s, GLuint program, enum driver_stage stage, const char *text, size_t size,
                   struct driver_result *r)
{
    char words[STAGE_WORDS];
    const char *line = memchr(text, '\n', size);
    size_t first = line ? (size_t)(line - text) : size;
    const GLchar *parts[3] = {text, words, text + first};
    GLuint shader = glCreateShader(shaders[stage].kind);
    GLint ok = GL_FALSE;

    write_words(words, sizeof words, shaders[stage].name);
    glShaderSource(shader, 3, parts, (const GLint[]){(GLint)first, (GLint)strlen(words), (GLint)(size - first)});
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) {
        glAttachShader(program, shader);
    } else {
        char *log = gl_shader_log(shader);
        snprintf(s->message, sizeof s->message, "%s shader: %.500s", driver_stage_name(stage), log ? log : "");
        free(log);
        r->message = s->message;
        gl_fail(r, DRIVER_REJECTED, "it does not compile");
    }
    glDeleteShader(shader);     /* it lives as long as the program needs it */
    return ok == GL_TRUE;
}

static bool link_all(struct gl_session *s, GLuint program, struct driver_result *r)
{
    GLint ok = GL_FALSE;

    for (GLuint i = 0; i < 16; i++) {
        char name[32];
        snprintf(name, sizeof name, "gp5_in_attrib%u", i);
        glBindAttribLocation(program, i, name);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok != GL_TRUE) {
        char *log = gl_shader_program_log(program);
        snprintf(s->message, sizeof s->message, "%.500s", log ? log : "");
        free(log);
        r->message = s->message;
        gl_fail(r, DRIVER_REJECTED, "it does not link");
    }
    return ok == GL_TRUE;
}

static const struct driver_draw *draw_of(const struct driver_case *c)
{
    return c->raster.primitive == DRIVER_DRAW ? c->raster.draw : NULL;
}

static bool is_generic(const struct driver_raster *f)
{
    for (size_t i = 0; i < f->attribute_count; i++)
        if (f->attributes[i].kind == DRIVER_GENERIC)
            return true;
    return false;
}

bool gl_stages_feed(const struct driver_case *c)
{
    return gl_stages_are(c) && c->raster.primitive != DRIVER_DRAW && is_generic(&c->raster);
}

static bool attach_feeder(struct gl_session *s, GLuint program, const struct driver_raster *f, struct driver_result *r)
{
    static const char *const to[DRIVER_ATTRIBUTE_KINDS] = {
        [DRIVER_TEXCOORD] = "gl_TexCoord[%u]", [DRIVER_COLOR] = "gl_Front%sColor", [DRIVER_GENERIC] = "gp5_attrib%u",
        [DRIVER_FOGCOORD] = "gl_FogFragCoord"};
    char head[2000] = "#version 450 compatibility\nlayout(location = 0) in vec4 place;\n";
    char body[2000] = "void main()\n{\n    gl_Position = place;\n", text[4001];

    for (size_t i = 0; i < f->attribute_count && i < 15; i++) {
        const struct driver_attribute *a = &f->attributes[i];
        size_t h = strlen(head), b = strlen(body);
        char name[32];
        if (a->kind == DRIVER_COLOR)
            snprintf(name, sizeof name, to[a->kind], a->index ? "Secondary" : "");
        else
            snprintf(name, sizeof name, to[a->kind], (unsigned)a->index);
        snprintf(head + h, sizeof head - h, "layout(location = %zu) in vec4 in%zu;\n", i + 1, i);
        if (a->kind == DRIVER_GENERIC)
            snprintf(head + strlen(head), sizeof head - strlen(head), "layout(location = %u) out vec4 %s;\n",
                     13 + (unsigned)a->index, name);
        snprintf(body + b, sizeof body - b, "    %s = in%zu%s;\n", name, i, a->kind == DRIVER_FOGCOORD ? ".x" : "");
    }
    snprintf(text, sizeof text, "%s%s}\n", head, body);
    return attach(s, program, DRIVER_VERTEX, text, strlen(text), r);
}

/* What the shaders need before they are linked. */
static bool prepare(struct gl_session *s, GLuint program, const struct driver_case *c, struct driver_result *r)
{
    const char *names[16];

    if (c->stage == DRIVER_FRAGMENT)
        return !gl_stages_feed(c) || attach_feeder(s, program, &c->raster, r);
    if (!gl_vertices_names(c, names, r))
        return false;
    glTransformFeedbackVaryings(program, (GLsizei)c->vertices.result_count, names, GL_INTERLEAVED_ATTRIBS);
    return true;
}

/* All stages, or those before the fragments: 0 where there is none or one is not taken. */
static GLuint make(struct gl_session *s, const struct driver_case *c, bool fragments, struct driver_result *r)
{
    const struct driver_draw *d = draw_of(c);
    GLuint program = glCreateProgram();
    size_t count = d ? d->program_count : 0;
    bool ok = count || fragments;

    for (size_t i = 0; ok && i < count; i++)
        ok = attach(s, program, d->programs[i].stage, d->programs[i].text, d->programs[i].size, r);
    if (ok && fragments)
        ok = attach(s, program, c->stage, c->program, c->program_size, r) && prepare(s, program, c, r);
    if (ok && link_all(s, program, r))
        return program;
    glDeleteProgram(program);
    return 0;
}

/* ---- what they are given ----------------------------------------------------------------------------------- */

static void set_array(GLuint program, const char *stage, const char *array, const struct driver_parameter *p,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[64];
        GLfloat f[4];
        snprintf(name, sizeof name, "gp5_%s_%s[%u]", stage, array, (unsigned)p[i].index);
        memcpy(f, p[i].bits, sizeof f);
        GLint at = glGetUniformLocation(program, name);
        if (at >= 0)
            glUniform4fv(at, 1, f);
    }
}

/* A buffer of constants is a block of each stage that has it, at a point of its own. */
static void bind_block(GLuint program, enum driver_stage stage, GLuint number, GLuint buffer)
{
    char name[64];
    GLint point = 0;

    snprintf(name, sizeof name, "gp5_%s_block_buffer%u", shaders[stage].name, number);
    GLuint block = program ? glGetUniformBlockIndex(program, name) : GL_INVALID_INDEX;
    if (block == GL_INVALID_INDEX)
        return;
    glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_BINDING, &point);
    glBindBufferBase(GL_UNIFORM_BUFFER, (GLuint)point, buffer);
}

void gl_stages_bind_constants(const struct gl_session *s, const struct driver_case *c, GLuint number, GLuint buffer)
{
    const struct driver_draw *d = draw_of(c);

    bind_block(s->linked.all, c->stage, number, buffer);
    for (size_t i = 0; d && i < d->program_count; i++) {
        bind_block(s->linked.all, d->programs[i].stage, number, buffer);
        bind_block(s->linked.front, d->programs[i].stage, number, buffer);
    }
}

/* Samplers get the units of their numbers, parameters what they are without anybody. */
static void start(GLuint program)
{
    static const GLfloat zeros[1024][4];
    GLint count = 0;

    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; i++) {
        char name[64];
        GLint size;
        GLenum type;
        glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        const char *unit = strstr(name, "texture");
        GLint at = strncmp(name, "gp5_", 4) ? -1 : glGetUniformLocation(program, name);
        if (at >= 0 && type == GL_FLOAT_VEC4 && size <= 1024)
            glUniform4fv(at, size, zeros[0]);
        else if (at >= 0 && unit)
            glUniform1i(at, atoi(unit + strlen("texture")));
    }
}

static void give(GLuint program, const struct driver_case *c)
{
    const struct driver_draw *d = draw_of(c);

    if (!program)
        return;
    glUseProgram(program);
    start(program);
    set_array(program, shaders[c->stage].name, "env", c->env, c->env_count);
    set_array(program, shaders[c->stage].name, "local", c->local, c->local_count);
    for (size_t i = 0; d && i < d->program_count; i++) {
        const struct driver_program *p = &d->programs[i];
        set_array(program, shaders[p->stage].name, "env", p->env, p->env_count);
        set_array(program, shaders[p->stage].name, "local", p->local, p->local_count);
    }
    glUseProgram(0);
}

bool gl_stages_point(const struct gl_session *s, const struct driver_vertices *v, struct driver_result *r)
{
    size_t array = (size_t)v->count * 16;

    for (size_t i = 0; i < v->input_count; i++) {
        unsigned n;
        char name[32];
        GLint count = 0;
        if (sscanf(v->inputs[i].binding, "vertex.attrib[%u]", &n) != 1)
            continue;
        snprintf(name, sizeof name, "gp5_in_attrib%u", n);
        GLint at = glGetAttribLocation(s->linked.all, name);
        glGetProgramiv(s->linked.all, GL_ACTIVE_ATTRIBUTES, &count);
        for (GLint k = 0; at >= 0 && k < count; k++) {
            char other[64];
            GLint size;
            GLenum type;
            glGetActiveAttrib(s->linked.all, (GLuint)k, sizeof other, NULL, &size, &type, other);
            if (!strcmp(name, other) && type != GL_FLOAT_VEC4)
                glVertexAttribIPointer((GLuint)at, 4, type == GL_INT_VEC4 ? GL_INT : GL_UNSIGNED_INT, 16,
                                       (const void *)(uintptr_t)(array * i));
            else if (!strcmp(name, other) && (GLuint)at != n)
                glVertexAttribPointer((GLuint)at, 4, GL_FLOAT, GL_FALSE, 16, (const void *)(uintptr_t)(array * i));
            if (!strcmp(name, other))
                glEnableVertexAttribArray((GLuint)at);
        }
    }
    return gl_went_well(r, "pointing to the inputs of a shader");
}

/* ---- the case's programs ----------------------------------------------------------------------------------- */

void gl_stages_forget(struct gl_session *s)
{
    glDeleteProgram(s->linked.all);
    glDeleteProgram(s->linked.front);
    free(s->linked.text);
    s->linked = (struct gl_linked){0};
}

/* The texts of all stages, each behind its stage. NULL without memory, and where more than they decides what is linked.
 */
static char *join(const struct driver_case *c, size_t *size)
{
    const struct driver_draw *d = draw_of(c);
    size_t count = d ? d->program_count : 0, at = 0;

    *size = c->program_size + 2;
    if (c->stage != DRIVER_FRAGMENT || (!d && is_generic(&c->raster)))
        return NULL;
    for (size_t i = 0; i < count; i++)
        *size += d->programs[i].size + 1;
    char *text = malloc(*size);
    for (size_t i = 0; text && i < count; i++) {
        text[at] = (char)d->programs[i].stage;
        memcpy(text + at + 1, d->programs[i].text, d->programs[i].size);
        at += d->programs[i].size + 1;
    }
    if (text) {
        text[at] = DRIVER_FRAGMENT;
        text[at + 1] = d && d->seen_count != 0;
        if (c->program_size)
            memcpy(text + at + 2, c->program, c->program_size);
    }
    return text;
}

bool gl_stages_load(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    const struct driver_draw *d = draw_of(c);

    if (!s->stages_in_glsl) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no shaders beside the fixed function");
        return false;
    }
    size_t size;
    char *text = join(c, &size);
    if (text && s->linked.text && size == s->linked.size && !memcmp(text, s->linked.text, size)) {
        free(text);
    } else {
        gl_stages_forget(s);
        s->linked.all = make(s, c, c->program_size != 0, r);
        if (r->status == DRIVER_RAN && d && d->seen_count && c->program_size)
            s->linked.front = make(s, c, false, r);
        s->linked.text = text;
        s->linked.size = size;
        if (r->status != DRIVER_RAN)
            gl_stages_forget(s);
    }
    give(s->linked.all, c);
    give(s->linked.front, c);
    return r->status == DRIVER_RAN && gl_went_well(r, "linking the shaders");
}
