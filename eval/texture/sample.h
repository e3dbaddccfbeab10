/* Sampling: from coordinates and a level of detail to four words, for one lane. Nothing here knows of programs.
 *
 * Coordinates become numbers of 1/256 of a texel, weights are such numbers, levels of detail have eight bits of
 * fraction: so the text allows, and so the driver was measured to do, bit for bit (docs/numbers.md, "Textures"). */
#ifndef GP5_EVAL_SAMPLE_H
#define GP5_EVAL_SAMPLE_H

#include "eval/texture/texture.h"

/* One texel that a result is made of: where it stands in a level, or the border. */
struct tap {
    uint32_t at[3];
    bool border;
    bool looked_at;             /* though its weight may have been rounded to nothing */
    int32_t weight;             /* of 256 */
};

/* Texels that the hardware adds up at once: the four of a plane of a level. */
struct quad {
    const struct texel_level *level;
    struct tap tap[4];
    unsigned n;
};

enum { MAX_QUADS = 4 };         /* two slices of two levels */

struct footprint {
    struct quad quad[MAX_QUADS];
    unsigned n;
    bool filtered;              /* by a sampler that mixes texels, though here it may be one */
};

/* What is sampled. */
struct sample {
    const struct texture_view *view;
    double st[3];               /* s t r; of a cube on its face */
    uint32_t layer;             /* and its face: the third coordinate of a texel, but for 3D */
    float reference;
    int32_t offset[3];
    bool compares;              /* with the reference */
};

/* What a lane gets, and the texels that it is made of: TXGO looks at four places. */
struct texture_result {
    uint32_t word[4];
    enum texture_fault fault;
    const struct texture_view *view;
    struct footprint place[4];
    unsigned nplaces;
    uint8_t open;               /* components that the text leaves open */
};

/* A level of detail in units of 1/256. */
typedef int32_t lod_t;

enum { ONE_LEVEL = 256, MOST_LOD = 1 << 20 };

/* lod.c */
/* A number as a level of detail, without the sampler's bounds and bias. NaN is 0. */
lod_t eval_lod_of(float lod);
/* The sampler's bias; a level between its bounds. */
lod_t eval_lod_bias(const struct gp5_sampler *s);
lod_t eval_lod_bound(const struct gp5_sampler *s, lod_t lod);
/* Which levels: the first, and how much of the one behind it, of 256. */
bool eval_lod_levels(const struct gp5_texture *t, lod_t lod, uint32_t *level, uint32_t *fraction, bool *linear);

/* lod_gradient.c: from the derivatives of n coordinates in a first level of this size. */
lod_t eval_lod_of_rho(double rho);
lod_t eval_lod_of_derivatives(const float dx[3], const float dy[3], const uint32_t size[3], unsigned n);
/* From a direction and those of the next lane and the next row, in a cube of this size. */
lod_t eval_lod_of_cube(const float at[3], const float right[3], const float down[3], uint32_t size);

/* wrap.c: a coordinate in one direction of a level. */
struct axis {
    uint32_t size;
    uint8_t wrap;               /* enum gp5_wrap */
    bool normalized;            /* not of a rectangle */
};
/* The texel that it falls in, so many texels further; for a linear filter the first of two, and of 256 the weight of
 * the one behind. */
int64_t eval_coord_nearest(const struct axis *a, double s, int32_t offset);
int64_t eval_coord_linear(const struct axis *a, double s, int32_t offset, uint32_t *fraction);
/* The texel that stands for number i; false for the border. */
bool eval_coord_wrap(const struct axis *a, int64_t i, uint32_t *texel);
/* A layer: the nearest one, ties to the even one, of those that there are. */
uint32_t eval_coord_layer(float layer, uint32_t layers);

/* cube.c: the face of a direction, and where on it. */
void eval_cube_face(const float direction[3], uint32_t *face, double st[2]);

/* cube_seam.c: the face and the texel that a number beyond the face's edges means; false at a corner, where three faces
 * meet. */
bool eval_over_seam(uint32_t *face, int64_t texel[2], int64_t size);

/* footprint.c: the texels of a level at a place. */
void eval_footprint_add(struct footprint *f, const struct sample *s, uint32_t level, uint32_t weight, bool linear);
/* The four of a gather, in the order of the result. */
void eval_footprint_gather(struct footprint *f, const struct sample *s);
/* What one of them is a sum of: itself, with nearest filters too; of the corner of a seamless cube, where none is, the
 * three others. */
void eval_footprint_of_one(struct footprint *f, const struct sample *s, const struct quad *four, unsigned k);

/* filter.c: from texels to words. */
void eval_filter(const struct sample *s, const struct footprint *f, uint32_t word[4]);
/* One texel, or the border, as words. */
void eval_fetch_tap(const struct sample *s, const struct texel_level *level, const struct tap *tap, uint32_t word[4]);

bool eval_mixes_texels(const struct gp5_sampler *s);
/* Level, texels and filter. */
void eval_sample(const struct sample *s, lod_t lod, struct footprint *f, uint32_t word[4]);

/* lod_select.c: the level of detail of a lane. */
/* LOD: the result. */
void eval_texture_lod_query(const struct warp *w, const struct texture_call *t, const struct sample *s, unsigned lane,
                            struct texture_result *r);
lod_t eval_texture_lod(const struct warp *w, const struct texture_call *t, const struct sample *s, unsigned lane,
                       struct texture_result *r);
/* Whether it hangs on a quad of which not every lane is active. */
bool eval_texture_quad_is_broken(const struct warp *w, const struct texture_call *t, unsigned lane);
bool eval_texture_level_is_idle(const struct gp5_texture *texture);

/* warp.c: the texture, where all active lanes sample one a warp at a time; else NULL. */
const struct texture_view *eval_texture_plain(const struct warp *w, const struct texture_call *t);
void eval_texture_warp(struct warp *w, const struct texture_call *t, const struct texture_view *v);
/* What it has to know of a texture. */
void eval_texture_note_plain(struct texture_view *v);

#endif
