/* Recordings: what is written comes back, what was recorded for something else is refused, and a file that
 * was cut or changed anywhere is an error and nothing worse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compare/script/data.h"
#include "compare/record/recording.h"
#include "tests/unit/failing_memory.h"

/* ---- a driver's results made up ------------------------------------------------------------------------ */

static const char program[] = "!!NVcp5.0\nGROUP_SIZE 1;\nEND\n", broken[] = "!!NVcp5.0\nEND\n";
static uint8_t input[44], output[44], large[10000];
static const struct driver_buffer buffers[] = {
    { 0, input, sizeof input, true }, { 2, NULL, 44, true }, { 5, NULL, 7, true },
    { 9, NULL, sizeof large, true },
};
static const struct driver_parameter parameters[] = { { 3, { 1, 2, 3, 4 } } };

static struct driver_case make_case(void)
{
    return (struct driver_case){ .stage = DRIVER_COMPUTE, .program = program, .program_size = sizeof program - 1,
                                 .groups = { 1, 2, 3 },
                                 .storage = buffers, .storage_count = 4, .env = parameters,
                                 .env_count = 1 };
}

static const struct driver_description description = {
    .context = "test", .vendor = "Vendor & Sons", .renderer = "back\\slash\nand newline", .version = "4.6.0" };

static char *make_recording(const char *path, size_t block, size_t *size)
{
    struct recorder r;
    struct outcome o;
    struct driver_case c = make_case();
    const char *error = NULL;
    for (size_t i = 0; i < sizeof output; i++) {
        input[i] = (uint8_t)data_random(1, i);
        output[i] = (uint8_t)data_random(2, i);
    }
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)data_random(3, i);
    assert_null(recorder_open(&r, path, &description));
    outcome_init(&o);
    outcome_add(&o, OUTPUT_STORAGE, 0, input, sizeof input);
    outcome_add(&o, OUTPUT_STORAGE, 2, output, sizeof output);
    outcome_add(&o, OUTPUT_STORAGE, 5, output, 7);
    outcome_add(&o, OUTPUT_STORAGE, 9, large, block ? sizeof large : 40);
    assert_true(recorder_add(&r, "first:case line 12", &c, &o, block));
    outcome_free(&o);
    c.program = broken;
    c.program_size = sizeof broken - 1;
    outcome_fail(&o, OUTCOME_REJECTED, "line 2, column 1:  error: no\nsecond line \\ with a backslash");
    o.position = 10;
    assert_true(recorder_add(&r, "rejected", &c, &o, 0));
    outcome_fail(&o, OUTCOME_FAILED, "crashed");
    assert_false(recorder_add(&r, "crashed", &c, &o, 0));
    outcome_free(&o);
    assert_null(recorder_close(&r, true));
    char *text = data_read_file(path, 1 << 20, size, &error);
    assert_non_null(text);
    unlink(path);
    return text;
}

static char *temporary(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/gp5-recording-%ld", (long)getpid());
    return path;
}

static void parse(struct recording *r, const char *text, size_t size)
{
    char *error = recording_parse(r, "r", text, size);
    if (error)
        fail_msg("%s", error);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
    struct recording r;
    struct outcome o;
    struct driver_case c = make_case();
    size_t size;
    char *text = make_recording(temporary(), 0, &size);
    (void)state;
    parse(&r, text, size);
    assert_string_equal(r.vendor, description.vendor);
    assert_string_equal(r.renderer, description.renderer);
    assert_int_equal(r.cases.count, 2);
    outcome_init(&o);
    recording_run(&r, &c, &o);
    assert_int_equal(o.status, OUTCOME_RAN);
    assert_int_equal(o.count, 4);
    assert_int_equal(o.outputs[0].size, sizeof input);
    assert_memory_equal(o.outputs[0].data, input, sizeof input);
    assert_non_null(strstr(text, "storage 0 unchanged 44\n"));
    assert_int_equal(o.outputs[1].binding, 2);
    assert_memory_equal(o.outputs[1].data, output, sizeof output);
    assert_int_equal(o.outputs[2].size, 7);
    assert_memory_equal(o.outputs[2].data, output, 7);
    outcome_free(&o);
    c.program = broken;
    c.program_size = sizeof broken - 1;
    recording_run(&r, &c, &o);
    assert_int_equal(o.status, OUTCOME_REJECTED);
    assert_int_equal(o.position, 10);
    assert_string_equal(o.message, "line 2, column 1:  error: no\nsecond line \\ with a backslash");
    outcome_free(&o);
    recording_free(&r);
    gp5_free(text);
}

static void test_digest(void **state)
{
    struct recording r;
    struct outcome o;
    struct driver_case c = make_case();
    size_t size;
    char *text = make_recording(temporary(), 4096, &size);
    uint8_t digest[SHA256_BYTES];
    (void)state;
    parse(&r, text, size);
    outcome_init(&o);
    recording_run(&r, &c, &o);
    const struct output *found = outcome_find(&o, OUTPUT_STORAGE, 9);
    assert_non_null(found);
    assert_null(found->data);
    assert_int_equal(found->size, sizeof large);
    assert_int_equal(found->block, 4096);
    for (size_t i = 0; i < 3; i++) {
        sha256_of(large + 4096 * i, i < 2 ? 4096 : sizeof large - 8192, digest);
        assert_memory_equal(found->digests + i * SHA256_BYTES, digest, sizeof digest);
    }
    outcome_free(&o);
    recording_free(&r);
    gp5_free(text);
}

/* Each change of what goes in makes another case. */
static void test_refusals(void **state)
{
    struct recording r;
    struct driver_buffer changed[4];
    struct driver_parameter parameter = parameters[0];
    uint8_t bytes[sizeof input];
    size_t size;
    char *text = make_recording(temporary(), 0, &size);
    (void)state;
    parse(&r, text, size);
    for (int change = 0; change < 9; change++) {
        struct driver_case c = make_case();
        struct outcome o;
        memcpy(changed, buffers, sizeof changed);
        memcpy(bytes, input, sizeof bytes);
        parameter.bits[2] = parameters[0].bits[2];
        switch (change) {
        case 0: c.groups[0] = 2; break;
        case 1: c.program = "!!NVcp5.0\nGROUP_SIZE 2;\nEND\n"; break;
        case 2: bytes[43] ^= 1; changed[0].data = bytes; break;
        case 3: changed[1].size = 48; break;
        case 4: changed[2].binding = 6; break;
        case 5: c.storage_count = 3; break;
        case 6: c.env_count = 0; break;
        case 7: parameter.bits[2] = 0; c.env = &parameter; break;
        case 8: c.local = parameters; c.local_count = 1; break;
        }
        c.storage = changed;
        outcome_init(&o);
        recording_run(&r, &c, &o);
        if (o.status != OUTCOME_REFUSED)
            fail_msg("change %d was not refused", change);
        assert_non_null(strstr(o.message, change == 1 ? "not with this program" : "not with these inputs"));
        outcome_free(&o);
    }
    recording_free(&r);
    gp5_free(text);
}

/* A file that ends early anywhere, or has one bit turned anywhere, is not read. */
static void test_damage(void **state)
{
    size_t size;
    char *text = make_recording(temporary(), 4096, &size);
    (void)state;
    for (size_t cut = 0; cut < size; cut++) {
        struct recording r;
        char *error = recording_parse(&r, "cut", text, cut);
        if (!error)
            fail_msg("cut at byte %zu of %zu was not seen", cut, size);
        gp5_free(error);
        recording_free(&r);
    }
    for (size_t at = 0; at < size; at++)
        for (int bit = 0; bit < 8; bit++) {
            struct recording r;
            text[at] ^= (char)(1 << bit);
            char *error = recording_parse(&r, "bent", text, size);
            text[at] ^= (char)(1 << bit);
            if (!error)
                fail_msg("bit %d of byte %zu of %zu turned was not seen", bit, at, size);
            gp5_free(error);
            recording_free(&r);
        }
    gp5_free(text);
}

/* Wherever memory runs out, reading and replaying end in order. */
static void test_no_memory(void **state)
{
    size_t size;
    char *text = make_recording(temporary(), 0, &size);
    bool done = false;
    (void)state;
    for (long n = 0; !done; n++) {
        struct recording r;
        struct outcome o;
        struct driver_case c = make_case();
        allowed = n;
        refused = false;
        char *error = recording_parse(&r, "r", text, size);
        bool parsed = r.cases.count == 2 && !error;
        outcome_init(&o);
        if (parsed)
            recording_run(&r, &c, &o);
        done = !refused;
        if (done)
            assert_true(parsed && o.status == OUTCOME_RAN && o.count == 4);
        else if (parsed)
            assert_true(o.status == OUTCOME_RAN || o.status == OUTCOME_NO_MEMORY);
        allowed = -1;
        outcome_free(&o);
        gp5_free(error);
        recording_free(&r);
        assert_true(n < 10000);
    }
    gp5_free(text);
}

/* What the messages say, and on which line. */
static const struct { const char *text, *message; } bad[] = {
    { "", "r:1: not a gp5 recording" },
    { "hello\n", "r:1: not a gp5 recording" },
    { "gp5 recording 2\n", "r:1: a recording of version 2; this gp5 reads version 1" },
    { "gp5 recording 1\nvendor a\n", "r:3: the recording is cut short" },
    { "gp5 recording 1\nvendor a\nversion 1\n", "r:3: expected 'renderer'" },
    { "gp5 recording 1\nvendor a\\q\n", "r:2: a backslash that is not \\xNN" },
    { "gp5 recording 1\nvendor a\nrenderer b\nversion c\ncontext d\n\nnonsense\n", "r:7: expected 'case' or 'end'" },
    { "gp5 recording 1\nvendor a\nrenderer b\nversion c\ncontext d\n\nend 1 "
      "0000000000000000000000000000000000000000000000000000000000000000\n",
      "r:7: the recording says that it has 1 cases, but 0 are here" },
    { "gp5 recording 1\nvendor a\nrenderer b\nversion c\ncontext d\n\nend 0 "
      "0000000000000000000000000000000000000000000000000000000000000000\n",
      "r:7: the check sum is wrong: the recording was changed" },
    { "gp5 recording 1\nvendor a\nrenderer b\nversion c\ncontext d\n\ncase x\nprogram 12\n",
      "r:8: expected a hash of 64 digits" },
};
#define CASE_HEAD "gp5 recording 1\nvendor a\nrenderer b\nversion c\ncontext d\n\ncase x\n" \
    "program 0000000000000000000000000000000000000000000000000000000000000000\n" \
    "input 0000000000000000000000000000000000000000000000000000000000000000\n"
static const struct { const char *text, *message; } bad_outputs[] = {
    { "storage 0 words 99999999999\n", "r:10: expected a number up to 268435456" },
    { "storage 0 words -4\n", "r:10: expected a number up to 268435456" },
    { "storage x words 4\n", "r:10: expected a number up to 4294967295" },
    { "storage 0 words 200000000\n", "r:10: the recording is cut short" },
    { "storage 0 words 4\n0000000\n", "r:11: the recording is cut short" },
    { "storage 0 words 4\n0000000g\n\n", "r:11: expected 1 numbers of 8 hex digits in this line" },
    { "storage 0 words 4\n00000000 00000000\n\n", "r:11: this line is too long" },
    { "storage 0 words 5\n", "r:10: expected words, bytes, unchanged or digest" },
    { "storage 0 words 4 4\n", "r:10: too few or too many words" },
    { "storage 0 digest 4 3\n", "r:10: a block is a multiple of 4 bytes" },
    { "storage 0 digest 200000000 4\n", "r:10: the recording is cut short" },
    { "storage 0 maybe 4\n", "r:10: expected words, bytes, unchanged or digest" },
    { "rejected x\n", "r:10: expected a number up to 2147483647" },
    { "rejected 1\nstorage 0 unchanged 4\n", "r:11: expected 'message'" },
};

static void expect_error(const char *text, const char *message)
{
    struct recording r;
    char *error = recording_parse(&r, "r", text, strlen(text));
    assert_non_null(error);
    assert_string_equal(error, message);
    gp5_free(error);
    recording_free(&r);
}

static void test_messages(void **state)
{
    char text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_error(bad[i].text, bad[i].message);
    for (size_t i = 0; i < sizeof bad_outputs / sizeof *bad_outputs; i++) {
        snprintf(text, sizeof text, CASE_HEAD "%s", bad_outputs[i].text);
        expect_error(text, bad_outputs[i].message);
    }
}

/* A recording that was given up leaves nothing behind. */
static void test_given_up(void **state)
{
    struct recorder r;
    char *path = temporary();
    (void)state;
    assert_null(recorder_open(&r, path, &description));
    assert_null(recorder_close(&r, false));
    assert_int_not_equal(access(path, F_OK), 0);
    strcat(path, ".part");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_non_null(recorder_open(&r, "/nonexistent/x", &description));
    recorder_close(&r, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_digest), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_messages), cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
