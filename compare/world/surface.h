/* What draws go into, a side each: the window, a buffer of samples, or levels of textures. A plane of pixels for each
 * layer and in it for each sample, rows from the bottom. */
#ifndef GP5_COMPARE_SURFACE_H
#define GP5_COMPARE_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SURFACE_SIDES = 2, SURFACE_BUFFERS = 8 };

struct surface {
    uint32_t width, height, layers, samples;
    bool layered;                   /* primitives choose their layer */
    bool keeps;                     /* values as they are; else from 0 to 1 */
    uint32_t buffers, drawn;        /* colours that there are, and those that are drawn */
    uint32_t read, read_layer;      /* what probes look at */
    int32_t read_sample;            /* -1: the mean of all */
    float *colors[SURFACE_SIDES];   /* buffers x planes x height x width x 4; NULL: nothing was drawn or cleared yet */
    uint32_t *undefined;            /* the reference's, a word a component */
    uint8_t *covered[SURFACE_SIDES];        /* planes x height x width */
    float *depth[SURFACE_SIDES];
    bool flat_depth;                /* it is the same everywhere */
    /* Of textures: the unit of each colour, -1 for none. */
    bool is_textures;
    int32_t unit[SURFACE_BUFFERS];
    uint32_t level, first_layer;
};

uint32_t surface_planes(const struct surface *s);
size_t surface_pixels(const struct surface *s);     /* of a plane */
size_t surface_plane(const struct surface *s, uint32_t buffer, uint32_t layer, uint32_t sample);   /* its first pixel */

bool surface_make(struct surface *s);               /* black, of depth 1; false without memory */
void surface_free(struct surface *s);
bool surface_made(const struct surface *s);
void surface_clear(struct surface *s, const float color[4], float depth);

/* What a probe sees of a pixel: a sample of it, or their mean. */
float surface_value(const struct surface *s, int side, uint32_t x, uint32_t y, unsigned component);
uint32_t surface_undefined(const struct surface *s, uint32_t x, uint32_t y, unsigned component);
bool surface_covered(const struct surface *s, int side, uint32_t x, uint32_t y);
float surface_depth(const struct surface *s, int side, uint32_t x, uint32_t y);

/* All of a picture to all of another one, of what is read to all that is drawn; the means of samples, and of pixels too
 * where it is linear. Both are made. */
void surface_copy(const struct surface *from, struct surface *to, bool linear);

/* What probes see of all its colours, layers stacked, of samples the mean. `from` may be taken apart. False where
 * nothing was drawn, and without memory. */
bool surface_flatten(struct surface *from, struct surface *to);

#endif
