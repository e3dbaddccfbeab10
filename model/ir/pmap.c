/* Maps as trees that share nodes: a leaf is four values. A leaf, or a branch, of zeros alone is none. */
#include "model/ir/pmap.h"

#include "asm/arena.h"
#include "model/ir/ptree.h"

#include <string.h>

enum { MAX_VALUE = 64 };

struct leaf {
    struct shared_node node;
    uint64_t value[];
};

static const uint64_t zeros[SHARED_MAP_LEAF * MAX_VALUE / sizeof(uint64_t)];

static size_t leaf_bytes(const struct shared_map *m)
{
    return SHARED_MAP_LEAF * m->size;
}

struct shared_map shared_map_none(uint32_t count, size_t size)
{
    return (struct shared_map){.levels = shared_levels(((uint64_t)count + SHARED_MAP_LEAF - 1) / SHARED_MAP_LEAF),
                               .size = size};
}

struct shared_map shared_map_copy(const struct shared_map *m)
{
    shared_hold(m->root);
    return *m;
}

void shared_map_free(struct shared_map *m)
{
    shared_release(m->root, m->levels);
    m->root = NULL;
}

void shared_map_set(struct shared_map *m, const struct shared_map *from)
{
    bool failed = m->failed;
    struct shared_map copy = shared_map_copy(from);

    shared_map_free(m);
    *m = copy;
    m->failed |= failed;
}

const void *shared_map_at(const struct shared_map *m, uint32_t i)
{
    const struct leaf *leaf = shared_leaf(m->root, m->levels, i / SHARED_MAP_LEAF);

    return leaf ? (const char *)leaf->value + i % SHARED_MAP_LEAF * m->size : NULL;
}

void shared_map_put(struct shared_map *m, uint32_t i, const void *value)
{
    const void *old = shared_map_at(m, i);
    struct leaf *mine;

    if (!memcmp(old ? old : zeros, value, m->size))
        return;
    mine = shared_own_leaf(&m->root, m->levels, i / SHARED_MAP_LEAF, sizeof *mine + leaf_bytes(m));
    if (mine)
        memcpy((char *)mine->value + i % SHARED_MAP_LEAF * m->size, value, m->size);
    else
        m->failed = true;
}

/* Four values in the place of a leaf. */
static void put_leaf(struct shared_map *m, void **place, const void *value)
{
    struct leaf *mine;

    if (!memcmp(value, zeros, leaf_bytes(m))) {
        shared_release(*place, 0);
        *place = NULL;
        return;
    }
    mine = shared_own_leaf_at(place, sizeof *mine + leaf_bytes(m));
    if (mine)
        memcpy(mine->value, value, leaf_bytes(m));
    else
        m->failed = true;
}

static void take(void **place, void *other, unsigned level)
{
    shared_hold(other);
    shared_release(*place, level);
    *place = other;
}

/* A branch to change, and whether what it was is held meanwhile. */
struct changed {
    struct shared_branch *mine;
    void *old;
};

static struct changed begin(struct shared_map *m, void **place)
{
    struct shared_node *node = *place;
    struct changed b = {.old = node && node->refs > 1 ? shared_hold(node) : NULL};

    b.mine = shared_own_branch_at(place);
    m->failed |= !b.mine;
    return b;
}

/* It is what it was again, or the other map's, where no child is another one, and none where nothing is left. */
static void end(void **place, const struct changed *b, void *other, unsigned level)
{
    const struct shared_branch *was = b->old, *o = other;
    bool is_old = was, is_other = o, empty = true;

    for (unsigned i = 0; b->mine && i < SHARED_BRANCH; i++) {
        is_old &= was && b->mine->child[i] == was->child[i];
        is_other &= o && b->mine->child[i] == o->child[i];
        empty &= !b->mine->child[i];
    }
    if (b->mine && empty)
        take(place, NULL, level);
    else if (b->mine && is_other)
        take(place, other, level);
    else if (b->mine && is_old)
        take(place, b->old, level);
    shared_release(b->old, level);
}

/* ---- one map ------------------------------------------------------------------------------------------------ */

struct changing {
    struct shared_map *m;
    const struct shared_bits *fours;
    shared_map_change *change;
    void *user;
};

static uint32_t child_at(uint32_t at, uint32_t i, unsigned level)
{
    return at + (i << (level - 1) * SHARED_BRANCH_BITS);
}

static void change_leaf(const struct changing *c, void **place, uint32_t at)
{
    uint64_t value[sizeof zeros / sizeof *zeros];
    const struct leaf *old = *place;
    size_t size = c->m->size;

    memcpy(value, old->value, leaf_bytes(c->m));
    for (unsigned i = 0; i < SHARED_MAP_LEAF; i++)
        if (memcmp((char *)value + i * size, zeros, size))
            c->change(c->user, at * SHARED_MAP_LEAF + i, (char *)value + i * size);
    if (memcmp(value, old->value, leaf_bytes(c->m)) || !memcmp(value, zeros, leaf_bytes(c->m)))
        put_leaf(c->m, place, value);
}

/* The leaves from `at` that are not `other`, and are in the set, if there is one. */
static void change_nodes(const struct changing *c, void **place, const void *other, unsigned level, uint32_t at)
{
    const struct shared_branch *o = other;
    struct changed b;

    if (!*place || *place == other ||
        (c->fours && !shared_bits_any(c->fours, at, (uint64_t)1 << level * SHARED_BRANCH_BITS)))
        return;
    if (!level) {
        change_leaf(c, place, at);
        return;
    }
    b = begin(c->m, place);
    for (uint32_t i = 0; b.mine && i < SHARED_BRANCH; i++)
        change_nodes(c, &b.mine->child[i], o ? o->child[i] : NULL, level - 1, child_at(at, i, level));
    end(place, &b, NULL, level);
}

void shared_map_each_apart(struct shared_map *m, const struct shared_map *other, shared_map_change *change, void *user)
{
    const struct changing c = {.m = m, .change = change, .user = user};

    change_nodes(&c, &m->root, other ? other->root : NULL, m->levels, 0);
}

void shared_map_each_of(struct shared_map *m, const struct shared_bits *fours, shared_map_change *change, void *user)
{
    const struct changing c = {.m = m, .fours = fours, .change = change, .user = user};

    change_nodes(&c, &m->root, NULL, m->levels, 0);
}

/* ---- two maps ----------------------------------------------------------------------------------------------- */

struct meet_point {
    struct shared_map *m;
    bool zero_stays, changed;
    shared_map_join *join;
    void *user;
};

static void meet_leaves(struct meet_point *t, void **place, void *other, uint32_t at)
{
    uint64_t value[sizeof zeros / sizeof *zeros];
    const struct leaf *old = *place, *o = other;
    const void *mine = old ? old->value : zeros, *theirs = o ? o->value : zeros;
    size_t size = t->m->size;

    memcpy(value, mine, leaf_bytes(t->m));
    for (unsigned i = 0; i < SHARED_MAP_LEAF; i++)
        t->join(t->user, at * SHARED_MAP_LEAF + i, (char *)value + i * size, (const char *)theirs + i * size);
    if (!memcmp(value, theirs, leaf_bytes(t->m))) {
        t->changed |= memcmp(mine, theirs, leaf_bytes(t->m)) != 0;
        take(place, other, 0);
    } else if (memcmp(value, mine, leaf_bytes(t->m))) {
        t->changed = true;
        put_leaf(t->m, place, value);
    }
}

static void meet_nodes(struct meet_point *t, void **place, void *other, unsigned level, uint32_t at)
{
    struct shared_branch *o = other;
    struct changed b;

    if (*place == other || (!*place && t->zero_stays))
        return;
    if (!level) {
        meet_leaves(t, place, other, at);
        return;
    }
    b = begin(t->m, place);
    for (uint32_t i = 0; b.mine && i < SHARED_BRANCH; i++)
        meet_nodes(t, &b.mine->child[i], o ? o->child[i] : NULL, level - 1, child_at(at, i, level));
    end(place, &b, other, level);
}

bool shared_map_meet(struct shared_map *m, const struct shared_map *other, bool zero_stays, shared_map_join *join,
                     void *user)
{
    struct meet_point t = {.m = m, .zero_stays = zero_stays, .join = join, .user = user};

    meet_nodes(&t, &m->root, other->root, m->levels, 0);
    m->failed |= other->failed;
    return t.changed;
}
