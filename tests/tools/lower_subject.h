/* The instructions that the test of gp5 lower takes up, the lanes that it gives them, and what the reference says
 * of those. */
#ifndef GP5_TESTS_LOWER_SUBJECT_H
#define GP5_TESTS_LOWER_SUBJECT_H

#include "gp5.h"

#include <stdbool.h>
#include <stdint.h>

/* Groups of types, and what a form is besides. */
enum { WORDS = 1, WIDES = 2, HALVES = 4, INTEGERS = 8, ONE = 16, BOOLEAN = 32, SHORTS = 64, TRUTHS = 128,
       ALL = WORDS | WIDES | HALVES | SHORTS | TRUTHS };

/* The operands: V value, I index, B ballot, W width, none; C a cluster. */
struct form {
    const char *name, *operands;
    const char *reference;      /* its name; of a family the one without the operation */
    unsigned types;
    bool family;
    uint32_t index_limit;       /* of random indices; 0: the same in all lanes, below 32 */
};
extern const struct form subject_forms[];
extern const size_t subject_form_count;

struct kind {
    const char *name;
    unsigned group;
    enum gp5_subgroup_type type;
    bool is_float;
};
extern const struct kind subject_kinds[];
extern const size_t subject_kind_count;

/* One instruction. */
struct subject {
    const struct form *form;
    const struct kind *kind;
    int operation;              /* -1: none */
    unsigned cluster;
    enum gp5_subgroup_op op;
    const struct gp5_subgroup_info *info;
    char text[120];
};

enum { LANES = 32, IN = 8, OUT = 4, GROUPS = 24 };

/* What a lane reads: the value, index, ballot, width, and two bits that say where it takes part. */
struct lane_in { uint32_t value[2], index, ballot, width, side, unused[2]; };

struct bench {
    struct lane_in *in;
    uint32_t *direct, *lowered, *direct_shadow, *lowered_shadow;
    uint64_t seed;
    unsigned warp;              /* lanes that exist */
    uint64_t checked, undefined;
};

/* lower_subject.c */
uint32_t subject_random(struct bench *b);
bool subject_is_wide(const struct kind *kind);
/* Operation n of a family, as the instruction and as the reference have it. */
extern const char *const subject_operations[7], *const subject_small_operations[7];
/* A warp's lanes; the group's number says the pattern and how wild the values are. */
void subject_put_lanes(struct bench *b, const struct subject *s, unsigned group);
void subject_write_text(struct subject *s);
char *subject_program_text(const struct subject *s);

/* lower_expected.c */
struct expected {
    uint64_t value[LANES];
    struct gp5_ballot ballot[LANES];
    uint8_t reason[LANES], peer[LANES], valid[LANES];
    uint32_t word[LANES];
    uint8_t truth[LANES];
};

struct operands {
    uint64_t wide[LANES], index[LANES], width[LANES];
    uint32_t word[LANES];
    uint16_t half[LANES], low16[LANES];
    uint8_t truth[LANES], low8[LANES];
    struct gp5_ballot ballot[LANES];
    struct gp5_subgroup_operands in;
};
enum gp5_subgroup_type subject_reference_type(const struct subject *s);
void subject_put_operands(const struct subject *s, const struct lane_in *warp, struct operands *o);
/* A lane's answer in the layout of the reference, from the four words that the program stored. */
void subject_take_answer(const struct subject *s, const uint32_t *got, unsigned lane, struct expected *e);
void *subject_values_of(const struct subject *s, struct expected *e);
/* Short integers come with their sign or zeros above them, booleans as all ones or none. */
bool subject_is_extended(const struct subject *s, uint32_t word);

#endif
