/* Inside a test: the state that the commands act on. What the program changes exists twice, once for the
 * reference and once for the driver, so that neither ever sees the other's results. */
#ifndef GP5_COMPARE_MACHINE_H
#define GP5_COMPARE_MACHINE_H

#include "compare/protocol.h"
#include "compare/reference.h"
#include "compare/test.h"

enum world { REFERENCE, DRIVER, WORLDS };

struct slot {
    uint32_t binding;               /* of a texture: its unit */
    bool is_set;
    size_t size;
    uint8_t *data[WORLDS];
    uint32_t *undefined;            /* the reference's origins after the last run, one a word, or NULL */
    bool has_rule, has_layout;
    struct rule rule;
    const char *no_rule;
    struct op_layout layout;
    struct gp5_texture texture;     /* of a texture; its data is above */
};

struct machine {
    const struct script *script;
    const struct script_program *program;
    const struct test_options *options;
    struct test_result *result;
    struct reference reference;
    bool alive[WORLDS];             /* still worth going on with */
    bool driver_skipped;
    const struct op *op;            /* that is being carried out */
    FILE *table;

    struct vec storage, constants, counters, textures;  /* struct slot */
    struct vec images;              /* struct gp5_image */
    struct vec pointers;            /* struct driver_pointer */
    const uint32_t *subroutines;
    size_t subroutine_count;
    struct vec env, local, vertex_env, vertex_local;    /* struct driver_parameter */
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
    float *colors[WORLDS];
    uint8_t *covered[WORLDS];
    uint32_t *undefined_colors;
    const int32_t *cut;             /* during a draw: the pixels that count, x0 x1 y0 y1 */
};

struct slot *machine_slot(const struct vec *slots, uint32_t binding);   /* NULL when there is none */

/* Made when there is none; slots stand in the order of their bindings. NULL, and the test's error, without memory. */
struct slot *machine_make_slot(struct machine *m, struct vec *slots, uint32_t binding);

/* Bytes at a place of a slot that ends with them, in both worlds; zeros for NULL. */
bool machine_fill_slot(struct slot *slot, size_t at, const void *bytes, size_t size);

/* Where outputs of a kind live, or NULL for those of fragments. */
struct vec *machine_slots(struct machine *m, enum output_kind kind);
enum output_kind machine_output(enum buffer_kind kind);
void machine_free_slots(struct vec *slots);
const char *machine_keep(struct machine *m, const char *text);      /* a copy in the result; NULL for NULL */
void machine_carry_out(struct machine *m);                          /* the command m->op */
void machine_compute(struct machine *m);
void machine_no_memory(struct machine *m);

/* Adds a finding for the current line; NULL when there are enough of them. Counts it and fails the test. */
struct finding *machine_find(struct machine *m, enum finding_kind kind, enum world side);

/* Says which invocation and component a byte of a storage buffer belongs to, or which texel of a texture, where that is
 * known. */
void machine_place(const struct machine *m, const struct slot *slot, size_t offset, struct finding *finding);
enum number_type machine_texel_type(unsigned format);
void machine_texel(const struct gp5_texture *t, size_t offset, struct finding *finding);

void machine_set_texture(struct machine *m, const struct op_texture *o);
void machine_set_sampler(struct machine *m, const struct op_sampler *o);
void machine_set_image(struct machine *m, const struct gp5_image *image);
void machine_set_pointer(struct machine *m, const struct driver_pointer *pointer);
void machine_set_subroutines(struct machine *m, const struct op_subroutines *o);

/* The case of a world as the commands so far have it, but for what a draw adds; machine_case_free gives back what it is
 * made of. False without memory. */
struct machine_case {
    struct driver_buffer *storage, *counters, *constants;
    struct driver_texture *textures;
};
bool machine_case(struct machine *m, enum world world, struct machine_case *parts, struct driver_case *c);
void machine_case_free(struct machine_case *parts);

/* Whether somebody could run it; the test's error where nobody could. */
bool machine_check(struct machine *m, const struct driver_case *c);

/* Runs a case on both sides: fills the outcomes (both must be freed), records, judges and counts. */
void machine_step(struct machine *m, struct driver_case cases[WORLDS], struct outcome outcomes[WORLDS]);

void judge_outputs(struct machine *m, const struct driver_case *c, const struct outcome *reference,
                   const struct outcome *driver);
void judge_reasons(struct machine *m, const struct outcome *reference);

void raster_draw(struct machine *m);
void raster_clear(struct machine *m);
/* Outside of the rectangle nothing is compared. */
void raster_cut(const struct machine *m, struct outcome *o);
bool raster_rectangle(const struct machine *m, const float rect[4], bool pixels, float ndc[4],
                      int32_t box[4]);

void probe_buffer(struct machine *m);
void probe_pixels(struct machine *m);
void probe_covered(struct machine *m);
void probe_undefined(struct machine *m);

/* The lane table of what a dispatch changed. */
void table_texture(FILE *out, const struct slot *slot, const uint8_t *before, bool with_driver, size_t most);
void table_storage(FILE *out, const struct machine *m, const char *what, const struct slot *slot, bool with_driver,
                   size_t most);
void table_colors(FILE *out, const struct machine *m, const struct outcome *reference, size_t most);

#endif
