/* Vertex programs are captured behind a geometry shader that passes their results on. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <stdio.h>
#include <string.h>

#include "asm/binding_name.h"

/* The results that a program writes, and which components of each. */
struct captured {
    char compat[64], core[40], binding[40];
    unsigned count;             /* components */
    uint8_t mask;
};

static bool name_result(const struct binding *b, uint32_t at, struct captured *r)
{
    unsigned n = (b->nindices ? b->first[b->nindices - 1] : 0) + at;

    static const struct { uint16_t kind; const char *compat, *core, *binding; unsigned count; } names[] = {
        {BIND_RESULT_POSITION, "gl_Position", "gl_Position", "result.position", 4},
        {BIND_RESULT_COLOR, "gl_FrontColor", "gp5_color0", "result.color", 4},
        {BIND_RESULT_COLOR_SECONDARY, "gl_FrontSecondaryColor", "gp5_color1", "result.color.secondary", 4},
        {BIND_RESULT_COLOR_BACK, "gl_BackColor", "gp5_back0", "result.color.back", 4},
        {BIND_RESULT_COLOR_BACK_SECONDARY, "gl_BackSecondaryColor", "gp5_back1", "result.color.back.secondary", 4},
        {BIND_RESULT_FOGCOORD, "gl_FogFragCoord", "gp5_fogcoord", "result.fogcoord", 1},
        {BIND_RESULT_POINTSIZE, "gl_PointSize", "gl_PointSize", "result.pointsize", 1},
        {BIND_RESULT_TEXCOORD, "gl_TexCoord[%u]", "gp5_texcoord%u", "result.texcoord[%u]", 4}};
    uint16_t kind = asm_canonical_binding(b->kind);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].kind == kind) {
            snprintf(r->compat, sizeof r->compat, names[i].compat, n);
            snprintf(r->core, sizeof r->core, names[i].core, n);
            snprintf(r->binding, sizeof r->binding, names[i].binding, n);
            r->count = names[i].count;
            return true;
        }
    return false;
}

static size_t find_results(const struct gp5_program *p, struct captured results[TG_RESULTS])
{
    size_t n = 0;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        const struct binding *b = NULL;
        struct captured r = {.mask = insn->dst.mask};
        if (insn->dst.kind == OPND_BINDING)
            b = program_binding(p, insn->dst.ref);
        else if (insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->kind == SYM_OUTPUT)
            b = program_binding(p, program_symbol(p, insn->dst.ref)->binding);
        if (!b || !name_result(b, 0, &r))
            continue;
        size_t k = 0;
        while (k < n && strcmp(results[k].compat, r.compat))
            k++;
        if (k == n && n < TG_RESULTS)
            results[n++] = r;
        else if (k < n)
            results[k].mask |= r.mask;
    }
    if (n < TG_RESULTS && (p->options >> OPTION_ARB_position_invariant & 1)) {
        results[n] = (struct captured){
            .compat = "gl_Position", .core = "gl_Position", .binding = "result.position", .count = 4, .mask = 15};
        n++;
    }
    return n;
}

/* Results by their names in the text, or, of a module, where the text puts them. */
static size_t declare_results(const struct captured *results, size_t n, bool core, const struct tg_case *c, char *text,
                              size_t size)
{
    bool modules = c && c->modules;
    size_t at = (size_t)snprintf(text, size, "#version 450 %s\nlayout(points) in;\n"
                                             "layout(points, max_vertices = 1) out;\n",
                                 modules ? "core" : "compatibility");

    if (modules)
        at += (size_t)snprintf(text + at, size - at, "layout(xfb_buffer = 0, xfb_stride = %zu) out;\n", 16 * n);
    for (size_t i = 0; i < n; i++) {
        if (modules)
            at += (size_t)snprintf(text + at, size - at, "layout(location = %zu, xfb_offset = %zu) ", i, 16 * i);
        at += (size_t)snprintf(text + at, size - at, "out vec4 r%zu;\n", i);
        if (core && results[i].core[1] == 'p')
            at += tg_declare_port(c, "in", results[i].core, results[i].count == 1 ? "float" : "vec4", "[]", text + at,
                                  size - at);
    }
    return at;
}

static GLuint make_capture(const struct captured *results, size_t n, bool core, GLuint vertex, const struct tg_case *c,
                           struct tg_answer *a)
{
    char text[6000], names[TG_RESULTS][24];
    const char *varyings[TG_RESULTS];
    size_t at = declare_results(results, n, core, c, text, sizeof text);

    at += (size_t)snprintf(text + at, sizeof text - at, "void main()\n{\n");
    for (size_t i = 0; i < n; i++) {
        char value[80];
        snprintf(names[i], sizeof names[i], "r%zu", i);
        varyings[i] = names[i];
        if (core && results[i].core[1] == 'p')
            snprintf(value, sizeof value, "%s[0]", results[i].core);
        else
            snprintf(value, sizeof value, "gl_in[0].%s", core ? results[i].core : results[i].compat);
        at += (size_t)snprintf(text + at, sizeof text - at,
                               results[i].count == 1 ? "r%zu = vec4(%s, 0, 0, 0);\n" : "r%zu = %s;\n", i, value);
    }
    snprintf(text + at, sizeof text - at, "EmitVertex();\n}\n");
    struct tg_parts parts = {.shaders = {tg_shader(c, GL_GEOMETRY_SHADER, text, strlen(text), a), vertex},
                             .separable = !vertex,
                             .inputs = c,
                             .varyings = varyings,
                             .nvaryings = c && c->modules ? 0 : n};
    GLuint program = parts.shaders[0] ? tg_make_program(&parts, a) : 0;
    glDeleteShader(parts.shaders[0]);
    return program;
}

static GLuint capture_buffer;

static void draw_captured(GLuint program, size_t words, uint32_t *out)
{
    if (!capture_buffer)
        glGenBuffers(1, &capture_buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, capture_buffer);
    memset(out, 0x5a, words * 4);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)(words * 4), out, GL_DYNAMIC_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glUseProgram(program);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, capture_buffer);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, TG_COUNT);
    glEndTransformFeedback();
    glUseProgram(0);
    glDisable(GL_RASTERIZER_DISCARD);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)(words * 4), out);
}

/* The driver's own value of a parameter, by a program that does nothing but read it. */
bool tg_ask(const char *binding, float value[4])
{
    char text[200];
    uint32_t words[TG_COUNT * 4];
    struct tg_answer a;
    static struct captured position = {.compat = "gl_Position", .core = "gl_Position", .count = 4, .mask = 15};
    static GLuint capture;
    GLint bound = 0;

    /* What only programs of fragments read. */
    if (!strcmp(binding, "state.depth.range")) {
        memcpy(value, (float[4]){0.25f, 0.75f, 0.5f, 1}, 16);
        return true;
    }
    glGetProgramivARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_BINDING_ARB, &bound);
    snprintf(text, sizeof text, "!!ARBvp1.0\nMOV result.position, %s;\nEND", binding);
    GLuint name = tg_load_arb(GL_VERTEX_PROGRAM_ARB, text, strlen(text), &a);
    if (!capture)
        capture = make_capture(&position, 1, false, 0, NULL, &a);
    if (name) {
        glEnable(GL_VERTEX_PROGRAM_ARB);
        draw_captured(capture, TG_COUNT * 4, words);
        glDisable(GL_VERTEX_PROGRAM_ARB);
        memcpy(value, words, 16);
        glDeleteProgramsARB(1, &name);
    }
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, (GLuint)bound);
    return name != 0;
}

void tg_run_vertex(const struct tg_case *c, struct tg_answer *a)
{
    static uint32_t first[TG_COUNT * TG_RESULTS * 4], second[TG_COUNT * TG_RESULTS * 4],
        undefined[TG_COUNT * TG_RESULTS * 4];
    struct captured results[TG_RESULTS];
    size_t n = find_results(c->program, results), words = TG_COUNT * n * 4;

    const char *bindings[TG_RESULTS];
    GLuint original = tg_load_arb(GL_VERTEX_PROGRAM_ARB, c->text, c->size, a);
    if (!original)
        return;
    for (size_t i = 0; i < n; i++)
        bindings[i] = results[i].binding;
    GLuint shader = tg_shader(c, GL_VERTEX_SHADER, c->glsl, c->glsl_size, a);
    GLuint capture = shader && n ? make_capture(results, n, false, 0, NULL, a) : 0;
    GLuint program = capture ? make_capture(results, n, c->core, shader, c, a) : 0;
    for (unsigned round = 0; program && round < c->rounds; round++) {
        tg_begin_numbers(round * 1000003u + 17);
        tg_set_state();
        tg_give_arrays();
        tg_set_parameters(GL_VERTEX_PROGRAM_ARB);
        glBindProgramARB(GL_VERTEX_PROGRAM_ARB, original);
        tg_set_parameters(GL_VERTEX_PROGRAM_ARB);
        glEnable(GL_VERTEX_PROGRAM_ARB);
        draw_captured(capture, words, first);
        glDisable(GL_VERTEX_PROGRAM_ARB);
        tg_set_uniforms(c, program);
        if (c->core)
            tg_give_core_arrays(c);
        draw_captured(program, words, second);
        if (first[0] == 0x5a5a5a5a && first[words - 1] == 0x5a5a5a5a)
            tg_say(a, TG_NOT_DRAWN, "nothing was captured");
        if (memcmp(first, second, words * 4) && tg_find_undefined(c->program, bindings, n, undefined))
            for (size_t k = 0; k < words; k++)
                if (undefined[k / 4 % n * TG_COUNT * 4 + k / (4 * n) * 4 + k % 4] && first[k] != second[k]) {
                    second[k] = first[k];
                    a->undefined++;
                }
        for (size_t k = 0; k < words; k++)
            if (results[k / 4 % n].mask >> k % 4 & 1 && k % 4 < results[k / 4 % n].count)
                tg_compare(a, first[k], second[k], results[k / 4 % n].compat, k % 4, round, (unsigned)(k / (4 * n)));
    }
    if (program && glGetError() != GL_NO_ERROR)
        tg_say(a, TG_NOT_DRAWN, "an error of the GL");
    if (!n && shader)
        tg_say(a, TG_SAME, "it has no results");
    glDeleteProgram(capture);
    glDeleteProgram(program);
    glDeleteShader(shader);
    glDeleteProgramsARB(1, &original);
}
