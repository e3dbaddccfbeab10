/* What translate_pairs_gl.c and translate_pairs_state.c share. */
#ifndef TESTS_TRANSLATE_PAIRS_GL_H
#define TESTS_TRANSLATE_PAIRS_GL_H

#define GL_GLEXT_PROTOTYPES
#include "tests/tools/translate_pairs.h"

#include <GL/gl.h>
#include <GL/glext.h>

enum { TP_SIDE = 16, TP_CAPTURED = 64 };

struct tp_text {
    char bytes[1 << 18];
    size_t size;
};
void tp_say(struct tp_text *t, const char *format, ...);

/* Numbers from a hash, the same in GLSL and here. */
void tp_functions(struct tp_text *t, const struct tp_case *c, const struct tp_side *side);
/* Stages before the tested one; the tested one with what it writes, words for each invocation or 0. */
void tp_before(struct tp_text *t, const struct tp_case *c, const struct tp_side *side);
void tp_control(struct tp_text *t, const struct tp_case *c, const struct tp_side *side);
void tp_tested(struct tp_text *t, const struct tp_case *c, const struct tp_side *side, unsigned *words);
void tp_redeclare(struct tp_text *t, const char *direction, const struct tp_side *side, const char *of,
                  const char *name);

/* A type: 'f' 'i' 'u', 'd' of doubles, 'q' of integers of 64 bits; slots of one column. */
struct tp_shape {
    char kind;
    unsigned components, columns, slots;
};
struct tp_shape tp_shape(const char *type);
unsigned tp_elements(const struct tp_port *p);

/* What is captured of each vertex, in words. */
struct tp_piece {
    unsigned stream, words, elements, stride, at;
    char kind;
};
struct tp_captured {
    struct tp_piece pieces[48];
    unsigned n, stride[4];
};

uint32_t tp_hash(unsigned seed, uint32_t v, uint32_t slot, uint32_t k);
float tp_float(unsigned seed, uint32_t v, uint32_t slot, uint32_t k);
int tp_int(const struct tp_case *c, uint32_t v, uint32_t slot, uint32_t k);

/* Parameters, memory, textures and vertices before a draw; memory and images behind it. */
void tp_give(const struct tp_case *c, const struct tp_side *side, GLuint program);
void tp_take(const struct tp_case *c, struct tp_result *out);

#endif
