/* Trees that share nodes: copying one is holding its root, changing one copies the nodes on the way. */
#include "model/ir/ptree.h"

#include "asm/arena.h"

#include <string.h>

unsigned shared_levels(uint64_t leaves)
{
    unsigned levels = 0;

    for (uint64_t n = 1; n < leaves; n <<= SHARED_BRANCH_BITS)
        levels++;
    return levels;
}

void *shared_hold(void *node)
{
    if (node)
        ((struct shared_node *)node)->refs++;
    return node;
}

void shared_release(void *node, unsigned level)
{
    struct shared_node *head = node;

    if (!node || --head->refs)
        return;
    for (unsigned i = 0; level && i < SHARED_BRANCH; i++)
        shared_release(((struct shared_branch *)node)->child[i], level - 1);
    gp5_free(node);
}

void *shared_own_leaf_at(void **place, size_t size)
{
    struct shared_node *old = *place, *mine;

    if (old && old->refs == 1) {
        old->least = false;
        return old;
    }
    mine = gp5_malloc(size);
    if (!mine)
        return NULL;
    if (old)
        memcpy(mine, old, size);
    else
        memset(mine, 0, size);
    if (old)
        old->refs--;
    *mine = (struct shared_node){.refs = 1};
    return *place = mine;
}

struct shared_branch *shared_own_branch_at(void **place)
{
    const struct shared_node *old = *place;
    bool is_shared = old && old->refs > 1;
    struct shared_branch *mine = shared_own_leaf_at(place, sizeof *mine);

    for (unsigned i = 0; mine && is_shared && i < SHARED_BRANCH; i++)
        shared_hold(mine->child[i]);
    return mine;
}

static unsigned child_of(uint32_t i, unsigned level)
{
    return i >> (level - 1) * SHARED_BRANCH_BITS & (SHARED_BRANCH - 1);
}

void *shared_own_leaf(void **root, unsigned levels, uint32_t i, size_t size)
{
    void **place = root;

    for (unsigned level = levels; level; level--) {
        struct shared_branch *b = shared_own_branch_at(place);
        if (!b)
            return NULL;
        place = &b->child[child_of(i, level)];
    }
    return shared_own_leaf_at(place, size);
}

const void *shared_leaf(const void *root, unsigned levels, uint32_t i)
{
    const void *node = root;

    for (unsigned level = levels; node && level; level--)
        node = ((const struct shared_branch *)node)->child[child_of(i, level)];
    return node;
}
