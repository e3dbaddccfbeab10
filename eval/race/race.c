/* The last accesses to every word, and which of two were not ordered. */
#include "eval/race/race_table.h"

#include <string.h>

enum { PAGE_CELLS = 256 };

/* Two of a kind are kept, of different invocations, so that one of them is not the next one's. */
struct cell { struct race_access write, reads[2], atomics[2]; };

struct page { struct cell cells[PAGE_CELLS]; };

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
static uint64_t describe(const struct gp5_executable *x, const struct gp5_launch *launch, size_t i,
                         struct race_memory *m)
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
    *t = (struct race_table){.x = x,  .shift = smallest(x, launch), .nmemories = n, .nstorage = launch->nstorage,
                             .ncounters = launch->ncounters};
    vec_init(&t->races, sizeof(struct race));
    t->memories = gp5_malloc(n * sizeof *t->memories);
    if (t->memories)
        memset(t->memories, 0, n * sizeof *t->memories);
    ok = t->memories != NULL && diag_index_lines(&t->lines, x->program->text, x->program->size);
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
    gp5_free(t->slots);
    diag_free_lines(&t->lines);
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

/* One after the other: of one invocation, and the same way. */
static bool in_order(const struct race_access *a, const struct race_access *b)
{
    return a->group == b->group && a->warp == b->warp && a->lane == b->lane && a->path == b->path;
}

/* Whether nothing orders the earlier access before this one. What shared memory held for an earlier group is
 * another group's memory. */
static bool concurrent(const struct race_memory *m, const struct race_access *before, const struct race_access *now)
{
    if (before->kind == ACCESS_NONE || in_order(before, now))
        return false;
    if (before->path != now->path)
        return true;
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
    bool replace = two[0].kind == ACCESS_NONE || in_order(&two[0], now) ||
                   (two[0].group == now->group && two[0].interval != now->interval && two[0].path == now->path);

    two[!replace] = *now;
    if (replace && in_order(&two[1], now))
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

/* Races between two instructions, of one kind and in one memory, are one. */
static bool is_same(const struct race *a, const struct race *b)
{
    return a->first.insn == b->first.insn && a->second.insn == b->second.insn && a->memory == b->memory &&
           a->order == b->order && a->first.kind == b->first.kind && a->second.kind == b->second.kind;
}

/* Where a race stands among the slots, or would. */
static uint32_t *slot_of(const struct race_table *t, const struct race *race)
{
    uint64_t hash = (race->first.insn * 0x9e3779b97f4a7c15u) ^ ((race->second.insn + 1u) * 0xc2b2ae3d27d4eb4fu);
    size_t at = (size_t)(hash ^ hash >> 29) & (t->nslots - 1);

    while (t->slots[at] && !is_same(vec_at(&t->races, t->slots[at] - 1), race))
        at = (at + 1) & (t->nslots - 1);
    return &t->slots[at];
}

static bool more_slots(struct race_table *t)
{
    size_t n = t->nslots ? 2 * t->nslots : 64;
    uint32_t *slots = gp5_malloc(n * sizeof *slots);

    if (!slots)
        return false;
    memset(slots, 0, n * sizeof *slots);
    gp5_free(t->slots);
    t->slots = slots;
    t->nslots = n;
    for (size_t i = 0; i < t->races.count; i++)
        *slot_of(t, vec_at(&t->races, i)) = (uint32_t)i + 1;
    return true;
}

/* Notes a race; its number from 1, or NO_RACE without memory. */
static uint32_t note(struct race_table *t, const struct race_memory *m, const struct race_access *first,
                     const struct race_access *second, bool order, uint64_t address)
{
    struct race race = {
        .first = *first, .second = *second, .order = order, .memory = m, .address = address, .count = 1};
    uint32_t *slot;
    size_t at;

    t->total++;
    if (t->races.count >= t->nslots / 2 && !more_slots(t))
        return NO_RACE;
    slot = slot_of(t, &race);
    if (*slot) {
        ((struct race *)vec_at(&t->races, *slot - 1))->count++;
        return *slot;
    }
    at = vec_grow(&t->races);
    if (at == SIZE_MAX)
        return NO_RACE;
    *(struct race *)vec_at(&t->races, at) = race;
    return *slot = (uint32_t)at + 1;
}

/* A value's bytes, of which the first race counts. */
struct race_result eval_race_touch(struct race_table *t, struct race_memory *m, struct race_access *now,
                                   uint64_t address, uint32_t bytes, uint64_t value)
{
    uint64_t first = address >> t->shift, last = (address + bytes - 1) >> t->shift;
    struct race_result found = {.race = NO_RACE};

    for (uint64_t i = first; i <= last; i++) {
        struct cell *c = cell_at(m, i);
        const struct race_access *other;
        bool order;
        if (!c) {
            found.failed = true;
            return found;
        }
        now->value = (uint32_t)(t->shift ? value >> 32 * (i - first) : value >> 8 * (i - first) & 0xff);
        other = rival(t, m, c, now, &order);
        if (other) {
            uint32_t number = note(t, m, other, now, order, i << t->shift);
            found.failed |= number == NO_RACE;
            found.race = found.race ? found.race : number;
            found.in_memory |= now->kind != ACCESS_READ && (!order || !both_commute(t, other, now));
            found.in_result |= now->kind != ACCESS_WRITE && (!order || modifies(t, other));
        }
        remember(c, now);
    }
    return found;
}

