/* The reference of the subgroup operations and what it says of answers: sums and products in any order, wrong answers,
 * partitions. */
#include "gp5.h"
#include "tests/oracle/subgroup_model.h"
#include "tests/tools/subgroup_sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE };

static uint64_t any_order(bool multiply, enum gp5_subgroup_type type, uint64_t *x, unsigned n)
{
    while (n > 1) {     /* any two of those that are left */
        unsigned i = sample_below(n), j;
        uint64_t a = x[i];
        x[i] = x[--n];
        j = sample_below(n);
        x[j] = sample_below(2) ? model_float_step(multiply, type, a, x[j]) : model_float_step(multiply, type, x[j], a);
    }
    return x[0];
}

static uint64_t tame_float(enum gp5_subgroup_type type, unsigned kind)
{
    double x = kind == 0 ? (double)(int)(sample_below(201) - 100) /* exact in any order */
               : kind == 1
                   ? ldexp(1 + (double)sample_below(1024) / 1024, (int)sample_below(8) - 4) * (sample_below(2) ? 1 : -1)
               : kind == 2 ? ldexp(1 + (double)sample_below(1024) / 1024, 0)
                           : ldexp(1, (int)sample_below(5) - 2);
    float f = (float)x;
    uint64_t bits;
    uint32_t word;

    if (kind == 4)
        return sample_nasty_float(type);
    memcpy(&bits, &x, 8);
    memcpy(&word, &f, 4);
    if (type == GP5_SUBGROUP_F64)
        return bits;
    if (type == GP5_SUBGROUP_F32)
        return word;
    return x == 0 ? 0 : (word >> 16 & 0x8000) | (((word & 0x7fffffff) >> 13) - (112 << 10));
}

/* A sum or product formed in any order is one that judge allows; where the bound is exact it is the only
 * one. */
static void test_any_order(void **unused)
{
    unsigned long exact = 0, allowed = 0;
    (void)unused;
    for (unsigned round = 0; round < 30000; round++) {
        enum gp5_subgroup_type type = (enum gp5_subgroup_type)(GP5_SUBGROUP_F16 + sample_below(3));
        size_t bytes = gp5_subgroup_type_size(type);
        unsigned size = 1u << sample_below(8), kind = sample_below(5), n = 0;
        bool multiply = sample_below(2);
        enum gp5_subgroup_op op = multiply ? GP5_SUBGROUP_DO_MUL : GP5_SUBGROUP_DO_ADD;
        struct gp5_subgroup g = sample_whole(size);
        uint64_t value[MAX], answer[MAX], x[MAX], result;
        uint8_t verdict[MAX];
        struct gp5_subgroup_operands in = { .type = type, .value = value };
        struct gp5_subgroup_bound bound;

        for (unsigned i = 0; i < size; i++) {
            uint64_t v = tame_float(type, kind);
            sample_put(value, bytes, i, v);
            x[n++] = sample_get(value, bytes, i);
        }
        result = any_order(multiply, type, x, n);
        for (unsigned i = 0; i < size; i++)
            sample_put(answer, bytes, i, result);
        gp5_subgroup_judge(op, &g, &in, answer, 0, verdict);
        assert_true(
            gp5_subgroup_bound(multiply ? GP5_SUBGROUP_OP_MUL : GP5_SUBGROUP_OP_ADD, type, value, size, 0, &bound));
        if (verdict[0] != GP5_SUBGROUP_SAME && verdict[0] != GP5_SUBGROUP_ALLOWED)
            fail_msg("%s of %u %s, kind %u: %.17g of an order is judged wrong; [%.17g, %.17g]%s%s%s",
                     multiply ? "mul" : "add", size, gp5_subgroup_type_name(type), kind, model_float(type, result),
                     bound.low, bound.high, bound.plus_infinity ? " inf" : "", bound.minus_infinity ? " -inf" : "",
                     bound.nan ? " nan" : "");
        if (bound.exact && verdict[0] != GP5_SUBGROUP_SAME && model_float(type, result) != 0)
            fail_msg("%s of %u %s is said to be exact and is not", multiply ? "mul" : "add", size,
                     gp5_subgroup_type_name(type));
        if (bound.exact && isfinite(model_float(type, result)))
            assert_true(bound.low == bound.high && bound.low == model_float(type, result));
        exact += bound.exact;
        allowed += verdict[0] == GP5_SUBGROUP_ALLOWED;
    }
    assert_true(exact > 5000);
    assert_true(allowed > 1000);    /* so that the bound was needed */
}

/* What is off by more than rounding is judged wrong. */
static void test_wrong_answers(void **unused)
{
    struct gp5_subgroup g = sample_whole(32);
    float value[32], answer[32];
    uint8_t verdict[32];
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_F32, .value = value, .cluster = 8 };

    (void)unused;
    for (unsigned i = 0; i < 32; i++) {
        value[i] = 0.1f * (float)(i + 1);
        answer[i] = 52.8f;
    }
    assert_int_equal(gp5_subgroup_judge(GP5_SUBGROUP_DO_ADD, &g, &in, answer, 0, verdict), GP5_SUBGROUP_OK);
    assert_true(verdict[0] <= GP5_SUBGROUP_ALLOWED);
    answer[3] = 52.81f;         /* 250 units of the last place away */
    answer[4] = NAN;
    answer[5] = INFINITY;
    answer[6] = 0;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_ADD, &g, &in, answer, 0, verdict);
    for (unsigned i = 0; i < 32; i++)
        assert_true(i >= 3 && i <= 6 ? verdict[i] == GP5_SUBGROUP_WRONG : verdict[i] <= GP5_SUBGROUP_ALLOWED);
    gp5_subgroup_judge(GP5_SUBGROUP_DO_CLUSTERED_ADD, &g, &in, answer, 0, verdict); /* the sum of all is no cluster's */
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(verdict[i], GP5_SUBGROUP_WRONG);

    for (unsigned i = 0; i < 32; i++)
        value[i] = i & 1 ? 0.0f : -0.0f;
    memset(answer, 0, sizeof answer);
    answer[1] = -0.0f;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_MIN, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_ALLOWED);
    assert_int_equal(verdict[1], GP5_SUBGROUP_SAME);

    for (unsigned i = 0; i < 32; i++)
        answer[i] = value[i] = NAN;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_MIN, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_ANYTHING);
    gp5_subgroup_judge(GP5_SUBGROUP_DO_ADD, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_SAME);

    for (unsigned i = 0; i < 32; i++) {         /* denormals that a driver may flush, or not */
        value[i] = 1e-40f;
        answer[i] = 0;
    }
    gp5_subgroup_judge(GP5_SUBGROUP_DO_ADD, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_WRONG);
    gp5_subgroup_judge(GP5_SUBGROUP_DO_ADD, &g, &in, answer, GP5_SUBGROUP_MAY_FLUSH, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_ALLOWED);
    gp5_subgroup_judge(GP5_SUBGROUP_DO_MAX, &g, &in, answer, GP5_SUBGROUP_MAY_FLUSH, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_ALLOWED);
    value[31] = 1;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_MAX, &g, &in, answer, GP5_SUBGROUP_MAY_FLUSH, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_WRONG);
}

/* Partitions of NaNs: alone or, of the same bits, together; no others. */
static void test_partition_verdicts(void **unused)
{
    float value[4] = { NAN, 1, NAN, 1 };
    struct gp5_ballot answer[4] = { { { 1 } }, { { 10 } }, { { 4 } }, { { 10 } } };
    uint8_t verdict[4];
    struct gp5_subgroup g = sample_whole(4);
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_F32, .value = value };

    (void)unused;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_PARTITION, &g, &in, answer, 0, verdict);
    assert_memory_equal(verdict, ((uint8_t[]){ 0, 0, 0, 0 }), 4);
    answer[0].word[0] = answer[2].word[0] = 5;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_PARTITION, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_ALLOWED);
    assert_int_equal(verdict[1], GP5_SUBGROUP_SAME);
    answer[1].word[0] = 2;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_PARTITION, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[1], GP5_SUBGROUP_WRONG);
    answer[0].word[0] = 7;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_PARTITION, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_WRONG);
    answer[0].word[0] = 0x11;
    gp5_subgroup_judge(GP5_SUBGROUP_DO_PARTITION, &g, &in, answer, 0, verdict);
    assert_int_equal(verdict[0], GP5_SUBGROUP_WRONG);
}

/* Judging the reference's own answers finds nothing but SAME and ANYTHING, for every operation. */
static void test_judges_itself(void **unused)
{
    static struct sample s;
    static struct outcome o;
    struct gp5_subgroup_result out = { o.value, o.reason, o.peer, o.valid };
    uint8_t verdict[4 * MAX];

    (void)unused;
    for (unsigned round = 0; round < 4000; round++) {
        enum gp5_subgroup_op op = (enum gp5_subgroup_op)sample_below(GP5_SUBGROUP_OP_COUNT);
        const struct gp5_subgroup_info *info = gp5_subgroup_info(op);
        unsigned type = sample_below(GP5_SUBGROUP_TYPE_COUNT), planes;

        if (info->types && !(info->types >> type & 1))
            continue;
        memset(&s.in, 0, sizeof s.in);
        sample_group(&s, 1u << sample_below(7), 3 + round);
        sample_values(&s, (enum gp5_subgroup_type)type);
        sample_index(&s);
        sample_ballots(&s);
        sample_rest(&s);
        s.in.order = GP5_SUBGROUP_SEQUENTIAL;
        assert_in_range(gp5_subgroup_apply(op, &s.group, &s.in, &out), GP5_SUBGROUP_OK, GP5_SUBGROUP_UNDEFINED);
        gp5_subgroup_judge(op, &s.group, &s.in, o.value, 0, verdict);
        planes = info->answer == GP5_SUBGROUP_A_VALUE && s.in.components ? s.in.components : 1;
        for (unsigned i = 0; i < planes * s.group.size; i++)
            if (sample_active(&s.group, i % s.group.size))
                assert_int_equal(verdict[i], o.reason[i] ? GP5_SUBGROUP_ANYTHING : GP5_SUBGROUP_SAME);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_partition_verdicts),
        cmocka_unit_test(test_judges_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
