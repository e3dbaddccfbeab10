/* The second model: see subgroup_model.h. Values are decoded to integers or doubles and encoded again,
 * sets of lanes are arrays of flags, and each operation is the sentence of its document put down as a
 * formula. */
#include "tests/oracle/subgroup_model.h"

#include <math.h>
#include <string.h>

enum { LANES = 128, NOBODY = 255 };

typedef bool set[LANES];

struct scene {
    const struct gp5_subgroup *g;
    const struct gp5_subgroup_operands *in;
    enum gp5_subgroup_op op;
    int size, exist;
    set here;                   /* the active lanes */
};

/* ---- values -------------------------------------------------------------------------------------------- */

static int width_of(enum gp5_subgroup_type type)
{
    switch (type) {
    case GP5_SUBGROUP_BOOL: case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8: return 8;
    case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16: case GP5_SUBGROUP_F16: return 16;
    case GP5_SUBGROUP_I32: case GP5_SUBGROUP_U32: case GP5_SUBGROUP_F32: return 32;
    default: return 64;
    }
}

static bool floating(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16 || type == GP5_SUBGROUP_F32 || type == GP5_SUBGROUP_F64;
}

/* Little-endian or not: bytes are read as the machine has them. */
static uint64_t raw(const struct scene *s, unsigned component, int lane)
{
    size_t at = (size_t)component * (size_t)s->size + (size_t)lane;
    switch (width_of(s->in->type)) {
    case 8: {
        uint8_t v = ((const uint8_t *)s->in->value)[at];
        return s->in->type == GP5_SUBGROUP_BOOL ? !!v : v;
    }
    case 16: { uint16_t v; memcpy(&v, (const char *)s->in->value + 2 * at, 2); return v; }
    case 32: { uint32_t v; memcpy(&v, (const char *)s->in->value + 4 * at, 4); return v; }
    default: { uint64_t v; memcpy(&v, (const char *)s->in->value + 8 * at, 8); return v; }
    }
}

/* IEEE 754 by the book: sign, exponent, fraction. */
double model_float(enum gp5_subgroup_type type, uint64_t bits)
{
    int f = type == GP5_SUBGROUP_F16 ? 10 : type == GP5_SUBGROUP_F32 ? 23 : 52, e = width_of(type) - 1 - f;
    int bias = (1 << (e - 1)) - 1, exponent = (int)(bits >> f & ((1u << e) - 1));
    double fraction = (double)(bits & ((UINT64_C(1) << f) - 1)), sign = bits >> (width_of(type) - 1) & 1 ? -1 : 1;

    if (exponent == (1 << e) - 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - f);
    return sign * ldexp(ldexp(1, f) + fraction, exponent - bias - f);
}

/* The nearest number of the format, ties to the even one, as bits. */
static uint64_t encode(enum gp5_subgroup_type type, double x)
{
    int f = type == GP5_SUBGROUP_F16 ? 10 : type == GP5_SUBGROUP_F32 ? 23 : 52, e = width_of(type) - 1 - f;
    int bias = (1 << (e - 1)) - 1, exponent;
    uint64_t sign = signbit(x) ? UINT64_C(1) << (width_of(type) - 1) : 0, top = (UINT64_C(1) << e) - 1;
    double unit;

    if (isnan(x))
        return top << f | UINT64_C(1) << (f - 1);
    x = fabs(x);
    if (x == 0)
        return sign;
    if (isinf(x))
        return sign | top << f;
    frexp(x, &exponent);
    exponent -= 1;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    unit = ldexp(x, f - exponent);      /* in units of the last place: exact */
    unit = nearbyint(unit);
    if (unit >= ldexp(1, f + 1)) {
        unit /= 2;
        exponent++;
    }
    if (exponent > bias)
        return sign | top << f;
    if (unit < ldexp(1, f))
        return sign | (uint64_t)unit;
    return sign | (uint64_t)(exponent + bias) << f | ((uint64_t)unit - (UINT64_C(1) << f));
}

uint64_t model_float_step(bool multiply, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    double x = model_float(type, a), y = model_float(type, b);
    return encode(type, multiply ? x * y : x + y);
}

static int64_t as_signed(enum gp5_subgroup_type type, uint64_t bits)
{
    switch (type) {
    case GP5_SUBGROUP_I8: return (int8_t)bits;
    case GP5_SUBGROUP_I16: return (int16_t)bits;
    case GP5_SUBGROUP_I32: return (int32_t)bits;
    default: return (int64_t)bits;
    }
}

static uint64_t cut(enum gp5_subgroup_type type, uint64_t bits)
{
    int w = width_of(type);
    return w == 64 ? bits : bits & ((UINT64_C(1) << w) - 1);
}

/* ---- sets ---------------------------------------------------------------------------------------------- */

static bool in_ballot(const struct gp5_ballot *b, int lane)
{
    uint32_t word = b->word[lane >> 5];
    return (word >> (lane & 31)) & 1u;
}

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

static void fail(struct model_answer *a, int reason, int peer)
{
    memset(a, 0, sizeof *a);
    a->reason = reason;
    a->peer = peer;
}

static void fetch(const struct scene *s, unsigned component, int64_t source, struct model_answer *a)
{
    if (source < 0 || source >= s->size)
        fail(a, GP5_SUBGROUP_SOURCE_OUTSIDE, NOBODY);
    else if (!s->here[source])
        fail(a, GP5_SUBGROUP_SOURCE_INACTIVE, (int)source);
    else
        a->bits = raw(s, component, (int)source);
}

/* Numbers beyond what a lane could be, without the trouble of 64 bits. */
static int64_t small(uint64_t n)
{
    return n > 100000 ? 100000 : (int64_t)n;
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

enum kind { ADD = 0, MUL, MIN, MAX, AND, OR, XOR };
enum form { REDUCE = 0, INCLUSIVE, EXCLUSIVE, CLUSTERED, PARTITIONED, PARTITIONED_INCLUSIVE, PARTITIONED_EXCLUSIVE };

/* The 49 operations stand in the enumeration by operator, then by form. */
static bool arithmetic_of(enum gp5_subgroup_op op, enum kind *kind, enum form *form)
{
    int n = (int)op - (int)GP5_SUBGROUP_DO_ADD;
    if (n < 0 || n > (int)GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_XOR - (int)GP5_SUBGROUP_DO_ADD)
        return false;
    *kind = (enum kind)(n / 7);
    *form = (enum form)(n % 7);
    return true;
}

static uint64_t start_value(enum kind kind, enum gp5_subgroup_type type)
{
    bool is_signed = type == GP5_SUBGROUP_I8 || type == GP5_SUBGROUP_I16 || type == GP5_SUBGROUP_I32
                     || type == GP5_SUBGROUP_I64;
    int w = width_of(type);

    if (floating(type))
        return encode(type, kind == ADD ? 0.0 : kind == MUL ? 1.0 : kind == MIN ? INFINITY : -INFINITY);
    if (type == GP5_SUBGROUP_BOOL)
        return kind == AND;
    switch (kind) {
    case MUL: return 1;
    case MIN: return is_signed ? (UINT64_C(1) << (w - 1)) - 1 : cut(type, UINT64_MAX);
    case MAX: return is_signed ? UINT64_C(1) << (w - 1) : 0;
    case AND: return cut(type, UINT64_MAX);
    default: return 0;
    }
}

static uint64_t two(enum kind kind, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    if (kind == AND)
        return a & b;
    if (kind == OR)
        return a | b;
    if (kind == XOR)
        return a ^ b;
    if (floating(type) && kind <= MUL)
        return model_float_step(kind == MUL, type, a, b);
    if (kind == ADD)
        return cut(type, a + b);
    if (kind == MUL)
        return cut(type, a * b);
    if (floating(type)) {       /* no NaN comes here; of zeros min takes -0, max +0 */
        double x = model_float(type, a), y = model_float(type, b);
        bool a_first = x < y || (x == y && signbit(x));
        return (kind == MIN) == a_first ? a : b;
    }
    if (type == GP5_SUBGROUP_U8 || type == GP5_SUBGROUP_U16 || type == GP5_SUBGROUP_U32 || type == GP5_SUBGROUP_U64)
        return (kind == MIN) == (a < b) ? a : b;
    return (kind == MIN) == (as_signed(type, a) < as_signed(type, b)) ? a : b;
}

/* The value of rank r after the steps of 1, 2 ... 2^(k-1). */
static uint64_t doubled(enum kind kind, enum gp5_subgroup_type type, const uint64_t *x, int r, int k)
{
    int reach = k ? 1 << (k - 1) : 0;
    uint64_t own;
    if (!k)
        return x[r];
    own = doubled(kind, type, x, r, k - 1);
    return r < reach ? own : two(kind, type, own, doubled(kind, type, x, r - reach, k - 1));
}

static uint64_t together(enum kind kind, const struct scene *s, uint64_t *x, int n)
{
    int k = 0;
    uint64_t sum;

    if (s->in->order == GP5_SUBGROUP_DOUBLING) {
        while (1 << k < n)
            k++;
        return doubled(kind, s->in->type, x, n - 1, k);
    }
    sum = x[0];
    for (int i = 1; i < n; i++)
        sum = two(kind, s->in->type, sum, x[i]);
    return sum;
}

static void arithmetic(const struct scene *s, unsigned component, int self, enum kind kind, enum form form,
                       struct model_answer *a)
{
    uint64_t x[LANES + 1];
    int n = 0, seen = 0, cluster = form == CLUSTERED ? (int)s->in->cluster : s->size;
    bool partitioned = form >= PARTITIONED;
    bool inclusive = form == INCLUSIVE || form == PARTITIONED_INCLUSIVE;
    bool exclusive = form == EXCLUSIVE || form == PARTITIONED_EXCLUSIVE;
    int from = self / cluster * cluster, to = inclusive ? self + 1 : exclusive ? self : from + cluster;

    if (exclusive && s->in->order == GP5_SUBGROUP_DOUBLING)
        x[n++] = start_value(kind, s->in->type);
    for (int i = from; i < to; i++) {
        uint64_t v;
        if (!s->here[i] || (partitioned && !in_ballot(&s->in->ballot[self], i)))
            continue;
        seen++;
        v = raw(s, component, i);
        if (floating(s->in->type) && (kind == MIN || kind == MAX) && isnan(model_float(s->in->type, v)))
            continue;           /* the other is chosen */
        x[n++] = v;
    }
    if (!seen)
        a->bits = start_value(kind, s->in->type);
    else if (n == (exclusive && s->in->order == GP5_SUBGROUP_DOUBLING ? 1 : 0))
        fail(a, GP5_SUBGROUP_ALL_NAN, NOBODY);
    else
        a->bits = together(kind, s, x, n);
    if (floating(s->in->type) && !a->reason && isnan(model_float(s->in->type, a->bits)))
        a->bits = encode(s->in->type, NAN);
}

/* ---- equality ------------------------------------------------------------------------------------------ */

static bool alike(const struct scene *s, int i, int j)
{
    for (unsigned k = 0; k < (s->in->components ? s->in->components : 1); k++) {
        uint64_t a = raw(s, k, i), b = raw(s, k, j);
        if (floating(s->in->type) ? !(model_float(s->in->type, a) == model_float(s->in->type, b)) : a != b)
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
    bool is_arithmetic = arithmetic_of(s->op, &kind, &form);
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
                fail(&answers[i], own ? own : GP5_SUBGROUP_PARTITION_ELSEWHERE, own ? whose : first);
            }
        return first >= 0;
    }
    for (int i = 0; i < s->size && reason; i++)
        if (s->here[i])
            fail(&answers[i], reason, peer);
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
        fail(a, GP5_SUBGROUP_WIDTH, NOBODY);
        return;
    }
    segment = self / (int)width;
    id = self - segment * (int)width;
    source = s->op == GP5_SUBGROUP_DO_SHUFFLE_NV        ? index
             : s->op == GP5_SUBGROUP_DO_SHUFFLE_UP_NV   ? id - index
             : s->op == GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV ? id + index
                                                        : (id ^ index);
    if (source < 0 || source >= (int)width) {
        a->bits = raw(s, component, self);
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

    if (arithmetic_of(s->op, &kind, &form)) {
        arithmetic(s, component, self, kind, form, a);
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
            a->bits &= !s->here[i] || raw(s, 0, i);
        break;
    case GP5_SUBGROUP_DO_ANY_TRUE: case GP5_SUBGROUP_DO_ANY_ARB:
        for (int i = 0; i < s->size; i++)
            a->bits |= s->here[i] && raw(s, 0, i);
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
            if (s->here[i] && raw(s, 0, i)) {
                put_lane(a, i);
                a->bits |= i < 64 ? UINT64_C(1) << i : 0;
            }
        break;
    case GP5_SUBGROUP_DO_INVERSE_BALLOT: a->bits = in_ballot(ballot, self); break;
    case GP5_SUBGROUP_DO_BALLOT_BIT_EXTRACT:
        if (small(index) < s->size)
            a->bits = in_ballot(ballot, (int)index);
        else
            fail(a, GP5_SUBGROUP_INDEX_RANGE, NOBODY);
        break;
    case GP5_SUBGROUP_DO_BALLOT_BIT_COUNT: a->bits = (uint64_t)count(ballot, s->size); break;
    case GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT: a->bits = (uint64_t)count(ballot, self + 1); break;
    case GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT: a->bits = (uint64_t)count(ballot, self); break;
    case GP5_SUBGROUP_DO_BALLOT_FIND_LSB: case GP5_SUBGROUP_DO_BALLOT_FIND_MSB:
        if (!count(ballot, s->size)) {
            fail(a, GP5_SUBGROUP_NO_BIT, NOBODY);
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
            fail(a, GP5_SUBGROUP_INDEX_RANGE, NOBODY);
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
        fail(a, -1, -1);        /* an operation that the model does not have: agrees with nothing */
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
