/* Commands for buffers and parameters, and how they are compared. */
#include "compare/script/command.h"

#include <string.h>

static bool buffer(struct command *c, enum buffer_kind kind)
{
    struct op_buffer *b = &c->op->u.buffer;
    size_t wrong = 0;
    c->op->kind = OP_BUFFER;
    b->kind = kind;
    if (!command_binding(c, 0, &b->binding))
        return false;
    size_t at = c->count > 1 && !strcmp(c->word[1], "append") ? 2 : 1;
    b->action = at == 2 ? BUFFER_APPEND : BUFFER_SET;
    const char *error = data_parse(&c->s->arena, c->s->folder, c->word + at, c->count - at, &b->data, &wrong);
    return !error || command_wrong_at(c, at + wrong, error);
}

bool read_storage(struct command *c)
{
    return buffer(c, BUFFER_STORAGE);
}

bool read_counter(struct command *c)
{
    return buffer(c, BUFFER_COUNTER);
}

bool read_cbuffer(struct command *c)
{
    return buffer(c, BUFFER_CONSTANT);
}

/* piglit: ssbo N SIZE, ssbo N subdata TYPE OFFSET VALUE */
bool read_ssbo(struct command *c)
{
    struct op_buffer *b = &c->op->u.buffer;
    int64_t size;
    enum number_type type = NUMBER_U32;
    uint64_t bits;
    c->op->kind = OP_BUFFER;
    b->kind = BUFFER_STORAGE;
    if (!command_binding(c, 0, &b->binding))
        return false;
    if (c->count < 2 || strcmp(c->word[1], "subdata")) {
        if (!command_integer(c, 1, 0, DATA_LIMIT, &size) || !command_no_more(c, 2))
            return false;
        b->action = BUFFER_SET;
        b->data.size = (size_t)size;
        return true;
    }
    b->action = BUFFER_PATCH;
    if (!command_number_type(c, 2, &type) || !command_offset_at(c, 3, &b->offset) || !command_no_more(c, 5))
        return false;
    if (c->count < 5 || !number_parse(type, c->word[4], &bits))
        return command_wrong_at(c, 4, "no number of this type");
    b->data.size = number_types[type].bytes;
    b->data.bytes = arena_alloc(&c->s->arena, b->data.size);
    if (!b->data.bytes)
        return script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    number_store(type, bits, b->data.bytes);
    return true;
}

/* parameter env_fp I (x, y, z, w) */
bool read_parameter(struct command *c)
{
    static const struct { const char *word; enum driver_stage stage; bool local; } kinds[] = {
        { "env_vp", DRIVER_VERTEX, false }, { "local_vp", DRIVER_VERTEX, true },
        { "env_fp", DRIVER_FRAGMENT, false }, { "local_fp", DRIVER_FRAGMENT, true },
        { "env_cp", DRIVER_COMPUTE, false }, { "local_cp", DRIVER_COMPUTE, true },
        { "env_gp", DRIVER_GEOMETRY, false }, { "local_gp", DRIVER_GEOMETRY, true },
        { "env_tcp", DRIVER_TESS_CONTROL, false }, { "local_tcp", DRIVER_TESS_CONTROL, true },
        { "env_tep", DRIVER_TESS_EVALUATION, false }, { "local_tep", DRIVER_TESS_EVALUATION, true },
    };
    struct op_parameter *p = &c->op->u.parameter;
    float value[4];
    c->op->kind = OP_PARAMETER;
    for (size_t i = 0; c->count && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(c->word[0], kinds[i].word)) {
            p->stage = kinds[i].stage;
            p->local = kinds[i].local;
            if (!command_binding(c, 1, &p->index) || !command_floats(c, 2, 4, value) ||
                !command_no_more(c, 6))
                return false;
            memcpy(p->bits, value, sizeof p->bits);
            return true;
        }
    return command_wrong_at(c, 0,
                            "expected env_fp, local_fp, env_vp, local_vp, or those of another stage: cp gp tcp tep");
}

bool read_layout(struct command *c)
{
    struct op_layout *l = &c->op->u.layout;
    int64_t count;
    c->op->kind = OP_LAYOUT;
    if (!c->count || strcmp(c->word[0], "storage"))
        return command_wrong_at(c, 0, "expected storage");
    l->kind = BUFFER_STORAGE;
    if (!command_binding(c, 1, &l->binding) || !command_number_type(c, 2, &l->type) ||
        !command_integer(c, 3, 1, 65536, &count) ||
        !command_no_more(c, 4 + (size_t)(count < SCRIPT_COLUMNS ? count : SCRIPT_COLUMNS)))
        return false;
    l->count = (size_t)count;
    for (size_t i = 4; i < c->count; i++)
        l->names[i - 4] = c->word[i];
    return true;
}

/* compare storage|counter|texture N TYPE RULE..., compare color TYPE RULE..., compare storage N none REASON... */
bool read_compare(struct command *c)
{
    struct op_rule *r = &c->op->u.rule;
    size_t at = 1, wrong = 0;
    c->op->kind = OP_RULE;
    if (command_kind(c, 0, &r->kind)) {
        if (!command_binding(c, at++, &r->binding))
            return false;
    } else if (c->count && !strcmp(c->word[0], "color")) {
        r->kind = BUFFER_COLOR;
    } else {
        return command_wrong_at(c, 0, "expected storage, counter, texture or color");
    }
    if (at < c->count && !strcmp(c->word[at], "none")) {
        c->op->kind = OP_NO_RULE;
        if (at + 1 >= c->count)
            return command_wrong_at(c, at + 1, "say here why it is not compared");
        size_t end = c->offset[c->count - 1] + strlen(c->word[c->count - 1]);
        r->reason = arena_copy(&c->s->arena, c->s->text + c->offset[at + 1], end - c->offset[at + 1]);
        return r->reason || script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    }
    if (!command_number_type(c, at, &r->rule.type))
        return false;
    if (r->kind == BUFFER_COLOR && r->rule.type != NUMBER_F32)
        return command_wrong_at(c, at, "colours are f32");
    const char *error = rule_parse(&r->rule, c->word + at + 1, c->count - at - 1, &wrong);
    return !error || command_wrong_at(c, at + 1 + wrong, error);
}
