#include "compare/world/map.h"

#include "compare/world/world.h"

#include <math.h>

size_t map_count(const struct buffer_map *m)
{
    return m->size / number_types[m->rule.type].bytes;
}

/* By the difference in parts of the larger one: the last bits, a hundredth, a half, more. */
static enum map_state how_far(enum number_type type, uint64_t a, uint64_t b)
{
    double x = number_value(type, a), y = number_value(type, b), most = fmax(fabs(x), fabs(y)), apart = fabs(x - y);

    if (number_is_nan(type, a) || number_is_nan(type, b) || isinf(most))
        return MAP_FAR;
    return apart <= 1e-6 * most ? MAP_LAST_BITS : apart <= 0.01 * most ? MAP_NEAR : apart <= 0.5 * most ? MAP_APART
                                                                                                        : MAP_FAR;
}

static bool is_probed(const struct buffer_map *m, const struct test_result *r, size_t offset)
{
    for (size_t i = 0; i < r->findings.count; i++) {
        const struct finding *f = vec_at((struct vec *)&r->findings, i);
        if (f->kind == FINDING_PROBE && f->output == m->output && f->binding == m->binding && f->offset <= offset &&
            offset < f->offset + number_types[f->type].bytes)
            return true;
    }
    return false;
}

enum map_state map_state(const struct buffer_map *m, const struct test_result *r, size_t number)
{
    enum number_type type = m->rule.type;
    size_t bytes = number_types[type].bytes, at = number * bytes;

    for (size_t word = at / 4; m->undefined && word <= (at + bytes - 1) / 4; word++)
        if (m->undefined[word])
            return MAP_UNDEFINED;
    if (is_probed(m, r, at))
        return MAP_PROBE;
    if (!m->data[REFERENCE] || !m->data[DRIVER] || m->no_rule)
        return MAP_SAME;
    uint64_t expected = number_load(type, m->data[REFERENCE] + at), got = number_load(type, m->data[DRIVER] + at);
    switch (rule_compare(&m->rule, expected, got)) {
    case RULE_SAME_BITS: return MAP_SAME;
    case RULE_AGREES: return MAP_BY_RULE;
    default: return how_far(type, expected, got);
    }
}

void map_texel(const struct buffer_map *m, size_t number, struct finding *at)
{
    texel_place(&m->texture, number * number_types[m->rule.type].bytes, at);
}

/* ---- keeping them ---------------------------------------------------------------------------------------------- */

static void keep(struct world *w, enum output_kind kind, struct slot *slot)
{
    struct test_result *r = w->result;
    size_t index = slot->is_set && slot->size ? vec_grow(&r->maps) : SIZE_MAX;
    if (index == SIZE_MAX)
        return;
    struct buffer_map *m = vec_at(&r->maps, index);
    *m = (struct buffer_map){ .output = kind, .binding = slot->binding, .rule = slot->rule, .no_rule = slot->no_rule,
                              .size = slot->size, .undefined = slot->undefined };
    slot->undefined = NULL;
    if (slot->has_layout && !slot->has_rule)
        m->rule.type = slot->layout.type;
    for (int side = 0; side < SIDES; side++)
        if (side == DRIVER ? r->driver_ran : r->reference_ran) {
            m->data[side] = slot->data[side];
            slot->data[side] = NULL;
        }
    if (slot->has_layout && number_types[slot->layout.type].bytes == number_types[m->rule.type].bytes) {
        m->columns = slot->layout.count;
        for (size_t i = 0; i < SCRIPT_COLUMNS; i++)
            m->names[i] = slot->layout.names[i];
    } else if (kind == OUTPUT_TEXTURE) {
        m->texture = slot->texture;
        m->columns = gp5_format_info(slot->texture.format)->bytes / number_types[slot->rule.type].bytes;
    }
}

void world_keep_maps(struct world *w)
{
    static const enum output_kind kinds[] = { OUTPUT_STORAGE, OUTPUT_COUNTER, OUTPUT_TEXTURE };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct vec *slots = world_slots(w, kinds[k]);
        for (size_t i = 0; i < slots->count; i++)
            keep(w, kinds[k], vec_at(slots, i));
    }
}
