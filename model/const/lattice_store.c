/* A tree of values whose nodes are shared until somebody changes them. */
#include "model/const/lattice_store.h"

#include "model/ir/ptree.h"

enum { LEAF = 4 };

struct leaf {
    struct shared_node node;
    struct known_value value[LEAF];
};

struct known_values {
    void *root;
    unsigned levels;            /* of branches */
    bool *failed;
};

struct known_values *model_known_values_new(uint32_t count, bool *failed)
{
    struct known_values *v = gp5_malloc(sizeof *v);

    if (!v)
        return NULL;
    *v = (struct known_values){.failed = failed, .levels = shared_levels(((uint64_t)count + LEAF - 1) / LEAF)};
    return v;
}

struct known_values *model_known_values_copy(const struct known_values *v)
{
    struct known_values *copy = gp5_malloc(sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *v;
    shared_hold(copy->root);
    return copy;
}

void model_known_values_free(struct known_values *v)
{
    if (v)
        shared_release(v->root, v->levels);
    gp5_free(v);
}

void model_known_values_set(struct known_values *v, const struct known_values *to)
{
    void *root = shared_hold(to->root);

    shared_release(v->root, v->levels);
    v->root = root;
}

void model_known_values_forget(struct known_values *v)
{
    shared_release(v->root, v->levels);
    v->root = NULL;
}

static const struct known_value nothing[LEAF];

const struct known_value *model_known_at(const struct known *k, uint32_t i)
{
    const struct leaf *leaf = shared_leaf(k->values->root, k->values->levels, i / LEAF);

    return leaf ? &leaf->value[i % LEAF] : &nothing[i % LEAF];
}

void model_known_put(struct known *k, uint32_t i, struct known_value value)
{
    struct leaf *mine = shared_own_leaf(&k->values->root, k->values->levels, i / LEAF, sizeof(struct leaf));

    if (mine)
        mine->value[i % LEAF] = value;
    else
        *k->values->failed = true;
}

void model_known_drop(struct known *k, uint32_t i)
{
    const struct known_value *v = model_known_at(k, i);

    if (v->known || v->boolean || v->type || v->copy || v->may_overflow || v->of_any || v->half || v->computed)
        model_known_put(k, i, nothing[0]);
}

/* ---- where ways meet ------------------------------------------------------------------------------------------------
 */

static bool knows_less(const struct known_value *a, const struct known_value *b)
{
    bool differs = a->known && !(b->known && a->word == b->word && a->type == b->type);

    return differs || (a->type && a->type != b->type) || (a->copy && a->copy != b->copy) ||
           (a->known && b->absorbed && !a->absorbed) || (a->known && b->branch_only && !a->branch_only) ||
           (b->may_overflow && !a->may_overflow) || (a->known && b->of_any && !a->of_any) ||
           (a->boolean && !b->boolean) || (a->computed && !b->computed);
}

static struct known_value of_both(struct known_value a, const struct known_value *b)
{
    a.known &= b->known && a.word == b->word && a.type == b->type;
    a.type = a.type == b->type ? a.type : DT_NONE;
    a.may_overflow |= b->may_overflow;
    a.of_any |= b->of_any;
    a.branch_only = a.known && (a.branch_only || b->branch_only);
    a.absorbed = a.known && (a.absorbed || b->absorbed);
    a.half &= b->half;
    a.boolean &= b->boolean;
    a.computed &= b->computed;
    a.copy = a.copy == b->copy ? a.copy : 0;
    return a;
}

/* Whether nothing is known that could get lost. */
static bool is_least(const struct known_value *a)
{
    return !a->known && !a->boolean && !a->type && !a->copy;
}

struct meet {
    struct known_values *v;
    bool *changed;
};

static void meet_leaves(struct meet *m, void **place, const struct leaf *other)
{
    struct leaf *mine = shared_own_leaf_at(place, sizeof *mine);
    bool least = true;

    if (!mine) {
        *m->v->failed = true;
        return;
    }
    for (unsigned i = 0; i < LEAF; i++) {
        const struct known_value *b = other ? &other->value[i] : nothing;
        if (m->changed)
            *m->changed |= knows_less(&mine->value[i], b);
        mine->value[i] = of_both(mine->value[i], b);
        least &= is_least(&mine->value[i]);
    }
    mine->node.least = least;
}

/* A node where nothing can get lost: no flags, which may come to overflow. */
static bool can_lose_nothing(const void *node, uint32_t first)
{
    return first >= KNOWN_FLAGS && (!node || ((const struct shared_node *)node)->least);
}

/* The node of the values from `first`. */
static void meet_nodes(struct meet *m, void **place, void *other, unsigned level, uint32_t first)
{
    struct shared_branch *b, *o = other;
    bool least = true, is_other = true;

    if (*place == other || can_lose_nothing(*place, first))
        return;
    if (!level) {
        meet_leaves(m, place, other);
        return;
    }
    b = shared_own_branch_at(place);
    if (!b) {
        *m->v->failed = true;
        return;
    }
    for (uint32_t i = 0; i < SHARED_BRANCH; i++) {
        uint32_t at = first + (i * LEAF << (level - 1) * SHARED_BRANCH_BITS);
        meet_nodes(m, &b->child[i], o ? o->child[i] : NULL, level - 1, at);
        least &= can_lose_nothing(b->child[i], at);
        is_other &= o && b->child[i] == o->child[i];
    }
    b->node.least = least;
    if (is_other) {
        shared_hold(other);
        shared_release(b, level);
        *place = other;
    }
}

void model_known_values_meet(struct known_values *v, const struct known_values *other, bool *changed)
{
    struct meet m = {v, changed};

    meet_nodes(&m, &v->root, other->root, v->levels, 0);
}
