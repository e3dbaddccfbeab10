/* Rotation within a work group (ROT, Execution is Workgroup): as within a subgroup, over all its invocations. */
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

static bool executes(const struct gp5_workgroup *group, uint64_t lane)
{
    return lane < group->invocations && (group->active[lane / 32] >> lane % 32 & 1);
}

static enum gp5_subgroup_reason workgroup_fault(bool clustered, const struct gp5_workgroup *group,
                                                const struct gp5_subgroup_operands *in)
{
    uint32_t first = group->invocations;

    if (clustered && !sub_power_of_two(in->cluster))
        return GP5_SUBGROUP_CLUSTER_NOT_POWER_OF_TWO;
    if (clustered && in->cluster > group->size)
        return GP5_SUBGROUP_CLUSTER_TOO_LARGE;
    for (uint32_t i = 0; i < group->invocations; i++) {
        if (!executes(group, i))
            continue;
        if (first == group->invocations)
            first = i;
        if (in->index[i] != in->index[first])
            return GP5_SUBGROUP_NOT_UNIFORM;
    }
    return GP5_SUBGROUP_DEFINED;
}

enum gp5_subgroup_status gp5_subgroup_rotate_workgroup(enum gp5_subgroup_op op, const struct gp5_workgroup *group,
                                                       const struct gp5_subgroup_operands *in,
                                                       const struct gp5_subgroup_result *out)
{
    bool clustered = op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE, defined = true;
    enum gp5_subgroup_reason fault;
    uint64_t n;

    if (!clustered && op != GP5_SUBGROUP_DO_ROTATE)
        return GP5_SUBGROUP_BAD_OP;
    if (!sub_power_of_two(group->size) || group->size > GP5_SUBGROUP_MAX_SIZE || !group->active
        || (group->max_size && (!sub_power_of_two(group->max_size) || group->max_size < group->size
                                || group->max_size > GP5_SUBGROUP_MAX_SIZE)))
        return GP5_SUBGROUP_BAD_GROUP;
    if ((unsigned)in->type >= GP5_SUBGROUP_TYPE_COUNT)
        return GP5_SUBGROUP_BAD_TYPE;
    if (in->components > 4 || !in->value || !in->index || !out->value || !out->reason)
        return GP5_SUBGROUP_BAD_OPERAND;

    fault = workgroup_fault(clustered, group, in);
    n = clustered ? in->cluster : group->max_size ? group->max_size : group->size;
    for (unsigned k = 0; k < sub_components(in); k++)
        for (uint32_t self = 0; self < group->invocations; self++) {
            size_t plane = (size_t)k * group->invocations;
            enum gp5_subgroup_reason reason = fault;
            uint64_t source = 0;

            if (!executes(group, self))
                continue;
            if (!fault) {
                source = sub_rotated(self, in->index[self], n);
                reason = source >= group->invocations ? GP5_SUBGROUP_SOURCE_OUTSIDE
                         : !executes(group, source)   ? GP5_SUBGROUP_SOURCE_INACTIVE
                                                      : GP5_SUBGROUP_DEFINED;
            }
            out->reason[plane + self] = (uint8_t)reason;
            sub_store(in->type, out->value, plane + self, reason ? 0 : sub_load(in->type, in->value, plane + source));
            defined &= !reason;
        }
    return defined ? GP5_SUBGROUP_OK : GP5_SUBGROUP_UNDEFINED;
}
