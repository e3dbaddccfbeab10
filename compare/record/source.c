#include "compare/record/source.h"

#include <string.h>

/* Copies what the driver lends for the length of the callback. */
static void copy_outputs(const struct driver_case *c, const struct driver_result *r, struct outcome *o)
{
    for (size_t i = 0; i < r->storage_count; i++)
        if (!outcome_add(o, OUTPUT_STORAGE, r->storage[i].binding, r->storage[i].data, r->storage[i].size))
            return;
    for (size_t i = 0; i < r->counter_count; i++)
        if (!outcome_add(o, OUTPUT_COUNTER, r->counters[i].binding, r->counters[i].data, r->counters[i].size))
            return;
    for (size_t i = 0; i < r->texture_count; i++)
        if (!outcome_add(o, OUTPUT_TEXTURE, r->textures[i].binding, r->textures[i].data, r->textures[i].size))
            return;
    for (size_t i = 0; i < r->color_count; i++)
        if (!outcome_add(o, OUTPUT_COLOR, r->colors[i].binding, r->colors[i].data, r->colors[i].size))
            return;
    if (c->stage != DRIVER_FRAGMENT)
        return;
    for (size_t i = 0; c->raster.draw && i < r->vertex_count; i++)
        if (!outcome_add(o, OUTPUT_INPUT, r->vertices[i].binding, r->vertices[i].data, r->vertices[i].size))
            return;
    if (c->raster.bring_depth && !outcome_add(o, OUTPUT_DEPTH, 0, r->depth, r->depth_size))
        return;
    struct output *coverage = outcome_add(o, OUTPUT_COVERAGE, 0, r->coverage, r->coverage_size);
    for (size_t i = 0; coverage && i < coverage->size; i++)
        coverage->data[i] = coverage->data[i] != 0;
}

static bool take_result(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct outcome *o = user;
    (void)index;
    outcome_free(o);
    switch (r->status) {
    case DRIVER_RAN:
        o->status = OUTCOME_RAN;
        copy_outputs(c, r, o);
        break;
    case DRIVER_REJECTED:
        outcome_fail(o, OUTCOME_REJECTED, "%s", r->message);
        o->position = r->position;
        break;
    case DRIVER_UNSUPPORTED:
        outcome_fail(o, OUTCOME_SKIPPED, "%s", r->detail);
        break;
    default:
        outcome_fail(o, OUTCOME_FAILED, "%s%s%s", driver_status_name(r->status), *r->detail ? ": " : "",
                     r->detail);
    }
    return true;
}

void source_run(const struct source *s, const struct driver_case *c, struct outcome *o)
{
    switch (s->kind) {
    case SOURCE_RECORDING:
        recording_run(s->recording, c, o);
        break;
    case SOURCE_LIVE:
        outcome_fail(o, OUTCOME_FAILED, "the driver gave no answer");
        if (s->turn)
            pthread_mutex_lock(s->turn);
        bool finished = driver_run(s->driver, c, 1, take_result, o);
        if (s->turn)
            pthread_mutex_unlock(s->turn);
        if (!finished && o->status == OUTCOME_RAN)
            outcome_fail(o, OUTCOME_FAILED, "the batch could not be finished");
        break;
    case SOURCE_NONE:
        outcome_fail(o, OUTCOME_SKIPPED, "%s", s->reason ? s->reason : "no driver was asked for");
        break;
    }
}
