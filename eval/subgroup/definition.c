/* The subgroup operations, defined. Read this file to know what each one gives.
 *
 * A definition is a function of the call and of one lane that executes it, `self`; it returns what that
 * lane gets, or why that is undefined. It reads the other lanes' operands and nothing else: definitions
 * take no shortcuts, and what is faster (fast.c) must give the same. "Active" lanes execute the call;
 * others have no operands.
 *
 * Documents are named by their sections: KHR is GL_KHR_shader_subgroup with the subgroup tutorial, PART
 * NV_shader_subgroup_partitioned, ROT SPV_KHR_subgroup_rotate, ARB ARB_shader_ballot, VOTE
 * ARB_shader_group_vote, SHF NV_shader_thread_shuffle. docs/subgroups.md says where they contradict
 * themselves and each other. */
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

struct call {
    const struct gp5_subgroup *group;
    const struct gp5_subgroup_operands *in;
    const struct gp5_subgroup_info *info;
    enum gp5_subgroup_op op;
    enum gp5_subgroup_type type;
    unsigned size, components;
    unsigned component;         /* which of the value is at hand */
    unsigned lane[GP5_SUBGROUP_MAX_SIZE], count;            /* the active lanes, from the lowest */
    uint64_t value[4][GP5_SUBGROUP_MAX_SIZE];               /* of active lanes */
};

struct answer {
    uint64_t word;              /* the value, number or boolean */
    struct gp5_ballot ballot;
    enum gp5_subgroup_reason reason;
    unsigned peer;
    bool valid;                 /* threadIdValid */
};

static bool active(const struct call *c, uint64_t lane)
{
    return lane < c->size && sub_bit(&c->group->active, (unsigned)lane);
}

static struct answer number(uint64_t word)
{
    return (struct answer){ .word = word, .peer = SUB_NO_LANE };
}

static struct answer undefined(enum gp5_subgroup_reason reason, unsigned peer)
{
    return (struct answer){ .reason = reason, .peer = peer };
}

/* The value that lane `source` holds. KHR, ROT and SHF alike: undefined where that lane is not active. */
static struct answer value_of(const struct call *c, uint64_t source)
{
    if (source >= c->size)
        return undefined(GP5_SUBGROUP_SOURCE_OUTSIDE, SUB_NO_LANE);
    if (!active(c, source))
        return undefined(GP5_SUBGROUP_SOURCE_INACTIVE, (unsigned)source);
    return number(c->value[c->component][source]);
}

/* A ballot without the bits that stand for no lane. */
static struct gp5_ballot within(const struct gp5_ballot *ballot, unsigned lanes)
{
    struct gp5_ballot first = sub_first(lanes);
    for (unsigned w = 0; w < 4; w++)
        first.word[w] &= ballot->word[w];
    return first;
}

static bool same_ballot(const struct gp5_ballot *a, const struct gp5_ballot *b, unsigned lanes)
{
    struct gp5_ballot x = within(a, lanes), y = within(b, lanes);
    return memcmp(&x, &y, sizeof x) == 0;
}

static void set_bit(struct gp5_ballot *ballot, unsigned lane)
{
    ballot->word[lane / 32] |= UINT32_C(1) << lane % 32;
}

/* ---- what must hold for a call as a whole -------------------------------------------------------------- */

/* The lowest active lane whose index is not that of the lowest one; SUB_NO_LANE when all have the same. */
static unsigned other_index(const struct call *c)
{
    for (unsigned i = 1; i < c->count; i++)
        if (c->in->index[c->lane[i]] != c->in->index[c->lane[0]])
            return c->lane[i];
    return SUB_NO_LANE;
}

static unsigned other_ballot(const struct call *c)
{
    for (unsigned i = 1; i < c->count; i++)
        if (!same_ballot(&c->in->ballot[c->lane[i]], &c->in->ballot[c->lane[0]], c->size))
            return c->lane[i];
    return SUB_NO_LANE;
}

/* PART 3.8: a lane's ballot has its own bit, and every active lane in it has the same ballot. Bits that
 * stand for no invocation of the subgroup do not count. */
static struct answer partition_fault(const struct gp5_subgroup *group, const struct gp5_ballot *ballot, unsigned self)
{
    unsigned lanes = sub_lanes(group);

    if (!sub_bit(&ballot[self], self))
        return undefined(GP5_SUBGROUP_PARTITION_WITHOUT_SELF, SUB_NO_LANE);
    for (unsigned other = 0; other < lanes; other++)
        if (sub_bit(&group->active, other) && sub_bit(&ballot[self], other)
            && !same_ballot(&ballot[self], &ballot[other], lanes))
            return undefined(GP5_SUBGROUP_PARTITION_PEER_DIFFERS, other);
    return number(0);
}

enum gp5_subgroup_reason gp5_subgroup_check_partition(const struct gp5_subgroup *group, const struct gp5_ballot *ballot,
                                                      unsigned *lane, unsigned *peer)
{
    struct answer fault = number(0);

    for (unsigned self = 0; self < sub_lanes(group) && !fault.reason; self++)
        if (sub_bit(&group->active, self)) {
            fault = partition_fault(group, ballot, self);
            if (lane)
                *lane = fault.reason ? self : SUB_NO_LANE;
        }
    if (peer)
        *peer = fault.peer;
    return fault.reason;
}

static bool is_partitioned(const struct call *c)
{
    return c->info->group == GP5_SUBGROUP_PARTITIONED || c->info->group == GP5_SUBGROUP_PARTITIONED_INCLUSIVE
           || c->info->group == GP5_SUBGROUP_PARTITIONED_EXCLUSIVE;
}

/* Which lanes have what reason when a call as a whole is undefined: all of them, and for a partition each
 * its own. */
static struct answer whole(const struct call *c)
{
    unsigned peer;

    if (c->info->operands & GP5_SUBGROUP_TAKES_CLUSTER) {   /* KHR 3.8, ROT: at least 1, a power of two, at most the
                                                             * size */
        if (!sub_power_of_two(c->in->cluster))
            return undefined(GP5_SUBGROUP_CLUSTER_NOT_POWER_OF_TWO, SUB_NO_LANE);
        if (c->in->cluster > c->size)
            return undefined(GP5_SUBGROUP_CLUSTER_TOO_LARGE, SUB_NO_LANE);
    }
    if (c->info->group == GP5_SUBGROUP_QUAD && c->size < 4) /* KHR 3.8: a quad is a cluster of four */
        return undefined(GP5_SUBGROUP_NO_QUAD, SUB_NO_LANE);

    switch (c->op) {
    case GP5_SUBGROUP_DO_BROADCAST:             /* KHR 8.18: a constant */
    case GP5_SUBGROUP_DO_QUAD_BROADCAST:        /* KHR 8.18: a constant */
    case GP5_SUBGROUP_DO_READ_INVOCATION_ARB:   /* ARB 8.18: the same for all active invocations */
    case GP5_SUBGROUP_DO_ROTATE:                /* ROT: dynamically uniform */
    case GP5_SUBGROUP_DO_CLUSTERED_ROTATE:
        if ((peer = other_index(c)) != SUB_NO_LANE)
            return undefined(GP5_SUBGROUP_NOT_UNIFORM, peer);
        break;
    case GP5_SUBGROUP_DO_INVERSE_BALLOT:        /* KHR 8.18: all active invocations call with the same value */
        if ((peer = other_ballot(c)) != SUB_NO_LANE)
            return undefined(GP5_SUBGROUP_NOT_UNIFORM, peer);
        break;
    default:
        break;
    }
    if (is_partitioned(c)
        && gp5_subgroup_check_partition(c->group, c->in->ballot, &peer, NULL) != GP5_SUBGROUP_DEFINED)
        return undefined(GP5_SUBGROUP_PARTITION_ELSEWHERE, peer);
    return number(0);
}

/* ---- variables (KHR 7.1, ARB 7.1 and 7.4) -------------------------------------------------------------- */

/* The lanes of the group, from bit 0 to bit size - 1, that stand in a relation to self. */
static struct answer lanes_where(const struct call *c, unsigned self, bool below, bool equal, bool above)
{
    struct answer a = number(0);

    for (unsigned i = 0; i < c->size; i++)
        if (i < self ? below : i == self ? equal : above)
            set_bit(&a.ballot, i);
    a.word = a.ballot.word[0] | (uint64_t)a.ballot.word[1] << 32;
    return a;
}

static struct answer variable(const struct call *c, unsigned self)
{
    switch (c->op) {
    case GP5_SUBGROUP_DO_SIZE:
    case GP5_SUBGROUP_DO_SIZE_ARB:
        return number(c->size);
    case GP5_SUBGROUP_DO_INVOCATION:
    case GP5_SUBGROUP_DO_INVOCATION_ARB:
        return number(self);
    case GP5_SUBGROUP_DO_ID:
        return number(c->group->id);
    case GP5_SUBGROUP_DO_COUNT:
        return number(c->group->count ? c->group->count : 1);
    case GP5_SUBGROUP_DO_EQ_MASK:
    case GP5_SUBGROUP_DO_EQ_MASK_ARB:
        return lanes_where(c, self, false, true, false);
    case GP5_SUBGROUP_DO_GE_MASK:
    case GP5_SUBGROUP_DO_GE_MASK_ARB:
        return lanes_where(c, self, false, true, true);
    case GP5_SUBGROUP_DO_GT_MASK:
    case GP5_SUBGROUP_DO_GT_MASK_ARB:
        return lanes_where(c, self, false, false, true);
    case GP5_SUBGROUP_DO_LE_MASK:
    case GP5_SUBGROUP_DO_LE_MASK_ARB:
        return lanes_where(c, self, true, true, false);
    default:    /* LT_MASK, LT_MASK_ARB */
        return lanes_where(c, self, true, false, false);
    }
}

/* ---- elect and votes (KHR 8.18, VOTE 8.18) ------------------------------------------------------------- */

/* True for the lowest active lane alone. */
static struct answer elect(const struct call *c, unsigned self)
{
    return number(self == c->lane[0]);
}

static struct answer all(const struct call *c)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!c->value[0][c->lane[i]])
            return number(false);
    return number(true);
}

static struct answer any(const struct call *c)
{
    for (unsigned i = 0; i < c->count; i++)
        if (c->value[0][c->lane[i]])
            return number(true);
    return number(false);
}

/* Whether two lanes hold the same value, of all components. */
static bool equal_values(const struct call *c, unsigned a, unsigned b)
{
    for (unsigned k = 0; k < c->components; k++)
        if (!sub_equal(c->type, c->value[k][a], c->value[k][b]))
            return false;
    return true;
}

/* A lane is compared with itself too: a NaN, which equals nothing, makes it false. */
static struct answer all_equal(const struct call *c)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!equal_values(c, c->lane[0], c->lane[i]))
            return number(false);
    return number(true);
}

/* ---- ballots (KHR 8.18, ARB 8.18) ---------------------------------------------------------------------- */

/* One bit a lane: of active lanes whose value is true. */
static struct answer ballot(const struct call *c)
{
    struct answer a = number(0);

    for (unsigned i = 0; i < c->count; i++)
        if (c->value[0][c->lane[i]])
            set_bit(&a.ballot, c->lane[i]);
    a.word = a.ballot.word[0] | (uint64_t)a.ballot.word[1] << 32;
    return a;
}

static struct answer inverse_ballot(const struct call *c, unsigned self)
{
    return number(sub_bit(&c->in->ballot[self], self));
}

static struct answer bit_extract(const struct call *c, unsigned self)
{
    if (c->in->index[self] >= c->size)
        return undefined(GP5_SUBGROUP_INDEX_RANGE, SUB_NO_LANE);
    return number(sub_bit(&c->in->ballot[self], (unsigned)c->in->index[self]));
}

/* Bits set among the lowest `lanes`, whether those lanes are active or not. */
static struct answer count_bits(const struct call *c, unsigned self, unsigned lanes)
{
    unsigned n = 0;
    for (unsigned i = 0; i < lanes; i++)
        n += sub_bit(&c->in->ballot[self], i);
    return number(n);
}

static struct answer find_lsb(const struct call *c, unsigned self)
{
    for (unsigned i = 0; i < c->size; i++)
        if (sub_bit(&c->in->ballot[self], i))
            return number(i);
    return undefined(GP5_SUBGROUP_NO_BIT, SUB_NO_LANE);
}

static struct answer find_msb(const struct call *c, unsigned self)
{
    for (unsigned i = c->size; i-- > 0;)
        if (sub_bit(&c->in->ballot[self], i))
            return number(i);
    return undefined(GP5_SUBGROUP_NO_BIT, SUB_NO_LANE);
}

/* ---- arithmetic (KHR 3.8 and 8.18, PART 3.8 and 8.18) -------------------------------------------------- */

bool sub_contributes(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                     unsigned lane, unsigned other)
{
    if (other >= group->size || !sub_bit(&group->active, other))
        return false;
    switch (sub_rows[op].group) {
    case GP5_SUBGROUP_REDUCE:
        return true;
    case GP5_SUBGROUP_INCLUSIVE:
        return other <= lane;
    case GP5_SUBGROUP_EXCLUSIVE:
        return other < lane;
    case GP5_SUBGROUP_CLUSTERED:
        return other / in->cluster == lane / in->cluster;
    case GP5_SUBGROUP_PARTITIONED:
        return sub_bit(&in->ballot[lane], other);
    case GP5_SUBGROUP_PARTITIONED_INCLUSIVE:
        return sub_bit(&in->ballot[lane], other) && other <= lane;
    default:    /* PARTITIONED_EXCLUSIVE */
        return sub_bit(&in->ballot[lane], other) && other < lane;
    }
}

/* ((x0 op x1) op x2) op x3 ... */
static uint64_t in_sequence(const struct call *c, const uint64_t *x, unsigned n)
{
    uint64_t result = x[0];
    for (unsigned i = 1; i < n; i++)
        result = sub_combine(c->info->arithmetic, c->type, result, x[i]);
    return result;
}

/* The last of the values after x[r] op= x[r - d] for all r at once, d = 1, 2, 4 ... */
static uint64_t by_doubling(const struct call *c, uint64_t *x, unsigned n)
{
    for (unsigned d = 1; d < n; d *= 2)
        for (unsigned r = n - 1; r >= d; r--)   /* from above, so that x[r - d] is still the old one */
            x[r] = sub_combine(c->info->arithmetic, c->type, x[r], x[r - d]);
    return x[n - 1];
}

/* Reductions, scans, clustered and partitioned: they differ in which lanes contribute. */
static struct answer arithmetic(const struct call *c, unsigned self)
{
    uint64_t x[GP5_SUBGROUP_MAX_SIZE + 1];
    bool exclusive = c->info->group == GP5_SUBGROUP_EXCLUSIVE
                     || c->info->group == GP5_SUBGROUP_PARTITIONED_EXCLUSIVE;
    bool doubling = c->in->order == GP5_SUBGROUP_DOUBLING;
    unsigned n = 0, nans = 0;

    for (unsigned i = 0; i < c->count; i++)
        if (sub_contributes(c->op, c->group, c->in, self, c->lane[i])) {
            x[n] = c->value[c->component][c->lane[i]];
            nans += sub_is_nan(c->type, x[n]);
            n++;
        }
    if (!n)     /* the first lane of an exclusive scan */
        return number(sub_identity(c->info->arithmetic, c->type));
    if (nans == n && (c->info->arithmetic == GP5_SUBGROUP_OP_MIN || c->info->arithmetic == GP5_SUBGROUP_OP_MAX))
        return undefined(GP5_SUBGROUP_ALL_NAN, SUB_NO_LANE);    /* KHR 3.8 */
    if (doubling && exclusive) {
        memmove(x + 1, x, n * sizeof *x);
        x[0] = sub_identity(c->info->arithmetic, c->type);
        n++;
    }
    if (nans && c->info->arithmetic != GP5_SUBGROUP_OP_MIN && c->info->arithmetic != GP5_SUBGROUP_OP_MAX)
        return number(sub_nan(c->type));        /* whatever the order; one NaN stands for all */
    return number(doubling ? by_doubling(c, x, n) : in_sequence(c, x, n));
}

/* PART 8.18: the active lanes that hold the same value. A NaN is in a subset by itself. */
static struct answer partition(const struct call *c, unsigned self)
{
    struct answer a = number(0);

    for (unsigned i = 0; i < c->count; i++)
        if (c->lane[i] == self || equal_values(c, self, c->lane[i]))
            set_bit(&a.ballot, c->lane[i]);
    return a;
}

/* ---- shuffles (KHR 8.18) ------------------------------------------------------------------------------- */

static struct answer shuffle(const struct call *c, unsigned self)
{
    return value_of(c, c->in->index[self]);
}

/* The mask may differ between lanes: revision 7 of KHR took back that it must not. */
static struct answer shuffle_xor(const struct call *c, unsigned self)
{
    return value_of(c, self ^ c->in->index[self]);
}

static struct answer shuffle_up(const struct call *c, unsigned self)
{
    if (c->in->index[self] > self)
        return undefined(GP5_SUBGROUP_SOURCE_OUTSIDE, SUB_NO_LANE);
    return value_of(c, self - c->in->index[self]);
}

static struct answer shuffle_down(const struct call *c, unsigned self)
{
    if (c->in->index[self] >= c->size)      /* before the sum could wrap */
        return undefined(GP5_SUBGROUP_SOURCE_OUTSIDE, SUB_NO_LANE);
    return value_of(c, self + c->in->index[self]);
}

/* ---- rotation (ROT) ------------------------------------------------------------------------------------ */

/* N is the cluster size where there is one, SubgroupMaxSize with the Kernel capability, SubgroupSize
 * without. */
static struct answer rotate(const struct call *c, unsigned self)
{
    uint64_t n = c->op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE ? c->in->cluster
                 : c->group->max_size                      ? c->group->max_size
                                                           : c->size;
    return value_of(c, sub_rotated(self, c->in->index[self], n));
}

/* ---- quads (KHR 8.18) ---------------------------------------------------------------------------------- */

static struct answer quad_broadcast(const struct call *c, unsigned self)
{
    if (c->in->index[self] >= 4)
        return undefined(GP5_SUBGROUP_INDEX_RANGE, SUB_NO_LANE);
    return value_of(c, (self & ~3u) + c->in->index[self]);
}

/* Lanes 0 1 stand above lanes 2 3: horizontally 0 and 1 swap, vertically 0 and 2, diagonally 0 and 3. */
static struct answer quad_swap(const struct call *c, unsigned self)
{
    unsigned across = c->op == GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL ? 1
                      : c->op == GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL ? 2
                                                                    : 3;
    return value_of(c, self ^ across);
}

/* ---- shuffles of NV_shader_thread_shuffle (SHF 8.3) ---------------------------------------------------- */

/* Lanes are counted from the start of their own segment of `width` lanes. Of the index only five bits
 * count. Out of range: the lane's own value, and threadIdValid false. In range, threadIdValid is true
 * whether the source is active or not. */
static struct answer shuffle_nv(const struct call *c, unsigned self)
{
    uint64_t width = c->in->width[self];
    int index = (int)(c->in->index[self] & 31), place, source;
    struct answer a;

    if (!sub_power_of_two(width) || width < 2 || width > 32)
        return undefined(GP5_SUBGROUP_WIDTH, SUB_NO_LANE);
    place = (int)(self % width);
    switch (c->op) {
    case GP5_SUBGROUP_DO_SHUFFLE_NV:
        source = index;
        break;
    case GP5_SUBGROUP_DO_SHUFFLE_UP_NV:
        source = place - index;
        break;
    case GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV:
        source = place + index;
        break;
    default:    /* SHUFFLE_XOR_NV */
        source = place ^ index;
        break;
    }
    if (source < 0 || source >= (int)width)
        return number(c->value[c->component][self]);    /* valid is false */
    a = value_of(c, self - (unsigned)place + (unsigned)source);
    a.valid = true;
    return a;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static struct answer define(const struct call *c, unsigned self)
{
    switch (c->op) {
    case GP5_SUBGROUP_DO_ELECT:
        return elect(c, self);
    case GP5_SUBGROUP_DO_ALL:
    case GP5_SUBGROUP_DO_ALL_ARB:
        return all(c);
    case GP5_SUBGROUP_DO_ANY_TRUE:
    case GP5_SUBGROUP_DO_ANY_ARB:
        return any(c);
    case GP5_SUBGROUP_DO_ALL_EQUAL:
    case GP5_SUBGROUP_DO_ALL_EQUAL_ARB:
        return all_equal(c);
    case GP5_SUBGROUP_DO_BROADCAST:
    case GP5_SUBGROUP_DO_READ_INVOCATION_ARB:
    case GP5_SUBGROUP_DO_SHUFFLE:
        return shuffle(c, self);
    case GP5_SUBGROUP_DO_BROADCAST_FIRST:
    case GP5_SUBGROUP_DO_READ_FIRST_INVOCATION_ARB:
        return value_of(c, c->lane[0]);
    case GP5_SUBGROUP_DO_BALLOT:
    case GP5_SUBGROUP_DO_BALLOT_ARB:
        return ballot(c);
    case GP5_SUBGROUP_DO_INVERSE_BALLOT:
        return inverse_ballot(c, self);
    case GP5_SUBGROUP_DO_BALLOT_BIT_EXTRACT:
        return bit_extract(c, self);
    case GP5_SUBGROUP_DO_BALLOT_BIT_COUNT:
        return count_bits(c, self, c->size);
    case GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT:
        return count_bits(c, self, self + 1);
    case GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT:
        return count_bits(c, self, self);
    case GP5_SUBGROUP_DO_BALLOT_FIND_LSB:
        return find_lsb(c, self);
    case GP5_SUBGROUP_DO_BALLOT_FIND_MSB:
        return find_msb(c, self);
    case GP5_SUBGROUP_DO_PARTITION:
        return partition(c, self);
    case GP5_SUBGROUP_DO_SHUFFLE_XOR:
        return shuffle_xor(c, self);
    case GP5_SUBGROUP_DO_SHUFFLE_UP:
        return shuffle_up(c, self);
    case GP5_SUBGROUP_DO_SHUFFLE_DOWN:
        return shuffle_down(c, self);
    case GP5_SUBGROUP_DO_ROTATE:
    case GP5_SUBGROUP_DO_CLUSTERED_ROTATE:
        return rotate(c, self);
    case GP5_SUBGROUP_DO_QUAD_BROADCAST:
        return quad_broadcast(c, self);
    case GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL:
    case GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL:
    case GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL:
        return quad_swap(c, self);
    default:
        return c->info->arithmetic                            ? arithmetic(c, self)
               : c->info->group == GP5_SUBGROUP_SHUFFLES_NV ? shuffle_nv(c, self)
                                                              : variable(c, self);
    }
}

/* ---- a call -------------------------------------------------------------------------------------------- */

static void write(const struct call *c, const struct gp5_subgroup_result *out, unsigned lane, const struct answer *a)
{
    size_t place = (size_t)c->component * c->size + lane;

    out->reason[place] = (uint8_t)a->reason;
    if (out->peer)
        out->peer[place] = (uint8_t)a->peer;
    if (out->valid && c->info->group == GP5_SUBGROUP_SHUFFLES_NV)
        out->valid[lane] = a->valid;
    switch (c->info->answer) {
    case GP5_SUBGROUP_A_VALUE:
        sub_store(c->type, out->value, place, a->word);
        break;
    case GP5_SUBGROUP_A_BOOL:
        sub_store(GP5_SUBGROUP_BOOL, out->value, lane, a->word);
        break;
    case GP5_SUBGROUP_A_UINT:
        sub_store(GP5_SUBGROUP_U32, out->value, lane, a->word);
        break;
    case GP5_SUBGROUP_A_UINT64:
        sub_store(GP5_SUBGROUP_U64, out->value, lane, a->word);
        break;
    case GP5_SUBGROUP_A_BALLOT:
        ((struct gp5_ballot *)out->value)[lane] = a->ballot;
        break;
    default:    /* NOTHING: a barrier orders, and gives no value */
        break;
    }
}

static void load(struct call *c)
{
    for (unsigned lane = 0; lane < c->size; lane++)
        if (active(c, lane))
            c->lane[c->count++] = lane;
    if (!(c->info->operands & GP5_SUBGROUP_TAKES_VALUE))
        return;
    for (unsigned k = 0; k < c->components; k++)
        for (unsigned i = 0; i < c->count; i++)
            c->value[k][c->lane[i]] = sub_load(c->type, c->in->value, (size_t)k * c->size + c->lane[i]);
}

bool sub_define(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                const struct gp5_subgroup_result *out)
{
    struct call c;
    struct answer fault;
    bool defined = true;

    c.group = group;
    c.in = in;
    c.info = &sub_rows[op];
    c.op = op;
    c.type = in->type;
    c.size = group->size;
    c.components = sub_components(in);
    c.count = 0;
    load(&c);
    if (!c.count)
        return true;
    fault = whole(&c);
    for (c.component = 0; c.component < (c.info->answer == GP5_SUBGROUP_A_VALUE ? c.components : 1); c.component++)
        for (unsigned i = 0; i < c.count; i++) {
            unsigned self = c.lane[i];
            struct answer a = fault;

            if (!fault.reason)
                a = c.info->answer == GP5_SUBGROUP_NOTHING ? number(0) : define(&c, self);
            else if (is_partitioned(&c)) {
                a = partition_fault(group, in->ballot, self);
                a = a.reason ? a : fault;
            }
            defined &= !a.reason;
            write(&c, out, self, &a);
        }
    return defined;
}
