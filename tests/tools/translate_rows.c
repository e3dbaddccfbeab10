/* link: EGL GL */
/* Instructions, one a program, as compute programs on the evaluator and translated on llvmpipe: the same words.
 *
 *   translate_rows [--to=LANGUAGE] [--show] FILE
 *
 * A line of FILE is what the program does between loading A B C (vectors), D E (LONG) and storing R, Q (LONG) and the
 * flags; `i`, `f`, `s` before it: whole numbers of all sorts, floats of all sorts, small numbers of both; `w`: as `s`,
 * with warps of as many lanes as the driver's subgroups have; `~`: floats that may be 4 units in the last place apart.
 * `refused` before it: there is no translation. own[] is the thread's
 * memory at N.y, cb[] constants, bw[] and bv[] others as BUFFER and BUFFER4, sm[] shared memory at N.w. A line a
 * program that is not the same; the last line counts. Exit status: 0, 1, 77 there is no llvmpipe. */
#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_pairs.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"

enum { THREADS = 32, STRIDE = 64, WORDS = THREADS * STRIDE / 4, CONSTANTS = 16384, POINTS = 73 };

static const char head[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nOPTION NV_gpu_program5_mem_extended;\n"
    "OPTION NV_shader_atomic_float;\nOPTION NV_shader_atomic_int64;\nOPTION NV_shader_atomic_fp16_vector;\n"
    "OPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\nOPTION NV_internal;\n"
    "GROUP_SIZE 32;\nSHARED_MEMORY 2048;\n"
    "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
    "STORAGE own[] = { program.storage[2] };\nSTORAGE two[][] = { program.storage[2..3] };\n"
    "SHARED sm[] = { program.sharedmem };\n"
    "CBUFFER cb[] = { program.buffer[0] };\nCBUFFER ct[][] = { program.buffer[0..1] };\n"
    "BUFFER bw[] = { program.buffer[1] };\nBUFFER4 bv[] = { program.buffer[2] };\n"
    "TEMP A, B, C, R, F, N;\nSHORT TEMP H;\nLONG TEMP D, E, Q;\n"
    "MUL.U N.yw, invocation.localindex.x, 64;\nAND.U N.x, invocation.localindex.x, 3;\nAND.U N.z, N.x, 1;\n"
    "LDB.U32X4 A, in[N.y];\nLDB.U32X4 B, in[N.y + 16];\nLDB.U32X4 C, in[N.y + 32];\n"
    "LDB.U64X4 D, in[N.y];\nLDB.U64X4 E, in[N.y + 32];\nMOV.U R, 0;\nMOV.U64 Q, 0;\nMOV.U.CC F, 1;\n";
static const char tail[] =
    "STB.U32X4 R, out[N.y];\nMOV.U F, 0;\nOR.U F (EQ), F, 1;\nOR.U F (LT), F, 2;\nOR.U F (CF), F, 4;\n"
    "OR.U F (OF), F, 8;\nSTB.U32X4 F, out[N.y + 16];\nSTB.U64X4 Q, out[N.y + 32];\nEND\n";

struct buffers {
    uint32_t in[WORDS], out[WORDS], own[WORDS], other[WORDS];
} __attribute__((aligned(16)));
static uint32_t constants[3][CONSTANTS] __attribute__((aligned(16)));
static uint32_t open_out[WORDS], open_own[WORDS];
static enum gp5_language language = GP5_TO_GLSL450COMPAT;
static bool show;
static unsigned subgroup;   /* lanes of the driver's */

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static uint32_t next(void)
{
    static uint64_t seed = 17;
    uint64_t z = seed += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)((z ^ z >> 27) >> 20);
}

static uint32_t number(char kind)
{
    static const uint32_t whole[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, 255, 256, 65535, 0xffff8000};
    static const float floats[] = {0, -0.0f, 1, -1, 0.5f, INFINITY, -INFINITY, NAN, 3.4e38f, 2.5f, -3.5f};
    float f = floats[next() % 11];
    uint32_t word;

    if (kind == 'i')
        return next() % 3 ? next() : whole[next() % 10];
    bool small = kind == 's' || kind == 'w';
    if (small && next() & 1)
        return next() % 100;
    if (small || next() % 3)
        f = (float)((int)(next() % 4001) - 2000) / 16.0f;
    memcpy(&word, &f, 4);
    return word;
}

/* Numbers of 64 bits overlap those of 32: of floats the high words are those of doubles of their size. */
static void fill(char kind, struct buffers *b)
{
    for (unsigned i = 0; i < WORDS; i++) {
        b->in[i] = number(kind);
        b->own[i] = next() % 3 ? number('i') : number('f');
        b->other[i] = number('i');
        b->out[i] = 0;
    }
    for (unsigned i = 0; i < CONSTANTS; i++) {
        constants[0][i] = number(kind);
        constants[1][i] = number(kind);
        constants[2][i] = number(kind);
    }
}

/* ---- both sides -------------------------------------------------------------------------------------------------- */

static bool evaluate(const gp5_program *p, unsigned warp, struct buffers *b, char *why, size_t room)
{
    struct gp5_run_options options = {.size = sizeof options, .semantics = GP5_SEMANTICS_SPEC, .track_undefined = true,
                                      .warp = warp};
    char *message = NULL;
    size_t offset;
    gp5_executable *x = gp5_prepare(p, &options, &message, &offset);

    if (!x) {
        snprintf(why, room, "not evaluated: %s", message);
        gp5_text_free(message);
        return false;
    }
    memset(open_out, 0, sizeof open_out);
    memset(open_own, 0, sizeof open_own);
    struct gp5_buffer storage[] = {
        {.binding = 0, .data = (uint8_t *)b->in, .size = sizeof b->in},
        {.binding = 1, .data = (uint8_t *)b->out, .size = sizeof b->out, .undefined = open_out},
        {.binding = 2, .data = (uint8_t *)b->own, .size = sizeof b->own, .undefined = open_own},
        {.binding = 3, .data = (uint8_t *)b->other, .size = sizeof b->other}};
    struct gp5_buffer cbuffers[] = {{.binding = 0, .data = (uint8_t *)constants[0], .size = sizeof constants[0]},
                                    {.binding = 1, .data = (uint8_t *)constants[1], .size = sizeof constants[1]},
                                    {.binding = 2, .data = (uint8_t *)constants[2], .size = sizeof constants[2]}};
    struct gp5_launch launch = {.size = sizeof launch,
                                .groups = {1, 1, 1},
                                .storage = storage,
                                .nstorage = 4,
                                .cbuffers = cbuffers,
                                .ncbuffers = 3};
    struct gp5_report report = {0};
    bool ok = gp5_execute(x, &launch, NULL, &report) == GP5_RUN_OK;
    if (!ok)
        snprintf(why, room, "not evaluated: %s", report.message);
    gp5_report_free(&report);
    gp5_executable_free(x);
    return ok;
}

static bool dispatch(const char *text, struct buffers *b, char *why, size_t room)
{
    uint32_t *const words[] = {b->in, b->out, b->own, b->other};
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram(), storage[4], uniforms[3];
    GLint ok = 0;
    char log[1500] = "";

    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok)
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    if (ok) {
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &ok);
        if (!ok)
            glGetProgramInfoLog(program, sizeof log, NULL, log);
    }
    snprintf(why, room, "%s", log);
    if (!ok) {
        glDeleteProgram(program);
        return false;
    }
    glGenBuffers(4, storage);
    glGenBuffers(3, uniforms);
    for (unsigned i = 0; i < 4; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, storage[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, WORDS * 4, words[i], GL_DYNAMIC_COPY);
    }
    for (unsigned i = 0; i < 3; i++) {
        glBindBufferBase(GL_UNIFORM_BUFFER, POINTS + i, uniforms[i]);
        glBufferData(GL_UNIFORM_BUFFER, sizeof constants[i], constants[i], GL_STATIC_DRAW);
    }
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    for (unsigned i = 0; i < 4; i++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, storage[i]);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, WORDS * 4, words[i]);
    }
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(4, storage);
    glDeleteBuffers(3, uniforms);
    return glGetError() == GL_NO_ERROR;
}

/* How many lanes its subgroups have; 0 where it says none. */
static unsigned subgroup_size(void)
{
    static const char text[] = "#version 450\n#extension GL_ARB_shader_ballot : require\n"
                               "layout(local_size_x = 32) in;\nlayout(std430, binding = 1) buffer B { uint size; };\n"
                               "void main() { size = gl_SubGroupSizeARB; }\n";
    static struct buffers b;
    char why[1600];

    return dispatch(text, &b, why, sizeof why) ? b.out[0] : 0;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

struct translated {
    char *text, refusal[300];
};

static bool take(void *user, const char *bytes, size_t size)
{
    struct translated *t = user;

    t->text = calloc(1, size + 1);
    if (t->text)
        memcpy(t->text, bytes, size);
    return t->text != NULL;
}

static bool refused(void *user, const struct gp5_diagnostic *d)
{
    struct translated *t = user;

    snprintf(t->refusal, sizeof t->refusal, "%s", d->message);
    return true;
}

static bool is_nan(uint32_t w)
{
    return (w & 0x7fffffff) > 0x7f800000;
}

static bool same(uint32_t a, uint32_t b, bool loose)
{
    int32_t x = (int32_t)a, y = (int32_t)b;

    if (a == b || (is_nan(a) && is_nan(b)))
        return true;
    return loose && (x ^ y) >= 0 && labs((long)x - (long)y) <= 4;
}

static unsigned lines, wrong, words_compared;

static bool compare(const struct buffers *a, const struct buffers *b, bool loose, char *why, size_t room)
{
    for (unsigned i = 0; i < WORDS; i++) {
        words_compared += !open_out[i] + !open_own[i];
        if (!open_out[i] && !same(a->out[i], b->out[i], loose)) {
            snprintf(why, room, "thread %u, word %u of R, flags, Q: %08x, translated %08x", i / 16, i % 16, a->out[i],
                     b->out[i]);
            return false;
        }
        if (!open_own[i] && !same(a->own[i], b->own[i], loose)) {
            snprintf(why, room, "thread %u, word %u of memory: %08x, translated %08x", i / 16, i % 16, a->own[i],
                     b->own[i]);
            return false;
        }
    }
    return true;
}

static void one(char kind, bool loose, bool no, const char *line)
{
    static struct buffers first, second;
    static char text[8192];
    char why[1600] = "";
    struct translated t = {0};
    struct gp5_translate_options how = {.size = sizeof how, .to = language, .write = take, .each = refused, .user = &t};

    snprintf(text, sizeof text, "%s%s\n%s", head, line, tail);
    gp5_program *p = gp5_parse(text, strlen(text));
    enum gp5_translated answer = gp5_translate(p, &how);
    bool fine = no ? answer == GP5_TRANSLATE_REFUSED : answer == GP5_TRANSLATED;
    lines++;
    if (!fine)
        snprintf(why, sizeof why, "%s", answer == GP5_TRANSLATE_INVALID ? "invalid" : t.refusal);
    for (unsigned round = 0; fine && !no && round < 3; round++) {
        fill(kind, &first);
        second = first;
        fine = evaluate(p, kind == 'w' ? subgroup : 0, &first, why, sizeof why) &&
               dispatch(t.text, &second, why, sizeof why) &&
               compare(&first, &second, loose, why, sizeof why);
    }
    wrong += !fine;
    if (!fine) {
        why[strcspn(why, "\n")] = 0;
        printf("%s\t%s\n", line, why);
    }
    if (!fine && show)
        printf("%s\n", t.text ? t.text : "");
    free(t.text);
    gp5_program_free(p);
}

int main(int argc, char **argv)
{
    const char *renderer = NULL;
    char line[1024];
    int i = 1;

    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--show"))
            show = true;
        else if (!strcmp(argv[i], "--to=glsl450"))
            language = GP5_TO_GLSL450;
        else if (strcmp(argv[i], "--to=glsl450compat"))
            return 2;
    }
    FILE *f = i < argc ? fopen(argv[i], "r") : NULL;
    if (!f)
        return 2;
    if (!tp_open(&renderer) || !strstr(renderer, "llvmpipe")) {
        printf("there is no llvmpipe here\n");
        return 77;
    }
    subgroup = subgroup_size();
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        bool no = !strncmp(line, "refused ", 8), loose = line[0] == '~';
        const char *at = line + (no ? 8 : loose);
        if (*line && *line != '#')
            one(no ? 'i' : *at, loose, no, no ? at : at + 2);
    }
    fclose(f);
    printf("%u programs, %u wrong, %u words\n", lines, wrong, words_compared);
    return wrong != 0;
}
