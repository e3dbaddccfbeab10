/* The approximated functions against what a driver was recorded to compute: every block of its dense sweeps,
 * every exponent, and the values that are special. tests/recordings/sfu.txt says how it was made.
 * cost: 3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/sfu_sweep.h"

/* Instrumented code is several times slower: there every 16th block has to do. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 16 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { STRIDE = 16 };
#else
enum { STRIDE = 1 };
#endif
#else
enum { STRIDE = 1 };
#endif

struct recording {
    FILE *file;
    char word[64];
};

static void next(struct recording *r)
{
    while (fscanf(r->file, "%63s", r->word) == 1) {
        if (r->word[0] != '#')
            return;
        while (!feof(r->file) && getc(r->file) != '\n')
            ;
    }
    r->word[0] = 0;
}

static uint64_t next_number(struct recording *r)
{
    char *end;
    next(r);
    uint64_t n = strtoull(r->word, &end, 16);
    if (!r->word[0] || *end)
        fail_msg("'%s' is no number", r->word);
    return n;
}

static const struct sfu_function *next_function(struct recording *r)
{
    next(r);
    const struct sfu_function *f = sfu_function_named(r->word);
    if (!f)
        fail_msg("'%s' is no function", r->word);
    return f;
}

static int open_recording(void **state)
{
    struct recording *r = calloc(1, sizeof *r);
    if (!r)
        return -1;
    r->file = fopen("tests/recordings/sfu.txt", "r");
    *state = r;
    return r->file ? 0 : -1;
}

static int close_recording(void **state)
{
    struct recording *r = *state;
    if (r->file)
        fclose(r->file);
    free(r);
    return 0;
}

static unsigned index_of(const struct sfu_function *f)
{
    return (unsigned)(f - sfu_functions);
}

static void each_seen(const unsigned *seen, unsigned functions, unsigned least)
{
    for (unsigned i = 0; i < functions; i++) {
        if (seen[i] < least)
            fail_msg("%s: %u recorded", sfu_functions[i].name, seen[i]);
    }
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void one_sweep(struct recording *r, unsigned *blocks)
{
    static uint32_t results[SFU_BLOCK];
    const struct sfu_function *f = next_function(r);
    uint32_t start = (uint32_t)next_number(r);
    unsigned number = 0;
    for (next(r); strcmp(r->word, "end"); next(r), start += SFU_BLOCK, number++) {
        assert_true(r->word[0]);
        if (number % STRIDE)
            continue;
        f->range(results, start, SFU_BLOCK);
        uint64_t hash = sfu_hash(results, SFU_BLOCK), recorded = strtoull(r->word, NULL, 16);
        if (hash != recorded)
            fail_msg("%s of the 65536 floats from 0x%08" PRIx32 ": hash %016" PRIx64 ", recorded %s", f->name,
                     start, hash, r->word);
    }
    blocks[index_of(f)] += number;
}

static void sweeps_agree(void **state)
{
    struct recording *r = *state;
    unsigned blocks[SFU_FUNCTIONS] = {0};
    for (next(r); r->word[0]; next(r)) {
        if (!strcmp(r->word, "sweep"))
            one_sweep(r, blocks);
    }
    each_seen(blocks, SFU_SWEPT, 256);
}

static void operands_agree(void **state)
{
    static uint32_t words[SFU_OPERANDS], results[SFU_OPERANDS];
    struct recording *r = *state;
    unsigned seen[SFU_FUNCTIONS] = {0};
    sfu_operands(words);
    for (next(r); r->word[0]; next(r)) {
        if (strcmp(r->word, "operands"))
            continue;
        const struct sfu_function *f = next_function(r);
        size_t count = (size_t)next_number(r);
        uint64_t recorded = next_number(r);
        assert_in_range(count, 2048, SFU_OPERANDS);
        for (size_t i = 0; i < count; i++)
            results[i] = f->model(words[i]);
        if (sfu_hash(results, count) != recorded)
            fail_msg("%s of the operands of every exponent differs", f->name);
        seen[index_of(f)]++;
    }
    each_seen(seen, SFU_FUNCTIONS, 1);
}

static void specials_agree(void **state)
{
    struct recording *r = *state;
    unsigned seen[SFU_FUNCTIONS] = {0};
    for (next(r); r->word[0]; next(r)) {
        if (strcmp(r->word, "special"))
            continue;
        const struct sfu_function *f = next_function(r);
        uint32_t word = (uint32_t)next_number(r), recorded = (uint32_t)next_number(r);
        if (f->model(word) != recorded)
            fail_msg("%s of %08" PRIx32 ": %08" PRIx32 ", recorded %08" PRIx32, f->name, word, f->model(word),
                     recorded);
        seen[index_of(f)]++;
    }
    each_seen(seen, SFU_FUNCTIONS, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(specials_agree, open_recording, close_recording),
        cmocka_unit_test_setup_teardown(operands_agree, open_recording, close_recording),
        cmocka_unit_test_setup_teardown(sweeps_agree, open_recording, close_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
