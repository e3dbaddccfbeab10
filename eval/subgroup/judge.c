/* Whether what a driver answered is what the documents allow. */
#include "eval/subgroup/environment.h"
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

#include <math.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE };

struct trial {
    const struct gp5_subgroup *group;
    const struct gp5_subgroup_operands *in;
    const struct gp5_subgroup_info *info;
    enum gp5_subgroup_op op;
    unsigned flags;
    const void *answer;
};

/* A float as a driver that flushes denormals may see it. */
static uint64_t seen(const struct trial *t, uint64_t word)
{
    enum gp5_subgroup_type type = t->in->type;
    unsigned fraction = type == GP5_SUBGROUP_F16 ? 10 : type == GP5_SUBGROUP_F32 ? 23 : 52;

    if (!sub_is_float(type) || !(t->flags & GP5_SUBGROUP_MAY_FLUSH)
        || (word & ~sub_sign(type)) >= UINT64_C(1) << fraction)
        return word;
    return word & sub_sign(type);
}

static uint64_t operand(const struct trial *t, unsigned component, unsigned lane)
{
    return sub_load(t->in->type, t->in->value, (size_t)component * t->group->size + lane);
}

static bool equal_operands(const struct trial *t, unsigned a, unsigned b, bool flushed)
{
    for (unsigned k = 0; k < sub_components(t->in); k++) {
        uint64_t x = operand(t, k, a), y = operand(t, k, b);
        if (!(flushed ? sub_equal(t->in->type, seen(t, x), seen(t, y)) : sub_equal(t->in->type, x, y)))
            return false;
    }
    return true;
}

static bool same_bits(const struct trial *t, unsigned a, unsigned b)
{
    for (unsigned k = 0; k < sub_components(t->in); k++)
        if (operand(t, k, a) != operand(t, k, b))
            return false;
    return true;
}

static bool within_bound(const struct trial *t, unsigned component, unsigned lane, uint64_t word)
{
    uint64_t values[MAX];       /* room for elements of any size */
    struct gp5_subgroup_bound bound;
    enum gp5_subgroup_type type = t->in->type;
    double x = sub_value(type, word);
    unsigned n = 0;

    for (unsigned other = 0; other < t->group->size; other++)
        if (sub_contributes(t->op, t->group, t->in, lane, other))
            sub_store(type, values, n++, operand(t, component, other));
    if (!gp5_subgroup_bound(t->info->arithmetic, type, values, n, t->flags, &bound))
        return false;           /* n is 0: an identity, which is what it is */
    if (x != x)
        return bound.nan;
    if (isinf(x))
        return x > 0 ? bound.plus_infinity : bound.minus_infinity;
    return x >= bound.low && x <= bound.high;
}

static enum gp5_subgroup_verdict judge_value(const struct trial *t, unsigned component, unsigned lane, uint64_t wanted)
{
    enum gp5_subgroup_type type = t->in->type;
    uint64_t got = sub_load(type, t->answer, (size_t)component * t->group->size + lane);
    bool allowed;

    if (got == wanted || (sub_is_nan(type, got) && sub_is_nan(type, wanted)))
        return GP5_SUBGROUP_SAME;
    if (!sub_is_float(type))
        return GP5_SUBGROUP_WRONG;
    if (t->info->arithmetic == GP5_SUBGROUP_OP_ADD || t->info->arithmetic == GP5_SUBGROUP_OP_MUL)
        allowed = within_bound(t, component, lane, got);
    else if (t->info->arithmetic)       /* min and max: either zero, of several */
        allowed = sub_equal(type, seen(t, got), seen(t, wanted));
    else
        allowed = seen(t, wanted) == got;
    return allowed ? GP5_SUBGROUP_ALLOWED : GP5_SUBGROUP_WRONG;
}

/* NV_shader_subgroup_partitioned, 8.18: a valid partition; within a subset the same value, which bit-
 * identical NaNs may be said to be; lanes of different subsets are not equal, or one is a NaN. */
static bool allowed_partition(const struct trial *t, unsigned lane)
{
    const struct gp5_ballot *ballots = t->answer, *mine = &ballots[lane];

    if (!sub_bit(mine, lane))
        return false;
    for (unsigned other = 0; other < MAX; other++) {
        bool member = sub_bit(mine, other);

        if (other >= t->group->size || !sub_bit(&t->group->active, other)) {
            if (member)
                return false;
        } else if (member) {
            if (memcmp(mine, &ballots[other], sizeof *mine) != 0
                || (!equal_operands(t, lane, other, true) && !equal_operands(t, lane, other, false)
                    && !same_bits(t, lane, other)))
                return false;
        } else if (equal_operands(t, lane, other, false)) {
            return false;
        }
    }
    return true;
}

/* Flushed denormals are equal to zero, and a NaN compared with itself may not have been compared at all. */
static bool allowed_equality(const struct trial *t, bool got)
{
    bool identical = true, flushed = true;
    unsigned first = 0;

    while (!sub_bit(&t->group->active, first))
        first++;
    for (unsigned other = first; other < t->group->size; other++)
        if (sub_bit(&t->group->active, other)) {
            identical &= same_bits(t, first, other);
            flushed &= equal_operands(t, first, other, true);
        }
    return sub_is_float(t->in->type) && got && (identical || flushed);
}

static enum gp5_subgroup_verdict judge_lane(const struct trial *t, unsigned component, unsigned lane,
                                            const void *wanted)
{
    static const enum gp5_subgroup_type types[] = {
        [GP5_SUBGROUP_A_BOOL] = GP5_SUBGROUP_BOOL,
        [GP5_SUBGROUP_A_UINT] = GP5_SUBGROUP_U32,
        [GP5_SUBGROUP_A_UINT64] = GP5_SUBGROUP_U64,
    };
    uint64_t got, want;

    switch (t->info->answer) {
    case GP5_SUBGROUP_NOTHING:
        return GP5_SUBGROUP_SAME;
    case GP5_SUBGROUP_A_VALUE:
        return judge_value(t, component, lane,
                           sub_load(t->in->type, wanted, (size_t)component * t->group->size + lane));
    case GP5_SUBGROUP_A_BALLOT:
        if (memcmp((const struct gp5_ballot *)t->answer + lane, (const struct gp5_ballot *)wanted + lane,
                   sizeof(struct gp5_ballot)) == 0)
            return GP5_SUBGROUP_SAME;
        return t->info->group == GP5_SUBGROUP_PARTITION_OF && allowed_partition(t, lane) ? GP5_SUBGROUP_ALLOWED
                                                                                           : GP5_SUBGROUP_WRONG;
    default:
        got = sub_load(types[t->info->answer], t->answer, lane);
        want = sub_load(types[t->info->answer], wanted, lane);
        if (got == want)
            return GP5_SUBGROUP_SAME;
        return t->op == GP5_SUBGROUP_DO_ALL_EQUAL && allowed_equality(t, got) ? GP5_SUBGROUP_ALLOWED
                                                                               : GP5_SUBGROUP_WRONG;
    }
}

enum gp5_subgroup_status gp5_subgroup_judge(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                            const struct gp5_subgroup_operands *in, const void *answer, unsigned flags,
                                            uint8_t *verdict)
{
    uint64_t wanted[4 * MAX];   /* four planes of the widest type, or ballots */
    uint8_t reason[4 * MAX];
    const struct gp5_subgroup_result out = { .value = wanted, .reason = reason };
    struct trial t = { group, in, gp5_subgroup_info(op), op, flags, answer };
    sub_environment environment;
    enum gp5_subgroup_status status;
    unsigned planes;

    status = gp5_subgroup_define(op, group, in, &out);
    if (status > GP5_SUBGROUP_UNDEFINED)
        return status;
    if (!verdict || (!answer && t.info->answer != GP5_SUBGROUP_NOTHING))
        return GP5_SUBGROUP_BAD_OPERAND;
    planes = t.info->answer == GP5_SUBGROUP_A_VALUE ? sub_components(in) : 1;
    sub_enter(&environment);
    for (unsigned k = 0; k < planes; k++)
        for (unsigned lane = 0; lane < group->size; lane++) {
            unsigned place = k * group->size + lane;
            if (sub_bit(&group->active, lane))
                verdict[place] = (uint8_t)(reason[place] ? GP5_SUBGROUP_ANYTHING : judge_lane(&t, k, lane, wanted));
        }
    sub_leave(&environment);
    return status;
}
