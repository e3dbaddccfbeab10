/* Texels: where they stand in a texture's data, and their values as four words of a register. */
#ifndef GP5_EVAL_TEXELS_H
#define GP5_EVAL_TEXELS_H

#include "include/gp5_texture.h"

/* One level of a texture. */
struct texel_level {
    uint8_t *data;
    uint64_t start;             /* bytes of the texture's data before it; no multiple of 4, perhaps */
    uint32_t size[3];           /* width, height, and slices, layers or faces */
    uint8_t format, bytes;      /* enum gp5_format; of a texel */
};

/* False when the texture has no such level. */
bool eval_texel_level(const struct gp5_texture *texture, uint32_t level, struct texel_level *out);

/* The first byte of a texel, counted from that of the level. The texel must be there. */
static inline uint64_t eval_texel_offset(const struct texel_level *l, uint32_t x, uint32_t y, uint32_t z)
{
    return (((uint64_t)z * l->size[1] + y) * l->size[0] + x) * l->bytes;
}

/* So many bits of a texel, whole bytes, the lowest first. */
static inline uint32_t eval_texel_bits(const uint8_t *p, unsigned bits)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < bits / 8; i++)
        word |= (uint32_t)p[i] << (8 * i);
    return word;
}

/* What a component of a format is in a register: a float, or an integer. */
static inline bool eval_format_is_float(unsigned format)
{
    const struct gp5_format_info *info = gp5_format_info(format);

    return info && info->kind != GP5_KIND_UINT && info->kind != GP5_KIND_SINT && info->kind != GP5_KIND_PACKED_UINT;
}

/* The value of a texel: floats, or integers of integer formats; components that the format does not have are 0, 0,
 * 0, 1. Halves and smaller floats are widened exactly, NaNs with their bits, a normalised number is the float next to
 * it. */
void eval_texel_read(const uint8_t *texel, unsigned format, uint32_t word[4]);

/* What a store in a format writes for four words: floats of float and normalised formats, else integers, of which
 * `sign` says whether they are signed. Rounded as NVIDIA's GPUs do, which the text leaves open. */
void eval_texel_write(uint8_t *texel, unsigned format, bool sign, const uint32_t word[4]);

/* Parts of these: a float of 0 to 1 as a number of so many bits, what is beyond as 0 and the greatest; a float as a
 * half, and back. */
uint32_t eval_texel_scale(uint32_t word, unsigned bits);
uint32_t eval_texel_half(uint32_t word);
uint32_t eval_texel_widen(uint32_t half);

#endif
