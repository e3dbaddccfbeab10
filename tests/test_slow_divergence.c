/* link: mpfr gmp */
/* In the second evaluator lanes part and meet where they do in gp5's (tests/test_divergence.c holds that against the driver): one of six of the
 * recorded programs, those left out that gp5 is known to compute otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gp5.h"
#include "tests/divergence.h"
#include "tests/slow/slow.h"

enum { MOST_WORDS = 256, EVERY = 6 };

static bool run(const struct divergence *d, uint32_t *results)
{
    static uint32_t in[DIVERGENCE_LANES * DIVERGENCE_IN_WORDS];
    size_t size = (size_t)DIVERGENCE_LANES * d->words * 4;
    struct slow_buffer storage[2] = {{.binding = 0, .data = (uint8_t *)in, .size = sizeof in, .open = calloc(sizeof in / 4, sizeof(bool))},
                                     {.binding = 1, .data = (uint8_t *)results, .size = size, .open = calloc(size / 4, sizeof(bool))}};
    struct slow_launch launch = {.groups = {d->groups, 1, 1}, .storage = storage, .nstorage = 2};
    struct slow_outcome outcome;
    gp5_program *p = gp5_parse(d->text, strlen(d->text));

    assert_non_null(p);
    assert_non_null(storage[0].open);
    assert_non_null(storage[1].open);
    divergence_input(in);
    memset(results, 0, size);
    slow_run(p, GP5_SEMANTICS_NVIDIA, &launch, &outcome);
    if (outcome.status != SLOW_RAN)
        print_message("# %s\n", outcome.message);
    free(storage[0].open);
    free(storage[1].open);
    gp5_program_free(p);
    return outcome.status == SLOW_RAN;
}

static void both_evaluators_meet_alike(void **state)
{
    static struct divergence d;
    static uint32_t words[DIVERGENCE_LANES * MOST_WORDS], expected[DIVERGENCE_LANES * MOST_WORDS];
    FILE *file = fopen("tests/recordings/divergence.txt", "r");
    unsigned compared = 0, different = 0;
    char line[256];

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned number;
        if (line[0] == '#' || strstr(line, " differs: "))
            continue;
        assert_int_equal(sscanf(line, "%u", &number), 1);
        if (number % EVERY)
            continue;
        assert_true(divergence_program(number, &d) && d.words <= MOST_WORDS);
        assert_true(divergence_evaluate(&d, expected));
        compared++;
        if (!run(&d, words) || memcmp(words, expected, (size_t)DIVERGENCE_LANES * d.words * 4)) {
            print_message("# program %u is another one\n", number);
            different++;
        }
    }
    fclose(file);
    print_message("# %u programs compared\n", compared);
    assert_int_equal(different, 0);
    assert_true(compared > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_evaluators_meet_alike),
    };

    return cmocka_run_group_tests_name("second evaluator", tests, NULL, NULL);
}
