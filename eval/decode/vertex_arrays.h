/* Attributes of the vertices of primitives and patches as operands (vertex_arrays.c). */
#ifndef GP5_EVAL_VERTEX_ARRAYS_H
#define GP5_EVAL_VERTEX_ARRAYS_H

#include "asm/program.h"

struct decoder;

/* The planes of an attribute of all vertices, where an index chooses among them. */
struct vertex_region {
    uint16_t kind;
    uint32_t number, first;
};

bool eval_is_vertex_array(const struct gp5_program *p, const struct symbol *s);

/* The planes of the components in `used`, of a variable with a vertex index, and of vertex[n].X as it is written. */
bool eval_fetch_vertex(struct decoder *d, const struct operand *o, uint8_t used, uint32_t plane[4]);
bool eval_fetch_texcoord(struct decoder *d, const struct binding *b, uint32_t plane[4]);
bool eval_fetch_vertex_binding(struct decoder *d, const struct binding *b, uint8_t used, uint32_t plane[4]);

#endif
