/* The commands of a test, one after the other, and the state that they leave. */
#include "compare/machine.h"

#include <string.h>

struct slot *machine_slot(const struct vec *slots, uint32_t binding)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = vec_at((struct vec *)slots, i);
        if (slot->binding == binding)
            return slot;
    }
    return NULL;
}

void machine_no_memory(struct machine *m)
{
    m->result->status = TEST_ERROR;
    m->result->message = "out of memory";
}

struct vec *machine_slots(struct machine *m, enum output_kind kind)
{
    switch (kind) {
    case OUTPUT_STORAGE: return &m->storage;
    case OUTPUT_COUNTER: return &m->counters;
    case OUTPUT_TEXTURE: return &m->textures;
    default: return NULL;
    }
}

enum output_kind machine_output(enum buffer_kind kind)
{
    return kind == BUFFER_COUNTER ? OUTPUT_COUNTER : kind == BUFFER_TEXTURE ? OUTPUT_TEXTURE : OUTPUT_STORAGE;
}

struct slot *machine_make_slot(struct machine *m, struct vec *slots, uint32_t binding)
{
    struct slot *slot = machine_slot(slots, binding);
    if (slot)
        return slot;
    if (vec_grow(slots) == SIZE_MAX) {
        machine_no_memory(m);
        return NULL;
    }
    size_t at = slots->count - 1;
    for (; at && ((struct slot *)vec_at(slots, at - 1))->binding > binding; at--)
        *(struct slot *)vec_at(slots, at) = *(struct slot *)vec_at(slots, at - 1);
    slot = vec_at(slots, at);
    *slot = (struct slot){ .binding = binding };
    slot->rule.type = NUMBER_U32;
    return slot;
}

void machine_free_slots(struct vec *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = vec_at(slots, i);
        gp5_free(slot->data[REFERENCE]);
        gp5_free(slot->data[DRIVER]);
        gp5_free(slot->undefined);
    }
    vec_free(slots);
}

struct finding *machine_find(struct machine *m, enum finding_kind kind, enum world side)
{
    struct test_result *r = m->result;
    r->findings_total++;
    if (r->findings.count >= TEST_FINDINGS)
        return NULL;
    size_t index = vec_grow(&r->findings);
    if (index == SIZE_MAX)
        return NULL;
    struct finding *f = vec_at(&r->findings, index);
    f->kind = kind;
    f->side = side == REFERENCE ? "reference" : "driver";
    f->line = m->op ? m->op->line : 0;
    return f;
}

void machine_place(const struct machine *m, const struct slot *slot, size_t offset, struct finding *f)
{
    const uint32_t *size = m->group_size;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    if (f->output == OUTPUT_TEXTURE)
        machine_texel(&slot->texture, offset, f);
    if (f->output != OUTPUT_STORAGE)
        return;
    uint64_t all = threads * m->groups[0] * m->groups[1] * m->groups[2];
    unsigned bytes = number_types[slot->has_layout ? slot->layout.type : slot->rule.type].bytes;
    size_t record;
    if (slot->has_layout)
        record = slot->layout.count * bytes;
    else if (all && slot->size % (all * bytes) == 0)
        record = (size_t)(slot->size / all);
    else
        return;
    if (!record || offset / record >= all)
        return;
    f->has_invocation = true;
    f->invocation = (uint32_t)(offset / record);
    f->component = (uint32_t)(offset % record / bytes);
    f->group = (uint32_t)(f->invocation / threads);
    f->warp = (uint32_t)(f->invocation % threads / 32);
    f->lane = f->invocation % threads % 32;
}

/* ---- commands that set things -------------------------------------------------------------------------- */

bool machine_fill_slot(struct slot *slot, size_t at, const void *bytes, size_t size)
{
    for (int w = 0; w < WORLDS; w++) {
        uint8_t *more = gp5_realloc(slot->data[w], at + size);
        if (!more)
            return false;
        slot->data[w] = more;
        if (size && bytes)
            memcpy(more + at, bytes, size);
        else if (size)
            memset(more + at, 0, size);
    }
    slot->size = at + size;
    gp5_free(slot->undefined);
    slot->undefined = NULL;
    slot->is_set = true;
    return true;
}

static void patch_slot(struct slot *slot, const struct op_buffer *b)
{
    for (int w = 0; w < WORLDS && b->data.size; w++)
        memcpy(slot->data[w] + b->offset, b->data.bytes, b->data.size);
    gp5_free(slot->undefined);
    slot->undefined = NULL;
}

static void set_buffer(struct machine *m, const struct op_buffer *b)
{
    struct vec *slots = b->kind == BUFFER_CONSTANT ? &m->constants : machine_slots(m, machine_output(b->kind));
    struct slot *slot = machine_make_slot(m, slots, b->binding);
    if (!slot)
        return;
    size_t at = b->action == BUFFER_APPEND && slot->is_set ? slot->size : 0;
    if (b->action == BUFFER_PATCH && (!slot->is_set || b->offset > slot->size ||
                                      b->data.size > slot->size - b->offset)) {
        m->result->status = TEST_ERROR;
        m->result->message = b->kind == BUFFER_COUNTER ? "a counter beyond the end of its buffer"
                                                       : "'subdata' beyond the end of the buffer";
    } else if (b->action == BUFFER_PATCH) {
        patch_slot(slot, b);
    } else if (at + b->data.size > DATA_LIMIT || !machine_fill_slot(slot, at, b->data.bytes, b->data.size)) {
        machine_no_memory(m);
    }
}

static void set_parameter(struct machine *m, const struct op_parameter *p)
{
    struct vec *list = p->vertex ? &m->vertex_env : &m->env;
    if (p->local)
        list = p->vertex ? &m->vertex_local : &m->local;
    struct driver_parameter *parameter = NULL;
    for (size_t i = 0; i < list->count && !parameter; i++) {
        struct driver_parameter *at = vec_at(list, i);
        if (at->index == p->index)
            parameter = at;
    }
    if (!parameter) {
        size_t index = vec_grow(list);
        if (index == SIZE_MAX) {
            machine_no_memory(m);
            return;
        }
        parameter = vec_at(list, index);
    }
    parameter->index = p->index;
    memcpy(parameter->bits, p->bits, sizeof parameter->bits);
}

static void set_interpolate(struct machine *m, const struct op_interpolate *p)
{
    size_t at = 0;
    for (; at < m->interpolated.count; at++) {
        struct op_interpolate *old = vec_at(&m->interpolated, at);
        if (old->kind == p->kind && old->index == p->index)
            break;
    }
    if (at == m->interpolated.count && vec_grow(&m->interpolated) == SIZE_MAX) {
        machine_no_memory(m);
        return;
    }
    *(struct op_interpolate *)vec_at(&m->interpolated, at) = *p;
}

static void set_rule(struct machine *m, const struct op *op)
{
    struct rule rule = op->u.rule.rule;
    if (m->options->has_ulp && number_types[rule.type].is_float) {
        rule.kind = RULE_ULP;
        rule.ulps = m->options->ulps;
    }
    if (op->u.rule.kind == BUFFER_COLOR) {
        m->color_rule = op->kind == OP_RULE ? rule : m->color_rule;
        m->no_color_rule = op->kind == OP_NO_RULE ? op->u.rule.reason : NULL;
        return;
    }
    struct vec *slots = machine_slots(m, machine_output(op->u.rule.kind));
    struct slot *slot = machine_make_slot(m, slots, op->u.rule.binding);
    if (!slot)
        return;
    slot->no_rule = op->kind == OP_NO_RULE ? op->u.rule.reason : NULL;
    if (op->kind == OP_RULE) {
        slot->has_rule = true;
        slot->rule = rule;
    }
}

static void set_layout(struct machine *m, const struct op_layout *layout)
{
    struct slot *slot = machine_make_slot(m, &m->storage, layout->binding);
    if (!slot)
        return;
    slot->layout = *layout;
    slot->has_layout = true;
    if (!slot->has_rule) {
        slot->rule = (struct rule){ .type = layout->type };
        if (m->options->has_ulp && number_types[layout->type].is_float) {
            slot->rule.kind = RULE_ULP;
            slot->rule.ulps = m->options->ulps;
        }
    }
}

static void set_ortho(struct machine *m, const struct op *op)
{
    float window[4] = { 0, (float)m->script->width, 0, (float)m->script->height };
    m->has_ortho = true;
    memcpy(m->ortho, op->u.ortho.window ? window : op->u.ortho.box, sizeof m->ortho);
}

void machine_carry_out(struct machine *m)
{
    const struct op *op = m->op;
    switch (op->kind) {
    case OP_BUFFER: set_buffer(m, &op->u.buffer); break;
    case OP_PARAMETER: set_parameter(m, &op->u.parameter); break;
    case OP_TEXCOORD:
        memcpy(m->texcoord[op->u.attribute.index], op->u.attribute.value, sizeof *m->texcoord);
        break;
    case OP_COLOR: memcpy(m->color, op->u.attribute.value, sizeof m->color); break;
    case OP_INTERPOLATE: set_interpolate(m, &op->u.interpolate); break;
    case OP_ORTHO: set_ortho(m, op); break;
    case OP_CLEAR_COLOR: memcpy(m->clear_color, op->u.vector, sizeof m->clear_color); break;
    case OP_CLEAR: raster_clear(m); break;
    case OP_COMPUTE: machine_compute(m); break;
    case OP_DRAW: raster_draw(m); break;
    case OP_PROBE_BUFFER: probe_buffer(m); break;
    case OP_PROBE_PIXELS: probe_pixels(m); break;
    case OP_PROBE_COVERED: probe_covered(m); break;
    case OP_PROBE_UNDEFINED: probe_undefined(m); break;
    case OP_TOLERANCE: memcpy(m->tolerance, op->u.vector, sizeof m->tolerance); break;
    case OP_RULE:
    case OP_NO_RULE: set_rule(m, op); break;
    case OP_LAYOUT: set_layout(m, &op->u.layout); break;
    case OP_RECORD:
        m->record_chosen = true;
        m->digest = op->u.record.digest;
        m->block = op->u.record.block;
        break;
    case OP_FLOAT_COLORS: m->float_colors = true; break;
    case OP_TEXTURE: machine_set_texture(m, &op->u.texture); break;
    case OP_SAMPLER: machine_set_sampler(m, &op->u.sampler); break;
    case OP_IMAGE: machine_set_image(m, &op->u.image); break;
    case OP_POINTER: machine_set_pointer(m, &op->u.pointer); break;
    case OP_SUBROUTINES: machine_set_subroutines(m, &op->u.subroutines); break;
    }
}
