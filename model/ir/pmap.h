/* Values of a few bytes by number, as trees that share nodes (pmap.c): a copy costs nothing, a change a few nodes, and
 * where two meet only what they hold apart is looked at. All are zero at first, which is to mean that nothing is known.
 */
#ifndef GP5_EVAL_SHARED_MAP_H
#define GP5_EVAL_SHARED_MAP_H

#include "model/ir/pset.h"

#include <stddef.h>

enum { SHARED_MAP_LEAF = 4 };

struct shared_map {
    void *root;
    unsigned levels;
    size_t size;                /* of a value */
    bool failed;                /* memory ran out: something is missing */
};

/* Of numbers below `count`, whose values take `size` bytes. */
struct shared_map shared_map_none(uint32_t count, size_t size);
struct shared_map shared_map_copy(const struct shared_map *m);
void shared_map_free(struct shared_map *m);
/* A value, to look at until the map changes: NULL where it and those beside it are zero. */
const void *shared_map_at(const struct shared_map *m, uint32_t i);
void shared_map_put(struct shared_map *m, uint32_t i, const void *value);
/* Takes what `from` holds. */
void shared_map_set(struct shared_map *m, const struct shared_map *from);

/* A value is told of, and may be changed. */
typedef void shared_map_change(void *user, uint32_t i, void *value);
/* The same beside the other one's. */
typedef void shared_map_join(void *user, uint32_t i, void *value, const void *other);

/* Each value but zeros that the two do not share; another map may be none. */
void shared_map_each_apart(struct shared_map *m, const struct shared_map *other, shared_map_change *change, void *user);
/* The same of both, zeros too; where `zero_stays` not where `m` has nothing but zeros. What comes out as the other
 * one's is shared with it. Whether any changes. */
bool shared_map_meet(struct shared_map *m, const struct shared_map *other, bool zero_stays, shared_map_join *join,
                     void *user);
/* Those, but zeros, whose number, four together, is in a set. */
void shared_map_each_of(struct shared_map *m, const struct shared_bits *fours, shared_map_change *change, void *user);

#endif
