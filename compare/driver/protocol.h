/* What a process and its GL worker say to each other: the messages of the driver interface, encoded and
 * decoded with every field checked. docs/drivers.md describes them for whoever writes another worker. */
#ifndef GP5_COMPARE_PROTOCOL_H
#define GP5_COMPARE_PROTOCOL_H

#include "compare/driver/capture.h"
#include "compare/driver/driver.h"
#include "compare/driver/wire.h"

enum protocol_type {
    MESSAGE_HELLO = 1,          /* to the worker: the context that it shall open */
    MESSAGE_CASE,
    MESSAGE_CAPTURE,
    MESSAGE_WELCOME = 101,      /* from it: who the driver is */
    MESSAGE_REFUSED,            /* no context: a driver_open_status and why */
    MESSAGE_RESULT,
    MESSAGE_CAPTURED
};

/* A worker whose context was lost ends with this status: nothing that it would answer could be believed. */
enum { PROTOCOL_EXIT_LOST = 3 };

/* Encoders append to a message that wire_begin opened. Decoders return NULL, or what is wrong; what they
 * decode points into the payload and into lists that the matching free gives back (also after an error). */

void protocol_put_hello(struct wire_out *w, const char *context, uint32_t timeout_ms);
const char *protocol_get_hello(const struct wire_in *in, const char **context, uint32_t *timeout_ms);

void protocol_put_refused(struct wire_out *w, enum driver_open_status status, const char *reason);
const char *protocol_get_refused(const struct wire_in *in, enum driver_open_status *status,
                                 const char **reason);

void protocol_put_welcome(struct wire_out *w, const struct driver_description *d);
const char *protocol_get_welcome(const struct wire_in *in, struct driver_description *d);
void protocol_free_welcome(struct driver_description *d);

void protocol_put_case(struct wire_out *w, const struct driver_case *c);
const char *protocol_get_case(const struct wire_in *in, struct driver_case *c);
void protocol_free_case(struct driver_case *c);

/* The parts of a result, in this order: head, a list of storage outputs, one of colours, coverage, depth;
 * and where the head has extras, lists of counters and of textures. A list is its length and then for each output its
 * binding and its bytes. So a worker reads back into the message itself. */
void protocol_put_result_head(struct wire_out *w, const struct driver_result *r);
void protocol_put_result(struct wire_out *w, const struct driver_result *r);
const char *protocol_get_result(const struct wire_in *in, struct driver_result *r);
void protocol_free_result(struct driver_result *r);

void protocol_put_capture(struct wire_out *w, const struct capture_program *p);
const char *protocol_get_capture(const struct wire_in *in, struct capture_program *p);
void protocol_put_captured(struct wire_out *w, const struct capture_result *r);
const char *protocol_get_captured(const struct wire_in *in, struct capture_result *r);

/* NULL, or why no driver can run such a case: sizes that contradict each other, or beyond every limit. */
const char *driver_case_check(const struct driver_case *c);

/* Whether a case has anything beyond `raster`; and whether counters or textures of it are to be brought back. */
bool driver_case_has_extras(const struct driver_case *c);
bool driver_case_returns_extras(const struct driver_case *c);

/* Whether the outputs of a result are those that the case asked for; NULL, or what is not. */
const char *driver_result_check(const struct driver_case *c, const struct driver_result *r);

#endif
