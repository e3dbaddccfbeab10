/* The subgroup kernels of each level of the machine give the same bits: every type and operation, every size, shape and
 * order, with some lanes and with all, over any bits and over numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "eval/subgroup/kernels.h"
#include "tests/tools/operands.h"

#if defined(__x86_64__)

enum { MAX = GP5_SUBGROUP_MAX_SIZE, ROUNDS = 6 };

static struct sub_job random_job(unsigned size, unsigned round, uint64_t *random)
{
    uint64_t mask[2] = { round ? operand_random(random) : UINT64_MAX, round ? operand_random(random) : UINT64_MAX };
    struct sub_job job = {
        .shape = (enum sub_shape)(operand_random(random) % 3), .doubling = operand_random(random) & 1, .cluster = size};
    struct gp5_subgroup group = { .size = size };

    mask[0] &= sub_low_bits(size < 64 ? size : 64);
    mask[1] &= size == 128 ? UINT64_MAX : 0;
    for (unsigned i = 0; i < 4; i++)
        group.active.word[i] = (uint32_t)(mask[i / 2] >> i % 2 * 32);
    job.active = lanes_of(&group);
    while (job.cluster > 1 && operand_random(random) & 1)
        job.cluster /= 2;
    return job;
}

/* Half of the floats are small numbers, which add up to something. */
static void random_values(enum gp5_subgroup_type type, uint8_t values[8 * MAX], uint64_t *random)
{
    for (unsigned i = 0; i < MAX; i++) {
        uint64_t word = operand_random(random);
        float small = (float)(int)(word % 1999) / 7;
        double large = (double)small;
        if (type == GP5_SUBGROUP_F32 && (word >> 60 & 1))
            memcpy(&word, &small, sizeof small);
        else if (type == GP5_SUBGROUP_F64 && (word >> 60 & 1))
            memcpy(&word, &large, sizeof large);
        sub_store(type, values, i, word);
    }
}

static unsigned compare(sub_kernel *base, sub_kernel *v3, enum gp5_subgroup_type type, const struct sub_job *job,
                        uint64_t *random)
{
    _Alignas(64) uint8_t values[8 * MAX], one[8 * MAX], two[8 * MAX];
    bool answered;

    assert_int_equal(base != NULL, v3 != NULL);
    if (!base)
        return 0;
    random_values(type, values, random);
    memset(one, 0xa5, sizeof one);
    memset(two, 0xa5, sizeof two);
    answered = base(job, values, one);
    assert_int_equal(answered, v3(job, values, two));
    if (answered)
        assert_memory_equal(one, two, sizeof one);
    return answered;
}

static void test_levels(void **state)
{
    uint64_t random = 5;
    unsigned compared = 0;

    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        skip();
    for (unsigned type = 0; type < GP5_SUBGROUP_TYPE_COUNT; type++)
        for (unsigned op = 1; op <= GP5_SUBGROUP_OP_XOR; op++)
            for (unsigned round = 0; round < 8 * ROUNDS; round++) {
                struct sub_job job = random_job(1u << round % 8, round / 8, &random);
                compared += compare(sub_any_base[type][op], sub_any_v3[type][op], type, &job, &random);
                job = random_job(32, round % 2, &random);
                job.shape = round & 2 ? INCLUSIVE : EXCLUSIVE;
                compared += compare(sub_scans_base[type][op], sub_scans_v3[type][op], type, &job, &random);
                job.active = lanes_of(&(struct gp5_subgroup){ .size = 32, .active = { { UINT32_MAX } } });
                compared += compare(sub_sequences_base[type][op], sub_sequences_v3[type][op], type, &job, &random);
            }
    printf("# %u results of kernels compared\n", compared);
    assert_true(compared > 3000);
}

static void test_tell(void **state)
{
    uint64_t random = 7;

    (void)state;
    if (!__builtin_cpu_supports("avx2"))
        skip();
    for (unsigned round = 0; round < 1000; round++) {
        uint8_t one[34], two[34];
        uint32_t mask = (uint32_t)operand_random(&random);
        memset(one, 0x77, sizeof one);
        memset(two, 0x77, sizeof two);
        sub_tell_32_base(mask, one + 1, (uint8_t)round);
        sub_tell_32_v3(mask, two + 1, (uint8_t)round);
        assert_memory_equal(one, two, sizeof one);
        for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(one[lane + 1], mask >> lane & 1 ? (uint8_t)round : 0x77);
    }
}

#else

static void test_levels(void **state)
{
    (void)state;
    skip();
}

static void test_tell(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels), cmocka_unit_test(test_tell) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
