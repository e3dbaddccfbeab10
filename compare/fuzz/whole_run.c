/* gp5's answer, a driver's answer, and what differs. */
#include "compare/fuzz/whole_run.h"

#include <stdlib.h>
#include <string.h>

static size_t words(size_t size)
{
    return (size + 3) / 4;
}

void whole_answer_free(struct whole_answer *a)
{
    for (unsigned i = 0; i < WHOLE_PLACES; i++) {
        free(a->data[i]);
        free(a->open[i]);
    }
    *a = (struct whole_answer){0};
}

bool whole_answer_new(const struct whole_case *c, struct whole_answer *a)
{
    *a = (struct whole_answer){.status = WHOLE_RAN};
    for (unsigned i = 0; i < WHOLE_PLACES; i++) {
        a->data[i] = aligned_alloc(16, (c->size[i] + 31) & ~(size_t)15);
        a->open[i] = calloc(words(c->size[i]) + 1, 1);
        if (!a->data[i] || !a->open[i])
            return false;
        memcpy(a->data[i], c->storage[i], c->size[i]);
    }
    return true;
}

/* ---- gp5 --------------------------------------------------------------------------------------------------------- */

static bool first_error(void *user, const struct gp5_diagnostic *d)
{
    struct whole_answer *a = user;
    if (d->severity == GP5_ERROR && !a->why[0])
        snprintf(a->why, sizeof a->why, "invalid: %u:%u: %s", d->line, d->column, d->message);
    return !a->why[0];
}

void whole_addresses(uint32_t word[4])
{
    word[0] = (uint32_t)WHOLE_INPUT_ADDRESS;
    word[1] = (uint32_t)(WHOLE_INPUT_ADDRESS >> 32);
    word[2] = (uint32_t)WHOLE_FAR_ADDRESS;
    word[3] = (uint32_t)(WHOLE_FAR_ADDRESS >> 32);
}

static bool execute(const struct whole_case *c, const gp5_executable *x, const struct gp5_run_options *options,
                    struct whole_answer *a)
{
    struct gp5_buffer storage[WHOLE_BUFFERS],
        constants[2] = {{.size = WHOLE_CONSTANTS}, {.binding = 1, .size = WHOLE_CONSTANTS}};
    struct gp5_parameter local[5];
    struct gp5_report report = {0};
    struct gp5_texture textures[WHOLE_TEXTURES];
    uint32_t *open[WHOLE_PLACES] = {NULL};
    bool ok = true;
    constants[0].data = constants[1].data = aligned_alloc(16, WHOLE_CONSTANTS + WHOLE_COUNTERS);
    for (unsigned i = 0; i < WHOLE_PLACES; i++) {
        open[i] = calloc(words(c->size[i]) + 1, sizeof **open);
        ok &= open[i] != NULL;
    }
    for (unsigned i = 0; i < WHOLE_BUFFERS; i++)
        storage[i] = (struct gp5_buffer){.binding = i, .data = a->data[i], .size = c->size[i], .undefined = open[i]};
    for (unsigned i = 0; i < c->textures; i++) {
        textures[i] = c->texture[i];
        textures[i].data = a->data[WHOLE_BUFFERS + i];
        textures[i].undefined = open[WHOLE_BUFFERS + i];
    }
    for (unsigned i = 0; i < 4; i++) {
        local[i].index = i;
        memcpy(local[i].word, c->local[i], sizeof local[i].word);
    }
    local[4].index = 4;
    whole_addresses(local[4].word);
    ok &= constants[0].data != NULL;
    if (ok) {
        struct gp5_launch launch = {.groups = {c->groups[0], c->groups[1], c->groups[2]},
                                    .storage = storage,
                                    .nstorage = whole_buffers(c),
                                    .cbuffers = constants,
                                    .ncbuffers = 2,
                                    .local = local,
                                    .nlocal = 5,
                                    .textures = textures,
                                    .ntextures = c->textures,
                                    .images = c->image,
                                    .nimages = c->textures ? WHOLE_IMAGES : 0};
        struct gp5_buffer counters = {.data = constants[0].data + WHOLE_CONSTANTS, .size = WHOLE_COUNTERS};
        const struct gp5_address_range addresses[] = {{WHOLE_INPUT_ADDRESS, WHOLE_INPUT},
                                                      {WHOLE_FAR_ADDRESS, WHOLE_FAR}};
        if (c->wider) {
            launch.addresses = addresses;
            launch.naddresses = 2;
            launch.counters = &counters;
            launch.ncounters = 1;
            launch.subroutines = c->subroutines;
            launch.nsubroutines = WHOLE_CHOSEN;
            memcpy(launch.group_size, c->group_size, sizeof launch.group_size);
            memcpy(counters.data, c->counters, WHOLE_COUNTERS);
        }
        memcpy(constants[0].data, c->constants, WHOLE_CONSTANTS);
        if (gp5_execute(x, &launch, options, &report) != GP5_RUN_OK) {
            a->status = WHOLE_FAILED;
            snprintf(a->why, sizeof a->why, "%s", report.message ? report.message : "failed");
        }
        a->uses = report.undefined_uses;
        a->races = report.races;
        for (unsigned i = 0; i < WHOLE_PLACES; i++)
            for (size_t w = 0; w < words(c->size[i]); w++)
                a->open[i][w] = open[i][w] != 0;
        gp5_report_free(&report);
    }
    free(constants[0].data);
    for (unsigned i = 0; i < WHOLE_PLACES; i++)
        free(open[i]);
    return ok;
}

/* Without tracking other code runs, and it must come to the same. */
static bool run_plain(const struct whole_case *c, const gp5_executable *x, const struct gp5_run_options *tracked,
                      struct whole_answer *a)
{
    struct gp5_run_options options = *tracked;
    struct whole_answer plain;
    bool ok;

    options.track_undefined = false;
    ok = whole_answer_new(c, &plain) && execute(c, x, &options, &plain);
    for (unsigned i = 0; ok && i < WHOLE_PLACES && a->status == WHOLE_RAN; i++)
        if (plain.status != WHOLE_RAN || memcmp(plain.data[i], a->data[i], c->size[i])) {
            a->status = WHOLE_FAILED;
            snprintf(a->why, sizeof a->why, "buffer %u differs when nothing is tracked", i);
        }
    whole_answer_free(&plain);
    return ok;
}

/* Runs it with the options; and without tracking, where that is asked for. */
static bool evaluate(const struct whole_case *c, const struct gp5_run_options *options, bool plain_too,
                     struct whole_answer *a)
{
    gp5_program *program = gp5_parse(c->program.bytes, c->program.size);
    char *message = NULL;
    size_t offset = 0;
    bool ok = whole_answer_new(c, a) && program;
    a->tells_open = true;
    enum gp5_target target = c->own ? GP5_TARGET_GP5 : GP5_TARGET_NVIDIA;
    if (ok && !gp5_valid(program, target)) {
        a->status = WHOLE_REFUSED;
        gp5_diagnostics(program, target, first_error, a);
    } else if (ok) {
        gp5_executable *x = gp5_prepare(program, options, &message, &offset);
        if (x) {
            ok = execute(c, x, options, a) && (!plain_too || run_plain(c, x, options, a));
        } else {
            a->status = WHOLE_REFUSED;
            snprintf(a->why, sizeof a->why, "%s", message ? message : "no memory");
        }
        gp5_executable_free(x);
    }
    gp5_text_free(message);
    gp5_program_free(program);
    return ok;
}

bool whole_evaluate_with(const struct whole_case *c, enum gp5_semantics semantics, const char *model,
                         struct whole_answer *a)
{
    struct gp5_run_options options = {.semantics = semantics, .model = model, .track_undefined = true, .jobs = 1};
    return evaluate(c, &options, true, a);
}

bool whole_evaluate(const struct whole_case *c, enum gp5_semantics semantics, struct whole_answer *a)
{
    return whole_evaluate_with(c, semantics, NULL, a);
}

bool whole_races(const struct whole_case *c, enum gp5_semantics semantics)
{
    struct gp5_run_options options = {.semantics = semantics, .track_races = true, .jobs = 1};
    struct whole_answer a;
    bool races = evaluate(c, &options, false, &a) && a.races;
    whole_answer_free(&a);
    return races;
}

/* ---- a driver ---------------------------------------------------------------------------------------------------- */

static bool take_result(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct whole_answer *a = user;
    (void)index;
    if (r->status != DRIVER_RAN) {
        a->status = r->status == DRIVER_REJECTED ? WHOLE_REFUSED : WHOLE_FAILED;
        snprintf(a->why, sizeof a->why, "%s: %s%s", driver_status_name(r->status), r->message, r->detail);
    }
    for (size_t i = 0; i < r->storage_count; i++)
        for (unsigned b = 0; b < WHOLE_BUFFERS; b++)
            if (r->storage[i].binding == b && r->storage[i].size == c->storage[b].size)
                memcpy(a->data[b], r->storage[i].data, r->storage[i].size);
    for (size_t i = 0; i < r->texture_count; i++)
        for (unsigned t = 0; t < c->texture_count; t++)
            if (r->textures[i].binding == t && r->textures[i].size == c->textures[t].texture.bytes)
                memcpy(a->data[WHOLE_BUFFERS + t], r->textures[i].data, r->textures[i].size);
    return true;
}

bool whole_driver_run(struct driver *driver, const struct whole_case *c, struct whole_answer *a)
{
    struct driver_buffer storage[WHOLE_BUFFERS],
        constants[2] = {{.data = c->constants, .size = WHOLE_CONSTANTS},
                        {.binding = 1, .data = c->constants, .size = WHOLE_CONSTANTS}};
    struct driver_parameter local[5] = {{0}};
    static const struct driver_pointer pointers[2] = {
        {.kind = POINTER_STORAGE, .of = WHOLE_INPUT, .place = POINTER_IN_LOCAL, .index = 4},
        {.kind = POINTER_STORAGE, .of = WHOLE_FAR, .place = POINTER_IN_LOCAL, .index = 4, .offset = 8}};
    struct driver_buffer counters = {.data = c->counters, .size = WHOLE_COUNTERS};
    struct driver_texture textures[WHOLE_TEXTURES];
    if (!whole_answer_new(c, a))
        return false;
    for (unsigned i = 0; i < WHOLE_BUFFERS; i++)
        storage[i] = (struct driver_buffer){
            .binding = i, .data = c->storage[i], .size = c->size[i], .bring_back = i != WHOLE_INPUT};
    for (unsigned i = 0; i < c->textures; i++) {
        textures[i] = (struct driver_texture){.texture = c->texture[i], .bring_back = i > 0};
        textures[i].texture.data = c->storage[WHOLE_BUFFERS + i];
    }
    for (unsigned i = 0; i < 4; i++) {
        local[i].index = i;
        memcpy(local[i].bits, c->local[i], sizeof local[i].bits);
    }
    local[4].index = 4;
    struct driver_case one = {.stage = DRIVER_COMPUTE,
                              .program = c->program.bytes,
                              .program_size = c->program.size,
                              .groups = {c->groups[0], c->groups[1], c->groups[2]},
                              .storage = storage,
                              .storage_count = whole_buffers(c),
                              .constants = constants,
                              .constant_count = 2,
                              .local = local,
                              .local_count = 4,
                              .textures = textures,
                              .texture_count = c->textures,
                              .images = c->image,
                              .image_count = c->textures ? WHOLE_IMAGES : 0};
    if (c->wider) {
        one.local_count = 5;
        one.pointers = pointers;
        one.pointer_count = 2;
        one.counters = &counters;
        one.counter_count = 1;
        one.subroutines = c->subroutines;
        one.subroutine_count = WHOLE_CHOSEN;
        memcpy(one.group_size, c->group_size, sizeof one.group_size);
    }
    return driver_run(driver, &one, 1, take_result, a);
}

/* ---- side by side ------------------------------------------------------------------------------------------------ */

/* What an output's word shows: compare/fuzz/whole.c writes them. */
static void name_word(unsigned buffer, size_t word, char *name, size_t size)
{
    size_t lane = word * 4 / 256, at = word * 4 % 256;
    if (buffer >= WHOLE_BUFFERS)
        snprintf(name, size, "word %zu of texture[%u]", word, buffer - WHOLE_BUFFERS);
    else if (buffer != WHOLE_OUTPUT)
        snprintf(name, size, "word %zu of program.storage[%u]", word, buffer);
    else if (at < 96)
        snprintf(name, size, "lane %zu, D%zu.%c, its %s word", lane, at / 32, "xyzw"[at / 8 % 4],
                 at & 4 ? "high" : "low");
    else if (at < 176)
        snprintf(name, size, "lane %zu, R%zu.%c", lane, (at - 96) / 16, "xyzw"[at / 4 % 4]);
    else
        snprintf(name, size, at < 240 ? "lane %zu, arr[%zu].%c" : "lane %zu, flags (%zu) of %c", lane, (at - 176) / 16,
                 "xyzw"[at / 4 % 4]);
}

/* The first differences, as many as there is room for. */
static enum whole_verdict compare_words(const struct whole_case *c, const struct whole_answer *a,
                                        const struct whole_answer *b, char why[WHOLE_WHY])
{
    char name[80];
    size_t length = 0;
    unsigned found = 0;
    for (unsigned i = 0; i < WHOLE_PLACES; i++)
        for (size_t w = 0; w < c->size[i] / 4 && found < WHOLE_TOLD; w++) {
            uint32_t x, y;
            memcpy(&x, a->data[i] + w * 4, 4);
            memcpy(&y, b->data[i] + w * 4, 4);
            bool told = b->tells_open && a->open[i][w] != b->open[i][w];
            if (!told && (x == y || a->open[i][w]))
                continue;
            name_word(i, w, name, sizeof name);
            length += found++ ? (size_t)snprintf(why + length, WHOLE_WHY - length, "; ") : 0;
            if (told)
                length +=
                    (size_t)snprintf(why + length, WHOLE_WHY - length, "%s: gp5 says %s, the other %s", name,
                                     a->open[i][w] ? "undefined" : "defined", b->open[i][w] ? "undefined" : "defined");
            else
                length +=
                    (size_t)snprintf(why + length, WHOLE_WHY - length, "%s: gp5 0x%08x, the other 0x%08x", name, x, y);
        }
    return found ? WHOLE_DIFFERENT : WHOLE_SAME;
}

enum whole_verdict whole_compare(const struct whole_case *c, const struct whole_answer *gp5,
                                 const struct whole_answer *other, char why[WHOLE_WHY])
{
    why[0] = 0;
    if (gp5->status != WHOLE_RAN && other->status != WHOLE_RAN) {
        snprintf(why, WHOLE_WHY, "%s", gp5->why);
        return WHOLE_NOT_EVALUATED;
    }
    if (gp5->status != WHOLE_RAN || other->status != WHOLE_RAN) {
        snprintf(why, WHOLE_WHY, "%s: %.180s", gp5->status != WHOLE_RAN ? "gp5" : "the other",
                 gp5->status != WHOLE_RAN ? gp5->why : other->why);
        return gp5->status == WHOLE_REFUSED || other->status == WHOLE_REFUSED ? WHOLE_NOT_EVALUATED : WHOLE_DIFFERENT;
    }
    if (other->tells_open && (gp5->uses != 0) != (other->uses != 0)) {
        snprintf(why, WHOLE_WHY, "an undefined value decided something: only %s says so",
                 gp5->uses ? "gp5" : "the other");
        return WHOLE_DIFFERENT;
    }
    if (gp5->uses)
        return WHOLE_DECIDED_BY_UNDEFINED;
    return compare_words(c, gp5, other, why);
}
