/* The patterns of tests/recordings/patterns give the evaluator the very bits that they gave the driver (every 3rd of
 * each table, all with LONG=1): what is contracted, folded, flushed and rounded is the driver's way
 * (docs/semantics.md). The recording holds a hash of 8,192 words a pattern and operand set; `build/experiments/patterns
 * check` shows the words when a driver is at hand. cost: 10 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gp5.h"
#include "tests/tools/patterns.h"
#include "tests/unit/sample.h"

enum { STEP = 3 };

/* from the first one to before the second */
struct recorded { const char *table, *recording; unsigned least; enum pattern_operands first, sets; };
static const struct recorded
    contraction = {"tests/recordings/patterns/contraction.txt", "tests/recordings/contraction.txt", 1250, PATTERN_MID,
                   PATTERN_SETS},
    flow = {"tests/recordings/patterns/flow.txt", "tests/recordings/flow.txt", 2000, PATTERN_MID, PATTERN_SETS},
    questions = {"tests/recordings/patterns/questions.txt", "tests/recordings/questions.txt", 500, PATTERN_MID,
                 PATTERN_SETS},
    questions2 = {"tests/recordings/patterns/questions2.txt", "tests/recordings/questions2.txt", 80, PATTERN_MID,
                  PATTERN_SETS},
    questions3 = {"tests/recordings/patterns/questions3.txt", "tests/recordings/questions3.txt", 300, PATTERN_MID,
                  PATTERN_SETS},
    calls = {"tests/recordings/patterns/calls.txt", "tests/recordings/calls.txt", 300, PATTERN_MID, PATTERN_SETS},
    loops = {"tests/recordings/patterns/loops.txt", "tests/recordings/loops.txt", 2700, PATTERN_MID, PATTERN_SETS},
    unrolled = {"tests/recordings/patterns/unrolled.txt", "tests/recordings/unrolled.txt", 5000, PATTERN_MID,
                PATTERN_MID + 1},
    blocks = {"tests/recordings/patterns/blocks.txt", "tests/recordings/blocks.txt", 400, PATTERN_MID, PATTERN_SETS},
    fills = {"tests/recordings/patterns/fills.txt", "tests/recordings/fills.txt", 2200, PATTERN_NASTY, PATTERN_SETS},
    access_table = {"tests/recordings/patterns/access.txt", "tests/recordings/access.txt", 850, PATTERN_MID,
                    PATTERN_SETS};

struct replay {
    FILE *file;
    enum pattern_operands set;
    unsigned row, compared, rejected, different;
};

/* The recording's next line that is no comment: "SET NAME HASH [differs: WHY]", in the table's order. */
static bool next_line(FILE *f, char set[16], char name[128], char hash[32], bool *known)
{
    char line[256];

    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        *known = strstr(line, " differs: ") != NULL;
        return sscanf(line, "%15s %127s %31s", set, name, hash) == 3;
    }
    return false;
}

static bool compare(void *user, const char *name, const char *program)
{
    static uint32_t words[PATTERN_RESULTS];
    struct replay *r = user;
    char set[16] = "", recorded[128] = "", hash[32] = "", ours[32], *message = NULL;

    bool known = false;

    assert_true(next_line(r->file, set, recorded, hash, &known));
    assert_string_equal(set, pattern_set_names[r->set]);
    assert_string_equal(recorded, name);
    if (!sampled(r->row++, STEP))
        return true;
    if (!strcmp(hash, "rejected")) {
        gp5_program *p = gp5_parse(program, strlen(program));
        assert_non_null(p);
        assert_false(gp5_valid(p, GP5_TARGET_NVIDIA));
        gp5_program_free(p);
        r->rejected++;
        return true;
    }
    if (pattern_evaluate(program, NULL, r->set, words, &message)) {
        snprintf(ours, sizeof ours, "%016llx", (unsigned long long)pattern_hash(words, PATTERN_RESULTS));
        r->compared++;
        if (!strcmp(hash, ours) == known) {
            print_message("# %s on %s operands is %s\n", name, set,
                          known ? "said to differ, and does not" : "not what the driver gave");
            r->different++;
        }
    } else {
        print_message("# %s is not evaluated: %s\n", name, message ? message : "no reason given");
        gp5_text_free(message);
        r->different++;
    }
    return true;
}

static void patterns_are_the_drivers(void **state)
{
    const struct recorded *what = *state;
    struct replay r = {.file = fopen(what->recording, "r")};

    assert_non_null(r.file);
    for (r.set = what->first; r.set < what->sets; r.set++)
        assert_true(pattern_each(what->table, compare, &r));
    print_message("# %u programs compared, %u rejected by both\n", r.compared, r.rejected);
    assert_int_equal(r.different, 0);
    assert_true(r.row > what->least);
    assert_int_equal(r.compared + r.rejected, (r.row + sample_step(STEP) - 1) / sample_step(STEP));
    fclose(r.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"contraction", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&contraction},
        {"flow and memory", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&flow},
        {"open questions", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&questions},
        {"more open questions", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&questions2},
        {"whole programs", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&questions3},
        {"calls and arrays", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&calls},
        {"loops, flags and copies", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&loops},
        {"which loops are unrolled", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&unrolled},
        {"where blocks end", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&blocks},
        {"which numbers are known", patterns_are_the_drivers, NULL, NULL, (void *)(uintptr_t)&fills},
        {"memory, atomic operations, what a launch chooses", patterns_are_the_drivers, NULL, NULL,
         (void *)(uintptr_t)&access_table},
    };

    return cmocka_run_group_tests_name("contraction", tests, NULL, NULL);
}
