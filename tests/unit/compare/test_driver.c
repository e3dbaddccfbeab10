/* The driver interface against a driver that crashes, hangs and lies: every bad case gets its charge, and
 * every other case of the same batch its right answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compare/driver/driver.h"

/* Where something hangs, and where all that is asked is answered. */
enum { TIMEOUT_MS = 4000, PATIENT_MS = 600000 };

static char *liar_path(void)
{
    static char path[4200];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    assert_true(n > 0);
    path[n] = 0;
    strcpy(strrchr(path, '/') + 1, "liar");
    return path;
}

static enum driver_open_status open_liar(const char *context, unsigned timeout_ms, struct driver **d, char **reason)
{
    struct driver_options o = { .context = context, .worker = liar_path(), .timeout_ms = timeout_ms };
    return driver_open(&o, d, reason);
}

static struct driver *liar_that_has(unsigned timeout_ms)
{
    struct driver *d;
    char *reason;
    assert_int_equal(open_liar("test", timeout_ms, &d, &reason), DRIVER_OPENED);
    return d;
}

static struct driver *liar(void)
{
    return liar_that_has(PATIENT_MS);
}

/* ---- one batch of everything --------------------------------------------------------------------------- */

static const struct bad {
    const char *word;
    enum driver_status status;
    int signal;
    const char *detail;         /* part of it */
} bad[] = {
    { "segv", DRIVER_CRASHED, 11, "signal 11" },
    { "abort", DRIVER_CRASHED, 6, "signal 6" },
    { "exit", DRIVER_CRASHED, 0, "status 42" },
    { "lost", DRIVER_CRASHED, 0, "lost its context" },
    { "hang", DRIVER_HUNG, 0, "no answer within" },
    { "deaf", DRIVER_HUNG, 0, "no answer within" },
    { "drip", DRIVER_GARBLED, 0, "does not begin like a message" },
    { "garbage", DRIVER_GARBLED, 0, "does not begin like a message" },
    { "flood", DRIVER_GARBLED, 0, "does not begin like a message" },
    { "truncated-exit", DRIVER_CRASHED, 0, "status 0" },
    { "truncated-hang", DRIVER_HUNG, 0, "no answer within" },
    { "header-only", DRIVER_CRASHED, 0, "status 0" },
    { "oversize", DRIVER_GARBLED, 0, "larger than a message may be" },
    { "promise", DRIVER_HUNG, 0, "no answer within" },
    { "checksum", DRIVER_GARBLED, 0, "check sum" },
    { "payload", DRIVER_GARBLED, 0, "check sum" },
    { "magic", DRIVER_GARBLED, 0, "does not begin like a message" },
    { "version", DRIVER_GARBLED, 0, "another version" },
    { "type", DRIVER_GARBLED, 0, "no result" },
    { "sequence", DRIVER_GARBLED, 0, "another question" },
    { "short", DRIVER_GARBLED, 0, "storage buffers" },
    { "binding", DRIVER_GARBLED, 0, "storage buffers" },
    { "missing", DRIVER_GARBLED, 0, "storage buffers" },
    { "extra", DRIVER_GARBLED, 0, "nobody asked for" },
    { "status", DRIVER_GARBLED, 0, "no such status" },
    { "claims-crash", DRIVER_GARBLED, 0, "no worker may give" },
    { "rejects", DRIVER_REJECTED, 0, "" },
    { "bit", DRIVER_RAN, 0, "" },
    { "slow", DRIVER_RAN, 0, "" },
    { "then-dies", DRIVER_RAN, 0, "" },
    { "then-babbles", DRIVER_RAN, 0, "" },
    { "then-floods", DRIVER_RAN, 0, "" },
    { "poison", DRIVER_RAN, 0, "" },
};

enum { BAD = sizeof bad / sizeof *bad, HONEST_AFTER = 3, CASES = BAD * (HONEST_AFTER + 1), SIZE = 100 };

struct batch {
    char text[CASES][64];
    uint8_t in[CASES][SIZE];
    struct driver_buffer storage[CASES][3];
    struct driver_case cases[CASES];
    size_t seen, honest_right, charged_right;
};

static const struct bad *command_of(size_t i)
{
    return i % (HONEST_AFTER + 1) ? NULL : &bad[i / (HONEST_AFTER + 1)];
}

static void make_case(struct batch *b, size_t i)
{
    const struct bad *command = command_of(i);
    snprintf(b->text[i], sizeof b->text[i], "!!NVcp5.0\n%s%s\nEND\n", command ? "liar: " : "",
             command ? command->word : "");
    for (size_t k = 0; k < SIZE; k++)
        b->in[i][k] = (uint8_t)(i * 31 + k * 7);
    b->storage[i][0] =
        (struct driver_buffer){ .binding = 1, .data = b->in[i], .size = SIZE, .bring_back = true };
    b->storage[i][1] = (struct driver_buffer){ .binding = 5, .data = b->in[i], .size = SIZE };
    b->storage[i][2] = (struct driver_buffer){ .binding = 0, .size = i % 9, .bring_back = true };
    b->cases[i] = (struct driver_case){ .stage = DRIVER_COMPUTE,
                                        .program = b->text[i],
                                        .program_size = strlen(b->text[i]),
                                        .groups = { 1, 1, 1 },
                                        .storage = b->storage[i],
                                        .storage_count = 3 };
}

static unsigned wrong_bits(const struct batch *b, size_t i, const struct driver_result *r)
{
    unsigned wrong = 0;
    assert_int_equal(r->storage_count, 2);
    assert_int_equal(r->storage[0].binding, 1);
    assert_int_equal(r->storage[0].size, SIZE);
    assert_int_equal(r->storage[1].binding, 0);
    assert_int_equal(r->storage[1].size, i % 9);
    for (size_t k = 0; k < SIZE; k++)
        wrong += (unsigned)__builtin_popcount((b->in[i][k] ^ 0x5a) ^ r->storage[0].data[k]);
    for (size_t k = 0; k < i % 9; k++)
        wrong += (unsigned)__builtin_popcount(0x5a ^ r->storage[1].data[k]);
    return wrong;
}

static bool check_one(void *user, size_t i, const struct driver_case *c, const struct driver_result *r)
{
    struct batch *b = user;
    const struct bad *command = command_of(i);
    assert_int_equal(i, b->seen);
    b->seen++;
    assert_ptr_equal(c, &b->cases[i]);
    if (!command) {
        assert_int_equal(r->status, DRIVER_RAN);
        assert_int_equal(wrong_bits(b, i, r), 0);
        assert_int_equal(r->position, -1);
        b->honest_right++;
        return true;
    }
    if (r->status != command->status || !strstr(r->detail, command->detail))
        fail_msg("liar: %s: %s, \"%s\"", command->word, driver_status_name(r->status), r->detail);
    assert_int_equal(r->signal, command->signal);
    if (r->status == DRIVER_RAN)
        assert_int_equal(wrong_bits(b, i, r), strcmp(command->word, "bit") ? 0 : 1);
    else
        assert_int_equal(r->storage_count, 0);
    if (r->status == DRIVER_REJECTED) {
        assert_int_equal(r->position, 7);
        assert_string_equal(r->message, "line 1, column 8:  error: I do not like it");
    }
    b->charged_right++;
    return true;
}

static void test_isolation(void **state)
{
    (void)state;
    struct batch *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < CASES; i++)
        make_case(b, i);
    struct driver *d = liar_that_has(TIMEOUT_MS);
    assert_true(driver_run(d, b->cases, CASES, check_one, b));
    assert_int_equal(b->seen, CASES);
    assert_int_equal(b->charged_right, BAD);
    assert_int_equal(b->honest_right, CASES - BAD);
    driver_close(d);
    free(b);
}

/* ---- what is charged to whom --------------------------------------------------------------------------- */

struct last {
    enum driver_status status;
    unsigned attempts;
    size_t seen, stop_after;
    size_t color_bytes, coverage_bytes, depth_bytes;
    char detail[256];
};

static bool remember(void *user, size_t i, const struct driver_case *c, const struct driver_result *r)
{
    struct last *l = user;
    (void)i;
    (void)c;
    l->status = r->status;
    l->attempts = r->attempts;
    l->color_bytes = l->coverage_bytes = l->depth_bytes = 0;
    for (size_t k = 0; k < r->color_count; k++)
        l->color_bytes += r->colors[k].size;
    for (size_t k = 0; k < r->coverage_size; k++)
        l->coverage_bytes += r->coverage[k];
    l->depth_bytes = r->depth_size;
    snprintf(l->detail, sizeof l->detail, "%s", r->detail);
    return ++l->seen != l->stop_after;
}

static struct driver_case load(const char *text)
{
    return (struct driver_case){ .stage = DRIVER_COMPUTE, .load_only = true, .program = text,
                                 .program_size = strlen(text) };
}

/* The worker dies of what an earlier case left behind: the next one runs on a fresh worker and is not
 * charged. */
static void test_poisoned(void **state)
{
    (void)state;
    struct driver *d = liar();
    struct last l = {0};
    struct driver_case cases[2] = { load("liar: poison\n"), load("honest\n") };
    assert_true(driver_run(d, cases, 2, remember, &l));
    assert_int_equal(l.seen, 2);
    assert_int_equal(l.status, DRIVER_RAN);
    assert_int_equal(l.attempts, 2);
    driver_close(d);
}

/* A charge against a worker that served others first is confirmed by a fresh one; a first case is charged at
 * once. */
static void test_confirmed(void **state)
{
    (void)state;
    struct driver *d = liar();
    struct last l = {0};
    struct driver_case cases[3] = { load("liar: segv\n"), load("honest\n"), load("liar: segv\n") };
    assert_true(driver_run(d, cases, 1, remember, &l));
    assert_int_equal(l.status, DRIVER_CRASHED);
    assert_int_equal(l.attempts, 1);
    assert_true(driver_run(d, cases + 1, 2, remember, &l));
    assert_int_equal(l.status, DRIVER_CRASHED);
    assert_int_equal(l.attempts, 2);
    driver_close(d);
}

static void test_stop(void **state)
{
    (void)state;
    struct driver *d = liar();
    struct last l = { .stop_after = 2 };
    struct driver_case cases[4] = { load("a"), load("b"), load("c"), load("d") };
    assert_true(driver_run(d, cases, 4, remember, &l));
    assert_int_equal(l.seen, 2);
    driver_close(d);
}

static void test_time(void **state)
{
    (void)state;
    struct driver *d = liar_that_has(TIMEOUT_MS);
    struct last l = {0};
    struct timespec t0, t1;
    struct driver_case c = load("liar: hang\n");
    clock_gettime(CLOCK_MONOTONIC, &t0);
    assert_true(driver_run(d, &c, 1, remember, &l));
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    assert_int_equal(l.status, DRIVER_HUNG);
    assert_true(seconds >= 0.9 * TIMEOUT_MS / 1000);
    driver_close(d);
}

/* ---- fragments and sizes ------------------------------------------------------------------------------- */

static void test_framebuffer(void **state)
{
    (void)state;
    static const float values[4][4];
    struct driver_attribute attribute = { .kind = DRIVER_TEXCOORD, .values = values, .size = sizeof values };
    struct driver_case c = load("fragments\n");
    struct driver *d = liar();
    struct last l = {0};
    c.load_only = false;
    c.stage = DRIVER_FRAGMENT;
    c.raster = (struct driver_raster){ .width = 5, .height = 3, .color_outputs = 2, .bring_depth = true,
                                       .attributes = &attribute, .attribute_count = 1 };
    assert_true(driver_run(d, &c, 1, remember, &l));
    assert_int_equal(l.status, DRIVER_RAN);
    assert_int_equal(l.color_bytes, 2 * 5 * 3 * 16);
    assert_int_equal(l.coverage_bytes, 15);
    assert_int_equal(l.depth_bytes, 60);
    driver_close(d);
}

static void expect_refused(struct driver *d, const struct driver_case *c, const char *why)
{
    struct last l = {0};
    assert_true(driver_run(d, c, 1, remember, &l));
    assert_int_equal(l.status, DRIVER_UNSUPPORTED);
    if (!strstr(l.detail, why))
        fail_msg("\"%s\" and not \"%s\"", l.detail, why);
}

/* A case that contradicts itself reaches no driver. */
static void test_contradictions(void **state)
{
    (void)state;
    static const float values[16][4];
    struct driver_attribute a[2] = { { .kind = DRIVER_TEXCOORD, .values = values, .size = 64 },
                                     { .kind = DRIVER_TEXCOORD, .values = values, .size = 64 } };
    struct driver_buffer twice[2] = { { .binding = 3, .size = 4 }, { .binding = 3, .size = 4 } };
    struct driver *d = liar();
    struct driver_case c = load("x");
    c.load_only = false;
    c.storage = twice;
    c.storage_count = 2;
    expect_refused(d, &c, "same binding");
    c.storage_count = 0;
    c.stage = DRIVER_FRAGMENT;
    c.raster = (struct driver_raster){ .width = 0, .height = 4, .color_outputs = 1 };
    expect_refused(d, &c, "pixels");
    c.raster.width = 4;
    c.raster.color_outputs = 9;
    expect_refused(d, &c, "colour outputs");
    c.raster.color_outputs = 1;
    c.raster.attributes = a;
    c.raster.attribute_count = 2;
    expect_refused(d, &c, "given twice");
    a[1].index = 8;
    expect_refused(d, &c, "out of range");
    a[1].index = 7;
    a[1].size = 60;
    expect_refused(d, &c, "four floats");
    a[1].size = 64;
    c.raster.primitive = DRIVER_POINTS;
    expect_refused(d, &c, "four floats");
    driver_close(d);
}

static void test_too_large(void **state)
{
    (void)state;
    struct driver_case c = load("x");
    static const uint8_t byte[1];
    struct driver_buffer b = { .data = byte, .size = (size_t)3 << 30 };
    struct driver *d = liar();
    struct last l = {0};
    c.load_only = false;
    c.storage = &b;
    c.storage_count = 1;
    assert_true(driver_run(d, &c, 1, remember, &l));
    assert_int_equal(l.status, DRIVER_OUT_OF_MEMORY);
    c = load("honest");
    assert_true(driver_run(d, &c, 1, remember, &l));
    assert_int_equal(l.status, DRIVER_RAN);
    driver_close(d);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static void test_greeting(void **state)
{
    (void)state;
    struct driver *d = liar();
    const struct driver_description *w = driver_describe(d);
    assert_string_equal(w->context, "test");
    assert_string_equal(w->vendor, "Liar");
    assert_true(driver_has_extension(w, "GL_NV_compute_program5"));
    assert_false(driver_has_extension(w, "GL_NV_compute_program"));
    assert_int_equal(w->limit_count, 2);
    assert_true(w->limits[0].value == INT64_MAX && w->limits[1].value == -1);
    driver_close(d);
}

static void expect_no_driver(const char *context, enum driver_open_status status, const char *why)
{
    struct driver *d;
    char *reason;
    assert_int_equal(open_liar(context, PATIENT_MS, &d, &reason), status);
    assert_null(d);
    assert_non_null(reason);
    if (!strstr(reason, why))
        fail_msg("%s: \"%s\" and not \"%s\"", context, reason, why);
    free(reason);
}

static void test_bad_greetings(void **state)
{
    (void)state;
    expect_no_driver("refuse", DRIVER_NO_CONTEXT, "honestly");
    expect_no_driver("exit", DRIVER_NO_WORKER, "status 42");
    expect_no_driver("segv", DRIVER_NO_WORKER, "signal 11");
    expect_no_driver("garbage", DRIVER_NO_WORKER, "does not begin like a message");
    expect_no_driver("flood", DRIVER_NO_WORKER, "does not begin like a message");
    expect_no_driver("version", DRIVER_NO_WORKER, "another version");
    expect_no_driver("type", DRIVER_NO_WORKER, "unknown type");
    expect_no_driver("oversize", DRIVER_NO_WORKER, "larger");
    expect_no_driver("truncated-exit", DRIVER_NO_WORKER, "status 0");
}

static void test_no_worker(void **state)
{
    (void)state;
    struct driver_options o = { .worker = "/nonexistent/worker" };
    struct driver *d;
    char *reason;
    assert_int_equal(driver_open(&o, &d, &reason), DRIVER_NO_WORKER);
    assert_non_null(strstr(reason, "/nonexistent/worker"));
    free(reason);
}

/* A worker that leaves nothing behind: no zombie, no open file, over many of them. */
static void test_leaves_nothing(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    for (int i = 0; i < 20; i++) {
        struct driver *d = liar();
        struct last l = {0};
        struct driver_case c = load(i & 1 ? "liar: abort\n" : "honest\n");
        assert_true(driver_run(d, &c, 1, remember, &l));
        driver_close(d);
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isolation),      cmocka_unit_test(test_poisoned),
        cmocka_unit_test(test_confirmed),      cmocka_unit_test(test_stop),
        cmocka_unit_test(test_time),           cmocka_unit_test(test_framebuffer),
        cmocka_unit_test(test_contradictions), cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_greeting),       cmocka_unit_test(test_bad_greetings),
        cmocka_unit_test(test_no_worker),      cmocka_unit_test(test_leaves_nothing)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
