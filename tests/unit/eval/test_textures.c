/* link: mpfr gmp */
/* Texture instructions: what a driver gave for every target, format, wrap mode and filter
 * (tests/recordings/textures.txt, bit for bit; levels of detail from derivatives within 2/256); levels in fragment
 * programs; what is undefined, with its reason. cost: 3 */
#include "tests/unit/eval/evaluate.h"
#include "tests/oracle/oracle.h"
#include "tests/tools/texture_cases.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NEAR = 2 };              /* levels of detail: so many 256ths */

static uint8_t *bytes_of(size_t n)
{
    uint8_t *p = (uint8_t *)evaluate_words(n / 4 + 4);

    assert_non_null(p);
    return p;
}

/* ---- the recording ----------------------------------------------------------------------------------------------- */

struct replay {
    FILE *recording;
    const char *mode;
    struct gp5_run_options options;
    uint8_t *places[PLACES_COUNT];
    unsigned cases, differ, levels, near;
};

/* The next line that is no comment, into `line`. */
static void read_line(FILE *f, char *line, size_t size)
{
    do
        assert_non_null(fgets(line, (int)size, f));
    while (line[0] == '#');
    line[strcspn(line, "\n")] = 0;
}

static void evaluate_case(struct replay *r, const struct texture_case *c, uint8_t *results)
{
    struct gp5_texture texture = c->texture;
    struct prepared p;
    struct gp5_report report;

    if (!evaluate_prepare(&p, c->program, &r->options, eval_best_level()))
        fail_msg("%s: %s", c->name, p.message);
    texture.data = bytes_of(texture.bytes);
    texture_fill(c, texture.data);
    struct gp5_buffer storage[2] = {{.binding = 0, .data = r->places[c->places],
      .size = TEXTURE_LANES * TEXTURE_RECORD},
                                    {.binding = 1, .data = results, .size = TEXTURE_RESULTS}};
    struct gp5_launch launch = {
        .groups = {TEXTURE_LANES / 64, 1, 1}, .storage = storage, .nstorage = 2, .textures = &texture, .ntextures = 1};
    memset(results, 0, TEXTURE_RESULTS);
    if (gp5_execute(p.executable, &launch, &r->options, &report) != GP5_RUN_OK)
        fail_msg("%s: %s", c->name, report.message);
    if (report.undefined_words)
        fail_msg("%s: undefined: %s", c->name, report.norigins ? report.origins[0].reason : "");
    gp5_report_free(&report);
    free(texture.data);
    evaluate_free(&p);
}

/* The levels of all lanes, 32 a line. */
static void compare_levels(struct replay *r, const struct texture_case *c, const uint8_t *results)
{
    char line[1024], *at = line;
    unsigned exact = 0;

    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        float level;
        if (lane % 32 == 0)
            read_line(r->recording, at = line, sizeof line);
        long want = strtol(at, &at, 10);
        memcpy(&level, results + lane * 16, sizeof level);
        exact += (long)(level * 256) == want;
        if (labs((long)(level * 256) - want) > NEAR)
            fail_msg("%s, lane %u: level %g, the driver says %g", c->name, lane, (double)level, (double)want / 256);
    }
    r->levels += TEXTURE_LANES;
    r->near += TEXTURE_LANES - exact;
    if (exact < TEXTURE_LANES * 99 / 100)
        fail_msg("%s: only %u of %d levels are exact", c->name, exact, TEXTURE_LANES);
}

static void replay_case(void *user, const struct texture_case *c)
{
    struct replay *r = user;
    uint8_t *results = bytes_of(TEXTURE_RESULTS);
    char line[1024], want[160], got[160];

    r->cases++;
    read_line(r->recording, line, sizeof line);
    evaluate_case(r, c, results);
    snprintf(want, sizeof want, "%s levels", c->name);
    snprintf(got, sizeof got, "%s %016" PRIx64, c->name, texture_digest(results));
    if (c->levels) {
        assert_string_equal(line, want);
        compare_levels(r, c, results);
    } else if (strcmp(line, got)) {
        print_error("%s: recorded %s, evaluated %s\n", r->mode, line, got);
        r->differ++;
    }
    free(results);
}

static void replay(const char *mode, struct gp5_run_options options)
{
    struct replay r = {.mode = mode, .options = options, .recording = fopen("tests/recordings/textures.txt", "r")};

    assert_non_null(r.recording);
    for (unsigned i = 0; i < PLACES_COUNT; i++) {
        r.places[i] = bytes_of(TEXTURE_LANES * TEXTURE_RECORD);
        texture_places((enum texture_places)i, r.places[i]);
    }
    texture_cases(replay_case, &r);
    for (unsigned i = 0; i < PLACES_COUNT; i++)
        free(r.places[i]);
    fclose(r.recording);
    print_message("# %u cases, among them %u levels of detail, of which %u are not the driver's\n", r.cases, r.levels,
                  r.near);
    assert_true(r.cases > 550);
    assert_int_equal(r.differ, 0);
}

static void test_recording(void **state)
{
    (void)state;
    replay("plain", (struct gp5_run_options){.jobs = 1});
}

static void test_recording_tracked(void **state)
{
    (void)state;
    replay("tracked", (struct gp5_run_options){.jobs = 1, .track_undefined = true});
}

/* The oracle: the same results, bit for bit. */
struct second { struct replay replay; unsigned compared; };

static bool oracle_case(struct replay *r, const struct texture_case *c, uint8_t *results)
{
    struct oracle_texture texture = {.texture = c->texture};
    bool *open = calloc(TEXTURE_RESULTS, sizeof *open);
    struct oracle_outcome outcome;
    gp5_program *p = gp5_parse(c->program, strlen(c->program));

    assert_non_null(open);
    assert_non_null(p);
    texture.texture.data = bytes_of(c->texture.bytes);
    texture.undef = calloc(c->texture.bytes / 4 + 1, sizeof *texture.undef);
    assert_non_null(texture.undef);
    texture_fill(c, texture.texture.data);
    struct oracle_buffer storage[2] = {{0, r->places[c->places], TEXTURE_LANES * TEXTURE_RECORD, open},
     {1, results, TEXTURE_RESULTS, open}};
    struct oracle_launch launch = {
        .groups = {TEXTURE_LANES / 64, 1, 1}, .storage = storage, .nstorage = 2, .textures = &texture, .ntextures = 1};
    memset(results, 0, TEXTURE_RESULTS);
    oracle_run(p, GP5_SEMANTICS_NVIDIA, &launch, &outcome);
    gp5_program_free(p);
    free(texture.texture.data);
    free(texture.undef);
    free(open);
    assert_true(outcome.status == ORACLE_RAN || outcome.status == ORACLE_NOT_EVALUATED);
    return outcome.status == ORACLE_RAN;
}

static void second_case(void *user, const struct texture_case *c)
{
    struct second *s = user;
    uint8_t *results = bytes_of(TEXTURE_RESULTS), *other = bytes_of(TEXTURE_RESULTS);

    if (oracle_case(&s->replay, c, other)) {
        evaluate_case(&s->replay, c, results);
        s->compared++;
        if (memcmp(other, results, TEXTURE_RESULTS)) {
            print_error("%s: the oracle gives something else\n", c->name);
            s->replay.differ++;
        }
    }
    free(results);
    free(other);
}

static void test_oracle(void **state)
{
    struct second s = {.replay = {.options = {.jobs = 1}}};

    (void)state;
    for (unsigned i = 0; i < PLACES_COUNT; i++) {
        s.replay.places[i] = bytes_of(TEXTURE_LANES * TEXTURE_RECORD);
        texture_places((enum texture_places)i, s.replay.places[i]);
    }
    texture_cases(second_case, &s);
    for (unsigned i = 0; i < PLACES_COUNT; i++)
        free(s.replay.places[i]);
    assert_true(s.compared > 550);
    assert_int_equal(s.replay.differ, 0);
}

/* ---- fragments --------------------------------------------------------------------------------------------------- */

enum { WIDTH = 8, HEIGHT = 4, SIZE = 64, LEVELS = 7 };

/* A texture whose texels are the number of their level. */
static struct gp5_texture levels_texture(void)
{
    struct gp5_texture t = {
        .kind = GP5_TEXTURE_2D, .format = GP5_FORMAT_R32F, .size = {SIZE, SIZE, 1}, .levels = LEVELS};

    t.sampler = (struct gp5_sampler){.min_filter = GP5_FILTER_LINEAR_MIPMAP_LINEAR, .mag_filter = GP5_FILTER_LINEAR,
                                     .min_lod = -1000, .max_lod = 1000};
    t.bytes = (size_t)gp5_texture_bytes(&t, LEVELS);
    t.data = bytes_of(t.bytes);
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint64_t at = gp5_texture_bytes(&t, level); at < gp5_texture_bytes(&t, level + 1); at += 4) {
            float f = (float)level;
            memcpy(t.data + at, &f, 4);
        }
    return t;
}

struct fragments {
    float colors[WIDTH * HEIGHT * 4];
    uint32_t undefined[WIDTH * HEIGHT * 4];
    struct gp5_report report;
};

/* Texture coordinates go `texels` texels a pixel in s. */
static void draw(const char *body, float texels, struct fragments *out)
{
    float end = texels * WIDTH / SIZE;
    struct gp5_interpolant in = {GP5_FRAGMENT_TEXCOORD, {{0, 0, 0, 2}, {end, 0, 0, 2}, {0, 0, 0, 2}, {end, 0, 0, 2}}};
    struct gp5_texture t = levels_texture();
    struct gp5_run_options options = {.jobs = 1, .track_undefined = true};
    struct gp5_launch launch = {.width = WIDTH, .height = HEIGHT, .interpolants = &in, .ninterpolants = 1, .ncolors = 1,
                                .colors = out->colors, .undefined = out->undefined, .textures = &t, .ntextures = 1};
    struct prepared p;
    char text[1024];

    snprintf(text, sizeof text, "!!ARBfp1.0\nTEMP t;\n%s\nEND\n", body);
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s", p.message);
    assert_int_equal(gp5_execute(p.executable, &launch, &options, &out->report), GP5_RUN_OK);
    evaluate_free(&p);
    free(t.data);
}

static void test_levels_of_quads(void **state)
{
    static const struct { const char *body; float texels, level; } cases[] = {
        {"TEX result.color, fragment.texcoord[0], texture[0], 2D;", 1, 0},
        {"TEX result.color, fragment.texcoord[0], texture[0], 2D;", 4, 2},
        {"TEX result.color, fragment.texcoord[0], texture[0], 2D;", 0.25f, 0},
        {"TXB result.color, fragment.texcoord[0], texture[0], 2D;", 2, 3},
        {"TXP result.color, fragment.texcoord[0], texture[0], 2D;", 8, 2},
        {"MUL t, fragment.texcoord[0], 4; TEX result.color, t, texture[0], 2D;", 2, 3},
        {"TEX result.color, fragment.texcoord[0], texture[1], 2D;", 1, 0},      /* nothing there: (0, 0, 0, 1) */
    };
    struct fragments f;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw(cases[i].body, cases[i].texels, &f);
        for (unsigned k = 0; k < WIDTH * HEIGHT; k++) {
            assert_true(f.colors[4 * k] == cases[i].level);
            assert_true(f.colors[4 * k + 3] == 1);
        }
        assert_int_equal(f.report.undefined_words, 0);
        gp5_report_free(&f.report);
    }
}

/* With NVIDIA's driver a lane that KIL ends goes on as a helper: its quad keeps its derivatives. */
static void test_broken_quads(void **state)
{
    struct fragments f;

    (void)state;
    draw("ADD t, fragment.texcoord[0], -0.05; KIL t.x; TEX result.color, fragment.texcoord[0], texture[0], 2D;", 4, &f);
    assert_int_equal(f.report.undefined_words, 0);
    gp5_report_free(&f.report);
}

/* ---- levels in a second vector ----------------------------------------------------------------------------------- */

/* Depths are (level + 1) / 8, and what is greater passes: with a reference of (level + 1.5) / 8 levels up to that one
 * do. */
static void test_second_vectors(void **state)
{
    static const struct { const char *code; uint8_t kind; uint32_t depth; } cases[] = {
        {"MOV a, {0.3, 0.4, 0, 0.3125}; MOV b.x, v; TXL r, a, b, texture[0], SHADOWARRAY2D;", GP5_TEXTURE_ARRAY2D, 2},
        {"MOV a, {0.3, 0.4, 0.9, 0.3125}; MOV b.x, v; TXL r, a, b, texture[0], SHADOWCUBE;", GP5_TEXTURE_CUBE, 6},
        {"MOV a, {0.3, 0.4, 0.9, 0}; MOV b.x, 0.3125; MOV b.y, v.x; TXL r, a, b, texture[0], SHADOWARRAYCUBE;",
         GP5_TEXTURE_ARRAYCUBE, 6},
        {"MOV a, {0.3, 0.4, 0.3125, 3}; MOV b.x, v; TXL r, a, b, texture[0], SHADOW2D;", GP5_TEXTURE_2D, 1},
    };
    static const float passes[4] = {1, 1, 0, 0};        /* by level */
    struct gp5_run_options options = {.jobs = 1, .track_undefined = true};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp5_texture t = {
            .kind = cases[i].kind, .format = GP5_FORMAT_DEPTH32F, .size = {8, 8, cases[i].depth}, .levels = 4};
        t.sampler = (struct gp5_sampler){.min_filter = GP5_FILTER_NEAREST_MIPMAP_NEAREST,
                                         .compare = GP5_COMPARE_GREATER,
                                         .min_lod = -1000,
                                         .max_lod = 1000};
        t.bytes = (size_t)gp5_texture_bytes(&t, 4);
        t.data = bytes_of(t.bytes);
        for (uint32_t level = 0; level < 4; level++)
            for (uint64_t at = gp5_texture_bytes(&t, level); at < gp5_texture_bytes(&t, level + 1); at += 4) {
                float depth = (float)(level + 1) / 8;
                memcpy(t.data + at, &depth, 4);
            }
        float *out = (float *)evaluate_words(16);
        struct gp5_buffer storage = {0, (uint8_t *)out, 64, NULL};
        struct gp5_launch launch = {
            .groups = {1, 1, 1}, .storage = &storage, .nstorage = 1, .textures = &t, .ntextures = 1};
        struct gp5_report report;
        struct prepared p;
        char text[1024];
        snprintf(text, sizeof text,
                 "!!NVcp5.0\nOPTION NV_internal;\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 4;\n"
                 "STORAGE out[] = { program.storage[0] };\nTEMP a, b, r, v, i;\nI2F.U v, invocation.localindex.x;\n%s\n"
                 "MUL.U i.x, invocation.localindex.x, 16;\nSTB.F32X4 r, out[i.x];\nEND\n", cases[i].code);
        if (!evaluate_prepare(&p, text, &options, eval_best_level()))
            fail_msg("%s: %s", cases[i].code, p.message);
        assert_int_equal(gp5_execute(p.executable, &launch, &options, &report), GP5_RUN_OK);
        assert_int_equal(report.undefined_words, 0);
        for (unsigned level = 0; level < 4; level++)
            assert_true(out[4 * level] == passes[level]);
        gp5_report_free(&report);
        evaluate_free(&p);
        free(out);
        free(t.data);
    }
}

/* ---- what is undefined, and what is refused ---------------------------------------------------------------------- */

struct open_case { const char *body, *reason; };

static void run_open(const struct open_case *c, enum gp5_semantics semantics, struct gp5_report *report,
                     uint32_t *undefined)
{
    struct gp5_run_options options = {.jobs = 1, .track_undefined = true, .semantics = semantics};
    struct gp5_texture t[2] = {levels_texture(), levels_texture()};
    uint32_t *out = evaluate_words(128);
    struct gp5_buffer storage = {0, (uint8_t *)out, 512, undefined};
    struct gp5_launch launch = {.groups = {1, 1, 1}, .storage = &storage, .nstorage = 1, .textures = t, .ntextures = 2};
    struct prepared p;
    char text[2048];

    t[1].unit = 1;
    t[1].format = GP5_FORMAT_DEPTH32F;
    t[1].sampler.compare = GP5_COMPARE_LESS;
    snprintf(text, sizeof text,
             "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_bindless_texture;\nGROUP_SIZE 1;\n"
             "STORAGE out[] = { program.storage[0] };\nTEXTURE several[] = { texture[0..1] };\nTEMP t, u, r;\n"
             "LONG TEMP D;\n"
             "MOV.U t, 0;\nMOV.U u, 0;\n%s\nSTB.U32X4 r, out[0];\nEND\n", c->body);
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s", p.message);
    memset(undefined, 0, 512);
    assert_int_equal(gp5_execute(p.executable, &launch, &options, report), GP5_RUN_OK);
    evaluate_free(&p);
    free(out);
    free(t[0].data);
    free(t[1].data);
}

static void test_open(void **state)
{
    static const struct open_case cases[] = {
        {"TEX r, t, texture[3], 2D;", "TEX: nothing is bound to the unit"},
        {"TEX r, t, texture[0], 3D;", "TEX: the texture is of another kind than the target"},
        {"TEX.U r, t, texture[0], 2D;", "TEX: the texture's numbers are not of the instruction's type"},
        {"TEX r, t, texture[0], SHADOW2D;", "TEX: a SHADOW target and a texture that compares nothing"},
        {"TEX r, t, texture[1], 2D;", "TEX: a texture that compares and a target without SHADOW"},
        {"MOV.U t.x, 64; TXF r, t, texture[0], 2D;", "TXF: the texel is outside of the texture"},
        {"MOV.U t.w, 7; TXF r, t, texture[0], 2D;", "TXF: the texel is outside of the texture"},
        {"MOV.U t.x, 7; TXQ r, t, texture[0], 2D;", "TXQ: the texture has no such level"},
        {"TXQ r, t, texture[0], 2D;", "TXQ leaves its component z open"},
        {"MOV.U u.x, 9; TEX r, t, texture[0], 2D, offset(u);",
         "TEX: the offset is beyond the texels that there may be"},
        {"MOV.U u.x, 2; TEX r, t, several[u.x], 2D;", "TEX: the index is beyond the array of textures"},
        {"TEX r, r, texture[0], 2D;", "r.x was never written"},
    };
    static const struct open_case handle = {"MOV.U64 D.x, 5; TEX r, t, handle(D.x), 2D;",
                                            "TEX: the handle is none of a texture of this kind"};
    struct gp5_report report;
    uint32_t *undefined = evaluate_words(128);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_open(&cases[i], GP5_SEMANTICS_SPEC, &report, undefined);
        assert_true(report.norigins > 0);
        assert_string_equal(report.origins[0].reason, cases[i].reason);
        gp5_report_free(&report);
        run_open(&cases[i], GP5_SEMANTICS_NVIDIA, &report, undefined); /* measured, all but what was never written */
        assert_int_equal(report.undefined_words > 0, i + 1 == sizeof cases / sizeof *cases);
        gp5_report_free(&report);
    }
    run_open(&handle, GP5_SEMANTICS_NVIDIA, &report, undefined);
    assert_true(report.norigins > 0);
    assert_string_equal(report.origins[0].reason, handle.reason);
    gp5_report_free(&report);
    free(undefined);
}

static void test_refused(void **state)
{
    static const struct open_case cases[] = {
        {"OPTION NV_explicit_multisample;\nGROUP_SIZE 1;\nTEMP t;\nTXFMS t, t, texture[0], RENDERBUFFER;",
         "not evaluated yet: the target RENDERBUFFER at line 5, column 1"},
        {"OPTION NV_internal;\nGROUP_SIZE 1;\nTEMP t;\nTXL t, t, texture[0], SHADOWCUBE;",
         "not evaluated yet: TXL on SHADOWCUBE at line 5, column 1"},
    };
    struct gp5_run_options options = {.jobs = 1};
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prepared p;
        snprintf(text, sizeof text, "!!NVcp5.0\n%s\nEND\n", cases[i].body);
        assert_false(evaluate_prepare(&p, text, &options, eval_best_level()));
        assert_string_equal(p.message, cases[i].reason);
        evaluate_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recording),      cmocka_unit_test(test_recording_tracked),
        cmocka_unit_test(test_oracle),         cmocka_unit_test(test_levels_of_quads),
        cmocka_unit_test(test_second_vectors), cmocka_unit_test(test_broken_quads),
        cmocka_unit_test(test_open),           cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
