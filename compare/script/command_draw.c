/* Commands for pipelines: draws of arrays and patches, and the states of the fixed stages. */
#include "compare/script/command.h"

#include <math.h>
#include <string.h>

/* A script with one of these draws with a pipeline, even where its vertex program passes everything on. */
static void begin(struct command *c, enum op_kind kind)
{
    c->op->kind = kind;
    c->s->pipeline = true;
}

static bool number(struct command *c, size_t at, uint32_t low, uint32_t most, uint32_t *to)
{
    int64_t v;
    if (!command_integer(c, at, low, most, &v))
        return false;
    *to = (uint32_t)v;
    return true;
}

/* ---- draws ------------------------------------------------------------------------------------------------- */

enum { MOST_VERTICES = 1 << 24 };

static bool arrays(struct command *c, bool instanced)
{
    struct op_draw *d = &c->op->u.draw;
    unsigned mode = 0;
    begin(c, OP_DRAW);
    while (c->count && mode < RASTER_MODES && strcmp(raster_mode_name(mode), c->word[0]))
        mode++;
    if (!c->count || mode == RASTER_MODES)
        return command_wrong_at(c, 0, "expected GL_TRIANGLES or another primitive");
    *d = (struct op_draw){ .arrays = true, .mode = (enum raster_mode)mode, .instances = 1 };
    return number(c, 1, 0, MOST_VERTICES, &d->first) && number(c, 2, 0, MOST_VERTICES, &d->count) &&
           (!instanced || number(c, 3, 0, 65536, &d->instances)) && command_no_more(c, instanced ? 4 : 3);
}

bool read_draw_arrays(struct command *c) { return arrays(c, false); }
bool read_draw_arrays_instanced(struct command *c) { return arrays(c, true); }

bool read_draw_instanced_rect(struct command *c)
{
    struct op_draw *d = &c->op->u.draw;
    begin(c, OP_DRAW);
    d->mode = RASTER_TRIANGLE_STRIP;
    return number(c, 0, 0, 65536, &d->instances) && command_floats(c, 1, 4, d->rect) && command_no_more(c, 5);
}

static bool patch(struct command *c, bool pixels)
{
    struct op_draw *d = &c->op->u.draw;
    begin(c, OP_DRAW);
    d->mode = RASTER_PATCHES;
    d->instances = 1;
    d->patch = true;
    d->pixels = pixels;
    return command_floats(c, 0, 4, d->rect) && command_no_more(c, 4);
}

bool read_draw_rect_patch(struct command *c) { return patch(c, false); }
bool read_draw_rect_ortho_patch(struct command *c) { return patch(c, true); }

/* ---- states ------------------------------------------------------------------------------------------------ */

static struct op_state *state(struct command *c, enum state_word word)
{
    begin(c, OP_STATE);
    c->op->u.state = (struct op_state){ .word = word };
    return &c->op->u.state;
}

static bool enable(struct command *c, bool on)
{
    static const struct { const char *name; enum state_word word; } names[] = {
        { "GL_VERTEX_PROGRAM_TWO_SIDE", STATE_TWO_SIDE }, { "GL_PROGRAM_POINT_SIZE", STATE_PROGRAM_POINT_SIZE },
        { "GL_VERTEX_PROGRAM_POINT_SIZE", STATE_PROGRAM_POINT_SIZE }, { "GL_DEPTH_TEST", STATE_DEPTH_TEST },
        { "GL_DEPTH_CLAMP", STATE_DEPTH_CLAMP }, { "GL_POINT_SPRITE", STATE_POINT_SPRITE },
    };
    static const char plane[] = "GL_CLIP_PLANE";
    const char *word = c->count ? c->word[0] : "", *digit = word + sizeof plane - 1;
    struct op_state *o = state(c, STATE_CLIP_PLANE);
    o->value = on;
    if (!strncmp(word, plane, sizeof plane - 1) && *digit >= '0' && *digit <= '7' && !digit[1]) {
        o->index = (uint32_t)(*digit - '0');
        return command_no_more(c, 1);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, word)) {
            o->word = names[i].word;
            return command_no_more(c, 1);
        }
    if (!strncmp(word, "GL_", 3))
        return script_stop(c->s, SCRIPT_SKIP, c->offset[0], (uint32_t)strlen(word),
                           "this capability is not supported yet");
    return command_wrong_at(c, 0, "expected GL_DEPTH_TEST or another capability");
}

bool read_enable(struct command *c) { return enable(c, true); }
bool read_disable(struct command *c) { return enable(c, false); }

/* clip plane N a b c d: in eye coordinates, under a modelview matrix that is the identity */
bool read_clip_plane(struct command *c)
{
    struct op_state *o = state(c, STATE_PLANE);
    return number(c, 0, 0, 7, &o->index) && command_floats(c, 1, 4, o->vector) && command_no_more(c, 5);
}

bool read_depthfunc(struct command *c)
{
    static const char *const names[RASTER_COMPARES] = {
        "GL_NEVER", "GL_LESS", "GL_EQUAL", "GL_LEQUAL", "GL_GREATER", "GL_NOTEQUAL", "GL_GEQUAL", "GL_ALWAYS"
    };
    struct op_state *o = state(c, STATE_DEPTH_FUNC);
    while (c->count && o->value < RASTER_COMPARES && strcmp(names[o->value], c->word[0]))
        o->value++;
    if (!c->count || o->value == RASTER_COMPARES)
        return command_wrong_at(c, 0, "expected GL_LESS or another comparison");
    return command_no_more(c, 1);
}

static bool choice(struct command *c, enum state_word word, const char *off, const char *on, const char *message)
{
    struct op_state *o = state(c, word);
    o->value = c->count && !strcmp(c->word[0], on);
    if (!c->count || (!o->value && strcmp(c->word[0], off)))
        return command_wrong_at(c, 0, message);
    return command_no_more(c, 1);
}

bool read_provoking_vertex(struct command *c)
{
    return choice(c, STATE_FIRST_VERTEX, "last", "first", "expected first or last");
}

/* Smooth is how a script begins: that word alone makes no pipeline of it. */
bool read_shade_model(struct command *c)
{
    if (c->count == 1 && !strcmp(c->word[0], "smooth") && !c->s->pipeline) {
        c->op = NULL;
        return true;
    }
    return choice(c, STATE_FLAT, "smooth", "flat", "expected smooth or flat");
}

bool read_patch_vertices(struct command *c)
{
    struct op_state *o = state(c, STATE_PATCH_VERTICES);
    return number(c, 0, 1, 32, &o->value) && command_no_more(c, 1);
}

/* Where there is no tessellation control program. */
static bool levels(struct command *c, enum state_word word, size_t count)
{
    struct op_state *o = state(c, word);
    return command_floats(c, 0, count, o->vector) && command_no_more(c, count);
}

bool read_outer_levels(struct command *c) { return levels(c, STATE_OUTER_LEVELS, 4); }
bool read_inner_levels(struct command *c) { return levels(c, STATE_INNER_LEVELS, 2); }

/* frustum left right bottom top near far */
bool read_frustum(struct command *c)
{
    struct op_state *o = state(c, STATE_FRUSTUM);
    return command_floats(c, 0, 6, o->vector) && command_no_more(c, 6);
}

/* color mask R G B A: 0 or 1 */
bool read_color_mask(struct command *c)
{
    struct op_state *o = state(c, STATE_COLOR_MASK);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bit;
        if (!number(c, i, 0, 1, &bit))
            return false;
        o->value |= bit << i;
    }
    return command_no_more(c, 4);
}

/* draw buffers N: result.color[0] to [N - 1] have a window each; read buffer K: probes look at that one */
bool read_draw_buffers(struct command *c)
{
    struct op_state *o = state(c, STATE_DRAW_BUFFERS);
    if (!number(c, 0, 1, 8, &o->value) || !command_no_more(c, 1))
        return false;
    c->s->buffers = o->value > c->s->buffers ? o->value : c->s->buffers;
    return true;
}

bool read_read_buffer(struct command *c)
{
    struct op_state *o = state(c, STATE_READ_BUFFER);
    if (!number(c, 0, 0, c->s->framebuffers ? 7 : c->s->buffers - 1, &o->value))
        return false;
    return command_no_more(c, 1);
}

bool read_point_size(struct command *c)
{
    struct op_state *o = state(c, STATE_POINT_SIZE);
    if (!command_floats(c, 0, 1, o->vector))
        return false;
    if (!(o->vector[0] > 0 && o->vector[0] <= 2048))
        return command_wrong_at(c, 0, "expected a size above 0, up to 2048");
    return command_no_more(c, 1);
}

bool read_depth_range(struct command *c)
{
    struct op_state *o = state(c, STATE_DEPTH_RANGE);
    if (!command_floats(c, 0, 2, o->vector))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (isnan(o->vector[i]))
            return command_wrong_at(c, i, "expected a depth");
    return command_no_more(c, 2);
}

bool read_clear_depth(struct command *c)
{
    c->op->kind = OP_CLEAR_DEPTH;
    return command_floats(c, 0, 1, c->op->u.vector) && command_no_more(c, 1);
}

bool read_probe_depth(struct command *c)
{
    begin(c, OP_PROBE_DEPTH);
    return number(c, 0, 0, command_limit(c, c->s->width), &c->op->u.depth.x) &&
           number(c, 1, 0, command_limit(c, c->s->height), &c->op->u.depth.y) &&
           command_floats(c, 2, 1, &c->op->u.depth.expected) && command_no_more(c, 3);
}
