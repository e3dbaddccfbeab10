/* Sets as trees that share nodes: a leaf is four words. */
#include "model/ir/pset.h"

#include "model/ir/ptree.h"

#include <string.h>

enum { WORDS = 4, BITS = 64 * WORDS };

struct leaf {
    struct shared_node node;
    uint64_t word[WORDS];
};

static const struct leaf empty;

struct shared_bits shared_bits_none(uint32_t count)
{
    return (struct shared_bits){.levels = shared_levels(((uint64_t)count + BITS - 1) / BITS)};
}

struct shared_bits shared_bits_copy(const struct shared_bits *s)
{
    shared_hold(s->root);
    return *s;
}

void shared_bits_free(struct shared_bits *s)
{
    shared_release(s->root, s->levels);
    s->root = NULL;
}

bool shared_bits_has(const struct shared_bits *s, uint32_t i)
{
    const struct leaf *leaf = shared_leaf(s->root, s->levels, i / BITS);

    return leaf && leaf->word[i % BITS / 64] >> i % 64 & 1;
}

static void put(struct shared_bits *s, uint32_t i, bool is_there)
{
    struct leaf *leaf =
        shared_bits_has(s, i) == is_there ? NULL : shared_own_leaf(&s->root, s->levels, i / BITS, sizeof *leaf);

    if (leaf)
        leaf->word[i % BITS / 64] ^= (uint64_t)1 << i % 64;
    else
        s->failed |= shared_bits_has(s, i) != is_there;
}

void shared_bits_add(struct shared_bits *s, uint32_t i)
{
    put(s, i, true);
}

void shared_bits_drop(struct shared_bits *s, uint32_t i)
{
    put(s, i, false);
}

static void take(void **place, void *other, unsigned level)
{
    shared_hold(other);
    shared_release(*place, level);
    *place = other;
}

/* False without memory. */
static bool join_leaves(void **place, struct leaf *other)
{
    const struct leaf *old = *place;
    bool adds = false, has_more = false;
    struct leaf *mine;

    for (unsigned k = 0; k < WORDS; k++) {
        adds |= (other->word[k] & ~old->word[k]) != 0;
        has_more |= (old->word[k] & ~other->word[k]) != 0;
    }
    if (adds && !has_more)
        take(place, other, 0);
    if (!adds || !has_more)
        return true;
    mine = shared_own_leaf_at(place, sizeof *mine);
    for (unsigned k = 0; mine && k < WORDS; k++)
        mine->word[k] |= other->word[k];
    return mine != NULL;
}

static bool join(void **place, void *other, unsigned level)
{
    const struct shared_branch *o = other;
    struct shared_branch *b;
    bool is_other = true;

    if (*place == other || !other)
        return true;
    if (!*place) {
        take(place, other, level);
        return true;
    }
    if (!level)
        return join_leaves(place, other);
    b = shared_own_branch_at(place);
    for (unsigned i = 0; b && i < SHARED_BRANCH; i++) {
        if (!join(&b->child[i], o->child[i], level - 1))
            return false;
        is_other &= b->child[i] == o->child[i];
    }
    if (b && is_other)
        take(place, other, level);
    return b != NULL;
}

void shared_bits_join(struct shared_bits *s, const struct shared_bits *other)
{
    s->failed |= other->failed || !join(&s->root, other->root, s->levels);
}

static bool equal(const void *a, const void *b, unsigned level)
{
    const struct shared_branch *x = a, *y = b;

    if (a == b)
        return true;
    if (!level)
        return !memcmp((a ? (const struct leaf *)a : &empty)->word, (b ? (const struct leaf *)b : &empty)->word,
                       sizeof empty.word);
    for (unsigned i = 0; i < SHARED_BRANCH; i++)
        if (!equal(x ? x->child[i] : NULL, y ? y->child[i] : NULL, level - 1))
            return false;
    return true;
}

bool shared_bits_equal(const struct shared_bits *a, const struct shared_bits *b)
{
    return equal(a->root, b->root, a->levels);
}

static bool each_more(const void *node, const void *old, unsigned level, uint32_t first, shared_bits_fn *one,
                      void *user)
{
    const struct shared_branch *x = node, *y = old;
    const struct leaf *leaf = node, *had = old ? old : &empty;

    if (node == old || !node)
        return true;
    for (unsigned i = 0; level && i < SHARED_BRANCH; i++)
        if (!each_more(x->child[i], y ? y->child[i] : NULL, level - 1, first * SHARED_BRANCH + i, one, user))
            return false;
    for (unsigned k = 0; !level && k < WORDS; k++)
        for (uint64_t more = leaf->word[k] & ~had->word[k]; more; more &= more - 1)
            if (!one(user, first * BITS + 64 * k + (uint32_t)__builtin_ctzll(more)))
                return false;
    return true;
}

bool shared_bits_each_more(const struct shared_bits *s, const struct shared_bits *old, shared_bits_fn *one, void *user)
{
    return each_more(s->root, old->root, s->levels, 0, one, user);
}
