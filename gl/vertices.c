/* Vertices: a program of a stage before the rasteriser over arrays, its results captured. With NV_transform_feedback
 * the driver captures them from the last program itself; elsewhere a geometry shader of ours behind a vertex program
 * passes them on, bit by bit. The program under test is never changed; those beside it are the case's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

enum { TEXT = 4096, MOST_RESULTS = 16 };

/* ---- inputs -------------------------------------------------------------------------------------------- */

/* The array that the bytes from `at` of the buffer are, by the name of the input. */
bool gl_point_to(const char *binding, const void *at)
{
    unsigned n;

    if (!strcmp(binding, "vertex.position")) {
        glVertexPointer(4, GL_FLOAT, 16, at);
        glEnableClientState(GL_VERTEX_ARRAY);
    } else if (!strcmp(binding, "vertex.normal")) {
        glNormalPointer(GL_FLOAT, 16, at);
        glEnableClientState(GL_NORMAL_ARRAY);
    } else if (!strcmp(binding, "vertex.color")) {
        glColorPointer(4, GL_FLOAT, 16, at);
        glEnableClientState(GL_COLOR_ARRAY);
    } else if (!strcmp(binding, "vertex.color.secondary")) {
        glSecondaryColorPointer(3, GL_FLOAT, 16, at);
        glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    } else if (!strcmp(binding, "vertex.fogcoord")) {
        glFogCoordPointer(GL_FLOAT, 16, at);
        glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    } else if (sscanf(binding, "vertex.texcoord[%u]", &n) == 1 && n < 8) {
        glClientActiveTexture(GL_TEXTURE0 + n);
        glTexCoordPointer(4, GL_FLOAT, 16, at);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    } else if (sscanf(binding, "vertex.attrib[%u]", &n) == 1 && n < 16) {
        glVertexAttribPointer(n, 4, GL_FLOAT, GL_FALSE, 16, at);
        glEnableVertexAttribArray(n);
    } else {
        return false;
    }
    return true;
}

static bool give_inputs(const struct gl_session *s, const struct driver_vertices *v, struct driver_result *r)
{
    size_t array = (size_t)v->count * 16;

    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(array * (v->input_count + 1)), NULL, GL_STREAM_DRAW);
    for (size_t i = 0; i < v->input_count; i++) {
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(array * i), (GLsizeiptr)array, v->inputs[i].data);
        if (!gl_point_to(v->inputs[i].binding, (const void *)(uintptr_t)(array * i))) {
            gl_fail(r, DRIVER_UNSUPPORTED, "an input that no array of the GL is");
            return false;
        }
    }
    return gl_went_well(r, "giving the vertices");
}

void gl_take_inputs_back(void)
{
    static const GLenum arrays[] = {
         GL_VERTEX_ARRAY, GL_NORMAL_ARRAY, GL_COLOR_ARRAY, GL_SECONDARY_COLOR_ARRAY, GL_FOG_COORDINATE_ARRAY };

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        glDisableClientState(arrays[i]);
    for (unsigned n = 0; n < 8; n++) {
        glClientActiveTexture(GL_TEXTURE0 + n);
        glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    }
    for (unsigned n = 0; n < 16; n++)
        glDisableVertexAttribArray(n);
}

/* ---- results ------------------------------------------------------------------------------------------- */

/* How each way of capturing names a result, and how many components it has: a shader that stands for the program has
 * the names of a translation. GLEW has no GL_LAYER_NV. */
static const struct result {
    const char *binding, *in_shader;
    GLint attribute, index, components;
} results[] = {
    { "result.position", "gl_Position", GL_POSITION, 0, 4 },
    { "result.color", "gl_FrontColor", GL_PRIMARY_COLOR, 0, 4 },
    { "result.color.secondary", "gl_FrontSecondaryColor", GL_SECONDARY_COLOR_NV, 0, 4 },
    { "result.color.back", "gl_BackColor", GL_BACK_PRIMARY_COLOR_NV, 0, 4 },
    { "result.color.back.secondary", "gl_BackSecondaryColor", GL_BACK_SECONDARY_COLOR_NV, 0, 4 },
    { "result.fogcoord", "gl_FogFragCoord", GL_FOG_COORDINATE, 0, 1 },
    { "result.pointsize", "gl_PointSize", GL_POINT_SIZE, 0, 1 },
    { "result.texcoord[0]", "gl_TexCoord[0]", GL_TEXTURE_COORD_NV, 0, 4 },
    { "result.texcoord[1]", "gl_TexCoord[1]", GL_TEXTURE_COORD_NV, 1, 4 },
    { "result.texcoord[2]", "gl_TexCoord[2]", GL_TEXTURE_COORD_NV, 2, 4 },
    { "result.texcoord[3]", "gl_TexCoord[3]", GL_TEXTURE_COORD_NV, 3, 4 },
    { "result.texcoord[4]", "gl_TexCoord[4]", GL_TEXTURE_COORD_NV, 4, 4 },
    { "result.texcoord[5]", "gl_TexCoord[5]", GL_TEXTURE_COORD_NV, 5, 4 },
    { "result.texcoord[6]", "gl_TexCoord[6]", GL_TEXTURE_COORD_NV, 6, 4 },
    { "result.texcoord[7]", "gl_TexCoord[7]", GL_TEXTURE_COORD_NV, 7, 4 },
    { "result.attrib[0]", "gp5_attrib0", GL_GENERIC_ATTRIB_NV, 0, 4 },
    { "result.attrib[1]", "gp5_attrib1", GL_GENERIC_ATTRIB_NV, 1, 4 },
    { "result.attrib[2]", "gp5_attrib2", GL_GENERIC_ATTRIB_NV, 2, 4 },
    { "result.attrib[3]", "gp5_attrib3", GL_GENERIC_ATTRIB_NV, 3, 4 },
    { "result.attrib[4]", "gp5_attrib4", GL_GENERIC_ATTRIB_NV, 4, 4 },
    { "result.attrib[5]", "gp5_attrib5", GL_GENERIC_ATTRIB_NV, 5, 4 },
    { "result.attrib[6]", "gp5_attrib6", GL_GENERIC_ATTRIB_NV, 6, 4 },
    { "result.attrib[7]", "gp5_attrib7", GL_GENERIC_ATTRIB_NV, 7, 4 },
    { "result.attrib[8]", "gp5_attrib8", GL_GENERIC_ATTRIB_NV, 8, 4 },
    { "result.attrib[9]", "gp5_attrib9", GL_GENERIC_ATTRIB_NV, 9, 4 },
    { "result.attrib[10]", "gp5_attrib10", GL_GENERIC_ATTRIB_NV, 10, 4 },
    { "result.attrib[11]", "gp5_attrib11", GL_GENERIC_ATTRIB_NV, 11, 4 },
    { "result.attrib[12]", "gp5_attrib12", GL_GENERIC_ATTRIB_NV, 12, 4 },
    { "result.attrib[13]", "gp5_attrib13", GL_GENERIC_ATTRIB_NV, 13, 4 },
    { "result.attrib[14]", "gp5_attrib14", GL_GENERIC_ATTRIB_NV, 14, 4 },
    { "result.attrib[15]", "gp5_attrib15", GL_GENERIC_ATTRIB_NV, 15, 4 },
    { "result.clip[0]", "gl_ClipDistance[0]", GL_CLIP_DISTANCE_NV, 0, 1 },
    { "result.clip[1]", "gl_ClipDistance[1]", GL_CLIP_DISTANCE_NV, 1, 1 },
    { "result.clip[2]", "gl_ClipDistance[2]", GL_CLIP_DISTANCE_NV, 2, 1 },
    { "result.clip[3]", "gl_ClipDistance[3]", GL_CLIP_DISTANCE_NV, 3, 1 },
    { "result.clip[4]", "gl_ClipDistance[4]", GL_CLIP_DISTANCE_NV, 4, 1 },
    { "result.clip[5]", "gl_ClipDistance[5]", GL_CLIP_DISTANCE_NV, 5, 1 },
    { "result.primid", NULL, GL_PRIMITIVE_ID_NV, 0, 1 }, { "result.layer", NULL, 0x8daa, 0, 1 },
};

static bool find_results(const struct driver_vertices *v, const struct result *found[MOST_RESULTS],
                         struct driver_result *r)
{
    for (size_t i = 0; i < v->result_count; i++) {
        size_t k = 0;
        while (k < sizeof results / sizeof *results && strcmp(results[k].binding, v->results[i]))
            k++;
        if (k == sizeof results / sizeof *results || i == MOST_RESULTS) {
            gl_fail(r, DRIVER_UNSUPPORTED, "a result that is not captured, or more than 16");
            return false;
        }
        found[i] = &results[k];
    }
    return true;
}

/* What is captured stands vertex by vertex. */
static GLint words_of(const struct result *const *found, size_t count, bool by_shader)
{
    GLint words = 0;

    for (size_t i = 0; i < count; i++)
        words += by_shader ? 4 : found[i]->components;
    return words;
}

/* ---- the shader that passes results on ------------------------------------------------------------------ */

static bool write_shader(const struct result *const *found, size_t count, char *text)
{
    size_t n = (size_t)snprintf(
        text, TEXT, "#version 150 compatibility\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\n");

    for (size_t i = 0; i < count; i++) {
        const char *name = found[i]->in_shader;
        if (!name || strncmp(name, "gl_", 3) || !strncmp(name, "gl_Clip", 7))
            return false;
        n += (size_t)snprintf(text + n, TEXT - n, "out vec4 r%zu;\n", i);
    }
    n += (size_t)snprintf(text + n, TEXT - n, "void main()\n{\n");
    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, TEXT - n,
                              found[i]->components == 1 ? "    r%zu = vec4(gl_in[0].%s, 0, 0, 0);\n"
                                                        : "    r%zu = gl_in[0].%s;\n", i, found[i]->in_shader);
    snprintf(text + n, TEXT - n, "    EmitVertex();\n}\n");
    return true;
}

static GLuint make_shader(const struct result *const *found, size_t count, struct driver_result *r)
{
    char text[TEXT], names[MOST_RESULTS][24];
    const char *varyings[MOST_RESULTS], *source = text;
    GLint linked = 0;

    if (!write_shader(found, count, text)) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver gives no result.attrib of a vertex program to a shader");
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "r%zu", i);
        varyings[i] = names[i];
    }
    GLuint shader = glCreateShader(GL_GEOMETRY_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(program, shader);
    glTransformFeedbackVaryings(program, (GLsizei)count, varyings, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    glDeleteProgram(program);
    gl_take_error();
    gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no geometry shader behind a vertex program");
    return 0;
}

/* ---- the draw ------------------------------------------------------------------------------------------ */

static const GLenum assemblies[DRIVER_ASSEMBLIES] = {
    [DRIVER_VERTEX_POINTS] = GL_POINTS, [DRIVER_VERTEX_LINES] = GL_LINES, [DRIVER_VERTEX_TRIANGLES] = GL_TRIANGLES,
    [DRIVER_VERTEX_LINES_ADJACENCY] = GL_LINES_ADJACENCY,
    [DRIVER_VERTEX_TRIANGLES_ADJACENCY] = GL_TRIANGLES_ADJACENCY, [DRIVER_VERTEX_PATCHES] = GL_PATCHES
};

static GLuint draw_by_driver(const struct result *const *found, const struct driver_vertices *v, GLuint buffer)
{
    GLint attributes[3 * MOST_RESULTS];
    GLuint query, primitives = 0;

    for (size_t i = 0; i < v->result_count; i++) {
        attributes[3 * i] = found[i]->attribute;
        attributes[3 * i + 1] = found[i]->components;
        attributes[3 * i + 2] = found[i]->index;
    }
    glGenQueries(1, &query);
    glTransformFeedbackAttribsNV((GLsizei)v->result_count, attributes, GL_INTERLEAVED_ATTRIBS_NV);
    glBindBufferBaseNV(GL_TRANSFORM_FEEDBACK_BUFFER_NV, 0, buffer);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedbackNV(assemblies[v->captured]);
    glDrawArrays(assemblies[v->assembly], 0, (GLsizei)v->count);
    glEndTransformFeedbackNV();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glBindBufferBaseNV(GL_TRANSFORM_FEEDBACK_BUFFER_NV, 0, 0);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
    glDeleteQueries(1, &query);
    return primitives * (1 + (GLuint)v->captured);
}

static void draw_by_shader(GLuint program, const struct driver_vertices *v, GLuint buffer)
{
    glUseProgram(program);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)v->count);
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glUseProgram(0);
}

/* What is captured of a shader that stands for the program: names of its results. */
bool gl_vertices_names(const struct driver_case *c, const char *names[16], struct driver_result *r)
{
    const struct result *found[MOST_RESULTS];

    if (!find_results(&c->vertices, found, r))
        return false;
    for (size_t i = 0; i < c->vertices.result_count; i++)
        if (!(names[i] = found[i]->in_shader)) {
            gl_fail(r, DRIVER_UNSUPPORTED, "a result that is not captured of a shader");
            return false;
        }
    return true;
}

/* The programs beside the case's, and which stages are switched on. */
static bool bind_beside(const struct gl_session *s, const struct driver_case *c, GLuint names[DRIVER_FRAGMENT],
                        struct driver_result *r)
{
    for (unsigned i = 0; i < DRIVER_FRAGMENT; i++) {
        const char *text = c->vertices.beside[i];
        GLenum target = s->stages[i].target;
        if (i == c->stage) {
            glEnable(target);
            continue;
        }
        if (!text || !*text)
            continue;
        if (!target) {
            gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no assembly programs for a stage beside the program's");
            return false;
        }
        glGenProgramsARB(1, &names[i]);
        glBindProgramARB(target, names[i]);
        glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
        if (gl_take_error() != GL_NO_ERROR) {
            gl_fail(r, DRIVER_UNSUPPORTED, "this driver refuses a program beside the case's");
            return false;
        }
        glEnable(target);
    }
    if (c->vertices.assembly == DRIVER_VERTEX_PATCHES) {
        GLfloat levels[6];
        memcpy(levels, c->vertices.levels, sizeof levels);
        glPatchParameteri(GL_PATCH_VERTICES, (GLint)c->vertices.patch_vertices);
        glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
        glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels + 4);
    }
    return gl_went_well(r, "preparing the stages");
}

static void take_beside_back(const struct gl_session *s, GLuint names[DRIVER_FRAGMENT])
{
    for (unsigned i = 0; i < DRIVER_FRAGMENT; i++) {
        if (s->stages[i].target)
            glDisable(s->stages[i].target);
        if (names[i])
            glDeleteProgramsARB(1, &names[i]);
    }
}

bool gl_vertices_draw(struct gl_session *s, const struct driver_case *c, struct gl_vertices *out,
                      struct driver_result *r)
{
    static const struct driver_raster pixel = { .width = 1, .height = 1, .color_outputs = 1 };
    const struct driver_vertices *v = &c->vertices;
    const struct result *found[MOST_RESULTS];
    bool shaders = gl_stages_are(c), by_shader = !shaders && !gl_has(s, "GL_NV_transform_feedback");
    GLuint program = 0, beside[DRIVER_FRAGMENT] = {0};

    if (by_shader && c->stage != DRIVER_VERTEX) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no NV_transform_feedback");
        return false;
    }
    if (!find_results(v, found, r) || !gl_framebuffer_bind(s, &pixel, r) ||
        (by_shader && !(program = make_shader(found, v->result_count, r))))
        return false;
    out->words = (uint32_t)words_of(found, v->result_count, by_shader);
    for (size_t i = 0; i < v->result_count; i++)
        out->components[i] = by_shader ? 4 : (uint8_t)found[i]->components;
    out->count = v->count;
    glGenBuffers(1, &out->buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, out->buffer);
    size_t room = v->most ? v->most : v->count;
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)(room * out->words * 4), NULL, GL_DYNAMIC_READ);
    bool ok = give_inputs(s, v, r) && (shaders ? gl_stages_point(s, v, r) : bind_beside(s, c, beside, r));
    if (ok) {
        glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
        glEnable(GL_RASTERIZER_DISCARD);
        if (shaders || by_shader)
            draw_by_shader(shaders ? s->linked.all : program, v, out->buffer);
        else
            out->count = draw_by_driver(found, v, out->buffer);
        if (s->barriers)
            glMemoryBarrier(GL_ALL_BARRIER_BITS);
        glDisable(GL_RASTERIZER_DISCARD);
        glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
        glFinish();
        ok = gl_went_well(r, "drawing the vertices");
    }
    if (ok && !v->most && out->count != v->count) {
        gl_fail(r, DRIVER_GL_ERROR, "not a vertex each was captured");
        ok = false;
    }
    glDeleteProgram(program);
    take_beside_back(s, beside);
    gl_take_inputs_back();
    gl_take_error();
    return ok;
}

/* Each result by itself, four words a vertex; what the GL has no component for is 0. */
bool gl_vertices_put(const struct driver_case *c, const struct gl_vertices *got, struct wire_out *out,
                     struct driver_result *r)
{
    size_t count = got->count, at = 0;
    uint32_t *words = malloc(count * got->words * 4 + 4);

    if (!words) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "reading the vertices back");
        return false;
    }
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, got->buffer);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)(count * got->words * 4), words);
    wire_put_u32(out, (uint32_t)c->vertices.result_count);
    for (size_t i = 0; i < c->vertices.result_count; at += got->components[i++]) {
        wire_put_u32(out, (uint32_t)i);
        uint32_t *to = wire_put_space(out, count * 16);
        for (size_t k = 0; to && k < count; k++)
            for (unsigned m = 0; m < 4; m++) {
                uint32_t word = m < got->components[i] ? words[k * got->words + at + m] : 0;
                memcpy((uint8_t *)to + (4 * k + m) * 4, &word, 4);
            }
    }
    free(words);
    return gl_went_well(r, "reading the vertices back");
}

void gl_vertices_free(struct gl_vertices *v)
{
    glDeleteBuffers(1, &v->buffer);
}
