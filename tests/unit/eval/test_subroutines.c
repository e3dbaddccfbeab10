/* What the application decides of a program besides its data: the subroutines that CALI calls, and the size of groups;
 * and the clock, which nobody decides. Expected values are worked out from ARB_shader_subroutine (its edits to
 * NV_gpu_program5) and ARB_compute_variable_group_size. The order of calls that lanes of a warp make apart from each
 * other is gp5's own. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 2048 };
#define OPTIONS                                                                            \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION " \
    "NV_shader_atomic_int64;\nOPTION NV_internal;\n"
#define FILES "STORAGE out[] = { program.storage[0] };\nTEMP r, i, t, n;\n"
/* f adds 100 and g 1000 to r.x, h its ballot to r.y; each lane leaves r.x and r.y. The last storage word counts calls,
 * so that their order shows. */
#define HEAD                                                                                                   \
    OPTIONS "GROUP_SIZE 32;\n" FILES "SUBROUTINETYPE T { f, g };\nSUBROUTINETYPE U { g, h, own };\n"           \
            "SUBROUTINE T v = program.subroutine[0];\nSUBROUTINE U a[] = { program.subroutine[1..2], "         \
            "program.subroutine[3] };\n"                                                                       \
            "SUBROUTINE U deep = program.subroutine[4];\n"                                                     \
            "f SUBROUTINENUM(3):\nADD.U r.x, r.x, 100;\nRET;\n"                                                \
            "g SUBROUTINENUM(5):\nADD.U r.x, r.x, 1000;\nRET;\n"                                               \
            "h SUBROUTINENUM(0):\nTGBALLOT.U t.x, 1;\nOR.U r.y, r.y, t.x;\nRET;\n"                             \
            "own SUBROUTINENUM(7):\nADD.U r.x, r.x, 1;\nSLT.U.CC n.x, r.x, invocation.threadid.x;\nCALI deep " \
            "(NE.x);\nRET;\n"                                                                                  \
            "main:\nMOV.U r, 0;\nMUL.U i.x, invocation.localindex.x, 8;\nAND.U n.x, invocation.localindex.x, 1;\n"
#define TAIL "STB.U32X2 r, out[i.x];\nEND\n"

struct outcome {
    uint32_t *out, *undefined;
    struct gp5_report report;
    enum gp5_run_status status;
};

static void run(struct outcome *o, const char *text, struct gp5_run_options options, struct gp5_launch launch)
{
    struct prepared p;

    o->out = evaluate_words(WORDS);
    o->undefined = evaluate_words(WORDS);
    struct gp5_buffer storage = {0, (uint8_t *)o->out, WORDS * 4, o->undefined};
    launch.storage = &storage;
    launch.nstorage = 1;
    if (!launch.groups[0])
        memcpy(launch.groups, (uint32_t[]){1, 1, 1}, sizeof launch.groups);
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s\n%s", p.message, text);
    o->status = gp5_execute(p.executable, &launch, &options, &o->report);
    evaluate_free(&p);
}

static void done(struct outcome *o)
{
    gp5_report_free(&o->report);
    free(o->out);
    free(o->undefined);
}

/* ---- CALI ---------------------------------------------------------------------------------------------- */

struct call_case {
    const char *name, *body;
    uint32_t chosen[5];
    uint32_t result[3][2];      /* r.x, r.y of lanes 0, 1 and 30 */
};

static const struct call_case call_cases[] = {
    {"one", "CALI v;", {3, 0, 0, 0, 0}, {{100, 0}, {100, 0}, {100, 0}}},
    {"the other", "CALI v;", {5, 0, 0, 0, 0}, {{1000, 0}, {1000, 0}, {1000, 0}}},
    {"twice", "CALI v; CALI v;", {5, 0, 0, 0, 0}, {{2000, 0}, {2000, 0}, {2000, 0}}},
    {"of an array", "CALI a[1];", {3, 5, 0, 7, 0}, {{0, ~0u}, {0, ~0u}, {0, ~0u}}},
    {"the last of an array", "CALI a[2];", {3, 0, 0, 5, 0}, {{1000, 0}, {1000, 0}, {1000, 0}}},
    {"under a condition", "MOV.U.CC n.x, n.x; CALI v (NE.x);", {3, 0, 0, 0, 0}, {{0, 0}, {100, 0}, {0, 0}}},
    {"an index that is the same in all lanes", "MOV.U n.x, 1; CALI a[n.x];", {3, 5, 0, 5, 0},
     {{0, ~0u}, {0, ~0u}, {0, ~0u}}},
    {"an index with an offset", "MOV.U n.x, 1; CALI a[n.x + 1];", {3, 5, 5, 0, 0}, {{0, ~0u}, {0, ~0u}, {0, ~0u}}},
    {"lanes that go different ways", "CALI a[n.x];", {3, 5, 0, 0, 0}, {{1000, 0}, {0, 0xaaaaaaaa}, {1000, 0}}},
    {"and come together again", "CALI a[n.x]; CALI a[1];", {3, 5, 0, 0, 0}, {{1000, ~0u}, {0, ~0u}, {1000, ~0u}}},
    {"different parameters that name the same subroutine", "CALI a[n.x];", {3, 0, 0, 0, 0},
     {{0, ~0u}, {0, ~0u}, {0, ~0u}}},
    {"in a branch", "MOV.U.CC n.x, n.x; IF EQ.x; CALI a[n.x]; ENDIF;", {3, 0, 0, 0, 0},
     {{0, 0x55555555}, {0, 0}, {0, 0x55555555}}},
    {"in a loop", "REP.S 3; CALI a[n.x]; ENDREP;", {3, 5, 0, 0, 0}, {{3000, 0}, {0, 0xaaaaaaaa}, {3000, 0}}},
    {"that calls through its own type", "CALI deep;", {3, 0, 0, 0, 7}, {{1, 0}, {1, 0}, {30, 0}}},
    {"a subroutine that CAL calls as well", "CAL g; CALI v;", {5, 0, 0, 0, 0}, {{2000, 0}, {2000, 0}, {2000, 0}}},
};

static void test_calls(void **state)
{
    static const unsigned lanes[] = {0, 1, 30};

    (void)state;
    for (size_t n = 0; n < sizeof call_cases / sizeof *call_cases; n++)
        for (unsigned way = 0; way < 4; way++) {
            const struct call_case *c = &call_cases[n];
            struct gp5_run_options options = {.jobs = 1, .track_undefined = way & 1,
                                              .semantics = way & 2 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA};
            struct outcome o;
            char text[4096];
            snprintf(text, sizeof text, HEAD "%s\n" TAIL, c->body);
            run(&o, text, options, (struct gp5_launch){.subroutines = c->chosen, .nsubroutines = 5});
            if (o.status != GP5_RUN_OK)
                fail_msg("%s: %s", c->name, o.report.message);
            for (unsigned k = 0; k < 6; k++)
                if (o.out[lanes[k / 2] * 2 + k % 2] != c->result[k / 2][k % 2])
                    fail_msg("%s: lane %u has 0x%x in r.%c", c->name, lanes[k / 2], o.out[lanes[k / 2] * 2 + k % 2],
                             "xy"[k % 2]);
            assert_int_equal(o.report.undefined_uses, 0);
            done(&o);
        }
}

/* A value that only one side of a CALI writes lives on over it; what nobody has need of may go. */
static void test_values_live_over_calls(void **state)
{
    struct outcome o;

    (void)state;
    run(&o, HEAD "MOV.F t.y, 3.0; MUL.F t.z, t.y, t.y; CALI v; ADD.F r.y, t.z, 1.0;\n" TAIL,
        (struct gp5_run_options){.jobs = 1},
        (struct gp5_launch){.subroutines = (uint32_t[]){5, 5, 5, 5, 5}, .nsubroutines = 5});
    assert_int_equal(o.out[0], 1000);
    assert_int_equal(o.out[1], 0x41200000);
    done(&o);
}

/* What a subroutine writes that ends with the text its caller reads. */
static void test_end_of_text(void **state)
{
    struct outcome o;

    (void)state;
    run(&o, OPTIONS "GROUP_SIZE 32;\n" FILES "main:\nMUL.U i.x, invocation.localindex.x, 8;\nMOV.U r, i;\nCAL f;\n"
        "STB.U32X2 r, out[i.x];\nRET;\nf:\nADD.U r.y, r.x, 3;\nMUL.U r.x, r.x, r.y;\nXOR.U r.x, r.x, 5;\nEND\n",
        (struct gp5_run_options){.jobs = 1}, (struct gp5_launch){0});
    for (uint32_t k = 0; k < 32; k++) {
        assert_int_equal(o.out[2 * k], (8 * k * (8 * k + 3)) ^ 5);
        assert_int_equal(o.out[2 * k + 1], 8 * k + 3);
    }
    done(&o);
}

struct refusal { const char *name, *body, *message; uint32_t chosen[5]; size_t given; };

static const struct refusal refusals[] = {
    {"a number that is none of the type", "CALI v;",
     "program.subroutine[0] is 7, which is no number of a subroutine of type T", {7, 5, 5, 5, 5}, 5},
    {"a number that nothing has", "CALI a[0];", "program.subroutine[1] is 9", {3, 9, 5, 5, 5}, 5},
    {"too few", "CALI a[2];", "4 subroutines are chosen, and the program has 5", {3, 5, 5, 5}, 4},
    {"one of which nothing calls", "CALI v;",
     "program.subroutine[2] is 3, which is no number of a subroutine of type U", {3, 5, 3, 5, 5}, 5},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof refusals / sizeof *refusals; n++) {
        const struct refusal *c = &refusals[n];
        struct outcome o;
        char text[4096];
        snprintf(text, sizeof text, HEAD "%s\n" TAIL, c->body);
        run(&o, text, (struct gp5_run_options){.jobs = 1},
            (struct gp5_launch){.subroutines = c->chosen, .nsubroutines = c->given});
        if (o.status != GP5_RUN_BAD_LAUNCH || !strstr(o.report.message, c->message))
            fail_msg("%s: %s", c->name, o.report.message ? o.report.message : "it ran");
        done(&o);
    }
}

struct open_case { const char *name, *body, *reason; uint32_t chosen[5]; size_t given; };

static const struct open_case open_cases[] = {
    {"nothing was chosen", "CALI v; CALI a[0]; CALI a[2];", "the subroutine to call was not chosen", {0}, 0},
    {"an index beyond the array", "MUL.U n.x, n.x, 5; CALI a[n.x];", "the index is beyond the array", {3, 5, 5, 5, 5},
     5},
    {"an index that was never written", "CALI a[t.x];", "t.x was never written", {3, 5, 5, 5, 5}, 5},
};

static void test_reasons(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof open_cases / sizeof *open_cases; n++) {
        const struct open_case *c = &open_cases[n];
        struct outcome o;
        char text[4096];
        snprintf(text, sizeof text, HEAD "%s\n" TAIL, c->body);
        run(&o, text, (struct gp5_run_options){.jobs = 1, .track_undefined = true},
            (struct gp5_launch){.subroutines = c->chosen, .nsubroutines = c->given});
        assert_int_equal(o.status, GP5_RUN_OK);
        if (!o.report.undefined_uses || !o.report.norigins || !strstr(o.report.origins[0].reason, c->reason))
            fail_msg("%s: %s", c->name, o.report.norigins ? o.report.origins[0].reason : "no reason");
        done(&o);
    }
}

/* CALI can call itself without end: calls nest so deep and no deeper, and a loop of them ends at the limit. */
static void test_depth(void **state)
{
    static const char text[] = OPTIONS "GROUP_SIZE 1;\n" FILES
        "SUBROUTINETYPE T { f };\nSUBROUTINE T v = program.subroutine[0];\nf SUBROUTINENUM(0):\nADD.U r.x, r.x, 1;\n"
        "CALI v;\nRET;\n"
        "main:\nMOV.U r, 0;\nCALI v;\nSTB.U32 r, out[0];\nEND\n";
    uint32_t chosen = 0;
    struct gp5_launch launch = {.subroutines = &chosen, .nsubroutines = 1};
    struct outcome o;

    (void)state;
    run(&o, text, (struct gp5_run_options){.jobs = 1, .track_undefined = true}, launch);
    assert_int_equal(o.status, GP5_RUN_OK);
    assert_int_equal(o.out[0], 32);
    assert_int_equal(o.report.undefined_uses, 1);
    assert_string_equal(o.report.origins[0].reason, "the call stack was full");
    done(&o);
    run(&o, text, (struct gp5_run_options){.jobs = 1, .max_instructions = 10}, launch);
    assert_int_equal(o.status, GP5_RUN_LIMIT);
    done(&o);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

struct size_case {
    uint32_t size[3], groups;
    uint32_t lane, x, y;        /* what invocation `lane` of the last group leaves: its size, and globalid */
};

static const struct size_case size_cases[] = {
    {{1, 1, 1}, 1, 0, 1 + 1 * 100 + 1 * 10000, 0},
    {{0, 0, 0}, 2, 0, 10101, 1},
    {{48, 1, 1}, 2, 47, 48 + 100 + 10000, 95},
    {{5, 4, 3}, 1, 59, 5 + 400 + 30000, 4 + 3 * 1000 + 2 * 1000000},
    {{8, 0, 2}, 3, 15, 8 + 100 + 20000, 23 + 1000000},
};

static void test_sizes(void **state)
{
    static const char text[] = OPTIONS "OPTION ARB_compute_variable_group_size;\n" FILES
        "MUL.U i.x, invocation.localindex.x, 8;\nMAD.U r.x, invocation.groupsize.y, 100, invocation.groupsize.x;\n"
        "MAD.U r.x, invocation.groupsize.z, 10000, r.x;\n"
        "MAD.U r.y, invocation.globalid.y, 1000, invocation.globalid.x;\n"
        "MAD.U r.y, invocation.globalid.z, 1000000, r.y;\nSTB.U32X2 r, out[i.x];\nEND\n";

    (void)state;
    for (size_t n = 0; n < sizeof size_cases / sizeof *size_cases; n++) {
        const struct size_case *c = &size_cases[n];
        struct gp5_launch launch = {.groups = {c->groups, 1, 1}, .group_size = {c->size[0], c->size[1], c->size[2]}};
        struct outcome o;
        run(&o, text, (struct gp5_run_options){.jobs = 1, .track_undefined = true}, launch);
        assert_int_equal(o.status, GP5_RUN_OK);
        assert_int_equal(o.out[c->lane * 2], c->x);
        assert_int_equal(o.out[c->lane * 2 + 1], c->y);
        assert_int_equal(o.out[c->lane * 2 + 2], 0);
        assert_int_equal(o.report.undefined_words, 0);
        done(&o);
    }
}

static void test_bad_sizes(void **state)
{
    static const char *const heads[] = {"OPTION ARB_compute_variable_group_size;\n", "GROUP_SIZE 4;\n"};
    static const struct { unsigned head; uint32_t size[3]; const char *message; } rows[] = {
        {1, {4, 1, 1}, "a group size for a program that has one of its own"},
        {0, {1025, 1, 1}, "a group of 1025 x 1 x 1: 1024 x 1024 x 64 are the most, and 1024 in all"},
        {0, {512, 0, 3}, "a group of 512 x 1 x 3: 1024 x 1024 x 64 are the most, and 1024 in all"},
        {0, {1, 1, 65}, "a group of 1 x 1 x 65: 1024 x 1024 x 64 are the most, and 1024 in all"},
        {0, {UINT32_MAX, UINT32_MAX, UINT32_MAX},
         "a group of 4294967295 x 4294967295 x 4294967295: 1024 x 1024 x 64 are the most, and 1024 in all"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct gp5_launch launch = {.group_size = {rows[n].size[0], rows[n].size[1], rows[n].size[2]}};
        struct outcome o;
        char text[1024];
        snprintf(text, sizeof text, OPTIONS "%s" FILES "MOV.U r, 0;\nEND\n", heads[rows[n].head]);
        run(&o, text, (struct gp5_run_options){.jobs = 1}, launch);
        assert_int_equal(o.status, GP5_RUN_BAD_LAUNCH);
        assert_string_equal(o.report.message, rows[n].message);
        done(&o);
    }
}

/* ---- clocks -------------------------------------------------------------------------------------------- */

static void test_clock(void **state)
{
    static const char text[] = OPTIONS "GROUP_SIZE 2;\n" FILES "ATTRIB low = invocation.clocklo;\n"
        "MOV.U r.x, low;\nMOV.U r.y, invocation.clockhi.x;\nADD.U n.x, n.x, 1;\nSUB.U r.z, low.x, r.x;\n"
        "MUL.U i.x, invocation.localindex.x, 16;\n"
        "MOV.U r.w, 1;\nSTB.U32X4 r, out[i.x];\nEND\n";

    (void)state;
    for (unsigned track = 0; track < 2; track++) {
        struct outcome o;
        run(&o, text, (struct gp5_run_options){.jobs = 1, .track_undefined = track},
            (struct gp5_launch){.groups = {3, 1, 1}});
        assert_int_equal(o.status, GP5_RUN_OK);
        assert_int_equal(o.out[4], o.out[0]);
        assert_int_equal(o.out[1], 0);
        assert_int_equal(o.out[2], 3);
        assert_int_equal(o.report.undefined_words, track ? 6 : 0);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(o.undefined[i] != 0, track && i % 4 != 3);
        if (track)
            assert_string_equal(o.report.origins[0].reason, "the clock differs from one run to the next");
        done(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),     cmocka_unit_test(test_values_live_over_calls),
        cmocka_unit_test(test_end_of_text),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_depth),     cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_bad_sizes), cmocka_unit_test(test_clock),
    };

    return cmocka_run_group_tests_name("subroutines", tests, NULL, NULL);
}
