/* Who reads each variable and who writes it (readers.c), of what votes and signs ask (votes.c). */
#ifndef GP5_EVAL_READERS_H
#define GP5_EVAL_READERS_H

#include "eval/liveness.h"

/* Instructions in the order of the text, of each variable. */
struct variable_list {
    uint32_t *first;            /* of each variable, and of the end, where its part of the list begins */
    uint32_t *list;
};

struct readers {
    struct variable_list reads;     /* of whatever is no vote of floats */
    struct variable_list writes;
    struct variable_list numbers;   /* of what takes it for a float or with a sign, or finds lanes by it */
};

/* Of the decoder's program, which is not going to be another one: made by the first who asks. NULL: no memory. */
const struct readers *eval_readers(struct decoder *d);
void eval_readers_free(struct decoder *d);

/* The first of a variable's that is not before a place, or NO_INDEX; the last that is before it. */
uint32_t eval_first_behind(const struct variable_list *v, uint32_t variable, uint32_t place);
uint32_t eval_last_before(const struct variable_list *v, uint32_t variable, uint32_t place);

#endif
