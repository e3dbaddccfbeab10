/* A program that grows, in memory of a fixed size. */
#ifndef GP5_TESTS_PROGRAM_TEXT_H
#define GP5_TESTS_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct program_text {
    char *text;
    size_t size, length;
    bool full;                  /* something did not fit; what was whole before stands */
};

void program_text_put(struct program_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
