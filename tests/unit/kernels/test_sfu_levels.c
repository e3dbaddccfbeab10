/* The kernels of the approximated functions, of every level that runs here, against the model that works on a lane at a
 * time: each exponent with both signs, and within it every 4093rd operand and those at the ends of segments.
 *
 *   test_sfu_levels [all [FUNCTION...]]      every operand word, as with LONG=1; a minute a function */
#include "eval/kernels/kernel.h"
#include "tests/unit/kernels/kernel_bench.h"
#include "tests/tools/sfu_sweep.h"
#include "tests/unit/sample.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SPAN = SFU_BLOCK };

static const uint16_t opcodes[SFU_SWEPT] = {OP_RCP, OP_RSQ, OP_EX2, OP_LG2, OP_SIN, OP_COS};

static kernel_fn kernel_of(unsigned level, uint16_t op, struct kernel *k)
{
    struct kernel_request want = {.op = op, .type = DT_F32, .type2 = DT_F32, .semantics = GP5_SEMANTICS_NVIDIA,
                                  .profile = PROFILE_NVCP5};

    assert_true(kernel_table(level)->find(&want, k));
    return k->run;
}

/* The results of `count` words in `in`, 32 a call, in place of what the planes held. */
static void run(kernel_fn kernel, const uint32_t *in, uint32_t *out, size_t count)
{
    static _Alignas(64) uint32_t planes[2 * WARP_LANES];
    const struct lane_op op = {.n = 1, .dst = {1}};

    for (size_t i = 0; i < count; i += WARP_LANES) {
        memcpy(planes, in + i, WARP_LANES * sizeof *in);
        kernel(planes, &op);
        memcpy(out + i, planes + WARP_LANES, WARP_LANES * sizeof *out);
    }
}

static void compare(const struct sfu_function *f, unsigned level, const uint32_t *in, const uint32_t *got,
                    const uint32_t *model, size_t count)
{
    if (!memcmp(got, model, count * sizeof *got))
        return;
    for (size_t i = 0; i < count; i++)
        if (got[i] != model[i])
            fail_msg("%s of %08" PRIx32 ": level %s gives %08" PRIx32 ", the model %08" PRIx32, f->name, in[i],
                     kernel_table(level)->level, got[i], model[i]);
}

/* ---- some operands ----------------------------------------------------------------------------------------------- */

static void test_levels(void **state)
{
    static uint32_t in[SPAN], got[SPAN], model[SPAN];

    (void)state;
    for (unsigned f = 0; f < SFU_SWEPT; f++)
        for (uint32_t top = 0; top < 512; top++) {
            size_t n = sfu_some_of(top, WARP_LANES, in);
            for (size_t i = 0; i < n; i++)
                model[i] = sfu_functions[f].model(in[i]);
            for (unsigned level = 0; level < kernel_levels(); level++) {
                struct kernel k;
                run(kernel_of(level, opcodes[f], &k), in, got, n);
                compare(&sfu_functions[f], level, in, got, model, n);
            }
        }
}

/* A result may be the operand's plane, and signs are those of the operand. */
static void test_in_place(void **state)
{
    static _Alignas(64) uint32_t planes[4 * WARP_LANES];

    (void)state;
    for (unsigned f = 0; f < SFU_SWEPT; f++)
        for (unsigned level = 0; level < kernel_levels(); level++)
            for (unsigned signs = 0; signs < 4; signs++) {
                struct kernel k;
                struct lane_op op = {.n = 3, .comp = {0, 1, 2}, .dst = {2, 1, 0}, .src = {{1, 1, 1, 1}}};
                uint32_t words[WARP_LANES];
                kernel_of(level, opcodes[f], &k);
                op.clear[0] = signs & 1 ? 0x80000000 : 0;
                op.flip[0] = signs & 2 ? 0x80000000 : 0;
                for (unsigned l = 0; l < WARP_LANES; l++)
                    planes[WARP_LANES + l] = words[l] = (l * 0x9e3779b9u & 0xbfffffff) + 0x20000000;
                k.run_signs(planes, &op);
                for (unsigned l = 0; l < WARP_LANES; l++)
                    for (unsigned i = 0; i < 3; i++)
                        assert_int_equal(planes[i * WARP_LANES + l],
                                         sfu_functions[f].model((words[l] & ~op.clear[0]) ^ op.flip[0]));
            }
}

/* ---- every operand ----------------------------------------------------------------------------------------------- */

static void every_word(unsigned f)
{
    static uint32_t in[SPAN], got[SPAN], model[SPAN];
    uint32_t start = 0;

    do {
        for (uint32_t i = 0; i < SPAN; i++)
            in[i] = start + i;
        sfu_functions[f].range(model, start, SPAN);
        for (unsigned level = 0; level < kernel_levels(); level++) {
            struct kernel k;
            run(kernel_of(level, opcodes[f], &k), in, got, SPAN);
            compare(&sfu_functions[f], level, in, got, model, SPAN);
        }
    } while ((start += SPAN) != 0);
    print_message("%s: all 2^32 words, %u levels\n", sfu_functions[f].name, kernel_levels());
}

static int wanted_count;
static char **wanted;

static void test_every_word(void **state)
{
    (void)state;
    for (unsigned f = 0; f < SFU_SWEPT; f++) {
        bool named = !wanted_count;
        for (int i = 0; i < wanted_count; i++)
            named |= !strcmp(wanted[i], sfu_functions[f].name);
        if (named)
            every_word(f);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_in_place)};
    const struct CMUnitTest all[] = {cmocka_unit_test(test_every_word)};

    if (argc < 2 || strcmp(argv[1], "all")) {
        int failed = cmocka_run_group_tests(tests, NULL, NULL);
        return sample_step(2) == 1 ? failed + cmocka_run_group_tests(all, NULL, NULL) : failed;
    }
    wanted = argv + 2;
    wanted_count = argc - 2;
    return cmocka_run_group_tests(all, NULL, NULL);
}
