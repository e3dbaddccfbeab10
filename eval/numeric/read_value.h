#ifndef GP5_NUMERIC_READ_VALUE_H
#define GP5_NUMERIC_READ_VALUE_H

#include <stdint.h>

/* A value in memory as the bits of its register (read_value.c). */
uint64_t eval_read_value(const uint8_t *p, uint8_t type);

#endif
