/* In what MojoShader's two texts of one shader do not agree, mended in them: see d3d9_pairs.c. */
#ifndef GP5_TESTS_D3D9_MENDS_H
#define GP5_TESTS_D3D9_MENDS_H

#include <stdbool.h>
#include <stddef.h>

struct d3d9_text {
    char *bytes; /* with a NUL behind them */
    size_t size, room;
};
bool d3d9_append(struct d3d9_text *t, const char *bytes, size_t size);
void d3d9_print(struct d3d9_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { D3D9_MENDS = 18 };

const char *d3d9_mend_name(unsigned i);

/* Mends what is the i-th of them in the texts, which were allocated; false where there is nothing of it. */
bool d3d9_mend(unsigned i, char **shader, char **assembly);

/* What is to be done to our translation of it, too. */
bool d3d9_mend_ours(unsigned i, char **translation);

#endif
