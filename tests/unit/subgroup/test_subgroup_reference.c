/* The reference of the subgroup operations against the second model (subgroup_model.h). GP5_SUBGROUP_ROUNDS=N tries N
 * random groups for each operation, type and size. */
#include "gp5.h"
#include "tests/oracle/subgroup_model.h"
#include "tests/tools/subgroup_sample.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE, UNTOUCHED = 0xa5, NOBODY = 255 };

/* ---- agreement ----------------------------------------------------------------------------------------- */

static size_t answer_bytes(const struct gp5_subgroup_info *info, enum gp5_subgroup_type type)
{
    switch (info->answer) {
    case GP5_SUBGROUP_A_VALUE: return gp5_subgroup_type_size(type);
    case GP5_SUBGROUP_A_BOOL: return 1;
    case GP5_SUBGROUP_A_UINT: return 4;
    case GP5_SUBGROUP_A_UINT64: return 8;
    case GP5_SUBGROUP_A_BALLOT: return sizeof(struct gp5_ballot);
    default: return 0;
    }
}

static bool untouched(const void *array, size_t bytes, size_t at)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)array)[at * bytes + i] != UNTOUCHED)
            return false;
    return true;
}

static void agree(enum gp5_subgroup_op op, const struct sample *s, const struct outcome *o,
                  enum gp5_subgroup_status status, const char *who)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(op);
    bool by_component = info->answer == GP5_SUBGROUP_A_VALUE, any_undefined = false;
    unsigned planes = by_component && s->in.components ? s->in.components : 1;
    size_t bytes = answer_bytes(info, s->in.type);
    struct model_answer wanted[MAX];

    for (unsigned k = 0; k < planes; k++) {
        model_run(op, &s->group, &s->in, k, wanted);
        for (unsigned lane = 0; lane < s->group.size; lane++) {
            size_t at = (size_t)k * s->group.size + lane;
            const struct model_answer *w = &wanted[lane];
            uint64_t bits = 0;
            bool same;

            if (!sample_active(&s->group, lane)) {
                if (!untouched(o->value, bytes, at) || o->reason[at] != UNTOUCHED || o->peer[at] != UNTOUCHED)
                    fail_msg("%s by %s writes to lane %u, which is not active", info->name, who, lane);
                continue;
            }
            any_undefined |= w->reason != 0;
            same = o->reason[at] == w->reason && o->peer[at] == w->peer;
            if (info->answer == GP5_SUBGROUP_A_BALLOT)
                same &= memcmp((const struct gp5_ballot *)(const void *)o->value + lane, w->ballot, 16) == 0;
            else if (bytes) {
                bits = sample_get(o->value, bytes, at);
                same &= bits == w->bits;
            }
            if (info->group == GP5_SUBGROUP_SHUFFLES_NV)
                same &= o->valid[lane] == w->in_range;
            if (!same)
                fail_msg(
                    "%s of %s by %s, size %u, order %d, component %u, lane %u: got %#llx reason %u peer %u, the model "
                    "has %#llx reason %d peer %d",
                    info->name, gp5_subgroup_type_name(s->in.type), who, s->group.size, (int)s->in.order, k, lane,
                    (unsigned long long)bits, o->reason[at], o->peer[at], (unsigned long long)w->bits, w->reason,
                    w->peer);
        }
    }
    assert_int_equal(status, any_undefined ? GP5_SUBGROUP_UNDEFINED : GP5_SUBGROUP_OK);
}

typedef enum gp5_subgroup_status door(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                      const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out);

static void try_one(enum gp5_subgroup_op op, const struct sample *s, door *enter, const char *who)
{
    static struct outcome o;
    struct gp5_subgroup_result out = { o.value, o.reason, o.peer, o.valid };
    enum gp5_subgroup_status status;
    bool arb = gp5_subgroup_info(op)->operands & GP5_SUBGROUP_ARB;

    memset(&o, UNTOUCHED, sizeof o);
    status = enter(op, &s->group, &s->in, &out);
    if (!arb || s->group.size <= 64) {
        agree(op, s, &o, status, who);
        return;
    }
    assert_int_equal(status, GP5_SUBGROUP_ERROR_64);
    assert_true(untouched(o.value, sizeof o.value, 0));
    for (unsigned lane = 0; lane < s->group.size; lane++)
        assert_int_equal(o.reason[lane], sample_active(&s->group, lane) ? GP5_SUBGROUP_ABOVE_64 : UNTOUCHED);
}

static unsigned rounds(unsigned usual)
{
    const char *text = getenv("GP5_SUBGROUP_ROUNDS");
    unsigned n = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    return n ? n : usual;
}

/* Every operation, for every type that it is there for, in groups of every size. */
static void test_model(void **unused)
{
    static struct sample s;
    unsigned long calls = 0;

    (void)unused;
    for (unsigned op = 0; op < GP5_SUBGROUP_OP_COUNT; op++) {
        const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)op);
        for (unsigned type = 0; type < GP5_SUBGROUP_TYPE_COUNT; type++) {
            if (info->types ? !(info->types >> type & 1) : type > 0)
                continue;
            for (unsigned size = 1; size <= MAX; size *= 2)
                for (unsigned round = 0; round < rounds(size > 32 ? 8 : 16); round++, calls++) {
                    memset(&s.in, 0, sizeof s.in);
                    sample_group(&s, size, round);
                    sample_values(&s, (enum gp5_subgroup_type)type);
                    sample_index(&s);
                    sample_ballots(&s);
                    sample_rest(&s);
                    try_one((enum gp5_subgroup_op)op, &s, gp5_subgroup_define, "definition");
                    try_one((enum gp5_subgroup_op)op, &s, gp5_subgroup_apply, "apply");
                }
        }
    }
    print_message("# %lu calls by each way\n", calls);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static void test_table(void **unused)
{
    unsigned classes[GP5_SUBGROUP_SHUFFLES_NV + 1] = { 0 };

    (void)unused;
    for (unsigned op = 0; op < GP5_SUBGROUP_OP_COUNT; op++) {
        const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)op);
        assert_int_equal(gp5_subgroup_find(info->name), op);
        assert_int_equal(gp5_subgroup_find(info->glsl), op);
        classes[info->group]++;
        assert_int_equal(!!info->types, !!(info->operands & GP5_SUBGROUP_TAKES_VALUE));
    }
    for (unsigned c = GP5_SUBGROUP_REDUCE; c <= GP5_SUBGROUP_PARTITIONED_EXCLUSIVE; c++)
        assert_int_equal(classes[c], 7);
    assert_int_equal(GP5_SUBGROUP_OP_COUNT, 105);
    assert_int_equal(gp5_subgroup_find("subgroupNothing"), GP5_SUBGROUP_OP_COUNT);
    assert_null(gp5_subgroup_info(GP5_SUBGROUP_OP_COUNT));
    assert_null(gp5_subgroup_reason_text(GP5_SUBGROUP_REASON_COUNT));
    assert_null(gp5_subgroup_type_name(GP5_SUBGROUP_TYPE_COUNT));
    for (unsigned r = 1; r < GP5_SUBGROUP_REASON_COUNT; r++)
        assert_true(strlen(gp5_subgroup_reason_text((enum gp5_subgroup_reason)r)) > 10);
}

static void test_barriers(void **unused)
{
    const unsigned all = GP5_SUBGROUP_BUFFER_MEMORY | GP5_SUBGROUP_SHARED_MEMORY | GP5_SUBGROUP_IMAGE_MEMORY;
    (void)unused;
    assert_true(gp5_subgroup_barrier(GP5_SUBGROUP_DO_BARRIER).execution);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_BARRIER).memory, all);
    assert_false(gp5_subgroup_barrier(GP5_SUBGROUP_DO_MEMORY_BARRIER).execution);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_MEMORY_BARRIER).memory, all);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_MEMORY_BARRIER_BUFFER).memory, GP5_SUBGROUP_BUFFER_MEMORY);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_MEMORY_BARRIER_SHARED).memory, GP5_SUBGROUP_SHARED_MEMORY);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_MEMORY_BARRIER_IMAGE).memory, GP5_SUBGROUP_IMAGE_MEMORY);
    assert_int_equal(gp5_subgroup_barrier(GP5_SUBGROUP_DO_ELECT).memory, 0);
}

/* ---- calls that are none ------------------------------------------------------------------------------- */

static void test_bad_calls(void **unused)
{
    uint32_t value[MAX] = { 0 }, result[MAX] = { 0 };
    uint64_t index[MAX] = { 0 };
    uint8_t reason[MAX] = { 0 };
    struct gp5_subgroup good = { .size = 32, .active = { { UINT32_MAX } } }, g = good;
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_U32, .value = value, .index = index }, i = in;
    struct gp5_subgroup_result out = { .value = result, .reason = reason };

    (void)unused;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_OK);
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_OP_COUNT, &g, &in, &out), GP5_SUBGROUP_BAD_OP);
    for (unsigned size = 0; size < 300; size++) {
        g = (struct gp5_subgroup){ .size = size };
        assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out),
                         size == 1 || size == 2 || size == 4 || size == 8 || size == 16 || size == 32 || size == 64
                                 || size == 128 ? GP5_SUBGROUP_OK : GP5_SUBGROUP_BAD_GROUP);
    }
    g = good, g.active.word[1] = 1;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_BAD_GROUP);
    g = good, g.lanes = 31;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_BAD_GROUP);
    g = good, g.lanes = 33;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_BAD_GROUP);
    g = good, g.id = 1;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_BAD_GROUP);
    g = good, g.max_size = 16;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &g, &in, &out), GP5_SUBGROUP_BAD_GROUP);
    i = in, i.type = GP5_SUBGROUP_BOOL;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &good, &i, &out), GP5_SUBGROUP_BAD_TYPE);
    i.type = GP5_SUBGROUP_F32;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_AND, &good, &i, &out), GP5_SUBGROUP_BAD_TYPE);
    i.type = GP5_SUBGROUP_U64;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_SHUFFLE_NV, &good, &i, &out), GP5_SUBGROUP_BAD_TYPE);
    i.type = GP5_SUBGROUP_TYPE_COUNT;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &good, &i, &out), GP5_SUBGROUP_BAD_TYPE);
    i = in, i.components = 5;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &good, &i, &out), GP5_SUBGROUP_BAD_OPERAND);
    i = in, i.value = NULL;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &good, &i, &out), GP5_SUBGROUP_BAD_OPERAND);
    i = in, i.index = NULL;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_SHUFFLE, &good, &i, &out), GP5_SUBGROUP_BAD_OPERAND);
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_PARTITIONED_ADD, &good, &in, &out), GP5_SUBGROUP_BAD_OPERAND);
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_SHUFFLE_NV, &good, &in, &out), GP5_SUBGROUP_BAD_OPERAND);
    out.reason = NULL;
    assert_int_equal(gp5_subgroup_apply(GP5_SUBGROUP_DO_ADD, &good, &in, &out), GP5_SUBGROUP_BAD_OPERAND);
}

/* ---- the floating-point environment of the caller ------------------------------------------------------ */

static void test_environment(void **unused)
{
    float value[4] = { 1, 0x1p-25f, 0x1p-25f, 0x1p-149f }, usual[4], upward[4];
    uint8_t reason[4];
    struct gp5_subgroup g = sample_whole(4);
    struct gp5_subgroup_operands in = { .type = GP5_SUBGROUP_F32, .value = value };
    struct gp5_subgroup_result out = { .value = usual, .reason = reason };

    (void)unused;
    for (int order = 0; order < 2; order++) {
        in.order = (enum gp5_subgroup_order)order;
        out.value = usual;
        gp5_subgroup_apply(GP5_SUBGROUP_DO_INCLUSIVE_ADD, &g, &in, &out);
        out.value = upward;
        assert_int_equal(fesetround(FE_UPWARD), 0);
        gp5_subgroup_apply(GP5_SUBGROUP_DO_INCLUSIVE_ADD, &g, &in, &out);
        assert_int_equal(fegetround(), FE_UPWARD);
        fesetround(FE_TONEAREST);
        assert_memory_equal(usual, upward, sizeof usual);
        assert_true(usual[0] == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
