/* Undefined values keep their reasons in every stage: attributes that nothing gives, results that nothing wrote or that
 * were not written since an EMIT, what another thread has not written, lanes that are not there. And what a launch
 * gives with forms of its own: attributes of 64 bits, vertices that pass through a geometry program. */
#include "tests/unit/eval/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const float three[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* A program, what it runs on, and of word `at` of a result why it is undefined; "": it is not. */
static const struct {
    const char *text, *input, *result;
    unsigned at;
    const char *why[2];         /* under nvidia, under spec */
} cases[] = {
    /* results that nothing wrote, or in part */
    {"!!NVvp5.0\nMOV result.position, 1;\nMOV result.color.xy, 1;\nEND\n", NULL, "result.color", 2,
     {"result.color.z was never written", "result.color.z was never written"}},
    {"!!NVvp5.0\nMOV result.position, 1;\nMOV result.color.xy, 1;\nEND\n", NULL, "result.color", 1, {"", ""}},
    {"!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.texcoord[1].x, vertex.position;\nEND\n",
     "vertex.position", "result.texcoord[1]", 3,
     {"result.texcoord[1].w was never written", "result.texcoord[1].w was never written"}},
    {"!!VP2.0\nMOVC CC, v[OPOS];\nMOV o[HPOS], v[OPOS];\nMOV o[COL0] (GT.x), v[OPOS];\nEND\n", NULL, "o[COL0]", 0,
     {"", ""}},         /* those of VP1.0 to 2.0 begin as (0, 0, 0, 1) */
    {"!!FP1.0\nMOVC RC, f[WPOS];\nMOV o[COLR] (LT.x), f[WPOS];\nEND\n", NULL, "o[COLR]", 0,
     {"result.color[0].x was never written", "result.color[0].x was never written"}},
    {"!!NVfp5.0\nTEMP r;\nMOV.CC r, -1;\nMOV result.color (GT.x), r;\nEND\n", NULL, "result.color", 1,
     {"result.color[0].y was never written", "result.color[0].y was never written"}},
    {"!!NVvp5.0\nTEMP r;\nMOV.CC r, vertex.position;\nIF LT.x;\nMOV result.color, r;\nENDIF;\nEND\n", "vertex.position",
     "result.color", 2, {"result.color.z was never written", "result.color.z was never written"}},
    {"!!NVvp5.0\nTEMP r;\nMOV.CC r, vertex.position;\nIF LT.x;\nMOV r, 1;\nENDIF;\nMOV result.color, r;\nEND\n",
     "vertex.position", "result.color", 2, {"", ""}},
    {"!!NVvp5.0\nTEMP r;\nMOV.CC r, vertex.position;\nRET (GT.x);\nMOV result.color, r;\nEND\n", "vertex.position",
     "result.color", 2, {"result.color.z was never written", "result.color.z was never written"}},
    /* registers */
    {"!!NVvp5.0\nTEMP r;\nMOV result.position, r;\nEND\n", NULL, "result.position", 1,
     {"r.y was never written", "r.y was never written"}},
    {"!!VP1.0\nMOV o[HPOS], R3;\nEND\n", NULL, "o[HPOS]", 1, {"", ""}},        /* these begin as zeros */
    {"!!VP2.0\nMOV o[HPOS], R3;\nEND\n", NULL, "o[HPOS]", 1, {"", ""}},
    {"!!FP1.0\nMOV o[COLR], R3;\nEND\n", NULL, "o[COLR]", 1, {"", ""}},
    {"!!ARBvp1.0\nOPTION NV_vertex_program2;\nTEMP r;\nMOV result.position, r;\nEND\n", NULL, "result.position", 1,
     {"r.y was never written", "r.y was never written"}},
    {"!!ARBvp1.0\nOPTION NV_vertex_program2;\nMOV result.position, {2}.x;\n"
     "MOV result.position.y (EQ.x), {3}.x;\nEND\n", NULL, "result.position", 1, {"", ""}},     /* flags begin as EQ */
    {"!!NVvp4.0\nMOV result.position, {2}.x;\nMOV result.position.y (EQ.x), {3}.x;\nEND\n", NULL,
     "result.position", 1, {"CC0.x was never written", "CC0.x was never written"}},
    /* attributes without data: vertices have the GL's current values, other stages nothing */
    {"!!NVvp5.0\nMOV result.position, vertex.attrib[3];\nEND\n", NULL, "result.position", 1, {"", ""}},
    {"!!NVfp5.0\nMOV result.color, fragment.texcoord[1];\nEND\n", NULL, "result.color", 0,
     {"fragment.texcoord[1] was not given", "fragment.texcoord[1] was not given"}},
    {"!!FP1.0\nMOV o[COLR], f[TEX1];\nEND\n", NULL, "o[COLR]", 0,
     {"fragment.texcoord[1] was not given", "fragment.texcoord[1] was not given"}},
    {"!!NVfp4.0\nMUL result.color, fragment.attrib[2], 2;\nEND\n", NULL, "result.color", 3,
     {"fragment.attrib[2] was not given", "fragment.attrib[2] was not given"}},
    {"!!NVfp4.0\nMOV result.color, fragment.clip[1];\nEND\n", NULL, "result.color", 0,
     {"fragment.clip[1] was not given", "fragment.clip[1] was not given"}},
    {"!!NVfp5.0\nMOV result.color, fragment.fogcoord;\nEND\n", NULL, "result.color", 1, {"", ""}},  /* (f, 0, 0, 1) */
    {"!!NVgp4.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\n"
     "MOV result.position, vertex[0].position;\nMOV result.attrib[0], vertex[0].attrib[1];\nEMIT;\nEND\n",
     "vertex.position", "result.attrib[0]", 2,
     {"vertex[0].attrib[1] was not given", "vertex[0].attrib[1] was not given"}},
    {"!!NVtep5.0\nTESS_MODE TRIANGLES;\nTESS_SPACING EQUAL;\nMOV result.position, vertex[1].attrib[0];\nEND\n", NULL,
     "result.position", 0, {"vertex[1].attrib[0] was not given", "vertex[1].attrib[0] was not given"}},
    /* results behind EMIT */
    {"!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\n"
     "MOV result.position, vertex[0].position;\nEMIT;\nEMIT;\nEND\n", "vertex.position", "result.position", 5,
     {"the result was not written since this EMIT", "the result was not written since this EMIT"}},
    {"!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\n"
     "MOV result.position, vertex[0].position;\nEMIT;\nMOV result.position.xyw, 1;\nEMIT;\nEND\n", "vertex.position",
     "result.position", 6,
     {"the result was not written since this EMIT", "the result was not written since this EMIT"}},
    {"!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, 1;\n"
     "MOV result.color.x, 1;\nEMIT;\nEND\n", NULL, "result.color", 1,
     {"result.color.y was never written", "result.color.y was never written"}},
    /* what an attribute lacks */
    {"!!NVfp5.0\nMOV.S result.color, primitive.id;\nEND\n", NULL, "result.color", 1,
     {"primitive.id.y has no value", "primitive.id.y has no value"}},
    /* what another thread has not written */
    {"!!NVtcp5.0\nVERTICES_OUT 3;\nMOV result.position, vertex.out[1].attrib[0];\nMOV result.attrib[0], 1;\nEND\n",
     NULL, "result.position", 0,
     {"result.attrib[0].x was never written", "result.attrib[0].x was never written"}},
    {"!!NVtcp5.0\nVERTICES_OUT 3;\nMOV result.attrib[0], 1;\nMOV result.position, vertex.out[1].attrib[0];\nEND\n",
     NULL, "result.position", 0, {"", ""}},
    {"!!NVtcp5.0\nVERTICES_OUT 3;\nMOV result.position, primitive.out.patch.attrib[2];\nEND\n", NULL, "result.position",
     3, {"result.patch.attrib[2].w was never written", "result.patch.attrib[2].w was never written"}},
    /* lanes that are not there */
    {"!!NVvp5.0\nOPTION NV_shader_thread_shuffle;\nTEMP r, p;\nMOV p, 1;\nSHFIDX.F r, p, 20, 31;\n"
     "MOV result.position, r.y;\nEND\n", NULL, "result.position", 0,
     {"lane 20 was inactive when lane 0 read it", "lane 20 was inactive when lane 0 read it"}},
    {"!!NVtcp5.0\nOPTION NV_shader_thread_shuffle;\nVERTICES_OUT 3;\nTEMP r, p;\nMOV p, 1;\nSHFIDX.F r, p, 9, 31;\n"
     "MOV result.position, r.y;\nEND\n", NULL, "result.position", 0,
     {"lane 9 was inactive when lane 0 read it", "lane 9 was inactive when lane 0 read it"}},
    /* of a scalar result the first component is all there is */
    {"!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV result.position, 1;\n"
     "MOV.S result.primid.x, 3;\nEMIT;\nEND\n", NULL, "result.primid", 1, {"", ""}},
    {"!!NVfp5.0\nMOV result.color, 1;\nMOV result.depth.z, 1;\nEND\n", NULL, "result.depth", 0, {"", ""}},
};

static void test_reasons(void **state)
{
    static const uint32_t patch[1] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct stage_test r;
            open_run(&r, cases[i].text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA);
            if (cases[i].input)
                input(&r, cases[i].input, three, 1);
            result(&r, cases[i].result);
            r.launch.count = r.launch.patches = 1;
            r.launch.patch_vertices = 3;
            r.launch.patch = patch;
            r.launch.width = r.launch.height = 1;
            assert_int_equal(execute(&r), GP5_RUN_OK);
            if (strcmp(reason(&r, 0, cases[i].at), cases[i].why[k]))
                print_error("%s\n%s: %s\n", cases[i].text, cases[i].result, reason(&r, 0, cases[i].at));
            assert_string_equal(reason(&r, 0, cases[i].at), cases[i].why[k]);
            close_run(&r);
        }
}

/* Such a value ends a strict run. */
static void test_strict(void **state)
{
    struct stage_test r;

    (void)state;
    open_run(&r, "!!NVvp5.0\nTEMP r;\nMOV result.position, r;\nEND\n", GP5_SEMANTICS_NVIDIA);
    r.options.strict = true;
    result(&r, "result.position");
    r.launch.count = 1;
    assert_int_equal(gp5_execute(r.executable, &r.launch, &r.options, &r.report), GP5_RUN_UNDEFINED);
    assert_non_null(strstr(r.report.message, "result.position in group 0, warp 0, lane 0: r.x was never written"));
    close_run(&r);
}

/* ---- attributes of 64 bits ------------------------------------------------------------------------------- */

static void test_long_attributes(void **state)
{
    static const char text[] = "!!NVvp5.0\nOPTION NV_gpu_program_fp64;\nLONG ATTRIB x[] = { vertex.attrib[1..2] };\n"
                               "LONG TEMP d;\nTEMP r;\nADD.F64 d, x[0], x[1];\nUP64.U result.position, d;\n"
                               "MOV.S r, vertex.id.x;\nMOV.F64 d, x[r.x];\nCVT.F32.F64 result.texcoord[0], d;\nEND\n";

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        double first[2][4] = {{1, 2, 3, 4}, {0x1p-40, 6, 7, 8}}, second[2][4] = {{1, 20, 30, 40}, {1, 60, 70, 80}},
               sum[2];
        struct stage_test r;
        open_run(&r, text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA);
        r.in[0] = (struct gp5_array){"vertex.attrib[1]", (uint32_t *)(void *)first, 2, .wide = true};
        r.in[1] = (struct gp5_array){"vertex.attrib[2]", (uint32_t *)(void *)second, 2, .wide = true};
        r.launch.ninputs = r.launch.count = 2;
        result(&r, "result.position");
        result(&r, "result.texcoord[0]");
        assert_int_equal(execute(&r), GP5_RUN_OK);
        memcpy(sum, r.result[0] + 4, sizeof sum);
        assert_true(sum[0] == 1 + 0x1p-40 && sum[1] == 66);
        assert_true(number(r.result[1][1]) == 2 && number(r.result[1][5]) == 60);
        gp5_report_free(&r.report);
        r.launch.ninputs = 1;           /* of the other one there is no current value of 64 bits */
        assert_int_equal(execute(&r), GP5_RUN_OK);
        assert_string_equal(reason(&r, 0, 0), "vertex.attrib[2] was not given");
        assert_string_equal(reason(&r, 1, 1), "");
        gp5_report_free(&r.report);
        r.in[0].wide = false;
        assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
        assert_string_equal(r.report.message, "vertex.attrib[1] is LONG: its elements are four words of 64 bits");
        close_run(&r);
    }
}

static void test_no_long_attribute(void **state)
{
    struct stage_test r;

    (void)state;
    open_run(&r, "!!NVvp5.0\nMOV result.position, vertex.attrib[1];\nEND\n", GP5_SEMANTICS_NVIDIA);
    input(&r, "vertex.attrib[1]", three, 2);
    r.in[0].wide = true;
    r.launch.count = 1;
    assert_int_equal(execute(&r), GP5_RUN_BAD_LAUNCH);
    assert_string_equal(r.report.message, "vertex.attrib[1] is not LONG: its elements are four words of 32 bits");
    close_run(&r);
}

/* ---- vertices that pass through --------------------------------------------------------------------------- */

static void test_passthrough(void **state)
{
    static const char text[] =
        "!!NVgp5.0\nOPTION NV_geometry_shader_passthrough;\nPRIMITIVE_IN LINES;\nPASSTHROUGH result.position;\n"
        "PASSTHROUGH result.attrib[1].xw;\nMOV.S result.primid.x, primitive.id;\n"
        "MUL.F result.attrib[2], vertex[1].position, 2;\nEND\n";
    float at[4][4], other[4][4];

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct stage_test r;
        for (unsigned v = 0; v < 4; v++)
            for (unsigned c = 0; c < 4; c++) {
                at[v][c] = (float)(v * 4 + c);
                other[v][c] = -at[v][c];
            }
        open_run(&r, text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA);
        input(&r, "vertex.position", at[0], 4);
        input(&r, "vertex.attrib[1]", other[0], 4);
        result(&r, "result.position");
        result(&r, "result.attrib[1]");
        result(&r, "result.attrib[2]");
        result(&r, "result.primid");
        r.launch.count = 2;
        assert_int_equal(gp5_result_count(r.executable, 2, 1), 4);
        assert_int_equal(execute(&r), GP5_RUN_OK);
        assert_int_equal(r.report.elements[0], 4);
        assert_memory_equal(r.result[0], at, sizeof at);
        for (unsigned v = 0; v < 4; v++) {
            assert_true(number(r.result[1][4 * v]) == other[v][0] && number(r.result[1][4 * v + 3]) == other[v][3]);
            assert_true(number(r.result[2][4 * v + 1]) == 2 * at[v | 1][1]);
            assert_int_equal(r.result[3][4 * v], v / 2);
        }
        assert_int_equal(r.report.undefined_words, 0);
        gp5_report_free(&r.report);
        r.launch.ninputs = 1;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        assert_string_equal(reason(&r, 1, 3), "vertex[0].attrib[1] was not given");
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reasons),           cmocka_unit_test(test_strict),
        cmocka_unit_test(test_long_attributes),   cmocka_unit_test(test_no_long_attribute),
        cmocka_unit_test(test_passthrough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
