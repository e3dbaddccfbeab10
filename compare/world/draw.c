/* A draw with a pipeline of programs: the state that it needs, its vertices, and both sides' windows after it. */
#include "compare/world/world.h"

#include <string.h>

enum { MOST_INPUTS = 32 };

/* ---- state ------------------------------------------------------------------------------------------------- */

/* glOrtho(left, right, bottom, top, -1, 1) */
void draw_set_ortho(struct world *w)
{
    const float *o = w->ortho;
    float *m = w->gl.projection;

    memset(m, 0, sizeof w->gl.projection);
    m[0] = 2 / (o[1] - o[0]);
    m[5] = 2 / (o[3] - o[2]);
    m[10] = -1;
    m[12] = -(o[1] + o[0]) / (o[1] - o[0]);
    m[13] = -(o[3] + o[2]) / (o[3] - o[2]);
    m[15] = 1;
}

/* glFrustum */
static void set_frustum(struct world *w, const float box[6])
{
    float *m = w->gl.projection;

    memset(m, 0, sizeof w->gl.projection);
    m[0] = 2 * box[4] / (box[1] - box[0]);
    m[5] = 2 * box[4] / (box[3] - box[2]);
    m[8] = (box[1] + box[0]) / (box[1] - box[0]);
    m[9] = (box[3] + box[2]) / (box[3] - box[2]);
    m[10] = -(box[5] + box[4]) / (box[5] - box[4]);
    m[11] = -1;
    m[14] = -2 * box[5] * box[4] / (box[5] - box[4]);
}

void draw_set_state(struct world *w, const struct op_state *o)
{
    struct raster_state *s = &w->fixed;

    switch (o->word) {
    case STATE_CLIP_PLANE:
        s->clip_planes &= (uint8_t)~(1u << o->index);
        s->clip_planes |= (uint8_t)(o->value << o->index);
        break;
    case STATE_TWO_SIDE: s->two_side = (uint8_t)o->value; break;
    case STATE_PROGRAM_POINT_SIZE: s->program_point_size = (uint8_t)o->value; break;
    case STATE_DEPTH_TEST: s->depth_test = (uint8_t)o->value; break;
    case STATE_DEPTH_CLAMP: s->depth_clamp = (uint8_t)o->value; break;
    case STATE_POINT_SPRITE: s->point_sprite = (uint8_t)o->value; break;
    case STATE_FLAT: s->flat = (uint8_t)o->value; break;
    case STATE_FIRST_VERTEX: s->first_vertex = (uint8_t)o->value; break;
    case STATE_DEPTH_FUNC: s->depth_func = (uint8_t)o->value; break;
    case STATE_COLOR_MASK: s->color_mask = (uint8_t)o->value; break;
    case STATE_POINT_SIZE: w->gl.point_size = o->vector[0]; break;
    case STATE_PLANE: memcpy(w->gl.clip_plane[o->index], o->vector, sizeof w->gl.clip_plane[0]); break;
    case STATE_FRUSTUM: set_frustum(w, o->vector); break;
    case STATE_PATCH_VERTICES: w->patch_vertices = o->value; break;
    case STATE_OUTER_LEVELS: memcpy(w->levels, o->vector, 4 * sizeof *w->levels); break;
    case STATE_INNER_LEVELS: memcpy(w->levels + 4, o->vector, 2 * sizeof *w->levels); break;
    case STATE_VIEWPORT:
        memcpy(w->viewports[o->index].at, o->vector, sizeof w->viewports[0].at);
        w->has_viewports = true;
        break;
    case STATE_DRAW_BUFFERS:
    case STATE_READ_BUFFER:
    case STATE_READ_LAYER:
    case STATE_READ_SAMPLE: framebuffer_look(w, o); break;
    case STATE_DEPTH_RANGE: memcpy(w->gl.depth_range, o->vector, sizeof w->gl.depth_range); break;
    }
}

void draw_add_varying(struct world *w, const struct op_varying *o)
{
    size_t index = vec_grow(&w->captures);

    if (index == SIZE_MAX) {
        world_no_memory(w);
        return;
    }
    *(struct driver_capture *)vec_at(&w->captures, index) =
        (struct driver_capture){ o->binding, o->buffer, o->stride, o->offset, o->components };
}

/* ---- vertices ---------------------------------------------------------------------------------------------- */

struct draw {
    struct driver_draw draw;
    struct driver_array inputs[MOST_INPUTS];
    struct driver_program programs[SIDES][DRIVER_STAGES];
    char names[SCRIPT_TEXCOORDS][32];
    float position[4][4], texcoord[4][4];
};

static void add_input(struct draw *d, const char *binding, const void *data, size_t size)
{
    for (size_t i = 0; i < d->draw.input_count; i++)
        if (!strcmp(d->inputs[i].binding, binding))
            return;
    if (d->draw.input_count < MOST_INPUTS)
        d->inputs[d->draw.input_count++] = (struct driver_array){ binding, data, size };
}

static void rectangle(float corner[4][4], const float rect[4])
{
    for (int i = 0; i < 4; i++) {
        corner[i][0] = i % 2 ? rect[0] + rect[2] : rect[0];
        corner[i][1] = i / 2 ? rect[1] + rect[3] : rect[1];
        corner[i][2] = 0;
        corner[i][3] = 1;
    }
}

/* piglit's patch goes around the rectangle, its strip from side to side. */
static void add_rectangle(const struct world *w, struct draw *d)
{
    const struct op_draw *o = &w->op->u.draw;
    float rect[4];

    memcpy(rect, o->rect, sizeof rect);
    for (int i = 0; o->pixels && i < 4; i++)
        rect[i] = rect[i] / (float)(i % 2 ? w->script->height : w->script->width) * 2 - (i < 2 ? 1 : 0);
    rectangle(d->position, rect);
    rectangle(d->texcoord, o->texture);
    add_input(d, "vertex.position", d->position, sizeof d->position);
    if (o->textured)
        add_input(d, "vertex.texcoord[0]", d->texcoord, sizeof d->texcoord);
    d->draw.count = 4;
}

static bool add_arrays(struct world *w, struct draw *d)
{
    const struct op_draw *o = &w->op->u.draw;

    d->draw.first = o->first;
    d->draw.count = o->count;
    if (!w->script->columns.count)
        return true;            /* its inputs are the current ones, and what a program makes of vertex.id */
    if (o->first > w->script->rows || o->count > w->script->rows - o->first) {
        w->result->status = TEST_ERROR;
        w->result->message = "a draw of more vertices than [vertex data] has";
        return false;
    }
    for (size_t i = 0; i < w->script->columns.count; i++) {
        const struct script_column *c = vec_at((struct vec *)&w->script->columns, i);
        add_input(d, c->binding, c->words, (size_t)(o->first + o->count) * 16);
    }
    return true;
}

static bool set_vertices(struct world *w, struct draw *d)
{
    const struct op_draw *o = &w->op->u.draw;

    d->draw.mode = o->mode;
    d->draw.instances = o->instances;
    d->draw.patch_vertices = o->patch ? 4 : w->patch_vertices;
    if (!o->arrays)
        add_rectangle(w, d);
    else if (!add_arrays(w, d))
        return false;
    add_input(d, "vertex.color", w->color, sizeof w->color);
    for (int i = 0; i < SCRIPT_TEXCOORDS; i++) {
        snprintf(d->names[i], sizeof d->names[i], "vertex.texcoord[%u]", (unsigned)i % SCRIPT_TEXCOORDS);
        add_input(d, d->names[i], w->texcoord[i], sizeof w->texcoord[i]);
    }
    return true;
}

/* ---- the draw ---------------------------------------------------------------------------------------------- */

static void set_programs(const struct world *w, struct draw *d, enum side side)
{
    d->draw.program_count = 0;
    for (int i = 0; i < DRIVER_STAGES; i++) {
        const struct script_program *p = &w->script->stages[i];
        const char *shader = side == DRIVER ? w->shaders[i].text : NULL;
        if (!p->text)
            continue;
        d->programs[side][d->draw.program_count++] = (struct driver_program){
            .stage = (enum driver_stage)i, .text = shader ? shader : p->text,
            .size = shader ? w->shaders[i].size : p->size,
            .env = w->stage_env[i].data, .env_count = w->stage_env[i].count,
            .local = w->stage_local[i].data, .local_count = w->stage_local[i].count };
    }
    d->draw.programs = d->programs[side];
}

static void run(struct world *w, struct driver_case cases[SIDES])
{
    int32_t box[4] = { 0, (int32_t)w->draw->width, 0, (int32_t)w->draw->height };
    struct outcome outcomes[SIDES];

    for (int side = 0; side < SIDES; side++)
        outcome_init(&outcomes[side]);
    if (cases[DRIVER].raster.draw->captured && w->alive[DRIVER]) {
        w->alive[DRIVER] = false;
        w->driver_skipped = true;
        w->result->driver_note = "transform feedback is the reference's alone";
    }
    step_run(w, cases, outcomes);
    w->counts = outcomes[REFERENCE].counts;
    step_write_back(w, outcomes);
    for (int side = 0; side < SIDES; side++)
        if (w->alive[side] && outcomes[side].status == OUTCOME_RAN)
            window_keep(w, outcomes, (enum side)side, box);
    w->draw->flat_depth &= !w->fixed.depth_test;
    framebuffer_store(w, w->draw);
    if (w->table && w->alive[REFERENCE])
        table_colors(w->table, w, &outcomes[REFERENCE], 16);
    for (int side = 0; side < SIDES; side++)
        outcome_free(&outcomes[side]);
}

/* The viewport stays what it was when something else is drawn into than the window. */
static bool has_viewports(const struct world *w)
{
    return w->has_viewports || w->draw->width != w->script->width || w->draw->height != w->script->height;
}

/* Where the driver beside has its samples. */
static const float (*positions_of(const struct world *w))[2]
{
    const struct driver_description *d = w->options->source->description;

    for (size_t i = 0; w->draw->samples > 1 && d && i < d->samples_count; i++)
        if (d->samples[i].count == w->draw->samples)
            return d->samples[i].at;
    return NULL;
}

void draw_run(struct world *w)
{
    struct draw draws[SIDES] = { { .draw = { .first = 0 } }, { .draw = { .first = 0 } } };
    struct driver_case cases[SIDES];
    struct world_case parts[SIDES];
    bool ok = true;

    if (w->program->stage != DRIVER_FRAGMENT) {
        w->result->status = TEST_ERROR;
        w->result->message = "'draw' needs a [fragment program] or a [vertex program]";
        return;
    }
    if (!framebuffer_load(w, w->draw))
        return;
    w->gl.clamp_vertex_color = w->gl.clamp_fragment_color = !w->float_colors;
    for (int side = 0; side < SIDES; side++) {
        struct draw *d = &draws[side];
        d->draw.inputs = d->inputs;
        d->draw.state = w->fixed;
        d->draw.gl = &w->gl;
        memcpy(d->draw.levels, w->levels, sizeof d->draw.levels);
        d->draw.viewports = has_viewports(w) ? w->viewports : NULL;
        d->draw.positions = positions_of(w);
        d->draw.depth = w->draw->flat_depth || !w->fixed.depth_test ? NULL : w->draw->depth[side];
        d->draw.depth_size = d->draw.depth ? surface_pixels(w->draw) * surface_planes(w->draw) * 4 : 0;
        d->draw.clear_depth = w->draw->depth[side][0];
        d->draw.captured = w->op->u.draw.captured;
        d->draw.captures = w->captures.data;
        d->draw.capture_count = w->captures.count;
        d->draw.seen = w->seen.text;
        d->draw.seen_size = strlen(w->seen.text);
        d->draw.seen_count = w->seen.count;
        ok = world_case(w, (enum side)side, &parts[side], &cases[side]) && ok;
        cases[side].raster = (struct driver_raster){ .primitive = DRIVER_DRAW, .width = w->draw->width,
                                                     .height = w->draw->height, .color_outputs = w->draw->drawn,
                                                     .layers = w->draw->layered ? w->draw->layers : 0,
                                                     .layered = w->draw->layered,
                                                     .samples = w->draw->samples > 1 ? w->draw->samples : 0,
                                                     .bring_depth = w->fixed.depth_test, .draw = &d->draw };
        for (int i = 0; side == DRIVER && reference_tests_early(&w->reference) && i < 4; i++)
            cases[side].raster.clear_bits[i] = WORLD_NO_COLOR;
        set_programs(w, d, (enum side)side);
    }
    if (!ok)
        world_no_memory(w);
    else if (set_vertices(w, &draws[REFERENCE]) && set_vertices(w, &draws[DRIVER]) &&
             world_check(w, &cases[REFERENCE]))
        run(w, cases);
    for (int side = 0; side < SIDES; side++)
        world_case_free(&parts[side]);
}
