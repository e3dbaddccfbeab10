/* The table of origins: one record for each place where values become undefined. */
#include "eval/track/origin.h"

#include "eval/track/reason.h"

#include <pthread.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) gp5_malloc(size)
#define uthash_free(p, size) gp5_free(p)
#define uthash_nonfatal_oom(element) ((element)->lost = true)
#include <uthash.h>

struct entry {
    struct origin_record record;
    uint32_t id;                /* from 1 */
    bool used, lost;
    UT_hash_handle hh;
};

struct origin_table {
    const struct gp5_executable *x;
    const struct race_table *races;
    race_text_fn race_text;
    pthread_mutex_t lock;
    struct entry *head;
    struct entry **list;        /* by id - 1 */
    uint32_t count, capacity;
    atomic_ulong uses;
};

struct origin_table *eval_origins_new(const struct gp5_executable *x, const struct race_table *races,
                                      race_text_fn race_text)
{
    struct origin_table *t = gp5_malloc(sizeof *t);

    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->x = x;
    t->races = races;
    t->race_text = race_text;
    if (pthread_mutex_init(&t->lock, NULL)) {
        gp5_free(t);
        return NULL;
    }
    return t;
}

void eval_origins_free(struct origin_table *t)
{
    if (!t)
        return;
    HASH_CLEAR(hh, t->head);
    for (uint32_t i = 0; i < t->count; i++)
        gp5_free(t->list[i]);
    gp5_free(t->list);
    pthread_mutex_destroy(&t->lock);
    gp5_free(t);
}

static struct entry *add(struct origin_table *t, const struct origin_record *r)
{
    struct entry *e;

    if (t->count == t->capacity) {
        uint32_t capacity = t->capacity ? t->capacity * 2 : 64;
        struct entry **list = gp5_realloc(t->list, capacity * sizeof *list);
        if (!list)
            return NULL;
        t->list = list;
        t->capacity = capacity;
    }
    e = gp5_malloc(sizeof *e);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->record = *r;
    HASH_ADD(hh, t->head, record.key, sizeof e->record.key, e);
    if (e->lost) {
        gp5_free(e);
        return NULL;
    }
    t->list[t->count++] = e;
    e->id = t->count;
    return e;
}

/* The first place is that of the lowest group, whichever thread came first. Inside a group the order is
 * the program's. */
static void first_place(struct origin_record *have, const struct origin_record *now)
{
    if (now->group >= have->group)
        return;
    have->group = now->group;
    have->warp = now->warp;
    have->lane = now->lane;
    have->other = now->other;
}

uint32_t eval_origin(struct warp *w, uint32_t insn, enum origin_kind kind, uint32_t detail, uint32_t lanes,
                     uint32_t other)
{
    struct origin_table *t = w->worker->run->origins;
    struct origin_record r;
    struct entry *e;
    uint32_t id = 0;

    memset(&r, 0, sizeof r);
    r.key.insn = insn;
    r.key.kind = kind;
    r.key.detail = detail;
    r.group = w->worker->group;
    r.warp = w->index;
    r.lane = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
    r.other = other;
    pthread_mutex_lock(&t->lock);
    HASH_FIND(hh, t->head, &r.key, sizeof r.key, e);
    if (e)
        first_place(&e->record, &r);
    else
        e = add(t, &r);
    if (e)
        id = e->id;
    pthread_mutex_unlock(&t->lock);
    if (!id)
        eval_fail(w, GP5_RUN_NO_MEMORY, insn, "out of memory for the origins of undefined values");
    return id;
}

void eval_resolve_marks(struct warp *w, uint32_t insn, uint32_t *shadow, uint32_t lanes)
{
    for (uint32_t left = w->x->planes->sign(shadow); left;) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t mark = shadow[lane], same = 0, id;
        left &= left - 1;
        for (unsigned i = lane; i < WARP_LANES; i++)
            if (shadow[i] == mark)
                same |= 1u << i;
        if (!(same & lanes))    /* only lanes that do not take part: as before */
            continue;
        id = eval_origin(w, insn, ORIGIN_START, mark & ~ORIGIN_MARK, same & lanes, 0);
        for (uint32_t rest = same; rest; rest &= rest - 1)
            shadow[__builtin_ctz(rest)] = id;
        left &= ~same;
    }
}

static void mark_used(struct warp *w, uint32_t id)
{
    struct origin_table *t = w->worker->run->origins;

    atomic_fetch_add(&t->uses, 1);
    if (!id)
        return;
    pthread_mutex_lock(&t->lock);
    t->list[id - 1]->used = true;
    pthread_mutex_unlock(&t->lock);
}

static void reason(const struct origin_table *t, const struct origin_record *r, char *text, size_t size)
{
    if (r->key.kind == ORIGIN_RACE)
        t->race_text(t->races, r->key.detail, text, size);
    else
        eval_reason(t->x, r, text, size);
}

/* The reason of an id, for a message about `insn`; and where it became so, if that was elsewhere. */
static void explain(struct warp *w, uint32_t insn, uint32_t id, char *text, size_t size)
{
    struct origin_table *t = w->worker->run->origins;
    const struct gp5_program *p = t ? t->x->program : NULL;
    const struct origin_record *r;
    size_t length;

    text[0] = 0;
    if (!id)
        return;
    pthread_mutex_lock(&t->lock);
    r = &t->list[id - 1]->record;
    reason(t, r, text, size);
    length = strlen(text);
    if (r->key.insn != insn && r->key.insn < p->insns.count) {
        const struct insn *from = program_insn(p, r->key.insn);
        snprintf(text + length, size - length, " (%s at line %u)", op_table[from->op].name,
                 diag_locate(p->text, p->size, from->span.offset).line);
    }
    pthread_mutex_unlock(&t->lock);
}

void eval_reach(struct warp *w, uint32_t insn, uint32_t origin, unsigned lane, const char *what)
{
    char why[320];

    if (!w->worker->run->strict)
        return;
    mark_used(w, origin);
    explain(w, insn, origin, why, sizeof why);
    eval_fail(w, GP5_RUN_UNDEFINED, insn, "an undefined value reaches %s in group %u, warp %u, lane %u: %s",
              what, w->worker->group, w->index, lane, why);
}

void eval_use(struct warp *w, uint32_t insn, uint32_t *shadow, uint32_t lanes, const char *what)
{
    lanes &= w->x->planes->nonzero(shadow, NULL);
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (shadow[lane] & ORIGIN_MARK)
            eval_resolve_marks(w, insn, shadow, lanes);
        if (shadow[lane] & ORIGIN_MARK)
            return;     /* out of memory: the run has failed */
        mark_used(w, shadow[lane]);
        eval_reach(w, insn, shadow[lane], lane, what);
    }
}

void eval_note_use(struct warp *w, uint32_t insn, enum origin_kind kind, uint32_t lanes)
{
    uint32_t id = eval_origin(w, insn, kind, 0, lanes, 0);

    if (id)
        mark_used(w, id);
}

void eval_divergent_barrier(struct warp *w, uint32_t insn, uint32_t lanes)
{
    if (w->worker->run->origins)
        eval_note_use(w, insn, ORIGIN_BARRIER, lanes);
    if (w->worker->run->strict)
        eval_fail(w, GP5_RUN_UNDEFINED, insn,
                  "BAR does not reach every invocation of group %u: lanes 0x%08x of warp %u are here", w->worker->group,
                  lanes, w->index);
}

/* ---- the report ---------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct origin_key *x = &(*(struct entry *const *)a)->record.key,
                            *y = &(*(struct entry *const *)b)->record.key;

    if (x->insn != y->insn)
        return x->insn < y->insn ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->detail < y->detail ? -1 : x->detail > y->detail;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = gp5_malloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

static bool fill(const struct origin_table *t, const struct origin_record *r, struct gp5_origin *out)
{
    char text[240];

    reason(t, r, text, sizeof text);
    *out = (struct gp5_origin){.instruction = r->key.insn,
                               .group = r->group,
                               .warp = r->warp,
                               .lane = r->lane,
                               .component = eval_origin_component(t->x, r)};
    if (r->key.insn < t->x->program->insns.count)
        out->offset = program_insn(t->x->program, r->key.insn)->span.offset;
    out->reason = copy_text(text);
    return out->reason != NULL;
}

uint32_t *eval_shadow_words(struct shadow_run *s)
{
    uint32_t *words = atomic_load_explicit(&s->words, memory_order_acquire), *fresh;

    if (!words) {
        fresh = gp5_malloc(s->count * sizeof *fresh);
        if (!fresh) {
            atomic_store(&s->lost, true);
            return NULL;
        }
        memset(fresh, 0, s->count * sizeof *fresh);
        if (atomic_compare_exchange_strong(&s->words, &words, fresh))
            words = fresh;
        else
            gp5_free(fresh);    /* another thread came first */
    }
    atomic_store_explicit(&s->marked, true, memory_order_release);
    return words;
}

void eval_shadow_put(struct shadow_run *s, size_t first, const uint32_t *origin, uint32_t lanes,
                     const uint32_t *element)
{
    uint32_t any = atomic_load_explicit(&s->marked, memory_order_relaxed), *words;

    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        any |= origin[__builtin_ctz(rest)];
    words = any ? eval_shadow_words(s) : NULL;
    for (uint32_t rest = words ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        words[first + (size_t)element[lane] * 4] = origin[lane];
    }
}

/* The next word from j on that is not 0; most words are. */
static size_t next_undefined(const uint32_t *words, size_t count, size_t j)
{
    enum { BLOCK = 64 };

    while (j < count) {
        uint32_t any = 0;
        if (words[j])
            return j;
        for (size_t k = 0; j % BLOCK == 0 && count - j >= BLOCK && k < BLOCK; k++)
            any |= words[j + k];
        j += j % BLOCK == 0 && count - j >= BLOCK && !any ? BLOCK : 1;
    }
    return j;
}

#define EACH_UNDEFINED(s, words, j) \
    for (size_t j = (s)->marked ? next_undefined(words, (s)->count, 0) : (s)->count; j < (s)->count; \
         j = next_undefined(words, (s)->count, j + 1))

/* False when not all could be noted. */
static bool mark_words(struct origin_table *t, const struct shadow_run *s, struct gp5_report *report)
{
    const uint32_t *words = s->words;

    EACH_UNDEFINED(s, words, j)
    {
        report->undefined_words++;
        if (words[j] <= t->count)
            t->list[words[j] - 1]->used = true;
    }
    return !s->lost;
}

bool eval_origins_report(struct origin_table *t, struct shadow_run *shadows, size_t nshadows,
                         struct gp5_report *report)
{
    struct entry **sorted = gp5_malloc((t->count + 1) * sizeof *sorted);
    uint32_t *number = gp5_malloc((t->count + 1) * sizeof *number), n = 0;
    bool ok = sorted && number;

    for (size_t i = 0; ok && i < nshadows; i++)
        ok = mark_words(t, &shadows[i], report);
    for (uint32_t i = 0; ok && i < t->count; i++)
        if (t->list[i]->used)
            sorted[n++] = t->list[i];
    if (ok && n) {
        qsort(sorted, n, sizeof *sorted, by_place);
        report->origins = gp5_malloc(n * sizeof *report->origins);
        ok = report->origins != NULL;
    }
    if (ok)
        memset(number, 0, (t->count + 1) * sizeof *number);
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = fill(t, &sorted[i]->record, &report->origins[i]);
        report->norigins += ok;
        number[sorted[i]->id] = i + 1;
    }
    for (size_t i = 0; ok && i < nshadows; i++) {
        uint32_t *words = shadows[i].words;
        EACH_UNDEFINED(&shadows[i], words, j)
            if (words[j] <= t->count)
                words[j] = number[words[j]];
    }
    report->undefined_uses = atomic_load(&t->uses);
    gp5_free(sorted);
    gp5_free(number);
    return ok;
}
