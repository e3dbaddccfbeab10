/* state.*: every binding that vertex and fragment programs have, read back by programs of several dialects from a state
 * whose numbers are all different, beside what the GL's formulas give (ARB_vertex_program, Table X.3 and its like),
 * computed here on their own. All numbers of all of them stand in ARB vertex programs, and none where it may be left
 * out: what piglit's matrix-property-bindings and property-bindings name is among them. What is a value of the state is
 * that value; products are a unit in the last place from the exact number at most, inverses 16.
 * cost: 2 */
#include "asm/isa.h"
#include "tests/unit/eval/stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- a state ---------------------------------------------------------------------------------------------- */

/* Numbers between 0.1 and 2, and of every second one the negative. */
static void put_numbers(float *to, size_t n, unsigned *seed)
{
    for (size_t i = 0; i < n; i++, ++*seed)
        to[i] = (*seed & 1 ? -1.0f : 1.0f) * (0.1f + (float)(*seed * 37 % 191) / 100);
}

static void fill_state(struct gp5_state *s)
{
    unsigned seed = 1;

    gp5_state_init(s);
    put_numbers(s->modelview, 16, &seed);
    put_numbers(s->projection, 16, &seed);
    put_numbers(s->texture[0], sizeof s->texture / (sizeof(float)), &seed);
    put_numbers(s->program[0], sizeof s->program / (sizeof(float)), &seed);
    put_numbers(s->front.ambient, sizeof s->front / (sizeof(float)), &seed);
    put_numbers(s->back.ambient, sizeof s->back / (sizeof(float)), &seed);
    for (unsigned i = 0; i < GP5_LIGHTS; i++) {
        put_numbers(s->light[i].ambient, sizeof s->light[i] / (sizeof(float)), &seed);
        s->light[i].spot_cutoff = i == 3 ? 180 : 10.0f * (float)(i + 1);
    }
    put_numbers(s->light_model_ambient, 4, &seed);
    put_numbers(s->texgen[0].eye[0], sizeof s->texgen / (sizeof(float)), &seed);
    put_numbers(s->texenv_color[0], sizeof s->texenv_color / (sizeof(float)), &seed);
    put_numbers(s->fog_color, 4, &seed);
    s->fog_density = 0.375f;
    s->fog_start = 1.25f;
    s->fog_end = 4.75f;
    put_numbers(s->clip_plane[0], sizeof s->clip_plane / (sizeof(float)), &seed);
    s->point_size = 3.5f;
    s->point_size_min = 1.5f;
    s->point_size_max = 64;
    s->point_fade_threshold = 2.25f;
    put_numbers(s->point_attenuation, 3, &seed);
    s->depth_range[0] = 0.125f;
    s->depth_range[1] = 0.875f;
}

/* ---- matrices, by the text: columns as they are loaded --------------------------------------------------------- */

typedef long double matrix[4][4];       /* [row][column] */

static void load(const float *m, matrix to)
{
    for (unsigned i = 0; i < 16; i++)
        to[i % 4][i / 4] = m[i];
}

static void multiply(matrix a, matrix b, matrix to)
{
    for (unsigned i = 0; i < 16; i++) {
        to[i / 4][i % 4] = 0;
        for (unsigned k = 0; k < 4; k++)
            to[i / 4][i % 4] += a[i / 4][k] * b[k][i % 4];
    }
}

static void transpose(matrix m)
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < i; k++) {
            long double x = m[i][k];
            m[i][k] = m[k][i];
            m[k][i] = x;
        }
}

/* Gauss and Jordan's, with the greatest pivot. */
static void invert(matrix m)
{
    long double a[4][8];

    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 8; k++)
            a[i][k] = k < 4 ? m[i][k] : k - 4 == i;
    for (unsigned c = 0; c < 4; c++) {
        unsigned best = c;
        for (unsigned i = c; i < 4; i++)
            best = fabsl(a[i][c]) > fabsl(a[best][c]) ? i : best;
        for (unsigned k = 0; k < 8; k++) {
            long double x = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = x;
        }
        for (unsigned k = 8; k-- > 0;)
            a[c][k] /= a[c][c];
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 8; i != c && k-- > 0;)
                a[i][k] -= a[i][c] * a[c][k];
    }
    for (unsigned i = 0; i < 16; i++)
        m[i / 4][i % 4] = a[i / 4][4 + i % 4];
}

static void expect_matrix(const struct gp5_state *s, const char *words, unsigned n, unsigned row, double out[4])
{
    matrix m, p, v;

    if (strstr(words, "mvp")) {
        load(s->projection, p);
        load(s->modelview, v);
        multiply(p, v, m);
    } else {
        load(strstr(words, "modelview")    ? s->modelview
             : strstr(words, "projection") ? s->projection
             : strstr(words, "texture")    ? s->texture[n]
                                           : s->program[n],
             m);
    }
    if (strstr(words, "inv"))
        invert(m);
    if (strstr(words, "trans"))
        transpose(m);
    for (unsigned c = 0; c < 4; c++)
        out[c] = (double)m[row][c];
}

/* ---- the rest -------------------------------------------------------------------------------------------- */

static void four(const float *from, double out[4])
{
    for (unsigned c = 0; c < 4; c++)
        out[c] = (double)from[c];
}

static void put(double out[4], double x, double y, double z, double w)
{
    const double all[4] = {x, y, z, w};

    memcpy(out, all, sizeof all);
}

static const float *color_of(const struct gp5_material *m, const char *words)
{
    return strstr(words, "ambient")    ? m->ambient
           : strstr(words, "diffuse")  ? m->diffuse
           : strstr(words, "specular") ? m->specular
                                       : m->emission;
}

static void expect_light(const struct gp5_state *s, const char *words, unsigned n, double out[4])
{
    const struct gp5_light *l = &s->light[n];
    const float *d = l->spot_direction, *color = strstr(words, "ambient")   ? l->ambient
                                                : strstr(words, "diffuse") ? l->diffuse
                                                                           : l->specular;
    double p[3], length = 0;

    if (strstr(words, "lightprod")) {
        const float *m = color_of(strstr(words, "back") ? &s->back : &s->front, words);
        put(out, (double)color[0] * m[0], (double)color[1] * m[1], (double)color[2] * m[2], m[3]);
    } else if (strstr(words, "position")) {
        four(l->position, out);
    } else if (strstr(words, "attenuation")) {
        put(out, l->attenuation[0], l->attenuation[1], l->attenuation[2], l->spot_exponent);
    } else if (strstr(words, "spot")) {
        put(out, d[0], d[1], d[2], cos((double)l->spot_cutoff * acos(-1) / 180));
    } else if (strstr(words, "half")) {     /* of the direction to the light and that to the viewer, (0, 0, 1) */
        for (unsigned c = 0; c < 3; c++)
            length += (double)l->position[c] * l->position[c];
        for (unsigned c = 0; c < 3; c++)
            p[c] = l->position[c] / sqrt(length) + (c == 2);
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        put(out, p[0] / length, p[1] / length, p[2] / length, 1);
    } else {
        four(color, out);
    }
}

static void expect_rest(const struct gp5_state *s, const char *words, unsigned n, double out[4])
{
    const struct gp5_material *m = strstr(words, "back") ? &s->back : &s->front;
    const char *last = words + strlen(words) - 1;

    if (strstr(words, "shininess"))
        put(out, m->shininess, 0, 0, 1);
    else if (strstr(words, "state.material"))
        four(color_of(m, words), out);
    else if (strstr(words, "scenecolor"))
        put(out, (double)s->light_model_ambient[0] * m->ambient[0] + m->emission[0],
            (double)s->light_model_ambient[1] * m->ambient[1] + m->emission[1],
            (double)s->light_model_ambient[2] * m->ambient[2] + m->emission[2], m->diffuse[3]);
    else if (strstr(words, "lightmodel"))
        four(s->light_model_ambient, out);
    else if (strstr(words, "texgen"))
        four((strstr(words, "eye") ? s->texgen[n].eye : s->texgen[n].object)[strchr("strq", *last) - "strq"], out);
    else if (strstr(words, "texenv"))
        four(s->texenv_color[n], out);
    else if (strstr(words, "fog.color"))
        four(s->fog_color, out);
    else if (strstr(words, "fog.params"))
        put(out, s->fog_density, s->fog_start, s->fog_end, 1 / ((double)s->fog_end - s->fog_start));
    else if (strstr(words, "clip"))
        four(s->clip_plane[n], out);
    else if (strstr(words, "point.size"))
        put(out, s->point_size, s->point_size_min, s->point_size_max, s->point_fade_threshold);
    else if (strstr(words, "point.attenuation"))
        put(out, s->point_attenuation[0], s->point_attenuation[1], s->point_attenuation[2], 1);
    else    /* depth.range */
        put(out, s->depth_range[0], s->depth_range[1], (double)s->depth_range[1] - s->depth_range[0], 1);
}

/* ---- programs --------------------------------------------------------------------------------------------- */

enum { BARE = UINT32_MAX };     /* number 0 without saying so, where that may be left out */

/* The words with their numbers: the last of a row's is the row. */
static void name_of(const char *words, unsigned n, unsigned row, char *text)
{
    for (; *words; words++) {
        bool of_row = !strncmp(words, "[]", 2) && !strncmp(words - 3, "row", 3);
        if (n == BARE && !strncmp(words, "[?]", 3)) {
            words += 2;
            continue;
        }
        *text++ = *words;
        if (*words == '[')
            text += sprintf(text, "%u", of_row ? row : n == BARE ? 0 : n);
        words += *words == '[' && words[1] == '?';
    }
    *text = 0;
}

static double ulps(float got, double expected)
{
    float near = (float)expected;
    int exponent;

    if (got == near)
        return 0;
    frexp(fabs(expected) > 0 ? expected : 0x1p-126, &exponent);
    return fabs(got - expected) / ldexp(1, exponent - 24);
}

/* Row by row: a matrix without one stands in an array. */
static void read_back(const struct gp5_state *s, unsigned profile, unsigned kind, unsigned n, unsigned row,
                      enum gp5_semantics semantics, unsigned *wrong)
{
    const char *words = binding_table[kind].words;
    bool matrix_ = !strncmp(words, "state.matrix", 12), whole = matrix_ && !strstr(words, "row"),
         fragment = profile_table[profile].stage_id == STAGE_FRAGMENT,
         exact = !matrix_ && !strstr(words, "prod") && !strstr(words, "half") && !strstr(words, "scenecolor") &&
                 !strstr(words, "spot") && !strstr(words, "params");
    double expected[4], most = exact ? 0 : strstr(words, "inv") ? 16 : 1;
    if (strstr(words, "half") && semantics == GP5_SEMANTICS_NVIDIA)
        most = 128;             /* whose unit vectors are a little short */
    const char *to = fragment ? "result.color" : "result.position";
    char name[96], text[512];
    struct stage_test r;

    name_of(words, n, row, name);
    if (whole)
        snprintf(text, sizeof text, "%s\nPARAM m[4] = { %s };\nMOV %s, m[%u];\nEND\n", profile_table[profile].header,
                 name, to, row);
    else
        snprintf(text, sizeof text, "%s\nMOV %s, %s;\nEND\n", profile_table[profile].header, to, name);
    n = n == BARE ? 0 : n;
    open_run(&r, text, semantics);
    result(&r, to);
    r.launch.count = r.launch.width = r.launch.height = 1;
    r.launch.state = s;
    assert_int_equal(execute(&r), GP5_RUN_OK);
    if (matrix_)
        expect_matrix(s, words, n, row, expected);
    else if (strstr(words, "state.light[") || strstr(words, "lightprod"))
        expect_light(s, words, n, expected);
    else
        expect_rest(s, words, n, expected);
    for (unsigned c = 0; c < 4; c++)
        if (!(ulps(number(r.result[0][c]), expected[c]) <= most) &&
            !(most == 16 && fabs(number(r.result[0][c]) - expected[c]) < 1e-15)) {     /* an inverse's 0 */
            ++*wrong;
            print_error("%s: %s.%c is %.9g, not %.9g\n", profile_table[profile].name, name, "xyzw"[c],
                        (double)number(r.result[0][c]), expected[c]);
        }
    close_run(&r);
}

static bool is_tested(unsigned kind)
{
    const char *words = binding_table[kind].words;

    return !strncmp(words, "state.", 6) && strncmp(words, "state.thread", 12) &&
           strncmp(words, "state.multisample", 17) && !strstr(words, "palette") && !strstr(words, "normalscale");
}

/* Whether there are several of them: eight, and four texture environments. */
static bool has_numbers(const char *words)
{
    static const char *const several[] = {"texture[", "program[", "light[", "prod[", "texgen[", "texenv[", "clip["};

    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (strstr(words, several[i]))
            return true;
    return false;
}

static void test_bindings(void **state)
{
    static const unsigned profiles[] = {PROFILE_ARBVP, PROFILE_ARBFP, PROFILE_NVVP4, PROFILE_NVFP5};
    struct gp5_state s;
    unsigned wrong = 0, tested = 0, bare = 0;

    (void)state;
    fill_state(&s);
    s.clamp_vertex_color = s.clamp_fragment_color = false;
    for (unsigned kind = 0; kind < BIND_COUNT; kind++)
        for (size_t p = 0; p < 8 && is_tested(kind); p++) {
            unsigned profile = profiles[p / 2];
            const char *words = binding_table[kind].words;
            bool rows = !strncmp(words, "state.matrix", 12), numbers = has_numbers(words);
            if (!(binding_table[kind].profiles >> profile & 1))
                continue;
            for (unsigned row = 0; row < (rows ? 4 : 1); row++) {
                enum gp5_semantics semantics = p & 1 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA;
                unsigned every = profile == PROFILE_ARBVP ? 1 : 3;
                for (unsigned n = 0; n < (strstr(words, "texenv") ? 4 : numbers ? 8 : 1); n += every, tested++)
                    read_back(&s, profile, kind, n, row, semantics, &wrong);
                if (profile != PROFILE_ARBVP || !strstr(words, "[?]"))
                    continue;
                read_back(&s, profile, kind, BARE, row, semantics, &wrong);
                bare++;
            }
        }
    print_message("# %u rows of bindings, and %u without a number\n", tested, bare);
    assert_int_equal(wrong, 0);
    assert_true(tested > 2000 && bare > 40);
}

/* Rows side by side: state.matrix.*.row[a..b], arrays of texgen planes as programs write them. */
static void test_rows(void **state)
{
    struct gp5_state s;

    (void)state;
    fill_state(&s);
    for (unsigned row = 0; row < 3; row++) {
        struct stage_test r;
        double expected[4];
        char text[256];
        snprintf(text, sizeof text, "!!ARBvp1.0\n"
                 "PARAM m[] = { state.matrix.program[2].invtrans.row[1..3], {1, 2, 3, 4} };\n"
                 "MOV result.position, m[%u];\nEND\n", row);
        open_run(&r, text, GP5_SEMANTICS_NVIDIA);
        result(&r, "result.position");
        r.launch.count = 1;
        r.launch.state = &s;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        expect_matrix(&s, "state.matrix.program.invtrans", 2, row + 1, expected);
        for (unsigned c = 0; c < 4; c++)
            assert_true(ulps(number(r.result[0][c]), expected[c]) <= 16);
        close_run(&r);
    }
}

/* What a new context has (the initial values of the OpenGL specification's state tables). */
static void test_defaults(void **state)
{
    static const struct {
        const char *binding;
        float value[4];
    } rows[] = {
        {"state.matrix.modelview.row[1]", {0, 1, 0, 0}},
        {"state.matrix.mvp.inverse.row[3]", {0, 0, 0, 1}},
        {"state.matrix.texture[7].row[2]", {0, 0, 1, 0}},
        {"state.matrix.program[7].transpose.row[0]", {1, 0, 0, 0}},
        {"state.material.ambient", {0.2f, 0.2f, 0.2f, 1}},
        {"state.material.back.diffuse", {0.8f, 0.8f, 0.8f, 1}},
        {"state.material.specular", {0, 0, 0, 1}},
        {"state.material.shininess", {0, 0, 0, 1}},
        {"state.light[0].diffuse", {1, 1, 1, 1}},
        {"state.light[1].diffuse", {0, 0, 0, 1}},
        {"state.light[1].specular", {0, 0, 0, 1}},
        {"state.light[2].position", {0, 0, 1, 0}},
        {"state.light[2].attenuation", {1, 0, 0, 0}},
        {"state.light[2].spot.direction", {0, 0, -1, -1}},
        {"state.lightmodel.ambient", {0.2f, 0.2f, 0.2f, 1}},
        {"state.lightprod[0].ambient", {0, 0, 0, 1}},
        {"state.texgen[0].eye.s", {1, 0, 0, 0}},
        {"state.texgen[0].object.t", {0, 1, 0, 0}},
        {"state.texgen[0].eye.r", {0, 0, 0, 0}},
        {"state.fog.color", {0, 0, 0, 0}},
        {"state.fog.params", {1, 0, 1, 1}},
        {"state.clip[0].plane", {0, 0, 0, 0}},
        {"state.point.attenuation", {1, 0, 0, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stage_test r;
        char text[160];
        snprintf(text, sizeof text, "!!ARBvp1.0\nMOV result.position, %s;\nEND\n", rows[i].binding);
        open_run(&r, text, GP5_SEMANTICS_SPEC);
        result(&r, "result.position");
        r.launch.count = 1;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        for (unsigned c = 0; c < 4; c++)
            if (number(r.result[0][c]) != rows[i].value[c])
                fail_msg("%s.%c is %g", rows[i].binding, "xyzw"[c], (double)number(r.result[0][c]));
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_defaults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
