/* Drawing rectangles with a fragment program, as piglit's scripts do, and the window that they are drawn
 * into.
 *
 * Both sides always draw the whole window; what lies outside the script's rectangle is left away here. So a
 * fragment has the window position and the interpolated values that it would have in the small rectangle. */
#include "compare/machine.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 4 };

/* ---- geometry ------------------------------------------------------------------------------------------ */

static float to_ndc(float v, float low, float high)
{
    return (v - low) / (high - low) * 2 - 1;
}

/* Pixels whose centres lie in [low, high) of -1..1. */
static void pixel_range(float low, float high, uint32_t size, int32_t range[2])
{
    double a = ((double)low + 1) / 2 * size, b = ((double)high + 1) / 2 * size;
    if (a > b) {
        double t = a;
        a = b;
        b = t;
    }
    range[0] = (int32_t)fmin(fmax(ceil(a - 0.5), 0), size);
    range[1] = (int32_t)fmin(fmax(ceil(b - 0.5), 0), size);
}

/* The rectangle in window coordinates -1..1 (x0 y0 x1 y1) and in pixels (x0 x1 y0 y1). */
bool raster_rectangle(const struct machine *m, const float rect[4], bool pixels, float ndc[4], int32_t box[4])
{
    float width = (float)m->script->width, height = (float)m->script->height;
    float corner[4] = { rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3] };
    for (int i = 0; i < 4; i++) {
        if (pixels)
            corner[i] = to_ndc(corner[i], 0, i % 2 ? height : width);
        ndc[i] = corner[i];
        if (m->has_ortho && m->script->vertex.transforms)
            ndc[i] = to_ndc(corner[i], m->ortho[i % 2 * 2], m->ortho[i % 2 * 2 + 1]);
        if (!isfinite(ndc[i]))
            return false;
    }
    pixel_range(ndc[0], ndc[2], m->script->width, box);
    pixel_range(ndc[1], ndc[3], m->script->height, box + 2);
    return true;
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

static void constant_corners(float corner[CORNERS][4], const float value[4])
{
    for (int i = 0; i < CORNERS; i++)
        memcpy(corner[i], value, sizeof corner[i]);
}

/* Values x0..x0+width, y0..y0+height at the corners, as a position or a texture coordinate has them. */
static void rectangle_corners(float corner[CORNERS][4], const float rect[4])
{
    for (int i = 0; i < CORNERS; i++) {
        corner[i][0] = i % 2 ? rect[0] + rect[2] : rect[0];
        corner[i][1] = i / 2 ? rect[1] + rect[3] : rect[1];
        corner[i][2] = 0;
        corner[i][3] = 1;
    }
}

static void parameter_corners(float corner[CORNERS][4], const struct vec *parameters, uint32_t index)
{
    float value[4] = { 0, 0, 0, 0 };
    for (size_t i = 0; i < parameters->count; i++) {
        const struct driver_parameter *p = vec_at(parameters, i);
        if (p->index == index)
            memcpy(value, p->bits, sizeof value);
    }
    constant_corners(corner, value);
}

static bool source_corners(const struct machine *m, const struct pass_value *v, float corner[CORNERS][4])
{
    const struct op_draw *d = &m->op->u.draw;
    switch (v->source) {
    case PASS_NONE: return false;
    case PASS_ENV: parameter_corners(corner, &m->vertex_env, v->index); break;
    case PASS_LOCAL: parameter_corners(corner, &m->vertex_local, v->index); break;
    case PASS_POSITION: rectangle_corners(corner, d->rect); break;
    case PASS_COLOR: constant_corners(corner, m->color); break;
    case PASS_CONSTANT: constant_corners(corner, v->constant); break;
    case PASS_TEXCOORD:
        if (d->textured && v->index == 0)
            rectangle_corners(corner, d->texture);
        else
            constant_corners(corner, m->texcoord[v->index]);
        break;
    }
    return true;
}

/* From the rectangle's corners to the window's: the same plane, further out. */
static void stretch(float corner[CORNERS][4], const float ndc[4])
{
    double u[2] = { (-1.0 - ndc[0]) / (ndc[2] - ndc[0]), (1.0 - ndc[0]) / (ndc[2] - ndc[0]) };
    double v[2] = { (-1.0 - ndc[1]) / (ndc[3] - ndc[1]), (1.0 - ndc[1]) / (ndc[3] - ndc[1]) };
    float from[CORNERS][4];
    memcpy(from, corner, sizeof from);
    if (u[0] == 0 && u[1] == 1 && v[0] == 0 && v[1] == 1)
        return;
    for (int c = 0; c < CORNERS; c++)
        for (int i = 0; i < 4; i++) {
            double s = u[c % 2], t = v[c / 2];
            if (from[0][i] == from[1][i] && from[0][i] == from[2][i] && from[0][i] == from[3][i])
                continue;
            corner[c][i] = (float)((1 - t) * ((1 - s) * from[0][i] + s * from[1][i]) +
                                   t * ((1 - s) * from[2][i] + s * from[3][i]));
        }
}

struct attributes {
    struct driver_attribute list[SCRIPT_TEXCOORDS + SCRIPT_COLORS + 1];
    float corner[SCRIPT_TEXCOORDS + SCRIPT_COLORS + 1][CORNERS][4];
    size_t count;
};

static void add_attribute(const struct machine *m, struct attributes *a, enum driver_attribute_kind kind,
                          uint32_t index, const struct pass_value *v, const float ndc[4])
{
    float (*corner)[4] = a->corner[a->count];
    bool known = source_corners(m, v, corner);
    for (size_t i = 0; i < m->interpolated.count; i++) {
        const struct op_interpolate *p = vec_at(&m->interpolated, i);
        if (p->kind == kind && p->index == index) {
            memcpy(corner, p->corner, sizeof p->corner);
            known = true;
        }
    }
    if (!known)
        return;
    stretch(corner, ndc);
    a->list[a->count++] = (struct driver_attribute){ kind, index, corner, sizeof a->corner[0] };
}

static void all_attributes(const struct machine *m, struct attributes *a, const float ndc[4])
{
    const struct passthrough *pass = &m->script->vertex;
    a->count = 0;
    for (uint32_t i = 0; i < SCRIPT_COLORS; i++)
        add_attribute(m, a, DRIVER_COLOR, i, &pass->color[i], ndc);
    for (uint32_t i = 0; i < SCRIPT_TEXCOORDS; i++)
        add_attribute(m, a, DRIVER_TEXCOORD, i, &pass->texcoord[i], ndc);
    add_attribute(m, a, DRIVER_FOGCOORD, 0, &pass->fogcoord, ndc);
}

/* ---- the window ---------------------------------------------------------------------------------------- */

static size_t pixel_count(const struct machine *m)
{
    return (size_t)m->script->width * m->script->height;
}

static bool make_window(struct machine *m)
{
    size_t pixels = pixel_count(m);
    if (m->undefined_colors)
        return true;
    for (int w = 0; w < WORLDS; w++) {
        m->colors[w] = gp5_malloc(pixels * 16);
        m->covered[w] = gp5_malloc(pixels);
        if (!m->colors[w] || !m->covered[w])
            return false;
        memset(m->colors[w], 0, pixels * 16);
        memset(m->covered[w], 0, pixels);
    }
    m->undefined_colors = gp5_malloc(pixels * 16);
    if (m->undefined_colors)
        memset(m->undefined_colors, 0, pixels * 16);
    return m->undefined_colors;
}

void raster_clear(struct machine *m)
{
    size_t pixels = pixel_count(m);
    if (!make_window(m)) {
        machine_no_memory(m);
        return;
    }
    for (int w = 0; w < WORLDS; w++) {
        for (size_t i = 0; i < pixels; i++)
            memcpy(m->colors[w] + 4 * i, m->clear_color, sizeof m->clear_color);
        memset(m->covered[w], 0, pixels);
    }
    memset(m->undefined_colors, 0, pixels * 16);
}

static void keep_pixels(struct machine *m, const struct outcome *o, enum world w, const int32_t box[4])
{
    const struct output *color = outcome_find(o, OUTPUT_COLOR, 0),
                        *covered = outcome_find(o, OUTPUT_COVERAGE, 0);
    if (!color || !color->data || !covered || !covered->data) {
        m->alive[w] = false;
        return;
    }
    for (int32_t y = box[2]; y < box[3]; y++)
        for (int32_t x = box[0]; x < box[1]; x++) {
            size_t i = (size_t)y * m->script->width + (size_t)x;
            if (!covered->data[i])
                continue;
            memcpy(m->colors[w] + 4 * i, color->data + 16 * i, 16);
            m->covered[w][i] = 1;
            for (size_t j = 0; w == REFERENCE && j < 4; j++)
                m->undefined_colors[4 * i + j] = color->undefined ? color->undefined[4 * i + j] : 0;
        }
}

void raster_cut(const struct machine *m, struct outcome *o)
{
    const int32_t *box = m->cut;
    if (!box)
        return;
    struct output *color = (struct output *)outcome_find(o, OUTPUT_COLOR, 0);
    struct output *covered = (struct output *)outcome_find(o, OUTPUT_COVERAGE, 0);
    if (!color || !color->data || !covered || !covered->data)
        return;
    for (size_t i = 0; i < pixel_count(m); i++) {
        int32_t x = (int32_t)(i % m->script->width), y = (int32_t)(i / m->script->width);
        if (x >= box[0] && x < box[1] && y >= box[2] && y < box[3])
            continue;
        covered->data[i] = 0;
        memset(color->data + 16 * i, 0, 16);
        if (color->undefined)
            memset(color->undefined + 4 * i, 0, 16);
    }
}

static void draw(struct machine *m, struct driver_case cases[WORLDS], struct outcome outcomes[WORLDS],
                 const int32_t box[4])
{
    m->cut = box;
    machine_step(m, cases, outcomes);
    m->cut = NULL;
    for (int w = 0; w < WORLDS; w++) {
        if (m->alive[w] && outcomes[w].status == OUTCOME_RAN)
            keep_pixels(m, &outcomes[w], (enum world)w, box);
    }
    if (m->table && m->alive[REFERENCE])
        table_colors(m->table, m, &outcomes[REFERENCE], 16);
}

void raster_draw(struct machine *m)
{
    struct attributes attributes;
    struct driver_case cases[WORLDS];
    struct machine_case parts[WORLDS];
    struct outcome outcomes[WORLDS];
    float ndc[4];
    int32_t box[4];
    if (m->program->stage != DRIVER_FRAGMENT) {
        m->result->status = TEST_ERROR;
        m->result->message = "'draw' needs a [fragment program]";
        return;
    }
    if (!raster_rectangle(m, m->op->u.draw.rect, m->op->u.draw.pixels, ndc, box) || ndc[0] == ndc[2] ||
        ndc[1] == ndc[3]) {
        m->result->status = TEST_ERROR;
        m->result->message = "this rectangle has no area";
        return;
    }
    if (!make_window(m)) {
        machine_no_memory(m);
        return;
    }
    all_attributes(m, &attributes, ndc);
    bool ok = true;
    for (int w = 0; w < WORLDS; w++) {
        outcome_init(&outcomes[w]);
        ok = machine_case(m, (enum world)w, &parts[w], &cases[w]) && ok;
        cases[w].raster = (struct driver_raster){ .primitive = DRIVER_QUAD,
                                                  .width = m->script->width,
                                                  .height = m->script->height,
                                                  .color_outputs = 1,
                                                  .depth_bits = 0x3f000000,
                                                  .attributes = attributes.list,
                                                  .attribute_count = attributes.count };
    }
    if (!ok)
        machine_no_memory(m);
    else if (machine_check(m, &cases[REFERENCE]))
        draw(m, cases, outcomes, box);
    for (int w = 0; w < WORLDS; w++) {
        outcome_free(&outcomes[w]);
        machine_case_free(&parts[w]);
    }
}
