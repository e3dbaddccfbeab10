/* A case as the evaluator's launch. Addresses and handles are made up here: a driver has others, and programs that only
 * use them as such do not see the difference. */
#include "compare/driver/reference_launch.h"

#include <string.h>

/* Far from each other and from zero, so that what a program adds to one does not reach another. */
#define FIRST_ADDRESS UINT64_C(0x100000000000)
#define ADDRESS_STEP UINT64_C(0x200000000)
#define TEXTURE_HANDLE UINT64_C(0x7e00000000)
#define IMAGE_HANDLE UINT64_C(0x7f00000000)

static uint64_t pointer_value(const struct driver_pointer *p)
{
    switch (p->kind) {
    case POINTER_STORAGE: return FIRST_ADDRESS + p->of * ADDRESS_STEP;
    case POINTER_TEXTURE: return TEXTURE_HANDLE + p->of + 1;
    default: return IMAGE_HANDLE + p->of + 1;
    }
}

/* ---- what the evaluator writes ------------------------------------------------------------------------- */

/* Makes room for the origins of an output's words. */
static bool add_undefined(bool track, struct output *output)
{
    size_t words = (output->size + 3) / 4;
    if (!track)
        return true;
    output->undefined = gp5_malloc(words * sizeof *output->undefined);
    if (output->undefined)
        memset(output->undefined, 0, words * sizeof *output->undefined);
    return output->undefined;
}

static bool add_output(struct outcome *o, enum output_kind kind, uint32_t binding, const void *data, size_t size,
                       bool track)
{
    struct output *output = outcome_add(o, kind, binding, data, size);
    return output && add_undefined(track, output);
}

static bool add_outputs(const struct driver_case *c, bool track, struct outcome *o)
{
    size_t pixels = driver_pixels(&c->raster);
    for (size_t i = 0; i < c->storage_count; i++)
        if (!add_output(o, OUTPUT_STORAGE, c->storage[i].binding, c->storage[i].data, c->storage[i].size, track))
            return false;
    for (size_t i = 0; i < c->counter_count; i++)
        if (!add_output(o, OUTPUT_COUNTER, c->counters[i].binding, c->counters[i].data, c->counters[i].size, track))
            return false;
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        if (c->textures[i].bring_back && !add_output(o, OUTPUT_TEXTURE, t->unit, t->data, t->bytes, track))
            return false;
    }
    for (uint32_t i = 0; c->stage == DRIVER_FRAGMENT && i < c->raster.color_outputs; i++)
        if (!add_output(o, OUTPUT_COLOR, i, NULL, pixels * 16, track))
            return false;
    return c->stage != DRIVER_FRAGMENT || outcome_add(o, OUTPUT_COVERAGE, 0, NULL, pixels);
}

/* ---- what goes in -------------------------------------------------------------------------------------- */

static void parameters_of(struct gp5_parameter *to, const struct driver_parameter *from, size_t count,
                          const struct driver_case *c, enum driver_pointer_place place)
{
    for (size_t i = 0; i < count; i++) {
        to[i].index = from[i].index;
        memcpy(to[i].word, from[i].bits, sizeof to[i].word);
        for (size_t k = 0; k < c->pointer_count; k++) {
            const struct driver_pointer *p = &c->pointers[k];
            uint64_t value = pointer_value(p);
            if (p->place == place && p->index == to[i].index)
                memcpy((uint8_t *)to[i].word + p->offset, &value, sizeof value);
        }
    }
}

static bool interpolant_of(struct gp5_interpolant *to, const struct driver_attribute *from)
{
    switch (from->kind) {
    case DRIVER_TEXCOORD: to->attribute = GP5_FRAGMENT_TEXCOORD + from->index; break;
    case DRIVER_COLOR: to->attribute = GP5_FRAGMENT_COLOR_PRIMARY + from->index; break;
    case DRIVER_FOGCOORD: to->attribute = GP5_FRAGMENT_FOGCOORD; break;
    default: return false;
    }
    if (from->size != sizeof to->corner)
        return false;
    memcpy(to->corner, from->values, sizeof to->corner);
    return true;
}

static struct gp5_buffer written(const struct outcome *o, enum output_kind kind, const struct driver_buffer *b)
{
    const struct output *output = outcome_find(o, kind, b->binding);
    return (struct gp5_buffer){ .binding = b->binding, .data = output->data, .size = output->size,
                                .undefined = output->undefined };
}

static bool has_pointer(const struct driver_case *c, uint32_t binding)
{
    for (size_t i = 0; i < c->pointer_count; i++)
        if (c->pointers[i].place == POINTER_IN_CONSTANTS && c->pointers[i].index == binding)
            return true;
    return false;
}

/* A constant buffer as the program sees it: with the pointers that stand in it. */
static bool set_constants(struct reference_launch *l, const struct driver_case *c, struct gp5_buffer *to, size_t i)
{
    const struct driver_buffer *b = &c->constants[i];
    *to = (struct gp5_buffer){ .binding = b->binding, .data = (uint8_t *)b->data, .size = b->size };
    if (b->data && !has_pointer(c, b->binding))
        return true;
    l->pointed[i] = to->data = gp5_malloc(b->size);
    if (!to->data)
        return false;
    if (b->data)
        memcpy(to->data, b->data, b->size);
    else
        memset(to->data, 0, b->size);
    for (size_t k = 0; k < c->pointer_count; k++) {
        const struct driver_pointer *p = &c->pointers[k];
        uint64_t value = pointer_value(p);
        if (p->place == POINTER_IN_CONSTANTS && p->index == b->binding)
            memcpy(to->data + p->offset, &value, sizeof value);
    }
    return true;
}

/* The evaluator writes in storage as it is there; so do the pointers that stand in it. */
static void point_from_storage(const struct driver_case *c, const struct outcome *o)
{
    for (size_t k = 0; k < c->pointer_count; k++) {
        const struct driver_pointer *p = &c->pointers[k];
        uint64_t value = pointer_value(p);
        if (p->place == POINTER_IN_STORAGE)
            memcpy(outcome_find(o, OUTPUT_STORAGE, p->index)->data + p->offset, &value, sizeof value);
    }
}

static bool set_buffers(struct reference_launch *l, const struct driver_case *c, const struct outcome *o)
{
    size_t written_count = c->storage_count + c->counter_count;
    for (size_t i = 0; i < c->storage_count; i++)
        l->buffers[i] = written(o, OUTPUT_STORAGE, &c->storage[i]);
    for (size_t i = 0; i < c->counter_count; i++)
        l->buffers[c->storage_count + i] = written(o, OUTPUT_COUNTER, &c->counters[i]);
    for (size_t i = 0; i < c->constant_count; i++)
        if (!set_constants(l, c, &l->buffers[written_count + i], i))
            return false;
    point_from_storage(c, o);
    l->gl.storage = l->buffers;
    l->gl.nstorage = c->storage_count;
    l->gl.counters = l->buffers + c->storage_count;
    l->gl.ncounters = c->counter_count;
    l->gl.cbuffers = l->buffers + written_count;
    l->gl.ncbuffers = c->constant_count;
    for (size_t i = 0; i < c->pointer_count; i++) {
        const struct driver_pointer *p = &c->pointers[i];
        bool known = p->kind != POINTER_STORAGE;
        for (size_t k = 0; k < l->gl.naddresses; k++)
            known |= l->addresses[k].binding == p->of;
        if (!known)
            l->addresses[l->gl.naddresses++] =
                (struct gp5_address_range){ .address = pointer_value(p), .binding = p->of };
    }
    l->gl.addresses = l->addresses;
    return true;
}

static void set_textures(struct reference_launch *l, const struct driver_case *c, const struct outcome *o)
{
    for (size_t i = 0; i < c->texture_count; i++) {
        const struct output *output = outcome_find(o, OUTPUT_TEXTURE, c->textures[i].texture.unit);
        l->textures[i] = c->textures[i].texture;
        if (output) {
            l->textures[i].data = output->data;
            l->textures[i].undefined = output->undefined;
        }
    }
    for (size_t i = 0; i < c->image_count; i++)
        l->images[i] = c->images[i];
    for (size_t k = 0; k < c->pointer_count; k++) {
        const struct driver_pointer *p = &c->pointers[k];
        for (size_t i = 0; p->kind == POINTER_TEXTURE && i < c->texture_count; i++)
            if (l->textures[i].unit == p->of)
                l->textures[i].handle = pointer_value(p);
        for (size_t i = 0; p->kind == POINTER_IMAGE && i < c->image_count; i++)
            if (l->images[i].unit == p->of)
                l->images[i].handle = pointer_value(p);
    }
    l->gl.textures = l->textures;
    l->gl.ntextures = c->texture_count;
    l->gl.images = l->images;
    l->gl.nimages = c->image_count;
}

/* The evaluator wants all colours in one array, the outcome has one output each; one colour is the same thing. */
static bool set_pixels(struct reference_launch *l, const struct driver_case *c, struct outcome *o)
{
    if (c->stage != DRIVER_FRAGMENT)
        return true;
    if (c->raster.primitive == DRIVER_DRAW)
        return true;            /* the rasteriser has a window of its own */
    if (c->raster.color_outputs != 1) {
        outcome_fail(o, OUTCOME_SKIPPED, "more than one colour output is not compared yet");
        return false;
    }
    const struct output *color = outcome_find(o, OUTPUT_COLOR, 0);
    l->gl.ncolors = 1;
    l->gl.colors = (float *)(void *)color->data;
    l->gl.undefined = color->undefined;
    l->gl.covered = outcome_find(o, OUTPUT_COVERAGE, 0)->data;
    l->gl.width = c->raster.width;
    l->gl.height = c->raster.height;
    l->gl.interpolants = l->interpolants;
    for (size_t i = 0; i < c->raster.attribute_count; i++)
        if (interpolant_of(&l->interpolants[l->gl.ninterpolants], &c->raster.attributes[i]))
            l->gl.ninterpolants++;
    return true;
}

static bool allocate(struct reference_launch *l, const struct driver_case *c)
{
    size_t buffers = c->storage_count + c->counter_count + c->constant_count;
    l->buffers = gp5_malloc(buffers * sizeof *l->buffers);
    l->parameters = gp5_malloc((c->env_count + c->local_count) * sizeof *l->parameters);
    l->interpolants = gp5_malloc(c->raster.attribute_count * sizeof *l->interpolants);
    l->textures = gp5_malloc(c->texture_count * sizeof *l->textures);
    l->images = gp5_malloc(c->image_count * sizeof *l->images);
    l->addresses = gp5_malloc(c->pointer_count * sizeof *l->addresses);
    l->pointed = gp5_malloc(c->constant_count * sizeof *l->pointed);
    if (l->pointed) {
        l->npointed = c->constant_count;
        for (size_t i = 0; i < l->npointed; i++)
            l->pointed[i] = NULL;
    }
    return l->buffers && l->parameters && l->interpolants && l->textures && l->images && l->addresses && l->pointed;
}

bool reference_launch(struct reference_launch *l, const struct driver_case *c, bool track_undefined, struct outcome *o)
{
    memset(l, 0, sizeof *l);
    if (!allocate(l, c) || !add_outputs(c, track_undefined, o) || !set_buffers(l, c, o)) {
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
        return false;
    }
    memcpy(l->gl.groups, c->groups, sizeof l->gl.groups);
    memcpy(l->gl.group_size, c->group_size, sizeof l->gl.group_size);
    l->gl.subroutines = c->subroutines;
    l->gl.nsubroutines = c->subroutine_count;
    set_textures(l, c, o);
    parameters_of(l->parameters, c->env, c->env_count, c, POINTER_IN_ENV);
    parameters_of(l->parameters + c->env_count, c->local, c->local_count, c, POINTER_IN_LOCAL);
    l->gl.env = l->parameters;
    l->gl.nenv = c->env_count;
    l->gl.local = l->parameters + c->env_count;
    l->gl.nlocal = c->local_count;
    return set_pixels(l, c, o);
}

void reference_launch_free(struct reference_launch *l)
{
    for (size_t i = 0; i < l->npointed; i++)
        gp5_free(l->pointed[i]);
    gp5_free(l->pointed);
    gp5_free(l->addresses);
    gp5_free(l->images);
    gp5_free(l->textures);
    gp5_free(l->interpolants);
    gp5_free(l->parameters);
    gp5_free(l->buffers);
    memset(l, 0, sizeof *l);
}
