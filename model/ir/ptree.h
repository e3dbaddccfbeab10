/* Trees of values by number whose nodes several trees share until one of them changes something (ptree.c). */
#ifndef GP5_EVAL_SHARED_TREE_H
#define GP5_EVAL_SHARED_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARED_BRANCH_BITS = 4, SHARED_BRANCH = 1 << SHARED_BRANCH_BITS };

/* What each node begins with. */
struct shared_node {
    uint32_t refs;
    bool least;                 /* for its owner; not set in nodes that are new or changed */
};

struct shared_branch {
    struct shared_node node;
    void *child[SHARED_BRANCH]; /* branches or leaves; NULL: all of it is as at the start */
};

/* Levels of branches above so many leaves. */
unsigned shared_levels(uint64_t leaves);
void *shared_hold(void *node);
void shared_release(void *node, unsigned level);
/* The node in its place, not shared with anybody; NULL without memory. A new one is zero. */
void *shared_own_leaf_at(void **place, size_t size);
struct shared_branch *shared_own_branch_at(void **place);
/* Leaf `i` of a tree, of `size` bytes; NULL without memory. */
void *shared_own_leaf(void **root, unsigned levels, uint32_t i, size_t size);
/* The same to look at; NULL where all is as at the start. */
const void *shared_leaf(const void *root, unsigned levels, uint32_t i);

#endif
