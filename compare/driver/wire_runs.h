/* Payloads of messages without their repetitions. */
#ifndef GP5_COMPARE_WIRE_RUNS_H
#define GP5_COMPARE_WIRE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the packed form, or 0 where it does not fit into the room. */
size_t wire_pack(const uint8_t *data, size_t size, uint8_t *to, size_t room);

/* Into memory that grows; NULL, or what is wrong. */
const char *wire_unpack(const uint8_t *data, size_t size, uint8_t **to, size_t *capacity, size_t *got);

#endif
