/* Shapes to fragments: their inputs, in quads with helpers, the fragment program on all of a draw's at once, and then
 * in the order of the primitives into the window. */
#include "raster/internal.h"

#include "asm/program.h"
#include "asm/binding_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ACROSS = 16384, MOST_INPUTS = 64, MOST_QUADS = 1 << 24 };

/* An input of the fragment program. */
struct input {
    char binding[48];
    uint8_t slot;               /* SLOTS: the rasteriser's own */
    uint8_t special;            /* enum special */
    bool flat, linear, centroid;        /* linear: not over w */
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
    struct pattern pattern;
    uint32_t *mask;             /* result.samplemask, four words a fragment; NULL where no program writes it */
};

/* ---- inputs ------------------------------------------------------------------------------------------------ */

/* The modifiers that an attribute is declared with (FLAT ATTRIB ...); of a binding that is used without a declaration
 * those of one that is. */
unsigned raster_interpolation(const gp5_program *program, const char *binding)
{
    struct binding_name name;

    if (!asm_find_binding(STAGE_FRAGMENT, binding, &name))
        return 0;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const struct symbol *s = program_symbol(program, i);
        for (uint32_t k = 0; s->interpolation && k < s->nbindings; k++) {
            const struct binding *b = program_binding(program, s->binding + k);
            if (b->kind < BIND_COUNT && asm_canonical_binding(b->kind) == asm_canonical_binding(name.kind) &&
                (!b->nindices || (name.index[0] >= b->first[0] && name.index[0] <= b->last[0])))
                return s->interpolation;
        }
    }
    return 0;
}

static void add_input(struct shading *s, const char *binding, unsigned slot, enum special special)
{
    struct input *in = &s->inputs[s->ninputs];
    const struct raster_state *state = &s->p->draw->state;
    unsigned bits;

    if (s->ninputs == MOST_INPUTS || !program_names(s->stage, binding))
        return;
    bits = raster_interpolation(s->stage->program, binding);
    *in = (struct input){ .slot = (uint8_t)slot, .special = (uint8_t)special };
    snprintf(in->binding, sizeof in->binding, "%s", binding);
    in->flat = bits & INTERP_FLAT || slot == SLOT_LAYER || slot == SLOT_VIEWPORT ||
               (state->flat && (slot == SLOT_COLOR || slot == SLOT_SECONDARY));
    in->linear = bits & INTERP_NOPERSPECTIVE;
    in->centroid = bits & INTERP_CENTROID && s->pattern.count > 1 && !s->pattern.each;
    s->ninputs++;
}

static void find_inputs(struct shading *s)
{
    char text[48];

    add_input(s, "fragment.position", SLOTS, INPUT_POSITION);
    add_input(s, "fragment.facing", SLOTS, INPUT_FACING);
    add_input(s, "fragment.pointcoord", SLOTS, INPUT_POINTCOORD);
    add_input(s, "primitive.id", SLOTS, INPUT_PRIMITIVE);
    if (s->pattern.count > 1) {     /* else what the stage has of itself */
        add_input(s, "fragment.sampleid", SLOTS, INPUT_SAMPLE);
        add_input(s, "fragment.samplemask", SLOTS, INPUT_SAMPLEMASK);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        if (i != SLOT_POSITION && i != SLOT_SIZE && i != SLOT_PRIMID && i != SLOT_BACK && i != SLOT_BACK_SECONDARY)
            add_input(s, slot_name(text, "fragment.", i), i, INPUT_VALUE);
}

static slot_set slots_of(const struct shading *s)
{
    const struct raster_state *state = &s->p->draw->state;
    slot_set slots = SLOT_BIT(SLOT_POSITION);

    for (size_t i = 0; i < s->ninputs; i++)
        if (s->inputs[i].slot < SLOTS)
            slots |= SLOT_BIT(s->inputs[i].slot);
    if (state->two_side && slots >> SLOT_COLOR & 1)
        slots |= SLOT_BIT(SLOT_BACK);
    if (state->two_side && slots >> SLOT_SECONDARY & 1)
        slots |= SLOT_BIT(SLOT_BACK_SECONDARY);
    if (state->program_point_size)
        slots |= SLOT_BIT(SLOT_SIZE);
    for (unsigned i = 0; i < 8; i++)
        if (state->clip_planes >> i & 1)
            slots |= SLOT_BIT(SLOT_CLIP + i);
    return slots | cull_slots(s->p) | place_slots(s->p) | captured_slots(s->p->draw);
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static bool make_shapes(struct shading *s)
{
    struct pipeline *p = s->p;
    struct polygon polygon;
    size_t each = shapes_each(p), count = p->primitives.count * each;

    s->shapes = count < UINT32_MAX ? gp5_malloc((count + 1) * sizeof *s->shapes) : NULL;
    if (!s->shapes)
        return false;
    for (size_t i = 0; i < count; i++)
        if (shape_of(p, &p->primitives.list[i / each], (unsigned)(i % each), &s->shapes[i], &polygon) &&
            !scan(&polygon, &s->shapes[i], (uint32_t)i, &s->pattern, &s->quads))
            return false;
    return true;
}

/* The launch's element of a unit's pixel. */
static size_t element_of(const struct shading *s, size_t unit, unsigned i)
{
    size_t x = unit % (s->width / 2) * 2 + i % 2, y = unit / (s->width / 2) * 2 + i / 2;
    return y * s->width + x;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static double value_at(const double f[3], double x, double y)
{
    return f[0] * x + f[1] * y + f[2];
}

static unsigned slot_for(const struct shading *s, const struct shape *shape, unsigned slot)
{
    bool back = s->p->draw->state.two_side && shape->back;

    if (back && slot == SLOT_COLOR)
        return SLOT_BACK;
    return back && slot == SLOT_SECONDARY ? SLOT_BACK_SECONDARY : slot;
}

static float word_value(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t value_word(double value)
{
    float f = (float)value;
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

/* A component as functions of window x and y: its value over w, or its value where one is all there is to know. */
struct component {
    bool constant, undefined;
    uint32_t word;
    double sum[3];
};

static struct component component_of(const struct shading *s, const struct shape *shape, const struct input *in,
                                     unsigned c)
{
    const struct vertices *v = &s->p->vertices;
    unsigned slot = slot_for(s, shape, in->slot);
    const uint32_t *words = v->words[slot], *undefined = v->undefined[slot];
    struct component r = { .constant = true, .word = words[(size_t)shape->provoking * 4 + c] };

    if (in->flat) {
        r.undefined = undefined && undefined[(size_t)shape->provoking * 4 + c];
        return r;
    }
    r.word = words[(size_t)shape->v[0] * 4 + c];
    for (unsigned i = 0; i < shape->n; i++) {
        size_t at = (size_t)shape->v[i] * 4 + c;
        double value = word_value(words[at]) * (in->linear ? shape->w[i] : 1);
        r.undefined |= undefined && undefined[at];
        r.constant &= words[at] == r.word;
        for (unsigned k = 0; k < 3; k++)
            r.sum[k] += shape->weight[i][k] * value;
    }
    return r;
}

static void over_w(const struct shape *shape, double sum[3])
{
    for (unsigned k = 0; k < 3; k++) {
        sum[k] = 0;
        for (unsigned i = 0; i < shape->n; i++)
            sum[k] += shape->weight[i][k];
    }
}

/* The texture coordinate across a point. */
static void sprite(const struct shape *shape, double x, double y, uint32_t words[4])
{
    words[0] = value_word(0.5 + (x - shape->x) / shape->size);
    words[1] = value_word(0.5 - (y - shape->y) / shape->size);
    words[2] = 0;
    words[3] = value_word(1);
}

static void put_special(const struct shading *s, const struct quad *quad, unsigned pixel, const struct input *in,
                        const double at[2], const double w[3], uint32_t words[4])
{
    const struct shape *shape = &s->shapes[quad->shape];
    double x = at[0], y = at[1], half = s->whole ? 0.5 : 0;

    words[0] = words[1] = words[2] = 0;
    words[3] = value_word(1);
    switch (in->special) {
    case INPUT_POSITION:
        words[0] = value_word(x - half);
        words[1] = value_word((s->upper_left ? s->p->window->height - y : y) - half);
        words[2] = value_word(value_at(shape->z, x, y));
        words[3] = value_word(value_at(w, x, y));
        break;
    case INPUT_FACING: words[0] = value_word(shape->back ? -1 : 1); break;
    case INPUT_POINTCOORD:
        if (shape->n == 1)
            sprite(shape, x, y, words);
        break;
    default:
        words[0] = in->special == INPUT_SAMPLE       ? (uint32_t)quad->sample
                   : in->special == INPUT_SAMPLEMASK ? quad->samples[pixel]
                                                     : shape->id;
        words[3] = 0;
        break;
    }
}

/* Where a pixel's input is taken: at its centre, at its sample, or for CENTROID at the first sample that is covered
 * where not all of them are. */
static void place_of(const struct shading *s, const struct quad *quad, unsigned i, bool centroid, double at[2])
{
    const struct pattern *p = &s->pattern;
    int sample = quad->sample;

    if (centroid && quad->samples[i] && quad->samples[i] != (1u << p->count) - 1)
        sample = __builtin_ctz(quad->samples[i]);
    at[0] = quad->x + i % 2 + (sample < 0 ? 0.5 : p->x[sample] / 256.0);
    at[1] = quad->y + i / 2 + (sample < 0 ? 0.5 : p->y[sample] / 256.0);
}

/* Whether all fragments of a shape have the same inputs. */
static bool is_alike(const struct shading *s, const struct shape *shape)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        const struct input *in = &s->inputs[i];
        if (in->slot == SLOTS) {
            if (in->special != INPUT_FACING && in->special != INPUT_PRIMITIVE)
                return false;
            continue;
        }
        if (shape->sprite && in->slot >= SLOT_TEXCOORD && in->slot < SLOT_TEXCOORD + 8)
            return false;
        for (unsigned c = 0; c < 4; c++)
            if (!component_of(s, shape, in, c).constant)
                return false;
    }
    return true;
}

/* What is shaded: each quad by itself, or one for all of a shape. Its quads stand behind each other. */
static bool make_units(struct shading *s)
{
    bool known = fragments_alike(s->stage->program), alike = false;
    uint32_t last = UINT32_MAX;

    s->units = gp5_malloc((s->quads.count + 1) * sizeof *s->units);
    for (size_t q = 0; s->units && q < s->quads.count; q++) {
        struct quad *quad = &s->quads.list[q];
        bool first = quad->shape != last;
        if (first && known)
            alike = is_alike(s, &s->shapes[quad->shape]);
        last = quad->shape;
        if (first || !alike)
            s->units[s->nunits++] = (struct unit){ quad, alike ? 15 : quad->covered };
        quad->unit = (uint32_t)s->nunits - 1;
    }
    return s->units;
}

static void fill(struct shading *s, struct input *in)
{
    struct component part[4] = { { 0 } };
    double w[3] = { 0, 0, 0 };
    uint32_t last = UINT32_MAX;

    for (size_t u = 0; u < s->nunits; u++) {
        const struct quad *quad = s->units[u].quad;
        const struct shape *shape = &s->shapes[quad->shape];
        if (quad->shape != last) {
            over_w(shape, w);
            for (unsigned c = 0; c < 4 && in->slot < SLOTS; c++)
                part[c] = component_of(s, shape, in, c);
            last = quad->shape;
        }
        bool point = shape->sprite && in->slot >= SLOT_TEXCOORD && in->slot < SLOT_TEXCOORD + 8;
        for (unsigned i = 0; i < 4; i++) {
            size_t at = element_of(s, u, i) * 4;
            double place[2];
            place_of(s, quad, i, in->centroid, place);
            if (in->slot == SLOTS) {
                put_special(s, quad, i, in, place, w, in->words + at);
                continue;
            }
            if (point) {
                sprite(shape, place[0], place[1], in->words + at);
                continue;
            }
            double below = in->linear ? 1 : value_at(w, place[0], place[1]);
            for (unsigned c = 0; c < 4; c++) {
                in->words[at + c] =
                    part[c].constant ? part[c].word : value_word(value_at(part[c].sum, place[0], place[1]) / below);
                if (in->undefined)
                    in->undefined[at + c] = part[c].undefined;
            }
        }
    }
}

/* ---- the launch -------------------------------------------------------------------------------------------- */

static void *room_for(size_t elements, size_t bytes)
{
    void *p = elements < SIZE_MAX / bytes ? gp5_malloc(elements * bytes) : NULL;
    if (p)
        memset(p, 0, elements * bytes);
    return p;
}

static bool make_launch(struct shading *s)
{
    struct gp5_launch *l = &s->stage->launch;
    size_t units = s->nunits, across = units < ACROSS ? units : ACROSS;
    uint32_t ncolors = s->p->window->ncolors;

    s->width = (uint32_t)across * 2;
    s->height = (uint32_t)((units + across - 1) / across) * 2;
    size_t elements = (size_t)s->width * s->height;
    s->live = room_for(elements, 1);
    s->covered = room_for(elements, 1);
    s->colors = room_for(elements, (size_t)ncolors * 16);
    s->depth = room_for(elements, 4);
    s->undefined = s->p->window->undefined ? room_for(elements, (size_t)ncolors * 16) : NULL;
    bool masks = s->pattern.count > 1 && program_names(s->stage, "result.samplemask");
    s->mask = masks ? room_for(elements, 16) : NULL;
    if (!s->live || !s->covered || !s->colors || !s->depth || (s->p->window->undefined && !s->undefined) ||
        (masks && !s->mask))
        return false;
    for (size_t i = 0; i < s->ninputs; i++) {
        s->inputs[i].words = room_for(elements, 16);
        s->inputs[i].undefined = s->undefined && s->inputs[i].slot < SLOTS ? room_for(elements, 16) : NULL;
        if (!s->inputs[i].words || (s->undefined && s->inputs[i].slot < SLOTS && !s->inputs[i].undefined))
            return false;
        fill(s, &s->inputs[i]);
    }
    for (size_t u = 0; u < units; u++)
        for (unsigned i = 0; i < 4; i++)
            s->live[element_of(s, u, i)] = s->units[u].live >> i & 1;
    l->width = s->width;
    l->height = s->height;
    l->live = s->live;
    l->ncolors = ncolors;
    l->colors = s->colors;
    l->depth = s->depth;
    l->covered = s->covered;
    l->undefined = s->undefined;
    l->state = s->p->draw->gl;
    return true;
}

static bool shade(struct shading *s)
{
    struct gp5_array list[MOST_INPUTS];
    struct gp5_launch *l = &s->stage->launch;
    size_t elements = (size_t)s->width * s->height;

    for (size_t i = 0; i < s->ninputs; i++)
        list[i] = (struct gp5_array){ .binding = s->inputs[i].binding, .words = s->inputs[i].words, .count = elements,
                                      .undefined = s->inputs[i].undefined };
    struct gp5_array mask = { .binding = "result.samplemask", .words = s->mask, .count = elements };
    l->inputs = list;
    l->ninputs = s->ninputs;
    l->results = &mask;
    l->nresults = s->mask != NULL;
    return pipeline_run(s->p, RASTER_FRAGMENT);
}

/* ---- and out ----------------------------------------------------------------------------------------------- */

/* To those samples of its pixel that it covers. */
static void write_samples(struct shading *s, const struct quad *quad, unsigned i, size_t at, struct fragment *f)
{
    const struct shape *shape = &s->shapes[quad->shape];
    uint32_t samples = quad->samples[i] & (s->mask ? s->mask[4 * at] : UINT32_MAX);
    bool test = s->p->draw->state.depth_test;

    for (; samples; samples &= samples - 1) {
        unsigned k = (unsigned)__builtin_ctz(samples);
        f->plane = shape->layer * s->pattern.count + k;
        if (test)
            f->depth = s->writes_depth ? s->depth[at]
                                       : (float)value_at(shape->z, f->x + s->pattern.x[k] / 256.0,
                                                         f->y + s->pattern.y[k] / 256.0);
        window_put(s->p, f);
    }
}

static void write_window(struct shading *s)
{
    size_t elements = (size_t)s->width * s->height;
    bool several = program_has_option(s->stage, OPTION_ARB_draw_buffers) ||
                   program_has_option(s->stage, OPTION_ATI_draw_buffers) || program_names(s->stage, "result.color[1]");

    for (size_t q = 0; q < s->quads.count; q++) {
        const struct quad *quad = &s->quads.list[q];
        for (unsigned i = 0; i < 4; i++) {
            size_t at = element_of(s, quad->unit, i);
            if (!(quad->covered >> i & 1) || !s->covered[at])
                continue;
            struct fragment f = { .x = quad->x + i % 2, .y = quad->y + i / 2, .shape = quad->shape,
                                  .colors = s->colors + at * 4,
                                  .undefined = s->undefined ? s->undefined + at * 4 : NULL,
                                  .stride = several ? elements * 4 : 0 };
            write_samples(s, quad, i, at, &f);
        }
    }
}

static void shading_free(struct shading *s)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        gp5_free(s->inputs[i].words);
        gp5_free(s->inputs[i].undefined);
    }
    gp5_free(s->shapes);
    gp5_free(s->units);
    gp5_free(s->quads.list);
    gp5_free(s->live);
    gp5_free(s->covered);
    gp5_free(s->colors);
    gp5_free(s->depth);
    gp5_free(s->undefined);
    gp5_free(s->mask);
}

static bool all(struct shading *s)
{
    if (!make_shapes(s))
        return pipeline_fail(s->p, RASTER_PLACES, "out of memory");
    if (s->quads.count > MOST_QUADS)
        return pipeline_fail(s->p, RASTER_PLACES, "more fragments than are evaluated at once");
    if (!s->quads.count)
        return true;
    if (!make_units(s) || !make_launch(s))
        return pipeline_fail(s->p, RASTER_PLACES, "out of memory");
    if (!shade(s))
        return false;
    write_window(s);
    return true;
}

/* Samples are shaded one by one where the program asks which one it is, or for a value at it. */
static void find_pattern(struct shading *s)
{
    const struct raster_window *w = s->p->window;
    const float (*at)[2] = w->positions && w->samples > 1 ? w->positions : raster_samples(w->samples);
    const gp5_program *program = s->stage->program;

    s->pattern.count = at ? w->samples ? w->samples : 1 : 0;
    for (uint32_t i = 0; i < s->pattern.count; i++) {
        s->pattern.x[i] = (int32_t)(at[i][0] * 256);
        s->pattern.y[i] = (int32_t)(at[i][1] * 256);
    }
    s->pattern.each = s->pattern.count > 1 && program_names(s->stage, "fragment.sampleid");
    for (uint32_t i = 0; s->pattern.count > 1 && i < program->symbols.count; i++)
        s->pattern.each |= (program_symbol(program, i)->interpolation & INTERP_SAMPLE) != 0;
}

/* What is not drawn yet is said before anything is run. */
static bool is_drawn(const struct shading *s)
{
    const gp5_program *program = s->stage->program;

    if (!s->pattern.count)
        return pipeline_fail(s->p, RASTER_NOT_DRAWN, "so many samples are not drawn");
    for (uint32_t i = 0; s->pattern.count > 1 && i < program->insns.count; i++)
        if (op_is(program_insn(program, i)->op, K_INTERPOLATION))
            return pipeline_fail(s->p, RASTER_NOT_DRAWN, "IPAC, IPAO and IPAS are not evaluated with several samples");
    return true;
}

bool raster_draw(const struct raster_draw *draw, struct raster_window *window, enum raster_place *failed,
                 char *message, size_t size)
{
    struct pipeline p = { .draw = draw, .window = window, .failed = RASTER_PLACES, .message = message, .size = size };
    struct raster_stage *stage = draw->stages[RASTER_FRAGMENT];
    struct shading s = { .p = &p, .stage = stage };

    *message = 0;
    s.upper_left = program_has_option(stage, OPTION_ARB_fragment_coord_origin_upper_left);
    s.whole = program_has_option(stage, OPTION_ARB_fragment_coord_pixel_center_integer);
    s.writes_depth = program_names(stage, "result.depth");
    find_pattern(&s);
    find_inputs(&s);
    p.slots = slots_of(&s);
    bool ok = is_drawn(&s) && (!draw->count || !draw->instances || (pipeline_vertices(&p) && all(&s)));
    shading_free(&s);
    vertices_free(&p.vertices);
    gp5_free(p.primitives.list);
    *failed = p.failed;
    return ok;
}
