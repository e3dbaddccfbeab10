/* The doors to the faster ways to what definition.c says: for scans, reductions, clusters, partitions and rotations of
 * whole arrays of lanes. A call that is not of the usual kind, or has a fault, is left to the definitions. Floats are
 * added in the very order that was asked for; where none was, integers take any. */
#include "eval/subgroup/environment.h"
#include "eval/subgroup/kernels.h"

static bool aligned(const void *array, size_t bytes)
{
    return (uintptr_t)array % bytes == 0;
}

/* The kernels for this machine. */
static inline const struct sub_level *level_of_machine(void)
{
#define LEVEL_OF(level) { &sub_any_##level, &sub_scans_##level, &sub_sequences_##level, sub_tell_32_##level }
    static const struct sub_level base = LEVEL_OF(base);
#if defined(__x86_64__)
    static const struct sub_level v3 = LEVEL_OF(v3);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return &v3;
#endif
    return &base;
}

/* The way through 32 lanes in vectors, where there is one that keeps the order of floats. */
static sub_kernel *special(const struct sub_level *level, const struct sub_job *job, enum gp5_subgroup_type type,
                           enum gp5_subgroup_arithmetic arithmetic)
{
    if (job->active.size != 32 || job->shape == REDUCE || job->ballot)
        return NULL;
    if (!sub_is_float(type))
        return (*level->scans)[type][arithmetic];
    if (!job->active.full)
        return NULL;
    return job->doubling ? (*level->scans)[type][arithmetic] : (*level->sequences)[type][arithmetic];
}

static void tell_defined(const struct lanes *active, const struct gp5_subgroup_result *out, size_t plane)
{
    tell(active, out->reason + plane, GP5_SUBGROUP_DEFINED);
    if (out->peer)
        tell(active, out->peer + plane, SUB_NO_LANE);
}

/* What the operation's class makes of a job; false when the definitions are to judge it. */
static bool shape_job(struct sub_job *job, const struct gp5_subgroup_info *info, const struct gp5_subgroup *group,
                      const struct gp5_subgroup_operands *in)
{
    switch (info->group) {
    case GP5_SUBGROUP_CLUSTERED:
        if (!sub_power_of_two(in->cluster) || in->cluster > group->size)
            return false;
        job->cluster = (unsigned)in->cluster;
        break;
    case GP5_SUBGROUP_INCLUSIVE:
    case GP5_SUBGROUP_PARTITIONED_INCLUSIVE:
        job->shape = INCLUSIVE;
        break;
    case GP5_SUBGROUP_EXCLUSIVE:
    case GP5_SUBGROUP_PARTITIONED_EXCLUSIVE:
        job->shape = EXCLUSIVE;
        break;
    default:
        break;
    }
    if (info->operands & GP5_SUBGROUP_TAKES_BALLOT) {
        if (sub_lanes(group) != group->size)
            return false;
        job->ballot = in->ballot;
    }
    return true;
}

static bool fast_arithmetic(const struct gp5_subgroup_info *info, const struct gp5_subgroup *group,
                            const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    const struct sub_level *level = level_of_machine();
    sub_kernel *run = (*level->any)[in->type][info->arithmetic], *better;
    size_t bytes = sub_bytes(in->type);
    struct sub_job job = { .active = lanes_of(group), .shape = REDUCE, .doubling = in->order == GP5_SUBGROUP_DOUBLING,
                           .cluster = group->size };

    if (!run || !aligned(in->value, bytes) || !aligned(out->value, bytes) || !shape_job(&job, info, group, in))
        return false;
    better = special(level, &job, in->type, info->arithmetic);
    run = better ? better : run;
    for (unsigned k = 0; k < sub_components(in); k++) {
        size_t plane = (size_t)k * group->size;
        if (!run(&job, (const uint8_t *)in->value + plane * bytes, (uint8_t *)out->value + plane * bytes))
            return false;
        tell_defined(&job.active, out, plane);
    }
    return true;
}

/* ---- rotation ------------------------------------------------------------------------------------------ */

/* A block without its first `skip` bytes, and then those. */
static inline void rotate_block(const uint8_t *from, uint8_t *to, size_t bytes, size_t skip)
{
    uint8_t twice[256];

    if (bytes == 128) {     /* 32 words: lengths that the compiler knows */
        memcpy(twice, from, 128);
        memcpy(twice + 128, from, 128);
        memcpy(to, twice + skip, 128);
        return;
    }
    memcpy(to, from + skip, bytes - skip);
    memcpy(to + bytes - skip, from, skip);
}

/* With every lane active a rotation is a copy or two a block. */
static bool fast_rotate(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                        const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    struct lanes active = lanes_of(group);
    size_t bytes = sub_bytes(in->type);
    uint64_t n = op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE ? in->cluster : group->max_size ? group->max_size : group->size;
    uint64_t differ = 0, delta = in->index[0] & (n - 1);

    if (!active.full || !sub_power_of_two(n) || n > group->size || in->type == GP5_SUBGROUP_BOOL)
        return false;
    for (unsigned i = 0; i < group->size; i++)
        differ |= in->index[i] ^ in->index[0];
    if (differ)
        return false;
    for (unsigned k = 0; k < sub_components(in); k++) {
        size_t plane = (size_t)k * group->size;
        for (uint64_t block = 0; block < group->size; block += n)
            rotate_block((const uint8_t *)in->value + (plane + block) * bytes,
                         (uint8_t *)out->value + (plane + block) * bytes, n * bytes, delta * bytes);
        tell_defined(&active, out, plane);
    }
    return true;
}

static inline void run_planes(sub_kernel *run, const struct sub_job *job, const struct gp5_subgroup_operands *in,
                              const struct gp5_subgroup_result *out)
{
    for (unsigned k = 0; k < sub_components(in); k++)
        run(job, (const uint32_t *)in->value + 32 * k, (uint32_t *)out->value + 32 * k);
}

/* Of all calls the most frequent, a scan of 32 lanes, has a door of its own, that looks at what it needs and no
 * further. */
bool sub_scan_32(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
                 const struct gp5_subgroup_result *out)
{
    const struct gp5_subgroup_info *info = &sub_rows[op];
    const struct sub_level *level = level_of_machine();
    const uint32_t *w = group->active.word;
    struct sub_job job = { .active = { .word = { w[0] }, .size = 32, .full = w[0] == UINT32_MAX },
                           .shape = info->group == GP5_SUBGROUP_EXCLUSIVE ? EXCLUSIVE : INCLUSIVE };
    bool known = (info->group == GP5_SUBGROUP_INCLUSIVE || info->group == GP5_SUBGROUP_EXCLUSIVE)
                 && (unsigned)in->type < GP5_SUBGROUP_TYPE_COUNT && (unsigned)in->order <= GP5_SUBGROUP_DOUBLING;
    unsigned components = sub_components(in);
    sub_environment environment;
    sub_kernel *run;
    bool floats;

    if (!known || group->size != 32 || group->lanes % 32 || group->lanes > 32 || group->max_size || (w[1] | w[2] | w[3])
        || group->id >= (group->count ? group->count : 1) || components > 4 || !in->value || !out->value || !out->reason
        || out->peer || ((uintptr_t)in->value | (uintptr_t)out->value) % 4)
        return false;
    floats = sub_is_float(in->type);
    run = floats && in->order != GP5_SUBGROUP_DOUBLING ? (*level->sequences)[in->type][info->arithmetic]
                                                                      : (*level->scans)[in->type][info->arithmetic];
    if (!run || (!job.active.full && floats))
        return false;
    if (floats) {               /* looking at the environment waits for all arithmetic before it */
        sub_enter(&environment);
        run_planes(run, &job, in, out);
        sub_leave(&environment);
    } else {
        run_planes(run, &job, in, out);
    }
    for (unsigned k = 0; k < components; k++)
        if (job.active.full)
            memset(out->reason + 32 * k, GP5_SUBGROUP_DEFINED, 32);     /* a length that the compiler knows */
        else
            level->tell_32(w[0], out->reason + 32 * k, GP5_SUBGROUP_DEFINED);
    return true;
}

bool sub_fast(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
              const struct gp5_subgroup_result *out, bool *defined)
{
    const struct gp5_subgroup_info *info = &sub_rows[op];

    *defined = true;
    if (info->arithmetic)
        return fast_arithmetic(info, group, in, out);
    return info->group == GP5_SUBGROUP_ROTATION && fast_rotate(op, group, in, out);
}
