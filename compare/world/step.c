/* One dispatch or draw on both sides: run, record, judge, and a compute dispatch as a whole. */
#include "compare/world/world.h"
#include "compare/debug/watch.h"


#include <string.h>

enum { FULL_LIMIT = 65536, DEFAULT_BLOCK = 4096, TABLE_ROWS = 64 };

/* "line 12: TEXT", with lines counted in the file that holds the program. */
static const char *program_message(struct world *w, const struct outcome *o)
{
    char *text = reference_message(w->reference.program, w->program->line, o->position,
                                   o->message ? o->message : "no message");
    const char *kept = world_keep(w, text ? text : "out of memory");
    gp5_free(text);
    return kept;
}

/* "line 3, char 7: error: TEXT" of Mesa, and "line 3, column 7:  error: TEXT" of NVIDIA: the line in the file, and the
 * text alone. */
static const char *driver_message(struct world *w, const struct outcome *o)
{
    unsigned line, column;
    int length = 0;
    char text[600];
    if (!o->message || o->status != OUTCOME_REJECTED ||
        (sscanf(o->message, "line %u, char %u: error: %n", &line, &column, &length) < 2 &&
         sscanf(o->message, "line %u, column %u: error: %n", &line, &column, &length) < 2) || !length || !line)
        return program_message(w, o);
    snprintf(text, sizeof text, "%s:%u:%u: %.*s", w->program->file, (unsigned)w->program->line + line, column,
             (int)strcspn(o->message + length, "\r\n"), o->message + length);
    return world_keep(w, text);
}

static void take_trouble(struct world *w, const struct outcome *o, enum side side)
{
    struct test_result *r = w->result;
    const char *message = side == DRIVER ? driver_message(w, o) : program_message(w, o);
    w->alive[side] = false;
    switch (o->status) {
    case OUTCOME_RAN:
        break;
    case OUTCOME_SKIPPED:
        if (side == DRIVER)
            r->driver_note = message;
        else if (r->status == TEST_PASSED) {
            r->status = TEST_SKIPPED;
            r->message = message;
        }
        if (side == DRIVER)
            w->driver_skipped = true;
        break;
    case OUTCOME_REFUSED:
    case OUTCOME_NO_MEMORY:
        r->status = TEST_ERROR;
        r->message = message;
        break;
    case OUTCOME_REJECTED:
    case OUTCOME_FAILED: {
        struct finding *f = world_find(w, FINDING_RUN, side);
        if (f)
            f->message = message;
        break;
    }
    }
}

static size_t record_block(const struct world *w, const struct driver_case *c, const struct outcome *o,
                           const struct outcome *reference)
{
    size_t size = 0;
    if (c->raster.draw && !(w->alive[REFERENCE] && pictures_same(c, reference, o)))
        return 0;               /* these are compared pixel by pixel */
    if (w->record_chosen)
        return w->digest ? w->block : 0;
    for (size_t i = 0; i < o->count; i++)
        size += o->outputs[i].size;
    return size > FULL_LIMIT ? DEFAULT_BLOCK : 0;
}

static void record(struct world *w, const struct driver_case *c, const struct outcome *o,
                   const struct outcome *reference)
{
    char name[512];
    struct recorder *r = w->options->recorder;
    if (!r || (o->status != OUTCOME_RAN && o->status != OUTCOME_REJECTED))
        return;
    snprintf(name, sizeof name, "%s line %u", w->result->name, w->op->line);
    if (!recorder_add(r, name, c, o, record_block(w, c, o, reference))) {
        w->result->status = TEST_ERROR;
        w->result->message = "the recording could not be written";
    }
}

/* What the fragments of a draw had is asked for where the pictures differ; of a recording at once, which stands for
 * drivers elsewhere. */
static void run_driver(struct world *w, struct driver_case cases[SIDES], struct outcome outcomes[SIDES])
{
    const struct source *source = w->options->source;
    struct driver_case plain = cases[DRIVER];
    struct driver_draw draw;
    bool asks = plain.raster.draw && plain.raster.draw->seen_count;

    if (asks && source->kind == SOURCE_LIVE && !w->options->recorder && w->alive[REFERENCE]) {
        draw = *plain.raster.draw;
        draw.seen_count = 0;
        draw.seen_size = 0;
        plain.raster.draw = &draw;
        source_run(source, &plain, &outcomes[DRIVER]);
        window_uncover(&plain, &outcomes[DRIVER]);
        if (outcomes[DRIVER].status != OUTCOME_RAN || pictures_same(&plain, &outcomes[REFERENCE], &outcomes[DRIVER]))
            return;
        outcome_free(&outcomes[DRIVER]);
    }
    source_run(source, &cases[DRIVER], &outcomes[DRIVER]);
    if (!w->options->recorder)
        window_uncover(&cases[DRIVER], &outcomes[DRIVER]);
}

void step_run(struct world *w, struct driver_case cases[SIDES], struct outcome outcomes[SIDES])
{
    struct test_result *r = w->result;
    if (w->alive[REFERENCE]) {
        if (w->options->watch)
            watch_run(w->options->watch, w->op->line);
        if (cases[REFERENCE].raster.draw) {
            const struct reference *stages[DRIVER_STAGES];
            draw_stages(w, stages);
            reference_draw(stages, &cases[REFERENCE], &outcomes[REFERENCE]);
        } else {
            reference_run(&w->reference, &cases[REFERENCE], &outcomes[REFERENCE]);
        }
        if (outcomes[REFERENCE].cancelled) {
            world_interrupt(w);
            w->alive[REFERENCE] = w->alive[DRIVER] = false;
        } else if (outcomes[REFERENCE].status == OUTCOME_RAN) {
            r->reference_ran = true;
            r->steps++;
            r->instructions += outcomes[REFERENCE].report.instructions;
            r->lanes += outcomes[REFERENCE].report.lanes;
            r->undefined_uses += outcomes[REFERENCE].report.undefined_uses;
            window_cut(w, &outcomes[REFERENCE]);
            judge_reasons(w, &outcomes[REFERENCE]);
        } else {
            take_trouble(w, &outcomes[REFERENCE], REFERENCE);
        }
    }
    if (w->alive[DRIVER]) {
        run_driver(w, cases, outcomes);
        window_cut(w, &outcomes[DRIVER]);
        record(w, &cases[DRIVER], &outcomes[DRIVER], &outcomes[REFERENCE]);
        if (w->options->recorder)       /* which keeps what the driver gave, and not what it means */
            window_uncover(&cases[DRIVER], &outcomes[DRIVER]);
        if (outcomes[DRIVER].status == OUTCOME_RAN)
            r->driver_ran = true;
        else
            take_trouble(w, &outcomes[DRIVER], DRIVER);
    }
    if (w->alive[REFERENCE] && w->alive[DRIVER])
        judge_outputs(w, &cases[REFERENCE], &outcomes[REFERENCE], &outcomes[DRIVER]);
}

/* ---- compute ------------------------------------------------------------------------------------------- */

/* What was undefined is not the same on both sides; the driver goes on with the reference's words, so that
 * the next dispatch is comparable. */
static void write_back_slot(struct world *w, enum output_kind kind, struct slot *slot, struct outcome outcomes[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        const struct output *o = outcome_find(&outcomes[side], kind, slot->binding);
        if (!w->alive[side] || !o || o->size != slot->size || !slot->size)
            continue;
        if (o->data)
            memcpy(slot->data[side], o->data, o->size);
        else if (w->alive[REFERENCE])   /* the digests agree, or this side would be dead by now */
            memcpy(slot->data[side], slot->data[REFERENCE], slot->size);
        else
            w->alive[side] = false;
    }
    struct output *o = (struct output *)outcome_find(&outcomes[REFERENCE], kind, slot->binding);
    if (!o && kind == OUTPUT_TEXTURE)
        return;                 /* nothing could write it */
    gp5_free(slot->undefined);
    slot->undefined = o ? o->undefined : NULL;
    if (o)
        o->undefined = NULL;
    for (size_t j = 0; slot->undefined && w->alive[REFERENCE] && j < slot->size / 4; j++)
        if (slot->undefined[j])
            memcpy(slot->data[DRIVER] + 4 * j, slot->data[REFERENCE] + 4 * j, 4);
}

void step_write_back(struct world *w, struct outcome outcomes[SIDES])
{
    static const enum output_kind kinds[] = { OUTPUT_STORAGE, OUTPUT_COUNTER, OUTPUT_TEXTURE };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct vec *slots = world_slots(w, kinds[k]);
        for (size_t i = 0; i < slots->count; i++)
            write_back_slot(w, kinds[k], vec_at(slots, i), outcomes);
    }
}

/* What it was before, where the reference changed it. */
static const uint8_t *changed(const struct outcome *before, enum output_kind kind, const struct slot *slot)
{
    const struct output *o = outcome_find(before, kind, slot->binding);
    bool is = o && o->size == slot->size && slot->size && memcmp(slot->data[REFERENCE], o->data, o->size);
    return is && !slot->no_rule ? o->data : NULL;
}

static void print_tables(struct world *w, const struct outcome *before)
{
    for (size_t i = 0; i < w->storage.count; i++)
        if (changed(before, OUTPUT_STORAGE, vec_at(&w->storage, i)))
            table_storage(w->table, w, "storage", vec_at(&w->storage, i), w->alive[DRIVER], TABLE_ROWS);
    for (size_t i = 0; i < w->counters.count; i++)
        if (changed(before, OUTPUT_COUNTER, vec_at(&w->counters, i)))
            table_storage(w->table, w, "counter", vec_at(&w->counters, i), w->alive[DRIVER], TABLE_ROWS);
    for (size_t i = 0; i < w->textures.count; i++) {
        const struct slot *slot = vec_at(&w->textures, i);
        const uint8_t *was = changed(before, OUTPUT_TEXTURE, slot);
        if (was)
            table_texture(w->table, slot, was, w->alive[DRIVER], TABLE_ROWS);
    }
}

/* The tables show new values, and need the old ones to know what changed. */
static void keep_inputs(const struct driver_case *c, struct outcome *before)
{
    for (size_t i = 0; i < c->storage_count; i++)
        outcome_add(before, OUTPUT_STORAGE, c->storage[i].binding, c->storage[i].data, c->storage[i].size);
    for (size_t i = 0; i < c->counter_count; i++)
        outcome_add(before, OUTPUT_COUNTER, c->counters[i].binding, c->counters[i].data, c->counters[i].size);
    for (size_t i = 0; i < c->texture_count; i++)
        if (c->textures[i].bring_back)
            outcome_add(before, OUTPUT_TEXTURE, c->textures[i].texture.unit, c->textures[i].texture.data,
                        c->textures[i].texture.bytes);
}

static void dispatch(struct world *w, struct driver_case cases[SIDES])
{
    struct outcome outcomes[SIDES], before = { .status = OUTCOME_RAN };
    for (int side = 0; side < SIDES; side++)
        outcome_init(&outcomes[side]);
    step_run(w, cases, outcomes);
    if (w->table)
        keep_inputs(&cases[REFERENCE], &before);
    step_write_back(w, outcomes);
    if (w->table && w->alive[REFERENCE])
        print_tables(w, &before);
    outcome_free(&before);
    for (int side = 0; side < SIDES; side++)
        outcome_free(&outcomes[side]);
}

void step_compute(struct world *w)
{
    struct driver_case cases[SIDES];
    struct world_case parts[SIDES];
    const struct op_dispatch *d = &w->op->u.dispatch;
    if (w->program->stage != DRIVER_COMPUTE) {
        w->result->status = TEST_ERROR;
        w->result->message = "'compute' needs a [compute program]";
        return;
    }
    memcpy(w->groups, d->groups, sizeof w->groups);
    memcpy(w->group_size, d->group_size[0] ? d->group_size : w->reference.group_size, sizeof w->group_size);
    bool ok = world_case(w, REFERENCE, &parts[REFERENCE], &cases[REFERENCE]);
    ok = world_case(w, DRIVER, &parts[DRIVER], &cases[DRIVER]) && ok;
    if (!ok)
        world_no_memory(w);
    else if (world_check(w, &cases[REFERENCE]))
        dispatch(w, cases);
    for (int side = 0; side < SIDES; side++)
        world_case_free(&parts[side]);
}
