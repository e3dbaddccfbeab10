/* Inside a test: the state that the commands act on. What the program changes exists twice, once for the
 * reference and once for the driver, so that neither ever sees the other's results. */
#ifndef GP5_COMPARE_WORLD_H
#define GP5_COMPARE_WORLD_H

#include "compare/driver/protocol.h"
#include "compare/driver/reference.h"
#include "compare/world/surface.h"
#include "compare/world/test.h"

enum side { REFERENCE, DRIVER, SIDES };

struct slot {
    uint32_t binding;               /* of a texture: its unit */
    bool is_set;
    size_t size;
    uint8_t *data[SIDES];
    uint32_t *undefined;            /* the reference's origins after the last run, one a word, or NULL */
    bool has_rule, has_layout;
    struct rule rule;
    const char *no_rule;
    struct op_layout layout;
    struct gp5_texture texture;     /* of a texture; its data is above */
};

/* What stands for a program of the script on the driver's side; text NULL: the program itself. */
struct world_shader {
    const char *text;
    size_t size, before;            /* lines of the script before the program */
};

struct world {
    const struct script *script;
    const struct script_program *program;
    const struct test_options *options;
    struct test_result *result;
    struct reference reference;
    bool alive[SIDES];              /* still worth going on with */
    bool driver_skipped;
    const struct op *op;            /* that is being carried out */
    FILE *table;

    struct vec storage, constants, counters, textures;  /* struct slot */
    struct vec images;              /* struct gp5_image */
    struct vec pointers;            /* struct driver_pointer */
    const uint32_t *subroutines;
    size_t subroutine_count;
    struct vec env, local;      /* struct driver_parameter */
    struct vec stage_env[DRIVER_STAGES], stage_local[DRIVER_STAGES];    /* of the pipeline's other stages */
    uint32_t groups[3], group_size[3];      /* of the last dispatch */
    bool digest;
    bool record_chosen;
    size_t block;

    /* fragments */
    float texcoord[SCRIPT_TEXCOORDS][4], color[4];
    struct vec interpolated;        /* struct op_interpolate */
    bool has_ortho;
    float ortho[4];
    float clear_color[4], tolerance[4];
    bool float_colors;
    struct rule color_rule;
    const char *no_color_rule;
    struct surface window, *draw, *read;    /* what is drawn into and what probes look at: the window, or another */
    const int32_t *cut;             /* during a draw: the pixels that count, x0 x1 y0 y1 */

    /* pipelines */
    struct reference stages[DRIVER_STAGES];     /* but the fragments', which is `reference` */
    bool has_stage[DRIVER_STAGES];
    struct world_shader shaders[DRIVER_STAGES];
    struct reference_seen seen;     /* count 0: nothing */
    struct reference seen_program;
    struct vec captures;            /* struct driver_capture */
    struct raster_counts counts;    /* of the last draw that was captured */
    struct gp5_state gl;
    struct raster_state fixed;
    uint32_t patch_vertices;
    float clear_depth, levels[6];   /* of patches without a control program: outer, inner */
    struct raster_viewport viewports[RASTER_VIEWPORTS];     /* the window at first */
    bool has_viewports;             /* the script has set one */
    bool deviates;                  /* what the driver drew since the last `clear` has a known deviation */
};

struct slot *world_slot(const struct vec *slots, uint32_t binding);   /* NULL when there is none */

/* Made when there is none; slots stand in the order of their bindings. NULL, and the test's error, without memory. */
struct slot *world_make_slot(struct world *w, struct vec *slots, uint32_t binding);

/* Bytes at a place of a slot that ends with them, on both sides; zeros for NULL. */
bool world_fill_slot(struct slot *slot, size_t at, const void *bytes, size_t size);

/* Where outputs of a kind live, or NULL for those of fragments. */
struct vec *world_slots(struct world *w, enum output_kind kind);
enum output_kind world_output(enum buffer_kind kind);
void world_free_slots(struct vec *slots);
const char *world_keep(struct world *w, const char *text);      /* a copy in the result; NULL for NULL */
void world_carry_out(struct world *w);                          /* the command w->op */
void step_compute(struct world *w);
void step_write_back(struct world *w, struct outcome outcomes[SIDES]);      /* buffers and textures, to their slots */
void world_no_memory(struct world *w);
void world_interrupt(struct world *w);                          /* nothing more is run */

/* Adds a finding for the current line; NULL when there are enough of them. Counts it and fails the test. */
struct finding *world_find(struct world *w, enum finding_kind kind, enum side side);

/* Says which invocation and component a byte of a storage buffer belongs to, or which texel of a texture, where that is
 * known. */
void world_place(const struct world *w, const struct slot *slot, size_t offset, struct finding *finding);
enum number_type texel_type(unsigned format);
void texel_place(const struct gp5_texture *t, size_t offset, struct finding *finding);

void world_keep_maps(struct world *w);                          /* map.c: what the slots hold, to the result */
void world_translate(struct world *w);                          /* translated.c: fills shaders, with --translate */

void world_set_texture(struct world *w, const struct op_texture *o);
void world_set_sampler(struct world *w, const struct op_sampler *o);
void world_set_image(struct world *w, const struct gp5_image *image);
void world_set_pointer(struct world *w, const struct driver_pointer *pointer);
void world_set_subroutines(struct world *w, const struct op_subroutines *o);

/* The case of a side as the commands so far have it, but for what a draw adds; world_case_free gives back what it is
 * made of. False without memory. */
struct world_case {
    struct driver_buffer *storage, *counters, *constants;
    struct driver_texture *textures;
};
bool world_case(struct world *w, enum side side, struct world_case *parts, struct driver_case *c);
void world_case_free(struct world_case *parts);

/* Whether somebody could run it; the test's error where nobody could. */
bool world_check(struct world *w, const struct driver_case *c);

/* Runs a case on both sides: fills the outcomes (both must be freed), records, judges and counts. */
void step_run(struct world *w, struct driver_case cases[SIDES], struct outcome outcomes[SIDES]);

void judge_outputs(struct world *w, const struct driver_case *c, const struct outcome *reference,
                   const struct outcome *driver);
/* same.c: whether two pictures are the same bits where they are defined, and what is counted of such ones */
bool pictures_same(const struct driver_case *c, const struct outcome *reference, const struct outcome *driver);
void pictures_count(struct world *w, const struct driver_case *c, const struct outcome *reference);
void judge_draw(struct world *w, const struct driver_case *c, const struct outcome *reference,
                const struct outcome *driver);
void judge_reasons(struct world *w, const struct outcome *reference);

/* What is drawn into: made when something first needs it (false without memory), cleared, and filled with what a draw
 * covered inside of a rectangle x0 x1 y0 y1. */
bool window_make(struct world *w);
void window_clear(struct world *w);
void window_keep(struct world *w, const struct outcome outcomes[SIDES], enum side side, const int32_t box[4]);
/* Of a case whose colours are WORLD_NO_COLOR at first: coverage by what was written. */
#define WORLD_NO_COLOR 0xf0e1d2c3u
void window_uncover(const struct driver_case *c, struct outcome *o);
/* Outside of the rectangle w->cut nothing is compared. */
void window_cut(const struct world *w, struct outcome *o);

/* framebuffer.c: other pictures than the window. Before one is read or drawn into it is loaded, from the textures that
 * it is of, and after a draw stored; false where that cannot be. */
void framebuffer_bind(struct world *w);
void framebuffer_blit(struct world *w);
void framebuffer_look(struct world *w, const struct op_state *o);
bool framebuffer_load(struct world *w, struct surface *s);
bool framebuffer_store(struct world *w, struct surface *s);
void framebuffer_close(struct world *w);

/* A rectangle with a fragment program alone, over the whole window; and a pipeline. */
void rectangle_draw(struct world *w);
bool rectangle_place(const struct world *w, const float rect[4], bool pixels, float ndc[4],
                     int32_t box[4]);
void draw_run(struct world *w);
void draw_open(struct world *w);        /* the pipeline's other stages */
void draw_close(struct world *w);
void draw_stages(const struct world *w, const struct reference *stages[DRIVER_STAGES]);
void draw_add_varying(struct world *w, const struct op_varying *o);
void draw_set_state(struct world *w, const struct op_state *o);
void draw_set_ortho(struct world *w);

void probe_buffer(struct world *w);
void probe_pixels(struct world *w);
void probe_captured(struct world *w);
void probe_depth(struct world *w);
void probe_covered(struct world *w);
void probe_undefined(struct world *w);

/* The lane table of what a dispatch changed. */
void table_texture(FILE *out, const struct slot *slot, const uint8_t *before, bool with_driver, size_t most);
void table_storage(FILE *out, const struct world *w, const char *what, const struct slot *slot, bool with_driver,
                   size_t most);
void table_colors(FILE *out, const struct world *w, const struct outcome *reference, size_t most);

#endif
