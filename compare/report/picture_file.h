/* Pictures as PNG files: colours, masks, and where two differ. */
#ifndef GP5_COMPARE_PICTURE_FILE_H
#define GP5_COMPARE_PICTURE_FILE_H

#include "compare/world/picture.h"

#include <stdbool.h>
#include <stddef.h>

enum picture_kind {
    PICTURE_COLORS,     /* 0 to 1 as 0 to 255, what is outside is clamped, a NaN is 0; without alpha */
    PICTURE_UNDEFINED,  /* red where a component is undefined, grey where nothing is drawn, white elsewhere */
    PICTURE_COVERED,    /* white where something is drawn, else black */
    PICTURE_DIFFERENCE  /* black: none; over blue, red and yellow to white: the largest of the four components */
};

/* Red, green and blue of each pixel, rows from above; `other` is of PICTURE_DIFFERENCE, NULL elsewhere. gp5_free frees
 * it; NULL without memory. */
unsigned char *picture_pixels(const struct picture *p, const struct picture *other, enum picture_kind kind);

/* "-" is standard output. NULL, or what went wrong: constant. */
const char *picture_write(const struct picture *p, const struct picture *other, enum picture_kind kind,
                          const char *path);

#endif
