/* The inputs of fragments: which ones a program has, and their values at the places of its fragments. */
#include "raster/shading.h"

#include "asm/binding_name.h"
#include "asm/program.h"

#include <stdio.h>
#include <string.h>

/* ---- inputs ------------------------------------------------------------------------------------------------ */

/* The modifiers that an attribute is declared with (FLAT ATTRIB ...); of a binding that is used without a declaration
 * those of one that is. */
unsigned raster_interpolation(const gp5_program *program, const char *binding)
{
    struct binding_name name;

    if (!asm_find_binding(STAGE_FRAGMENT, binding, &name))
        return 0;
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const struct symbol *s = program_symbol(program, i);
        for (uint32_t k = 0; s->interpolation && k < s->nbindings; k++) {
            const struct binding *b = program_binding(program, s->binding + k);
            if (b->kind < BIND_COUNT && asm_canonical_binding(b->kind) == asm_canonical_binding(name.kind) &&
                (!b->nindices || (name.index[0] >= b->first[0] && name.index[0] <= b->last[0])))
                return s->interpolation;
        }
    }
    return 0;
}

static void add_input(struct shading *s, const char *binding, unsigned slot, enum special special)
{
    struct input *in = &s->inputs[s->ninputs];
    const struct raster_state *state = &s->p->draw->state;
    unsigned bits;

    if (s->ninputs == MOST_INPUTS || !program_names(s->stage, binding))
        return;
    bits = raster_interpolation(s->stage->program, binding);
    *in = (struct input){ .slot = (uint8_t)slot, .special = (uint8_t)special };
    snprintf(in->binding, sizeof in->binding, "%s", binding);
    in->flat = bits & INTERP_FLAT || slot == SLOT_LAYER || slot == SLOT_VIEWPORT ||
               (state->flat && (slot == SLOT_COLOR || slot == SLOT_SECONDARY));
    in->linear = bits & INTERP_NOPERSPECTIVE;
    in->sample = s->pattern.each && bits & (INTERP_SAMPLE | INTERP_CENTROID);
    in->centroid = s->pattern.count > 1 && !s->pattern.each && bits & INTERP_CENTROID;
    s->ninputs++;
}

void shading_find_inputs(struct shading *s)
{
    char text[48];

    add_input(s, "fragment.position", SLOTS, INPUT_POSITION);
    add_input(s, "fragment.facing", SLOTS, INPUT_FACING);
    add_input(s, "fragment.pointcoord", SLOTS, INPUT_POINTCOORD);
    add_input(s, "primitive.id", SLOTS, INPUT_PRIMITIVE);
    if (s->pattern.count > 1) {     /* else what the stage has of itself */
        add_input(s, "fragment.sampleid", SLOTS, INPUT_SAMPLE);
        add_input(s, "fragment.samplemask", SLOTS, INPUT_SAMPLEMASK);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        if (i != SLOT_POSITION && i != SLOT_SIZE && i != SLOT_PRIMID && i != SLOT_BACK && i != SLOT_BACK_SECONDARY)
            add_input(s, slot_name(text, "fragment.", i), i, INPUT_VALUE);
}

slot_set shading_slots(const struct shading *s)
{
    const struct raster_state *state = &s->p->draw->state;
    slot_set slots = SLOT_BIT(SLOT_POSITION);

    for (size_t i = 0; i < s->ninputs; i++)
        if (s->inputs[i].slot < SLOTS)
            slots |= SLOT_BIT(s->inputs[i].slot);
    if (state->two_side && slots >> SLOT_COLOR & 1)
        slots |= SLOT_BIT(SLOT_BACK);
    if (state->two_side && slots >> SLOT_SECONDARY & 1)
        slots |= SLOT_BIT(SLOT_BACK_SECONDARY);
    if (state->program_point_size)
        slots |= SLOT_BIT(SLOT_SIZE);
    for (unsigned i = 0; i < 8; i++)
        if (state->clip_planes >> i & 1)
            slots |= SLOT_BIT(SLOT_CLIP + i);
    return slots | cull_slots(s->p) | place_slots(s->p) | captured_slots(s->p->draw);
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static unsigned slot_for(const struct shading *s, const struct shape *shape, unsigned slot)
{
    bool back = s->p->draw->state.two_side && shape->back;

    if (back && slot == SLOT_COLOR)
        return SLOT_BACK;
    return back && slot == SLOT_SECONDARY ? SLOT_BACK_SECONDARY : slot;
}

static float word_value(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t value_word(double value)
{
    float f = (float)value;
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

/* A component as functions of window x and y: its value over w, or its value where one is all there is to know. */
struct component {
    bool constant, undefined;
    uint32_t word;
    double sum[3];
};

static struct component component_of(const struct shading *s, const struct shape *shape, const struct input *in,
                                     unsigned c)
{
    const struct vertices *v = &s->p->vertices;
    unsigned slot = slot_for(s, shape, in->slot);
    const uint32_t *words = v->words[slot], *undefined = v->undefined[slot];
    struct component r = { .constant = true, .word = words[(size_t)shape->provoking * 4 + c] };

    if (in->flat) {
        r.undefined = undefined && undefined[(size_t)shape->provoking * 4 + c];
        return r;
    }
    r.word = words[(size_t)shape->v[0] * 4 + c];
    for (unsigned i = 0; i < shape->n; i++) {
        size_t at = (size_t)shape->v[i] * 4 + c;
        double value = word_value(words[at]) * (in->linear ? shape->w[i] : 1);
        r.undefined |= undefined && undefined[at];
        r.constant &= words[at] == r.word;
        for (unsigned k = 0; k < 3; k++)
            r.sum[k] += shape->weight[i][k] * value;
    }
    return r;
}

static void over_w(const struct shape *shape, double sum[3])
{
    for (unsigned k = 0; k < 3; k++) {
        sum[k] = 0;
        for (unsigned i = 0; i < shape->n; i++)
            sum[k] += shape->weight[i][k];
    }
}

/* The texture coordinate across a point. */
static void sprite(const struct shape *shape, double x, double y, uint32_t words[4])
{
    words[0] = value_word(0.5 + (x - shape->x) / shape->size);
    words[1] = value_word(0.5 - (y - shape->y) / shape->size);
    words[2] = 0;
    words[3] = value_word(1);
}

static void put_special(const struct shading *s, const struct quad *quad, unsigned pixel, const struct input *in,
                        const double at[2], const double w[3], uint32_t words[4])
{
    const struct shape *shape = &s->shapes[quad->shape];
    double x = at[0], y = at[1], half = s->whole ? 0.5 : 0;

    words[0] = words[1] = words[2] = 0;
    words[3] = value_word(1);
    switch (in->special) {
    case INPUT_POSITION:
        words[0] = value_word(x - half);
        words[1] = value_word((s->upper_left ? s->p->window->height - y : y) - half);
        words[2] = value_word(value_at(shape->z, x, y));
        words[3] = value_word(value_at(w, x, y));
        break;
    case INPUT_FACING: words[0] = value_word(shape->back ? -1 : 1); break;
    case INPUT_POINTCOORD:
        if (shape->n == 1)
            sprite(shape, x, y, words);
        break;
    default:
        words[0] = in->special == INPUT_SAMPLE       ? (uint32_t)quad->sample
                   : in->special == INPUT_SAMPLEMASK ? quad->samples[pixel]
                                                     : shape->id;
        words[3] = 0;
        break;
    }
}

/* Where a pixel's input is taken: at its centre; with SAMPLE at the sample that the program runs for, with CENTROID at
 * the first one that is covered where not all of them are. */
static void place_of(const struct shading *s, const struct quad *quad, unsigned i, const struct input *in, double at[2])
{
    const struct pattern *p = &s->pattern;
    int sample = in->sample ? quad->sample : -1;

    if (in->centroid && quad->samples[i] && quad->samples[i] != (1u << p->count) - 1)
        sample = __builtin_ctz(quad->samples[i]);
    at[0] = quad->x + i % 2 + (sample < 0 ? 0.5 : p->x[sample] / 256.0);
    at[1] = quad->y + i / 2 + (sample < 0 ? 0.5 : p->y[sample] / 256.0);
}

bool shading_is_alike(const struct shading *s, const struct shape *shape)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        const struct input *in = &s->inputs[i];
        if (in->slot == SLOTS) {
            if (in->special != INPUT_FACING && in->special != INPUT_PRIMITIVE)
                return false;
            continue;
        }
        if (shape->sprite && in->slot >= SLOT_TEXCOORD && in->slot < SLOT_TEXCOORD + 8)
            return false;
        for (unsigned c = 0; c < 4; c++)
            if (!component_of(s, shape, in, c).constant)
                return false;
    }
    return true;
}

void shading_fill(const struct shading *s, struct input *in)
{
    struct component part[4] = { { 0 } };
    double w[3] = { 0, 0, 0 };
    uint32_t last = UINT32_MAX;

    for (size_t u = 0; u < s->nunits; u++) {
        const struct quad *quad = s->units[u].quad;
        const struct shape *shape = &s->shapes[quad->shape];
        if (quad->shape != last) {
            over_w(shape, w);
            for (unsigned c = 0; c < 4 && in->slot < SLOTS; c++)
                part[c] = component_of(s, shape, in, c);
            last = quad->shape;
        }
        bool point = shape->sprite && in->slot >= SLOT_TEXCOORD && in->slot < SLOT_TEXCOORD + 8;
        for (unsigned i = 0; i < 4; i++) {
            size_t at = element_of(s, u, i) * 4;
            double place[2];
            place_of(s, quad, i, in, place);
            if (in->slot == SLOTS) {
                put_special(s, quad, i, in, place, w, in->words + at);
                continue;
            }
            if (point) {
                sprite(shape, place[0], place[1], in->words + at);
                continue;
            }
            double below = in->linear ? 1 : value_at(w, place[0], place[1]);
            for (unsigned c = 0; c < 4; c++) {
                in->words[at + c] =
                    part[c].constant ? part[c].word : value_word(value_at(part[c].sum, place[0], place[1]) / below);
                if (in->undefined)
                    in->undefined[at + c] = part[c].undefined;
            }
        }
    }
}
