#include "compare/script/command.h"

#include "compare/script/line.h"

#include <string.h>

bool command_wrong_at(struct command *c, size_t word, const char *message)
{
    size_t at = word < c->count ? word : c->count;
    return script_stop(c->s, SCRIPT_ERROR, c->offset[at], at < c->count ? (uint32_t)strlen(c->word[at]) : 0,
                       message);
}

bool command_integer(struct command *c, size_t at, int64_t low, int64_t high, int64_t *value)
{
    *value = 0;
    if (at >= c->count)
        return command_wrong_at(c, at, "a number is missing here");
    return line_integer(c->word[at], low, high, value) ||
           command_wrong_at(c, at, line_range(&c->s->arena, low, high));
}

bool command_floats(struct command *c, size_t at, size_t count, float *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        if (at + i >= c->count)
            return command_wrong_at(c, at + i, "a number is missing here");
        if (!number_parse(NUMBER_F32, c->word[at + i], &bits))
            return command_wrong_at(c, at + i, "expected a number");
        memcpy(&values[i], &(uint32_t){ (uint32_t)bits }, sizeof *values);
    }
    return true;
}

bool command_no_more(struct command *c, size_t count)
{
    return c->count <= count || command_wrong_at(c, count, "nothing more is expected here");
}

bool command_number_type(struct command *c, size_t at, enum number_type *type)
{
    if (at < c->count && number_type_named(c->word[at], type))
        return true;
    return command_wrong_at(c, at, "expected a type: u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 hex");
}

bool command_kind(const struct command *c, size_t at, enum buffer_kind *kind)
{
    static const struct { const char *word; enum buffer_kind kind; } kinds[] = {
        { "storage", BUFFER_STORAGE }, { "counter", BUFFER_COUNTER }, { "texture", BUFFER_TEXTURE }
    };
    for (size_t i = 0; at < c->count && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(c->word[at], kinds[i].word)) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

bool command_binding(struct command *c, size_t at, uint32_t *value)
{
    int64_t v;
    if (!command_integer(c, at, 0, SCRIPT_BINDING_LIMIT - 1, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

bool command_offset_at(struct command *c, size_t at, size_t *offset)
{
    int64_t v;
    if (!command_integer(c, at, 0, DATA_LIMIT - 1, &v))
        return false;
    *offset = (size_t)v;
    return true;
}

bool command_values(struct command *c, size_t at, struct op_probe_buffer *p)
{
    if (at >= c->count)
        return command_wrong_at(c, at, "a value is missing here");
    p->count = c->count - at;
    p->values = arena_alloc(&c->s->arena, p->count * sizeof *p->values);
    for (size_t i = 0; p->values && i < p->count; i++)
        if (!number_parse(p->type, c->word[at + i], &p->values[i]))
            return command_wrong_at(c, at + i, "no number of this type");
    return p->values || script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
}

uint32_t command_limit(const struct command *c, uint32_t size)
{
    return c->s->framebuffers ? 16383 : size - 1;
}
