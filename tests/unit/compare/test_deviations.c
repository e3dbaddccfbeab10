/* link: GLEW EGL GL */
/* The table of drivers' deviations: each row has a probe here, which fails when the driver of this machine does not
 * deviate as the row says, or deviates where no row says so. What the harness cannot ask is drawn in a context of the
 * test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compare/driver/deviations.h"
#include "tests/unit/compare/gl_driver.h"

#include <GL/glew.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void holds(struct driver *d, enum driver_deviation which, bool deviates)
{
    bool said = driver_deviations(driver_describe(d)) >> which & 1;

    if (!strstr(driver_describe(d)->renderer, "llvmpipe"))
        skip();     /* the table is of software drivers; what hardware does stands in recordings */
    if (said != deviates)
        print_message("# %s: %s; the table says %s\n", driver_deviation_name(which),
                      deviates ? "the driver deviates" : "the driver does as it should",
                      said ? "it deviates" : "nothing");
    assert_int_equal(deviates, said);
}

/* ---- asked through the harness --------------------------------------------------------------------------------------
 */

struct answer { bool ran; float word[4]; };

static bool keep(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct answer *a = user;

    (void)index;
    a->ran = r->status == DRIVER_RAN;
    if (a->ran)
        memcpy(a->word, c->stage == DRIVER_VERTEX ? r->vertices[0].data : r->colors[0].data, sizeof a->word);
    return true;
}

/* What a program makes of the parameters, in result.texcoord[0] or in the colour. */
static struct answer ask(struct driver *d, enum driver_stage stage, const char *text, const float (*local)[4],
                         size_t count)
{
    static const char *const results[] = {"result.texcoord[0]"};
    static const float position[4] = {0, 0, 0, 1};
    struct driver_array at = {"vertex.position", position, sizeof position};
    struct driver_parameter parameters[4];
    struct answer a = {false, {0}};
    struct driver_case c = {
        .stage = stage, .program = text, .program_size = strlen(text), .local = parameters, .local_count = count};

    for (uint32_t i = 0; i < count; i++) {
        parameters[i].index = i;
        memcpy(parameters[i].bits, local[i], sizeof parameters[i].bits);
    }
    if (stage == DRIVER_VERTEX)
        c.vertices = (struct driver_vertices){
            .count = 1, .inputs = &at, .input_count = 1, .results = results, .result_count = 1};
    else
        c.raster = (struct driver_raster){.primitive = DRIVER_POINTS, .width = 1, .height = 1, .color_outputs = 1};
    assert_true(driver_run(d, &c, 1, keep, &a));
    assert_true(a.ran);
    return a;
}

#define VERTEX(line) "!!ARBvp1.0\nMOV result.position, vertex.position;\n" line "\nEND\n"

static void test_nans(void **state)
{
    static const float local[2][4] = {{NAN, NAN, NAN, 2}, {1, 1, 1, 1}};
    struct driver *d = gl_driver(state);
    struct answer most =
        ask(d, DRIVER_VERTEX, VERTEX("MAX result.texcoord[0], program.local[1], program.local[0];"), local, 2);

    holds(d, DEVIATES_NANS, !isnan(most.word[0]));
}

static void test_clamp(void **state)
{
    static const float local[1][4] = {{NAN, 0, 0, 0}};
    struct driver *d = gl_driver(state);
    struct answer a = ask(d, DRIVER_FRAGMENT, "!!ARBfp1.0\nMOV_SAT result.color, program.local[0];\nEND\n", local, 1);

    holds(d, DEVIATES_CLAMP, !isnan(a.word[0]));
}

static void test_sums(void **state)
{
    static const float local[2][4] = {{INFINITY, 0, 0, 0}, {1, -0.0f, -0.0f, 1}};
    struct driver *d = gl_driver(state);
    struct answer a =
        ask(d, DRIVER_VERTEX,
            VERTEX("TEMP t;\nMOV t, program.local[0];\nDP3 result.texcoord[0], t.x, program.local[1];"), local, 2);

    holds(d, DEVIATES_SUMS, !isnan(a.word[0]));
}

static void test_half(void **state)
{
    struct driver *d = gl_driver(state);
    struct answer a = ask(d, DRIVER_VERTEX, VERTEX("MOV result.texcoord[0], state.light[0].half;"), NULL, 0);

    holds(d, DEVIATES_HALF, a.word[2] != 1);
}

/* ---- drawn
 * ------------------------------------------------------------------------------------------------------------ */

static bool open_context(void)
{
    static const EGLint none[] = {EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)(void (*)(void))eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;

    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, none);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return false;
    glewExperimental = GL_TRUE;
    GLenum found = glewInit();      /* it looks for a GLX display behind the functions, and there is none */
    glGetError();
    return (found == GLEW_OK || found == GLEW_ERROR_NO_GLX_DISPLAY) && glGenFramebuffers && glProgramStringARB;
}

static void load(GLenum target, const char *text)
{
    GLuint name;

    glGenProgramsARB(1, &name);
    glBindProgramARB(target, name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glEnable(target);
}

/* A triangle over all of 8 x 8 pixels, red, green and blue at its corners, the last of which is the provoking one. The
 * pixel in the middle. */
static void draw(float pixel[4])
{
    GLuint buffer, texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 8, 8, 0, GL_RGBA, GL_FLOAT, NULL);
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, 8, 8);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glColor4f(1, 0, 0, 1);
    glVertex2f(-1, -1);
    glColor4f(0, 1, 0, 1);
    glVertex2f(3, -1);
    glColor4f(0, 0, 1, 1);
    glVertex2f(-1, 3);
    glEnd();
    glReadPixels(4, 4, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const char passing[] =
    "!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.color, vertex.color;\nEND\n";

static bool is_ours(struct driver *d)
{
    return strstr(driver_describe(d)->renderer, "llvmpipe") && open_context();
}

static void test_flat(void **state)
{
    struct driver *d = gl_driver(state);
    float pixel[4];

    if (!is_ours(d))
        skip();
    load(GL_VERTEX_PROGRAM_ARB, passing);
    load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n");
    glShadeModel(GL_FLAT);
    draw(pixel);
    glShadeModel(GL_SMOOTH);
    holds(d, DEVIATES_FLAT, !(pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 1));
}

/* The plane leaves nothing of the triangle; without the option it counts as switched off. */
static void test_clip(void **state)
{
    static const GLdouble plane[4] = {0, 0, 0, -1};
    struct driver *d = gl_driver(state);
    float pixel[4];

    if (!is_ours(d))
        skip();
    load(GL_VERTEX_PROGRAM_ARB, passing);
    glClipPlane(GL_CLIP_PLANE0, plane);
    glEnable(GL_CLIP_PLANE0);
    draw(pixel);
    glDisable(GL_CLIP_PLANE0);
    holds(d, DEVIATES_CLIP, pixel[3] == 0);
}

/* A point of eight pixels on four samples each: its pixel at x, y. */
static void draw_point(GLint x, GLint y, float pixel[4])
{
    GLuint framebuffers[2], colors[2];
    GLint before, view[4];

    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glGetIntegerv(GL_VIEWPORT, view);
    glViewport(0, 0, 8, 8);
    glGenFramebuffers(2, framebuffers);
    glGenRenderbuffers(2, colors);
    for (int i = 0; i < 2; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
        glBindRenderbuffer(GL_RENDERBUFFER, colors[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, i ? 0 : 4, GL_RGBA8, 8, 8);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colors[i]);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    glClear(GL_COLOR_BUFFER_BIT);
    glPointSize(8);
    glBegin(GL_POINTS);
    glVertex4f(0, 0, 0, 1);
    glEnd();
    glPointSize(1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[1]);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
    glViewport(view[0], view[1], view[2], view[3]);
    glDeleteFramebuffers(2, framebuffers);
    glDeleteRenderbuffers(2, colors);
}

/* A corner of a large point's square, which its circle does not reach; and the texture coordinate in its middle. */
static void test_points(void **state)
{
    struct driver *d = gl_driver(state);
    float pixel[4];

    if (!is_ours(d))
        skip();
    load(GL_VERTEX_PROGRAM_ARB, passing);
    load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\nMOV result.color, 1;\nEND\n");
    draw_point(4, 4, pixel);
    assert_true(pixel[0] == 1);
    draw_point(0, 0, pixel);
    holds(d, DEVIATES_POINTS, pixel[0] == 1);
    load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nEND\n");
    glEnable(GL_POINT_SPRITE);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    draw_point(4, 4, pixel);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_FALSE);
    glDisable(GL_POINT_SPRITE);
    holds(d, DEVIATES_POINTS, fabsf(pixel[0] - 4.5f / 8) > 0.02f);
}

/* Rows name drivers that they are of. */
static void test_table(void **state)
{
    const struct driver_description nvidia = {.vendor = "NVIDIA Corporation",
                                              .renderer = "NVIDIA H200/PCIe/SSE2",
                                              .version = "4.6.0"},
                                    mesa = {.vendor = "Mesa/X.org",
                                            .renderer = "llvmpipe (LLVM 15.0.6, 256 bits)",
                                            .version = "4.5"};

    (void)state;
    assert_int_equal(driver_deviations(&nvidia), 0);
    assert_int_equal(driver_deviations(&mesa), (1u << DRIVER_DEVIATIONS) - 1);
    for (unsigned i = 0; i < DRIVER_DEVIATIONS; i++)
        assert_true(*driver_deviation_name(i) && *driver_deviation_what(i));
}

static int open_driver(void **state)
{
    return gl_driver_open(state, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_nans),
                                       cmocka_unit_test(test_clamp), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_half),  cmocka_unit_test(test_flat),
                                       cmocka_unit_test(test_clip),  cmocka_unit_test(test_points)};

    return cmocka_run_group_tests(tests, open_driver, gl_driver_close);
}
