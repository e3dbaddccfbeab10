/* Whole launches: barriers, partial warps, limits, what is reported as undefined, fragments, threads and
 * levels that agree. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define HEAD(size) \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\n" \
    "GROUP_SIZE " size ";\nSHARED_MEMORY 4096;\nSTORAGE in[] = { program.storage[0] };\n" \
    "STORAGE out[] = { program.storage[1] };\nSHARED mem[] = { program.sharedmem };\nTEMP a, b, i, r, t, A[4];\n" \
    "MUL.U i.x, invocation.globalid.x, 4;\n"

enum { WORDS = 8192 };

struct launch {
    uint32_t *in, *out, *undefined;
    struct gp5_report report;
    enum gp5_run_status status;
};

static void run(struct launch *l, const char *text, struct gp5_run_options options, uint32_t groups)
{
    l->in = evaluate_words(WORDS);
    l->out = evaluate_words(WORDS);
    l->undefined = evaluate_words(WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        l->in[i] = i;
    l->status = evaluate(text, &options, groups, l->in, WORDS, l->out, WORDS, l->undefined, &l->report);
}

static void done(struct launch *l)
{
    gp5_report_free(&l->report);
    free(l->in);
    free(l->out);
    free(l->undefined);
}

static void expect_message(const struct launch *l, enum gp5_run_status status, const char *part)
{
    if (l->status != status || !l->report.message || !strstr(l->report.message, part))
        fail_msg("got status %d '%s', expected %d '...%s...'", l->status, l->report.message ? l->report.message : "",
                 status, part);
}

/* ---- groups of several warps --------------------------------------------------------------------------- */

/* The second warp of a 48-thread group has 16 lanes (measured: docs/semantics.md). */
static void test_partial_warp(void **state)
{
    struct launch l;

    (void)state;
    run(&l, HEAD("48") "TGBALLOT.U r.x, 1;\nSTB.U32 r, out[i.x];\nEND\n", (struct gp5_run_options){.jobs = 1}, 1);
    assert_int_equal(l.status, GP5_RUN_OK);
    for (unsigned i = 0; i < 49; i++)
        assert_int_equal(l.out[i], i < 32 ? 0xffffffff : i < 48 ? 0xffff : 0);
    done(&l);
    run(&l, HEAD("48") "TGBALLOT.U r.x, 1;\nSTB.U32 r, out[i.x];\nEND\n",
        (struct gp5_run_options){.jobs = 1, .warp = 8}, 1);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(l.out[i], 0xff);
    done(&l);
}

static void test_ids(void **state)
{
    static const char *const attributes[] = {"localid.x", "localid.y", "localid.z", "globalid.x", "globalid.y",
     "groupid.x",
                                             "groupsize.y", "groupcount.x", "localindex.x", "threadid.x", "warpid.x",
                                             "threadltmask.x", "threadgemask.x", "threadgtmask.x", "threadlemask.x",
                                             "threadeqmask.x"};
    char text[2048];

    (void)state;
    for (unsigned a = 0; a < sizeof attributes / sizeof *attributes; a++) {
        struct launch l;
        snprintf(text, sizeof text,
                 HEAD("5 4 3") "MOV.U i.x, invocation.localindex.x;\nMAD.U i.x, invocation.groupid.x, 60, i.x;\n"
                               "MUL.U i.x, i.x, 4;\nMOV.U r.x, invocation.%s;\nSTB.U32 r, out[i.x];\nEND\n",
                 attributes[a]);
        run(&l, text, (struct gp5_run_options){.track_undefined = true, .jobs = 2}, 3);
        assert_int_equal(l.status, GP5_RUN_OK);
        assert_int_equal(l.report.undefined_words, 0);
        for (unsigned n = 0; n < 180; n++) {
            unsigned i = n % 60, g = n / 60, lane = i % 32;
            const uint32_t want[] = {i % 5, i / 5 % 4, i / 20, g * 5 + i % 5, i / 5 % 4, g, 4, 3, i, lane, i / 32,
                                     (1u << lane) - 1, ~((1u << lane) - 1), ~((1u << lane) - 1) << 1,
                                     ((1u << lane) - 1) << 1 | 1, 1u << lane};
            if (l.out[n] != want[a])
                fail_msg("%s of invocation %u: got 0x%x, expected 0x%x", attributes[a], n, l.out[n], want[a]);
        }
        done(&l);
    }
}

/* Every thread reads what a thread of another warp wrote before the barrier. */
static void test_barrier(void **state)
{
    struct launch l;

    (void)state;
    run(&l, HEAD("128") "MUL.U t.x, invocation.localindex.x, 4;\nADD.U r.x, i.x, 7;\nSTS.U32 r, mem[t.x];\nBAR;\n"
        "SUB.U t.x, 508, t.x;\nLDS.U32 r.x, mem[t.x];\nBAR;\nSTB.U32 r, out[i.x];\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .jobs = 2}, 4);
    assert_int_equal(l.status, GP5_RUN_OK);
    assert_int_equal(l.report.undefined_words, 0);
    for (unsigned i = 0; i < 512; i++)
        assert_int_equal(l.out[i], (i / 128 * 128 + 127 - i % 128) * 4 + 7);
    done(&l);
}

static void test_deadlock(void **state)
{
    struct launch l;

    (void)state;
    run(&l, HEAD("64") "SGE.U.CC t.x, invocation.localindex.x, 32;\nIF NE.x;\nBAR;\nENDIF;\nEND\n",
        (struct gp5_run_options){.jobs = 1, .semantics = GP5_SEMANTICS_SPEC}, 1);
    expect_message(&l, GP5_RUN_DEADLOCK, "warp 1 is there, warp 0 has ended");
    done(&l);
    run(&l, HEAD("64") "SGE.U.CC t.x, invocation.localindex.x, 32;\nIF NE.x;\nBAR;\nELSE;\nBAR;\nENDIF;\nEND\n",
        (struct gp5_run_options){.jobs = 1, .semantics = GP5_SEMANTICS_SPEC}, 1);
    expect_message(&l, GP5_RUN_DEADLOCK, "warp 0 is there, warp 1 is at another one");
    done(&l);
    run(&l, HEAD("64") "AND.U.CC t.x, invocation.localindex.x, 1;\nIF NE.x;\nBAR;\nENDIF;\nEND\n",
        (struct gp5_run_options){.jobs = 1, .semantics = GP5_SEMANTICS_SPEC}, 1);
    expect_message(&l, GP5_RUN_DEADLOCK, "lanes 0xaaaaaaaa of warp 0 arrive");
    done(&l);
    /* The driver waits for no warp that has ended, and lets any lane stand for its warp: the values are known, and it
     * is reported. */
    run(&l,
        HEAD("64") "SGE.U.CC t.x, invocation.localindex.x, 32;\nMOV.U r.x, 1;\nIF NE.x;\nBAR;\nMOV.U r.x, "
                   "2;\nENDIF;\nSTB.U32 r, out[i.x];\nEND\n",
        (struct gp5_run_options){.jobs = 1, .track_undefined = true}, 1);
    assert_int_equal(l.status, GP5_RUN_OK);
    assert_true(l.out[0] == 1 && l.out[63] == 2 && l.report.undefined_uses > 0);
    assert_string_equal(l.report.origins[0].reason, "BAR does not reach every invocation of the group");
    done(&l);
    run(&l, HEAD("64") "AND.U.CC t.x, invocation.localindex.x, 1;\nIF NE.x;\nBAR;\nENDIF;\nEND\n",
        (struct gp5_run_options){.jobs = 1, .track_undefined = true, .strict = true}, 1);
    expect_message(&l, GP5_RUN_UNDEFINED, "lanes 0xaaaaaaaa of warp 0 are here");
    done(&l);
    /* Lanes that have ended do not hold the others up, and it is reported. */
    run(&l,
        HEAD("64") "AND.U.CC t.x, invocation.localindex.x, 1;\nRET (NE.x);\nBAR;\nMOV.U r.x, 3;\nSTB.U32 r, "
                   "out[i.x];\nEND\n",
        (struct gp5_run_options){.jobs = 1, .track_undefined = true}, 1);
    assert_int_equal(l.status, GP5_RUN_OK);
    assert_true(l.report.undefined_uses > 0);
    assert_int_equal(l.out[0], 3);
    assert_int_equal(l.out[1], 0);
    done(&l);
}

static void test_limit(void **state)
{
    struct launch l;

    (void)state;
    run(&l, HEAD("32") "REP;\nMOV.U.CC t.x, 0;\nBRK (NE.x);\nENDREP;\nEND\n",
        (struct gp5_run_options){.jobs = 2, .max_instructions = 1000}, 8);
    expect_message(&l, GP5_RUN_LIMIT, "line 15, column 1: the limit of 1000 instructions");
    done(&l);
}

/* ---- undefinedness ------------------------------------------------------------------------------------- */

struct undefined_case {
    const char *name, *body;
    uint32_t lanes;             /* whose word is undefined */
    const char *reason;         /* of the first origin */
    unsigned uses;              /* whether branches, addresses ... used one */
};

static const struct undefined_case undefined_cases[] = {
    {"nothing", "MOV.U r.x, 1;", 0, NULL, 0},
    {"a register", "MOV.U r.x, a.y;", 0xffffffff, "a.y was never written", 0},
    {"only what is read counts", "MOV.U a.x, 1; MOV.U r.x, a.x;", 0, NULL, 0},
    {"a sum", "MOV.U a.x, 1; ADD.U r.x, a.x, b.z;", 0xffffffff, "b.z was never written", 0},
    {"some lanes", "AND.U.CC t.x, invocation.threadid.x, 1; IF NE.x; MOV.U r.x, 1; ENDIF;", 0x55555555,
     "r.x was never written", 0},
    {"a product of vectors reads three", "MOV.F a.xyz, 1.0; DP3.F r.x, a, a;", 0, NULL, 0},
    {"or four", "MOV.F a.xyz, 1.0; DP4.F r.x, a, a;", 0xffffffff, "a.w was never written", 0},
    {"an element", "MOV.U A[1], 1; MOV.U t.x, invocation.threadid.x; AND.U t.x, t.x, 3; MOV.U r.x, A[t.x];", 0xdddddddd,
     "A[0].x was never written", 0},
    {"an index beyond", "MOV.U A[0], 0; MOV.U A[1], 0; MOV.U A[2], 0; MOV.U A[3], 0; MOV.U t.x, invocation.threadid.x;"
     "MOV.U r.x, A[t.x];", 0xfffffff0, "the index is beyond the array", 0},
    {"an inactive source",
     "AND.U.CC t.x, invocation.threadid.x, 1; MOV.U r.y, 0; IF NE.x; SHFXOR.U r.xy, invocation.threadid.x, 1,"
     "31; ENDIF; MOV.U r.x, r.y;", 0xaaaaaaaa, "lane 0 was inactive when lane 1 read it", 0},
    {"an undefined source lane",
     "AND.U.CC t.x, invocation.threadid.x, 1; MOV.U a.x (NE.x), 5; SHFXOR.U r.xy, a.x, 1, 31;"
     "MOV.U r.x, r.y;", 0xaaaaaaaa, "a.x was never written", 0},
    {"a predicate is defined", "SHFXOR.U r.xy, a.x, 1, 31;", 0, NULL, 0},
    {"a third component of a shuffle", "MOV.U a.x, 0; SHFXOR.U r, a.x, 1, 31; MOV.U r.x, r.z;", 0xffffffff,
     "r.z was never written", 0},
    {"a ballot of undefined votes", "AND.U.CC t.x, invocation.threadid.x, 1; MOV.U a.x (NE.x), 5; TGBALLOT.U r.x, a.x;",
     0xffffffff,
     "a.x was never written", 0},
    {"shared memory",
     "MUL.U t.x, invocation.threadid.x, 2; STS.U16 t, mem[t.x]; MUL.U t.x, t.x, 2; LDS.U32 r.x, mem[t.x];",
     0xffff0000, "this shared memory was never written", 0},
    {"a byte of a word",
     "MUL.U t.x, invocation.threadid.x, 4; STS.U8 t, mem[t.x]; STS.U16 t, mem[t.x + 2]; LDS.U32 r.x, mem[t.x];",
     0xffffffff, "this shared memory was never written", 0},
    {"through storage", "STB.U32 a, out[i.x + 4096]; LDB.U32 r.x, out[i.x + 4096];", 0xffffffff,
     "a.x was never written", 0},
    {"a write that the condition decides", "MOV.U r.x, 1; MOV.U r.x (NE.x), 2;", 0xffffffff, "CC0.x was never written",
     0},
    {"a branch", "MOV.U r.x, 1; MOV.U.CC t.x, a.x; IF NE.x; MOV.U r.x, 2; ENDIF;", 0, "a.x was never written", 1},
    {"an address", "MOV.U r.x, 1; STB.U32 r, out[a.x + 8192];", 0, "a.x was never written", 1},
    {"a component that an input does not have", "MOV.U r.x, invocation.localid.w;", 0xffffffff,
     "invocation.localid.w has no value",
     0},
    {"what hardware decides", "MOV.U r.x, invocation.smid.x;", 0xffffffff, "invocation.smid differs from one GPU", 0},
    {"set on nothing", "SFL.U r.x, a, a;", 0, NULL, 0},
    {"overwritten", "MOV.U r.x, a.x; MOV.U r.x, 1;", 0, NULL, 0},
    {"an atomic's other components stay as they were", "MOV.U r.y, 1; ATOMS.EXCH.U32 r, {1}, mem[0]; MOV.U r.x, r.y;",
     0, NULL, 0},
};

/* A subgroup operation in some lanes leaves the others as they were, in the next group of the same warp too. */
static void test_divergent_subgroup(void **state)
{
    struct launch l;

    (void)state;
    run(&l, "!!NVcp5.0\nOPTION GP5_subgroup;\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\n"
        "STORAGE out[] = { program.storage[1] };\nTEMP a, i, t;\nMUL.U i.x, invocation.globalid.x, 4;\n"
        "AND.U.CC t.x, invocation.localindex.x, 1;\nIF NE.x;\nSGELECT.U a.x;\nENDIF;\nMOV.U t.x, a.x;\n"
        "STB.U32 t, out[i.x];\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .jobs = 1}, 3);
    assert_int_equal(l.status, GP5_RUN_OK);
    assert_int_equal(l.report.undefined_words, 48);
    for (unsigned n = 0; n < 96; n++)
        assert_int_equal(l.undefined[n] != 0, n % 2 == 0);
    done(&l);
}

/* An operation that the text leaves undefined, amid arithmetic that it does not. */
static void test_operation_amid_others(void **state)
{
    struct launch l;

    (void)state;
    run(&l,
        HEAD("32") "LDB.U32 t.x, in[i.x];\nADD.U t.x, t.x, 15;\nADD.U t.x, t.x, 1;\nXOR.U a.x, i.x, 7;\nADD.U a.x, "
                   "a.x, 3;\n"
                   "SHL.U r.x, a.x, t.x;\nADD.U r.x, r.x, 1;\nXOR.U r.x, r.x, 5;\nADD.U a.x, a.x, 9;\nSTB.U32 r, "
                   "out[i.x];\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .jobs = 1, .semantics = GP5_SEMANTICS_SPEC}, 1);
    assert_int_equal(l.status, GP5_RUN_OK);
    for (unsigned n = 0; n < 32; n++)
        assert_int_equal(l.undefined[n] != 0, n >= 16);
    done(&l);
}

static void test_undefined(void **state)
{
    char text[4096];

    (void)state;
    for (size_t n = 0; n < sizeof undefined_cases / sizeof *undefined_cases; n++) {
        const struct undefined_case *c = &undefined_cases[n];
        struct launch l;
        uint32_t lanes = 0;
        snprintf(text, sizeof text, HEAD("32") "%s\nSTB.U32 r, out[i.x];\nEND\n", c->body);
        run(&l, text, (struct gp5_run_options){.track_undefined = true, .jobs = 1}, 1);
        if (l.status != GP5_RUN_OK)
            fail_msg("%s: %s", c->name, l.report.message);
        for (unsigned lane = 0; lane < 32; lane++) {
            lanes |= (uint32_t)(l.undefined[lane] != 0) << lane;
            assert_true(l.undefined[lane] <= l.report.norigins);
        }
        if (lanes != c->lanes)
            fail_msg("%s: lanes 0x%08x are undefined, expected 0x%08x", c->name, lanes, c->lanes);
        if (!c->reason != !l.report.norigins || (c->reason && !strstr(l.report.origins[0].reason, c->reason)))
            fail_msg("%s: '%s', expected '%s'", c->name, l.report.norigins ? l.report.origins[0].reason : "no reason",
                     c->reason ? c->reason : "none");
        if (!c->uses != !l.report.undefined_uses)
            fail_msg("%s: %llu uses", c->name, (unsigned long long)l.report.undefined_uses);
        done(&l);
    }
}

/* Where it happened, and the same for any number of threads. */
static void test_origin_place(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        struct launch l;
        run(&l,
            HEAD("64") "MOV.U r.x, 1;\nSGE.U.CC t.x, invocation.globalid.x, 164;\nIF NE.x;\nADD.U r.x, r.x, "
                       "b.z;\nENDIF;\n"
                       "STB.U32 r, out[i.x];\nEND\n",
            (struct gp5_run_options){.track_undefined = true, .jobs = jobs}, 8);
        assert_int_equal(l.status, GP5_RUN_OK);
        assert_int_equal(l.report.undefined_words, 512 - 164);
        assert_int_equal(l.report.norigins, 1);
        assert_int_equal(l.report.origins[0].group, 2);
        assert_int_equal(l.report.origins[0].warp, 1);
        assert_int_equal(l.report.origins[0].lane, 4);
        assert_int_equal(l.report.origins[0].component, 2);
        assert_int_equal(l.report.origins[0].instruction, 4);
        done(&l);
    }
}

static void test_strict(void **state)
{
    struct launch l;

    (void)state;
    run(&l, HEAD("32") "STB.U32 a, out[i.x];\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .strict = true, .jobs = 1}, 4);
    expect_message(&l, GP5_RUN_UNDEFINED, "reaches memory in group 0, warp 0, lane 0: a.x was never written");
    done(&l);
    run(&l, HEAD("32") "MOV.U r, 0;\nIF NE.x;\nMOV.U r, 1;\nENDIF;\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .strict = true, .jobs = 1}, 1);
    expect_message(&l, GP5_RUN_UNDEFINED, "reaches a branch");
    done(&l);
    run(&l, HEAD("32") "MOV.U r, a;\nMOV.U r, 0;\nSTB.U32 r, out[i.x];\nEND\n",
        (struct gp5_run_options){.track_undefined = true, .strict = true, .jobs = 1}, 1);
    assert_int_equal(l.status, GP5_RUN_OK);
    done(&l);
}

/* ---- threads, levels, environment ---------------------------------------------------------------------- */

/* Sums by atomics from many groups, and each group's own words, on 1 to 4 threads. */
static void test_jobs(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        struct launch l;
        run(&l, HEAD("64") "MAD.U r.x, i.x, 3, 1;\nSTB.U32 r, out[i.x + 64];\nADD.U r.x, invocation.globalid.x, 1;\n"
            "ATOMB.ADD.U32 t.x, r, out[0];\nATOMB.MAX.U32 t.x, r, out[4];\nATOMB.XOR.U32 t.x, r, out[8];\nEND\n",
            (struct gp5_run_options){.jobs = jobs}, 100);
        uint32_t x = 0;
        for (uint32_t i = 1; i <= 6400; i++)
            x ^= i;
        assert_int_equal(l.status, GP5_RUN_OK);
        assert_int_equal(l.out[0], 6400 * 6401 / 2);
        assert_int_equal(l.out[1], 6400);
        assert_int_equal(l.out[2], x);
        for (uint32_t i = 0; i < 6400; i++)
            assert_int_equal(l.out[16 + i], i * 12 + 1);
        assert_int_equal(l.report.lanes, l.report.instructions * 32);
        done(&l);
    }
}

static void test_atomics(void **state)
{
    static const struct { const char *op; uint32_t before, after; } cases[] = {
        {"ADD.U32", 5, 37}, {"ADD.S32", 0xffffffff, 31}, {"MIN.S32", 0xfffffffe, 0xfffffffe},
        {"MIN.U32", 0xfffffffe, 1},
        {"MAX.S32", 0xfffffffe, 1}, {"MAX.U32", 7, 7}, {"IWRAP.U32", 0, 0}, {"DWRAP.U32", 1, 1}, {"AND.U32", 3, 1},
        {"OR.U32", 2, 3}, {"XOR.U32", 6, 6}, {"EXCH.U32", 9, 1}, {"CSWAP.U32", 1, 9}, {"CSWAP.U32", 2, 2},
    };
    char text[2048];

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (unsigned shared = 0; shared < 2; shared++) {
            struct launch l;
            snprintf(text, sizeof text,
                     HEAD("32") "MOV.U a.x, %u;\n%s a, %s;\nATOM%s.%s r.x, {1, 9}, %s;\n%s r.x, %s;\n"
                                "STB.U32 r, out[0];\nEND\n",
                     cases[n].before, shared ? "STS.U32" : "STB.U32", shared ? "mem[0]" : "out[0]", shared ? "S" : "B",
                     cases[n].op, shared ? "mem[0]" : "out[0]", shared ? "LDS.U32" : "LDB.U32",
                     shared ? "mem[0]" : "out[0]");
            run(&l, text, (struct gp5_run_options){.jobs = 1, .track_undefined = true}, 1);
            if (l.status != GP5_RUN_OK || l.out[0] != cases[n].after)
                fail_msg("%s of 0x%x: got 0x%x %s, expected 0x%x", cases[n].op, cases[n].before, l.out[0],
                         l.report.message ? l.report.message : "", cases[n].after);
            done(&l);
        }
}

/* The caller's rounding and flushing are left as they were. */
static void test_float_environment(void **state)
{
    (void)state;
#if defined(__SSE2__)
    unsigned strange = 0x1f80 | 0x6000 | 0x8000, before = _mm_getcsr();
    struct launch l;
    _mm_setcsr(strange);
    run(&l, HEAD("32") "MOV.F r.x, 1.0;\nDIV.F r.x, r.x, {3}.x;\nSTB.U32 r, out[i.x];\nEND\n",
        (struct gp5_run_options){.jobs = 2}, 4);
    unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_int_equal(after & ~0x3fu, strange);
    assert_int_equal(l.out[0], 0x3eaaaaab);
    done(&l);
#else
    skip();
#endif
}

static void test_bad_launches(void **state)
{
    struct gp5_run_options options = {.jobs = 1};
    uint32_t *words = evaluate_words(64);
    struct gp5_report report;
    struct prepared p;
    struct gp5_buffer twice[2] = {{1, (uint8_t *)words, 64, NULL}, {1, (uint8_t *)words, 64, NULL}};
    struct gp5_buffer crooked = {1, (uint8_t *)words + 4, 64, NULL}, nothing = {1, NULL, 64, NULL};
    const struct gp5_launch launches[] = {
        {.groups = {1, 1, 1}, .storage = twice, .nstorage = 2},
        {.groups = {1, 1, 1}, .storage = &crooked, .nstorage = 1},
        {.groups = {1, 1, 1}, .storage = &nothing, .nstorage = 1}, {.groups = {0x10000, 0x10000, 1}},
    };

    (void)state;
    assert_true(evaluate_prepare(&p, HEAD("32") "END\n", &options, eval_best_level()));
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        assert_int_equal(gp5_execute(p.executable, &launches[i], &options, &report), GP5_RUN_BAD_LAUNCH);
        assert_non_null(report.message);
        gp5_report_free(&report);
    }
    /* No groups: nothing runs, and that is fine. */
    assert_int_equal(gp5_execute(p.executable, &(struct gp5_launch){.groups = {0, 1, 1}}, &options, &report),
                     GP5_RUN_OK);
    assert_int_equal(report.instructions, 0);
    gp5_report_free(&report);
    evaluate_free(&p);
    free(words);
}

/* Constant buffers, and a variable that spans several buffers. */
static void test_buffers(void **state)
{
    static const char text[] =
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nGROUP_SIZE 32;\n"
        "STORAGE out[] = { program.storage[1] };\nSTORAGE many[][] = { program.storage[4..6] };\n"
        "CBUFFER k[] = { program.buffer[3] };\nTEMP r, t, u, i;\n"
        "MUL.U i.x, invocation.threadid.x, 16;\nAND.U t.x, invocation.threadid.x, 3;\n"
        "LDB.U32 r.x, many[t.x][4];\nLDC.U32 u.x, k[i.x];\nMOV.U r.y, u.x;\nMOV.U r.z, t.x;\n"
        "LDC.F32X2 t, k[8];\nMOV.F r.w, t.y;\nSTB.U32X4 r, out[i.x];\nEND\n";
    struct gp5_run_options options = {.jobs = 1, .track_undefined = true};
    uint32_t *out = evaluate_words(128), *words = evaluate_words(64);
    struct gp5_buffer storage[4] = {{1, (uint8_t *)out, 512, NULL}};
    struct gp5_buffer constant = {3, (uint8_t *)words, 256, NULL};
    struct gp5_launch launch = {
        .groups = {1, 1, 1}, .storage = storage, .nstorage = 4, .cbuffers = &constant, .ncbuffers = 1};
    struct gp5_report report;
    struct prepared p;

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        words[i] = 0x100 + i;
    for (unsigned i = 0; i < 3; i++)
        storage[1 + i] = (struct gp5_buffer){4 + i, (uint8_t *)(words + 16 * i), 64, NULL};
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s", p.message);
    assert_int_equal(gp5_execute(p.executable, &launch, &options, &report), GP5_RUN_OK);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(out[lane * 4], lane % 4 < 3 ? 0x101 + lane % 4 * 16 : 0);
        assert_int_equal(out[lane * 4 + 1], lane < 16 ? 0x100 + lane * 4 : 0);
        assert_int_equal(out[lane * 4 + 2], lane % 4);
        assert_int_equal(out[lane * 4 + 3], 0x103);
    }
    gp5_report_free(&report);
    evaluate_free(&p);
    free(out);
    free(words);
}

/* What is not there yet is said, with its place. */
static void test_not_evaluated(void **state)
{
    struct gp5_run_options options = {.jobs = 1};
    struct prepared p;

    (void)state;
    assert_false(evaluate_prepare(&p,
                                  "!!NVcp5.0\nOPTION NV_explicit_multisample;\nGROUP_SIZE 1;\nTEMP t;\nTXFMS t, t, "
                                  "texture[0], RENDERBUFFER;\nEND\n",
                                  &options, eval_best_level()));
    assert_string_equal(p.message, "not evaluated yet: the target RENDERBUFFER at line 5, column 1");
    assert_int_equal(p.offset, 64);
    evaluate_free(&p);
    assert_false(evaluate_prepare(&p, "!!ARBfp1.0\nMOV result.color, nobody;\nEND\n", &options, eval_best_level()));
    assert_non_null(p.message);
    evaluate_free(&p);
}

/* ---- fragments ----------------------------------------------------------------------------------------- */

struct picture {
    float *colors, *depth;
    uint8_t *covered;
    uint32_t *undefined;
    struct gp5_report report;
    enum gp5_run_status status;
};

enum { WIDTH = 13, HEIGHT = 7 };

static void draw(struct picture *p, const char *body, unsigned jobs)
{
    struct gp5_interpolant in[2] = {
        {.attribute = GP5_FRAGMENT_COLOR_PRIMARY, .corner = {{0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}}},
        {.attribute = GP5_FRAGMENT_TEXCOORD + 3, .corner = {{0, 0, 5, 1}, {13, 0, 5, 1}, {0, 7, 5, 1}, {13, 7, 5, 1}}}};
    struct gp5_parameter e = {5, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}};
    struct gp5_run_options options = {.track_undefined = true, .jobs = jobs};
    struct prepared prepared;
    char text[2048];

    p->colors = (float *)evaluate_words(WIDTH * HEIGHT * 4);
    p->depth = (float *)evaluate_words(WIDTH * HEIGHT);
    p->covered = (uint8_t *)evaluate_words(WIDTH * HEIGHT);
    p->undefined = evaluate_words(WIDTH * HEIGHT * 4);
    struct gp5_launch launch = {.width = WIDTH,
                                .height = HEIGHT,
                                .interpolants = in,
                                .ninterpolants = 2,
                                .ncolors = 1,
                                .colors = p->colors,
                                .depth = p->depth,
                                .covered = p->covered,
                                .undefined = p->undefined,
                                .env = &e,
                                .nenv = 1};
    snprintf(text, sizeof text, "!!ARBfp1.0\n%s\nEND\n", body);
    if (!evaluate_prepare(&prepared, text, &options, eval_best_level()))
        fail_msg("%s\n%s", prepared.message, text);
    p->status = gp5_execute(prepared.executable, &launch, &options, &p->report);
    evaluate_free(&prepared);
}

static void wipe(struct picture *p)
{
    gp5_report_free(&p->report);
    free(p->colors);
    free(p->depth);
    free(p->covered);
    free(p->undefined);
}

static void test_fragments(void **state)
{
    struct picture p;

    (void)state;
    for (unsigned jobs = 1; jobs < 4; jobs++) {
        draw(&p, "TEMP t; MOV t, fragment.texcoord[3]; KIL t.xxxx; SUB t.x, fragment.position.x, 4.5; KIL t.x;\n"
             "ADD t, fragment.position, program.env[5].y;\nMOV result.color.xy, t;\nMOV_SAT result.color.zw, t;\n"
             "MOV result.depth.z, fragment.texcoord[3].y;", jobs);
        assert_int_equal(p.status, GP5_RUN_OK);
        assert_int_equal(p.report.undefined_words, 0);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                const float *c = p.colors + (y * WIDTH + x) * 4;
                bool killed = x < 4;
                assert_int_equal(p.covered[y * WIDTH + x], !killed);
                assert_true(c[0] == (killed ? 0 : (float)x + 2.5f) && c[1] == (killed ? 0 : (float)y + 2.5f));
                assert_true(c[2] == (killed ? 0 : 1) && c[3] == c[2]);
                assert_true(p.depth[y * WIDTH + x] == (killed ? 0 : (float)y + 0.5f));
            }
        wipe(&p);
    }
}

static void test_fragment_details(void **state)
{
    struct picture p;

    (void)state;
    draw(&p, "OPTION ARB_fragment_coord_origin_upper_left;\nOPTION ARB_fragment_coord_pixel_center_integer;\n"
         "TEMP t; RSQ t.x, -program.env[5].w; SWZ t.yzw, fragment.position, 0, x, -y, 1; MOV result.color, t;", 1);
    assert_int_equal(p.status, GP5_RUN_OK);
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        assert_true(p.colors[i * 4] == 0.5f && p.colors[i * 4 + 1] == (float)(i % WIDTH));
        assert_true(p.colors[i * 4 + 2] == -(float)(HEIGHT - 1 - i / WIDTH) && p.colors[i * 4 + 3] == 1);
    }
    wipe(&p);
    draw(&p, "MOV result.color.xyz, fragment.texcoord[0];", 1);
    assert_int_equal(p.report.undefined_words, WIDTH * HEIGHT * 4);
    assert_int_equal(p.report.norigins, 4);
    assert_string_equal(p.report.origins[0].reason, "fragment.texcoord[0] was not given");
    assert_string_equal(p.report.origins[3].reason, "result.color[0].w was never written");
    wipe(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partial_warp),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_operation_amid_others),
        cmocka_unit_test(test_divergent_subgroup),
        cmocka_unit_test(test_origin_place),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_float_environment),
        cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_not_evaluated),
        cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_fragment_details),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
