/* Bytes between a process and its worker: growing messages, bounds-checked reading, frames, and the pipe
 * itself.
 *
 * A frame is a header of 24 bytes and a payload, everything little-endian: magic, version, type, sequence
 * number, size and a check sum of the payload. Nothing that arrives is believed: a frame that lies about its
 * size costs no more memory than the bytes that really came. */
#ifndef GP5_COMPARE_WIRE_H
#define GP5_COMPARE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MAGIC 0x77357067u          /* "gp5w" */
#define WIRE_VERSION 3u
#define WIRE_HEADER 24u
#define WIRE_MAX_PAYLOAD (1u << 30)
#define WIRE_PACKED 0x8000u             /* beside the type: the payload is packed (wire_runs.h) */

/* ---- writing ------------------------------------------------------------------------------------------- */

struct wire_out {
    uint8_t *data;
    size_t size, capacity;
    bool failed;                /* out of memory, or more than WIRE_MAX_PAYLOAD */
    uint8_t *other;             /* memory for the packed form, which changes places with `data` */
    size_t other_capacity;
};

void wire_out_free(struct wire_out *w);
void wire_begin(struct wire_out *w, uint16_t type, uint32_t sequence);
bool wire_end(struct wire_out *w);      /* fills the header in; false when w failed */

void wire_put_u8(struct wire_out *w, uint8_t v);
void wire_put_u32(struct wire_out *w, uint32_t v);
void wire_put_u64(struct wire_out *w, uint64_t v);
void wire_put_bytes(struct wire_out *w, const void *data, size_t size);    /* with its size before it */
void wire_put_string(struct wire_out *w, const char *s);

/* Room for `size` bytes, with the size before it, to be written before the next call; NULL when w failed. */
void *wire_put_space(struct wire_out *w, size_t size);

/* ---- reading ------------------------------------------------------------------------------------------- */

struct wire_reader {
    const uint8_t *at, *end;
    const char *error;          /* the first thing that was wrong; everything read after it is zero */
};

uint8_t wire_get_u8(struct wire_reader *r);
uint32_t wire_get_u32(struct wire_reader *r);
uint64_t wire_get_u64(struct wire_reader *r);
const uint8_t *wire_get_bytes(struct wire_reader *r, size_t *size);     /* into the payload; never NULL */
const char *wire_get_string(struct wire_reader *r);                     /* likewise, NUL-terminated */
uint32_t wire_get_below(struct wire_reader *r, uint32_t limit, const char *error);
bool wire_get_bool(struct wire_reader *r);

/* A count of things that take at least `least` bytes each: more than the payload can hold is an error. */
size_t wire_get_count(struct wire_reader *r, size_t least);

/* NULL when everything was right and nothing is left over. */
const char *wire_get_end(struct wire_reader *r);

/* ---- frames and the pipe ------------------------------------------------------------------------------- */

struct wire_header {
    uint16_t version, type;
    uint32_t sequence, size;
    uint64_t check;
};

/* NULL, or what is wrong with the header. A foreign version is the caller's to judge. */
const char *wire_header_read(const uint8_t bytes[WIRE_HEADER], struct wire_header *h);
uint64_t wire_check(const uint8_t *data, size_t size);

struct wire_in {
    struct wire_header header;
    uint8_t *data;              /* the payload */
    size_t size, capacity;
    uint8_t *other;             /* memory for the other form of it */
    size_t other_capacity;
    const char *error;          /* with WIRE_BROKEN */
};

enum wire_status { WIRE_OK, WIRE_CLOSED, WIRE_TIMEOUT, WIRE_BROKEN, WIRE_NO_MEMORY };

#define WIRE_FOREVER INT64_MAX
int64_t wire_now(void);         /* milliseconds of a clock that nobody sets */

/* Both work on pipes and sockets, blocking or not, and end at the deadline (of wire_now). */
enum wire_status wire_send(int fd, const struct wire_out *frame, int64_t deadline);
enum wire_status wire_receive(int fd, struct wire_in *in, int64_t deadline);
void wire_in_free(struct wire_in *in);

/* wire_floats.c: by their bits */
void wire_put_floats(struct wire_out *w, const float *values, size_t count);
void wire_get_floats(struct wire_reader *r, float *values, size_t count);

#endif
