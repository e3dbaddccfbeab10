/* link: mpfr gmp */
/* cost: 10 */
/* Programs that were made to be asked of a driver, by the evaluator with --model=none and by the oracle: lanes that
 * diverge and reconverge, that wait at BAR, subroutines, loops, memory and atomic operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gp5.h"
#include "tests/tools/barriers.h"
#include "tests/tools/divergence.h"
#include "tests/oracle/oracle.h"
#include "tests/tools/patterns.h"

enum { MOST_WORDS = 256 };

static const char none[] = "none";

/* How many programs are left out between two that are run. */
static unsigned step(unsigned usual)
{
    const char *all = getenv("LONG");
    return all && strcmp(all, "0") ? 1 : usual;
}

struct tally {
    unsigned seen, compared, wrong, every;
};

static void judge(struct tally *t, const char *name, uint32_t number, const uint32_t *words, const uint32_t *expected,
                  size_t n)
{
    size_t at = 0;
    t->compared++;
    while (at < n && words[at] == expected[at])
        at++;
    if (at == n)
        return;
    print_message("# %s %u: word %zu is 0x%08x and not 0x%08x\n", name, (unsigned)number, at, (unsigned)words[at],
                  (unsigned)expected[at]);
    t->wrong++;
}

static void end(const struct tally *t, unsigned least)
{
    print_message("# %u programs of %u\n", t->compared, t->seen);
    assert_int_equal(t->wrong, 0);
    assert_true(t->compared >= least);
}

static void run(const char *text, const struct oracle_launch *launch)
{
    struct oracle_outcome outcome;
    gp5_program *p = gp5_parse(text, strlen(text));
    assert_non_null(p);
    oracle_run(p, GP5_SEMANTICS_NVIDIA, launch, &outcome);
    if (outcome.status != ORACLE_RAN)
        fail_msg("%s\n%s", outcome.message, text);
    gp5_program_free(p);
}

static struct oracle_buffer buffer(uint32_t binding, void *data, size_t size)
{
    struct oracle_buffer b = {
        .binding = binding, .data = data, .size = size, .undef = calloc(size / 4 + 1, sizeof *b.undef)};
    assert_non_null(b.undef);
    return b;
}

/* program.storage[0] and [1], of which the second one comes with what it begins with. */
static void run_on(const char *text, struct oracle_launch launch, uint32_t *in, size_t in_words, uint32_t *out,
                   size_t out_words)
{
    struct oracle_buffer storage[2] = {buffer(0, in, in_words * 4), buffer(1, out, out_words * 4)};
    launch.storage = storage;
    launch.nstorage = 2;
    run(text, &launch);
    free(storage[0].undef);
    free(storage[1].undef);
}

/* ---- divergence ------------------------------------------------------------------------------------------------- */

enum { DIVERGENCES = 6000 };

static void divergence(void **state)
{
    static struct divergence d;
    static uint32_t in[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS], words[DIVERGENCE_LANES * MOST_WORDS],
        expected[DIVERGENCE_LANES * MOST_WORDS];
    struct tally t = {.every = step(11)};
    (void)state;
    for (uint32_t number = 0; number < DIVERGENCES; number++) {
        size_t n;
        if (t.seen++ % t.every || !divergence_program(number, &d))
            continue;
        n = (size_t)DIVERGENCE_LANES * d.words;
        assert_true(d.words <= MOST_WORDS && divergence_evaluate(&d, none, expected));
        divergence_input(in);
        memset(words, 0, n * 4);
        run_on(d.text, (struct oracle_launch){.groups = {d.groups, 1, 1}, .subroutines = divergence_chosen,
                                              .nsubroutines = d.subroutines},
               in, DIVERGENCE_LANES * DIVERGENCE_IN_WORDS, words, n);
        judge(&t, "divergence", number, words, expected, n);
    }
    end(&t, 500);
}

static void barriers(void **state)
{
    static struct barrier_program p;
    static uint32_t in[BARRIER_IN_WORDS], words[BARRIER_OUT_WORDS], all[BARRIER_OUT_WORDS], expected[BARRIER_OUT_WORDS];
    struct tally t = {.every = step(5)};
    (void)state;
    for (uint32_t number = 0; number < 2 * BARRIER_BY_CHANCE; number++) {
        if (!barrier_program("tests/recordings/patterns/barriers.txt", number, &p) || t.seen++ % t.every)
            continue;
        assert_true(barrier_evaluate(&p, none, expected));
        memset(all, 0xff, sizeof all);
        for (uint32_t order = 0; order < p.orders; order++) {
            barrier_input(order, (p.group + 31) / 32, 0, in);
            memset(words, 0xff, sizeof words);
            run_on(p.text, (struct oracle_launch){.groups = {1, 1, 1}, .subroutines = barrier_chosen,
                                                  .nsubroutines = p.subroutines},
                   in, BARRIER_IN_WORDS, words, BARRIER_OUT_WORDS);
            barrier_fold(&p, all, words);
        }
        judge(&t, p.name, number, all, expected, BARRIER_OUT_WORDS);
    }
    end(&t, 200);
}

/* ---- tables of statements --------------------------------------------------------------------------------------- */

/* One work group. */
static void run_pattern(const char *program, uint32_t out[PATTERN_RESULTS])
{
    static uint32_t in[PATTERN_INVOCATIONS * PATTERN_IN_WORDS], other[PATTERN_RESULTS], counters[PATTERN_COUNTERS / 4];
    struct pattern_launch l = pattern_launch(program);
    struct oracle_buffer storage[3] = {buffer(0, in, sizeof in), buffer(1, out, PATTERN_RESULTS * 4),
                                       buffer(2, other, sizeof other)},
                         counter = buffer(0, counters, sizeof counters);
    const struct gp5_address_range at[2] = {{.address = 0x7f1234560000u, .binding = 0},
                                            {.address = 0x7f8000000000u, .binding = 2}};
    struct gp5_parameter local = {.index = 0};
    struct oracle_launch launch = {.groups = {1, 1, 1}, .storage = storage, .nstorage = 3, .constants = storage,
                                   .nconstants = 1, .addresses = at, .naddresses = 2, .local = &local, .nlocal = 1,
                                   .counters = &counter, .ncounters = 1, .subroutines = l.subroutines,
                                   .nsubroutines = l.nsubroutines};
    for (unsigned i = 0; i < 4; i++)
        local.word[i] = (uint32_t)(at[i / 2].address >> i % 2 * 32);
    memcpy(launch.group_size, l.size, sizeof l.size);
    pattern_operands(PATTERN_NASTY, in);
    memset(out, 0, PATTERN_RESULTS * 4);
    memset(other, 0, sizeof other);
    pattern_counters(counters);
    run(program, &launch);
    for (unsigned i = 0; i < 3; i++)
        free(storage[i].undef);
    free(counter.undef);
}

static bool compare(void *user, const char *name, const char *program)
{
    static uint32_t words[PATTERN_RESULTS], expected[PATTERN_RESULTS];
    struct tally *t = user;
    unsigned lanes = PATTERN_INVOCATIONS / pattern_launch(program).groups;
    char *message = NULL;
    /* clocks differ with every run; in which order lanes that diverge write to buffers is not in the oracle, nor is
     * what stood somewhere */
    if (t->seen++ % t->every || strstr(program, "invocation.groupcount") || !strncmp(name, "clock", 5) ||
        !strncmp(name, "order", 5) || !strcmp(name, "atomb_half_wide"))
        return true;
    if (!pattern_evaluate(program, none, PATTERN_NASTY, expected, &message)) {
        gp5_text_free(message);
        return true;
    }
    run_pattern(program, words);
    judge(t, name, t->seen - 1, words, expected, (size_t)lanes * PATTERN_OUT_WORDS);
    return true;
}

static void patterns(void **state)
{
    static const char *const tables[] = {"flow", "calls", "blocks", "access", "contraction", "questions3"};
    struct tally t = {.every = step(9)};
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char path[64];
        snprintf(path, sizeof path, "tests/recordings/patterns/%s.txt", tables[i]);
        assert_true(pattern_each(path, compare, &t));
    }
    end(&t, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(divergence), cmocka_unit_test(barriers),
                                       cmocka_unit_test(patterns)};
    return cmocka_run_group_tests_name("the oracle on programs for drivers", tests, NULL, NULL);
}
