/* Which texel a byte of a texture belongs to, and the type of its components. */
#include "compare/world/world.h"

/* What a texture is compared as unless the script says something else: the words of its components. */
enum number_type texel_type(unsigned format)
{
    const struct gp5_format_info *info = gp5_format_info(format);
    switch (info->kind) {
    case GP5_KIND_FLOAT: return info->bits == 16 ? NUMBER_F16 : NUMBER_F32;
    case GP5_KIND_SINT: case GP5_KIND_SNORM:
        return info->bits == 8 ? NUMBER_S8 : info->bits == 16 ? NUMBER_S16 : NUMBER_S32;
    case GP5_KIND_UINT: case GP5_KIND_UNORM:
        return info->bits == 8 ? NUMBER_U8 : info->bits == 16 ? NUMBER_U16 : NUMBER_U32;
    default: return NUMBER_U32;
    }
}

/* The texel that a byte of a texture belongs to. */
void texel_place(const struct gp5_texture *t, size_t offset, struct finding *f)
{
    const struct gp5_format_info *info = gp5_format_info(t->format);
    uint32_t size[3], level = 0;
    while (level + 1 < t->levels && offset >= gp5_texture_bytes(t, level + 1))
        level++;
    gp5_texture_level(t, level, size);
    size_t inside = offset - (size_t)gp5_texture_bytes(t, level), texel = inside / info->bytes;
    f->has_invocation = true;
    f->level = level;
    f->x = (uint32_t)(texel % size[0]);
    f->y = (uint32_t)(texel / size[0] % size[1]);
    f->z = (uint32_t)(texel / size[0] / size[1]);
    f->component = info->bits ? (uint32_t)(inside % info->bytes / (info->bits / 8)) : 0;
}
