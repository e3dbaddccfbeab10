/* Buffers as a test left them, number by number, on both sides: what a page shows of them as a map. */
#ifndef GP5_COMPARE_MAP_H
#define GP5_COMPARE_MAP_H

#include "compare/world/test.h"

struct buffer_map {
    enum output_kind output;        /* storage, counter, texture */
    uint32_t binding;
    struct rule rule;               /* by which its numbers are compared; the rule has their type */
    const char *no_rule;            /* why it is not compared, or NULL */
    size_t size;                    /* bytes */
    uint8_t *data[2];               /* the reference's, the driver's; NULL where it did not run */
    uint32_t *undefined;            /* the reference's origins, one a word, or NULL */
    size_t columns;                 /* numbers of an invocation, or components of a texel; 0: not known */
    const char *names[SCRIPT_COLUMNS];
    struct gp5_texture texture;     /* of a texture; its data is above */
};

/* What is to be seen of a number. */
enum map_state {
    MAP_SAME, MAP_BY_RULE, MAP_LAST_BITS, MAP_NEAR, MAP_APART, MAP_FAR,    /* how far two are apart that differ */
    MAP_UNDEFINED, MAP_PROBE, MAP_STATES                                    /* MAP_PROBE: a probe of it failed */
};

size_t map_count(const struct buffer_map *m);       /* numbers; odd bytes at the end are left out */
enum map_state map_state(const struct buffer_map *m, const struct test_result *r, size_t number);
void map_texel(const struct buffer_map *m, size_t number, struct finding *at);     /* x, y, z, level of it */

#endif
