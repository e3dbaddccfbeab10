/* Where the inputs of a linked GLSL program stand: a line for each attribute, uniform and block of uniforms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

struct names {
    char *text;
    size_t size, room;
    bool failed;
};

static void put(struct names *n, const char *line)
{
    size_t size = strlen(line);
    if (!n->failed && n->size + size + 1 > n->room) {
        size_t room = (n->size + size + 1) * 2;
        char *grown = realloc(n->text, room);
        n->failed = !grown;
        n->text = grown ? grown : n->text;
        n->room = grown ? room : n->room;
    }
    if (n->failed)
        return;
    memcpy(n->text + n->size, line, size + 1);
    n->size += size;
}

static GLint count_of(GLuint program, GLenum what)
{
    GLint count = 0;
    glGetProgramiv(program, what, &count);
    return count;
}

static void put_attributes(struct names *n, GLuint program)
{
    char name[256], line[320];
    GLint count = count_of(program, GL_ACTIVE_ATTRIBUTES), size;
    GLenum type;
    for (GLint i = 0; i < count; i++) {
        glGetActiveAttrib(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        GLint at = glGetAttribLocation(program, name);
        if (at < 0)
            continue;           /* it has a conventional attribute, as gl_Vertex */
        snprintf(line, sizeof line, "attribute %d %s\n", at, name);
        put(n, line);
    }
}

/* In the default block by location, elsewhere by block and byte. */
static void put_uniforms(struct names *n, GLuint program)
{
    static const GLenum asked[] = { GL_UNIFORM_BLOCK_INDEX, GL_UNIFORM_OFFSET, GL_UNIFORM_ARRAY_STRIDE,
                                    GL_UNIFORM_MATRIX_STRIDE, GL_UNIFORM_IS_ROW_MAJOR };
    char name[256], line[400];
    GLint count = count_of(program, GL_ACTIVE_UNIFORMS), size;
    GLenum type;
    for (GLuint i = 0; i < (GLuint)count; i++) {
        GLint v[5] = { -1, -1, 0, 0, 0 };
        glGetActiveUniform(program, i, sizeof name, NULL, &size, &type, name);
        for (unsigned k = 0; GLEW_VERSION_3_1 && k < 5; k++)
            glGetActiveUniformsiv(program, 1, &i, asked[k], &v[k]);
        if (v[0] < 0)
            snprintf(line, sizeof line, "uniform %d %s type 0x%x size %d\n", glGetUniformLocation(program, name), name,
                     type, size);
        else
            snprintf(line, sizeof line, "member %d %d %s type 0x%x size %d stride %d matrix %d%s\n", v[0], v[1],
                     name, type, size, v[2], v[3], v[4] ? " rows" : "");
        put(n, line);
    }
}

static void put_blocks(struct names *n, GLuint program)
{
    char name[256], line[320];
    GLint count = GLEW_VERSION_3_1 ? count_of(program, GL_ACTIVE_UNIFORM_BLOCKS) : 0;
    for (GLint i = 0; i < count; i++) {
        GLint binding = 0;
        glGetActiveUniformBlockName(program, (GLuint)i, sizeof name, NULL, name);
        glGetActiveUniformBlockiv(program, (GLuint)i, GL_UNIFORM_BLOCK_BINDING, &binding);
        snprintf(line, sizeof line, "block %d buffer %d %s\n", i, binding, name);
        put(n, line);
    }
}

char *gl_program_names(GLuint program)
{
    struct names n = {0};
    put_attributes(&n, program);
    put_uniforms(&n, program);
    put_blocks(&n, program);
    gl_take_error();
    return n.text;
}
