/* link: GLEW EGL GL */
/* What NVIDIA's driver does with draws where the reference draws something else (docs/drivers.md, "Beside NVIDIA"):
 * prints for each experiment what came out. Needs a GPU with EGL's device platform.
 *
 *   draw_questions [counts|tessellation|attributes|points|samples] */
#include "tests/tools/experiments/context.h"

#include <stdlib.h>

enum { MOST = 64 };

static GLuint storage;
static float pixels[MOST * MOST * 4];

/* A framebuffer of its own; with `stencil` a depth and stencil buffer as gp5's worker has it. */
static void window(int width, int height, int samples, int stencil)
{
    GLuint frame, color, both;

    glGenFramebuffers(1, &frame);
    glGenRenderbuffers(1, &color);
    glGenRenderbuffers(1, &both);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA32F, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (stencil) {
        glBindRenderbuffer(GL_RENDERBUFFER, both);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH32F_STENCIL8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, both);
        glClearBufferfi(GL_DEPTH_STENCIL, 0, 1.0f, 0);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_STENCIL_TEST);
    } else {
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_STENCIL_TEST);
    }
    glDepthFunc(GL_ALWAYS);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glViewport(0, 0, width, height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
}

static void new_storage(void)
{
    static const uint32_t nothing[256];

    if (!storage)
        glGenBuffers(1, &storage);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, storage);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, nothing, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, storage);
}

static void read_storage(uint32_t *words, unsigned n)
{
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, n * 4, words);
}

static void off(void)
{
    glDisable(GL_VERTEX_PROGRAM_ARB);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDisable(GL_GEOMETRY_PROGRAM_NV);
    glDisable(GL_TESS_CONTROL_PROGRAM_NV);
    glDisable(GL_TESS_EVALUATION_PROGRAM_NV);
}

static void square(void)
{
    static const float at[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {1, 1, 0, 1}};

    glBegin(GL_TRIANGLE_STRIP);
    for (unsigned i = 0; i < 4; i++) {
        glTexCoord4fv(at[i]);
        glVertex4fv(at[i]);
    }
    glEnd();
}

static void square_of_arrays(void)
{
    static const float at[4][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {1, 1, 0, 1}};

    glVertexPointer(4, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* ---- counts: storage of a fragment program under vertex programs of other languages -------------------------------
 */

#define STORES "!!NVfp5.0\nOPTION NV_shader_storage_buffer;\nSTORAGE s[] = { program.storage[0] };\nTEMP t;\n"

static const struct named { const char *name, *text; } vertex_programs[] = {
    {"fixed function", NULL},
    {"ARBvp1.0 MOV", "!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n"},
    {"NVvp4.0 MOV", "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n"},
    {"NVvp4.0 MUL", "!!NVvp4.0\nMUL result.position, vertex.position, 1;\nMOV result.color, vertex.color;\nEND\n"},
    {"NVvp5.0 MOV", "!!NVvp5.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n"},
    {"NVvp5.0 with the option", "!!NVvp5.0\nOPTION NV_shader_storage_buffer;\nSTORAGE s[] = { program.storage[0] };\n"
     "TEMP t;\nLDB.U32 t.x, s[64];\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n"}};
static const struct named storing[] = {
    {"ATOMB", STORES "ATOMB.ADD.U32 t.x, {1, 0, 0, 0}, s[0];\nMOV result.color, fragment.color;\nEND\n"},
    {"ATOMB, literal colour", STORES "ATOMB.ADD.U32 t.x, {1, 0, 0, 0}, s[0];\nMOV result.color, 1.0;\nEND\n"},
    {"ATOMB whose result is a colour",
     STORES "ATOMB.ADD.U32 t.x, {1, 0, 0, 0}, s[0];\nMOV.U result.color, t.x;\nEND\n"},
    {"STB", STORES "STB.U32 1, s[0];\nMOV result.color, fragment.color;\nEND\n"}};

static void count_once(const struct named *v, const struct named *f, int stencil, int fragment_first, int arrays)
{
    uint32_t words[4];

    off();
    window(16, 16, 0, stencil);
    new_storage();
    if (fragment_first && !load(GL_FRAGMENT_PROGRAM_ARB, f->text))
        return;
    if (v->text && !load(GL_VERTEX_PROGRAM_ARB, v->text))
        return;
    if (!fragment_first && !load(GL_FRAGMENT_PROGRAM_ARB, f->text))
        return;
    glColor4f(0, 1, 0, 1);
    if (arrays)
        square_of_arrays();
    else
        square();
    read_storage(words, 4);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, pixels);
    printf("counts: %s; %s; stencil %d, fragment first %d, arrays %d: %u, colour %g %g, error %x\n", v->name, f->name,
           stencil, fragment_first, arrays, words[0], (double)pixels[0], (double)pixels[1], glGetError());
}

static void counts(void)
{
    for (size_t v = 0; v < sizeof vertex_programs / sizeof *vertex_programs; v++)
        for (size_t f = 0; f < sizeof storing / sizeof *storing; f++)
            for (int k = 0; k < 8; k++)
                count_once(&vertex_programs[v], &storing[f], k & 1, k >> 1 & 1, k >> 2);
}

/* ---- tessellation: attributes without arrays ---------------------------------------------------------------------
 */

#define CONTROL_TEXT                                                                                               \
    "!!NVtcp5.0\nVERTICES_OUT 4;\nATTRIB place = vertex.in.position;\nATTRIB hue = vertex.in.attrib[0];\n"          \
    "INT TEMP i;\nMOV.S i.x, primitive.invocation.x;\nMOV result.position, place[i.x];\n"                          \
    "MOV result.attrib[0], hue[i.x];\nMOV result.patch.tessouter[0].x, 3;\nMOV result.patch.tessouter[1].x, 5;\n"   \
    "MOV result.patch.tessouter[2].x, 2;\nMOV result.patch.tessouter[3].x, 7;\n"                                   \
    "MOV result.patch.tessinner[0].x, 6;\nMOV result.patch.tessinner[1].x, 3;\nEND\n"
#define EVALUATION(hue)                                                                                     \
    "!!NVtep5.0\nTESS_MODE QUADS;\nTESS_VERTEX_ORDER CCW;\nATTRIB place = vertex.position;\n"               \
    "ATTRIB hue = vertex.attrib[0];\nTEMP a, b;\nLRP a, vertex.tesscoord.x, place[1], place[0];\n"          \
    "LRP b, vertex.tesscoord.x, place[3], place[2];\nLRP result.position, vertex.tesscoord.y, b, a;\n" hue "END\n"
#define BY_LRP                                                                                               \
    "LRP a, vertex.tesscoord.x, hue[1], hue[0];\nLRP b, vertex.tesscoord.x, hue[3], hue[2];\n"              \
    "LRP result.attrib[0], vertex.tesscoord.y, b, a;\n"

static const struct evaluation { const char *name, *text; } evaluations[] = {
    {"LRP of the attribute", EVALUATION(BY_LRP)},
    {"the first vertex's", EVALUATION("MOV result.attrib[0], hue[0];\n")},
    {"a literal", EVALUATION("MOV result.attrib[0], {0, 0, 0, 1};\n")},
    {"tesscoord", EVALUATION("MOV result.attrib[0], vertex.tesscoord;\n")},
};

static void patch(int attribute, float right, int with_array, int behind_arrays)
{
    const float at[4][4] = {{-1, -1, 0, 1}, {right, -1, 0, 1}, {-1, 1, 0, 1}, {right, 1, 0, 1}};
    static const float zeros[4][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    static const float hues[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}};

    glPatchParameteri(GL_PATCH_VERTICES, 4);
    glVertexPointer(4, GL_FLOAT, 0, at);
    glEnableClientState(GL_VERTEX_ARRAY);
    if (behind_arrays) {
        glVertexAttribPointer((GLuint)attribute, 4, GL_FLOAT, GL_FALSE, 0, hues);
        glEnableVertexAttribArray((GLuint)attribute);
        glDrawArrays(GL_PATCHES, 0, 4);
        glDisableVertexAttribArray((GLuint)attribute);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    if (with_array) {
        glVertexAttribPointer((GLuint)attribute, 4, GL_FLOAT, GL_FALSE, 0, zeros);
        glEnableVertexAttribArray((GLuint)attribute);
    }
    glDrawArrays(GL_PATCHES, 0, 4);
    glDisableVertexAttribArray((GLuint)attribute);
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void tessellate_once(const struct evaluation *e, int attribute, int with_array, int behind_arrays, int kind)
{
    char vertex[256];
    unsigned odd = 0, covered = 0;
    float current[4];

    off();
    window(32, 32, 0, 1);
    glClearColor(0, 0, 9, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    snprintf(vertex, sizeof vertex, "!!NVvp%d.0\nMOV result.position, vertex.position;\n"
             "MOV result.attrib[0], vertex.attrib[%d];\nEND\n", kind ? 5 : 4, attribute);
    if (!load(GL_VERTEX_PROGRAM_ARB, vertex) || !load(GL_TESS_CONTROL_PROGRAM_NV, CONTROL_TEXT) ||
        !load(GL_TESS_EVALUATION_PROGRAM_NV, e->text) ||
        !load(GL_FRAGMENT_PROGRAM_ARB, "!!NVfp4.0\nMOV result.color, fragment.attrib[0];\nEND\n"))
        return;
    patch(attribute, 0, with_array, behind_arrays);
    glGetVertexAttribfv((GLuint)attribute, GL_CURRENT_VERTEX_ATTRIB, current);
    glReadPixels(0, 0, 32, 32, GL_RGBA, GL_FLOAT, pixels);
    printf("tessellation: %s; attribute %d, array %d, behind a draw with one %d, vp%d; current %g %g %g %g; error %x\n",
           e->name, attribute, with_array, behind_arrays, kind ? 5 : 4, (double)current[0], (double)current[1],
           (double)current[2], (double)current[3], glGetError());
    for (unsigned i = 0; i < 32 * 32; i++) {
        const float *p = pixels + 4 * i;
        covered += p[2] != 9;
        if (p[2] == 9 || (p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] == 1))
            continue;
        if (odd++ < 20)
            printf("    (%u, %u): %a %a %a %a\n", i % 32, i / 32, (double)p[0], (double)p[1], (double)p[2],
                   (double)p[3]);
    }
    printf("    %u covered, %u are not 0 0 0 1\n", covered, odd);
}

static void tessellation(void)
{
    for (unsigned e = 0; e < sizeof evaluations / sizeof *evaluations; e++)
        for (int k = 0; k < 8; k++)
            tessellate_once(&evaluations[e], k & 1 ? 3 : 1, k >> 1 & 1, k >> 2 & 1, 0);
    tessellate_once(&evaluations[0], 1, 0, 0, 1);
    tessellate_once(&evaluations[0], 1, 0, 1, 1);
    tessellate_once(&evaluations[0], 7, 0, 0, 0);
}

/* ---- attributes without an array: which current value is whose -----------------------------------------------------
 */

static const char *const conventional[16] = {
    "vertex.position",       "vertex.weight",     "vertex.normal",      "vertex.color",
    "vertex.color.secondary", "vertex.fogcoord",  NULL,                 NULL,
    "vertex.texcoord[0]",    "vertex.texcoord[1]", "vertex.texcoord[2]", "vertex.texcoord[3]",
    "vertex.texcoord[4]",    "vertex.texcoord[5]", "vertex.texcoord[6]", "vertex.texcoord[7]"};
static const char *const languages[] = {
    "!!ARBvp1.0\n", "!!ARBvp1.0\nOPTION NV_vertex_program3;\n", "!!NVvp4.0\n", "!!NVvp5.0\n", "!!VP1.0\n", "!!VP2.0\n"};

/* One vertex whose arrays are of the input `array` alone; what `input` is in a program. */
static void attribute_once(const char *language, const char *input, const char *array, const char *what)
{
    static const float place[4] = {0, 0, 0, 1}, given[4] = {0.25f, 0.5f, 0.75f, 2};
    char text[256];
    unsigned n = 0;
    int old = language[2] == 'V';

    off();
    window(1, 1, 0, 0);
    snprintf(text, sizeof text, old ? "%sMOV o[HPOS], c[0];\nMOV o[TEX0], %s;\nEND\n"
             : "%sMOV result.position, {0, 0, 0, 1};\nMOV result.texcoord[0], %s;\nEND\n", language, input);
    if (!load(GL_VERTEX_PROGRAM_ARB, text) ||
        !load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nEND\n"))
        return;
    if (old)
        glProgramParameter4fNV(GL_VERTEX_PROGRAM_NV, 0, 0, 0, 0, 1);
    if (!strcmp(array, "vertex.normal")) {
        glNormalPointer(GL_FLOAT, 0, given);
        glEnableClientState(GL_NORMAL_ARRAY);
    } else if (!strcmp(array, "vertex.color")) {
        glColorPointer(4, GL_FLOAT, 0, given);
        glEnableClientState(GL_COLOR_ARRAY);
    } else if (!strcmp(array, "vertex.texcoord[0]")) {
        glTexCoordPointer(4, GL_FLOAT, 0, given);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    } else if (sscanf(array, "vertex.attrib[%u]", &n) == 1) {
        glVertexAttribPointer(n, 4, GL_FLOAT, GL_FALSE, 0, given);
        glEnableVertexAttribArray(n);
    }
    glVertexPointer(4, GL_FLOAT, 0, place);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_POINTS, 0, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_NORMAL_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glDisableVertexAttribArray(n);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, pixels);
    printf("attributes: %.*s%s; %s: %s is %g %g %g %g, error %x\n", (int)strcspn(language, "\n"), language,
           strstr(language, "OPTION") ? " 3" : "", what, input, (double)pixels[0], (double)pixels[1],
           (double)pixels[2], (double)pixels[3], glGetError());
}

static void all_attributes(const char *array, const char *what)
{
    char input[32];

    for (unsigned l = 0; l < sizeof languages / sizeof *languages; l++)
        for (unsigned n = 0; n < 16; n++) {
            int old = languages[l][2] == 'V';
            snprintf(input, sizeof input, old ? "v[%u]" : "vertex.attrib[%u]", n);
            attribute_once(languages[l], input, array, what);
            if (!old && conventional[n] && n != 1)
                attribute_once(languages[l], conventional[n], array, what);
        }
}

static void attributes(void)
{
    static const char *const arrays[] = {"vertex.normal", "vertex.color", "vertex.texcoord[0]", "vertex.attrib[2]",
                                         "vertex.attrib[3]", "vertex.attrib[6]", "vertex.attrib[8]"};
    char what[64];

    all_attributes("", "new context");
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        snprintf(what, sizeof what, "array of %s", arrays[i]);
        all_attributes(arrays[i], what);
    }
    glNormal3f(0.1f, 0.2f, 0.3f);
    glColor4f(0.4f, 0.5f, 0.6f, 0.7f);
    glSecondaryColor3f(0.15f, 0.25f, 0.35f);
    glFogCoordf(0.45f);
    glMultiTexCoord4f(GL_TEXTURE2, 2, 3, 4, 5);
    all_attributes("", "behind glNormal, glColor, glSecondaryColor, glFogCoord, glMultiTexCoord 2");
    for (unsigned n = 1; n < 16; n++)
        glVertexAttrib4f(n, (float)n, 0.5f, 0.25f, 0.125f);
    all_attributes("", "behind glVertexAttrib n");
}

/* ---- points outside of the window ---------------------------------------------------------------------------------
 */

enum { SIDE = 16 };

static void point_once(const char *what, float size, const float at[4], const char *program, int plane)
{
    unsigned n = 0, left = SIDE, right = 0, low = SIDE, high = 0;

    off();
    window(SIDE, SIDE, 0, 1);
    if (program && !load(GL_VERTEX_PROGRAM_ARB, program))
        return;
    glPointSize(size);
    if (plane)
        glEnable(GL_CLIP_PLANE0);
    glColor4f(1, 1, 1, 1);
    glBegin(GL_POINTS);
    glVertex4fv(at);
    glEnd();
    glDisable(GL_CLIP_PLANE0);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, pixels);
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        unsigned x = i % SIDE, y = i / SIDE;
        if (pixels[4 * i] == 0)
            continue;
        n++;
        left = x < left ? x : left;
        right = x > right ? x : right;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    printf("points: %s; %s; size %g at (%g, %g, %g, %g): %u pixels", what, program ? "program" : "fixed function",
           (double)size, (double)at[0], (double)at[1], (double)at[2], (double)at[3], n);
    if (n)
        printf(", x %u to %u, y %u to %u", left, right, low, high);
    printf(", error %x\n", glGetError());
}

/* Of sizes and places between pixels, along x: the first and the last pixel. */
static void point_sizes(void)
{
    static const float sizes[] = {0.5f, 1, 1.4f, 1.5f, 1.6f, 2, 2.4f, 2.5f, 3, 3.5f, 4.3f, 7.5f, 8};
    static const float places[] = {0, 0.1f, 0.25f, 0.4f, 0.49f, 0.5f, 0.51f, 0.6f, 0.75f, 0.9f};

    for (int sprite = 0; sprite < 2; sprite++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            printf("points: sprite %d, size %g at 32 and", sprite, (double)sizes[s]);
            for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
                int first = MOST, last = -1;
                off();
                window(MOST, 1, 0, 0);
                glPointSize(sizes[s]);
                (sprite ? glEnable : glDisable)(GL_POINT_SPRITE);
                glColor4f(1, 1, 1, 1);
                glBegin(GL_POINTS);
                glVertex4f(places[k] / (MOST / 2), 0, 0, 1);
                glEnd();
                glDisable(GL_POINT_SPRITE);
                glReadPixels(0, 0, MOST, 1, GL_RGBA, GL_FLOAT, pixels);
                for (int i = 0; i < MOST; i++)
                    if (pixels[4 * i] != 0) {
                        first = i < first ? i : first;
                        last = i;
                    }
                printf(" %g: %d-%d", (double)places[k], first, last);
            }
            puts("");
        }
}

static void points(void)
{
    static const char pass[] =
        "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n";
    static const char clipped[] =
        "!!NVvp4.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\n"
        "MOV result.clip[0].x, -1.0;\nEND\n";
    static const float sizes[] = {1, 2, 7, 32, 63};
    static const float outside[] = {-0.0625f, 0.0625f, 0.5f, 0.9f, 1, 3, 3.4f, 3.6f, 10, 15.9f, 16.1f, 31};

    point_sizes();
    for (unsigned s = 0; s < 5; s++)
        for (unsigned o = 0; o < sizeof outside / sizeof *outside; o++)
            for (int k = 0; k < 6; k++) {
                /* so many pixels beyond the window's left, right, lower, upper edge or corner */
                float away = 1 + outside[o] / (SIDE / 2);
                const float at[6][4] = {{-away, 0, 0, 1},       {away, 0, 0, 1},     {0, -away, 0, 1},
                                        {0, away, 0, 1},        {away, away, 0, 1},  {-2 * away, 0, 0, 2}};
                point_once("beside", sizes[s], at[k], pass, 0);
                if (!k)
                    point_once("beside", sizes[s], at[k], NULL, 0);
            }
    for (unsigned s = 0; s < 3; s++) {
        point_once("in front", sizes[s], (float[4]){0, 0, -1.01f, 1}, pass, 0);
        point_once("behind", sizes[s], (float[4]){0, 0, 1.01f, 1}, pass, 0);
        point_once("on the far plane", sizes[s], (float[4]){0, 0, 1, 1}, pass, 0);
        point_once("beyond a clip distance", sizes[s], (float[4]){0, 0, 0, 1}, clipped, 1);
        point_once("beyond a clip distance that is off", sizes[s], (float[4]){0, 0, 0, 1}, clipped, 0);
        point_once("w is negative", sizes[s], (float[4]){0, 0, 0, -1}, pass, 0);
        point_once("w is 0", sizes[s], (float[4]){0, 0, 0, 0}, pass, 0);
        point_once("far beside", sizes[s], (float[4]){5000, 0, 0, 1}, pass, 0);
    }
}

/* ---- samples: derivatives of SAMPLE attributes ---------------------------------------------------------------------
 */

static void derivative(int samples, const char *kind)
{
    char text[1024];
    uint32_t words[256];
    float f[256];

    off();
    window(2, 2, samples, 0);
    new_storage();
    snprintf(text, sizeof text, STORES "%s a = fragment.texcoord[0];\nTEMP u, v;\nINT TEMP n, m;\n"
             "MUL t, a, 2.0;\nMUL u.x, t.x, t.x;\nMOV v.x, t.x;\nDDX v.y, t.x;\nDDX v.z, u.x;\nDDY v.w, t.x;\n"
             "FLR.S n.xy, fragment.position;\nMAD.S n.x, n.y, 2, n.x;\nMAD.S n.x, n.x, %d, fragment.sampleid.x;\n"
             "MUL.S n.x, n.x, 16;\nSTB.F32X4 v, s[n.x];\nMOV result.color, v;\nEND\n", kind, samples ? samples : 1);
    if (!load(GL_VERTEX_PROGRAM_ARB, "!!ARBvp1.0\nMOV result.position, vertex.position;\n"
              "MOV result.texcoord[0], vertex.texcoord[0];\nEND\n") || !load(GL_FRAGMENT_PROGRAM_ARB, text))
        return;
    square();
    read_storage(words, 256);
    memcpy(f, words, sizeof f);
    printf("samples: %d, %s: 2 a.x; its DDX; DDX of its square; DDY; error %x\n", samples, kind, glGetError());
    for (int i = 0; i < 4 * (samples ? samples : 1); i++)
        printf("    pixel %d sample %d: %g %g %g %g\n", i / (samples ? samples : 1), i % (samples ? samples : 1),
               (double)f[4 * i], (double)f[4 * i + 1], (double)f[4 * i + 2], (double)f[4 * i + 3]);
}

static void samples(void)
{
    static const int numbers[] = {0, 1, 2, 4, 8};

    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        derivative(numbers[i], "ATTRIB");
        derivative(numbers[i], "CENTROID ATTRIB");
        derivative(numbers[i], "SAMPLE ATTRIB");
    }
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*ask)(void);
    } all[] = {{"counts", counts}, {"tessellation", tessellation}, {"attributes", attributes}, {"points", points},
             {"samples", samples}};

    if (!open_context())
        return 77;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (argc < 2 || !strcmp(argv[1], all[i].name))
            all[i].ask();
    return 0;
}
