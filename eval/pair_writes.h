/* What loops and subroutines write, for pair_meets.c. */
#ifndef GP5_EVAL_PAIR_WRITES_H
#define GP5_EVAL_PAIR_WRITES_H

#include "asm/arena.h"
#include "eval/forward.h"

struct pair_loop {
    uint32_t rep;
    struct shared_bits fours;   /* what it writes: variables, four together; what it calls may write, likewise; what it writes itself, each */
    struct shared_bits calls, own;
};

struct pair_writes {
    struct vec loops;           /* struct pair_loop: those that stay loops */
    uint32_t *head;             /* of each block: the loop whose rounds begin there, and one more */
    struct shared_bits called;  /* variables that a subroutine writes; and those that one writes behind its first block */
    struct shared_bits late;
    bool failed;
};

/* False without memory; it is to be freed either way. */
bool eval_find_pair_writes(const struct decoder *d, const struct liveness *live, struct pair_writes *w);
void eval_pair_writes_free(struct pair_writes *w);
/* Components that an instruction writes. */
uint8_t eval_pair_written(const struct decoder *d, const struct liveness *live, uint32_t i);

static inline bool eval_in_subroutine(const struct liveness *live, uint32_t i)
{
    return i < live->entry || i >= live->main_end;
}

#endif
