/* The reference of the subgroup operations against the second model (subgroup_model.h), the documents' own
 * examples, and itself under other orders. GP5_SUBGROUP_ROUNDS=N tries N random groups for each operation,
 * type and size. */
#include "gp5.h"
#include "tests/subgroup_model.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE, UNTOUCHED = 0xa5, NOBODY = 255 };

/* ---- chance -------------------------------------------------------------------------------------------- */

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned below(unsigned n)
{
    return (unsigned)((chance() >> 32) % n);
}

/* ---- a case -------------------------------------------------------------------------------------------- */

struct sample {
    struct gp5_subgroup group;
    struct gp5_subgroup_operands in;
    uint64_t value[4 * MAX];            /* room for elements of any type */
    uint64_t index[MAX], width[MAX];
    struct gp5_ballot ballot[MAX];
};

struct outcome {
    uint64_t value[4 * MAX];
    uint8_t reason[4 * MAX], peer[4 * MAX], valid[MAX];
};

static bool active(const struct gp5_subgroup *g, unsigned lane)
{
    return g->active.word[lane / 32] >> lane % 32 & 1;
}

static void activate(struct gp5_subgroup *g, unsigned lane)
{
    g->active.word[lane / 32] |= UINT32_C(1) << lane % 32;
}

static void make_group(struct sample *s, unsigned size, unsigned round)
{
    unsigned kind = round < 3 ? round : below(8), lanes;

    memset(&s->group, 0, sizeof s->group);
    s->group.size = size;
    s->group.lanes = below(6) ? 0 : 1 + below(size);
    lanes = s->group.lanes ? s->group.lanes : size;
    for (unsigned i = 0; i < lanes; i++) {
        bool on = kind == 0 || kind == 3 ? true                /* all */
                  : kind == 1            ? below(2)            /* about half */
                  : kind == 2            ? i == lanes - 1      /* one */
                  : kind == 4            ? i % 2 == 1
                  : kind == 5            ? i >= lanes / 2
                  : kind == 6            ? below(8) != 0
                                         : below(8) == 0;
        if (on)
            activate(&s->group, i);
    }
    s->group.count = below(9);
    s->group.id = s->group.count ? below(s->group.count) : 0;
    if (!below(4))
        for (s->group.max_size = size; s->group.max_size < MAX && below(2);)
            s->group.max_size *= 2;
}

static uint64_t nasty_float(enum gp5_subgroup_type type)
{
    static const double numbers[] = { 0, -0.0, 1, -1, 1.5, 3, 1e-3, 1024, 65504, 1e-7, 3e38, -3e38, 1e-40, 1e300, 5e-324 };
    double x = below(3) ? numbers[below(sizeof numbers / sizeof *numbers)] : (double)(int)(below(2001) - 1000) / 8;
    float f = (float)x;
    uint64_t bits = chance();
    uint32_t word;

    if (!below(3))
        return bits;
    if (!below(12))
        return type == GP5_SUBGROUP_F16 ? 0x7e01 : type == GP5_SUBGROUP_F32 ? 0x7fc00001 : 0xfff8000000000002;
    if (!below(12))
        return type == GP5_SUBGROUP_F16 ? 0xfc00 : type == GP5_SUBGROUP_F32 ? 0x7f800000 : 0xfff0000000000000;
    if (type == GP5_SUBGROUP_F64) {
        memcpy(&bits, &x, 8);
        return bits;
    }
    memcpy(&word, &f, 4);
    return type == GP5_SUBGROUP_F32 ? word : (word >> 16 & 0x8000) | (word >> 13 & 0x3fff);
}

static void put(void *array, size_t bytes, size_t at, uint64_t v)
{
    uint8_t b = (uint8_t)v;
    uint16_t h = (uint16_t)v;
    uint32_t w = (uint32_t)v;
    const void *from = bytes == 1 ? (const void *)&b : bytes == 2 ? (const void *)&h : bytes == 4 ? (const void *)&w : &v;
    memcpy((uint8_t *)array + at * bytes, from, bytes);
}

static uint64_t get(const void *array, size_t bytes, size_t at)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t d;
    const uint8_t *from = (const uint8_t *)array + at * bytes;
    switch (bytes) {
    case 1: memcpy(&b, from, 1); return b;
    case 2: memcpy(&h, from, 2); return h;
    case 4: memcpy(&w, from, 4); return w;
    default: memcpy(&d, from, 8); return d;
    }
}

static void make_values(struct sample *s, enum gp5_subgroup_type type)
{
    size_t bytes = gp5_subgroup_type_size(type);
    unsigned kind = below(5);
    uint64_t few[3];

    s->in.type = type;
    s->in.components = below(3) ? 0 : 1 + below(4);
    s->in.value = s->value;
    s->in.order = below(3) ? GP5_SUBGROUP_SEQUENTIAL : GP5_SUBGROUP_DOUBLING;
    for (int i = 0; i < 3; i++)
        few[i] = type >= GP5_SUBGROUP_F16 ? nasty_float(type) : chance();
    for (unsigned i = 0; i < (s->in.components ? s->in.components : 1) * s->group.size; i++)
        put(s->value, bytes, i,
            kind == 0   ? few[below(3)]         /* several lanes alike */
            : kind == 1 ? few[0]
            : kind == 2 ? below(3)
            : type >= GP5_SUBGROUP_F16 ? nasty_float(type)
                        : chance() >> below(64));
}

static void make_index(struct sample *s)
{
    unsigned kind = below(6), size = s->group.size;
    uint64_t one = below(3) ? below(size) : below(2) ? below(2 * size + 2) : chance() >> below(64);

    if (!below(8))
        one = UINT64_MAX - below(size);     /* sums that wrap */
    s->in.index = s->index;
    for (unsigned i = 0; i < size; i++)
        s->index[i] = kind < 3 ? one : kind == 3 ? below(size) : kind == 4 ? below(2 * size + 2) : chance() >> below(64);
    if (kind == 0)      /* what lanes that are not active hold does not matter */
        for (unsigned i = 0; i < size; i++)
            if (!active(&s->group, i))
                s->index[i] = chance();
}

static void make_ballots(struct sample *s)
{
    unsigned kind = below(8), size = s->group.size, lanes = s->group.lanes ? s->group.lanes : size;
    unsigned label[MAX], labels = 1 + below(below(2) ? 3 : size);
    struct gp5_ballot any = { { (uint32_t)chance(), (uint32_t)chance(), (uint32_t)chance(), (uint32_t)chance() } };

    s->in.ballot = s->ballot;
    memset(s->ballot, 0, sizeof s->ballot);
    if (!below(6))
        memset(&any, 0, sizeof any);
    for (unsigned i = 0; i < lanes; i++)
        label[i] = below(labels);
    for (unsigned i = 0; i < size; i++) {
        if (kind == 0)
            s->ballot[i] = any;         /* the same everywhere */
        else if (kind == 1)
            for (int w = 0; w < 4; w++)
                s->ballot[i].word[w] = (uint32_t)chance();
        else        /* a partition by labels; lanes that are not active may be named or not, all members agree on it */
            for (unsigned j = 0; i < lanes && j < lanes; j++)
                if (label[i] == label[j] && (active(&s->group, j) || kind % 2))
                    s->ballot[i].word[j / 32] |= UINT32_C(1) << j % 32;
    }
    if (kind == 2) {        /* one bit wrong */
        unsigned bit = below(size);
        s->ballot[below(size)].word[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
    if (kind == 3 && lanes < MAX) {     /* bits that stand for no invocation */
        unsigned bit = lanes + below(MAX - lanes);
        s->ballot[below(size)].word[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
}

static void make_rest(struct sample *s)
{
    unsigned size = s->group.size;
    s->in.width = s->width;
    s->in.cluster = below(4) ? UINT64_C(1) << below(8) : below(2) ? below(size + 2) : chance();
    for (unsigned i = 0; i < size; i++)
        s->width[i] = below(6) ? UINT64_C(2) << below(5) : below(2) ? below(70) : chance();
    if (below(2))
        for (unsigned i = 1; i < size; i++)
            s->width[i] = s->width[0];
}

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

            if (!active(&s->group, lane)) {
                if (!untouched(o->value, bytes, at) || o->reason[at] != UNTOUCHED || o->peer[at] != UNTOUCHED)
                    fail_msg("%s by %s writes to lane %u, which is not active", info->name, who, lane);
                continue;
            }
            any_undefined |= w->reason != 0;
            same = o->reason[at] == w->reason && o->peer[at] == w->peer;
            if (info->answer == GP5_SUBGROUP_A_BALLOT)
                same &= memcmp((const struct gp5_ballot *)(const void *)o->value + lane, w->ballot, 16) == 0;
            else if (bytes) {
                bits = get(o->value, bytes, at);
                same &= bits == w->bits;
            }
            if (info->group == GP5_SUBGROUP_SHUFFLES_NV)
                same &= o->valid[lane] == w->in_range;
            if (!same)
                fail_msg("%s of %s by %s, size %u, order %d, component %u, lane %u: got %#llx reason %u peer %u, the model "
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
        assert_int_equal(o.reason[lane], active(&s->group, lane) ? GP5_SUBGROUP_ABOVE_64 : UNTOUCHED);
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
                    make_group(&s, size, round);
                    make_values(&s, (enum gp5_subgroup_type)type);
                    make_index(&s);
                    make_ballots(&s);
                    make_rest(&s);
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

/* ---- the documents' examples --------------------------------------------------------------------------- */

/* A whole group, every lane active. */
static struct gp5_subgroup whole(unsigned size)
{
    struct gp5_subgroup g = { .size = size };
    for (unsigned i = 0; i < size; i++)
        activate(&g, i);
    return g;
}

static const float eight[8] = { 42, 13, -56, 0, 128, -1, 7, 3.5f };

static void expect_floats(enum gp5_subgroup_op op, struct gp5_subgroup_operands in, const float *wanted)
{
    float got[8];
    uint8_t reason[8];
    struct gp5_subgroup g = whole(8);
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
    struct gp5_subgroup g = whole(16);
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
        struct gp5_subgroup g = whole(32);
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
        if (active(&g, i)) {
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
    struct gp5_subgroup g = whole(64);
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
    struct gp5_subgroup g = whole(32);
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
        bool clustered = below(2);
        struct gp5_workgroup g = { .invocations = 1 + below(MOST), .active = bits, .size = 1u << below(8) };
        struct gp5_subgroup_operands in = {
            .type = GP5_SUBGROUP_U32, .components = 2, .value = value, .index = delta,
            .cluster = clustered ? below(5) ? UINT64_C(1) << below(8) : below(200) : 0
        };
        uint64_t one = chance() >> below(64), n;
        bool mixed = !below(6), fault, differs = false;
        uint32_t first = UINT32_MAX;

        if (below(2))
            g.max_size = g.size < 128 ? g.size << below(2) : 128;
        for (unsigned w = 0; w < (MOST + 31) / 32; w++)
            bits[w] = below(3) ? UINT32_MAX : (uint32_t)chance();
        for (unsigned i = 0; i < g.invocations; i++) {
            value[i] = i;
            value[g.invocations + i] = 5000 + i;
            delta[i] = mixed ? below(3) : one;
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

/* ---- other orders -------------------------------------------------------------------------------------- */

static uint64_t any_order(bool multiply, enum gp5_subgroup_type type, uint64_t *x, unsigned n)
{
    while (n > 1) {     /* any two of those that are left */
        unsigned i = below(n), j;
        uint64_t a = x[i];
        x[i] = x[--n];
        j = below(n);
        x[j] = below(2) ? model_float_step(multiply, type, a, x[j]) : model_float_step(multiply, type, x[j], a);
    }
    return x[0];
}

static uint64_t tame_float(enum gp5_subgroup_type type, unsigned kind)
{
    double x = kind == 0   ? (double)(int)(below(201) - 100)                /* exact in any order */
               : kind == 1 ? ldexp(1 + (double)below(1024) / 1024, (int)below(8) - 4) * (below(2) ? 1 : -1)
               : kind == 2 ? ldexp(1 + (double)below(1024) / 1024, 0)
                           : ldexp(1, (int)below(5) - 2);
    float f = (float)x;
    uint64_t bits;
    uint32_t word;

    if (kind == 4)
        return nasty_float(type);
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
        enum gp5_subgroup_type type = (enum gp5_subgroup_type)(GP5_SUBGROUP_F16 + below(3));
        size_t bytes = gp5_subgroup_type_size(type);
        unsigned size = 1u << below(8), kind = below(5), n = 0;
        bool multiply = below(2);
        enum gp5_subgroup_op op = multiply ? GP5_SUBGROUP_DO_MUL : GP5_SUBGROUP_DO_ADD;
        struct gp5_subgroup g = whole(size);
        uint64_t value[MAX], answer[MAX], x[MAX], result;
        uint8_t verdict[MAX];
        struct gp5_subgroup_operands in = { .type = type, .value = value };
        struct gp5_subgroup_bound bound;

        for (unsigned i = 0; i < size; i++) {
            uint64_t v = tame_float(type, kind);
            put(value, bytes, i, v);
            x[n++] = get(value, bytes, i);
        }
        result = any_order(multiply, type, x, n);
        for (unsigned i = 0; i < size; i++)
            put(answer, bytes, i, result);
        gp5_subgroup_judge(op, &g, &in, answer, 0, verdict);
        assert_true(gp5_subgroup_bound(multiply ? GP5_SUBGROUP_OP_MUL : GP5_SUBGROUP_OP_ADD, type, value, size, 0, &bound));
        if (verdict[0] != GP5_SUBGROUP_SAME && verdict[0] != GP5_SUBGROUP_ALLOWED)
            fail_msg("%s of %u %s, kind %u: %.17g of an order is judged wrong; [%.17g, %.17g]%s%s%s", multiply ? "mul" : "add",
                     size, gp5_subgroup_type_name(type), kind, model_float(type, result), bound.low, bound.high,
                     bound.plus_infinity ? " inf" : "", bound.minus_infinity ? " -inf" : "", bound.nan ? " nan" : "");
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
    struct gp5_subgroup g = whole(32);
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
    gp5_subgroup_judge(GP5_SUBGROUP_DO_CLUSTERED_ADD, &g, &in, answer, 0, verdict);    /* the sum of all is no cluster's */
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
    struct gp5_subgroup g = whole(4);
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
        enum gp5_subgroup_op op = (enum gp5_subgroup_op)below(GP5_SUBGROUP_OP_COUNT);
        const struct gp5_subgroup_info *info = gp5_subgroup_info(op);
        unsigned type = below(GP5_SUBGROUP_TYPE_COUNT), planes;

        if (info->types && !(info->types >> type & 1))
            continue;
        memset(&s.in, 0, sizeof s.in);
        make_group(&s, 1u << below(7), 3 + round);
        make_values(&s, (enum gp5_subgroup_type)type);
        make_index(&s);
        make_ballots(&s);
        make_rest(&s);
        s.in.order = GP5_SUBGROUP_SEQUENTIAL;
        assert_in_range(gp5_subgroup_apply(op, &s.group, &s.in, &out), GP5_SUBGROUP_OK, GP5_SUBGROUP_UNDEFINED);
        gp5_subgroup_judge(op, &s.group, &s.in, o.value, 0, verdict);
        planes = info->answer == GP5_SUBGROUP_A_VALUE && s.in.components ? s.in.components : 1;
        for (unsigned i = 0; i < planes * s.group.size; i++)
            if (active(&s.group, i % s.group.size))
                assert_int_equal(verdict[i], o.reason[i] ? GP5_SUBGROUP_ANYTHING : GP5_SUBGROUP_SAME);
    }
}

/* ---- the floating-point environment of the caller ------------------------------------------------------ */

static void test_environment(void **unused)
{
    float value[4] = { 1, 0x1p-25f, 0x1p-25f, 0x1p-149f }, usual[4], upward[4];
    uint8_t reason[4];
    struct gp5_subgroup g = whole(4);
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
        cmocka_unit_test(test_odd_even),
        cmocka_unit_test(test_scans_and_clusters),
        cmocka_unit_test(test_rotate_by_two),
        cmocka_unit_test(test_shuffle_diagrams),
        cmocka_unit_test(test_compaction),
        cmocka_unit_test(test_max_pooling),
        cmocka_unit_test(test_quads_and_strides),
        cmocka_unit_test(test_workgroup_rotation),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_partition_verdicts),
        cmocka_unit_test(test_judges_itself),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
