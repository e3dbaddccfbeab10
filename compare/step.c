/* One dispatch or draw on both sides: run, record, judge, and a compute dispatch as a whole. */
#include "compare/machine.h"

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

static void parameters(struct machine *m, struct driver_case *c)
{
    c->env = m->env.data;
    c->env_count = m->env.count;
    c->local = m->local.data;
    c->local_count = m->local.count;
}

static struct driver_buffer *buffers_of(struct machine *m, struct vec *slots, enum world world,
                                        bool bring_back)
{
    struct driver_buffer *buffers = gp5_malloc((slots->count + 1) * sizeof *buffers);
    if (!buffers) {
        machine_no_memory(m);
        return NULL;
    }
    for (size_t i = 0; i < slots->count; i++) {
        const struct slot *slot = vec_at(slots, i);
        buffers[i] = (struct driver_buffer){ slot->binding, slot->data[world], slot->size, bring_back };
    }
    return buffers;
}

/* A script may name a binding (compare storage 1 ...) that has no buffer yet: such slots are no buffers. */
static void drop_unset(struct driver_buffer *buffers, const struct vec *slots, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < slots->count; i++)
        if (((const struct slot *)vec_at(slots, i))->is_set)
            buffers[(*count)++] = buffers[i];
}

/* What was undefined is not the same on both sides; the driver goes on with the reference's words, so that
 * the next dispatch is comparable. */
static void write_back(struct machine *m, struct outcome outcomes[WORLDS])
{
    for (size_t i = 0; i < m->storage.count; i++) {
        struct slot *slot = vec_at(&m->storage, i);
        for (int w = 0; w < WORLDS; w++) {
            const struct output *o = outcome_find(&outcomes[w], OUTPUT_STORAGE, slot->binding);
            if (m->alive[w] && o && o->size == slot->size && slot->size) {
                if (o->data)
                    memcpy(slot->data[w], o->data, o->size);
                else if (m->alive[REFERENCE])   /* the digests agree, or this world would be dead by now */
                    memcpy(slot->data[w], slot->data[REFERENCE], slot->size);
                else
                    m->alive[w] = false;
            }
        }
        struct output *o = (struct output *)outcome_find(&outcomes[REFERENCE], OUTPUT_STORAGE, slot->binding);
        gp5_free(slot->undefined);
        slot->undefined = o ? o->undefined : NULL;
        if (o)
            o->undefined = NULL;
        for (size_t j = 0; slot->undefined && m->alive[REFERENCE] && j < slot->size / 4; j++)
            if (slot->undefined[j])
                memcpy(slot->data[DRIVER] + 4 * j, slot->data[REFERENCE] + 4 * j, 4);
    }
}

static void print_tables(struct machine *m, struct outcome outcomes[WORLDS])
{
    for (size_t i = 0; m->table && i < m->storage.count; i++) {
        struct slot *slot = vec_at(&m->storage, i);
        const struct output *o = outcome_find(&outcomes[REFERENCE], OUTPUT_STORAGE, slot->binding);
        bool changed =
            o && o->size == slot->size && slot->size && memcmp(slot->data[REFERENCE], o->data, o->size);
        if (changed && !slot->no_rule)
            table_storage(m->table, m, slot, m->alive[DRIVER], TABLE_ROWS);
    }
}

void machine_compute(struct machine *m)
{
    struct driver_case cases[WORLDS];
    struct outcome outcomes[WORLDS];
    struct driver_buffer *storage[WORLDS] = { NULL, NULL };
    struct driver_buffer *constants = buffers_of(m, &m->constants, REFERENCE, false);
    memset(cases, 0, sizeof cases);
    memcpy(m->groups, m->op->u.groups, sizeof m->groups);
    for (int w = 0; w < WORLDS; w++) {
        outcome_init(&outcomes[w]);
        storage[w] = buffers_of(m, &m->storage, (enum world)w, true);
        if (!storage[w] || !constants)
            continue;
        cases[w].stage = m->program->stage;
        bool lowered = w == DRIVER && m->reference.lowered;
        cases[w].program = lowered ? m->reference.lowered : m->program->text;
        cases[w].program_size = lowered ? m->reference.lowered_size : m->program->size;
        memcpy(cases[w].groups, m->groups, sizeof m->groups);
        cases[w].storage = storage[w];
        drop_unset(storage[w], &m->storage, &cases[w].storage_count);
        cases[w].constants = constants;
        cases[w].constant_count = m->constants.count;
        parameters(m, &cases[w]);
    }
    if (m->program->stage != DRIVER_COMPUTE) {
        m->result->status = TEST_ERROR;
        m->result->message = "'compute' needs a [compute program]";
    } else if (m->result->status != TEST_ERROR) {
        machine_step(m, cases, outcomes);
        /* The tables show new values, and need the old ones to know what changed. */
        struct outcome before[WORLDS] = { { .status = OUTCOME_RAN }, { .status = OUTCOME_RAN } };
        for (size_t i = 0; m->table && i < cases[REFERENCE].storage_count; i++)
            outcome_add(&before[REFERENCE], OUTPUT_STORAGE, storage[REFERENCE][i].binding,
                        storage[REFERENCE][i].data, storage[REFERENCE][i].size);
        write_back(m, outcomes);
        if (m->alive[REFERENCE])
            print_tables(m, before);
        outcome_free(&before[REFERENCE]);
    }
    for (int w = 0; w < WORLDS; w++) {
        outcome_free(&outcomes[w]);
        gp5_free(storage[w]);
    }
    gp5_free(constants);
}
