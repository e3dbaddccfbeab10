/* BAR that not all lanes, or not all warps, come to waits for whom the driver's waits for: what each lane knew behind
 * it of who had come before (tests/tools/barriers.c), in programs by hand (tests/recordings/patterns/barriers.txt) and
 * by chance. `build/experiments/barriers check` shows both sides when a driver is at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tools/barriers.h"
#include "tests/tools/recorded.h"

static bool compare(void *tally, const struct recorded *line)
{
    static struct barrier_program p;
    static uint32_t words[BARRIER_OUT_WORDS];

    assert_true(barrier_program("tests/recordings/patterns/barriers.txt", line->number, &p));
    assert_true(barrier_evaluate(&p, NULL, words));
    recorded_compare(tally, line, words, BARRIER_OUT_WORDS);
    return true;
}

static void who_waits_for_whom(void **state)
{
    struct recorded_tally tally = {0};
    static struct barrier_program p;
    uint32_t n = 0;

    (void)state;
    assert_true(recorded_each("tests/recordings/barriers.txt", compare, &tally));
    print_message("# %u programs compared\n", tally.compared);
    assert_int_equal(tally.wrong, 0);
    while (barrier_program("tests/recordings/patterns/barriers.txt", n, &p))
        n++;
    assert_int_equal(tally.compared, n + 1200);     /* all of the table, and those by chance */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_whom),
    };

    return cmocka_run_group_tests_name("barriers", tests, NULL, NULL);
}
