/* The commands of a test, one after the other, and the state that they leave. */
#include "compare/world/world.h"

#include <string.h>

static void patch_slot(struct slot *slot, const struct op_buffer *b)
{
    for (int side = 0; side < SIDES && b->data.size; side++)
        memcpy(slot->data[side] + b->offset, b->data.bytes, b->data.size);
    gp5_free(slot->undefined);
    slot->undefined = NULL;
}

static void set_buffer(struct world *w, const struct op_buffer *b)
{
    struct vec *slots = b->kind == BUFFER_CONSTANT ? &w->constants : world_slots(w, world_output(b->kind));
    struct slot *slot = world_make_slot(w, slots, b->binding);
    if (!slot)
        return;
    size_t at = b->action == BUFFER_APPEND && slot->is_set ? slot->size : 0;
    if (b->action == BUFFER_PATCH && (!slot->is_set || b->offset > slot->size ||
                                      b->data.size > slot->size - b->offset)) {
        w->result->status = TEST_ERROR;
        w->result->message = b->kind == BUFFER_COUNTER ? "a counter beyond the end of its buffer"
                                                       : "'subdata' beyond the end of the buffer";
    } else if (b->action == BUFFER_PATCH) {
        patch_slot(slot, b);
    } else if (at + b->data.size > DATA_LIMIT || !world_fill_slot(slot, at, b->data.bytes, b->data.size)) {
        world_no_memory(w);
    }
}

static void set_parameter(struct world *w, const struct op_parameter *p)
{
    bool own = p->stage == DRIVER_FRAGMENT || p->stage == DRIVER_COMPUTE;
    struct vec *list = p->local ? own ? &w->local : &w->stage_local[p->stage]
                                : own ? &w->env : &w->stage_env[p->stage];
    struct driver_parameter *parameter = NULL;
    for (size_t i = 0; i < list->count && !parameter; i++) {
        struct driver_parameter *at = vec_at(list, i);
        if (at->index == p->index)
            parameter = at;
    }
    if (!parameter) {
        size_t index = vec_grow(list);
        if (index == SIZE_MAX) {
            world_no_memory(w);
            return;
        }
        parameter = vec_at(list, index);
    }
    parameter->index = p->index;
    memcpy(parameter->bits, p->bits, sizeof parameter->bits);
}

static void set_interpolate(struct world *w, const struct op_interpolate *p)
{
    size_t at = 0;
    for (; at < w->interpolated.count; at++) {
        struct op_interpolate *old = vec_at(&w->interpolated, at);
        if (old->kind == p->kind && old->index == p->index)
            break;
    }
    if (at == w->interpolated.count && vec_grow(&w->interpolated) == SIZE_MAX) {
        world_no_memory(w);
        return;
    }
    *(struct op_interpolate *)vec_at(&w->interpolated, at) = *p;
}

static void set_rule(struct world *w, const struct op *op)
{
    struct rule rule = op->u.rule.rule;
    if (w->options->has_ulp && number_types[rule.type].is_float) {
        rule.kind = RULE_ULP;
        rule.ulps = w->options->ulps;
    }
    if (op->u.rule.kind == BUFFER_COLOR) {
        w->color_rule = op->kind == OP_RULE ? rule : w->color_rule;
        w->no_color_rule = op->kind == OP_NO_RULE ? op->u.rule.reason : NULL;
        return;
    }
    struct vec *slots = world_slots(w, world_output(op->u.rule.kind));
    struct slot *slot = world_make_slot(w, slots, op->u.rule.binding);
    if (!slot)
        return;
    slot->no_rule = op->kind == OP_NO_RULE ? op->u.rule.reason : NULL;
    if (op->kind == OP_RULE) {
        slot->has_rule = true;
        slot->rule = rule;
    }
}

static void set_layout(struct world *w, const struct op_layout *layout)
{
    struct slot *slot = world_make_slot(w, &w->storage, layout->binding);
    if (!slot)
        return;
    slot->layout = *layout;
    slot->has_layout = true;
    if (!slot->has_rule) {
        slot->rule = (struct rule){ .type = layout->type };
        if (w->options->has_ulp && number_types[layout->type].is_float) {
            slot->rule.kind = RULE_ULP;
            slot->rule.ulps = w->options->ulps;
        }
    }
}

static void set_ortho(struct world *w, const struct op *op)
{
    float window[4] = { 0, (float)w->draw->width, 0, (float)w->draw->height };
    w->has_ortho = true;
    memcpy(w->ortho, op->u.ortho.window ? window : op->u.ortho.box, sizeof w->ortho);
    draw_set_ortho(w);
}

void world_carry_out(struct world *w)
{
    const struct op *op = w->op;
    switch (op->kind) {
    case OP_BUFFER: set_buffer(w, &op->u.buffer); break;
    case OP_PARAMETER: set_parameter(w, &op->u.parameter); break;
    case OP_TEXCOORD:
        memcpy(w->texcoord[op->u.attribute.index], op->u.attribute.value, sizeof *w->texcoord);
        break;
    case OP_COLOR: memcpy(w->color, op->u.attribute.value, sizeof w->color); break;
    case OP_INTERPOLATE: set_interpolate(w, &op->u.interpolate); break;
    case OP_ORTHO: set_ortho(w, op); break;
    case OP_CLEAR_COLOR: memcpy(w->clear_color, op->u.vector, sizeof w->clear_color); break;
    case OP_CLEAR: window_clear(w); break;
    case OP_COMPUTE: step_compute(w); break;
    case OP_FRAMEBUFFER: framebuffer_bind(w); break;
    case OP_BLIT: framebuffer_blit(w); break;
    case OP_CLEAR_DEPTH: w->clear_depth = op->u.vector[0]; break;
    case OP_STATE: draw_set_state(w, &op->u.state); break;
    case OP_DRAW:
        if (w->script->pipeline)
            draw_run(w);
        else
            rectangle_draw(w);
        break;
    case OP_VARYING: draw_add_varying(w, &op->u.varying); break;
    case OP_PROBE_CAPTURED: probe_captured(w); break;
    case OP_PROBE_DEPTH: probe_depth(w); break;
    case OP_PROBE_BUFFER: probe_buffer(w); break;
    case OP_PROBE_PIXELS: probe_pixels(w); break;
    case OP_PROBE_COVERED: probe_covered(w); break;
    case OP_PROBE_UNDEFINED: probe_undefined(w); break;
    case OP_TOLERANCE: memcpy(w->tolerance, op->u.vector, sizeof w->tolerance); break;
    case OP_RULE:
    case OP_NO_RULE: set_rule(w, op); break;
    case OP_LAYOUT: set_layout(w, &op->u.layout); break;
    case OP_RECORD:
        w->record_chosen = true;
        w->digest = op->u.record.digest;
        w->block = op->u.record.block;
        break;
    case OP_FLOAT_COLORS: w->float_colors = w->window.keeps = true; break;
    case OP_TEXTURE: world_set_texture(w, &op->u.texture); break;
    case OP_SAMPLER: world_set_sampler(w, &op->u.sampler); break;
    case OP_IMAGE: world_set_image(w, &op->u.image); break;
    case OP_POINTER: world_set_pointer(w, &op->u.pointer); break;
    case OP_SUBROUTINES: world_set_subroutines(w, &op->u.subroutines); break;
    }
}
