/* A program or a test script made as small as it gets while something about it holds: without statements, declarations,
 * modifiers, operands, lines, words and sections that it does not need. Deterministic. */
#ifndef GP5_COMPARE_REDUCE_H
#define GP5_COMPARE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

struct reduction {
    /* Whether a smaller text, with a NUL behind it, is still what is looked for. */
    bool (*still)(void *user, const char *text, size_t size);
    void *user;
    /* Asked before each: false ends it with what is small by then. Or NULL. */
    bool (*go_on)(void *user, const struct reduction *r);
    void *go_on_user;
    unsigned long most;         /* texts to try at most, 0: as many as it takes */
    unsigned long tried, kept;
    char *text;                 /* gp5_malloc'd: before and after */
    size_t size;
    bool no_memory, ended;
};

/* A single program. */
void reduce_program(struct reduction *r);

/* A test script: its sections, lines and words, and the programs in it. */
void reduce_script(struct reduction *r);

/* ---- inside ------------------------------------------------------------------------------------------------ */

/* A way to make the text smaller: pieces that are replaced together (the same `way`), `in` standing for each. */
struct cut {
    size_t from, to;
    size_t in, nin;             /* in edits.words */
    size_t way;
};

struct edits {
    struct reduction *r;
    struct cut *cuts;
    size_t count, room, ways;
    char *words;
    size_t nwords, words_room;
    size_t at;                  /* is added to the places that are given: where a program begins */
};

void edits_begin(struct edits *e, struct reduction *r, size_t at);
/* A piece of the way that is open; edits_close: that way is complete. */
void edits_cut(struct edits *e, size_t from, size_t to, const char *in, size_t nin);
void edits_close(struct edits *e);
/* Tries them, many together at first, then fewer. Frees the list; true when something went. */
bool edits_try(struct edits *e);

/* One text by itself, with a NUL behind it: taken when it holds. */
bool reduce_offer(struct reduction *r, const char *text, size_t size);
bool reduce_over(const struct reduction *r);

/* All that can go of the program that stands in [from, *to) of the text; *to follows. */
bool reduce_region(struct reduction *r, size_t from, size_t *to);
bool reduce_print(struct reduction *r, size_t from, size_t *to);

#endif
