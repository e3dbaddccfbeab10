/* Textures of the second evaluator: docs/textures.md, a lane at a time. */
#ifndef GP5_TESTS_SLOW_SAMPLING_H
#define GP5_TESTS_SLOW_SAMPLING_H

#include "tests/slow/internal.h"

typedef __int128 slow_wide;

enum { SLOW_LEVEL = 256 };      /* a level of detail has eight bits behind the point */

/* One texture as a lane looks at it. */
struct slow_sampled {
    const struct gp5_texture *texture;
    const bool *open;           /* words of it that are undefined */
    unsigned n;                 /* directions that texels have: of a cube 2 */
    double at[3];               /* of a cube on the face */
    uint32_t layer;             /* and its face */
    int32_t offset[3];
    bool compares, flush;       /* denormals are zero */
    uint32_t reference;
};

struct slow_spot {
    uint32_t level;
    int64_t at[3];
    bool border;
    int32_t weight;             /* of 256 */
};

static inline double slow_float(uint32_t word)
{
    union { uint32_t word; float value; } u = {word};
    return (double)u.value;
}

/* sampling.c */
bool slow_whole_numbers(const struct gp5_texture *t);
/* Whether there are coordinates or levels for which its sampler sums texels. */
bool slow_mixes(const struct gp5_texture *t);
bool slow_has_levels(const struct gp5_texture *t);
void slow_level_size(const struct gp5_texture *t, uint32_t level, uint32_t size[3]);
/* A float in units of 2^-bits, towards minus infinity or zero; NaN is 0. */
slow_wide slow_scaled(uint32_t f, int bits, bool down);
/* A texel, its border or, where there is none, 0; whether it is undefined. */
void slow_fetch_texel(const struct slow_sampled *s, const struct slow_spot *p, struct slow_value r[4]);
void slow_sample_at(const struct slow_sampled *s, int64_t lod, struct slow_value r[4]);
/* The texels that TXG looks at, in the order of its result. */
void slow_four_texels(const struct slow_sampled *s, struct slow_spot four[4]);
/* 1.0 or 0 of a texel and the reference. */
uint32_t slow_compared(const struct slow_sampled *s, const struct slow_spot *p);

/* cubes.c: where a direction that was divided by its greatest component falls; the texel beyond a face's edges, or none where three meet. */
void slow_face(const uint32_t direction[3], uint32_t *face, double at[2]);
bool slow_beyond_edge(uint32_t *face, int64_t texel[2], int64_t size);

/* slopes.c: levels from derivatives, without the sampler's bias. */
int64_t slow_level_of_slopes(const uint32_t dx[3], const uint32_t dy[3], const uint32_t size[3], unsigned n);
int64_t slow_level_of_directions(const uint32_t at[3], const uint32_t dx[3], const uint32_t dy[3], uint32_t size);

#endif
