#include "eval/decode/temp_alloc.h"


#include <string.h>

/* Planes in a row; `next`: the next of those that are given back behind the same instruction. */
struct kept_planes {
    uint32_t first, n, next;
};

static void looks(struct keeping *k, uint32_t keeper, uint32_t reader)
{
    if (keeper != NO_INDEX && k->last[keeper] < reader)
        k->last[keeper] = reader;
}

/* A product that a sum takes in, and what a pair makes of its divisor. */
static void looks_at_product(struct decoder *d, uint32_t product, uint32_t sum)
{
    looks(&d->keeping, product, sum);
    if (product != NO_INDEX && d->model.pairs.first)
        looks(&d->keeping, d->model.pairs.first[product], sum);
}

static void look_at(struct decoder *d, uint32_t i)
{
    struct keeping *k = &d->keeping;

    for (unsigned s = 0; d->model.contraction.sums && s < SUM_SLOTS; s++) {
        const struct fused *f = &d->model.contraction.sums[i][s];
        if (f->product != NO_INDEX)
            looks_at_product(d, f->product, i);
    }
    if (d->model.pairs.first)
        looks(k, d->model.pairs.first[i], i);
    for (unsigned c = 0; d->model.pairs.clamped && c < 4; c++)
        looks(k, d->model.pairs.clamped[i][c] == NO_INDEX ? NO_INDEX : d->model.pairs.clamped[i][c] / 4, i);
}

bool eval_find_keepers(struct decoder *d, const uint8_t *labels)
{
    struct keeping *k = &d->keeping;
    size_t n = d->p->insns.count + 1;
    uint32_t breaks = 0;

    k->last = arena_alloc(&d->layout.arena, n * sizeof *k->last);
    k->section = arena_alloc(&d->layout.arena, n * sizeof *k->section);
    k->ending = arena_alloc(&d->layout.arena, n * sizeof *k->ending);
    vec_init(&k->kept, sizeof(struct kept_planes));
    for (unsigned i = 0; i < 2; i++)
        vec_init(&k->free[i], sizeof(uint32_t));
    if (d->layout.arena.failed)
        return eval_out_of_memory(d);
    memset(k->ending, 0xff, n * sizeof *k->ending);
    for (uint32_t i = 0; i < n; i++)
        k->last[i] = i;
    for (uint32_t i = 0; i + 1 < n; i++) {
        unsigned op = program_insn(d->p, i)->op;
        breaks += labels[i] || op_flows(op) || op == OP_BAR;
        k->section[i] = breaks;
        look_at(d, i);
    }
    return true;
}

void eval_keeping_free(struct keeping *k)
{
    vec_free(&k->kept);
    vec_free(&k->free[0]);
    vec_free(&k->free[1]);
}

/* Only where nothing but the instructions between runs between: no other way leads to the last reader, and none goes
 * round. */
uint32_t eval_kept_planes(struct decoder *d, unsigned n)
{
    struct keeping *k = &d->keeping;
    uint32_t last = k->last[d->insn];
    struct vec *free = &k->free[n - 1];
    struct kept_planes kept = {.n = n};

    kept.first = free->count ? *(uint32_t *)vec_at(free, --free->count) : eval_layout_planes(&d->layout, n);
    if (k->section[d->insn] == k->section[last] && !d->layout.full && !d->layout.failed) {
        kept.next = k->ending[last];
        k->ending[last] = eval_push(d, &k->kept, &kept);
    }
    return kept.first;
}

bool eval_give_back_planes(struct decoder *d)
{
    struct keeping *k = &d->keeping;

    for (uint32_t at = k->ending[d->insn]; at != NO_INDEX; at = ((struct kept_planes *)vec_at(&k->kept, at))->next) {
        const struct kept_planes *kept = vec_at(&k->kept, at);
        if (eval_push(d, &k->free[kept->n - 1], &kept->first) == NO_INDEX)
            return false;
    }
    return true;
}
