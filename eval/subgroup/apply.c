/* The doors: what a call must bring, and which way it goes. */
#include "eval/subgroup/environment.h"
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

static bool good_group(const struct gp5_subgroup *group)
{
    const uint32_t *w = group->active.word;
    unsigned lanes = sub_lanes(group);
    uint64_t low = w[0] | (uint64_t)w[1] << 32, high = w[2] | (uint64_t)w[3] << 32;

    if (!sub_power_of_two(group->size) || group->size > GP5_SUBGROUP_MAX_SIZE || lanes > group->size)
        return false;
    if (group->max_size && (!sub_power_of_two(group->max_size) || group->max_size < group->size
                            || group->max_size > GP5_SUBGROUP_MAX_SIZE))
        return false;
    if (lanes <= 64 ? high || (low & ~sub_low_bits(lanes)) : high & ~sub_low_bits(lanes - 64))
        return false;
    return group->id < (group->count ? group->count : 1);
}

static bool good_operands(const struct gp5_subgroup_info *info, const struct gp5_subgroup_operands *in,
                          const struct gp5_subgroup_result *out)
{
    unsigned there = GP5_SUBGROUP_TAKES_CLUSTER | GP5_SUBGROUP_ARB | (in->value ? GP5_SUBGROUP_TAKES_VALUE : 0)
                     | (in->index ? GP5_SUBGROUP_TAKES_INDEX : 0) | (in->ballot ? GP5_SUBGROUP_TAKES_BALLOT : 0)
                     | (in->width ? GP5_SUBGROUP_TAKES_WIDTH : 0);

    return !(info->operands & ~there) && in->components <= 4 && (unsigned)in->order <= GP5_SUBGROUP_DOUBLING
           && out->reason && (out->value || info->answer == GP5_SUBGROUP_NOTHING);
}

/* Whether a call is one at all; OK, or a status from ERROR_64 on. */
static enum gp5_subgroup_status check(const struct gp5_subgroup_info *info, const struct gp5_subgroup *group,
                                      const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    if (!good_group(group))
        return GP5_SUBGROUP_BAD_GROUP;
    if ((info->operands & GP5_SUBGROUP_TAKES_VALUE)
        && ((unsigned)in->type >= GP5_SUBGROUP_TYPE_COUNT || !(info->types >> in->type & 1)))
        return GP5_SUBGROUP_BAD_TYPE;
    if (!good_operands(info, in, out))
        return GP5_SUBGROUP_BAD_OPERAND;
    if ((info->operands & GP5_SUBGROUP_ARB) && group->size > 64)
        return GP5_SUBGROUP_ERROR_64;
    return GP5_SUBGROUP_OK;
}

static void tell_above_64(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                          const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    unsigned planes = sub_rows[op].answer == GP5_SUBGROUP_A_VALUE ? sub_components(in) : 1;

    for (unsigned i = 0; i < planes * group->size; i++)
        if (sub_bit(&group->active, i % group->size)) {
            out->reason[i] = GP5_SUBGROUP_ABOVE_64;
            if (out->peer)
                out->peer[i] = SUB_NO_LANE;
        }
}

static inline enum gp5_subgroup_status enter(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                      const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out,
                                      bool fast)
{
    const struct gp5_subgroup_info *info = &sub_rows[op];
    enum gp5_subgroup_status status;
    sub_environment environment;
    bool defined = true, floats;

    if ((unsigned)op >= GP5_SUBGROUP_OP_COUNT)
        return GP5_SUBGROUP_BAD_OP;
    status = check(info, group, in, out);
    if (status == GP5_SUBGROUP_ERROR_64)
        tell_above_64(op, group, in, out);
    if (status != GP5_SUBGROUP_OK)
        return status;
    floats = info->arithmetic && sub_is_float(in->type);
    if (floats)
        sub_enter(&environment);
    if (!fast || !sub_fast(op, group, in, out, &defined))
        defined = sub_define(op, group, in, out);
    if (floats)
        sub_leave(&environment);
    return defined ? GP5_SUBGROUP_OK : GP5_SUBGROUP_UNDEFINED;
}

enum gp5_subgroup_status gp5_subgroup_apply(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                            const struct gp5_subgroup_operands *in,
                                            const struct gp5_subgroup_result *out)
{
    if ((unsigned)op < GP5_SUBGROUP_OP_COUNT && sub_scan_32(op, group, in, out))
        return GP5_SUBGROUP_OK;
    return enter(op, group, in, out, true);
}

enum gp5_subgroup_status gp5_subgroup_define(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                             const struct gp5_subgroup_operands *in,
                                             const struct gp5_subgroup_result *out)
{
    return enter(op, group, in, out, false);
}
