/* Textures of the second evaluator: docs/numbers.md, "Textures", a lane at a time. */
#ifndef GP5_TESTS_ORACLE_SAMPLING_H
#define GP5_TESTS_ORACLE_SAMPLING_H

#include "tests/oracle/internal.h"

typedef __int128 oracle_wide;

enum { ORACLE_LEVEL = 256 };      /* a level of detail has eight bits behind the point */

/* One texture as a lane looks at it. */
struct oracle_sampled {
    const struct gp5_texture *texture;
    const bool *undef;           /* words of it that are undefined */
    unsigned n;                 /* directions that texels have: of a cube 2 */
    double at[3];               /* of a cube on the face */
    uint32_t layer;             /* and its face */
    int32_t offset[3];
    bool compares, flush;       /* denormals are zero */
    uint32_t reference;
};

struct oracle_tap {
    uint32_t level;
    int64_t at[3];
    bool border;
    int32_t weight;             /* of 256 */
    bool counts;                /* NaNs and infinities do, where the weight is rounded to 0 too */
};

static inline double oracle_float(uint32_t word)
{
    union { uint32_t word; float value; } u = {word};
    return (double)u.value;
}

enum { ORACLE_PLANES = 4, ORACLE_OF_A_PLANE = 4 };

struct oracle_footprint {
    struct oracle_tap tap[ORACLE_PLANES][ORACLE_OF_A_PLANE];      /* those that count */
    unsigned n;
};
/* texels.c */
bool oracle_whole_numbers(const struct gp5_texture *t);
/* Whether there are coordinates or levels for which its sampler sums texels. */
bool oracle_mixes(const struct gp5_texture *t);
bool oracle_has_levels(const struct gp5_texture *t);
void oracle_level_size(const struct gp5_texture *t, uint32_t level, uint32_t size[3]);
bool oracle_is_normalised(const struct gp5_format_info *f);
/* Where a texel begins; false where there is none. */
bool oracle_find_texel(const struct gp5_texture *t, const struct oracle_tap *p, uint64_t *at);
/* Component c of a border as the texture has it: its bits; as many as `bits` says. */
uint32_t oracle_border_bits(const struct gp5_texture *t, unsigned c, unsigned *bits);
uint32_t oracle_quotient(int64_t n, int64_t by);
/* A texel, its border or, where there is none, 0; whether it is undefined. */
void oracle_fetch_texel(const struct oracle_sampled *s, const struct oracle_tap *p, struct oracle_value r[4]);
/* 1.0 or 0 of a texel and the reference. */
uint32_t oracle_compared(const struct oracle_sampled *s, const struct oracle_tap *p);

/* texel_sums.c: of texels with their weights. */
uint32_t oracle_normalised_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, unsigned c);
uint32_t oracle_float_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, unsigned c);
void oracle_comparison_sum(const struct oracle_sampled *s, const struct oracle_footprint *f, struct oracle_value r[4]);

/* sampling.c: a float in units of 2^-bits, towards minus infinity or zero; NaN is 0. */
oracle_wide oracle_scaled(uint32_t f, int bits, bool down);
int64_t oracle_floor_divided(int64_t n, int64_t by);
void oracle_sample_at(const struct oracle_sampled *s, int64_t lod, struct oracle_value r[4]);
/* The texels that TXG looks at, in the order of its result. */
void oracle_four_texels(const struct oracle_sampled *s, struct oracle_tap four[4]);
/* What it gives of texel k of them; of a comparison in x. */
void oracle_gathered(const struct oracle_sampled *s, const struct oracle_tap four[4], unsigned k,
                     struct oracle_value r[4]);

/* cubes.c: where a direction that was divided by its greatest component falls; the texel beyond a face's edges, or none
 * where three meet. */
void oracle_face(const uint32_t direction[3], uint32_t *face, double at[2]);
bool oracle_beyond_edge(uint32_t *face, int64_t texel[2], int64_t size);

/* slopes.c: levels from derivatives, without the sampler's bias. */
int64_t oracle_level_of_slopes(const uint32_t dx[3], const uint32_t dy[3], const uint32_t size[3], unsigned n);
int64_t oracle_level_of_directions(const uint32_t at[3], const uint32_t dx[3], const uint32_t dy[3], uint32_t size);

#endif
