/* Every numeric instruction, in every type and form, as a driver was recorded to compute it: 11,519
 * programs through the evaluator, their results against the digests of tests/recordings/ops.txt. Rows
 * that say "not modelled" rest on a pass of the driver's compiler that the evaluator has not: they differ.
 * cost: 7 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/gp5.h"
#include "tests/tools/opsweep.h"
#include "tests/tools/packed.h"

#define RECORDING "tests/recordings/ops.txt"

struct sweep {
    FILE *file;
    char line[512];
    uint8_t *set[SET_COUNT];
    unsigned equal, differing, other, unknown;
    size_t words, open;         /* of programs with SHORT variables */
};

/* The next line that is no comment, cut at its tabs; false at the end. */
static bool next_line(struct sweep *s, char *fields[3])
{
    do
        if (fgets(s->line, sizeof s->line, s->file) == NULL)
            return false;
    while (s->line[0] == '#');
    s->line[strcspn(s->line, "\n")] = '\0';
    for (unsigned i = 0; i < 3; i++) {
        fields[i] = i ? strchr(fields[i - 1], '\t') : s->line;
        if (fields[i] == NULL)
            fail_msg("%s: a line without three fields: %s", RECORDING, s->line);
        if (i)
            *fields[i]++ = '\0';
    }
    return true;
}

static size_t count_open(const uint32_t *open, size_t words)
{
    size_t n = 0;
    for (size_t i = 0; i < words; i++)
        n += open[i] != 0;
    return n;
}

/* NULL when it does not run here; whether the checker says that the driver rejects it. The result is the caller's. */
static uint8_t *evaluate(struct sweep *s, const struct opsweep_case *c, bool *rejected, char *why, size_t size)
{
    bool tracks = opsweep_leaves_open(c->name);
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA, .jobs = 1, .track_undefined = tracks};
    struct gp5_report report = {0};
    uint32_t *open = calloc(c->bytes / 4 + 1u, sizeof *open);
    char *message = NULL;
    size_t offset = 0;
    uint8_t *out = aligned_alloc(64, (c->bytes + 63u) / 64 * 64);
    gp5_program *program = gp5_parse(c->program, c->size);
    if (program)
        *rejected = gp5_error_position(program, GP5_TARGET_NVIDIA) >= 0;
    gp5_executable *executable = program ? gp5_prepare(program, &options, &message, &offset) : NULL;
    bool ok = false;

    assert_non_null(out);
    assert_non_null(open);
    memset(out, 0, c->bytes);
    snprintf(why, size, "%s", message ? message : "");
    if (executable) {
        struct gp5_buffer buffers[2] = {
            {.binding = 0, .data = s->set[c->set],
                .size = (size_t)operand_sets[c->set].lanes * OPERAND_RECORD},
            {.binding = 1, .data = out, .size = c->bytes, .undefined = tracks ? open : NULL},
        };
        struct gp5_launch launch = {.groups = {c->groups, 1, 1}, .storage = buffers, .nstorage = 2};
        ok = gp5_execute(executable, &launch, &options, &report) == GP5_RUN_OK;
        snprintf(why, size, "%s", report.message ? report.message : "");
        gp5_report_free(&report);
    }
    gp5_executable_free(executable);
    gp5_program_free(program);
    gp5_text_free(message);
    for (size_t i = 0; i < c->bytes / 4; i++)
        if (open[i])
            memset(out + 4 * i, 0, 4);
    s->open += count_open(open, c->bytes / 4);
    s->words += tracks ? c->bytes / 4 : 0;
    free(open);
    if (ok)
        return out;
    free(out);
    return NULL;
}

static void check_case(void *user, const struct opsweep_case *c)
{
    struct sweep *s = user;
    char *fields[3], why[512];
    if (!next_line(s, fields))
        fail_msg("%s ends before %s", RECORDING, c->name);
    if (strcmp(fields[0], c->name) != 0)
        fail_msg("%s has %s where %s should be", RECORDING, fields[0], c->name);
    bool rejected = false;
    uint8_t *got = evaluate(s, c, &rejected, why, sizeof why);
    bool ran = strcmp(fields[1], "ran") == 0, differs = strstr(fields[2], "not modelled") != NULL;
    bool equal = ran && got && opsweep_digest(c->name, got, c->bytes) == strtoull(fields[2], NULL, 16);
    if (equal && differs) {
        print_error("%s: no longer differs\n", c->name);
        s->unknown++;
    } else if (equal) {
        s->equal++;
    } else if (ran && got && differs) {
        s->differing++;
    } else if (ran) {
        print_error("%s: %s\n", c->name, got ? "other results than the driver's" : why);
        s->unknown++;
    } else if (!ran && rejected != (strcmp(fields[1], "rejected") == 0)) {
        print_error("%s: the driver %s it\n", c->name, rejected ? "does not reject" : "rejects");
        s->unknown++;
    } else {
        s->other++;
    }
    free(got);
}

static int setup(void **state)
{
    struct sweep *s = calloc(1, sizeof *s);
    if (s == NULL)
        return -1;
    *state = s;
    s->file = packed_open(RECORDING);
    if (s->file == NULL)
        return -1;
    for (unsigned i = 0; i < SET_COUNT; i++) {
        size_t size = (size_t)operand_sets[i].lanes * OPERAND_RECORD;
        s->set[i] = aligned_alloc(64, (size + 63) / 64 * 64);
        if (s->set[i] == NULL)
            return -1;
        operand_set_fill((enum operand_set)i, s->set[i]);
    }
    return 0;
}

static int teardown(void **state)
{
    struct sweep *s = *state;
    for (unsigned i = 0; i < SET_COUNT; i++)
        free(s->set[i]);
    fclose(s->file);
    free(s);
    return 0;
}

static void as_recorded(void **state)
{
    struct sweep *s = *state;
    char *fields[3];
    for (unsigned part = 0; part < OPSWEEP_PARTS; part++)
        opsweep((enum opsweep_part)part, check_case, s);
    assert_false(next_line(s, fields));
    print_message("%zu of %zu words of programs with SHORT variables are undefined\n", s->open, s->words);
    assert_true(s->open * 3 < s->words);
    print_message("%u programs as the driver, %u with known differences, %u that it did not run\n", s->equal,
                  s->differing,
                  s->other);
    assert_int_equal(s->unknown, 0);
    assert_true(s->equal > 10300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_recorded)};
    return cmocka_run_group_tests_name("opsweep", tests, setup, teardown);
}
