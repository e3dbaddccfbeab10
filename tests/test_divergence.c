/* Lanes that part meet again where the driver's do: what each saw of the others by ballots, votes and shuffles on its way through programs
 * by chance (tests/divergence.c) is what the driver's lanes saw. The recording has a hash of each program's results;
 * `build/experiments/divergence check` shows them side by side when a driver is at hand.
 * timeout: 300 (with the sanitizers) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/divergence.h"
#include "tests/recorded.h"

enum { MOST_WORDS = 256 };

static bool compare(void *tally, const struct recorded *line)
{
    static struct divergence d;
    static uint32_t words[DIVERGENCE_LANES * MOST_WORDS];

    assert_true(divergence_program(line->number, &d) && d.words <= MOST_WORDS);
    assert_true(divergence_evaluate(&d, words));
    recorded_compare(tally, line, words, (size_t)DIVERGENCE_LANES * d.words);
    return true;
}

static void lanes_meet_where_the_drivers_do(void **state)
{
    struct recorded_tally tally = {0};

    (void)state;
    assert_true(recorded_each("tests/recordings/divergence.txt", compare, &tally));
    print_message("# %u programs compared\n", tally.compared);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.compared >= 7600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet_where_the_drivers_do),
    };

    return cmocka_run_group_tests_name("divergence", tests, NULL, NULL);
}
