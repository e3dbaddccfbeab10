/* Programs to measure with, written by rule: the same bytes every time. */
#ifndef GP5_TESTS_BENCH_TEXT_H
#define GP5_TESTS_BENCH_TEXT_H

#include <stddef.h>

/* A text that grows. Ends the program when memory is out: nothing can be measured then. */
struct text {
    char *bytes; /* NUL after them */
    size_t size, room;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

/* !!ARBfp1.0 within what Mesa takes, up to its END: lighting arithmetic, declarations, code under long
 * comments. */
void text_arb_arithmetic(struct text *text, unsigned blocks);
void text_arb_declarations(struct text *text, unsigned params);
void text_arb_comments(struct text *text, unsigned blocks);

/* !!NVcp5.0 of about that many bytes, whole: straight-line arithmetic as an author spaces it; what a compiler
 * emits (one statement a line, constants as vectors, short blocks); and the same as emulators emit it,
 * without spaces. */
void text_nv_straight(struct text *text, size_t size);
void text_nv_compiled(struct text *text, size_t size);
void text_nv_dense(struct text *text, size_t size);

#endif
