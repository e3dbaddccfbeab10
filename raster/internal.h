/* Inside of the rasteriser. */
#ifndef GP5_RASTER_INTERNAL_H
#define GP5_RASTER_INTERNAL_H

#include "asm/arena.h"
#include "raster/raster.h"

/* ---- what vertices have, by slot --------------------------------------------------------------------------- */

enum slot {
    SLOT_POSITION, SLOT_COLOR, SLOT_SECONDARY, SLOT_BACK, SLOT_BACK_SECONDARY, SLOT_FOG, SLOT_SIZE, SLOT_PRIMID,
    SLOT_LAYER, SLOT_VIEWPORT, SLOT_VIEWPORTMASK,
    SLOT_TEXCOORD, SLOT_ATTRIB = SLOT_TEXCOORD + 8, SLOT_CLIP = SLOT_ATTRIB + 32, SLOT_CULL = SLOT_CLIP + 8,
    SLOTS = SLOT_CULL + 8
};

/* Vertices as a stage left them: four words each; NULL for what nobody asks for. */
struct vertices {
    size_t count;
    uint32_t *words[SLOTS], *undefined[SLOTS];
};

/* A bit a slot. */
typedef unsigned __int128 slot_set;
#define SLOT_BIT(slot) ((slot_set)1 << (slot))

void vertices_free(struct vertices *v);
bool vertices_make(struct vertices *v, size_t count, slot_set slots, bool track);

/* "texcoord[3]" behind "vertex.", "result." or another prefix. */
const char *slot_name(char text[48], const char *prefix, unsigned slot);

bool program_names(const struct raster_stage *stage, const char *binding);
bool program_has_option(const struct raster_stage *stage, unsigned option);

/* ---- primitives ------------------------------------------------------------------------------------------- */

struct primitive {
    uint8_t n;                  /* vertices: 1 2 3, with adjacency 4 6, of patches more */
    uint32_t v[6];              /* of patches the first alone */
    uint32_t provoking, id;
};

struct primitives {
    struct primitive *list;
    size_t count, room;
};

bool primitives_add(struct primitives *p, const struct primitive *one);

/* primitive.id of each, four words; NULL without memory. */
uint32_t *primitives_ids(const struct primitives *p);

/* Those of `count` vertices from `base` on; their numbers begin with `id`. QUADS and POLYGON are triangles. */
bool assemble(enum raster_mode mode, uint32_t base, uint32_t count, uint32_t patch_vertices, bool first_vertex,
              struct primitives *p);

/* ---- a draw on its way ------------------------------------------------------------------------------------ */

struct pipeline {
    const struct raster_draw *draw;
    struct raster_window *window;
    struct vertices vertices;   /* of the last stage before the rasteriser */
    struct primitives primitives;
    struct gp5_state unclamped; /* the draw's, but that colours are clamped here */
    slot_set slots;             /* that the rasteriser and the fragment program want */
    enum raster_place failed;
    char *message;
    size_t size;
};

bool pipeline_fail(struct pipeline *p, enum raster_place place, const char *message);
bool pipeline_run(struct pipeline *p, enum raster_place place);     /* the stage's launch, ready */
bool pipeline_vertices(struct pipeline *p);     /* vertex, tessellation and geometry programs */
bool pipeline_tessellate(struct pipeline *p, struct vertices *v, struct primitives *list);
/* What of its vertices a stage names; the results of a stage that fill vertices (what it does not have stays zero). */
slot_set stage_wants(const struct pipeline *p, enum raster_place next);
size_t stage_results(const struct raster_stage *s, const struct vertices *v, struct gp5_array *list, char names[][48]);
bool pipeline_geometry(struct pipeline *p, struct vertices *v, struct primitives *list);
bool pipeline_fragments(struct pipeline *p);
void pipeline_capture(struct pipeline *p);
slot_set captured_slots(const struct raster_draw *draw);

/* Whether a fragment program's results follow from its attributes that are interpolated, so that fragments that have
 * the same ones are shaded once. */
bool fragments_alike(const gp5_program *program);

/* A patch's points, their domain coordinates three each, to primitives of vertices from `base` on. */
struct stage_shape;
bool patch_topology(const struct stage_shape *shape, const float *uvw, uint32_t count, uint32_t base, uint32_t id,
                    bool first_vertex, struct primitives *to);

/* ---- shapes and coverage ---------------------------------------------------------------------------------- */

enum { MOST_CORNERS = 3 + 6 + 8 };

struct polygon {
    unsigned count;
    double x[MOST_CORNERS], y[MOST_CORNERS];    /* pixels */
};

/* A primitive on the screen. Functions of window x and y are three numbers: of x, of y, and a constant. */
struct shape {
    uint8_t n;
    bool back, sprite;
    uint32_t v[3], provoking, id, layer;
    double view[4];             /* its viewport: x, y, width, height */
    uint32_t across[2], up[2];  /* pixels that it may cover: from a low to behind a high one */
    double weight[3][3];        /* of each vertex: its share of a value, over w; they sum up to 1/w */
    double w[3];                /* times the weight: its share in window space */
    double z[3];                /* window depth */
    double x, y, size;          /* of a point */
    bool round;                 /* it is a circle */
};

/* What only the rasteriser wants of the last stage before it: cull distances, layer and viewports. */
slot_set cull_slots(const struct pipeline *p);
slot_set place_slots(const struct pipeline *p);

/* Shapes that each primitive becomes at most: one in each viewport. */
unsigned shapes_each(const struct pipeline *p);

/* Shape number n of a primitive; false when nothing of it can be seen. */
bool shape_of(const struct pipeline *p, const struct primitive *one, unsigned n, struct shape *s,
              struct polygon *polygon);

/* A 2x2 quad of pixels that a shape covers in part. */
struct quad {
    uint32_t x, y, shape, unit; /* the launch's quad that it is shaded with */
    uint16_t samples[4];        /* of each pixel those that are covered, a bit each */
    uint8_t covered;            /* a bit a pixel: (0,0) (1,0) (0,1) (1,1) */
    int8_t sample;              /* that it is shaded for; -1: all of a pixel at once */
};

struct quads {
    struct quad *list;
    size_t count, room;
};

/* Samples of a pixel, in steps of 1/256 from its lower left; and whether each is shaded by itself. */
struct pattern {
    uint32_t count;
    bool each;
    int32_t x[RASTER_SAMPLES], y[RASTER_SAMPLES];
};

bool scan(const struct polygon *polygon, const struct shape *s, uint32_t number, const struct pattern *pattern,
          struct quads *quads);

/* ---- the window ------------------------------------------------------------------------------------------- */

struct fragment {
    uint32_t x, y, plane, shape;
    float depth;
    const float *colors;        /* of the first output */
    const uint32_t *undefined;  /* likewise, or NULL */
    size_t stride;              /* words from one output to the next; 0: all get the first one's */
};

/* The depth test: false where it fails; else the depth is written. Then the colours. */
bool window_test(const struct pipeline *p, const struct fragment *f);
void window_put(const struct pipeline *p, const struct fragment *f);

#endif
