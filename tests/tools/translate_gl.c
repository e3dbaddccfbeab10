/* See translate_gl.h. Vertex programs are captured behind a geometry shader that passes their results on; fragment
 * programs draw points from attributes, parameters and textures, among which are all sorts of numbers. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/binding_name.h"
#include "compare/script/data.h"
#include "gp5.h"

static GLuint vertex_buffer, capture_buffer, framebuffer, colors[TG_COLORS], depth;
enum { SIDE = 16 };

static void make_framebuffer(void)
{
    GLenum draw[TG_COLORS];

    if (framebuffer) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        return;
    }
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(TG_COLORS, colors);
    glGenRenderbuffers(1, &depth);
    for (unsigned i = 0; i < TG_COLORS; i++) {
        draw[i] = GL_COLOR_ATTACHMENT0 + i;
        glBindRenderbuffer(GL_RENDERBUFFER, colors[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, SIDE, SIDE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, draw[i], GL_RENDERBUFFER, colors[i]);
    }
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glDrawBuffers(TG_COLORS, draw);
    glViewport(0, 0, SIDE, SIDE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
}

bool tg_open_context(const char **renderer)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    static const EGLint attributes[] = {EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                        EGL_NONE};
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;

    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    EGLContext context = eglCreateContext(display, NULL, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return false;
    *renderer = (const char *)glGetString(GL_RENDERER);
    return true;
}

bool tg_open(const char **renderer)
{
    if (!tg_open_context(renderer))
        return false;
    make_framebuffer();
    return strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_vertex_program") != NULL;
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

static uint64_t seed, drawn;

static uint32_t next(void)
{
    return (uint32_t)(data_random(seed, drawn++) >> 16);
}

static void begin_numbers(uint64_t from)
{
    seed = from;
    drawn = 0;
}

static float of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool is_nan(uint32_t w)
{
    return (w & 0x7fffffff) > 0x7f800000;
}

/* A third are what breaks things: NaN, infinities, denormals, both zeros, the largest, whole numbers and halves. */
static float any_number(void)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 1,
                                       0x80000001, 0x007fffff, 0,          0x80000000, 0x7f7fffff,
                                       0xff7fffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000,
                                       0x42fe0000, 0x43000000, 0xc3000000, 0x00800000, 0x7f7ffffe};
    uint32_t r = next();

    if (r % 3 == 0)
        return of_bits(special[next() % (sizeof special / sizeof *special)]);
    if (r % 3 == 1)
        return (float)(int)(next() % 2001 - 1000) / 250.0f;
    return r & 8 ? of_bits(next()) : ldexpf((float)(next() & 0xffffff) / 16777216.0f, (int)(next() % 20) - 10);
}

static float tame_number(void)
{
    return (float)(int)(next() % 2001 - 1000) / 250.0f;
}

/* ---- programs ------------------------------------------------------------------------------------------------------
 */

static void say(struct tg_answer *a, int verdict, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    a->verdict = verdict;
    vsnprintf(a->text, sizeof a->text, format, list);
    va_end(list);
}

static GLuint compile(GLenum stage, const char *text, size_t size, struct tg_answer *a)
{
    GLuint shader = glCreateShader(stage);
    GLint length = (GLint)size, ok = 0;

    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        return shader;
    char log[1500] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    say(a, TG_NOT_COMPILED, "%s", log);
    glDeleteShader(shader);
    return 0;
}

bool tg_compiles(bool vertex, const char *glsl, size_t size, char *log, size_t room)
{
    struct tg_answer a = {0};
    GLuint shader = compile(vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER, glsl, size, &a);

    if (shader)
        glDeleteShader(shader);
    else
        snprintf(log, room, "%s", a.text);
    return shader != 0;
}

static bool link(GLuint program, struct tg_answer *a)
{
    GLint ok = 0;
    char log[1500] = "";

    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok)
        return true;
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    say(a, TG_NOT_COMPILED, "link: %s", log);
    return false;
}

static GLuint load_arb(GLenum target, const char *text, size_t size, struct tg_answer *a)
{
    GLuint name;

    glGenProgramsARB(1, &name);
    glBindProgramARB(target, name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)size, text);
    if (glGetError() == GL_NO_ERROR)
        return name;
    say(a, TG_NOT_TAKEN, "%s", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    glDeleteProgramsARB(1, &name);
    return 0;
}

/* ---- parameters and state ------------------------------------------------------------------------------------------
 */

static float env[TG_PARAMETERS][4], local[TG_PARAMETERS][4];

static void set_parameters(GLenum target)
{
    GLint envs = 0, locals = 0;

    glGetProgramivARB(target, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, &envs);
    glGetProgramivARB(target, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, &locals);
    for (int i = 0; i < TG_PARAMETERS; i++) {
        if (i < envs)
            glProgramEnvParameter4fvARB(target, (GLuint)i, env[i]);
        if (i < locals)
            glProgramLocalParameter4fvARB(target, (GLuint)i, local[i]);
    }
    glGetError();
}

static void random_matrix(GLenum mode)
{
    float m[16];

    glMatrixMode(mode);
    for (int i = 0; i < 16; i++)
        m[i] = tame_number();
    glLoadMatrixf(m);
}

static void four(float v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = tame_number();
}

static const struct hidden_constants *constants;    /* of the case at hand */

static void random_parameters(void)
{
    for (unsigned i = 0; i < TG_PARAMETERS; i++)
        for (unsigned c = 0; c < 4; c++) {
            env[i][c] = next() & 1 ? any_number() : tame_number();
            local[i][c] = next() & 1 ? any_number() : tame_number();
        }
    for (unsigned i = 0; constants && i < constants->count; i++)
        memcpy(env[HIDDEN_FIRST + i], constants->value[i], sizeof env[0]);
}

static void set_state(void)
{
    static const GLenum planes[] = {GL_S, GL_T, GL_R, GL_Q};
    static const GLenum material[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION};
    float v[4];

    random_matrix(GL_MODELVIEW);
    random_matrix(GL_PROJECTION);
    for (GLenum n = 0; n < 8; n++) {
        random_matrix(GL_MATRIX0_ARB + n);
        glActiveTexture(GL_TEXTURE0 + n);
        random_matrix(GL_TEXTURE);
        for (unsigned k = 0; k < 4; k++) {
            four(v);
            glTexGenfv(planes[k], GL_EYE_PLANE, v);
            four(v);
            glTexGenfv(planes[k], GL_OBJECT_PLANE, v);
        }
        four(v);
        glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v);
        GLenum light = GL_LIGHT0 + n;
        for (unsigned k = 0; k < 3; k++) {
            four(v);
            glLightfv(light, (GLenum[]){GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR}[k], v);
        }
        four(v);
        glLightfv(light, GL_POSITION, v);
        four(v);
        glLightfv(light, GL_SPOT_DIRECTION, v);
        glLightf(light, GL_SPOT_EXPONENT, (float)(next() % 128));
        glLightf(light, GL_SPOT_CUTOFF, (float)(next() % 90));
        glLightf(light, GL_CONSTANT_ATTENUATION, fabsf(tame_number()));
        glLightf(light, GL_LINEAR_ATTENUATION, fabsf(tame_number()));
        glLightf(light, GL_QUADRATIC_ATTENUATION, fabsf(tame_number()));
        double plane[4] = {tame_number(), tame_number(), tame_number(), tame_number()};
        glClipPlane(GL_CLIP_PLANE0 + n, plane);
    }
    glActiveTexture(GL_TEXTURE0);
    for (unsigned face = 0; face < 2; face++) {
        for (unsigned k = 0; k < 4; k++) {
            four(v);
            glMaterialfv(face ? GL_BACK : GL_FRONT, material[k], v);
        }
        glMaterialf(face ? GL_BACK : GL_FRONT, GL_SHININESS, (float)(next() % 129));
    }
    four(v);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, v);
    four(v);
    glFogfv(GL_FOG_COLOR, v);
    glFogf(GL_FOG_DENSITY, ldexpf(1, (int)(next() % 4)));
    glFogf(GL_FOG_START, tame_number());
    glFogf(GL_FOG_END, tame_number());
    glPointSize(1);
    glPointParameterf(GL_POINT_SIZE_MIN, fabsf(tame_number()));
    glPointParameterf(GL_POINT_SIZE_MAX, fabsf(tame_number()));
    glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, fabsf(tame_number()));
    v[0] = 1;
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, v);
    glDepthRange(0.25, 0.75);
    random_parameters();
    glGetError();
}

/* ---- vertices ------------------------------------------------------------------------------------------------------
 */

enum { ARRAYS = 13 + 16 };
static float values[ARRAYS][TG_COUNT][4];

static void give_arrays(void)
{
    for (unsigned i = 0; i < ARRAYS; i++)
        for (unsigned k = 0; k < TG_COUNT; k++)
            for (unsigned c = 0; c < 4; c++)
                values[i][k][c] = any_number();
    /* What the GL fills in. */
    for (unsigned k = 0; k < TG_COUNT; k++) {
        values[1][k][3] = values[3][k][3] = values[4][k][3] = 1;
        values[4][k][1] = values[4][k][2] = 0;
    }
    if (!vertex_buffer)
        glGenBuffers(1, &vertex_buffer);
    glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof values, values, GL_STREAM_DRAW);
    char *at = NULL;
    size_t step = sizeof values[0];
    glVertexPointer(4, GL_FLOAT, 16, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    glNormalPointer(GL_FLOAT, 16, at + step);
    glEnableClientState(GL_NORMAL_ARRAY);
    glColorPointer(4, GL_FLOAT, 16, at + 2 * step);
    glEnableClientState(GL_COLOR_ARRAY);
    glSecondaryColorPointer(3, GL_FLOAT, 16, at + 3 * step);
    glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    glFogCoordPointer(GL_FLOAT, 16, at + 4 * step);
    glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    for (unsigned n = 0; n < 8; n++) {
        glClientActiveTexture(GL_TEXTURE0 + n);
        glTexCoordPointer(4, GL_FLOAT, 16, at + (5 + n) * step);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    }
    for (unsigned n = 1; n < 16; n++) {
        glVertexAttribPointer(n, 4, GL_FLOAT, GL_FALSE, 16, at + (13 + n) * step);
        glEnableVertexAttribArray(n);
    }
}

/* Where the arrays of a core translation's inputs are: what no location has of its own. */
static void give_core_arrays(const struct tg_case *c)
{
    static const struct { const char *binding; unsigned array, size;
    } places[] = {{"vertex.position", 0, 4},
                  {"vertex.normal", 1, 3},
                  {"vertex.color.primary", 2, 4},
                  {"vertex.color.secondary", 3, 3},
                  {"vertex.fogcoord", 4, 1}};
    size_t step = (size_t)TG_COUNT * 16;

    for (unsigned n = 0; n < 16; n++)
        glDisableVertexAttribArray(n);
    glDisableClientState(GL_VERTEX_ARRAY);
    for (size_t i = 0; i < c->ninputs; i++) {
        unsigned array = 0, size = 4, n;
        if (sscanf(c->inputs[i].binding, "vertex.texcoord[%u]", &n) == 1)
            array = 5 + n;
        else if (sscanf(c->inputs[i].binding, "vertex.attrib[%u]", &n) == 1)
            array = n ? 13 + n : 0;
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (!strcmp(places[k].binding, c->inputs[i].binding)) {
                array = places[k].array;
                size = places[k].size;
            }
        glVertexAttribPointer((GLuint)c->inputs[i].location, (GLint)size, GL_FLOAT, GL_FALSE, 16,
                              (const void *)(uintptr_t)(array * step));
        glEnableVertexAttribArray((GLuint)c->inputs[i].location);
    }
}

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

/* With the location that the translation says, where it does. */
static size_t declare_port(const struct tg_case *c, const char *direction, const char *name, const char *type,
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

static GLuint make_capture(const struct captured *results, size_t n, bool core, GLuint vertex, const struct tg_case *c,
                           struct tg_answer *a)
{
    char text[6000], names[TG_RESULTS][24];
    const char *varyings[TG_RESULTS];
    size_t at = (size_t)snprintf(text, sizeof text, "#version 450 compatibility\nlayout(points) in;\n"
                                                    "layout(points, max_vertices = 1) out;\n");

    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "r%zu", i);
        varyings[i] = names[i];
        at += (size_t)snprintf(text + at, sizeof text - at, "out vec4 r%zu;\n", i);
        if (core && results[i].core[1] == 'p')
            at += declare_port(c, "in", results[i].core, results[i].count == 1 ? "float" : "vec4", "[]", text + at,
                               sizeof text - at);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "void main()\n{\n");
    for (size_t i = 0; i < n; i++) {
        char value[80];
        if (core && results[i].core[1] == 'p')
            snprintf(value, sizeof value, "%s[0]", results[i].core);
        else
            snprintf(value, sizeof value, "gl_in[0].%s", core ? results[i].core : results[i].compat);
        at += (size_t)snprintf(text + at, sizeof text - at,
                               results[i].count == 1 ? "r%zu = vec4(%s, 0, 0, 0);\n" : "r%zu = %s;\n", i, value);
    }
    snprintf(text + at, sizeof text - at, "EmitVertex();\n}\n");
    GLuint shader = compile(GL_GEOMETRY_SHADER, text, strlen(text), a), program = glCreateProgram();
    if (!shader)
        return 0;
    glAttachShader(program, shader);
    if (vertex)
        glAttachShader(program, vertex);
    else
        glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    for (size_t i = 0; c && i < c->ninputs; i++)
        glBindAttribLocation(program, (GLuint)c->inputs[i].location, c->inputs[i].name);
    glTransformFeedbackVaryings(program, (GLsizei)n, varyings, GL_INTERLEAVED_ATTRIBS);
    bool ok = link(program, a);
    glDeleteShader(shader);
    if (ok)
        return program;
    glDeleteProgram(program);
    return 0;
}

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
static bool ask(const char *binding, float value[4])
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
    GLuint name = load_arb(GL_VERTEX_PROGRAM_ARB, text, strlen(text), &a);
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

static void set_uniforms(const struct tg_case *c, GLuint program)
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
                index = glGetUniformBlockIndex(program, last->block);
                glBindBuffer(GL_UNIFORM_BUFFER, buffers[used]);
                glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)(filled * 16), block, GL_STREAM_DRAW);
                glBindBufferBase(GL_UNIFORM_BUFFER, (GLuint)used, buffers[used]);
                if (index != GL_INVALID_INDEX)
                    glUniformBlockBinding(program, index, (GLuint)used);
                used++;
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
            memcpy(block[filled++], env[n], 16);
        else if (sscanf(p->binding, "program.local[%u]", &n) == 1 && n < TG_PARAMETERS)
            memcpy(block[filled++], local[n], 16);
        else if (filled < 4096)
            filled += ask(p->binding, block[filled]) ? 1 : 1;
    }
    glUseProgram(program);
    for (size_t i = 0; i < c->nsamplers; i++)
        glUniform1i(glGetUniformLocation(program, c->samplers[i].name), (GLint)c->samplers[i].unit);
    if (c->hidden)
        glUniform1fv(glGetUniformLocation(program, "gp5_x_number"), (GLsizei)c->hidden->count, c->hidden->number);
    glUseProgram(0);
    glGetError();
}

static void compare(struct tg_answer *a, uint32_t x, uint32_t y, const char *what, unsigned component, unsigned round,
                    unsigned k)
{
    a->words++;
    if (x == y)
        return;
    if (is_nan(x) && is_nan(y)) {
        a->nans++;
        return;
    }
    if (!a->differ++)
        say(a, TG_DIFFERENT, "%s.%c: %08x (%g) by the program, %08x (%g) by its translation, round %u, element %u",
            what, "xyzw"[component], x, (double)of_bits(x), y, (double)of_bits(y), round, k);
}

/* ---- what the specification leaves open ----------------------------------------------------------------------------
 */

/* The array of an input; ARRAYS for what is none. */
static unsigned array_of(const struct gp5_program *p, const struct binding *b)
{
    static const uint8_t conventional[16] = {0, 14, 1, 2, 3, 4, 19, 20, 5, 6, 7, 8, 9, 10, 11, 12};
    unsigned number = b->nindices ? b->first[0] : 0;

    switch (asm_canonical_binding(b->kind)) {
    case BIND_VERTEX_POSITION: return 0;
    case BIND_VERTEX_NORMAL: return 1;
    case BIND_VERTEX_COLOR_PRIMARY: case BIND_FRAGMENT_COLOR_PRIMARY: return 2;
    case BIND_VERTEX_COLOR_SECONDARY: case BIND_FRAGMENT_COLOR_SECONDARY: return 3;
    case BIND_VERTEX_FOGCOORD: case BIND_FRAGMENT_FOGCOORD: return 4;
    case BIND_VERTEX_TEXCOORD: case BIND_FRAGMENT_TEXCOORD: return 5 + number;
    case BIND_VERTEX_ATTRIB:
        if (profile_table[p->profile].generation == GEN_REGISTER)
            return conventional[number & 15];
        return number ? 13 + number : 0;
    default: return ARRAYS;
    }
}

/* The words of a program's results that the evaluator calls undefined for this round's inputs: unwritten variables,
 * elements beyond an array's end, functions beyond their domain. `results` are named by their bindings; the words come
 * in the order results, elements, components. All are where an undefined value decided what is discarded. Textures are
 * not given: whether a value is defined does not hang on them. */
enum { OPEN_IF_DRAWN = 0x7fffffff };
static const float nowhere = -7777;     /* what stands where nothing is drawn */

static bool evaluate(const struct gp5_program *p, const char *const *results, size_t n, uint32_t *marks,
                     uint32_t (*words)[TG_COUNT * 4], const char **why)
{
    struct gp5_run_options options = {.size = sizeof options, .semantics = GP5_SEMANTICS_SPEC, .track_undefined = true};
    struct gp5_array inputs[ARRAYS], outputs[TG_RESULTS];
    uint8_t covered[TG_COUNT];
    struct gp5_parameter envs[TG_PARAMETERS], locals[TG_PARAMETERS];
    char *message = NULL, names[ARRAYS][32];
    bool given[ARRAYS] = {false}, fragment = profile_table[p->profile].stage_id == STAGE_FRAGMENT;
    size_t offset, ninputs = 0;
    struct gp5_executable *x = gp5_prepare(p, &options, &message, &offset);

    gp5_text_free(message);
    if (!x)
        return false;
    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        const char *words_of = binding_table[b->kind].words, *bracket = strchr(words_of, '[');
        unsigned array = array_of(p, b);
        if (array >= ARRAYS || given[array])
            continue;
        given[array] = true;
        if (bracket)
            snprintf(names[ninputs], sizeof names[0], "%.*s[%u]", (int)(bracket - words_of), words_of,
                     b->nindices ? b->first[0] : 0);
        else
            snprintf(names[ninputs], sizeof names[0], "%s", words_of);
        inputs[ninputs] = (struct gp5_array){.binding = names[ninputs], .words = (uint32_t *)(void *)values[array],
                                             .count = TG_COUNT};
        ninputs++;
    }
    for (uint32_t i = 0; i < TG_PARAMETERS; i++) {
        envs[i].index = locals[i].index = i;
        memcpy(envs[i].word, env[i], 16);
        memcpy(locals[i].word, local[i], 16);
    }
    memset(marks, 0, n * TG_COUNT * 16);
    for (size_t i = 0; i < n; i++)
        outputs[i] = (struct gp5_array){.binding = results[i], .words = words[i], .count = TG_COUNT,
                                        .undefined = marks + i * TG_COUNT * 4};
    struct gp5_launch launch = {.size = sizeof launch,
                                .env = envs,
                                .local = locals,
                                .nenv = TG_PARAMETERS,
                                .nlocal = TG_PARAMETERS,
                                .inputs = inputs,
                                .ninputs = ninputs,
                                .results = outputs,
                                .nresults = n};
    struct gp5_state state;
    gp5_state_init(&state);
    state.clamp_vertex_color = state.clamp_fragment_color = false;
    launch.state = &state;
    if (fragment) {
        launch.width = launch.height = SIDE;
        launch.points = true;
        launch.covered = covered;
    } else {
        launch.count = TG_COUNT;
    }
    struct gp5_report report = {0};
    bool ok = gp5_execute(x, &launch, &options, &report) == GP5_RUN_OK;
    static char said[200];
    snprintf(said, sizeof said, "not evaluated: %s", ok ? "" : report.message);
    *why = said;
    if (ok && fragment && report.undefined_uses)
        memset(marks, 1, n * TG_COUNT * 16);
    /* The words of what the evaluator discards are open where both programs draw it all the same. */
    for (size_t i = 0; ok && fragment && !report.undefined_uses && i < n * TG_COUNT * 4; i++)
        if (!covered[i / 4 % TG_COUNT])
            marks[i] = OPEN_IF_DRAWN;
    gp5_report_free(&report);
    gp5_executable_free(x);
    return ok;
}

static bool find_undefined(const struct gp5_program *p, const char *const *results, size_t n, uint32_t *marks)
{
    static uint32_t words[TG_RESULTS][TG_COUNT * 4];
    const char *why;

    return evaluate(p, results, n, marks, words, &why);
}

static void run_vertex(const struct tg_case *c, struct tg_answer *a)
{
    static uint32_t first[TG_COUNT * TG_RESULTS * 4], second[TG_COUNT * TG_RESULTS * 4],
        undefined[TG_COUNT * TG_RESULTS * 4];
    struct captured results[TG_RESULTS];
    size_t n = find_results(c->program, results), words = TG_COUNT * n * 4;

    const char *bindings[TG_RESULTS];
    GLuint original = load_arb(GL_VERTEX_PROGRAM_ARB, c->text, c->size, a);
    if (!original)
        return;
    for (size_t i = 0; i < n; i++)
        bindings[i] = results[i].binding;
    GLuint shader = compile(GL_VERTEX_SHADER, c->glsl, c->glsl_size, a);
    GLuint capture = shader && n ? make_capture(results, n, false, 0, NULL, a) : 0;
    GLuint program = capture ? make_capture(results, n, c->core, shader, c, a) : 0;
    for (unsigned round = 0; program && round < c->rounds; round++) {
        begin_numbers(round * 1000003u + 17);
        set_state();
        give_arrays();
        set_parameters(GL_VERTEX_PROGRAM_ARB);
        glBindProgramARB(GL_VERTEX_PROGRAM_ARB, original);
        set_parameters(GL_VERTEX_PROGRAM_ARB);
        glEnable(GL_VERTEX_PROGRAM_ARB);
        draw_captured(capture, words, first);
        glDisable(GL_VERTEX_PROGRAM_ARB);
        set_uniforms(c, program);
        if (c->core)
            give_core_arrays(c);
        draw_captured(program, words, second);
        if (first[0] == 0x5a5a5a5a && first[words - 1] == 0x5a5a5a5a)
            say(a, TG_NOT_DRAWN, "nothing was captured");
        if (memcmp(first, second, words * 4) && find_undefined(c->program, bindings, n, undefined))
            for (size_t k = 0; k < words; k++)
                if (undefined[k / 4 % n * TG_COUNT * 4 + k / (4 * n) * 4 + k % 4] && first[k] != second[k]) {
                    second[k] = first[k];
                    a->undefined++;
                }
        for (size_t k = 0; k < words; k++)
            if (results[k / 4 % n].mask >> k % 4 & 1 && k % 4 < results[k / 4 % n].count)
                compare(a, first[k], second[k], results[k / 4 % n].compat, k % 4, round, (unsigned)(k / (4 * n)));
    }
    if (program && glGetError() != GL_NO_ERROR)
        say(a, TG_NOT_DRAWN, "an error of the GL");
    if (!n && shader)
        say(a, TG_SAME, "it has no results");
    glDeleteProgram(capture);
    glDeleteProgram(program);
    glDeleteShader(shader);
    glDeleteProgramsARB(1, &original);
}

/* ---- fragments -----------------------------------------------------------------------------------------------------
 */

enum { TEXELS = 8 };

static void texel_data(float (*texels)[4], unsigned n, bool is_depth)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            texels[i][k] = is_depth ? (float)(next() % 256) / 255.0f : any_number();
}

static bool is_shadow_unit(const struct gp5_program *p, unsigned unit, unsigned target)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (!insn->texture_target || !insn->nsrc)
            continue;
        const struct operand *o = program_operand(p, insn->src + insn->nsrc - 1u);
        if (o->kind == OPND_TEXTURE && !(o->flags & OPND_BY_NAME) && insn->texture_target == target &&
            (program_binding(p, o->ref)->nindices ? program_binding(p, o->ref)->first[0] : 0) == unit)
            return true;
    }
    return false;
}

static void set_textures(const struct gp5_program *p)
{
    static GLuint names[8][5];
    static const GLenum targets[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP,
                                     GL_TEXTURE_RECTANGLE};
    static const unsigned shadows[] = {TARGET_SHADOW1D, TARGET_SHADOW2D, 0, 0, TARGET_SHADOWRECT};
    static float texels[TEXELS * TEXELS * TEXELS][4];

    if (!names[0][0])
        glGenTextures(8 * 5, names[0]);
    for (unsigned unit = 0; unit < 8; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        for (unsigned k = 0; k < 5; k++) {
            bool shadow = shadows[k] && is_shadow_unit(p, unit, shadows[k]);
            GLenum format = shadow ? GL_DEPTH_COMPONENT : GL_RGBA, inner = shadow ? GL_DEPTH_COMPONENT32F : GL_RGBA32F;
            glBindTexture(targets[k], names[unit][k]);
            glTexParameteri(targets[k], GL_TEXTURE_MIN_FILTER, k == 4 ? GL_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
            glTexParameteri(targets[k], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glTexParameteri(targets[k], GL_TEXTURE_COMPARE_MODE, shadow ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
            glTexParameteri(targets[k], GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
            for (GLint level = 0, n = TEXELS; n; level++, n /= 2) {
                if (shadow && k == 0) {
                    texel_data(texels, TEXELS, true);
                    glTexImage1D(targets[k], level, (GLint)inner, n, 0, format, GL_FLOAT, texels);
                    continue;
                }
                texel_data(texels, (unsigned)(k == 2 ? n * n * n : n * n), shadow);
                if (k == 0)
                    glTexImage1D(targets[k], level, (GLint)inner, n, 0, format, GL_FLOAT, texels);
                else if (k == 2)
                    glTexImage3D(targets[k], level, (GLint)inner, n, n, n, 0, format, GL_FLOAT, texels);
                else if (k == 3)
                    for (GLenum face = 0; face < 6; face++)
                        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, (GLint)inner, n, n, 0, format,
                                     GL_FLOAT, texels);
                else if (k == 1 || level == 0)
                    glTexImage2D(targets[k], level, (GLint)inner, n, n, 0, format, GL_FLOAT, texels);
            }
        }
    }
    glActiveTexture(GL_TEXTURE0);
}

/* The same attributes for both: built-ins, and with the names of a core translation. */
static const char feeder_compat[] =
    "#version 120\nattribute vec4 place;\nvoid main() { gl_Position = place; gl_FrontColor = gl_Color;\n"
    "gl_FrontSecondaryColor = gl_SecondaryColor; gl_FogFragCoord = gl_FogCoord;\n"
    "gl_TexCoord[0] = gl_MultiTexCoord0; gl_TexCoord[1] = gl_MultiTexCoord1; gl_TexCoord[2] = gl_MultiTexCoord2;\n"
    "gl_TexCoord[3] = gl_MultiTexCoord3; gl_TexCoord[4] = gl_MultiTexCoord4; gl_TexCoord[5] = gl_MultiTexCoord5;\n"
    "gl_TexCoord[6] = gl_MultiTexCoord6; gl_TexCoord[7] = gl_MultiTexCoord7; }\n";

static void write_core_feeder(const struct tg_case *c, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "#version 450 compatibility\nin vec4 place;\n");

    for (size_t i = 0; i < c->ninputs; i++)
        at += declare_port(c, "out", c->inputs[i].name, strstr(c->inputs[i].name, "fogcoord") ? "float" : "vec4", "",
                           text + at, size - at);
    at += (size_t)snprintf(text + at, size - at, "void main() { gl_Position = place;\n");
    for (size_t i = 0; i < c->ninputs; i++) {
        unsigned n;
        const char *name = c->inputs[i].name;
        if (sscanf(name, "gp5_texcoord%u", &n) == 1)
            at += (size_t)snprintf(text + at, size - at, "%s = gl_MultiTexCoord%u;\n", name, n);
        else
            at += (size_t)snprintf(text + at, size - at, "%s = %s;\n", name,
                                   strstr(name, "fog")      ? "gl_FogCoord"
                                   : strstr(name, "color1") ? "gl_SecondaryColor"
                                                            : "gl_Color");
    }
    snprintf(text + at, size - at, "}\n");
}

static void draw_points(GLuint program, float (*out)[4], float *depths)
{
    float place[TG_COUNT][4];
    GLuint attribute = 15;
    const float clear[4] = {nowhere, nowhere, nowhere, nowhere};

    for (unsigned k = 0; k < TG_COUNT; k++) {
        place[k][0] = ((float)(k % SIDE) + 0.5f) / (SIDE / 2) - 1;
        place[k][1] = ((float)(k / SIDE) + 0.5f) / (SIDE / 2) - 1;
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
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, out + i * TG_COUNT);
    }
    glReadPixels(0, 0, SIDE, SIDE, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
    glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer);
}

static GLuint pair(const char *vertex, GLuint fragment, struct tg_answer *a)
{
    GLuint shader = compile(GL_VERTEX_SHADER, vertex, strlen(vertex), a), program = glCreateProgram();

    if (!shader)
        return 0;
    glAttachShader(program, shader);
    if (fragment)
        glAttachShader(program, fragment);
    glBindAttribLocation(program, 15, "place");
    bool ok = link(program, a);
    glDeleteShader(shader);
    if (ok)
        return program;
    glDeleteProgram(program);
    return 0;
}

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

static void run_fragment(const struct tg_case *c, struct tg_answer *a)
{
    static float first[TG_COLORS * TG_COUNT][4], second[TG_COLORS * TG_COUNT][4], depths[2][TG_COUNT];
    uint8_t masks[TG_COLORS];
    char feeder[3000];
    bool has_depth;

    GLuint original = load_arb(GL_FRAGMENT_PROGRAM_ARB, c->text, c->size, a);
    if (!original)
        return;
    static uint32_t undefined[9 * TG_COUNT * 4];
    bool many = find_colors(c->program, masks, &has_depth);
    /* A core translation has one colour for one target. */
    if (c->core && !many)
        memset(masks + 1, 0, sizeof masks - 1);
    make_framebuffer();
    GLuint shader = compile(GL_FRAGMENT_SHADER, c->glsl, c->glsl_size, a);
    GLuint front = shader ? pair(feeder_compat, 0, a) : 0;
    if (c->core)
        write_core_feeder(c, feeder, sizeof feeder);
    GLuint program = front ? pair(c->core ? feeder : feeder_compat, shader, a) : 0;
    for (unsigned round = 0; program && round < c->rounds; round++) {
        begin_numbers(round * 1000003u + 29);
        set_state();
        give_arrays();
        set_textures(c->program);
        glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, original);
        set_parameters(GL_FRAGMENT_PROGRAM_ARB);
        glEnable(GL_FRAGMENT_PROGRAM_ARB);
        draw_points(front, first, depths[0]);
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
        set_uniforms(c, program);
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
            find_undefined(c->program, wanted, colors_wanted + has_depth, undefined)) {
            unsigned result = 0;
            for (unsigned i = 0; i < TG_COLORS; i++) {
                if (!masks[i])
                    continue;
                for (unsigned k = 0; k < TG_COUNT * 4; k++)
                    if (undefined[result * TG_COUNT * 4 + k] &&
                        (undefined[result * TG_COUNT * 4 + k] != OPEN_IF_DRAWN ||
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
                    compare(a, x, y, "result.color", m, round, k);
            }
        for (unsigned k = 0; has_depth && k < TG_COUNT; k++) {
            uint32_t x, y;
            memcpy(&x, &depths[0][k], 4);
            memcpy(&y, &depths[1][k], 4);
            compare(a, x, y, "result.depth", 2, round, k);
        }
    }
    if (program && glGetError() != GL_NO_ERROR)
        say(a, TG_NOT_DRAWN, "an error of the GL");
    glDeleteProgram(front);
    glDeleteProgram(program);
    glDeleteShader(shader);
    glDeleteProgramsARB(1, &original);
}

void tg_run(const struct tg_case *c, struct tg_answer *a)
{
    *a = (struct tg_answer){.verdict = TG_SAME};
    constants = c->constants;
    glGetError();
    if (c->vertex)
        run_vertex(c, a);
    else
        run_fragment(c, a);
}
