/* Ways to make a text smaller, tried in runs: half of them at once, a quarter, at last one by one. */
#include "compare/reduce/reduce.h"

#include "asm/arena.h"

#include <stdlib.h>
#include <string.h>

bool reduce_over(const struct reduction *r)
{
    return r->no_memory || r->ended || (r->most && r->tried >= r->most);
}

bool reduce_offer(struct reduction *r, const char *text, size_t size)
{
    if (reduce_over(r) || (size == r->size && !memcmp(text, r->text, size)))
        return false;
    if (r->go_on && !r->go_on(r->go_on_user, r)) {
        r->ended = true;
        return false;
    }
    r->tried++;
    if (!r->still(r->user, text, size))
        return false;
    char *copy = gp5_malloc(size + 1);
    if (!copy) {
        r->no_memory = true;
        return false;
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    gp5_free(r->text);
    r->text = copy;
    r->size = size;
    r->kept++;
    return true;
}

void edits_begin(struct edits *e, struct reduction *r, size_t at)
{
    *e = (struct edits){.r = r, .at = at};
}

void edits_cut(struct edits *e, size_t from, size_t to, const char *in, size_t nin)
{
    if (e->count == e->room) {
        size_t room = e->room ? e->room * 2 : 64;
        struct cut *more = gp5_realloc(e->cuts, room * sizeof *more);
        e->r->no_memory |= !more;
        if (!more)
            return;
        e->cuts = more;
        e->room = room;
    }
    if (e->nwords + nin > e->words_room) {
        size_t room = e->words_room * 2 + nin;
        char *more = gp5_realloc(e->words, room);
        e->r->no_memory |= !more;
        if (!more)
            return;
        e->words = more;
        e->words_room = room;
    }
    if (nin)
        memcpy(e->words + e->nwords, in, nin);
    e->cuts[e->count++] = (struct cut){e->at + from, e->at + to, e->nwords, nin, e->ways};
    e->nwords += nin;
}

void edits_close(struct edits *e)
{
    e->ways++;
}

static int by_place(const void *a, const void *b)
{
    const struct cut *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to != y->to ? (x->to > y->to ? -1 : 1) : x->way < y->way ? -1 : x->way > y->way;
}

/* The text with the chosen ways taken; what stands within something larger that goes is gone with it. */
static size_t build(const struct edits *e, const bool *chosen, const char *text, size_t size, char *out)
{
    size_t at = 0, n = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cut *c = &e->cuts[i];
        if (!chosen[c->way] || c->from < at || c->to < c->from || c->to > size)
            continue;
        memcpy(out + n, text + at, c->from - at);
        n += c->from - at;
        if (c->nin)
            memcpy(out + n, e->words + c->in, c->nin);
        n += c->nin;
        at = c->to;
    }
    memcpy(out + n, text + at, size - at);
    return n + size - at;
}

/* Ways first..last that are not taken yet, together. */
static bool try_run(struct edits *e, bool *taken, bool *chosen, size_t first, size_t run, const char *text, size_t size,
                    char *out)
{
    bool any = false;
    memcpy(chosen, taken, e->ways);
    for (size_t i = first; i < first + run && i < e->ways; i++) {
        any |= !taken[i];
        chosen[i] = true;
    }
    size_t n = any ? build(e, chosen, text, size, out) : 0;
    out[n] = 0;
    if (!any || !reduce_offer(e->r, out, n))
        return false;
    memcpy(taken, chosen, e->ways);
    return true;
}

bool edits_try(struct edits *e)
{
    struct reduction *r = e->r;
    size_t size = r->size, room = size + e->nwords + 1;
    char *text = e->ways ? gp5_malloc(size + 1) : NULL, *out = e->ways ? gp5_malloc(room) : NULL;
    bool *taken = e->ways ? gp5_malloc(2 * e->ways) : NULL, any = false;
    if (e->ways && (!text || !out || !taken))
        r->no_memory = true;
    if (e->ways && !r->no_memory) {
        memcpy(text, r->text, size);
        memset(taken, 0, 2 * e->ways);
        qsort(e->cuts, e->count, sizeof *e->cuts, by_place);
        for (size_t run = e->ways; run && !reduce_over(r); run = run == 1 ? 0 : (run + 1) / 2)
            for (size_t i = 0; i < e->ways; i += run)
                any |= try_run(e, taken, taken + e->ways, i, run, text, size, out);
    }
    gp5_free(text);
    gp5_free(out);
    gp5_free(taken);
    gp5_free(e->cuts);
    gp5_free(e->words);
    return any;
}
