/* Who reads each variable and who writes it (readers.c), of what votes and signs ask (votes.c). */
#ifndef GP5_EVAL_READERS_H
#define GP5_EVAL_READERS_H

#include "eval/variable_list.h"

struct readers {
    struct variable_list reads;     /* of whatever is no vote of floats */
    struct variable_list writes;
    struct variable_list numbers;   /* of what takes it for a float or with a sign, or finds lanes by it */
};

/* Of the decoder's program, which is not going to be another one: made by the first who asks. NULL: no memory. */
const struct readers *eval_readers(struct decoder *d);
void eval_readers_free(struct decoder *d);

#endif
