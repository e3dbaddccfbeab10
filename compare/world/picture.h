/* A rectangle of pixels as an evaluation or a driver gave it: rows from below. */
#ifndef GP5_COMPARE_PICTURE_H
#define GP5_COMPARE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct picture {
    uint32_t width, height;
    const float *colors;            /* red, green, blue, alpha of each pixel */
    const uint32_t *undefined;      /* not 0: this component is undefined; or NULL */
    const uint8_t *covered;         /* 0: nothing was drawn there, or it was discarded; or NULL: all are */
};

/* More pixels than that are told of as a picture, and of the first ones as numbers. */
enum { PICTURE_NUMBERS = 64, PICTURE_FIRST = 8 };

bool picture_drawn(const struct picture *p, size_t pixel);
bool picture_undefined(const struct picture *p, size_t pixel);

/* The largest difference of a component that is defined; infinite where only one of them is a NaN or is drawn. */
float picture_distance(const struct picture *p, const struct picture *other, size_t pixel);

/* In letters, rows from above, at most 64 columns and 24 rows of them: how bright it is; or with `other` where the two
 * differ. A line says what the letters mean. */
void picture_text(FILE *out, const char *indent, const struct picture *p, const struct picture *other);

#endif
