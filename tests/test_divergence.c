/* Lanes that part meet again where the driver's do: what each saw of the others by ballots, votes and shuffles on its way through programs
 * by chance (tests/divergence.c) is what the driver's lanes saw. The recording has a hash of each program's results;
 * `build/experiments/divergence check` shows them side by side when a driver is at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/divergence.h"
#include "tests/patterns.h"

enum { MOST_WORDS = 256 };

static void lanes_meet_where_the_drivers_do(void **state)
{
    static struct divergence d;
    static uint32_t words[DIVERGENCE_LANES * MOST_WORDS];
    FILE *file = fopen("tests/recordings/divergence.txt", "r");
    unsigned compared = 0, different = 0;
    char line[256];

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        bool known = strstr(line, " differs: ") != NULL;
        char hash[32], ours[32];
        unsigned number;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%u %31s", &number, hash), 2);
        assert_true(divergence_program(number, &d) && d.words <= MOST_WORDS);
        assert_true(divergence_evaluate(&d, words));
        snprintf(ours, sizeof ours, "%016llx", (unsigned long long)pattern_hash(words, (size_t)DIVERGENCE_LANES * d.words));
        compared++;
        if (!strcmp(hash, ours) == known) {
            print_message("# program %u is %s\n", number, known ? "said to differ, and does not" : "not what the driver gave");
            different++;
        }
    }
    fclose(file);
    print_message("# %u programs compared\n", compared);
    assert_int_equal(different, 0);
    assert_true(compared >= 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet_where_the_drivers_do),
    };

    return cmocka_run_group_tests_name("divergence", tests, NULL, NULL);
}
