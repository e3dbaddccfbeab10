/* Probes: what a script says that results are. They are put to the reference and, where it ran, to the
 * driver. */
#include "compare/world/world.h"

#include <math.h>
#include <string.h>

static bool ordered(enum require_test test, int order)
{
    switch (test) {
    case TEST_EQ: return order == 0;
    case TEST_NE: return order != 0;
    case TEST_LT: return order < 0;
    case TEST_LE: return order <= 0;
    case TEST_GT: return order > 0;
    case TEST_GE: return order >= 0;
    }
    return false;
}

static int order_of(enum number_type type, uint64_t a, uint64_t b)
{
    if (number_types[type].is_float || number_types[type].is_signed) {
        bool negative_a = number_is_negative(type, a), negative_b = number_is_negative(type, b);
        if (!number_types[type].is_float && negative_a != negative_b)
            return negative_a ? -1 : 1;
        if (number_types[type].is_float) {
            double x = number_value(type, a), y = number_value(type, b);
            return x < y ? -1 : x > y;
        }
    }
    return a < b ? -1 : a > b;
}

static struct finding *probe_fails(struct world *w, enum side side, enum output_kind kind, uint32_t binding,
                                   size_t offset)
{
    struct finding *f = world_find(w, FINDING_PROBE, side);
    if (f) {
        f->output = kind;
        f->binding = binding;
        f->offset = offset;
    }
    return f;
}

static bool is_undefined(const uint32_t *undefined, size_t offset, size_t bytes)
{
    for (size_t word = offset / 4; undefined && word <= (offset + bytes - 1) / 4; word++)
        if (undefined[word])
            return true;
    return false;
}

/* ---- buffers ------------------------------------------------------------------------------------------- */

/* The rule of the buffer where the types agree, so that a probe and a comparison mean the same by "equal". */
static struct rule rule_of(const struct slot *slot, enum number_type type)
{
    struct rule rule = slot->rule;
    if (rule.type != type)
        rule = (struct rule){ .type = type };
    return rule;
}

static void probe_value(struct world *w, const struct slot *slot, enum side side, size_t offset,
                        uint64_t expected)
{
    const struct op_probe_buffer *p = &w->op->u.probe_buffer;
    struct rule rule = rule_of(slot, p->type);
    if (p->near && rule.kind == RULE_EXACT)
        rule = (struct rule){ .type = p->type, .kind = RULE_ABSOLUTE, .bound = w->tolerance[0] };
    uint64_t got = number_load(p->type, slot->data[side] + offset);
    bool ok = p->test == TEST_EQ
                  ? rule_compare(&rule, expected, got) != RULE_DIFFERS
                  : !number_is_nan(p->type, got) && ordered(p->test, order_of(p->type, expected, got));
    if (ok)
        return;
    struct finding *f = probe_fails(w, side, world_output(p->kind), slot->binding, offset);
    if (!f)
        return;
    world_place(w, slot, offset, f);
    f->type = p->type;
    f->rule = rule;
    f->expected = expected;
    f->got = got;
    if (p->test != TEST_EQ)
        f->message = "the comparison does not hold";
}

void probe_buffer(struct world *w)
{
    const struct op_probe_buffer *p = &w->op->u.probe_buffer;
    const struct slot *slot = world_slot(world_slots(w, world_output(p->kind)), p->binding);
    size_t bytes = number_types[p->type].bytes;
    if (!slot || !slot->is_set) {
        w->result->status = TEST_ERROR;
        w->result->message = "a probe of a buffer or texture that the script does not make";
        return;
    }
    size_t count = p->all ? slot->size / bytes : p->count;
    if (!p->all && (p->offset > slot->size || count > (slot->size - p->offset) / bytes)) {
        w->result->status = TEST_ERROR;
        w->result->message = "a probe beyond the end of the buffer";
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t offset = p->offset + i * bytes;
        if (is_undefined(slot->undefined, offset, bytes)) {
            w->result->probes_undefined++;
            continue;
        }
        w->result->probes += w->alive[REFERENCE] || w->alive[DRIVER];
        for (int side = 0; side < SIDES; side++)
            if (w->alive[side])
                probe_value(w, slot, (enum side)side, offset, p->values[i % p->count]);
    }
}

/* The undefinedness that a script is about must be there. */
void probe_undefined(struct world *w)
{
    const struct op_probe_where *p = &w->op->u.where;
    const struct slot *slot = world_slot(world_slots(w, world_output(p->kind)), p->binding);
    if (!slot || !slot->is_set || p->offset / 4 + p->count > slot->size / 4) {
        w->result->status = TEST_ERROR;
        w->result->message = "a probe beyond the end of the buffer";
        return;
    }
    if (!w->alive[REFERENCE] || !w->options->run.track_undefined)
        return;
    for (size_t i = 0; i < p->count; i++) {
        size_t offset = p->offset + 4 * i;
        w->result->probes++;
        if (is_undefined(slot->undefined, offset, 4))
            continue;
        struct finding *f = probe_fails(w, REFERENCE, world_output(p->kind), slot->binding, offset);
        if (!f)
            continue;
        world_place(w, slot, offset, f);
        f->type = NUMBER_U32;
        f->got = number_load(NUMBER_U32, slot->data[REFERENCE] + offset);
        f->message = "is defined, but the script says that it is undefined";
    }
}

/* ---- pixels -------------------------------------------------------------------------------------------- */

/* False, and the test's error, where there is nothing to look at. */
static bool can_look(struct world *w, uint32_t x, uint32_t y)
{
    if (!surface_made(w->read)) {
        w->result->status = TEST_ERROR;
        w->result->message = "a probe before anything was drawn or cleared";
        return false;
    }
    if (x >= w->read->width || y >= w->read->height) {
        w->result->status = TEST_ERROR;
        w->result->message = "a probe outside of the framebuffer";
        return false;
    }
    return framebuffer_load(w, w->read);
}

static void place_pixel(const struct world *w, uint32_t x, uint32_t y, struct finding *f)
{
    f->has_invocation = true;
    f->x = x;
    f->y = y;
    f->layers = w->read->layers;
    f->samples = w->read->read_sample < 0 ? 1 : w->read->samples;
    f->layer = w->read->read_layer;
    f->sample = w->read->read_sample < 0 ? 0 : (uint32_t)w->read->read_sample;
}

static bool probe_component(struct world *w, enum side side, uint32_t x, uint32_t y, uint32_t component)
{
    const struct op_probe_pixels *p = &w->op->u.probe_pixels;
    float seen = surface_value(w->read, (int)side, x, y, component), expected = p->expected[component];
    if (fabsf(seen - expected) <= w->tolerance[component] || seen == expected)
        return true;
    struct finding *f = probe_fails(w, side, OUTPUT_COLOR, w->read->read,
                                    (((size_t)y * w->read->width + x) * 4 + component) * 4);
    if (!f)
        return false;
    uint32_t bits[2];
    memcpy(&bits[0], &expected, 4);
    memcpy(&bits[1], &seen, 4);
    place_pixel(w, x, y, f);
    f->component = component;
    f->type = NUMBER_F32;
    f->rule = (struct rule){ .type = NUMBER_F32, .kind = RULE_ABSOLUTE, .bound = w->tolerance[component] };
    f->expected = bits[0];
    f->got = bits[1];
    return false;
}

/* The pixels that a probe names: x0 x1 y0 y1; false (and an error) when they are not in the window. */
static bool probed_box(struct world *w, int64_t box[4])
{
    const struct op_probe_pixels *p = &w->op->u.probe_pixels;
    double size[2] = { w->read->width, w->read->height };
    for (int i = 0; i < 2; i++) {
        float scale = p->relative ? (float)size[i] : 1;         /* rounded to a float, as piglit does */
        double at = p->rect[i] * scale, count = p->rect[2 + i] == 0 ? 1 : p->rect[2 + i] * scale;
        if (p->relative && p->rect[2 + i] == 0 && at >= size[i])
            at = size[i] - 1;
        if (p->all) {
            at = 0;
            count = size[i];
        }
        if (!(at >= 0 && count >= 0 && at + count <= size[i] + (p->relative ? 1 : 0))) {
            w->result->status = TEST_ERROR;
            char text[120];
            snprintf(text, sizeof text, "a probe outside of the window, which is %d x %d", (int)size[0], (int)size[1]);
            w->result->message = world_keep(w, text);
            return false;
        }
        box[2 * i] = (int64_t)at;
        box[2 * i + 1] = (int64_t)fmin((double)(int64_t)at + (double)(int64_t)count, size[i]);
    }
    return true;
}

/* Where a driver is known to draw something else its pixels are not put to the test. */
static bool is_probed(const struct world *w, enum side side)
{
    return w->alive[side] && !(side == DRIVER && w->deviates);
}

/* Whether all of it is defined and as expected. */
static bool probe_pixel(struct world *w, uint32_t x, uint32_t y)
{
    const struct op_probe_pixels *p = &w->op->u.probe_pixels;
    bool ok = w->alive[REFERENCE] || w->alive[DRIVER];

    for (uint32_t c = 0; c < p->components; c++) {
        if (surface_undefined(w->read, x, y, c)) {
            w->result->probes_undefined++;
            ok = false;
            continue;
        }
        w->result->probes += w->alive[REFERENCE] || w->alive[DRIVER];
        for (int side = 0; side < SIDES; side++)
            if (is_probed(w, (enum side)side))
                ok = probe_component(w, (enum side)side, x, y, c) && ok;
    }
    return ok;
}

/* Whether a pixel is what one is that was as expected; of samples that is not looked at. */
static bool holds_alike(const struct world *w, size_t one, size_t at)
{
    const struct surface *s = w->read;

    for (int side = 0; side < SIDES; side++)
        if (w->alive[side] && memcmp(s->colors[side] + one, s->colors[side] + at, 16))
            return false;
    return s->samples == 1 && !memcmp(s->undefined + one, s->undefined + at, 16);
}

void probe_pixels(struct world *w)
{
    const struct op_probe_pixels *p = &w->op->u.probe_pixels;
    int64_t box[4];
    if (!can_look(w, 0, 0) || !probed_box(w, box))
        return;
    size_t plane = surface_plane(w->read, w->read->read, w->read->read_layer, 0) * 4, last = SIZE_MAX;
    for (int64_t y = box[2]; y < box[3]; y++)
        for (int64_t x = box[0]; x < box[1]; x++) {
            size_t at = plane + ((size_t)y * w->read->width + (size_t)x) * 4;
            if (last != SIZE_MAX && holds_alike(w, last, at)) {
                w->result->probes += p->components;
                continue;
            }
            last = probe_pixel(w, (uint32_t)x, (uint32_t)y) ? at : SIZE_MAX;
        }
}

void probe_covered(struct world *w)
{
    const struct op_probe_where *p = &w->op->u.where;
    if (!can_look(w, p->x, p->y))
        return;
    w->result->probes += w->alive[REFERENCE] || w->alive[DRIVER];
    for (int side = 0; side < SIDES; side++) {
        if (!w->alive[side] || surface_covered(w->read, side, p->x, p->y) == p->covered)
            continue;
        struct finding *f = probe_fails(w, (enum side)side, OUTPUT_COVERAGE, 0, 0);
        if (!f)
            continue;
        place_pixel(w, p->x, p->y, f);
        f->message = p->covered ? "the fragment was discarded" : "the fragment was not discarded";
    }
}

void probe_captured(struct world *w)
{
    bool written = w->op->u.captured.written;
    uint64_t expected = w->op->u.captured.count, got = written ? w->counts.written : w->counts.generated;

    if (!w->alive[REFERENCE])
        return;
    w->result->probes++;
    if (got == expected)
        return;
    struct finding *f = world_find(w, FINDING_PROBE, REFERENCE);
    if (!f)
        return;
    f->output = OUTPUT_STORAGE;
    f->type = NUMBER_U64;
    f->rule = (struct rule){ .type = NUMBER_U64 };
    f->expected = expected;
    f->got = got;
    f->message = written ? "primitives were written" : "primitives were generated";
}

void probe_depth(struct world *w)
{
    uint32_t x = w->op->u.depth.x, y = w->op->u.depth.y, bits[2];
    float expected = w->op->u.depth.expected;
    if (!can_look(w, x, y))
        return;
    w->result->probes += w->alive[REFERENCE] || w->alive[DRIVER];
    for (int side = 0; side < SIDES; side++) {
        size_t at = (size_t)y * w->read->width + x;
        float seen = surface_depth(w->read, side, x, y);
        if (!w->alive[side] || fabsf(seen - expected) <= w->tolerance[0])
            continue;
        struct finding *f = probe_fails(w, (enum side)side, OUTPUT_DEPTH, 0, at * 4);
        if (!f)
            continue;
        memcpy(&bits[0], &expected, 4);
        memcpy(&bits[1], &seen, 4);
        place_pixel(w, x, y, f);
        f->type = NUMBER_F32;
        f->rule = (struct rule){ .type = NUMBER_F32, .kind = RULE_ABSOLUTE, .bound = w->tolerance[0] };
        f->expected = bits[0];
        f->got = bits[1];
    }
}
