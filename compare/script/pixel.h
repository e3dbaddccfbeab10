/* Texels of colours: four floats to the bytes of a format and back. */
#ifndef GP5_COMPARE_PIXEL_H
#define GP5_COMPARE_PIXEL_H

#include "gp5_texture.h"

/* Whether a format has a byte, a half or a word for each component that is a float or stands for one from 0 (-1) to
 * 1. */
bool pixel_is_color(const struct gp5_format_info *info);

void pixel_put(const struct gp5_format_info *info, const float color[4], uint8_t *to);
void pixel_get(const struct gp5_format_info *info, const uint8_t *from, float color[4]);    /* what lacks: 0 0 0 1 */

#endif
