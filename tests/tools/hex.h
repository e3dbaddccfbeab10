/* Bytes that are written as hexadecimal digits. */
#ifndef GP5_TESTS_HEX_H
#define GP5_TESTS_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -1: it is none. */
static inline int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* n bytes of 2 n digits; false where one is none. */
static inline bool hex_bytes(const char *hex, size_t n, uint8_t *to)
{
    for (size_t i = 0; i < n; i++) {
        int high = hex_digit(hex[2 * i]), low = high < 0 ? -1 : hex_digit(hex[2 * i + 1]);
        if (low < 0)
            return false;
        to[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

#endif
