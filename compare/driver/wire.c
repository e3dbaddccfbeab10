#include "compare/driver/wire.h"

#include "compare/driver/wire_runs.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PACKED_LEAST = 16384 };          /* bytes of a frame that is worth being packed */

/* ---- writing ------------------------------------------------------------------------------------------- */

static uint8_t *out_room(struct wire_out *w, size_t size)
{
    if (w->failed)
        return NULL;
    if (size > WIRE_MAX_PAYLOAD || w->size + size > (size_t)WIRE_MAX_PAYLOAD + WIRE_HEADER) {
        w->failed = true;
        return NULL;
    }
    if (w->size + size > w->capacity) {
        size_t capacity = w->capacity ? w->capacity : 4096;
        while (capacity < w->size + size)
            capacity *= 2;
        uint8_t *data = realloc(w->data, capacity);
        if (!data) {
            w->failed = true;
            return NULL;
        }
        w->data = data;
        w->capacity = capacity;
    }
    uint8_t *at = w->data + w->size;
    w->size += size;
    return at;
}

static void store(uint8_t *at, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t load(const uint8_t *at, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)at[i] << 8 * i;
    return v;
}

static void put(struct wire_out *w, uint64_t v, unsigned bytes)
{
    uint8_t *at = out_room(w, bytes);
    if (at)
        store(at, v, bytes);
}

void wire_put_u8(struct wire_out *w, uint8_t v)
{
    put(w, v, 1);
}

void wire_put_u32(struct wire_out *w, uint32_t v)
{
    put(w, v, 4);
}

void wire_put_u64(struct wire_out *w, uint64_t v)
{
    put(w, v, 8);
}

void *wire_put_space(struct wire_out *w, size_t size)
{
    wire_put_u64(w, size);
    return out_room(w, size);
}

void wire_put_bytes(struct wire_out *w, const void *data, size_t size)
{
    void *at = wire_put_space(w, size);
    if (at && size)
        memcpy(at, data, size);
}

void wire_put_string(struct wire_out *w, const char *s)
{
    wire_put_bytes(w, s ? s : "", s ? strlen(s) + 1 : 1);
}

void wire_begin(struct wire_out *w, uint16_t type, uint32_t sequence)
{
    w->size = 0;
    w->failed = false;
    uint8_t *at = out_room(w, WIRE_HEADER);
    if (!at)
        return;
    memset(at, 0, WIRE_HEADER);
    store(at, WIRE_MAGIC, 4);
    store(at + 4, WIRE_VERSION, 2);
    store(at + 6, type, 2);
    store(at + 8, sequence, 4);
}

/* The payload packed, where that makes half of it or less. */
static void pack(struct wire_out *w)
{
    uint8_t *data = w->data;
    size_t room = w->size / 2, capacity = w->capacity;

    if (w->size < PACKED_LEAST)
        return;
    if (room > w->other_capacity) {
        uint8_t *more = realloc(w->other, room);
        if (!more)
            return;
        w->other = more;
        w->other_capacity = room;
    }
    size_t size = wire_pack(data + WIRE_HEADER, w->size - WIRE_HEADER, w->other + WIRE_HEADER, room - WIRE_HEADER);
    if (!size)
        return;
    memcpy(w->other, data, WIRE_HEADER);
    w->data = w->other;
    w->capacity = w->other_capacity;
    w->size = WIRE_HEADER + size;
    w->data[7] |= WIRE_PACKED >> 8;
    w->other = data;
    w->other_capacity = capacity;
}

bool wire_end(struct wire_out *w)
{
    if (w->failed)
        return false;
    pack(w);
    size_t size = w->size - WIRE_HEADER;
    store(w->data + 12, size, 4);
    store(w->data + 16, wire_check(w->data + WIRE_HEADER, size), 8);
    return true;
}

void wire_out_free(struct wire_out *w)
{
    free(w->other);
    free(w->data);
    *w = (struct wire_out){0};
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static const uint8_t *take(struct wire_reader *r, size_t size)
{
    if (!r->error && size > (size_t)(r->end - r->at))
        r->error = "it ends too early";
    if (r->error)
        return NULL;
    const uint8_t *at = r->at;
    r->at += size;
    return at;
}

static uint64_t get(struct wire_reader *r, unsigned bytes)
{
    const uint8_t *at = take(r, bytes);
    return at ? load(at, bytes) : 0;
}

uint8_t wire_get_u8(struct wire_reader *r)
{
    return (uint8_t)get(r, 1);
}

uint32_t wire_get_u32(struct wire_reader *r)
{
    return (uint32_t)get(r, 4);
}

uint64_t wire_get_u64(struct wire_reader *r)
{
    return get(r, 8);
}

const uint8_t *wire_get_bytes(struct wire_reader *r, size_t *size)
{
    uint64_t n = wire_get_u64(r);
    const uint8_t *at = n > SIZE_MAX ? NULL : take(r, (size_t)n);
    *size = at ? (size_t)n : 0;
    return at ? at : (const uint8_t *)"";
}

const char *wire_get_string(struct wire_reader *r)
{
    size_t size;
    const char *s = (const char *)wire_get_bytes(r, &size);
    if (!r->error && (!size || memchr(s, 0, size) != s + size - 1))
        r->error = "a string has no end, or two";
    return r->error ? "" : s;
}

uint32_t wire_get_below(struct wire_reader *r, uint32_t limit, const char *error)
{
    uint32_t v = wire_get_u32(r);
    if (!r->error && v >= limit)
        r->error = error;
    return r->error ? 0 : v;
}

bool wire_get_bool(struct wire_reader *r)
{
    uint8_t v = wire_get_u8(r);
    if (!r->error && v > 1)
        r->error = "a yes or no is neither";
    return v == 1;
}

size_t wire_get_count(struct wire_reader *r, size_t least)
{
    uint32_t n = wire_get_u32(r);
    if (!r->error && n > (size_t)(r->end - r->at) / least)
        r->error = "a count is larger than what follows";
    return r->error ? 0 : n;
}

const char *wire_get_end(struct wire_reader *r)
{
    if (!r->error && r->at != r->end)
        r->error = "bytes are left over";
    return r->error;
}

/* ---- frames and the pipe ------------------------------------------------------------------------------- */

uint64_t wire_check(const uint8_t *data, size_t size)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ size;
    for (; size >= 8; data += 8, size -= 8) {
        h = (h ^ load(data, 8)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    h = (h ^ load(data, (unsigned)size)) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 29;
}

const char *wire_header_read(const uint8_t bytes[WIRE_HEADER], struct wire_header *h)
{
    h->version = (uint16_t)load(bytes + 4, 2);
    h->type = (uint16_t)load(bytes + 6, 2);
    h->sequence = (uint32_t)load(bytes + 8, 4);
    h->size = (uint32_t)load(bytes + 12, 4);
    h->check = load(bytes + 16, 8);
    if (load(bytes, 4) != WIRE_MAGIC)
        return "it does not begin like a message";
    if (h->size > WIRE_MAX_PAYLOAD)
        return "it says that it is larger than a message may be";
    return NULL;
}

int64_t wire_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static enum wire_status wait_for(int fd, short events, int64_t deadline)
{
    for (;;) {
        int64_t left = deadline == WIRE_FOREVER ? -1 : deadline - wire_now();
        if (left < -1 || (left < 0 && deadline != WIRE_FOREVER))
            left = 0;
        struct pollfd p = { .fd = fd, .events = events };
        int n = poll(&p, 1, left > 1000000 ? 1000000 : (int)left);
        if (n > 0)
            return WIRE_OK;     /* errors show in the read or write that follows */
        if (n == 0 && deadline != WIRE_FOREVER && wire_now() >= deadline)
            return WIRE_TIMEOUT;
        if (n < 0 && errno != EINTR)
            return WIRE_CLOSED;
    }
}

/* A worker that died must not take its client along with SIGPIPE, and a library sets no signal handlers. */
static ssize_t write_quietly(int fd, const void *data, size_t size)
{
    ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
    return n < 0 && errno == ENOTSOCK ? write(fd, data, size) : n;
}

enum wire_status wire_send(int fd, const struct wire_out *frame, int64_t deadline)
{
    for (size_t at = 0; at < frame->size; ) {
        ssize_t n = write_quietly(fd, frame->data + at, frame->size - at);
        if (n > 0) {
            at += (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            enum wire_status s = wait_for(fd, POLLOUT, deadline);
            if (s != WIRE_OK)
                return s;
        } else if (n == 0 || errno != EINTR) {
            return WIRE_CLOSED;
        }
    }
    return WIRE_OK;
}

static enum wire_status read_all(int fd, uint8_t *data, size_t size, int64_t deadline)
{
    for (size_t at = 0; at < size; ) {
        enum wire_status s = wait_for(fd, POLLIN, deadline);
        if (s != WIRE_OK)
            return s;
        ssize_t n = read(fd, data + at, size - at);
        if (n > 0)
            at += (size_t)n;
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return WIRE_CLOSED;
        if (at < size && deadline != WIRE_FOREVER && wire_now() >= deadline)
            return WIRE_TIMEOUT;    /* somebody who drips bytes never makes poll wait */
    }
    return WIRE_OK;
}

/* The buffer grows as bytes arrive and not as the header promises. */
static enum wire_status read_payload(int fd, struct wire_in *in, int64_t deadline)
{
    const size_t step = 1u << 20;
    for (in->size = 0; in->size < in->header.size; ) {
        size_t want = in->header.size - in->size;
        if (in->size + want > in->capacity && want > step && want > in->size)
            want = in->size > step ? in->size : step;
        if (in->size + want > in->capacity) {
            uint8_t *data = realloc(in->data, in->size + want);
            if (!data)
                return WIRE_NO_MEMORY;
            in->data = data;
            in->capacity = in->size + want;
        }
        enum wire_status s = read_all(fd, in->data + in->size, want, deadline);
        if (s != WIRE_OK)
            return s;
        in->size += want;
    }
    return WIRE_OK;
}

static bool unpack(struct wire_in *in)
{
    uint8_t *data = in->data;
    size_t capacity = in->capacity, size = in->size;

    if (!(in->header.type & WIRE_PACKED))
        return true;
    in->header.type &= (uint16_t)~WIRE_PACKED;
    in->error = wire_unpack(data, size, &in->other, &in->other_capacity, &in->size);
    in->data = in->other;
    in->capacity = in->other_capacity;
    in->other = data;
    in->other_capacity = capacity;
    return !in->error;
}

enum wire_status wire_receive(int fd, struct wire_in *in, int64_t deadline)
{
    uint8_t header[WIRE_HEADER];
    enum wire_status s = read_all(fd, header, sizeof header, deadline);
    if (s != WIRE_OK)
        return s;
    in->error = wire_header_read(header, &in->header);
    if (in->error)
        return WIRE_BROKEN;
    s = read_payload(fd, in, deadline);
    if (s != WIRE_OK)
        return s;
    if (wire_check(in->data, in->size) != in->header.check) {
        in->error = "its check sum is wrong";
        return WIRE_BROKEN;
    }
    return unpack(in) ? WIRE_OK : WIRE_BROKEN;
}

void wire_in_free(struct wire_in *in)
{
    free(in->other);
    free(in->data);
    *in = (struct wire_in){0};
}
