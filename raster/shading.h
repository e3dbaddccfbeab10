/* Shading the fragments of a draw: what fragments.c, which runs it, and values.c, which finds their inputs, share. */
#ifndef GP5_RASTER_SHADING_H
#define GP5_RASTER_SHADING_H

#include "raster/internal.h"

enum { MOST_INPUTS = 64 };

/* An input of the fragment program. */
struct input {
    char binding[48];
    uint8_t slot;               /* SLOTS: the rasteriser's own */
    uint8_t special;            /* enum special */
    bool flat, linear, centroid, sample;        /* linear: not over w */
    uint32_t *words, *undefined;
};

/* A quad of the launch: the first that it stands for, and its live fragments. */
struct unit {
    const struct quad *quad;
    uint8_t live;
};

enum special {
    INPUT_VALUE, INPUT_POSITION, INPUT_FACING, INPUT_POINTCOORD, INPUT_PRIMITIVE, INPUT_SAMPLE, INPUT_SAMPLEMASK
};

struct shading {
    struct pipeline *p;
    struct raster_stage *stage;
    struct shape *shapes;
    struct quads quads;
    struct unit *units;
    size_t nunits;
    uint32_t width, height;     /* of the launch: units side by side */
    struct input inputs[MOST_INPUTS];
    size_t ninputs;
    uint8_t *live, *covered;
    float *colors, *depth;
    uint32_t *undefined;
    bool writes_depth, upper_left, whole;
    bool early;                 /* depth is tested before the program runs */
    bool overrides;             /* result.samplemask is the coverage, and not what it leaves of it */
    struct pattern pattern;
    uint32_t *mask;             /* result.samplemask, four words a fragment; NULL where no program writes it */
};

/* The launch's element of a unit's pixel. */
static inline size_t element_of(const struct shading *s, size_t unit, unsigned i)
{
    size_t x = unit % (s->width / 2) * 2 + i % 2, y = unit / (s->width / 2) * 2 + i / 2;
    return y * s->width + x;
}

/* A function of window x and y. */
static inline double value_at(const double f[3], double x, double y)
{
    return f[0] * x + f[1] * y + f[2];
}

void shading_find_inputs(struct shading *s);
slot_set shading_slots(const struct shading *s);        /* that the fragments and the rasteriser want */
bool shading_is_alike(const struct shading *s, const struct shape *shape);      /* its fragments have the same inputs */
void shading_fill(const struct shading *s, struct input *in);   /* of all units */

#endif
