/* Every allocation of the evaluator fails once: it says so, and nothing leaks (the sanitizer build sees
 * leaks and worse). */
#include "asm/arena.h"
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The one that fails, counted down; 0: none does. */
static atomic_long left;

static bool fails(void)
{
    return atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1;
}

void *gp5_malloc(size_t size)
{
    return fails() ? NULL : malloc(size ? size : 1);
}

void *gp5_realloc(void *p, size_t size)
{
    return fails() ? NULL : realloc(p, size ? size : 1);
}

void gp5_free(void *p)
{
    free(p);
}

static const char compute[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 64;\nSHARED_MEMORY 256;\n"
    "STORAGE out[] = { program.storage[1] };\nSHARED mem[] = { program.sharedmem };\n"
    "PARAM k[2] = { {1, 2, 3, 4}, {5, 6, 7, 8} };\n"
    "TEMP a, b, t, i, A[4];\nMUL.U i.x, invocation.globalid.x, 4;\nMOV.F a, 2.0;\nMUL.F t, a, a;\nADD.F b, t, 1.0;\n"
    "AND.U t.x, invocation.globalid.x, 1;\nMOV.U A[t.x], k[t.x];\nMOV.U.CC t.x, i.x;\nIF NE.x;\nCAL one;\nENDIF;\n"
    "REP.S 2;\nADD.F b, b, a;\nENDREP;\nSTS.F32 b, mem[0];\nBAR;\nADD.U b, b, A[2];\nSTB.U32 b, out[i.x];\nRET;\n"
    "one: MOV.F.SAT b.y, -b;\nRET;\nEND\n";
static const char fragment[] =
    "!!ARBfp1.0\nTEMP t;\nSWZ t, fragment.texcoord[0], x, -y, 0, 1;\nKIL t;\nMUL t, t, program.env[1];\n"
    "ADD_SAT result.color, t, t;\nEND\n";

/* With the nth allocation failing; true when it all worked. */
static bool attempt(const char *text, long n)
{
    static _Alignas(64) uint32_t out[4096];
    static float colors[64 * 4];
    struct gp5_run_options options = {.track_undefined = true, .jobs = 2};
    struct gp5_buffer storage = {1, (uint8_t *)out, sizeof out, NULL};
    struct gp5_launch launch = {.groups = {4, 1, 1},
                                .storage = &storage,
                                .nstorage = 1,
                                .width = 8,
                                .height = 8,
                                .ncolors = 1,
                                .colors = colors};
    struct gp5_report report;
    struct prepared p = {.program = gp5_parse(text, strlen(text))};
    bool ok;

    assert_non_null(p.program);
    assert_true(gp5_valid(p.program, GP5_TARGET_NVIDIA));
    atomic_store(&left, n);
    p.executable = eval_prepare(p.program, &options, eval_best_level(), &p.message, &p.offset);
    ok = p.executable != NULL;
    if (ok) {
        enum gp5_run_status status = gp5_execute(p.executable, &launch, &options, &report);
        ok = status == GP5_RUN_OK && report.norigins > 0 && report.message == NULL;
        if (status != GP5_RUN_OK && status != GP5_RUN_NO_MEMORY)
            fail_msg("allocation %ld: status %d %s", n, status, report.message ? report.message : "");
        gp5_report_free(&report);
    }
    ok = ok && atomic_load(&left) > 0;
    atomic_store(&left, 0);
    evaluate_free(&p);
    return ok;
}

static void every_allocation(const char *text)
{
    long n = 1;

    while (!attempt(text, n)) {
        n++;
        assert_true(n < 10000);
    }
    assert_true(n > 20);
}

static void test_compute(void **state) { (void)state; every_allocation(compute); }
static void test_fragment(void **state) { (void)state; every_allocation(fragment); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compute), cmocka_unit_test(test_fragment)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
