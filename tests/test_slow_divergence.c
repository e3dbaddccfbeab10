/* link: mpfr gmp */
/* timeout: 300 (with the sanitizers) */
/* In the second evaluator lanes part and meet where they do in gp5's, and wait at BAR for the same ones (tests/test_divergence.c and
 * tests/test_barriers.c hold that against the driver): one of six of the recorded programs, those left out that gp5 is known to compute
 * otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gp5.h"
#include "tests/barriers.h"
#include "tests/divergence.h"
#include "tests/recorded.h"
#include "tests/slow/slow.h"

enum { MOST_WORDS = 256, EVERY = 6 };

/* program.storage[0] and [1], of which the second one comes with what it begins with. */
struct run {
    const char *text;
    uint32_t groups, *in, *out;
    size_t in_words, out_words;
    const uint32_t *subroutines;
    size_t nsubroutines;
};

static void run(const struct run *r)
{
    struct slow_buffer storage[2] = {
        {.binding = 0, .data = (uint8_t *)r->in, .size = r->in_words * 4, .open = calloc(r->in_words, sizeof(bool))},
        {.binding = 1, .data = (uint8_t *)r->out, .size = r->out_words * 4, .open = calloc(r->out_words, sizeof(bool))}};
    struct slow_launch launch = {.groups = {r->groups, 1, 1}, .storage = storage, .nstorage = 2, .subroutines = r->subroutines,
                                 .nsubroutines = r->nsubroutines};
    struct slow_outcome outcome;
    gp5_program *p = gp5_parse(r->text, strlen(r->text));

    assert_true(p && storage[0].open && storage[1].open);
    slow_run(p, GP5_SEMANTICS_NVIDIA, &launch, &outcome);
    if (outcome.status != SLOW_RAN)
        fail_msg("%s\n%s", outcome.message, r->text);
    free(storage[0].open);
    free(storage[1].open);
    gp5_program_free(p);
}

static void judge(struct recorded_tally *tally, uint32_t number, const uint32_t *words, const uint32_t *expected, size_t n)
{
    tally->compared++;
    if (!memcmp(words, expected, n * 4))
        return;
    print_message("# program %u is another one\n", number);
    tally->wrong++;
}

static void compare_all(const char *path, recorded_fn each, unsigned more_than)
{
    struct recorded_tally tally = {0};

    assert_true(recorded_each(path, each, &tally));
    print_message("# %u programs compared\n", tally.compared);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.compared > more_than);
}

static bool meets_alike(void *tally, const struct recorded *line)
{
    static struct divergence d;
    static uint32_t in[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS], words[DIVERGENCE_LANES * MOST_WORDS], expected[DIVERGENCE_LANES * MOST_WORDS];
    size_t n;

    if (line->differs || line->number % EVERY)
        return true;
    assert_true(divergence_program(line->number, &d) && d.words <= MOST_WORDS);
    assert_true(divergence_evaluate(&d, expected));
    n = (size_t)DIVERGENCE_LANES * d.words;
    divergence_input(in);
    memset(words, 0, n * 4);
    run(&(struct run){d.text, d.groups, in, words, DIVERGENCE_LANES * DIVERGENCE_IN_WORDS, n, divergence_chosen, d.subroutines});
    judge(tally, line->number, words, expected, n);
    return true;
}

static void both_evaluators_meet_alike(void **state)
{
    (void)state;
    compare_all("tests/recordings/divergence.txt", meets_alike, 850);
}

/* Those of the table, and some by chance. */
static bool waits_alike(void *tally, const struct recorded *line)
{
    static struct barrier_program p;
    static uint32_t in[BARRIER_IN_WORDS], words[BARRIER_OUT_WORDS], all[BARRIER_OUT_WORDS], expected[BARRIER_OUT_WORDS];

    if (line->differs || (line->number >= BARRIER_BY_CHANCE && line->number % EVERY))
        return true;
    assert_true(barrier_program("tests/barriers.txt", line->number, &p));
    assert_true(barrier_evaluate(&p, expected));
    memset(all, 0xff, sizeof all);
    for (uint32_t order = 0; order < p.orders; order++) {
        barrier_input(order, (p.group + 31) / 32, 0, in);
        memset(words, 0xff, sizeof words);
        run(&(struct run){p.text, 1, in, words, BARRIER_IN_WORDS, BARRIER_OUT_WORDS, barrier_chosen, p.subroutines});
        barrier_fold(&p, all, words);
    }
    judge(tally, line->number, all, expected, BARRIER_OUT_WORDS);
    return true;
}

static void both_evaluators_wait_alike(void **state)
{
    (void)state;
    compare_all("tests/recordings/barriers.txt", waits_alike, 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_evaluators_meet_alike),
        cmocka_unit_test(both_evaluators_wait_alike),
    };

    return cmocka_run_group_tests_name("second evaluator", tests, NULL, NULL);
}
