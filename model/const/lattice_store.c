/* A tree of values whose nodes are shared until somebody changes them. What happens to all values at once (ways meet,
 * copies are forgotten) is a time that is noted, and done to a value when it is next looked at: each value has the time
 * when it was last written. */
#include "model/const/lattice_store.h"

#include "model/ir/ptree.h"

enum { LEAF = 4 };

struct leaf {
    struct shared_node node;
    uint32_t time[LEAF];
    struct known_value value[LEAF];
};

struct known_values {
    void *root;
    unsigned levels;            /* of branches */
    uint32_t time;
    uint32_t met;               /* when ways met: what is older was learnt elsewhere */
    uint32_t parted;            /* when copies were forgotten */
    bool *failed;
};

struct known_values *eval_known_values_new(uint32_t count, bool *failed)
{
    struct known_values *v = gp5_malloc(sizeof *v);

    if (!v)
        return NULL;
    *v = (struct known_values){.failed = failed, .levels = shared_levels(((uint64_t)count + LEAF - 1) / LEAF)};
    return v;
}

struct known_values *eval_known_values_copy(const struct known_values *v)
{
    struct known_values *copy = gp5_malloc(sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *v;
    shared_hold(copy->root);
    return copy;
}

void eval_known_values_free(struct known_values *v)
{
    if (v)
        shared_release(v->root, v->levels);
    gp5_free(v);
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void eval_known_values_set(struct known_values *v, const struct known_values *to)
{
    void *root = shared_hold(to->root);

    shared_release(v->root, v->levels);
    v->root = root;
    v->time = later(v->time, to->time);
    v->met = to->met;
    v->parted = to->parted;
}

void eval_known_values_forget(struct known_values *v)
{
    shared_release(v->root, v->levels);
    v->root = NULL;
    v->met = v->parted = 0;
}

void eval_known_values_part(struct known_values *v)
{
    v->parted = ++v->time;
}

static struct leaf *own_leaf(struct known_values *v, uint32_t i)
{
    return shared_own_leaf(&v->root, v->levels, i / LEAF, sizeof(struct leaf));
}

/* ---- values ---------------------------------------------------------------------------------------------------------
 */

static bool is_old(const struct known_values *v, uint32_t time)
{
    return time < v->met || time < v->parted;
}

/* A value with what has happened since it was written. */
static struct known_value as_of_now(const struct known_values *v, const struct known_value *old, uint32_t time)
{
    struct known_value now = *old;

    if (time < v->parted) {
        now.copy = 0;
        now.boolean = false;
    }
    if (time < v->met) {
        now.elsewhere = true;
        now.loose &= now.known;
    }
    return now;
}

static const struct known_value nothing, nothing_elsewhere = {.elsewhere = true};

static const struct known_value *nothing_of(const struct known_values *v)
{
    return v->met ? &nothing_elsewhere : &nothing;
}

const struct known_value *eval_known_at(const struct known *k, uint32_t i)
{
    struct known_values *v = k->values;
    const struct leaf *leaf = shared_leaf(v->root, v->levels, i / LEAF);
    struct leaf *mine;

    if (!leaf)
        return nothing_of(v);
    if (!is_old(v, leaf->time[i % LEAF]))
        return &leaf->value[i % LEAF];
    mine = own_leaf(v, i);
    if (!mine) {
        *v->failed = true;
        return nothing_of(v);
    }
    mine->value[i % LEAF] = as_of_now(v, &mine->value[i % LEAF], mine->time[i % LEAF]);
    mine->time[i % LEAF] = v->time;
    return &mine->value[i % LEAF];
}

void eval_known_put(struct known *k, uint32_t i, struct known_value value)
{
    struct leaf *mine = own_leaf(k->values, i);

    if (!mine) {
        *k->values->failed = true;
        return;
    }
    mine->value[i % LEAF] = value;
    mine->time[i % LEAF] = k->values->time;
}

/* ---- where ways meet ------------------------------------------------------------------------------------------------
 */

static bool knows_less(const struct known_value *a, const struct known_value *b)
{
    bool differs = a->known && !(b->known && a->word == b->word && a->type == b->type);

    return differs || (a->type && a->type != b->type) || (a->copy && a->copy != b->copy) ||
           (a->known && b->loose && !a->loose) || (b->may_overflow && !a->may_overflow) ||
           (a->known && b->of_any && !a->of_any);
}

static struct known_value of_both(struct known_value a, const struct known_value *b)
{
    if (a.known && !(b->known && a.word == b->word && a.type == b->type))
        a.known = false;
    a.type = a.type == b->type ? a.type : DT_NONE;
    a.may_overflow |= b->may_overflow;
    a.of_any |= b->of_any;
    a.computed &= b->computed;
    a.elsewhere = true;
    a.passes &= b->passes;
    if (a.copy != b->copy)
        a.copy = 0;
    a.boolean &= b->boolean;
    a.loose = a.known && (a.loose || b->loose);
    return a;
}

struct meet {
    struct known_values *v;
    const struct known_values *other;
    bool *changed;
    uint32_t time;
};

static bool same(const struct known_value *a, const struct known_value *b)
{
    return a->known == b->known && a->weak == b->weak && a->loose == b->loose && a->elsewhere == b->elsewhere &&
           a->block == b->block && a->may_overflow == b->may_overflow && a->computed == b->computed &&
           a->of_any == b->of_any && a->half == b->half && a->boolean == b->boolean && a->type == b->type &&
           a->passes == b->passes && a->copy == b->copy && a->word == b->word;
}

/* Whether nothing is known that could get lost. */
static bool is_least(const struct known_value *a)
{
    return !a->known && !a->loose && !a->computed && !a->boolean && !a->type && !a->passes && !a->copy;
}

/* What both hold is kept in the leaf that has it already, if one does. */
static void meet_leaves(struct meet *m, void **place, struct leaf *other)
{
    const struct known_values after = {.met = m->time, .parted = later(m->v->parted, m->other->parted)};
    struct leaf *old = *place, *mine;
    struct known_value both[LEAF];
    bool is_old = true, is_other = true, is_nothing = true, least = true;

    for (unsigned i = 0; i < LEAF; i++) {
        struct known_value a = old ? as_of_now(m->v, &old->value[i], old->time[i]) : *nothing_of(m->v);
        struct known_value b = other ? as_of_now(m->other, &other->value[i], other->time[i]) : *nothing_of(m->other);
        if (m->changed)
            *m->changed |= knows_less(&a, &b);
        both[i] = of_both(a, &b);
        least &= is_least(&both[i]);
        is_nothing &= same(&both[i], &nothing_elsewhere);
        a = old ? as_of_now(&after, &old->value[i], old->time[i]) : nothing_elsewhere;
        b = other ? as_of_now(&after, &other->value[i], other->time[i]) : nothing_elsewhere;
        is_old &= same(&both[i], &a);
        is_other &= same(&both[i], &b);
    }
    if (is_other) {
        shared_hold(other);
        shared_release(old, 0);
        *place = other;
        return;
    }
    if (is_nothing || (is_old && (!old || !least))) {
        shared_release(is_nothing ? old : NULL, 0);
        *place = is_nothing ? NULL : old;
        return;
    }
    mine = shared_own_leaf_at(place, sizeof *mine);
    if (!mine) {
        *m->v->failed = true;
        return;
    }
    mine->node.least = least;
    for (unsigned i = 0; !is_old && i < LEAF; i++) {
        mine->value[i] = both[i];
        mine->time[i] = m->time;
    }
}

/* Of a node that both have: whether there are copies that only the other one has forgotten. */
static bool lost_copies(const struct meet *m, const void *node, unsigned level)
{
    const struct shared_branch *b = node;
    const struct leaf *leaf = node;

    for (unsigned i = 0; node && level && i < SHARED_BRANCH; i++)
        if (lost_copies(m, b->child[i], level - 1))
            return true;
    for (unsigned i = 0; node && !level && i < LEAF; i++)
        if (leaf->value[i].copy && leaf->time[i] >= m->v->parted &&
            leaf->time[i] < m->other->parted)
            return true;
    return false;
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

    if (*place == other) {
        if (m->changed && !*m->changed && m->v->parted < m->other->parted)
            *m->changed = lost_copies(m, other, level);
        return;
    }
    if (can_lose_nothing(*place, first))
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

void eval_known_values_meet(struct known_values *v, const struct known_values *other, bool *changed)
{
    struct meet m = {v, other, changed, later(v->time, other->time) + 1};

    meet_nodes(&m, &v->root, other->root, v->levels, 0);
    v->time = v->met = m.time;
    v->parted = later(v->parted, other->parted);
}
