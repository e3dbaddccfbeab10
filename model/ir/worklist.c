/* Worklists as bits: what is far apart is found by the bits of the words. */
#include "model/ir/worklist.h"

#include "asm/arena.h"

#include <string.h>

static uint64_t *summary(const struct worklist *w, uint64_t *bits)
{
    return bits + w->words;
}

static void put(const struct worklist *w, uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= (uint64_t)1 << i % 64;
    summary(w, bits)[i / 4096] |= (uint64_t)1 << i / 64 % 64;
}

bool worklist_start(struct worklist *w, uint32_t count)
{
    size_t words = count / 64 + 1, all = words + words / 64 + 1;

    *w = (struct worklist){
        .now = gp5_malloc(2 * all * sizeof *w->now), .count = count, .words = (uint32_t)words, .at = count};
    if (!w->now)
        return false;
    w->next = w->now + all;
    memset(w->now, 0, 2 * all * sizeof *w->now);
    for (uint32_t i = 0; i < count; i++)
        put(w, w->now, i);
    return true;
}

void worklist_free(struct worklist *w)
{
    gp5_free(w->now < w->next ? w->now : w->next);
    w->now = w->next = NULL;
}

void worklist_add(struct worklist *w, uint32_t i)
{
    put(w, i < w->at ? w->now : w->next, i);
}

/* The highest bit of `n` words, or UINT32_MAX. */
static uint32_t highest(const uint64_t *word, uint32_t n)
{
    while (n--)
        if (word[n])
            return n * 64 + 63 - (uint32_t)__builtin_clzll(word[n]);
    return UINT32_MAX;
}

bool worklist_take(struct worklist *w, uint32_t *i)
{
    uint32_t sums = w->words / 64 + 1, word = highest(summary(w, w->now), sums);
    uint64_t *now = w->now;

    if (word == UINT32_MAX) {           /* the next round */
        w->now = w->next;
        w->next = now;
        now = w->now;
        word = highest(summary(w, now), sums);
        if (word == UINT32_MAX)
            return false;
    }
    *i = w->at = word * 64 + highest(now + word, 1);
    now[word] &= ~((uint64_t)1 << *i % 64);
    if (!now[word])
        summary(w, now)[word / 64] &= ~((uint64_t)1 << word % 64);
    return true;
}
