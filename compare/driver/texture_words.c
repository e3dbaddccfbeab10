#include "compare/driver/texture_words.h"

#include <string.h>
#include <strings.h>

struct words {
    const char *const *names;
    const char *const *others;      /* another spelling of each, or NULL */
    unsigned count;
};

static const char *const kinds[GP5_TEXTURE_KINDS] = {
    "1D", "2D", "3D", "CUBE", "RECT", "ARRAY1D", "ARRAY2D", "ARRAYCUBE", "BUFFER", "2DMS", "ARRAY2DMS"
};
static const char *const piglit_kinds[GP5_TEXTURE_KINDS] = {
    "1D", "2D", "3D", "Cube", "Rect", "1DArray", "2DArray", "CubeArray", "Buffer", "2DMS", "2DMSArray"
};
static const char *const formats[GP5_FORMAT_COUNT] = {
    [GP5_FORMAT_NONE] = NULL,
#define FORMAT(name, components, bits, kind) [GP5_FORMAT_##name] = #name,
    GP5_FORMATS(FORMAT)
#undef FORMAT
};
static const char *const gl_formats[GP5_FORMAT_COUNT] = {
    [GP5_FORMAT_DEPTH32F] = "DEPTH_COMPONENT32F"
};
static const char *const filters[GP5_FILTERS] = {
    "nearest", "linear", "nearest_mipmap_nearest", "linear_mipmap_nearest", "nearest_mipmap_linear",
    "linear_mipmap_linear"
};
static const char *const wraps[GP5_WRAPS] = {
    "repeat", "clamp_to_edge", "clamp_to_border", "mirrored_repeat", "mirror_clamp_to_edge"
};
static const char *const compares[GP5_COMPARES] = {
    "none", "never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always"
};

static const struct words lists[TEXTURE_WORDS] = {
    [TEXTURE_KIND] = { kinds, piglit_kinds, GP5_TEXTURE_KINDS },
    [TEXTURE_FORMAT] = { formats, gl_formats, GP5_FORMAT_COUNT },
    [TEXTURE_FILTER] = { filters, NULL, GP5_FILTERS },
    [TEXTURE_WRAP] = { wraps, NULL, GP5_WRAPS },
    [TEXTURE_COMPARE] = { compares, NULL, GP5_COMPARES },
};

static bool is(const char *name, const char *word, size_t length)
{
    return name && strlen(name) == length && !strncasecmp(name, word, length);
}

int texture_word_find(enum texture_word what, const char *word, size_t length)
{
    const struct words *list = &lists[what];
    if (length > 3 && !strncmp(word, "GL_", 3)) {
        word += 3;
        length -= 3;
    }
    for (unsigned i = 0; i < list->count; i++)
        if (is(list->names[i], word, length) || (list->others && is(list->others[i], word, length)))
            return (int)i;
    return -1;
}

const char *texture_word(enum texture_word what, unsigned number)
{
    const struct words *list = &lists[what];
    return number < list->count && list->names[number] ? list->names[number] : "?";
}

void texture_begin(struct gp5_texture *t, unsigned kind)
{
    uint8_t wrap = kind == GP5_TEXTURE_RECT ? GP5_WRAP_CLAMP_TO_EDGE : GP5_WRAP_REPEAT;
    *t = (struct gp5_texture){ .kind = (uint8_t)kind, .format = GP5_FORMAT_RGBA8, .size = {1, 1, 1}, .levels = 1 };
    t->sampler = (struct gp5_sampler){ .wrap = {wrap, wrap, wrap}, .min_lod = -1000, .max_lod = 1000 };
    if (kind == GP5_TEXTURE_CUBE || kind == GP5_TEXTURE_ARRAYCUBE)
        t->size[2] = 6;
    t->samples = gp5_texture_is_multisample(kind);
}

void texture_measure(struct gp5_texture *t)
{
    uint64_t bytes = 0;
    if (t->size[0] <= 1u << 27 && t->size[1] <= 16384 && t->size[2] <= 16384 && t->levels <= 15 && t->samples <= 32)
        bytes = gp5_texture_bytes(t, t->levels);
    t->bytes = bytes <= PTRDIFF_MAX ? (size_t)bytes : 0;
}

uint32_t texture_levels(const struct gp5_texture *t)
{
    uint32_t largest = 1, levels = 1;
    if (t->kind == GP5_TEXTURE_RECT || t->kind == GP5_TEXTURE_BUFFER || gp5_texture_is_multisample(t->kind))
        return 1;
    for (unsigned i = 0; i < 3; i++)
        if (gp5_texture_shrinks(t->kind, i) && t->size[i] > largest)
            largest = t->size[i];
    while (largest >> levels)
        levels++;
    return levels;
}
