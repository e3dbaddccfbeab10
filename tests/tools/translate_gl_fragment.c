/* Fragment programs draw points from attributes, parameters and textures. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl_own.h"

#include <stdio.h>
#include <string.h>

#include "asm/binding_name.h"

/* The same attributes for both: built-ins, and with the names of a core translation. */
static const char feeder_compat[] =
    "#version 120\nattribute vec4 place;\nvoid main() { gl_Position = place; gl_FrontColor = gl_Color;\n"
    "gl_FrontSecondaryColor = gl_SecondaryColor; gl_FogFragCoord = gl_FogCoord;\n"
    "gl_TexCoord[0] = gl_MultiTexCoord0; gl_TexCoord[1] = gl_MultiTexCoord1; gl_TexCoord[2] = gl_MultiTexCoord2;\n"
    "gl_TexCoord[3] = gl_MultiTexCoord3; gl_TexCoord[4] = gl_MultiTexCoord4; gl_TexCoord[5] = gl_MultiTexCoord5;\n"
    "gl_TexCoord[6] = gl_MultiTexCoord6; gl_TexCoord[7] = gl_MultiTexCoord7; }\n";

/* What an input of a core translation is of: the built-in, and the array that holds it. */
static unsigned source_of(const char *name, char builtin[40])
{
    unsigned n;

    if (sscanf(name, "gp5_texcoord%u", &n) == 1) {
        snprintf(builtin, 40, "gl_MultiTexCoord%u", n);
        return 5 + n;
    }
    strcpy(builtin, strstr(name, "fog") ? "gl_FogCoord" : strstr(name, "color1") ? "gl_SecondaryColor" : "gl_Color");
    return strstr(name, "fog") ? 4 : strstr(name, "color1") ? 3 : 2;
}

/* A module has no built-ins: its attributes are generic ones. */
static void write_core_feeder(const struct tg_case *c, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "#version 450 %s\nlayout(location = %d) in vec4 place;\n",
                                 c->modules ? "core" : "compatibility", TG_PLACE);

    for (size_t i = 0; i < c->ninputs; i++) {
        at += tg_declare_port(c, "out", c->inputs[i].name, strstr(c->inputs[i].name, "fogcoord") ? "float" : "vec4", "",
                              text + at, size - at);
        if (c->modules)
            at += (size_t)snprintf(text + at, size - at, "layout(location = %zu) in vec4 in%zu;\n", i + 1, i);
    }
    at += (size_t)snprintf(text + at, size - at, "void main() { gl_Position = place;\n");
    for (size_t i = 0; i < c->ninputs; i++) {
        const char *name = c->inputs[i].name;
        char source[40];
        source_of(name, source);
        if (c->modules)
            snprintf(source, sizeof source, "in%zu%s", i, strstr(name, "fogcoord") ? ".x" : "");
        at += (size_t)snprintf(text + at, size - at, "%s = %s;\n", name, source);
    }
    snprintf(text + at, size - at, "}\n");
}

static void give_module_arrays(const struct tg_case *c)
{
    for (size_t i = 0; i < c->ninputs; i++) {
        char source[40];
        size_t array = source_of(c->inputs[i].name, source);
        glVertexAttribPointer((GLuint)i + 1, 4, GL_FLOAT, GL_FALSE, 16,
                              (const void *)(uintptr_t)(array * TG_COUNT * 16));
        glEnableVertexAttribArray((GLuint)i + 1);
    }
}

static void draw_points(GLuint program, float (*out)[4], float *depths)
{
    float place[TG_COUNT][4];
    const GLuint attribute = TG_PLACE;
    const float clear[4] = {TG_NOWHERE, TG_NOWHERE, TG_NOWHERE, TG_NOWHERE};

    for (unsigned k = 0; k < TG_COUNT; k++) {
        place[k][0] = ((float)(k % TG_SIDE) + 0.5f) / (TG_SIDE / 2) - 1;
        place[k][1] = ((float)(k / TG_SIDE) + 0.5f) / (TG_SIDE / 2) - 1;
        place[k][2] = 0.25f;
        place[k][3] = 1;
    }
    for (int i = 0; i < TG_COLORS; i++)
        glClearBufferfv(GL_COLOR, i, clear);
    glClearBufferfv(GL_DEPTH, 0, (float[]){1});
    glDisableClientState(GL_VERTEX_ARRAY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(attribute, 4, GL_FLOAT, GL_FALSE, 16, place);
    glEnableVertexAttribArray(attribute);
    glUseProgram(program);
    glDrawArrays(GL_POINTS, 0, TG_COUNT);
    glUseProgram(0);
    for (unsigned i = 0; i < TG_COLORS; i++) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        glReadPixels(0, 0, TG_SIDE, TG_SIDE, GL_RGBA, GL_FLOAT, out + i * TG_COUNT);
    }
    glReadPixels(0, 0, TG_SIDE, TG_SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
    glBindBuffer(GL_ARRAY_BUFFER, tg_given()->vertices);
}

static GLuint pair(const struct tg_case *c, const char *vertex, GLuint fragment, struct tg_answer *a)
{
    struct tg_parts parts = {.shaders = {tg_shader(c, GL_VERTEX_SHADER, vertex, strlen(vertex), a), fragment}};
    GLuint program = parts.shaders[0] ? tg_make_program(&parts, a) : 0;

    glDeleteShader(parts.shaders[0]);
    return program;
}

static const float nowhere = TG_NOWHERE;

/* Which components of which colour the program writes, and whether depth. */
static bool find_colors(const struct gp5_program *p, uint8_t masks[TG_COLORS], bool *has_depth)
{
    bool many = p->options & (UINT64_C(1) << OPTION_ARB_draw_buffers | UINT64_C(1) << OPTION_ATI_draw_buffers);
    uint8_t plain = 0;

    *has_depth = false;
    memset(masks, 0, TG_COLORS);
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        const struct binding *b = NULL;
        if (insn->dst.kind == OPND_BINDING)
            b = program_binding(p, insn->dst.ref);
        else if (insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->kind == SYM_OUTPUT)
            b = program_binding(p, program_symbol(p, insn->dst.ref)->binding);
        if (!b)
            continue;
        if (b->kind == BIND_RESULT_DEPTH)
            *has_depth = *has_depth || insn->dst.mask & 4;
        else if (b->kind == BIND_RESULT_COLOR)
            plain |= insn->dst.mask;
        else if (asm_canonical_binding(b->kind) == BIND_RESULT_COLOR && b->nindices) {
            many = true;
            masks[b->first[0] % TG_COLORS] |= insn->dst.mask;
        }
    }
    for (unsigned i = 0; i < TG_COLORS; i++)
        if (!many || i == 0)
            masks[i] |= plain;
    return many;
}

void tg_run_fragment(const struct tg_case *c, struct tg_answer *a)
{
    static float first[TG_COLORS * TG_COUNT][4], second[TG_COLORS * TG_COUNT][4], depths[2][TG_COUNT];
    uint8_t masks[TG_COLORS];
    char feeder[3000];
    bool has_depth;

    GLuint original = tg_load_arb(GL_FRAGMENT_PROGRAM_ARB, c->text, c->size, a);
    if (!original)
        return;
    static uint32_t undefined[9 * TG_COUNT * 4];
    bool many = find_colors(c->program, masks, &has_depth);
    /* A core translation has one colour for one target. */
    if (c->core && !many)
        memset(masks + 1, 0, sizeof masks - 1);
    tg_make_framebuffer();
    GLuint shader = tg_shader(c, GL_FRAGMENT_SHADER, c->glsl, c->glsl_size, a);
    GLuint front = shader ? pair(NULL, feeder_compat, 0, a) : 0;
    if (c->core)
        write_core_feeder(c, feeder, sizeof feeder);
    GLuint program = front ? pair(c, c->core ? feeder : feeder_compat, shader, a) : 0;
    for (unsigned round = 0; program && round < c->rounds; round++) {
        tg_begin_numbers(round * 1000003u + 29);
        tg_set_state();
        tg_give_arrays();
        tg_set_textures(c->program);
        glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, original);
        tg_set_parameters(GL_FRAGMENT_PROGRAM_ARB);
        glEnable(GL_FRAGMENT_PROGRAM_ARB);
        draw_points(front, first, depths[0]);
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
        tg_set_uniforms(c, program);
        if (c->modules)
            give_module_arrays(c);
        draw_points(program, second, depths[1]);
        static const char *const names[] = {"result.color[0]", "result.color[1]", "result.color[2]", "result.color[3]",
                                            "result.color[4]", "result.color[5]", "result.color[6]", "result.color[7]",
                                            "result.depth"};
        const char *wanted[9];
        size_t colors_wanted = 0, depth_at = 9;
        for (unsigned i = 0; i < TG_COLORS; i++)
            if (masks[i] && (i == 0 || many))
                wanted[colors_wanted++] = many ? names[i] : "result.color";
        if (has_depth)
            wanted[depth_at = colors_wanted] = names[8];
        if ((memcmp(first, second, sizeof first) || memcmp(depths[0], depths[1], sizeof depths[0])) &&
            tg_find_undefined(c->program, wanted, colors_wanted + has_depth, undefined)) {
            unsigned result = 0;
            for (unsigned i = 0; i < TG_COLORS; i++) {
                if (!masks[i])
                    continue;
                for (unsigned k = 0; k < TG_COUNT * 4; k++)
                    if (undefined[result * TG_COUNT * 4 + k] &&
                        (undefined[result * TG_COUNT * 4 + k] != TG_OPEN_IF_DRAWN ||
                         (memcmp(&first[i * TG_COUNT + k / 4][k % 4], &nowhere, 4) &&
                          memcmp(&second[i * TG_COUNT + k / 4][k % 4], &nowhere, 4))) &&
                        memcmp(&first[i * TG_COUNT + k / 4][k % 4], &second[i * TG_COUNT + k / 4][k % 4], 4)) {
                        second[i * TG_COUNT + k / 4][k % 4] = first[i * TG_COUNT + k / 4][k % 4];
                        a->undefined++;
                    }
                result += many;
            }
            for (unsigned k = 0; k < TG_COUNT && has_depth; k++)
                if (undefined[depth_at * TG_COUNT * 4 + k * 4 + 2] | undefined[depth_at * TG_COUNT * 4 + k * 4] &&
                    depths[0][k] != depths[1][k]) {
                    depths[1][k] = depths[0][k];
                    a->undefined++;
                }
        }
        for (unsigned k = 0; k < TG_COLORS * TG_COUNT; k++)
            for (unsigned m = 0; m < 4; m++) {
                uint32_t x, y;
                memcpy(&x, &first[k][m], 4);
                memcpy(&y, &second[k][m], 4);
                if (masks[k / TG_COUNT] >> m & 1)
                    tg_compare(a, x, y, "result.color", m, round, k);
            }
        for (unsigned k = 0; has_depth && k < TG_COUNT; k++) {
            uint32_t x, y;
            memcpy(&x, &depths[0][k], 4);
            memcpy(&y, &depths[1][k], 4);
            tg_compare(a, x, y, "result.depth", 2, round, k);
        }
    }
    if (program && glGetError() != GL_NO_ERROR)
        tg_say(a, TG_NOT_DRAWN, "an error of the GL");
    glDeleteProgram(front);
    glDeleteProgram(program);
    glDeleteShader(shader);
    glDeleteProgramsARB(1, &original);
}
