/* What a launch brings: buffers, counters, textures and addresses where the program finds them, and shadows of them. */
#include "eval/machine/launch_state.h"

#include "eval/track/origin.h"
#include "eval/race/race.h"

#include <stdio.h>
#include <string.h>

const struct gp5_buffer *eval_bound_buffer(const struct gp5_buffer *list, size_t n, uint32_t binding)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].binding == binding)
            return &list[i];
    return NULL;
}

bool eval_check_buffers(const struct gp5_buffer *list, size_t n, const char *what, char *text, size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if ((!list[i].data && list[i].size) || (uintptr_t)list[i].data % 16) {
            snprintf(text, size, "the memory of %s buffer %u is %s", what, list[i].binding,
                     list[i].data ? "not aligned to 16 bytes" : "not given");
            return false;
        }
        if (eval_bound_buffer(list, i, list[i].binding)) {
            snprintf(text, size, "%s buffer %u is given twice", what, list[i].binding);
            return false;
        }
    }
    return true;
}

static void make_shadow(struct execution *e, uint32_t *given, size_t words)
{
    struct shadow_run *s = &e->shadows[e->nshadows++];

    atomic_init(&s->words, given);
    atomic_init(&s->marked, false);
    atomic_init(&s->lost, false);
    s->given = given != NULL;
    s->count = words;
    if (given)
        memset(given, 0, words * sizeof *given);
}

/* The driver keeps the lower 32 bits of a size: a buffer of 4 GB is one of none. */
static size_t storage_size(const struct run *run, const struct gp5_buffer *b)
{
    return run->flush ? (uint32_t)b->size : b->size;
}

static struct memory storage_memory(const struct execution *e, size_t i)
{
    const struct gp5_buffer *b = &e->run.launch->storage[i];

    return (struct memory){.data = b->data, .size = storage_size(&e->run, b), .shadow_shift = 2,
                           .origins = e->run.origins ? &e->shadows[i] : NULL,
                           .races = e->run.races ? eval_races_storage(e->run.races, i) : NULL};
}

static struct memory counter_memory(const struct execution *e, size_t i)
{
    const struct gp5_buffer *b = &e->run.launch->counters[i];

    return (struct memory){.data = b->data, .size = b->size, .shadow_shift = 2,
                           .origins = e->run.origins ? &e->shadows[e->run.launch->nstorage + i] : NULL,
                           .races = e->run.races ? eval_races_counters(e->run.races, i) : NULL};
}

/* Textures, which image instructions write. */
bool eval_map_textures(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;

    e->run.textures = gp5_malloc((launch->ntextures + 1) * sizeof *e->run.textures);
    for (size_t i = 0; e->run.textures && i < launch->ntextures; i++)
        e->run.textures[i] = (struct memory){
            .data = launch->textures[i].data, .size = launch->textures[i].bytes, .shadow_shift = 2,
            .origins = e->run.origins ? &e->shadows[launch->nstorage + launch->ncounters + i] : NULL,
            .races = e->run.races ? eval_races_texture(e->run.races, i) : NULL};
    return e->run.textures != NULL;
}

/* The driver reads 0 beyond 64 KB of a constant buffer. */
static size_t constant_size(const struct run *run, const struct gp5_buffer *b)
{
    return run->flush && b->size > 65536 ? 65536 : b->size;
}

bool eval_map_slots(struct execution *e)
{
    struct run *run = &e->run;
    const struct gp5_launch *launch = run->launch;

    run->slots = gp5_malloc((run->x->nslots + 1) * sizeof *run->slots);
    if (!run->slots)
        return false;
    memset(run->slots, 0, (run->x->nslots + 1) * sizeof *run->slots);
    for (uint32_t i = 0; i < run->x->nslots; i++) {
        const struct buffer_slot *slot = &run->x->slots[i];
        const struct gp5_buffer *b =
            slot->space == SPACE_IMAGE     ? NULL
            : slot->space == SPACE_STORAGE ? eval_bound_buffer(launch->storage, launch->nstorage, slot->binding)
            : slot->space == SPACE_COUNTER ? eval_bound_buffer(launch->counters, launch->ncounters, slot->binding)
                                           : eval_bound_buffer(launch->cbuffers, launch->ncbuffers, slot->binding);
        if (b && slot->space == SPACE_STORAGE)
            run->slots[i] = storage_memory(e, (size_t)(b - launch->storage));
        else if (b && slot->space == SPACE_COUNTER)
            run->slots[i] = counter_memory(e, (size_t)(b - launch->counters));
        else if (b)
            run->slots[i] = (struct memory){.data = b->data, .size = constant_size(run, b), .shadow_shift = 2};
    }
    return true;
}

bool eval_map_addresses(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;

    e->run.ranges = gp5_malloc((launch->naddresses + 1) * sizeof *e->run.ranges);
    for (size_t i = 0; e->run.ranges && i < launch->naddresses; i++) {
        const struct gp5_buffer *b = eval_bound_buffer(launch->storage, launch->nstorage, launch->addresses[i].binding);
        e->run.ranges[i] = (struct global_range){launch->addresses[i].address,
                                                 storage_memory(e, (size_t)(b - launch->storage))};
    }
    return e->run.ranges != NULL;
}

/* Shadows in the order of the storage buffers, then the counter buffers', the textures', the colours'. */
bool eval_make_shadows(struct execution *e)
{
    const struct gp5_launch *launch = e->run.launch;
    size_t n = launch->nstorage + launch->ncounters + launch->ntextures + launch->nresults + 1;

    if (!e->run.origins)
        return true;
    e->shadows = gp5_malloc(n * sizeof *e->shadows);
    if (!e->shadows)
        return false;
    for (size_t i = 0; i < launch->nstorage; i++)
        make_shadow(e, launch->storage[i].undefined, (launch->storage[i].size + 3) / 4);
    for (size_t i = 0; i < launch->ncounters; i++)
        make_shadow(e, launch->counters[i].undefined, (launch->counters[i].size + 3) / 4);
    for (size_t i = 0; i < launch->ntextures; i++)
        make_shadow(e, launch->textures[i].undefined, (launch->textures[i].bytes + 3) / 4);
    e->run.result_shadows = e->shadows + e->nshadows;
    for (size_t i = 0; i < launch->nresults; i++)
        make_shadow(e, launch->results[i].undefined, launch->results[i].count * 4);
    if (profile_table[e->run.x->profile].stage_id == STAGE_FRAGMENT) {
        e->run.colors_shadow = e->shadows + e->nshadows;
        make_shadow(e, launch->undefined, (size_t)launch->ncolors * launch->width * launch->height * 4);
    }
    return true;
}
