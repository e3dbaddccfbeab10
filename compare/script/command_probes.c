/* Commands that say what results are. */
#include "compare/script/command.h"

#include <string.h>

/* probe storage|counter|texture N OFFSET|all TYPE VALUE... */
static bool probe_buffer(struct command *c, enum buffer_kind kind)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    c->op->kind = OP_PROBE_BUFFER;
    p->kind = kind;
    if (!command_binding(c, 0, &p->binding))
        return false;
    if (c->count > 1 && !strcmp(c->word[1], "all"))
        p->all = true;
    else if (!command_offset_at(c, 1, &p->offset))
        return false;
    return command_number_type(c, 2, &p->type) && command_values(c, 3, p);
}

bool read_probe_storage(struct command *c) { return probe_buffer(c, BUFFER_STORAGE); }
bool read_probe_counter(struct command *c) { return probe_buffer(c, BUFFER_COUNTER); }
bool read_probe_texture(struct command *c) { return probe_buffer(c, BUFFER_TEXTURE); }

/* piglit: probe ssbo TYPE N OFFSET OP VALUE */
bool read_probe_ssbo(struct command *c)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    c->op->kind = OP_PROBE_BUFFER;
    p->kind = BUFFER_STORAGE;
    if (!command_number_type(c, 0, &p->type) || !command_binding(c, 1, &p->binding) ||
        !command_offset_at(c, 2, &p->offset))
        return false;
    if (c->count < 4 || !script_require_test(c->word[3], &p->test))
        return command_wrong_at(c, 3, "expected a comparison such as ==");
    return command_values(c, 4, p) && command_no_more(c, 5);
}

bool read_probe_undefined(struct command *c)
{
    struct op_probe_where *p = &c->op->u.where;
    int64_t count;
    c->op->kind = OP_PROBE_UNDEFINED;
    if (!command_kind(c, 0, &p->kind))
        return command_wrong_at(c, 0, "expected storage, counter or texture");
    if (!command_binding(c, 1, &p->binding) || !command_offset_at(c, 2, &p->offset) ||
        !command_integer(c, 3, 1, DATA_LIMIT / 4, &count))
        return false;
    if (p->offset % 4)
        return command_wrong_at(c, 2, "an undefined word stands at a multiple of 4 bytes");
    p->count = (size_t)count;
    return command_no_more(c, 4);
}

static bool probe_pixels(struct command *c, bool relative, bool all, bool is_rect, unsigned components)
{
    struct op_probe_pixels *p = &c->op->u.probe_pixels;
    size_t where = all ? 0 : is_rect ? 4 : 2;
    c->op->kind = OP_PROBE_PIXELS;
    p->relative = relative;
    p->all = all;
    p->components = components;
    return command_floats(c, 0, where, p->rect) && command_floats(c, where, components, p->expected) &&
           command_no_more(c, where + components);
}

bool read_probe_rgba(struct command *c) { return probe_pixels(c, false, false, false, 4); }
bool read_probe_rgb(struct command *c) { return probe_pixels(c, false, false, false, 3); }
bool read_probe_all_rgba(struct command *c) { return probe_pixels(c, false, true, false, 4); }
bool read_probe_all_rgb(struct command *c) { return probe_pixels(c, false, true, false, 3); }
bool read_probe_rect_rgba(struct command *c) { return probe_pixels(c, false, false, true, 4); }
bool read_relative_rgba(struct command *c) { return probe_pixels(c, true, false, false, 4); }
bool read_relative_rgb(struct command *c) { return probe_pixels(c, true, false, false, 3); }
bool read_relative_rect_rgba(struct command *c) { return probe_pixels(c, true, false, true, 4); }
bool read_relative_rect_rgb(struct command *c) { return probe_pixels(c, true, false, true, 3); }

static bool probe_coverage(struct command *c, bool covered)
{
    int64_t x, y;
    c->op->kind = OP_PROBE_COVERED;
    c->op->u.where.covered = covered;
    if (!command_integer(c, 0, 0, command_limit(c, c->s->width), &x) ||
        !command_integer(c, 1, 0, command_limit(c, c->s->height), &y))
        return false;
    c->op->u.where.x = (uint32_t)x;
    c->op->u.where.y = (uint32_t)y;
    return command_no_more(c, 2);
}

bool read_probe_covered(struct command *c) { return probe_coverage(c, true); }
bool read_probe_discarded(struct command *c) { return probe_coverage(c, false); }

bool read_tolerance(struct command *c)
{
    c->op->kind = OP_TOLERANCE;
    return command_floats(c, 0, 4, c->op->u.vector) && command_no_more(c, 4);
}
