/* GPU addresses and atomic counters: what LOAD, STORE, ATOM, ATOMCTR and ATOMCTROP do, what is reported of addresses
 * that nothing stands at, and races through them. Expected values are worked out from NV_shader_buffer_load,
 * NV_gpu_program5 and NV_shader_atomic_counters; that ATOMCTROP gives the old value is taken from ATOM. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* storage[0] is {100, 101 ...} and stands at BASE and at LOW; storage[1] holds the results and stands FURTHER on;
 * counter buffer 2 is {50, 51 ...}. D0 points to storage[0]. */
enum { WORDS = 64, COUNTERS = 8, HEAD_LINES = 17 };
#define BASE 0x7f00000000ull
#define FURTHER 0x8000000000ull
#define LOW 4096u
#define HEAD                                                                                                           \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_atomic_counters;\n" \
    "OPTION NV_internal;\nOPTION NV_shader_atomic_float;\nOPTION NV_gpu_program_fp64;\nGROUP_SIZE 32;\nSTORAGE in[] "  \
    "= { program.storage[0] };\n"                                                                                      \
    "STORAGE out[] = { program.storage[1] };\nCOUNTER c[] = { program.counter[2] };\n"                                 \
    "COUNTER part[] = { program.counter[2][3..5] };\nCOUNTER one = program.counter[2][1];\nTEMP r, i, t;\n"            \
    "LONG TEMP D0, D1, W;\nMUL.U i.x, invocation.threadid.x, 4;\nMOV.U64 D0.x, 545460846592;\nMOV.U r, 0;\n"

struct outcome {
    uint32_t *in, *out, *counters, *undefined;
    struct gp5_report report;
    enum gp5_run_status status;
};

static void run(struct outcome *o, const char *body, struct gp5_run_options options, uint32_t groups)
{
    char text[4096];
    struct prepared p;

    o->in = evaluate_words(WORDS);
    o->out = evaluate_words(WORDS);
    o->counters = evaluate_words(COUNTERS);
    o->undefined = evaluate_words(WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        o->in[i] = 100 + i;
    for (uint32_t i = 0; i < COUNTERS; i++)
        o->counters[i] = 50 + i;
    struct gp5_buffer storage[] = {{0, (uint8_t *)o->in, WORDS * 4, NULL},
     {1, (uint8_t *)o->out, WORDS * 4, o->undefined}};
    struct gp5_buffer counters = {2, (uint8_t *)o->counters, COUNTERS * 4, NULL};
    const struct gp5_address_range at[] = {{BASE, 0}, {FURTHER, 1}, {LOW, 0}};
    struct gp5_launch launch = {.groups = {groups, 1, 1}, .storage = storage, .nstorage = 2, .counters = &counters,
                                .ncounters = 1, .addresses = at, .naddresses = 3};
    snprintf(text, sizeof text, HEAD "%s\nEND\n", body);
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s\n%s", p.message, text);
    o->status = gp5_execute(p.executable, &launch, &options, &o->report);
    evaluate_free(&p);
}

static void done(struct outcome *o)
{
    gp5_report_free(&o->report);
    free(o->in);
    free(o->out);
    free(o->counters);
    free(o->undefined);
}

struct pointer_case {
    const char *name, *body;    /* leaves its result in r.x */
    uint32_t in[4];             /* the first words of storage[0] behind it, 0: as they were */
    uint32_t result[2];         /* of lanes 0 and 1 */
};

static const struct pointer_case pointer_cases[] = {
    {"a word", "LOAD.U32 r.x, D0.x;", {0}, {100, 100}},
    {"a word of each lane", "MOV.U64 W.x, i.x; ADD.U64 W.x, W.x, D0.x; LOAD.U32 r.x, W.x;", {0}, {100, 101}},
    {"the address is unsigned and of 64 bits", "ADD.U64 W.x, D0.x, 4294967296; LOAD.U32 r.x, W.x; ADD.U r.x, r.x, 7;",
     {0}, {7, 7}},
    {"the second component", "MOV.U64 W.y, D0.x; LOAD.U32X2 t.xy, W.y; MOV.U r.x, t.y;", {0}, {101, 101}},
    {"four words", "LOAD.U32X4 t, D0.x; MOV.U r.x, t.w;", {0}, {103, 103}},
    {"a byte, with its sign", "STB.U32 {200}.x, in[0]; LOAD.S8 r.x, D0.x;", {200}, {0xffffffc8, 0xffffffc8}},
    {"half a word", "ADD.U64 W.x, D0.x, 4; LOAD.U16 r.x, W.x;", {0}, {101, 101}},
    {"64 bits into the register of the address", "LOAD.U64 D0.x, D0.x; SHR.U64 D0.x, D0.x, 32; MOV.U r.x, D0.x;", {0},
     {101, 101}},
    {"32 bits are its lower half", "MOV.U t, 4100; LOAD.U32 r.x, t.x;", {0}, {101, 101}},
    {"another buffer", "STB.U32 {9}.x, out[252]; ADD.U64 W.x, D0.x, 4294967548; LOAD.U32 r.x, W.x;", {0}, {9, 9}},
    {"stored", "STORE.U32X2 {8, 9}, D0.x; LDB.U32 r.x, in[4];", {8, 9}, {9, 9}},
    {"stored half", "ADD.U64 W.x, D0.x, 4; STORE.U16 {7}, W.x;", {0, 7}, {0, 0}},
    {"stored by no lane", "SGT.U.CC t.x, i.x, 1000; IF NE.x; STORE.U32 {8}, D0.x; ENDIF;", {0}, {0, 0}},
    {"the last of what is stored", "STORE.U32 {8}, D0.x; STORE.U32 {9}, D0.x;", {9}, {0, 0}},
    {"added", "ATOM.ADD.U32 t.x, 2, D0.x;", {164}, {0, 0}},
    {"what was there", "ATOM.ADD.U32 r.x, 2, D0.x;", {164}, {100, 102}},
    {"compared, and changed once", "ATOM.CSWAP.U32 r.x, {100, 5}, D0.x;", {5}, {100, 5}},
    {"exchanged", "ATOM.EXCH.U32 t.x, 6, D0.x;", {6}, {0, 0}},
    {"a float", "STB.F32 {0.0}, in[0]; ATOM.ADD.F32 t.x, 0.5, D0.x;", {0x41800000}, {0, 0}},
    {"of 64 bits", "MOV.U64 W.x, 4294967296; ATOM.ADD.U64 W.x, W.x, D0.x;", {0, 133}, {0, 0}},
};

static void test_pointers(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof pointer_cases / sizeof *pointer_cases; n++)
        for (unsigned track = 0; track < 2; track++) {
            const struct pointer_case *c = &pointer_cases[n];
            struct outcome o;
            char body[1024];
            snprintf(body, sizeof body, "%s\nSTB.U32 r, out[i.x];", c->body);
            run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = track}, 1);
            if (o.status != GP5_RUN_OK)
                fail_msg("%s: %s", c->name, o.report.message);
            for (unsigned i = 0; i < 4; i++)
                if (o.in[i] != (c->in[i] ? c->in[i] : 100 + i))
                    fail_msg("%s: word %u is 0x%x", c->name, i, o.in[i]);
            for (unsigned i = 0; i < 2; i++)
                if (o.out[i] != c->result[i])
                    fail_msg("%s: lane %u got 0x%x", c->name, i, o.out[i]);
            done(&o);
        }
}

struct counter_case {
    const char *name, *body;
    uint32_t index, left;       /* which counter is looked at, and what it is then */
    uint32_t result[2];
};

static const struct counter_case counter_cases[] = {
    {"up gives the value before", "ATOMCTR.INCR.U r.x, c[0];", 0, 82, {50, 51}},
    {"down gives the value after", "ATOMCTR.DECR.U r.x, c[0];", 0, 18, {49, 48}},
    {"asked for", "ATOMCTR.GET.U r.x, c[2];", 2, 52, {52, 52}},
    {"unsigned without a type", "ATOMCTR.INCR r.x, c[0];", 0, 82, {50, 51}},
    {"signed", "ATOMCTR.INCR.S r.x, c[0];", 0, 82, {50, 51}},
    {"of a part of the buffer", "ATOMCTR.INCR.U r.x, part[1];", 4, 86, {54, 55}},
    {"one alone", "ATOMCTR.INCR.U r.x, one;", 1, 83, {51, 52}},
    {"an index counts words", "AND.U t.x, invocation.threadid.x, 1; ATOMCTR.INCR.U r.x, c[t.x + 6];", 7, 73, {56, 57}},
    {"past the end there is 0", "MOV.U t.x, 8; ATOMCTR.INCR.U r.x, c[t.x];", 7, 57, {0, 0}},
    {"and after counting down", "MOV.U t.x, 8; ATOMCTR.DECR.U r.x, c[t.x];", 7, 57, {0, 0}},
    {"counted by nobody else", "ATOMCTR.INCR.U t.x, c[0];", 0, 82, {0, 0}},
    {"by two in all", "SLT.U.CC t.x, invocation.threadid.x, 2; IF NE.x; ATOMCTR.INCR.U r.x, c[0]; ENDIF;", 0, 52,
     {50, 51}},
    {"added", "ATOMCTROP.ADD.U32 r.x, c[0], 3;", 0, 146, {50, 53}},
    {"the largest", "ATOMCTROP.MAX.U32 t.x, c[0], i.x;", 0, 124, {0, 0}},
    {"compared and changed", "ATOMCTROP.CSWAP.U32 r.x, c[0], {50, 4};", 0, 4, {50, 4}},
};

static void test_counters(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof counter_cases / sizeof *counter_cases; n++)
        for (unsigned track = 0; track < 2; track++) {
            const struct counter_case *c = &counter_cases[n];
            struct outcome o;
            char body[1024];
            snprintf(body, sizeof body, "%s\nSTB.U32 r, out[i.x];", c->body);
            run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = track}, 1);
            if (o.status != GP5_RUN_OK || o.report.undefined_words)
                fail_msg("%s: %s", c->name, o.report.message ? o.report.message : "undefined");
            if (o.counters[c->index] != c->left)
                fail_msg("%s: the counter is %u", c->name, o.counters[c->index]);
            for (unsigned i = 0; i < 2; i++)
                if (o.out[i] != c->result[i])
                    fail_msg("%s: lane %u got %u", c->name, i, o.out[i]);
            done(&o);
        }
}

struct reason_case {
    const char *name, *body;
    uint32_t lanes;             /* whose result is undefined */
    const char *reason;
    bool use;                   /* a store or an atomic operation: reported as one */
};

static const struct reason_case reason_cases[] = {
    {"nothing stands there", "LOAD.U32 r.x, {64}.x;", 0xffffffff, "no buffer stands at the address", false},
    {"null", "MOV.U64 W.x, 0; LOAD.U32 r.x, W.x;", 0xffffffff, "no buffer stands at the address", false},
    {"beyond the end, by lanes", "MUL.U t.x, i.x, 4; MOV.U64 W.x, t.x; ADD.U64 W.x, W.x, D0.x; LOAD.U32 r.x, W.x;",
     0xffff0000,
     "no buffer stands at the address", false},
    {"half of it beyond the end", "ADD.U64 W.x, D0.x, 252; LOAD.U64 W.x, W.x; MOV.U r.x, W.x;", 0xffffffff,
     "no buffer stands at the address",
     false},
    {"crooked", "ADD.U64 W.x, D0.x, 2; LOAD.U32 r.x, W.x;", 0xffffffff,
     "the address is not a multiple of the access's size", false},
    {"an address that is undefined itself", "LOAD.U32 r.x, D1.x;", 0xffffffff, "D1.x was never written", false},
    {"stored to nothing", "STORE.U32 r, {64}.x;", 0, "no buffer stands at the address", true},
    {"added to nothing", "ATOM.ADD.U32 t.x, 1, {64}.x;", 0, "no buffer stands at the address", true},
    {"stored, and read again", "STORE.U32 t, D0.x; LOAD.U32 r.x, D0.x;", 0xffffffff, "t.x was never written", false},
    {"compared with what is undefined", "ATOM.CSWAP.U32 r.x, t, D0.x; LDB.U32 r.x, in[0];", 0xffffffff,
     "t.x was never written", false},
    {"other components of a counter stay as they were", "ATOMCTR.GET.U t, c[0]; MOV.U r.x, t.y;", 0xffffffff,
     "t.y was never written", false},
    {"an undefined operand of a counter", "ATOMCTROP.ADD.U32 t.y, c[0], t.x; ATOMCTR.GET.U r.x, c[0];", 0xffffffff,
     "t.x was never written", false},
};

static void test_reasons(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof reason_cases / sizeof *reason_cases; n++) {
        const struct reason_case *c = &reason_cases[n];
        struct outcome o;
        uint32_t lanes = 0;
        bool said = false;
        char body[1024];
        snprintf(body, sizeof body, "%s\nSTB.U32 r, out[i.x];", c->body);
        run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = true}, 1);
        for (unsigned lane = 0; lane < 32; lane++)
            lanes |= (uint32_t)(o.undefined[lane] != 0) << lane;
        for (size_t i = 0; i < o.report.norigins; i++)
            said |= strstr(o.report.origins[i].reason, c->reason) != NULL;
        if (o.status != GP5_RUN_OK || lanes != c->lanes || !said || c->use != (o.report.undefined_uses > 0))
            fail_msg("%s: lanes 0x%08x, '%s', %u uses", c->name, lanes,
                     o.report.norigins ? o.report.origins[0].reason : "", (unsigned)o.report.undefined_uses);
        done(&o);
        run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = true, .strict = true}, 1);
        if (o.status != GP5_RUN_UNDEFINED || !strstr(o.report.message, c->reason))
            fail_msg("%s, strict: %s", c->name, o.report.message ? o.report.message : "nothing");
        done(&o);
    }
}

struct race_case {
    const char *name, *body;
    uint32_t groups;
    unsigned races;
    bool order;
    const char *memory;
};

static const struct race_case race_cases[] = {
    {"several values at one address", "STORE.U32 i, D0.x;", 1, 1, false, "storage"},
    {"one value", "STORE.U32 {7}, D0.x;", 1, 0, false, NULL},
    {"an address and a variable, of one word", "STORE.U32 {7}, D0.x;\nLDB.U32 t.x, in[0];", 1, 1, false, "storage"},
    {"of each its own", "MOV.U64 W.x, i.x;\nADD.U64 W.x, W.x, D0.x;\nSTORE.U32 i, W.x;\nLOAD.U32 t.x, W.x;", 1, 0,
     false, NULL},
    {"nowhere", "STORE.U32 i, {64}.x;", 1, 0, false, NULL},
    {"sums whose order does not show", "ATOM.ADD.U32 t.x, 1, D0.x;", 2, 0, false, NULL},
    {"counts whose order does not show", "ATOMCTR.INCR.U t.x, c[0];\nATOMCTR.DECR.U t.x, c[0];", 2, 0, false, NULL},
    {"a count that is used", "ATOMCTR.INCR.U t.x, c[0];\nSTB.U32 t, out[i.x];", 1, 1, true, "counters"},
    {"counters of one's own", "ATOMCTR.GET.U t.x, c[0];\nSTB.U32 t, out[i.x];", 1, 0, false, NULL},
    {"the largest of what is added", "ATOMCTROP.ADD.U32 t.x, c[0], 1;\nATOMCTROP.MAX.U32 t.x, c[0], i.x;", 1, 1, true,
     "counters"},
};

/* To the driver's compiler addresses and buffers are different memory: not even an invocation's own accesses are in
 * order there. By the text they are. */
static void test_two_ways(void **state)
{
    static const struct { const char *body; unsigned races; } cases[] = {
        {"STORE.U32 {7}, W.x;\nLDB.U32 t.x, in[i.x];", 1},
        {"STORE.U32 {7}, W.x;\nMEMBAR;\nBAR;\nLDB.U32 t.x, in[i.x];", 1},
        {"LDB.U32 t.x, in[i.x];\nSTORE.U32 {7}, W.x;\nLDB.U32 t.y, in[i.x];", 2},
        {"STB.U32 {7}, in[i.x];\nLOAD.U32 t.x, W.x;", 1},
        {"STB.U32 {7}, in[i.x];\nSTORE.U32 {8}, W.x;", 1},
        {"STB.U32 {7}, in[i.x];\nSTORE.U32 {7}, W.x;", 0},
        {"ATOM.ADD.U32 t.x, 1, W.x;\nLDB.U32 t.x, in[i.x];", 1},
        {"ATOM.ADD.U32 t.x, 1, W.x;\nATOMB.ADD.U32 t.x, 1, in[i.x];", 0},
        {"LOAD.U32 t.x, W.x;\nLDB.U32 t.y, in[i.x];", 0},
        {"STORE.U32 {7}, W.x;\nLOAD.U32 t.x, W.x;\nLDB.U32 t.y, out[i.x];", 0}};

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        for (unsigned spec = 0; spec < 2; spec++) {
            char body[512];
            struct outcome o;
            snprintf(body, sizeof body, "MOV.U64 W.x, i.x;\nADD.U64 W.x, W.x, D0.x;\n%s", cases[n].body);
            run(&o, body, (struct gp5_run_options){.jobs = 1, .track_races = true, .track_undefined = true,
                                                   .semantics = spec ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA}, 1);
            if (o.report.nrace_list != (spec ? 0 : cases[n].races))
                fail_msg("%s: %zu races", cases[n].body, o.report.nrace_list);
            if (o.report.norigins && !spec)
                assert_non_null(strstr(o.report.origins[0].reason,
                                       "an address and a name for the same memory are not kept in order: "));
            done(&o);
        }
}

static void test_races(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof race_cases / sizeof *race_cases; n++) {
        const struct race_case *c = &race_cases[n];
        struct outcome o;
        run(&o, c->body, (struct gp5_run_options){.jobs = 1, .track_races = true, .track_undefined = true}, c->groups);
        if (o.status != GP5_RUN_OK || o.report.nrace_list != c->races)
            fail_msg("%s: %zu races %s", c->name, o.report.nrace_list, o.report.message ? o.report.message : "");
        if (c->races && (o.report.race_list->order != c->order || strcmp(o.report.race_list->memory, c->memory)))
            fail_msg("%s: in %s", c->name, o.report.race_list->memory);
        done(&o);
    }
}

static void test_bad_addresses(void **state)
{
    static const struct gp5_address_range bad[][2] = {
        {{BASE, 0}, {BASE, 1}}, {{BASE, 0}, {BASE + 224, 1}}, {{BASE, 7}, {FURTHER, 1}}, {{BASE + 4, 0}, {FURTHER, 1}},
        {{0xffffffffffffffe0u, 0}, {FURTHER, 1}}};
    struct gp5_run_options options = {.jobs = 1};
    uint32_t *words = evaluate_words(WORDS);
    struct gp5_buffer storage[] = {{0, (uint8_t *)words, WORDS * 4, NULL}, {1, (uint8_t *)words, WORDS * 4, NULL}};
    struct prepared p;

    (void)state;
    assert_true(evaluate_prepare(&p, "!!NVcp5.0\nGROUP_SIZE 1;\nEND\n", &options, eval_best_level()));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gp5_launch launch = {
            .groups = {1, 1, 1}, .storage = storage, .nstorage = 2, .addresses = bad[i], .naddresses = 2};
        struct gp5_report report;
        assert_int_equal(gp5_execute(p.executable, &launch, &options, &report), GP5_RUN_BAD_LAUNCH);
        assert_non_null(report.message);
        gp5_report_free(&report);
    }
    evaluate_free(&p);
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pointers), cmocka_unit_test(test_counters), cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_races), cmocka_unit_test(test_two_ways), cmocka_unit_test(test_bad_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
