/* Loads and stores of texels, and the sizes of images (image.h). */
#include "eval/texture/image.h"

#include <stdio.h>
#include <string.h>

/* ---- what a launch gives ------------------------------------------------------------------------------------ */

static const struct gp5_texture *texture_of(const struct gp5_launch *launch, uint32_t unit)
{
    for (size_t i = 0; i < launch->ntextures; i++)
        if (launch->textures[i].unit == unit)
            return &launch->textures[i];
    return NULL;
}

static bool refuse(char *text, size_t size, const char *what, uint32_t unit, const char *why)
{
    snprintf(text, size, "%s %u: %s", what, unit, why);
    return false;
}

static bool check_texture(const struct gp5_launch *launch, const struct gp5_texture *t, char *text, size_t size)
{
    const char *why = gp5_texture_check(t);

    if (!why && (!t->data || (uintptr_t)t->data % 16))
        why = t->data ? "its memory is not aligned to 16 bytes" : "its memory is not given";
    if (!why && texture_of(launch, t->unit) != t)
        why = "it is given twice";
    return !why || refuse(text, size, "texture", t->unit, why);
}

static bool is_image_format(unsigned format)
{
    return gp5_format_info(format) && format != GP5_FORMAT_DEPTH32F;
}

static bool check_image(const struct gp5_launch *launch, const struct gp5_image *image, char *text, size_t size)
{
    const struct gp5_texture *t = texture_of(launch, image->texture);

    if (!t)
        return refuse(text, size, "image", image->unit, "its texture is not given");
    if (!is_image_format(image->format) || !is_image_format(t->format))
        return refuse(text, size, "image", image->unit, "there are no images of its format");
    if (t->bytes >= UINT32_MAX)
        return refuse(text, size, "image", image->unit, "its texture has 4 GiB or more");
    for (const struct gp5_image *other = launch->images; other < image; other++)
        if (other->unit == image->unit)
            return refuse(text, size, "image", image->unit, "it is given twice");
    return true;
}

bool eval_images_check(const struct gp5_launch *launch, char *text, size_t size)
{
    for (size_t i = 0; i < launch->ntextures; i++)
        if (!check_texture(launch, &launch->textures[i], text, size))
            return false;
    for (size_t i = 0; i < launch->nimages; i++)
        if (!check_image(launch, &launch->images[i], text, size))
            return false;
    return true;
}

/* What a single layer of a texture is to a program. */
static uint8_t kind_of_layer(uint8_t kind)
{
    switch (kind) {
    case GP5_TEXTURE_ARRAY1D: return GP5_TEXTURE_1D;
    case GP5_TEXTURE_3D: case GP5_TEXTURE_CUBE: case GP5_TEXTURE_ARRAY2D:
    case GP5_TEXTURE_ARRAYCUBE: return GP5_TEXTURE_2D;
    case GP5_TEXTURE_ARRAY2DMS: return GP5_TEXTURE_2DMS;
    default: return kind;
    }
}

static struct image_view view_of(const struct run *run, const struct gp5_image *image)
{
    const struct gp5_texture *t = texture_of(run->launch, image->texture);
    struct image_view v = {
        .image = image, .whole = t->kind, .kind = t->kind, .memory = run->textures[t - run->launch->textures]};

    v.usable = eval_texel_level(t, image->level, &v.level) &&
               gp5_format_info(image->format)->bytes == gp5_format_info(t->format)->bytes;
    v.level.format = image->format;
    v.samples = gp5_texture_is_multisample(t->kind) ? t->samples : 0;
    memcpy(v.size, v.level.size, sizeof v.size);
    if (!image->layered && kind_of_layer(t->kind) != t->kind) {
        v.kind = kind_of_layer(t->kind);
        v.layer = image->layer;
        v.usable &= image->layer < v.size[2];
        v.size[2] = 1;
    }
    return v;
}

bool eval_images_map(struct run *run)
{
    const struct gp5_launch *launch = run->launch;

    run->views = gp5_malloc((launch->nimages + 1) * sizeof *run->views);
    run->unit_views = gp5_malloc((run->x->nslots + 1u) * sizeof *run->unit_views);
    if (!run->views || !run->unit_views)
        return false;
    for (size_t i = 0; i < launch->nimages; i++)
        run->views[i] = view_of(run, &launch->images[i]);
    for (uint32_t k = 0; k < run->x->nslots; k++) {
        run->unit_views[k] = NULL;
        for (size_t i = 0; i < launch->nimages; i++)
            if (run->x->slots[k].space == SPACE_IMAGE && run->x->slots[k].binding == launch->images[i].unit)
                run->unit_views[k] = &run->views[i];
    }
    return true;
}

/* ---- which texel -------------------------------------------------------------------------------------------- */

static const struct image_view *by_handle(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct run *run = w->worker->run;
    uint64_t handle = PLANE(w->base, a->handle)[lane] | (uint64_t)PLANE(w->base, a->handle + 1)[lane] << 32;

    for (size_t i = 0; i < run->launch->nimages; i++)
        if (handle && run->launch->images[i].handle == handle)
            return &run->views[i];
    return NULL;
}

const struct image_view *eval_image_view(const struct warp *w, const struct access *a, unsigned lane,
                                         enum image_fault *fault)
{
    const struct image_view *v;
    int64_t slot = a->slot_offset;

    *fault = IMAGE_NO_HANDLE;
    if (a->handle != NO_PLANE) {
        v = by_handle(w, a, lane);
    } else {
        *fault = IMAGE_BEYOND_ARRAY;
        if (a->slot_index != NO_PLANE)
            slot += (int32_t)PLANE(w->base, a->slot_index)[lane];
        if (slot < 0 || slot >= a->nslots)
            return NULL;
        *fault = IMAGE_UNBOUND;
        v = w->worker->run->unit_views[a->slot + (uint32_t)slot];
    }
    if (!v)
        return NULL;
    *fault = !v->usable ? IMAGE_UNBOUND : v->kind != a->target ? IMAGE_OTHER_TARGET : IMAGE_FINE;
    return *fault ? NULL : v;
}

/* What an instruction moves as bytes. */
static uint32_t moved_bytes(const struct access *a)
{
    return type_table[a->type].bytes * (uint32_t)a->width;
}

/* By the text numbers and sizes must be those of the format. To the driver numbers are what the format says they are,
 * and texels of another size are as many in a row as there is room for. */
static enum image_fault fault_in(const struct warp *w, const struct access *a, const struct image_view *v,
                                 unsigned lane, uint32_t *offset)
{
    uint32_t at[3], bytes = a->form == IMAGE_BYTES ? moved_bytes(a) : v->level.bytes;
    bool nvidia = w->worker->run->flush;

    for (unsigned i = 0; i < 3; i++)
        at[i] = PLANE(w->base, a->coord[i])[lane];
    if (a->form == IMAGE_VALUE && !nvidia && eval_format_is_float(v->level.format) != type_table[a->type].is_float)
        return IMAGE_OTHER_NUMBERS;
    if (bytes != v->level.bytes && !nvidia)
        return IMAGE_OTHER_SIZE;
    if (at[1] >= v->size[1] || at[2] >= v->size[2] || at[0] >= (uint64_t)v->size[0] * v->level.bytes / bytes)
        return IMAGE_OUTSIDE;
    at[2] += v->layer;
    if (v->samples) {       /* of a layer they stand as its slices */
        uint32_t sample = PLANE(w->base, a->coord[3])[lane];
        if (sample >= v->samples)
            return IMAGE_NO_SAMPLE;
        at[2] = at[2] * v->samples + sample;
    }
    *offset = (uint32_t)(v->level.start + eval_texel_offset(&v->level, 0, at[1], at[2])) + at[0] * bytes;
    return IMAGE_FINE;
}

/* The texel's place in its texture. */
static enum image_fault find(const struct warp *w, const struct access *a, unsigned lane,
                             const struct image_view **view, uint32_t *offset)
{
    enum image_fault fault;

    *view = eval_image_view(w, a, lane, &fault);
    if (!*view || a->form >= IMAGE_SIZE)
        return fault;
    return fault_in(w, a, *view, lane, offset);
}

enum image_fault eval_image_fault(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct image_view *v;
    uint32_t offset;

    return find(w, a, lane, &v, &offset);
}

bool eval_image_is_open(const struct warp *w, enum image_fault fault, bool load)
{
    switch (fault) {
    case IMAGE_FINE: return false;
    case IMAGE_UNBOUND: case IMAGE_OTHER_SIZE: case IMAGE_OUTSIDE: return load && !w->worker->run->flush;
    default: return true;
    }
}

struct memory eval_image_memory(const struct warp *w, const struct access *a, unsigned lane)
{
    static const struct memory nothing;
    const struct image_view *v;
    uint32_t offset;

    return find(w, a, lane, &v, &offset) ? nothing : v->memory;
}

uint32_t eval_image_offset(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct image_view *v;
    uint32_t offset = 0;

    return find(w, a, lane, &v, &offset) ? UINT32_MAX : offset;
}

/* ---- what is moved ------------------------------------------------------------------------------------------ */

bool eval_image_component(const struct image_view *v, const struct access *a, unsigned c, uint32_t *at, uint32_t *bytes)
{
    const struct gp5_format_info *info = gp5_format_info(v->level.format);

    if (a->form == IMAGE_BYTES) {
        *bytes = type_table[a->type].bytes;
        *at = c * *bytes;
        return c < a->width;
    }
    *bytes = info->bits ? info->bits / 8 : info->bytes;
    *at = info->bits ? c * *bytes : 0;
    return c < info->components;
}

/* NV_gpu_program5_mem_extended's types. */
static bool is_extended(const struct access *a)
{
    return a->type == DT_F16 || (a->width > 1 && type_table[a->type].bytes < 4);
}

/* The w of a load of fewer bytes: by the text a 1 of its type. To the driver a float one when the format is of floats,
 * small ones too, but not when it is normalised; 0 by handle and for the types that came later. */
static uint32_t filled(const struct warp *w, const struct access *a, const struct image_view *v)
{
    unsigned kind;

    if (!w->worker->run->flush)
        return type_table[a->type].is_float ? 0x3f800000 : 1;
    if (is_extended(a) || a->handle != NO_PLANE || (a->wide && a->width > 1))
        return 0;
    kind = v ? gp5_format_info(v->level.format)->kind : GP5_KIND_UINT;
    return kind == GP5_KIND_FLOAT || kind == GP5_KIND_PACKED_FLOAT ? 0x3f800000 : 1;
}

/* The components of a load; without `texel` of one that reaches none, and without `v` not even an image. */
static void load_bytes(const struct warp *w, const struct access *a, const struct image_view *v, const uint8_t *texel,
                       uint64_t word[4])
{
    for (unsigned c = 0; c < 4; c++)
        word[c] = c >= a->width ? 0
                  : texel       ? eval_read_value(texel + c * type_table[a->type].bytes, a->words ? DT_U16 : a->type)
                                : 0;
    if (a->width < 4)
        word[3] = filled(w, a, v);
}

static void load_value(const struct image_view *v, const uint8_t *texel, uint64_t word[4])
{
    static const uint8_t nothing[16];
    uint32_t value[4] = {0};

    if (v)
        eval_texel_read(texel ? texel : nothing, v->level.format, value);
    for (unsigned c = 0; c < 4; c++)
        word[c] = value[c];
}

/* Width, height, and depth, layers or cubes: the second of an array of 1D images is its layers. The driver's others are
 * 0, and 1 for the layers of a single one. */
static void load_size(const struct image_view *v, bool samples, uint64_t word[4])
{
    memset(word, 0, 4 * sizeof *word);
    if (!v)
        return;
    if (samples) {
        word[0] = v->samples ? v->samples : 1;
        return;
    }
    word[0] = v->size[0];
    word[1] = v->kind == GP5_TEXTURE_ARRAY1D                                ? v->size[2]
              : v->kind == GP5_TEXTURE_BUFFER || v->whole == GP5_TEXTURE_1D ? 0
                                                                            : v->size[1];
    if (v->whole == GP5_TEXTURE_3D || v->whole == GP5_TEXTURE_ARRAY2D ||
        v->whole == GP5_TEXTURE_ARRAYCUBE || v->whole == GP5_TEXTURE_ARRAY2DMS)
        word[2] = v->kind == GP5_TEXTURE_ARRAYCUBE ? v->size[2] / 6 : v->size[2];
}

void eval_image_load(struct warp *w, const struct access *a)
{
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        const struct image_view *v;
        uint64_t word[4];
        uint32_t offset = 0;
        const uint8_t *texel = find(w, a, lane, &v, &offset) ? NULL : v->memory.data + offset;
        if (a->form >= IMAGE_SIZE)
            load_size(v, a->form == IMAGE_SAMPLES, word);
        else if (a->form == IMAGE_VALUE)
            load_value(v, texel, word);
        else
            load_bytes(w, a, v, texel, word);
        for (unsigned i = 0; i < a->n; i++) {
            PLANE(w->base, a->data[i])[lane] = (uint32_t)word[a->comp[i]];
            if (a->wide)
                PLANE(w->base, a->data[i] + 1)[lane] = (uint32_t)(word[a->comp[i]] >> 32);
        }
    }
}

uint32_t eval_image_texel(const struct warp *w, const struct access *a, const struct image_view *v, unsigned lane,
                          uint8_t texel[16])
{
    uint32_t word[4];
    bool sign;

    for (unsigned c = 0; c < 4; c++)
        word[c] = PLANE(w->base, a->data[c])[lane];
    sign =
        w->worker->run->flush ? gp5_format_info(v->level.format)->kind == GP5_KIND_SINT : type_table[a->type].is_signed;
    eval_texel_write(texel, v->level.format, sign, word);
    return v->level.bytes;
}

void eval_image_store(struct warp *w, const struct access *a)
{
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        const struct image_view *v;
        uint8_t texel[16];
        uint32_t offset = 0;
        if (!find(w, a, lane, &v, &offset))
            memcpy(v->memory.data + offset, texel, eval_image_texel(w, a, v, lane, texel));
    }
}
