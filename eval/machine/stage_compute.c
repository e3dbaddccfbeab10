/* The compute stage: work groups, cut into warps along the flattened local index. */
#include "eval/machine/stage.h"

#include <stdio.h>
#include <string.h>

/* Beyond what any implementation allows (MAX_COMPUTE_WORK_GROUP_INVOCATIONS is 1536 or less). */
enum { MAX_GROUP_LANES = 4096 };

/* Groups of a launch: the driver takes so many in x, and so many in y and z each (measured), and more than 2^32 in all;
 * we take as many in all as it does in x. */
enum { MAX_GROUPS = 0x7fffffff, MAX_GROUPS_YZ = 65535 };

static uint64_t group_lanes(const struct run *run)
{
    return (uint64_t)run->group_size[0] * run->group_size[1] * run->group_size[2];
}

/* Whether four lanes in a row are 2 x 2 invocations. */
static bool in_squares(const struct gp5_executable *x)
{
    return x->program->options >> OPTION_NV_derivative_group_quads & 1;
}

/* The program's own size, or with OPTION ARB_compute_variable_group_size the launch's. */
static bool choose_size(struct run *run, char *message, size_t size)
{
    const uint32_t *given = run->launch->group_size;

    memcpy(run->group_size, run->x->group_size, sizeof run->group_size);
    for (unsigned i = 0; i < 3 && run->x->variable_groups; i++)
        run->group_size[i] = given[i] ? given[i] : 1;
    if (run->x->variable_groups && (run->group_size[0] > 1024 || run->group_size[1] > 1024 || run->group_size[2] > 64 ||
                                    group_lanes(run) > 1024)) {
        snprintf(message, size, "a group of %u x %u x %u: 1024 x 1024 x 64 are the most, and 1024 in all",
                 run->group_size[0], run->group_size[1], run->group_size[2]);
        return false;
    }
    if (!run->x->variable_groups && (given[0] || given[1] || given[2])) {
        snprintf(message, size, "a group size for a program that has one of its own");
        return false;
    }
    return true;
}

/* Every lane is of a quad: 2 x 2 invocations, or four in a row. */
static bool check_quads(const struct run *run, char *message, size_t size)
{
    const uint32_t *local = run->group_size;
    bool quads = in_squares(run->x);

    if (!asm_has_quads(run->x->program))
        return true;
    if (run->warp_lanes % 4) {
        snprintf(message, size, "warps of %u lanes, and quads of 4", run->warp_lanes);
        return false;
    }
    if (quads ? local[0] % 2 || local[1] % 2 : group_lanes(run) % 4) {
        snprintf(message, size, "a work group of %u x %u x %u with OPTION %s: %s", local[0], local[1], local[2],
                 option_table[quads ? OPTION_NV_derivative_group_quads : OPTION_NV_derivative_group_linear].name,
                 quads ? "x and y are even" : "it has a multiple of 4 invocations");
        return false;
    }
    return true;
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    const uint32_t *groups = run->launch->groups, *local = run->group_size;
    uint64_t total = (uint64_t)groups[0] * groups[1];

    if (!choose_size(run, message, size))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t most = i == 0 || !run->flush ? MAX_GROUPS : MAX_GROUPS_YZ;
        if (local[i] > MAX_GROUP_LANES) {
            snprintf(message, size, "a work group of %u invocations in %c; %u are the most", local[i], 'x' + (int)i,
                     MAX_GROUP_LANES);
            return false;
        }
        if (groups[i] > most) {
            snprintf(message, size, "%u work groups in %c; %u are the most", groups[i], 'x' + (int)i, most);
            return false;
        }
    }
    if (group_lanes(run) > MAX_GROUP_LANES || !group_lanes(run)) {
        snprintf(message, size, "a work group of %llu invocations; %u are the most",
                 (unsigned long long)group_lanes(run), MAX_GROUP_LANES);
        return false;
    }
    if (!check_quads(run, message, size))
        return false;
    if (groups[2] && total > MAX_GROUPS / groups[2]) {
        snprintf(message, size, "%u * %u * %u work groups; %u are evaluated at most", groups[0], groups[1], groups[2],
                 MAX_GROUPS);
        return false;
    }
    total *= groups[2];
    run->ngroups = (uint32_t)total;
    *warps = (uint32_t)((group_lanes(run) + run->warp_lanes - 1) / run->warp_lanes);
    return true;
}

/* What differs from group to group. */
static bool of_the_group(uint16_t kind)
{
    return kind == BIND_INVOCATION_GROUPID || kind == BIND_INVOCATION_GLOBALID;
}

static uint32_t lane_mask(uint16_t kind, unsigned lane)
{
    uint32_t bit = 1u << lane, below = bit - 1;

    switch (kind) {
    case BIND_INVOCATION_THREADEQMASK: return bit;
    case BIND_INVOCATION_THREADLTMASK: return below;
    case BIND_INVOCATION_THREADLEMASK: return below | bit;
    case BIND_INVOCATION_THREADGTMASK: return ~(below | bit);
    default: return ~below;     /* THREADGEMASK */
    }
}

/* How many components mean something. The driver gives x for the others, but 0 for a group count's w; the text 0. */
static unsigned components(uint16_t kind)
{
    switch (kind) {
    case BIND_INVOCATION_LOCALID: case BIND_INVOCATION_GLOBALID: case BIND_INVOCATION_GROUPID:
    case BIND_INVOCATION_GROUPCOUNT: case BIND_INVOCATION_GROUPSIZE:
        return 3;
    default:
        return 1;
    }
}

/* Of each lane: its index in the group, and that by dimension. */
struct places {
    uint32_t index[WARP_LANES], id[3][WARP_LANES];
};

/* The squares of a row one after the other, then the next two rows. */
static void find_squares(const uint32_t size[3], uint32_t first, struct places *p)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t n = first + lane, square = n / 4, across = size[0] / 2, down = size[1] / 2;
        p->id[0][lane] = square % across * 2 + n % 2;
        p->id[1][lane] = square / across % down * 2 + n / 2 % 2;
        p->id[2][lane] = square / across / down;
        p->index[lane] = (p->id[2][lane] * size[1] + p->id[1][lane]) * size[0] + p->id[0][lane];
    }
}

static void find_places(const struct worker *worker, const struct warp *w, struct places *p)
{
    const uint32_t *size = worker->run->group_size;
    uint32_t index = w->index * worker->run->warp_lanes;

    if (in_squares(w->x)) {
        find_squares(size, index, p);
        return;
    }

    uint32_t id[3] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        p->index[lane] = index + lane;
        for (unsigned i = 0; i < 3; i++)
            p->id[i][lane] = id[i];
        if (++id[0] < size[0])
            continue;
        id[0] = 0;
        if (++id[1] < size[1])
            continue;
        id[1] = 0;
        id[2]++;
    }
}

/* plane = base + add[lane]; NULL counts as 0. */
static void fill(uint32_t *plane, uint32_t base, const uint32_t *add)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        plane[lane] = base + (add ? add[lane] : 0);
}

static void fill_source(const struct worker *worker, const struct warp *w, const struct plane_source *source,
                        const struct places *p)
{
    const uint32_t *group_size = worker->run->group_size;
    uint32_t *plane = PLANE(w->base, source->plane);
    unsigned c = source->component;

    if (c >= components(source->kind)) {
        bool nothing = source->kind == BIND_INVOCATION_GROUPCOUNT ||
                       (source->kind == BIND_INVOCATION_GROUPSIZE && worker->run->x->variable_groups);
        if (!worker->run->flush || nothing) {
            fill(plane, 0, NULL);
            return;
        }
        c = 0;
    }
    switch (source->kind) {
    case BIND_INVOCATION_LOCALID: fill(plane, 0, p->id[c]); break;
    case BIND_INVOCATION_GLOBALID: fill(plane, worker->group_id[c] * group_size[c], p->id[c]); break;
    case BIND_INVOCATION_GROUPID: fill(plane, worker->group_id[c], NULL); break;
    case BIND_INVOCATION_GROUPCOUNT: fill(plane, worker->run->launch->groups[c], NULL); break;
    case BIND_INVOCATION_GROUPSIZE: fill(plane, group_size[c], NULL); break;
    case BIND_INVOCATION_LOCALINDEX: fill(plane, 0, p->index); break;
    case BIND_INVOCATION_THREADID:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = lane;
        break;
    case BIND_INVOCATION_WARPID: fill(plane, w->index, NULL); break;
    case BIND_INVOCATION_SMID: fill(plane, 0, NULL); break;
    default:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = lane_mask(source->kind, lane);
        break;
    }
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    uint32_t lanes = (uint32_t)group_lanes(worker->run) - w->index * worker->run->warp_lanes;
    struct places places;
    bool found = false;

    if (lanes > worker->run->warp_lanes)
        lanes = worker->run->warp_lanes;
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if ((!first && !of_the_group(source->kind)) || (first && eval_fill_uniform(worker->run, w, source)))
            continue;
        if (!found)
            find_places(worker, w, &places);
        found = true;
        fill_source(worker, w, source, &places);
    }
    eval_warp_start(w, lanes >= 32 ? ALL_LANES : (1u << lanes) - 1);
}

static void finish(struct worker *worker)
{
    (void)worker;
}

const struct stage eval_compute_stage = {plan, start, finish, NULL};
