/* A draw of both sides. A fragment whose inputs the driver was asked for is judged in two halves: its inputs beside the
 * reference's, and what the fragment program makes of the driver's inputs, by the rule for colours; so neither the last
 * bits of interpolation nor what a comparison makes of them play a part. Other pixels are compared as probes see them.
 * Pixels on edges, where primitives meet or end, are counted and not judged. */
#include "asm/program.h"
#include "asm/stage.h"
#include "asm/stage_shape.h"
#include "compare/driver/deviations.h"
#include "compare/world/world.h"

#include <math.h>
#include <string.h>

/* How far apart inputs may be that two rasterisers have interpolated, in parts of their magnitude (at least 1). */
#define INPUTS_APART 1e-3

struct pictures {
    struct world *w;
    const struct driver_case *c;
    uint32_t width, height, rows;   /* rows: of all planes, which stand on top of each other */
    const struct output *color[SIDES], *covered[SIDES];
    const uint32_t *shapes;         /* the reference's: which primitive a pixel is of */
    const struct outcome *driver;
    uint32_t deviations;            /* of the driver that this draw may show */
    struct outcome shaded, inputs;  /* the reference: on the driver's inputs; its own inputs as colours */
    uint8_t *live;                  /* fragments that are judged in two halves */
    bool strays;                    /* a primitive, or more, that only one side drew */
};

static size_t pixel_at(const struct pictures *p, uint32_t x, uint32_t y)
{
    return (size_t)y * p->width + x;
}

enum { NEIGHBOURS = 9 * RASTER_SAMPLES };

/* A pixel and those around it, in all samples of its layer. */
static size_t neighbours(const struct pictures *p, uint32_t x, uint32_t row, size_t at[NEIGHBOURS])
{
    uint32_t samples = p->w->draw->samples, y = row % p->height, layer = row / p->height / samples;
    size_t n = 0;

    for (uint32_t k = 0; k < samples; k++)
        for (uint32_t ny = y ? y - 1 : 0; ny <= y + 1 && ny < p->height; ny++)
            for (uint32_t nx = x ? x - 1 : 0; nx <= x + 1 && nx < p->width; nx++)
                at[n++] = pixel_at(p, nx, (layer * samples + k) * p->height + ny);
    return n;
}

/* Where primitives meet or end on either side. */
static bool is_edge(const struct pictures *p, uint32_t x, uint32_t y)
{
    uint32_t shape = p->shapes[pixel_at(p, x, y)];
    bool covered = p->covered[DRIVER]->data[pixel_at(p, x, y)] != 0;
    size_t at[NEIGHBOURS], count = neighbours(p, x, y, at);

    for (size_t i = 0; i < count; i++)
        if (p->shapes[at[i]] != shape || (p->covered[DRIVER]->data[at[i]] != 0) != covered)
            return true;
    return false;
}

/* Whether the side that did not draw a pixel drew one beside it: an edge lies between the two. Pixels without one are a
 * primitive that only one side drew. */
static bool is_beside(const struct pictures *p, uint32_t x, uint32_t y)
{
    int lacks = p->covered[REFERENCE]->data[pixel_at(p, x, y)] ? DRIVER : REFERENCE;
    size_t at[NEIGHBOURS], count = neighbours(p, x, y, at);

    for (size_t i = 0; i < count; i++)
        if (p->covered[lacks]->data[at[i]])
            return true;
    return false;
}

/* Whether one side alone drew more than slivers whose only pixels fall beside a line: one pixel of 500 that lies beside
 * none of the other side's. */
static bool has_strays(const struct pictures *p)
{
    uint64_t drawn = 0, strays = 0;

    for (uint32_t y = 0; y < p->rows; y++)
        for (uint32_t x = 0; x < p->width; x++) {
            size_t at = pixel_at(p, x, y);
            bool a = p->covered[REFERENCE]->data[at], b = p->covered[DRIVER]->data[at];
            drawn += a || b;
            strays += a != b && !is_beside(p, x, y);
        }
    return strays * 500 > drawn;
}

static float word_at(const struct output *o, size_t word)
{
    float v;
    memcpy(&v, o->data + 4 * word, sizeof v);
    return v;
}

static bool is_undefined(const struct output *o, size_t word)
{
    return o->undefined && o->undefined[word];
}

static bool is_near(float a, float b, double apart)
{
    return fabs((double)a - (double)b) <= apart * fmax(1, fabs((double)a)) || (isnan(a) && isnan(b)) || a == b;
}

/* ---- findings ---------------------------------------------------------------------------------------------- */

static struct finding *find(const struct pictures *p, enum finding_kind kind, size_t at)
{
    struct finding *f = world_find(p->w, kind, DRIVER);

    if (!f)
        return NULL;
    f->has_invocation = true;
    f->x = (uint32_t)(at % p->width);
    f->y = (uint32_t)(at / p->width % p->height);
    f->layers = p->w->draw->layers;
    f->samples = p->w->draw->samples;
    f->layer = (uint32_t)(at / p->width / p->height / f->samples);
    f->sample = (uint32_t)(at / p->width / p->height % f->samples);
    f->type = NUMBER_F32;
    return f;
}

static void differ(const struct pictures *p, size_t word, const struct output *expected, const struct output *got,
                   struct rule rule, const char *message)
{
    struct finding *f = find(p, FINDING_DIFFERS, word / 4);

    p->w->result->different++;
    if (!f)
        return;
    f->output = got->kind;
    f->binding = got->binding;
    f->offset = word * 4;
    f->component = (uint32_t)(word % 4);
    f->rule = rule;
    f->expected = number_load(NUMBER_F32, expected->data + word * 4);
    f->got = number_load(NUMBER_F32, got->data + word * 4);
    f->message = world_keep(p->w, message);     /* it outlives the world, which has the names of inputs */
}

static void cover(const struct pictures *p, size_t at, bool expected)
{
    struct finding *f = find(p, FINDING_COVERAGE, at);

    if (!f)
        return;
    f->output = OUTPUT_COVERAGE;
    f->expected = expected;
    f->got = p->covered[DRIVER]->data[at];
}

/* ---- as probes see it -------------------------------------------------------------------------------------- */

static float in_window(const struct world *w, float v)
{
    return w->draw->keeps ? v : v > 0 ? v < 1 ? v : 1 : 0;
}

static void compare_seen_by_probes(const struct pictures *p, uint32_t x, uint32_t y)
{
    struct test_result *r = p->w->result;
    size_t at = pixel_at(p, x, y);
    bool covered = p->covered[REFERENCE]->data[at], edge = false;

    if (covered != (p->covered[DRIVER]->data[at] != 0)) {
        if (is_edge(p, x, y) && (!p->strays || is_beside(p, x, y)))
            r->edges++;
        else
            cover(p, at, covered);
        return;
    }
    for (unsigned c = 0; covered && !edge && c < 4; c++) {
        size_t word = at * 4 + c;
        float a = in_window(p->w, word_at(p->color[REFERENCE], word)),
              b = in_window(p->w, word_at(p->color[DRIVER], word));
        struct rule rule = { .type = NUMBER_F32, .kind = RULE_ABSOLUTE, .bound = p->w->tolerance[c] };
        if (is_undefined(p->color[REFERENCE], word))
            r->undefined++;
        else if (is_near(a, b, p->w->tolerance[c]))
            r->by_rule++;
        else if (is_edge(p, x, y))
            edge = true;
        else
            differ(p, word, p->color[REFERENCE], p->color[DRIVER], rule, NULL);
    }
    r->edges += edge;
}

/* ---- in two halves ----------------------------------------------------------------------------------------- */

/* The only fragments of their pixel; of a program that looks at its neighbours, with all of their quad. */
static void find_live(const struct pictures *p, const struct output *count)
{
    for (uint32_t y = 0; y < p->rows; y++)
        for (uint32_t x = 0; x < p->width; x++) {
            size_t at = pixel_at(p, x, y);
            p->live[at] = count->data[at] == 1;
            for (unsigned i = 0; p->w->seen.neighbours && i < 4; i++) {
                uint32_t qx = (x & ~1u) + i % 2, qy = (y & ~1u) + i / 2;
                if (qx >= p->width || qy >= p->rows || p->height % 2 || count->data[pixel_at(p, qx, qy)] != 1 ||
                    p->shapes[pixel_at(p, qx, qy)] != p->shapes[at])
                    p->live[at] = 0;
            }
        }
}

/* What both sides have of the inputs, and the reference's colours from the driver's. False where there is no such. */
static bool prepare(struct pictures *p)
{
    const struct output *count = outcome_find(p->driver, OUTPUT_INPUT, p->w->seen.count);
    const struct reference *stages[DRIVER_STAGES];
    struct driver_case inputs = *p->c;
    struct driver_draw whole = *p->c->raster.draw;
    size_t pixels = (size_t)p->width * p->rows;

    if (p->w->fixed.depth_test && p->w->seen.decides)
        return false;           /* another fragment may be the one that is seen */
    if (!p->w->seen.count || !count || count->size != pixels || p->w->no_color_rule)
        return false;
    p->live = gp5_malloc(pixels);
    if (!p->live)
        return false;
    find_live(p, count);
    reference_shade(&p->w->reference, p->c, &p->w->seen, p->driver, p->live, &p->shaded);
    draw_stages(p->w, stages);
    stages[DRIVER_FRAGMENT] = &p->w->seen_program;
    inputs.raster.color_outputs = p->w->seen.count;
    whole.state.color_mask = 15;        /* inputs are there under any mask */
    inputs.raster.draw = &whole;
    reference_draw(stages, &inputs, &p->inputs);
    return p->shaded.status == OUTCOME_RAN && p->inputs.status == OUTCOME_RAN;
}

static void compare_inputs(const struct pictures *p, uint32_t x, uint32_t y)
{
    static const struct rule rule = { .type = NUMBER_F32, .kind = RULE_RELATIVE, .bound = INPUTS_APART };
    size_t at = pixel_at(p, x, y);

    for (uint32_t i = 0; i < p->w->seen.count; i++) {
        if (p->deviations >> DEVIATES_FLAT & 1 && !strncmp(p->w->seen.binding[i], "fragment.color", 14))
            continue;
        const struct output *own = outcome_find(&p->inputs, OUTPUT_COLOR, i),
                            *got = outcome_find(p->driver, OUTPUT_INPUT, i);
        bool one = !strcmp(p->w->seen.binding[i], "fragment.fogcoord") ||
                   !strcmp(p->w->seen.binding[i], "fragment.facing") ||
                   !strncmp(p->w->seen.binding[i], "fragment.clip", 13);
        for (unsigned c = 0; own && got && c < (one ? 1 : 4); c++) {
            size_t word = at * 4 + c;
            if (!is_undefined(own, word) && !is_near(word_at(own, word), word_at(got, word), INPUTS_APART))
                differ(p, word, own, got, rule, p->w->seen.binding[i]);
        }
    }
}

/* All of it written, defined and the same bits. */
static bool is_same(const struct pictures *p, const struct output *color, size_t at)
{
    static const uint32_t defined[4];
    return p->w->fixed.color_mask == 15 && !memcmp(color->data + 16 * at, p->color[DRIVER]->data + 16 * at, 16) &&
           (!color->undefined || !memcmp(color->undefined + 4 * at, defined, 16));
}

static void compare_shaded(const struct pictures *p, size_t at)
{
    const struct output *color = outcome_find(&p->shaded, OUTPUT_COLOR, 0),
                        *covered = outcome_find(&p->shaded, OUTPUT_COVERAGE, 0);
    struct test_result *r = p->w->result;
    bool lives = covered->data[at];

    if (!p->covered[DRIVER]->data[at] && p->w->fixed.depth_test)
        return;                 /* the depth test may have ended it */
    if (lives != (p->covered[DRIVER]->data[at] != 0)) {
        cover(p, at, lives);
        return;
    }
    r->seen += lives;
    if (lives && is_same(p, color, at)) {
        r->exact += 4;
        return;
    }
    for (unsigned c = 0; lives && c < 4; c++) {
        size_t word = at * 4 + c;
        if (!(p->w->fixed.color_mask >> c & 1))
            continue;           /* nothing was written there */
        uint64_t expected = number_load(NUMBER_F32, color->data + 4 * word),
                 got = number_load(NUMBER_F32, p->color[DRIVER]->data + 4 * word);
        if (is_undefined(color, word)) {
            r->undefined++;
            continue;
        }
        switch (rule_compare(&p->w->color_rule, expected, got)) {
        case RULE_SAME_BITS: r->exact++; break;
        case RULE_AGREES: r->by_rule++; break;
        case RULE_DIFFERS: differ(p, word, color, p->color[DRIVER], p->w->color_rule, "of the driver's inputs"); break;
        }
    }
}

/* Whether points are what is drawn. */
static bool has_points(const struct world *w, const struct driver_case *c)
{
    if (w->has_stage[DRIVER_GEOMETRY])
        return asm_stage_shape(w->stages[DRIVER_GEOMETRY].program).primitive_out == STAGE_WORD_POINTS;
    if (w->has_stage[DRIVER_TESS_EVALUATION])
        return asm_stage_shape(w->stages[DRIVER_TESS_EVALUATION].program).point_mode;
    return c->raster.draw->mode == RASTER_POINTS;
}

/* Whether the fragment program looks where in a point it is. */
static bool has_sprites(const struct world *w)
{
    const gp5_program *p = w->reference.program;
    bool any = raster_names(p, "fragment.pointcoord");

    for (unsigned i = 0; i < SCRIPT_TEXCOORDS; i++) {
        char binding[32];
        snprintf(binding, sizeof binding, "fragment.texcoord[%u]", i);
        any |= raster_names(p, binding);
    }
    return any;
}

/* Of those that the driver is known for, the ones that this draw can show. */
static uint32_t deviations_here(const struct world *w, const struct driver_case *c)
{
    const struct driver_description *d = w->options->source->description;
    const struct reference *vertex = w->has_stage[DRIVER_VERTEX] ? &w->stages[DRIVER_VERTEX] : NULL;
    uint32_t of_driver = d ? driver_deviations(d) : 0, here = 0;

    if (w->fixed.flat && !w->program->fixed && !w->shaders[DRIVER_FRAGMENT].text)
        here |= 1u << DEVIATES_FLAT;
    if (w->fixed.clip_planes && vertex && !w->shaders[DRIVER_VERTEX].text &&
        !reference_is_invariant(vertex) && !w->has_stage[DRIVER_GEOMETRY])
        here |= 1u << DEVIATES_CLIP;
    if (w->draw->samples > 1 && has_points(w, c) && (!w->fixed.point_sprite || has_sprites(w)))
        here |= 1u << DEVIATES_POINTS;
    return here & of_driver;
}

void judge_draw(struct world *w, const struct driver_case *c, const struct outcome *reference,
                const struct outcome *driver)
{
    struct pictures p = { .w = w, .c = c, .width = c->raster.width, .height = c->raster.height,
                          .rows = c->raster.height * driver_planes(&c->raster), .shapes = reference->shapes,
                          .driver = driver };

    p.color[REFERENCE] = outcome_find(reference, OUTPUT_COLOR, 0);
    p.color[DRIVER] = outcome_find(driver, OUTPUT_COLOR, 0);
    p.covered[REFERENCE] = outcome_find(reference, OUTPUT_COVERAGE, 0);
    p.covered[DRIVER] = outcome_find(driver, OUTPUT_COVERAGE, 0);
    for (int side = 0; side < SIDES; side++)
        if (!p.color[side] || !p.covered[side] || !p.color[side]->data || !p.covered[side]->data)
            return;             /* a digest: pictures are compared pixel by pixel or not at all */
    if (!w->no_color_rule && pictures_same(c, reference, driver)) {
        pictures_count(w, c, reference);
        return;
    }
    p.deviations = deviations_here(w, c);
    w->result->deviations |= p.deviations;
    w->deviates |= p.deviations != 0;
    if (p.deviations & (1u << DEVIATES_CLIP | 1u << DEVIATES_POINTS))
        return;                 /* another part of it was drawn */
    outcome_init(&p.shaded);
    outcome_init(&p.inputs);
    bool halves = prepare(&p);
    p.strays = has_strays(&p);
    for (uint32_t y = 0; y < p.rows; y++)
        for (uint32_t x = 0; x < p.width; x++) {
            size_t at = pixel_at(&p, x, y);
            w->result->pixels += p.covered[REFERENCE]->data[at] != 0;
            if (!halves || !p.live[at]) {
                compare_seen_by_probes(&p, x, y);
                continue;
            }
            compare_shaded(&p, at);
            if (p.shapes[at] && !is_edge(&p, x, y))
                compare_inputs(&p, x, y);
        }
    for (uint32_t n = 1; n < c->raster.color_outputs; n++) {     /* the others as probes see them */
        p.color[REFERENCE] = outcome_find(reference, OUTPUT_COLOR, n);
        p.color[DRIVER] = outcome_find(driver, OUTPUT_COLOR, n);
        for (size_t at = 0; p.color[DRIVER] && p.color[DRIVER]->data && at < (size_t)p.width * p.rows; at++)
            if (p.covered[REFERENCE]->data[at] && p.covered[DRIVER]->data[at])
                compare_seen_by_probes(&p, (uint32_t)(at % p.width), (uint32_t)(at / p.width));
    }
    outcome_free(&p.shaded);
    outcome_free(&p.inputs);
    gp5_free(p.live);
}
