/* The approximated functions in machine code, of both levels, against the model that works on a lane at a time: each
 * exponent with both signs, and within it every 4093rd operand and those at the ends of segments.
 *
 *   test_native_tables all [FUNCTION...]     every operand word, as with LONG=1; a minute a function */
#include "tests/unit/eval/evaluate.h"
#include "tests/tools/sfu_sweep.h"
#include "tests/unit/sample.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SPAN = SFU_BLOCK, GROUP = 128 };

static const enum eval_level levels[] = {EVAL_LEVEL_NATIVE, EVAL_LEVEL_AVX2};
enum { LEVELS = sizeof levels / sizeof *levels };

/* One program a function and level. */
struct machines {
    struct prepared p[SFU_SWEPT][LEVELS];
    bool there[LEVELS];
};

static const struct gp5_run_options options = {.jobs = 1};

static int begin(void **state)
{
    static struct machines m;
    char text[512];

    for (unsigned l = 0; l < LEVELS; l++) {
        m.there[l] = levels[l] <= eval_best_level();
        for (unsigned f = 0; f < SFU_SWEPT && m.there[l]; f++) {
            snprintf(text, sizeof text, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE %d;\n"
                     "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\nTEMP a, i;\n"
                     "MUL.U i.x, invocation.globalid.x, 4;\nLDB.U32 a.x, in[i.x];\n%s.F a.x, a.x;\n"
                     "STB.U32 a.x, out[i.x];\nEND\n",
                     GROUP, sfu_functions[f].name);
            if (!evaluate_prepare(&m.p[f][l], text, &options, levels[l]))
                fail_msg("%s\n%s", m.p[f][l].message, text);
        }
    }
    *state = &m;
    return 0;
}

static int end(void **state)
{
    struct machines *m = *state;

    for (unsigned l = 0; l < LEVELS; l++)
        for (unsigned f = 0; f < SFU_SWEPT && m->there[l]; f++)
            evaluate_free(&m->p[f][l]);
    return 0;
}

static void run(struct prepared *p, const uint32_t *in, uint32_t *out, size_t count)
{
    struct gp5_buffer storage[2] = {{0, (uint8_t *)(uintptr_t)in, count * 4, NULL},
     {1, (uint8_t *)out, count * 4, NULL}};
    struct gp5_launch launch = {.groups = {(uint32_t)(count / GROUP), 1, 1}, .storage = storage, .nstorage = 2};
    struct gp5_report report;

    if (eval_execute(p->executable, &launch, &options, NULL, &report) != GP5_RUN_OK)
        fail_msg("%s", report.message);
    gp5_report_free(&report);
}

static void compare(struct machines *m, unsigned f, const uint32_t *in, uint32_t *got, const uint32_t *model,
                    size_t count)
{
    for (unsigned l = 0; l < LEVELS; l++) {
        if (!m->there[l])
            continue;
        run(&m->p[f][l], in, got, count);
        for (size_t i = 0; i < count; i++)
            if (got[i] != model[i])
                fail_msg("%s of %08" PRIx32 " with %s: %08" PRIx32 ", the model %08" PRIx32, sfu_functions[f].name,
                         in[i], levels[l] == EVAL_LEVEL_AVX2 ? "AVX2" : "AVX-512", got[i], model[i]);
    }
}

/* ---- some operands ----------------------------------------------------------------------------------------------- */

static void test_some(void **state)
{
    uint32_t *in = evaluate_words(SPAN), *got = evaluate_words(SPAN), *model = evaluate_words(SPAN);

    for (unsigned f = 0; f < SFU_SWEPT; f++)
        for (uint32_t top = 0; top < 512; top++) {
            size_t n = sfu_some_of(top, GROUP, in);
            for (size_t i = 0; i < n; i++)
                model[i] = sfu_functions[f].model(in[i]);
            compare(*state, f, in, got, model, n);
        }
    free(in);
    free(got);
    free(model);
}

/* One lane of 32 that is out of the ordinary among others that are not, wherever it is. */
static void test_one_rare(void **state)
{
    static const uint32_t rare[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x807fffff,
     0x7e800000, 0x7f000001,
                                    0xfe800001, 0xbf800000, 0x43000000, 0xc3180001};
    enum { RARE = sizeof rare / sizeof *rare, WORDS = RARE * 1024 };
    uint32_t *in = evaluate_words(WORDS), *got = evaluate_words(WORDS), *model = evaluate_words(WORDS);
    uint64_t random = 3;

    for (unsigned f = 0; f < SFU_SWEPT; f++) {
        for (unsigned i = 0; i < WORDS; i++) {
            in[i] = i % 33 == i / 1024 ? rare[i / 1024] : 0x3f000000 + (evaluate_random(&random) & 0x00ffffff);
            model[i] = sfu_functions[f].model(in[i]);
        }
        compare(*state, f, in, got, model, WORDS);
    }
    free(in);
    free(got);
    free(model);
}

/* Operands just below 2^126, where a processor's own approximation of the reciprocal may already be 0. */
static void test_last_normal_reciprocals(void **state)
{
    enum { WORDS = 0x10000 };
    uint32_t *in = evaluate_words(WORDS), *got = evaluate_words(WORDS), *model = evaluate_words(WORDS);

    for (unsigned f = 0; f < SFU_SWEPT; f++)
        for (uint32_t first = 0x7e7f8000; first; first = first < 0x80000000 ? first | 0x80000000 : 0) {
            for (uint32_t i = 0; i < WORDS; i++) {
                in[i] = first + i;
                model[i] = sfu_functions[f].model(in[i]);
            }
            compare(*state, f, in, got, model, WORDS);
        }
    free(in);
    free(got);
    free(model);
}

/* ---- every operand ----------------------------------------------------------------------------------------------- */

static int wanted_count;
static char **wanted;

static bool is_wanted(const char *name)
{
    for (int i = 0; i < wanted_count; i++)
        if (!strcmp(wanted[i], name))
            return true;
    return wanted_count == 0;
}

static void test_every_word(void **state)
{
    uint32_t *in = evaluate_words(SPAN), *got = evaluate_words(SPAN), *model = evaluate_words(SPAN);

    for (unsigned f = 0; f < SFU_SWEPT; f++) {
        uint32_t start = 0;
        if (!is_wanted(sfu_functions[f].name))
            continue;
        do {
            for (uint32_t i = 0; i < SPAN; i++)
                in[i] = start + i;
            sfu_functions[f].range(model, start, SPAN);
            compare(*state, f, in, got, model, SPAN);
        } while ((start += SPAN) != 0);
        print_message("%s: all 2^32 words\n", sfu_functions[f].name);
    }
    free(in);
    free(got);
    free(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_some), cmocka_unit_test(test_one_rare),
                                       cmocka_unit_test(test_last_normal_reciprocals)};
    const struct CMUnitTest all[] = {cmocka_unit_test(test_every_word)};

    if (argc < 2 || strcmp(argv[1], "all")) {
        int failed = cmocka_run_group_tests(tests, begin, end);
        return sample_step(2) == 1 ? failed + cmocka_run_group_tests(all, begin, end) : failed;
    }
    wanted = argv + 2;
    wanted_count = argc - 2;
    return cmocka_run_group_tests(all, begin, end);
}
