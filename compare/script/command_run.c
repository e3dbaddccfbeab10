/* Commands that dispatch and draw, and what drawing takes. */
#include "compare/script/command.h"

#include <string.h>

static bool three(struct command *c, size_t at, int64_t low, uint32_t values[3])
{
    for (size_t i = 0; i < 3; i++) {
        int64_t v;
        if (!command_integer(c, at + i, low, i == 0 ? INT32_MAX : 65535, &v))
            return false;
        values[i] = (uint32_t)v;
    }
    return true;
}

bool read_compute(struct command *c)
{
    c->op->kind = OP_COMPUTE;
    return three(c, 0, 0, c->op->u.dispatch.groups) && command_no_more(c, 3);
}

/* compute group size X Y Z and the size of a group: with OPTION ARB_compute_variable_group_size */
bool read_compute_group_size(struct command *c)
{
    c->op->kind = OP_COMPUTE;
    return three(c, 0, 0, c->op->u.dispatch.groups) && three(c, 3, 1, c->op->u.dispatch.group_size) &&
           command_no_more(c, 6);
}

static bool draw(struct command *c, bool pixels, bool textured)
{
    struct op_draw *d = &c->op->u.draw;
    c->op->kind = OP_DRAW;
    d->mode = RASTER_TRIANGLE_STRIP;
    d->instances = 1;
    d->pixels = pixels;
    d->textured = textured;
    return command_floats(c, 0, 4, d->rect) && (!textured || command_floats(c, 4, 4, d->texture)) &&
           command_no_more(c, textured ? 8 : 4);
}

bool read_draw_rect(struct command *c)
{
    return draw(c, false, false);
}

bool read_draw_rect_ortho(struct command *c)
{
    return draw(c, true, false);
}

bool read_draw_rect_tex(struct command *c)
{
    return draw(c, false, true);
}

bool read_clear(struct command *c)
{
    c->op->kind = OP_CLEAR;
    return command_no_more(c, 0);
}

bool read_clear_color(struct command *c)
{
    c->op->kind = OP_CLEAR_COLOR;
    return command_floats(c, 0, 4, c->op->u.vector) && command_no_more(c, 4);
}

bool read_color(struct command *c)
{
    c->op->kind = OP_COLOR;
    return command_floats(c, 0, 4, c->op->u.attribute.value) && command_no_more(c, 4);
}

bool read_texcoord(struct command *c)
{
    int64_t unit;
    c->op->kind = OP_TEXCOORD;
    if (!command_integer(c, 0, 0, SCRIPT_TEXCOORDS - 1, &unit))
        return false;
    c->op->u.attribute.index = (uint32_t)unit;
    return command_floats(c, 1, 4, c->op->u.attribute.value) && command_no_more(c, 5);
}

/* interpolate texcoord N|color N|fogcoord and four corners */
bool read_interpolate(struct command *c)
{
    struct op_interpolate *p = &c->op->u.interpolate;
    int64_t index = 0;
    size_t at = 1;
    c->op->kind = OP_INTERPOLATE;
    if (c->count && !strcmp(c->word[0], "texcoord")) {
        p->kind = DRIVER_TEXCOORD;
        if (!command_integer(c, at++, 0, SCRIPT_TEXCOORDS - 1, &index))
            return false;
    } else if (c->count && !strcmp(c->word[0], "color")) {
        p->kind = DRIVER_COLOR;
        if (!command_integer(c, at++, 0, SCRIPT_COLORS - 1, &index))
            return false;
    } else if (c->count && !strcmp(c->word[0], "fogcoord")) {
        p->kind = DRIVER_FOGCOORD;
    } else {
        return command_wrong_at(c, 0, "expected texcoord, color or fogcoord");
    }
    p->index = (uint32_t)index;
    return command_floats(c, at, 16, p->corner[0]) && command_no_more(c, at + 16);
}

bool read_ortho(struct command *c)
{
    c->op->kind = OP_ORTHO;
    c->op->u.ortho.window = c->count == 0;
    return c->count == 0 || (command_floats(c, 0, 4, c->op->u.ortho.box) && command_no_more(c, 4));
}

bool read_framebuffer_float(struct command *c)
{
    c->op->kind = OP_FLOAT_COLORS;
    return command_no_more(c, 0);
}

bool read_record(struct command *c)
{
    int64_t block = 0;
    c->op->kind = OP_RECORD;
    if (c->count && !strcmp(c->word[0], "full"))
        return command_no_more(c, 1);
    if (!c->count || strcmp(c->word[0], "digest"))
        return command_wrong_at(c, 0, "expected full or digest");
    c->op->u.record.digest = true;
    if (!command_integer(c, 1, 64, DATA_LIMIT, &block) || !command_no_more(c, 2))
        return false;
    if (block % 4)
        return command_wrong_at(c, 1, "a block is a multiple of 4 bytes");
    c->op->u.record.block = (size_t)block;
    return true;
}

/* Has no meaning for an assembly program here, and does no harm. */
bool read_nothing(struct command *c)
{
    c->op = NULL;
    return true;
}
