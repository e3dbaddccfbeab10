/* What the files of the protocol share. */
#ifndef GP5_COMPARE_PROTOCOL_PARTS_H
#define GP5_COMPARE_PROTOCOL_PARTS_H

#include "compare/driver/protocol.h"

struct wire_reader protocol_reader(const struct wire_in *in);

/* Room for a decoded list; its count comes from wire_get_count and is bounded by the payload. */
void *protocol_list(struct wire_reader *r, size_t count, size_t element);

/* Set in the first word of a case or a result behind which there is more: who does not know of it refuses that word. */
#define PROTOCOL_EXTRAS 0x80000000u

/* Likewise, of vertices and their results. */
#define PROTOCOL_VERTICES 0x40000000u

/* case_extras.c: NULL, or what is wrong with it. */
const char *driver_case_check_extras(const struct driver_case *c);

/* protocol_extras.c: buffers, and what stands behind a case that has any of it. */
void protocol_put_buffers(struct wire_out *w, const struct driver_buffer *b, size_t count);
const struct driver_buffer *protocol_get_buffers(struct wire_reader *r, size_t *got);
void protocol_put_parameters(struct wire_out *w, const struct driver_parameter *p, size_t count);
const struct driver_parameter *protocol_get_parameters(struct wire_reader *r, size_t *got);
/* protocol_draw.c */
void protocol_put_draw(struct wire_out *w, const struct driver_draw *d, size_t pixels);
const struct driver_draw *protocol_get_draw(struct wire_reader *r);
void protocol_free_draw(const struct driver_draw *d);
void protocol_put_vertices(struct wire_out *w, const struct driver_vertices *v);
void protocol_get_vertices(struct wire_reader *r, struct driver_vertices *v);
void protocol_put_extras(struct wire_out *w, const struct driver_case *c);
void protocol_get_extras(struct wire_reader *r, struct driver_case *c);

#endif
