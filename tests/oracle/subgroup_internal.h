/* What the files of the subgroup operations' second model share. */
#ifndef GP5_TESTS_SUBGROUP_INTERNAL_H
#define GP5_TESTS_SUBGROUP_INTERNAL_H

#include "tests/oracle/subgroup_model.h"

enum { LANES = 128, NOBODY = 255 };

typedef bool set[LANES];

struct scene {
    const struct gp5_subgroup *g;
    const struct gp5_subgroup_operands *in;
    enum gp5_subgroup_op op;
    int size, exist;
    set here;                   /* the active lanes */
};

enum kind { ADD = 0, MUL, MIN, MAX, AND, OR, XOR };
enum form { REDUCE = 0, INCLUSIVE, EXCLUSIVE, CLUSTERED, PARTITIONED, PARTITIONED_INCLUSIVE, PARTITIONED_EXCLUSIVE };

static inline bool in_ballot(const struct gp5_ballot *b, int lane)
{
    uint32_t word = b->word[lane >> 5];
    return (word >> (lane & 31)) & 1u;
}

/* subgroup_model.c: no answer. */
void model_fail(struct model_answer *a, int reason, int peer);
/* subgroup_arithmetic.c: a lane's value, as bits; which reduction or scan an operation is, and its answer. */
bool model_is_float(enum gp5_subgroup_type type);
uint64_t model_raw(const struct scene *s, unsigned component, int lane);
bool model_arithmetic_of(enum gp5_subgroup_op op, enum kind *kind, enum form *form);
void model_arithmetic(const struct scene *s, unsigned component, int self, enum kind kind, enum form form,
                       struct model_answer *a);

#endif
