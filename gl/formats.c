/* GL's names for formats, kinds of textures and samplers. */
#include "gl/textures.h"

#include <string.h>

const struct gl_format *gl_format(unsigned format)
{
    static const struct gl_format table[GP5_FORMAT_COUNT] = {
#define ROW(name, external, type) [GP5_FORMAT_##name] = { GL_##name, external, type },
        ROW(R8, GL_RED, GL_UNSIGNED_BYTE) ROW(RG8, GL_RG, GL_UNSIGNED_BYTE) ROW(RGBA8, GL_RGBA, GL_UNSIGNED_BYTE)
        ROW(R16, GL_RED, GL_UNSIGNED_SHORT) ROW(RG16, GL_RG, GL_UNSIGNED_SHORT)
        ROW(RGBA16, GL_RGBA, GL_UNSIGNED_SHORT)
        ROW(R8_SNORM, GL_RED, GL_BYTE) ROW(RG8_SNORM, GL_RG, GL_BYTE) ROW(RGBA8_SNORM, GL_RGBA, GL_BYTE)
        ROW(R16_SNORM, GL_RED, GL_SHORT) ROW(RG16_SNORM, GL_RG, GL_SHORT) ROW(RGBA16_SNORM, GL_RGBA, GL_SHORT)
        ROW(R16F, GL_RED, GL_HALF_FLOAT) ROW(RG16F, GL_RG, GL_HALF_FLOAT) ROW(RGBA16F, GL_RGBA, GL_HALF_FLOAT)
        ROW(R32F, GL_RED, GL_FLOAT) ROW(RG32F, GL_RG, GL_FLOAT) ROW(RGBA32F, GL_RGBA, GL_FLOAT)
        ROW(R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE) ROW(RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE)
        ROW(RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE)
        ROW(R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT) ROW(RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT)
        ROW(RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT)
        ROW(R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT) ROW(RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT)
        ROW(RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT)
        ROW(R8I, GL_RED_INTEGER, GL_BYTE) ROW(RG8I, GL_RG_INTEGER, GL_BYTE) ROW(RGBA8I, GL_RGBA_INTEGER, GL_BYTE)
        ROW(R16I, GL_RED_INTEGER, GL_SHORT) ROW(RG16I, GL_RG_INTEGER, GL_SHORT)
        ROW(RGBA16I, GL_RGBA_INTEGER, GL_SHORT)
        ROW(R32I, GL_RED_INTEGER, GL_INT) ROW(RG32I, GL_RG_INTEGER, GL_INT) ROW(RGBA32I, GL_RGBA_INTEGER, GL_INT)
        ROW(RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV)
        ROW(RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV)
        ROW(R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV)
        [GP5_FORMAT_DEPTH32F] = { GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT },
#undef ROW
    };
    return &table[format];
}

GLenum gl_texture_target(unsigned kind)
{
    static const GLenum targets[GP5_TEXTURE_KINDS] = {
        [GP5_TEXTURE_1D] = GL_TEXTURE_1D, [GP5_TEXTURE_2D] = GL_TEXTURE_2D, [GP5_TEXTURE_3D] = GL_TEXTURE_3D,
        [GP5_TEXTURE_CUBE] = GL_TEXTURE_CUBE_MAP, [GP5_TEXTURE_RECT] = GL_TEXTURE_RECTANGLE,
        [GP5_TEXTURE_ARRAY1D] = GL_TEXTURE_1D_ARRAY, [GP5_TEXTURE_ARRAY2D] = GL_TEXTURE_2D_ARRAY,
        [GP5_TEXTURE_ARRAYCUBE] = GL_TEXTURE_CUBE_MAP_ARRAY, [GP5_TEXTURE_BUFFER] = GL_TEXTURE_BUFFER,
        [GP5_TEXTURE_2DMS] = GL_TEXTURE_2D_MULTISAMPLE, [GP5_TEXTURE_ARRAY2DMS] = GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
    };
    return targets[kind];
}

static GLint filter(unsigned f)
{
    static const GLint filters[GP5_FILTERS] = {
        GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR,
        GL_LINEAR_MIPMAP_LINEAR
    };
    return filters[f];
}

static GLint wrap(unsigned w)
{
    static const GLint wraps[GP5_WRAPS] = {
        GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE
    };
    return wraps[w];
}

/* Signed and unsigned integers have the same bits, but not the same clamp of the other's values. */
static void set_border(GLenum target, unsigned kind, const uint32_t bits[4])
{
    GLint integers[4];
    GLfloat floats[4];
    memcpy(integers, bits, sizeof integers);
    memcpy(floats, bits, sizeof floats);
    if (kind == GP5_KIND_SINT)
        glTexParameterIiv(target, GL_TEXTURE_BORDER_COLOR, integers);
    else if (kind == GP5_KIND_UINT || kind == GP5_KIND_PACKED_UINT)
        glTexParameterIuiv(target, GL_TEXTURE_BORDER_COLOR, bits);
    else
        glTexParameterfv(target, GL_TEXTURE_BORDER_COLOR, floats);
}

/* A rectangle has one level, and NVIDIA's driver wants to hear nothing about it. */
static void set_levels(GLenum target, const struct gp5_texture *t)
{
    const struct gp5_sampler *s = &t->sampler;
    glTexParameterf(target, GL_TEXTURE_LOD_BIAS, s->bias);
    if (t->kind == GP5_TEXTURE_RECT)
        return;
    glTexParameterf(target, GL_TEXTURE_MIN_LOD, s->min_lod);
    glTexParameterf(target, GL_TEXTURE_MAX_LOD, s->max_lod);
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, (GLint)t->levels - 1);
}

void gl_set_sampler(const struct gp5_texture *t)
{
    static const GLint functions[GP5_COMPARES] = {
        0, GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS
    };
    static const GLenum axes[3] = { GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R };
    const struct gp5_sampler *s = &t->sampler;
    GLenum target = gl_texture_target(t->kind);
    unsigned kind = gp5_format_info(t->format)->kind;

    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, filter(s->min_filter));
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, filter(s->mag_filter));
    for (int i = 0; i < (t->kind == GP5_TEXTURE_RECT ? 2 : 3); i++)
        glTexParameteri(target, axes[i], wrap(s->wrap[i]));
    set_border(target, kind, s->border);
    set_levels(target, t);
    if (s->compare) {
        glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(target, GL_TEXTURE_COMPARE_FUNC, functions[s->compare]);
        if (s->intensity)
            glTexParameteri(target, GL_DEPTH_TEXTURE_MODE, GL_INTENSITY);
    }
}
