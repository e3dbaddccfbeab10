/* The programs of tests/tools/image_cases.h as a driver was recorded to run them (tests/recordings/images.txt): every
 * result of the evaluator is the driver's, bit for bit, but where the image is of another kind than the instruction
 * says; there the evaluator has to say that it is undefined. cost: 3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/image_cases.h"

#define RECORDING "tests/recordings/images.txt"

struct replay {
    FILE *file;
    unsigned same, different, open;
};

static bool has_undefined(const struct image_case *c, const struct image_answer *a)
{
    bool any = false;

    for (size_t i = 0; i < c->output / 4; i++)
        any |= a->output_undefined[i] != 0;
    for (size_t i = 0; i < (c->texture.bytes + 3) / 4; i++)
        any |= a->texture_undefined[i] != 0;
    return any || a->uses;
}

static void replay_case(void *user, const struct image_case *c)
{
    struct replay *r = user;
    struct image_answer a = {0};
    char line[256], name[128], *message = NULL;
    uint64_t output, texture;

    do
        if (!fgets(line, sizeof line, r->file))
            fail_msg("%s is not recorded", c->name);
    while (line[0] == '#');
    if (sscanf(line, "%127s %" SCNx64 " %" SCNx64, name, &output, &texture) != 3 || strcmp(name, c->name))
        fail_msg("recorded is %s and not %s", line, c->name);
    if (!image_case_evaluate(c, GP5_SEMANTICS_NVIDIA, &a, &message))
        fail_msg("%s: %s", c->name, message ? message : "no memory");
    if (has_undefined(c, &a) != (strncmp(c->name, "target_", 7) == 0))
        fail_msg("%s: what is undefined", c->name);
    if (has_undefined(c, &a)) {
        r->open++;
    } else if (image_hash(a.output, c->output) != output ||
               (c->returns && image_hash(a.texture, c->texture.bytes) != texture)) {
        print_error("%s is not what the driver gave\n", c->name);
        r->different++;
    } else {
        r->same++;
    }
    image_answer_free(&a);
    free(message);
}

static void test_recorded(void **state)
{
    struct replay r = {.file = fopen(RECORDING, "r")};
    char line[256];

    (void)state;
    assert_non_null(r.file);
    image_cases(replay_case, &r);
    assert_null(fgets(line, sizeof line, r.file));
    fclose(r.file);
    print_message("# %u programs as recorded, %u on images of another kind\n", r.same, r.open);
    assert_int_equal(r.different, 0);
    assert_true(r.same > 1500);
    assert_int_equal(r.open, 72);
}

/* By the text, too, everything runs: what is undefined then is told, and what is defined in both is mostly the same. */
static void spec_case(void *user, const struct image_case *c)
{
    struct replay *r = user;
    struct image_answer a = {0};
    char *message = NULL;

    if (!image_case_evaluate(c, GP5_SEMANTICS_SPEC, &a, &message))
        fail_msg("%s: %s", c->name, message ? message : "no memory");
    r->open += has_undefined(c, &a);
    r->same += !has_undefined(c, &a);
    image_answer_free(&a);
    free(message);
}

static void test_by_the_text(void **state)
{
    struct replay r = {0};

    (void)state;
    image_cases(spec_case, &r);
    assert_true(r.open > 500 && r.same > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded), cmocka_unit_test(test_by_the_text)};

    return cmocka_run_group_tests_name("image cases", tests, NULL, NULL);
}
