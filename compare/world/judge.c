/* The reference's outputs against the driver's. Undefined components are never compared, always
 * counted. */
#include "compare/world/world.h"

#include <string.h>

/* ---- components ---------------------------------------------------------------------------------------- */

/* Whether any 32-bit word under `bytes` bytes at `offset` is undefined. */
static bool is_undefined(const uint32_t *undefined, size_t offset, size_t bytes)
{
    if (!undefined)
        return false;
    for (size_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++)
        if (undefined[word])
            return true;
    return false;
}

struct comparison {
    struct world *w;
    const struct output *reference, *driver;
    const struct slot *slot;        /* of a buffer or a texture */
    const struct rule *rule;
    uint32_t width;                 /* of a colour buffer */
};

static void place(const struct comparison *c, size_t offset, struct finding *f)
{
    f->output = c->reference->kind;
    f->binding = c->reference->binding;
    f->offset = offset;
    f->type = c->rule->type;
    f->rule = *c->rule;
    if (c->slot) {
        world_place(c->w, c->slot, offset, f);
        return;
    }
    f->has_invocation = true;
    f->x = (uint32_t)(offset / 16 % c->width);
    f->y = (uint32_t)(offset / 16 / c->width);
    f->component = (uint32_t)(offset / 4 % 4);
}

static void compare_component(const struct comparison *c, size_t offset)
{
    struct test_result *r = c->w->result;
    unsigned bytes = number_types[c->rule->type].bytes;
    if (is_undefined(c->reference->undefined, offset, bytes)) {
        r->undefined++;
        return;
    }
    uint64_t expected = number_load(c->rule->type, c->reference->data + offset);
    uint64_t got = number_load(c->rule->type, c->driver->data + offset);
    switch (rule_compare(c->rule, expected, got)) {
    case RULE_SAME_BITS: r->exact++; return;
    case RULE_AGREES: r->by_rule++; return;
    case RULE_DIFFERS: break;
    }
    r->different++;
    struct finding *f = world_find(c->w, FINDING_DIFFERS, DRIVER);
    if (!f)
        return;
    place(c, offset, f);
    f->expected = expected;
    f->got = got;
}

/* The odd bytes at the end of a buffer that is no multiple of its type, one by one. */
static void compare_tail(struct comparison *c, size_t offset)
{
    static const struct rule bytes = { .type = NUMBER_U8 };
    c->rule = &bytes;
    for (; offset < c->reference->size; offset++)
        compare_component(c, offset);
}

/* ---- digests ------------------------------------------------------------------------------------------- */

static void compare_digests(struct comparison *c)
{
    const struct output *a = c->reference, *b = c->driver;
    struct test_result *r = c->w->result;
    uint8_t digest[SHA256_BYTES];
    for (size_t at = 0, i = 0; at < a->size; at += b->block, i++) {
        size_t size = a->size - at < b->block ? a->size - at : b->block;
        if (is_undefined(a->undefined, at, size)) {
            r->blocks_undefined++;
            continue;
        }
        sha256_of(a->data + at, size, digest);
        if (!memcmp(digest, b->digests + i * SHA256_BYTES, sizeof digest)) {
            r->blocks++;
            r->exact += size / number_types[c->rule->type].bytes;
            continue;
        }
        struct finding *f = world_find(c->w, FINDING_DIGEST, DRIVER);
        c->w->alive[DRIVER] = false;            /* its results are unknown from here on */
        if (!f)
            continue;
        place(c, at, f);
        f->size = size;
    }
}

/* ---- outputs ------------------------------------------------------------------------------------------- */

/* An input that both sides left alone says nothing about the program. */
static bool is_unchanged(const struct driver_case *c, const struct output *reference,
                         const struct output *driver)
{
    const void *input = case_input(c, reference->kind, reference->binding, reference->size);
    return driver->data && input && reference->size && !is_undefined(reference->undefined, 0, reference->size) &&
           !memcmp(input, reference->data, reference->size) && !memcmp(input, driver->data, reference->size);
}

/* Storage, counters and textures. */
static void compare_storage(struct world *w, const struct driver_case *dc, const struct output *reference,
                            const struct output *driver)
{
    const struct slot *slot = world_slot(world_slots(w, reference->kind), reference->binding);
    struct comparison c = {
        .w = w, .reference = reference, .driver = driver, .slot = slot, .rule = &slot->rule
    };
    size_t bytes = number_types[slot->rule.type].bytes, at = 0;
    if (slot->no_rule) {
        w->result->not_compared += reference->size;
        w->result->not_compared_reason = slot->no_rule;
    } else if (!slot->has_layout && !slot->has_rule && is_unchanged(dc, reference, driver)) {
        w->result->unchanged += reference->size;
    } else if (!driver->data) {
        compare_digests(&c);
    } else {
        for (; at + bytes <= reference->size; at += bytes)
            compare_component(&c, at);
        compare_tail(&c, at);
    }
}

static void compare_color(struct world *w, const struct driver_case *dc, const struct output *reference,
                          const struct output *driver, const uint8_t *covered[SIDES])
{
    struct comparison c = { .w = w, .reference = reference, .driver = driver, .rule = &w->color_rule,
                            .width = dc->raster.width };
    if (w->no_color_rule) {
        w->result->not_compared += reference->size;
        w->result->not_compared_reason = w->no_color_rule;
        return;
    }
    if (!driver->data) {
        compare_digests(&c);
        return;
    }
    static const uint32_t defined[4];
    for (size_t pixel = 0; pixel < reference->size / 16; pixel++) {
        if (!covered[REFERENCE][pixel] || !covered[DRIVER][pixel])
            continue;
        if (!memcmp(reference->data + pixel * 16, driver->data + pixel * 16, 16) &&
            (!reference->undefined || !memcmp(reference->undefined + pixel * 4, defined, 16))) {
            w->result->exact += 4;
            continue;
        }
        for (size_t i = 0; i < 4; i++)
            compare_component(&c, pixel * 16 + i * 4);
    }
}

/* A recording of a draw has digests where both sides were the same bits. */
static void compare_picture_digests(struct world *w, const struct driver_case *dc, const struct output *reference,
                                    const struct output *driver)
{
    static const struct rule bytes = { .type = NUMBER_U8 };
    struct comparison c = { .w = w, .reference = reference, .driver = driver, .width = dc->raster.width,
                            .rule = reference->kind == OUTPUT_COLOR ? &w->color_rule : &bytes };
    uint64_t exact = w->result->exact;

    compare_digests(&c);
    if (reference->kind != OUTPUT_COLOR)
        w->result->exact = exact;       /* which pixels are drawn is no component of a result */
}

static bool compare_coverage(struct world *w, const struct driver_case *c, const struct output *reference,
                             const struct output *driver)
{
    for (size_t i = 0; driver->data && i < reference->size; i++) {
        if (!reference->data[i] == !driver->data[i])
            continue;
        struct finding *f = world_find(w, FINDING_COVERAGE, DRIVER);
        if (!f)
            continue;
        f->output = OUTPUT_COVERAGE;
        f->has_invocation = true;
        f->x = (uint32_t)(i % c->raster.width);
        f->y = (uint32_t)(i / c->raster.width);
        f->expected = reference->data[i];
        f->got = driver->data[i];
    }
    return true;
}

static void wrong_shape(struct world *w, const struct output *reference)
{
    struct finding *f = world_find(w, FINDING_RUN, DRIVER);
    if (!f)
        return;
    f->output = reference->kind;
    f->binding = reference->binding;
    f->message = "no result, or one of another size, for an output that the reference has";
}

void judge_outputs(struct world *w, const struct driver_case *c, const struct outcome *reference,
                   const struct outcome *driver)
{
    const uint8_t *covered[SIDES] = { NULL, NULL };
    if (c->raster.draw)
        judge_draw(w, c, reference, driver);
    const struct output *a = outcome_find(reference, OUTPUT_COVERAGE, 0),
                        *b = outcome_find(driver, OUTPUT_COVERAGE, 0);
    if (!c->raster.draw && a && b && a->size == b->size && b->data) {
        compare_coverage(w, c, a, b);
        covered[REFERENCE] = a->data;
        covered[DRIVER] = b->data;
    }
    for (size_t i = 0; i < reference->count; i++) {
        const struct output *o = &reference->outputs[i], *other = outcome_find(driver, o->kind, o->binding);
        if (c->raster.draw && !world_slots(w, o->kind)) {
            if (other && other->size == o->size && !other->data)
                compare_picture_digests(w, c, o, other);
            continue;           /* other pictures are judged */
        }
        if (!other || other->size != o->size)
            wrong_shape(w, o);
        else if (world_slots(w, o->kind))
            compare_storage(w, c, o, other);
        else if (o->kind == OUTPUT_COLOR && (covered[DRIVER] || !other->data))
            compare_color(w, c, o, other, covered);
    }
}

/* ---- reasons ------------------------------------------------------------------------------------------- */

static void count_reason(struct world *w, const struct output *o, size_t word, const struct gp5_origin *origin)
{
    struct test_result *r = w->result;
    for (size_t i = 0; i < r->reasons.count; i++) {
        struct undefined_reason *old = vec_at(&r->reasons, i);
        if (old->offset == origin->offset) {
            old->words++;
            return;
        }
    }
    size_t index = vec_grow(&r->reasons);
    if (index == SIZE_MAX)
        return;
    struct undefined_reason *reason = vec_at(&r->reasons, index);
    char text[400];
    unsigned column;
    gp5_locate(w->reference.program, origin->offset, &reason->line, &column);
    reason->line += (unsigned)w->program->line;
    const char *why = origin->reason ? origin->reason : "undefined";
    char component = "xyzw"[origin->component & 3];
    size_t pixel = word / 4, width = o->kind == OUTPUT_COLOR ? (size_t)w->draw->width : 0;
    if (width)
        snprintf(text, sizeof text, "%.300s (first of pixel %zu,%zu, .%c)", why, pixel % width,
                 pixel / width % (size_t)w->draw->height, component);
    else
        snprintf(text, sizeof text, "%.300s (first in group %u, warp %u, lane %u, .%c)", why, origin->group,
                 origin->warp, origin->lane, component);
    reason->offset = origin->offset;
    reason->reason = world_keep(w, text);
    reason->words = 1;
}

/* Nearly all of them are zero. */
static size_t next_undefined(const uint32_t *words, size_t at, size_t count)
{
    enum { AT_ONCE = 64 };
    for (; at + AT_ONCE <= count; at += AT_ONCE) {
        uint32_t any = 0;
        for (size_t i = 0; i < AT_ONCE; i++)
            any |= words[at + i];
        if (any)
            break;
    }
    while (at < count && !words[at])
        at++;
    return at;
}

void judge_reasons(struct world *w, const struct outcome *reference)
{
    for (size_t i = 0; i < reference->count; i++) {
        const struct output *o = &reference->outputs[i];
        for (size_t word = 0; o->undefined && word < o->size / 4; word++) {
            word = next_undefined(o->undefined, word, o->size / 4);
            if (word == o->size / 4)
                break;
            uint32_t id = o->undefined[word];
            if (!id)
                continue;
            w->result->undefined_words++;
            if (id <= reference->report.norigins)
                count_reason(w, o, word, &reference->report.origins[id - 1]);
        }
    }
}
