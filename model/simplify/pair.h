/* Pairs of instructions of a block (pair.c). */
#ifndef GP5_MODEL_PAIR_H
#define GP5_MODEL_PAIR_H

#include "model/tables.h"

bool model_find_pairs(struct model *m);

#endif
