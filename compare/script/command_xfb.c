/* Commands for transform feedback. A buffer of it is the storage buffer of that number. */
#include "compare/script/command.h"

#include <string.h>

#include "asm/binding_name.h"

/* piglit: xfb buffer object N SIZE */
bool read_xfb_buffer(struct command *c)
{
    return read_ssbo(c);
}

/* piglit: xfb draw arrays MODE FIRST COUNT */
bool read_xfb_draw_arrays(struct command *c)
{
    if (!read_draw_arrays(c))
        return false;
    c->op->u.draw.captured = true;
    return true;
}

/* xfb varying N STRIDE OFFSET RESULT COMPONENTS */
bool read_xfb_varying(struct command *c)
{
    struct op_varying *v = &c->op->u.varying;
    int64_t stride, offset, components;
    struct binding_name name;

    c->op->kind = OP_VARYING;
    c->s->pipeline = true;
    if (!command_binding(c, 0, &v->buffer) || !command_integer(c, 1, 4, 4096, &stride) ||
        !command_integer(c, 2, 0, 4092, &offset))
        return false;
    if (c->count < 4 || strncmp(c->word[3], "result.", 7) || !asm_find_binding(STAGE_GEOMETRY, c->word[3], &name))
        return command_wrong_at(c, 3, "expected a result of vertices, such as result.attrib[0]");
    if (!command_integer(c, 4, 1, 4, &components))
        return false;
    if (stride % 4 || offset % 4 || offset + 4 * components > stride)
        return command_wrong_at(c, 2, "it stands in whole words, within the stride");
    *v = (struct op_varying){ v->buffer, (uint32_t)stride, (uint32_t)offset, c->word[3], (uint32_t)components };
    return command_no_more(c, 5);
}

/* piglit: probe xfb buffer TYPE N INDEX VALUE */
bool read_probe_xfb_buffer(struct command *c)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    int64_t index;

    c->op->kind = OP_PROBE_BUFFER;
    p->kind = BUFFER_STORAGE;
    if (!command_number_type(c, 0, &p->type) || !command_binding(c, 1, &p->binding) ||
        !command_integer(c, 2, 0, DATA_LIMIT / 8, &index))
        return false;
    p->offset = (size_t)index * number_types[p->type].bytes;
    p->near = number_types[p->type].is_float;
    return command_values(c, 3, p) && command_no_more(c, 4);
}

/* piglit: verify query_object GL_PRIMITIVES_GENERATED|GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN N */
bool read_verify_query(struct command *c)
{
    static const char *const words[] = { "GL_PRIMITIVES_GENERATED", "GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN" };
    int64_t count;

    c->op->kind = OP_PROBE_CAPTURED;
    if (c->count && !strcmp(c->word[0], words[1]))
        c->op->u.captured.written = true;
    else if (!c->count || strcmp(c->word[0], words[0]))
        return command_wrong_at(c, 0, "expected one of GL_PRIMITIVES_GENERATED and "
                                      "GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN");
    if (!command_integer(c, 1, 0, UINT32_MAX, &count))
        return false;
    c->op->u.captured.count = (uint64_t)count;
    return command_no_more(c, 2);
}
