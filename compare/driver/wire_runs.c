/* Payloads that repeat themselves every 16 bytes, as pictures of few colours do, made short for the way.
 *
 * Packed, a payload is its size (u32), then pairs of a piece: how many bytes follow as they are (u32), those bytes, and
 * how many there are behind them that are each the byte 16 before (u32). */
#include "compare/driver/wire_runs.h"

#include "compare/driver/wire.h"

#include <stdlib.h>
#include <string.h>

enum { PERIOD = 16, LEAST = 64 };       /* shorter repetitions are no gain */

static void store(uint8_t *at, size_t v)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

static size_t load(const uint8_t *at)
{
    return at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

static bool same(const uint8_t *a)
{
    return !memcmp(a, a - PERIOD, PERIOD);
}

/* Where at least LEAST bytes begin that repeat those before them; the end where none do. */
static size_t find_run(const uint8_t *data, size_t at, size_t size)
{
    for (at = at < PERIOD ? PERIOD : at; at + LEAST <= size; at += PERIOD) {
        if (!same(data + at))
            continue;
        size_t last = at + PERIOD;
        while (last < at + LEAST && same(data + last))
            last += PERIOD;
        if (last >= at + LEAST)
            return at;
    }
    return size;
}

static size_t end_of_run(const uint8_t *data, size_t at, size_t size)
{
    while (at + PERIOD <= size && same(data + at))
        at += PERIOD;
    return at;
}

size_t wire_pack(const uint8_t *data, size_t size, uint8_t *to, size_t room)
{
    size_t used = 4;

    if (room < 4)
        return 0;
    store(to, size);
    for (size_t at = 0; at < size; ) {
        size_t run = find_run(data, at, size), end = end_of_run(data, run, size);
        if (run - at + 8 > room - used)
            return 0;
        store(to + used, run - at);
        memcpy(to + used + 4, data + at, run - at);
        store(to + used + 4 + run - at, end - run);
        used += 8 + run - at;
        at = end;
    }
    return used;
}

static void repeat(uint8_t *at, size_t size)
{
    for (size_t done = 0; done < size; ) {      /* doubling what is there */
        size_t there = done + PERIOD, piece = size - done < there ? size - done : there;
        memcpy(at + done, at - PERIOD, piece);
        done += piece;
    }
}

const char *wire_unpack(const uint8_t *data, size_t size, uint8_t **to, size_t *capacity, size_t *got)
{
    static const char wrong[] = "it is packed wrongly";
    size_t total = size >= 4 ? load(data) : 0, done = 0, at = 4;

    if (size < 4 || total > WIRE_MAX_PAYLOAD)
        return wrong;
    if (total > *capacity) {
        uint8_t *more = realloc(*to, total);
        if (!more)
            return "no memory to unpack it";
        *to = more;
        *capacity = total;
    }
    while (at < size) {
        size_t plain = size - at >= 8 ? load(data + at) : SIZE_MAX;
        if (plain > size - at - 8 || plain > total - done)
            return wrong;
        memcpy(*to + done, data + at + 4, plain);
        done += plain;
        at += 8 + plain;
        size_t run = load(data + at - 4);
        if (run > total - done || (run && done < PERIOD))
            return wrong;
        repeat(*to + done, run);
        done += run;
    }
    *got = done;
    return done == total ? NULL : wrong;
}
