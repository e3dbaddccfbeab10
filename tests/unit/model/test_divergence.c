/* Lanes that part meet again where the driver's do: what each saw of the others by ballots, votes and shuffles on its
 * way through programs by chance (tests/tools/divergence.c) is what the driver's lanes saw: every 3rd of them, all with
 * LONG=1. The recording has a hash of each program's results; `build/experiments/divergence check` shows them side by
 * side when a driver is at hand.
 * cost: 8 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tools/divergence.h"
#include "tests/tools/recorded.h"
#include "tests/unit/sample.h"

enum { MOST_WORDS = 256, STEP = 3 };

struct replay {
    struct recorded_tally tally;
    unsigned row;
};

static bool compare(void *user, const struct recorded *line)
{
    static struct divergence d;
    static uint32_t words[DIVERGENCE_LANES * MOST_WORDS];
    struct replay *r = user;

    if (!sampled(r->row++, STEP))
        return true;
    assert_true(divergence_program(line->number, &d) && d.words <= MOST_WORDS);
    assert_true(divergence_evaluate(&d, NULL, words));
    recorded_compare(&r->tally, line, words, (size_t)DIVERGENCE_LANES * d.words);
    return true;
}

static void lanes_meet_where_the_drivers_do(void **state)
{
    struct replay r = {{0}, 0};

    (void)state;
    assert_true(recorded_each("tests/recordings/divergence.txt", compare, &r));
    print_message("# %u programs compared\n", r.tally.compared);
    assert_int_equal(r.tally.wrong, 0);
    assert_true(r.row >= 7600 && r.tally.compared >= r.row / sample_step(STEP));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet_where_the_drivers_do),
    };

    return cmocka_run_group_tests_name("divergence", tests, NULL, NULL);
}
