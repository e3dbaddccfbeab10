/* Inputs that are the same for every lane of a launch. */
#include "eval/machine/stage.h"

static uint32_t parameter(const struct gp5_parameter *list, size_t count, const struct plane_source *source)
{
    for (size_t i = count; i--;)    /* the last one set counts */
        if (list[i].index == source->index)
            return list[i].word[source->component];
    return 0;
}

/* The text says 0 for programs that no GLSL was compiled to; the driver gives the bytes of the buffer. */
static uint32_t storage_length(const struct run *run, const struct plane_source *source)
{
    const struct gp5_launch *launch = run->launch;

    for (size_t i = 0; i < launch->nstorage && run->flush && !source->component; i++)
        if (launch->storage[i].binding == source->index)
            return (uint32_t)launch->storage[i].size;
    return 0;
}

bool eval_fill_uniform(const struct run *run, struct warp *w, const struct plane_source *source)
{
    const struct gp5_launch *launch = run->launch;
    uint32_t word = 0;

    switch (source->kind) {
    case BIND_PROGRAM_ENV: word = parameter(launch->env, launch->nenv, source); break;
    case BIND_PROGRAM_LOCAL: word = parameter(launch->local, launch->nlocal, source); break;
    case BIND_STATE_THREAD_WARPSIZE: word = source->component ? 0 : WARP_LANES; break;
    case BIND_PROGRAM_STORAGELEN: word = storage_length(run, source); break;
    case BIND_STATE_THREAD_WARPSPERSM: case BIND_STATE_THREAD_SMCOUNT: break;
    default:
        if (!eval_is_state(source->kind))
            return false;
        word = eval_state_word(run->state, source->kind, source->index, source->component,
                               run->flush && (source->kind != BIND_STATE_POINT_SIZE ||
                                              profile_table[run->x->profile].stage_id == STAGE_COMPUTE));
    }
    w->x->planes->fill(PLANE(w->base, source->plane), word);
    return true;
}
