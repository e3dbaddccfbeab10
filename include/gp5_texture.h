/* Textures and images of a launch: their formats, their samplers, how their texels stand in memory. Included by
 * gp5.h. */
#ifndef GP5_TEXTURE_H
#define GP5_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FORMAT(name, components, bits of each, kind): as in GL's sized formats; a component of 8, 16 or 32 bits is a
 * little-endian number, the first one at the lowest address. PACKED formats are one 32-bit word, red lowest. */
#define GP5_FORMATS(FORMAT)                                                                                           \
    FORMAT(R8, 1, 8, UNORM) FORMAT(RG8, 2, 8, UNORM) FORMAT(RGBA8, 4, 8, UNORM)                                       \
    FORMAT(R16, 1, 16, UNORM) FORMAT(RG16, 2, 16, UNORM) FORMAT(RGBA16, 4, 16, UNORM)                                 \
    FORMAT(R8_SNORM, 1, 8, SNORM) FORMAT(RG8_SNORM, 2, 8, SNORM) FORMAT(RGBA8_SNORM, 4, 8, SNORM)                     \
    FORMAT(R16_SNORM, 1, 16, SNORM) FORMAT(RG16_SNORM, 2, 16, SNORM) FORMAT(RGBA16_SNORM, 4, 16, SNORM)               \
    FORMAT(R16F, 1, 16, FLOAT) FORMAT(RG16F, 2, 16, FLOAT) FORMAT(RGBA16F, 4, 16, FLOAT)                              \
    FORMAT(R32F, 1, 32, FLOAT) FORMAT(RG32F, 2, 32, FLOAT) FORMAT(RGBA32F, 4, 32, FLOAT)                              \
    FORMAT(R8UI, 1, 8, UINT) FORMAT(RG8UI, 2, 8, UINT) FORMAT(RGBA8UI, 4, 8, UINT)                                    \
    FORMAT(R16UI, 1, 16, UINT) FORMAT(RG16UI, 2, 16, UINT) FORMAT(RGBA16UI, 4, 16, UINT)                              \
    FORMAT(R32UI, 1, 32, UINT) FORMAT(RG32UI, 2, 32, UINT) FORMAT(RGBA32UI, 4, 32, UINT)                              \
    FORMAT(R8I, 1, 8, SINT) FORMAT(RG8I, 2, 8, SINT) FORMAT(RGBA8I, 4, 8, SINT)                                       \
    FORMAT(R16I, 1, 16, SINT) FORMAT(RG16I, 2, 16, SINT) FORMAT(RGBA16I, 4, 16, SINT)                                 \
    FORMAT(R32I, 1, 32, SINT) FORMAT(RG32I, 2, 32, SINT) FORMAT(RGBA32I, 4, 32, SINT)                                 \
    FORMAT(RGB10_A2, 4, 0, PACKED_UNORM) FORMAT(RGB10_A2UI, 4, 0, PACKED_UINT)                                        \
    FORMAT(R11F_G11F_B10F, 3, 0, PACKED_FLOAT) FORMAT(DEPTH32F, 1, 32, FLOAT)

enum gp5_format {
    GP5_FORMAT_NONE,
#define FORMAT(name, components, bits, kind) GP5_FORMAT_##name,
    GP5_FORMATS(FORMAT)
#undef FORMAT
    GP5_FORMAT_COUNT
};

enum gp5_format_kind {
    GP5_KIND_UNORM, GP5_KIND_SNORM, GP5_KIND_FLOAT, GP5_KIND_UINT, GP5_KIND_SINT, GP5_KIND_PACKED_UNORM,
    GP5_KIND_PACKED_UINT, GP5_KIND_PACKED_FLOAT
};

struct gp5_format_info {
    const char *name;           /* "RGBA8" */
    uint8_t components, bits;   /* bits of a component; 0 when packed */
    uint8_t kind;               /* enum gp5_format_kind */
    uint8_t bytes;              /* of a texel */
};

enum gp5_texture_kind {
    GP5_TEXTURE_1D, GP5_TEXTURE_2D, GP5_TEXTURE_3D, GP5_TEXTURE_CUBE, GP5_TEXTURE_RECT, GP5_TEXTURE_ARRAY1D,
    GP5_TEXTURE_ARRAY2D, GP5_TEXTURE_ARRAYCUBE, GP5_TEXTURE_BUFFER, GP5_TEXTURE_2DMS, GP5_TEXTURE_ARRAY2DMS,
    GP5_TEXTURE_KINDS
};
/* Those before 2DMS have one sample a texel. */

enum gp5_filter {
    GP5_FILTER_NEAREST, GP5_FILTER_LINEAR, GP5_FILTER_NEAREST_MIPMAP_NEAREST, GP5_FILTER_LINEAR_MIPMAP_NEAREST,
    GP5_FILTER_NEAREST_MIPMAP_LINEAR, GP5_FILTER_LINEAR_MIPMAP_LINEAR, GP5_FILTERS
};

enum gp5_wrap {
    GP5_WRAP_REPEAT, GP5_WRAP_CLAMP_TO_EDGE, GP5_WRAP_CLAMP_TO_BORDER, GP5_WRAP_MIRRORED_REPEAT,
    GP5_WRAP_MIRROR_CLAMP_TO_EDGE, GP5_WRAPS
};

/* What a reference value is compared by; the SHADOW targets want one. */
enum gp5_texture_compare {
    GP5_COMPARE_NONE, GP5_COMPARE_NEVER, GP5_COMPARE_LESS, GP5_COMPARE_EQUAL, GP5_COMPARE_LEQUAL, GP5_COMPARE_GREATER,
    GP5_COMPARE_NOTEQUAL, GP5_COMPARE_GEQUAL, GP5_COMPARE_ALWAYS, GP5_COMPARES
};

struct gp5_sampler {
    uint8_t min_filter, mag_filter;     /* enum gp5_filter; mag: NEAREST or LINEAR */
    uint8_t wrap[3];                    /* enum gp5_wrap for s, t, r */
    uint8_t compare;                    /* enum gp5_texture_compare */
    bool seamless;                      /* a cube's linear filter reaches over its edges (GL: one switch, off at
                                         * first) */
    bool intensity;                     /* w of a comparison is its result and not 1 (GL_DEPTH_TEXTURE_MODE) */
    uint32_t border[4];                 /* bits: floats, or integers of an integer texture */
    float min_lod, max_lod, bias;       /* GL starts with -1000, 1000, 0 */
};

/* Levels stand one after the other, the largest first; in a level rows, then layers or slices (or a cube's faces +x -x
 * +y -y +z -z), without gaps. RECT and BUFFER have one level, and so have 2DMS and ARRAY2DMS, whose samples stand as
 * slices: all first samples of a layer, then all second ones. */
struct gp5_texture {
    uint32_t unit;              /* texture[unit] */
    uint8_t kind, format;       /* enum gp5_texture_kind, enum gp5_format */
    uint32_t size[3];           /* width, height (1 for 1D, ARRAY1D, BUFFER), depth: slices of 3D, layers of arrays (of
                                 * ARRAY1D too), 6 times cubes of cubes; else 1 */
    uint32_t levels;
    uint32_t samples;           /* of a texel of 2DMS and ARRAY2DMS; else 0 */
    struct gp5_sampler sampler;
    uint8_t *data;              /* the caller's, aligned to 16 bytes; written by image instructions */
    size_t bytes;
    uint64_t handle;            /* what handle() finds it by; 0: nothing */
    uint32_t *undefined;        /* as in gp5_buffer */
};

/* image[unit]: a level of one of the textures. */
struct gp5_image {
    uint32_t unit;
    uint32_t texture;           /* unit of the texture */
    uint32_t level;
    bool layered;               /* false: `layer` alone, as a texture with a dimension less */
    uint32_t layer;
    uint8_t format;             /* enum gp5_format, of the same size as the texture's */
    uint64_t handle;
};

/* What a texel of a format is; NULL for no format. */
static inline const struct gp5_format_info *gp5_format_info(unsigned format)
{
    static const struct gp5_format_info table[GP5_FORMAT_COUNT] = {
        {"", 0, 0, 0, 0},
#define FORMAT(name, components, bits, kind) \
        {#name, components, bits, GP5_KIND_##kind, (bits) ? (components) * (bits) / 8 : 4},
        GP5_FORMATS(FORMAT)
#undef FORMAT
    };
    return format && format < GP5_FORMAT_COUNT ? &table[format] : NULL;
}

/* Whether size[i] shrinks from level to level. */
static inline bool gp5_texture_shrinks(unsigned kind, unsigned i)
{
    return i == 0 || (i == 1 && kind != GP5_TEXTURE_ARRAY1D) || (i == 2 && kind == GP5_TEXTURE_3D);
}

/* The width, height and depth (or layers, or faces) of a level. */
static inline void gp5_texture_level(const struct gp5_texture *texture, uint32_t level, uint32_t size[3])
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t n = texture->size[i];
        if (gp5_texture_shrinks(texture->kind, i))
            n = level < 32 && n >> level ? n >> level : n ? 1 : 0;
        size[i] = n;
    }
}

static inline bool gp5_texture_is_multisample(unsigned kind)
{
    return kind == GP5_TEXTURE_2DMS || kind == GP5_TEXTURE_ARRAY2DMS;
}

/* Bytes before a level: of all levels, for `levels`. At most 2^62 for sizes that driver_case_check lets through. */
static inline uint64_t gp5_texture_bytes(const struct gp5_texture *texture, uint32_t levels)
{
    const struct gp5_format_info *info = gp5_format_info(texture->format);
    uint64_t sum = 0;

    for (uint32_t i = 0; info && i < levels && i < 32; i++) {
        uint32_t size[3];
        gp5_texture_level(texture, i, size);
        sum += (uint64_t)size[0] * size[1] * size[2] * info->bytes *
               (gp5_texture_is_multisample(texture->kind) ? texture->samples : 1);
    }
    return sum;
}

/* Whether kind and sizes go together: NULL, or why not. */
static inline const char *gp5_texture_check(const struct gp5_texture *t)
{
    bool cube = t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE;
    bool flat = t->kind == GP5_TEXTURE_1D || t->kind == GP5_TEXTURE_ARRAY1D || t->kind == GP5_TEXTURE_BUFFER;
    bool deep = t->kind == GP5_TEXTURE_3D || t->kind == GP5_TEXTURE_ARRAY1D || t->kind == GP5_TEXTURE_ARRAY2D ||
                t->kind == GP5_TEXTURE_ARRAY2DMS;
    bool samples = gp5_texture_is_multisample(t->kind);
    uint32_t most = t->kind == GP5_TEXTURE_BUFFER ? 1u << 27 : 16384, largest = 1;

    if (t->kind >= GP5_TEXTURE_KINDS || !gp5_format_info(t->format))
        return "no such kind or format of texture";
    if (!t->size[0] || !t->size[1] || !t->size[2] || t->size[0] > most || t->size[1] > 16384 || t->size[2] > 16384)
        return "a texture's size is out of range";
    if ((flat && t->size[1] != 1) || (cube && (t->size[0] != t->size[1] || t->size[2] % 6)) ||
        (t->kind == GP5_TEXTURE_CUBE && t->size[2] != 6) || (!cube && !deep && t->size[2] != 1))
        return "a texture's size is not one of its kind";
    for (unsigned i = 0; i < 3; i++)
        if (gp5_texture_shrinks(t->kind, i) && t->size[i] > largest)
            largest = t->size[i];
    if (!t->levels || t->levels > 15 || largest >> (t->levels - 1) == 0)
        return "a texture has levels down to one texel, and at least one";
    if (samples ? !t->samples || t->samples > 32 : t->samples)
        return samples ? "a multisample texture has 1 to 32 samples" : "this kind of texture has no samples";
    if (t->levels > 1 && (samples || t->kind == GP5_TEXTURE_RECT || t->kind == GP5_TEXTURE_BUFFER))
        return "this kind of texture has one level";
    if (gp5_texture_bytes(t, t->levels) != t->bytes)
        return "a texture's data is not as large as its levels";
    return NULL;
}

#endif
