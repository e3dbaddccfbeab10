/* Words that have to be the same in all of a work group, while its warps run one after the other: the nth time
 * that a warp comes to an instruction is held against the nth time of those before it. */
#include "eval/machine/group_uniform.h"

#include "gp5.h"

#include <string.h>

struct words {
    uint64_t *word;
    uint32_t count, capacity;
    uint32_t *times;            /* by warp: how often it was here */
};

struct agreements {
    uint32_t n;
    struct words of[];          /* by group call */
};

void eval_agreements_free(struct worker *worker)
{
    struct agreements *a = worker->agreements;

    for (uint32_t i = 0; a && i < a->n; i++) {
        gp5_free(a->of[i].word);
        gp5_free(a->of[i].times);
    }
    gp5_free(a);
    worker->agreements = NULL;
}

void eval_agreements_clear(struct worker *worker)
{
    struct agreements *a = worker->agreements;

    for (uint32_t i = 0; a && i < a->n; i++) {
        a->of[i].count = 0;
        if (a->of[i].times)
            memset(a->of[i].times, 0, worker->nwarps * sizeof(uint32_t));
    }
}

/* The words of a call, with room for one more; NULL without memory. */
static struct words *words_of(struct worker *worker, uint32_t call)
{
    struct agreements *a = worker->agreements;

    if (!a) {
        size_t size = sizeof *a + worker->run->x->ngroups * sizeof a->of[0];
        a = gp5_malloc(size);
        if (!a)
            return NULL;
        memset(a, 0, size);
        a->n = worker->run->x->ngroups;
        worker->agreements = a;
    }
    struct words *w = &a->of[call];
    if (!w->times) {
        w->times = gp5_malloc(worker->nwarps * sizeof(uint32_t));
        if (!w->times)
            return NULL;
        memset(w->times, 0, worker->nwarps * sizeof(uint32_t));
    }
    if (w->count == w->capacity) {
        uint32_t capacity = w->capacity ? w->capacity * 2 : 16;
        uint64_t *grown = capacity > w->capacity ? gp5_realloc(w->word, capacity * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        w->word = grown;
        w->capacity = capacity;
    }
    return w;
}

bool eval_agrees(struct warp *w, const struct step *s, uint64_t word)
{
    struct words *all = words_of(w->worker, s->ref);

    if (!all) {
        eval_fail(w, GP5_RUN_NO_MEMORY, s->insn, "out of memory for what a work group has to agree on");
        return true;
    }
    uint32_t time = all->times[w->index]++;
    if (time < all->count)
        return all->word[time] == word;
    all->word[all->count++] = word;
    return true;
}
