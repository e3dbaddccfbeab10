/* What is wanted where: a block is looked at again when more is wanted where it goes on, until nothing changes. */
#include "model/state.h"
#include "model/analysis/liveness_solve.h"

#include "model/analysis/liveness_delta.h"
#include "model/ir/bsearch.h"
#include "model/ir/worklist.h"

#include <string.h>

/* Lists of blocks by number: `first` of each in `block`, and of the end. */
struct lists {
    uint32_t *first, *block;
};

struct solver {
    struct liveness *l;
    struct lists before;        /* of each block: those that go on there */
    struct lists returning;     /* of each part: those that return */
    uint32_t at;                /* the block whose ways are told */
    bool fill;                  /* the lists are filled, not counted */
    struct worklist work;
    struct live_more more;
    uint8_t *looks;             /* of each block: how often it was looked at; from LOOKS on what was wanted behind it
                                 * is kept */
    struct shared_bits *out;    /* that */
};

enum { LOOKS = 2 };

/* ---- where blocks come from ---------------------------------------------------------------------------------------
 */

static void list_one(const struct solver *s, struct lists *to, uint32_t of)
{
    if (s->fill)
        to->block[to->first[of + 1]] = s->at;
    to->first[of + 1]++;        /* moves on while they are filled: each list ends where the next one begins */
}

static void list_block(void *user, uint32_t block)
{
    struct solver *s = user;

    list_one(s, &s->before, block);
}

static void list_callers(void *user, uint32_t from)
{
    struct solver *s = user;

    list_one(s, &s->returning, s->l->region[from]);
}

static void list_all(struct solver *s)
{
    for (s->at = 0; s->at < s->l->nblocks; s->at++)
        cfg_successors(s->l, s->at, &(struct successors){list_block, list_callers, s});
}

static bool make_room(struct lists *to, uint32_t n)
{
    to->block = gp5_malloc((model_lengths_to_places(to->first, n) + (size_t)1) * sizeof *to->block);
    return to->block;
}

static bool find_lists(struct solver *s)
{
    uint32_t nblocks = s->l->nblocks, nregions = s->l->nregions;

    s->before.first = gp5_malloc((nblocks + (size_t)2) * sizeof *s->before.first);
    s->returning.first = gp5_malloc((nregions + (size_t)2) * sizeof *s->returning.first);
    if (!s->before.first || !s->returning.first)
        return false;
    memset(s->before.first, 0, (nblocks + (size_t)2) * sizeof *s->before.first);
    memset(s->returning.first, 0, (nregions + (size_t)2) * sizeof *s->returning.first);
    list_all(s);
    if (!make_room(&s->before, nblocks) || !make_room(&s->returning, nregions))
        return false;
    s->fill = true;
    list_all(s);
    return true;
}

static void look_again(struct solver *s, const struct lists *at, uint32_t of)
{
    for (uint32_t k = at->first[of]; k < at->first[of + 1]; k++)
        worklist_add(&s->work, at->block[k]);
}

/* ---- from block to block --------------------------------------------------------------------------------------------
 */

/* `into` gets what `set` has; whether that is more than it had. */
static bool grows(struct liveness *l, struct shared_bits *into, const struct shared_bits *set)
{
    struct shared_bits old = shared_bits_copy(into);
    bool more;

    shared_bits_join(into, set);
    l->failed |= into->failed;
    more = !shared_bits_equal(&old, into);
    shared_bits_free(&old);
    return more;
}

/* What is wanted behind the calls of a part. */
static void call_wants(struct solver *s, uint32_t region, const struct shared_bits *set)
{
    if (grows(s->l, &s->l->callers[region], set))
        look_again(s, &s->returning, region);
}

/* What is wanted behind a call is wanted where a part that it may call returns. */
static void wanted_behind(struct solver *s, uint32_t call, const struct shared_bits *set)
{
    struct liveness *l = s->l;
    const struct insn *insn = program_insn(l->p, call);

    grows(l, &l->returned, set);
    for (uint32_t k = 0; insn->op == OP_CALI && k < l->p->symbols.count; k++) {
        const struct symbol *label = program_symbol(l->p, k);
        if (symbol_is_numbered(label) && label->instruction < l->p->insns.count)
            call_wants(s, l->region[label->instruction], set);
    }
    if (insn->op == OP_CAL && insn->dst.partner < l->p->insns.count)
        call_wants(s, l->region[insn->dst.partner], set);
}

/* A call that its own part ends with: what is wanted behind that part's calls is wanted behind this one. */
static void wanted_outside(struct solver *s, uint32_t block)
{
    const struct liveness *l = s->l;
    uint32_t last = l->start[block + 1] - 1;
    bool ends = last + 1 >= l->p->insns.count || l->label[last + 1];

    if (ends && op_calls(program_insn(l->p, last)->op) && (last < l->entry || last >= l->main_end))
        wanted_behind(s, last, &l->callers[l->region[last]]);
}

/* From the end of a block to where it begins. */
static void go_through(struct solver *s, uint32_t block, struct shared_bits *set)
{
    struct liveness *l = s->l;
    struct wanted w = {.set = set};

    for (uint32_t i = l->start[block + 1]; i-- > l->start[block];) {
        w.here = 0;
        l->useful[i] = model_live_before(l, i, &w);
        l->flags[i] = w.flags;
        s->more.here[i] |= w.here;
    }
}

/* The same, if it can be done from what is wanted there besides what was before. */
static bool goes_on(struct solver *s, uint32_t block, struct shared_bits *set)
{
    struct liveness *l = s->l;
    struct shared_bits begin = shared_bits_copy(&l->live_in[block]);
    bool ok = model_live_more(&s->more, block, &s->out[block], set, &begin);

    l->failed |= begin.failed;
    if (!ok) {
        shared_bits_free(&begin);
        return false;
    }
    shared_bits_free(set);
    *set = begin;
    return true;
}

static void update(struct solver *s, uint32_t block)
{
    struct liveness *l = s->l;
    struct shared_bits set, out;

    wanted_outside(s, block);
    set = model_live_out(l, block);
    l->failed |= set.failed;
    if (s->looks[block] < LOOKS)
        s->looks[block]++;
    out = s->looks[block] < LOOKS ? shared_bits_none(l->nvars) : shared_bits_copy(&set);
    if (!s->out[block].root || !goes_on(s, block, &set))
        go_through(s, block, &set);
    shared_bits_free(&s->out[block]);
    s->out[block] = out;
    l->failed |= set.failed;
    if (shared_bits_equal(&l->live_in[block], &set)) {
        shared_bits_free(&set);
        return;
    }
    if (l->behind_call[block] && (l->goes_on || !l->label[l->start[block]]))
        wanted_behind(s, l->start[block] - 1, &set);
    shared_bits_free(&l->live_in[block]);
    l->live_in[block] = set;
    look_again(s, &s->before, block);
}

void model_live_free_sets(struct liveness *l)
{
    for (uint32_t block = 0; l->live_in && block < l->nsets; block++)
        shared_bits_free(&l->live_in[block]);
    for (uint32_t k = 0; l->callers && k < l->nregions; k++)
        shared_bits_free(&l->callers[k]);
    shared_bits_free(&l->returned);
    gp5_free(l->live_in);
    gp5_free(l->callers);
    l->live_in = l->callers = NULL;
}

static bool allocate_sets(struct liveness *l)
{
    uint32_t regions = 1;

    for (uint32_t i = 0; i < l->p->insns.count; i++)
        l->region[i] = (regions += l->label[i] && !l->goes_on) - 1;
    l->nregions = 0;
    l->callers = gp5_malloc(regions * sizeof *l->callers);
    l->live_in = gp5_malloc((l->nblocks + (size_t)1) * sizeof *l->live_in);
    if (!l->live_in || !l->callers) {
        l->nsets = 0;
        return false;
    }
    for (; l->nregions < regions; l->nregions++)
        l->callers[l->nregions] = shared_bits_none(l->nvars);
    l->nsets = l->nblocks;
    for (uint32_t block = 0; block < l->nsets; block++)
        l->live_in[block] = shared_bits_none(l->nvars);
    l->returned = shared_bits_none(l->nvars);
    return true;
}

static bool allocate_looks(struct solver *s)
{
    size_t n = s->l->nblocks + (size_t)1;

    s->looks = gp5_malloc(n);
    s->out = gp5_malloc(n * sizeof *s->out);
    if (!s->looks || !s->out)
        return false;
    memset(s->looks, 0, n);
    for (size_t block = 0; block < n; block++)
        s->out[block] = shared_bits_none(s->l->nvars);
    return true;
}

static void free_looks(struct solver *s)
{
    for (uint32_t block = 0; s->looks && s->out && block < s->l->nblocks; block++)
        shared_bits_free(&s->out[block]);
    gp5_free(s->looks);
    gp5_free(s->out);
}

bool model_solve_liveness(struct model *d, struct liveness *l)
{
    struct solver s = {.l = l};
    uint32_t block;
    bool ok;

    model_live_free_sets(l);
    ok = model_live_more_begin(&s.more, l) && allocate_looks(&s) && allocate_sets(l) && find_lists(&s) &&
         worklist_start(&s.work, l->nblocks);
    while (ok && !l->failed && worklist_take(&s.work, &block))
        update(&s, block);
    worklist_free(&s.work);
    model_live_more_end(&s.more);
    free_looks(&s);
    gp5_free(s.before.first);
    gp5_free(s.before.block);
    gp5_free(s.returning.first);
    gp5_free(s.returning.block);
    return (ok && !l->failed) || model_out_of_memory(d);
}
