/* Between the files of structured control flow: flow.c has the stack of blocks and the sides of an IF, flow_loop.c the
 * passes of loops, flow_call.c subroutines. Each returns the step that comes next. */
#ifndef GP5_EVAL_FLOW_H
#define GP5_EVAL_FLOW_H

#include "eval/machine/warp_state.h"

/* A block that the warp enters: its end, and the lanes that go on after it. */
struct frame *eval_push_frame(struct warp *w, uint8_t kind, uint32_t end, uint32_t restore);
/* No lane is active: on to where some are. */
uint32_t eval_skip(struct warp *w);
/* Takes lanes out of the blocks down to the first frame of `kind`, which is returned; NULL when there is none (then
 * they are out of all of them). */
struct frame *eval_leave_frames(struct warp *w, uint8_t kind, uint32_t lanes);

/* ---- flow_split.c: sides of IFs that do not meet ------------------------------------------------------------ */

/* Some go on at `to`, the other active lanes at others_to; which are first, and where the first ones go on. */
uint32_t eval_part(struct warp *w, const struct step *s, uint32_t lanes, uint32_t to, uint32_t others_to);
/* No lane is active, and the last frame is a PART with lanes: those who go on now, and where. */
uint32_t eval_next_part(struct warp *w);

/* ---- flow_loop.c -------------------------------------------------------------------------------------------- */

/* Of the lanes that left a loop or a subroutine and wait, those that did it together. */
uint32_t eval_next_party(struct frame *f, uint32_t waiting);
void eval_leave_loop(struct warp *w, uint32_t lanes);
/* Lanes that leave it for a side of an IF that stands behind it, which begins at `to`. */
void eval_leave_behind(struct warp *w, uint32_t lanes, uint32_t to);
uint32_t eval_enter_loop(struct warp *w, const struct step *s, uint32_t here);
uint32_t eval_leave_to_next(struct warp *w, const struct step *s, uint32_t lanes, uint32_t next);
uint32_t eval_next_iteration(struct warp *w, const struct step *s, uint32_t here);
/* Inner loops that CONTs end: those that take one, all that came to the end of one. */
uint32_t eval_go_again(struct warp *w, uint32_t lanes, uint32_t next);
uint32_t eval_end_nest(struct warp *w, const struct step *s, uint32_t here);
uint32_t eval_send_round(struct warp *w, const struct step *s, uint32_t here);
uint32_t eval_next_copy(struct warp *w, const struct step *s, uint32_t here);

/* ---- flow_branch.c: BRA -------------------------------------------------------------------------------------- */

/* Some go on at `to`, the other active lanes at others_to: those who are least far in the program are first. */
uint32_t eval_branch(struct warp *w, const struct step *s, uint32_t lanes, uint32_t to, uint32_t others_to);
/* Of those that wait in a frame who is next, and where. */
uint32_t eval_next_branch(struct warp *w, struct frame *f);

/* ---- flow_call.c -------------------------------------------------------------------------------------------- */

/* `way`: the RET that they take, or the block that it stands in; 0: the end. */
uint32_t eval_return(struct warp *w, uint32_t lanes, uint32_t way, uint32_t next);
/* The next of those that came apart in the subroutine at hand is about to go on. */
void eval_note_split(struct warp *w);
uint32_t eval_call(struct warp *w, const struct step *s, uint32_t here, uint32_t lanes);
uint32_t eval_call_chosen(struct warp *w, const struct step *s, uint32_t here);
uint32_t eval_next_callee(struct warp *w, const struct step *s, uint32_t here);

#endif
