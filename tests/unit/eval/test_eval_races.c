/* Races: which accesses count as one, both of which are named; and that order which does not show is none. The rules
 * are those of docs/semantics.md. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 4096 };

/* 64 invocations in two warps; l.x is the local index in bytes of a word, n.x that of the next invocation. */
#define HEAD                                                                                                    \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_atomic_float;\n" \
    "GROUP_SIZE 64;\nSHARED_MEMORY 1024;\nSTORAGE in[] = { program.storage[0] };\n"                              \
    "STORAGE out[] = { program.storage[1] };\nSHARED mem[] = { program.sharedmem };\nTEMP r, l, n, g, t;\n"      \
    "MUL.U l.x, invocation.localindex.x, 4;\nADD.U n.x, l.x, 4;\nAND.U n.x, n.x, 255;\n"                         \
    "MUL.U g.x, invocation.globalid.x, 4;\nMOV.U r, invocation.globalid.x;\n"
enum { HEAD_LINES = 15 };

struct race_case {
    const char *name, *body;
    uint32_t groups;
    unsigned races;             /* pairs of instructions */
    bool order;                 /* the first one's */
    const char *first, *second; /* kinds of access */
    unsigned lines[2];          /* behind the head, from 1 */
    const char *memory;
};

static const struct race_case cases[] = {
    {"words of one's own", "STS.U32 r, mem[l.x];\nLDS.U32 r.x, mem[l.x];\nSTB.U32 r, out[g.x];", 4, 0, false, "", "",
     {0, 0}, ""},
    {"a barrier orders", "STS.U32 r, mem[l.x];\nBAR;\nLDS.U32 r.x, mem[n.x];\nSTB.U32 r, out[g.x];", 4, 0, false, "",
     "", {0, 0}, ""},
    {"a neighbour's word without a barrier", "STS.U32 r, mem[l.x];\nLDS.U32 r.x, mem[n.x];", 1, 2, false, "write",
     "read", {1, 2},
     "shared memory"},
    {"a barrier that comes too early", "BAR;\nSTS.U32 r, mem[l.x];\nLDS.U32 r.x, mem[n.x];", 1, 2, false, "write",
     "read", {2, 3},
     "shared memory"},
    {"MEMBAR orders nobody else's accesses", "STS.U32 r, mem[l.x];\nMEMBAR;\nLDS.U32 r.x, mem[n.x];", 1, 2, false,
     "write", "read",
     {1, 3}, "shared memory"},
    {"read, then written by another", "LDS.U32 t.x, mem[l.x];\nSTS.U32 r, mem[n.x];", 1, 2, false, "read", "write",
     {1, 2},
     "shared memory"},
    {"written again in a loop",
     "STS.U32 r, mem[l.x];\nBAR;\nREP.S 2;\nLDS.U32 t.x, mem[n.x];\nSTS.U32 r, mem[l.x];\nENDREP;", 1, 2,
     false, "read", "write", {4, 5}, "shared memory"},
    {"one word, several values", "STS.U32 r, mem[0];", 1, 1, false, "write", "write", {1, 1}, "shared memory"},
    {"one word, one value", "STS.U32 {7}.x, mem[0];", 1, 0, false, "", "", {0, 0}, ""},
    {"shared memory is the group's", "STS.U32 r, mem[l.x];\nLDS.U32 t.x, mem[l.x];", 8, 0, false, "", "", {0, 0}, ""},
    {"bytes of one word",
     "STS.U8 r, mem[l.x];\nMUL.U t.x, invocation.localindex.x, 1;\nSTS.U8 r, mem[t.x + 512];\nBAR;\n"
     "LDS.U32 t.x, mem[512];", 1, 0, false, "", "", {0, 0}, ""},
    {"a word over another's byte", "STS.U8 r, mem[l.x + 3];\nSTS.U32 r, mem[n.x];", 1, 2, false, "write", "write",
     {1, 2},
     "shared memory"},
    {"groups are never ordered", "STB.U32 r, out[l.x];\nBAR;", 2, 1, false, "write", "write", {1, 1}, "storage"},
    {"read across groups", "STB.U32 r, out[g.x];\nBAR;\nLDB.U32 t.x, out[g.x + 256];", 2, 1, false, "read", "write",
     {3, 1}, "storage"},
    {"only read", "LDB.U32 t.x, in[0];\nLDB.U32 t.y, in[n.x];", 3, 0, false, "", "", {0, 0}, ""},
    {"a count that nobody reads", "ATOMB.ADD.U32 t.x, 1, out[0];", 4, 0, false, "", "", {0, 0}, ""},
    {"a count whose old value is used",
     "ATOMB.ADD.U32 t.x, 1, out[0];\nMUL.U t.x, t.x, 4;\nSTB.U32 r, in[g.x];\nSTS.U32 t, mem[l.x];", 1, 1,
     true, "atomic operation", "atomic operation", {1, 1}, "storage"},
    {"maxima are the same in any order", "ATOMS.MAX.U32 t.x, r.x, mem[0];", 2, 0, false, "", "", {0, 0}, ""},
    {"maximum and sum are not", "ATOMS.MAX.U32 t.x, r.x, mem[0];\nATOMS.ADD.U32 t.x, r.x, mem[0];", 1, 2, true,
     "atomic operation",
     "atomic operation", {1, 2}, "shared memory"},
    {"exchange", "ATOMS.EXCH.U32 t.x, r.x, mem[0];", 1, 1, true, "atomic operation", "atomic operation", {1, 1},
     "shared memory"},
    {"exchange for the same", "ATOMS.EXCH.U32 t.x, 3, mem[0];", 1, 0, false, "", "", {0, 0}, ""},
    {"float sums are rounded in some order", "ATOMB.ADD.F32 t.x, 1.5, out[0];", 1, 1, true, "atomic operation",
     "atomic operation", {1, 1},
     "storage"},
    {"an atomic operation beside a load", "ATOMS.ADD.U32 t.x, 1, mem[0];\nLDS.U32 t.x, mem[0];", 1, 2, false,
     "atomic operation", "read",
     {1, 2}, "shared memory"},
    {"behind a barrier", "ATOMS.ADD.U32 t.x, 1, mem[0];\nBAR;\nLDS.U32 t.x, mem[0];", 1, 0, false, "", "", {0, 0}, ""},
    {"beyond the buffer there is nothing", "STB.U32 r, out[65536];", 1, 0, false, "", "", {0, 0}, ""},
    {"lanes that do not store", "SEQ.U.CC t.x, invocation.localindex.x, 5;\nIF NE.x;\nSTS.U32 r, mem[0];\nENDIF;", 1, 0,
     false, "", "",
     {0, 0}, ""},
};

static void run(const char *text, const struct gp5_run_options *options, uint32_t groups, uint32_t *undefined,
                struct gp5_report *report)
{
    uint32_t *in = evaluate_words(WORDS), *out = evaluate_words(WORDS);

    if (evaluate(text, options, groups, in, WORDS, out, WORDS, undefined, report) != GP5_RUN_OK)
        fail_msg("%s\n%s", report->message ? report->message : "not prepared", text);
    free(in);
    free(out);
}

static unsigned line_of(const char *text, size_t offset)
{
    unsigned line = 1;

    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static void check(const struct race_case *c, const char *text, const struct gp5_report *report)
{
    const struct gp5_race *r = report->race_list;

    if (report->nrace_list != c->races || !report->races != !c->races)
        fail_msg("%s: %zu races (%llu times), expected %u", c->name, report->nrace_list,
                 (unsigned long long)report->races, c->races);
    if (!c->races)
        return;
    if (r->order != c->order || strcmp(r->first.kind, c->first) || strcmp(r->second.kind, c->second) ||
        strcmp(r->memory, c->memory))
        fail_msg("%s: %s of %s and %s in %s", c->name, r->order ? "order" : "race", r->first.kind, r->second.kind,
                 r->memory);
    if (line_of(text, r->first.offset) != HEAD_LINES + c->lines[0] ||
        line_of(text, r->second.offset) != HEAD_LINES + c->lines[1])
        fail_msg("%s: lines %u and %u behind the head", c->name, line_of(text, r->first.offset) - HEAD_LINES,
                 line_of(text, r->second.offset) - HEAD_LINES);
    assert_true(r->first.group != r->second.group || r->first.warp != r->second.warp ||
                r->first.lane != r->second.lane);
    assert_true(r->count > 0 && r->count <= report->races);
}

static void test_races(void **state)
{
    char text[4096];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned jobs = 1; jobs < 5; jobs += 3) {
            struct gp5_run_options options = {.track_races = true, .track_undefined = jobs == 1, .jobs = jobs};
            struct gp5_report report;
            snprintf(text, sizeof text, HEAD "%s\nEND\n", cases[i].body);
            run(text, &options, cases[i].groups, NULL, &report);
            check(&cases[i], text, &report);
            gp5_report_free(&report);
        }
}

/* What was read in a race is undefined, for a reason that names both accesses. */
static void test_origins(void **state)
{
    struct gp5_run_options options = {.track_races = true, .track_undefined = true, .jobs = 2};
    uint32_t *undefined = evaluate_words(WORDS);
    struct gp5_report report;

    (void)state;
    run(HEAD
        "STS.U32 r, mem[l.x];\nSGE.U.CC t.x, invocation.localindex.x, 32;\nIF NE.x;\nLDS.U32 r.x, mem[n.x];\nENDIF;\n"
        "STB.U32 r, out[g.x];\nEND\n",
        &options, 1, undefined, &report);
    for (unsigned i = 0; i < 64; i++)
        if ((undefined[i] != 0) != (i >= 32))
            fail_msg("invocation %u is %sdefined", i, undefined[i] ? "un" : "");
    assert_true(report.norigins >= 1);
    assert_string_equal(report.origins[0].reason,
                        "data race: STS at line 16 (group 0, warp 1, lane 1) and LDS at line 19 (group 0, "
                        "warp 1, lane 0)");
    gp5_report_free(&report);
    free(undefined);
}

static void test_not_asked(void **state)
{
    struct gp5_run_options options = {.jobs = 1}, races = {.jobs = 1, .track_races = true};
    struct gp5_launch launch = {.groups = {1, 1, 1}};
    struct gp5_report report;
    struct prepared p;

    (void)state;
    assert_true(evaluate_prepare(&p, HEAD "STS.U32 r, mem[0];\nEND\n", &options, eval_best_level()));
    assert_int_equal(gp5_execute(p.executable, &launch, &options, &report), GP5_RUN_OK);
    assert_int_equal(report.races, 0);
    gp5_report_free(&report);
    assert_int_equal(gp5_execute(p.executable, &launch, &races, &report), GP5_RUN_BAD_LAUNCH);
    gp5_report_free(&report);
    evaluate_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_races), cmocka_unit_test(test_origins),
     cmocka_unit_test(test_not_asked)};

    return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
