/* See translate_pairs.h. What stands before the tested stage is made up from its inputs, the same numbers for both
 * programs; results are captured, or written into a buffer at the end of main. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_pairs.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/translate_gl.h"
#include "tests/tools/translate_pairs_gl.h"

static const GLenum stages[] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};

bool tp_open(const char **renderer)
{
    GLuint framebuffer;

    if (!tg_open_context(renderer))
        return false;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, TP_SIDE);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, TP_SIDE);
    glViewport(0, 0, TP_SIDE, TP_SIDE);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glEnable(GL_CLIP_DISTANCE0);
    return true;
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static GLuint compile(GLenum stage, const char *text, char *why, size_t room)
{
    GLuint shader = glCreateShader(stage);
    GLint ok = 0;

    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        return shader;
    char log[4000] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    const char *error = strstr(log, "error");
    snprintf(why, room, "%s", error ? error : log);
    if (getenv("TP_SHOW"))
        fprintf(stderr, "%s\n%s\n", text, log);
    glDeleteShader(shader);
    return 0;
}

bool tp_compiles(enum tp_stage stage, const char *text, char *log, size_t room)
{
    GLuint shader = compile(stages[stage], text, log, room);

    if (shader)
        glDeleteShader(shader);
    return shader != 0;
}

static bool attach(GLuint program, GLenum stage, const char *text, char *why, size_t room)
{
    GLuint shader = compile(stage, text, why, room);

    if (!shader)
        return false;
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return true;
}

/* The names that are captured, one stream's behind the other's; doubles first, which are to be aligned. */
static void capture(GLuint program, const struct tp_case *c, const struct tp_side *side, struct tp_captured *cap)
{
    static char names[96][64];
    const char *list[96];
    unsigned n = 0;

    memset(cap, 0, sizeof *cap);
    for (unsigned stream = 0; stream < 4; stream++) {
        bool any = false;
        for (unsigned wide = 0; wide < 2; wide++)
            for (const struct tp_port *p = c->outputs; p->name; p++) {
                struct tp_shape s = tp_shape(p->type);
                bool is_wide = s.kind == 'd' || s.kind == 'q';
                if (p->stream != stream || is_wide != !wide)
                    continue;
                if (!any && stream)
                    list[n++] = "gl_NextBuffer";
                any = true;
                for (unsigned e = 0; !side->translated && e < (p->count ? p->count : 1); e++) {
                    snprintf(names[n], 64, p->count ? "%s%s%s[%u]" : "%s%s%s", p->block ? p->block : "",
                             p->block ? "." : "", p->name, e);
                    list[n] = names[n];
                    n++;
                }
                for (unsigned e = 0; side->translated && e < tp_elements(p) * s.slots; e++) {
                    char declared[64];
                    snprintf(names[n], 64, stream ? "gp5_attrib%u_stream%u" : "gp5_attrib%u", p->slot + e, stream);
                    snprintf(declared, sizeof declared, "out vec4 %s;", names[n]);
                    if (!strstr(side->text, declared)) /* nobody writes it */
                        snprintf(names[n], 64, "gl_SkipComponents4");
                    list[n] = names[n];
                    n++;
                }
                struct tp_piece *piece = &cap->pieces[cap->n++];
                *piece =
                    (struct tp_piece){.stream = stream,
                                      .kind = s.kind == 'f'   ? 'f'
                                              : s.kind == 'd' ? 'd'
                                                              : 'i',
                                      .words = s.components * (is_wide ? 2u : 1u),
                                      .elements = tp_elements(p),
                                      .stride = side->translated ? 4 * s.slots : s.components * (is_wide ? 2u : 1u),
                                      .at = cap->stride[stream]};
                cap->stride[stream] += piece->stride * piece->elements;
            }
        for (const char *b = stream ? NULL : c->builtins; b && *b; b += strcspn(b, " "), b += *b == ' ') {
            snprintf(names[n], 64, "%.*s", (int)strcspn(b, " "), b);
            bool position = !strcmp(names[n], "gl_Position"), integer = !strcmp(names[n], "gl_Layer") ||
                                                                        !strcmp(names[n], "gl_PrimitiveID") ||
                                                                        !strcmp(names[n], "gl_ViewportIndex");
            list[n] = names[n];
            n++;
            unsigned words = position ? 4 : 1;
            cap->pieces[cap->n++] = (struct tp_piece){
                .kind = integer ? 'i' : 'f', .words = words, .elements = 1, .stride = words, .at = cap->stride[0]};
            cap->stride[0] += words;
        }
        if (cap->stride[stream] & 1) {
            list[n++] = "gl_SkipComponents1";
            cap->stride[stream]++;
        }
    }
    glTransformFeedbackVaryings(program, (GLsizei)n, list, GL_INTERLEAVED_ATTRIBS);
}

static GLuint make(const struct tp_case *c, const struct tp_side *side, struct tp_captured *cap, unsigned *words,
                   char *why, size_t room)
{
    static struct tp_text feed, middle, text;
    GLuint program = glCreateProgram();
    GLint ok = 0;
    bool fine = true;

    feed.size = middle.size = text.size = 0;
    tp_tested(&text, c, side, words);
    if (c->stage != TP_VERTEX && c->stage != TP_COMPUTE) {
        tp_before(&feed, c, side);
        fine = attach(program, GL_VERTEX_SHADER, feed.bytes, why, room);
    }
    if (fine && c->stage == TP_EVALUATION) {
        tp_control(&middle, c, side);
        fine = attach(program, GL_TESS_CONTROL_SHADER, middle.bytes, why, room);
    }
    if (fine && c->stage == TP_CONTROL) {
        tp_functions(&middle, c, side);
        tp_redeclare(&middle, "in", side, "out", " gl_in[]");
        tp_say(&middle, "layout(triangles) in;\nvoid main() { gl_Position = vec4(0.0); }\n");
        fine = attach(program, GL_TESS_EVALUATION_SHADER, middle.bytes, why, room);
    }
    fine = fine && attach(program, stages[c->stage], text.bytes, why, room);
    if (c->stage == TP_VERTEX && !side->translated)
        for (const struct tp_port *p = c->inputs; p->name; p++)
            glBindAttribLocation(program, p->slot, p->name);
    if (c->stage == TP_VERTEX || c->stage == TP_EVALUATION || c->stage == TP_GEOMETRY)
        capture(program, c, side, cap);
    if (fine) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &ok);
        if (!ok) {
            glGetProgramInfoLog(program, (GLsizei)room, NULL, why);
            if (getenv("TP_SHOW"))
                fprintf(stderr, "%s\n%s\n%s\n%s\n", feed.bytes, middle.bytes, text.bytes, why);
        }
    }
    if (ok)
        return program;
    glDeleteProgram(program);
    return 0;
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

static void put(struct tp_result *out, uint32_t word, char kind)
{
    if (out->n == TP_WORDS)
        return;
    out->kinds[out->n] = kind;
    out->words[out->n++] = word;
}

static void draw(const struct tp_case *c)
{
    if (c->stage == TP_FRAGMENT) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
    } else if (c->stage == TP_COMPUTE) {
        glDispatchCompute(1, 1, 1);
    } else if (c->stage == TP_CONTROL || c->stage == TP_EVALUATION) {
        glPatchParameteri(GL_PATCH_VERTICES, (GLint)c->patch);
        glDrawArrays(GL_PATCHES, 0, (GLsizei)(2 * c->patch));
    } else {
        glDrawArrays(c->stage == TP_VERTEX ? GL_POINTS : c->primitive, 0, TP_VERTICES);
    }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glFinish();
}

static void captured(struct tp_result *out, const struct tp_captured *cap, const uint32_t *const words[4],
                     GLuint primitives)
{
    put(out, primitives, 'i');
    for (unsigned i = 0; i < cap->n; i++) {
        const struct tp_piece *p = &cap->pieces[i];
        for (unsigned v = 0; v < TP_CAPTURED; v++)
            for (unsigned e = 0; e < p->elements; e++)
                for (unsigned k = 0; k < p->words; k++) {
                    uint32_t word = words[p->stream][v * cap->stride[p->stream] + p->at + e * p->stride + k];
                    put(out, word, p->kind == 'd' ? k & 1 ? 'f' : 'l' : p->kind);
                }
    }
}

static bool run_captured(const struct tp_case *c, const struct tp_captured *cap, struct tp_result *out)
{
    GLuint buffers[4], query, primitives = 0;
    static uint32_t words[4][TP_CAPTURED * 80];

    glGenBuffers(4, buffers);
    glGenQueries(1, &query);
    memset(words, 0xee, sizeof words);
    for (unsigned i = 0; i < 4; i++) {
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffers[i]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof words[i], words[i], GL_DYNAMIC_READ);
    }
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(c->mode);
    draw(c);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &primitives);
    for (unsigned i = 0; i < 4; i++) {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffers[i]);
        glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof words[i], words[i]);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, 0);
    }
    captured(out, cap, (const uint32_t *const[]){words[0], words[1], words[2], words[3]}, primitives);
    glDisable(GL_RASTERIZER_DISCARD);
    glDeleteBuffers(4, buffers);
    glDeleteQueries(1, &query);
    return true;
}

/* What a stage wrote into a buffer of its own; 'o': as its ports say, in order. */
static bool run_written(const struct tp_case *c, unsigned words, struct tp_result *out)
{
    GLuint buffer;
    static uint32_t back[1 << 14];
    size_t size = sizeof back;
    char kinds[64] = "";
    unsigned n = 0;

    for (unsigned patch = 0; patch < 2; patch++) {
        for (const struct tp_port *p = c->outputs; p->name; p++) {
            struct tp_shape s = tp_shape(p->type);
            if (p->patch != patch)
                continue;
            for (unsigned i = 0; i < tp_elements(p) * s.components && n < sizeof kinds; i++)
                kinds[n++] = s.kind == 'f' ? 'f' : 'i';
        }
        if (!patch)
            for (const char *b = c->builtins; b && *b; b += strcspn(b, " "), b += *b == ' ')
                for (unsigned k = 0; k < (strncmp(b, "gl_Position", 11) ? 1u : 4u) && n < sizeof kinds; k++)
                    kinds[n++] = !strncmp(b, "gl_SampleMask", 13) ? 'i' : 'f';
    }
    memset(back, 0xee, size);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 60, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)size, back, GL_DYNAMIC_READ);
    draw(c);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)size, back);
    for (unsigned i = 0; i < sizeof back / 4; i++)
        if (i % words < n)
            put(out, back[i], kinds[i % words]);
    glDeleteBuffers(1, &buffer);
    return true;
}

static bool run(const struct tp_case *c, const struct tp_side *side, struct tp_result *out)
{
    static struct tp_captured cap;
    unsigned words = 0;
    GLuint program;

    while (glGetError() != GL_NO_ERROR)
        continue;
    program = make(c, side, &cap, &words, out->why, sizeof out->why);
    if (!program)
        return false;
    glUseProgram(program);
    tp_give(c, side, program);
    if (words)
        run_written(c, words, out);
    else if (c->stage == TP_COMPUTE)
        draw(c);
    else
        run_captured(c, &cap, out);
    tp_take(c, out);
    GLenum error = glGetError();
    glUseProgram(0);
    glDeleteProgram(program);
    if (error)
        snprintf(out->why, sizeof out->why, "GL error 0x%x", error);
    return !error;
}

/* Of many results one at a time: llvmpipe captures wrong ones where an index chooses one of many. */
bool tp_run(const struct tp_case *c, const struct tp_side *side, struct tp_result *out)
{
    unsigned n = 0;
    bool ok = true;

    out->n = 0;
    out->why[0] = 0;
    while (c->outputs[n].name)
        n++;
    if (n < 6 || c->stage == TP_CONTROL || c->stage == TP_FRAGMENT)
        return run(c, side, out);
    for (unsigned i = 0; i < n && ok; i++) {
        struct tp_port single[2] = {c->outputs[i], {.name = NULL}};
        struct tp_case part = *c;
        part.outputs = single;
        ok = run(&part, side, out);
    }
    return ok;
}
