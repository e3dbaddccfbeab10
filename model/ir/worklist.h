/* Numbers that are to be looked at, again and again, the highest first (worklist.c). */
#ifndef GP5_EVAL_WORKLIST_H
#define GP5_EVAL_WORKLIST_H

#include <stdbool.h>
#include <stdint.h>

/* They are taken in rounds: what is added above the last one taken, or is that, waits for the next round. */
struct worklist {
    uint64_t *now, *next;       /* a bit a number, and then a bit a word of those */
    uint32_t count, words, at;
};

/* Of numbers below `count`: all are in it. False without memory. */
bool worklist_start(struct worklist *w, uint32_t count);
void worklist_free(struct worklist *w);
void worklist_add(struct worklist *w, uint32_t i);
/* False: there is none. */
bool worklist_take(struct worklist *w, uint32_t *i);

#endif
