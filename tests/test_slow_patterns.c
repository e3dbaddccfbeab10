/* link: mpfr gmp */
/* timeout: 600 (with the sanitizers) */
/* The second evaluator on the recorded programs of tests/contraction.txt, flow.txt, questions3.txt, calls.txt and access.txt: their first work group,
 * beside what gp5's own gives, which tests/test_contraction.c holds against the driver. Those that gp5 is known to compute otherwise are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/patterns.h"
#include "tests/slow/slow.h"

struct table {
    const char *programs, *recording;
    unsigned least;             /* programs that are compared */
    unsigned every;             /* one of so many, as loops take long */
    enum pattern_operands first;    /* the set that the recording begins with */
};

static const struct table contraction = {"tests/contraction.txt", "tests/recordings/contraction.txt", 450, 1, PATTERN_MID},
                          flow = {"tests/flow.txt", "tests/recordings/flow.txt", 600, 7, PATTERN_MID},
                          questions3 = {"tests/questions3.txt", "tests/recordings/questions3.txt", 250, 1, PATTERN_MID},
                          calls = {"tests/calls.txt", "tests/recordings/calls.txt", 200, 1, PATTERN_MID},
                          blocks = {"tests/blocks.txt", "tests/recordings/blocks.txt", 240, 1, PATTERN_MID},
                          fills = {"tests/fills.txt", "tests/recordings/fills.txt", 2200, 1, PATTERN_NASTY},
                          access_table = {"tests/access.txt", "tests/recordings/access.txt", 1900, 1, PATTERN_MID};

struct replay {
    FILE *recording;
    enum pattern_operands set;
    unsigned compared, different, known, seen, every;
};

static struct slow_buffer buffer(uint32_t binding, void *data, size_t size)
{
    struct slow_buffer b = {.binding = binding, .data = data, .size = size, .open = calloc(size / 4 + 1, sizeof *b.open)};
    assert_non_null(b.open);
    return b;
}

/* One work group. */
static bool run(const char *program, enum pattern_operands set, uint32_t out[PATTERN_RESULTS])
{
    static uint32_t in[PATTERN_INVOCATIONS * PATTERN_IN_WORDS], other[PATTERN_RESULTS], counters[PATTERN_COUNTERS / 4];
    struct pattern_launch l = pattern_launch(program);
    struct slow_buffer storage[3] = {buffer(0, in, sizeof in), buffer(1, out, PATTERN_RESULTS * 4), buffer(2, other, sizeof other)},
                       counter = buffer(0, counters, sizeof counters);
    const struct gp5_address_range at[2] = {{.address = 0x7f1234560000u, .binding = 0}, {.address = 0x7f8000000000u, .binding = 2}};
    struct gp5_parameter local = {.index = 0};
    struct slow_launch launch = {.groups = {1, 1, 1}, .storage = storage, .nstorage = 3, .constants = storage, .nconstants = 1,
                                 .addresses = at, .naddresses = 2, .local = &local, .nlocal = 1, .counters = &counter, .ncounters = 1,
                                 .subroutines = l.subroutines, .nsubroutines = l.nsubroutines};
    struct slow_outcome outcome;
    gp5_program *p = gp5_parse(program, strlen(program));
    assert_non_null(p);
    for (unsigned i = 0; i < 4; i++)
        local.word[i] = (uint32_t)(at[i / 2].address >> i % 2 * 32);
    memcpy(launch.group_size, l.size, sizeof l.size);
    pattern_operands(set, in);
    memset(out, 0, PATTERN_RESULTS * 4);
    memset(other, 0, sizeof other);
    pattern_counters(counters);
    slow_run(p, GP5_SEMANTICS_NVIDIA, &launch, &outcome);
    if (outcome.status != SLOW_RAN)
        print_message("# %s\n", outcome.message);
    for (unsigned i = 0; i < 3; i++)
        free(storage[i].open);
    free(counter.open);
    gp5_program_free(p);
    return outcome.status == SLOW_RAN;
}

/* Clocks differ with every run; in which order lanes call different subroutines is not in the second evaluator. */
static bool is_missing(const char *name)
{
    return !strncmp(name, "clock", 5) || !strncmp(name, "order", 5);
}

static bool compare(void *user, const char *name, const char *program)
{
    static uint32_t words[PATTERN_RESULTS], expected[PATTERN_RESULTS];
    struct replay *r = user;
    char line[256] = "#", recorded[128], *message = NULL;
    unsigned lanes = PATTERN_INVOCATIONS / pattern_launch(program).groups, at = 0;
    while (line[0] == '#')
        assert_non_null(fgets(line, sizeof line, r->recording));
    assert_int_equal(sscanf(line, "%*s %127s", recorded), 1);
    assert_string_equal(recorded, name);
    if (strstr(line, " rejected") || strstr(line, " differs: ") || strstr(program, "invocation.groupcount") ||
        is_missing(name)) {
        r->known++;
        return true;
    }
    if (r->seen++ % r->every && strncmp(name, "set_called", 10))
        return true;
    assert_true(pattern_evaluate(program, r->set, expected, &message));
    r->compared++;
    if (run(program, r->set, words))
        while (at < lanes * PATTERN_OUT_WORDS && words[at] == expected[at])
            at++;
    if (at < lanes * PATTERN_OUT_WORDS) {
        print_message("# %s on %s operands: invocation %u, %c.%c is %08x and not %08x\n", name, pattern_set_names[r->set], at / PATTERN_OUT_WORDS,
                      at & 4 ? 'q' : 'r', "xyzw"[at & 3], (unsigned)words[at], (unsigned)expected[at]);
        r->different++;
    }
    return true;
}

static void recorded_programs(void **state)
{
    const struct table *t = *state;
    struct replay r = {.recording = fopen(t->recording, "r"), .every = t->every};
    assert_non_null(r.recording);
    for (r.set = t->first; r.set < PATTERN_SETS; r.set++)
        assert_true(pattern_each(t->programs, compare, &r));
    fclose(r.recording);
    print_message("# %u programs compared, %u left out\n", r.compared, r.known);
    assert_int_equal(r.different, 0);
    assert_true(r.compared >= t->least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"contraction", recorded_programs, NULL, NULL, (void *)(uintptr_t)&contraction},
        {"flow", recorded_programs, NULL, NULL, (void *)(uintptr_t)&flow},
        {"whole programs", recorded_programs, NULL, NULL, (void *)(uintptr_t)&questions3},
        {"calls", recorded_programs, NULL, NULL, (void *)(uintptr_t)&calls},
        {"where blocks end", recorded_programs, NULL, NULL, (void *)(uintptr_t)&blocks},
        {"which numbers are known", recorded_programs, NULL, NULL, (void *)(uintptr_t)&fills},
        {"memory and atomic operations", recorded_programs, NULL, NULL, (void *)(uintptr_t)&access_table},
    };
    return cmocka_run_group_tests_name("second evaluator", tests, NULL, NULL);
}
