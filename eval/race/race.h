/* Races: accesses of two invocations to the same memory that nothing orders (race.c, docs/semantics.md).
 *
 * Every word (or byte, in programs that move less than words) has a cell with the last accesses to it. What an
 * earlier barrier interval of the same group did is ordered before; all else is not, and work groups never are. */
#ifndef GP5_EVAL_RACES_H
#define GP5_EVAL_RACES_H

#include "eval/machine/warp_state.h"

struct race_table;

/* For the buffers of a launch and one work group's shared memory; NULL when memory ran out. */
struct race_table *eval_races_new(const struct gp5_executable *x, const struct gp5_launch *launch);
void eval_races_free(struct race_table *t);

/* The cells of a storage buffer (by its place in the launch), of a counter buffer, of a texture, and of shared memory.
 */
struct race_memory *eval_races_storage(struct race_table *t, size_t index);
struct race_memory *eval_races_counters(struct race_table *t, size_t index);
struct race_memory *eval_races_texture(struct race_table *t, size_t index);
struct race_memory *eval_races_shared(struct race_table *t);

/* What a step is about to do, after the tracker has seen it: races that this closes are noted, and the values
 * that depend on them become undefined. */
void eval_race_step(struct warp *w, const struct step *s);

/* Likewise of a texture instruction: what it reads is in no order with what image
 * instructions of the launch store. */
void eval_race_texture(struct warp *w, const struct step *s);

/* A barrier was passed, or a group begins. */
void eval_races_advance(struct race_table *t);

bool eval_races_report(const struct race_table *t, struct gp5_report *report);
/* What race `number` (an origin's detail) was, in words. */
void eval_race_text(const struct race_table *t, uint32_t number, char *text, size_t size);

#endif
