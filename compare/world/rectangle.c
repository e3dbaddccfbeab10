/* Drawing rectangles with a fragment program, as piglit's scripts do, and the window that they are drawn
 * into.
 *
 * Both sides always draw the whole window; what lies outside the script's rectangle is left away here. So a
 * fragment has the window position and the interpolated values that it would have in the small rectangle. */
#include "compare/world/world.h"

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
bool rectangle_place(const struct world *w, const float rect[4], bool pixels, float ndc[4], int32_t box[4])
{
    float width = (float)w->script->width, height = (float)w->script->height;
    float corner[4] = { rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3] };
    for (int i = 0; i < 4; i++) {
        if (pixels)
            corner[i] = to_ndc(corner[i], 0, i % 2 ? height : width);
        ndc[i] = corner[i];
        if (w->has_ortho && w->script->vertex.transforms)
            ndc[i] = to_ndc(corner[i], w->ortho[i % 2 * 2], w->ortho[i % 2 * 2 + 1]);
        if (!isfinite(ndc[i]))
            return false;
    }
    pixel_range(ndc[0], ndc[2], w->script->width, box);
    pixel_range(ndc[1], ndc[3], w->script->height, box + 2);
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

static bool source_corners(const struct world *w, const struct pass_value *v, float corner[CORNERS][4])
{
    const struct op_draw *d = &w->op->u.draw;
    switch (v->source) {
    case PASS_NONE: return false;
    case PASS_ENV: parameter_corners(corner, &w->stage_env[DRIVER_VERTEX], v->index); break;
    case PASS_LOCAL: parameter_corners(corner, &w->stage_local[DRIVER_VERTEX], v->index); break;
    case PASS_POSITION: rectangle_corners(corner, d->rect); break;
    case PASS_COLOR: constant_corners(corner, w->color); break;
    case PASS_CONSTANT: constant_corners(corner, v->constant); break;
    case PASS_TEXCOORD:
        if (d->textured && v->index == 0)
            rectangle_corners(corner, d->texture);
        else
            constant_corners(corner, w->texcoord[v->index]);
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

static void add_attribute(const struct world *w, struct attributes *a, enum driver_attribute_kind kind,
                          uint32_t index, const struct pass_value *v, const float ndc[4])
{
    float (*corner)[4] = a->corner[a->count];
    bool known = source_corners(w, v, corner);
    for (size_t i = 0; i < w->interpolated.count; i++) {
        const struct op_interpolate *p = vec_at(&w->interpolated, i);
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

static void all_attributes(const struct world *w, struct attributes *a, const float ndc[4])
{
    const struct passthrough *pass = &w->script->vertex;
    a->count = 0;
    for (uint32_t i = 0; i < SCRIPT_COLORS; i++)
        add_attribute(w, a, DRIVER_COLOR, i, &pass->color[i], ndc);
    for (uint32_t i = 0; i < SCRIPT_TEXCOORDS; i++)
        add_attribute(w, a, DRIVER_TEXCOORD, i, &pass->texcoord[i], ndc);
    add_attribute(w, a, DRIVER_FOGCOORD, 0, &pass->fogcoord, ndc);
}

/* ---- the draw ------------------------------------------------------------------------------------------ */

static void draw(struct world *w, struct driver_case cases[SIDES], struct outcome outcomes[SIDES],
                 const int32_t box[4])
{
    w->cut = box;
    step_run(w, cases, outcomes);
    step_write_back(w, outcomes);
    w->cut = NULL;
    for (int side = 0; side < SIDES; side++) {
        if (w->alive[side] && outcomes[side].status == OUTCOME_RAN)
            window_keep(w, outcomes, (enum side)side, box);
    }
    if (w->table && w->alive[REFERENCE])
        table_colors(w->table, w, &outcomes[REFERENCE], 16);
}

void rectangle_draw(struct world *w)
{
    struct attributes attributes;
    struct driver_case cases[SIDES];
    struct world_case parts[SIDES];
    struct outcome outcomes[SIDES];
    float ndc[4];
    int32_t box[4];
    if (w->program->stage != DRIVER_FRAGMENT) {
        w->result->status = TEST_ERROR;
        w->result->message = "'draw' needs a [fragment program]";
        return;
    }
    if (!rectangle_place(w, w->op->u.draw.rect, w->op->u.draw.pixels, ndc, box) || ndc[0] == ndc[2] ||
        ndc[1] == ndc[3]) {
        w->result->status = TEST_ERROR;
        w->result->message = "this rectangle has no area";
        return;
    }
    if (!window_make(w)) {
        world_no_memory(w);
        return;
    }
    all_attributes(w, &attributes, ndc);
    bool ok = true;
    for (int side = 0; side < SIDES; side++) {
        outcome_init(&outcomes[side]);
        ok = world_case(w, (enum side)side, &parts[side], &cases[side]) && ok;
        cases[side].raster = (struct driver_raster){ .primitive = DRIVER_QUAD,
                                                  .width = w->script->width,
                                                  .height = w->script->height,
                                                  .color_outputs = 1,
                                                  .depth_bits = 0x3f000000,
                                                  .attributes = attributes.list,
                                                  .attribute_count = attributes.count };
    }
    if (!ok)
        world_no_memory(w);
    else if (world_check(w, &cases[REFERENCE]))
        draw(w, cases, outcomes, box);
    for (int side = 0; side < SIDES; side++) {
        outcome_free(&outcomes[side]);
        world_case_free(&parts[side]);
    }
}
