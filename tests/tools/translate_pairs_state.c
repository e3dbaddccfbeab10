/* What translate_pairs_gl.c gives to a program besides its inputs from stage to stage: vertices, parameters, buffers,
 * textures and images, the same numbers for the original and for the translation; and what it takes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/translate_pairs_gl.h"

enum { WORDS = 1024, SIDE = 8, LEVELS = 4 };

static GLuint buffers[32], images[TP_RESOURCES], vertices;

/* ---- parameters ------------------------------------------------------------------------------------------------- */

/* What an element of program.local holds: the words of the uniform that stands there. */
static void words_of(const struct tp_case *c, const struct tp_uniform *u, unsigned column, uint32_t words[8])
{
    struct tp_shape s = tp_shape(u->type);
    bool is_bool = !strcmp(u->type, "bool");

    memset(words, 0, 8 * sizeof *words);
    for (unsigned k = 0; k < s.components; k++) {
        float f = tp_float(c->seed, 1, 200 + u->local + column, k);
        double d = f;
        uint64_t q = (uint64_t)tp_int(c, 1, 200 + u->local + column, k);
        if (s.kind == 'd')
            memcpy(&words[2 * k], &d, 8);
        else if (s.kind == 'q')
            memcpy(&words[2 * k], &q, 8);
        else if (s.kind == 'f' && !is_bool)
            memcpy(&words[k], &f, 4);
        else
            words[k] = is_bool ? 1 : (uint32_t)tp_int(c, 1, 200 + u->local + column, k);
    }
}

static void give_original(const struct tp_case *c, const struct tp_uniform *u, GLuint program)
{
    struct tp_shape s = tp_shape(u->type);
    GLint at = glGetUniformLocation(program, u->name);
    uint32_t words[8], all[32];
    unsigned n = s.components;

    if (at < 0)
        return;
    for (unsigned column = 0; column < s.columns; column++) {
        words_of(c, u, column * s.slots, words);
        memcpy(all + column * n * (s.kind == 'd' ? 2 : 1), words, n * (s.kind == 'd' ? 8 : 4));
    }
    words_of(c, u, 0, words);
    const GLfloat *f = (const GLfloat *)(void *)(s.columns > 1 ? all : words);
    const GLint *i = (const GLint *)words;
    const GLuint *w = words;
    if (s.columns > 1 && s.kind == 'd')
        glUniformMatrix3dv(at, 1, GL_FALSE, (const GLdouble *)(void *)all);
    else if (s.columns > 1)
        (n == 4 ? glUniformMatrix4fv : s.columns == 2 ? glUniformMatrix2x3fv : glUniformMatrix3fv)(at, 1, GL_FALSE, f);
    else if (s.kind == 'd')
        glUniform4dv(at, 1, (const GLdouble *)(void *)words);
    else if (s.kind == 'q')
        (u->type[0] == 'i' ? (void (*)(GLint, GLsizei, const void *))glUniform4i64vARB
                           : (void (*)(GLint, GLsizei, const void *))glUniform4ui64vARB)(at, 1, words);
    else if (s.kind == 'u')
        glUniform4uiv(at, 1, w);
    else if (s.kind == 'i' || !strcmp(u->type, "bool"))
        (n == 1 ? glUniform1iv : n == 2 ? glUniform2iv : glUniform4iv)(at, 1, i);
    else
        (n == 1 ? glUniform1fv : n == 2 ? glUniform2fv : n == 3 ? glUniform3fv : glUniform4fv)(at, 1, f);
}

static void give_parameters(const struct tp_case *c, const struct tp_side *side, GLuint program)
{
    static uint32_t local[64][4];
    static const char *const blocks[] = {"vertex", "control", "evaluation", "geometry", "fragment", "compute"};
    char name[64];

    memset(local, 0, sizeof local);
    for (const struct tp_uniform *u = c->uniforms; u && u->name; u++) {
        struct tp_shape s = tp_shape(u->type);
        for (unsigned column = 0; column < s.columns; column++) {
            uint32_t words[8];
            words_of(c, u, column * s.slots, words);
            memcpy(local[u->local + column * s.slots], words, 16 * s.slots);
        }
        if (!side->translated)
            give_original(c, u, program);
    }
    if (!side->translated)
        return;
    float half[64 * 4]; /* the places of samples are the state that they read */
    for (unsigned i = 0; i < sizeof half / sizeof *half; i++)
        half[i] = 0.5f;
    GLint at = glGetUniformLocation(program, "gp5_state"), size = 0;
    const char *rows = strstr(side->text, "gp5_state[");
    if (at >= 0 && rows)
        glUniform4fv(at, atoi(rows + 10), half);
    at = glGetUniformLocation(program, "gp5_local");
    if (at >= 0) {
        char *text = strstr(side->text, "gp5_local[");
        size = text ? atoi(text + 10) : 0;
        glUniform4fv(at, size, (const GLfloat *)(void *)local);
    }
    snprintf(name, sizeof name, "gp5_%s_block_local", blocks[c->stage]);
    GLuint index = glGetUniformBlockIndex(program, name);
    if (index != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, index, 80);
        glBindBuffer(GL_UNIFORM_BUFFER, buffers[31]);
        glBufferData(GL_UNIFORM_BUFFER, sizeof local, local, GL_DYNAMIC_DRAW);
        glBindBufferBase(GL_UNIFORM_BUFFER, 80, buffers[31]);
    }
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "gp5_%s_subroutine[%d]", blocks[c->stage], i);
        at = glGetUniformLocation(program, name);
        if (at >= 0)
            glUniform1i(at, i % 3);
    }
}

/* The numbers of the original's subroutines are those of the labels: their order in the text. */
static void choose_subroutines(const struct tp_case *c, GLuint program)
{
    static const GLenum stages[] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                    GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
    static const char *const functions[] = {"f2", "f1", "f0"}; /* SUBROUTINENUM 0 1 2: BB7 BB9 BB11 */
    GLuint chosen[8] = {0};
    GLint n = 0;

    glGetProgramStageiv(program, stages[c->stage], GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS, &n);
    if (n <= 0 || n > 8)
        return;
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, i ? "v[%d]" : "u", i - 1);
        GLint at = glGetSubroutineUniformLocation(program, stages[c->stage], name);
        if (at >= 0 && at < 8)
            chosen[at] = glGetSubroutineIndex(program, stages[c->stage], functions[i % 3]);
    }
    glUniformSubroutinesuiv(stages[c->stage], n, chosen);
}

/* ---- buffers ---------------------------------------------------------------------------------------------------- */

static void give_blocks(const struct tp_case *c, const struct tp_side *side, GLuint program)
{
    static uint32_t words[16384];
    static const char *const stage[] = {"vertex", "control", "evaluation", "geometry", "fragment", "compute"};
    unsigned n = 0;

    for (const struct tp_block *b = c->blocks; b && b->name; b++, n++) {
        char name[64];
        GLenum target = b->storage ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER;
        size_t size = b->storage ? WORDS * 4 : sizeof words;
        for (unsigned i = 0; i < size / 4; i++) {
            float f = tp_float(c->seed, i % 256, 300 + b->number, i % 4);
            /* Programs of io.x take whole numbers from the first eight vectors, floats from the next eight. */
            if ((c->ints || b->kind == 'o') && !(b->kind == 'o' && i >= 32))
                words[i] = (uint32_t)tp_int(c, i, 300 + b->number, 0);
            else if (!b->storage && i >= 96 && i < 100)
                words[i] = (uint32_t)tp_int(c, i, 300 + b->number, 0);
            else
                memcpy(&words[i], &f, 4);
        }
        glBindBuffer(target, buffers[n]);
        glBufferData(target, (GLsizeiptr)size, words, GL_DYNAMIC_COPY);
        glBindBufferBase(target, 40 + n, buffers[n]);
        if (!side->translated)
            snprintf(name, sizeof name, "%s", b->name);
        else if (b->storage)
            snprintf(name, sizeof name, "gp5_block_storage%u", b->number);
        else
            snprintf(name, sizeof name, "gp5_%s_block_buffer%u", stage[c->stage], b->number);
        if (b->storage) {
            GLuint index = glGetProgramResourceIndex(program, GL_SHADER_STORAGE_BLOCK, name);
            if (index != GL_INVALID_INDEX)
                glShaderStorageBlockBinding(program, index, 40 + n);
        } else {
            GLuint index = glGetUniformBlockIndex(program, name);
            if (index != GL_INVALID_INDEX)
                glUniformBlockBinding(program, index, 40 + n);
        }
    }
}

/* ---- textures and images ---------------------------------------------------------------------------------------- */

static const struct {
    const char *type;
    GLenum target;
    unsigned dimensions;
    bool layers;
} kinds[] = {{"1D", GL_TEXTURE_1D, 1, false},
             {"2D", GL_TEXTURE_2D, 2, false},
             {"3D", GL_TEXTURE_3D, 3, false},
             {"Cube", GL_TEXTURE_CUBE_MAP, 2, false},
             {"2DRect", GL_TEXTURE_RECTANGLE, 2, false},
             {"1DArray", GL_TEXTURE_1D_ARRAY, 2, false},
             {"2DArray", GL_TEXTURE_2D_ARRAY, 3, false},
             {"CubeArray", GL_TEXTURE_CUBE_MAP_ARRAY, 3, false},
             {"Buffer", GL_TEXTURE_BUFFER, 0, false},
             {"2DMS", GL_TEXTURE_2D_MULTISAMPLE, 2, false},
             {"2DMSArray", GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 3, false}};

static const struct {
    const char *format;
    GLenum internal, pixel, type;
    unsigned bytes;
} formats[] = {{"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16},
               {"rgba32i", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16},
               {"rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
               {"rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8},
               {"r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4},
               {"r32i", GL_R32I, GL_RED_INTEGER, GL_INT, 4},
               {"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
               {"rgba8_snorm", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4},
               {"rg16", GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 4},
               {"r11f_g11f_b10f", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4},
               {"rgb10_a2ui", GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, 4},
               {"depth", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4}};

static unsigned kind_of(const char *type)
{
    char name[32];
    const char *at = strstr(type, "sampler");

    snprintf(name, sizeof name, "%s", at ? at + 7 : strstr(type, "image") + 5);
    char *shadow = strstr(name, "Shadow");
    if (shadow)
        *shadow = 0;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].type, name))
            return i;
    return 1;
}

static unsigned format_of(const struct tp_resource *r)
{
    const char *name = strstr(r->type, "Shadow")                ? "depth"
                       : *r->format                             ? r->format
                       : r->type[0] == 'i' && r->type[1] != 'm' ? "rgba32i"
                       : r->type[0] == 'u'                      ? "rgba32ui"
                                                                : "rgba32f";

    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].format, name))
            return i;
    return 0;
}

static void fill(const struct tp_case *c, unsigned k, unsigned f, uint32_t *texels, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t h = tp_hash(c->seed, (uint32_t)i, 400 + k, 0);
        float value = (float)(h % 1024) / 1024.0f;
        if (formats[f].type == GL_FLOAT)
            memcpy(&texels[i], &value, 4);
        else if (formats[f].type == GL_HALF_FLOAT) /* between 1 and 2 */
            texels[i] = 0x3c003c00u | (h & 0x03ff03ffu);
        else if (formats[f].type == GL_UNSIGNED_INT_10F_11F_11F_REV)
            texels[i] = 0x781e03c0u | (h & 0x07c0f83fu);
        else
            texels[i] = formats[f].pixel == GL_RGBA || formats[f].pixel == GL_RG ? h : h % 256;
    }
}

/* All samples of all layers. */
static void clear_samples(GLuint texture, bool integers)
{
    static const GLfloat color[4] = {0.25f, 0.5f, 0.75f, 0.125f};
    static const GLuint words[4] = {3, 5, 7, 9};
    GLint before;
    GLuint framebuffer;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    if (integers)
        glClearBufferuiv(GL_COLOR, 0, words);
    else
        glClearBufferfv(GL_COLOR, 0, color);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
    glDeleteFramebuffers(1, &framebuffer);
}

static GLuint make_texture(const struct tp_case *c, unsigned k)
{
    static uint32_t texels[SIDE * SIDE * 12 * 4];
    const struct tp_resource *r = &c->resources[k];
    unsigned kind = kind_of(r->type), f = format_of(r);
    GLenum target = kinds[kind].target;
    GLuint name, buffer;
    bool one = target == GL_TEXTURE_RECTANGLE || strstr(r->type, "image");
    GLsizei levels = one ? 1 : LEVELS;

    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0 + 30);
    glBindTexture(target, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    fill(c, k, f, texels, sizeof texels / 4);
    if (target == GL_TEXTURE_BUFFER) {
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_TEXTURE_BUFFER, buffer);
        glBufferData(GL_TEXTURE_BUFFER, 64 * formats[f].bytes, texels, GL_DYNAMIC_COPY);
        glTexBuffer(GL_TEXTURE_BUFFER, formats[f].internal, buffer);
        return name;
    }
    if (target == GL_TEXTURE_2D_MULTISAMPLE)
        glTexStorage2DMultisample(target, 4, formats[f].internal, SIDE, SIDE, GL_TRUE);
    else if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        glTexStorage3DMultisample(target, 4, formats[f].internal, SIDE, SIDE, 4, GL_TRUE);
    else if (kinds[kind].dimensions == 1)
        glTexStorage1D(target, levels, formats[f].internal, SIDE);
    else if (kinds[kind].dimensions == 2)
        glTexStorage2D(target, levels, formats[f].internal, SIDE, SIDE);
    else
        glTexStorage3D(target, levels, formats[f].internal, SIDE, SIDE,
                       target == GL_TEXTURE_CUBE_MAP_ARRAY ? 12 : SIDE);
    if (target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY) {
        clear_samples(name, formats[f].pixel == GL_RGBA_INTEGER);
        return name;
    }
    for (GLint level = 0; level < levels; level++) {
        GLsizei n = SIDE >> level;
        const uint32_t *at = texels + 7 * level;
        if (target == GL_TEXTURE_CUBE_MAP)
            for (unsigned face = 0; face < 6; face++)
                glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, 0, 0, n, n, formats[f].pixel,
                                formats[f].type, at + 11 * face);
        else if (kinds[kind].dimensions == 1)
            glTexSubImage1D(target, level, 0, n, formats[f].pixel, formats[f].type, at);
        else if (kinds[kind].dimensions == 2)
            glTexSubImage2D(target, level, 0, 0, n, target == GL_TEXTURE_1D_ARRAY ? SIDE : n, formats[f].pixel,
                            formats[f].type, at);
        else
            glTexSubImage3D(target, level, 0, 0, 0, n, n,
                            target == GL_TEXTURE_CUBE_MAP_ARRAY ? 12
                            : target == GL_TEXTURE_3D           ? n
                                                                : SIDE,
                            formats[f].pixel, formats[f].type, at);
    }
    if (target != GL_TEXTURE_RECTANGLE)
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    else
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    if (strstr(r->type, "Shadow")) {
        glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(target, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
    }
    return name;
}

/* What the translation says that a handle of program.local is called, and the format that an image is bound in: words
 * of a texel where the instruction takes words. */
static void give_resource(const struct tp_case *c, const struct tp_side *side, GLuint program, unsigned k)
{
    const struct tp_resource *r = &c->resources[k];
    unsigned f = format_of(r), unit = k, image = 0;
    bool is_image = strstr(r->type, "image") != NULL;
    char binding[32];

    images[k] = make_texture(c, k);
    if (!is_image) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(kinds[kind_of(r->type)].target, images[k]);
    }
    if (!side->translated) {
        GLint at = glGetUniformLocation(program, r->name);
        glUniform1i(at, (GLint)unit);
        if (is_image)
            glBindImageTexture(unit, images[k], 0, GL_TRUE, 0, GL_READ_WRITE, formats[f].internal);
        return;
    }
    snprintf(binding, sizeof binding, "program.local[%u].xy", r->local);
    for (size_t i = 0; i < side->ngiven; i++) {
        const struct tp_given *g = &side->given[i];
        if (strcmp(g->binding, binding) || g->image != is_image)
            continue;
        GLint at = glGetUniformLocation(program, g->name);
        if (!is_image) {
            glUniform1i(at, (GLint)unit);
            continue;
        }
        GLenum internal = formats[f].internal;
        if (g->format[0] && strstr(g->format, "ui"))
            internal = formats[f].bytes == 4 ? GL_R32UI : formats[f].bytes == 8 ? GL_RG32UI : GL_RGBA32UI;
        glUniform1i(at, (GLint)(2 * unit + image));
        glBindImageTexture(2 * unit + image++, images[k], 0, GL_TRUE, 0, GL_READ_WRITE, internal);
    }
}

static void take_image(const struct tp_case *c, struct tp_result *out, unsigned k)
{
    static uint32_t texels[SIDE * SIDE * 12 * 4];
    const struct tp_resource *r = &c->resources[k];
    unsigned kind = kind_of(r->type), f = format_of(r);
    GLenum target = kinds[kind].target;

    if (!strstr(r->type, "image") || target == GL_TEXTURE_2D_MULTISAMPLE || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY ||
        target == GL_TEXTURE_BUFFER)
        return;
    memset(texels, 0, sizeof texels);
    glActiveTexture(GL_TEXTURE0 + 30);
    glBindTexture(target, images[k]);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (unsigned face = 0; face < (target == GL_TEXTURE_CUBE_MAP ? 6u : 1u); face++)
        glGetTexImage(target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : target, 0,
                      formats[f].pixel, formats[f].type, texels + 128 * face);
    for (unsigned i = 0; i < 1024; i++)
        if (out->n < TP_WORDS) {
            out->kinds[out->n] = formats[f].type == GL_FLOAT ? 'f' : 'i';
            out->words[out->n++] = texels[i];
        }
}

/* ---- vertices --------------------------------------------------------------------------------------------------- */

static void give_vertices(const struct tp_case *c)
{
    static uint32_t words[16][TP_VERTICES][8];
    char *at = NULL;

    for (unsigned slot = 0; slot < 16; slot++)
        glDisableVertexAttribArray(slot);
    if (c->stage != TP_VERTEX)
        return;
    glBindBuffer(GL_ARRAY_BUFFER, vertices);
    for (const struct tp_port *p = c->inputs; p->name; p++) {
        struct tp_shape s = tp_shape(p->type);
        for (unsigned e = 0; e < tp_elements(p); e++)
            for (unsigned v = 0; v < TP_VERTICES; v++)
                for (unsigned k = 0; k < s.components; k++) {
                    float f = tp_float(c->seed, v, p->slot + e, k);
                    double d = f;
                    uint64_t q = (uint64_t)tp_int(c, v, p->slot + e, k);
                    uint32_t *to = words[p->slot + e][v];
                    if (s.kind == 'd')
                        memcpy(to + 2 * k, &d, 8);
                    else if (s.kind == 'q')
                        memcpy(to + 2 * k, &q, 8);
                    else if (s.kind == 'f')
                        memcpy(to + k, &f, 4);
                    else
                        to[k] = (uint32_t)tp_int(c, v, p->slot + e, k);
                }
        for (unsigned e = 0; e < tp_elements(p); e++) {
            GLuint slot = p->slot + e;
            const void *pointer = at + slot * sizeof words[0];
            if (s.kind == 'd' || s.kind == 'q')
                glVertexAttribLPointer(slot, (GLint)s.components, GL_DOUBLE, 32, pointer);
            else if (s.kind == 'f')
                glVertexAttribPointer(slot, (GLint)s.components, GL_FLOAT, GL_FALSE, 32, pointer);
            else
                glVertexAttribIPointer(slot, (GLint)s.components, s.kind == 'u' ? GL_UNSIGNED_INT : GL_INT, 32,
                                       pointer);
            glEnableVertexAttribArray(slot);
        }
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof words, words, GL_DYNAMIC_DRAW);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* Built-ins of the fixed functions: the same state for both. */
static void give_state(const struct tp_case *c)
{
    float m[16];

    for (unsigned mode = 0; mode < 3; mode++) {
        glActiveTexture(GL_TEXTURE1);
        glMatrixMode((GLenum[]){GL_MODELVIEW, GL_PROJECTION, GL_TEXTURE}[mode]);
        for (unsigned i = 0; i < 16; i++)
            m[i] = tp_float(c->seed, 0, 500 + mode, i) / 8 + (i % 5 ? 0.0f : 1.0f);
        /* Symmetric: Mesa's gl_NormalMatrix beside gl_ModelViewMatrixInverseTranspose is of the transposed one. */
        for (unsigned i = 0; i < 16; i++)
            m[i] = m[i / 4 < i % 4 ? i : i % 4 * 4 + i / 4];
        glLoadMatrixf(m);
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 4; k++)
            m[k] = tp_float(c->seed, 0, 510 + i, k);
        glLightfv(GL_LIGHT0 + i, GL_DIFFUSE, m);
        glLightfv(GL_LIGHT0 + i, GL_SPECULAR, m);
        glLightfv(GL_LIGHT0 + i, GL_POSITION, m);
        glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, m);
        glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, m);
        glLightf(GL_LIGHT0 + i, GL_SPOT_CUTOFF, 30.0f + (float)i);
    }
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 12.5f);
    glFogfv(GL_FOG_COLOR, m);
    glFogf(GL_FOG_START, 0.25f);
    glFogf(GL_FOG_END, 2.25f);
    glPointSize(3);
    for (unsigned unit = 0; unit < 4; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, m);
        glTexGenfv(GL_S, GL_OBJECT_PLANE, m);
        glTexGenfv(GL_T, GL_EYE_PLANE, m);
    }
    double plane[4] = {1.5, -0.5, 0.25, 2};
    glClipPlane(GL_CLIP_PLANE3, plane);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, m);
}

void tp_give(const struct tp_case *c, const struct tp_side *side, GLuint program)
{
    if (!vertices) {
        glGenBuffers(1, &vertices);
        glGenBuffers(32, buffers);
    }
    give_state(c);
    give_parameters(c, side, program);
    if (!side->translated)
        choose_subroutines(c, program);
    give_blocks(c, side, program);
    for (unsigned k = 0; k < c->nresources; k++)
        give_resource(c, side, program, k);
    give_vertices(c);
}

void tp_take(const struct tp_case *c, struct tp_result *out)
{
    unsigned n = 0;
    static uint32_t words[WORDS];

    for (const struct tp_block *b = c->blocks; b && b->name; b++, n++) {
        if (!b->storage)
            continue;
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[n]);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof words, words);
        for (unsigned i = 0; i < WORDS && out->n < TP_WORDS; i++) {
            /* Invocation i reads vectors i and 2 i and writes 2 i + 1: of 4 and 6 nobody writes what they read. */
            out->kinds[out->n] = b->kind == 'o' ? i / 4 == 9 || i / 4 == 13 ? 'f' : 'l' : b->kind;
            out->words[out->n++] = words[i];
        }
    }
    for (unsigned k = 0; k < c->nresources; k++)
        take_image(c, out, k);
    glDeleteTextures((GLsizei)c->nresources, images);
}
