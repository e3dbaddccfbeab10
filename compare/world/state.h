/* The state of a GL context as JSON (docs/drivers.md). */
#ifndef GP5_COMPARE_STATE_H
#define GP5_COMPARE_STATE_H

#include "gp5.h"

/* What the text says over what a new context has; false with a message, which names the key. */
bool state_from_json(const char *text, size_t size, struct gp5_state *state, char *message, size_t message_size);

#endif
