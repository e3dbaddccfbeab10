/* One dispatch or draw on both sides: run, record, judge, and a compute dispatch as a whole. */
#include "compare/machine.h"
#include "compare/watch.h"


#include <string.h>

enum { FULL_LIMIT = 65536, DEFAULT_BLOCK = 4096, TABLE_ROWS = 64 };

const char *machine_keep(struct machine *m, const char *text)
{
    const char *copy = text ? arena_copy(&m->result->arena, text, strlen(text)) : NULL;
    return copy ? copy : text ? "out of memory" : NULL;
}

/* "line 12: TEXT", with lines counted in the file that holds the program. */
static const char *program_message(struct machine *m, const struct outcome *o)
{
    char *text = reference_message(m->reference.program, m->program->line, o->position,
                                   o->message ? o->message : "no message");
    const char *kept = machine_keep(m, text ? text : "out of memory");
    gp5_free(text);
    return kept;
}

static void take_trouble(struct machine *m, const struct outcome *o, enum world world)
{
    struct test_result *r = m->result;
    const char *message = program_message(m, o);
    m->alive[world] = false;
    switch (o->status) {
    case OUTCOME_RAN:
        break;
    case OUTCOME_SKIPPED:
        if (world == DRIVER)
            r->driver_note = message;
        else if (r->status == TEST_PASSED) {
            r->status = TEST_SKIPPED;
            r->message = message;
        }
        if (world == DRIVER)
            m->driver_skipped = true;
        break;
    case OUTCOME_REFUSED:
    case OUTCOME_NO_MEMORY:
        r->status = TEST_ERROR;
        r->message = message;
        break;
    case OUTCOME_REJECTED:
    case OUTCOME_FAILED: {
        struct finding *f = machine_find(m, FINDING_RUN, world);
        if (f)
            f->message = message;
        break;
    }
    }
}

static size_t record_block(const struct machine *m, const struct outcome *o)
{
    size_t size = 0;
    if (m->record_chosen)
        return m->digest ? m->block : 0;
    for (size_t i = 0; i < o->count; i++)
        size += o->outputs[i].size;
    return size > FULL_LIMIT ? DEFAULT_BLOCK : 0;
}

static void record(struct machine *m, const struct driver_case *c, const struct outcome *o)
{
    char name[512];
    struct recorder *r = m->options->recorder;
    if (!r || (o->status != OUTCOME_RAN && o->status != OUTCOME_REJECTED))
        return;
    snprintf(name, sizeof name, "%s line %u", m->result->name, m->op->line);
    if (!recorder_add(r, name, c, o, record_block(m, o))) {
        m->result->status = TEST_ERROR;
        m->result->message = "the recording could not be written";
    }
}

void machine_step(struct machine *m, struct driver_case cases[WORLDS], struct outcome outcomes[WORLDS])
{
    struct test_result *r = m->result;
    if (m->alive[REFERENCE]) {
        if (m->options->watch)
            watch_run(m->options->watch, m->op->line);
        reference_run(&m->reference, &cases[REFERENCE], &outcomes[REFERENCE]);
        if (outcomes[REFERENCE].status == OUTCOME_RAN) {
            r->reference_ran = true;
            r->steps++;
            r->instructions += outcomes[REFERENCE].report.instructions;
            r->lanes += outcomes[REFERENCE].report.lanes;
            r->undefined_uses += outcomes[REFERENCE].report.undefined_uses;
            raster_cut(m, &outcomes[REFERENCE]);
            judge_reasons(m, &outcomes[REFERENCE]);
        } else {
            take_trouble(m, &outcomes[REFERENCE], REFERENCE);
        }
    }
    if (m->alive[DRIVER]) {
        source_run(m->options->source, &cases[DRIVER], &outcomes[DRIVER]);
        raster_cut(m, &outcomes[DRIVER]);
        record(m, &cases[DRIVER], &outcomes[DRIVER]);
        if (outcomes[DRIVER].status == OUTCOME_RAN)
            r->driver_ran = true;
        else
            take_trouble(m, &outcomes[DRIVER], DRIVER);
    }
    if (m->alive[REFERENCE] && m->alive[DRIVER])
        judge_outputs(m, &cases[REFERENCE], &outcomes[REFERENCE], &outcomes[DRIVER]);
}

/* ---- compute ------------------------------------------------------------------------------------------- */

/* What was undefined is not the same on both sides; the driver goes on with the reference's words, so that
 * the next dispatch is comparable. */
static void write_back_slot(struct machine *m, enum output_kind kind, struct slot *slot, struct outcome outcomes[WORLDS])
{
    for (int w = 0; w < WORLDS; w++) {
        const struct output *o = outcome_find(&outcomes[w], kind, slot->binding);
        if (!m->alive[w] || !o || o->size != slot->size || !slot->size)
            continue;
        if (o->data)
            memcpy(slot->data[w], o->data, o->size);
        else if (m->alive[REFERENCE])   /* the digests agree, or this world would be dead by now */
            memcpy(slot->data[w], slot->data[REFERENCE], slot->size);
        else
            m->alive[w] = false;
    }
    struct output *o = (struct output *)outcome_find(&outcomes[REFERENCE], kind, slot->binding);
    if (!o && kind == OUTPUT_TEXTURE)
        return;                 /* nothing could write it */
    gp5_free(slot->undefined);
    slot->undefined = o ? o->undefined : NULL;
    if (o)
        o->undefined = NULL;
    for (size_t j = 0; slot->undefined && m->alive[REFERENCE] && j < slot->size / 4; j++)
        if (slot->undefined[j])
            memcpy(slot->data[DRIVER] + 4 * j, slot->data[REFERENCE] + 4 * j, 4);
}

static void write_back(struct machine *m, struct outcome outcomes[WORLDS])
{
    static const enum output_kind kinds[] = { OUTPUT_STORAGE, OUTPUT_COUNTER, OUTPUT_TEXTURE };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct vec *slots = machine_slots(m, kinds[k]);
        for (size_t i = 0; i < slots->count; i++)
            write_back_slot(m, kinds[k], vec_at(slots, i), outcomes);
    }
}

/* What it was before, where the reference changed it. */
static const uint8_t *changed(const struct outcome *before, enum output_kind kind, const struct slot *slot)
{
    const struct output *o = outcome_find(before, kind, slot->binding);
    bool is = o && o->size == slot->size && slot->size && memcmp(slot->data[REFERENCE], o->data, o->size);
    return is && !slot->no_rule ? o->data : NULL;
}

static void print_tables(struct machine *m, const struct outcome *before)
{
    for (size_t i = 0; i < m->storage.count; i++)
        if (changed(before, OUTPUT_STORAGE, vec_at(&m->storage, i)))
            table_storage(m->table, m, "storage", vec_at(&m->storage, i), m->alive[DRIVER], TABLE_ROWS);
    for (size_t i = 0; i < m->counters.count; i++)
        if (changed(before, OUTPUT_COUNTER, vec_at(&m->counters, i)))
            table_storage(m->table, m, "counter", vec_at(&m->counters, i), m->alive[DRIVER], TABLE_ROWS);
    for (size_t i = 0; i < m->textures.count; i++) {
        const struct slot *slot = vec_at(&m->textures, i);
        const uint8_t *was = changed(before, OUTPUT_TEXTURE, slot);
        if (was)
            table_texture(m->table, slot, was, m->alive[DRIVER], TABLE_ROWS);
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

static void dispatch(struct machine *m, struct driver_case cases[WORLDS])
{
    struct outcome outcomes[WORLDS], before = { .status = OUTCOME_RAN };
    for (int w = 0; w < WORLDS; w++)
        outcome_init(&outcomes[w]);
    machine_step(m, cases, outcomes);
    if (m->table)
        keep_inputs(&cases[REFERENCE], &before);
    write_back(m, outcomes);
    if (m->table && m->alive[REFERENCE])
        print_tables(m, &before);
    outcome_free(&before);
    for (int w = 0; w < WORLDS; w++)
        outcome_free(&outcomes[w]);
}

void machine_compute(struct machine *m)
{
    struct driver_case cases[WORLDS];
    struct machine_case parts[WORLDS];
    const struct op_dispatch *d = &m->op->u.dispatch;
    if (m->program->stage != DRIVER_COMPUTE) {
        m->result->status = TEST_ERROR;
        m->result->message = "'compute' needs a [compute program]";
        return;
    }
    memcpy(m->groups, d->groups, sizeof m->groups);
    memcpy(m->group_size, d->group_size[0] ? d->group_size : m->reference.group_size, sizeof m->group_size);
    bool ok = machine_case(m, REFERENCE, &parts[REFERENCE], &cases[REFERENCE]);
    ok = machine_case(m, DRIVER, &parts[DRIVER], &cases[DRIVER]) && ok;
    if (!ok)
        machine_no_memory(m);
    else if (machine_check(m, &cases[REFERENCE]))
        dispatch(m, cases);
    for (int w = 0; w < WORLDS; w++)
        machine_case_free(&parts[w]);
}
