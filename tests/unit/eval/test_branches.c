/* BRA and the stack of address registers: programs whose lanes part give each vertex what it gets alone, whatever the
 * others do; labels, calls and what a stack does at its ends. */
#include "tests/unit/eval/evaluate.h"
#include "tests/unit/eval/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { VERTICES = 48 };

static const char *const headers[] = {"!!ARBvp1.0\nOPTION NV_vertex_program2;\n",
                                      "!!ARBvp1.0\nOPTION NV_vertex_program3;\n"};

/* Runs a program over vertices whose attribute 1 is (i, 2i mod 7, 1, 0.5), with so many lanes a warp. */
static void run_on_vertices(struct stage_test *r, const char *text, enum gp5_semantics semantics, uint32_t warp)
{
    float values[VERTICES][4];

    for (unsigned i = 0; i < VERTICES; i++) {
        values[i][0] = (float)i;
        values[i][1] = (float)(2 * i % 7);
        values[i][2] = 1;
        values[i][3] = 0.5f;
    }
    open_run(r, text, semantics);
    r->options.warp = warp;
    input(r, "vertex.attrib[1]", values[0], VERTICES);
    result(r, "result.position");
    r->launch.count = VERTICES;
}

/* ---- a program, and what it computes --------------------------------------------------------------------- */

/* x: the sum of 1 .. i; y: i if it is even, -i if it is odd; z: how many of 3 and 5 divide i. */
static const char counting[] =
    "TEMP n, r, t, q;\n"
    "MOV n, vertex.attrib[1].x;\nMOV r, {0, 0, 0, 1};\n"
    "again:\nADDC q, n, {0}.x;\n"
    "BRA counted (LE.x);\n"
    "ADD r.x, r, n;\nADD n, n, -vertex.attrib[1].z;\nBRA again;\n"
    "counted:\n"
    "MUL t, vertex.attrib[1].x, {0.5}.x;\nFRC t, t;\nMOVC q, t.x;\n"
    "BRA odd (NE.x);\nMOV r.y, vertex.attrib[1].x;\nBRA divided;\n"
    "odd:\nMOV r.y, -vertex.attrib[1].x;\n"
    "divided:\nCAL thirds;\nCAL fifths;\nMOV result.position, r;\nRET;\n"
    "thirds:\nMAD t, vertex.attrib[1].x, {0.3333333433}.x, {0.001}.x;\nFRC t, t;\nADDC q, t, -{0.01}.x;\n"
    "BRA out (GT.x);\nADD r.z, r, vertex.attrib[1];\n"
    "out:\nRET;\n"
    "fifths:\nMAD t, vertex.attrib[1].x, {0.2}.x, {0.001}.x;\nFRC t, t;\nADDC q, t, -{0.01}.x;\n"
    "BRA out (GT.x);\nADD r.z, r, vertex.attrib[1];\nRET;\n"
    "END\n";

static void test_counting(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        char text[2048];
        struct stage_test r;
        snprintf(text, sizeof text, "%s%s", headers[k & 1], counting);
        run_on_vertices(&r, text, k & 2 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, 32);
        assert_int_equal(execute(&r), GP5_RUN_OK);
        for (unsigned i = 0; i < VERTICES; i++) {
            const uint32_t *out = &r.result[0][4 * i];
            assert_true(number(out[0]) == (float)(i * (i + 1) / 2));
            assert_true(number(out[1]) == (i % 2 ? -(float)i : (float)i));
            assert_true(number(out[2]) == (float)(!(i % 3) + !(i % 5)));
        }
        assert_int_equal(r.report.undefined_words, 0);
        close_run(&r);
    }
}

/* ---- programs by chance -------------------------------------------------------------------------------- */

/* Some labels, branches anywhere to any of them, calls of subroutines behind them; each round takes of `fuel`, and
 * where there is none left the program goes to its end. */
static size_t write_program(char *text, size_t size, uint64_t *seed)
{
    static const char *const rules[] = {"LT", "GE", "EQ", "NE", "GT", "LE"};
    unsigned labels = 2 + evaluate_random(seed) % 6;
    size_t n = (size_t)snprintf(text, size, "%sTEMP a, b, fuel, q;\nMOV a, vertex.attrib[1];\nMOV b, a.yxwz;\n"
                                "MOV fuel, {9}.x;\n", headers[evaluate_random(seed) % 2]);

    for (unsigned label = 0; label < labels; label++) {
        n += (size_t)snprintf(text + n, size - n, "l%u:\nADDC fuel, fuel, -{1}.x;\nBRA end (LT.x);\n", label);
        for (unsigned i = evaluate_random(seed) % 5; i > 0; i--)
            switch (evaluate_random(seed) % 4) {
            case 0: n += (size_t)snprintf(text + n, size - n, "MADC b, b, {0.5}.x, a;\n"); break;
            case 1: n += (size_t)snprintf(text + n, size - n, "ADDC a.xy, b.yxzw, -a;\n"); break;
            case 2: n += (size_t)snprintf(text + n, size - n, "CAL s%u;\n", evaluate_random(seed) % 2); break;
            default:
                n += (size_t)snprintf(text + n, size - n, "BRA l%u (%s.%c);\n", evaluate_random(seed) % labels,
                                      rules[evaluate_random(seed) % 6], "xyzw"[evaluate_random(seed) % 4]);
            }
    }
    return n + (size_t)snprintf(text + n, size - n, "end:\nMOV result.position, a;\nADD result.position.zw, b, fuel;\n"
                                "RET;\ns0:\nSUBC q, a, b;\nBRA t (LT.x);\nADD a.z, a, {1}.x;\nRET;\n"
                                "s1:\nADDC b.w, b, a.x;\nBRA s0 (GT.w);\nt:\nMUL a, a, {0.75}.x;\nRET;\nEND\n");
}

static void test_alone_and_together(void **state)
{
    uint64_t seed = 31;

    (void)state;
    for (unsigned k = 0; k < 400; k++) {
        static struct stage_test together, alone;
        enum gp5_semantics semantics = k & 1 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA;
        char text[8192];
        assert_true(write_program(text, sizeof text, &seed) < sizeof text);
        run_on_vertices(&together, text, semantics, 32);
        run_on_vertices(&alone, text, semantics, 1);
        assert_int_equal(execute(&together), GP5_RUN_OK);
        assert_int_equal(execute(&alone), GP5_RUN_OK);
        if (memcmp(together.result, alone.result, sizeof alone.result))
            print_error("%s\n", text);
        assert_memory_equal(together.result, alone.result, sizeof alone.result);
        assert_true(together.report.instructions < alone.report.instructions);
        close_run(&together);
        close_run(&alone);
    }
}

/* ---- labels ---------------------------------------------------------------------------------------------- */

/* Two labels at one place, the last one behind the last instruction. */
static void test_labels(void **state)
{
    struct stage_test r;

    (void)state;
    run_on_vertices(&r, "!!ARBvp1.0\nOPTION NV_vertex_program2;\nTEMP q;\nMOV result.position, {1}.x;\n"
                        "MOVC q, vertex.attrib[1];\nBRA a (GT.x);\nBRA b;\nMOV result.position, {2}.x;\na:\nb:\n"
                        "MOV result.position.y, {3}.x;\n"
                        "BRA end (EQ.x);\nMOV result.position.z, {4}.x;\nend:\nEND\n", GP5_SEMANTICS_NVIDIA, 32);
    assert_int_equal(execute(&r), GP5_RUN_OK);
    for (unsigned i = 0; i < VERTICES; i++) {
        assert_true(number(r.result[0][4 * i]) == 1 && number(r.result[0][4 * i + 1]) == 3);
        assert_true(number(r.result[0][4 * i + 2]) == (i ? 4 : 1));
    }
    close_run(&r);
}

static void test_endless(void **state)
{
    struct stage_test r;

    (void)state;
    run_on_vertices(&r, "!!ARBvp1.0\nOPTION NV_vertex_program2;\nl:\nMOV result.position, {1}.x;\nBRA l;\nEND\n",
                    GP5_SEMANTICS_NVIDIA, 32);
    r.options.max_instructions = 1000;
    assert_int_equal(gp5_execute(r.executable, &r.launch, &r.options, &r.report), GP5_RUN_LIMIT);
    assert_non_null(strstr(r.report.message, "the limit of 1000 instructions a warp was reached at this branch"));
    close_run(&r);
}

/* A branch that hangs on what is undefined is told of. */
static void test_undefined_branch(void **state)
{
    struct stage_test r;

    (void)state;
    run_on_vertices(&r, "!!ARBvp1.0\nOPTION NV_vertex_program2;\nTEMP t, q;\nMOV result.position, {1}.x;\nMOVC q, t;\n"
                        "BRA l (GT.x);\nMOV result.position, {2}.x;\nl:\nEND\n", GP5_SEMANTICS_NVIDIA, 32);
    assert_int_equal(execute(&r), GP5_RUN_OK);
    assert_true(r.report.undefined_uses > 0);
    assert_string_equal(r.report.origins[0].reason, "t.x was never written");
    close_run(&r);
}

/* ---- the stack of address registers ---------------------------------------------------------------------- */

static void test_stack(void **state)
{
    static const char text[] =
        "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A;\nTEMP n, q;\n"
        "PARAM p[50] = {program.env[0..49]};\nRET;\n"
        "push:\nARL A, n;\nPUSHA A;\nADDC n, n, -{1}.x;\nBRA push (GE.x);\nRET;\n"     /* i, i - 1, ... 0 */
        "main:\nMOV n, vertex.attrib[1].y;\nCAL push;\n"
        "POPA A;\nMOV result.position.x, p[A.x];\nMOVC q, vertex.attrib[1].y;\nBRA end (EQ.x);\n"
        "POPA A;\nend:\nMOV result.position.y, p[A.w];\nEND\n";

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct gp5_parameter env[50];
        struct stage_test r;
        for (uint32_t i = 0; i < 50; i++)
            env[i] = (struct gp5_parameter){.index = i, .word = {i, i, i, i}};
        run_on_vertices(&r, text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, 32);
        r.launch.env = env;
        r.launch.nenv = 50;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        for (unsigned i = 0; i < VERTICES; i++) {
            assert_int_equal(r.result[0][4 * i], 0);
            assert_int_equal(r.result[0][4 * i + 1], 2 * i % 7 ? 1 : 0);
            assert_int_equal(r.undefined[0][4 * i], 0);
        }
        close_run(&r);
    }
}

static void test_ends_of_the_stack(void **state)
{
    static const char head[] = "!!ARBvp1.0\nOPTION NV_vertex_program3;\nADDRESS A, B;\nTEMP n;\n"
                               "PARAM p[2] = {program.env[0..1]};\nMOV n, {1}.x;\nMOV result.position, n;\n";
    char text[2048];
    struct stage_test r;

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%sPOPA A;\nMOV result.position.x, p[A.x];\nEND\n", head);
        run_on_vertices(&r, text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, 32);
        assert_int_equal(execute(&r), GP5_RUN_OK);
        assert_string_equal(reason(&r, 0, 0), "POPA: the stack of address registers is empty");
        assert_string_equal(reason(&r, 0, 1), "");
        close_run(&r);
    }
    for (unsigned k = 0; k < 2; k++) {      /* 31 places, or by the text 32; one more is said */
        unsigned places = k ? 32 : 31;
        size_t n = (size_t)snprintf(text, sizeof text, "%sARL A, n;\nARL B.x, vertex.attrib[7].x;\n", head);
        for (unsigned i = 0; i < places; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "PUSHA A;\n");
        snprintf(text + n, sizeof text - n, "PUSHA B;\nPOPA A;\nMOV result.position.x, p[A.x];\nEND\n");
        run_on_vertices(&r, text, k ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, 32);
        r.launch.env = (const struct gp5_parameter[]){{.index = 1, .word = {7}}};
        r.launch.nenv = 1;
        assert_int_equal(execute(&r), GP5_RUN_OK);
        assert_true(r.report.norigins > 0);
        assert_string_equal(r.report.origins[0].reason, "PUSHA: the stack of address registers is full");
        assert_int_equal(r.result[0][0], k ? 0 : 7);
        close_run(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting),          cmocka_unit_test(test_alone_and_together),
        cmocka_unit_test(test_labels),            cmocka_unit_test(test_endless),
        cmocka_unit_test(test_undefined_branch),  cmocka_unit_test(test_stack),
        cmocka_unit_test(test_ends_of_the_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
