/* What tests of the subgroup operations try: groups, operands, values of all kinds, nasty ones among them. */
#ifndef GP5_TESTS_SUBGROUP_SAMPLE_H
#define GP5_TESTS_SUBGROUP_SAMPLE_H

#include "gp5.h"

/* Operands of one call. */
struct sample {
    struct gp5_subgroup group;
    struct gp5_subgroup_operands in;
    uint64_t value[4 * GP5_SUBGROUP_MAX_SIZE];          /* room for elements of any type */
    uint64_t index[GP5_SUBGROUP_MAX_SIZE], width[GP5_SUBGROUP_MAX_SIZE];
    struct gp5_ballot ballot[GP5_SUBGROUP_MAX_SIZE];
};

/* Room for what it gives. */
struct outcome {
    uint64_t value[4 * GP5_SUBGROUP_MAX_SIZE];
    uint8_t reason[4 * GP5_SUBGROUP_MAX_SIZE], peer[4 * GP5_SUBGROUP_MAX_SIZE], valid[GP5_SUBGROUP_MAX_SIZE];
};

/* The same numbers in each run; below n. */
uint64_t sample_chance(void);
unsigned sample_below(unsigned n);

/* A group of that size: all active, about half, one; later ones, any. */
void sample_group(struct sample *s, unsigned size, unsigned round);
/* Operands of the sample's group. */
void sample_values(struct sample *s, enum gp5_subgroup_type type);
void sample_index(struct sample *s);
void sample_ballots(struct sample *s);
void sample_rest(struct sample *s);
uint64_t sample_nasty_float(enum gp5_subgroup_type type);

bool sample_active(const struct gp5_subgroup *g, unsigned lane);
void sample_activate(struct gp5_subgroup *g, unsigned lane);
/* Every lane active. */
struct gp5_subgroup sample_whole(unsigned size);

/* An element of an array of elements of that many bytes. */
void sample_put(void *array, size_t bytes, size_t at, uint64_t v);
uint64_t sample_get(const void *array, size_t bytes, size_t at);

#endif
