/* The second model: see subgroup_model.h. Values are decoded to integers or doubles and encoded again,
 * sets of lanes are arrays of flags, and each operation is the sentence of its document put down as a
 * formula. */
#include "tests/oracle/subgroup_internal.h"

#include <string.h>

/* ---- sets ---------------------------------------------------------------------------------------------- */

static int lowest(const struct scene *s)
{
    for (int i = 0; i < LANES; i++)
        if (s->here[i])
            return i;
    return NOBODY;
}

static void put_lane(struct model_answer *a, int lane)
{
    a->ballot[lane >> 5] |= 1u << (lane & 31);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

void model_fail(struct model_answer *a, int reason, int peer)
{
    memset(a, 0, sizeof *a);
    a->reason = reason;
    a->peer = peer;
}

static void fetch(const struct scene *s, unsigned component, int64_t source, struct model_answer *a)
{
    if (source < 0 || source >= s->size)
        model_fail(a, GP5_SUBGROUP_SOURCE_OUTSIDE, NOBODY);
    else if (!s->here[source])
        model_fail(a, GP5_SUBGROUP_SOURCE_INACTIVE, (int)source);
    else
        a->bits = model_raw(s, component, (int)source);
}

/* Numbers beyond what a lane could be, without the trouble of 64 bits. */
static int64_t small(uint64_t n)
{
    return n > 100000 ? 100000 : (int64_t)n;
}

/* ---- equality ------------------------------------------------------------------------------------------ */

static bool alike(const struct scene *s, int i, int j)
{
    for (unsigned k = 0; k < (s->in->components ? s->in->components : 1); k++) {
        uint64_t a = model_raw(s, k, i), b = model_raw(s, k, j);
        if (model_is_float(s->in->type) ? !(model_float(s->in->type, a) == model_float(s->in->type, b)) : a != b)
            return false;
    }
    return true;
}

/* ---- what spoils a call -------------------------------------------------------------------------------- */

static int index_that_differs(const struct scene *s)
{
    int first = lowest(s);
    for (int i = first; i < s->size; i++)
        if (s->here[i] && s->in->index[i] != s->in->index[first])
            return i;
    return -1;
}

static bool ballots_differ(const struct scene *s, int i, int j, int lanes)
{
    for (int bit = 0; bit < lanes; bit++)
        if (in_ballot(&s->in->ballot[i], bit) != in_ballot(&s->in->ballot[j], bit))
            return true;
    return false;
}

/* Whether lane i breaks the rules of a partition: 0, or the reason. */
static int breaks_partition(const struct scene *s, int i, int *peer)
{
    *peer = NOBODY;
    if (!in_ballot(&s->in->ballot[i], i))
        return GP5_SUBGROUP_PARTITION_WITHOUT_SELF;
    for (int j = 0; j < s->exist; j++)
        if (s->here[j] && in_ballot(&s->in->ballot[i], j) && ballots_differ(s, i, j, s->exist)) {
            *peer = j;
            return GP5_SUBGROUP_PARTITION_PEER_DIFFERS;
        }
    return 0;
}

static bool power_of_two(uint64_t n)
{
    for (int i = 0; i < 64; i++)
        if (n == UINT64_C(1) << i)
            return true;
    return false;
}

/* True when every lane is undefined: the answers are then complete. */
static bool spoiled(const struct scene *s, struct model_answer *answers)
{
    int reason = 0, peer = NOBODY, at;
    enum kind kind = ADD;
    enum form form = REDUCE;
    bool is_arithmetic = model_arithmetic_of(s->op, &kind, &form);
    bool clusters = (is_arithmetic && form == CLUSTERED) || s->op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE;
    bool quads = s->op >= GP5_SUBGROUP_DO_QUAD_BROADCAST && s->op <= GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL;
    bool uniform = s->op == GP5_SUBGROUP_DO_BROADCAST || s->op == GP5_SUBGROUP_DO_QUAD_BROADCAST
                   || s->op == GP5_SUBGROUP_DO_READ_INVOCATION_ARB || s->op == GP5_SUBGROUP_DO_ROTATE
                   || s->op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE;

    if (clusters && !power_of_two(s->in->cluster))
        reason = GP5_SUBGROUP_CLUSTER_NOT_POWER_OF_TWO;
    else if (clusters && s->in->cluster > (uint64_t)s->size)
        reason = GP5_SUBGROUP_CLUSTER_TOO_LARGE;
    else if (quads && s->size < 4)
        reason = GP5_SUBGROUP_NO_QUAD;
    else if (uniform && (at = index_that_differs(s)) >= 0) {
        reason = GP5_SUBGROUP_NOT_UNIFORM;
        peer = at;
    } else if (s->op == GP5_SUBGROUP_DO_INVERSE_BALLOT) {
        for (int i = s->size - 1; i >= 0; i--)
            if (s->here[i] && ballots_differ(s, i, lowest(s), s->size)) {
                reason = GP5_SUBGROUP_NOT_UNIFORM;
                peer = i;
            }
    } else if (is_arithmetic && form >= PARTITIONED) {
        int first = -1, whose;
        for (int i = 0; i < s->size && first < 0; i++)
            if (s->here[i] && breaks_partition(s, i, &whose))
                first = i;
        for (int i = 0; i < s->size && first >= 0; i++)
            if (s->here[i]) {
                int own = breaks_partition(s, i, &whose);
                model_fail(&answers[i], own ? own : GP5_SUBGROUP_PARTITION_ELSEWHERE, own ? whose : first);
            }
        return first >= 0;
    }
    for (int i = 0; i < s->size && reason; i++)
        if (s->here[i])
            model_fail(&answers[i], reason, peer);
    return reason != 0;
}

/* ---- one lane ------------------------------------------------------------------------------------------ */

uint64_t model_rotation(uint64_t local, uint64_t delta, uint64_t n)
{
    uint64_t block = local / n;
    return block * n + (local % n + delta % n) % n;
}

static void masks(const struct scene *s, int self, bool (*relation)(int bit, int self), struct model_answer *a)
{
    for (int bit = 0; bit < s->size; bit++)
        if (relation(bit, self)) {
            put_lane(a, bit);
            if (bit < 64)
                a->bits |= UINT64_C(1) << bit;
        }
}

static bool eq(int bit, int self) { return bit == self; }
static bool ge(int bit, int self) { return bit >= self; }
static bool gt(int bit, int self) { return bit > self; }
static bool le(int bit, int self) { return bit <= self; }
static bool lt(int bit, int self) { return bit < self; }

static int count(const struct gp5_ballot *b, int lanes)
{
    int n = 0;
    for (int i = 0; i < lanes; i++)
        if (in_ballot(b, i))
            n++;
    return n;
}

/* Within its segment lane `id` reads lane `source`, or its own value when that is not one of 0 .. width -
 * 1. */
static void thread_shuffle(const struct scene *s, unsigned component, int self, struct model_answer *a)
{
    uint64_t width = s->in->width[self];
    int index = (int)(s->in->index[self] % 32), id, segment, source;

    if (width != 2 && width != 4 && width != 8 && width != 16 && width != 32) {
        model_fail(a, GP5_SUBGROUP_WIDTH, NOBODY);
        return;
    }
    segment = self / (int)width;
    id = self - segment * (int)width;
    source = s->op == GP5_SUBGROUP_DO_SHUFFLE_NV        ? index
             : s->op == GP5_SUBGROUP_DO_SHUFFLE_UP_NV   ? id - index
             : s->op == GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV ? id + index
                                                        : (id ^ index);
    if (source < 0 || source >= (int)width) {
        a->bits = model_raw(s, component, self);
        return;
    }
    fetch(s, component, segment * (int)width + source, a);
    a->in_range = 1;
}

static void lane(const struct scene *s, unsigned component, int self, struct model_answer *a)
{
    const struct gp5_ballot *ballot = s->in->ballot ? &s->in->ballot[self] : NULL;
    uint64_t index = s->in->index ? s->in->index[self] : 0;
    enum kind kind = ADD;
    enum form form = REDUCE;

    if (model_arithmetic_of(s->op, &kind, &form)) {
        model_arithmetic(s, component, self, kind, form, a);
        return;
    }
    switch (s->op) {
    case GP5_SUBGROUP_DO_SIZE: case GP5_SUBGROUP_DO_SIZE_ARB: a->bits = (uint64_t)s->size; break;
    case GP5_SUBGROUP_DO_INVOCATION: case GP5_SUBGROUP_DO_INVOCATION_ARB: a->bits = (uint64_t)self; break;
    case GP5_SUBGROUP_DO_ID: a->bits = s->g->id; break;
    case GP5_SUBGROUP_DO_COUNT: a->bits = s->g->count ? s->g->count : 1; break;
    case GP5_SUBGROUP_DO_EQ_MASK: case GP5_SUBGROUP_DO_EQ_MASK_ARB: masks(s, self, eq, a); break;
    case GP5_SUBGROUP_DO_GE_MASK: case GP5_SUBGROUP_DO_GE_MASK_ARB: masks(s, self, ge, a); break;
    case GP5_SUBGROUP_DO_GT_MASK: case GP5_SUBGROUP_DO_GT_MASK_ARB: masks(s, self, gt, a); break;
    case GP5_SUBGROUP_DO_LE_MASK: case GP5_SUBGROUP_DO_LE_MASK_ARB: masks(s, self, le, a); break;
    case GP5_SUBGROUP_DO_LT_MASK: case GP5_SUBGROUP_DO_LT_MASK_ARB: masks(s, self, lt, a); break;
    case GP5_SUBGROUP_DO_ELECT: a->bits = self == lowest(s); break;
    case GP5_SUBGROUP_DO_BARRIER: case GP5_SUBGROUP_DO_MEMORY_BARRIER: case GP5_SUBGROUP_DO_MEMORY_BARRIER_BUFFER:
    case GP5_SUBGROUP_DO_MEMORY_BARRIER_SHARED: case GP5_SUBGROUP_DO_MEMORY_BARRIER_IMAGE: break;
    case GP5_SUBGROUP_DO_ALL: case GP5_SUBGROUP_DO_ALL_ARB:
        a->bits = 1;
        for (int i = 0; i < s->size; i++)
            a->bits &= !s->here[i] || model_raw(s, 0, i);
        break;
    case GP5_SUBGROUP_DO_ANY_TRUE: case GP5_SUBGROUP_DO_ANY_ARB:
        for (int i = 0; i < s->size; i++)
            a->bits |= s->here[i] && model_raw(s, 0, i);
        break;
    case GP5_SUBGROUP_DO_ALL_EQUAL: case GP5_SUBGROUP_DO_ALL_EQUAL_ARB:
        a->bits = 1;
        for (int i = 0; i < s->size; i++)
            a->bits &= !s->here[i] || alike(s, self, i);
        break;
    case GP5_SUBGROUP_DO_BROADCAST: case GP5_SUBGROUP_DO_READ_INVOCATION_ARB: case GP5_SUBGROUP_DO_SHUFFLE:
        fetch(s, component, small(index), a);
        break;
    case GP5_SUBGROUP_DO_BROADCAST_FIRST: case GP5_SUBGROUP_DO_READ_FIRST_INVOCATION_ARB:
        fetch(s, component, lowest(s), a);
        break;
    case GP5_SUBGROUP_DO_BALLOT: case GP5_SUBGROUP_DO_BALLOT_ARB:
        for (int i = 0; i < s->size; i++)
            if (s->here[i] && model_raw(s, 0, i)) {
                put_lane(a, i);
                a->bits |= i < 64 ? UINT64_C(1) << i : 0;
            }
        break;
    case GP5_SUBGROUP_DO_INVERSE_BALLOT: a->bits = in_ballot(ballot, self); break;
    case GP5_SUBGROUP_DO_BALLOT_BIT_EXTRACT:
        if (small(index) < s->size)
            a->bits = in_ballot(ballot, (int)index);
        else
            model_fail(a, GP5_SUBGROUP_INDEX_RANGE, NOBODY);
        break;
    case GP5_SUBGROUP_DO_BALLOT_BIT_COUNT: a->bits = (uint64_t)count(ballot, s->size); break;
    case GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT: a->bits = (uint64_t)count(ballot, self + 1); break;
    case GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT: a->bits = (uint64_t)count(ballot, self); break;
    case GP5_SUBGROUP_DO_BALLOT_FIND_LSB: case GP5_SUBGROUP_DO_BALLOT_FIND_MSB:
        if (!count(ballot, s->size)) {
            model_fail(a, GP5_SUBGROUP_NO_BIT, NOBODY);
            break;
        }
        for (int i = 0; i < s->size; i++)
            if (in_ballot(ballot, i)
                && count(ballot, i) == (s->op == GP5_SUBGROUP_DO_BALLOT_FIND_LSB ? 0 : count(ballot, s->size) - 1))
                a->bits = (uint64_t)i;
        break;
    case GP5_SUBGROUP_DO_PARTITION:
        for (int i = 0; i < s->size; i++)
            if (i == self || (s->here[i] && alike(s, i, self)))
                put_lane(a, i);
        break;
    case GP5_SUBGROUP_DO_SHUFFLE_XOR:
        fetch(s, component, index > 1000 ? 100000 : (int64_t)((uint64_t)self ^ index), a);
        break;
    case GP5_SUBGROUP_DO_SHUFFLE_UP: fetch(s, component, self - small(index), a); break;
    case GP5_SUBGROUP_DO_SHUFFLE_DOWN: fetch(s, component, self + small(index), a); break;
    case GP5_SUBGROUP_DO_ROTATE:
        fetch(s, component,
              (int64_t)model_rotation((uint64_t)self, index, s->g->max_size ? s->g->max_size : (unsigned)s->size), a);
        break;
    case GP5_SUBGROUP_DO_CLUSTERED_ROTATE:
        fetch(s, component, (int64_t)model_rotation((uint64_t)self, index, s->in->cluster), a);
        break;
    case GP5_SUBGROUP_DO_QUAD_BROADCAST:
        if (index > 3)
            model_fail(a, GP5_SUBGROUP_INDEX_RANGE, NOBODY);
        else
            fetch(s, component, self / 4 * 4 + (int)index, a);
        break;
    /* a b      b a      c d      d c
     * c d  ->  d c  or  a b  or  b a */
    case GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL:
        fetch(s, component, self / 4 * 4 + (int[]){ 1, 0, 3, 2 }[self % 4], a);
        break;
    case GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL:
        fetch(s, component, self / 4 * 4 + (int[]){ 2, 3, 0, 1 }[self % 4], a);
        break;
    case GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL:
        fetch(s, component, self / 4 * 4 + (int[]){ 3, 2, 1, 0 }[self % 4], a);
        break;
    case GP5_SUBGROUP_DO_SHUFFLE_NV: case GP5_SUBGROUP_DO_SHUFFLE_UP_NV: case GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV:
    case GP5_SUBGROUP_DO_SHUFFLE_XOR_NV:
        thread_shuffle(s, component, self, a);
        break;
    default:
        model_fail(a, -1, -1);        /* an operation that the model does not have: agrees with nothing */
        break;
    }
}

void model_run(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
               unsigned component, struct model_answer answers[128])
{
    struct scene s = { .g = group, .in = in, .op = op, .size = (int)group->size };

    s.exist = group->lanes ? (int)group->lanes : s.size;
    for (int i = 0; i < s.size; i++)
        s.here[i] = in_ballot(&group->active, i);
    memset(answers, 0, 128 * sizeof *answers);
    for (int i = 0; i < 128; i++)
        answers[i].peer = NOBODY;
    if (lowest(&s) == NOBODY || spoiled(&s, answers))
        return;
    for (int i = 0; i < s.size; i++)
        if (s.here[i])
            lane(&s, component, i, &answers[i]);
}
