/* The last accesses to every word, and which of two were not ordered. */
#include "eval/races.h"

#include "eval/images.h"
#include "eval/origins.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_CELLS = 256, NO_RACE = 0 };
enum { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

/* An access, as a cell remembers it. */
struct race_access {
    uint8_t kind;
    uint8_t lane;
    uint16_t warp;
    uint32_t access;            /* index of the struct access */
    uint32_t insn, group;
    uint32_t interval;          /* barrier intervals, counted through all groups */
    uint32_t value;             /* stored, or the operand of an atomic operation */
};

/* Two of a kind are kept, of different invocations, so that one of them is not the next one's. */
struct cell { struct race_access write, reads[2], atomics[2]; };

struct page { struct cell cells[PAGE_CELLS]; };

struct race_memory {
    uint8_t space;
    uint32_t binding;
    uint64_t cells;
    struct page **pages;
};

/* Races between two instructions are one, counted. */
struct race {
    struct race_access first, second;
    bool order;                 /* of atomic operations */
    const struct race_memory *memory;
    uint64_t address, count;
};

struct race_table {
    const struct gp5_executable *x;
    unsigned shift;             /* of an address to its cell */
    uint32_t interval;
    struct race_memory *memories;
    size_t nmemories, nstorage, ncounters;
    struct vec races;
    uint64_t total;
};

/* ---- the table ----------------------------------------------------------------------------------------- */

static unsigned smallest(const struct gp5_executable *x, const struct gp5_launch *launch)
{
    for (uint32_t i = 0; i < x->naccesses; i++)
        if (type_table[x->accesses[i].type].bytes < 4 && !x->accesses[i].atomic)
            return 0;
    for (size_t i = 0; i < launch->nimages; i++)
        if (gp5_format_info(launch->images[i].format)->bytes < 4)
            return 0;
    return 2;
}

/* The memories stand in the order of the launch: storage, counters, textures; then shared memory. */
static uint64_t describe(const struct gp5_executable *x, const struct gp5_launch *launch, size_t i, struct race_memory *m)
{
    const struct gp5_buffer *b = NULL;

    if (i < launch->nstorage) {
        m->space = SPACE_STORAGE;
        b = &launch->storage[i];
    } else if (i - launch->nstorage < launch->ncounters) {
        m->space = SPACE_COUNTER;
        b = &launch->counters[i - launch->nstorage];
    } else if (i - launch->nstorage - launch->ncounters < launch->ntextures) {
        const struct gp5_texture *t = &launch->textures[i - launch->nstorage - launch->ncounters];
        m->space = SPACE_IMAGE;
        m->binding = t->unit;
        return t->bytes;
    }
    m->space = b ? m->space : SPACE_SHARED;
    m->binding = b ? b->binding : 0;
    return b ? b->size : x->shared_size;
}

static bool make_pages(struct race_memory *m, uint64_t bytes, unsigned shift)
{
    uint64_t pages;

    m->cells = (bytes + (1u << shift) - 1) >> shift;
    pages = m->cells / PAGE_CELLS + 1;
    if (pages > SIZE_MAX / sizeof *m->pages)
        return false;
    m->pages = gp5_malloc((size_t)pages * sizeof *m->pages);
    if (m->pages)
        memset(m->pages, 0, (size_t)pages * sizeof *m->pages);
    return m->pages != NULL;
}

struct race_table *eval_races_new(const struct gp5_executable *x, const struct gp5_launch *launch)
{
    struct race_table *t = gp5_malloc(sizeof *t);
    size_t n = launch->nstorage + launch->ncounters + launch->ntextures + 1;
    bool ok;

    if (!t)
        return NULL;
    *t = (struct race_table){.x = x, .shift = smallest(x, launch), .nmemories = n, .nstorage = launch->nstorage,
                             .ncounters = launch->ncounters};
    vec_init(&t->races, sizeof(struct race));
    t->memories = gp5_malloc(n * sizeof *t->memories);
    ok = t->memories != NULL;
    if (ok)
        memset(t->memories, 0, n * sizeof *t->memories);
    for (size_t i = 0; ok && i < n; i++) {
        struct race_memory *m = &t->memories[i];
        uint64_t bytes = describe(x, launch, i, m);
        ok = make_pages(m, bytes, t->shift);
    }
    if (ok)
        return t;
    eval_races_free(t);
    return NULL;
}

void eval_races_free(struct race_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; t->memories && i < t->nmemories; i++) {
        struct race_memory *m = &t->memories[i];
        for (uint64_t k = 0; m->pages && k <= m->cells / PAGE_CELLS; k++)
            gp5_free(m->pages[k]);
        gp5_free(m->pages);
    }
    gp5_free(t->memories);
    vec_free(&t->races);
    gp5_free(t);
}

struct race_memory *eval_races_storage(struct race_table *t, size_t index)
{
    return &t->memories[index];
}

struct race_memory *eval_races_counters(struct race_table *t, size_t index)
{
    return &t->memories[t->nstorage + index];
}

struct race_memory *eval_races_texture(struct race_table *t, size_t index)
{
    return &t->memories[t->nstorage + t->ncounters + index];
}

struct race_memory *eval_races_shared(struct race_table *t)
{
    return &t->memories[t->nmemories - 1];
}

void eval_races_advance(struct race_table *t)
{
    t->interval++;
}

static struct cell *cell_at(struct race_memory *m, uint64_t index)
{
    struct page **page = &m->pages[index / PAGE_CELLS];

    if (!*page) {
        *page = gp5_malloc(sizeof **page);
        if (!*page)
            return NULL;
        memset(*page, 0, sizeof **page);
    }
    return &(*page)->cells[index % PAGE_CELLS];
}

/* ---- what races ---------------------------------------------------------------------------------------- */

static bool same_invocation(const struct race_access *a, const struct race_access *b)
{
    return a->group == b->group && a->warp == b->warp && a->lane == b->lane;
}

/* Whether nothing orders the earlier access before this one. What shared memory held for an earlier group is
 * another group's memory. */
static bool concurrent(const struct race_memory *m, const struct race_access *before, const struct race_access *now)
{
    if (before->kind == ACCESS_NONE || same_invocation(before, now))
        return false;
    if (before->group != now->group)
        return m->space != SPACE_SHARED;
    return before->interval == now->interval;
}

static bool wants_result(const struct race_table *t, const struct race_access *a)
{
    return t->x->accesses[a->access].result_used;
}

static bool modifies(const struct race_table *t, const struct race_access *a)
{
    return t->x->accesses[a->access].atomic != MOD_GET;
}

/* Whether two atomic operations leave the same behind in either order. */
static bool commute(const struct access *a, const struct access *b, bool same_operand)
{
    if (a->atomic == MOD_GET || b->atomic == MOD_GET)
        return true;
    if ((a->atomic == MOD_INCR || a->atomic == MOD_DECR) && (b->atomic == MOD_INCR || b->atomic == MOD_DECR))
        return true;
    if (a->atomic != b->atomic || a->type != b->type)
        return false;
    switch (a->atomic) {
    case MOD_ADD: return !type_table[a->type].is_float;
    case MOD_MIN: case MOD_MAX: case MOD_AND: case MOD_OR: case MOD_XOR: return true;
    case MOD_EXCH: case MOD_IWRAP: case MOD_DWRAP: return same_operand;
    default: return false;
    }
}

static bool both_commute(const struct race_table *t, const struct race_access *a, const struct race_access *b)
{
    return commute(&t->x->accesses[a->access], &t->x->accesses[b->access], a->value == b->value);
}

static bool order_shows(const struct race_table *t, const struct race_access *a, const struct race_access *b)
{
    if ((wants_result(t, a) && modifies(t, b)) || (wants_result(t, b) && modifies(t, a)))
        return true;
    return !both_commute(t, a, b);
}

/* Keeps an access among two: one of another group if there is one, and the newest. */
static void keep(struct race_access two[2], const struct race_access *now)
{
    bool replace = two[0].kind == ACCESS_NONE || same_invocation(&two[0], now) ||
                   (two[0].group == now->group && two[0].interval != now->interval);

    two[!replace] = *now;
    if (replace && same_invocation(&two[1], now))
        two[1].kind = ACCESS_NONE;
}

/* The earlier access that this one races with, or NULL; `order`: both are atomic, and the order shows. */
static const struct race_access *rival(const struct race_table *t, const struct race_memory *m, const struct cell *c,
                                       const struct race_access *now, bool *order)
{
    *order = false;
    if (concurrent(m, &c->write, now) && !(now->kind == ACCESS_WRITE && c->write.value == now->value))
        return &c->write;
    for (unsigned i = 0; i < 2 && now->kind != ACCESS_READ; i++)
        if (concurrent(m, &c->reads[i], now))
            return &c->reads[i];
    for (unsigned i = 0; i < 2; i++) {
        if (!concurrent(m, &c->atomics[i], now))
            continue;
        *order = now->kind == ACCESS_ATOMIC;
        if (!*order || order_shows(t, &c->atomics[i], now))
            return &c->atomics[i];
    }
    return NULL;
}

static void remember(struct cell *c, const struct race_access *now)
{
    switch (now->kind) {
    case ACCESS_READ:
        keep(c->reads, now);
        break;
    case ACCESS_ATOMIC:
        keep(c->atomics, now);
        break;
    default:
        memset(c, 0, sizeof *c);
        c->write = *now;
    }
}

/* Notes a race; its number from 1, or NO_RACE without memory. */
static uint32_t note(struct race_table *t, const struct race_memory *m, const struct race_access *first,
                     const struct race_access *second, bool order, uint64_t address)
{
    size_t at;

    t->total++;
    for (size_t i = 0; i < t->races.count; i++) {
        struct race *r = vec_at(&t->races, i);
        if (r->first.insn == first->insn && r->second.insn == second->insn && r->memory == m && r->order == order &&
            r->first.kind == first->kind && r->second.kind == second->kind) {
            r->count++;
            return (uint32_t)i + 1;
        }
    }
    at = vec_grow(&t->races);
    if (at == SIZE_MAX)
        return NO_RACE;
    *(struct race *)vec_at(&t->races, at) =
        (struct race){.first = *first, .second = *second, .order = order, .memory = m, .address = address, .count = 1};
    return (uint32_t)at + 1;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

static void out_of_memory(struct warp *w, const struct step *s)
{
    eval_fail(w, GP5_RUN_NO_MEMORY, s->insn, "out of memory for the accesses of races");
}

/* What an access finds: a race, or NO_RACE; and what depends on it. */
struct race_result {
    uint32_t race;
    bool in_memory, in_result;
};

/* A value's bytes, of which the first race counts. */
static struct race_result touch(struct warp *w, const struct step *s, const struct memory *m, struct race_access *now,
                      uint64_t address, uint32_t bytes, uint64_t value)
{
    struct race_table *t = w->worker->run->races;
    uint64_t first = address >> t->shift, last = (address + bytes - 1) >> t->shift;
    struct race_result found = {NO_RACE, false, false};

    for (uint64_t i = first; i <= last; i++) {
        struct cell *c = cell_at(m->races, i);
        const struct race_access *other;
        bool order;
        if (!c) {
            out_of_memory(w, s);
            return found;
        }
        now->value = (uint32_t)(t->shift ? value >> 32 * (i - first) : value >> 8 * (i - first) & 0xff);
        other = rival(t, m->races, c, now, &order);
        if (other) {
            uint32_t number = note(t, m->races, other, now, order, i << t->shift);
            if (!number)
                out_of_memory(w, s);
            found.race = found.race ? found.race : number;
            found.in_memory |= now->kind != ACCESS_READ && (!order || !both_commute(t, other, now));
            found.in_result |= now->kind != ACCESS_WRITE && (!order || modifies(t, other));
        }
        remember(c, now);
    }
    return found;
}

static uint64_t register_value(const struct warp *w, const struct access *a, uint32_t plane, unsigned lane)
{
    uint64_t value = PLANE(w->base, plane)[lane];

    return a->wide ? value | (uint64_t)PLANE(w->base, plane + 1)[lane] << 32 : value;
}

/* The origin of a value that depends on a race. */
static uint32_t origin(struct warp *w, const struct step *s, uint32_t race, unsigned lane)
{
    return w->shadow && race ? eval_origin(w, s->insn, ORIGIN_RACE, race, 1u << lane, 0) : 0;
}

/* A texel whose value is loaded or stored: its bytes, a word at a time. */
static void one_texel(struct warp *w, const struct step *s, const struct access *a, struct race_access *now)
{
    struct memory m = eval_image_memory(w, a, now->lane);
    uint64_t address = eval_image_offset(w, a, now->lane);
    enum image_fault fault;
    const struct image_view *v = eval_image_view(w, a, now->lane, &fault);
    uint8_t texel[16] = {0};

    if (!m.races)
        return;
    if (s->kind == STEP_STORE)
        eval_image_texel(w, a, v, now->lane, texel);
    for (uint32_t at = 0; at < v->level.bytes; at += 4) {
        uint32_t bytes = v->level.bytes < 4 ? v->level.bytes : 4, value;
        struct race_result result;
        uint32_t id;
        memcpy(&value, texel + at, sizeof value);
        result = touch(w, s, &m, now, address + at, bytes, value);
        id = origin(w, s, result.race, now->lane);
        if (id && result.in_memory)
            eval_track_race(w, &m, address + at, bytes, id);
        for (unsigned c = 0; id && result.in_result && c < 4; c++)
            eval_track_race_result(w, a, now->lane, c, id);
    }
}

static void one_lane(struct warp *w, const struct step *s, const struct access *a, struct race_access *now)
{
    bool atomic = s->kind == STEP_ATOMIC;
    unsigned lane = now->lane, n = atomic ? 1 : a->width;   /* atomic pairs are one value */
    struct memory m = eval_memory(w, a, lane);
    uint32_t bytes = type_table[a->type].bytes * (atomic ? a->width : 1u);
    uint64_t address = eval_address(w, a, lane);

    if (!m.races)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = 0;
        struct race_result result;
        uint32_t id;
        if (!eval_in_bounds(&m, address, i * bytes, bytes))
            continue;
        if (s->kind == STEP_STORE)
            value = register_value(w, a, a->data[i], lane);
        else if (atomic)
            value = register_value(w, a, a->operand[i], lane);
        result = touch(w, s, &m, now, address + i * bytes, bytes, value);
        id = origin(w, s, result.race, lane);
        if (id && result.in_memory)
            eval_track_race(w, &m, address + i * bytes, bytes, id);
        if (id && result.in_result)
            eval_track_race_result(w, a, lane, i, id);
    }
}

void eval_race_step(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint8_t kind = s->kind == STEP_LOAD ? ACCESS_READ : s->kind == STEP_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;

    if (a->space == SPACE_CONSTANT || (a->space == SPACE_IMAGE && a->form == IMAGE_SIZE))
        return;
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        struct race_access now = {.kind = kind,
                                  .lane = (uint8_t)__builtin_ctz(lanes),
                                  .warp = (uint16_t)w->index,
                                  .access = s->ref,
                                  .insn = s->insn,
                                  .group = w->worker->group,
                                  .interval = w->worker->run->races->interval};
        if (a->space == SPACE_IMAGE && a->form == IMAGE_VALUE)
            one_texel(w, s, a, &now);
        else
            one_lane(w, s, a, &now);
    }
}

/* ---- the report ---------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {"", "read", "write", "atomic operation"};

static const char *op_name(const struct race_table *t, const struct race_access *a)
{
    return op_table[program_insn(t->x->program, a->insn)->op].name;
}

static unsigned line_of(const struct race_table *t, const struct race_access *a)
{
    const struct gp5_program *p = t->x->program;

    return diag_locate(p->text, p->size, program_insn(p, a->insn)->span.offset).line;
}

void eval_race_text(const struct race_table *t, uint32_t number, char *text, size_t size)
{
    const struct race *r = vec_at(&t->races, number - 1);

    snprintf(text, size, "%s: %s at line %u (group %u, warp %u, lane %u) and %s at line %u (group %u, warp %u, lane %u)",
             r->order ? "the order of atomic operations shows" : "data race", op_name(t, &r->first),
             line_of(t, &r->first), r->first.group, r->first.warp, r->first.lane, op_name(t, &r->second),
             line_of(t, &r->second), r->second.group, r->second.warp, r->second.lane);
}

static struct gp5_access public_access(const struct race_table *t, const struct race_access *a)
{
    return (struct gp5_access){.kind = kind_names[a->kind],
                               .instruction = a->insn,
                               .offset = program_insn(t->x->program, a->insn)->span.offset,
                               .group = a->group,
                               .warp = a->warp,
                               .lane = a->lane};
}

static const char *memory_name(const struct race_memory *m)
{
    return m->space == SPACE_SHARED ? "shared memory" : m->space == SPACE_COUNTER ? "counters"
           : m->space == SPACE_IMAGE ? "textures" : "storage";
}

bool eval_races_report(const struct race_table *t, struct gp5_report *report)
{
    report->races = t->total;
    if (!t->races.count)
        return true;
    report->race_list = gp5_malloc(t->races.count * sizeof *report->race_list);
    if (!report->race_list)
        return false;
    for (size_t i = 0; i < t->races.count; i++) {
        const struct race *r = vec_at(&t->races, i);
        report->race_list[report->nrace_list++] = (struct gp5_race){.order = r->order,
                                                                    .memory = memory_name(r->memory),
                                                                    .binding = r->memory->binding,
                                                                    .address = r->address,
                                                                    .first = public_access(t, &r->first),
                                                                    .second = public_access(t, &r->second),
                                                                    .count = r->count};
    }
    return true;
}
