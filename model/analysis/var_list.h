/* Lists of instructions by variable (var_list.c). */
#ifndef GP5_EVAL_VARIABLE_LIST_H
#define GP5_EVAL_VARIABLE_LIST_H

#include "model/analysis/liveness.h"

/* In the order of the text. */
struct variable_list {
    uint32_t *first;            /* of each variable, and of the end, where its part of the list begins */
    uint32_t *list;
};

struct list_filling;

/* Makes a list: `one` tells of each instruction the variables, any of them as often as it likes. False without memory;
 * the caller frees what there is. */
bool model_fill_list(const struct liveness *l, struct variable_list *to,
                     void (*one)(struct list_filling *f, const struct liveness *l, uint32_t i));
void model_list_variable(struct list_filling *f, uint32_t i, uint32_t variable);
void model_list_free(struct variable_list *v);

/* The last of a variable's that is before a place, or NO_INDEX. */
uint32_t model_last_before(const struct variable_list *v, uint32_t variable, uint32_t place);

#endif
