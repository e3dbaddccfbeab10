/* Commands for atomic counters, pointers and subroutines. */
#include "compare/script/command.h"

#include <string.h>

static bool zeros(struct command *c, size_t at, uint32_t binding)
{
    struct op_buffer *b = &c->op->u.buffer;
    int64_t count;
    c->op->kind = OP_BUFFER;
    *b = (struct op_buffer){ .kind = BUFFER_COUNTER, .binding = binding, .action = BUFFER_SET };
    if (!command_integer(c, at, 0, DATA_LIMIT / 4, &count))
        return false;
    b->data.size = 4 * (size_t)count;
    return command_no_more(c, at + 1);
}

/* piglit: atomic counters N */
bool read_atomic_counters(struct command *c)
{
    return zeros(c, 0, 0);
}

/* piglit: atomic counter buffer BINDING N */
bool read_atomic_counter_buffer(struct command *c)
{
    uint32_t binding;
    return command_binding(c, 0, &binding) && zeros(c, 1, binding);
}

/* piglit: atomic counter BINDING INDEX VALUE */
bool read_atomic_counter(struct command *c)
{
    struct op_buffer *b = &c->op->u.buffer;
    int64_t index, value;
    c->op->kind = OP_BUFFER;
    *b = (struct op_buffer){ .kind = BUFFER_COUNTER, .action = BUFFER_PATCH };
    if (!command_binding(c, 0, &b->binding) || !command_integer(c, 1, 0, DATA_LIMIT / 4 - 1, &index) ||
        !command_integer(c, 2, INT32_MIN, UINT32_MAX, &value) || !command_no_more(c, 3))
        return false;
    b->offset = 4 * (size_t)index;
    b->data.size = 4;
    b->data.bytes = arena_alloc(&c->s->arena, 4);
    if (!b->data.bytes)
        return script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    number_store(NUMBER_U32, (uint64_t)value, b->data.bytes);
    return true;
}

static bool probe_counter(struct command *c, size_t at)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    p->type = NUMBER_U32;
    if (at >= c->count || !script_require_test(c->word[at], &p->test))
        return command_wrong_at(c, at, "expected a comparison such as ==");
    return command_values(c, at + 1, p) && command_no_more(c, at + 2);
}

/* piglit: probe atomic counter INDEX OP VALUE */
bool read_probe_atomic_counter(struct command *c)
{
    int64_t index;
    c->op->kind = OP_PROBE_BUFFER;
    c->op->u.probe_buffer.kind = BUFFER_COUNTER;
    if (!command_integer(c, 0, 0, DATA_LIMIT / 4 - 1, &index))
        return false;
    c->op->u.probe_buffer.offset = 4 * (size_t)index;
    return probe_counter(c, 1);
}

/* piglit: probe atomic counter buffer BINDING BYTE OP VALUE */
bool read_probe_atomic_counter_buffer(struct command *c)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    c->op->kind = OP_PROBE_BUFFER;
    p->kind = BUFFER_COUNTER;
    return command_binding(c, 0, &p->binding) && command_offset_at(c, 1, &p->offset) && probe_counter(c, 2);
}

/* pointer cbuffer|env|local N BYTE storage|texture|image M */
bool read_pointer(struct command *c)
{
    struct driver_pointer *p = &c->op->u.pointer;
    int place = 0, kind = 0;
    size_t offset;
    c->op->kind = OP_POINTER;
    *p = (struct driver_pointer){ .kind = POINTER_STORAGE };
    while (place < DRIVER_POINTER_PLACES &&
           (!c->count || strcmp(c->word[0], driver_pointer_place_name((enum driver_pointer_place)place))))
        place++;
    if (place == DRIVER_POINTER_PLACES)
        return command_wrong_at(c, 0, "expected cbuffer, storage, env or local");
    if (!command_binding(c, 1, &p->index) || !command_offset_at(c, 2, &offset))
        return false;
    while (kind < DRIVER_POINTER_KINDS &&
           (c->count < 4 || strcmp(c->word[3], driver_pointer_kind_name((enum driver_pointer_kind)kind))))
        kind++;
    if (kind == DRIVER_POINTER_KINDS)
        return command_wrong_at(c, 3, "expected storage, texture or image");
    p->place = (enum driver_pointer_place)place;
    p->kind = (enum driver_pointer_kind)kind;
    p->offset = (uint32_t)offset;
    return command_binding(c, 4, &p->of) && command_no_more(c, 5);
}

/* subroutine NUMBER...: what program.subroutine[0], [1] ... stand for */
bool read_subroutine(struct command *c)
{
    struct op_subroutines *o = &c->op->u.subroutines;
    c->op->kind = OP_SUBROUTINES;
    o->count = c->count;
    o->numbers = arena_alloc(&c->s->arena, (c->count + 1) * sizeof *o->numbers);
    if (!o->numbers)
        return script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    for (size_t i = 0; i < c->count; i++) {
        int64_t v;
        if (!command_integer(c, i, 0, UINT32_MAX, &v))
            return false;
        o->numbers[i] = (uint32_t)v;
    }
    return c->count || command_wrong_at(c, 0, "a number is missing here");
}
