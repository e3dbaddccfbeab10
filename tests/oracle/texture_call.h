/* A texture instruction of one lane, as textures.c and levels.c see it. */
#ifndef GP5_TESTS_ORACLE_TEXTURE_CALL_H
#define GP5_TESTS_ORACLE_TEXTURE_CALL_H

#include "tests/oracle/sample.h"

/* An instruction with its operands. */
struct oracle_call {
    const struct insn *insn;
    unsigned kind, n;           /* of texture; components that say where, of a cube those of a direction */
    bool shadow, array, cube;
    struct oracle_value v[3][4];
    unsigned nvectors;
    const struct operand *texture;
    struct oracle_value moved[4];
    bool moves;
    unsigned component;         /* of a gather */
    const struct oracle_texture *found;
    bool why, lost, undef;       /* the text promises nothing; nobody does; what says where is undefined */
};

/* The component with the reference; the layer stands behind the coordinates. */
static inline unsigned oracle_texture_reference(const struct oracle_call *c)
{
    return c->kind == GP5_TEXTURE_ARRAYCUBE ? 4 : c->kind == GP5_TEXTURE_CUBE || c->kind == GP5_TEXTURE_ARRAY2D ? 3 : 2;
}

static inline unsigned oracle_texture_layer(const struct oracle_call *c)
{
    return c->n;                /* behind the coordinates */
}

/* levels.c: the level of detail that an instruction asks for. */
int64_t oracle_texture_level(const struct oracle_call *c, const struct gp5_texture *t);

#endif
