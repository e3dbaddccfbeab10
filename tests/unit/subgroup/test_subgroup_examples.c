/* The reference of the subgroup operations on the examples of the documents, and rotation in a work group. */
#include "gp5.h"
#include "tests/oracle/subgroup_model.h"
#include "tests/tools/subgroup_sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { UNTOUCHED = 0xa5 };

static const float eight[8] = { 42, 13, -56, 0, 128, -1, 7, 3.5f };

static void expect_floats(enum gp5_subgroup_op op, struct gp5_subgroup_operands in, const float *wanted)
{
    float got[8];
    uint8_t reason[8];
    struct gp5_subgroup g = sample_whole(8);
    struct gp5_subgroup_result out = { .value = got, .reason = reason };

    in.type = GP5_SUBGROUP_F32;
    in.value = eight;
    assert_int_equal(gp5_subgroup_apply(op, &g, &in, &out), GP5_SUBGROUP_OK);
    assert_memory_equal(got, wanted, sizeof got);
}

/* NV_shader_subgroup_partitioned, 3.8: the sums of even and odd lanes. */
static void test_odd_even(void **unused)
{
    struct gp5_ballot ballot[8];
    (void)unused;
    for (unsigned i = 0; i < 8; i++)
        ballot[i] = (struct gp5_ballot){ { i & 1 ? 0xaa : 0x55 } };
    expect_floats(GP5_SUBGROUP_DO_PARTITIONED_ADD, (struct gp5_subgroup_operands){ .ballot = ballot },
                  (float[]){ 121, 15.5f, 121, 15.5f, 121, 15.5f, 121, 15.5f });
    expect_floats(GP5_SUBGROUP_DO_PARTITIONED_INCLUSIVE_ADD, (struct gp5_subgroup_operands){ .ballot = ballot },
                  (float[]){ 42, 13, -14, 13, 114, 12, 121, 15.5f });
    expect_floats(GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_ADD, (struct gp5_subgroup_operands){ .ballot = ballot },
                  (float[]){ 0, 0, 42, 13, -14, 13, 114, 12 });
}

/* KHR_shader_subgroup, 3.8: clusters of two, and the scans that the tutorial describes. */
static void test_scans_and_clusters(void **unused)
{
    struct gp5_subgroup_operands none = { .cluster = 2 };
    (void)unused;
    expect_floats(GP5_SUBGROUP_DO_CLUSTERED_ADD, none, (float[]){ 55, 55, -56, -56, 127, 127, 10.5f, 10.5f });
    expect_floats(GP5_SUBGROUP_DO_ADD, none,
                  (float[]){ 136.5f, 136.5f, 136.5f, 136.5f, 136.5f, 136.5f, 136.5f, 136.5f });
    expect_floats(GP5_SUBGROUP_DO_INCLUSIVE_ADD, none, (float[]){ 42, 55, -1, -1, 127, 126, 133, 136.5f });
    expect_floats(GP5_SUBGROUP_DO_EXCLUSIVE_ADD, none, (float[]){ 0, 42, 55, -1, -1, 127, 126, 133 });
    expect_floats(GP5_SUBGROUP_DO_INCLUSIVE_MIN, none, (float[]){ 42, 13, -56, -56, -56, -56, -56, -56 });
    expect_floats(GP5_SUBGROUP_DO_EXCLUSIVE_MAX, none, (float[]){ -INFINITY, 42, 42, 42, 42, 128, 128, 128 });
}

/* SPV_KHR_subgroup_rotate: of 16 lanes by 2, lane 0 has lane 2's value and lane 14 lane 0's. */
static void test_rotate_by_two(void **unused)
{
    uint32_t value[16], got[16];
    uint64_t delta[16];
    uint8_t reason[16];
    struct gp5_subgroup g = sample_whole(16);
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_U32, .value = value, .index = delta };
    struct gp5_subgroup_result out = { .value = got, .reason = reason };
    static const uint64_t twos[] = { 2, 18, 0x102, UINT64_C(0xfffffffffffffff2), UINT32_C(0xfffffff2) };

    (void)unused;
    for (size_t k = 0; k < sizeof twos / sizeof *twos; k++) {      /* whatever its width and size */
        for (unsigned i = 0; i < 16; i++) {
            value[i] = 100 + i;
            delta[i] = twos[k];
        }
        assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ROTATE, &g, &in, &out), GP5_SUBGROUP_OK);
        assert_int_equal(got[0], 102);
        assert_int_equal(got[14], 100);
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(got[i], 100 + (i + 2) % 16);
    }
    for (unsigned i = 0; i < 16; i++)
        delta[i] = 16 - 2;      /* "up" by 2 */
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ROTATE, &g, &in, &out), GP5_SUBGROUP_OK);
    assert_int_equal(got[2], 100);
    assert_int_equal(got[0], 114);
    g.max_size = 32;            /* the Kernel capability: rotates among 32, of which 16 are there */
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ROTATE, &g, &in, &out), GP5_SUBGROUP_UNDEFINED);
    assert_int_equal(got[1], 115);
    assert_int_equal(reason[2], GP5_SUBGROUP_SOURCE_OUTSIDE);
}

/* NV_shader_thread_shuffle, 8.3: the diagrams, with a segment of eight. For shuffleNV of index 2 the
 * document prints b everywhere, the value of thread 1; its text and its own row of source threads say
 * thread 2, which holds c. */
static void test_shuffle_diagrams(void **unused)
{
    static const struct {
        enum gp5_subgroup_op op;
        unsigned index;
        const char *result, *valid;
    } diagrams[] = {
        { GP5_SUBGROUP_DO_SHUFFLE_NV, 2, "cccccccc", "11111111" },
        { GP5_SUBGROUP_DO_SHUFFLE_NV, 9, "abcdefgh", "00000000" },
        { GP5_SUBGROUP_DO_SHUFFLE_UP_NV, 1, "aabcdefg", "01111111" },
        { GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV, 2, "cdefghgh", "11111100" },
        { GP5_SUBGROUP_DO_SHUFFLE_XOR_NV, 1, "badcfehg", "11111111" },
        { GP5_SUBGROUP_DO_SHUFFLE_NV, 34, "cccccccc", "11111111" },     /* five bits count */
    };
    (void)unused;
    for (size_t d = 0; d < sizeof diagrams / sizeof *diagrams; d++) {
        uint32_t value[32], got[32];
        uint64_t index[32], width[32];
        uint8_t reason[32], valid[32];
        struct gp5_subgroup g = sample_whole(32);
        struct gp5_subgroup_operands in = {
            .type = GP5_SUBGROUP_U32, .value = value, .index = index, .width = width
        };
        struct gp5_subgroup_result out = { .value = got, .reason = reason, .valid = valid };

        for (unsigned i = 0; i < 32; i++) {     /* four segments, each with letters of its own */
            value[i] = 1000 * (i / 8) + (unsigned)'a' + i % 8;
            index[i] = diagrams[d].index;
            width[i] = 8;
        }
        assert_int_equal(gp5_subgroup_apply(diagrams[d].op, &g, &in, &out), GP5_SUBGROUP_OK);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(got[i], 1000 * (i / 8) + (unsigned)diagrams[d].result[i % 8]);
            assert_int_equal(valid[i], diagrams[d].valid[i % 8] == '1');
        }
    }
}

/* The tutorial: triangles that survive find their places by an exclusive sum, and the highest active lane
 * knows the total. */
static void test_compaction(void **unused)
{
    struct gp5_subgroup g = { .size = 64, .active = { { 0x00f0ffff, 0x7 } } };
    uint32_t keep[64], place[64], highest[64], next = 0;
    uint8_t reason[64], truth[64];
    struct gp5_ballot votes[64];
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_U32, .value = keep };
    struct gp5_subgroup_result out = { .value = place, .reason = reason };

    (void)unused;
    for (unsigned i = 0; i < 64; i++) {
        keep[i] = i % 3 ? 3 : 0;
        truth[i] = 1;
    }
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_EXCLUSIVE_ADD, &g, &in, &out), GP5_SUBGROUP_OK);
    for (unsigned i = 0; i < 64; i++)
        if (sample_active(&g, i)) {
            assert_int_equal(place[i], next);
            next += keep[i];
        }
    in = (struct gp5_subgroup_operands){ .type = GP5_SUBGROUP_BOOL, .value = truth };
    out.value = votes;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_BALLOT, &g, &in, &out), GP5_SUBGROUP_OK);
    in = (struct gp5_subgroup_operands){ .ballot = votes };
    out.value = highest;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_BALLOT_FIND_MSB, &g, &in, &out), GP5_SUBGROUP_OK);
    assert_int_equal(highest[0], 34);
    assert_int_equal(place[34] + keep[34], next);
}

/* The tutorial: the maximum of each 4 x 4 square of a 16 x 4 image, in clusters of 16. */
static void test_max_pooling(void **unused)
{
    uint16_t load[64], most[64];
    uint8_t reason[64];
    struct gp5_subgroup g = sample_whole(64);
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_F16, .value = load, .cluster = 16 };
    struct gp5_subgroup_result out = { .value = most, .reason = reason };

    (void)unused;
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned x = lane / 16 * 4 + lane % 4, y = lane / 4 % 4;
        load[lane] = (uint16_t)(0x3c00 + (x * 37 + y * 101) % 256);     /* halves from 1 to 2 */
    }
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_CLUSTERED_MAX, &g, &in, &out), GP5_SUBGROUP_OK);
    for (unsigned square = 0; square < 4; square++) {
        unsigned wanted = 0;
        for (unsigned x = square * 4; x < square * 4 + 4; x++)
            for (unsigned y = 0; y < 4; y++)
                wanted = (x * 37 + y * 101) % 256 > wanted ? (x * 37 + y * 101) % 256 : wanted;
        for (unsigned lane = 0; lane < 16; lane++)
            assert_int_equal(most[square * 16 + lane], 0x3c00 + wanted);
    }
}

/* The tutorial: a quad's sum by a horizontal and a vertical swap; and its two home-made scans. */
static void test_quads_and_strides(void **unused)
{
    uint32_t x[32], y[32];
    uint64_t delta[32];
    uint8_t reason[32];
    struct gp5_subgroup g = sample_whole(32);
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_U32, .value = x, .index = delta };
    struct gp5_subgroup_result out = { .value = y, .reason = reason };

    (void)unused;
    for (unsigned i = 0; i < 32; i++)
        x[i] = i * i;
    gp5_subgroup_apply(GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL, &g, &in, &out);
    for (unsigned i = 0; i < 32; i++)
        x[i] += y[i];
    gp5_subgroup_apply(GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL, &g, &in, &out);
    for (unsigned i = 0; i < 32; i++) {
        unsigned q = i & ~3u;
        assert_int_equal(x[i] + y[i], q * q + (q + 1) * (q + 1) + (q + 2) * (q + 2) + (q + 3) * (q + 3));
    }

    for (unsigned i = 0; i < 32; i++)
        x[i] = i + 1;
    for (unsigned step = 2; step < 32; step *= 2) {     /* even and odd lanes apart; the first lanes read nothing */
        for (unsigned i = 0; i < 32; i++)
            delta[i] = step;
        assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_SHUFFLE_UP, &g, &in, &out), GP5_SUBGROUP_UNDEFINED);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(reason[i], i < step ? GP5_SUBGROUP_SOURCE_OUTSIDE : GP5_SUBGROUP_DEFINED);
            x[i] += i >= step ? y[i] : 0;
        }
    }
    for (unsigned i = 0; i < 32; i++) {
        unsigned wanted = 0;
        for (unsigned j = i % 2; j <= i; j += 2)
            wanted += j + 1;
        assert_int_equal(x[i], wanted);
    }

    for (unsigned i = 0; i < 32; i++)
        x[i] = i + 1;
    for (unsigned step = 1; step < 32; step *= 2) {     /* from the highest down */
        for (unsigned i = 0; i < 32; i++)
            delta[i] = step;
        assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_SHUFFLE_DOWN, &g, &in, &out), GP5_SUBGROUP_UNDEFINED);
        for (unsigned i = 0; i < 32; i++)
            x[i] += 32 - step > i ? y[i] : 0;
    }
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(x[i], 32 * 33 / 2 - i * (i + 1) / 2);
}

/* ---- rotation in a work group -------------------------------------------------------------------------- */

static void test_workgroup_rotation(void **unused)
{
    enum { MOST = 300 };
    uint32_t value[2 * MOST], got[2 * MOST], bits[(MOST + 31) / 32];
    uint64_t delta[MOST];
    uint8_t reason[2 * MOST];
    struct gp5_subgroup_result out = { .value = got, .reason = reason };

    (void)unused;
    for (unsigned round = 0; round < 2000; round++) {
        bool clustered = sample_below(2);
        struct gp5_workgroup g = {.invocations = 1 + sample_below(MOST), .active = bits, .size = 1u << sample_below(8)};
        struct gp5_subgroup_operands in = {
            .type = GP5_SUBGROUP_U32, .components = 2, .value = value, .index = delta,
            .cluster = clustered ? sample_below(5) ? UINT64_C(1) << sample_below(8) : sample_below(200) : 0
        };
        uint64_t one = sample_chance() >> sample_below(64), n;
        bool mixed = !sample_below(6), fault, differs = false;
        uint32_t first = UINT32_MAX;

        if (sample_below(2))
            g.max_size = g.size < 128 ? g.size << sample_below(2) : 128;
        for (unsigned w = 0; w < (MOST + 31) / 32; w++)
            bits[w] = sample_below(3) ? UINT32_MAX : (uint32_t)sample_chance();
        for (unsigned i = 0; i < g.invocations; i++) {
            value[i] = i;
            value[g.invocations + i] = 5000 + i;
            delta[i] = mixed ? sample_below(3) : one;
            if (bits[i / 32] >> i % 32 & 1) {
                first = first == UINT32_MAX ? i : first;
                differs |= delta[i] != delta[first];
            }
        }
        fault = clustered && (!in.cluster || (in.cluster & (in.cluster - 1)) || in.cluster > g.size);
        n = clustered ? in.cluster : g.max_size ? g.max_size : g.size;
        memset(got, UNTOUCHED, sizeof got);
        assert_in_range(gp5_subgroup_rotate_workgroup(clustered ? GP5_SUBGROUP_DO_CLUSTERED_ROTATE
                                                                : GP5_SUBGROUP_DO_ROTATE, &g, &in, &out),
                        GP5_SUBGROUP_OK, GP5_SUBGROUP_UNDEFINED);
        for (unsigned i = 0; i < g.invocations; i++) {
            uint64_t source = fault ? 0 : model_rotation(i, delta[i], n);
            bool there = source < g.invocations && (bits[source / 32] >> source % 32 & 1);
            if (!(bits[i / 32] >> i % 32 & 1)) {
                assert_int_equal(got[i], 0xa5a5a5a5);
                continue;
            }
            if (fault)
                assert_true(reason[i] == GP5_SUBGROUP_CLUSTER_NOT_POWER_OF_TWO
                            || reason[i] == GP5_SUBGROUP_CLUSTER_TOO_LARGE);
            else if (differs)
                assert_int_equal(reason[i], GP5_SUBGROUP_NOT_UNIFORM);
            else if (!there)
                assert_true(reason[i] == GP5_SUBGROUP_SOURCE_OUTSIDE || reason[i] == GP5_SUBGROUP_SOURCE_INACTIVE);
            else
                assert_int_equal(reason[i], GP5_SUBGROUP_DEFINED);
            assert_int_equal(got[i], fault || differs || !there ? 0 : source);
            assert_int_equal(got[g.invocations + i], fault || differs || !there ? 0 : 5000 + source);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_even),
        cmocka_unit_test(test_scans_and_clusters),
        cmocka_unit_test(test_rotate_by_two),
        cmocka_unit_test(test_shuffle_diagrams),
        cmocka_unit_test(test_compaction),
        cmocka_unit_test(test_max_pooling),
        cmocka_unit_test(test_quads_and_strides),
        cmocka_unit_test(test_workgroup_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
