/* The words for what textures are made of: kinds, formats, filters, wrap modes, comparisons. One spelling is written;
 * GL's and piglit's are read too. */
#ifndef GP5_COMPARE_TEXTURE_WORDS_H
#define GP5_COMPARE_TEXTURE_WORDS_H

#include "gp5_texture.h"

enum texture_word { TEXTURE_KIND, TEXTURE_FORMAT, TEXTURE_FILTER, TEXTURE_WRAP, TEXTURE_COMPARE, TEXTURE_WORDS };

/* The number of a word: "ARRAY2D" or "2DArray", "RGBA8" or "GL_RGBA8", "linear"; -1 for none. */
int texture_word_find(enum texture_word what, const char *word, size_t length);

/* As it is written, "?" for no such number. */
const char *texture_word(enum texture_word what, unsigned number);

/* A texture of that kind as it begins: nearest texels, repeated (a rectangle's edge goes on), every level of detail. */
void texture_begin(struct gp5_texture *texture, unsigned kind);

/* Fills `bytes` from sizes and levels; 0 for a texture that gp5_texture_check would refuse for other reasons too. */
void texture_measure(struct gp5_texture *texture);

/* How many levels there are down to one texel. */
uint32_t texture_levels(const struct gp5_texture *texture);

#endif
