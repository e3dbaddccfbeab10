/* Launches as large as they get: buffers of 4 GB, whole groups with all of their shared memory, more groups than there
 * may be, loops that do not end; and that a million groups take no more memory than a thousand. What the driver makes
 * of the same was recorded by tests/tools/experiments/launch_limits.c. */
#define _GNU_SOURCE     /* mmap's flags, wait4 */

#include "asm/arena.h"
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

/* ---- memory, counted --------------------------------------------------------------------------------------------- */

enum { BEFORE = 16 };           /* the size stands before each block */

static atomic_size_t held, most;

static void *note(void *block, size_t size)
{
    size_t now;

    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    now = atomic_fetch_add(&held, size) + size;
    if (now > atomic_load(&most))
        atomic_store(&most, now);
    return (char *)block + BEFORE;
}

static void forget(void *p)
{
    size_t size;

    memcpy(&size, (char *)p - BEFORE, sizeof size);
    atomic_fetch_sub(&held, size);
}

void *gp5_malloc(size_t size)
{
    return note(malloc(size + BEFORE), size);
}

void *gp5_realloc(void *old, size_t size)
{
    void *block;

    if (!old)
        return gp5_malloc(size);
    forget(old);
    block = realloc((char *)old - BEFORE, size + BEFORE);
    if (!block)
        abort();                /* no test of this file runs out of memory */
    return note(block, size);
}

void gp5_free(void *p)
{
    if (!p)
        return;
    forget(p);
    free((char *)p - BEFORE);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

#define HEAD(size, more)                                                       \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE " size ";\n" more \
    "STORAGE out[] = { program.storage[0] };\n"                                \
    "TEMP a, b, c;\n"

struct launch {
    enum gp5_run_status status;
    struct gp5_report report;
};

static struct launch launch(const char *text, const struct gp5_run_options *options, const uint32_t groups[3],
                            struct gp5_buffer *storage, size_t n)
{
    struct gp5_launch l = {.groups = {groups[0], groups[1], groups[2]}, .storage = storage, .nstorage = n};
    struct launch r;
    struct prepared p;

    assert_true(evaluate_prepare(&p, text, options, eval_best_level()));
    r.status = gp5_execute(p.executable, &l, options, &r.report);
    evaluate_free(&p);
    return r;
}

static void expect_ok(struct launch *l)
{
    if (l->status != GP5_RUN_OK)
        fail_msg("status %d: %s", l->status, l->report.message ? l->report.message : "");
    gp5_report_free(&l->report);
}

static const uint32_t one_group[3] = {1, 1, 1};

/* ---- large buffers ----------------------------------------------------------------------------------------------- */

/* What the driver left of the word that was written, and what it read from there and from 16 bytes further; NOTHING:
 * not looked at, since it lies beyond the buffer. */
enum { NOTHING = 1 << 30 };
static const struct {
    uint64_t size;
    struct {
        uint32_t address, left, back, further;
    } words[5];
} large[] = {
    {1ull << 31,
     {{0, 1000, 1000, 0}, {0x7ffffffc, 1001, 1001, 0}, {0x80000000, NOTHING, 0, 0}, {0xfffffff0, NOTHING, 0, 1000},
                  {0xfffffffc, NOTHING, 0, 0}}},
    {(1ull << 32) - 4,
     {{0, 1000, 1000, 0}, {0x7ffffffc, 1001, 1001, 0}, {0x80000000, 1002, 1002, 0}, {0xfffffff0, 1003, 1003, 1000},
                        {0xfffffffc, NOTHING, 0, 0}}},
    {1ull << 32,
     {{0, 0, 0, 0}, {0x7ffffffc, 0, 0, 0}, {0x80000000, 0, 0, 0}, {0xfffffff0, 0, 0, 0}, {0xfffffffc, 0, 0, 0}}},
    {(1ull << 32) + 4096, {{0, 1000, 1000, 0}, {0x7ffffffc, 0, 0, 0}, {0x80000000, 0, 0, 0}, {0xfffffff0, 0, 0, 1000},
                           {0xfffffffc, 0, 0, 0}}},
};

static void test_large_buffers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        size_t size = (size_t)large[i].size;
        uint8_t *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        _Alignas(64) uint32_t back[16] = {0};
        struct gp5_buffer storage[] = {{0, data, size, NULL}, {1, (uint8_t *)back, sizeof back, NULL}};
        if (data == MAP_FAILED)
            skip();
        for (unsigned k = 0; k < 5; k++) {
            uint32_t address = large[i].words[k].address, word = 0;
            struct gp5_run_options options = {.jobs = 1};
            char text[1024];
            struct launch l;
            snprintf(text, sizeof text,
                     HEAD("1",
                      "STORAGE back[] = { program.storage[1] };\n") "MOV.U a.x, %u;\nMOV.U b.x, %u;\n"
                     "STB.U32 b, out[a.x];\n"
                     "MEMBAR;\nLDB.U32 c.x, out[a.x];\nSTB.U32 c, back[0];\nLDB.U32 c.x, out[a.x + 16];\n"
                     "STB.U32 c, back[4];\nEND\n",
                     address, 1000 + k);
            l = launch(text, &options, one_group, storage, 2);
            expect_ok(&l);
            if (large[i].words[k].left != NOTHING) {
                memcpy(&word, data + address, sizeof word);
                assert_int_equal(word, large[i].words[k].left);
            }
            assert_int_equal(back[0], large[i].words[k].back);
            assert_int_equal(back[1], large[i].words[k].further);
        }
        munmap(data, size);
    }
}

/* ---- whole groups ------------------------------------------------------------------------------------------------ */

/* Every invocation of 1,024 writes into all of 48 KB and reads what another warp wrote: the sum of their numbers. */
static void test_whole_group(void **state)
{
    static const char text[] =
        HEAD("512 2", "SHARED_MEMORY 49152;\nSHARED mem[] = { program.sharedmem };\n")
        "MUL.U a.x, invocation.localindex.x, 48;\nMOV.U b.x, invocation.localindex.x;\nSTS.U32 b, mem[a.x + 44];\n"
        "BAR;\n"
        "SUB.U a.x, 49104, a.x;\nLDS.U32 b.x, mem[a.x + 44];\nATOMB.ADD.U32 c.x, b.x, out[0];\nEND\n";

    (void)state;
    for (unsigned tracked = 0; tracked < 4; tracked++) {
        struct gp5_run_options options = {
            .jobs = 1, .track_undefined = tracked & 1, .track_races = tracked & 2, .strict = tracked & 1};
        _Alignas(64) uint32_t out[16] = {0};
        struct gp5_buffer storage = {0, (uint8_t *)out, sizeof out, NULL};
        struct launch l = launch(text, &options, one_group, &storage, 1);
        expect_ok(&l);
        assert_int_equal(out[0], 523776);
    }
}

/* ---- too many groups --------------------------------------------------------------------------------------------- */

static const struct {
    uint32_t groups[3];
    enum gp5_semantics semantics;
    const char *message;        /* NULL: it runs */
} counts[] = {
    {{0, 1, 1}, GP5_SEMANTICS_NVIDIA, NULL},
    {{65536, 1, 1}, GP5_SEMANTICS_NVIDIA, NULL},
    {{1, 65535, 1}, GP5_SEMANTICS_NVIDIA, NULL},
    {{1, 1, 65535}, GP5_SEMANTICS_NVIDIA, NULL},
    {{1, 65536, 1}, GP5_SEMANTICS_NVIDIA, "65536 work groups in y; 65535 are the most"},
    {{1, 1, 65536}, GP5_SEMANTICS_NVIDIA, "65536 work groups in z; 65535 are the most"},
    {{1, 65536, 1}, GP5_SEMANTICS_SPEC, NULL},
    {{0x80000000, 1, 1}, GP5_SEMANTICS_NVIDIA, "2147483648 work groups in x; 2147483647 are the most"},
    {{0xffffffff, 0xffffffff, 0xffffffff}, GP5_SEMANTICS_SPEC, "4294967295 work groups in x; 2147483647 are the most"},
    {{65538, 65535, 1}, GP5_SEMANTICS_NVIDIA, "65538 * 65535 * 1 work groups; 2147483647 are evaluated at most"},
    {{65535, 65535, 65535}, GP5_SEMANTICS_NVIDIA,
     "65535 * 65535 * 65535 work groups; 2147483647 are evaluated at most"},
    {{0x7fffffff, 0x7fffffff, 0x7fffffff}, GP5_SEMANTICS_SPEC,
     "2147483647 * 2147483647 * 2147483647 work groups; 2147483647 are evaluated at most"},
};

static void test_counts(void **state)
{
    static const char text[] = HEAD("1", "") "MOV.U b.x, 1;\nATOMB.ADD.U32 c.x, b.x, out[0];\nEND\n";

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct gp5_run_options options = {.jobs = 1, .semantics = counts[i].semantics};
        _Alignas(64) uint32_t out[16] = {0};
        struct gp5_buffer storage = {0, (uint8_t *)out, sizeof out, NULL};
        const uint32_t *n = counts[i].groups;
        struct launch l = launch(text, &options, n, &storage, 1);
        if (counts[i].message) {
            assert_int_equal(l.status, GP5_RUN_BAD_LAUNCH);
            assert_string_equal(l.report.message, counts[i].message);
            assert_int_equal(out[0], 0);
            gp5_report_free(&l.report);
        } else {
            expect_ok(&l);
            assert_int_equal(out[0], n[0] * n[1] * n[2]);
        }
    }
}

/* ---- loops that do not end --------------------------------------------------------------------------------------- */

static const struct {
    const char *body;
} endless[] = {
    {"REP;\nMOV.U.CC b.x, 0;\nBRK (NE.x);\nENDREP;\n"},
    {"REP;\nREP.S 3;\nADD.U b.x, b.x, 1;\nENDREP;\nMOV.U.CC c.x, 0;\nBRK (NE.x);\nENDREP;\n"},
    {"REP;\nMOV.U.CC b.x, 1;\nCONT (NE.x);\nBRK;\nENDREP;\n"},
    {"REP;\nBAR;\nMOV.U.CC b.x, 0;\nBRK (NE.x);\nENDREP;\n"},
    {"REP;\nCAL f;\nMOV.U.CC b.x, 0;\nBRK (NE.x);\nENDREP;\nRET;\nf: MOV.U c.x, 1;\nRET;\n"},
    {"REP;\nLDB.U32.CC b.x, out[0];\nBRK (NE.x);\nENDREP;\n"},     /* a lock that nobody opens */
    {"REP.S 2000000000;\nADD.U b.x, b.x, 1;\nENDREP;\n"},
};

static void test_endless(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
        for (unsigned how = 0; how < 4; how++) {
            struct gp5_run_options options = {.jobs = 1 + (how & 1), .track_undefined = how & 1, .track_races = how & 2,
                                              .max_instructions = 5000};
            _Alignas(64) uint32_t out[16] = {0};
            struct gp5_buffer storage = {0, (uint8_t *)out, sizeof out, NULL};
            char text[1024];
            snprintf(text, sizeof text, HEAD("64", "") "MOV.U b.x, 0;\n%sEND\n", endless[i].body);
            struct launch l = launch(text, &options, (const uint32_t[]){4, 1, 1}, &storage, 1);
            assert_int_equal(l.status, GP5_RUN_LIMIT);
            assert_non_null(strstr(l.report.message, "the limit of 5000 instructions a warp was reached"));
            gp5_report_free(&l.report);
        }
}

/* ---- a million groups -------------------------------------------------------------------------------------------- */

/* Two warps that meet, a register that was never written, an array with a computed index, atomic operations. */
static const char busy[] =
    HEAD("64", "SHARED_MEMORY 256;\nSHARED mem[] = { program.sharedmem };\nTEMP d, A[3];\n")
    "AND.U a.x, invocation.globalid.x, 255;\nSHL.U a.x, a.x, 2;\nAND.U b.x, a.x, 60;\nSTS.U32 a, mem[b.x];\nBAR;\n"
    "LDS.U32 c.x, mem[b.x];\n"
    "ADD.U c.x, c.x, d.x;\nAND.U b.x, b.x, 1;\nMOV.U A[b.x], c;\nADD.U c.x, c.x, A[1].x;\n"
    "ATOMB.ADD.U32 b.x, c.x, out[a.x];\n"
    "STB.U32 b, out[a.x];\nEND\n";

struct cost {
    size_t most;                /* of what the library takes, bytes */
    long resident;              /* of the process, KB */
};

/* In a process of its own, whose memory nothing else has grown. */
static struct cost cost_of(uint32_t groups, struct gp5_run_options options)
{
    struct cost cost = {0, 0};
    int pipes[2], status;
    struct rusage usage;
    pid_t child;

    assert_int_equal(pipe(pipes), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static _Alignas(64) uint32_t out[256];
        struct gp5_buffer storage = {0, (uint8_t *)out, sizeof out, NULL};
        atomic_store(&most, atomic_load(&held));
        struct launch l = launch(busy, &options, (const uint32_t[]){groups, 1, 1}, &storage, 1);
        size_t peak = atomic_load(&most);
        bool ok = l.status == GP5_RUN_OK && write(pipes[1], &peak, sizeof peak) == sizeof peak;
        gp5_report_free(&l.report);
        _exit(ok ? 0 : 1);
    }
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &cost.most, sizeof cost.most), sizeof cost.most);
    close(pipes[0]);
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cost.resident = usage.ru_maxrss;
    return cost;
}

static void test_many_groups(void **state)
{
    static const struct {
        const char *name;
        uint32_t groups;
        struct gp5_run_options options;
    } ways[] = {
        {"as it is", 1000000, {.jobs = 1}},
        {"following undefined values", 100000, {.jobs = 1, .track_undefined = true}},
        {"looking for races", 10000, {.jobs = 1, .track_undefined = true, .track_races = true}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        uint32_t groups = ways[i].groups;
#ifdef SANITIZED
        groups /= 100;
#endif
        struct cost few = cost_of(1000, ways[i].options), many = cost_of(groups, ways[i].options);
        print_message("%s: 1000 groups take %zu bytes, %u take %zu; %ld and %ld KB resident\n", ways[i].name, few.most,
                      groups, many.most, few.resident, many.resident);
        assert_int_equal(many.most, few.most);
#ifndef SANITIZED
        if (many.resident > few.resident + few.resident / 10)
            fail_msg("%s: %u groups take %ld KB, 1000 take %ld", ways[i].name, groups, many.resident, few.resident);
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large_buffers), cmocka_unit_test(test_whole_group),
                                       cmocka_unit_test(test_counts), cmocka_unit_test(test_endless),
                                       cmocka_unit_test(test_many_groups)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
